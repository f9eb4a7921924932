/* How the window looks at a trace comes back with the trace: zoom, span, filters, orders, tab,
 * selection and marks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-view.h"
#include "ui/ns-settings.h"
#include "ui/ns-window-private.h"
#include "ui/ns-window-tabs.h"
#include "ui/sheets/ns-audit-sheet.h"
#include "ui/sheets/ns-compare-sheet.h"
#include "ui/sheets/ns-pairs-sheet.h"
#include "ui/sheets/ns-symbols-sheet.h"

#include <glib/gi18n.h>

/* Rows of a selection that are kept. */
#define MAX_KEPT_ROWS 10000

static void
save_tables (NsWindow *self, GVariantDict *dict)
{
  GVariantBuilder filters;
  GVariantBuilder orders;
  GVariantBuilder groups;
  guint table;

  g_variant_builder_init (&groups, G_VARIANT_TYPE ("a{ss}"));
  g_variant_builder_init (&filters, G_VARIANT_TYPE ("a{ss}"));
  g_variant_builder_init (&orders, G_VARIANT_TYPE ("a{ss}"));
  for (table = 0; table < NS_N_TABLES; table++)
    {
      const char *name = ns_table_get_name ((NsTableId) table);
      const char *filter = ns_session_get_filter (self->session, (NsTableId) table);
      const GArray *order = ns_session_get_order (self->session, (NsTableId) table);
      const NsGrouping *grouping = ns_session_get_grouping (self->session, (NsTableId) table);
      g_autofree char *order_text = ns_order_to_text (order);
      g_autofree char *groups_text = ns_fields_to_text (grouping->fields);

      if (*groups_text != '\0')
        g_variant_builder_add (&groups, "{ss}", name, groups_text);
      if (*filter != '\0')
        g_variant_builder_add (&filters, "{ss}", name, filter);
      if (*order_text != '\0')
        g_variant_builder_add (&orders, "{ss}", name, order_text);
    }
  g_variant_dict_insert_value (dict, "filters", g_variant_builder_end (&filters));
  g_variant_dict_insert_value (dict, "orders", g_variant_builder_end (&orders));
  g_variant_dict_insert_value (dict, "groups", g_variant_builder_end (&groups));
}

/* How the trace of the session is looked at now. */
GVariant *
ns_window_make_view (NsWindow *self)
{
  NsTimeSpan visible = ns_session_get_visible (self->session);
  NsTimeSpan span = ns_session_get_span (self->session);
  const GArray *selected = ns_session_get_selected (self->session);
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "visible", "(xx)", visible.begin_ns, visible.end_ns);
  g_variant_dict_insert (&dict, "span", "(xx)", span.begin_ns, span.end_ns);
  g_variant_dict_insert (&dict,
                         "clock",
                         "s",
                         ns_wall_get_name (ns_session_get_wall (self->session)));
  g_variant_dict_insert (&dict, "table", "s", ns_table_get_name (self->table));
  g_variant_dict_insert (&dict,
                         "selected-table",
                         "s",
                         ns_table_get_name (ns_session_get_selected_table (self->session)));
  g_variant_dict_insert_value (&dict,
                               "selected",
                               g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32,
                                                          selected->data,
                                                          MIN (selected->len, MAX_KEPT_ROWS),
                                                          sizeof (guint32)));
  save_tables (self, &dict);
  g_variant_dict_insert_value (&dict, "chips", ns_session_dup_conditions (self->session));
  ns_timeline_save_marks (NS_TIMELINE (self->timeline), &dict);
  ns_log_clocks_save (ns_session_get_trace (self->session), &dict);
  return g_variant_dict_end (&dict);
}

/* Keeps how the trace is looked at now. */
void
ns_window_save_view (NsWindow *self)
{
  g_autoptr (GVariant) view = NULL;
  g_autoptr (GError) error = NULL;

  if (self->session == NULL || self->view_key == NULL)
    return;
  view = g_variant_ref_sink (ns_window_make_view (self));
  /* A full disk takes nothing from anybody but the memory of a view. */
  if (!ns_view_file_write (self->view_key, view, &error))
    g_info ("the view was not kept: %s", error->message);
}

