/* Actions that save and open presets: columns, filters, sort order, grouping and lanes in a small
 * text file (.nsview), which can be opened with any trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-preset-actions.h"

#include "base/ns-small-file.h"
#include "model/ns-preset.h"
#include "model/ns-session-conditions.h"
#include "ui/ns-file-ask.h"
#include "ui/table/ns-table-view.h"

#include <glib/gi18n.h>

struct _NsPresetActions
{
  GObject parent_instance;

  NsTimeline *timeline; /* not owned; outlives this object */
  NsSession *session;   /* (nullable) */
  GSimpleActionGroup *actions;
};

enum
{
  SIGNAL_MESSAGE,
  SIGNAL_VIEW,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsPresetActions, ns_preset_actions, G_TYPE_OBJECT)

/* Returns the view of a table, (transfer full) (nullable); @is_needed: create it if there is none.
 */
static NsTableView *
dup_view (NsPresetActions *self, NsTableId table, gboolean is_needed)
{
  NsTableView *view = NULL;

  g_signal_emit (self, signals[SIGNAL_VIEW], 0, (guint) table, is_needed, &view);
  return view;
}

static void
show_message (NsPresetActions *self, const char *text)
{
  g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, text);
}

static GtkWindow *
get_window (NsPresetActions *self)
{
  return GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self->timeline)));
}

static void
collect_columns (NsTableView *view, GArray *list)
{
  g_autoptr (GPtrArray) columns = ns_table_view_list_columns (view);
  guint i;

  for (i = 0; i < columns->len; i++)
    {
      GtkColumnViewColumn *column = g_ptr_array_index (columns, i);
      NsPresetColumn one = { ns_table_view_get_field (column),
                             ns_table_view_get_own_width (column) };

      if (ns_table_view_is_column_shown (column))
        g_array_append_val (list, one);
    }
}

/* Returns the preset of the current state, with every table that has a view, a filter, a sort order
 * or a grouping. */
