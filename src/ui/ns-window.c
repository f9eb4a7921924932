/* Main window, which shows one trace: its pages and its header bar.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-window-private.h"

#include "model/ns-session-findings.h"
#include "model/ns-trace-leave.h"
#include "ui/ns-accessible.h"
#include "ui/ns-application.h"
#include "ui/ns-file-ask.h"
#include "ui/ns-help.h"
#include "ui/ns-recent.h"
#include "ui/ns-settings.h"
#include "ui/ns-start-page.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>
#include <string.h>

G_DEFINE_FINAL_TYPE (NsWindow, ns_window, GTK_TYPE_APPLICATION_WINDOW)

/* Moves the message bars below the filter of the trace page, or above the other pages. */
static void
place_bars (NsWindow *self, gboolean has_filter)
{
  GtkWidget *wanted =
      has_filter ? GTK_WIDGET (self->trace_page) : gtk_widget_get_parent (self->pages);
  GtkWidget *bars = GTK_WIDGET (self->bars);
  GtkWidget *box = gtk_widget_get_parent (bars);

  if (box == wanted)
    return;
  g_object_ref (bars);
  gtk_box_remove (GTK_BOX (box), bars);
  if (has_filter)
    ns_trace_page_take_bars (self->trace_page, bars);
  else
    gtk_box_prepend (GTK_BOX (wanted), bars);
  g_object_unref (bars);
}

/* Returns whether a page is shown. */
gboolean
ns_window_is_on (NsWindow *self, const char *page)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (self->pages)), page) == 0;
}

/* Shows a page, and updates the actions for it. */
void
ns_window_show_page (NsWindow *self, const char *page)
{
  place_bars (self, strcmp (page, "trace") == 0);
  gtk_stack_set_visible_child_name (GTK_STACK (self->pages), page);
  ns_window_update_actions (self);
}

/* Shows why the file could not be opened. */
void
ns_window_show_error (NsWindow *self, const GError *error)
{
  g_autofree char *shown = ns_words_file (ns_window_get_file (self));
  g_autofree char *subtitle = g_strdup_printf (_ ("%s could not be opened"), shown);

  ns_error_page_show (self->error_page, ns_window_get_file (self), error);
  ns_head_bar_set_title (self->head, NULL);
  ns_head_bar_set_subtitle (self->head, subtitle);
  ns_window_show_page (self, "error");
}

/* Shows a message in the status bar, also as accessible name. */
void
ns_window_report (NsWindow *self, const char *text)
{
  ns_trace_page_report (self->trace_page, text);
}

/* Returns the name of the first file, and the number of files if there are several. */
static char *
dup_title (NsWindow *self)
{
  GFile *file = ns_case_files_get_first (self->files);
  g_autofree char *shown = file != NULL ? ns_words_file (file) : NULL;
  const NsTrace *trace = self->session != NULL ? ns_session_get_trace (self->session) : NULL;
  guint n_files = ns_case_files_get_n (self->files);
  g_autofree char *count = NULL;

  if (trace != NULL && trace->file != NULL && !ns_opening_is_busy (self->opening))
    n_files = ns_etl_file_get_n_inputs (trace->file);
  if (shown == NULL || n_files < 2)
    return g_steal_pointer (&shown);
  count = ns_words_count (n_files);
  /* Translators: the name of a file or folder, and how many files are read as one trace. */
  return g_strdup_printf (ngettext ("%s · %s file", "%s · %s files", n_files), shown, count);
}

/* Updates the title and the subtitle of the window. */
void
ns_window_update_title (NsWindow *self)
{
  g_autofree char *shown = dup_title (self);

  ns_head_bar_set_title (self->head, shown);
  gtk_window_set_title (GTK_WINDOW (self), shown != NULL ? shown : "Netstitch");
  if (self->session != NULL)
    ns_head_bar_describe (self->head,
                          self->session,
                          ns_panel_frame_is_narrow (ns_trace_page_get_frame (self->trace_page)));
  else if (shown == NULL)
    ns_head_bar_set_subtitle (self->head, NULL);
}

