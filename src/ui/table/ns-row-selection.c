/* Selection model over a row list.
 *
 * GtkMultiSelection keeps an object for every selected row and visits every changed row, which
 * blocks the window for seconds with a million rows. This model keeps a bitset of positions
 * instead.
 *
 * GTK also creates about 200 row widgets at once for a long list, however few are visible. When a
 * short list grows, the model therefore exposes its rows in steps.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/table/ns-row-selection.h"

/* Number of rows GTK creates widgets for, whatever the height of the view. */
#define MOST_WIDGET_ROWS 205
/* Number of rows whose cells are created within one or two frames. */
#define STEP_ROWS 40

/* GTK 4.8 keeps rows without widgets in ranges. When a removal begins inside such a range, GTK
 * drops the whole range, and the widgets behind it stay as blank rows. SIGNAL_SHORTENED lets the
 * view detect this case and have all rows reported again. */

struct _NsRowSelection
{
  GObject parent_instance;

  NsRowList *rows;
  GtkBitset *selected;
  guint n_exposed_max; /* maximum number of rows exposed to GTK */
};

enum
{
  SIGNAL_HELD_BACK,
  SIGNAL_SHORTENED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static guint
count_rows (NsRowSelection *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->rows));
}

static GType
ns_row_selection_get_item_type (GListModel *model)
{
  return NS_TYPE_ROW_ITEM;
}

static guint
ns_row_selection_get_n_items (GListModel *model)
{
  NsRowSelection *self = NS_ROW_SELECTION (model);

  return MIN (count_rows (self), self->n_exposed_max);
}

static gpointer
ns_row_selection_get_item (GListModel *model, guint position)
{
  NsRowSelection *self = NS_ROW_SELECTION (model);

  return position < self->n_exposed_max
             ? g_list_model_get_item (G_LIST_MODEL (self->rows), position)
             : NULL;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = ns_row_selection_get_item_type;
  iface->get_n_items = ns_row_selection_get_n_items;
  iface->get_item = ns_row_selection_get_item;
}

static gboolean
ns_row_selection_is_selected (GtkSelectionModel *model, guint position)
{
  return gtk_bitset_contains (NS_ROW_SELECTION (model)->selected, position);
}

static GtkBitset *
ns_row_selection_get_selection_in_range (GtkSelectionModel *model, guint position, guint n_items)
{
  return gtk_bitset_ref (NS_ROW_SELECTION (model)->selected);
}

static gboolean
ns_row_selection_set_selection (GtkSelectionModel *model, GtkBitset *selected, GtkBitset *mask)
{
  NsRowSelection *self = NS_ROW_SELECTION (model);
  g_autoptr (GtkBitset) changes = gtk_bitset_copy (self->selected);
  guint n_items = count_rows (self);
  guint first;

  /* Expose all rows before a position that is not exposed yet becomes selected. */
  if (!gtk_bitset_is_empty (selected))
    ns_row_selection_report (self, gtk_bitset_get_maximum (selected));
  gtk_bitset_difference (changes, selected);
  gtk_bitset_intersect (changes, mask);
  if (n_items < G_MAXUINT)
    gtk_bitset_remove_range_closed (changes, n_items, G_MAXUINT);
  if (gtk_bitset_is_empty (changes))
    return TRUE;
  gtk_bitset_difference (self->selected, changes);
  first = gtk_bitset_get_minimum (changes);
  gtk_selection_model_selection_changed (model,
                                         first,
                                         gtk_bitset_get_maximum (changes) - first + 1);
  return TRUE;
}

static gboolean
ns_row_selection_select_all (GtkSelectionModel *model)
{
  guint n_rows = count_rows (NS_ROW_SELECTION (model));
  g_autoptr (GtkBitset) all = gtk_bitset_new_range (0, n_rows);

  return ns_row_selection_set_selection (model, all, all);
}

static void
selection_model_init (GtkSelectionModelInterface *iface)
{
  /* The default implementations of the other methods call these. */
  iface->is_selected = ns_row_selection_is_selected;
  iface->get_selection_in_range = ns_row_selection_get_selection_in_range;
  iface->set_selection = ns_row_selection_set_selection;
  iface->select_all = ns_row_selection_select_all;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (NsRowSelection,
                               ns_row_selection,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init)
                                   G_IMPLEMENT_INTERFACE (GTK_TYPE_SELECTION_MODEL,
                                                          selection_model_init))

/* Reports a change of the length from @before to @after; rows are added or removed at the end. */
static void
report_length (NsRowSelection *self, guint before, guint after)
{
  guint both = MIN (before, after);

  if (before != after)
    g_list_model_items_changed (G_LIST_MODEL (self), both, before - both, after - both);
}

/* Reports the removal of all @before rows, then the addition of the current rows. */
static void
report_reset (NsRowSelection *self, guint before)
{
  self->n_exposed_max = 0;
  report_length (self, before, 0);
  self->n_exposed_max = count_rows (self) > STEP_ROWS ? STEP_ROWS : G_MAXUINT;
  report_length (self, 0, MIN (count_rows (self), self->n_exposed_max));
  if (self->n_exposed_max < G_MAXUINT)
    g_signal_emit (self, signals[SIGNAL_HELD_BACK], 0);
}

