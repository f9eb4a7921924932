/* Workaround for GTK 4.8 when the list of a view becomes much shorter.
 *
 * GTK 4.8 keeps widgets of removed rows (see ns-row-selection.c). The view knows which rows have
 * widgets; where the bug would occur it has all rows reported again and then scrolls back to the
 * previous position.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/table/ns-table-private.h"

/* Returns the position of a row widget, taken from one of its cells. */
static guint
get_position (GtkWidget *row)
{
  GtkWidget *cell_widget;

  for (cell_widget = gtk_widget_get_first_child (row); cell_widget != NULL;
       cell_widget = gtk_widget_get_next_sibling (cell_widget))
    {
      GtkWidget *cell = gtk_widget_get_first_child (cell_widget);

      if (cell != NULL && NS_IS_TABLE_CELL (cell))
        return ns_table_cell_get_position (NS_TABLE_CELL (cell));
    }
  return GTK_INVALID_LIST_POSITION;
}

/* Returns whether the first removed row is inside a range without widgets and is followed by rows
 * with widgets. */
gboolean
ns_table_view_shortened_cb (NsTableView *self, guint n_rows)
{
  GtkAdjustment *adjustment = ns_table_view_get_adjustment (self);
  double end = gtk_adjustment_get_value (adjustment) + gtk_adjustment_get_page_size (adjustment);
  GtkWidget *list = gtk_widget_get_last_child (GTK_WIDGET (self->view));
  gboolean is_behind = FALSE;
  int height = 0;
  GtkWidget *row;

  for (row = gtk_widget_get_first_child (list); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    {
      guint position = get_position (row);

      if (position == n_rows || position + 1 == n_rows)
        return FALSE;
      is_behind |= position != GTK_INVALID_LIST_POSITION && position > n_rows;
      height = MAX (height, gtk_widget_get_height (row));
    }
  if (!is_behind)
    return FALSE;
  self->is_reset = TRUE;
  self->last_seen = height > 0 && end >= height ? (guint) (end / height) - 1 : 0;
  return TRUE;
}

/* Scrolls back to the selection, or to the previous position, after all rows were reported
 * again. */
void
ns_table_view_go_back (NsTableView *self, const GtkBitset *selected)
{
  guint n_places = g_list_model_get_n_items (G_LIST_MODEL (self->rows));

  if (!gtk_bitset_is_empty (selected))
    ns_table_view_scroll_to (self, gtk_bitset_get_minimum (selected));
  else if (n_places > 0)
    ns_table_view_scroll_to (self, MIN (self->last_seen, n_places - 1));
}
