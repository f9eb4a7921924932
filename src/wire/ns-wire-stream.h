/* Puts the segments of one direction of a connection in order.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * NsWirePiece:
 * @data: (array length=size): its bytes, borrowed
 * @size: how many
 * @seq: number of the first, of TCP
 * @run: (out): which run it is in
 * @at: (out): where in that
 *
 * One segment.
 */
typedef struct
{
  const guint8 *data;
  gsize size;
  guint32 seq;
  guint run;
  gsize at;
} NsWirePiece;

GPtrArray *ns_wire_stream_join (NsWirePiece *pieces, guint n_pieces, gboolean has_seq);

G_END_DECLS
