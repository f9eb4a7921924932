/* Actions of the visible table: on its rows, columns and groups.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/table/ns-table-actions.h"

#include "model/ns-place-job.h"
#include "model/ns-session-command.h"
#include "model/ns-session-conditions.h"
#include "model/ns-wireshark.h"
#include "ui/ns-accessible.h"
#include "ui/ns-row-menu.h"
#include "ui/ns-settings.h"

#include <glib/gi18n.h>

struct _NsTableActions
{
  GObject parent_instance;

  NsSession *session; /* (nullable) */
  GSimpleActionGroup *actions;
};

enum
{
  SIGNAL_MENU_CLOSED,
  SIGNAL_MESSAGE,
  SIGNAL_VIEW,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsTableActions, ns_table_actions, G_TYPE_OBJECT)

/* Returns the visible table; (transfer full) (nullable). */
static NsTableView *
dup_view (NsTableActions *self)
{
  NsTableView *view = NULL;

  if (self->session != NULL)
    g_signal_emit (self, signals[SIGNAL_VIEW], 0, &view);
  return view;
}

static NsTableId
get_table (NsTableActions *self)
{
  return ns_session_get_front (self->session);
}

static void
say (NsTableActions *self, const char *text)
{
  g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, text);
}

static GdkClipboard *
get_clipboard (void)
{
  return gdk_display_get_clipboard (gdk_display_get_default ());
}

static void
copy (NsTableActions *self, const char *text)
{
  if (text == NULL)
    return;
  gdk_clipboard_set_text (get_clipboard (), text);
  say (self, _ ("Copied"));
}

/**
 * ns_table_actions_copy_rows:
 * @self: the actions
 * @purpose: what the rows are used for
 *
 * Puts a provider of the selected rows on the clipboard; the text is generated when it is pasted.
 */
void
ns_table_actions_copy_rows (NsTableActions *self, NsRowsPurpose purpose)
{
  g_autoptr (NsTableView) view = dup_view (self);
  g_autoptr (GdkContentProvider) content = NULL;

  if (view != NULL)
    content = ns_rows_content_new (self->session, view, purpose);
  if (content == NULL)
    return;
  gdk_clipboard_set_content (get_clipboard (), content);
  say (self, _ ("Copied"));
}

static void
copy_markdown_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_table_actions_copy_rows (data, NS_ROWS_MARKDOWN);
}

static void
copy_json_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_table_actions_copy_rows (data, NS_ROWS_JSON);
}

static void
copy_filter_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTableActions *self = data;

  copy (self, ns_session_get_filter (self->session, get_table (self)));
}

static void
copy_link_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTableActions *self = data;
  const GArray *selected = ns_session_get_selected (self->session);
  gboolean has_row =
      selected->len > 0 && ns_session_get_selected_table (self->session) == get_table (self);
  g_autofree char *text =
      ns_place_link_to_text (ns_session_get_visible (self->session),
                             get_table (self),
                             has_row ? g_array_index (selected, guint32, 0) + 1 : 0);

  copy (self, text);
}

static void
copy_command_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTableActions *self = data;
  g_autoptr (NsTableView) view = dup_view (self);
  g_autoptr (GPtrArray) fields = view != NULL ? ns_table_view_list_fields (view) : NULL;
  g_autofree char *text = NULL;

  if (fields == NULL)
    return;
  text = ns_session_to_command (self->session, get_table (self), fields);
  copy (self, text);
}

/* Reads the value of the cell that was clicked, in the first selected row; falls back to the server
 * field. */
static gboolean
get_pressed_value (NsTableActions *self, const NsField **field, NsFieldValue *value)
{
  g_autoptr (NsTableView) view = dup_view (self);
  const GArray *selected;

  *field = view != NULL ? ns_table_view_get_pressed_field (view) : NULL;
  if (*field == NULL && self->session != NULL)
    *field = ns_table_find_field (get_table (self), "server");
  if (*field == NULL || self->session == NULL)
    return FALSE;
  selected = ns_session_get_selected (self->session);
  if (selected->len == 0 || ns_session_get_selected_table (self->session) != get_table (self))
    return FALSE;
  *field = ns_field_get_shown (ns_session_get_trace (self->session),
                               *field,
                               g_array_index (selected, guint32, 0),
                               value);
  return TRUE;
}

