/* View of one table of a session, with a column for each field.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-sched-job.h"
#include "ui/ns-accessible.h"
#include "ui/ns-settings.h"
#include "ui/table/ns-group-bar.h"
#include "ui/table/ns-table-cell.h"
#include "ui/table/ns-table-empty.h"
#include "ui/table/ns-table-fill.h"
#include "ui/table/ns-table-private.h"
#include "ui/table/ns-waterfall.h"

#include <glib/gi18n.h>

#define FIT_MIN_PX 110

enum
{
  SIGNAL_MENU,
  SIGNAL_ACTIVATED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (NsTableView, ns_table_view, GTK_TYPE_WIDGET)

static void
update_empty (NsTableView *self)
{
  ns_table_empty_update (self->empty,
                         self->session,
                         self->table,
                         g_list_model_get_n_items (G_LIST_MODEL (self->selection)));
}

/* Returns whether the rows changed since the last call. Expanding and collapsing groups does not
 * change them. */
static gboolean
take_rows (NsTableView *self)
{
  const GArray *rows = ns_row_list_get_rows (ns_session_get_rows (self->session, self->table));

  if (rows == self->seen)
    return FALSE;
  g_clear_pointer (&self->seen, g_array_unref);
  self->seen = g_array_ref ((GArray *) rows);
  return TRUE;
}

/* Returns whether the sort order of rows or groups changed since the last call. */
static gboolean
take_order (NsTableView *self)
{
  const NsGrouping *grouping = ns_session_get_grouping (self->session, self->table);
  g_autofree char *keys = ns_order_to_text (ns_session_get_order (self->session, self->table));
  g_autofree char *order = g_strdup_printf ("%s %d %d %d",
                                            keys,
                                            grouping->fields->len > 0,
                                            grouping->order,
                                            grouping->descending);
  gboolean is_other = g_strcmp0 (self->seen_order, order) != 0;

  g_free (self->seen_order);
  self->seen_order = g_steal_pointer (&order);
  return is_other;
}

/* Lays out the columns again when the table becomes grouped or ungrouped. */
static void
queue_fit_of_groups (NsTableView *self)
{
  gboolean is_grouped = ns_session_get_grouping (self->session, self->table)->fields->len > 0;

  if (is_grouped == self->is_grouped)
    return;
  self->is_grouped = is_grouped;
  ns_table_view_queue_fit (self, FALSE);
}

/* Ends the switch to a later load of the trace. */
static gboolean
settle_cb (gpointer data)
{
  NsTableView *self = data;

  self->settle_id = 0;
  self->is_taking_over = FALSE;
  return G_SOURCE_REMOVE;
}

/* Schedules the end of the switch: the selection is restored in the same main loop iteration. */
static void
settle (NsTableView *self)
{
  if (self->is_taking_over && self->settle_id == 0)
    self->settle_id = g_idle_add (settle_cb, self);
}

/* Scrolls to the top after sorting, even if the selected row is elsewhere. After a reload the
 * position is kept. */
static void
go_to_rows (NsTableView *self, gboolean is_other, gboolean is_sorted)
{
  g_autoptr (GtkBitset) bits =
      gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));

  if (!self->is_taking_over && (is_sorted || (is_other && gtk_bitset_is_empty (bits))) &&
      g_list_model_get_n_items (G_LIST_MODEL (self->selection)) > 0)
    ns_table_view_scroll_to (self, 0);
  else if (self->is_reset)
    ns_table_view_go_back (self, bits);
  self->is_reset = FALSE;
  settle (self);
}

