/* Sortable table for secondary windows; lines are identified by their number in the data source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/sheets/ns-lines-view.h"

#include "ui/ns-accessible.h"
#include "ui/ns-text-direction.h"
#include "ui/panel/ns-confidence-indicator.h"
#include "ui/table/ns-table-dress.h"
#include "ui/table/ns-table-fill.h"

#include <stdlib.h>

/* Above this number of lines, sorting is incremental, which keeps the window responsive. */
#define MAX_SORTED_AT_ONCE 5000

typedef struct
{
  NsLinesView *view;
  guint nth;
  gboolean is_number;
  gboolean has_blocks;
  gboolean is_path;
} Column;

struct _NsLinesView
{
  const NsLinesSource *source;
  gpointer data;
  GPtrArray *columns;   /* (element-type Column) */
  GtkStringList *lines; /* line numbers as strings */
  GtkStringList *foot;  /* %NS_LINES_FOOT, or empty */
  gboolean has_foot;
  GtkSortListModel *sorted;
  GtkSelectionModel *selection;
  GtkWidget *view;
  guint place_id;
  gboolean is_setting_scroll; /* the scroll position is being set by code, not by the user */
  gboolean is_scrolled;       /* the user has scrolled away from the first columns */
};

static guint
get_line (gpointer item)
{
  return (guint) strtoul (gtk_string_object_get_string (item), NULL, 10);
}

static int
compare_cb (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Column *column = user_data;

  return column->view->source->compare (column->view->data,
                                        column->nth,
                                        get_line ((gpointer) a),
                                        get_line ((gpointer) b));
}

/* Shows a tooltip only if the cell text is ellipsized. */
static gboolean
query_tooltip_cb (GtkLabel *label, int x, int y, gboolean by_key, GtkTooltip *tooltip)
{
  if (!pango_layout_is_ellipsized (gtk_label_get_layout (label)))
    return FALSE;
  gtk_tooltip_set_text (tooltip, gtk_label_get_text (label));
  return TRUE;
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, Column *column)
{
  GtkWidget *label = column->has_blocks ? ns_confidence_indicator_new () : gtk_label_new (NULL);

  if (column->has_blocks)
    {
      gtk_widget_set_halign (label, GTK_ALIGN_START);
      gtk_list_item_set_child (item, label);
      return;
    }
  gtk_label_set_xalign (GTK_LABEL (label), column->is_number ? 1 : 0);
  gtk_label_set_ellipsize (GTK_LABEL (label),
                           column->is_path ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_END);
  gtk_widget_set_has_tooltip (label, TRUE);
  g_signal_connect (label, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);
  ns_text_direction_force_ltr (label);
  gtk_list_item_set_child (item, label);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, Column *column)
{
  NsLinesView *self = column->view;
  guint line = get_line (gtk_list_item_get_item (item));
  g_autofree char *text = self->source->dup_cell (self->data, line, column->nth);
  g_autofree char *spoken = self->source->dup_spoken (self->data, line);
  GtkWidget *label = gtk_list_item_get_child (item);

  ns_accessible_set_cell_name (label, text, spoken);
  if (column->has_blocks)
    {
      int n_blocks = self->source->get_blocks (self->data, line);

      gtk_widget_set_visible (label, n_blocks != NS_LINES_NO_BLOCKS);
      ns_confidence_indicator_set_confidence (label, n_blocks);
      ns_accessible_set_name (label, text);
      gtk_widget_set_tooltip_text (label, *text != '\0' ? text : NULL);
      return;
    }
  if (line == NS_LINES_FOOT)
    gtk_widget_add_css_class (label, "strong");
  else
    gtk_widget_remove_css_class (label, "strong");
  gtk_label_set_text (GTK_LABEL (label), text);
}

static void
add_column (NsLinesView *self, const NsLinesColumn *given)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  Column *column = g_new0 (Column, 1);
  g_autoptr (GtkColumnViewColumn) shown = NULL;
  g_autoptr (GtkSorter) sorter = NULL;

  column->view = self;
  column->nth = self->columns->len;
  column->is_number = given->is_number;
  column->has_blocks = given->has_blocks;
  column->is_path = given->is_path;
  g_ptr_array_add (self->columns, column);
  shown = gtk_column_view_column_new (given->title, factory);
  sorter = GTK_SORTER (gtk_custom_sorter_new (compare_cb, column, NULL));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), column);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), column);
  gtk_column_view_column_set_resizable (shown, TRUE);
  gtk_column_view_column_set_fixed_width (shown, given->width);
  gtk_column_view_column_set_sorter (shown, sorter);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), shown);
}

