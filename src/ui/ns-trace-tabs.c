/* Notebook with a tab for each table of a trace; a table is created when its tab is first shown.
 * Tables without rows and tables that the user has hidden have no tab. The menu button at the end
 * of the tabs lists all tables.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-trace-tabs.h"

#include "model/ns-session-findings.h"
#include "model/ns-signal.h"
#include "ui/ns-accessible.h"
#include "ui/ns-help.h"
#include "ui/ns-settings.h"
#include "ui/ns-tabs-list.h"
#include "ui/table/ns-table-page.h"

#include <glib/gi18n.h>

#define PANE_KEY "event-pane-shown"
#define TIMELINE_KEY "timeline-shown"
#define EVENTS_TIMELINE_KEY "timeline-over-events"
/* The first table of a partly read trace is created after this number of frames. */
#define FRAMES_BEFORE_TABLE 2

struct _NsTraceTabs
{
  GtkBox parent_instance;

  NsSession *session; /* (nullable) */
  GSimpleActionGroup *actions;
  NsTablePage *pages[NS_N_TABLES];
  gboolean is_asked[NS_N_TABLES]; /* the user has opened the table: it keeps its tab when empty */
  GtkWidget *other_page;          /* (nullable): the page of ns_trace_tabs_insert_page() */
  guint other_place;
  gboolean is_first_table;    /* the initial table of the trace is in front */
  gboolean is_building;       /* ignore page switches while the tabs are built */
  gboolean is_pane_folded;    /* the pane with fields and bytes of an event is hidden */
  gboolean hides_timeline[2]; /* [TRUE]: above the table of events, [FALSE]: above other tables */
  guint table_id;             /* idle source that creates the first table */
  guint n_frames_waited;      /* frames since the first table was requested */

  GtkWidget *notebook;
  GtkWidget *more_button;
};

enum
{
  SIGNAL_SWITCHED,
  SIGNAL_MENU,
  SIGNAL_DETAILS,
  SIGNAL_FIELDS_CHANGED,
  SIGNAL_PARTS_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsTraceTabs, ns_trace_tabs, GTK_TYPE_BOX)

static NsTableId
get_front (NsTraceTabs *self)
{
  return self->session != NULL ? ns_session_get_front (self->session) : NS_TABLE_ACTIVITIES;
}

/* Shows or hides the event panes, and updates the action states for the table in front. */
static void
show_parts (NsTraceTabs *self)
{
  GActionMap *map = G_ACTION_MAP (self->actions);
  guint table;

  for (table = 0; table < NS_N_TABLES; table++)
    if (self->pages[table] != NULL)
      ns_table_page_set_folded (self->pages[table], self->is_pane_folded);
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "event-pane")),
                             g_variant_new_boolean (!self->is_pane_folded));
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "timeline")),
                             g_variant_new_boolean (ns_trace_tabs_wants_timeline (self)));
}

static void
change_parts (NsTraceTabs *self)
{
  show_parts (self);
  g_signal_emit (self, signals[SIGNAL_PARTS_CHANGED], 0);
}

/* Returns whether a table has a tab: not if it was hidden, or is empty and was not opened. */
static gboolean
wants_tab (NsTraceTabs *self, NsTableId table)
{
  if (self->session == NULL || table == NS_TABLE_ACTIVITIES)
    return TRUE;
  if (!ns_trace_tabs_may_have_rows (self, table) && !self->is_asked[table] &&
      table != get_front (self))
    return FALSE;
  return !ns_tabs_list_is_hidden (table);
}

/* Shows and hides tabs after a change of the settings or of the tables. */
static void
update_tabs (NsTraceTabs *self)
{
  guint i;

  /* GtkNotebook would switch from a hidden page to its neighbour. */
  if (ns_tabs_list_is_hidden (get_front (self)))
    ns_trace_tabs_show_table (self, NS_TABLE_ACTIVITIES);
  for (i = 0; i < NS_N_TABLES; i++)
    if (self->pages[i] != NULL)
      gtk_widget_set_visible (GTK_WIDGET (self->pages[i]), wants_tab (self, (NsTableId) i));
}

