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
/* No IP packet is longer (RFC 791, 3.1), */
#define MAX_CONTENT 65535
/* and none needs as many pieces on a path of 576 bytes. */
#define MAX_PIECES 256

static void
clear_set (gpointer data)
{
  NsFlowFragments *self = data;

  g_clear_pointer (&self->waiting, g_array_unref);
  g_clear_pointer (&self->pieces, g_array_unref);
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
      if (time_ns - old->begin_ns <= WAIT_NS && !old->is_whole && old->id == set.id &&
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

/* What of @piece is new and lies between @begin and @end. */
static void
add_stretch (NsFlowFragments *self, guint at, NsFlowPiece piece, guint32 begin, guint32 end)
{
  guint32 from = MAX (piece.begin, begin);
  guint32 to = MIN (piece.end, end);
  guint32 skipped = from - piece.begin;

  if (from >= to)
    return;
  piece.captured -= MIN (skipped, piece.captured);
  piece.captured = MIN (piece.captured, to - from);
  piece.data = piece.captured > 0 ? piece.data + skipped : NULL;
  piece.begin = from;
  piece.end = to;
  g_array_insert_val (self->pieces, at, piece);
  self->n_here += to - from;
}

/**
 * ns_flow_fragments_add: (skip)
 * @self: an IP packet
 * @frame: a frame with a piece of it
 *
 * Of pieces that overlap the one that came first counts.
 *
 * Returns: whether the packet is whole by that, as far as the headers tell
 */
gboolean
ns_flow_fragments_add (NsFlowFragments *self, const NsWireFrame *frame)
{
  NsFlowPiece piece = { .data = frame->fragment,
                        .begin = frame->fragment_offset,
                        .end = frame->fragment_offset + (guint32) frame->fragment_wire_size,
                        .captured = (guint32) frame->fragment_size };
  guint32 begin = 0;
  guint i;

  if (self->is_whole || frame->fragment_wire_size > MAX_CONTENT || piece.end > MAX_CONTENT)
    return FALSE;
  if (self->pieces == NULL)
    self->pieces = g_array_new (FALSE, FALSE, sizeof (NsFlowPiece));
  if (self->pieces->len >= MAX_PIECES)
    return FALSE;
  for (i = 0; i < self->pieces->len && begin < piece.end; i++)
    {
      NsFlowPiece known = g_array_index (self->pieces, NsFlowPiece, i);
      guint before = self->pieces->len;

      add_stretch (self, i, piece, begin, known.begin);
      i += self->pieces->len - before;
      begin = known.end;
    }
  add_stretch (self, i, piece, begin, MAX_CONTENT);
  if (frame->fragment_is_last && self->size == 0)
    self->size = piece.end;
  self->is_whole = self->has_first && self->size > 0 && self->n_here == self->size;
  return self->is_whole;
}

/**
 * ns_flow_fragments_join: (skip)
 * @self: an IP packet that is whole
 *
 * Returns: (transfer full): its content up to the first byte that was not captured
 */
GByteArray *
ns_flow_fragments_join (const NsFlowFragments *self)
{
  GByteArray *bytes = g_byte_array_sized_new (self->size);
  guint i;

  for (i = 0; i < self->pieces->len; i++)
    {
      const NsFlowPiece *piece = &g_array_index (self->pieces, NsFlowPiece, i);

      g_byte_array_append (bytes, piece->data, piece->captured);
      if (piece->captured < piece->end - piece->begin)
        break;
    }
  return bytes;
}
