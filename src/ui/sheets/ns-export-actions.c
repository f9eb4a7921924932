/* Window actions that export rows to a file, print, and save a picture of the timeline.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/sheets/ns-export-actions.h"

#include "model/ns-signal.h"
#include "ui/sheets/ns-export-dialog.h"
#include "ui/sheets/ns-print-sheet.h"

#include <glib/gi18n.h>

struct _NsExportActions
{
  GObject parent_instance;

  NsTimeline *timeline; /* a weak pointer */
  NsSession *session;   /* (nullable) */
  GSimpleActionGroup *actions;
  gulong waiting_id; /* handler of "sorted" while an action waits for the lanes; 0: none waits */
};

enum
{
  SIGNAL_LOOK,
  SIGNAL_MESSAGE,
  SIGNAL_VIEW,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsExportActions, ns_export_actions, G_TYPE_OBJECT)

/* Returns (transfer full) (nullable): the view of the table in front. */
static NsTableView *
dup_view (NsExportActions *self)
{
  NsTableView *view = NULL;

  if (self->session != NULL)
    g_signal_emit (self, signals[SIGNAL_VIEW], 0, &view);
  return view;
}

/* Returns (transfer full): the view state of the trace, as a dictionary. */
static GVariant *
dup_look (NsExportActions *self)
{
  GVariant *look = NULL;

  g_signal_emit (self, signals[SIGNAL_LOOK], 0, &look);
  return look != NULL ? look : g_variant_ref_sink (g_variant_new ("a{sv}", NULL));
}

static GtkWindow *
get_window (NsExportActions *self)
{
  return GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self->timeline)));
}

static void
show_message (NsExportActions *self, const char *text)
{
  g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, text);
}

/* An action that waits until all rows are in the lanes; @path: (nullable): the file to write. */
typedef struct
{
  NsExportActions *self;
  void (*run) (NsExportActions *self, const char *path);
  char *path;
} Waiting;

static void
waiting_free (gpointer data, GClosure *closure)
{
  Waiting *waiting = data;

  g_free (waiting->path);
  g_free (waiting);
}

static void
stop_waiting (NsExportActions *self)
{
  g_clear_signal_handler (&self->waiting_id, self->timeline);
}

static void
sorted_cb (NsTimeline *timeline, Waiting *waiting)
{
  NsExportActions *self = waiting->self;
  void (*run) (NsExportActions * self, const char *path) = waiting->run;
  g_autofree char *path = g_strdup (waiting->path);

  /* Disconnecting frees @waiting. */
  stop_waiting (self);
  run (self, path);
}

/* Calls @run once all rows are sorted into lanes, since a picture of the timeline would be empty
 * before. A later call replaces one that still waits. */
static void
run_when_sorted (NsExportActions *self,
                 void (*run) (NsExportActions *self, const char *path),
                 const char *path)
{
  Waiting *waiting;

  stop_waiting (self);
  if (ns_timeline_is_sorted (self->timeline))
    {
      run (self, path);
      return;
    }
  waiting = g_new0 (Waiting, 1);
  waiting->self = self;
  waiting->run = run;
  waiting->path = g_strdup (path);
  self->waiting_id = g_signal_connect_data (self->timeline,
                                            "sorted",
                                            G_CALLBACK (sorted_cb),
                                            waiting,
                                            waiting_free,
                                            0);
  show_message (self, _ ("Continues as soon as all rows are sorted into lanes."));
}

static void
export_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsExportActions *self = data;
  g_autoptr (NsTableView) view = dup_view (self);
  g_autoptr (GVariant) look = NULL;

  if (view == NULL)
    return;
  look = dup_look (self);
  ns_export_dialog_show (get_window (self), self->session, view, self->timeline, look);
}

static void
written_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (NsExportActions) self = data;
  g_autoptr (GError) error = NULL;

  if (!ns_export_job_run_finish (NS_EXPORT_JOB (source), result, &error) && self->session != NULL)
    show_message (self, error->message);
}

static void
export_now (NsExportActions *self, const char *path)
{
  g_autoptr (NsTableView) view = dup_view (self);
  g_autoptr (GPtrArray) fields = NULL;
  g_autoptr (NsExportJob) job = NULL;
  g_autoptr (GVariant) look = NULL;
  NsSessionExport what = { 0 };

  if (view == NULL)
    return;
  what.table = ns_session_get_front (self->session);
  what.rows = ns_session_export_get_usual (self->session, what.table);
  what.fields = fields = ns_table_view_list_fields (view);
  what.view = look = dup_look (self);
  job = ns_export_dialog_job_new (self->session, self->timeline, &what, path);
  ns_export_job_run_async (job, path, NULL, written_cb, g_object_ref (self));
}

static void
export_to_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *path = g_variant_get_string (parameter, NULL);

  /* Reports contain a picture of the timeline. */
  if (ns_export_job_has_picture (path, NULL))
    run_when_sorted (data, export_now, path);
  else
    export_now (data, path);
}

static void
printed_cb (GObject *who, const GError *error)
{
  if (error != NULL)
    show_message (NS_EXPORT_ACTIONS (who), error->message);
}