static void
show_tab (NsTraceTabs *self, guint table, gboolean is_shown)
{
  self->is_asked[table] = is_shown;
  /* Hiding the tab of an empty table is not stored, since it would hide it in other traces, too. */
  if (is_shown || ns_trace_tabs_may_have_rows (self, table))
    ns_tabs_list_set_hidden (table, !is_shown);
  if (!is_shown && get_front (self) == table)
    ns_trace_tabs_show_table (self, NS_TABLE_ACTIVITIES);
  update_tabs (self);
}

/* Shows the tab of a table if it is hidden. */
static void
ensure_tab (NsTraceTabs *self, NsTableId table)
{
  if (gtk_widget_get_visible (GTK_WIDGET (self->pages[table])))
    return;
  self->is_asked[table] = TRUE;
  ns_tabs_list_set_hidden (table, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->pages[table]), TRUE);
}

static void
go_cb (NsTraceTabs *self, guint table)
{
  gtk_menu_button_popdown (GTK_MENU_BUTTON (self->more_button));
  ns_trace_tabs_show_table (self, (NsTableId) table);
}

/* Creates the list of all tables, in the order of their tabs. */
static NsTabsList *
list_new (NsTraceTabs *self)
{
  NsTabsList *list = ns_tabs_list_new ();
  NsTableId order[NS_N_TABLES];
  guint i;

  ns_tabs_list_order (order);
  for (i = 0; self->session != NULL && i < NS_N_TABLES; i++)
    ns_tabs_list_add (list,
                      order[i],
                      ns_session_count_rows (self->session, order[i]),
                      gtk_widget_get_visible (GTK_WIDGET (self->pages[order[i]])),
                      order[i] != NS_TABLE_ACTIVITIES &&
                          !ns_trace_tabs_may_have_rows (self, order[i]));
  g_signal_connect_object (list, "toggled", G_CALLBACK (show_tab), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (list, "go", G_CALLBACK (go_cb), self, G_CONNECT_SWAPPED);
  return list;
}

/* Creates the popover, each time that it is opened. */
static void
create_popover (GtkMenuButton *button, gpointer data)
{
  gtk_menu_button_set_popover (button, ns_tabs_list_new_popover (list_new (data)));
}

static void
menu_cb (NsTraceTabs *self, double x, double y, NsTableView *view)
{
  g_signal_emit (self, signals[SIGNAL_MENU], 0, x, y, view);
}

static void
details_cb (NsTraceTabs *self)
{
  g_signal_emit (self, signals[SIGNAL_DETAILS], 0);
}

static void
fields_changed_cb (NsTraceTabs *self)
{
  g_signal_emit (self, signals[SIGNAL_FIELDS_CHANGED], 0);
}

static void
page_switched_cb (NsTraceTabs *self, GtkWidget *page)
{
  guint table;

  if (self->session == NULL || self->is_building)
    return;
  for (table = 0; table < NS_N_TABLES; table++)
    if (GTK_WIDGET (self->pages[table]) == page)
      break;
  /* The page that is no table shows a subset of the operations. */
  if (page == self->other_page)
    table = NS_TABLE_ACTIVITIES;
  if (table == NS_N_TABLES)
    return;
  ns_session_set_front (self->session, (NsTableId) table);
  self->is_first_table = table == ns_session_find_first_table (self->session);
  ns_trace_tabs_ensure_table (self, (NsTableId) table);
  if (table == NS_TABLE_FINDINGS)
    ns_session_look_for_evidence (self->session);
  show_parts (self);
  g_signal_emit (self, signals[SIGNAL_SWITCHED], 0);
}

static void
add_table (NsTraceTabs *self, NsTableId table)
{
  NsTablePage *page = ns_table_page_new (self->session, table);

  g_signal_connect_object (page, "menu", G_CALLBACK (menu_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (page, "details", G_CALLBACK (details_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (page,
                           "fields-changed",
                           G_CALLBACK (fields_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
  self->pages[table] = page;
  self->is_asked[table] = FALSE;
  gtk_notebook_append_page (GTK_NOTEBOOK (self->notebook),
                            GTK_WIDGET (page),
                            ns_table_page_get_tab (page));
  ns_accessible_set_tab_name (GTK_NOTEBOOK (self->notebook),
                              GTK_WIDGET (page),
                              _ (ns_table_get_title (table)));
}

/* Sets the session of a reload on the existing table pages. */
static void
keep_tables (NsTraceTabs *self, gboolean keeps_front)
{
  GtkNotebook *notebook = GTK_NOTEBOOK (self->notebook);
  NsTableId order[NS_N_TABLES];
  guint i;

  ns_tabs_list_order (order);
  for (i = 0; i < NS_N_TABLES; i++)
    {
      GtkWidget *page = GTK_WIDGET (self->pages[order[i]]);
      guint place = self->other_page != NULL && i >= self->other_place ? i + 1 : i;

      ns_table_page_set_session (self->pages[order[i]], self->session);
      if (gtk_notebook_page_num (notebook, page) != (int) place)
        gtk_notebook_reorder_child (notebook, page, (int) place);
    }
  update_tabs (self);
  if (get_front (self) == NS_TABLE_FINDINGS)
    ns_session_look_for_evidence (self->session);
  /* A trace without operations in its first part may have some now. */
  if (self->is_first_table && !keeps_front)
    ns_trace_tabs_show_table (self, ns_session_find_first_table (self->session));
}

static gboolean
make_table_cb (gpointer data)
{
  NsTraceTabs *self = data;

  self->table_id = 0;
  self->n_frames_waited = 0;
  ns_trace_tabs_ensure_table (self, get_front (self));
  return G_SOURCE_REMOVE;
}

/* Tick callback. It runs before a frame is painted, so at the second call one is shown. */
static gboolean
frame_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  NsTraceTabs *self = NS_TRACE_TABS (widget);

  if (++self->n_frames_waited <= FRAMES_BEFORE_TABLE)
    return G_SOURCE_CONTINUE;
  self->table_id = g_idle_add (make_table_cb, self);
  return G_SOURCE_REMOVE;
}

/* Creates the first table. For the first part of a large trace the timeline is painted before,
 * since creating both at once blocks the window noticeably. */
static void
make_first_table (NsTraceTabs *self, gboolean is_beginning)
{
  if (!is_beginning)
    ns_trace_tabs_ensure_table (self, get_front (self));
  else if (self->n_frames_waited == 0)
    {
      self->n_frames_waited = 1;
      gtk_widget_add_tick_callback (GTK_WIDGET (self), frame_cb, NULL, NULL);
    }
}

/* Creates a tab for each table. */
static void
build_tables (NsTraceTabs *self, gboolean is_beginning)
{
  GtkNotebook *notebook = GTK_NOTEBOOK (self->notebook);
  NsTableId order[NS_N_TABLES];
  guint i;

  self->is_building = TRUE;
  while (gtk_notebook_get_n_pages (notebook) > 0)
    gtk_notebook_remove_page (notebook, -1);
  self->other_page = NULL;
  ns_tabs_list_order (order);
  for (i = 0; i < NS_N_TABLES; i++)
    add_table (self, order[i]);
  ns_session_set_front (self->session, ns_session_find_first_table (self->session));
  update_tabs (self);
  self->is_first_table = TRUE;
  make_first_table (self, is_beginning);
  ns_trace_tabs_show_table (self, get_front (self));
  show_parts (self);
  self->is_building = FALSE;
}

/**
 * ns_trace_tabs_set_session:
 * @self: tabs
 * @session: (nullable): the session to show; %NULL keeps the existing tables until the next session
 * @turn: how @session relates to the previous one
 *
 * Shows the tables of @session. A reload keeps the table pages; otherwise they are created anew,
 * and the initial table of the trace is brought to the front.
 */
void
ns_trace_tabs_set_session (NsTraceTabs *self, NsSession *session, NsSessionChange turn)
{
  g_return_if_fail (NS_IS_TRACE_TABS (self));

  if (!g_set_object (&self->session, session))
    return;
  if (session != NULL && (turn == NS_SESSION_RELOADED || turn == NS_SESSION_RELOADED_SAME_FRONT) &&
      self->pages[0] != NULL)
    keep_tables (self, turn == NS_SESSION_RELOADED_SAME_FRONT);
  else if (session != NULL)
    build_tables (self, turn == NS_TABS_BEGINNING);
}

/**
 * ns_trace_tabs_may_have_rows:
 * @self: tabs with a session
 * @table: a table
 *
 * Returns: whether @table has rows in the trace; always %TRUE for the findings, since the rules run
 *   in the background
 */
gboolean
ns_trace_tabs_may_have_rows (NsTraceTabs *self, NsTableId table)
{
  g_return_val_if_fail (NS_IS_TRACE_TABS (self), FALSE);

  return ns_table_page_may_have_rows (self->pages[table]);
}

/**
 * ns_trace_tabs_peek_table:
 * @self: tabs
 * @table: a table
 *
 * Returns: (transfer none) (nullable): the view of @table, if it has been created
 */
NsTableView *
ns_trace_tabs_peek_table (NsTraceTabs *self, NsTableId table)
{
  g_return_val_if_fail (NS_IS_TRACE_TABS (self), NULL);

  return self->pages[table] != NULL ? ns_table_page_peek_view (self->pages[table]) : NULL;
}

/**
 * ns_trace_tabs_ensure_table:
 * @self: tabs
 * @table: a table
 *
 * Returns: (transfer none) (nullable): the view of @table, created if needed; %NULL without a
 *   session
 */
NsTableView *
ns_trace_tabs_ensure_table (NsTraceTabs *self, NsTableId table)
{
  NsTableView *view;

  g_return_val_if_fail (NS_IS_TRACE_TABS (self), NULL);

  if (self->session == NULL)
    return NULL;
  view = ns_trace_tabs_peek_table (self, table);
  if (view != NULL)
    return view;
  view = ns_table_page_ensure_view (self->pages[table]);
  if (ns_table_page_peek_fields (self->pages[table]) != NULL)
    g_signal_emit (self, signals[SIGNAL_PARTS_CHANGED], 0);
  return view;
}

/**
 * ns_trace_tabs_show_table:
 * @self: tabs
 * @table: a table
 *
 * Brings @table to the front, and shows its tab if it is hidden.
 */
void
ns_trace_tabs_show_table (NsTraceTabs *self, NsTableId table)
{
  g_return_if_fail (NS_IS_TRACE_TABS (self));

  if (table >= NS_N_TABLES || self->pages[table] == NULL)
    return;
  ensure_tab (self, table);
  ns_trace_tabs_show_page (self, GTK_WIDGET (self->pages[table]));
}

/**
 * ns_trace_tabs_show_nth:
 * @self: tabs
 * @nth: index among the visible tabs, 0-based
 *
 * Brings the @nth tab to the front.
 *
 * Returns: whether there is such a tab
 */
gboolean
ns_trace_tabs_show_nth (NsTraceTabs *self, guint nth)
{
  GtkNotebook *notebook;
  int i;

  g_return_val_if_fail (NS_IS_TRACE_TABS (self), FALSE);

  notebook = GTK_NOTEBOOK (self->notebook);
  for (i = 0; i < gtk_notebook_get_n_pages (notebook); i++)
    if (gtk_widget_get_visible (gtk_notebook_get_nth_page (notebook, i)) && nth-- == 0)
      {
        gtk_notebook_set_current_page (notebook, i);
        return TRUE;
      }
  return FALSE;
}

/**
 * ns_trace_tabs_show_next:
 * @self: tabs
 * @by: 1 for the next tab, -1 for the previous one
 *
 * Switches to a neighbouring tab, and moves the focus to its table.
 */
void
ns_trace_tabs_show_next (NsTraceTabs *self, int by)
{
  NsTableView *view;

  g_return_if_fail (NS_IS_TRACE_TABS (self));

  if (by > 0)
    gtk_notebook_next_page (GTK_NOTEBOOK (self->notebook));
  else
    gtk_notebook_prev_page (GTK_NOTEBOOK (self->notebook));
  view = ns_trace_tabs_ensure_table (self, get_front (self));
  if (view != NULL)
    gtk_widget_child_focus (GTK_WIDGET (view), GTK_DIR_TAB_FORWARD);
}

/**
 * ns_trace_tabs_focus:
 * @self: tabs with a session
 *
 * Moves the focus to the table in front.
 */
void
ns_trace_tabs_focus (NsTraceTabs *self)
{
  g_return_if_fail (NS_IS_TRACE_TABS (self));

  gtk_widget_child_focus (GTK_WIDGET (self->pages[get_front (self)]), GTK_DIR_TAB_FORWARD);
}

/**
 * ns_trace_tabs_update_count:
 * @self: tabs with a session
 * @table: a table
 * @count_state: whether the row count is up to date
 * @is_playback: whether a playback is active
 *
 * Updates the row count on the tab of @table, and the severity on the tab of the findings.
 */
void
ns_trace_tabs_update_count (NsTraceTabs *self,
                            NsTableId table,
                            NsCountState count_state,
                            gboolean is_playback)
{
  g_return_if_fail (NS_IS_TRACE_TABS (self));

  if (self->pages[table] != NULL && count_state != NS_COUNT_STATE_PENDING)
    ns_table_page_show_count (self->pages[table], count_state == NS_COUNT_STATE_KNOWN, is_playback);
}

/**
 * ns_trace_tabs_peek_fields:
 * @self: tabs
 *
 * Returns: (transfer none) (nullable): the pane with the fields of a record below the table in
 *   front, if it is shown
 */
GtkWidget *
ns_trace_tabs_peek_fields (NsTraceTabs *self)
{
  g_return_val_if_fail (NS_IS_TRACE_TABS (self), NULL);

  return self->pages[get_front (self)] != NULL
             ? ns_table_page_peek_fields (self->pages[get_front (self)])
             : NULL;
}

/**
 * ns_trace_tabs_wants_timeline:
 * @self: tabs
 *
 * Returns: whether the user wants the timeline above the table in front
 */
gboolean
ns_trace_tabs_wants_timeline (NsTraceTabs *self)
{
  g_return_val_if_fail (NS_IS_TRACE_TABS (self), FALSE);

  return !self->hides_timeline[get_front (self) == NS_TABLE_EVENTS];
}

/**
 * ns_trace_tabs_insert_page:
 * @self: tabs with a session
 * @page: a page that is no table, and shows a subset of the operations
 * @tab: its tab
 * @place: index of the tab, 0-based
 * @title: title of the tab
 *
 * Adds @page; it is removed when another trace is shown.
 */
void
ns_trace_tabs_insert_page (NsTraceTabs *self,
                           GtkWidget *page,
                           GtkWidget *tab,
                           guint place,
                           const char *title)
{
  g_return_if_fail (NS_IS_TRACE_TABS (self));
  g_return_if_fail (self->other_page == NULL);

  gtk_notebook_insert_page (GTK_NOTEBOOK (self->notebook), page, tab, (int) place);
  ns_accessible_set_tab_name (GTK_NOTEBOOK (self->notebook), page, title);
  self->other_page = page;
  self->other_place = place;
}

/**
 * ns_trace_tabs_show_page:
 * @self: tabs
 * @page: a page of @self
 *
 * Brings @page to the front.
 */
void
ns_trace_tabs_show_page (NsTraceTabs *self, GtkWidget *page)
{
  int number;

  g_return_if_fail (NS_IS_TRACE_TABS (self));

  number = gtk_notebook_page_num (GTK_NOTEBOOK (self->notebook), page);
  if (number >= 0)
    gtk_notebook_set_current_page (GTK_NOTEBOOK (self->notebook), number);
}

/**
 * ns_trace_tabs_get_page:
 * @self: tabs
 *
 * Returns: (transfer none) (nullable): the page in front
 */
GtkWidget *
ns_trace_tabs_get_page (NsTraceTabs *self)
{
  GtkNotebook *notebook;

  g_return_val_if_fail (NS_IS_TRACE_TABS (self), NULL);

  notebook = GTK_NOTEBOOK (self->notebook);
  return gtk_notebook_get_nth_page (notebook, gtk_notebook_get_current_page (notebook));
}

static void
toggle_tab_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTraceTabs *self = data;
  NsTableId table;

  if (self->session == NULL || !ns_table_from_name (g_variant_get_string (parameter, NULL), &table))
    return;
  show_tab (self, table, !gtk_widget_get_visible (GTK_WIDGET (self->pages[table])));
}

static void
list_tabs_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_menu_button_popup (GTK_MENU_BUTTON (NS_TRACE_TABS (data)->more_button));
}

static void
remember (const char *key, gboolean value)
{
  if (ns_settings_get () != NULL)
    g_settings_set_boolean (ns_settings_get (), key, value);
}

static void
event_pane_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsTraceTabs *self = data;
  GtkWidget *pane = ns_trace_tabs_peek_fields (self);
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));
  gboolean had_focus = pane != NULL && focus != NULL && gtk_widget_is_ancestor (focus, pane);

  self->is_pane_folded = !g_variant_get_boolean (state);
  remember (PANE_KEY, !self->is_pane_folded);
  change_parts (self);
  if (had_focus && self->is_pane_folded)
    gtk_widget_grab_focus (GTK_WIDGET (ns_trace_tabs_peek_table (self, get_front (self))));
}

static void
timeline_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsTraceTabs *self = data;
  gboolean is_events = get_front (self) == NS_TABLE_EVENTS;

  self->hides_timeline[is_events] = !g_variant_get_boolean (state);
  remember (is_events ? EVENTS_TIMELINE_KEY : TIMELINE_KEY, g_variant_get_boolean (state));
  change_parts (self);
}

