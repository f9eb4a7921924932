/* Page of an open trace: filter bar, timeline, tables, details panel and status bar.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-trace-page-private.h"

#include "model/ns-session-findings.h"
#include "model/ns-session-follow.h"
#include "model/ns-session-state.h"
#include "model/ns-signal.h"
#include "ui/ns-accessible.h"
#include "ui/ns-action-map.h"
#include "ui/ns-finding-words.h"
#include "ui/ns-help.h"
#include "ui/ns-split.h"

#include <glib/gi18n.h>

enum
{
  SIGNAL_CHANGED,
  SIGNAL_SHOW,
  SIGNAL_COUNTED,
  SIGNAL_FITTED,
  SIGNAL_MENU_CLOSED,
  SIGNAL_GO,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsTracePage, ns_trace_page, GTK_TYPE_BOX)

static void
changed (NsTracePage *self)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* Requests that the window shows this page. */
static void
be_shown (NsTracePage *self)
{
  g_signal_emit (self, signals[SIGNAL_SHOW], 0);
}

static NsTableId
get_front (NsTracePage *self)
{
  return self->session != NULL ? ns_session_get_front (self->session) : NS_TABLE_ACTIVITIES;
}

static NsTimeline *
get_timeline (NsTracePage *self)
{
  return ns_timeline_pane_get_timeline (self->timeline_pane);
}

/**
 * ns_trace_page_get_tabs:
 * @self: a page
 *
 * Returns: (transfer none): the tables
 */
NsTraceTabs *
ns_trace_page_get_tabs (NsTracePage *self)
{
  g_return_val_if_fail (NS_IS_TRACE_PAGE (self), NULL);

  return ns_tables_pane_get_tabs (self->tables_pane);
}

/**
 * ns_trace_page_get_playback_bar:
 * @self: a page
 *
 * Returns: (transfer none): the playback bar
 */
NsPlaybackBar *
ns_trace_page_get_playback_bar (NsTracePage *self)
{
  g_return_val_if_fail (NS_IS_TRACE_PAGE (self), NULL);

  return ns_timeline_pane_get_playback_bar (self->timeline_pane);
}

/**
 * ns_trace_page_get_status_bar:
 * @self: a page
 *
 * Returns: (transfer none): the status bar
 */
NsStatusBar *
ns_trace_page_get_status_bar (NsTracePage *self)
{
  g_return_val_if_fail (NS_IS_TRACE_PAGE (self), NULL);

  return self->status_bar;
}

static gboolean
is_playback_active (NsTracePage *self)
{
  return ns_playback_bar_is_active (ns_trace_page_get_playback_bar (self));
}

/**
 * ns_trace_page_report:
 * @self: a page
 * @text: a message
 *
 * Shows a message in the status bar, also as accessible name.
 */
void
ns_trace_page_report (NsTracePage *self, const char *text)
{
  g_return_if_fail (NS_IS_TRACE_PAGE (self));

  ns_status_bar_show_message (self->status_bar, text);
}

/* Shows the parts of the page that belong to the table in front. The panel leaves out the fields of
 * an event that are shown below the table of events. */
static void
update_parts (NsTracePage *self)
{
  NsTraceTabs *tabs = ns_trace_page_get_tabs (self);
  GtkWidget *part = GTK_WIDGET (self->timeline_pane);
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  /* The playback bar is in the timeline pane. */
  gboolean is_wanted = is_playback_active (self) || ns_trace_tabs_wants_timeline (tabs);
  gboolean is_shown_below;

  if (self->session == NULL)
    return;
  if (!is_wanted && focus != NULL && gtk_widget_is_ancestor (focus, part))
    gtk_widget_child_focus (GTK_WIDGET (tabs), GTK_DIR_TAB_FORWARD);
  gtk_widget_set_visible (part, is_wanted);
  is_shown_below = ns_session_get_front (self->session) == NS_TABLE_EVENTS &&
                   ns_trace_tabs_peek_fields (tabs) != NULL &&
                   ns_session_get_selected_table (self->session) == NS_TABLE_EVENTS;
  ns_details_panel_set_has_fields (self->panel, !is_shown_below);
  ns_action_map_set_state (ns_tables_pane_get_actions (self->tables_pane),
                           "timeline",
                           g_variant_new_boolean (is_wanted));
}