/* While more of the trace is read, the subtitle shows the progress. */
static void
front_changed_cb (NsWindow *self)
{
  if (!ns_opening_is_busy (self->opening))
    ns_window_update_title (self);
}

/* Stores the facts for the list of recent traces, once the trace is completely read and the rules
 * have run. */
static void
counted_cb (NsWindow *self)
{
  gboolean is_bad;
  guint n_found;

  if (ns_window_get_file (self) != NULL && !ns_opening_is_busy (self->opening) &&
      !ns_opening_has_part (self->opening) &&
      ns_session_count_findings (self->session, &n_found, &is_bad))
    ns_recent_remember (ns_window_get_file (self), self->session, n_found);
}

/* Releases the session. During a reload the follower keeps watching the file. */
static void
close_session (NsWindow *self, NsSessionChange turn)
{
  if (self->session == NULL)
    return;
  if (turn == NS_TABS_NEW)
    ns_accessible_drop_menus (GTK_WIDGET (self));
  ns_trace_page_set_session (self->trace_page, NULL, turn, FALSE);
  if (turn != NS_SESSION_RELOADED_SAME_FRONT)
    ns_follower_set_session (self->follower, NULL);
  ns_trace_info_set_session (self->info, NULL);
  ns_trace_leave (ns_session_get_trace (self->session));
  g_clear_object (&self->session);
  ns_session_history_set_session (self->history, NULL);
}

/* Shows a session in place of the previous one; (transfer full): @session. */
void
ns_window_show_session (NsWindow *self, NsSession *session, NsSessionChange turn)
{
  gboolean is_part = ns_opening_has_part (self->opening);
  gboolean is_busy = ns_opening_is_busy (self->opening);
  NsTableId front =
      self->session != NULL ? ns_session_get_front (self->session) : NS_TABLE_ACTIVITIES;

  close_session (self, turn);
  ns_session_set_front (session, front);
  self->session = session;
  g_signal_connect_object (session,
                           "notify::front",
                           G_CALLBACK (front_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
  ns_trace_info_set_session (self->info, session);
  ns_trace_page_set_session (self->trace_page, session, turn, is_part);
  ns_trace_page_set_reading (self->trace_page,
                             is_busy,
                             is_part && is_busy && !ns_opening_is_cancelled (self->opening));
  ns_window_update_title (self);
  ns_notice_bars_set_damage (self->bars, session);
  ns_window_show_page (self, "trace");
  ns_notice_bars_set_change (self->bars, NS_FILE_UNCHANGED);
  ns_follower_set_session (self->follower, session);
  if (turn == NS_SESSION_RELOADED_SAME_FRONT)
    return;
  ns_trace_page_restore_view (self->trace_page);
  ns_session_history_set_session (self->history, session);
  ns_trace_page_show_view (self->trace_page);
}

/**
 * ns_window_get_file:
 * @self: a window
 *
 * Returns: (transfer none) (nullable): the first file of the trace that is shown or being loaded
 */
GFile *
ns_window_get_file (NsWindow *self)
{
  return self->files != NULL ? ns_case_files_get_first (self->files) : NULL;
}

/**
 * ns_window_get_trace:
 * @self: a window
 *
 * Returns: (transfer none) (nullable): the trace that is shown; %NULL while loading
 */
NsTrace *
ns_window_get_trace (NsWindow *self)
{
  return self->session != NULL && !ns_opening_is_busy (self->opening)
             ? ns_session_get_trace (self->session)
             : NULL;
}

/* Returns the #NsOtherMachine of every window; (transfer container). */
static GPtrArray *
list_machines_cb (NsWindow *self)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  GPtrArray *machines = g_ptr_array_new ();
  GList *at = application != NULL ? gtk_application_get_windows (application) : NULL;

  for (; at != NULL; at = at->next)
    if (NS_IS_WINDOW (at->data) && NS_WINDOW (at->data)->machine != NULL)
      g_ptr_array_add (machines, NS_WINDOW (at->data)->machine);
  return machines;
}

static NsWindow *
find_window (NsWindow *self, GFile *file)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  GList *at = application != NULL ? gtk_application_get_windows (application) : NULL;

  for (; at != NULL; at = at->next)
    if (NS_IS_WINDOW (at->data) && at->data != (gpointer) self &&
        ns_window_get_trace (at->data) != NULL && ns_window_get_file (at->data) != NULL &&
        g_file_equal (ns_window_get_file (at->data), file))
      return at->data;
  return NULL;
}

