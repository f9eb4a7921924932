/* Layout of the boxes of a flame graph; the width of a box is its share of the weight.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-call-tree.h"

G_BEGIN_DECLS

/* Minimum width of a box in px; narrower boxes and their descendants are left out. */
#define NS_FLAME_MIN_WIDTH 0.5

#define NS_FLAME_NONE G_MAXUINT32

/* Minimum number of system frames, each the only child of the one before, that are folded into
 * one box. */
#define NS_FLAME_MIN_FOLD 3

/**
 * NsFlameBox:
 * @node: the node shown; the outermost one of a fold
 * @n_folded: number of nodes shown, each the only child of the one before; 1: not folded
 * @level: level from the top, from 0
 * @x0: px from the left
 * @x1: px from the left
 */
typedef struct
{
  guint32 node;
  guint32 n_folded;
  guint32 level;
  double x0;
  double x1;
} NsFlameBox;

/**
 * NsFlameLayout:
 * @tree: (nullable): the tree, not owned
 * @focus: the node that fills the width, like its ancestors
 * @width: px
 * @boxes: (element-type NsFlameBox): in the order of the tree
 * @n_levels: number of levels
 * @families: (nullable): family of each node, see ns_flame_layout_get_family()
 *
 * The boxes of a flame graph at one zoom.
 */
typedef struct
{
  const NsCallTree *tree;
  guint32 focus;
  double width;
  GArray *boxes;
  guint n_levels;
  guint8 *families;
} NsFlameLayout;

/* Number of families of modules that have different colours. */
#define NS_FLAME_N_FAMILIES 6
#define NS_FLAME_NO_FAMILY G_MAXUINT8

/* Matches of a search. Nodes below a matching node do not add to @weight. */
typedef struct
{
  guint n_found;
  guint64 weight;
} NsFlameFinds;

/* Directions of keyboard navigation. */
typedef enum
{
  NS_FLAME_PARENT,
  NS_FLAME_CHILD,
  NS_FLAME_NEXT,
  NS_FLAME_BEFORE,
} NsFlameStep;

void ns_flame_layout_init (NsFlameLayout *self);
void ns_flame_layout_clear (NsFlameLayout *self);
void
ns_flame_layout_update (NsFlameLayout *self, const NsCallTree *tree, guint32 focus, double width);
guint32 ns_flame_layout_find (const NsFlameLayout *self, double x, guint level);
gboolean ns_flame_box_has (const NsFlameBox *self, guint32 node);
const NsFlameBox *ns_flame_layout_get_box (const NsFlameLayout *self, guint32 node);
guint32 ns_flame_layout_step (const NsFlameLayout *self, guint32 node, NsFlameStep step);
guint8 ns_flame_layout_get_family (const NsFlameLayout *self, guint32 node);
guint8 *ns_flame_search (const NsCallTree *tree, const char *text, NsFlameFinds *finds);

G_END_DECLS
