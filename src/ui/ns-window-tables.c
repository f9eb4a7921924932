/* The tables of the window: tabs, counts, the choice of columns, and what stands in their place.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-findings.h"
#include "model/ns-session-follow.h"
#include "ui/ns-finding-words.h"
#include "ui/ns-recent.h"
#include "ui/ns-severity-icon.h"
#include "ui/ns-spoken.h"
#include "ui/ns-window-private.h"
#include "ui/ns-window-tabs.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-events-pane.h"
#include "ui/sheets/ns-damage-sheet.h"
#include "ui/table/ns-checks.h"
#include "ui/table/ns-column-chooser.h"

#include <glib/gi18n.h>
#include <string.h>

/* The first table of a large file waits for so many frames. */
#define FRAMES_BEFORE_TABLE 2

static void
table_menu_cb (NsWindow *self, double x, double y, NsTableView *view)
{
  ns_table_actions_popup_menu (self->table_actions, GTK_WIDGET (view), x, y);
}

static void
table_activated_cb (NsWindow *self)
{
  if (self->table == NS_TABLE_FINDINGS)
    {
      gtk_widget_activate_action (GTK_WIDGET (self), "win.show-finding", NULL);
      return;
    }
  gtk_widget_set_visible (self->panel, TRUE);
  ns_window_update_actions (self);
}

static gboolean
table_key_cb (GtkEventControllerKey *controller,
              guint key,
              guint keycode,
              GdkModifierType state,
              NsWindow *self)
{
  static const struct
  {
    guint key;
    const char *action;
  } keys[] = {
    { GDK_KEY_o, "win.only-value" },    { GDK_KEY_O, "win.also-value" },
    { GDK_KEY_x, "win.without-value" }, { GDK_KEY_f, "win.zoom-row" },
    { GDK_KEY_r, "win.row-to-span" },
  };
  guint i;

  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return FALSE;
  /* A finding is about rows, and no value of a cell. */
  if (key == GDK_KEY_o && self->table == NS_TABLE_FINDINGS)
    return gtk_widget_activate_action (GTK_WIDGET (self), "win.show-finding", NULL);
  for (i = 0; i < G_N_ELEMENTS (keys); i++)
    if (keys[i].key == key)
      return gtk_widget_activate_action (GTK_WIDGET (self), keys[i].action, NULL);
  return FALSE;
}

/* Enter on a finding opens the panel, where two presses go to its rows. */
static gboolean
finding_key_cb (GtkEventControllerKey *controller,
                guint key,
                guint keycode,
                GdkModifierType state,
                NsWindow *self)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));

  /* Titles of columns are pressed by it. */
  if (focus == NULL || strcmp (gtk_widget_get_css_name (focus), "row") != 0)
    return FALSE;
  if ((key != GDK_KEY_Return && key != GDK_KEY_KP_Enter && key != GDK_KEY_ISO_Enter) ||
      (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK)) != 0 || self->session == NULL ||
      ns_session_get_selected_finding (self->session) == G_MAXUINT32)
    return FALSE;
  gtk_widget_set_visible (self->panel, TRUE);
  ns_window_update_actions (self);
  return TRUE;
}

/* The view of a table, if it was made. */
NsTableView *
ns_window_peek_table (NsWindow *self, NsTableId table)
{
  GtkWidget *page = self->table_pages[table];
  GtkWidget *child = page != NULL ? gtk_widget_get_first_child (page) : NULL;

  if (child != NULL && NS_IS_EVENTS_PANE (child))
    child = ns_events_pane_get_table (NS_EVENTS_PANE (child));
  return child != NULL ? NS_TABLE_VIEW (child) : NULL;
}

/* The view of a table, made when it is first looked at. */
NsTableView *
ns_window_ensure_table (NsWindow *self, NsTableId table)
{
  GtkWidget *page = self->table_pages[table];
  NsTableView *view = ns_window_peek_table (self, table);
  gboolean has_pane = table == NS_TABLE_EVENTS || table == NS_TABLE_PACKETS;
  GtkEventController *keys;

  if (view != NULL || page == NULL || self->session == NULL)
    return self->session != NULL ? view : NULL;
  view = ns_table_view_new (self->session, table);
  g_signal_connect_object (view, "menu", G_CALLBACK (table_menu_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view,
                           "activated",
                           G_CALLBACK (table_activated_cb),
                           self,
                           G_CONNECT_SWAPPED);
  keys = gtk_event_controller_key_new ();
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (table_key_cb), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (view), keys);
  gtk_box_append (GTK_BOX (page),
                  has_pane ? ns_window_new_event_pane (self, table, GTK_WIDGET (view))
                           : GTK_WIDGET (view));
  if (has_pane)
    ns_window_update_parts (self);
  if (table == NS_TABLE_FINDINGS)
    {
      ns_table_view_set_snug (view);
      keys = gtk_event_controller_key_new ();
      gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
      g_signal_connect_object (keys, "key-pressed", G_CALLBACK (finding_key_cb), self, 0);
      gtk_widget_add_controller (GTK_WIDGET (view), keys);
      self->checks = ns_checks_new ();
      gtk_box_append (GTK_BOX (page), self->checks);
      ns_checks_update (self->checks, self->session);
    }
  return view;
}