/* Jumps to a place in another trace, in the window that shows it if there is one. */
static void
go_to_other_cb (NsWindow *self, GFile *file, const char *place)
{
  NsWindow *other = find_window (self, file);

  if (other != NULL)
    {
      gtk_window_present (GTK_WINDOW (other));
      gtk_widget_activate_action (GTK_WIDGET (other), "win.go-to-text", "s", place);
    }
  else
    {
      g_autofree char *uri = g_file_get_uri (file);

      g_action_group_activate_action (G_ACTION_GROUP (g_application_get_default ()),
                                      "open-at",
                                      g_variant_new ("(ss)", uri, place));
    }
}

static void
active_cb (NsWindow *self)
{
  if (self->machine != NULL)
    ns_other_machine_set_active (self->machine, gtk_window_is_active (GTK_WINDOW (self)));
}

/**
 * ns_window_take_pairing:
 * @self: a window
 * @pairing: a pairing of its trace with that of another machine
 * @file: the trace file of the other machine
 *
 * Shows a pairing that the user has made, with its clock offset, found or entered by the user.
 */
void
ns_window_take_pairing (NsWindow *self, NsPairing *pairing, GFile *file)
{
  ns_other_machine_take (self->machine, pairing, file);
}

/**
 * ns_window_ask_view:
 * @self: a window with a trace that is shown or being loaded
 * @view: (type GVariant): a dictionary of strings, all optional: `table`, `filter`, `sort`, `go`
 *
 * Applies a view to the trace, instead of the saved one.
 */
void
ns_window_ask_view (NsWindow *self, GVariant *view)
{
  NsGoTo *go_to = ns_trace_page_get_go_to (self->trace_page);

  ns_go_to_set_view (go_to, view);
  if (self->session != NULL && !ns_opening_is_busy (self->opening))
    ns_go_to_show_view (go_to);
}

/**
 * ns_window_is_empty:
 * @self: a window
 *
 * Returns: whether it shows no trace and loads none
 */
gboolean
ns_window_is_empty (NsWindow *self)
{
  return self->session == NULL && !ns_opening_is_busy (self->opening);
}

static void
open_chosen_cb (GtkFileChooser *chooser, gpointer data)
{
  g_autoptr (GListModel) files = gtk_file_chooser_get_files (chooser);
  g_autoptr (GPtrArray) chosen = g_ptr_array_new_with_free_func (g_object_unref);
  guint i;

  for (i = 0; i < g_list_model_get_n_items (files); i++)
    g_ptr_array_add (chosen, g_list_model_get_item (files, i));
  if (chosen->len > 0)
    g_application_open (g_application_get_default (),
                        (GFile **) chosen->pdata,
                        (int) chosen->len,
                        "");
}

/**
 * ns_window_add_filters:
 * @chooser: a file chooser for traces
 *
 * Adds the filters “Windows traces” and “All files”.
 */
void
ns_window_add_filters (GtkFileChooser *chooser)
{
  static const char *const suffixes[] = { "etl",   "zip",   "cab",  "7z",    "gz",
                                          "etlgz", "wpapk", "pcap", "pcapng" };
  g_autoptr (GtkFileFilter) traces = gtk_file_filter_new ();
  g_autoptr (GtkFileFilter) all = gtk_file_filter_new ();
  guint i;

  gtk_file_filter_set_name (traces, _ ("Windows traces"));
  gtk_file_filter_add_mime_type (traces, "application/x-etl");
  for (i = 0; i < G_N_ELEMENTS (suffixes); i++)
    gtk_file_filter_add_suffix (traces, suffixes[i]);
  gtk_file_filter_set_name (all, _ ("All files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_chooser_add_filter (chooser, traces);
  gtk_file_chooser_add_filter (chooser, all);
}

/**
 * ns_window_open_dialog:
 * @self: a window
 *
 * Shows a file chooser, and opens the chosen traces.
 */
void
ns_window_open_dialog (NsWindow *self)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_ ("Open Traces"),
                                                              GTK_WINDOW (self),
                                                              GTK_FILE_CHOOSER_ACTION_OPEN,
                                                              _ ("_Open"),
                                                              _ ("_Cancel"));

  ns_window_add_filters (GTK_FILE_CHOOSER (dialog));
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (dialog), TRUE);
  ns_file_ask (dialog, open_chosen_cb, NULL);
}