static char *
dup_pressed_value (NsTableActions *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const NsField *field;
  NsFieldValue value = { 0 };

  if (!get_pressed_value (self, &field, &value))
    return NULL;
  if (!value.is_null)
    ns_field_append_raw (field, &value, text);
  ns_field_value_clear (&value);
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static void
copy_value_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autofree char *value = dup_pressed_value (data);

  if (value != NULL)
    copy (data, value);
}

static void
filter_by_value (NsTableActions *self, NsValueFilter how)
{
  const NsField *field = NULL;
  NsFieldValue value = { 0 };
  g_autofree char *condition = NULL;
  g_autoptr (GError) error = NULL;

  if (!get_pressed_value (self, &field, &value))
    return;
  condition = ns_filter_from_value (field, &value);
  ns_field_value_clear (&value);
  if (!ns_session_filter_value (self->session, how, field->id, condition, &error))
    say (self, error->message);
}

static void
only_value_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  filter_by_value (data, NS_FILTER_ONLY_VALUE);
}

static void
without_value_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  filter_by_value (data, NS_FILTER_WITHOUT_VALUE);
}

static void
also_value_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  filter_by_value (data, NS_FILTER_ALSO_VALUE);
}

static void
copy_sentence_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTableActions *self = data;
  const GArray *selected = ns_session_get_selected (self->session);
  g_autofree char *text = NULL;

  if (selected->len == 0)
    return;
  text = ns_sentence_new (ns_session_get_trace (self->session),
                          ns_session_get_selected_table (self->session),
                          g_array_index (selected, guint32, 0));
  copy (self, text);
}

static void
select_all_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTableActions *self = data;
  g_autoptr (NsTableView) view = dup_view (self);

  if (view != NULL)
    ns_table_view_select_all (view);
}

static void
select_rows_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTableActions *self = data;
  gsize n_rows;
  const guint32 *rows = g_variant_get_fixed_array (parameter, &n_rows, sizeof (guint32));
  guint n_all = ns_table_get_n_rows (ns_session_get_trace (self->session), get_table (self));
  g_autoptr (GArray) valid = g_array_new (FALSE, FALSE, sizeof (guint32));
  gsize i;

  for (i = 0; i < n_rows; i++)
    if (rows[i] < n_all)
      g_array_append_val (valid, rows[i]);
  ns_session_select (self->session,
                     get_table (self),
                     (const guint32 *) (gpointer) valid->data,
                     valid->len);
}

static void
sort_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTableActions *self = data;
  g_autoptr (GArray) order =
      ns_order_parse (get_table (self), g_variant_get_string (parameter, NULL), NULL);

  if (order != NULL)
    ns_session_set_order (self->session, get_table (self), order);
}

static GPtrArray *
list_fields (NsTableActions *self)
{
  const NsGrouping *grouping = ns_session_get_grouping (self->session, get_table (self));
  GPtrArray *fields = g_ptr_array_new ();
  guint i;

  for (i = 0; i < grouping->fields->len; i++)
    g_ptr_array_add (fields, g_ptr_array_index (grouping->fields, i));
  return fields;
}

static void
set_fields (NsTableActions *self, const GPtrArray *fields)
{
  ns_session_set_grouping (self->session,
                           get_table (self),
                           (const NsField *const *) fields->pdata,
                           fields->len);
}

static void
group_by_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTableActions *self = data;

  ns_session_group_by (self->session, get_table (self), g_variant_get_string (parameter, NULL));
}

/* Adds the column of the clicked cell to the grouping, or removes it if it is already part of
 * it. */
static void
group_by_value_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTableActions *self = data;
  g_autoptr (NsTableView) view = dup_view (self);
  const NsField *field = view != NULL ? ns_table_view_get_pressed_field (view) : NULL;

  if (field != NULL)
    ns_session_add_group (self->session, get_table (self), field);
}