/* Shows the sums of all findings in the status bar, once the rules have run. */
static void
update_findings (NsTracePage *self)
{
  NsFindingSums sums;

  if (ns_session_sum_findings (self->session, &sums) &&
      ns_session_get_front (self->session) == NS_TABLE_FINDINGS &&
      ns_session_get_selected (self->session)->len == 0)
    ns_status_bar_update_sums (self->status_bar);
}

/* Updates the row count on the tab of a table. */
static void
update_tab (NsTracePage *self, guint table)
{
  NsCountState count_state =
      ns_playback_bar_get_count_state (ns_trace_page_get_playback_bar (self), (NsTableId) table);

  ns_trace_tabs_update_count (ns_trace_page_get_tabs (self),
                              (NsTableId) table,
                              count_state,
                              is_playback_active (self));
  if (table != NS_TABLE_FINDINGS || count_state == NS_COUNT_STATE_PENDING)
    return;
  update_findings (self);
  g_signal_emit (self, signals[SIGNAL_COUNTED], 0);
}

static void
update_counts (NsTracePage *self)
{
  guint i;

  if (self->session == NULL)
    return;
  for (i = 0; i < NS_N_TABLES; i++)
    update_tab (self, i);
  ns_find_bar_update (ns_tables_pane_get_find_bar (self->tables_pane));
}

/* Returns the status bar's text for findings, events and packets, which have no sums. */
static char *
describe_cb (NsTracePage *self, guint n_rows)
{
  NsTableId front = get_front (self);

  if (front == NS_TABLE_FINDINGS)
    return ns_finding_words_sums (self->session, n_rows);
  if (n_rows > 0 && (front == NS_TABLE_EVENTS || front == NS_TABLE_PACKETS))
    return ns_event_actions_dup_status (self->event_actions, n_rows);
  return NULL;
}

static void
selection_changed_cb (NsTracePage *self)
{
  update_parts (self);
  changed (self);
}

static void
rows_changed_cb (NsTracePage *self, guint table)
{
  const char *incomplete_reason =
      ns_session_get_incomplete_reason (self->session, (NsTableId) table);

  /* A playback changes all tables ten times a second. */
  if (is_playback_active (self) && table != get_front (self))
    {
      update_tab (self, table);
      return;
    }
  if (table == NS_TABLE_ACTIVITIES && self->paired_tab != NULL)
    ns_paired_tab_update_rows (self->paired_tab, is_playback_active (self));
  update_counts (self);
  changed (self);
  if (incomplete_reason != NULL && table == get_front (self))
    ns_trace_page_report (self, incomplete_reason);
}

static void
show_table_cb (NsTracePage *self, guint table)
{
  ns_trace_tabs_show_table (ns_trace_page_get_tabs (self), (NsTableId) table);
}

static void
switched_cb (NsTracePage *self)
{
  ns_session_follow (self->session, get_front (self));
  update_parts (self);
  update_counts (self);
  changed (self);
  ns_status_bar_update_sums (self->status_bar);
}

static void
found_cb (NsTracePage *self)
{
  NsFinder *finder = ns_find_bar_get_finder (ns_tables_pane_get_find_bar (self->tables_pane));

  changed (self);
  if (self->session == NULL)
    return;
  ns_timeline_set_found (get_timeline (self),
                         ns_finder_get_times (finder),
                         ns_finder_get_table (finder) == NS_TABLE_ACTIVITIES
                             ? ns_finder_get_hits (finder)
                             : NULL);
}

static void
record_changed_cb (NsTracePage *self)
{
  NsTableId table = ns_session_get_selected_table (self->session);

  changed (self);
  if (table == NS_TABLE_EVENTS || table == NS_TABLE_PACKETS)
    ns_status_bar_update_sums (self->status_bar);
}

/* Shows the details panel when a row is activated. */
static void
details_cb (NsTracePage *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->panel), TRUE);
  changed (self);
}

