/* Pointer input of a table view: sorting by title, context menus, tooltips.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-help.h"
#include "ui/ns-words.h"
#include "ui/table/ns-table-cell.h"
#include "ui/table/ns-table-private.h"
#include "ui/table/ns-waterfall.h"

#include <glib/gi18n.h>
#include <math.h>

/* A click on a title sorts if the pointer moved less than this; near the title's edge a drag
 * resizes the column. */
#define PRESS_PX 6
#define TITLE_EDGE_PX 6

/* Returns the row of column titles. */
GtkWidget *
ns_table_view_get_header (NsTableView *self)
{
  return gtk_widget_get_first_child (GTK_WIDGET (self->view));
}

/* Returns the column of a title widget; both are in the same order, including hidden ones. */
GtkColumnViewColumn *
ns_table_view_get_title_column (NsTableView *self, GtkWidget *wanted)
{
  GtkWidget *title = gtk_widget_get_first_child (ns_table_view_get_header (self));
  GListModel *columns = gtk_column_view_get_columns (self->view);
  guint i;

  for (i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      if (!gtk_column_view_column_get_visible (column))
        continue;
      while (title != NULL && !gtk_widget_get_visible (title))
        title = gtk_widget_get_next_sibling (title);
      if (title == NULL)
        return NULL;
      if (title == wanted)
        return column;
      title = gtk_widget_get_next_sibling (title);
    }
  return NULL;
}

/* Returns the column whose title is at a point of the view; @without_edges excludes the resize
 * areas. */
static GtkColumnViewColumn *
column_at (NsTableView *self, double x, double y, gboolean without_edges)
{
  GtkWidget *header = ns_table_view_get_header (self);
  GtkWidget *title;
  double title_x;
  double title_y;

  for (title = gtk_widget_get_first_child (header); title != NULL;
       title = gtk_widget_get_next_sibling (title))
    {
      int width = gtk_widget_get_width (title);

      if (!gtk_widget_get_visible (title) ||
          !gtk_widget_translate_coordinates (GTK_WIDGET (self->view),
                                             title,
                                             x,
                                             y,
                                             &title_x,
                                             &title_y) ||
          title_y < 0 || title_y >= gtk_widget_get_height (title) || title_x < 0 ||
          title_x >= width)
        continue;
      if (without_edges && (title_x < TITLE_EDGE_PX || title_x >= width - TITLE_EDGE_PX))
        return NULL;
      return ns_table_view_get_title_column (self, title);
    }
  return NULL;
}

/* Sorts the groups: descending, but by value ascending; reverses the order when sorted by the same
 * key again. Follows the direction of the rows if they are sorted by the same field. */
static void
sort_groups_by (NsTableView *self, const NsField *field, NsGroupOrder order)
{
  const NsGrouping *grouping = ns_session_get_grouping (self->session, self->table);
  const GArray *keys = ns_session_get_order (self->session, self->table);
  const NsField *by = grouping->fields->len > 0 ? g_ptr_array_index (grouping->fields, 0) : NULL;
  gboolean descending =
      order != NS_GROUP_ORDER_VALUE || (by != NULL && ns_field_type_is_number (by->type));

  if (grouping->order == order)
    descending = !grouping->descending;
  if (field != NULL && keys->len > 0 && g_array_index (keys, NsOrderKey, 0).field == field)
    descending = g_array_index (keys, NsOrderKey, 0).descending;
  ns_session_order_groups (self->session, self->table, order, descending);
}

/* Sorts the rows by a column, and the groups of a grouped table. */
void
ns_table_view_sort_by (NsTableView *self, GtkColumnViewColumn *column, gboolean add_key)
{
  const NsField *field = ns_table_view_get_field (column);
  NsGroupOrder order;

  /* The waterfall column is sorted by start time. */
  if (ns_waterfall_is_field (self->table, field))
    field = ns_table_find_field (self->table, "open_ns");
  if (field != NULL)
    ns_session_toggle_order (self->session, self->table, field, add_key);
  if (ns_table_group_get_order (ns_table_view_get_kind (column), field, &order) && !add_key)
    sort_groups_by (self, field, order);
}

static void
title_pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, NsTableView *self)
{
  self->press_x = x;
}