static void
rows_changed_cb (NsTableView *self, guint table)
{
  gboolean is_other;
  gboolean is_sorted;

  /* Activities show their findings, which are computed after the rows. */
  if (table == NS_TABLE_FINDINGS && self->table == NS_TABLE_ACTIVITIES)
    ns_table_view_update_names (self);
  if (table != self->table)
    return;
  ns_table_view_hide_tip (self);
  ns_group_bar_update (self->group_bar, self->session, self->table);
  ns_table_view_update_columns (self);
  queue_fit_of_groups (self);
  update_empty (self);
  if (ns_session_is_busy (self->session, self->table))
    return;
  is_other = take_rows (self);
  is_sorted = take_order (self);
  if (ns_session_get_selected_table (self->session) == self->table)
    ns_table_view_select_again (self);
  go_to_rows (self, is_other, is_sorted);
}

static void
update_cell (NsTableCell *cell, gpointer data)
{
  ns_table_cell_update (cell);
}

static void
update_bar (NsTableCell *cell, gpointer data)
{
  if (ns_waterfall_is_field (NS_TABLE_ACTIVITIES, ns_table_cell_get_field (cell)))
    ns_table_cell_update (cell);
}

/* Updates the cells: the positions are the same, but show other rows. */
static void
contents_changed_cb (NsTableView *self)
{
  ns_table_view_for_each_cell (self, update_cell, NULL);
}

/* Draws the rows that came into view, in the same frame. */
static void
after_layout_cb (NsTableView *self)
{
  GtkWidget *list = gtk_widget_get_last_child (GTK_WIDGET (self->view));
  GtkWidget *row;
  GtkWidget *cell_widget;
  double x;
  double y;

  /* GTK repeats the layout in this frame if a width changes here. */
  ns_table_view_fit_columns (self);
  for (row = gtk_widget_get_first_child (list); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    {
      if (!gtk_widget_translate_coordinates (row, list, 0, 0, &x, &y) ||
          y >= gtk_widget_get_height (list) || y + gtk_widget_get_height (row) <= 0)
        continue;
      for (cell_widget = gtk_widget_get_first_child (row); cell_widget != NULL;
           cell_widget = gtk_widget_get_next_sibling (cell_widget))
        {
          GtkWidget *cell = gtk_widget_get_first_child (cell_widget);

          if (cell != NULL && NS_IS_TABLE_CELL (cell))
            ns_table_cell_come_into_view (NS_TABLE_CELL (cell));
        }
    }
}

static void
ns_table_view_realize (GtkWidget *widget)
{
  NsTableView *self = NS_TABLE_VIEW (widget);

  GTK_WIDGET_CLASS (ns_table_view_parent_class)->realize (widget);
  self->clock = gtk_widget_get_frame_clock (widget);
  self->layout_id = g_signal_connect_data (self->clock,
                                           "layout",
                                           G_CALLBACK (after_layout_cb),
                                           self,
                                           NULL,
                                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

static void
ns_table_view_unrealize (GtkWidget *widget)
{
  NsTableView *self = NS_TABLE_VIEW (widget);

  g_clear_signal_handler (&self->layout_id, self->clock);
  self->clock = NULL;
  GTK_WIDGET_CLASS (ns_table_view_parent_class)->unrealize (widget);
}

static void
activate_cb (NsTableView *self)
{
  g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0);
}

/* Exposes more rows in each frame; the first call is skipped because the first rows are laid out in
 * that frame. */
static gboolean
report_more_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  NsTableView *self = NS_TABLE_VIEW (widget);

  if (self->is_first_frame_done)
    ns_row_selection_report_more (self->selection);
  self->is_first_frame_done = TRUE;
  if (ns_row_selection_is_holding_back (self->selection))
    return G_SOURCE_CONTINUE;
  self->report_id = 0;
  return G_SOURCE_REMOVE;
}

static void
held_back_cb (NsTableView *self)
{
  self->is_first_frame_done = FALSE;
  if (self->report_id == 0)
    self->report_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), report_more_cb, NULL, NULL);
}