static void
dropped_cb (NsWindow *self, GPtrArray *files)
{
  g_application_open (g_application_get_default (), (GFile **) files->pdata, (int) files->len, "");
}

/* Stores the window size and whether the panel is shown. */
static void
save_size (NsWindow *self)
{
  GSettings *settings = ns_settings_get ();
  NsPanelFrame *frame = ns_trace_page_get_frame (self->trace_page);
  int width;
  int height;

  if (settings == NULL)
    return;
  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  g_settings_set (settings, "window-size", "(ii)", width, height);
  g_settings_set_boolean (settings,
                          "window-maximized",
                          gtk_window_is_maximized (GTK_WINDOW (self)));
  g_settings_set_boolean (settings, "panel-shown", ns_panel_frame_is_panel_wanted (frame));
}

/* Sets the window size and the panel of a new window from the settings. */
static void
restore_size (NsWindow *self)
{
  GSettings *settings = ns_settings_get ();
  int width = 1400;
  int height = 900;

  if (settings != NULL)
    {
      g_settings_get (settings, "window-size", "(ii)", &width, &height);
      if (g_settings_get_boolean (settings, "window-maximized"))
        gtk_window_maximize (GTK_WINDOW (self));
    }
  gtk_window_set_default_size (GTK_WINDOW (self), MAX (width, 600), MAX (height, 400));
  ns_trace_page_set_initial_layout (self->trace_page,
                                    width,
                                    height,
                                    settings == NULL ||
                                        g_settings_get_boolean (settings, "panel-shown"));
}

static gboolean
ns_window_close_request (GtkWindow *window)
{
  NsWindow *self = NS_WINDOW (window);

  ns_opening_cancel (self->opening);
  save_size (self);
  ns_load_notice_withdraw (self->notice);
  return GTK_WINDOW_CLASS (ns_window_parent_class)->close_request (window);
}

static void
ns_window_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  NsWindow *self = NS_WINDOW (widget);

  GTK_WIDGET_CLASS (ns_window_parent_class)->size_allocate (widget, width, height, baseline);
  ns_panel_frame_fit (ns_trace_page_get_frame (self->trace_page), width);
}

static void
ns_window_dispose (GObject *object)
{
  NsWindow *self = NS_WINDOW (object);

  if (self->trace_page != NULL)
    close_session (self, NS_TABS_NEW);
  g_clear_object (&self->machine);
  g_clear_object (&self->history);
  g_clear_object (&self->notice);
  g_clear_object (&self->follower);
  g_clear_object (&self->files);
  G_OBJECT_CLASS (ns_window_parent_class)->dispose (object);
}

static void
ns_window_finalize (GObject *object)
{
  NsWindow *self = NS_WINDOW (object);

  g_signal_handlers_disconnect_by_data (self->opening, self);
  g_object_unref (self->opening);
  G_OBJECT_CLASS (ns_window_parent_class)->finalize (object);
}

