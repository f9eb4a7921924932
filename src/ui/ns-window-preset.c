/* A way to look at traces is saved as a small text file, and opened on another trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-small-file.h"
#include "model/ns-preset.h"
#include "ui/ns-file-ask.h"
#include "ui/ns-window-private.h"

#include <glib/gi18n.h>

static void
collect_columns (NsTableView *view, GArray *list)
{
  g_autoptr (GPtrArray) columns = ns_table_view_list_columns (view);
  guint i;

  for (i = 0; i < columns->len; i++)
    {
      GtkColumnViewColumn *column = g_ptr_array_index (columns, i);
      NsPresetColumn one = { ns_table_view_get_field (column),
                             MAX (gtk_column_view_column_get_fixed_width (column), 0) };

      if (ns_table_view_is_column_shown (column))
        g_array_append_val (list, one);
    }
}

/* How every table that was looked at or filtered is looked at now. */
static NsPreset *
collect (NsWindow *self)
{
  NsPreset *preset = ns_preset_new ();
  guint i;

  preset->front = g_strdup (ns_table_get_name (self->table));
  preset->lanes = g_strdup (ns_timeline_get_grouping (NS_TIMELINE (self->timeline)));
  preset->clock = g_strdup (ns_wall_get_name (ns_session_get_wall (self->session)));
  for (i = 0; i < NS_N_TABLES; i++)
    {
      NsPresetTable *table = &preset->tables[i];
      NsTableView *view = ns_window_peek_table (self, (NsTableId) i);

      table->filter = g_strdup (ns_session_get_filter (self->session, (NsTableId) i));
      table->sort = ns_order_to_text (ns_session_get_order (self->session, (NsTableId) i));
      g_ptr_array_extend (table->groups,
                          ns_session_get_grouping (self->session, (NsTableId) i)->fields,
                          NULL,
                          NULL);
      table->is_there =
          view != NULL || *table->filter != '\0' || *table->sort != '\0' || table->groups->len > 0;
      if (view != NULL)
        collect_columns (view, table->columns);
    }
  return preset;
}

static const NsPresetColumn *
find_column (const GArray *list, const NsField *field, guint *place)
{
  for (*place = 0; *place < list->len; ++*place)
    if (g_array_index (list, NsPresetColumn, *place).field == field)
      return &g_array_index (list, NsPresetColumn, *place);
  return NULL;
}

/* Where the columns of fields begin: others stand before them. */
static guint
find_first (GtkColumnViewColumn *column)
{
  GListModel *all = gtk_column_view_get_columns (gtk_column_view_column_get_column_view (column));
  guint i;

  for (i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkColumnViewColumn) one = g_list_model_get_item (all, i);

      if (ns_table_view_get_field (one) != NULL)
        break;
    }
  return i;
}

static void
apply_columns (NsTableView *view, const GArray *list)
{
  g_autoptr (GPtrArray) columns = ns_table_view_list_columns (view);
  guint first = columns->len > 0 ? find_first (g_ptr_array_index (columns, 0)) : 0;
  guint place;
  guint i;

  for (i = 0; i < columns->len; i++)
    {
      GtkColumnViewColumn *column = g_ptr_array_index (columns, i);
      const NsPresetColumn *wanted = find_column (list, ns_table_view_get_field (column), &place);

      ns_table_view_show_column (view, column, wanted != NULL);
      if (wanted != NULL && wanted->width > 0)
        gtk_column_view_column_set_fixed_width (column, wanted->width);
    }
  for (place = 0; place < list->len; place++)
    for (i = 0; i < columns->len; i++)
      {
        GtkColumnViewColumn *column = g_ptr_array_index (columns, i);

        if (ns_table_view_get_field (column) == g_array_index (list, NsPresetColumn, place).field)
          ns_table_view_place_column (view, column, first + place);
      }
}

static void
apply_table (NsWindow *self, NsTableId id, const NsPresetTable *table)
{
  if (table->sort != NULL)
    {
      g_autoptr (GArray) order = ns_order_parse (id, table->sort, NULL);

      ns_session_set_order (self->session, id, order);
    }
  if (table->filter != NULL)
    ns_session_set_filter (self->session, id, table->filter, NULL, NULL);
  ns_session_set_grouping (self->session,
                           id,
                           (const NsField *const *) table->groups->pdata,
                           table->groups->len);
  /* A trace without such rows has no such table. */
  if (table->columns->len > 0 && ns_window_ensure_table (self, id) != NULL)
    apply_columns (ns_window_ensure_table (self, id), table->columns);
}