static void
timeline_menu_cb (NsTracePage *self, double x, double y)
{
  ns_table_actions_popup_menu (ns_tables_pane_get_table_actions (self->tables_pane),
                               GTK_WIDGET (get_timeline (self)),
                               x,
                               y);
}

static void
menu_closed_cb (NsTracePage *self)
{
  changed (self);
  g_signal_emit (self, signals[SIGNAL_MENU_CLOSED], 0);
}

static NsTableView *
any_view_cb (NsTracePage *self, guint table, gboolean is_needed)
{
  NsTraceTabs *tabs = ns_trace_page_get_tabs (self);
  NsTableView *view = is_needed ? ns_trace_tabs_ensure_table (tabs, (NsTableId) table)
                                : ns_trace_tabs_peek_table (tabs, (NsTableId) table);

  return view != NULL ? g_object_ref (view) : NULL;
}

/* Moves the status bar into the footer of the call tree, or back. */
static void
place_status_bar (NsTracePage *self, gboolean is_tree)
{
  GtkWidget *page = ns_flame_actions_get_page (self->call_tree);
  GtkWidget *bar = GTK_WIDGET (self->status_bar);
  GtkWidget *foot = ns_flame_view_get_foot (NS_FLAME_VIEW (page));

  ns_status_bar_set_has_sums (self->status_bar, !is_tree);
  g_object_ref (bar);
  gtk_box_remove (GTK_BOX (gtk_widget_get_parent (bar)), bar);
  gtk_box_append (GTK_BOX (is_tree ? foot : GTK_WIDGET (self)), bar);
  g_object_unref (bar);
}

/* Switches between the call tree and the panes, and moves the focus to what is shown. */
static void
tree_shown_cb (NsTracePage *self, gboolean is_tree)
{
  gtk_widget_set_visible (GTK_WIDGET (self->panel_frame), !is_tree);
  gtk_widget_set_visible (self->columns_button, !is_tree);
  place_status_bar (self, is_tree);
  ns_crumb_bar_update (self->crumb_bar);
  changed (self);
  if (is_tree)
    gtk_widget_grab_focus (ns_flame_actions_get_page (self->call_tree));
  else
    gtk_widget_child_focus (GTK_WIDGET (ns_trace_page_get_tabs (self)), GTK_DIR_TAB_FORWARD);
}

/* Hides the labels beside icons in a narrow window. */
static void
fit (NsTracePage *self)
{
  gboolean is_narrow = ns_panel_frame_is_narrow (self->panel_frame);

  ns_filter_bar_set_narrow (self->filter_bar, is_narrow);
  ns_crumb_bar_set_narrow (self->crumb_bar, is_narrow);
  ns_flame_view_set_narrow (NS_FLAME_VIEW (ns_flame_actions_get_page (self->call_tree)), is_narrow);
  ns_status_bar_set_narrow (self->status_bar, is_narrow);
  if (self->paired_tab != NULL)
    ns_paired_tab_set_narrow (self->paired_tab, is_narrow);
  g_signal_emit (self, signals[SIGNAL_FITTED], 0);
}

static void
narrow_cb (NsTracePage *self)
{
  fit (self);
  changed (self);
}

static void
tight_cb (NsTracePage *self)
{
  g_signal_emit (self, signals[SIGNAL_FITTED], 0);
}

/**
 * ns_trace_page_set_initial_layout:
 * @self: a page
 * @width: the width of the window, in px
 * @height: the height of the window, in px
 * @has_panel: whether the panel is shown if there is room
 *
 * Sets the initial layout. The timeline gets 53 % of the height less 90 px: the larger part of a
 * large window, and six lanes in a window of 600 px.
 */
void
ns_trace_page_set_initial_layout (NsTracePage *self, int width, int height, gboolean has_panel)
{
  g_return_if_fail (NS_IS_TRACE_PAGE (self));

  gtk_paned_set_position (GTK_PANED (self->main_paned), MAX (height * 53 / 100 - 90, 120));
  ns_panel_frame_begin (self->panel_frame, width, has_panel);
  fit (self);
}

/**
 * ns_trace_page_get_frame:
 * @self: a page
 *
 * Returns: (transfer none): the container of the panes and the panel
 */