static void
remove_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTableActions *self = data;
  g_autoptr (GPtrArray) fields = list_fields (self);
  guint which = g_variant_get_uint32 (parameter);

  if (which >= fields->len)
    return;
  g_ptr_array_remove_index (fields, which);
  set_fields (self, fields);
}

static void
move (NsTableActions *self, guint from, guint to)
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

/* Moves the clicked level one step outwards; the outermost becomes the innermost. */
static void
toggle_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTableActions *self = data;
  guint which = g_variant_get_uint32 (parameter);
  guint n_fields = ns_session_get_grouping (self->session, get_table (self))->fields->len;

  if (n_fields > 0)
    move (self, which, which > 0 ? which - 1 : n_fields - 1);
}

static void
expand_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_session_fold_groups (NS_TABLE_ACTIONS (data)->session, get_table (data), NS_FOLDS_NONE);
}

static void
fold_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_session_fold_groups (NS_TABLE_ACTIONS (data)->session, get_table (data), NS_FOLDS_ALL);
}

/* Expands or collapses the group at a position of the table. */
static void
toggle_group_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTableActions *self = data;
  NsRowList *rows = ns_session_get_rows (self->session, get_table (self));
  const NsGroup *group = ns_row_list_get_group_at (rows, g_variant_get_uint32 (parameter));

  if (group != NULL)
    ns_session_open_group (self->session, get_table (self), group, !group->is_open);
}

/* Returns the column of the field with @id in @view. */
static GtkColumnViewColumn *
dup_column (NsTableView *view, const char *id)
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
  NsTableActions *self = data;
  g_autoptr (NsTableView) view = dup_view (self);
  g_autoptr (GtkColumnViewColumn) column = NULL;
  gboolean is_shown;
  const char *id;

  g_variant_get (parameter, "(&sb)", &id, &is_shown);
  column = view != NULL ? dup_column (view, id) : NULL;
  if (column != NULL)
    ns_table_view_show_column (view, column, is_shown);
}

static void
move_column_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTableActions *self = data;
  g_autoptr (NsTableView) view = dup_view (self);
  g_autoptr (GtkColumnViewColumn) column = NULL;
  const char *id;
  int by;

  g_variant_get (parameter, "(&si)", &id, &by);
  column = view != NULL ? dup_column (view, id) : NULL;
  if (column != NULL)
    ns_table_view_move_column (view, column, by < 0 ? -1 : 1);
}

static void
reset_columns_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTableActions *self = data;
  g_autoptr (NsTableView) view = dup_view (self);

  if (view != NULL)
    ns_table_view_reset_columns (view);
}

static void
opened_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (NsTableActions) self = data;
  g_autoptr (GError) error = NULL;

  if (ns_wireshark_open_finish (result, ns_settings_get_handed_files (), &error))
    say (self, _ ("Wireshark shows the conversation of this row."));
  else
    say (self, error->message);
}

static void
open_in_wireshark_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTableActions *self = data;
  const GArray *selected = ns_session_get_selected (self->session);

  if (selected->len == 0)
    return;
  ns_wireshark_open_async (ns_session_get_trace (self->session),
                           ns_session_get_selected_table (self->session),
                           g_array_index (selected, guint32, 0),
                           opened_cb,
                           g_object_ref (self));
}

static const GActionEntry entries[] = {
  { "copy-markdown", copy_markdown_cb, NULL, NULL, NULL, { 0 } },
  { "copy-json", copy_json_cb, NULL, NULL, NULL, { 0 } },
  { "copy-filter", copy_filter_cb, NULL, NULL, NULL, { 0 } },
  { "copy-command", copy_command_cb, NULL, NULL, NULL, { 0 } },
  { "copy-link", copy_link_cb, NULL, NULL, NULL, { 0 } },
  { "copy-value", copy_value_cb, NULL, NULL, NULL, { 0 } },
  { "copy-sentence", copy_sentence_cb, NULL, NULL, NULL, { 0 } },
  { "only-value", only_value_cb, NULL, NULL, NULL, { 0 } },
  { "without-value", without_value_cb, NULL, NULL, NULL, { 0 } },
  { "also-value", also_value_cb, NULL, NULL, NULL, { 0 } },
  { "select-all", select_all_cb, NULL, NULL, NULL, { 0 } },
  { "select-rows", select_rows_cb, "au", NULL, NULL, { 0 } },
  { "sort", sort_cb, "s", NULL, NULL, { 0 } },
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
  { "open-in-wireshark", open_in_wireshark_cb, NULL, NULL, NULL, { 0 } },
};

