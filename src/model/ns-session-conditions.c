/* The conditions that a user makes the filter of each table of.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-conditions.h"

#include "model/ns-session-private.h"

/* Has the filter of a table be what its conditions say. */
static gboolean
apply (NsSession *self, NsTableId table, GError **error)
{
  g_autofree char *text = ns_filter_chips_to_filter (self->views[table].chips);

  return ns_session_set_filter (self, table, text, NULL, error);
}

/* Whether a table has the condition that is followed, and which it is. */
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
 * Nothing is followed through the tables any more; the conditions that there are stay.
 */
void
ns_session_forget_followed (NsSession *self)
{
  g_return_if_fail (NS_IS_SESSION (self));

  g_cancellable_cancel (self->spreading);
  g_clear_object (&self->spreading);
  g_clear_pointer (&self->followed, g_free);
}

/* Takes the condition of what is followed away from all tables that have it. */
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
 * @how: what became of its conditions
 *
 * Tells of conditions whose filter is what it was.
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
 * @how: what became of its conditions
 * @error: why they can be no filter
 *
 * Has the filter of @table be what its conditions say. Where the condition that is followed through
 * all tables was taken away, the others lose it, too.
 *
 * Returns: whether they are the filter now
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
 * @name: (nullable): what it is called
 * @error: why it can be no filter
 *
 * One condition more for the table that is looked at.
 *
 * Returns: whether it is part of its filter now
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
 * @how: what is to be done with rows of a value
 * @field: whose value it is, by its name
 * @condition: the filter that keeps only such rows
 * @error: why it can be no filter
 *
 * Makes a condition of a value for the table that is looked at.
 *
 * Returns: whether it is part of its filter now
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
 * Filters were set by ns_session_set_filter(): the conditions say the same from now on.
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
 * Returns: (transfer floating): the conditions of all tables that have any, with what is off in
 * them, of the type %NS_CONDITIONS_FORMAT
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
 * @conditions: what ns_session_dup_conditions() gave of a trace at another time
 *
 * Tables that are named have these conditions from now on; what makes no sense any more is left
 * out. Who calls this tells of it by ns_session_take_filters().
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

/* Puts the conditions of one table as they were. */
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
 * @conditions: what ns_session_dup_conditions() gave of this trace
 *
 * All tables have the conditions of then, those that are not named have none. Who calls this tells
 * of it by ns_session_conditions_changed().
 */
void
ns_session_put_conditions (NsSession *self, GVariant *conditions)
{
  guint table;

  g_return_if_fail (NS_IS_SESSION (self));

  for (table = 0; table < NS_N_TABLES; table++)
    put_table (self, (NsTableId) table, conditions);
}