NsPanelFrame *
ns_trace_page_get_frame (NsTracePage *self)
{
  g_return_val_if_fail (NS_IS_TRACE_PAGE (self), NULL);

  return self->panel_frame;
}

/* Saves the view and releases the session. During a reload, menus that do not depend on a row or a
 * frame stay open, so the parts with only such actions keep their session: disabling the actions
 * would drop the focus of an open menu. */
static void
leave_session (NsTracePage *self, gboolean is_reload)
{
  if (is_reload)
    ns_accessible_drop_menus (GTK_WIDGET (self->panel));
  ns_find_bar_set_session (ns_tables_pane_get_find_bar (self->tables_pane), NULL);
  ns_filter_bar_set_session (self->filter_bar, NULL);
  ns_crumb_bar_set_session (self->crumb_bar, NULL);
  /* Ending a playback updates the sums, so it comes before the status bar. */
  ns_playback_bar_set_session (ns_trace_page_get_playback_bar (self), NULL);
  if (self->machine != NULL)
    ns_other_machine_set_session (self->machine, NULL);
  ns_view_memory_save (self->memory);
  ns_view_memory_release (self->memory);
  g_signal_handlers_disconnect_by_data (self->session, self);
  ns_status_bar_set_session (self->status_bar, NULL);
  ns_tables_pane_leave (self->tables_pane, is_reload);
  ns_timeline_pane_leave (self->timeline_pane, is_reload);
  ns_details_panel_set_session (self->panel, NULL);
  ns_flame_actions_set_session (self->call_tree, NULL);
  g_clear_object (&self->session);
  ns_event_actions_set_session (self->event_actions, NULL);
  if (is_reload)
    return;
  ns_go_to_set_session (self->go_to, NULL);
  ns_preset_actions_set_session (self->preset_actions, NULL);
  ns_export_actions_set_session (self->export_actions, NULL);
  if (self->paired_tab != NULL)
    ns_paired_tab_set_session (self->paired_tab, NULL);
}

static void
watch_session (NsTracePage *self)
{
  static const struct
  {
    const char *signal;
    GCallback callback;
  } connections[] = {
    { "selection-changed", G_CALLBACK (selection_changed_cb) },
    { "rows-changed", G_CALLBACK (rows_changed_cb) },
    { "spans-changed", G_CALLBACK (changed) },
    { "conditions-changed", G_CALLBACK (changed) },
    { "show-table", G_CALLBACK (show_table_cb) },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (connections); i++)
    g_signal_connect_swapped (self->session, connections[i].signal, connections[i].callback, self);
}

/* Shows the tables of a new session. */
static void
show_tables (NsTracePage *self, NsSessionChange turn)
{
  gboolean is_new = turn != NS_SESSION_RELOADED && turn != NS_SESSION_RELOADED_SAME_FRONT;

  ns_session_look_for_findings (self->session);
  if (is_new && self->paired_tab != NULL)
    ns_paired_tab_forget_page (self->paired_tab);
  ns_tables_pane_set_session (self->tables_pane, self->session, turn);
  if (is_new && self->paired_tab != NULL)
    ns_timeline_pane_add_lanes (self->timeline_pane,
                                ns_paired_tab_build (self->paired_tab,
                                                     ns_panel_frame_is_narrow (self->panel_frame)));
  if (is_new)
    update_parts (self);
  update_counts (self);
}

/**
 * ns_trace_page_set_session:
 * @self: a page
 * @session: (nullable): the session to show; after a reload, with the same table in front
 * @turn: whether @session is a new trace or a reload
 * @is_part: whether @session has only the first part of a trace
 *
 * Saves the view of the previous session, and shows @session.
 */
