/* Pieces of IP packets, and the conversations that their first pieces belong to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/flows/ns-flow-fragments.h"

/* Whoever puts pieces together waits no longer for the rest (RFC 1122, 3.3.2). */
#define WAIT_NS (30 * NS_PER_SECOND)
/* Packets in pieces at once; who sends more wants to use up memory. */
#define MAX_SETS 4096

static void
clear_set (gpointer data)
{
  g_clear_pointer (&((NsFlowFragments *) data)->waiting, g_array_unref);
}

/**
 * ns_flow_pieces_init: (skip)
 * @self: (out): no pieces
 */
void
ns_flow_pieces_init (NsFlowPieces *self)
{
  self->sets = g_array_new (FALSE, TRUE, sizeof (NsFlowFragments));
  g_array_set_clear_func (self->sets, clear_set);
  self->known = ns_map_new ();
}

/**
 * ns_flow_pieces_clear: (skip)
 * @self: pieces
 *
 * Frees what it holds.
 */
void
ns_flow_pieces_clear (NsFlowPieces *self)
{
  g_array_unref (self->sets);
  ns_map_free (self->known);
}

/**
 * ns_flow_pieces_add: (skip)
 * @self: pieces
 * @frame: a frame with a piece
 * @time_ns: when it was captured
 *
 * Returns: (transfer none): the packet that it is a piece of, until another piece is added
 */
NsFlowFragments *
ns_flow_pieces_add (NsFlowPieces *self, const NsWireFrame *frame, gint64 time_ns)
{
  guint64 a = ns_ip_hash (&frame->src.ip) * 3 + ns_ip_hash (&frame->dst.ip);
  guint64 b = (guint64) frame->fragment_id << 8 | frame->protocol;
  guint32 number = ns_map_get (self->known, a, b);
  NsFlowFragments set = { .begin_ns = time_ns,
                          .id = frame->fragment_id,
                          .ip_protocol = frame->protocol,
                          .ends = { frame->src.ip, frame->dst.ip } };
  NsFlowFragments *old;

  if (number != 0)
    {
      old = &g_array_index (self->sets, NsFlowFragments, number - 1);
      if (time_ns - old->begin_ns <= WAIT_NS && old->id == set.id &&
          old->ip_protocol == set.ip_protocol && ns_ip_equal (&old->ends[0], &set.ends[0]) &&
          ns_ip_equal (&old->ends[1], &set.ends[1]))
        return old;
    }
  if (self->sets->len >= MAX_SETS)
    {
      g_array_set_size (self->sets, 0);
      ns_map_free (self->known);
      self->known = ns_map_new ();
    }
  g_array_append_val (self->sets, set);
  ns_map_set (self->known, a, b, self->sets->len);
  return &g_array_index (self->sets, NsFlowFragments, self->sets->len - 1);
}
