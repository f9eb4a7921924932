/* Sorts the groups of a level, together with their inner groups.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-groups.h"

typedef struct
{
  gint64 key;
  guint group; /* index before sorting */
} Sibling;

/* Returns the sort key of a group: unknown values come last in either direction. */
static gint64
get_key (const NsGroup *group, NsGroupOrder order, gboolean descending)
{
  const NsSums *sums = &group->sums;
  gint64 key = 0;
  gboolean is_known = TRUE;

  switch (order)
    {
    case NS_GROUP_ORDER_COUNT:
      key = sums->n_rows;
      break;
    case NS_GROUP_ORDER_FAILED:
      key = sums->n_failed;
      break;
    case NS_GROUP_ORDER_SENT:
      key = (gint64) MIN (sums->sent, G_MAXINT64);
      break;
    case NS_GROUP_ORDER_RECEIVED:
      key = (gint64) MIN (sums->received, G_MAXINT64);
      break;
    case NS_GROUP_ORDER_DURATION:
      key = sums->duration_ns;
      break;
    case NS_GROUP_ORDER_MEDIAN:
      key = sums->median_ns;
      is_known = key != NS_UNKNOWN;
      break;
    case NS_GROUP_ORDER_P95:
      key = sums->p95_ns;
      is_known = key != NS_UNKNOWN;
      break;
    case NS_GROUP_ORDER_LONGEST:
      key = sums->longest_ns;
      is_known = key != NS_UNKNOWN;
      break;
    case NS_GROUP_ORDER_OPEN:
      key = sums->open_ns;
      is_known = ns_time_is_set (key);
      break;
    case NS_GROUP_ORDER_CLOSE:
      key = sums->close_ns;
      is_known = ns_time_is_set (key);
      break;
    case NS_GROUP_ORDER_VALUE:
    default:
      key = group->begin;
      break;
    }
  if (!is_known)
    return G_MAXINT64;
  return descending ? -MAX (key, -G_MAXINT64) : MIN (key, G_MAXINT64 - 1);
}

/* Compares stably: equal groups keep their order. */
static int
compare_siblings (gconstpointer a, gconstpointer b)
{
  const Sibling *left = a;
  const Sibling *right = b;

  if (left->key != right->key)
    return left->key < right->key ? -1 : 1;
  return left->group < right->group ? -1 : left->group > right->group;
}

typedef struct
{
  const GArray *old_groups;
  const GArray *old_rows;
  GArray *groups;
  GArray *rows;
  NsGroupOrder order;
  gboolean descending;
} Sorter;

/* Copies the groups of one level to the other array, sorted. Recursion is limited by the number of
 * fields. */
static void
copy_siblings (Sorter *self, guint first, guint end, guint depth, guint parent)
{
  g_autoptr (GArray) siblings = g_array_new (FALSE, FALSE, sizeof (Sibling));
  guint i;

  for (i = first; i < end; i++)
    {
      const NsGroup *group = &g_array_index (self->old_groups, NsGroup, i);
      Sibling sibling = { 0, i };

      if (group->depth != depth)
        continue;
      sibling.key = get_key (group, self->order, self->descending);
      g_array_append_val (siblings, sibling);
    }
  g_array_sort (siblings, compare_siblings);
  for (i = 0; i < siblings->len; i++)
    {
      guint from = g_array_index (siblings, Sibling, i).group;
      NsGroup group = g_array_index (self->old_groups, NsGroup, from);
      guint at = self->groups->len;
      guint behind = from + 1;

      while (behind < end && g_array_index (self->old_groups, NsGroup, behind).depth > depth)
        behind++;
      group.parent = parent;
      g_array_append_val (self->groups, group);
      g_array_index (self->groups, NsGroup, at).begin = self->rows->len;
      if (behind > from + 1)
        copy_siblings (self, from + 1, behind, depth + 1, at + 1);
      else
        g_array_append_vals (self->rows,
                             &g_array_index (self->old_rows, guint32, group.begin),
                             group.end - group.begin);
      g_array_index (self->groups, NsGroup, at).end = self->rows->len;
    }
}

/**
 * ns_groups_sort:
 * @self: groups of ns_groups_new()
 * @order: the sort key
 * @descending: whether the largest comes first
 *
 * Sorts groups within their outer group. The order of rows within an innermost group does not
 * change.
 */
void
ns_groups_sort (NsGroups *self, NsGroupOrder order, gboolean descending)
{
  Sorter sorter = { self->groups, self->rows, NULL, NULL, order, descending };

  if (self->groups->len == 0)
    return;
  sorter.groups = g_array_sized_new (FALSE, FALSE, sizeof (NsGroup), self->groups->len);
  sorter.rows = g_array_sized_new (FALSE, FALSE, sizeof (guint32), self->rows->len);
  copy_siblings (&sorter, 0, self->groups->len, 0, 0);
  g_array_unref (self->groups);
  g_array_unref (self->rows);
  self->groups = sorter.groups;
  self->rows = sorter.rows;
}

/**
 * ns_groups_dup_path:
 * @self: groups
 * @trace: their trace
 * @fields: (array): the fields that they were grouped by
 * @group: one of them
 *
 * Returns: (transfer full): a unique key of the group, stable when rows are added or removed
 */
char *
ns_groups_dup_path (const NsGroups *self,
                    const NsTrace *trace,
                    const NsField *const *fields,
                    const NsGroup *group)
{
  GString *path = g_string_new (NULL);
  guint32 row;
  guint i;

  if (group->begin >= group->end || group->end > self->rows->len)
    return g_string_free (path, FALSE);
  row = g_array_index (self->rows, guint32, group->begin);
  for (i = 0; i <= group->depth && i < self->n_fields; i++)
    {
      NsFieldValue value;
      const NsField *shown = ns_field_get_shown (trace, fields[i], row, &value);

      g_string_append_c (path, value.is_null ? '0' : '1');
      if (!value.is_null)
        ns_field_append_raw (shown, &value, path);
      g_string_append_c (path, '\x1f');
      ns_field_value_clear (&value);
    }
  return g_string_free (path, FALSE);
}