static gboolean
place_cb (gpointer data)
{
  NsLinesView *self = data;

  self->place_id = 0;
  gtk_widget_queue_allocate (self->view);
  return G_SOURCE_REMOVE;
}

/* In right-to-left layouts, GTK 4.8 shows the left end of a wide view at first, which has the last
 * columns. Scrolls to the first ones. The cells are already allocated when the adjustment changes,
 * so they need another allocation. */
static void
keep_begin_cb (GtkAdjustment *adjustment, NsLinesView *self)
{
  double end = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);

  if (self->is_scrolled || end <= 0 || gtk_widget_get_direction (self->view) != GTK_TEXT_DIR_RTL)
    return;
  self->is_setting_scroll = TRUE;
  gtk_adjustment_set_value (adjustment, end);
  self->is_setting_scroll = FALSE;
  if (self->place_id == 0)
    self->place_id = g_idle_add (place_cb, self);
}

static void
scrolled_cb (GtkAdjustment *adjustment, NsLinesView *self)
{
  double end = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);

  if (!self->is_setting_scroll)
    self->is_scrolled = gtk_adjustment_get_value (adjustment) < end - 1;
}

static void
adjustment_cb (GtkScrollable *view, GParamSpec *pspec, NsLinesView *self)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_hadjustment (view);

  if (adjustment == NULL)
    return;
  g_signal_connect (adjustment, "changed", G_CALLBACK (keep_begin_cb), self);
  g_signal_connect (adjustment, "value-changed", G_CALLBACK (scrolled_cb), self);
}

/**
 * ns_lines_view_new:
 * @name: the accessible name of the table
 * @columns: (array length=n_columns): its columns
 * @n_columns: number of columns, at most %NS_LINES_MAX_COLUMNS
 * @source: (transfer none): the callbacks that provide the lines; must outlive the table
 * @data: user data of @source; must outlive the table
 *
 * Returns: (transfer full): an empty table
 */
NsLinesView *
ns_lines_view_new (const char *name,
                   const NsLinesColumn *columns,
                   guint n_columns,
                   const NsLinesSource *source,
                   gpointer data)
{
  NsLinesView *self = g_new0 (NsLinesView, 1);
  GtkWidget *view = gtk_column_view_new (NULL);
  GtkSortListModel *sorted;
  GListStore *parts;
  guint numbers = 0; /* bit mask of the numeric columns */
  guint i;

  g_return_val_if_fail (n_columns <= NS_LINES_MAX_COLUMNS, NULL);

  self->source = source;
  self->data = data;
  self->lines = gtk_string_list_new (NULL);
  self->foot = gtk_string_list_new (NULL);
  self->columns = g_ptr_array_new_with_free_func (g_free);
  self->view = g_object_ref_sink (view);
  for (i = 0; i < n_columns; i++)
    numbers |= columns[i].is_number ? 1u << i : 0;
  ns_accessible_set_table_name (GTK_COLUMN_VIEW (view), name);
  ns_table_apply_style (GTK_COLUMN_VIEW (view), numbers);
  ns_table_fill_from_right (GTK_COLUMN_VIEW (view));
  for (i = 0; i < n_columns; i++)
    add_column (self, &columns[i]);
  sorted =
      gtk_sort_list_model_new (g_object_ref (G_LIST_MODEL (self->lines)),
                               g_object_ref (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (view))));
  parts = g_list_store_new (G_TYPE_LIST_MODEL);
  self->sorted = sorted;
  g_list_store_append (parts, sorted);
  g_list_store_append (parts, self->foot);
  self->selection = GTK_SELECTION_MODEL (
      gtk_single_selection_new (G_LIST_MODEL (gtk_flatten_list_model_new (G_LIST_MODEL (parts)))));
  gtk_column_view_set_model (GTK_COLUMN_VIEW (view), self->selection);
  g_signal_connect (view, "notify::hadjustment", G_CALLBACK (adjustment_cb), self);
  return self;
}

/**
 * ns_lines_view_free:
 * @self: (transfer full) (nullable): a table that is no longer shown
 */
void
ns_lines_view_free (NsLinesView *self)
{
  GtkAdjustment *adjustment;

  if (self == NULL)
    return;
  adjustment = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (self->view));
  if (adjustment != NULL)
    g_signal_handlers_disconnect_by_data (adjustment, self);
  g_clear_handle_id (&self->place_id, g_source_remove);
  g_signal_handlers_disconnect_by_data (self->view, self);
  g_object_unref (self->view);
  g_object_unref (self->selection);
  g_object_unref (self->sorted);
  g_object_unref (self->lines);
  g_object_unref (self->foot);
  g_ptr_array_unref (self->columns);
  g_free (self);
}