static void
print_now (NsExportActions *self, const char *path)
{
  g_autoptr (NsTableView) view = dup_view (self);

  if (view == NULL)
    return;
  if (path == NULL)
    ns_print_sheet_run (get_window (self), self->session, self->timeline, view);
  else
    ns_print_sheet_save (G_OBJECT (self), self->session, self->timeline, view, path, printed_cb);
}

static void
picture_now (NsExportActions *self, const char *path)
{
  g_autoptr (GError) error = NULL;

  if (path == NULL)
    ns_print_sheet_ask_picture (get_window (self), self->timeline);
  else if (!ns_timeline_save_picture (self->timeline, path, &error))
    show_message (self, error->message);
}

static void
print_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  run_when_sorted (data, print_now, NULL);
}

/* Prints to a PDF file without a dialog, for tests and scripts. */
static void
print_to_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  run_when_sorted (data, print_now, g_variant_get_string (parameter, NULL));
}

static void
picture_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  run_when_sorted (data, picture_now, NULL);
}

static void
picture_to_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  run_when_sorted (data, picture_now, g_variant_get_string (parameter, NULL));
}

static const GActionEntry entries[] = {
  { "export", export_cb, NULL, NULL, NULL, { 0 } },
  { "export-to", export_to_cb, "s", NULL, NULL, { 0 } },
  { "print", print_cb, NULL, NULL, NULL, { 0 } },
  { "print-to", print_to_cb, "s", NULL, NULL, { 0 } },
  { "save-picture", picture_cb, NULL, NULL, NULL, { 0 } },
  { "save-picture-to", picture_to_cb, "s", NULL, NULL, { 0 } },
};

/**
 * ns_export_actions_get_actions:
 * @self: the actions
 *
 * Returns: (transfer none): the action map: `export`, `print` and `save-picture` ask for a file,
 * `export-to`, `print-to` and `save-picture-to` take its path as a parameter
 */
GActionMap *
ns_export_actions_get_actions (NsExportActions *self)
{
  g_return_val_if_fail (NS_IS_EXPORT_ACTIONS (self), NULL);

  return G_ACTION_MAP (self->actions);
}

/**
 * ns_export_actions_set_session:
 * @self: the actions
 * @session: (nullable): the session to export from; %NULL disables the actions
 */
void
ns_export_actions_set_session (NsExportActions *self, NsSession *session)
{
  guint i;

  g_return_if_fail (NS_IS_EXPORT_ACTIONS (self));

  g_set_object (&self->session, session);
  for (i = 0; i < G_N_ELEMENTS (entries); i++)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (
                                     g_action_map_lookup_action (G_ACTION_MAP (self->actions),
                                                                 entries[i].name)),
                                 session != NULL);
}

static void
ns_export_actions_dispose (GObject *object)
{
  NsExportActions *self = NS_EXPORT_ACTIONS (object);

  if (self->timeline != NULL)
    stop_waiting (self);
  g_clear_weak_pointer (&self->timeline);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ns_export_actions_parent_class)->dispose (object);
}

static void
ns_export_actions_finalize (GObject *object)
{
  g_object_unref (NS_EXPORT_ACTIONS (object)->actions);
  G_OBJECT_CLASS (ns_export_actions_parent_class)->finalize (object);
}

static void
ns_export_actions_class_init (NsExportActionsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ns_export_actions_dispose;
  object_class->finalize = ns_export_actions_finalize;
  /**
   * NsExportActions::look:
   * @self: the actions
   *
   * Asks for the view state of the trace, which is exported with it.
   *
   * Returns: (transfer full) (nullable): a dictionary
   */
  signals[SIGNAL_LOOK] = ns_signal_new (NS_TYPE_EXPORT_ACTIONS, "look", G_TYPE_VARIANT, 0);
  /**
   * NsExportActions::message:
   * @self: the actions
   * @text: the text of a transient message to the user
   */
  signals[SIGNAL_MESSAGE] =
      ns_signal_new (NS_TYPE_EXPORT_ACTIONS, "message", G_TYPE_NONE, 1, G_TYPE_STRING);
  /**
   * NsExportActions::view:
   * @self: the actions
   *
   * Asks for the view of the table in front.
   *
   * Returns: (transfer full) (nullable): an #NsTableView
   */
  signals[SIGNAL_VIEW] = ns_signal_new (NS_TYPE_EXPORT_ACTIONS, "view", NS_TYPE_TABLE_VIEW, 0);
}

static void
ns_export_actions_init (NsExportActions *self)
{
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions),
                                   entries,
                                   G_N_ELEMENTS (entries),
                                   self);
  ns_export_actions_set_session (self, NULL);
}

/**
 * ns_export_actions_new:
 * @timeline: the timeline that pages and pictures include
 *
 * Returns: (transfer full): actions without a session, which are disabled
 */
NsExportActions *
ns_export_actions_new (NsTimeline *timeline)
{
  NsExportActions *self = g_object_new (NS_TYPE_EXPORT_ACTIONS, NULL);

  g_set_weak_pointer (&self->timeline, timeline);
  return self;
}
