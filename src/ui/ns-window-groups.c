/* The actions of the window that gather rows into groups, choose columns, and walk through tables.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-window-private.h"

static GPtrArray *
list_fields (NsWindow *self)
{
  const NsGrouping *grouping = ns_session_get_grouping (self->session, self->table);
  GPtrArray *fields = g_ptr_array_new ();
  guint i;

  for (i = 0; i < grouping->fields->len; i++)
    g_ptr_array_add (fields, g_ptr_array_index (grouping->fields, i));
  return fields;
}

static void
set_fields (NsWindow *self, const GPtrArray *fields)
{
  ns_session_set_grouping (self->session,
                           self->table,
                           (const NsField *const *) fields->pdata,
                           fields->len);
}

/* Groups a table by fields, by their ids with commas between; those that are not there are passed
 * over. */
void
ns_window_group_table (NsWindow *self, NsTableId table, const char *ids)
{
  g_autoptr (GPtrArray) fields = g_ptr_array_new ();
  g_auto (GStrv) words = g_strsplit (ids, ",", -1);
  guint i;

  for (i = 0; words[i] != NULL; i++)
    {
      const NsField *field = ns_table_find_field (table, g_strstrip (words[i]));

      if (field != NULL && !g_ptr_array_find (fields, field, NULL))
        g_ptr_array_add (fields, (gpointer) field);
    }
  ns_session_set_grouping (self->session,
                           table,
                           (const NsField *const *) fields->pdata,
                           fields->len);
}

static void
group_by_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  ns_window_group_table (self, self->table, g_variant_get_string (parameter, NULL));
}

/* Groups by the column of the cell that was pressed; by it no longer, if they were already. */
static void
group_by_value_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  NsTableView *view = ns_window_ensure_table (self, self->table);
  const NsField *field = view != NULL ? ns_table_view_get_pressed_field (view) : NULL;

  if (field != NULL)
    ns_session_add_group (self->session, self->table, field);
}

static void
remove_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  g_autoptr (GPtrArray) fields = list_fields (self);
  guint which = g_variant_get_uint32 (parameter);

  if (which >= fields->len)
    return;
  g_ptr_array_remove_index (fields, which);
  set_fields (self, fields);
}

static void
move (NsWindow *self, guint from, guint to)
{
  g_autoptr (GPtrArray) fields = list_fields (self);
  gpointer field;

  if (from >= fields->len || to >= fields->len || from == to)
    return;
  field = g_ptr_array_steal_index (fields, from);
  g_ptr_array_insert (fields, (int) to, field);
  set_fields (self, fields);
}

static void
move_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  guint from;
  guint to;

  g_variant_get (parameter, "(uu)", &from, &to);
  move (data, from, to);
}

/* A press on a chip takes it one further out; the outermost becomes the innermost. */
static void
toggle_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  guint which = g_variant_get_uint32 (parameter);
  guint n_fields = ns_session_get_grouping (self->session, self->table)->fields->len;

  if (n_fields > 0)
    move (self, which, which > 0 ? which - 1 : n_fields - 1);
}

static void
expand_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_session_fold_groups (NS_WINDOW (data)->session, NS_WINDOW (data)->table, NS_FOLDS_NONE);
}

static void
fold_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_session_fold_groups (NS_WINDOW (data)->session, NS_WINDOW (data)->table, NS_FOLDS_ALL);
}

/* Opens or closes the group at a place of the table, as a press on its arrow does. */
static void
toggle_group_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  NsRowList *rows = ns_session_get_rows (self->session, self->table);
  const NsGroup *group = ns_row_list_get_group_at (rows, g_variant_get_uint32 (parameter));

  if (group != NULL)
    ns_session_open_group (self->session, self->table, group, !group->is_open);
}

static void
next_tab_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_trace_tabs_show_next (NS_WINDOW (data)->tabs, g_variant_get_int32 (parameter));
}

/* Shows the bar of the selected row in the middle of the timeline, as wide as it was. */
static void
centre_row_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  guint32 row = ns_session_get_activity (self->session);
  NsTimeSpan whole = ns_session_get_whole (self->session);
  NsTimeSpan visible = ns_session_get_visible (self->session);
  gint64 length = visible.end_ns - visible.begin_ns;
  NsTimeSpan span;

  if (row == G_MAXUINT32 ||
      !ns_session_get_row_span (self->session, NS_TABLE_ACTIVITIES, row, &span))
    return;
  visible.begin_ns = (span.begin_ns + span.end_ns) / 2 - length / 2;
  visible.begin_ns = CLAMP (visible.begin_ns, whole.begin_ns, MAX (whole.end_ns - length, 0));
  visible.end_ns = visible.begin_ns + length;
  ns_session_set_visible (self->session, visible);
  ns_timeline_reveal (NS_TIMELINE (self->timeline), row);
}