/* The table to begin with: that of the network's layers which comes first, if there are no
 * activities; else packets, or at last events. */
static NsTableId
find_first_table (NsSession *session)
{
  static const NsTableId tables[] = { NS_TABLE_ACTIVITIES, NS_TABLE_PACKETS, NS_TABLE_SMB,
                                      NS_TABLE_RPC,        NS_TABLE_QUIC,    NS_TABLE_BITS,
                                      NS_TABLE_WFP,        NS_TABLE_DNS,     NS_TABLE_CAPI2 };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tables); i++)
    if (ns_session_count_all (session, tables[i]) > 0)
      return tables[i];
  return NS_TABLE_EVENTS;
}

static void
page_switched_cb (NsWindow *self, GtkWidget *page)
{
  guint table;

  for (table = 0; table < NS_N_TABLES; table++)
    if (self->table_pages[table] == page)
      break;
  if (ns_window_is_pairs_page (self, page))
    table = NS_TABLE_ACTIVITIES;
  if (table == NS_N_TABLES || self->session == NULL)
    return;
  self->table = (NsTableId) table;
  ns_session_set_front (self->session, self->table);
  self->is_first_table = self->table == find_first_table (self->session);
  ns_window_ensure_table (self, self->table);
  if (self->table == NS_TABLE_FINDINGS)
    ns_session_look_for_evidence (self->session);
  ns_session_follow (self->session, self->table);
  ns_window_update_parts (self);
  ns_window_update_counts (self);
  ns_window_update_actions (self);
  ns_window_update_sums (self);
}

/* Brings a table to the front. */
void
ns_window_show_table (NsWindow *self, NsTableId table)
{
  int page;

  if (table >= NS_N_TABLES || self->table_pages[table] == NULL)
    return;
  ns_window_ensure_tab (self, table);
  page = gtk_notebook_page_num (GTK_NOTEBOOK (self->tables), self->table_pages[table]);
  if (page >= 0)
    gtk_notebook_set_current_page (GTK_NOTEBOOK (self->tables), page);
}

/* What went wrong is looked for meanwhile. */
gboolean
ns_window_may_have_rows (NsWindow *self, NsTableId table)
{
  return table == NS_TABLE_FINDINGS ||
         ns_table_get_n_rows (ns_session_get_trace (self->session), table) > 0;
}

/* The list of all tables; that of GTK does not fit on a small screen, and complains. */
static void
tab_pressed_cb (GtkGestureClick *click)
{
  gtk_widget_activate_action (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (click)),
                              "win.list-tabs",
                              NULL);
}

static void
add_table (NsWindow *self, NsTableId table)
{
  gboolean has_rows = ns_window_may_have_rows (self, table);
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *tab = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *count = gtk_label_new (NULL);
  GtkGesture *click = gtk_gesture_click_new ();
  const char *title = _ (ns_table_get_title (table));

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (tab_pressed_cb), NULL);
  gtk_widget_add_controller (tab, GTK_EVENT_CONTROLLER (click));
  gtk_box_append (GTK_BOX (tab), gtk_label_new (title));
  gtk_widget_add_css_class (count, "caption");
  gtk_box_append (GTK_BOX (tab), count);
  if (table == NS_TABLE_FINDINGS)
    {
      self->findings_icon = ns_severity_icon_new (NS_SEVERITY_MARK_NONE);
      gtk_box_append (GTK_BOX (tab), self->findings_icon);
      self->checks = NULL;
    }
  self->table_pages[table] = page;
  self->tab_labels[table] = count;
  gtk_notebook_append_page (GTK_NOTEBOOK (self->tables), page, tab);
  ns_spoken_set_tab_name (GTK_NOTEBOOK (self->tables), page, title);
  if (!has_rows)
    gtk_widget_add_css_class (tab, "empty");
}

/* The tables from left to right. What has no rows in this trace keeps its place, so that tabs stand
 * where they stood in the trace before; they are behind the menu. The activities come first, and
 * what is wrong with them second. */
static void
order_tables (NsWindow *self, NsTableId order[NS_N_TABLES])
{
  guint n_tables = 0;
  guint table;

  order[n_tables++] = NS_TABLE_ACTIVITIES;
  order[n_tables++] = NS_TABLE_FINDINGS;
  for (table = 0; table < NS_N_TABLES; table++)
    if (table != NS_TABLE_ACTIVITIES && table != NS_TABLE_FINDINGS)
      order[n_tables++] = (NsTableId) table;
}