static NsPreset *
collect (NsPresetActions *self)
{
  NsPreset *preset = ns_preset_new ();
  guint i;

  preset->front = g_strdup (ns_table_get_name (ns_session_get_front (self->session)));
  preset->lanes = g_strdup (ns_timeline_get_grouping (self->timeline));
  preset->clock = g_strdup (ns_wall_get_name (ns_session_get_wall (self->session)));
  for (i = 0; i < NS_N_TABLES; i++)
    {
      NsPresetTable *table = &preset->tables[i];
      g_autoptr (NsTableView) view = dup_view (self, (NsTableId) i, FALSE);

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

static void
apply_columns (NsTableView *view, const GArray *list)
{
  g_autoptr (GVariant) columns = NULL;
  GVariantBuilder builder;
  guint i;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(sib)"));
  for (i = 0; i < list->len; i++)
    {
      const NsPresetColumn *column = &g_array_index (list, NsPresetColumn, i);

      g_variant_builder_add (&builder, "(sib)", column->field->id, column->width, TRUE);
    }
  columns = g_variant_ref_sink (g_variant_builder_end (&builder));
  ns_table_view_push_columns (view, columns);
}

static void
apply_table (NsPresetActions *self, NsTableId id, const NsPresetTable *table)
{
  g_autoptr (NsTableView) view = NULL;

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
  if (table->columns->len == 0)
    return;
  view = dup_view (self, id, TRUE);
  /* There is no view if the trace has no rows of this table. */
  if (view != NULL)
    apply_columns (view, table->columns);
}

static void
apply (NsPresetActions *self, const NsPreset *preset)
{
  NsTableId front;
  NsWall wall;
  guint i;

  if (preset->lanes != NULL)
    ns_timeline_set_grouping (self->timeline, preset->lanes);
  if (preset->clock != NULL && ns_wall_from_name (preset->clock, &wall))
    ns_session_set_wall (self->session, wall);
  for (i = 0; i < NS_N_TABLES; i++)
    if (preset->tables[i].is_there)
      apply_table (self, (NsTableId) i, &preset->tables[i]);
  if (preset->front != NULL && ns_table_from_name (preset->front, &front))
    ns_session_show_table (self->session, front);
  ns_session_take_filters (self->session);
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
open_from (NsPresetActions *self, const char *path)
{
  g_autoptr (GPtrArray) unknown = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (NsPreset) preset = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (read_preset (path, &text, &error))
    preset = ns_preset_parse (text, unknown, &error);
  if (preset == NULL)
    {
      show_message (self, error->message);
      return;
    }
  apply (self, preset);
  if (unknown->len == 0)
    show_message (self, _ ("The view was opened"));
  else
    {
      g_autofree char *names = NULL;
      g_autofree char *words = NULL;

      g_ptr_array_add (unknown, NULL);
      names = g_strjoinv (" · ", (char **) unknown->pdata);
      /* Translators: names of fields and tables that this version does not have. */
      words = g_strdup_printf (_ ("Unknown and ignored: %s"), names);
      show_message (self, words);
    }
}

static void
save_to (NsPresetActions *self, const char *path)
{
  g_autoptr (NsPreset) preset = collect (self);
  g_autofree char *text = ns_preset_to_text (preset);
  g_autoptr (GError) error = NULL;

  if (!g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error))
    show_message (self, error->message);
  else
    show_message (self, _ ("The view was saved"));
}

static void
chosen_cb (GtkFileChooser *chooser, gpointer data)
{
  NsPresetActions *self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = ns_file_ask_dup_path (chooser, &error);

  if (self->session == NULL)
    return;
  if (path == NULL)
    show_message (self, error->message);
  else if (gtk_file_chooser_get_action (chooser) == GTK_FILE_CHOOSER_ACTION_SAVE)
    save_to (self, path);
  else
    open_from (self, path);
}

static void
ask (NsPresetActions *self, GtkFileChooserAction action, const char *title, const char *accept)
{
  GtkFileChooserNative *dialog =
      gtk_file_chooser_native_new (title, get_window (self), action, accept, _ ("_Cancel"));
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

/**
 * ns_preset_actions_restore_columns:
 * @self: the actions
 *
 * Restores the user's columns, which opened presets have replaced.
 */
void
ns_preset_actions_restore_columns (NsPresetActions *self)
{
  guint table;

  g_return_if_fail (NS_IS_PRESET_ACTIONS (self));

  for (table = 0; table < NS_N_TABLES; table++)
    {
      g_autoptr (NsTableView) view = dup_view (self, (NsTableId) table, FALSE);

      if (view != NULL)
        ns_table_view_pop_columns (view);
    }
}

static const GActionEntry entries[] = {
  { "open-view", open_view_cb, NULL, NULL, NULL, { 0 } },
  { "save-view", save_view_cb, NULL, NULL, NULL, { 0 } },
  { "open-view-from", open_view_from_cb, "s", NULL, NULL, { 0 } },
  { "save-view-to", save_view_to_cb, "s", NULL, NULL, { 0 } },
};

/**
 * ns_preset_actions_get_actions:
 * @self: the actions
 *
 * Returns: (transfer none): the actions `open-view` and `save-view`, which ask for a file, and
 *   `open-view-from` and `save-view-to`, which take a path as parameter
 */
GActionMap *
ns_preset_actions_get_actions (NsPresetActions *self)
{
  g_return_val_if_fail (NS_IS_PRESET_ACTIONS (self), NULL);

  return G_ACTION_MAP (self->actions);
}

/**
 * ns_preset_actions_set_session:
 * @self: the actions
 * @session: (nullable): the session that presets are taken from and applied to
 *
 * Sets the session; without one the actions are disabled.
 */
void
ns_preset_actions_set_session (NsPresetActions *self, NsSession *session)
{
  guint i;

  g_return_if_fail (NS_IS_PRESET_ACTIONS (self));

  g_set_object (&self->session, session);
  for (i = 0; i < G_N_ELEMENTS (entries); i++)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (
                                     g_action_map_lookup_action (G_ACTION_MAP (self->actions),
                                                                 entries[i].name)),
                                 session != NULL);
}

static void
ns_preset_actions_dispose (GObject *object)
{
  g_clear_object (&NS_PRESET_ACTIONS (object)->session);
  G_OBJECT_CLASS (ns_preset_actions_parent_class)->dispose (object);
}

static void
ns_preset_actions_finalize (GObject *object)
{
  g_object_unref (NS_PRESET_ACTIONS (object)->actions);
  G_OBJECT_CLASS (ns_preset_actions_parent_class)->finalize (object);
}

static void
ns_preset_actions_class_init (NsPresetActionsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ns_preset_actions_dispose;
  object_class->finalize = ns_preset_actions_finalize;
  /**
   * NsPresetActions::message:
   * @self: the actions
   * @text: the message to show to the user
   */
  signals[SIGNAL_MESSAGE] = g_signal_new ("message",
                                          NS_TYPE_PRESET_ACTIONS,
                                          G_SIGNAL_RUN_LAST,
                                          0,
                                          NULL,
                                          NULL,
                                          NULL,
                                          G_TYPE_NONE,
                                          1,
                                          G_TYPE_STRING);
  /**
   * NsPresetActions::view:
   * @self: the actions
   * @table: the #NsTableId
   * @is_needed: whether to create the view if there is none
   *
   * Requests the view of @table.
   *
   * Returns: (transfer full) (nullable): an #NsTableView
   */
  signals[SIGNAL_VIEW] = g_signal_new ("view",
                                       NS_TYPE_PRESET_ACTIONS,
                                       G_SIGNAL_RUN_LAST,
                                       0,
                                       NULL,
                                       NULL,
                                       NULL,
                                       NS_TYPE_TABLE_VIEW,
                                       2,
                                       G_TYPE_UINT,
                                       G_TYPE_BOOLEAN);
}

static void
ns_preset_actions_init (NsPresetActions *self)
{
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions),
                                   entries,
                                   G_N_ELEMENTS (entries),
                                   self);
  ns_preset_actions_set_session (self, NULL);
}

/**
 * ns_preset_actions_new:
 * @timeline: the timeline whose lane grouping belongs to a preset; must outlive the actions
 *
 * Returns: (transfer full): actions without a session
 */
NsPresetActions *
ns_preset_actions_new (NsTimeline *timeline)
{
  NsPresetActions *self = g_object_new (NS_TYPE_PRESET_ACTIONS, NULL);

  self->timeline = timeline;
  return self;
}
