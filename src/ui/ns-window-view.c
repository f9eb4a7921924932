/* How the window looks at a trace comes back with the trace: zoom, span, filters, orders, tab,
 * selection and marks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-view.h"
#include "ui/ns-settings.h"
#include "ui/ns-window-private.h"
#include "ui/sheets/ns-audit-sheet.h"
#include "ui/sheets/ns-compare-sheet.h"
#include "ui/sheets/ns-pairs-sheet.h"

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
  g_variant_dict_insert (&dict, "table", "s", ns_table_get_name (ns_window_get_front (self)));
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

/* Watches what a new session does not tell by itself. The first part of a file has no view of its
 * own. */
void
ns_window_watch_session (NsWindow *self)
{
  g_free (self->view_key);
  self->view_key = ns_opening_has_part (self->opening)
                       ? NULL
                       : ns_view_file_identify (ns_session_get_trace (self->session));
  ns_status_bar_set_session (self->status_bar, self->session);
  ns_notice_bars_set_change (self->bars, NS_FILE_UNCHANGED);
  ns_follower_set_session (self->follower, self->session);
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
      ns_trace_tabs_may_have_rows (self->tabs, table))
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
  ns_session_select (self->session, ns_window_get_front (self), NULL, 0);
  ns_session_set_span (self->session, (NsTimeSpan){ 0, 0 });
  ns_session_set_visible (self->session, ns_session_get_whole (self->session));
  ns_timeline_restore_marks (NS_TIMELINE (self->timeline), NULL);
  ns_session_set_wall (self->session, NS_WALL_TRACE);
  ns_view_file_forget (self->view_key);
  /* On another page nobody would see what became of it. */
  ns_window_show_page (self, "trace");
  has_clocks = ns_window_has_clock_by_hand (self) ||
               ns_log_clocks_are_corrected (ns_session_get_trace (self->session));
  ns_window_say (self,
                 has_clocks ? _ ("The view is as it was at first; clocks that were set stay so")
                            : _ ("The view is as it was at first"));
  ns_window_update_actions (self);
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

static const GActionEntry entries[] = {
  { "reset-view", reset_view_cb, NULL, NULL, NULL, { 0 } },
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

static void
tight_cb (NsWindow *self)
{
  ns_head_bar_set_tight (self->head, ns_panel_frame_is_tight (self->panel_frame));
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
  ns_status_bar_set_narrow (self->status_bar, is_narrow);
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
  GtkWidget *bar = GTK_WIDGET (self->status_bar);
  GtkWidget *foot = ns_flame_view_get_foot (NS_FLAME_VIEW (page));

  ns_status_bar_set_has_sums (self->status_bar, !is_tree);
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
    gtk_widget_child_focus (GTK_WIDGET (self->tabs), GTK_DIR_TAB_FORWARD);
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