static void
items_changed_cb (NsRowSelection *self, guint position, guint removed, guint added)
{
  guint n_rows = count_rows (self);
  guint before = MIN (n_rows + removed - added, self->n_exposed_max);
  guint after = MIN (n_rows, self->n_exposed_max);
  gboolean is_held_back =
      self->n_exposed_max == G_MAXUINT && before < MOST_WIDGET_ROWS && n_rows > before + STEP_ROWS;
  gboolean is_reset = FALSE;

  gtk_bitset_splice (self->selected, position, removed, added);
  if (after < before && after > 0)
    g_signal_emit (self, signals[SIGNAL_SHORTENED], 0, after, &is_reset);
  if (is_reset)
    {
      report_reset (self, before);
      return;
    }
  if (is_held_back)
    self->n_exposed_max = before + STEP_ROWS;
  report_length (self, before, MIN (n_rows, self->n_exposed_max));
  if (is_held_back)
    g_signal_emit (self, signals[SIGNAL_HELD_BACK], 0);
}

static void
ns_row_selection_dispose (GObject *object)
{
  NsRowSelection *self = NS_ROW_SELECTION (object);

  if (self->rows != NULL)
    g_signal_handlers_disconnect_by_data (self->rows, self);
  g_clear_object (&self->rows);
  G_OBJECT_CLASS (ns_row_selection_parent_class)->dispose (object);
}

static void
ns_row_selection_finalize (GObject *object)
{
  gtk_bitset_unref (NS_ROW_SELECTION (object)->selected);
  G_OBJECT_CLASS (ns_row_selection_parent_class)->finalize (object);
}

static void
ns_row_selection_class_init (NsRowSelectionClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_row_selection_dispose;
  G_OBJECT_CLASS (klass)->finalize = ns_row_selection_finalize;

  /**
   * NsRowSelection::held-back:
   * @self: the selection
   *
   * Emitted when only some of the rows are exposed. The handler calls
   * ns_row_selection_report_more() every one or two frames until all rows are exposed.
   */
  signals[SIGNAL_HELD_BACK] = g_signal_new ("held-back",
                                            NS_TYPE_ROW_SELECTION,
                                            G_SIGNAL_RUN_LAST,
                                            0,
                                            NULL,
                                            NULL,
                                            NULL,
                                            G_TYPE_NONE,
                                            0);

  /**
   * NsRowSelection::shortened:
   * @self: the selection
   * @n_rows: number of exposed rows that are left
   *
   * Emitted after rows at the end were removed and before GTK is notified.
   *
   * Returns: whether to report all rows as removed and added again
   */
  signals[SIGNAL_SHORTENED] = g_signal_new ("shortened",
                                            NS_TYPE_ROW_SELECTION,
                                            G_SIGNAL_RUN_LAST,
                                            0,
                                            g_signal_accumulator_true_handled,
                                            NULL,
                                            NULL,
                                            G_TYPE_BOOLEAN,
                                            1,
                                            G_TYPE_UINT);
}

static void
ns_row_selection_init (NsRowSelection *self)
{
  self->selected = gtk_bitset_new_empty ();
  self->n_exposed_max = G_MAXUINT;
}

/**
 * ns_row_selection_new:
 * @rows: the rows that can be selected
 *
 * Returns: (transfer full): a model with nothing selected; exposes only the first rows of a long
 *   list
 */
NsRowSelection *
ns_row_selection_new (NsRowList *rows)
{
  NsRowSelection *self = g_object_new (NS_TYPE_ROW_SELECTION, NULL);

  self->rows = g_object_ref (rows);
  if (count_rows (self) > STEP_ROWS)
    self->n_exposed_max = STEP_ROWS;
  g_signal_connect_swapped (rows, "items-changed", G_CALLBACK (items_changed_cb), self);
  return self;
}

/**
 * ns_row_selection_is_holding_back:
 * @self: a selection
 *
 * Returns: whether some rows may not be exposed yet
 */
gboolean
ns_row_selection_is_holding_back (NsRowSelection *self)
{
  g_return_val_if_fail (NS_IS_ROW_SELECTION (self), FALSE);

  return self->n_exposed_max < G_MAXUINT;
}

static void
expose (NsRowSelection *self, guint n_exposed_max)
{
  guint before = MIN (count_rows (self), self->n_exposed_max);

  self->n_exposed_max = n_exposed_max;
  report_length (self, before, MIN (count_rows (self), n_exposed_max));
}

/**
 * ns_row_selection_report:
 * @self: a selection
 * @position: a position
 *
 * Exposes all rows if @position is not exposed yet.
 */
void
ns_row_selection_report (NsRowSelection *self, guint position)
{
  g_return_if_fail (NS_IS_ROW_SELECTION (self));

  if (position >= self->n_exposed_max)
    expose (self, G_MAXUINT);
}

/**
 * ns_row_selection_report_more:
 * @self: a selection
 *
 * Exposes some more rows, or all remaining rows once GTK has created its maximum of row widgets.
 */
void
ns_row_selection_report_more (NsRowSelection *self)
{
  g_return_if_fail (NS_IS_ROW_SELECTION (self));

  if (self->n_exposed_max < G_MAXUINT)
    expose (self,
            self->n_exposed_max < MOST_WIDGET_ROWS ? self->n_exposed_max + STEP_ROWS : G_MAXUINT);
}