void
ns_trace_page_set_session (NsTracePage *self,
                           NsSession *session,
                           NsSessionChange turn,
                           gboolean is_part)
{
  g_return_if_fail (NS_IS_TRACE_PAGE (self));

  if (self->session != NULL)
    leave_session (self, turn == NS_SESSION_RELOADED || turn == NS_SESSION_RELOADED_SAME_FRONT);
  if (session == NULL)
    return;
  self->session = g_object_ref (session);
  if (self->machine != NULL)
    {
      ns_other_machine_set_session (self->machine, session);
      ns_paired_tab_set_session (self->paired_tab, session);
    }
  ns_event_actions_set_session (self->event_actions, session);
  ns_timeline_pane_set_session (self->timeline_pane, session);
  watch_session (self);
  ns_details_panel_set_session (self->panel, session);
  ns_flame_actions_set_session (self->call_tree, session);
  show_tables (self, turn);
  ns_filter_bar_set_session (self->filter_bar, session);
  ns_crumb_bar_set_session (self->crumb_bar, session);
  ns_go_to_set_session (self->go_to, session);
  ns_preset_actions_set_session (self->preset_actions, session);
  ns_export_actions_set_session (self->export_actions, session);
  ns_tables_pane_show_damage (self->tables_pane);
  selection_changed_cb (self);
  ns_view_memory_begin (self->memory, session, is_part);
  ns_status_bar_set_session (self->status_bar, session);
}

/**
 * ns_trace_page_get_go_to:
 * @self: a page
 *
 * Returns: (transfer none): the object that jumps to rows, times and links
 */
NsGoTo *
ns_trace_page_get_go_to (NsTracePage *self)
{
  g_return_val_if_fail (NS_IS_TRACE_PAGE (self), NULL);

  return self->go_to;
}

/**
 * ns_trace_page_take_bars:
 * @self: a page
 * @bars: the message bars of the window
 *
 * Inserts @bars below the filter and crumb bars, which do not move when a message appears.
 */
void
ns_trace_page_take_bars (NsTracePage *self, GtkWidget *bars)
{
  g_return_if_fail (NS_IS_TRACE_PAGE (self));

  gtk_box_insert_child_after (GTK_BOX (self), bars, GTK_WIDGET (self->crumb_bar));
}

static void
connect_to (gpointer part, const char *signal, GCallback callback, gpointer object)
{
  g_signal_connect_object (part, signal, callback, object, G_CONNECT_SWAPPED);
}

static void
pairing_shown_cb (NsTracePage *self, NsPairing *pairing)
{
  ns_details_panel_set_pairing (self->panel, pairing);
  changed (self);
}

static void
go_cb (NsTracePage *self, GFile *file, const char *place)
{
  g_signal_emit (self, signals[SIGNAL_GO], 0, file, place);
}

/**
 * ns_trace_page_add_machine:
 * @self: a page without a session
 * @machine: the other machine
 * @window: the window of the page, whose keys jump between the two machines
 *
 * Adds the tab and the actions for requests that @machine recorded as well.
 */
void
ns_trace_page_add_machine (NsTracePage *self, NsOtherMachine *machine, GtkWidget *window)
{
  g_return_if_fail (NS_IS_TRACE_PAGE (self));
  g_return_if_fail (self->machine == NULL);

  self->machine = g_object_ref (machine);
  self->paired_tab = ns_paired_tab_new (machine, ns_trace_page_get_tabs (self));
  connect_to (machine, "shown", G_CALLBACK (pairing_shown_cb), self);
  connect_to (machine, "message", G_CALLBACK (ns_trace_page_report), self);
  connect_to (self->paired_tab, "message", G_CALLBACK (ns_trace_page_report), self);
  ns_paired_tab_watch_keys (self->paired_tab, window);
  connect_to (self->paired_tab, "go", G_CALLBACK (go_cb), self);
  ns_action_map_take (G_ACTION_MAP (self->actions), ns_paired_tab_get_actions (self->paired_tab));
}

static void
ns_trace_page_dispose (GObject *object)
{
  NsTracePage *self = NS_TRACE_PAGE (object);

  if (self->session != NULL)
    leave_session (self, FALSE);
  g_clear_object (&self->paired_tab);
  g_clear_object (&self->machine);
  g_clear_object (&self->memory);
  g_clear_object (&self->event_actions);
  g_clear_object (&self->export_actions);
  g_clear_object (&self->call_tree);
  g_clear_object (&self->go_to);
  g_clear_object (&self->preset_actions);
  G_OBJECT_CLASS (ns_trace_page_parent_class)->dispose (object);
}

