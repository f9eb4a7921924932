/* Right alignment of narrow tables in right-to-left layouts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/table/ns-table-fill.h"

/* Object data set on the column that expands because it is the last visible one. */
#define IS_LAST "ns-is-last"

/* Returns the last visible column, or %NULL if another column expands. */
static GtkColumnViewColumn *
find_last (GListModel *columns)
{
  GtkColumnViewColumn *last = NULL;
  guint i;

  for (i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      if (!gtk_column_view_column_get_visible (column))
        continue;
      if (gtk_column_view_column_get_expand (column) &&
          g_object_get_data (G_OBJECT (column), IS_LAST) == NULL)
        return NULL;
      /* The list model holds the reference. */
      last = column;
    }
  return last;
}

static void
fill_cb (GtkColumnView *view)
{
  GListModel *columns = gtk_column_view_get_columns (view);
  GtkColumnViewColumn *last = find_last (columns);
  guint i;

  for (i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      gboolean is_last = column == last;
      gboolean was_last = g_object_get_data (G_OBJECT (column), IS_LAST) != NULL;

      if (is_last == was_last)
        continue;
      g_object_set_data (G_OBJECT (column), IS_LAST, GINT_TO_POINTER (is_last));
      gtk_column_view_column_set_expand (column, is_last);
    }
}

static void
columns_changed_cb (GListModel *columns,
                    guint position,
                    guint removed,
                    guint added,
                    GtkColumnView *view)
{
  guint i;

  for (i = position; i < position + added; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      /* A moved column is removed and added again. */
      g_signal_handlers_disconnect_by_func (column, fill_cb, view);
      g_signal_connect_object (column,
                               "notify::visible",
                               G_CALLBACK (fill_cb),
                               view,
                               G_CONNECT_SWAPPED);
    }
  fill_cb (view);
}

/**
 * ns_table_fill_from_right:
 * @view: a column view to which no columns were added yet
 *
 * In right-to-left layouts GTK 4.8 left-aligns columns that are narrower than the view. Makes the
 * last visible column expand there, so that the others are at the right edge.
 */
void
ns_table_fill_from_right (GtkColumnView *view)
{
  g_return_if_fail (GTK_IS_COLUMN_VIEW (view));

  if (gtk_widget_get_direction (GTK_WIDGET (view)) != GTK_TEXT_DIR_RTL)
    return;
  g_signal_connect_object (gtk_column_view_get_columns (view),
                           "items-changed",
                           G_CALLBACK (columns_changed_cb),
                           view,
                           0);
}
