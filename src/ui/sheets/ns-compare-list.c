/* The table of what differs between two traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-digits.h"
#include "ui/ns-spoken.h"
#include "ui/ns-words.h"
#include "ui/sheets/ns-compare-list.h"
#include "ui/table/ns-table-dress.h"
#include "ui/table/ns-table-fill.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

/* A column, and what its cells are sorted by. */
typedef struct
{
  NsCompareList *list;
  const NsDifferenceColumn *column;
  NsDifferenceCell *cells; /* of all that differs; NULL: nobody has sorted by it */
  guint n_cells;
} Column;

struct _NsCompareList
{
  NsComparison *comparison; /* (nullable): what is shown */
  GPtrArray *columns;       /* Column */
  GtkStringList *lines;     /* one an operation that differs: its number */
  GtkSelectionModel *selection;
  GtkWidget *view;
  guint place_id;
  gboolean is_placing;  /* it is not the user who scrolls */
  gboolean is_scrolled; /* the user has scrolled away from the first columns */
};

/* clang-format off */
static const struct
{
  const char *id;
  int width; /* 0: what is left */
} shown_columns[] = {
  { "change", 80 }, { "process", 120 }, { "method", 86 }, { "server", 140 }, { "url", 150 },
  { "duration_a_ns", 104 }, { "duration_b_ns", 104 }, { "delta_ns", 136 }, { "phase", 140 },
  { "phase_delta_ns", 160 }, { "status_a", 120 }, { "status_b", 120 }, { "queue_delta_ns", 110 },
  { "proxy_delta_ns", 110 }, { "dns_delta_ns", 100 }, { "connect_delta_ns", 120 },
  { "tls_delta_ns", 100 }, { "send_delta_ns", 100 }, { "wait_delta_ns", 100 },
  { "receive_delta_ns", 120 }, { "other_delta_ns", 100 },
};
/* clang-format on */

/**
 * ns_compare_list_get_change_word:
 * @kind: how operations may differ
 *
 * Returns: (transfer none): its name
 */
const char *
ns_compare_list_get_change_word (NsChangeKind kind)
{
  static const char *const words[] = {
    [NS_CHANGE_GONE] = N_ ("Gone"),     [NS_CHANGE_NEW] = N_ ("New"),
    [NS_CHANGE_END] = N_ ("Other end"), [NS_CHANGE_SLOWER] = N_ ("Slower"),
    [NS_CHANGE_FASTER] = N_ ("Faster"),
  };

  return _ (words[kind]);
}

/* Differences have their sign, which is not said by a column alone. */
static char *
time_to_text (const NsDifferenceCell *cell, gboolean is_difference)
{
  gint64 time_ns = cell->number;
  g_autofree char *text =
      ns_words_milliseconds (time_ns < 0 ? -MAX (time_ns, -G_MAXINT64) : time_ns);
  const char *sign = !is_difference || time_ns == 0 ? "" : time_ns < 0 ? "−" : "+";
  const char *bound = cell->is_lower_bound ? "≥ " : cell->is_upper_bound ? "≤ " : "";

  return g_strconcat (bound, sign, text, NULL);
}

static gboolean
has_value (const NsDifferenceCell *cell)
{
  return cell->is_number || (cell->text != NULL && *cell->text != '\0');
}

/* Operations are paired by the address of a server without a name: it is told by that, too. */
static NsDifferenceCell
get_cell (NsCompareList *self, guint nth, const NsDifferenceColumn *column)
{
  NsDifferenceCell cell = ns_comparison_get_cell (self->comparison, nth, column);

  if (has_value (&cell) || strcmp (ns_difference_column_get_id (column), "server") != 0)
    return cell;
  ns_difference_cell_clear (&cell);
  return ns_comparison_get_cell (self->comparison, nth, ns_difference_column_find ("ip"));
}

/* What a cell shows. */
static char *
dup_cell (NsCompareList *self, guint nth, const NsDifferenceColumn *column)
{
  const NsChange *change = ns_comparison_get_change (self->comparison, nth);
  const char *id = ns_difference_column_get_id (column);
  g_auto (NsDifferenceCell) cell = get_cell (self, nth, column);

  if (strcmp (id, "change") == 0)
    return g_strdup (ns_compare_list_get_change_word (change->kind));
  if (strcmp (id, "phase") == 0)
    return g_strdup (change->phase != NS_N_PHASES ? ns_words_get_phase (change->phase) : "");
  if (cell.is_number && ns_difference_column_is_time (column))
    return time_to_text (&cell, !g_str_has_prefix (id, "duration"));
  return g_strdup (cell.text != NULL ? cell.text : "");
}