static void
build_view (NsTableView *self)
{
  NsRowList *rows = ns_session_get_rows (self->session, self->table);

  self->rows = g_object_ref (rows);
  self->selection = ns_row_selection_new (rows);
  g_signal_connect_swapped (self->selection, "held-back", G_CALLBACK (held_back_cb), self);
  g_signal_connect_swapped (self->selection,
                            "shortened",
                            G_CALLBACK (ns_table_view_shortened_cb),
                            self);
  if (ns_row_selection_is_holding_back (self->selection))
    held_back_cb (self);
  self->view =
      GTK_COLUMN_VIEW (gtk_column_view_new (g_object_ref (GTK_SELECTION_MODEL (self->selection))));
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "ns-table");
  gtk_column_view_set_reorderable (self->view, TRUE);
  ns_accessible_set_table_name (GTK_COLUMN_VIEW (self->view), _ (ns_table_get_title (self->table)));
  ns_table_fill_from_right (self->view);
  ns_table_view_add_columns (self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), GTK_WIDGET (self->view));

  ns_table_view_add_input (self);
  ns_table_view_add_keys (self);
  g_signal_connect_swapped (rows, "contents-changed", G_CALLBACK (contents_changed_cb), self);
  g_signal_connect_swapped (self->view, "activate", G_CALLBACK (activate_cb), self);
  g_signal_connect_swapped (self->selection,
                            "selection-changed",
                            G_CALLBACK (ns_table_view_give_selection),
                            self);
}

/* Focuses the first selected row that is in view, else the row that was focused before; the titles
 * are reached with the Up key. */
static gboolean
ns_table_view_grab_focus (GtkWidget *widget)
{
  GtkWidget *list = gtk_widget_get_last_child (GTK_WIDGET (NS_TABLE_VIEW (widget)->view));
  GtkWidget *row;

  for (row = gtk_widget_get_first_child (list); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    if ((gtk_widget_get_state_flags (row) & GTK_STATE_FLAG_SELECTED) != 0 &&
        gtk_widget_get_child_visible (row))
      return gtk_widget_grab_focus (row);
  return gtk_widget_child_focus (list, GTK_DIR_TAB_FORWARD);
}

/* Tab leaves the rows; the list of GTK would go through all of them first. */
static gboolean
ns_table_view_focus (GtkWidget *widget, GtkDirectionType direction)
{
  NsTableView *self = NS_TABLE_VIEW (widget);
  GtkWidget *list = gtk_widget_get_last_child (GTK_WIDGET (self->view));
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  gboolean is_tab = direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD;

  if (!is_tab || focus == NULL || !gtk_widget_is_ancestor (focus, list))
    return GTK_WIDGET_CLASS (ns_table_view_parent_class)->focus (widget, direction);
  return direction == GTK_DIR_TAB_BACKWARD && gtk_widget_child_focus (self->group_bar, direction);
}

static void
ns_table_view_dispose (GObject *object)
{
  NsTableView *self = NS_TABLE_VIEW (object);

  g_clear_handle_id (&self->place_id, g_source_remove);
  g_clear_handle_id (&self->settle_id, g_source_remove);

  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      g_signal_handlers_disconnect_by_data (self->selection, self);
      /* After a reload the rows belong to another session. */
      g_signal_handlers_disconnect_by_data (self->rows, self);
      ns_table_view_remember_columns (self);
    }
  ns_accessible_drop_menus (GTK_WIDGET (self));
  g_clear_pointer (&self->tip, gtk_widget_unparent);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->empty, gtk_widget_unparent);
  g_clear_pointer (&self->seen, g_array_unref);
  g_clear_pointer (&self->seen_order, g_free);
  g_clear_object (&self->selection);
  g_clear_object (&self->rows);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ns_table_view_parent_class)->dispose (object);
}

static void
ns_table_view_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ns_table_view_parent_class)->css_changed (widget, change);
  if (NS_TABLE_VIEW (widget)->view != NULL)
    ns_table_view_tint_titles (NS_TABLE_VIEW (widget));
}

