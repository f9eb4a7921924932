/* Filter conditions of each table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-conditions.h"

#include "model/ns-session-private.h"

/* Sets the filter of a table from its conditions. */
static gboolean
apply (NsSession *self, NsTableId table, GError **error)
{
  g_autofree char *text = ns_filter_chips_to_filter (self->views[table].chips);

  return ns_session_set_filter (self, table, text, NULL, error);
}

/* Returns whether a table has the followed condition, and its index. */
gboolean
ns_session_find_followed (NsSession *self, NsTableId table, guint *index)
{
  NsFilterChips *chips = self->views[table].chips;

  if (self->followed == NULL)
    return FALSE;
  for (*index = 0; *index < ns_filter_chips_get_n_chips (chips); (*index)++)
    if (g_strcmp0 (ns_filter_chips_get_chip (chips, *index)->name, self->followed) == 0)
      return TRUE;
  return FALSE;
}

/**
 * ns_session_forget_followed:
 * @self: a session
 *
 * Stops following a condition through the tables; existing conditions are kept.
 */
void
ns_session_forget_followed (NsSession *self)
{
  g_return_if_fail (NS_IS_SESSION (self));

  g_cancellable_cancel (self->spreading);
  g_clear_object (&self->spreading);
  g_clear_pointer (&self->followed, g_free);
}

/* Removes the followed condition from all tables. */
void
ns_session_drop_followed (NsSession *self)
{
  NsTableId table;
  guint index;

  for (table = 0; table < NS_N_TABLES; table++)
    if (ns_session_find_followed (self, table, &index))
      {
        ns_filter_chips_remove (self->views[table].chips, index);
        apply (self, table, NULL);
      }
  ns_session_forget_followed (self);
}

/**
 * ns_session_conditions_changed:
 * @self: a session
 * @table: a table
 * @how: kind of the change
 *
 * Emits a change of conditions that does not affect the filter.
 */
void
ns_session_conditions_changed (NsSession *self, NsTableId table, NsConditionsChange how)
{
  g_return_if_fail (NS_IS_SESSION (self) && table < NS_N_TABLES);

  g_signal_emit_by_name (self, "conditions-changed", (guint) table, (guint) how);
}

/**
 * ns_session_apply_conditions:
 * @self: a session
 * @table: a table
 * @how: kind of the change
 * @error: why they are not a valid filter
 *
 * Sets the filter of @table from its conditions. If the followed condition was removed, it is
 * removed from the other tables, too.
 *
 * Returns: whether the filter was set
 */
gboolean
ns_session_apply_conditions (NsSession *self,
                             NsTableId table,
                             NsConditionsChange how,
                             GError **error)
{
  guint index;

  g_return_val_if_fail (NS_IS_SESSION (self) && table < NS_N_TABLES, FALSE);

  if (!apply (self, table, error))
    return FALSE;
  if (how != NS_CONDITIONS_PUT && self->followed != NULL &&
      !ns_session_find_followed (self, table, &index))
    ns_session_drop_followed (self);
  ns_session_conditions_changed (self, table, how);
  return TRUE;
}

/**
 * ns_session_add_condition:
 * @self: a session
 * @condition: a filter
 * @name: (nullable): its name
 * @error: why it is not a valid filter
 *
 * Adds a condition to the table in front.
 *
 * Returns: whether the filter was set
 */
gboolean
ns_session_add_condition (NsSession *self, const char *condition, const char *name, GError **error)
{
  g_return_val_if_fail (NS_IS_SESSION (self), FALSE);

  ns_filter_chips_add (self->views[self->front].chips, condition, name);
  return ns_session_apply_conditions (self, self->front, NS_CONDITIONS_SET, error);
}

/**
 * ns_session_filter_value:
 * @self: a session
 * @how: how to treat rows with the value
 * @field: name of the field
 * @condition: a filter for rows with the value
 * @error: why it is not a valid filter
 *
 * Adds a condition on a value to the table in front.
 *
 * Returns: whether the filter was set
 */
gboolean
ns_session_filter_value (NsSession *self,
                         NsValueFilter how,
                         const char *field,
                         const char *condition,
                         GError **error)
{
  g_autofree char *without = NULL;

  g_return_val_if_fail (NS_IS_SESSION (self), FALSE);

  if (how == NS_FILTER_ALSO_VALUE)
    {
      ns_filter_chips_add_also (self->views[self->front].chips, field, condition);
      return ns_session_apply_conditions (self, self->front, NS_CONDITIONS_SET, error);
    }
  without = g_strdup_printf ("-%s", condition);
  return ns_session_add_condition (self,
                                   how == NS_FILTER_ONLY_VALUE ? condition : without,
                                   NULL,
                                   error);
}

