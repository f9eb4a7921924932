/* The window of one trace: opens it, shows it, and says what went wrong.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-moment.h"
#include "model/ns-trace-leave.h"
#include "ui/ns-application.h"
#include "ui/ns-file-ask.h"
#include "ui/ns-finding-words.h"
#include "ui/ns-help.h"
#include "ui/ns-settings.h"
#include "ui/ns-split.h"
#include "ui/ns-spoken.h"
#include "ui/ns-theme.h"
#include "ui/ns-window-private.h"
#include "ui/ns-words.h"
#include "ui/sheets/ns-damage-sheet.h"

#include <glib/gi18n.h>

/* So many rows are summed up before anybody notices. */
#define FEW_ROWS 20000

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
  g_autofree char *shown = ns_words_file (self->file);
  g_autofree char *subtitle = g_strdup_printf (_ ("%s could not be opened"), shown);

  ns_error_page_show (self->error_page, self->file, error);
  gtk_label_set_text (GTK_LABEL (self->title), "Netstitch");
  gtk_label_set_text (GTK_LABEL (self->subtitle), subtitle);
  ns_window_show_page (self, "error");
}

/* A passing word in the status bar, also for those who listen. */
void
ns_window_say (NsWindow *self, const char *text)
{
  gtk_label_set_text (GTK_LABEL (self->sums), text);
  /* Sums have no place below a call tree, words have. */
  gtk_widget_set_visible (self->sums, TRUE);
  ns_spoken_set_name (GTK_WIDGET (self->sums), text);
}

/* How long the trace is; of one that was cut, how much of that could be read. */
static char *
dup_length (NsSession *session)
{
  const NsDamage *damage = ns_session_get_damage (session);
  g_autofree char *end = ns_words_seconds (damage->end_ns);

  if (damage->end_ns <= damage->read_end_ns)
    return g_steal_pointer (&end);
  /* Translators: seconds that could be read of a damaged trace, and how long it was. */
  return g_strdup_printf (_ ("%.2f of %s"),
                          (double) damage->read_end_ns / (double) NS_PER_SECOND,
                          end);
}

/* The name of the file, or of the first of several, and how many there are. */
static char *
dup_title (NsWindow *self)
{
  g_autofree char *shown = self->file != NULL ? ns_words_file (self->file) : NULL;
  const NsTrace *trace = self->session != NULL ? ns_session_get_trace (self->session) : NULL;
  guint n_files = self->beside->len + 1;
  g_autofree char *count = NULL;

  if (trace != NULL && trace->file != NULL && self->loading == NULL)
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

  gtk_label_set_text (GTK_LABEL (self->title), shown != NULL ? shown : "Netstitch");
  gtk_window_set_title (GTK_WINDOW (self), shown != NULL ? shown : "Netstitch");
  if (self->session != NULL)
    {
      NsTrace *trace = ns_session_get_trace (self->session);
      g_autofree char *length = dup_length (self->session);
      g_autofree char *n_rows = ns_words_count (trace->activities->len);
      const NsEtlHeader *header = trace->file != NULL ? ns_etl_file_get_header (trace->file) : NULL;
      g_autofree char *text =
          g_strdup_printf (ngettext ("%s · %s row", "%s · %s rows", trace->activities->len),
                           length,
                           n_rows);
      g_autofree char *with_build =
          header != NULL && header->os_build != 0 && !ns_panel_frame_is_narrow (self->panel_frame)
              ? g_strdup_printf (_ ("%s · Windows build %u"), text, header->os_build)
              : g_strdup (text);

      if (trace->is_incomplete || ns_session_get_damage (self->session)->is_cut)
        {
          /* Translators: at the end of what the head of the window says of a trace. */
          g_autofree char *part = g_strdup_printf (_ ("%s · incomplete"), with_build);

          gtk_label_set_text (GTK_LABEL (self->subtitle), part);
        }
      else
        gtk_label_set_text (GTK_LABEL (self->subtitle), with_build);
    }
  else if (shown == NULL)
    gtk_label_set_text (GTK_LABEL (self->subtitle), _ ("No trace open"));
}

