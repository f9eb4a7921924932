/* Pointer and keys in a table's view: titles that sort, the menu of a row, tooltips.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-words.h"
#include "ui/table/ns-table-cell.h"
#include "ui/table/ns-table-private.h"

#include <glib/gi18n.h>
#include <math.h>

/* A press on a title that moved less sorts; nearer to the edge it sizes the column. */
#define PRESS_PX 6
#define TITLE_EDGE_PX 6

static GtkWidget *
get_header (NsTableView *self)
{
  return gtk_widget_get_first_child (GTK_WIDGET (self->view));
}

/* The column whose title is under a point of the view, but not its edges. */
static GtkColumnViewColumn *
column_at (NsTableView *self, double x, double y, gboolean without_edges)
{
  GtkWidget *header = get_header (self);
  GListModel *columns = gtk_column_view_get_columns (self->view);
  GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL;
  guint i;

  for (i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      double title_x;
      double title_y;

      if (!gtk_column_view_column_get_visible (column))
        continue;
      while (title != NULL && !gtk_widget_get_visible (title))
        title = gtk_widget_get_next_sibling (title);
      if (title == NULL)
        return NULL;
      if (gtk_widget_translate_coordinates (GTK_WIDGET (self->view),
                                            title,
                                            x,
                                            y,
                                            &title_x,
                                            &title_y) &&
          title_y >= 0 && title_y < gtk_widget_get_height (title) && title_x >= 0 &&
          title_x < gtk_widget_get_width (title))
        {
          if (without_edges &&
              (title_x < TITLE_EDGE_PX || title_x >= gtk_widget_get_width (title) - TITLE_EDGE_PX))
            return NULL;
          return column;
        }
      title = gtk_widget_get_next_sibling (title);
    }
  return NULL;
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
  const NsField *field;

  if (fabs (x - self->press_x) > PRESS_PX)
    return;
  column = column_at (self, x, y, TRUE);
  field = column != NULL ? ns_table_view_get_field (column) : NULL;
  if (field != NULL)
    ns_session_toggle_order (self->session, self->table, field, (state & GDK_SHIFT_MASK) != 0);
}

static NsTableCell *
cell_at (NsTableView *self, double x, double y)
{
  GtkWidget *widget = gtk_widget_pick (GTK_WIDGET (self->view), x, y, GTK_PICK_DEFAULT);
  GtkWidget *child;

  if (widget == NULL)
    return NULL;
  while (widget != NULL && !NS_IS_TABLE_CELL (widget))
    {
      /* The padding of a cell belongs to the cell. */
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
  NsTableCell *cell = cell_at (self, x, y);
  double own_x;
  double own_y;

  if (cell == NULL)
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

static gboolean
tooltip_cb (NsTableView *self, int x, int y, gboolean is_keyboard, GtkTooltip *tooltip)
{
  g_autofree char *text = NULL;
  GtkColumnViewColumn *column = column_at (self, x, y, FALSE);
  NsTableCell *cell;

  if (column != NULL)
    {
      const NsField *field = ns_table_view_get_field (column);

      if (field == NULL || field->tooltip == NULL)
        return FALSE;
      gtk_tooltip_set_text (tooltip, _ (field->tooltip));
      return TRUE;
    }
  cell = cell_at (self, x, y);
  if (cell == NULL)
    return FALSE;
  text = ns_words_row (self->session, self->table, ns_table_cell_get_row (cell));
  if (text == NULL)
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

/* Has the view listen to pointer and keys. */
void
ns_table_view_add_input (NsTableView *self)
{
  GtkGesture *titles = gtk_gesture_click_new ();
  GtkGesture *menu = gtk_gesture_click_new ();

  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (titles), GTK_PHASE_CAPTURE);
  g_signal_connect (titles, "pressed", G_CALLBACK (title_pressed_cb), self);
  g_signal_connect (titles, "released", G_CALLBACK (title_released_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), GTK_EVENT_CONTROLLER (titles));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (menu), GDK_BUTTON_SECONDARY);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (menu), GTK_PHASE_CAPTURE);
  g_signal_connect (menu, "pressed", G_CALLBACK (menu_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), GTK_EVENT_CONTROLLER (menu));
  gtk_widget_set_has_tooltip (GTK_WIDGET (self->view), TRUE);
  g_signal_connect_swapped (self->view, "query-tooltip", G_CALLBACK (tooltip_cb), self);
}

/**
 * ns_table_view_get_pressed_field:
 * @self: a view
 *
 * Returns: (nullable): the field of the cell the menu was asked for on
 */
const NsField *
ns_table_view_get_pressed_field (NsTableView *self)
{
  return self->pressed;
}
