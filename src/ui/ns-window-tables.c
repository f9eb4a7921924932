/* The tables of the window: what goes with the one in front, counts, the choice of columns, and
 * what stands in their place.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-findings.h"
#include "model/ns-session-follow.h"
#include "ui/ns-accessible.h"
#include "ui/ns-recent.h"
#include "ui/ns-window-private.h"
#include "ui/sheets/ns-damage-sheet.h"
#include "ui/table/ns-column-chooser.h"

/* The table in front. */
NsTableId
ns_window_get_front (NsWindow *self)
{
  return self->session != NULL ? ns_session_get_front (self->session) : NS_TABLE_ACTIVITIES;
}

/* The view of a table, if it was made. */
NsTableView *
ns_window_peek_table (NsWindow *self, NsTableId table)
{
  return ns_trace_tabs_peek_table (self->tabs, table);
}

/* The view of a table, made when it is first looked at. */
NsTableView *
ns_window_ensure_table (NsWindow *self, NsTableId table)
{
  return ns_trace_tabs_ensure_table (self->tabs, table);
}

/* Brings a table to the front. */
void
ns_window_show_table (NsWindow *self, NsTableId table)
{
  ns_trace_tabs_show_table (self->tabs, table);
}

static void
menu_cb (NsWindow *self, double x, double y, NsTableView *view)
{
  ns_table_actions_popup_menu (self->table_actions, GTK_WIDGET (view), x, y);
}

static void
details_cb (NsWindow *self)
{
  gtk_widget_set_visible (self->panel, TRUE);
  ns_window_update_actions (self);
}

static void
switched_cb (NsWindow *self)
{
  ns_session_follow (self->session, ns_window_get_front (self));
  ns_window_update_parts (self);
  ns_window_update_counts (self);
  ns_window_update_actions (self);
  ns_status_bar_update_sums (self->status_bar);
}

static NsTabsTurn
get_turn (NsWindow *self)
{
  if (self->is_later)
    return self->is_swapping ? NS_TABS_SAME : NS_TABS_LATER;
  return ns_opening_has_part (self->opening) ? NS_TABS_BEGINNING : NS_TABS_NEW;
}

/* Has the tabs turn to a new session. */
void
ns_window_build_tables (NsWindow *self)
{
  ns_session_look_for_findings (self->session);
  if (!self->is_later)
    ns_window_unbuild_pairs (self);
  ns_trace_tabs_set_session (self->tabs, self->session, get_turn (self));
  if (!self->is_later)
    {
      ns_window_build_pairs (self);
      ns_window_update_parts (self);
    }
  ns_window_update_counts (self);
}

/* Once all of the file was read and looked through. */
static void
remember_facts (NsWindow *self)
{
  gboolean is_bad;
  guint n_found;

  if (ns_window_get_file (self) != NULL && !ns_opening_is_busy (self->opening) &&
      !ns_opening_has_part (self->opening) &&
      ns_session_count_findings (self->session, &n_found, &is_bad))
    ns_recent_remember (ns_window_get_file (self), self->session, n_found);
}

/* What the status bar says of all of them, once they are known. */
static void
update_findings (NsWindow *self)
{
  NsFindingSums sums;

  if (ns_session_sum_findings (self->session, &sums) &&
      ns_session_get_front (self->session) == NS_TABLE_FINDINGS &&
      ns_session_get_selected (self->session)->len == 0)
    ns_status_bar_update_sums (self->status_bar);
}

/* Says how many rows of a table are shown. */
void
ns_window_update_tab (NsWindow *self, NsTableId table)
{
  NsPlayed played = ns_playback_bar_get_played (self->playback_bar, table);

  ns_trace_tabs_update_count (self->tabs,
                              table,
                              played,
                              ns_playback_bar_is_active (self->playback_bar));
  if (table != NS_TABLE_FINDINGS || played == NS_PLAYED_SOON)
    return;
  update_findings (self);
  remember_facts (self);
}

/* Says of how many rows how many are shown. */
void
ns_window_update_counts (NsWindow *self)
{
  guint i;

  if (self->session == NULL)
    return;
  for (i = 0; i < NS_N_TABLES; i++)
    ns_window_update_tab (self, (NsTableId) i);
  ns_find_bar_update (self->find_bar);
}

