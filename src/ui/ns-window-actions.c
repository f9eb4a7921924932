/* Everything a user can do in a window, by name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-action-map.h"
#include "ui/ns-action-needs.h"
#include "ui/ns-help.h"
#include "ui/ns-row-menu.h"
#include "ui/ns-window-private.h"
#include "ui/panel/ns-event-fields.h"
#include "ui/panel/ns-stack-view.h"
#include "ui/sheets/ns-recipe-sheet.h"

#include <glib/gi18n.h>
#include <string.h>

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

/* Esc stops loading, else clears the find, the span, the selection. */
static void
escape_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  NsTimeSpan none = { 0, 0 };
  NsTimeSpan span;

  if (ns_opening_is_busy (self->opening))
    {
      ns_opening_cancel (self->opening);
      return;
    }
  if (self->session == NULL)
    return;
  if (g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (self->pages)), "info") == 0)
    {
      ns_window_show_page (self, "trace");
      return;
    }
  if (ns_filter_bar_close_offers (self->filter_bar) || ns_find_bar_close (self->find_bar) ||
      ns_flame_actions_leave (self->call_tree))
    return;
  span = ns_session_get_span (self->session);
  if (span.begin_ns < span.end_ns)
    ns_session_set_span (self->session, none);
  else
    ns_session_select (self->session, ns_window_get_front (self), NULL, 0);
}

/* Leaves what is told of the trace as a whole, over which its filter and tables cannot be seen. */
static void
leave_info (NsWindow *self)
{
  const char *page = gtk_stack_get_visible_child_name (GTK_STACK (self->pages));

  if (self->session != NULL && g_strcmp0 (page, "info") == 0)
    ns_window_show_page (self, "trace");
}

static GtkWidget *
find_around_focus (NsWindow *self, GType type)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));

  return focus != NULL ? gtk_widget_get_ancestor (focus, type) : NULL;
}

/* Searches the flame graph that has the keyboard, or the one that is all there is. */
static gboolean
search_tree (NsWindow *self)
{
  GtkWidget *view = find_around_focus (self, NS_TYPE_FLAME_VIEW);

  if (view == NULL && ns_flame_actions_is_shown (self->call_tree))
    view = ns_flame_actions_get_page (self->call_tree);
  if (view != NULL)
    ns_flame_view_search (NS_FLAME_VIEW (view));
  return view != NULL;
}

/* Copies the chosen frame when the keyboard is in a stack. */
static gboolean
copy_frame (NsWindow *self)
{
  GtkWidget *view = find_around_focus (self, NS_TYPE_STACK_VIEW);

  return view != NULL && ns_stack_view_copy_frame (NS_STACK_VIEW (view));
}

static void
find_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  /* Where a flame graph has the keyboard, frames are looked for. */
  if (search_tree (self))
    return;
  leave_info (self);
  ns_find_bar_open (self->find_bar);
}

static void
focus_filter_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  leave_info (data);
  gtk_widget_grab_focus (ns_filter_bar_get_entry (NS_WINDOW (data)->filter_bar));
}

/* One condition more for the table in front; @name may be %NULL. */
void
ns_window_add_condition (NsWindow *self, const char *condition, const char *name)
{
  g_autoptr (GError) error = NULL;

  if (!ns_session_add_condition (self->session, condition, name, &error))
    ns_window_say (self, error->message);
}

static void
columns_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  leave_info (data);
  gtk_menu_button_popup (GTK_MENU_BUTTON (NS_WINDOW (data)->columns_button));
}

static void
panel_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsWindow *self = data;

  gtk_widget_set_visible (self->panel, g_variant_get_boolean (state));
  g_simple_action_set_state (action, state);
}

static void
info_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  const char *page = gtk_stack_get_visible_child_name (GTK_STACK (self->pages));

  ns_window_show_page (self, g_strcmp0 (page, "info") == 0 ? "trace" : "info");
}

static void
fullscreen_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (gtk_window_is_fullscreen (GTK_WINDOW (data)))
    gtk_window_unfullscreen (GTK_WINDOW (data));
  else
    gtk_window_fullscreen (GTK_WINDOW (data));
}

static void
copy_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  if (!copy_frame (self) && !ns_finding_line_copy (self->finding_line, FALSE))
    ns_table_actions_copy_rows (self->table_actions, NS_ROWS_COPIED);
}

static void
copy_stack_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  g_autofree char *text = NULL;

  if (ns_finding_line_copy (self->finding_line, TRUE))
    return;
  text = ns_details_panel_stack_to_text (NS_DETAILS_PANEL (self->panel));
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  ns_window_say (self, _ ("Copied"));
}