static void
ns_table_view_class_init (NsTableViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ns_table_view_dispose;
  widget_class->focus = ns_table_view_focus;
  widget_class->grab_focus = ns_table_view_grab_focus;
  widget_class->css_changed = ns_table_view_css_changed;
  widget_class->realize = ns_table_view_realize;
  widget_class->unrealize = ns_table_view_unrealize;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  signals[SIGNAL_MENU] = g_signal_new ("menu",
                                       NS_TYPE_TABLE_VIEW,
                                       G_SIGNAL_RUN_LAST,
                                       0,
                                       NULL,
                                       NULL,
                                       NULL,
                                       G_TYPE_NONE,
                                       2,
                                       G_TYPE_DOUBLE,
                                       G_TYPE_DOUBLE);
  signals[SIGNAL_ACTIVATED] = g_signal_new ("activated",
                                            NS_TYPE_TABLE_VIEW,
                                            G_SIGNAL_RUN_LAST,
                                            0,
                                            NULL,
                                            NULL,
                                            NULL,
                                            G_TYPE_NONE,
                                            0);
}

static gboolean
place_cb (gpointer data)
{
  NsTableView *self = data;

  self->place_id = 0;
  gtk_widget_queue_allocate (GTK_WIDGET (self->view));
  return G_SOURCE_REMOVE;
}

/* Keeps the first columns in view until the user scrolls. In right-to-left layouts GTK 4.8
 * initially shows the left end of a wide table, where the last columns are. */
static void
keep_begin_cb (GtkAdjustment *adjustment, NsTableView *self)
{
  double page = gtk_adjustment_get_page_size (adjustment);
  double end = gtk_adjustment_get_upper (adjustment) - page;
  gboolean was_fitting = self->is_fitting;

  /* In GTK 4.8 the upper bound of columns narrower than the view is too small, which draws the
   * overshoot shade. Setting it calls this function again. */
  if (end < 0)
    {
      gtk_adjustment_set_upper (adjustment, page);
      return;
    }
  if (gtk_widget_get_direction (GTK_WIDGET (self)) != GTK_TEXT_DIR_RTL)
    return;
  self->is_fitting = end <= 0;
  if (self->is_fitting ? was_fitting : self->is_scrolled)
    return;
  /* When the columns fit again, the cells keep their old scroll offset, so set it once. Columns
   * narrower than the view emit this at each size allocation. */
  self->is_setting_scroll = TRUE;
  gtk_adjustment_set_value (adjustment, end);
  self->is_setting_scroll = FALSE;
  /* This is emitted during the size allocation, when the cells are already placed. */
  if (self->place_id == 0)
    self->place_id = g_idle_add (place_cb, self);
}

/* Remembers whether the user has scrolled away from the first columns. GTK also scrolls there by
 * itself when columns are removed. */
static void
scrolled_cb (GtkAdjustment *adjustment, NsTableView *self)
{
  double end = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);

  if (!self->is_setting_scroll)
    self->is_scrolled = gtk_adjustment_get_value (adjustment) < end - 1;
}

static void
ns_table_view_init (NsTableView *self)
{
  GtkAdjustment *sideways;
  self->scrolled = gtk_scrolled_window_new ();
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (self->scrolled, TRUE);
  sideways = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (self->scrolled));
  g_signal_connect_object (gtk_scrolled_window_get_vadjustment (
                               GTK_SCROLLED_WINDOW (self->scrolled)),
                           "value-changed",
                           G_CALLBACK (ns_table_view_hide_tip),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (sideways, "changed", G_CALLBACK (keep_begin_cb), self, 0);
  g_signal_connect_object (sideways, "value-changed", G_CALLBACK (scrolled_cb), self, 0);
  self->group_bar = ns_group_bar_new ();
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), self->group_bar);
  gtk_box_append (GTK_BOX (self->box), self->scrolled);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->empty = ns_table_empty_new ();
  gtk_widget_set_parent (self->empty, GTK_WIDGET (self));
}