static void
restore_tables (NsWindow *self, GVariant *view)
{
  g_autoptr (GVariant) filters = g_variant_lookup_value (view, "filters", G_VARIANT_TYPE ("a{ss}"));
  g_autoptr (GVariant) orders = g_variant_lookup_value (view, "orders", G_VARIANT_TYPE ("a{ss}"));
  g_autoptr (GVariant) groups = g_variant_lookup_value (view, "groups", G_VARIANT_TYPE ("a{ss}"));
  GVariantIter iter;
  const char *name;
  const char *text;
  NsTableId table;

  if (groups != NULL)
    {
      g_variant_iter_init (&iter, groups);
      while (g_variant_iter_next (&iter, "{&s&s}", &name, &text))
        if (ns_table_from_name (name, &table))
          ns_session_group_by (self->session, table, text);
    }
  if (orders != NULL)
    {
      g_variant_iter_init (&iter, orders);
      while (g_variant_iter_next (&iter, "{&s&s}", &name, &text))
        if (ns_table_from_name (name, &table))
          {
            g_autoptr (GArray) order = ns_order_parse (table, text, NULL);

            if (order != NULL)
              ns_session_set_order (self->session, table, order);
          }
    }
  if (filters == NULL)
    return;
  g_variant_iter_init (&iter, filters);
  while (g_variant_iter_next (&iter, "{&s&s}", &name, &text))
    if (ns_table_from_name (name, &table))
      ns_session_set_filter (self->session, table, text, NULL, NULL);
}

static void
restore_selection (NsWindow *self, GVariant *view)
{
  g_autoptr (GVariant) selected = g_variant_lookup_value (view, "selected", G_VARIANT_TYPE ("au"));
  const char *name = NULL;
  const guint32 *rows;
  NsTableId table;
  gsize n_rows;
  guint n_all;
  gsize i;

  if (selected == NULL || !g_variant_lookup (view, "selected-table", "&s", &name) ||
      !ns_table_from_name (name, &table))
    return;
  n_all = ns_table_get_n_rows (ns_session_get_trace (self->session), table);
  rows = g_variant_get_fixed_array (selected, &n_rows, sizeof (guint32));
  for (i = 0; i < n_rows; i++)
    if (rows[i] >= n_all)
      return;
  /* What was in view is, too. */
  ns_timeline_hold_time (NS_TIMELINE (self->timeline), TRUE);
  ns_session_select (self->session, table, rows, (guint) MIN (n_rows, MAX_KEPT_ROWS));
  ns_timeline_hold_time (NS_TIMELINE (self->timeline), FALSE);
}

/* What of it lies in the trace: a part of one may end earlier. */
static gboolean
read_span (GVariant *view, const char *name, NsTimeSpan whole, NsTimeSpan *span)
{
  if (!g_variant_lookup (view, name, "(xx)", &span->begin_ns, &span->end_ns))
    return FALSE;
  span->begin_ns = MAX (span->begin_ns, whole.begin_ns);
  span->end_ns = MIN (span->end_ns, whole.end_ns);
  return span->begin_ns < span->end_ns;
}

/* What is fetched at the moment, and from where: nobody shall wonder about the network. */
static char *
dup_fetching (NsSymbolJob *job)
{
  NsSymbolModule first;
  guint n_fetching = ns_symbol_job_count_fetching (job, &first);
  g_autoptr (GUri) uri =
      first.info.reason != NULL ? g_uri_parse (first.info.reason, G_URI_FLAGS_NONE, NULL) : NULL;
  const char *host = uri != NULL && g_uri_get_host (uri) != NULL ? g_uri_get_host (uri) : "?";
  char *text = NULL;

  if (n_fetching == 1 && first.info.n_total > 0)
    /* Translators: a file, how much of it is here, and the name of a server. */
    text = g_strdup_printf (_ ("Fetching symbols of %s: %u %% from %s"),
                            first.name,
                            (guint) (100 * first.info.n_done / first.info.n_total),
                            host);
  else if (n_fetching > 0)
    /* Translators: the second is the name of a server. */
    text = g_strdup_printf (ngettext ("Fetching symbols of %u module from %s",
                                      "Fetching symbols of %u modules from %s",
                                      n_fetching),
                            n_fetching,
                            host);
  ns_symbol_module_clear (&first);
  return text;
}