static const GActionEntry entries[] = {
  { "toggle-tab", toggle_tab_cb, "s", NULL, NULL, { 0 } },
  { "list-tabs", list_tabs_cb, NULL, NULL, NULL, { 0 } },
  { "event-pane", NULL, NULL, "true", event_pane_cb, { 0 } },
  { "timeline", NULL, NULL, "true", timeline_cb, { 0 } },
};

/**
 * ns_trace_tabs_get_actions:
 * @self: tabs
 *
 * Returns: (transfer none): the actions `toggle-tab`, with the name of a table as parameter,
 *   `list-tabs`, `event-pane` (fields and bytes below the events) and `timeline` (above the table
 *   in front)
 */
GActionMap *
ns_trace_tabs_get_actions (NsTraceTabs *self)
{
  g_return_val_if_fail (NS_IS_TRACE_TABS (self), NULL);

  return G_ACTION_MAP (self->actions);
}

static gboolean
ns_trace_tabs_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (NS_TRACE_TABS (widget)->notebook);
}

static void
ns_trace_tabs_dispose (GObject *object)
{
  NsTraceTabs *self = NS_TRACE_TABS (object);

  g_clear_handle_id (&self->table_id, g_source_remove);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ns_trace_tabs_parent_class)->dispose (object);
}

