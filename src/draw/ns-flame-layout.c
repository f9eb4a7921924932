/* Layout of the boxes of a flame graph; the width of a box is its share of the weight.
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
 * @self: (out caller-allocates): an empty layout
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
add_box (NsFlameLayout *self, guint32 node, guint32 n_folded, guint32 level, double x0, double x1)
{
  NsFlameBox box = { node, n_folded, level, x0, x1 };

  g_array_append_val (self->boxes, box);
  self->n_levels = MAX (self->n_levels, box.level + 1);
}

static gboolean
is_of_system (const NsFlameLayout *self, guint32 node)
{
  const NsCallNode *at = node_at (self->tree, node);

  return at->kind == NS_CALL_NODE_FRAME &&
         (at->is_kernel || (at->module != NULL && self->families[node] == NS_FLAME_NO_FAMILY));
}

/* Returns the number of nodes before @end that the box of @node stands for. */
static guint32
count_folded (const NsFlameLayout *self, guint32 node, guint32 end)
{
  guint32 n = 1;

  if (!is_of_system (self, node))
    return 1;
  /* Continues while the next node is the only child. */
  while (node + n < end &&
         node_at (self->tree, node + n)->n_inside + 1 ==
             node_at (self->tree, node + n - 1)->n_inside &&
         is_of_system (self, node + n))
    n++;
  return n >= NS_FLAME_MIN_FOLD ? n : 1;
}

/* Adds the boxes of the ancestors of the focus node, the outermost first. Returns the next
 * level. */
static guint32
add_ancestors (NsFlameLayout *self)
{
  guint depth = node_at (self->tree, self->focus)->depth;
  g_autofree guint32 *way = g_new (guint32, (gsize) depth + 1);
  guint32 node = self->focus;
  guint32 level = 0;
  guint i;

  for (i = depth; i > 0; i--)
    way[i - 1] = node = node_at (self->tree, node)->parent;
  for (i = 0; i < depth; level++)
    {
      guint32 n = count_folded (self, way[i], self->focus);

      add_box (self, way[i], n, level, 0, self->width);
      i += n;
    }
  return level;
}

/* Adds the boxes of the focus node and its descendants. Nodes precede their children, so one
 * list of right edges by depth is enough. */
static void
add_inside (NsFlameLayout *self, guint32 first_level)
{
  const NsCallNode *focus = node_at (self->tree, self->focus);
  guint64 whole = ns_call_tree_get_total (self->tree, self->focus);
  guint32 end = self->focus + focus->n_inside + 1;
  /* Frames that could be folded with the focus node are shown one by one. */
  guint32 open_end = self->focus + count_folded (self, self->focus, end);
  g_autofree double *next = g_new0 (double, self->tree->max_depth + 2);
  g_autofree guint32 *levels = g_new0 (guint32, self->tree->max_depth + 2);
  guint32 i;

  levels[focus->depth] = first_level;
  if (whole == 0)
    {
      add_box (self, self->focus, 1, first_level, 0, self->width);
      return;
    }
  for (i = self->focus; i < end;)
    {
      const NsCallNode *node = node_at (self->tree, i);
      double x0 = next[node->depth];
      double width = (double) ns_call_tree_get_total (self->tree, i) / (double) whole * self->width;
      guint32 n;

      next[node->depth] = x0 + width;
      if (width < NS_FLAME_MIN_WIDTH)
        {
          i += node->n_inside + 1;
          continue;
        }
      n = i < open_end ? 1 : count_folded (self, i, end);
      add_box (self, i, n, levels[node->depth], x0, x0 + width);
      next[node->depth + n] = x0;
      levels[node->depth + n] = levels[node->depth] + 1;
      i += n;
    }
}

/**
 * ns_flame_layout_update:
 * @self: a layout
 * @tree: (nullable): a tree; it must live as long as the layout is used
 * @focus: the node that fills the width; 0 is the root
 * @width: px
 *
 * Computes the boxes.
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
  add_inside (self, add_ancestors (self));
}

/**
 * ns_flame_layout_find:
 * @self: a layout
 * @x: px
 * @level: level, 0 at the top
 *
 * Returns: the node at that position, or %NS_FLAME_NONE
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
 * ns_flame_box_has:
 * @self: a box
 * @node: a node
 *
 * Returns: %TRUE if the box shows @node, alone or folded with others
 */
gboolean
ns_flame_box_has (const NsFlameBox *self, guint32 node)
{
  return node >= self->node && node - self->node < self->n_folded;
}

/**
 * ns_flame_layout_get_box:
 * @self: a layout
 * @node: a node
 *
 * Returns: (transfer none) (nullable): the box of @node, which may be folded with others; %NULL if
 *   it is not shown
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

      if (ns_flame_box_has (box, node))
        return box;
      if (box->node < node)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

/* Returns the node of the next or previous box of the same level, in the order of the tree. */
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
 * @node: the current node
 * @step: the direction
 *
 * Returns: the node in that direction, or @node if there is none
 */
guint32
ns_flame_layout_step (const NsFlameLayout *self, guint32 node, NsFlameStep step)
{
  const NsFlameBox *box = ns_flame_layout_get_box (self, node);

  if (box == NULL)
    return self->focus;
  if (step == NS_FLAME_PARENT)
    {
      const NsFlameBox *around =
          ns_flame_layout_get_box (self, node_at (self->tree, box->node)->parent);

      return around != NULL ? around->node : node;
    }
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
 * Returns: the family of its code, below %NS_FLAME_N_FAMILIES, or %NS_FLAME_NO_FAMILY for system
 *   modules, thread switches and nodes without a module
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
 * @text: text to search for in the names, ignoring the case of ASCII letters
 * @finds: (out): number of matches and their weight
 *
 * Returns: (transfer full) (nullable): 1 for each node that matches; %NULL if @text is empty
 */
guint8 *
ns_flame_search (const NsCallTree *tree, const char *text, NsFlameFinds *finds)
{
  gsize n_text = strlen (text);
  g_autofree guint8 *by_name = NULL; /* by name; 0: not searched, 1: no match, 2: match */
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
