/* Gives column views in secondary windows the style of the main window's tables.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/table/ns-table-dress.h"

#include "ui/ns-text-direction.h"
#include "ui/ns-theme.h"

#define RIGHT_COLUMNS "ns-right-columns"

/* Right-aligns the titles of right-aligned columns; GTK left-aligns all titles. */
static void
align_titles_cb (GtkColumnView *view)
{
  guint right = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (view), RIGHT_COLUMNS));
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (view));
  GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL;

  for (; title != NULL; title = gtk_widget_get_next_sibling (title), right >>= 1)
    {
      GtkWidget *box = gtk_widget_get_first_child (title);
      GtkWidget *label = box != NULL ? gtk_widget_get_first_child (box) : NULL;

      if ((right & 1) == 0 || !GTK_IS_LABEL (label))
        continue;
      gtk_widget_set_hexpand (label, TRUE);
      gtk_label_set_xalign (GTK_LABEL (label), 1);
      ns_text_direction_force_ltr (label);
    }
}

/* Scales the column widths, which are set for the font size of the design, to the desktop's
 * font. */
static void
scale_widths_cb (GtkColumnView *view)
{
  GListModel *columns = gtk_column_view_get_columns (view);
  double scale = ns_theme_get_width_scale (GTK_WIDGET (view));
  guint i;

  g_signal_handlers_disconnect_by_func (view, scale_widths_cb, NULL);
  for (i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      int width = gtk_column_view_column_get_fixed_width (column);

      if (width > 0)
        gtk_column_view_column_set_fixed_width (column, (int) (width * scale));
    }
}

/**
 * ns_table_apply_style:
 * @view: a column view whose columns are not reordered
 * @right_columns: bit mask of the right-aligned columns; bit 0 is the first column
 *
 * Gives @view the background, grid lines, selection and titles of the main window's tables, and
 * scales its column widths to the font of the desktop.
 */
void
ns_table_apply_style (GtkColumnView *view, guint right_columns)
{
  g_return_if_fail (GTK_IS_COLUMN_VIEW (view));

  gtk_widget_add_css_class (GTK_WIDGET (view), "ns-table");
  gtk_widget_add_css_class (GTK_WIDGET (view), "listed");
  g_object_set_data (G_OBJECT (view), RIGHT_COLUMNS, GUINT_TO_POINTER (right_columns));
  g_signal_connect (view, "map", G_CALLBACK (align_titles_cb), NULL);
  g_signal_connect (view, "map", G_CALLBACK (scale_widths_cb), NULL);
}