static GSimpleAction *
get_action (NsTableActions *self, const char *name)
{
  return G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), name));
}

/* Disables the actions that need a cell value until the menu is closed. */
static void
disable_without_value (NsTableActions *self)
{
  static const char *const names[] = { "only-value", "without-value", "also-value", "copy-value" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++)
    g_simple_action_set_enabled (get_action (self, names[i]), FALSE);
}

/* Creates the context menu for the clicked cell. */
static GMenuModel *
dup_row_menu (NsTableActions *self)
{
  const NsField *field = NULL;
  NsFieldValue value = { 0 };
  gboolean has_value;
  GMenuModel *menu;

  if (!get_pressed_value (self, &field, &value))
    field = NULL;
  menu = ns_row_menu_new (self->session, field, &value, &has_value);
  if (field != NULL)
    ns_field_value_clear (&value);
  if (!has_value)
    disable_without_value (self);
  return menu;
}

static void
menu_closed_cb (GtkPopover *menu, NsTableActions *self)
{
  g_signal_emit (self, signals[SIGNAL_MENU_CLOSED], 0);
  ns_accessible_menu_drop (GTK_WIDGET (menu));
}

/**
 * ns_table_actions_popup_menu:
 * @self: the actions, with a session
 * @parent: the widget that was clicked
 * @x: horizontal position in @parent, in pixels
 * @y: vertical position in @parent, in pixels
 *
 * Opens the context menu of the selected rows and the clicked cell.
 */
void
ns_table_actions_popup_menu (NsTableActions *self, GtkWidget *parent, double x, double y)
{
  g_autoptr (GMenuModel) model = NULL;
  GdkRectangle area = { (int) x, (int) y, 1, 1 };
  GtkWidget *menu;

  g_return_if_fail (NS_IS_TABLE_ACTIONS (self) && self->session != NULL);

  model = dup_row_menu (self);
  menu = ns_accessible_menu_new (model);
  gtk_widget_set_parent (menu, parent);
  gtk_popover_set_has_arrow (GTK_POPOVER (menu), FALSE);
  /* A popover to the right may be shifted along the screen edge; one below would be cut off. */
  gtk_popover_set_position (GTK_POPOVER (menu), GTK_POS_RIGHT);
  gtk_widget_set_valign (menu, GTK_ALIGN_START);
  gtk_popover_set_pointing_to (GTK_POPOVER (menu), &area);
  g_signal_connect_object (menu, "closed", G_CALLBACK (menu_closed_cb), self, 0);
  gtk_popover_popup (GTK_POPOVER (menu));
  gtk_widget_trigger_tooltip_query (parent);
}

/* Updates the state of the `places` action: the number of rows and groups, read by other
 * programs. */
static void
update_places (NsTableActions *self)
{
  NsRowList *rows =
      self->session != NULL ? ns_session_get_rows (self->session, get_table (self)) : NULL;
  const NsGroups *groups = rows != NULL ? ns_row_list_get_groups (rows) : NULL;

  g_simple_action_set_state (get_action (self, "places"),
                             g_variant_new ("(uu)",
                                            rows != NULL
                                                ? g_list_model_get_n_items (G_LIST_MODEL (rows))
                                                : 0,
                                            groups != NULL ? groups->groups->len : 0));
}

static void
rows_changed_cb (NsTableActions *self, guint table)
{
  if (table == get_table (self))
    update_places (self);
}

/**
 * ns_table_actions_get_actions:
 * @self: the actions
 *
 * Returns: (transfer none): the actions: `copy-…`, `select-all` and `select-rows`, `sort`,
 *   `only-value`, `without-value` and `also-value` for the clicked cell, `…-column` and
 *   `reset-columns`, `group-…` and `…-groups`, `open-in-wireshark`; and `places`, whose read-only
 *   state is the number of positions and groups of the table
 */