/* Updates the waterfall bars after a change of the visible time range. */
void
ns_table_view_update_waterfall (NsTableView *self)
{
  ns_table_view_for_each_cell (self, update_bar, NULL);
  ns_table_view_prepare_titles (self);
}

static void
connect_session (NsTableView *self)
{
  take_order (self);
  if (self->table == NS_TABLE_ACTIVITIES)
    g_signal_connect_swapped (self->session,
                              "spans-changed",
                              G_CALLBACK (ns_table_view_update_waterfall),
                              self);
  g_signal_connect_swapped (self->session, "rows-changed", G_CALLBACK (rows_changed_cb), self);
  g_signal_connect_swapped (self->session,
                            "clock-changed",
                            G_CALLBACK (ns_table_view_update_clock),
                            self);
  g_signal_connect_swapped (self->session,
                            "names-changed",
                            G_CALLBACK (ns_table_view_update_names),
                            self);
  g_signal_connect_swapped (self->session,
                            "moment-changed",
                            G_CALLBACK (ns_table_view_update_names),
                            self);
  g_signal_connect_swapped (self->session,
                            "selection-changed",
                            G_CALLBACK (ns_table_view_take_selection),
                            self);
}

/**
 * ns_table_view_new:
 * @session: the session
 * @table: one of its tables
 *
 * Returns: (transfer floating): a view of @table
 */
NsTableView *
ns_table_view_new (NsSession *session, NsTableId table)
{
  NsTableView *self = g_object_new (NS_TYPE_TABLE_VIEW, NULL);

  self->session = g_object_ref (session);
  self->table = table;
  build_view (self);
  ns_group_bar_update (self->group_bar, session, table);
  connect_session (self);
  g_signal_connect_object (ns_sched_job_get (ns_settings_get_view ()),
                           "ready",
                           G_CALLBACK (ns_table_view_update_threads),
                           self,
                           G_CONNECT_SWAPPED);
  ns_table_view_update_clock (self);
  update_empty (self);
  ns_table_view_take_selection (self);
  return self;
}

/**
 * ns_table_view_is_grouped_by:
 * @self: a view
 * @field: a field of its table
 *
 * Returns: whether @field is part of the grouping
 */
gboolean
ns_table_view_is_grouped_by (NsTableView *self, const NsField *field)
{
  const NsGrouping *grouping = ns_session_get_grouping (self->session, self->table);

  return g_ptr_array_find (grouping->fields, field, NULL);
}

/**
 * ns_table_view_set_session:
 * @self: a view
 * @session: made by ns_session_new_reloaded() from the current session
 *
 * Switches to a later load of the same trace. The widgets of rows, titles and cells are reused:
 * creating them would block the window for too long.
 */
void
ns_table_view_set_session (NsTableView *self, NsSession *session)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);
  guint i;

  g_return_if_fail (NS_IS_TABLE_VIEW (self));
  g_return_if_fail (NS_IS_SESSION (session));

  self->is_taking_over = TRUE;
  g_clear_handle_id (&self->settle_id, g_source_remove);
  g_signal_handlers_disconnect_by_data (self->session, self);
  g_set_object (&self->session, session);
  for (i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      ns_table_cell_factory_set_session (gtk_column_view_column_get_factory (column), session);
    }
  connect_session (self);
  self->is_syncing = TRUE;
  gtk_selection_model_unselect_all (GTK_SELECTION_MODEL (self->selection));
  self->is_syncing = FALSE;
  ns_group_bar_update (self->group_bar, session, self->table);
  ns_table_view_update_columns (self);
  /* Updates all cells, too. */
  ns_table_view_update_clock (self);
  update_empty (self);
  ns_table_view_take_selection (self);
  if (!ns_session_is_busy (session, self->table))
    settle (self);
}