static void
ns_trace_tabs_finalize (GObject *object)
{
  g_object_unref (NS_TRACE_TABS (object)->actions);
  G_OBJECT_CLASS (ns_trace_tabs_parent_class)->finalize (object);
}

static void
add_signals (void)
{
  /**
   * NsTraceTabs::switched:
   * @self: the tabs
   *
   * Emitted when another table has come to the front.
   */
  signals[SIGNAL_SWITCHED] = ns_signal_new (NS_TYPE_TRACE_TABS, "switched", G_TYPE_NONE, 0);
  /**
   * NsTraceTabs::menu:
   * @self: the tabs
   * @x: position in @view
   * @y: position in @view
   * @view: a table
   *
   * Emitted when the user opens the context menu of a row.
   */
  signals[SIGNAL_MENU] = ns_signal_new (NS_TYPE_TRACE_TABS,
                                        "menu",
                                        G_TYPE_NONE,
                                        3,
                                        G_TYPE_DOUBLE,
                                        G_TYPE_DOUBLE,
                                        NS_TYPE_TABLE_VIEW);
  /**
   * NsTraceTabs::details:
   * @self: the tabs
   *
   * Emitted when the user activates the selected row.
   */
  signals[SIGNAL_DETAILS] = ns_signal_new (NS_TYPE_TRACE_TABS, "details", G_TYPE_NONE, 0);
  /**
   * NsTraceTabs::fields-changed:
   * @self: the tabs
   *
   * Emitted when the pane below a table shows another record, or another field is selected in it.
   */
  signals[SIGNAL_FIELDS_CHANGED] =
      ns_signal_new (NS_TYPE_TRACE_TABS, "fields-changed", G_TYPE_NONE, 0);
  /**
   * NsTraceTabs::parts-changed:
   * @self: the tabs
   *
   * Emitted when the pane below a table or the timeline is to be shown or hidden.
   */
  signals[SIGNAL_PARTS_CHANGED] =
      ns_signal_new (NS_TYPE_TRACE_TABS, "parts-changed", G_TYPE_NONE, 0);
}