static void
title_released_cb (GtkGestureClick *gesture, int n_press, double x, double y, NsTableView *self)
{
  GdkModifierType state =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  GtkColumnViewColumn *column;

  if (fabs (x - self->press_x) > PRESS_PX)
    return;
  column = column_at (self, x, y, TRUE);
  if (column != NULL)
    ns_table_view_sort_by (self, column, (state & GDK_SHIFT_MASK) != 0);
}

/* Returns the cell at a point of the view, or %NULL. */
NsTableCell *
ns_table_view_get_cell_at (NsTableView *self, double x, double y)
{
  GtkWidget *widget = gtk_widget_pick (GTK_WIDGET (self->view), x, y, GTK_PICK_DEFAULT);
  GtkWidget *child;

  if (widget == NULL)
    return NULL;
  while (widget != NULL && !NS_IS_TABLE_CELL (widget))
    {
      /* The padding around a cell counts as part of it. */
      child = gtk_widget_get_first_child (widget);
      if (child != NULL && NS_IS_TABLE_CELL (child))
        return NS_TABLE_CELL (child);
      widget = gtk_widget_get_parent (widget);
    }
  return widget != NULL ? NS_TABLE_CELL (widget) : NULL;
}

static void
menu_pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, NsTableView *self)
{
  NsTableCell *cell = ns_table_view_get_cell_at (self, x, y);
  GtkColumnViewColumn *column = column_at (self, x, y, FALSE);
  double own_x;
  double own_y;

  if (column != NULL)
    ns_table_view_popup_title_menu (self, column, x, y);
  if (cell == NULL || column != NULL)
    return;
  self->pressed = ns_table_cell_get_field (cell);
  if (!gtk_selection_model_is_selected (GTK_SELECTION_MODEL (self->selection),
                                        ns_table_cell_get_position (cell)))
    gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection),
                                     ns_table_cell_get_position (cell),
                                     TRUE);
  gtk_widget_translate_coordinates (GTK_WIDGET (self->view),
                                    GTK_WIDGET (self),
                                    x,
                                    y,
                                    &own_x,
                                    &own_y);
  g_signal_emit_by_name (self, "menu", own_x, own_y);
}

/* Expands or collapses a group when its arrow is clicked, and remembers the field of the clicked
 * cell for the actions. */
static void
cell_pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, NsTableView *self)
{
  NsTableCell *cell = ns_table_view_get_cell_at (self, x, y);
  const NsGroup *group;
  double cell_x;
  double cell_y;

  ns_table_view_hide_tip (self);
  if (cell == NULL)
    return;
  self->pressed = ns_table_cell_get_field (cell);
  group = ns_table_cell_get_group (cell);
  if (group == NULL || !gtk_widget_translate_coordinates (GTK_WIDGET (self->view),
                                                          GTK_WIDGET (cell),
                                                          x,
                                                          y,
                                                          &cell_x,
                                                          &cell_y))
    return;
  if (!ns_table_cell_is_on_arrow (cell, cell_x))
    return;
  ns_session_open_group (self->session, self->table, group, !group->is_open);
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

/* Returns whether the details panel beside the table is shown. */
static gboolean
is_panel_shown (NsTableView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  g_autoptr (GVariant) state = NULL;

  if (!G_IS_ACTION_GROUP (root))
    return FALSE;
  state = g_action_group_get_action_state (G_ACTION_GROUP (root), "panel");
  return state != NULL && g_variant_is_of_type (state, G_VARIANT_TYPE_BOOLEAN) &&
         g_variant_get_boolean (state);
}

/* Shows the text as a GTK tooltip for keyboard users, and above the row for the pointer. */
static gboolean
tell (NsTableView *self,
      NsTableCell *cell,
      const char *text,
      gboolean is_keyboard,
      GtkTooltip *tooltip)
{
  g_autofree char *tip = ns_words_tooltip (text);

  if (is_keyboard)
    gtk_tooltip_set_text (tooltip, tip);
  else
    ns_table_view_show_tip (self, cell, tip);
  return is_keyboard;
}

static gboolean
tooltip_cb (NsTableView *self, int x, int y, gboolean is_keyboard, GtkTooltip *tooltip)
{
  g_autofree char *text = NULL;
  GtkColumnViewColumn *column = column_at (self, x, y, FALSE);
  NsTableCell *cell;

  /* The pointer may rest anywhere while the user moves through the rows with the keyboard. */
  if (self->is_keyed && !is_keyboard)
    return FALSE;
  if (ns_help_has_open_menu (GTK_WIDGET (self)) || ns_help_has_open_menu (GTK_WIDGET (self->view)))
    return FALSE;
  if (column != NULL)
    {
      const NsField *field = ns_table_view_get_field (column);

      if (field == NULL || field->tooltip == NULL)
        return FALSE;
      gtk_tooltip_set_text (tooltip, _ (field->tooltip));
      return TRUE;
    }
  cell = ns_table_view_get_cell_at (self, x, y);
  if (cell == NULL)
    return FALSE;
  /* Ellipsized text is always shown in full; the rest only if the details panel is hidden. */
  text = ns_table_cell_dup_cut_text (cell);
  if (text != NULL)
    return tell (self, cell, text, is_keyboard, tooltip);
  if (is_panel_shown (self))
    return FALSE;
  if (ns_table_cell_get_group (cell) != NULL)
    text = ns_table_group_dup_sentence (self->session, self->table, ns_table_cell_get_group (cell));
  else if (ns_table_cell_get_row (cell) != NS_ROW_NOT_A_ROW)
    text = ns_words_row (self->session, self->table, ns_table_cell_get_row (cell));
  return text != NULL && tell (self, cell, text, is_keyboard, tooltip);
}

static gboolean
key_pressed_cb (GtkEventControllerKey *controller,
                guint key,
                guint keycode,
                GdkModifierType state,
                NsTableView *self)
{
  self->is_keyed = TRUE;
  ns_table_view_hide_tip (self);
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self->view));
  return FALSE;
}

