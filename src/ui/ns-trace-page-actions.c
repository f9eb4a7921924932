/* Actions of the trace page that concern several of its parts, and the state that decides which
 * actions are enabled.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-trace-page-private.h"

#include "model/ns-log-clocks.h"
#include "model/ns-session-state.h"
#include "ui/ns-action-map.h"
#include "ui/ns-action-needs.h"
#include "ui/panel/ns-stack-view.h"

#include <glib/gi18n.h>

static void
show_message (NsTracePage *self, const char *text)
{
  ns_status_bar_show_message (self->status_bar, text);
}

/* Requests that the window shows this page instead of another one, such as trace information. */
static void
be_shown (NsTracePage *self)
{
  g_signal_emit_by_name (self, "show-page");
}

static GtkWidget *
get_focus (NsTracePage *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  return root != NULL ? gtk_root_get_focus (root) : NULL;
}

static GtkWidget *
find_around_focus (NsTracePage *self, GType type)
{
  GtkWidget *focus = get_focus (self);

  return focus != NULL ? gtk_widget_get_ancestor (focus, type) : NULL;
}

/* Opens the search of the flame graph that has the focus, or else of the call tree page if shown.
 */
static gboolean
search_tree (NsTracePage *self)
{
  GtkWidget *view = find_around_focus (self, NS_TYPE_FLAME_VIEW);

  if (view == NULL && ns_flame_actions_is_shown (self->call_tree))
    view = ns_flame_actions_get_page (self->call_tree);
  if (view != NULL)
    ns_flame_view_search (NS_FLAME_VIEW (view));
  return view != NULL;
}

/* Copies the selected frame if a call stack has the focus. */
static gboolean
copy_frame (NsTracePage *self)
{
  GtkWidget *view = find_around_focus (self, NS_TYPE_STACK_VIEW);

  return view != NULL && ns_stack_view_copy_frame (NS_STACK_VIEW (view));
}

static void
find_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTracePage *self = data;

  /* If a flame graph has the focus, frames are searched instead of rows. */
  if (search_tree (self))
    return;
  be_shown (self);
  ns_find_bar_open (ns_tables_pane_get_find_bar (self->tables_pane));
}

static void
focus_filter_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  be_shown (data);
  gtk_widget_grab_focus (ns_filter_bar_get_entry (NS_TRACE_PAGE (data)->filter_bar));
}

static void
columns_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  be_shown (data);
  gtk_menu_button_popup (GTK_MENU_BUTTON (NS_TRACE_PAGE (data)->columns_button));
}

static void
panel_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsTracePage *self = data;
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  gboolean had_focus = focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->panel));

  gtk_widget_set_visible (GTK_WIDGET (self->panel), g_variant_get_boolean (state));
  g_simple_action_set_state (action, state);
  /* GTK would move the focus to the next widget. */
  if (had_focus && !g_variant_get_boolean (state))
    ns_trace_tabs_focus (ns_trace_page_get_tabs (self));
}

static void
copy_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTracePage *self = data;
  NsFindingLine *line = ns_timeline_pane_get_finding_line (self->timeline_pane);

  if (!copy_frame (self) && !ns_finding_line_copy (line, FALSE))
    ns_table_actions_copy_rows (ns_tables_pane_get_table_actions (self->tables_pane),
                                NS_ROWS_COPIED);
}

static void
copy_stack_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTracePage *self = data;
  g_autofree char *text = NULL;

  if (ns_finding_line_copy (ns_timeline_pane_get_finding_line (self->timeline_pane), TRUE))
    return;
  text = ns_details_panel_stack_to_text (self->panel);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  show_message (self, _ ("Copied"));
}

static void
go_to_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTracePage *self = data;
  const char *name;
  NsTableId table;
  guint32 row;

  g_variant_get (parameter, "(&su)", &name, &row);
  if (!ns_table_from_name (name, &table) ||
      row >= ns_table_get_n_rows (ns_session_get_trace (self->session), table))
    return;
  ns_trace_tabs_show_table (ns_tables_pane_get_tabs (self->tables_pane), table);
  ns_session_select (self->session, table, &row, 1);
}