static void
ns_trace_tabs_class_init (NsTraceTabsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ns_trace_tabs_dispose;
  object_class->finalize = ns_trace_tabs_finalize;
  widget_class->grab_focus = ns_trace_tabs_grab_focus;
  add_signals ();
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/netstitch/Netstitch/ns-trace-tabs.ui");
  gtk_widget_class_bind_template_child (widget_class, NsTraceTabs, notebook);
  gtk_widget_class_bind_template_child (widget_class, NsTraceTabs, more_button);
}

/* Reads which parts the user has hidden. */
static void
read_settings (NsTraceTabs *self)
{
  GSettings *settings = ns_settings_get ();

  self->is_pane_folded = settings != NULL && !g_settings_get_boolean (settings, PANE_KEY);
  self->hides_timeline[FALSE] =
      settings != NULL && !g_settings_get_boolean (settings, TIMELINE_KEY);
  self->hides_timeline[TRUE] =
      settings == NULL || !g_settings_get_boolean (settings, EVENTS_TIMELINE_KEY);
}

static void
ns_trace_tabs_init (NsTraceTabs *self)
{
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions),
                                   entries,
                                   G_N_ELEMENTS (entries),
                                   self);
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (self->notebook,
                           "switch-page",
                           G_CALLBACK (page_switched_cb),
                           self,
                           G_CONNECT_SWAPPED);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->more_button),
                                         create_popover,
                                         self,
                                         NULL);
  ns_accessible_set_notebook_name (GTK_NOTEBOOK (self->notebook), _ ("Tables"));
  ns_help_set_page (self->notebook, "table");
  read_settings (self);
}
