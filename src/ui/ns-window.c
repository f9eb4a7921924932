/* The window of one trace: opens it, shows it, and says what went wrong.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-moment.h"
#include "model/ns-trace-leave.h"
#include "ui/ns-accessible.h"
#include "ui/ns-application.h"
#include "ui/ns-file-ask.h"
#include "ui/ns-finding-words.h"
#include "ui/ns-help.h"
#include "ui/ns-settings.h"
#include "ui/ns-split.h"
#include "ui/ns-theme.h"
#include "ui/ns-window-private.h"
#include "ui/ns-words.h"
#include "ui/sheets/ns-damage-sheet.h"

#include <glib/gi18n.h>

G_DEFINE_FINAL_TYPE (NsWindow, ns_window, GTK_TYPE_APPLICATION_WINDOW)

/* What the window has to say stands below the filter of a trace, so that nothing above the rows
 * moves when it comes and goes; on other pages it stands above them.
 */
static void
place_bars (NsWindow *self, gboolean has_filter)
{
  GtkWidget *wanted = has_filter ? self->trace_box : self->page_box;
  GtkWidget *bars = GTK_WIDGET (self->bars);
  GtkWidget *box = gtk_widget_get_parent (bars);

  if (box == wanted)
    return;
  g_object_ref (bars);
  gtk_box_remove (GTK_BOX (box), bars);
  gtk_box_insert_child_after (GTK_BOX (wanted),
                              bars,
                              has_filter ? GTK_WIDGET (self->crumb_bar) : NULL);
  g_object_unref (bars);
}

/* Shows a page; what belongs to an open trace only is shown with it. */
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

/* A passing word in the status bar, also for those who listen. */
void
ns_window_say (NsWindow *self, const char *text)
{
  ns_status_bar_say (self->status_bar, text);
}

/* The name of the file, or of the first of several, and how many there are. */
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

/* What the head of the window says. */
void
ns_window_update_title (NsWindow *self)
{
  g_autofree char *shown = dup_title (self);

  ns_head_bar_set_title (self->head, shown);
  gtk_window_set_title (GTK_WINDOW (self), shown != NULL ? shown : "Netstitch");
  if (self->session != NULL)
    ns_head_bar_describe (self->head, self->session, ns_panel_frame_is_narrow (self->panel_frame));
  else if (shown == NULL)
    ns_head_bar_set_subtitle (self->head, NULL);
}

/* What the status bar says of selected findings and events, which have no sums. */
static char *
describe_cb (NsWindow *self, guint n_rows)
{
  if (ns_window_get_front (self) == NS_TABLE_FINDINGS)
    return ns_finding_words_sums (self->session, n_rows);
  if (n_rows > 0 && (ns_window_get_front (self) == NS_TABLE_EVENTS ||
                     ns_window_get_front (self) == NS_TABLE_PACKETS))
    return ns_window_dup_event_sums (self, n_rows);
  return NULL;
}

static void
selection_changed_cb (NsWindow *self)
{
  ns_window_update_parts (self);
  ns_window_update_actions (self);
}

static void
moment_changed_cb (NsWindow *self)
{
  ns_timeline_set_moment (NS_TIMELINE (self->timeline), ns_session_get_moment (self->session));
}

static void
rows_changed_cb (NsWindow *self, guint table)
{
  const char *given_up = ns_session_get_given_up (self->session, (NsTableId) table);

  /* A playback changes all tables ten times a second. */
  if (ns_playback_bar_is_active (self->playback_bar) && table != ns_window_get_front (self))
    {
      ns_window_update_tab (self, (NsTableId) table);
      return;
    }
  if (table == NS_TABLE_ACTIVITIES)
    ns_window_update_pairs (self, TRUE);
  ns_window_update_counts (self);
  ns_window_update_actions (self);
  if (given_up != NULL && table == ns_window_get_front (self))
    ns_window_say (self, given_up);
}