/* GTK emits motion events without motion when rows scroll under the pointer. */
static void
motion_cb (GtkEventControllerMotion *controller, double x, double y, NsTableView *self)
{
  if (x == self->pointer_x && y == self->pointer_y)
    return;
  self->pointer_x = x;
  self->pointer_y = y;
  self->is_keyed = FALSE;
  if (self->tip_of != NULL && GTK_WIDGET (ns_table_view_get_cell_at (self, x, y)) != self->tip_of)
    ns_table_view_hide_tip (self);
}

/* Returns the column whose title is at a point of the view, outside the resize areas. */
GtkColumnViewColumn *
ns_table_view_get_column_at (NsTableView *self, double x, double y)
{
  return column_at (self, x, y, TRUE);
}

/* Adds the event controllers for the pointer. */
void
ns_table_view_add_input (NsTableView *self)
{
  GtkGesture *titles = gtk_gesture_click_new ();
  GtkGesture *menu = gtk_gesture_click_new ();
  GtkGesture *cells = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();

  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (titles), GTK_PHASE_CAPTURE);
  g_signal_connect (titles, "pressed", G_CALLBACK (title_pressed_cb), self);
  g_signal_connect (titles, "released", G_CALLBACK (title_released_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), GTK_EVENT_CONTROLLER (titles));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (menu), GDK_BUTTON_SECONDARY);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (menu), GTK_PHASE_CAPTURE);
  g_signal_connect (menu, "pressed", G_CALLBACK (menu_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), GTK_EVENT_CONTROLLER (menu));
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (cells), GTK_PHASE_CAPTURE);
  g_signal_connect (cells, "pressed", G_CALLBACK (cell_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), GTK_EVENT_CONTROLLER (cells));
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), keys);
  gtk_event_controller_set_propagation_phase (motion, GTK_PHASE_CAPTURE);
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (ns_table_view_hide_tip), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), motion);
  ns_table_view_add_drag (self);
  ns_table_view_add_title_drag (self);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self->view), TRUE);
  g_signal_connect_swapped (self->view, "query-tooltip", G_CALLBACK (tooltip_cb), self);
}

/**
 * ns_table_view_get_pressed_field:
 * @self: a view
 *
 * Returns: (nullable): the field of the cell that was clicked last
 */
const NsField *
ns_table_view_get_pressed_field (NsTableView *self)
{
  return self->pressed;
}
