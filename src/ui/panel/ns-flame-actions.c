/* Call tree page and its actions: show it, export it, filter by it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/panel/ns-flame-actions.h"

#include "model/ns-call-tree-job.h"
#include "model/ns-session-conditions.h"
#include "model/ns-signal.h"
#include "ui/ns-file-ask.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>

struct _NsFlameActions
{
  GObject parent_instance;

  NsSession *session; /* (nullable) */
  GSimpleActionGroup *actions;
  GtkWidget *page;
};

enum
{
  SIGNAL_MESSAGE,
  SIGNAL_NOTED,
  SIGNAL_SHOWN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsFlameActions, ns_flame_actions, G_TYPE_OBJECT)

static void
say (NsFlameActions *self, const char *text)
{
  g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, text);
}

static GSimpleAction *
get_action (NsFlameActions *self, const char *name)
{
  return G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), name));
}

/**
 * ns_flame_actions_is_shown:
 * @self: the actions
 *
 * Returns: whether the page is shown
 */
gboolean
ns_flame_actions_is_shown (NsFlameActions *self)
{
  g_return_val_if_fail (NS_IS_FLAME_ACTIONS (self), FALSE);

  return gtk_widget_get_visible (self->page);
}

/**
 * ns_flame_actions_show:
 * @self: the actions
 * @is_shown: %TRUE to show the page, %FALSE to show the tables
 */
void
ns_flame_actions_show (NsFlameActions *self, gboolean is_shown)
{
  g_return_if_fail (NS_IS_FLAME_ACTIONS (self));

  if (is_shown == ns_flame_actions_is_shown (self))
    return;
  gtk_widget_set_visible (self->page, is_shown);
  g_simple_action_set_state (get_action (self, "call-tree"), g_variant_new_boolean (is_shown));
  g_signal_emit (self, signals[SIGNAL_SHOWN], 0, is_shown);
}

/**
 * ns_flame_actions_leave:
 * @self: the actions
 *
 * Ends a search in the page; without one, hides the page.
 *
 * Returns: whether the page was shown
 */
gboolean
ns_flame_actions_leave (NsFlameActions *self)
{
  g_return_val_if_fail (NS_IS_FLAME_ACTIONS (self), FALSE);

  if (!ns_flame_actions_is_shown (self))
    return FALSE;
  if (!ns_flame_view_end_search (NS_FLAME_VIEW (self->page)))
    ns_flame_actions_show (self, FALSE);
  return TRUE;
}

/* Describes the operations of the tree while another table is in front. */
static char *
dup_operations (NsFlameActions *self, guint n_operations)
{
  g_autofree char *count = ns_words_count (n_operations);

  if (ns_row_activities_has (ns_session_get_front (self->session)))
    /* Translators: what the rows of a table belong to. */
    return g_strdup_printf (ngettext ("%s operation", "%s operations", n_operations), count);
  /* Translators: beside a count of rows that belong to no operation. */
  return g_strdup_printf (ngettext ("Call tree of the %s operation in “Activity”",
                                    "Call tree of the %s operations in “Activity”",
                                    n_operations),
                          count);
}

/**
 * ns_flame_actions_dup_note:
 * @self: the actions
 *
 * Returns: (transfer full) (nullable): note for the row count: number of operations in the tree if
 * it differs from the rows, and how many of them have a stack
 */
char *
ns_flame_actions_dup_note (NsFlameActions *self)
{
  g_autofree char *operations = NULL;
  g_autofree char *with_stack = NULL;
  g_autofree char *count = NULL;
  guint n_with_stack;
  guint n_rows;

  g_return_val_if_fail (NS_IS_FLAME_ACTIONS (self), NULL);

  if (self->session == NULL || !ns_flame_actions_is_shown (self) ||
      !ns_flame_view_count (NS_FLAME_VIEW (self->page), &n_rows, &n_with_stack))
    return NULL;
  count = ns_words_count (n_with_stack);
  /* Translators: a number of rows that have a call stack. */
  with_stack =
      g_strdup_printf (ngettext ("%s with a stack", "%s with a stack", n_with_stack), count);
  if (ns_session_get_front (self->session) == NS_TABLE_ACTIVITIES)
    return n_rows > 0 ? g_steal_pointer (&with_stack) : NULL;
  operations = dup_operations (self, n_rows);
  return n_rows > 0 ? g_strdup_printf ("%s · %s", operations, with_stack)
                    : g_steal_pointer (&operations);
}

static void
made_cb (NsFlameActions *self)
{
  if (ns_flame_actions_is_shown (self))
    g_signal_emit (self, signals[SIGNAL_NOTED], 0);
}

static void
call_tree_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  ns_flame_actions_show (data, g_variant_get_boolean (state));
}

/* Adds a condition to the filter of the activity table and shows the table. */
static void
add_condition (NsFlameActions *self, const char *condition, const char *name)
{
  g_autoptr (GError) error = NULL;

  ns_flame_actions_show (self, FALSE);
  ns_session_show_table (self->session, NS_TABLE_ACTIVITIES);
  if (!ns_session_add_condition (self->session, condition, name, &error))
    say (self, error->message);
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

/* Filters by a frame, found by name in the tree shown. */
static void
only_frame_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsFlameActions *self = data;

  if (ns_flame_actions_is_shown (self))
    ns_flame_view_only_frame (NS_FLAME_VIEW (self->page), g_variant_get_string (parameter, NULL));
}

static void
written_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (NsFlameActions) self = data;
  g_autoptr (GError) error = NULL;

  if (!ns_call_tree_job_write_finish (result, &error) && self->session != NULL)
    say (self, error->message);
}

