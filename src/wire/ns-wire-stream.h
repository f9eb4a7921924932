/* Reassembles one direction of a TCP connection from all its segments at once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * NsWirePiece:
 * @data: (array length=size): the bytes, borrowed
 * @size: number of bytes
 * @seq: TCP sequence number of the first byte
 * @run: (out): index of the run that holds it
 * @at: (out): offset in that run
 *
 * A segment.
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
