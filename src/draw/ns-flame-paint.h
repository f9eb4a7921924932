/* Paints a flame graph with cairo.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-flame-layout.h"
#include "draw/ns-flame-look.h"
#include "draw/ns-paint.h"

G_BEGIN_DECLS

/* Height of a level, and of the gap below its boxes, in px at scale 1. */
#define NS_FLAME_LEVEL_HEIGHT 24.0
#define NS_FLAME_GAP 2.0

/* Returns: (transfer full): the text of a box; called only for boxes that have room for text. */
typedef char *(*NsFlameTextFunc) (const NsCallTree *tree,
                                  const NsFlameBox *box,
                                  NsFlameColor color);

/**
 * NsFlameScene:
 * @layout: the layout
 * @found: (nullable): 1 for each node that matches a search
 * @selected: the selected node, or %NS_FLAME_NONE
 * @hover: the node under the pointer, or %NS_FLAME_NONE
 * @has_focus: whether the flame graph has the keyboard focus
 * @top: vertical scroll position in px
 * @height: visible height in px
 * @color: what the colours show
 * @text_of: (nullable): returns the text of a box; %NULL: the name of the node
 *
 * Everything that a painted flame graph depends on.
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
