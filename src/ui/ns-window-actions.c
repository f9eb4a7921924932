/* Actions of the window, and which of them are enabled. The actions of its parts are added to the
 * same action map.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-window-private.h"

#include "model/ns-session-state.h"
#include "ui/ns-action-map.h"
#include "ui/ns-action-needs.h"
#include "ui/ns-help.h"
#include "ui/sheets/ns-audit-sheet.h"
#include "ui/sheets/ns-compare-sheet.h"
#include "ui/sheets/ns-pairs-sheet.h"
#include "ui/sheets/ns-recipe-sheet.h"

static void
open_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_window_open_dialog (data);
}

static void
close_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_window_close (GTK_WINDOW (data));
}

static void
reload_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  if (ns_window_get_file (self) != NULL)
    ns_window_reload (self);
}

static void
show_keys_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_help_show_keys (data);
}

static void
cancel_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_opening_cancel (NS_WINDOW (data)->opening);
}

/* Handles Escape: cancels loading, closes the trace information, or calls ns_trace_page_escape().
 */
static void
escape_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  if (ns_opening_is_busy (self->opening))
    ns_opening_cancel (self->opening);
  else if (self->session != NULL && ns_window_is_on (self, "info"))
    ns_window_show_page (self, "trace");
  else if (self->session != NULL)
    ns_trace_page_escape (self->trace_page);
}

static void
info_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  ns_window_show_page (self, ns_window_is_on (self, "info") ? "trace" : "info");
}

static void
fullscreen_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (gtk_window_is_fullscreen (GTK_WINDOW (data)))
    gtk_window_unfullscreen (GTK_WINDOW (data));
  else
    gtk_window_fullscreen (GTK_WINDOW (data));
}

/* Selects the row above or below the selected one, in the order shown. If a file in the trace
 * information has the focus, moves that file up or down instead. */
static void
step_row_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  const GArray *selected = self->session != NULL ? ns_session_get_selected (self->session) : NULL;
  NsTableId table;
  NsRowList *rows;
  guint position;
  guint32 row;

  if (ns_trace_info_move_file (self->info, g_variant_get_int32 (parameter)) || selected == NULL ||
      selected->len == 0)
    return;
  table = ns_session_get_selected_table (self->session);
  rows = ns_session_get_rows (self->session, table);
  position = ns_row_list_find (rows, g_array_index (selected, guint32, 0));
  /* Unsigned wrap-around: above the first row the position gets too large. The position of a row
   * that is not shown is G_MAXUINT, so the row below it is the first one. */
  position += (guint) g_variant_get_int32 (parameter);
  if (position >= ns_row_list_get_rows (rows)->len)
    return;
  row = g_array_index (ns_row_list_get_rows (rows), guint32, position);
  if (row < ns_table_get_n_rows (ns_session_get_trace (self->session), table))
    ns_session_select (self->session, table, &row, 1);
}

/* Shows the nth page of the trace information if that is shown, otherwise the nth table. */
static void
nth_tab_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  guint nth = (guint) g_variant_get_int32 (parameter);

  if (!ns_trace_info_show_nth (self->info, nth))
    ns_trace_tabs_show_nth (ns_trace_page_get_tabs (self->trace_page), nth);
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

/* Shows how to record a trace; the parameter names layers to record in addition. */
static void
recipe_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_window_present (ns_recipe_sheet_new (data, g_variant_get_string (parameter, NULL)));
}

static const GActionEntry entries[] = {
  { "recipe", recipe_cb, "s", NULL, NULL, { 0 } },
  { "open", open_cb, NULL, NULL, NULL, { 0 } },
  { "close", close_cb, NULL, NULL, NULL, { 0 } },
  { "reload", reload_cb, NULL, NULL, NULL, { 0 } },
  { "show-help-overlay", show_keys_cb, NULL, NULL, NULL, { 0 } },
  { "cancel", cancel_cb, NULL, NULL, NULL, { 0 } },
  { "escape", escape_cb, NULL, NULL, NULL, { 0 } },
  { "info", info_cb, NULL, NULL, NULL, { 0 } },
  { "step-row", step_row_cb, "i", NULL, NULL, { 0 } },
  { "nth-tab", nth_tab_cb, "i", NULL, NULL, { 0 } },
  { "audit", audit_cb, NULL, NULL, NULL, { 0 } },
  { "compare", compare_cb, NULL, NULL, NULL, { 0 } },
  { "compare-with", compare_with_cb, "s", NULL, NULL, { 0 } },
  { "pair", pair_cb, NULL, NULL, NULL, { 0 } },
  { "pair-with", pair_with_cb, "s", NULL, NULL, { 0 } },
  { "fullscreen", fullscreen_cb, NULL, NULL, NULL, { 0 } },
};