/* The tables there are turn to a later reading of their trace; none is built anew. */
static void
keep_tables (NsWindow *self)
{
  NsTableId order[NS_N_TABLES];
  guint i;

  order_tables (self, order);
  for (i = 0; i < NS_N_TABLES; i++)
    {
      GtkWidget *page = self->table_pages[order[i]];
      GtkWidget *tab = gtk_notebook_get_tab_label (GTK_NOTEBOOK (self->tables), page);
      GtkWidget *child = gtk_widget_get_first_child (page);
      NsTableView *view = ns_window_peek_table (self, order[i]);
      int place;

      if (ns_window_may_have_rows (self, order[i]))
        gtk_widget_remove_css_class (tab, "empty");
      else
        gtk_widget_add_css_class (tab, "empty");
      place = ns_window_get_tab_place (self, (int) i);
      if (gtk_notebook_page_num (GTK_NOTEBOOK (self->tables), page) != place)
        gtk_notebook_reorder_child (GTK_NOTEBOOK (self->tables), page, place);
      if (view != NULL)
        ns_table_view_set_session (view, self->session);
      if (child != NULL && NS_IS_EVENTS_PANE (child))
        ns_events_pane_set_session (NS_EVENTS_PANE (child), self->session);
    }
  ns_window_update_tabs (self);
  if (self->table == NS_TABLE_FINDINGS)
    ns_session_look_for_evidence (self->session);
  /* What had no activities at first may have some now. */
  if (self->is_first_table && !self->is_swapping)
    ns_window_show_table (self, find_first_table (self->session));
  ns_window_update_counts (self);
}

static gboolean
make_table_cb (gpointer data)
{
  NsWindow *self = data;

  self->table_id = 0;
  self->n_frames_waited = 0;
  ns_window_ensure_table (self, self->table);
  return G_SOURCE_REMOVE;
}

/* Called once a frame, before it is painted: by the second time the first one has been seen. */
static gboolean
frame_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  NsWindow *self = NS_WINDOW (widget);

  if (++self->n_frames_waited <= FRAMES_BEFORE_TABLE)
    return G_SOURCE_CONTINUE;
  self->table_id = g_idle_add (make_table_cb, self);
  return G_SOURCE_REMOVE;
}

/* The first part of a large file has its timeline painted before it gets a table: to make both at
 * once blocks the window for longer than one notices. */
static void
make_first_table (NsWindow *self)
{
  if (!self->is_beginning)
    ns_window_ensure_table (self, self->table);
  else if (self->n_frames_waited == 0)
    {
      self->n_frames_waited = 1;
      gtk_widget_add_tick_callback (GTK_WIDGET (self), frame_cb, NULL, NULL);
    }
}

/* One tab for each table. */
void
ns_window_build_tables (NsWindow *self)
{
  NsTableId order[NS_N_TABLES];
  guint i;

  ns_session_look_for_findings (self->session);
  if (self->is_later)
    {
      keep_tables (self);
      return;
    }
  g_signal_handlers_disconnect_by_func (self->tables, page_switched_cb, self);
  while (gtk_notebook_get_n_pages (GTK_NOTEBOOK (self->tables)) > 0)
    gtk_notebook_remove_page (GTK_NOTEBOOK (self->tables), -1);
  ns_window_unbuild_pairs (self);
  order_tables (self, order);
  for (i = 0; i < NS_N_TABLES; i++)
    {
      self->is_asked[i] = FALSE;
      add_table (self, order[i]);
    }
  self->table = find_first_table (self->session);
  ns_session_set_front (self->session, self->table);
  ns_window_build_pairs (self);
  ns_window_update_tabs (self);
  self->is_first_table = TRUE;
  make_first_table (self);
  ns_window_show_table (self, self->table);
  ns_window_update_parts (self);
  g_signal_connect_data (self->tables,
                         "switch-page",
                         G_CALLBACK (page_switched_cb),
                         self,
                         NULL,
                         G_CONNECT_SWAPPED);
  ns_window_update_counts (self);
}

/* How many rows of a table are shown, and where a filter keeps some of them only, of how many. */
static char *
dup_shown_count (NsWindow *self, NsTableId table)
{
  g_autofree char *shown = ns_words_count (ns_session_count_rows (self->session, table));
  g_autofree char *all = ns_words_count (ns_session_count_all (self->session, table));

  /* A playback counts nothing that is ahead of its moment. */
  if (*ns_session_get_filter (self->session, table) == '\0' ||
      ns_playback_bar_is_active (self->playback_bar))
    return g_steal_pointer (&shown);
  /* Translators: in a tab: how many rows a filter leaves, of how many. */
  return g_strdup_printf (_ ("%s of %s"), shown, all);
}