static NsTableView *
find_view_cb (NsWindow *self)
{
  NsTableView *view = ns_window_ensure_table (self, ns_window_get_front (self));

  return view != NULL ? g_object_ref (view) : NULL;
}

static void
found_cb (NsWindow *self)
{
  NsFinder *finder = ns_find_bar_get_finder (self->find_bar);

  ns_window_update_actions (self);
  if (self->session == NULL)
    return;
  ns_timeline_set_found (NS_TIMELINE (self->timeline),
                         ns_finder_get_times (finder),
                         ns_finder_get_table (finder) == NS_TABLE_ACTIVITIES
                             ? ns_finder_get_hits (finder)
                             : NULL);
}

static void
playback_active_cb (NsWindow *self)
{
  ns_window_update_parts (self);
  ns_window_update_actions (self);
}

static void
close_session (NsWindow *self)
{
  if (self->session == NULL)
    return;
  ns_accessible_drop_menus (GTK_WIDGET (self));
  ns_find_bar_set_session (self->find_bar, NULL);
  ns_filter_bar_set_session (self->filter_bar, NULL);
  ns_finding_line_set_session (self->finding_line, NULL);
  ns_crumb_bar_set_session (self->crumb_bar, NULL);
  ns_playback_bar_set_session (self->playback_bar, NULL);
  ns_window_drop_pairs (self);
  ns_window_save_view (self);
  g_clear_pointer (&self->view_key, g_free);
  if (!self->is_swapping)
    ns_follower_set_session (self->follower, NULL);
  g_signal_handlers_disconnect_by_data (self->session, self);
  /* The end of a playback has rows summed up, too. */
  ns_status_bar_set_session (self->status_bar, NULL);
  ns_trace_tabs_set_session (self->tabs, NULL, NS_TABS_NEW);
  ns_timeline_set_session (NS_TIMELINE (self->timeline), NULL);
  ns_details_panel_set_session (NS_DETAILS_PANEL (self->panel), NULL);
  ns_flame_actions_set_session (self->call_tree, NULL);
  ns_trace_info_set_session (NS_TRACE_INFO (self->info), NULL);
  ns_trace_leave (ns_session_get_trace (self->session));
  g_clear_object (&self->session);
  ns_session_history_set_session (self->history, NULL);
  ns_go_to_set_session (self->go_to, NULL);
  ns_table_actions_set_session (self->table_actions, NULL);
  ns_preset_actions_set_session (self->preset_actions, NULL);
  ns_export_actions_set_session (self->export_actions, NULL);
  ns_timeline_actions_set_session (self->timeline_actions, NULL);
}

