/* List model of a call tree, with the children of expanded nodes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-call-tree.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* An item of the list. */
#define NS_TYPE_CALL_NODE_ITEM (ns_call_node_item_get_type ())
G_DECLARE_FINAL_TYPE (NsCallNodeItem, ns_call_node_item, NS, CALL_NODE_ITEM, GObject)

guint32 ns_call_node_item_get_node (NsCallNodeItem *self);

#define NS_TYPE_CALL_NODES (ns_call_nodes_get_type ())
G_DECLARE_FINAL_TYPE (NsCallNodes, ns_call_nodes, NS, CALL_NODES, GObject)

NsCallNodes *ns_call_nodes_new (void);
void ns_call_nodes_set_tree (NsCallNodes *self, const NsCallTree *tree);
gboolean ns_call_nodes_is_open (NsCallNodes *self, guint32 node);
void ns_call_nodes_set_open (NsCallNodes *self, guint position, gboolean is_open);
guint ns_call_nodes_reveal (NsCallNodes *self, guint32 node);

G_END_DECLS
