/* Application protocols in conversations: TLS, HTTP/1, DNS and QUIC, recognized by their bytes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/flows/ns-flow-dns.h"
#include "engine/flows/ns-flow.h"
#include "wire/ns-wire-exchange.h"
#include "wire/ns-wire-frame.h"

G_BEGIN_DECLS

/* The exchanges of one conversation. */
typedef struct
{
  NsWireExchanges *http;
  NsRow flow;
} NsFlowExchanges;

/**
 * NsFlowFound:
 * @exchanges: (element-type NsFlowExchanges): of HTTP/1
 * @questions: (element-type NsFlowQuestion): of DNS
 *
 * What has rows of its own.
 */
typedef struct
{
  GArray *exchanges;
  GArray *questions;
} NsFlowFound;

/* What is known of the content of one conversation that is open. */
typedef struct _NsFlowContent NsFlowContent;

/* Where a packet belongs. */
typedef struct
{
  NsTrace *trace;
  NsFlowFound *found;
  NsFlowRow *row;
  NsRow flow;
  guint side;   /* who sends it, as the conversation counts them */
  guint client; /* which side is the client, as far as known */
  gint64 time_ns;
  NsRow packet;
} NsFlowPlace;

void ns_flow_found_init (NsFlowFound *self);
void ns_flow_found_clear (NsFlowFound *self);

void ns_flow_content_begin (NsFlowContent **self, guint side, guint32 seq);
void ns_flow_content_add_segment (NsFlowContent **self,
                                  const NsFlowPlace *place,
                                  const NsWireFrame *frame,
                                  gsize size);
void ns_flow_content_add_datagram (NsFlowContent **self,
                                   const NsFlowPlace *place,
                                   const NsWireFrame *frame);
void ns_flow_content_finish (NsFlowContent **self, const NsFlowPlace *place, gboolean is_closed[2]);

G_END_DECLS
