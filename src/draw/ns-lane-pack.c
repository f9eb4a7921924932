/* Distributes time spans over as few lines as possible so that no two on a line overlap.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-lane-pack.h"

/* Returns the first line that is free at a time. @ends is a binary tree whose leaves are the end
 * times of the lines, and whose inner nodes are the minimum of their children. There always is a
 * free line, since unused lines have the end %G_MININT64. */
static guint
find_free (const gint64 *ends, guint n_leaves, gint64 time_ns)
{
  guint node = 1;

  while (node < n_leaves)
    {
      node *= 2;
      if (ends[node] > time_ns)
        node++;
    }
  return node - n_leaves;
}

static void
use (gint64 *ends, guint n_leaves, guint line, gint64 end_ns)
{
  guint node = n_leaves + line;

  for (ends[node] = end_ns, node /= 2; node > 0; node /= 2)
    ends[node] = MIN (ends[2 * node], ends[2 * node + 1]);
}

/**
 * ns_lane_pack:
 * @spans: (array length=n_spans): time spans, sorted by start
 * @n_spans: number of spans, at most 2^30
 * @lines: (out caller-allocates) (array length=n_spans): line of each span, from 0
 *
 * Assigns each span the first line that is free at its start, which gives the minimum number of
 * lines. The result depends on the times only, not on the visible range. Takes O(n log n) time.
 *
 * Returns: the number of lines
 */
guint
ns_lane_pack (const NsTimeSpan *spans, guint n_spans, guint32 *lines)
{
  g_autofree gint64 *ends = NULL;
  guint n_leaves = 1;
  guint n_lines = 0;
  guint i;

  g_return_val_if_fail (n_spans <= 1u << 30, 0);

  while (n_leaves < n_spans)
    n_leaves *= 2;
  ends = g_new (gint64, 2 * (gsize) n_leaves);
  for (i = 0; i < 2 * n_leaves; i++)
    ends[i] = G_MININT64;
  for (i = 0; i < n_spans; i++)
    {
      guint line = find_free (ends, n_leaves, spans[i].begin_ns);

      /* A span of length 0 is drawn with a width, too. */
      use (ends, n_leaves, line, MAX (spans[i].end_ns, spans[i].begin_ns + 1));
      lines[i] = line;
      n_lines = MAX (n_lines, line + 1);
    }
  return n_lines;
}