/* One word on symbols; what is off is said to be off. A small window has no room for it, but that
 * the network is used is said everywhere.
 */
static void
update_symbols (NsWindow *self)
{
  NsSymbolJob *job;
  g_autofree char *text = NULL;
  guint n_named;
  guint n_asked;

  /* The last news of a trace that was closed. */
  if (self->session == NULL)
    return;
  job = ns_symbol_job_get_for_session (self->session);
  ns_symbol_job_count (job, &n_named, &n_asked);
  text = dup_fetching (job);
  gtk_widget_set_visible (self->symbols,
                          text != NULL || !ns_panel_frame_is_narrow (self->panel_frame));
  if (text == NULL && n_asked == 0)
    text = g_strdup (ns_symbol_job_is_online (job) ? _ ("Symbols") : _ ("Symbols · offline"));
  else if (text == NULL)
    /* Translators: of the frames asked for so far, how many in a hundred have names. */
    text = g_strdup_printf (ns_symbol_job_is_online (job) ? _ ("Symbols %u %%")
                                                          : _ ("Symbols %u %% · offline"),
                            (guint) (100.0 * n_named / n_asked));
  gtk_button_set_label (GTK_BUTTON (self->symbols), text);
}

/* Shows how far the symbols of a new session are. */
static void
watch_symbols (NsWindow *self)
{
  g_signal_connect_object (ns_symbol_job_get_for_session (self->session),
                           "changed",
                           G_CALLBACK (update_symbols),
                           self,
                           G_CONNECT_SWAPPED);
  update_symbols (self);
}

/* How often it is told of a file that changes all the time. */
#define TOLD_EVERY_MS 200

/* Lets the file be. */
void
ns_window_stop_watch (NsWindow *self)
{
  g_cancellable_cancel (self->watching);
  g_clear_object (&self->watching);
  g_clear_object (&self->monitor);
}

static void
file_changed_cb (GFileMonitor *monitor,
                 GFile *file,
                 GFile *other,
                 GFileMonitorEvent event,
                 NsWindow *self)
{
  /* Growth is followed. */
  if (self->follow_id != 0)
    ns_window_follow_now (self);
  else if (event == G_FILE_MONITOR_EVENT_CHANGES_DONE_HINT || event == G_FILE_MONITOR_EVENT_CREATED)
    ns_notice_bars_set_change (self->bars, NS_FILE_CHANGED);
  else if (event == G_FILE_MONITOR_EVENT_DELETED)
    ns_notice_bars_set_change (self->bars, NS_FILE_GONE);
}

/* Its events come to the main loop: this thread has none of its own. */
static void
watch_worker (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  GFileMonitor *monitor = g_file_monitor_file (task_data, G_FILE_MONITOR_NONE, NULL, &error);

  if (monitor != NULL)
    g_task_return_pointer (task, monitor, g_object_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
watched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  NsWindow *self = NS_WINDOW (source);
  GFileMonitor *monitor = g_task_propagate_pointer (G_TASK (result), NULL);

  /* Another file is shown by now, or the same one anew; or files there cannot be watched. */
  if (monitor == NULL)
    return;
  g_clear_object (&self->watching);
  self->monitor = monitor;
  g_file_monitor_set_rate_limit (monitor, TOLD_EVERY_MS);
  g_signal_connect_object (monitor, "changed", G_CALLBACK (file_changed_cb), self, 0);
}

/* Rows are read once: a file that changes afterwards is offered to be read again. To begin with
 * that takes longer than a frame in a folder of many files. */
static void
watch_file (NsWindow *self)
{
  g_autoptr (GTask) task = NULL;

  ns_notice_bars_set_change (self->bars, NS_FILE_UNCHANGED);
  ns_window_stop_watch (self);
  if (self->file == NULL)
    return;
  self->watching = g_cancellable_new ();
  task = g_task_new (self, self->watching, watched_cb, NULL);
  g_task_set_source_tag (task, watch_file);
  g_task_set_task_data (task, g_object_ref (self->file), g_object_unref);
  g_task_run_in_thread (task, watch_worker);
}

/* What the status bar calls each clock. */
static const char *
get_clock_title (NsWall wall)
{
  static const char *const titles[NS_N_WALLS] = {
    N_ ("Trace time"),
    N_ ("Traced machine"),
    N_ ("UTC"),
    N_ ("This machine"),
  };

  return _ (titles[wall]);
}

static void
clock_changed_cb (NsWindow *self)
{
  NsWall wall = ns_session_get_wall (self->session);
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "clock");

  g_simple_action_set_state (G_SIMPLE_ACTION (action),
                             g_variant_new_string (ns_wall_get_name (wall)));
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->clock), get_clock_title (wall));
}