/**
 * ns_lines_view_get_widget:
 * @self: a table
 *
 * Returns: (transfer none): the widget of the table
 */
GtkWidget *
ns_lines_view_get_widget (NsLinesView *self)
{
  return self->view;
}

/**
 * ns_lines_view_get_selection:
 * @self: a table
 *
 * Returns: (transfer none): the selection model of the table
 */
GtkSelectionModel *
ns_lines_view_get_selection (NsLinesView *self)
{
  return self->selection;
}

/**
 * ns_lines_view_get_chosen:
 * @self: a table
 *
 * Returns: the selected line; %NS_LINES_NONE: none
 */
guint
ns_lines_view_get_chosen (NsLinesView *self)
{
  gpointer item = gtk_single_selection_get_selected_item (GTK_SINGLE_SELECTION (self->selection));

  return item != NULL ? get_line (item) : NS_LINES_NONE;
}

/**
 * ns_lines_view_clear:
 * @self: a table
 *
 * Removes all lines. The table does not call its source until it is filled again.
 */
void
ns_lines_view_clear (NsLinesView *self)
{
  gtk_string_list_splice (self->foot,
                          0,
                          g_list_model_get_n_items (G_LIST_MODEL (self->foot)),
                          NULL);
  gtk_string_list_splice (self->lines,
                          0,
                          g_list_model_get_n_items (G_LIST_MODEL (self->lines)),
                          NULL);
}

/**
 * ns_lines_view_fill:
 * @self: an empty table
 * @n_lines: number of lines of its source
 */
void
ns_lines_view_fill (NsLinesView *self, guint n_lines)
{
  g_autoptr (GPtrArray) added = g_ptr_array_new_with_free_func (g_free);
  guint i;

  for (i = 0; i < n_lines; i++)
    g_ptr_array_add (added, g_strdup_printf ("%u", i));
  g_ptr_array_add (added, NULL);
  gtk_sort_list_model_set_incremental (self->sorted, n_lines > MAX_SORTED_AT_ONCE);
  gtk_string_list_splice (self->lines, 0, 0, (const char *const *) added->pdata);
  if (self->has_foot && n_lines > 0)
    {
      g_autofree char *foot = g_strdup_printf ("%u", NS_LINES_FOOT);

      gtk_string_list_append (self->foot, foot);
    }
}

/**
 * ns_lines_view_set_has_foot:
 * @self: an empty table
 *
 * Adds the line %NS_LINES_FOOT below the others and allows an empty selection.
 */
void
ns_lines_view_set_has_foot (NsLinesView *self)
{
  self->has_foot = TRUE;
  gtk_single_selection_set_autoselect (GTK_SINGLE_SELECTION (self->selection), FALSE);
  gtk_single_selection_set_can_unselect (GTK_SINGLE_SELECTION (self->selection), TRUE);
}

/* Scrolls with an action of the inner GtkListView; GtkColumnView has no function for it in GTK
 * 4.8. */
static void
scroll_to (NsLinesView *self, guint position)
{
  GtkWidget *child = gtk_widget_get_first_child (self->view);

  for (; child != NULL; child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LIST_VIEW (child))
      gtk_widget_activate_action (child, "list.scroll-to-item", "u", position);
}

/**
 * ns_lines_view_choose:
 * @self: a table
 * @line: a line of it; %NS_LINES_NONE: none
 *
 * Selects a line and scrolls to it.
 */
void
ns_lines_view_choose (NsLinesView *self, guint line)
{
  guint n_lines = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  guint i;

  for (i = 0; i < n_lines && line != NS_LINES_NONE; i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (G_LIST_MODEL (self->selection), i);

      if (get_line (item) != line)
        continue;
      gtk_single_selection_set_selected (GTK_SINGLE_SELECTION (self->selection), i);
      scroll_to (self, i);
      return;
    }
  gtk_single_selection_set_selected (GTK_SINGLE_SELECTION (self->selection),
                                     GTK_INVALID_LIST_POSITION);
}

/**
 * ns_lines_view_show_column:
 * @self: a table
 * @nth: one of its columns
 * @is_shown: whether to show the column
 */
void
ns_lines_view_show_column (NsLinesView *self, guint nth, gboolean is_shown)
{
  g_autoptr (GtkColumnViewColumn) column =
      g_list_model_get_item (gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view)), nth);

  gtk_column_view_column_set_visible (column, is_shown);
}