/* How many rows are selected is read first; what they come to stands behind wider spaces. */
static void
show_first_bold (NsWindow *self, const char *text)
{
  const char *found = strstr (text, "   ");
  const char *rest = found != NULL ? found : text + strlen (text);
  g_autofree char *first = g_strndup (text, (gsize) (rest - text));
  g_autofree char *markup = NULL;

  markup = g_markup_printf_escaped ("<b>%s</b>%s", first, rest);
  gtk_label_set_markup (GTK_LABEL (self->sums), markup);
}

/* What is selected in the table in front. */
static char *
dup_front_sums (NsWindow *self, const NsSessionSums *sums)
{
  if (self->table == NS_TABLE_FINDINGS)
    return ns_finding_words_sums (self->session, sums->n_rows);
  if (sums->n_rows > 0 && (self->table == NS_TABLE_EVENTS || self->table == NS_TABLE_PACKETS))
    return ns_window_dup_event_sums (self, sums->n_rows);
  return ns_words_sums (sums);
}

/* Sums are those of the table in front; of rows of another one it is said where they are. */
static void
show_sums (NsWindow *self, const NsSessionSums *sums)
{
  NsTableId table = ns_session_get_selected_table (self->session);
  gboolean is_elsewhere = sums->n_rows > 0 && table != self->table;
  const NsSessionSums none = { 0 };
  g_autofree char *text = dup_front_sums (self, is_elsewhere ? &none : sums);

  if (is_elsewhere)
    {
      g_autofree char *front = g_steal_pointer (&text);
      g_autofree char *where = ns_words_selected_in (sums->n_rows, _ (ns_table_get_title (table)));

      text = g_strconcat (front, "   ", where, NULL);
    }
  ns_window_say (self, text);
  if (sums->n_rows > 0)
    show_first_bold (self, text);
  gtk_widget_set_visible (self->sums,
                          self->call_tree == NULL || !ns_flame_actions_is_shown (self->call_tree));
}

static void
stop_summing (NsWindow *self)
{
  self->is_sum_old = FALSE;
  g_cancellable_cancel (self->summing);
  g_clear_object (&self->summing);
}

static void
summed_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (NsWindow) self = data;
  NsSessionSums sums;

  if (!ns_session_get_sums_finish (NS_SESSION (source), result, &sums, NULL))
    return;
  g_clear_object (&self->summing);
  show_sums (self, &sums);
  if (self->is_sum_old)
    ns_window_update_sums (self);
}

/* Sums of many rows are shown when they are there. */
void
ns_window_update_sums (NsWindow *self)
{
  NsSessionSums sums = { 0 };

  stop_summing (self);
  if (ns_session_get_selected (self->session)->len > FEW_ROWS)
    {
      self->summing = g_cancellable_new ();
      ns_session_get_sums_async (self->session, self->summing, summed_cb, g_object_ref (self));
      return;
    }
  ns_session_get_sums (self->session, &sums);
  show_sums (self, &sums);
}

static void
selection_changed_cb (NsWindow *self)
{
  NsSessionSums sums = { .n_rows = ns_session_get_selected (self->session)->len };

  if (sums.n_rows > FEW_ROWS)
    show_sums (self, &sums);
  ns_window_update_sums (self);
  ns_window_update_parts (self);
  ns_window_update_actions (self);
}

/* What is selected may have come to its end meanwhile; words that pass are left alone otherwise.
 * Sums of many rows take longer than a moment of a playback: they are waited for. */
static void
moment_changed_cb (NsWindow *self)
{
  ns_timeline_set_moment (NS_TIMELINE (self->timeline), ns_session_get_moment (self->session));
  if (self->summing != NULL)
    self->is_sum_old = TRUE;
  else if (ns_session_get_selected (self->session)->len > 0)
    ns_window_update_sums (self);
}