/* Says by which clock a new session tells its moments. */
static void
watch_clock (NsWindow *self)
{
  g_signal_connect_object (self->session,
                           "clock-changed",
                           G_CALLBACK (clock_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
  clock_changed_cb (self);
}

/* Watches what a new session does not tell by itself. The first part of a file has no view of its
 * own. */
void
ns_window_watch_session (NsWindow *self)
{
  g_free (self->view_key);
  self->view_key =
      self->is_beginning ? NULL : ns_view_file_identify (ns_session_get_trace (self->session));
  watch_symbols (self);
  watch_file (self);
  watch_clock (self);
}

/* Looks at the trace as it was looked at when it was closed. */
void
ns_window_restore_view (NsWindow *self)
{
  NsTimeSpan whole = ns_session_get_whole (self->session);
  g_autoptr (GVariant) conditions = NULL;
  g_autoptr (GVariant) view = NULL;
  gboolean is_carried = FALSE;
  const char *name = NULL;
  NsTableId table;
  NsTimeSpan span;
  NsWall wall;

  if (self->view_key != NULL)
    view = ns_session_read_view (self->session, self->view_key, &is_carried);
  if (view == NULL)
    return;
  /* Filters may ask for ranges that are marked. */
  ns_timeline_restore_marks (NS_TIMELINE (self->timeline), view);
  restore_tables (self, view);
  conditions = g_variant_lookup_value (view, "chips", G_VARIANT_TYPE (NS_CONDITIONS_FORMAT));
  if (conditions != NULL)
    ns_session_restore_conditions (self->session, conditions);
  /* That a file has nothing for may have come from another one beside it. */
  if (g_variant_lookup (view, "table", "&s", &name) && ns_table_from_name (name, &table) &&
      ns_window_may_have_rows (self, table))
    ns_window_show_table (self, table);
  ns_session_take_filters (self->session);
  restore_selection (self, view);
  if (g_variant_lookup (view, "clock", "&s", &name) && ns_wall_from_name (name, &wall))
    ns_session_set_wall (self->session, wall);
  if (read_span (view, "visible", whole, &span))
    ns_session_set_visible (self->session, span);
  if (read_span (view, "span", whole, &span))
    ns_session_set_span (self->session, span);
  if (is_carried)
    ns_window_say (self, _ ("Shown as it was handed over"));
  ns_window_update_actions (self);
}

/* All rows, whole trace, nothing chosen or marked, as a trace is seen for the first time. What was
 * said of the clocks of files and machines is no view: it is what is known of the trace, and is
 * taken back where it was said. */
static void
reset_view_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (NsOrderKey));
  gboolean has_clocks;
  guint table;

  for (table = 0; table < NS_N_TABLES; table++)
    {
      ns_session_set_filter (self->session, (NsTableId) table, "", NULL, NULL);
      ns_session_set_order (self->session, (NsTableId) table, none);
      ns_session_set_grouping (self->session, (NsTableId) table, NULL, 0);
    }
  ns_session_take_filters (self->session);
  ns_session_select (self->session, self->table, NULL, 0);
  ns_session_set_span (self->session, (NsTimeSpan){ 0, 0 });
  ns_session_set_visible (self->session, ns_session_get_whole (self->session));
  ns_timeline_restore_marks (NS_TIMELINE (self->timeline), NULL);
  ns_session_set_wall (self->session, NS_WALL_TRACE);
  ns_view_file_forget (self->view_key);
  has_clocks = ns_window_has_clock_by_hand (self) ||
               ns_log_clocks_are_corrected (ns_session_get_trace (self->session));
  ns_window_say (self,
                 has_clocks ? _ ("The view is as it was at first; clocks that were set stay so")
                            : _ ("The view is as it was at first"));
  ns_window_update_actions (self);
}

