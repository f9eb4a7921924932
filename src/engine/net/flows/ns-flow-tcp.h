/* TCP analysis: retransmissions, zero windows and more, from the segments of a connection.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-arena.h"
#include "engine/net/flows/ns-flow-bytes.h"
#include "engine/net/flows/ns-flow.h"
#include "wire/ns-wire-frame.h"

G_BEGIN_DECLS

/* State of one side. Numbers are 0 until known, as in Wireshark. Up to a hundred thousand
 * connections are open at once, so rare values are in #NsFlowMore, and values that rows have are
 * not repeated here. */
typedef struct
{
  NsFlowBytes bytes;
  gint64 next_ns; /* when @next was set */
  gint64 ack_ns;  /* time of its last segment */
  guint32 next;   /* next expected sequence number */
  guint32 ack;    /* acknowledgment number of its last segment */
  guint32 whole;  /* end of the contiguous captured data */
  guint32 fin;    /* sequence number after its FIN */
  guint16 window;
  guint16 last_marks;
  guint8 n_duplicate_acks; /* see ACK_LOST in ns-flow-tcp.c */
  gint8 scale;             /* -1: unknown; -2: no scaling */
  guint8 has_window : 1;   /* it has sent a segment */
  guint8 has_isn : 1;      /* the row has the initial sequence number of this side */
  guint8 has_syn : 1;
  guint8 has_fin : 1;
  guint8 is_fin_acked : 1;
  guint8 is_window_of_syn : 1; /* the window is that of a SYN, which is never scaled */
} NsFlowSide;

typedef struct
{
  NsFlowSide sides[2];
  gint64 first_syn_ns;
  gint64 last_syn_ns;
  gint64 first_rtt_ns; /* 0: unknown */
  guint32 n_syns_only; /* pure SYNs of the client */
  guint8 client;       /* side that sent a SYN, if any */
  NsBool has_syn_ack;
} NsFlowTcp;

void ns_flow_tcp_init (NsFlowTcp *self);
void ns_flow_tcp_clear (NsFlowTcp *self);
gboolean ns_flow_tcp_is_new (const NsFlowTcp *self,
                             const NsFlowRow *row,
                             guint side,
                             const NsWireFrame *frame);
guint ns_flow_tcp_add (NsFlowTcp *self,
                       NsFlowRow *row,
                       guint side,
                       const NsWireFrame *frame,
                       gint64 ns,
                       NsArena *arena);
void ns_flow_tcp_finish (NsFlowTcp *self, NsFlowRow *row, NsArena *arena);

G_END_DECLS
