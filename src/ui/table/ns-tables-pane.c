/* Pane with the find bar and the tables of a trace, or the damage list in their place.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/table/ns-tables-pane.h"

#include "model/ns-signal.h"
#include "ui/ns-action-map.h"
#include "ui/sheets/ns-damage-sheet.h"
#include "ui/table/ns-column-chooser.h"

struct _NsTablesPane
{
  GtkBox parent_instance;

  NsSession *session; /* (nullable) */
  GSimpleActionGroup *actions;
  NsTableActions *table_actions;

  NsFindBar *find_bar;
  GtkWidget *damage_sheet;
  NsTraceTabs *tabs;
};

enum
{
  SIGNAL_DAMAGE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsTablesPane, ns_tables_pane, GTK_TYPE_BOX)

/**
 * ns_tables_pane_ensure_front:
 * @self: a pane
 *
 * Returns: (transfer none) (nullable): the view of the table in front, created if needed; %NULL
 *   without a session
 */
NsTableView *
ns_tables_pane_ensure_front (NsTablesPane *self)
{
  g_return_val_if_fail (NS_IS_TABLES_PANE (self), NULL);

  return ns_trace_tabs_ensure_table (self->tabs,
                                     self->session != NULL ? ns_session_get_front (self->session)
                                                           : NS_TABLE_ACTIVITIES);
}

/**
 * ns_tables_pane_dup_front:
 * @self: a pane
 *
 * Signal handler for signals that request the view of the table in front.
 *
 * Returns: (transfer full) (nullable): see ns_tables_pane_ensure_front()
 */
NsTableView *
ns_tables_pane_dup_front (NsTablesPane *self)
{
  NsTableView *view = ns_tables_pane_ensure_front (self);

  return view != NULL ? g_object_ref (view) : NULL;
}

/* Shows the damage list in place of the tables. */
static void
show_damage_list (NsTablesPane *self, gboolean is_shown)
{
  ns_action_map_set_state (G_ACTION_MAP (self->actions),
                           "damage",
                           g_variant_new_boolean (is_shown));
  gtk_widget_set_visible (self->damage_sheet, is_shown);
  gtk_widget_set_visible (GTK_WIDGET (self->find_bar), !is_shown);
  gtk_widget_set_visible (GTK_WIDGET (self->tabs), !is_shown);
}

static void
damage_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsTablesPane *self = data;

  if (g_variant_get_boolean (state))
    g_signal_emit (self, signals[SIGNAL_DAMAGE], 0);
  show_damage_list (self, g_variant_get_boolean (state));
}

static void
show_tab_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsTableId table;

  if (ns_table_from_name (g_variant_get_string (parameter, NULL), &table))
    ns_trace_tabs_show_table (NS_TABLES_PANE (data)->tabs, table);
}

static void
next_tab_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_trace_tabs_show_next (NS_TABLES_PANE (data)->tabs, g_variant_get_int32 (parameter));
}

static const GActionEntry entries[] = {
  { "damage", NULL, NULL, "false", damage_cb, { 0 } },
  { "show-tab", show_tab_cb, "s", NULL, NULL, { 0 } },
  { "next-tab", next_tab_cb, "i", NULL, NULL, { 0 } },
};

/**
 * ns_tables_pane_get_actions:
 * @self: a pane
 *
 * Returns: (transfer none): the actions of the tables, of the rows of the front table and of the
 *   find bar; `damage` shows the damage list in place of the tables, `show-tab` and `next-tab`
 *   raise a table
 */
GActionMap *
ns_tables_pane_get_actions (NsTablesPane *self)
{
  g_return_val_if_fail (NS_IS_TABLES_PANE (self), NULL);

  return G_ACTION_MAP (self->actions);
}

/**
 * ns_tables_pane_leave:
 * @self: a pane
 * @is_reload: whether a later load of the same trace follows at once; the row actions then keep
 *   their session
 *
 * Releases the session.
 */
void
ns_tables_pane_leave (NsTablesPane *self, gboolean is_reload)
{
  g_return_if_fail (NS_IS_TABLES_PANE (self));

  g_clear_object (&self->session);
  ns_find_bar_set_session (self->find_bar, NULL);
  ns_trace_tabs_set_session (self->tabs, NULL, NS_TABS_NEW);
  if (!is_reload)
    ns_table_actions_set_session (self->table_actions, NULL);
}

/**
 * ns_tables_pane_set_session:
 * @self: a pane
 * @session: (nullable): the session whose tables are shown
 * @turn: how the tabs switch to it
 */
void
ns_tables_pane_set_session (NsTablesPane *self, NsSession *session, NsSessionChange turn)
{
  g_return_if_fail (NS_IS_TABLES_PANE (self));

  g_set_object (&self->session, session);
  ns_find_bar_set_session (self->find_bar, session);
  ns_trace_tabs_set_session (self->tabs, session, turn);
  ns_table_actions_set_session (self->table_actions, session);
}

/**
 * ns_tables_pane_show_damage:
 * @self: a pane with a session
 *
 * Fills the damage list for the session, enables its action if there is damage, and shows the
 * tables.
 */
void
ns_tables_pane_show_damage (NsTablesPane *self)
{
  g_return_if_fail (NS_IS_TABLES_PANE (self));

  ns_action_map_set_enabled (G_ACTION_MAP (self->actions),
                             "damage",
                             ns_session_get_damage (self->session)->is_damaged);
  show_damage_list (self, FALSE);
  ns_damage_sheet_set_session (NS_DAMAGE_SHEET (self->damage_sheet), self->session);
}