/* The column of a field of the table in front, by its id. */
static GtkColumnViewColumn *
dup_column (NsWindow *self, NsTableView *view, const char *id)
{
  g_autoptr (GPtrArray) columns = ns_table_view_list_columns (view);
  guint i;

  for (i = 0; i < columns->len; i++)
    if (g_strcmp0 (ns_table_view_get_field (g_ptr_array_index (columns, i))->id, id) == 0)
      return g_object_ref (g_ptr_array_index (columns, i));
  return NULL;
}

static void
show_column_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  NsTableView *view = ns_window_ensure_table (self, self->table);
  g_autoptr (GtkColumnViewColumn) column = NULL;
  gboolean is_shown;
  const char *id;

  g_variant_get (parameter, "(&sb)", &id, &is_shown);
  column = view != NULL ? dup_column (self, view, id) : NULL;
  if (column != NULL)
    ns_table_view_show_column (view, column, is_shown);
}

static void
move_column_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  NsTableView *view = ns_window_ensure_table (self, self->table);
  g_autoptr (GtkColumnViewColumn) column = NULL;
  const char *id;
  int by;

  g_variant_get (parameter, "(&si)", &id, &by);
  column = view != NULL ? dup_column (self, view, id) : NULL;
  if (column != NULL)
    ns_table_view_move_column (view, column, by < 0 ? -1 : 1);
}

static void
reset_columns_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  NsTableView *view = ns_window_ensure_table (self, self->table);

  if (view != NULL)
    ns_table_view_reset_columns (view);
}

static const GActionEntry entries[] = {
  { "show-column", show_column_cb, "(sb)", NULL, NULL, { 0 } },
  { "move-column", move_column_cb, "(si)", NULL, NULL, { 0 } },
  { "reset-columns", reset_columns_cb, NULL, NULL, NULL, { 0 } },
  { "group-by", group_by_cb, "s", NULL, NULL, { 0 } },
  { "group-by-value", group_by_value_cb, NULL, NULL, NULL, { 0 } },
  { "group-remove", remove_cb, "u", NULL, NULL, { 0 } },
  { "group-move", move_cb, "(uu)", NULL, NULL, { 0 } },
  { "group-toggle", toggle_cb, "u", NULL, NULL, { 0 } },
  { "group-edit", toggle_cb, "u", NULL, NULL, { 0 } },
  { "expand-groups", expand_cb, NULL, NULL, NULL, { 0 } },
  { "fold-groups", fold_cb, NULL, NULL, NULL, { 0 } },
  { "toggle-group", toggle_group_cb, "u", NULL, NULL, { 0 } },
  { "next-tab", next_tab_cb, "i", NULL, NULL, { 0 } },
  { "centre-row", centre_row_cb, NULL, NULL, NULL, { 0 } },
};

/* What others may read of the table in front: how many places it has, and of how many groups. */
static void
update_places (NsWindow *self, gboolean has_trace)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "places");
  NsRowList *rows = has_trace ? ns_session_get_rows (self->session, self->table) : NULL;
  const NsGroups *groups = rows != NULL ? ns_row_list_get_groups (rows) : NULL;

  g_simple_action_set_state (G_SIMPLE_ACTION (action),
                             g_variant_new ("(uu)",
                                            rows != NULL
                                                ? g_list_model_get_n_items (G_LIST_MODEL (rows))
                                                : 0,
                                            groups != NULL ? groups->groups->len : 0));
}

/* Switches what needs an open trace. */
void
ns_window_enable_groups (NsWindow *self, gboolean has_trace)
{
  gboolean has_groups =
      has_trace && ns_session_get_grouping (self->session, self->table)->fields->len > 0;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (entries); i++)
    {
      GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), entries[i].name);
      gboolean needs_groups = g_str_equal (entries[i].name, "expand-groups") ||
                              g_str_equal (entries[i].name, "fold-groups");

      g_simple_action_set_enabled (G_SIMPLE_ACTION (action), needs_groups ? has_groups : has_trace);
    }
  update_places (self, has_trace);
}

/* Adds the actions to a new window. */
void
ns_window_add_groups (NsWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  ns_window_add_state (self, "places", g_variant_new ("(uu)", 0, 0));
}