/* Exchanged or made anew, the numbers of lines mean others. */
static void
forget_cells (NsCompareList *self)
{
  guint i;
  guint k;

  for (i = 0; i < self->columns->len; i++)
    {
      Column *column = g_ptr_array_index (self->columns, i);

      for (k = 0; column->cells != NULL && k < column->n_cells; k++)
        ns_difference_cell_clear (&column->cells[k]);
      g_clear_pointer (&column->cells, g_free);
    }
}

static void
make_cells (Column *column)
{
  guint i;

  column->n_cells = ns_comparison_get_n_changes (column->list->comparison);
  column->cells = g_new0 (NsDifferenceCell, (gsize) column->n_cells + 1);
  for (i = 0; i < column->n_cells; i++)
    column->cells[i] = get_cell (column->list, i, column->column);
}

static guint
get_nth (gpointer item)
{
  return (guint) strtoul (gtk_string_object_get_string (item), NULL, 10);
}

static int
compare_cb (gconstpointer a, gconstpointer b, gpointer user_data)
{
  Column *column = user_data;
  guint one = get_nth ((gpointer) a);
  guint two = get_nth ((gpointer) b);

  if (column->cells == NULL)
    make_cells (column);
  return ns_difference_cell_compare (&column->cells[one], &column->cells[two], FALSE);
}

static gboolean
is_right (const NsDifferenceColumn *column)
{
  return ns_difference_column_is_time (column);
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, Column *column)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), is_right (column->column) ? 1 : 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  ns_digits_keep_order (label);
  gtk_list_item_set_child (item, label);
}

/* What a line is about, however far right its cell stands. */
static char *
dup_spoken (NsCompareList *self, guint nth)
{
  static const char *const ids[] = { "change", "process", "method", "server" };
  g_autoptr (GString) text = g_string_new (NULL);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autofree char *cell = dup_cell (self, nth, ns_difference_column_find (ids[i]));

      if (*cell != '\0')
        g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", cell);
    }
  return g_strdup (text->str);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, Column *column)
{
  guint nth = get_nth (gtk_list_item_get_item (item));
  g_autofree char *text = dup_cell (column->list, nth, column->column);
  g_autofree char *spoken = dup_spoken (column->list, nth);
  GtkWidget *label = gtk_list_item_get_child (item);

  gtk_label_set_text (GTK_LABEL (label), text);
  gtk_widget_set_tooltip_text (label, *text != '\0' ? text : NULL);
  ns_spoken_set_cell_name (label, text, spoken);
}

static void
add_column (NsCompareList *self, GtkColumnView *view, guint nth)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  Column *column = g_new0 (Column, 1);
  g_autoptr (GtkColumnViewColumn) shown = NULL;
  g_autoptr (GtkSorter) sorter = NULL;

  column->list = self;
  column->column = ns_difference_column_find (shown_columns[nth].id);
  g_ptr_array_add (self->columns, column);
  shown = gtk_column_view_column_new (_ (ns_difference_column_get_title (column->column)), factory);
  sorter = GTK_SORTER (gtk_custom_sorter_new (compare_cb, column, NULL));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), column);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), column);
  gtk_column_view_column_set_resizable (shown, TRUE);
  gtk_column_view_column_set_fixed_width (shown, shown_columns[nth].width);
  gtk_column_view_column_set_sorter (shown, sorter);
  gtk_column_view_append_column (view, shown);
}

static gboolean
place_cb (gpointer data)
{
  NsCompareList *self = data;

  self->place_id = 0;
  gtk_widget_queue_allocate (self->view);
  return G_SOURCE_REMOVE;
}

/* GTK 4.8 shows the left end of what is too wide, where from right to left the last columns stand.
 * Cells have their places already when this is told: they are placed once more. */
static void
keep_begin_cb (GtkAdjustment *adjustment, NsCompareList *self)
{
  double end = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);

  if (self->is_scrolled || end <= 0 || gtk_widget_get_direction (self->view) != GTK_TEXT_DIR_RTL)
    return;
  self->is_placing = TRUE;
  gtk_adjustment_set_value (adjustment, end);
  self->is_placing = FALSE;
  if (self->place_id == 0)
    self->place_id = g_idle_add (place_cb, self);
}

static void
scrolled_cb (GtkAdjustment *adjustment, NsCompareList *self)
{
  double end = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);

  if (!self->is_placing)
    self->is_scrolled = gtk_adjustment_get_value (adjustment) < end - 1;
}

