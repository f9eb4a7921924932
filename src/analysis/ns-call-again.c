/* Finds a node of a call tree in a tree that was built later.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-call-tree.h"
#include "engine/trace/ns-namer.h"

static const NsCallNode *
node_at (const NsCallTree *self, guint32 node)
{
  return &g_array_index (self->nodes, NsCallNode, node);
}

/* Returns the current name of the node's frame: symbols may have been loaded since the tree was
 * built. */
static char *
dup_name_now (const NsTrace *trace, const NsCallNode *node)
{
  GString *text;
  guint32 offset;

  if (node->kind != NS_CALL_NODE_FRAME || node->module == NULL)
    return NULL;
  text = g_string_new (node->module);
  g_string_append_c (text, '!');
  if (ns_trace_name_place (trace, node->image, node->rva, node->is_return, text, &offset))
    return g_string_free (text, FALSE);
  return g_string_free (text, TRUE);
}

static guint32
find_child (const NsCallTree *self, guint32 parent, NsCallNodeKind kind, const char *name)
{
  guint32 end = parent + node_at (self, parent)->n_inside + 1;
  guint32 i;

  for (i = parent + 1; i < end; i += node_at (self, i)->n_inside + 1)
    if (node_at (self, i)->kind == kind && g_str_equal (ns_call_tree_get_name (self, i), name))
      return i;
  return 0;
}

/**
 * ns_call_tree_find_again:
 * @self: a tree
 * @trace: the trace of both trees
 * @before: another tree, built earlier
 * @node: a node of @before
 *
 * Follows the path to @node, also if functions have got names in the meantime.
 *
 * Returns: the node of @self at the end of that path, or its nearest ancestor that exists
 */
guint32
ns_call_tree_find_again (const NsCallTree *self,
                         const NsTrace *trace,
                         const NsCallTree *before,
                         guint32 node)
{
  guint depth = node_at (before, node)->depth;
  g_autofree guint32 *path = g_new (guint32, depth + 1);
  guint32 found = 0;
  guint32 at = node;
  guint i;

  for (i = depth; i > 0; i--, at = node_at (before, at)->parent)
    path[i] = at;
  for (i = 1; i <= depth; i++)
    {
      const NsCallNode *step = node_at (before, path[i]);
      guint32 child = find_child (self, found, step->kind, ns_call_tree_get_name (before, path[i]));

      if (child == 0)
        {
          g_autofree char *name = dup_name_now (trace, step);

          child = name != NULL ? find_child (self, found, step->kind, name) : 0;
        }
      if (child == 0)
        break;
      found = child;
    }
  return found;
}
