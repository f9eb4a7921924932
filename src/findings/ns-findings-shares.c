/* Splits the cost of a finding among its rows, so that the shares add up to it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

static gint
compare_owners (gconstpointer a, gconstpointer b)
{
  const NsFindingOwner *left = a;
  const NsFindingOwner *right = b;

  if (left->span.begin_ns != right->span.begin_ns)
    return left->span.begin_ns < right->span.begin_ns ? -1 : 1;
  if (left->ref.table != right->ref.table)
    return left->ref.table < right->ref.table ? -1 : 1;
  return (left->ref.row > right->ref.row) - (left->ref.row < right->ref.row);
}

static gint
compare_refs (const NsFindingRef *left, const NsFindingRef *right)
{
  if (left->table != right->table)
    return left->table < right->table ? -1 : 1;
  return (left->row > right->row) - (left->row < right->row);
}

static gint
compare_by_ref (gconstpointer a, gconstpointer b)
{
  return compare_refs (&((const NsFindingShare *) a)->ref, &((const NsFindingShare *) b)->ref);
}

/* Sorts by cost, highest first, then by table and row. */
static gint
compare_by_cost (gconstpointer a, gconstpointer b)
{
  const NsFindingShare *left = a;
  const NsFindingShare *right = b;

  if (left->cost_ns != right->cost_ns)
    return left->cost_ns > right->cost_ns ? -1 : 1;
  return compare_refs (&left->ref, &right->ref);
}

/* Merges the shares of each row: a row may have lost time more than once. */
static void
merge_shares (GArray *shares)
{
  guint n_kept = 0;
  guint i;

  g_array_sort (shares, compare_by_ref);
  for (i = 0; i < shares->len; i++)
    {
      NsFindingShare share = g_array_index (shares, NsFindingShare, i);
      NsFindingShare *last =
          n_kept > 0 ? &g_array_index (shares, NsFindingShare, n_kept - 1) : NULL;

      if (last != NULL && compare_refs (&last->ref, &share.ref) == 0)
        last->cost_ns += share.cost_ns;
      else
        g_array_index (shares, NsFindingShare, n_kept++) = share;
    }
  g_array_set_size (shares, n_kept);
}

/* Returns the time that each owner lost beyond those before it, highest first; (transfer full)
 * (element-type NsFindingShare). Sorts @owners. */
GArray *
ns_findings_share (GArray *owners)
{
  GArray *shares = g_array_sized_new (FALSE, FALSE, sizeof (NsFindingShare), owners->len);
  gint64 until_ns = G_MININT64;
  guint i;

  g_array_sort (owners, compare_owners);
  for (i = 0; i < owners->len; i++)
    {
      const NsFindingOwner *owner = &g_array_index (owners, NsFindingOwner, i);
      gint64 begin_ns = MAX (owner->span.begin_ns, until_ns);
      NsFindingShare share = { owner->ref, 0 };

      if (owner->span.end_ns > begin_ns)
        share.cost_ns = owner->span.end_ns - begin_ns;
      g_array_append_val (shares, share);
      until_ns = MAX (until_ns, owner->span.end_ns);
    }
  merge_shares (shares);
  g_array_sort (shares, compare_by_cost);
  return shares;
}
