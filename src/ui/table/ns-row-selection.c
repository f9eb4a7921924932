/* Which places of a list of rows are selected.
 *
 * GtkMultiSelection keeps an object for every selected row and looks at every row that changes; a
 * million of them would stop the window for seconds. A set of numbers is all that is needed.
 *
 * GTK makes widgets for some two hundred rows of a long list at once, however few of them there is
 * room for, which stops the window, too: so a list that was short is told of by and by.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/table/ns-row-selection.h"

/* GTK makes widgets for so many rows of a list, be there room for ten of them. */
#define MOST_WIDGET_ROWS 205
/* To make the cells of so many rows takes a frame or two. */
#define STEP_ROWS 40

/* GTK 4.8 counts rows without widgets in stretches, and takes a stretch in which a removal begins
 * away from its own beginning. Widgets behind it then stay for rows that are no more: blank ones.
 * Where that would come to pass the view has all rows told anew. */

struct _NsRowSelection
{
  GObject parent_instance;

  NsRowList *rows;
  GtkBitset *selected;
  guint n_most; /* so many of the rows are told of at most */
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

  return MIN (count_rows (self), self->n_most);
}

static gpointer
ns_row_selection_get_item (GListModel *model, guint position)
{
  NsRowSelection *self = NS_ROW_SELECTION (model);

  return position < self->n_most ? g_list_model_get_item (G_LIST_MODEL (self->rows), position)
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

  /* Who selects a row that was not told of yet, knows of it. */
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
  /* The others have the interface's own, which come to this one. */
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

/* Tells that there are @after rows where there were @before: places come and go at the end. */
static void
report_length (NsRowSelection *self, guint before, guint after)
{
  guint both = MIN (before, after);

  if (before != after)
    g_list_model_items_changed (G_LIST_MODEL (self), both, before - both, after - both);
}

/* Tells that there are none where there were @before, and then of those that there are. */
static void
report_anew (NsRowSelection *self, guint before)
{
  self->n_most = 0;
  report_length (self, before, 0);
  self->n_most = count_rows (self) > STEP_ROWS ? STEP_ROWS : G_MAXUINT;
  report_length (self, 0, MIN (count_rows (self), self->n_most));
  if (self->n_most < G_MAXUINT)
    g_signal_emit (self, signals[SIGNAL_HELD_BACK], 0);
}

static void
items_changed_cb (NsRowSelection *self, guint position, guint removed, guint added)
{
  guint n_rows = count_rows (self);
  guint before = MIN (n_rows + removed - added, self->n_most);
  guint after = MIN (n_rows, self->n_most);
  gboolean is_held_back =
      self->n_most == G_MAXUINT && before < MOST_WIDGET_ROWS && n_rows > before + STEP_ROWS;
  gboolean is_anew = FALSE;

  gtk_bitset_splice (self->selected, position, removed, added);
  if (after < before && after > 0)
    g_signal_emit (self, signals[SIGNAL_SHORTENED], 0, after, &is_anew);
  if (is_anew)
    {
      report_anew (self, before);
      return;
    }
  if (is_held_back)
    self->n_most = before + STEP_ROWS;
  report_length (self, before, MIN (n_rows, self->n_most));
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
   * There are more rows than were told of: ns_row_selection_report_more() is to be called, a frame
   * or two between the calls, until there are none left.
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
   * @n_rows: how many rows are left of those that were told of
   *
   * Rows at the end are no more, and GTK does not know it yet.
   *
   * Returns: whether all rows are to be told anew
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
  self->n_most = G_MAXUINT;
}

/**
 * ns_row_selection_new:
 * @rows: the rows that can be selected
 *
 * Returns: (transfer full): nothing selected; not told of all rows, if they are many
 */
NsRowSelection *
ns_row_selection_new (NsRowList *rows)
{
  NsRowSelection *self = g_object_new (NS_TYPE_ROW_SELECTION, NULL);

  self->rows = g_object_ref (rows);
  if (count_rows (self) > STEP_ROWS)
    self->n_most = STEP_ROWS;
  g_signal_connect_swapped (rows, "items-changed", G_CALLBACK (items_changed_cb), self);
  return self;
}

/**
 * ns_row_selection_is_holding_back:
 * @self: a selection
 *
 * Returns: whether there may be more rows than were told of
 */
gboolean
ns_row_selection_is_holding_back (NsRowSelection *self)
{
  g_return_val_if_fail (NS_IS_ROW_SELECTION (self), FALSE);

  return self->n_most < G_MAXUINT;
}

static void
tell (NsRowSelection *self, guint n_most)
{
  guint before = MIN (count_rows (self), self->n_most);

  self->n_most = n_most;
  report_length (self, before, MIN (count_rows (self), n_most));
}

/**
 * ns_row_selection_report:
 * @self: a selection
 * @position: a place
 *
 * Tells of all rows if @position is one that was not told of yet.
 */
void
ns_row_selection_report (NsRowSelection *self, guint position)
{
  g_return_if_fail (NS_IS_ROW_SELECTION (self));

  if (position >= self->n_most)
    tell (self, G_MAXUINT);
}

/**
 * ns_row_selection_report_more:
 * @self: a selection
 *
 * Tells of some rows more, and of all that are left when GTK has as many as it makes widgets for.
 */
void
ns_row_selection_report_more (NsRowSelection *self)
{
  g_return_if_fail (NS_IS_ROW_SELECTION (self));

  if (self->n_most < G_MAXUINT)
    tell (self, self->n_most < MOST_WIDGET_ROWS ? self->n_most + STEP_ROWS : G_MAXUINT);
}
