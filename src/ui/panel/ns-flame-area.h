/* Drawing area of a flame graph: shows boxes, selects them and zooms in.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-flame-paint.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_FLAME_AREA (ns_flame_area_get_type ())
G_DECLARE_FINAL_TYPE (NsFlameArea, ns_flame_area, NS, FLAME_AREA, GtkWidget)

NsFlameArea *ns_flame_area_new (GtkWidget *page);
void ns_flame_area_set_tree (NsFlameArea *self, const NsTrace *trace, NsCallTree *tree);
const NsCallTree *ns_flame_area_get_tree (NsFlameArea *self);
void ns_flame_area_search (NsFlameArea *self, const char *text, NsFlameFinds *finds);
void ns_flame_area_step_find (NsFlameArea *self, int step);
guint ns_flame_area_get_find_place (NsFlameArea *self);
void ns_flame_area_set_color (NsFlameArea *self, NsFlameColor color);
NsFlameColor ns_flame_area_get_color (NsFlameArea *self);
GArray *ns_flame_area_list_legend (NsFlameArea *self);
guint32 ns_flame_area_get_selected (NsFlameArea *self);
guint32 ns_flame_area_get_focus (NsFlameArea *self);
void ns_flame_area_select (NsFlameArea *self, guint32 node);
void ns_flame_area_zoom_to (NsFlameArea *self, guint32 node);
GtkAdjustment *ns_flame_area_get_adjustment (NsFlameArea *self);

G_END_DECLS
