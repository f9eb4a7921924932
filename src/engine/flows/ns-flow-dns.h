/* Questions and answers of DNS in captured packets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-trace.h"

G_BEGIN_DECLS

/**
 * NsFlowQuestion:
 * @name: what was asked for
 * @ips: (element-type NsIp) (nullable): addresses of the answer
 * @aliases: (element-type NsString) (nullable): its canonical names
 * @open_ns: first query; %NS_TIME_NONE: only the answer was captured
 * @last_ns: last query
 * @close_ns: first answer; %NS_TIME_NONE: none
 * @n_retries: queries after the first one, before the answer
 * @sent: bytes of the query, with its length over TCP
 * @received: bytes of the answer, likewise
 * @flow: conversation it was asked in
 * @status: of an answer, as the DNS client has it
 * @type: record type
 * @id: number of the query
 * @rcode: of an answer
 * @is_tcp: over TCP
 * @is_cut: the answer says that it is longer than it can be
 *
 * One transaction.
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

/* The message of one datagram, or one of a stream. */
typedef struct
{
  const guint8 *data;
  gsize captured;
  gsize size; /* with the length before it, over TCP */
  gint64 time_ns;
  NsRow flow;
  gboolean is_tcp;
} NsFlowMessage;

/* The numbers of those of one conversation that were asked last, from 1; 0 is none. */
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