static void
adjustment_cb (GtkScrollable *view, GParamSpec *pspec, NsCompareList *self)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_hadjustment (view);

  if (adjustment == NULL)
    return;
  g_signal_connect (adjustment, "changed", G_CALLBACK (keep_begin_cb), self);
  g_signal_connect (adjustment, "value-changed", G_CALLBACK (scrolled_cb), self);
}

/* One bit for each column that holds numbers. */
static guint
right_columns (void)
{
  guint bits = 0;
  guint i;

  G_STATIC_ASSERT (G_N_ELEMENTS (shown_columns) <= sizeof bits * 8);
  for (i = 0; i < G_N_ELEMENTS (shown_columns); i++)
    if (is_right (ns_difference_column_find (shown_columns[i].id)))
      bits |= 1u << i;
  return bits;
}

static void
build_view (NsCompareList *self)
{
  GtkWidget *view = gtk_column_view_new (NULL);
  GtkSortListModel *sorted;
  guint i;

  ns_spoken_set_table_name (GTK_COLUMN_VIEW (view), _ ("Operations that differ"));
  ns_table_dress (GTK_COLUMN_VIEW (view), right_columns ());
  ns_table_fill_from_right (GTK_COLUMN_VIEW (view));
  for (i = 0; i < G_N_ELEMENTS (shown_columns); i++)
    add_column (self, GTK_COLUMN_VIEW (view), i);
  sorted =
      gtk_sort_list_model_new (g_object_ref (G_LIST_MODEL (self->lines)),
                               g_object_ref (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (view))));
  self->selection = GTK_SELECTION_MODEL (gtk_single_selection_new (G_LIST_MODEL (sorted)));
  gtk_column_view_set_model (GTK_COLUMN_VIEW (view), self->selection);
  self->view = g_object_ref_sink (view);
  g_signal_connect (view, "notify::hadjustment", G_CALLBACK (adjustment_cb), self);
}

/**
 * ns_compare_list_get_chosen:
 * @self: a list
 *
 * Returns: (transfer none) (nullable): the operation that is chosen
 */
const NsChange *
ns_compare_list_get_chosen (NsCompareList *self)
{
  gpointer item = gtk_single_selection_get_selected_item (GTK_SINGLE_SELECTION (self->selection));

  return item != NULL && self->comparison != NULL
             ? ns_comparison_get_change (self->comparison, get_nth (item))
             : NULL;
}

/**
 * ns_compare_list_new:
 *
 * Returns: (transfer full): an empty list
 */
NsCompareList *
ns_compare_list_new (void)
{
  NsCompareList *self = g_new0 (NsCompareList, 1);

  self->lines = gtk_string_list_new (NULL);
  self->columns = g_ptr_array_new_with_free_func (g_free);
  build_view (self);
  return self;
}

/**
 * ns_compare_list_free:
 * @self: (transfer full) (nullable): a list whose view is shown no more
 */
void
ns_compare_list_free (NsCompareList *self)
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
  g_object_unref (self->lines);
  forget_cells (self);
  g_ptr_array_unref (self->columns);
  g_clear_object (&self->comparison);
  g_free (self);
}

/**
 * ns_compare_list_get_view:
 * @self: a list
 *
 * Returns: (transfer none): its widget
 */
GtkWidget *
ns_compare_list_get_view (NsCompareList *self)
{
  return self->view;
}

/**
 * ns_compare_list_get_selection:
 * @self: a list
 *
 * Returns: (transfer none): what tells when another line is chosen
 */
GtkSelectionModel *
ns_compare_list_get_selection (NsCompareList *self)
{
  return self->selection;
}

/**
 * ns_compare_list_show:
 * @self: a list
 * @comparison: (nullable): a comparison that was made; %NULL shows nothing
 */
void
ns_compare_list_show (NsCompareList *self, NsComparison *comparison)
{
  guint n_changes = comparison != NULL ? ns_comparison_get_n_changes (comparison) : 0;
  g_autoptr (GPtrArray) added = g_ptr_array_new_with_free_func (g_free);
  guint i;

  gtk_string_list_splice (self->lines,
                          0,
                          g_list_model_get_n_items (G_LIST_MODEL (self->lines)),
                          NULL);
  forget_cells (self);
  g_set_object (&self->comparison, comparison);
  for (i = 0; i < n_changes; i++)
    g_ptr_array_add (added, g_strdup_printf ("%u", i));
  g_ptr_array_add (added, NULL);
  gtk_string_list_splice (self->lines, 0, 0, (const char *const *) added->pdata);
}