static void
ns_window_class_init (NsWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ns_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = ns_window_finalize;
  widget_class->size_allocate = ns_window_size_allocate;
  GTK_WINDOW_CLASS (klass)->close_request = ns_window_close_request;
  g_type_ensure (NS_TYPE_DROP_FRAME);
  g_type_ensure (NS_TYPE_ERROR_PAGE);
  g_type_ensure (NS_TYPE_HEAD_BAR);
  g_type_ensure (NS_TYPE_NOTICE_BARS);
  g_type_ensure (NS_TYPE_START_PAGE);
  g_type_ensure (NS_TYPE_TRACE_INFO);
  g_type_ensure (NS_TYPE_TRACE_PAGE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/netstitch/Netstitch/ns-window.ui");
  gtk_widget_class_bind_template_child (widget_class, NsWindow, head);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, drop_frame);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, bars);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, pages);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, error_page);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, trace_page);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, info);
}

static void
show_trace_cb (NsWindow *self)
{
  if (self->session != NULL && !ns_window_is_on (self, "trace"))
    ns_window_show_page (self, "trace");
}

static void
fitted_cb (NsWindow *self)
{
  NsPanelFrame *frame = ns_trace_page_get_frame (self->trace_page);

  ns_head_bar_set_tight (self->head, ns_panel_frame_is_tight (frame));
  if (self->session != NULL)
    ns_window_update_title (self);
}

static void
connect_parts (NsWindow *self)
{
  const struct
  {
    gpointer part;
    const char *signal;
    GCallback callback;
  } connections[] = {
    { self->head, "menu-closed", G_CALLBACK (ns_window_restore_focus) },
    { self->drop_frame, "dropped", G_CALLBACK (dropped_cb) },
    { self->trace_page, "changed", G_CALLBACK (ns_window_update_actions) },
    { self->trace_page, "show-page", G_CALLBACK (show_trace_cb) },
    { self->trace_page, "counted", G_CALLBACK (counted_cb) },
    { self->trace_page, "fitted", G_CALLBACK (fitted_cb) },
    { self->trace_page, "menu-closed", G_CALLBACK (ns_window_restore_focus) },
    { self->trace_page, "go", G_CALLBACK (go_to_other_cb) },
    { self->history, "changed", G_CALLBACK (ns_window_update_actions) },
    { self->machine, "list", G_CALLBACK (list_machines_cb) },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (connections); i++)
    g_signal_connect_object (connections[i].part,
                             connections[i].signal,
                             connections[i].callback,
                             self,
                             G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::is-active", G_CALLBACK (active_cb), NULL);
  g_object_bind_property (ns_trace_page_get_playback_bar (self->trace_page),
                          "turning",
                          self->history,
                          "paused",
                          G_BINDING_DEFAULT);
  g_object_bind_property (ns_notice_bars_get_load_bar (self->bars),
                          "page-text",
                          gtk_stack_get_child_by_name (GTK_STACK (self->pages), "loading"),
                          "label",
                          G_BINDING_SYNC_CREATE);
}

static void
ns_window_init (NsWindow *self)
{
  GtkWidget *start_page;

  self->files = ns_case_files_new ();
  self->history = ns_session_history_new ();
  ns_window_add_opening (self);
  self->machine = ns_other_machine_new (self->opening, self->files);
  gtk_widget_init_template (GTK_WIDGET (self));
  ns_trace_page_add_machine (self->trace_page, self->machine, GTK_WIDGET (self));
  connect_parts (self);
  ns_drop_frame_watch (self->drop_frame, GTK_WIDGET (self));
  start_page = gtk_stack_get_child_by_name (GTK_STACK (self->pages), "start");
  ns_help_set_page (start_page, "record");
  ns_help_set_page (GTK_WIDGET (self->info), "health");
  restore_size (self);
  ns_window_add_actions (self);
  self->notice = ns_load_notice_new (GTK_APPLICATION_WINDOW (self));
  ns_window_show_page (self, "start");
}

/**
 * ns_window_new:
 * @application: the application
 *
 * Returns: (transfer none): an empty window
 */
NsWindow *
ns_window_new (GtkApplication *application)
{
  NsWindow *self =
      g_object_new (NS_TYPE_WINDOW, "application", application, "show-menubar", FALSE, NULL);
  const char *config_problems =
      NS_IS_APPLICATION (application)
          ? ns_application_get_config_problems (NS_APPLICATION (application))
          : "";

  ns_notice_bars_set_config_problems (self->bars, config_problems);
  return self;
}
