/* The call tree over the whole window, in place of the timeline and the tables.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-call-tree-job.h"
#include "ui/ns-file-ask.h"
#include "ui/ns-window-private.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-flame-view.h"
#include "ui/panel/ns-stack-view.h"

#include <glib/gi18n.h>

/* The page has one line at its foot: the status bar of the window goes into it. */
static void
place_status_bar (NsWindow *self, gboolean is_tree)
{
  GtkWidget *bar = GTK_WIDGET (self->status_bar);
  GtkWidget *foot = ns_flame_view_get_foot (NS_FLAME_VIEW (self->call_tree));
  GtkWidget *around = gtk_widget_get_parent (self->call_tree);

  ns_status_bar_set_has_sums (self->status_bar, !is_tree);
  g_object_ref (bar);
  gtk_box_remove (GTK_BOX (gtk_widget_get_parent (bar)), bar);
  gtk_box_append (GTK_BOX (is_tree ? foot : around), bar);
  g_object_unref (bar);
}

/* Shows the tree or the rows; the keyboard goes where something can be done. */
void
ns_window_show_tree (NsWindow *self, gboolean is_tree)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "call-tree");

  if (is_tree == gtk_widget_get_visible (self->call_tree))
    return;
  gtk_widget_set_visible (self->call_tree, is_tree);
  gtk_widget_set_visible (GTK_WIDGET (self->panel_frame), !is_tree);
  gtk_widget_set_visible (self->columns_button, !is_tree);
  place_status_bar (self, is_tree);
  ns_crumb_bar_update (self->crumb_bar);
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (is_tree));
  ns_window_update_actions (self);
  if (is_tree)
    gtk_widget_grab_focus (self->call_tree);
  else
    gtk_widget_child_focus (GTK_WIDGET (self->tabs), GTK_DIR_TAB_FORWARD);
}

/* Esc ends the search of the tree, then leaves it; returns whether the tree was there. */
gboolean
ns_window_leave_tree (NsWindow *self)
{
  if (!gtk_widget_get_visible (self->call_tree))
    return FALSE;
  if (!ns_flame_view_end_search (NS_FLAME_VIEW (self->call_tree)))
    ns_window_show_tree (self, FALSE);
  return TRUE;
}

static void
call_tree_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  ns_window_show_tree (data, g_variant_get_boolean (state));
}

static GtkWidget *
find_around_focus (NsWindow *self, GType type)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));

  return focus != NULL ? gtk_widget_get_ancestor (focus, type) : NULL;
}

/* Searches the flame graph that has the keyboard, or the one that is all there is. */
gboolean
ns_window_search_tree (NsWindow *self)
{
  GtkWidget *view = find_around_focus (self, NS_TYPE_FLAME_VIEW);

  if (view == NULL && gtk_widget_get_visible (self->call_tree))
    view = self->call_tree;
  if (view != NULL)
    ns_flame_view_search (NS_FLAME_VIEW (view));
  return view != NULL;
}

/* Copies the chosen frame when the keyboard is in a stack. */
gboolean
ns_window_copy_frame (NsWindow *self)
{
  GtkWidget *view = find_around_focus (self, NS_TYPE_STACK_VIEW);

  return view != NULL && ns_stack_view_copy_frame (NS_STACK_VIEW (view));
}

/* One condition more for the rows, from wherever it was chosen. */
static void
add_condition (NsWindow *self, const char *condition, const char *name)
{
  ns_window_show_tree (self, FALSE);
  ns_window_show_table (self, NS_TABLE_ACTIVITIES);
  ns_window_add_condition (self, condition, name);
}

static void
add_condition_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  add_condition (data, g_variant_get_string (parameter, NULL), NULL);
}

static void
add_named_condition_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *condition;
  const char *name;

  g_variant_get (parameter, "(&s&s)", &condition, &name);
  add_condition (data, condition, name);
}

/* Of the tree that is shown, by the name of a frame. */
static void
only_frame_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  if (gtk_widget_get_visible (self->call_tree))
    ns_flame_view_only_frame (NS_FLAME_VIEW (self->call_tree),
                              g_variant_get_string (parameter, NULL));
}