GActionMap *
ns_table_actions_get_actions (NsTableActions *self)
{
  g_return_val_if_fail (NS_IS_TABLE_ACTIONS (self), NULL);

  return G_ACTION_MAP (self->actions);
}

/**
 * ns_table_actions_set_session:
 * @self: the actions
 * @session: (nullable): the session whose tables the actions apply to
 */
void
ns_table_actions_set_session (NsTableActions *self, NsSession *session)
{
  gboolean had_session = self->session != NULL;
  guint i;

  g_return_if_fail (NS_IS_TABLE_ACTIONS (self));

  if (had_session)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_set_object (&self->session, session);
  if (session != NULL)
    {
      g_signal_connect_swapped (session, "rows-changed", G_CALLBACK (rows_changed_cb), self);
      g_signal_connect_swapped (session, "notify::front", G_CALLBACK (update_places), self);
    }
  /* Leave actions alone that an open menu disabled when the trace is merely reloaded. */
  for (i = 0; had_session != (session != NULL) && i < G_N_ELEMENTS (entries); i++)
    g_simple_action_set_enabled (get_action (self, entries[i].name), session != NULL);
  update_places (self);
}

static void
ns_table_actions_dispose (GObject *object)
{
  NsTableActions *self = NS_TABLE_ACTIONS (object);

  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ns_table_actions_parent_class)->dispose (object);
}

static void
ns_table_actions_finalize (GObject *object)
{
  g_object_unref (NS_TABLE_ACTIONS (object)->actions);
  G_OBJECT_CLASS (ns_table_actions_parent_class)->finalize (object);
}

static void
ns_table_actions_class_init (NsTableActionsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GType type = NS_TYPE_TABLE_ACTIONS;

  object_class->dispose = ns_table_actions_dispose;
  object_class->finalize = ns_table_actions_finalize;
  /**
   * NsTableActions::menu-closed:
   * @self: the actions
   *
   * Emitted when the context menu was closed, so that the actions it disabled can be enabled again.
   */
  signals[SIGNAL_MENU_CLOSED] =
      g_signal_new ("menu-closed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  /**
   * NsTableActions::message:
   * @self: the actions
   * @text: a message to show to the user for a moment
   */
  signals[SIGNAL_MESSAGE] = g_signal_new ("message",
                                          type,
                                          G_SIGNAL_RUN_LAST,
                                          0,
                                          NULL,
                                          NULL,
                                          NULL,
                                          G_TYPE_NONE,
                                          1,
                                          G_TYPE_STRING);
  /**
   * NsTableActions::view:
   * @self: the actions
   *
   * Emitted to get the visible table.
   *
   * Returns: (transfer full) (nullable): an #NsTableView
   */
  signals[SIGNAL_VIEW] =
      g_signal_new ("view", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, NS_TYPE_TABLE_VIEW, 0);
}

/* Ignores requests of other programs to change the read-only state. */
static void
leave_state (GSimpleAction *action, GVariant *state, gpointer data)
{
}

static void
ns_table_actions_init (NsTableActions *self)
{
  g_autoptr (GSimpleAction) places =
      g_simple_action_new_stateful ("places", NULL, g_variant_new ("(uu)", 0, 0));
  guint i;

  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions),
                                   entries,
                                   G_N_ELEMENTS (entries),
                                   self);
  g_simple_action_set_enabled (places, FALSE);
  g_signal_connect (places, "change-state", G_CALLBACK (leave_state), NULL);
  g_action_map_add_action (G_ACTION_MAP (self->actions), G_ACTION (places));
  for (i = 0; i < G_N_ELEMENTS (entries); i++)
    g_simple_action_set_enabled (get_action (self, entries[i].name), FALSE);
  update_places (self);
}

/**
 * ns_table_actions_new:
 *
 * Returns: (transfer full): the actions, disabled until a session is set
 */
NsTableActions *
ns_table_actions_new (void)
{
  return g_object_new (NS_TYPE_TABLE_ACTIONS, NULL);
}