static void
ns_trace_page_finalize (GObject *object)
{
  g_object_unref (NS_TRACE_PAGE (object)->actions);
  G_OBJECT_CLASS (ns_trace_page_parent_class)->finalize (object);
}

static void
add_signals (void)
{
  /**
   * NsTracePage::changed:
   * @self: the page
   *
   * Emitted when the set of enabled actions may have changed.
   */
  signals[SIGNAL_CHANGED] = ns_signal_new (NS_TYPE_TRACE_PAGE, "changed", G_TYPE_NONE, 0);
  /**
   * NsTracePage::show-page:
   * @self: the page
   *
   * Emitted when the window has to show the page, since an action on it was activated.
   */
  signals[SIGNAL_SHOW] = ns_signal_new (NS_TYPE_TRACE_PAGE, "show-page", G_TYPE_NONE, 0);
  /**
   * NsTracePage::counted:
   * @self: the page
   *
   * Emitted when the number of findings may have changed.
   */
  signals[SIGNAL_COUNTED] = ns_signal_new (NS_TYPE_TRACE_PAGE, "counted", G_TYPE_NONE, 0);
  /**
   * NsTracePage::fitted:
   * @self: the page
   *
   * Emitted when the page has become narrow or tight, or has ceased to be.
   */
  signals[SIGNAL_FITTED] = ns_signal_new (NS_TYPE_TRACE_PAGE, "fitted", G_TYPE_NONE, 0);
  /**
   * NsTracePage::menu-closed:
   * @self: the page
   *
   * Emitted when the context menu of rows has been closed.
   */
  signals[SIGNAL_MENU_CLOSED] = ns_signal_new (NS_TYPE_TRACE_PAGE, "menu-closed", G_TYPE_NONE, 0);
  /**
   * NsTracePage::go:
   * @self: the page
   * @file: the trace file of the other machine
   * @place: the position in that trace
   *
   * Emitted when the user jumps to the other end of a request.
   */
  signals[SIGNAL_GO] =
      ns_signal_new (NS_TYPE_TRACE_PAGE, "go", G_TYPE_NONE, 2, G_TYPE_FILE, G_TYPE_STRING);
}

