/* A list model over row numbers: a million rows, objects only for those on the screen.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-row-list.h"

struct _NsRowItem
{
  GObject parent_instance;

  guint32 row;
  GHashTable *alive; /* row → NsRowItem, borrowed values */
};

G_DEFINE_FINAL_TYPE (NsRowItem, ns_row_item, G_TYPE_OBJECT)

static void
ns_row_item_finalize (GObject *object)
{
  NsRowItem *self = NS_ROW_ITEM (object);

  g_hash_table_remove (self->alive, GUINT_TO_POINTER (self->row));
  g_hash_table_unref (self->alive);
  G_OBJECT_CLASS (ns_row_item_parent_class)->finalize (object);
}

static void
ns_row_item_class_init (NsRowItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ns_row_item_finalize;
}

static void
ns_row_item_init (NsRowItem *self)
{
}

/**
 * ns_row_item_get_row:
 * @self: an item
 *
 * Returns: the row it stands for, 0-based in its table
 */
guint32
ns_row_item_get_row (NsRowItem *self)
{
  g_return_val_if_fail (NS_IS_ROW_ITEM (self), 0);

  return self->row;
}

struct _NsRowList
{
  GObject parent_instance;

  GArray *rows; /* guint32 */
  GHashTable *alive;
};

static GType
ns_row_list_get_item_type (GListModel *model)
{
  return NS_TYPE_ROW_ITEM;
}

static guint
ns_row_list_get_n_items (GListModel *model)
{
  return NS_ROW_LIST (model)->rows->len;
}

static gpointer
ns_row_list_get_item (GListModel *model, guint position)
{
  NsRowList *self = NS_ROW_LIST (model);
  NsRowItem *item;
  guint32 row;

  if (position >= self->rows->len)
    return NULL;
  row = g_array_index (self->rows, guint32, position);

  /* While anyone holds a row, that row is one and the same object. */
  item = g_hash_table_lookup (self->alive, GUINT_TO_POINTER (row));
  if (item != NULL)
    return g_object_ref (item);
  item = g_object_new (NS_TYPE_ROW_ITEM, NULL);
  item->row = row;
  item->alive = g_hash_table_ref (self->alive);
  g_hash_table_insert (self->alive, GUINT_TO_POINTER (row), item);
  return item;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = ns_row_list_get_item_type;
  iface->get_n_items = ns_row_list_get_n_items;
  iface->get_item = ns_row_list_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (NsRowList,
                               ns_row_list,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static void
ns_row_list_finalize (GObject *object)
{
  NsRowList *self = NS_ROW_LIST (object);

  g_array_unref (self->rows);
  g_hash_table_unref (self->alive);
  G_OBJECT_CLASS (ns_row_list_parent_class)->finalize (object);
}

static void
ns_row_list_class_init (NsRowListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ns_row_list_finalize;
}

static void
ns_row_list_init (NsRowList *self)
{
  self->rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->alive = g_hash_table_new (NULL, NULL);
}

/**
 * ns_row_list_new:
 *
 * Returns: (transfer full): an empty list
 */
NsRowList *
ns_row_list_new (void)
{
  return g_object_new (NS_TYPE_ROW_LIST, NULL);
}

/**
 * ns_row_list_set_rows:
 * @self: a list
 * @rows: (element-type guint32): rows, 0-based; must not change afterwards
 *
 * Shows @rows, in that order. Tells of the changed middle only: a change of the whole list makes
 * GTK rebuild every cell on the screen.
 */
void
ns_row_list_set_rows (NsRowList *self, GArray *rows)
{
  g_autoptr (GArray) old_rows = NULL;
  const guint32 *old;
  const guint32 *new;
  guint n_old;
  guint n_new;
  guint head = 0;
  guint tail = 0;

  g_return_if_fail (NS_IS_ROW_LIST (self));
  g_return_if_fail (rows != NULL);

  old_rows = g_steal_pointer (&self->rows);
  self->rows = g_array_ref (rows);
  old = (const guint32 *) (gpointer) old_rows->data;
  new = (const guint32 *) (gpointer) rows->data;
  n_old = old_rows->len;
  n_new = rows->len;

  while (head < MIN (n_old, n_new) && old[head] == new[head])
    head++;
  while (tail < MIN (n_old, n_new) - head && old[n_old - tail - 1] == new[n_new - tail - 1])
    tail++;
  if (n_old - head - tail > 0 || n_new - head - tail > 0)
    g_list_model_items_changed (G_LIST_MODEL (self),
                                head,
                                n_old - head - tail,
                                n_new - head - tail);
}

/**
 * ns_row_list_get_rows:
 * @self: a list
 *
 * Returns: (element-type guint32): the rows in their order
 */
const GArray *
ns_row_list_get_rows (NsRowList *self)
{
  g_return_val_if_fail (NS_IS_ROW_LIST (self), NULL);

  return self->rows;
}

/**
 * ns_row_list_find:
 * @self: a list
 * @row: a row of the table
 *
 * Returns: its position, or %G_MAXUINT when it is not shown
 */
guint
ns_row_list_find (NsRowList *self, guint32 row)
{
  guint i;

  g_return_val_if_fail (NS_IS_ROW_LIST (self), G_MAXUINT);

  if (row < self->rows->len && g_array_index (self->rows, guint32, row) == row)
    return row;
  for (i = 0; i < self->rows->len; i++)
    if (g_array_index (self->rows, guint32, i) == row)
      return i;
  return G_MAXUINT;
}
