/* Reassembles one direction of a TCP connection from all its segments at once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-stream.h"

/* Returns the distance of a piece from the first one; TCP sequence numbers wrap around. */
static gint32
get_place (const NsWirePiece *pieces, guint n)
{
  return (gint32) (pieces[n].seq - pieces[0].seq);
}

static int
compare_places (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const NsWirePiece *pieces = user_data;
  guint one = *(const guint *) a;
  guint other = *(const guint *) b;
  gint32 one_at = get_place (pieces, one);
  gint32 other_at = get_place (pieces, other);

  if (one_at != other_at)
    return one_at < other_at ? -1 : 1;
  return one < other ? -1 : 1;
}

static GByteArray *
add_run (GPtrArray *runs)
{
  GByteArray *run = g_byte_array_new ();

  g_ptr_array_add (runs, run);
  return run;
}

static void
join_by_time (NsWirePiece *pieces, guint n_pieces, GPtrArray *runs)
{
  GByteArray *run = add_run (runs);
  guint i;

  for (i = 0; i < n_pieces; i++)
    {
      pieces[i].run = 0;
      pieces[i].at = run->len;
      g_byte_array_append (run, pieces[i].data, (guint) pieces[i].size);
    }
}

/**
 * ns_wire_stream_join:
 * @pieces: (array length=n_pieces): the segments, in order of arrival
 * @n_pieces: number of segments
 * @has_seq: whether to order by sequence number; else the segments are joined in order of arrival
 *
 * Retransmitted bytes are kept once, from the piece that begins first. Where bytes are missing, a
 * new run begins.
 *
 * Returns: (transfer full) (element-type GByteArray): the runs of contiguous bytes
 */
GPtrArray *
ns_wire_stream_join (NsWirePiece *pieces, guint n_pieces, gboolean has_seq)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);
  g_autofree guint *order = g_new (guint, n_pieces);
  GByteArray *run = NULL;
  gint64 run_at = 0;
  guint i;

  if (!has_seq)
    {
      join_by_time (pieces, n_pieces, runs);
      return runs;
    }
  for (i = 0; i < n_pieces; i++)
    order[i] = i;
  g_qsort_with_data (order, (gint) n_pieces, sizeof *order, compare_places, pieces);
  for (i = 0; i < n_pieces; i++)
    {
      NsWirePiece *piece = &pieces[order[i]];
      gint64 at = get_place (pieces, order[i]);
      gsize known;

      if (run == NULL || at > run_at + run->len)
        {
          run = add_run (runs);
          run_at = at;
        }
      piece->run = runs->len - 1;
      piece->at = (gsize) (at - run_at);
      known = run->len - piece->at;
      if (piece->size > known)
        g_byte_array_append (run, piece->data + known, (guint) (piece->size - known));
    }
  return runs;
}