static void
symbols_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  gtk_window_present (ns_symbols_sheet_new (GTK_WINDOW (self), self->session));
}

static void
audit_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  gtk_window_present (ns_audit_sheet_new (GTK_WINDOW (self), self->session));
}

static void
compare_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  ns_compare_sheet_show (GTK_WINDOW (self), self->session, NULL);
}

static void
compare_with_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (g_variant_get_string (parameter, NULL));

  ns_compare_sheet_show (GTK_WINDOW (self), self->session, file);
}

static void
pair_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  ns_pairs_sheet_show (GTK_WINDOW (self), self->session, NULL);
}

static void
pair_with_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (g_variant_get_string (parameter, NULL));

  ns_pairs_sheet_show (GTK_WINDOW (self), self->session, file);
}

/* The operations that an expression keeps. */
static void
show_operations_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  ns_window_show_table (self, NS_TABLE_ACTIVITIES);
  ns_filter_bar_set_text (self->filter_bar, g_variant_get_string (parameter, NULL));
}

static void
clock_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsWall wall;

  if (ns_wall_from_name (g_variant_get_string (state, NULL), &wall))
    ns_session_set_wall (NS_WINDOW (data)->session, wall);
}

static void
next_clock_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  NsWall wall = (NsWall) ((ns_session_get_wall (self->session) + 1) % NS_N_WALLS);

  ns_session_set_wall (self->session, wall);
  ns_window_say (self, get_clock_title (wall));
}

static const GActionEntry entries[] = {
  { "clock", NULL, "s", "'trace'", clock_cb, { 0 } },
  { "next-clock", next_clock_cb, NULL, NULL, NULL, { 0 } },
  { "reset-view", reset_view_cb, NULL, NULL, NULL, { 0 } },
  { "symbols", symbols_cb, NULL, NULL, NULL, { 0 } },
  { "audit", audit_cb, NULL, NULL, NULL, { 0 } },
  { "compare", compare_cb, NULL, NULL, NULL, { 0 } },
  { "compare-with", compare_with_cb, "s", NULL, NULL, { 0 } },
  { "pair", pair_cb, NULL, NULL, NULL, { 0 } },
  { "pair-with", pair_with_cb, "s", NULL, NULL, { 0 } },
  { "show-operations", show_operations_cb, "s", NULL, NULL, { 0 } },
};

static void
marks_changed_cb (NsWindow *self)
{
  guint n_hidden = ns_timeline_get_n_hidden (NS_TIMELINE (self->timeline));
  g_autofree char *text =
      g_strdup_printf (ngettext ("%u lane hidden · Show", "%u lanes hidden · Show", n_hidden),
                       n_hidden);

  gtk_button_set_label (GTK_BUTTON (self->hidden_lanes), text);
  gtk_widget_set_visible (self->hidden_lanes, n_hidden > 0);
  ns_window_update_actions (self);
}

/* Adds the actions of the view to a new window. */
void
ns_window_add_view_actions (NsWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (self->timeline,
                           "marks-changed",
                           G_CALLBACK (marks_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
}

/* Switches them by whether there is a trace. */
void
ns_window_update_view_actions (NsWindow *self, gboolean has_trace)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (entries); i++)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self),
                                                                              entries[i].name)),
                                 has_trace);
}

static void
tight_cb (NsWindow *self)
{
  gtk_widget_set_visible (self->open_word, !ns_panel_frame_is_tight (self->panel_frame));
}

/* What an icon says as well needs no word where there is little room. */
static void
spare_words (NsWindow *self)
{
  gboolean is_narrow = ns_panel_frame_is_narrow (self->panel_frame);

  ns_filter_bar_set_narrow (self->filter_bar, is_narrow);
  ns_crumb_bar_set_narrow (self->crumb_bar, is_narrow);
  if (self->call_tree != NULL)
    ns_flame_view_set_narrow (NS_FLAME_VIEW (ns_flame_actions_get_page (self->call_tree)),
                              is_narrow);
  tight_cb (self);
  update_symbols (self);
  ns_window_update_pairs (self, FALSE);
}