/* Updates the states of the actions "state" and "busy", which tests and scripts can read over
 * D-Bus: (page, table, filter, shown rows, selected rows, begin and end of the view in ns). */
static void
update_state (NsWindow *self, gboolean has_trace)
{
  NsTableId front = has_trace ? ns_session_get_front (self->session) : NS_TABLE_ACTIVITIES;
  NsTimeSpan visible = { 0, 0 };
  const char *filter = "";
  guint n_rows = 0;
  guint n_selected = 0;

  if (has_trace)
    {
      visible = ns_session_get_visible (self->session);
      filter = ns_session_get_filter (self->session, front);
      n_rows = ns_row_list_get_rows (ns_session_get_rows (self->session, front))->len;
      n_selected = ns_session_get_selected (self->session)->len;
    }
  ns_action_map_set_state (G_ACTION_MAP (self),
                           "state",
                           g_variant_new ("(sssuuxx)",
                                          gtk_stack_get_visible_child_name (
                                              GTK_STACK (self->pages)),
                                          has_trace ? ns_table_get_name (front) : "",
                                          filter,
                                          n_rows,
                                          n_selected,
                                          visible.begin_ns,
                                          visible.end_ns));
  ns_action_map_set_state (G_ACTION_MAP (self),
                           "busy",
                           g_variant_new_boolean (has_trace &&
                                                  ns_session_is_busy (self->session, front)));
}

/* Returns #NsActionNeeds: what is present in the trace page and the window. */
static guint
find_needs_met (NsWindow *self, gboolean has_trace)
{
  guint met = has_trace ? ns_trace_page_get_needs_met (self->trace_page) : 0;

  if (ns_opening_is_busy (self->opening))
    met |= NS_NEEDS_BUSY;
  else
    met |= NS_NEEDS_WHOLE;
  if (ns_window_get_file (self) != NULL)
    met |= NS_NEEDS_FILE;
  if (ns_window_is_on (self, "error"))
    met |= NS_NEEDS_ERROR;
  if (ns_session_history_can_go (self->history, -1))
    met |= NS_NEEDS_BACK;
  if (ns_session_history_can_go (self->history, 1))
    met |= NS_NEEDS_FORWARD;
  return met;
}

/* Enables the actions whose #NsActionNeeds are met, and disables the others. */
void
ns_window_update_actions (NsWindow *self)
{
  gboolean has_trace =
      self->session != NULL && (ns_window_is_on (self, "trace") || ns_window_is_on (self, "info"));

  /* A new window has no actions yet. During a reload the update follows at its end. */
  if (g_action_map_lookup_action (G_ACTION_MAP (self), "panel") == NULL || self->is_taking_over)
    return;
  ns_trace_page_update (self->trace_page, has_trace);
  ns_head_bar_set_trace (self->head, self->session != NULL, has_trace);
  ns_action_needs_apply (G_ACTION_MAP (self), (NsActionNeeds) find_needs_met (self, has_trace));
  update_state (self, has_trace);
}

/* Adds all actions to a new window. */
void
ns_window_add_actions (NsWindow *self)
{
  GActionMap *map = G_ACTION_MAP (self);

  g_action_map_add_action_entries (map, entries, G_N_ELEMENTS (entries), self);
  ns_action_map_add_state (map,
                           "state",
                           g_variant_new ("(sssuuxx)",
                                          "start",
                                          "",
                                          "",
                                          0,
                                          0,
                                          G_GINT64_CONSTANT (0),
                                          G_GINT64_CONSTANT (0)));
  ns_action_map_add_state (map, "busy", g_variant_new_boolean (FALSE));
  ns_window_add_files_actions (self);
  ns_window_add_follow (self);
  ns_action_map_take (map, ns_session_history_get_actions (self->history));
  ns_action_map_take (map, ns_error_page_get_actions (self->error_page));
  ns_action_map_take (map, ns_trace_page_get_actions (self->trace_page));
}

static gboolean
restore_focus_cb (gpointer data)
{
  g_autoptr (NsWindow) self = data;
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  if (gtk_widget_get_mapped (GTK_WIDGET (self)) &&
      (focus == NULL || !gtk_widget_get_mapped (focus)))
    ns_head_bar_focus (self->head);
  return G_SOURCE_REMOVE;
}

/* Moves the focus to the header bar after a menu was closed, if the focus is in a hidden widget:
 * GTK 4.8 leaves it in the closed submenu, where no key works. */
void
ns_window_restore_focus (NsWindow *self)
{
  g_idle_add (restore_focus_cb, g_object_ref (self));
}