static void
apply (NsWindow *self, const NsPreset *preset)
{
  NsTableId front;
  NsWall wall;
  guint i;

  if (preset->lanes != NULL)
    ns_timeline_set_grouping (NS_TIMELINE (self->timeline), preset->lanes);
  if (preset->clock != NULL && ns_wall_from_name (preset->clock, &wall))
    ns_session_set_wall (self->session, wall);
  for (i = 0; i < NS_N_TABLES; i++)
    if (preset->tables[i].is_there)
      apply_table (self, (NsTableId) i, &preset->tables[i]);
  if (preset->front != NULL && ns_table_from_name (preset->front, &front))
    ns_window_show_table (self, front);
  ns_session_take_filters (self->session);
  ns_window_update_actions (self);
}

static gboolean
read_preset (const char *path, char **text, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInfo) info =
      g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE, G_FILE_QUERY_INFO_NONE, NULL, error);

  if (info == NULL)
    return FALSE;
  if (g_file_info_get_size (info) > NS_PRESET_MAX_BYTES)
    {
      g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, _ ("The file is too large"));
      return FALSE;
    }
  *text = ns_small_file_read (path, NS_PRESET_MAX_BYTES, NULL, error);
  return *text != NULL;
}

static void
open_from (NsWindow *self, const char *path)
{
  g_autoptr (GPtrArray) unknown = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (NsPreset) preset = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (read_preset (path, &text, &error))
    preset = ns_preset_parse (text, unknown, &error);
  if (preset == NULL)
    {
      ns_window_say (self, error->message);
      return;
    }
  apply (self, preset);
  if (unknown->len > 0)
    {
      g_autofree char *names = NULL;
      g_autofree char *words = NULL;

      g_ptr_array_add (unknown, NULL);
      names = g_strjoinv (" · ", (char **) unknown->pdata);
      /* Translators: names of fields and tables that this version does not have. */
      words = g_strdup_printf (_ ("Not known here and left out: %s"), names);
      ns_window_say (self, words);
    }
}

static void
save_to (NsWindow *self, const char *path)
{
  g_autoptr (NsPreset) preset = collect (self);
  g_autofree char *text = ns_preset_to_text (preset);
  g_autoptr (GError) error = NULL;

  if (!g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error))
    ns_window_say (self, error->message);
  else
    ns_window_say (self, _ ("The view was saved"));
}

static void
chosen_cb (GtkFileChooser *chooser, gpointer data)
{
  NsWindow *self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = ns_file_ask_dup_path (chooser, &error);

  if (self->session == NULL)
    return;
  if (path == NULL)
    ns_window_say (self, error->message);
  else if (gtk_file_chooser_get_action (chooser) == GTK_FILE_CHOOSER_ACTION_SAVE)
    save_to (self, path);
  else
    open_from (self, path);
}

static void
ask (NsWindow *self, GtkFileChooserAction action, const char *title, const char *accept)
{
  GtkFileChooserNative *dialog =
      gtk_file_chooser_native_new (title, GTK_WINDOW (self), action, accept, _ ("_Cancel"));
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, _ ("Views (.nsview)"));
  gtk_file_filter_add_suffix (filter, "nsview");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), filter);
  if (action == GTK_FILE_CHOOSER_ACTION_SAVE)
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), _ ("View.nsview"));
  ns_file_ask (dialog, chosen_cb, self);
}

static void
open_view_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ask (data, GTK_FILE_CHOOSER_ACTION_OPEN, _ ("Open a View"), _ ("_Open"));
}

static void
save_view_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ask (data, GTK_FILE_CHOOSER_ACTION_SAVE, _ ("Save the View"), _ ("_Save"));
}

static void
open_view_from_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  open_from (data, g_variant_get_string (parameter, NULL));
}

static void
save_view_to_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  save_to (data, g_variant_get_string (parameter, NULL));
}

static const GActionEntry entries[] = {
  { "open-view", open_view_cb, NULL, NULL, NULL, { 0 } },
  { "save-view", save_view_cb, NULL, NULL, NULL, { 0 } },
  { "open-view-from", open_view_from_cb, "s", NULL, NULL, { 0 } },
  { "save-view-to", save_view_to_cb, "s", NULL, NULL, { 0 } },
};

/* Adds the actions to a new window. */
void
ns_window_add_preset (NsWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

/* Switches them by whether there is a trace. */
void
ns_window_enable_preset (NsWindow *self, gboolean has_trace)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (entries); i++)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self),
                                                                              entries[i].name)),
                                 has_trace);
}