/**
 * ns_session_take_filters:
 * @self: a session
 *
 * Updates the conditions after filters were set with ns_session_set_filter().
 */
void
ns_session_take_filters (NsSession *self)
{
  guint table;

  g_return_if_fail (NS_IS_SESSION (self));

  for (table = 0; table < NS_N_TABLES; table++)
    {
      NsSessionView *view = &self->views[table];
      g_autofree char *said = ns_filter_chips_to_filter (view->chips);

      if (g_strcmp0 (said, view->filter) != 0)
        ns_filter_chips_set_text (view->chips, view->filter, NULL, NULL);
    }
  ns_session_conditions_changed (self, self->front, NS_CONDITIONS_SET);
}

/**
 * ns_session_dup_conditions:
 * @self: a session
 *
 * Returns: (transfer floating): the conditions of all tables, including those that are off, in the
 *   format %NS_CONDITIONS_FORMAT
 */
GVariant *
ns_session_dup_conditions (NsSession *self)
{
  GVariantBuilder all;
  guint table;

  g_return_val_if_fail (NS_IS_SESSION (self), NULL);

  g_variant_builder_init (&all, G_VARIANT_TYPE (NS_CONDITIONS_FORMAT));
  for (table = 0; table < NS_N_TABLES; table++)
    {
      NsFilterChips *chips = self->views[table].chips;

      if (ns_filter_chips_get_n_chips (chips) > 0 || *ns_filter_chips_get_draft (chips) != '\0')
        g_variant_builder_add (&all,
                               "{s@" NS_FILTER_CHIPS_STATE "}",
                               ns_table_get_name ((NsTableId) table),
                               ns_filter_chips_to_state (chips));
    }
  return g_variant_builder_end (&all);
}

/**
 * ns_session_restore_conditions:
 * @self: a session
 * @conditions: stored conditions from ns_session_dup_conditions()
 *
 * Sets the conditions of the tables in @conditions; invalid ones are skipped. The caller then calls
 * ns_session_take_filters() to emit the change.
 */
void
ns_session_restore_conditions (NsSession *self, GVariant *conditions)
{
  GVariantIter iter;
  const char *name;
  GVariant *state;
  NsTableId table;

  g_return_if_fail (NS_IS_SESSION (self));

  g_variant_iter_init (&iter, conditions);
  while (g_variant_iter_next (&iter, "{&s@" NS_FILTER_CHIPS_STATE "}", &name, &state))
    {
      g_autoptr (NsFilterChips) chips = NULL;
      g_autofree char *text = NULL;

      if (ns_table_from_name (name, &table))
        {
          chips = ns_filter_chips_new (table);
          ns_filter_chips_set_state (chips, state);
          text = ns_filter_chips_to_filter (chips);
          if (ns_session_set_filter (self, table, text, NULL, NULL))
            ns_filter_chips_set_state (self->views[table].chips, state);
        }
      g_variant_unref (state);
    }
}

/* Restores the conditions of one table. */
static void
put_table (NsSession *self, NsTableId table, GVariant *all)
{
  NsFilterChips *chips = self->views[table].chips;
  g_autoptr (GVariant) state = g_variant_lookup_value (all,
                                                       ns_table_get_name (table),
                                                       G_VARIANT_TYPE (NS_FILTER_CHIPS_STATE));
  g_autoptr (GVariant) now = g_variant_ref_sink (ns_filter_chips_to_state (chips));

  if (state == NULL)
    state = g_variant_ref_sink (g_variant_new_parsed ("(@a(sbs) [], '')"));
  if (g_variant_equal (state, now))
    return;
  ns_filter_chips_set_state (chips, state);
  apply (self, table, NULL);
}

/**
 * ns_session_put_conditions:
 * @self: a session
 * @conditions: conditions of this trace from ns_session_dup_conditions()
 *
 * Restores the conditions of all tables; tables that are not in @conditions get none. The caller
 * then calls ns_session_conditions_changed() to emit the change.
 */
void
ns_session_put_conditions (NsSession *self, GVariant *conditions)
{
  guint table;

  g_return_if_fail (NS_IS_SESSION (self));

  for (table = 0; table < NS_N_TABLES; table++)
    put_table (self, (NsTableId) table, conditions);
}