/* Shows a trace in place of the one before. */
void
ns_window_show_session (NsWindow *self, NsSession *session)
{
  NsTableId front = ns_window_get_front (self);

  close_session (self);
  self->session = session;
  ns_session_set_front (session, front);
  ns_playback_bar_set_session (self->playback_bar, session);
  ns_find_bar_set_session (self->find_bar, session);
  g_signal_connect_swapped (session, "selection-changed", G_CALLBACK (selection_changed_cb), self);
  g_signal_connect_swapped (session, "rows-changed", G_CALLBACK (rows_changed_cb), self);
  g_signal_connect_swapped (session, "moment-changed", G_CALLBACK (moment_changed_cb), self);
  g_signal_connect_swapped (session, "spans-changed", G_CALLBACK (ns_window_update_actions), self);
  g_signal_connect_swapped (session,
                            "conditions-changed",
                            G_CALLBACK (ns_window_update_actions),
                            self);
  g_signal_connect_swapped (session, "show-table", G_CALLBACK (ns_window_show_table), self);
  ns_timeline_set_session (NS_TIMELINE (self->timeline), session);
  ns_timeline_set_reading (NS_TIMELINE (self->timeline), ns_opening_is_busy (self->opening));
  ns_details_panel_set_session (NS_DETAILS_PANEL (self->panel), session);
  ns_flame_actions_set_session (self->call_tree, session);
  ns_trace_info_set_session (NS_TRACE_INFO (self->info), session);
  ns_window_build_tables (self);
  ns_filter_bar_set_session (self->filter_bar, session);
  ns_finding_line_set_session (self->finding_line, session);
  ns_crumb_bar_set_session (self->crumb_bar, session);
  ns_go_to_set_session (self->go_to, session);
  ns_table_actions_set_session (self->table_actions, session);
  ns_preset_actions_set_session (self->preset_actions, session);
  ns_export_actions_set_session (self->export_actions, session);
  ns_timeline_actions_set_session (self->timeline_actions, session);
  ns_crumb_bar_set_reading (self->crumb_bar,
                            ns_opening_has_part (self->opening) &&
                                ns_opening_is_busy (self->opening) &&
                                !ns_opening_is_cancelled (self->opening));
  ns_window_update_title (self);
  ns_window_show_damage (self);
  selection_changed_cb (self);
  ns_window_show_page (self, "trace");
  ns_window_watch_session (self);
  if (self->is_swapping)
    return;
  ns_window_restore_view (self);
  ns_session_history_set_session (self->history, session);
  if (!gtk_widget_grab_focus (self->timeline))
    gtk_widget_child_focus (GTK_WIDGET (self->tabs), GTK_DIR_TAB_FORWARD);
  ns_go_to_show_view (self->go_to);
}

/**
 * ns_window_get_file:
 * @self: a window
 *
 * Returns: (transfer none) (nullable): what it shows or opens
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
 * Returns: (transfer none) (nullable): what it shows, once all of it was read
 */
NsTrace *
ns_window_get_trace (NsWindow *self)
{
  return self->session != NULL && !ns_opening_is_busy (self->opening)
             ? ns_session_get_trace (self->session)
             : NULL;
}

/**
 * ns_window_ask_view:
 * @self: a window that shows or opens a trace
 * @view: (type GVariant): texts by name: `table`, `filter`, `sort`, `go`; none need be there
 *
 * Looks at the trace so, instead of as it was looked at the last time.
 */
void
ns_window_ask_view (NsWindow *self, GVariant *view)
{
  ns_go_to_set_view (self->go_to, view);
  if (self->session != NULL && !ns_opening_is_busy (self->opening))
    ns_go_to_show_view (self->go_to);
}

