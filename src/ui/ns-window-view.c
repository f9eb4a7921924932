/* How the window looks at a trace comes back with the trace: zoom, span, filters, orders, tab,
 * selection and marks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-view.h"
#include "ui/ns-window-filter.h"
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
  ns_window_save_chips (self, &dict);
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
          ns_window_group_table (self, table, text);
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
  ns_window_restore_chips (self, view);
  /* That a file has nothing for may have come from another one beside it. */
  if (g_variant_lookup (view, "table", "&s", &name) && ns_table_from_name (name, &table) &&
      ns_trace_tabs_may_have_rows (self->tabs, table))
    ns_window_show_table (self, table);
  ns_window_take_filters (self);
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
  ns_window_take_filters (self);
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
lanes_by_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsWindow *self = data;

  if (ns_timeline_set_grouping (NS_TIMELINE (self->timeline), g_variant_get_string (state, NULL)))
    g_simple_action_set_state (action, state);
}

static void
keep_filtered_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsWindow *self = data;

  ns_timeline_set_keeps_filtered (NS_TIMELINE (self->timeline), g_variant_get_boolean (state));
  g_simple_action_set_state (action, state);
}

static void
pack_lanes_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsWindow *self = data;

  ns_timeline_set_packs (NS_TIMELINE (self->timeline), g_variant_get_boolean (state));
  g_simple_action_set_state (action, state);
}

static void
state_lanes_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsWindow *self = data;

  ns_timeline_set_shows_states (NS_TIMELINE (self->timeline), g_variant_get_boolean (state));
  g_simple_action_set_state (action, state);
}

static void
cpu_strip_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsWindow *self = data;

  ns_timeline_set_shows_cpu (NS_TIMELINE (self->timeline), g_variant_get_boolean (state));
  g_simple_action_set_state (action, state);
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
  ns_window_set_filter_text (self, g_variant_get_string (parameter, NULL));
}

/* For tests and scripts: the words of the mark, without asking. */
static void
name_bookmark_to_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_timeline_name_bookmark (NS_TIMELINE (NS_WINDOW (data)->timeline),
                             g_variant_get_string (parameter, NULL));
}

static const GActionEntry entries[] = {
  { "reset-view", reset_view_cb, NULL, NULL, NULL, { 0 } },
  { "audit", audit_cb, NULL, NULL, NULL, { 0 } },
  { "compare", compare_cb, NULL, NULL, NULL, { 0 } },
  { "compare-with", compare_with_cb, "s", NULL, NULL, { 0 } },
  { "pair", pair_cb, NULL, NULL, NULL, { 0 } },
  { "pair-with", pair_with_cb, "s", NULL, NULL, { 0 } },
  { "show-operations", show_operations_cb, "s", NULL, NULL, { 0 } },
  { "name-bookmark-to", name_bookmark_to_cb, "s", NULL, NULL, { 0 } },
  { "lanes-by", NULL, "s", "'process'", lanes_by_cb, { 0 } },
  { "pack-lanes", NULL, NULL, "true", pack_lanes_cb, { 0 } },
  { "state-lanes", NULL, NULL, "false", state_lanes_cb, { 0 } },
  { "cpu-strip", NULL, NULL, "true", cpu_strip_cb, { 0 } },
  { "keep-filtered", NULL, NULL, "false", keep_filtered_cb, { 0 } },
};

/* Marked spans with words are ranges that filters can ask for. */
static void
take_ranges (NsWindow *self)
{
  g_autoptr (GArray) ranges = NULL;

  if (self->session == NULL)
    return;
  ranges = ns_timeline_list_ranges (NS_TIMELINE (self->timeline));
  ns_session_set_ranges (self->session, (const NsRange *) (gpointer) ranges->data, ranges->len);
}

/* Lanes of states were asked for, and none was found. */
static void
say_without_states (NsWindow *self)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "state-lanes");
  g_autoptr (GVariant) state = g_action_get_state (action);

  if (self->session != NULL && g_variant_get_boolean (state) &&
      !ns_timeline_get_shows_states (NS_TIMELINE (self->timeline)) &&
      !ns_timeline_may_have_states (NS_TIMELINE (self->timeline)))
    ns_window_say (self, _ ("No event of this trace tells of a change of state."));
}

static void
marks_changed_cb (NsWindow *self)
{
  guint n_hidden = ns_timeline_get_n_hidden (NS_TIMELINE (self->timeline));
  g_autofree char *text =
      g_strdup_printf (ngettext ("%u lane hidden · Show", "%u lanes hidden · Show", n_hidden),
                       n_hidden);

  gtk_button_set_label (GTK_BUTTON (self->hidden_lanes), text);
  gtk_widget_set_visible (self->hidden_lanes, n_hidden > 0);
  take_ranges (self);
  say_without_states (self);
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
  NsTimeline *timeline = NS_TIMELINE (self->timeline);
  GActionMap *map = G_ACTION_MAP (self);
  GSimpleAction *by = G_SIMPLE_ACTION (g_action_map_lookup_action (map, "lanes-by"));
  GSimpleAction *states = G_SIMPLE_ACTION (g_action_map_lookup_action (map, "state-lanes"));
  GSimpleAction *cpu = G_SIMPLE_ACTION (g_action_map_lookup_action (map, "cpu-strip"));
  GSimpleAction *keep = G_SIMPLE_ACTION (g_action_map_lookup_action (map, "keep-filtered"));
  guint i;

  if (by == NULL)
    return;
  for (i = 0; i < G_N_ELEMENTS (entries); i++)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (
                                     g_action_map_lookup_action (map, entries[i].name)),
                                 has_trace);
  g_simple_action_set_state (by, g_variant_new_string (ns_timeline_get_grouping (timeline)));
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "pack-lanes")),
                             g_variant_new_boolean (ns_timeline_get_packs (timeline)));
  g_simple_action_set_state (states,
                             g_variant_new_boolean (ns_timeline_get_shows_states (timeline)));
  g_simple_action_set_enabled (states, has_trace && ns_timeline_may_have_states (timeline));
  g_simple_action_set_state (cpu, g_variant_new_boolean (ns_timeline_get_shows_cpu (timeline)));
  g_simple_action_set_enabled (cpu, has_trace && ns_timeline_has_cpu (timeline));
  g_simple_action_set_state (keep,
                             g_variant_new_boolean (ns_timeline_get_keeps_filtered (timeline)));
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "show-lanes")),
                               has_trace && ns_timeline_get_n_hidden (timeline) > 0);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "next-bookmark")),
                               has_trace && ns_timeline_get_n_bookmarks (timeline) > 0);
}
