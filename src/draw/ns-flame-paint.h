/* Paints a flame graph with cairo.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-flame-layout.h"
#include "draw/ns-flame-look.h"
#include "draw/ns-paint.h"

G_BEGIN_DECLS

/* px of a level and of the gap below its boxes, at scale 1. */
#define NS_FLAME_LEVEL_HEIGHT 24.0
#define NS_FLAME_GAP 2.0

/* Returns: (transfer full): what stands on a box; asked for boxes wide enough only. */
typedef char *(*NsFlameTextFunc) (const NsCallTree *tree,
                                  const NsFlameBox *box,
                                  NsFlameColor color);

/**
 * NsFlameScene:
 * @layout: the boxes
 * @found: (nullable): 1 for each node a search has found
 * @selected: the node that is chosen, or %NS_FLAME_NONE
 * @hover: the node under the pointer, or %NS_FLAME_NONE
 * @has_focus: whether keys go here
 * @top: px scrolled out of sight
 * @height: px in sight
 * @color: what colours mean
 * @text_of: (nullable): what stands on a node; %NULL: its name
 *
 * Everything a picture depends on.
 */
typedef struct
{
  const NsFlameLayout *layout;
  const guint8 *found;
  guint32 selected;
  guint32 hover;
  gboolean has_focus;
  double top;
  double height;
  NsFlameColor color;
  NsFlameTextFunc text_of;
} NsFlameScene;

void ns_flame_paint (NsPaint *paint, const NsFlameScene *scene);

G_END_DECLS