static void
ns_trace_page_class_init (NsTracePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ns_trace_page_dispose;
  object_class->finalize = ns_trace_page_finalize;
  add_signals ();
  g_type_ensure (NS_TYPE_CRUMB_BAR);
  g_type_ensure (NS_TYPE_DETAILS_PANEL);
  g_type_ensure (NS_TYPE_FILTER_BAR);
  g_type_ensure (NS_TYPE_PANEL_FRAME);
  g_type_ensure (NS_TYPE_SPLIT);
  g_type_ensure (NS_TYPE_STATUS_BAR);
  g_type_ensure (NS_TYPE_TABLES_PANE);
  g_type_ensure (NS_TYPE_TIMELINE_PANE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/netstitch/Netstitch/ns-trace-page.ui");
  gtk_widget_class_bind_template_child (widget_class, NsTracePage, filter_bar);
  gtk_widget_class_bind_template_child (widget_class, NsTracePage, columns_button);
  gtk_widget_class_bind_template_child (widget_class, NsTracePage, crumb_bar);
  gtk_widget_class_bind_template_child (widget_class, NsTracePage, panel_frame);
  gtk_widget_class_bind_template_child (widget_class, NsTracePage, main_paned);
  gtk_widget_class_bind_template_child (widget_class, NsTracePage, timeline_pane);
  gtk_widget_class_bind_template_child (widget_class, NsTracePage, tables_pane);
  gtk_widget_class_bind_template_child (widget_class, NsTracePage, panel);
  gtk_widget_class_bind_template_child (widget_class, NsTracePage, status_bar);
}

/* Creates the parts that are not in the template. */
static void
make_parts (NsTracePage *self)
{
  NsTimeline *timeline = get_timeline (self);
  NsTraceTabs *tabs = ns_trace_page_get_tabs (self);
  GtkWidget *tree;

  self->memory = ns_view_memory_new (timeline, tabs);
  self->event_actions = ns_event_actions_new (tabs, self->panel);
  self->go_to = ns_go_to_new ();
  self->export_actions = ns_export_actions_new (timeline);
  self->preset_actions = ns_preset_actions_new (timeline);
  self->call_tree = ns_flame_actions_new ();
  tree = ns_flame_actions_get_page (self->call_tree);
  gtk_box_insert_child_after (GTK_BOX (self), tree, GTK_WIDGET (self->panel_frame));
  ns_tables_pane_add_columns (self->tables_pane, GTK_MENU_BUTTON (self->columns_button));
}

/* Connects the signals between parts of the page. */
static void
connect_parts (NsTracePage *self)
{
  NsFindBar *find_bar = ns_tables_pane_get_find_bar (self->tables_pane);
  NsFindingLine *line = ns_timeline_pane_get_finding_line (self->timeline_pane);
  GCallback filter = G_CALLBACK (ns_filter_bar_set_text);
  GCallback view = G_CALLBACK (ns_tables_pane_dup_front);

  connect_to (line, "filter", filter, self->filter_bar);
  connect_to (self->go_to, "filter", filter, self->filter_bar);
  connect_to (self->go_to, "found", G_CALLBACK (ns_find_bar_find_matching), find_bar);
  connect_to (self->go_to, "hold-time", G_CALLBACK (ns_timeline_hold_time), get_timeline (self));
  connect_to (self->export_actions, "look", G_CALLBACK (ns_view_memory_make), self->memory);
  connect_to (self->export_actions, "view", view, self->tables_pane);
  connect_to (self->preset_actions, "view", G_CALLBACK (any_view_cb), self);
  connect_to (self->call_tree, "noted", G_CALLBACK (ns_crumb_bar_update), self->crumb_bar);
  connect_to (self->crumb_bar, "note", G_CALLBACK (ns_flame_actions_dup_note), self->call_tree);
}

static void
connect_page (NsTracePage *self)
{
  NsTraceTabs *tabs = ns_trace_page_get_tabs (self);
  NsPlaybackBar *playback_bar = ns_trace_page_get_playback_bar (self);
  NsTableActions *table_actions = ns_tables_pane_get_table_actions (self->tables_pane);
  gpointer speakers[] = { self->call_tree,      self->event_actions, self->export_actions,
                          self->filter_bar,     self->go_to,         self->memory,
                          self->preset_actions, self->timeline_pane, table_actions };
  const struct
  {
    gpointer part;
    const char *signal;
    GCallback callback;
  } connections[] = {
    { self->timeline_pane, "changed", G_CALLBACK (changed) },
    { get_timeline (self), "menu", G_CALLBACK (timeline_menu_cb) },
    { get_timeline (self), "activated", G_CALLBACK (details_cb) },
    { playback_bar, "notify::active", G_CALLBACK (selection_changed_cb) },
    { playback_bar, "limited", G_CALLBACK (update_tab) },
    { ns_tables_pane_get_find_bar (self->tables_pane), "changed", G_CALLBACK (found_cb) },
    { self->tables_pane, "damage", G_CALLBACK (be_shown) },
    { table_actions, "menu-closed", G_CALLBACK (menu_closed_cb) },
    { tabs, "switched", G_CALLBACK (switched_cb) },
    { tabs, "details", G_CALLBACK (details_cb) },
    { tabs, "parts-changed", G_CALLBACK (update_parts) },
    { self->event_actions, "changed", G_CALLBACK (record_changed_cb) },
    { self->call_tree, "shown", G_CALLBACK (tree_shown_cb) },
    { self->status_bar, "describe", G_CALLBACK (describe_cb) },
    { self->panel_frame, "notify::narrow", G_CALLBACK (narrow_cb) },
    { self->panel_frame, "notify::tight", G_CALLBACK (tight_cb) },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (speakers); i++)
    connect_to (speakers[i], "message", G_CALLBACK (ns_trace_page_report), self);
  for (i = 0; i < G_N_ELEMENTS (connections); i++)
    connect_to (connections[i].part, connections[i].signal, connections[i].callback, self);
}

static void
ns_trace_page_init (NsTracePage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->actions = g_simple_action_group_new ();
  make_parts (self);
  connect_parts (self);
  connect_page (self);
  ns_help_set_page (GTK_WIDGET (self->panel), "details");
}
