/* List model of a call tree, with the children of expanded nodes.
 *
 * The nodes are numbered in the order of the tree, so the shown node numbers are ascending.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-call-nodes.h"

#include <string.h>

/* Maximum number of nodes expanded in a new tree: along its heaviest path, as long as that is more
 * than half of the total. */
#define MAX_OPEN_AT_FIRST 40

struct _NsCallNodeItem
{
  GObject parent_instance;

  guint32 node;
};

G_DEFINE_FINAL_TYPE (NsCallNodeItem, ns_call_node_item, G_TYPE_OBJECT)

static void
ns_call_node_item_class_init (NsCallNodeItemClass *klass)
{
}

static void
ns_call_node_item_init (NsCallNodeItem *self)
{
}

/**
 * ns_call_node_item_get_node:
 * @self: an item
 *
 * Returns: the number of its node
 */
guint32
ns_call_node_item_get_node (NsCallNodeItem *self)
{
  return self->node;
}

struct _NsCallNodes
{
  GObject parent_instance;

  const NsCallTree *tree;
  GArray *shown;   /* guint32: nodes */
  guint8 *is_open; /* by node */
};

static GType
get_item_type (GListModel *model)
{
  return NS_TYPE_CALL_NODE_ITEM;
}

static guint
get_n_items (GListModel *model)
{
  return NS_CALL_NODES (model)->shown->len;
}

static gpointer
get_item (GListModel *model, guint position)
{
  NsCallNodes *self = NS_CALL_NODES (model);
  NsCallNodeItem *item;

  if (position >= self->shown->len)
    return NULL;
  item = g_object_new (NS_TYPE_CALL_NODE_ITEM, NULL);
  item->node = g_array_index (self->shown, guint32, position);
  return item;
}

static void
model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (NsCallNodes,
                               ns_call_nodes,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, model_init))

static void
ns_call_nodes_finalize (GObject *object)
{
  NsCallNodes *self = NS_CALL_NODES (object);

  g_array_unref (self->shown);
  g_free (self->is_open);
  G_OBJECT_CLASS (ns_call_nodes_parent_class)->finalize (object);
}

static void
ns_call_nodes_class_init (NsCallNodesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ns_call_nodes_finalize;
}

static void
ns_call_nodes_init (NsCallNodes *self)
{
  self->shown = g_array_new (FALSE, FALSE, sizeof (guint32));
}

/**
 * ns_call_nodes_new:
 *
 * Returns: (transfer full): an empty list
 */
NsCallNodes *
ns_call_nodes_new (void)
{
  return g_object_new (NS_TYPE_CALL_NODES, NULL);
}

static const NsCallNode *
node_at (NsCallNodes *self, guint32 node)
{
  return &g_array_index (self->tree->nodes, NsCallNode, node);
}

/* Returns the direct children of a node. */
static GArray *
list_children (NsCallNodes *self, guint32 node)
{
  GArray *children = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 end = node + node_at (self, node)->n_inside + 1;
  guint32 i;

  for (i = node + 1; i < end; i += node_at (self, i)->n_inside + 1)
    g_array_append_val (children, i);
  return children;
}

/**
 * ns_call_nodes_set_open:
 * @self: a list
 * @position: position of a node
 * @is_open: whether to expand it
 */
void
ns_call_nodes_set_open (NsCallNodes *self, guint position, gboolean is_open)
{
  guint32 node;

  if (position >= self->shown->len)
    return;
  node = g_array_index (self->shown, guint32, position);
  if (node_at (self, node)->n_inside == 0 || self->is_open[node] == is_open)
    return;
  self->is_open[node] = is_open ? 1 : 0;
  if (is_open)
    {
      g_autoptr (GArray) children = list_children (self, node);

      g_array_insert_vals (self->shown, position + 1, children->data, children->len);
      g_list_model_items_changed (G_LIST_MODEL (self), position + 1, 0, children->len);
    }
  else
    {
      guint32 end = node + node_at (self, node)->n_inside + 1;
      guint n = 0;

      while (position + 1 + n < self->shown->len &&
             g_array_index (self->shown, guint32, position + 1 + n) < end)
        n++;
      memset (self->is_open + node, 0, end - node);
      g_array_remove_range (self->shown, position + 1, n);
      g_list_model_items_changed (G_LIST_MODEL (self), position + 1, n, 0);
    }
  /* The item itself is updated for its expander. */
  g_list_model_items_changed (G_LIST_MODEL (self), position, 1, 1);
}

/**
 * ns_call_nodes_set_tree:
 * @self: a list
 * @tree: (nullable): a tree, which must live as long as the list shows it
 */
void
ns_call_nodes_set_tree (NsCallNodes *self, const NsCallTree *tree)
{
  guint n_before = self->shown->len;
  guint64 whole;
  guint32 root = 0;
  guint i;

  self->tree = tree;
  g_clear_pointer (&self->is_open, g_free);
  g_array_set_size (self->shown, 0);
  g_list_model_items_changed (G_LIST_MODEL (self), 0, n_before, 0);
  if (tree == NULL)
    return;
  self->is_open = g_new0 (guint8, tree->nodes->len);
  g_array_append_val (self->shown, root);
  g_list_model_items_changed (G_LIST_MODEL (self), 0, 0, 1);
  whole = ns_call_tree_get_total (tree, 0);
  for (i = 0; i < MAX_OPEN_AT_FIRST && i < self->shown->len; i++)
    {
      if (ns_call_tree_get_total (tree, g_array_index (self->shown, guint32, i)) * 2 < whole)
        break;
      ns_call_nodes_set_open (self, i, TRUE);
    }
}

/**
 * ns_call_nodes_is_open:
 * @self: a list
 * @node: a node
 *
 * Returns: whether the node is expanded
 */
gboolean
ns_call_nodes_is_open (NsCallNodes *self, guint32 node)
{
  return self->is_open != NULL && self->is_open[node] != 0;
}

/* Returns the position of the node, or of its nearest shown ancestor. */
static guint
find_line (NsCallNodes *self, guint32 node)
{
  guint low = 0;
  guint high = self->shown->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->shown, guint32, middle) <= node)
        low = middle;
      else
        high = middle;
    }
  return low;
}

/**
 * ns_call_nodes_reveal:
 * @self: a list with a tree
 * @node: a node
 *
 * Expands the ancestors of a node.
 *
 * Returns: its position
 */
guint
ns_call_nodes_reveal (NsCallNodes *self, guint32 node)
{
  guint line = find_line (self, node);

  while (g_array_index (self->shown, guint32, line) != node)
    {
      ns_call_nodes_set_open (self, line, TRUE);
      line = find_line (self, node);
    }
  return line;
}