/* Shows the operations, filtered by the expression of the parameter. */
static void
show_operations_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTracePage *self = data;

  ns_trace_tabs_show_table (ns_tables_pane_get_tabs (self->tables_pane), NS_TABLE_ACTIVITIES);
  ns_filter_bar_set_text (self->filter_bar, g_variant_get_string (parameter, NULL));
}

/* Moves the focus to the next or previous part of the page (F6). */
static void
next_part_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTracePage *self = data;
  NsTraceTabs *tabs = ns_tables_pane_get_tabs (self->tables_pane);
  NsTableView *view = ns_tables_pane_ensure_front (self->tables_pane);
  GtkWidget *parts[] = { ns_filter_bar_get_entry (self->filter_bar),
                         GTK_WIDGET (ns_timeline_pane_get_timeline (self->timeline_pane)),
                         view != NULL && gtk_widget_get_mapped (GTK_WIDGET (view))
                             ? GTK_WIDGET (view)
                             : GTK_WIDGET (tabs),
                         ns_trace_tabs_peek_fields (tabs),
                         GTK_WIDGET (self->panel) };
  GtkWidget *focus = get_focus (self);
  int by = g_variant_get_int32 (parameter);
  int at = -1;
  int i;

  for (i = 0; i < (int) G_N_ELEMENTS (parts); i++)
    if (focus != NULL && parts[i] != NULL &&
        (focus == parts[i] || gtk_widget_is_ancestor (focus, parts[i])))
      at = i;
  for (i = 0; i < (int) G_N_ELEMENTS (parts); i++)
    {
      at = (at + by + (int) G_N_ELEMENTS (parts)) % (int) G_N_ELEMENTS (parts);
      if (parts[at] != NULL && gtk_widget_get_mapped (parts[at]) &&
          (gtk_widget_grab_focus (parts[at]) ||
           gtk_widget_child_focus (parts[at], GTK_DIR_TAB_FORWARD)))
        return;
    }
}

/* Resets the view. Clock corrections of files and machines are not part of the view and stay; they
 * are undone where they were entered. */
static void
reset_view_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTracePage *self = data;
  const NsPairs *pairs = self->machine != NULL ? ns_other_machine_get_pairs (self->machine) : NULL;
  gboolean has_clocks;

  ns_view_memory_reset (self->memory);
  ns_preset_actions_restore_columns (self->preset_actions);
  /* The result is visible on this page only. */
  be_shown (self);
  has_clocks = (pairs != NULL && pairs->clock == NS_PAIRS_CLOCK_HAND) ||
               ns_log_clocks_are_corrected (ns_session_get_trace (self->session));
  show_message (self,
                has_clocks ? _ ("The view was reset; manually set clocks are kept")
                           : _ ("The view was reset"));
  g_signal_emit_by_name (self, "changed");
}

static const GActionEntry entries[] = {
  { "focus-filter", focus_filter_cb, NULL, NULL, NULL, { 0 } },
  { "find", find_cb, NULL, NULL, NULL, { 0 } },
  { "columns", columns_cb, NULL, NULL, NULL, { 0 } },
  { "panel", NULL, NULL, "false", panel_cb, { 0 } },
  { "copy", copy_cb, NULL, NULL, NULL, { 0 } },
  { "copy-stack", copy_stack_cb, NULL, NULL, NULL, { 0 } },
  { "go-to", go_to_cb, "(su)", NULL, NULL, { 0 } },
  { "show-operations", show_operations_cb, "s", NULL, NULL, { 0 } },
  { "next-part", next_part_cb, "i", NULL, NULL, { 0 } },
  { "reset-view", reset_view_cb, NULL, NULL, NULL, { 0 } },
};