/* Beside the count of rows: how many of them the tree can speak of. */
static char *
note_cb (NsWindow *self)
{
  g_autofree char *count = NULL;
  guint n_with_stack;
  guint n_rows;

  if (ns_window_get_front (self) != NS_TABLE_ACTIVITIES ||
      !gtk_widget_get_visible (self->call_tree))
    return NULL;
  ns_flame_view_count (NS_FLAME_VIEW (self->call_tree), &n_rows, &n_with_stack);
  if (n_rows == 0)
    return NULL;
  count = ns_words_count (n_with_stack);
  /* Translators: a number of rows that have a call stack. */
  return g_strdup_printf (ngettext ("%s with a stack", "%s with a stack", n_with_stack), count);
}

static void
tree_made_cb (NsWindow *self)
{
  if (self->session != NULL && gtk_widget_get_visible (self->call_tree))
    ns_crumb_bar_update (self->crumb_bar);
}

static void
tree_written_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (NsWindow) self = data;
  g_autoptr (GError) error = NULL;

  if (!ns_call_tree_job_write_finish (result, &error) && self->session != NULL)
    ns_window_say (self, error->message);
}

static void
export_tree (NsWindow *self, const char *path)
{
  if (self->session != NULL)
    ns_flame_view_export_async (NS_FLAME_VIEW (self->call_tree),
                                path,
                                tree_written_cb,
                                g_object_ref (self));
}

/* For tests and scripts. */
static void
export_tree_to_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  export_tree (data, g_variant_get_string (parameter, NULL));
}

static void
export_tree_chosen_cb (GtkFileChooser *chooser, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = ns_file_ask_dup_path (chooser, &error);

  if (path != NULL)
    export_tree (data, path);
  else
    ns_window_say (data, error->message);
}

static void
export_tree_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_ ("Export the Tree To"),
                                                              GTK_WINDOW (data),
                                                              GTK_FILE_CHOOSER_ACTION_SAVE,
                                                              _ ("_Export"),
                                                              _ ("_Cancel"));
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, _ ("Comma-separated values (.csv)"));
  gtk_file_filter_add_suffix (filter, "csv");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), filter);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), "call-tree.csv");
  ns_file_ask (dialog, export_tree_chosen_cb, data);
}

static const GActionEntry entries[] = {
  { "add-condition", add_condition_cb, "s", NULL, NULL, { 0 } },
  { "add-named-condition", add_named_condition_cb, "(ss)", NULL, NULL, { 0 } },
  { "export-tree", export_tree_cb, NULL, NULL, NULL, { 0 } },
  { "export-tree-to", export_tree_to_cb, "s", NULL, NULL, { 0 } },
  { "only-frame", only_frame_cb, "s", NULL, NULL, { 0 } },
  { "call-tree", NULL, NULL, "false", call_tree_cb, { 0 } },
};

/* Shows the rows of another trace, or of none, in the tree. */
void
ns_window_set_tree_session (NsWindow *self, NsSession *session)
{
  static const char *const names[] = { "call-tree",
                                       "add-condition",
                                       "add-named-condition",
                                       "export-tree",
                                       "export-tree-to" };
  guint i;

  ns_flame_view_set_session (NS_FLAME_VIEW (self->call_tree), session);
  for (i = 0; i < G_N_ELEMENTS (names); i++)
    {
      GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), names[i]);

      g_simple_action_set_enabled (G_SIMPLE_ACTION (action), session != NULL);
    }
}

/* Adds the page and its action to a new window. */
void
ns_window_add_tree (NsWindow *self)
{
  GtkWidget *box = gtk_widget_get_parent (GTK_WIDGET (self->panel_frame));

  self->call_tree = ns_flame_view_new_page ();
  ns_flame_view_set_narrow (NS_FLAME_VIEW (self->call_tree),
                            ns_panel_frame_is_narrow (self->panel_frame));
  gtk_widget_set_visible (self->call_tree, FALSE);
  gtk_widget_set_vexpand (self->call_tree, TRUE);
  gtk_box_insert_child_after (GTK_BOX (box), self->call_tree, GTK_WIDGET (self->panel_frame));
  g_signal_connect_object (self->call_tree,
                           "made",
                           G_CALLBACK (tree_made_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->crumb_bar, "note", G_CALLBACK (note_cb), self);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  ns_window_set_tree_session (self, NULL);
}
