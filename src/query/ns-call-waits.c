/* Waiting times of tasks at the thread switches of a call tree.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-call-waits.h"

/* Unknown waits sort first. */
static int
compare_waits (gconstpointer a, gconstpointer b)
{
  const NsCallWait *left = a;
  const NsCallWait *right = b;

  if (left->node != right->node)
    return left->node < right->node ? -1 : 1;
  if (left->wait_ns != right->wait_ns)
    return left->wait_ns < right->wait_ns ? -1 : 1;
  return 0;
}

/* The median by nearest rank, of the rows whose wait is known. */
static gint64
get_median (const NsCallWait *waits, guint n)
{
  guint64 n_known = 0;
  guint64 n_before = 0;
  guint i;

  for (i = 0; i < n; i++)
    if (waits[i].wait_ns != NS_UNKNOWN)
      n_known += waits[i].n_rows;
  for (i = 0; i < n; i++)
    {
      if (waits[i].wait_ns == NS_UNKNOWN)
        continue;
      n_before += waits[i].n_rows;
      if (n_before * 2 >= n_known)
        return waits[i].wait_ns;
    }
  return NS_UNKNOWN;
}

/* The common thread of all of them, if there is one. */
static guint32
get_tid (const NsCallWait *waits, guint n)
{
  guint i;

  for (i = 1; i < n; i++)
    if (waits[i].tid != waits[0].tid)
      return NS_PID_UNKNOWN;
  return waits[0].tid;
}

/**
 * ns_call_waits_settle: (skip)
 * @waits: (element-type NsCallWait): all waits; they are sorted
 * @tree: a call tree
 *
 * Sets for each thread switch of the tree how long tasks waited there, and which thread queued
 * them.
 */
void
ns_call_waits_settle (GArray *waits, NsCallTree *tree)
{
  const NsCallWait *all = (const NsCallWait *) (gconstpointer) waits->data;
  guint first = 0;
  guint end;

  g_array_sort (waits, compare_waits);
  for (; first < waits->len; first = end)
    {
      NsCallNode *node = &g_array_index (tree->nodes, NsCallNode, all[first].node);

      for (end = first + 1; end < waits->len && all[end].node == all[first].node; end++)
        ;
      node->wait_ns = get_median (all + first, end - first);
      node->tid = get_tid (all + first, end - first);
    }
}
