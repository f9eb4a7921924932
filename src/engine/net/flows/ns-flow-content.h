/* Application protocols in conversations: TLS, HTTP/1, DNS and QUIC, recognized by their bytes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/net/flows/ns-flow-dns.h"
#include "engine/net/flows/ns-flow.h"
#include "wire/ns-wire-exchange.h"
#include "wire/ns-wire-frame.h"

G_BEGIN_DECLS

/* HTTP exchanges of one conversation. */
typedef struct
{
  NsWireExchanges *http;
  NsRow flow;
} NsFlowExchanges;

/**
 * NsFlowFound:
 * @exchanges: (element-type NsFlowExchanges): HTTP/1 exchanges
 * @questions: (element-type NsFlowQuestion): DNS queries
 *
 * Contents with rows of their own.
 */
typedef struct
{
  GArray *exchanges;
  GArray *questions;
} NsFlowFound;

/* Parser state of an open conversation. */
typedef struct _NsFlowContent NsFlowContent;

/* Packet and conversation that are parsed. */
typedef struct
{
  NsTrace *trace;
  NsFlowFound *found;
  NsFlowRow *row;
  NsRow flow;
  guint side;   /* side of the packet's sender */
  guint client; /* the client's side, as far as known */
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