static void
rows_changed_cb (NsWindow *self, guint table)
{
  const char *given_up = ns_session_get_given_up (self->session, (NsTableId) table);

  /* A playback changes all tables ten times a second. */
  if (ns_playback_bar_is_active (self->playback_bar) && table != self->table)
    {
      ns_window_update_tab (self, (NsTableId) table);
      return;
    }
  if (table == NS_TABLE_ACTIVITIES)
    ns_window_update_pairs (self, TRUE);
  ns_window_update_counts (self);
  ns_window_update_actions (self);
  if (given_up != NULL && table == self->table)
    ns_window_say (self, given_up);
}

static NsTableView *
find_view_cb (NsWindow *self)
{
  NsTableView *view = ns_window_ensure_table (self, self->table);

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
  ns_spoken_drop_menus (GTK_WIDGET (self));
  ns_find_bar_set_session (self->find_bar, NULL);
  ns_filter_bar_set_session (self->filter_bar, NULL);
  ns_finding_line_set_session (self->finding_line, NULL);
  ns_crumb_bar_set_session (self->crumb_bar, NULL);
  ns_playback_bar_set_session (self->playback_bar, NULL);
  ns_window_drop_pairs (self);
  ns_window_save_view (self);
  g_clear_pointer (&self->view_key, g_free);
  ns_window_stop_watch (self);
  ns_window_stop_follow (self);
  g_signal_handlers_disconnect_by_data (self->session, self);
  /* The end of a playback has rows summed up, too. */
  stop_summing (self);
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
  close_session (self);
  self->session = session;
  ns_session_set_front (session, self->table);
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
  ns_timeline_set_reading (NS_TIMELINE (self->timeline), self->loading != NULL);
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
                            self->is_beginning && self->loading != NULL &&
                                !g_cancellable_is_cancelled (self->loading));
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
    gtk_widget_child_focus (self->tables, GTK_DIR_TAB_FORWARD);
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
  return self->file;
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
  return self->session != NULL && self->loading == NULL ? ns_session_get_trace (self->session)
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
  if (self->session != NULL && self->loading == NULL)
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
  return self->session == NULL && self->loading == NULL;
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

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, NsWindow *self)
{
  GdkFileList *list = g_value_get_boxed (value);
  g_autoptr (GSList) files = list != NULL ? gdk_file_list_get_files (list) : NULL;
  g_autoptr (GPtrArray) dropped = g_ptr_array_new ();
  GSList *at;

  gtk_widget_set_visible (self->drop_here, FALSE);
  for (at = files; at != NULL; at = at->next)
    g_ptr_array_add (dropped, at->data);
  if (dropped->len > 0)
    g_application_open (g_application_get_default (),
                        (GFile **) dropped->pdata,
                        (int) dropped->len,
                        "");
  return dropped->len > 0;
}

/* Rows that are dragged within the program are no trace to be opened. */
static gboolean
drop_accept_cb (GtkDropTarget *target, GdkDrop *offered, NsWindow *self)
{
  return gdk_drop_get_drag (offered) == NULL &&
         gdk_content_formats_contain_gtype (gdk_drop_get_formats (offered), GDK_TYPE_FILE_LIST);
}

static GdkDragAction
drop_enter_cb (GtkDropTarget *target, double x, double y, NsWindow *self)
{
  gtk_widget_set_visible (self->drop_here, TRUE);
  return GDK_ACTION_COPY;
}

static void
drop_leave_cb (GtkDropTarget *target, NsWindow *self)
{
  gtk_widget_set_visible (self->drop_here, FALSE);
}