/**
 * ns_window_is_empty:
 * @self: a window
 *
 * Returns: whether a trace may be opened in it
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
 * @chooser: asks for a trace
 *
 * Has it offer traces, unless the user wants all files.
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
 * Asks for traces and opens them.
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

static gboolean
ns_window_close_request (GtkWindow *window)
{
  NsWindow *self = NS_WINDOW (window);

  ns_opening_cancel (self->opening);
  ns_window_save_size (self);
  ns_load_notice_withdraw (self->notice);
  return GTK_WINDOW_CLASS (ns_window_parent_class)->close_request (window);
}

static void
ns_window_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  NsWindow *self = NS_WINDOW (widget);

  GTK_WIDGET_CLASS (ns_window_parent_class)->size_allocate (widget, width, height, baseline);
  ns_panel_frame_fit (self->panel_frame, width);
}

static void
ns_window_dispose (GObject *object)
{
  NsWindow *self = NS_WINDOW (object);

  if (self->timeline != NULL)
    close_session (self);
  ns_window_free_pairs (self);
  g_clear_object (&self->history);
  g_clear_object (&self->notice);
  g_clear_object (&self->follower);
  g_clear_object (&self->call_tree);
  g_clear_object (&self->go_to);
  g_clear_object (&self->export_actions);
  g_clear_object (&self->preset_actions);
  g_clear_object (&self->table_actions);
  g_clear_object (&self->timeline_actions);
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
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, NsWindow, head);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, pages);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, start_page);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, damage_sheet);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, error_page);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, filter_bar);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, crumb_bar);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, find_bar);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, columns_button);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, page_box);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, bars);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, trace_box);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, panel_frame);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, main_paned);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, timeline);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, timeline_scrollbar);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, hidden_lanes);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, finding_line);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, tabs);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, panel);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, info);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, drop_frame);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, playback_bar);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, status_bar);
}

static void
ns_window_class_init (NsWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ns_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = ns_window_finalize;
  widget_class->size_allocate = ns_window_size_allocate;
  GTK_WINDOW_CLASS (klass)->close_request = ns_window_close_request;
  g_type_ensure (NS_TYPE_CRUMB_BAR);
  g_type_ensure (NS_TYPE_DROP_FRAME);
  g_type_ensure (NS_TYPE_ERROR_PAGE);
  g_type_ensure (NS_TYPE_FILTER_BAR);
  g_type_ensure (NS_TYPE_FIND_BAR);
  g_type_ensure (NS_TYPE_FINDING_LINE);
  g_type_ensure (NS_TYPE_HEAD_BAR);
  g_type_ensure (NS_TYPE_NOTICE_BARS);
  g_type_ensure (NS_TYPE_PANEL_FRAME);
  g_type_ensure (NS_TYPE_PLAYBACK_BAR);
  g_type_ensure (NS_TYPE_START_PAGE);
  g_type_ensure (NS_TYPE_STATUS_BAR);
  g_type_ensure (NS_TYPE_SPLIT);
  g_type_ensure (NS_TYPE_TIMELINE);
  g_type_ensure (NS_TYPE_TRACE_TABS);
  g_type_ensure (NS_TYPE_DETAILS_PANEL);
  g_type_ensure (NS_TYPE_TRACE_INFO);
  g_type_ensure (NS_TYPE_DAMAGE_SHEET);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/netstitch/Netstitch/ns-window.ui");
  bind_children (widget_class);
}

static void
timeline_menu_cb (NsWindow *self, double x, double y)
{
  ns_table_actions_popup_menu (self->table_actions, self->timeline, x, y);
}

static void
timeline_activated_cb (NsWindow *self)
{
  gtk_widget_set_visible (self->panel, TRUE);
  ns_window_update_actions (self);
}

static NsTableView *
any_view_cb (NsWindow *self, guint table, gboolean is_needed)
{
  NsTableView *view = is_needed ? ns_window_ensure_table (self, (NsTableId) table)
                                : ns_window_peek_table (self, (NsTableId) table);

  return view != NULL ? g_object_ref (view) : NULL;
}

static void
connect_to (gpointer part, const char *signal, GCallback callback, gpointer object)
{
  g_signal_connect_object (part, signal, callback, object, G_CONNECT_SWAPPED);
}

/* What is no widget, and knows the session only. */
static void
add_parts (NsWindow *self)
{
  NsTimeline *timeline = NS_TIMELINE (self->timeline);

  connect_to (self->finding_line, "filter", G_CALLBACK (ns_filter_bar_set_text), self->filter_bar);
  connect_to (self->finding_line, "message", G_CALLBACK (ns_window_say), self);
  self->go_to = ns_go_to_new ();
  connect_to (self->go_to, "filter", G_CALLBACK (ns_filter_bar_set_text), self->filter_bar);
  connect_to (self->go_to, "found", G_CALLBACK (ns_find_bar_find_matching), self->find_bar);
  connect_to (self->go_to, "hold-time", G_CALLBACK (ns_timeline_hold_time), timeline);
  connect_to (self->go_to, "message", G_CALLBACK (ns_window_say), self);
  self->export_actions = ns_export_actions_new (timeline);
  connect_to (self->export_actions, "look", G_CALLBACK (ns_window_make_view), self);
  connect_to (self->export_actions, "message", G_CALLBACK (ns_window_say), self);
  connect_to (self->export_actions, "view", G_CALLBACK (find_view_cb), self);
  self->preset_actions = ns_preset_actions_new (timeline);
  connect_to (self->preset_actions, "message", G_CALLBACK (ns_window_say), self);
  connect_to (self->preset_actions, "view", G_CALLBACK (any_view_cb), self);
  self->table_actions = ns_table_actions_new ();
  connect_to (self->table_actions, "menu-closed", G_CALLBACK (ns_window_row_menu_closed), self);
  connect_to (self->table_actions, "message", G_CALLBACK (ns_window_say), self);
  connect_to (self->table_actions, "view", G_CALLBACK (find_view_cb), self);
  self->timeline_actions = ns_timeline_actions_new (timeline);
  connect_to (self->timeline_actions, "message", G_CALLBACK (ns_window_say), self);
  self->history = ns_session_history_new ();
  g_object_bind_property (self->playback_bar,
                          "turning",
                          self->history,
                          "paused",
                          G_BINDING_DEFAULT);
  connect_to (self->history, "changed", G_CALLBACK (ns_window_update_actions), self);
}

