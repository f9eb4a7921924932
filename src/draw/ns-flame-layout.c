/* Where the boxes of a flame graph are: each as wide as its share of the weight.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-flame-layout.h"

#include "draw/ns-flame-families.h"

#include <string.h>

static const NsCallNode *
node_at (const NsCallTree *tree, guint32 node)
{
  return &g_array_index (tree->nodes, NsCallNode, node);
}

/**
 * ns_flame_layout_init:
 * @self: (out caller-allocates): a layout of nothing
 */
void
ns_flame_layout_init (NsFlameLayout *self)
{
  memset (self, 0, sizeof *self);
  self->boxes = g_array_new (FALSE, FALSE, sizeof (NsFlameBox));
}

/**
 * ns_flame_layout_clear:
 * @self: a layout
 */
void
ns_flame_layout_clear (NsFlameLayout *self)
{
  g_clear_pointer (&self->boxes, g_array_unref);
  g_clear_pointer (&self->families, g_free);
  self->tree = NULL;
}

static void
add_box (NsFlameLayout *self, guint32 node, double x0, double x1)
{
  NsFlameBox box = { node, node_at (self->tree, node)->depth, x0, x1 };

  g_array_append_val (self->boxes, box);
  self->n_levels = MAX (self->n_levels, box.level + 1);
}

/* Those around the focus, the outermost first. */
static void
add_ancestors (NsFlameLayout *self)
{
  guint depth = node_at (self->tree, self->focus)->depth;
  guint32 node = self->focus;
  guint i;

  for (i = 0; i < depth; i++)
    add_box (self, 0, 0, self->width);
  for (i = depth; i > 0; i--)
    {
      node = node_at (self->tree, node)->parent;
      g_array_index (self->boxes, NsFlameBox, i - 1) = (NsFlameBox){ node, i - 1, 0, self->width };
    }
}

/* Nodes stand before what is inside them, so one list of ends, by level, is enough. */
static void
add_inside (NsFlameLayout *self)
{
  const NsCallNode *focus = node_at (self->tree, self->focus);
  guint64 whole = ns_call_tree_get_total (self->tree, self->focus);
  guint32 end = self->focus + focus->n_inside + 1;
  g_autofree double *next = g_new0 (double, self->tree->max_depth + 2);
  guint32 i;

  if (whole == 0)
    {
      add_box (self, self->focus, 0, self->width);
      return;
    }
  for (i = self->focus; i < end;)
    {
      const NsCallNode *node = node_at (self->tree, i);
      double x0 = next[node->depth];
      double width = (double) ns_call_tree_get_total (self->tree, i) / (double) whole * self->width;

      next[node->depth] = x0 + width;
      next[node->depth + 1] = x0;
      if (width < NS_FLAME_MIN_WIDTH)
        {
          i += node->n_inside + 1;
          continue;
        }
      add_box (self, i, x0, x0 + width);
      i++;
    }
}

/**
 * ns_flame_layout_update:
 * @self: a layout
 * @tree: (nullable): a tree; it must live as long as the layout is used
 * @focus: the node that takes the whole width; 0 is the root
 * @width: px
 *
 * Computes the boxes anew.
 */
void
ns_flame_layout_update (NsFlameLayout *self, const NsCallTree *tree, guint32 focus, double width)
{
  g_array_set_size (self->boxes, 0);
  self->n_levels = 0;
  if (tree != self->tree)
    {
      g_free (self->families);
      self->families = tree != NULL ? ns_flame_families_new (tree) : NULL;
    }
  self->tree = tree;
  self->focus = tree != NULL && focus < tree->nodes->len ? focus : 0;
  self->width = MAX (width, 1);
  if (tree == NULL)
    return;
  add_ancestors (self);
  add_inside (self);
}

/**
 * ns_flame_layout_find:
 * @self: a layout
 * @x: px
 * @level: level, 0 at the top
 *
 * Returns: the node drawn there, or %NS_FLAME_NONE
 */
guint32
ns_flame_layout_find (const NsFlameLayout *self, double x, guint level)
{
  guint i;

  for (i = 0; i < self->boxes->len; i++)
    {
      const NsFlameBox *box = &g_array_index (self->boxes, NsFlameBox, i);

      if (box->level == level && x >= box->x0 && x < box->x1)
        return box->node;
    }
  return NS_FLAME_NONE;
}