/* The list of what could be read stands in place of the tables. */
static void
show_damage_list (NsWindow *self, gboolean is_shown)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "damage");

  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (is_shown));
  gtk_widget_set_visible (self->damage_sheet, is_shown);
  gtk_widget_set_visible (GTK_WIDGET (self->find_bar), !is_shown);
  gtk_widget_set_visible (GTK_WIDGET (self->tabs), !is_shown);
}

static void
damage_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsWindow *self = data;

  if (g_variant_get_boolean (state))
    ns_window_show_page (self, "trace");
  show_damage_list (self, g_variant_get_boolean (state));
}

static const GActionEntry damage_entries[] = {
  { "damage", NULL, NULL, "false", damage_cb, { 0 } },
};

/* Says what is wrong with the trace of a new session. */
void
ns_window_show_damage (NsWindow *self)
{
  const NsDamage *damage = ns_session_get_damage (self->session);
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "damage");

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), damage->is_damaged);
  show_damage_list (self, FALSE);
  ns_damage_sheet_set_session (NS_DAMAGE_SHEET (self->damage_sheet), self->session);
  ns_notice_bars_set_damage (self->bars, self->session);
}

/* Adds the action of the list to a new window. */
void
ns_window_add_damage_actions (NsWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self),
                                   damage_entries,
                                   G_N_ELEMENTS (damage_entries),
                                   self);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (
                                   g_action_map_lookup_action (G_ACTION_MAP (self), "damage")),
                               FALSE);
}

/* The popover that chooses the columns of the table in front. */
static GtkWidget *
columns_popover_new (NsWindow *self)
{
  NsTableView *view = ns_window_ensure_table (self, ns_window_get_front (self));

  return view != NULL ? ns_column_chooser_new (view) : gtk_popover_new ();
}

static void
focus_view (NsTableView *view)
{
  gtk_widget_grab_focus (GTK_WIDGET (view));
  g_object_unref (view);
}

/* Who chose columns goes on in the table: GTK 4.8 leaves the focus nowhere, newer ones give it to
 * the button, later. */
static void
columns_closed_cb (NsWindow *self)
{
  NsTableView *view = ns_window_ensure_table (self, ns_window_get_front (self));

  if (view == NULL)
    return;
  gtk_widget_grab_focus (GTK_WIDGET (view));
  g_idle_add_once ((GSourceOnceFunc) focus_view, g_object_ref (view));
}

static void
create_columns_popover (GtkMenuButton *button, gpointer data)
{
  GtkWidget *popover = columns_popover_new (data);

  g_signal_connect_object (popover,
                           "closed",
                           G_CALLBACK (columns_closed_cb),
                           data,
                           G_CONNECT_SWAPPED);
  gtk_menu_button_set_popover (button, popover);
}

/* The lists of files and of facts have numbers, too. */
static void
nth_tab_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  guint nth = (guint) g_variant_get_int32 (parameter);

  if (!ns_trace_info_show_nth (NS_TRACE_INFO (self->info), nth))
    ns_trace_tabs_show_nth (self->tabs, nth);
}

static const GActionEntry tab_entries[] = {
  { "nth-tab", nth_tab_cb, "i", NULL, NULL, { 0 } },
};

/* Connects the tabs of a new window, and fills the button of the columns. */
void
ns_window_add_tables (NsWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self),
                                   tab_entries,
                                   G_N_ELEMENTS (tab_entries),
                                   self);
  g_signal_connect_swapped (self->tabs, "switched", G_CALLBACK (switched_cb), self);
  g_signal_connect_swapped (self->tabs, "menu", G_CALLBACK (menu_cb), self);
  g_signal_connect_swapped (self->tabs, "details", G_CALLBACK (details_cb), self);
  g_signal_connect_swapped (self->tabs,
                            "fields-changed",
                            G_CALLBACK (ns_window_update_event),
                            self);
  g_signal_connect_swapped (self->tabs, "parts-changed", G_CALLBACK (ns_window_update_parts), self);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->columns_button),
                                         create_columns_popover,
                                         self,
                                         NULL);
}