static void
go_to_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  const char *name;
  NsTableId table;
  guint32 row;

  g_variant_get (parameter, "(&su)", &name, &row);
  if (!ns_table_from_name (name, &table) ||
      row >= ns_table_get_n_rows (ns_session_get_trace (self->session), table))
    return;
  ns_window_show_table (self, table);
  ns_session_select (self->session, table, &row, 1);
}

static void
show_tab_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTableId table;

  if (ns_table_from_name (g_variant_get_string (parameter, NULL), &table))
    ns_window_show_table (data, table);
}

static void
next_tab_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_trace_tabs_show_next (NS_WINDOW (data)->tabs, g_variant_get_int32 (parameter));
}

/* The parts of the window that F6 walks through. */
static void
next_part_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;
  NsTableView *view =
      self->session != NULL ? ns_window_ensure_table (self, ns_window_get_front (self)) : NULL;
  GtkWidget *parts[] = { ns_filter_bar_get_entry (self->filter_bar),
                         self->timeline,
                         view != NULL && gtk_widget_get_mapped (GTK_WIDGET (view))
                             ? GTK_WIDGET (view)
                             : GTK_WIDGET (self->tabs),
                         ns_trace_tabs_peek_fields (self->tabs),
                         self->panel };
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
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

/* What to record besides what the tables need, by the names of layers. */
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
  { "panel", NULL, NULL, "false", panel_cb, { 0 } },
  { "fullscreen", fullscreen_cb, NULL, NULL, NULL, { 0 } },
};

/* Those that need an open trace. */
static const GActionEntry trace_entries[] = {
  { "focus-filter", focus_filter_cb, NULL, NULL, NULL, { 0 } },
  { "find", find_cb, NULL, NULL, NULL, { 0 } },
  { "columns", columns_cb, NULL, NULL, NULL, { 0 } },
  { "info", info_cb, NULL, NULL, NULL, { 0 } },
  { "go-to", go_to_cb, "(su)", NULL, NULL, { 0 } },
  { "show-tab", show_tab_cb, "s", NULL, NULL, { 0 } },
  { "next-tab", next_tab_cb, "i", NULL, NULL, { 0 } },
  { "next-part", next_part_cb, "i", NULL, NULL, { 0 } },
};

/* Those that need a selected row. */
static const GActionEntry row_entries[] = {
  { "copy", copy_cb, NULL, NULL, NULL, { 0 } },
  { "copy-stack", copy_stack_cb, NULL, NULL, NULL, { 0 } },
};

/* What others may read of the window: (table, filter, shown rows, selected rows, begin, end). */
static void
update_state (NsWindow *self, gboolean has_trace)
{
  NsTimeSpan visible = { 0, 0 };
  const char *filter = "";
  guint n_rows = 0;
  guint n_selected = 0;

  if (has_trace)
    {
      visible = ns_session_get_visible (self->session);
      filter = ns_session_get_filter (self->session, ns_window_get_front (self));
      n_rows =
          ns_row_list_get_rows (ns_session_get_rows (self->session, ns_window_get_front (self)))
              ->len;
      n_selected = ns_session_get_selected (self->session)->len;
    }
  ns_action_map_set_state (
      G_ACTION_MAP (self),
      "state",
      g_variant_new ("(sssuuxx)",
                     gtk_stack_get_visible_child_name (GTK_STACK (self->pages)),
                     has_trace ? ns_table_get_name (ns_window_get_front (self)) : "",
                     filter,
                     n_rows,
                     n_selected,
                     visible.begin_ns,
                     visible.end_ns));
  ns_action_map_set_state (G_ACTION_MAP (self),
                           "busy",
                           g_variant_new_boolean (
                               has_trace &&
                               ns_session_is_busy (self->session, ns_window_get_front (self))));
}

static gboolean
has_record (NsWindow *self)
{
  const NsEventFacts *facts =
      ns_event_fields_get_facts (NS_EVENT_FIELDS (ns_window_get_event_fields (self)));

  return facts != NULL && facts->facts->len > 0;
}

/* What the parts of the window know to be there to act on, and the window itself. */
static guint
find_there (NsWindow *self)
{
  guint there = ns_action_needs_find (self->session);

  if (!ns_opening_is_busy (self->opening))
    there |= NS_NEEDS_WHOLE;
  if (ns_window_has_machine (self))
    there |= NS_NEEDS_MACHINE;
  if (ns_session_history_can_go (self->history, -1))
    there |= NS_NEEDS_BACK;
  if (ns_session_history_can_go (self->history, 1))
    there |= NS_NEEDS_FORWARD;
  if (ns_timeline_get_n_bookmarks (NS_TIMELINE (self->timeline)) > 1)
    there |= NS_NEEDS_MARKS;
  if (ns_flame_actions_is_shown (self->call_tree))
    there |= NS_NEEDS_TREE | NS_NEEDS_STACKS;
  if (*ns_finder_get_text (ns_find_bar_get_finder (self->find_bar)) != '\0')
    there |= NS_NEEDS_FIND;
  if (has_record (self))
    there |= NS_NEEDS_RECORD;
  /* The bar stays while a later reading of the trace takes over, and who has the focus in it. */
  if (ns_playback_bar_is_active (self->playback_bar) ||
      gtk_widget_get_visible (GTK_WIDGET (self->playback_bar)))
    there |= NS_NEEDS_PLAYING;
  return there;
}