/**
 * ns_flame_layout_get_box:
 * @self: a layout
 * @node: a node
 *
 * Returns: (transfer none) (nullable): where it is, %NULL when it is not shown
 */
const NsFlameBox *
ns_flame_layout_get_box (const NsFlameLayout *self, guint32 node)
{
  guint low = 0;
  guint high = self->boxes->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const NsFlameBox *box = &g_array_index (self->boxes, NsFlameBox, middle);

      if (box->node == node)
        return box;
      if (box->node < node)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

/* The shown box of the same level next to this one, in the order of the tree. */
static guint32
step_aside (const NsFlameLayout *self, const NsFlameBox *from, NsFlameStep step)
{
  const NsFlameBox *boxes = (const NsFlameBox *) (gconstpointer) self->boxes->data;
  guint at = (guint) (from - boxes);
  guint i;

  if (step == NS_FLAME_NEXT)
    {
      for (i = at + 1; i < self->boxes->len; i++)
        if (boxes[i].level == from->level)
          return boxes[i].node;
    }
  else
    {
      for (i = at; i > 0; i--)
        if (boxes[i - 1].level == from->level)
          return boxes[i - 1].node;
    }
  return from->node;
}

/**
 * ns_flame_layout_step:
 * @self: a layout
 * @node: where to go from
 * @step: which way
 *
 * Returns: the node there, or @node itself when there is none
 */
guint32
ns_flame_layout_step (const NsFlameLayout *self, guint32 node, NsFlameStep step)
{
  const NsFlameBox *box = ns_flame_layout_get_box (self, node);

  if (box == NULL)
    return self->focus;
  if (step == NS_FLAME_PARENT)
    return node_at (self->tree, node)->parent;
  if (step == NS_FLAME_CHILD)
    {
      const NsFlameBox *boxes = (const NsFlameBox *) (gconstpointer) self->boxes->data;
      guint next = (guint) (box - boxes) + 1;

      return next < self->boxes->len && boxes[next].level == box->level + 1 ? boxes[next].node
                                                                            : node;
    }
  return step_aside (self, box, step);
}

/**
 * ns_flame_layout_get_family:
 * @self: a layout of a tree
 * @node: one of its nodes
 *
 * Returns: to which of the families its code belongs, below %NS_FLAME_N_FAMILIES, or
 *   %NS_FLAME_NO_FAMILY: code of the system, a seam, nothing
 */
guint8
ns_flame_layout_get_family (const NsFlameLayout *self, guint32 node)
{
  return self->families[node];
}

static gboolean
contains (const char *text, const char *part, gsize n_part)
{
  for (; *text != '\0'; text++)
    if (g_ascii_strncasecmp (text, part, n_part) == 0)
      return TRUE;
  return FALSE;
}

/**
 * ns_flame_search:
 * @tree: a tree
 * @text: what to look for in the names, without regard to the case of ASCII letters
 * @finds: (out): how much was found
 *
 * Returns: (transfer full) (nullable): 1 for each node found; %NULL when @text is empty
 */
guint8 *
ns_flame_search (const NsCallTree *tree, const char *text, NsFlameFinds *finds)
{
  gsize n_text = strlen (text);
  g_autofree guint8 *by_name = NULL; /* 1 not found, 2 found */
  guint8 *found;
  guint32 covered = 0;
  guint32 i;

  *finds = (NsFlameFinds){ 0, 0 };
  if (n_text == 0)
    return NULL;
  found = g_new0 (guint8, tree->nodes->len);
  by_name = g_new0 (guint8, ns_strings_get_size (tree->names) + 2);
  for (i = 0; i < tree->nodes->len; i++)
    {
      const NsCallNode *node = node_at (tree, i);

      if (by_name[node->name] == 0)
        by_name[node->name] = contains (ns_call_tree_get_name (tree, i), text, n_text) ? 2 : 1;
      if (by_name[node->name] != 2)
        continue;
      found[i] = 1;
      finds->n_found++;
      if (i >= covered)
        {
          finds->weight += ns_call_tree_get_total (tree, i);
          covered = i + node->n_inside + 1;
        }
    }
  return found;
}