static void
focus_view (NsTableView *view)
{
  gtk_widget_grab_focus (GTK_WIDGET (view));
  g_object_unref (view);
}

/* Moves the focus to the table when the column chooser closes. GTK 4.8 leaves no focus; newer
 * versions focus the button later, hence the idle callback. */
static void
columns_closed_cb (NsTablesPane *self)
{
  NsTableView *view = ns_tables_pane_ensure_front (self);

  if (view == NULL)
    return;
  gtk_widget_grab_focus (GTK_WIDGET (view));
  g_idle_add_once ((GSourceOnceFunc) focus_view, g_object_ref (view));
}

static void
create_columns_popover (GtkMenuButton *button, gpointer data)
{
  NsTableView *view = ns_tables_pane_ensure_front (data);
  GtkWidget *popover = view != NULL ? ns_column_chooser_new (view) : gtk_popover_new ();

  g_signal_connect_object (popover,
                           "closed",
                           G_CALLBACK (columns_closed_cb),
                           data,
                           G_CONNECT_SWAPPED);
  gtk_menu_button_set_popover (button, popover);
}

/**
 * ns_tables_pane_add_columns:
 * @self: a pane
 * @button: a button that lives as long as the pane
 *
 * Makes @button open the column chooser of the table in front.
 */
void
ns_tables_pane_add_columns (NsTablesPane *self, GtkMenuButton *button)
{
  g_return_if_fail (NS_IS_TABLES_PANE (self));

  gtk_menu_button_set_create_popup_func (button, create_columns_popover, self, NULL);
}

/**
 * ns_tables_pane_get_find_bar:
 * @self: a pane
 *
 * Returns: (transfer none): the find bar of the table in front
 */
NsFindBar *
ns_tables_pane_get_find_bar (NsTablesPane *self)
{
  g_return_val_if_fail (NS_IS_TABLES_PANE (self), NULL);

  return self->find_bar;
}

/**
 * ns_tables_pane_get_tabs:
 * @self: a pane
 *
 * Returns: (transfer none): the tabs with the tables
 */
NsTraceTabs *
ns_tables_pane_get_tabs (NsTablesPane *self)
{
  g_return_val_if_fail (NS_IS_TABLES_PANE (self), NULL);

  return self->tabs;
}

/**
 * ns_tables_pane_get_table_actions:
 * @self: a pane
 *
 * Returns: (transfer none): the actions on rows
 */
NsTableActions *
ns_tables_pane_get_table_actions (NsTablesPane *self)
{
  g_return_val_if_fail (NS_IS_TABLES_PANE (self), NULL);

  return self->table_actions;
}

static void
menu_cb (NsTablesPane *self, double x, double y, NsTableView *view)
{
  ns_table_actions_popup_menu (self->table_actions, GTK_WIDGET (view), x, y);
}

static void
ns_tables_pane_dispose (GObject *object)
{
  NsTablesPane *self = NS_TABLES_PANE (object);

  g_clear_object (&self->session);
  g_clear_object (&self->table_actions);
  G_OBJECT_CLASS (ns_tables_pane_parent_class)->dispose (object);
}

static void
ns_tables_pane_finalize (GObject *object)
{
  g_object_unref (NS_TABLES_PANE (object)->actions);
  G_OBJECT_CLASS (ns_tables_pane_parent_class)->finalize (object);
}

static void
ns_tables_pane_class_init (NsTablesPaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ns_tables_pane_dispose;
  object_class->finalize = ns_tables_pane_finalize;
  /**
   * NsTablesPane::damage:
   * @self: the pane
   *
   * Emitted when the damage list is requested, so that the pane is made visible.
   */
  signals[SIGNAL_DAMAGE] = ns_signal_new (NS_TYPE_TABLES_PANE, "damage", G_TYPE_NONE, 0);
  g_type_ensure (NS_TYPE_DAMAGE_SHEET);
  g_type_ensure (NS_TYPE_FIND_BAR);
  g_type_ensure (NS_TYPE_TRACE_TABS);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/netstitch/Netstitch/ns-tables-pane.ui");
  gtk_widget_class_bind_template_child (widget_class, NsTablesPane, find_bar);
  gtk_widget_class_bind_template_child (widget_class, NsTablesPane, damage_sheet);
  gtk_widget_class_bind_template_child (widget_class, NsTablesPane, tabs);
}

static void
ns_tables_pane_init (NsTablesPane *self)
{
  GActionMap *map;

  self->actions = g_simple_action_group_new ();
  map = G_ACTION_MAP (self->actions);
  g_action_map_add_action_entries (map, entries, G_N_ELEMENTS (entries), self);
  ns_action_map_set_enabled (map, "damage", FALSE);
  gtk_widget_init_template (GTK_WIDGET (self));
  self->table_actions = ns_table_actions_new ();
  g_signal_connect_object (self->table_actions,
                           "view",
                           G_CALLBACK (ns_tables_pane_dup_front),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->find_bar,
                           "view",
                           G_CALLBACK (ns_tables_pane_dup_front),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->tabs, "menu", G_CALLBACK (menu_cb), self, G_CONNECT_SWAPPED);
  ns_action_map_take (map, ns_trace_tabs_get_actions (self->tabs));
  ns_action_map_take (map, ns_find_bar_get_actions (self->find_bar));
  ns_action_map_take (map, ns_table_actions_get_actions (self->table_actions));
}