static void
ns_window_init (NsWindow *self)
{
  ns_window_add_opening (self);
  gtk_widget_init_template (GTK_WIDGET (self));
  self->load_bar = ns_notice_bars_get_load_bar (self->bars);
  g_object_bind_property (self->load_bar,
                          "page-text",
                          gtk_stack_get_child_by_name (GTK_STACK (self->pages), "loading"),
                          "label",
                          G_BINDING_SYNC_CREATE);
  gtk_scrollbar_set_adjustment (GTK_SCROLLBAR (self->timeline_scrollbar),
                                ns_timeline_get_adjustment (NS_TIMELINE (self->timeline)));
  g_signal_connect_swapped (self->timeline, "menu", G_CALLBACK (timeline_menu_cb), self);
  g_signal_connect_swapped (self->timeline, "activated", G_CALLBACK (timeline_activated_cb), self);
  g_signal_connect_swapped (self->find_bar, "view", G_CALLBACK (find_view_cb), self);
  g_signal_connect_swapped (self->find_bar, "changed", G_CALLBACK (found_cb), self);
  g_signal_connect_swapped (self->playback_bar,
                            "notify::active",
                            G_CALLBACK (playback_active_cb),
                            self);
  g_signal_connect_swapped (self->playback_bar, "limited", G_CALLBACK (ns_window_update_tab), self);
  g_signal_connect_swapped (self->playback_bar, "message", G_CALLBACK (ns_window_say), self);
  g_signal_connect_swapped (self->status_bar, "describe", G_CALLBACK (describe_cb), self);
  g_signal_connect_swapped (self->filter_bar, "message", G_CALLBACK (ns_window_say), self);
  add_parts (self);
  g_signal_connect_swapped (self->head,
                            "menu-closed",
                            G_CALLBACK (ns_window_bring_keyboard_back),
                            self);
  ns_drop_frame_watch (self->drop_frame, GTK_WIDGET (self));
  g_signal_connect_swapped (self->drop_frame, "dropped", G_CALLBACK (dropped_cb), self);
  ns_help_set_page (self->start_page, "record");
  ns_help_set_page (self->timeline, "timeline");
  ns_help_set_page (self->panel, "details");
  ns_help_set_page (self->info, "health");
  ns_window_restore_size (self);
  ns_window_add_actions (self);
  self->notice = ns_load_notice_new (GTK_APPLICATION_WINDOW (self));
  ns_window_show_page (self, "start");
}

/**
 * ns_window_new:
 * @application: the program
 *
 * Returns: (transfer none): an empty window
 */
NsWindow *
ns_window_new (GtkApplication *application)
{
  NsWindow *self =
      g_object_new (NS_TYPE_WINDOW, "application", application, "show-menubar", FALSE, NULL);
  const char *wrong = NS_IS_APPLICATION (application)
                          ? ns_application_get_wrong (NS_APPLICATION (application))
                          : "";

  ns_notice_bars_set_wrong (self->bars, wrong);
  return self;
}