static gboolean
ns_window_close_request (GtkWindow *window)
{
  NsWindow *self = NS_WINDOW (window);

  if (self->loading != NULL)
    g_cancellable_cancel (self->loading);
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

  g_clear_handle_id (&self->table_id, g_source_remove);
  if (self->timeline != NULL)
    close_session (self);
  ns_window_free_pairs (self);
  g_clear_object (&self->history);
  g_clear_object (&self->notice);
  g_clear_object (&self->call_tree);
  g_clear_object (&self->go_to);
  g_clear_object (&self->export_actions);
  g_clear_object (&self->preset_actions);
  g_clear_object (&self->table_actions);
  g_clear_object (&self->timeline_actions);
  g_clear_object (&self->file);
  g_clear_pointer (&self->beside, g_ptr_array_unref);
  ns_window_forget_removed (self);
  g_clear_pointer (&self->asked_columns, g_hash_table_unref);
  g_clear_pointer (&self->log_offsets, g_free);
  g_clear_pointer (&self->log_columns, g_free);
  G_OBJECT_CLASS (ns_window_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, NsWindow, title);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, open_word);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, reading);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, subtitle);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, recent_button);
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
  gtk_widget_class_bind_template_child (widget_class, NsWindow, trace_buttons_start);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, trace_buttons_end);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, main_paned);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, timeline);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, timeline_scrollbar);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, hidden_lanes);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, finding_line);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, symbols);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, clock);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, menu_button);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, tables);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, panel);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, sums);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, losses);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, losses_mark);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, info);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, drop_here);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, follow_button);
  gtk_widget_class_bind_template_child (widget_class, NsWindow, playback_bar);
}

static void
ns_window_class_init (NsWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ns_window_dispose;
  widget_class->size_allocate = ns_window_size_allocate;
  GTK_WINDOW_CLASS (klass)->close_request = ns_window_close_request;
  g_type_ensure (NS_TYPE_CRUMB_BAR);
  g_type_ensure (NS_TYPE_ERROR_PAGE);
  g_type_ensure (NS_TYPE_FILTER_BAR);
  g_type_ensure (NS_TYPE_FIND_BAR);
  g_type_ensure (NS_TYPE_FINDING_LINE);
  g_type_ensure (NS_TYPE_NOTICE_BARS);
  g_type_ensure (NS_TYPE_PANEL_FRAME);
  g_type_ensure (NS_TYPE_PLAYBACK_BAR);
  g_type_ensure (NS_TYPE_START_PAGE);
  g_type_ensure (NS_TYPE_SPLIT);
  g_type_ensure (NS_TYPE_TIMELINE);
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
  GtkDropTarget *drop;

  self->beside = g_ptr_array_new_with_free_func (g_object_unref);
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
  g_signal_connect_swapped (self->filter_bar, "message", G_CALLBACK (ns_window_say), self);
  add_parts (self);
  ns_window_watch_menu (self);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->recent_button),
                               ns_start_page_recent_popover_new ());
  ns_spoken_set_notebook_name (GTK_NOTEBOOK (self->tables), _ ("Tables"));
  ns_spoken_set_menu_name (GTK_WIDGET (
                               gtk_menu_button_get_popover (GTK_MENU_BUTTON (self->menu_button))),
                           _ ("Menu"));
  ns_spoken_set_menu_name (GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (self->clock))),
                           _ ("Clock"));
  ns_help_set_page (self->start_page, "record");
  ns_help_set_page (self->timeline, "timeline");
  ns_help_set_page (self->tables, "table");
  ns_help_set_page (self->panel, "details");
  ns_help_set_page (self->info, "health");
  ns_help_set_page (self->follow_button, "follow");
  ns_help_set_page (self->symbols, "symbols");
  ns_window_restore_size (self);
  ns_window_add_actions (self);
  self->notice = ns_load_notice_new (GTK_APPLICATION_WINDOW (self));

  drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  g_signal_connect (drop, "accept", G_CALLBACK (drop_accept_cb), self);
  g_signal_connect (drop, "drop", G_CALLBACK (drop_cb), self);
  g_signal_connect (drop, "enter", G_CALLBACK (drop_enter_cb), self);
  g_signal_connect (drop, "leave", G_CALLBACK (drop_leave_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drop));
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