static void
add_actions (NsTracePage *self)
{
  GActionMap *map = G_ACTION_MAP (self->actions);

  g_action_map_add_action_entries (map, entries, G_N_ELEMENTS (entries), self);
  ns_action_map_take (map, ns_timeline_pane_get_actions (self->timeline_pane));
  ns_action_map_take (map, ns_tables_pane_get_actions (self->tables_pane));
  ns_action_map_take (map, ns_event_actions_get_actions (self->event_actions));
  ns_action_map_take (map, ns_export_actions_get_actions (self->export_actions));
  ns_action_map_take (map, ns_filter_bar_get_actions (self->filter_bar));
  ns_action_map_take (map, ns_go_to_get_actions (self->go_to));
  ns_action_map_take (map, ns_status_bar_get_actions (self->status_bar));
  ns_action_map_take (map, ns_preset_actions_get_actions (self->preset_actions));
  ns_action_map_take (map, ns_flame_actions_get_actions (self->call_tree));
}

/**
 * ns_trace_page_get_actions:
 * @self: a page
 *
 * Returns: (transfer none): the actions of the page and of its parts
 */
GActionMap *
ns_trace_page_get_actions (NsTracePage *self)
{
  g_return_val_if_fail (NS_IS_TRACE_PAGE (self), NULL);

  if (g_action_map_lookup_action (G_ACTION_MAP (self->actions), entries[0].name) == NULL)
    add_actions (self);
  return G_ACTION_MAP (self->actions);
}

/**
 * ns_trace_page_get_needs_met:
 * @self: a page
 *
 * Returns: #NsActionNeeds: what is present in the page; actions that need more are disabled
 */
guint
ns_trace_page_get_needs_met (NsTracePage *self)
{
  NsPlaybackBar *bar;
  NsFinder *finder;
  guint met;

  g_return_val_if_fail (NS_IS_TRACE_PAGE (self), 0);

  if (self->session == NULL)
    return 0;
  bar = ns_timeline_pane_get_playback_bar (self->timeline_pane);
  finder = ns_find_bar_get_finder (ns_tables_pane_get_find_bar (self->tables_pane));
  met = ns_action_needs_find (self->session);
  if (self->machine != NULL && ns_other_machine_get_file (self->machine) != NULL)
    met |= NS_NEEDS_MACHINE;
  if (ns_timeline_get_n_bookmarks (ns_timeline_pane_get_timeline (self->timeline_pane)) > 1)
    met |= NS_NEEDS_MARKS;
  if (ns_flame_actions_is_shown (self->call_tree))
    met |= NS_NEEDS_TREE | NS_NEEDS_STACKS;
  if (*ns_finder_get_text (finder) != '\0')
    met |= NS_NEEDS_FIND;
  if (ns_event_actions_has_record (self->event_actions))
    met |= NS_NEEDS_RECORD;
  /* During a reload the bar is visible but inactive; its actions stay enabled to keep the focus. */
  if (ns_playback_bar_is_active (bar) || gtk_widget_get_visible (GTK_WIDGET (bar)))
    met |= NS_NEEDS_PLAYING;
  return met;
}

/**
 * ns_trace_page_update:
 * @self: a page
 * @is_shown: whether the page shows a trace
 *
 * Updates the states of the actions of the timeline and the panel.
 */
void
ns_trace_page_update (NsTracePage *self, gboolean is_shown)
{
  g_return_if_fail (NS_IS_TRACE_PAGE (self));

  ns_timeline_pane_update (self->timeline_pane, is_shown);
  ns_action_map_set_state (ns_trace_page_get_actions (self),
                           "panel",
                           g_variant_new_boolean (
                               gtk_widget_get_visible (GTK_WIDGET (self->panel))));
}

/**
 * ns_trace_page_escape:
 * @self: a page with a session
 *
 * Closes or clears the first of these that is present: the completions of the filter, a filter with
 * an error, a search, the call tree, the selected time range, the selected rows. Called for Escape.
 */
void
ns_trace_page_escape (NsTracePage *self)
{
  NsTimeSpan none = { 0, 0 };
  NsTimeSpan span;

  g_return_if_fail (NS_IS_TRACE_PAGE (self));

  if (ns_filter_bar_escape (self->filter_bar) ||
      ns_find_bar_close (ns_tables_pane_get_find_bar (self->tables_pane)) ||
      ns_flame_actions_leave (self->call_tree))
    return;
  span = ns_session_get_span (self->session);
  if (span.begin_ns < span.end_ns)
    ns_session_set_span (self->session, none);
  else
    ns_session_select (self->session, ns_session_get_front (self->session), NULL, 0);
}
