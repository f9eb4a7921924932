/* Percentiles of the durations of the rows of a call-tree node.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-call-tree.h"

#include <stdlib.h>

static int
compare_spans (const void *a, const void *b)
{
  gint64 left = *(const gint64 *) a;
  gint64 right = *(const gint64 *) b;

  return left < right ? -1 : left > right;
}

/**
 * ns_call_tree_get_percentile:
 * @self: a tree
 * @node: number of a node
 * @percent: 0 to 100
 * @is_lower_bound: (out) (optional): whether it may be longer, as some rows have no recorded end
 *
 * Sorts the rows of the node at each call, so it should be called for visible lines only.
 *
 * Returns: the duration that @percent of its rows do not exceed, by nearest rank; %NS_UNKNOWN if no
 *   duration is known
 */
gint64
ns_call_tree_get_percentile (const NsCallTree *self,
                             guint node,
                             guint percent,
                             gboolean *is_lower_bound)
{
  const NsCallNode *at = &g_array_index (self->nodes, NsCallNode, node);
  const gint64 *all = (const gint64 *) (gconstpointer) self->durations->data;
  guint n_rows = MIN (at->total.n_rows, self->durations->len - at->first_row);
  g_autofree gint64 *known = g_new (gint64, n_rows + 1);
  gint64 found_ns;
  guint n = 0;
  guint i;

  for (i = 0; i < n_rows; i++)
    if (all[at->first_row + i] != NS_UNKNOWN)
      known[n++] = all[at->first_row + i];
  if (is_lower_bound != NULL)
    *is_lower_bound = FALSE;
  if (n == 0)
    return NS_UNKNOWN;
  qsort (known, n, sizeof known[0], compare_spans);
  found_ns = known[CLAMP ((n * percent + 99) / 100, 1, n) - 1];
  for (i = 0; is_lower_bound != NULL && i < n_rows && !*is_lower_bound; i++)
    *is_lower_bound = self->are_open->data[at->first_row + i] != 0 &&
                      all[at->first_row + i] != NS_UNKNOWN && all[at->first_row + i] <= found_ns;
  return found_ns;
}