static void
export_tree (NsFlameActions *self, const char *path)
{
  if (self->session != NULL)
    ns_flame_view_export_async (NS_FLAME_VIEW (self->page), path, written_cb, g_object_ref (self));
}

/* Exports without a file dialog, for tests and scripts. */
static void
export_tree_to_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  export_tree (data, g_variant_get_string (parameter, NULL));
}

static void
chosen_cb (GtkFileChooser *chooser, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = ns_file_ask_dup_path (chooser, &error);

  if (path != NULL)
    export_tree (data, path);
  else
    say (data, error->message);
}

static void
export_tree_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsFlameActions *self = data;
  GtkFileChooserNative *dialog =
      gtk_file_chooser_native_new (_ ("Export the Tree To"),
                                   GTK_WINDOW (gtk_widget_get_root (self->page)),
                                   GTK_FILE_CHOOSER_ACTION_SAVE,
                                   _ ("_Export"),
                                   _ ("_Cancel"));
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, _ ("Comma-separated values (.csv)"));
  gtk_file_filter_add_suffix (filter, "csv");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), filter);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), "call-tree.csv");
  ns_file_ask (dialog, chosen_cb, self);
}

static const GActionEntry entries[] = {
  { "add-condition", add_condition_cb, "s", NULL, NULL, { 0 } },
  { "add-named-condition", add_named_condition_cb, "(ss)", NULL, NULL, { 0 } },
  { "export-tree", export_tree_cb, NULL, NULL, NULL, { 0 } },
  { "export-tree-to", export_tree_to_cb, "s", NULL, NULL, { 0 } },
  { "call-tree", NULL, NULL, "false", call_tree_cb, { 0 } },
};

/* Always enabled; the callback checks that the page is shown. */
static const GActionEntry page_entries[] = {
  { "only-frame", only_frame_cb, "s", NULL, NULL, { 0 } },
};

/**
 * ns_flame_actions_get_actions:
 * @self: the actions
 *
 * Returns: (transfer none): the actions: `call-tree` shows the page, `export-tree` and
 *   `export-tree-to` write the tree to a file, `only-frame` filters by a frame; `add-condition` and
 *   `add-named-condition` hide the page and add to the filter of the activity table
 */
GActionMap *
ns_flame_actions_get_actions (NsFlameActions *self)
{
  g_return_val_if_fail (NS_IS_FLAME_ACTIONS (self), NULL);

  return G_ACTION_MAP (self->actions);
}

/**
 * ns_flame_actions_get_page:
 * @self: the actions
 *
 * Returns: (transfer none): an #NsFlameView
 */
GtkWidget *
ns_flame_actions_get_page (NsFlameActions *self)
{
  g_return_val_if_fail (NS_IS_FLAME_ACTIONS (self), NULL);

  return self->page;
}

/**
 * ns_flame_actions_set_session:
 * @self: the actions
 * @session: (nullable): session whose rows the tree is built from
 */
void
ns_flame_actions_set_session (NsFlameActions *self, NsSession *session)
{
  guint i;

  g_return_if_fail (NS_IS_FLAME_ACTIONS (self));

  g_set_object (&self->session, session);
  ns_flame_view_set_session (NS_FLAME_VIEW (self->page), session);
  for (i = 0; i < G_N_ELEMENTS (entries); i++)
    g_simple_action_set_enabled (get_action (self, entries[i].name), session != NULL);
}

static void
ns_flame_actions_dispose (GObject *object)
{
  NsFlameActions *self = NS_FLAME_ACTIONS (object);

  g_clear_object (&self->session);
  g_clear_object (&self->page);
  G_OBJECT_CLASS (ns_flame_actions_parent_class)->dispose (object);
}

static void
ns_flame_actions_finalize (GObject *object)
{
  g_object_unref (NS_FLAME_ACTIONS (object)->actions);
  G_OBJECT_CLASS (ns_flame_actions_parent_class)->finalize (object);
}

static void
ns_flame_actions_class_init (NsFlameActionsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ns_flame_actions_dispose;
  object_class->finalize = ns_flame_actions_finalize;
  /**
   * NsFlameActions::message:
   * @self: the actions
   * @text: text to show in the status bar
   */
  signals[SIGNAL_MESSAGE] =
      ns_signal_new (NS_TYPE_FLAME_ACTIONS, "message", G_TYPE_NONE, 1, G_TYPE_STRING);
  /**
   * NsFlameActions::noted:
   * @self: the actions
   *
   * Emitted when the text of ns_flame_actions_dup_note() changes.
   */
  signals[SIGNAL_NOTED] = ns_signal_new (NS_TYPE_FLAME_ACTIONS, "noted", G_TYPE_NONE, 0);
  /**
   * NsFlameActions::shown:
   * @self: the actions
   * @is_shown: whether the page is shown
   */
  signals[SIGNAL_SHOWN] =
      ns_signal_new (NS_TYPE_FLAME_ACTIONS, "shown", G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
}

static void
ns_flame_actions_init (NsFlameActions *self)
{
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions),
                                   entries,
                                   G_N_ELEMENTS (entries),
                                   self);
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions),
                                   page_entries,
                                   G_N_ELEMENTS (page_entries),
                                   self);
  self->page = g_object_ref_sink (ns_flame_view_new_page ());
  gtk_widget_set_visible (self->page, FALSE);
  gtk_widget_set_vexpand (self->page, TRUE);
  g_signal_connect_object (self->page, "made", G_CALLBACK (made_cb), self, G_CONNECT_SWAPPED);
  ns_flame_actions_set_session (self, NULL);
}

/**
 * ns_flame_actions_new:
 *
 * Returns: (transfer full): actions with a hidden, empty page
 */
NsFlameActions *
ns_flame_actions_new (void)
{
  return g_object_new (NS_TYPE_FLAME_ACTIONS, NULL);
}