static void
narrow_cb (NsWindow *self)
{
  spare_words (self);
  if (self->session != NULL)
    ns_window_update_title (self);
  ns_window_update_actions (self);
}

/* Gives a new window the size of the last one. The timeline gets the larger part of a large window;
 * of one of 600 px it has six lanes.
 */
void
ns_window_restore_size (NsWindow *self)
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
  gtk_paned_set_position (GTK_PANED (self->main_paned), MAX (height * 53 / 100 - 90, 120));
  ns_panel_frame_begin (self->panel_frame,
                        width,
                        settings == NULL || g_settings_get_boolean (settings, "panel-shown"));
  spare_words (self);
  g_signal_connect_swapped (self->panel_frame, "notify::narrow", G_CALLBACK (narrow_cb), self);
  g_signal_connect_swapped (self->panel_frame, "notify::tight", G_CALLBACK (tight_cb), self);
}

/* Remembers the size. */
void
ns_window_save_size (NsWindow *self)
{
  GSettings *settings = ns_settings_get ();
  int width;
  int height;

  if (settings == NULL)
    return;
  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  g_settings_set (settings, "window-size", "(ii)", width, height);
  g_settings_set_boolean (settings,
                          "window-maximized",
                          gtk_window_is_maximized (GTK_WINDOW (self)));
  g_settings_set_boolean (settings,
                          "panel-shown",
                          ns_panel_frame_is_panel_wanted (self->panel_frame));
}

/* The page has one line at its foot: the status bar of the window goes into it. */
static void
place_status_bar (NsWindow *self, gboolean is_tree)
{
  GtkWidget *page = ns_flame_actions_get_page (self->call_tree);
  GtkWidget *bar = gtk_widget_get_parent (self->sums);
  GtkWidget *foot = ns_flame_view_get_foot (NS_FLAME_VIEW (page));

  gtk_widget_set_visible (self->sums, !is_tree);
  g_object_ref (bar);
  gtk_box_remove (GTK_BOX (gtk_widget_get_parent (bar)), bar);
  gtk_box_append (GTK_BOX (is_tree ? foot : gtk_widget_get_parent (page)), bar);
  g_object_unref (bar);
}

/* The tree or the rows are shown; the keyboard goes where something can be done. */
static void
tree_shown_cb (NsWindow *self, gboolean is_tree)
{
  gtk_widget_set_visible (GTK_WIDGET (self->panel_frame), !is_tree);
  gtk_widget_set_visible (self->columns_button, !is_tree);
  place_status_bar (self, is_tree);
  ns_crumb_bar_update (self->crumb_bar);
  ns_window_update_actions (self);
  if (is_tree)
    gtk_widget_grab_focus (ns_flame_actions_get_page (self->call_tree));
  else
    gtk_widget_child_focus (self->tables, GTK_DIR_TAB_FORWARD);
}

/* Adds the page of the call tree to a new window, in place of the panes. */
void
ns_window_add_tree (NsWindow *self)
{
  GtkWidget *panes = GTK_WIDGET (self->panel_frame);
  GtkWidget *page;

  self->call_tree = ns_flame_actions_new ();
  page = ns_flame_actions_get_page (self->call_tree);
  ns_flame_view_set_narrow (NS_FLAME_VIEW (page), ns_panel_frame_is_narrow (self->panel_frame));
  gtk_box_insert_child_after (GTK_BOX (gtk_widget_get_parent (panes)), page, panes);
  g_signal_connect_object (self->call_tree,
                           "message",
                           G_CALLBACK (ns_window_say),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->call_tree,
                           "noted",
                           G_CALLBACK (ns_crumb_bar_update),
                           self->crumb_bar,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->call_tree,
                           "shown",
                           G_CALLBACK (tree_shown_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->crumb_bar,
                           "note",
                           G_CALLBACK (ns_flame_actions_dup_note),
                           self->call_tree,
                           G_CONNECT_SWAPPED);
}