/**
 * ns_table_view_set_fit_height:
 * @self: a view
 *
 * Limits the height of the view to its rows, so that widgets can follow directly below.
 */
void
ns_table_view_set_fit_height (NsTableView *self)
{
  gtk_widget_set_vexpand (GTK_WIDGET (self), FALSE);
  gtk_widget_set_vexpand (self->scrolled, FALSE);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scrolled), TRUE);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (self->scrolled), FIT_MIN_PX);
}

/**
 * ns_table_view_get_adjustment:
 * @self: a view
 *
 * Returns: (transfer none): the vertical adjustment of its rows
 */
GtkAdjustment *
ns_table_view_get_adjustment (NsTableView *self)
{
  return gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrolled));
}

/**
 * ns_table_view_is_growing:
 * @self: a view
 *
 * Returns: whether more rows will be exposed to GTK in the next frames
 */
gboolean
ns_table_view_is_growing (NsTableView *self)
{
  return ns_row_selection_is_holding_back (self->selection);
}

/**
 * ns_table_view_get_table:
 * @self: a view
 *
 * Returns: the table it shows
 */
NsTableId
ns_table_view_get_table (NsTableView *self)
{
  return self->table;
}

/* Scrolls once the list has a size; scrolling before that would lose its rows. */
static gboolean
scroll_later_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer position)
{
  NsTableView *self = NS_TABLE_VIEW (widget);

  if (gtk_widget_get_height (GTK_WIDGET (self->view)) == 0)
    return G_SOURCE_CONTINUE;
  ns_table_view_scroll_to (self, GPOINTER_TO_UINT (position));
  return G_SOURCE_REMOVE;
}

/**
 * ns_table_view_scroll_to:
 * @self: a view
 * @position: a position, 0-based
 *
 * Scrolls as little as needed to show the row. GTK 4.8 offers this only as an action of the inner
 * list.
 */
void
ns_table_view_scroll_to (NsTableView *self, guint position)
{
  GtkWidget *child;

  ns_row_selection_report (self->selection, position);
  if (gtk_widget_get_height (GTK_WIDGET (self->view)) == 0)
    {
      gtk_widget_add_tick_callback (GTK_WIDGET (self),
                                    scroll_later_cb,
                                    GUINT_TO_POINTER (position),
                                    NULL);
      return;
    }
  for (child = gtk_widget_get_first_child (GTK_WIDGET (self->view)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LIST_VIEW (child))
      gtk_widget_activate_action (child, "list.scroll-to-item", "u", position);
}

/**
 * ns_table_view_select_all:
 * @self: a view
 */
void
ns_table_view_select_all (NsTableView *self)
{
  gtk_selection_model_select_all (GTK_SELECTION_MODEL (self->selection));
}

/* Calls @func for each existing cell widget: those on the screen and some around it. */
void
ns_table_view_for_each_cell (NsTableView *self, NsTableCellFunc func, gpointer data)
{
  GtkWidget *list = gtk_widget_get_last_child (GTK_WIDGET (self->view));
  GtkWidget *row;
  GtkWidget *cell_widget;

  for (row = gtk_widget_get_first_child (list); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    for (cell_widget = gtk_widget_get_first_child (row); cell_widget != NULL;
         cell_widget = gtk_widget_get_next_sibling (cell_widget))
      {
        GtkWidget *cell = gtk_widget_get_first_child (cell_widget);

        if (cell != NULL && NS_IS_TABLE_CELL (cell))
          func (NS_TABLE_CELL (cell), data);
      }
}

/**
 * ns_table_view_set_found:
 * @self: a view
 * @text: (nullable): the search text to highlight
 */
void
ns_table_view_set_found (NsTableView *self, const char *text)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);
  guint i;

  for (i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      ns_table_cell_factory_set_found (gtk_column_view_column_get_factory (column), text);
    }
  ns_table_view_for_each_cell (self, update_cell, NULL);
}
