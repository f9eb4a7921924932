/* Which places of a list of rows are selected.
 *
 * GtkMultiSelection keeps an object for every selected row and looks at every row that changes; a
 * million of them would stop the window for seconds. A set of numbers is all that is needed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/table/ns-row-selection.h"

struct _NsRowSelection
{
  GObject parent_instance;

  NsRowList *rows;
  GtkBitset *selected;
};

static GType
ns_row_selection_get_item_type (GListModel *model)
{
  return NS_TYPE_ROW_ITEM;
}

static guint
ns_row_selection_get_n_items (GListModel *model)
{
  return g_list_model_get_n_items (G_LIST_MODEL (NS_ROW_SELECTION (model)->rows));
}

static gpointer
ns_row_selection_get_item (GListModel *model, guint position)
{
  return g_list_model_get_item (G_LIST_MODEL (NS_ROW_SELECTION (model)->rows), position);
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
  guint n_items = ns_row_selection_get_n_items (G_LIST_MODEL (model));
  guint first;

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

static void
selection_model_init (GtkSelectionModelInterface *iface)
{
  /* The others have the interface's own, which come to this one. */
  iface->is_selected = ns_row_selection_is_selected;
  iface->get_selection_in_range = ns_row_selection_get_selection_in_range;
  iface->set_selection = ns_row_selection_set_selection;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (NsRowSelection,
                               ns_row_selection,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init)
                                   G_IMPLEMENT_INTERFACE (GTK_TYPE_SELECTION_MODEL,
                                                          selection_model_init))

static void
items_changed_cb (NsRowSelection *self, guint position, guint removed, guint added)
{
  gtk_bitset_splice (self->selected, position, removed, added);
  g_list_model_items_changed (G_LIST_MODEL (self), position, removed, added);
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
}

static void
ns_row_selection_init (NsRowSelection *self)
{
  self->selected = gtk_bitset_new_empty ();
}

/**
 * ns_row_selection_new:
 * @rows: the rows that can be selected
 *
 * Returns: (transfer full): nothing selected
 */
NsRowSelection *
ns_row_selection_new (NsRowList *rows)
{
  NsRowSelection *self = g_object_new (NS_TYPE_ROW_SELECTION, NULL);

  self->rows = g_object_ref (rows);
  g_signal_connect_swapped (rows, "items-changed", G_CALLBACK (items_changed_cb), self);
  return self;
}
