/* Tooltip of a table cell, shown above the row: GTK places tooltips below, where they would cover
 * the next rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/table/ns-table-private.h"

static void
make_tip (NsTableView *self)
{
  GtkWidget *label = gtk_label_new (NULL);

  self->tip = g_object_new (GTK_TYPE_POPOVER,
                            "accessible-role",
                            GTK_ACCESSIBLE_ROLE_TOOLTIP,
                            "autohide",
                            FALSE,
                            "has-arrow",
                            FALSE,
                            "position",
                            GTK_POS_TOP,
                            "can-target",
                            FALSE,
                            "can-focus",
                            FALSE,
                            NULL);
  gtk_widget_add_css_class (self->tip, "row-tip");
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_popover_set_child (GTK_POPOVER (self->tip), label);
  gtk_widget_set_parent (self->tip, GTK_WIDGET (self));
}

/**
 * ns_table_view_show_tip: (skip)
 * @self: a view
 * @cell: one of its cells
 * @text: the text, may have several lines
 *
 * Shows @text above the row until the pointer leaves the cell.
 */
void
ns_table_view_show_tip (NsTableView *self, NsTableCell *cell, const char *text)
{
  GtkWidget *cell_widget = gtk_widget_get_parent (GTK_WIDGET (cell));
  GtkWidget *row = cell_widget != NULL ? gtk_widget_get_parent (cell_widget) : NULL;
  GdkRectangle rect = { 0 };
  double x;
  double y;

  if (row == NULL || !gtk_widget_translate_coordinates (row, GTK_WIDGET (self), 0, 0, NULL, &y) ||
      !gtk_widget_translate_coordinates (GTK_WIDGET (cell), GTK_WIDGET (self), 0, 0, &x, NULL))
    return;
  if (self->tip == NULL)
    make_tip (self);
  rect.x = (int) x;
  rect.y = (int) y;
  rect.width = MAX (gtk_widget_get_width (GTK_WIDGET (cell)), 1);
  rect.height = MAX (gtk_widget_get_height (row), 1);
  gtk_label_set_text (GTK_LABEL (gtk_popover_get_child (GTK_POPOVER (self->tip))), text);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->tip), &rect);
  gtk_popover_popup (GTK_POPOVER (self->tip));
  self->tip_of = GTK_WIDGET (cell);
}

/**
 * ns_table_view_hide_tip: (skip)
 * @self: a view
 */
void
ns_table_view_hide_tip (NsTableView *self)
{
  self->tip_of = NULL;
  if (self->tip != NULL)
    gtk_popover_popdown (GTK_POPOVER (self->tip));
}
