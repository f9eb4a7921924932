/* DNS queries and responses in captured packets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/**
 * NsFlowQuestion:
 * @name: the name queried
 * @ips: (element-type NsIp) (nullable): addresses in the response
 * @aliases: (element-type NsString) (nullable): canonical names in the response
 * @open_ns: first query; %NS_TIME_NONE: only the response was captured
 * @last_ns: last query
 * @close_ns: first response; %NS_TIME_NONE: none
 * @n_retries: retransmitted queries before the response
 * @sent: size of the query, including its length prefix over TCP
 * @received: size of the response, likewise
 * @flow: its conversation
 * @status: status of the response, as an error code of the DNS client
 * @type: record type
 * @id: query ID
 * @rcode: RCODE of the response
 * @is_tcp: whether it was sent over TCP
 * @is_cut: whether the response was truncated (TC)
 *
 * A DNS transaction.
 */
typedef struct
{
  NsString name;
  GArray *ips;
  GArray *aliases;
  gint64 open_ns;
  gint64 last_ns;
  gint64 close_ns;
  guint32 n_retries;
  guint32 sent;
  guint32 received;
  NsRow flow;
  guint32 status;
  guint16 type;
  guint16 id;
  guint8 rcode;
  NsBool is_tcp;
  NsBool is_cut;
} NsFlowQuestion;

/* A message in a datagram or stream. */
typedef struct
{
  const guint8 *data;
  gsize captured;
  gsize size; /* including its length prefix over TCP */
  gint64 time_ns;
  NsRow flow;
  gboolean is_tcp;
} NsFlowMessage;

/* Recent queries of a conversation, by number from 1; 0 is none. */
typedef struct
{
  GArray *places; /* (element-type guint32) (nullable) */
  guint32 n_asked;
} NsFlowAsked;

GArray *ns_flow_questions_new (void);
void ns_flow_asked_clear (NsFlowAsked *self);
void ns_flow_questions_add (GArray *questions,
                            NsFlowAsked *asked,
                            NsTrace *trace,
                            const NsFlowMessage *message);

G_END_DECLS
