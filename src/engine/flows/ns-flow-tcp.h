/* What segments of one TCP connection tell of each other.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-arena.h"
#include "engine/flows/ns-flow-bytes.h"
#include "engine/flows/ns-flow.h"
#include "wire/ns-wire-frame.h"

G_BEGIN_DECLS

#define NS_FLOW_WINDOW_UNKNOWN G_MAXUINT32

/* What is remembered of one side. A number is 0 until it is known, as Wireshark has it. */
typedef struct
{
  NsFlowBytes bytes;
  gint64 next_ns;       /* when @next was set */
  gint64 ack_ns;        /* of the last segment */
  gint64 zero_since_ns; /* NS_TIME_NONE: its window is open */
  guint32 isn;          /* what it began with */
  guint32 next;         /* number that is expected next */
  guint32 ack;          /* of the last segment */
  guint32 whole;        /* up to here everything was seen */
  guint32 n_duplicate_acks;
  guint32 fin;    /* number behind its FIN */
  guint32 window; /* NS_FLOW_WINDOW_UNKNOWN: it has not sent anything */
  guint16 last_marks;
  gint8 scale; /* -1: unknown; -2: no scaling */
  NsBool has_isn;
  NsBool has_syn;
  NsBool has_fin;
  NsBool is_fin_acked;
  NsBool is_window_of_syn; /* which is never scaled */
} NsFlowSide;

typedef struct
{
  NsFlowSide sides[2];
  gint64 first_syn_ns;
  gint64 last_syn_ns;
  gint64 syn_ack_ns;
  gint64 first_rtt_ns; /* 0: unknown */
  guint32 n_syns_only; /* segments that were nothing but SYNs of the client */
  guint8 client;       /* which side has sent a SYN, when there was one */
} NsFlowTcp;

void ns_flow_tcp_init (NsFlowTcp *self);
void ns_flow_tcp_clear (NsFlowTcp *self);
gboolean ns_flow_tcp_is_new (const NsFlowTcp *self, guint side, const NsWireFrame *frame);
guint ns_flow_tcp_add (NsFlowTcp *self,
                       NsFlowRow *row,
                       guint side,
                       const NsWireFrame *frame,
                       gint64 ns,
                       NsArena *arena);
void ns_flow_tcp_finish (NsFlowTcp *self, NsFlowRow *row, NsArena *arena);

G_END_DECLS