/* Switches actions on and off by what there is to act on. */
void
ns_window_update_actions (NsWindow *self)
{
  const char *page = gtk_stack_get_visible_child_name (GTK_STACK (self->pages));
  gboolean has_trace =
      self->session != NULL && (g_strcmp0 (page, "trace") == 0 || g_strcmp0 (page, "info") == 0);
  guint there = has_trace ? find_there (self) : 0;

  if (g_action_map_lookup_action (G_ACTION_MAP (self), "panel") == NULL)
    return;
  if (ns_window_get_file (self) != NULL)
    there |= NS_NEEDS_FILE;
  if (g_strcmp0 (page, "error") == 0)
    there |= NS_NEEDS_ERROR;
  if (ns_opening_is_busy (self->opening))
    there |= NS_NEEDS_BUSY;
  ns_timeline_actions_update (self->timeline_actions, has_trace);
  ns_head_bar_set_trace (self->head, self->session != NULL, has_trace);
  ns_action_needs_apply (G_ACTION_MAP (self), (NsActionNeeds) there);
  ns_action_map_set_state (G_ACTION_MAP (self),
                           "panel",
                           g_variant_new_boolean (gtk_widget_get_visible (self->panel)));
  update_state (self, has_trace);
}

/* Adds all actions to a new window. */
void
ns_window_add_actions (NsWindow *self)
{
  GActionMap *map = G_ACTION_MAP (self);

  g_action_map_add_action_entries (map, entries, G_N_ELEMENTS (entries), self);
  g_action_map_add_action_entries (map, trace_entries, G_N_ELEMENTS (trace_entries), self);
  g_action_map_add_action_entries (map, row_entries, G_N_ELEMENTS (row_entries), self);
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
  ns_window_add_event_actions (self);
  ns_action_map_take (map, ns_trace_tabs_get_actions (self->tabs));
  ns_window_add_pairs (self);
  ns_window_add_files_actions (self);
  ns_action_map_take (map, ns_finding_line_get_actions (self->finding_line));
  ns_window_add_view_actions (self);
  ns_window_add_damage_actions (self);
  ns_action_map_take (map, ns_export_actions_get_actions (self->export_actions));
  ns_action_map_take (map, ns_filter_bar_get_actions (self->filter_bar));
  ns_action_map_take (map, ns_session_history_get_actions (self->history));
  ns_action_map_take (map, ns_go_to_get_actions (self->go_to));
  ns_window_add_follow (self);
  ns_action_map_take (map, ns_status_bar_get_actions (self->status_bar));
  ns_action_map_take (map, ns_playback_bar_get_actions (self->playback_bar));
  ns_action_map_take (map, ns_preset_actions_get_actions (self->preset_actions));
  ns_action_map_take (map, ns_error_page_get_actions (self->error_page));
  ns_action_map_take (map, ns_find_bar_get_actions (self->find_bar));
  ns_action_map_take (map, ns_table_actions_get_actions (self->table_actions));
  ns_action_map_take (map, ns_timeline_actions_get_actions (self->timeline_actions));
  ns_window_add_tree (self);
  ns_action_map_take (map, ns_flame_actions_get_actions (self->call_tree));
  ns_window_add_tables (self);
}

static gboolean
bring_keyboard_back_cb (gpointer data)
{
  g_autoptr (NsWindow) self = data;
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  if (gtk_widget_get_mapped (GTK_WIDGET (self)) &&
      (focus == NULL || !gtk_widget_get_mapped (focus)))
    ns_head_bar_focus (self->head);
  return G_SOURCE_REMOVE;
}

/* A menu was closed: GTK 4.8 leaves the keyboard in its submenu, where no key does anything. */
void
ns_window_bring_keyboard_back (NsWindow *self)
{
  g_idle_add (bring_keyboard_back_cb, g_object_ref (self));
}

/* The menu of rows was closed. */
void
ns_window_row_menu_closed (NsWindow *self)
{
  ns_window_update_actions (self);
  ns_window_bring_keyboard_back (self);
}
