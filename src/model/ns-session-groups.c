/* Grouping of a session's tables: fields, order and expanded groups.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-private.h"

/* Maximum number of levels. */
#define MAX_DEPTH 8

/**
 * ns_session_get_grouping:
 * @self: a session
 * @table: a table
 *
 * Returns: its grouping; has no fields if the table is not grouped
 */
const NsGrouping *
ns_session_get_grouping (NsSession *self, NsTableId table)
{
  g_return_val_if_fail (NS_IS_SESSION (self), NULL);
  g_return_val_if_fail (table < NS_N_TABLES, NULL);

  return self->views[table].grouping;
}

/**
 * ns_session_set_grouping:
 * @self: a session
 * @table: a table
 * @fields: (array length=n_fields): fields to group by, outermost first
 * @n_fields: number of fields; 0 removes the grouping
 */
void
ns_session_set_grouping (NsSession *self,
                         NsTableId table,
                         const NsField *const *fields,
                         guint n_fields)
{
  NsGrouping *grouping;
  guint i;

  g_return_if_fail (NS_IS_SESSION (self));
  g_return_if_fail (table < NS_N_TABLES);

  grouping = self->views[table].grouping;
  n_fields = MIN (n_fields, MAX_DEPTH);
  if (n_fields == grouping->fields->len)
    {
      for (i = 0; i < n_fields; i++)
        if (g_ptr_array_index (grouping->fields, i) != (gpointer) fields[i])
          break;
      if (i == n_fields)
        return;
    }
  g_ptr_array_set_size (grouping->fields, 0);
  for (i = 0; i < n_fields; i++)
    g_ptr_array_add (grouping->fields, (gpointer) fields[i]);
  /* Paths refer to the fields of the previous grouping. */
  g_hash_table_remove_all (grouping->touched);
  grouping->folds = NS_FOLDS_INNERMOST;
  ns_session_query (self, table);
}

/**
 * ns_session_group_by:
 * @self: a session
 * @table: a table
 * @names: names of fields, comma-separated, outermost first; empty removes the grouping
 *
 * Groups the rows by fields; unknown names are ignored.
 */
void
ns_session_group_by (NsSession *self, NsTableId table, const char *names)
{
  g_autoptr (GPtrArray) fields = g_ptr_array_new ();
  g_auto (GStrv) words = g_strsplit (names, ",", -1);
  guint i;

  g_return_if_fail (NS_IS_SESSION (self));
  g_return_if_fail (table < NS_N_TABLES);

  for (i = 0; words[i] != NULL; i++)
    {
      const NsField *field = ns_table_find_field (table, g_strstrip (words[i]));

      if (field != NULL && !g_ptr_array_find (fields, field, NULL))
        g_ptr_array_add (fields, (gpointer) field);
    }
  ns_session_set_grouping (self, table, (const NsField *const *) fields->pdata, fields->len);
}

/**
 * ns_session_copy_grouping:
 * @self: a session
 * @table: a table
 * @grouping: the grouping in a session of an earlier load of the trace
 *
 * Applies the fields, the order and the expanded groups of @grouping.
 */
void
ns_session_copy_grouping (NsSession *self, NsTableId table, const NsGrouping *grouping)
{
  NsSessionView *view;
  gboolean was_grouped;

  g_return_if_fail (NS_IS_SESSION (self));
  g_return_if_fail (table < NS_N_TABLES);

  view = &self->views[table];
  was_grouped = view->grouping->fields->len > 0;
  ns_grouping_free (view->grouping);
  view->grouping = ns_grouping_copy (grouping);
  view->n_folds++;
  if (was_grouped || grouping->fields->len > 0)
    ns_session_query (self, table);
}

/**
 * ns_session_add_group:
 * @self: a session
 * @table: a table
 * @field: a field of it
 *
 * Adds @field as the innermost level of the grouping, or removes it if it is already part of it.
 */
void
ns_session_add_group (NsSession *self, NsTableId table, const NsField *field)
{
  g_autoptr (GPtrArray) fields = g_ptr_array_new ();
  const NsGrouping *grouping;
  guint i;

  g_return_if_fail (NS_IS_SESSION (self));
  g_return_if_fail (table < NS_N_TABLES);

  grouping = self->views[table].grouping;
  for (i = 0; i < grouping->fields->len; i++)
    g_ptr_array_add (fields, g_ptr_array_index (grouping->fields, i));
  if (!g_ptr_array_remove (fields, (gpointer) field))
    g_ptr_array_add (fields, (gpointer) field);
  ns_session_set_grouping (self, table, (const NsField *const *) fields->pdata, fields->len);
}

/**
 * ns_session_order_groups:
 * @self: a session
 * @table: a table
 * @order: sort key of groups on the same level
 * @descending: whether the greatest comes first
 */
void
ns_session_order_groups (NsSession *self, NsTableId table, NsGroupOrder order, gboolean descending)
{
  NsGrouping *grouping;

  g_return_if_fail (NS_IS_SESSION (self));
  g_return_if_fail (table < NS_N_TABLES);

  grouping = self->views[table].grouping;
  if (grouping->order == order && grouping->descending == descending)
    return;
  grouping->order = order;
  grouping->descending = descending;
  if (grouping->fields->len > 0)
    ns_session_query (self, table);
}

/**
 * ns_session_open_group:
 * @self: a session
 * @table: a table
 * @group: one of the groups it shows
 * @is_open: whether to expand it
 */
void
ns_session_open_group (NsSession *self, NsTableId table, const NsGroup *group, gboolean is_open)
{
  NsSessionView *view;
  const NsGroups *groups;

  g_return_if_fail (NS_IS_SESSION (self));
  g_return_if_fail (table < NS_N_TABLES);

  view = &self->views[table];
  groups = ns_row_list_get_groups (view->rows);
  if (groups == NULL || group == &groups->total || group->is_open == is_open)
    return;
  ns_grouping_touch (view->grouping, self->trace, groups, group);
  view->n_folds++;
  ns_row_list_set_open (view->rows, group, is_open);
  ns_session_emit_rows_changed (self, table);
}

/**
 * ns_session_fold_groups:
 * @self: a session
 * @table: a table
 * @folds: the new state of all groups
 */
void
ns_session_fold_groups (NsSession *self, NsTableId table, NsFolds folds)
{
  NsSessionView *view;

  g_return_if_fail (NS_IS_SESSION (self));
  g_return_if_fail (table < NS_N_TABLES);

  view = &self->views[table];
  view->grouping->folds = folds;
  view->n_folds++;
  g_hash_table_remove_all (view->grouping->touched);
  ns_row_list_set_all_open (view->rows, folds == NS_FOLDS_NONE);
  ns_session_emit_rows_changed (self, table);
}
