/* Grouping of a table: the fields, the order of the groups, and which of them are expanded.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-grouping.h"

#include "base/ns-hash.h"

/**
 * ns_grouping_new:
 *
 * Returns: (transfer full): a grouping without fields; groups will be sorted by size, descending
 */
NsGrouping *
ns_grouping_new (void)
{
  NsGrouping *self = g_new0 (NsGrouping, 1);

  self->fields = g_ptr_array_new ();
  self->order = NS_GROUP_ORDER_COUNT;
  self->descending = TRUE;
  self->touched = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  return self;
}

/**
 * ns_grouping_copy:
 * @self: a grouping
 *
 * Returns: (transfer full): a copy, for another thread
 */
NsGrouping *
ns_grouping_copy (const NsGrouping *self)
{
  NsGrouping *copy = ns_grouping_new ();
  GHashTableIter iter;
  gpointer path;
  guint i;

  for (i = 0; i < self->fields->len; i++)
    g_ptr_array_add (copy->fields, g_ptr_array_index (self->fields, i));
  copy->order = self->order;
  copy->descending = self->descending;
  copy->folds = self->folds;
  g_hash_table_iter_init (&iter, self->touched);
  while (g_hash_table_iter_next (&iter, &path, NULL))
    g_hash_table_add (copy->touched, g_strdup (path));
  return copy;
}

/**
 * ns_grouping_free:
 * @self: (transfer full) (nullable): a grouping
 */
void
ns_grouping_free (NsGrouping *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->fields);
  g_hash_table_unref (self->touched);
  g_free (self);
}

/**
 * ns_grouping_fold:
 * @self: a grouping
 * @trace: a trace
 * @groups: groups of its rows by the same fields
 *
 * Expands and collapses the groups as the user did for earlier rows.
 */
void
ns_grouping_fold (const NsGrouping *self, const NsTrace *trace, NsGroups *groups)
{
  guint i;

  for (i = 0; i < groups->groups->len; i++)
    {
      NsGroup *group = &g_array_index (groups->groups, NsGroup, i);

      group->is_open = self->folds == NS_FOLDS_NONE ||
                       (self->folds == NS_FOLDS_INNERMOST && group->depth + 1 < groups->n_fields);
      if (g_hash_table_size (self->touched) > 0)
        {
          g_autofree char *path =
              ns_groups_dup_path (groups, trace, ns_grouping_get_fields (self), group);

          if (g_hash_table_contains (self->touched, path))
            group->is_open = !group->is_open;
        }
    }
}

/**
 * ns_grouping_touch:
 * @self: a grouping
 * @trace: a trace
 * @groups: groups of its rows
 * @group: the group that was expanded or collapsed
 *
 * Records that @group now differs from, or again equals, the default.
 */
void
ns_grouping_touch (NsGrouping *self,
                   const NsTrace *trace,
                   const NsGroups *groups,
                   const NsGroup *group)
{
  g_autofree char *path = ns_groups_dup_path (groups, trace, ns_grouping_get_fields (self), group);

  if (!g_hash_table_remove (self->touched, path))
    g_hash_table_add (self->touched, g_steal_pointer (&path));
}