/* Once all of the file was read and looked through. */
static void
remember_facts (NsWindow *self)
{
  gboolean is_bad;
  guint n_found;

  if (self->file != NULL && self->loading == NULL && !self->is_beginning &&
      ns_session_count_findings (self->session, &n_found, &is_bad))
    ns_recent_remember (self->file, self->session, n_found);
}

/* The mark of the tab, and the lines below the table. */
static void
update_findings (NsWindow *self)
{
  static const NsSeverityMark marks[] = { [NS_SEVERITY_INFO] = NS_SEVERITY_MARK_NOTE,
                                          [NS_SEVERITY_WARNING] = NS_SEVERITY_MARK_WARNING,
                                          [NS_SEVERITY_PROBLEM] = NS_SEVERITY_MARK_PROBLEM };
  NsFindingSums sums;
  gboolean is_known = ns_session_sum_findings (self->session, &sums);

  ns_severity_icon_set (NS_SEVERITY_ICON (self->findings_icon),
                        is_known && sums.n_findings > 0 ? marks[sums.worst]
                                                        : NS_SEVERITY_MARK_NONE);
  if (self->checks != NULL)
    ns_checks_update (self->checks, self->session);
  if (is_known && self->table == NS_TABLE_FINDINGS &&
      ns_session_get_selected (self->session)->len == 0)
    ns_window_update_sums (self);
}

/* Says how many rows of a table are shown. */
void
ns_window_update_tab (NsWindow *self, NsTableId table)
{
  NsPlayed played = ns_playback_bar_get_played (self->playback_bar, table);
  g_autofree char *count = NULL;

  if (self->tab_labels[table] == NULL || played == NS_PLAYED_SOON)
    return;
  if (played == NS_PLAYED_UNKNOWN)
    count = g_strdup ("…");
  else if (table == NS_TABLE_FINDINGS && *ns_session_get_filter (self->session, table) == '\0')
    count = ns_finding_words_count (self->session);
  else
    count = dup_shown_count (self, table);
  gtk_label_set_text (GTK_LABEL (self->tab_labels[table]), count);
  if (table != NS_TABLE_FINDINGS)
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

/* How much of the file could be read, in a hundred; never all of a damaged one. */
static guint
get_part_read (const NsTrace *trace, const NsDamage *damage)
{
  double all = damage->is_cut && damage->n_expected >= damage->n_read
                   ? (double) damage->n_expected
                   : (double) ns_etl_file_get_size (trace->file);
  double read = damage->is_cut && damage->n_expected >= damage->n_read
                    ? (double) damage->n_read
                    : all - (double) ns_etl_file_get_report (trace->file)->n_bytes_dropped;

  return all > 0 ? (guint) CLAMP (100 * read / all, 0, 99) : 0;
}

/* In the status bar: what is not there at all, or was lost before it was written. */
static void
show_losses (NsWindow *self, const NsTrace *trace, const NsDamage *damage)
{
  const NsEtlHeader *header = trace->file != NULL ? ns_etl_file_get_header (trace->file) : NULL;
  GString *text = g_string_new (NULL);

  if (damage->is_damaged && !damage->is_whole)
    g_string_append_printf (text,
                            _ ("Opened partly: %u %% of the file"),
                            get_part_read (trace, damage));
  if (header != NULL && (header->events_lost > 0 || header->buffers_lost > 0))
    {
      guint n_lost = header->events_lost > 0 ? header->events_lost : header->buffers_lost;
      g_autofree char *n = ns_words_count (n_lost);

      g_string_append (text, text->len > 0 ? " · " : "");
      g_string_append_printf (text,
                              header->events_lost > 0
                                  ? ngettext ("%s event lost", "%s events lost", n_lost)
                                  : ngettext ("%s buffer lost", "%s buffers lost", n_lost),
                              n);
    }
  gtk_label_set_text (GTK_LABEL (self->losses), text->str);
  gtk_widget_set_visible (self->losses_mark, text->len > 0);
  g_string_free (text, TRUE);
}

/* The list of what could be read stands in place of the tables. */
static void
show_damage_list (NsWindow *self, gboolean is_shown)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "damage");

  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (is_shown));
  gtk_widget_set_visible (self->damage_sheet, is_shown);
  gtk_widget_set_visible (GTK_WIDGET (self->find_bar), !is_shown);
  gtk_widget_set_visible (self->tables, !is_shown);
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
  show_losses (self, ns_session_get_trace (self->session), damage);
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
  NsTableView *view = ns_window_ensure_table (self, self->table);

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
  NsTableView *view = ns_window_ensure_table (self, self->table);

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

/* Fills the button of the columns of a new window. */
void
ns_window_add_columns (NsWindow *self)
{
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->columns_button),
                                         create_columns_popover,
                                         self,
                                         NULL);
}
