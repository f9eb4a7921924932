/* Table of the differences between two traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-words.h"
#include "ui/sheets/ns-compare-list.h"
#include "ui/sheets/ns-lines-view.h"

#include <glib/gi18n.h>
#include <string.h>

/* Sort keys of one column. */
typedef struct
{
  NsDifferenceCell *cells; /* one per difference; NULL until the first sort by the column */
  guint n_cells;
} Sorting;

/* clang-format off */
static const struct
{
  const char *id;
  int width; /* pixels */
} shown_columns[] = {
  { "change", 80 }, { "process", 120 }, { "method", 86 }, { "server", 140 }, { "url", 150 },
  { "duration_a_ns", 104 }, { "duration_b_ns", 104 }, { "delta_ns", 136 }, { "phase", 140 },
  { "phase_delta_ns", 160 }, { "status_a", 120 }, { "status_b", 120 }, { "queue_delta_ns", 110 },
  { "proxy_delta_ns", 110 }, { "dns_delta_ns", 100 }, { "connect_delta_ns", 120 },
  { "tls_delta_ns", 100 }, { "send_delta_ns", 100 }, { "wait_delta_ns", 100 },
  { "receive_delta_ns", 120 }, { "other_delta_ns", 100 },
};
/* clang-format on */

struct _NsCompareList
{
  NsComparison *comparison; /* (nullable): the comparison that is shown */
  Sorting sortings[G_N_ELEMENTS (shown_columns)];
  NsLinesView *view;
};

/**
 * ns_compare_list_get_change_word:
 * @kind: a kind of difference
 *
 * Returns: (transfer none): the translated name of @kind
 */
const char *
ns_compare_list_get_change_word (NsChangeKind kind)
{
  static const char *const words[] = {
    [NS_CHANGE_GONE] = N_ ("Gone"),        [NS_CHANGE_NEW] = N_ ("New"),
    [NS_CHANGE_END] = N_ ("Other result"), [NS_CHANGE_SLOWER] = N_ ("Slower"),
    [NS_CHANGE_FASTER] = N_ ("Faster"),
  };

  return _ (words[kind]);
}

/* Formats a time; differences get a sign, since the column alone does not show the direction. */
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

/* Returns a cell. A server without a name is shown by its address, which the pairing uses as
 * key. */
static NsDifferenceCell
get_cell (NsCompareList *self, guint nth, const NsDifferenceColumn *column)
{
  NsDifferenceCell cell = ns_comparison_get_cell (self->comparison, nth, column);

  if (has_value (&cell) || strcmp (ns_difference_column_get_id (column), "server") != 0)
    return cell;
  ns_difference_cell_clear (&cell);
  return ns_comparison_get_cell (self->comparison, nth, ns_difference_column_find ("ip"));
}

/* Formats the text of a cell. */
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

/* Frees the sort keys: the lines have changed, and their numbers no longer match. */
static void
forget_cells (NsCompareList *self)
{
  guint i;
  guint k;

  for (i = 0; i < G_N_ELEMENTS (self->sortings); i++)
    {
      Sorting *sorting = &self->sortings[i];

      for (k = 0; sorting->cells != NULL && k < sorting->n_cells; k++)
        ns_difference_cell_clear (&sorting->cells[k]);
      g_clear_pointer (&sorting->cells, g_free);
    }
}

static const NsDifferenceColumn *
get_column (guint column)
{
  return ns_difference_column_find (shown_columns[column].id);
}

static void
make_cells (NsCompareList *self, guint column)
{
  Sorting *sorting = &self->sortings[column];
  guint i;

  sorting->n_cells = ns_comparison_get_n_changes (self->comparison);
  sorting->cells = g_new0 (NsDifferenceCell, (gsize) sorting->n_cells + 1);
  for (i = 0; i < sorting->n_cells; i++)
    sorting->cells[i] = get_cell (self, i, get_column (column));
}

static int
compare_lines (gpointer data, guint column, guint line, guint other)
{
  NsCompareList *self = data;
  Sorting *sorting = &self->sortings[column];

  if (sorting->cells == NULL)
    make_cells (self, column);
  return ns_difference_cell_compare (&sorting->cells[line], &sorting->cells[other], FALSE);
}

static char *
dup_line_cell (gpointer data, guint line, guint column)
{
  return dup_cell (data, line, get_column (column));
}

/* Returns the accessible text of a line, which is the same for all its cells: change, process,
 * method and server. */
static char *
dup_spoken (gpointer data, guint line)
{
  NsCompareList *self = data;
  static const char *const ids[] = { "change", "process", "method", "server" };
  g_autoptr (GString) text = g_string_new (NULL);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autofree char *cell = dup_cell (self, line, ns_difference_column_find (ids[i]));

      if (*cell != '\0')
        g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", cell);
    }
  return g_strdup (text->str);
}

static const NsLinesSource source = { dup_line_cell, compare_lines, dup_spoken, NULL };

/**
 * ns_compare_list_get_chosen:
 * @self: a list
 *
 * Returns: (transfer none) (nullable): the operation of the selected line; %NULL without a
 * selection
 */
const NsChange *
ns_compare_list_get_chosen (NsCompareList *self)
{
  guint line = ns_lines_view_get_chosen (self->view);

  return line != NS_LINES_NONE && self->comparison != NULL
             ? ns_comparison_get_change (self->comparison, line)
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
  NsLinesColumn columns[G_N_ELEMENTS (shown_columns)];
  guint i;

  G_STATIC_ASSERT (G_N_ELEMENTS (shown_columns) <= NS_LINES_MAX_COLUMNS);
  for (i = 0; i < G_N_ELEMENTS (shown_columns); i++)
    columns[i] = (NsLinesColumn){ _ (ns_difference_column_get_title (get_column (i))),
                                  shown_columns[i].width,
                                  ns_difference_column_is_time (get_column (i)),
                                  FALSE,
                                  strcmp (shown_columns[i].id, "url") == 0 };
  self->view = ns_lines_view_new (_ ("Operations that differ"),
                                  columns,
                                  G_N_ELEMENTS (columns),
                                  &source,
                                  self);
  return self;
}

/**
 * ns_compare_list_free:
 * @self: (transfer full) (nullable): a list whose view is no longer shown
 */
void
ns_compare_list_free (NsCompareList *self)
{
  if (self == NULL)
    return;
  ns_lines_view_free (self->view);
  forget_cells (self);
  g_clear_object (&self->comparison);
  g_free (self);
}

/**
 * ns_compare_list_get_view:
 * @self: a list
 *
 * Returns: (transfer none): the widget of the list
 */
GtkWidget *
ns_compare_list_get_view (NsCompareList *self)
{
  return ns_lines_view_get_widget (self->view);
}

/**
 * ns_compare_list_get_selection:
 * @self: a list
 *
 * Returns: (transfer none): the selection model of the list
 */
GtkSelectionModel *
ns_compare_list_get_selection (NsCompareList *self)
{
  return ns_lines_view_get_selection (self->view);
}

/**
 * ns_compare_list_show:
 * @self: a list
 * @comparison: (nullable): a finished comparison; %NULL empties the list
 */
void
ns_compare_list_show (NsCompareList *self, NsComparison *comparison)
{
  ns_lines_view_clear (self->view);
  forget_cells (self);
  g_set_object (&self->comparison, comparison);
  if (comparison != NULL)
    ns_lines_view_fill (self->view, ns_comparison_get_n_changes (comparison));
}
