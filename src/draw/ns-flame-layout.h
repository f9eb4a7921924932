/* Where the boxes of a flame graph are: each as wide as its share of the weight.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-call-tree.h"

G_BEGIN_DECLS

/* Boxes narrower than this are not there, nor what is inside them. */
#define NS_FLAME_MIN_WIDTH 0.5

#define NS_FLAME_NONE G_MAXUINT32

/* So many frames of the system that do nothing but call each other are one box. */
#define NS_FLAME_MIN_FOLD 3

/**
 * NsFlameBox:
 * @node: what it shows; of a fold, the outermost
 * @n_folded: how many nodes it shows, each the only one inside the one before; 1: no fold
 * @level: from the top
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
 * @tree: (nullable): whose nodes they are; not owned
 * @focus: the node that takes the whole width, as do those around it
 * @width: px
 * @boxes: (element-type NsFlameBox): in the order of the tree
 * @n_levels: how many levels have a box
 * @families: (nullable): of each node, see ns_flame_layout_get_family()
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

/* Families of modules that can be told apart. */
#define NS_FLAME_N_FAMILIES 6
#define NS_FLAME_NO_FAMILY G_MAXUINT8

/* How much of the weight a search has found; nodes inside found ones do not count twice. */
typedef struct
{
  guint n_found;
  guint64 weight;
} NsFlameFinds;

/* Ways through the tree. */
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
