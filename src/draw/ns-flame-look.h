/* Colours of a flame graph, and the legend that explains them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-flame-layout.h"
#include "draw/ns-palette.h"
#include "query/ns-call-frames.h"

G_BEGIN_DECLS

/* Maximum number of modules named on a line of the legend, and of colours that have a line. */
#define NS_FLAME_LEGEND_MAX_MODULES 2
#define NS_FLAME_LEGEND_MAX_HUES 4

typedef enum
{
  NS_FLAME_COLOR_MODULE,   /* one colour for a program and its libraries, grey for system modules */
  NS_FLAME_COLOR_KIND,     /* application, system module, kernel, or code without a name */
  NS_FLAME_COLOR_FAILURES, /* colour strength by the share of failed rows */
  NS_FLAME_COLOR_WAITING,  /* colour strength by the share of time spent waiting for a thread */
  NS_FLAME_N_COLORS,
} NsFlameColor;

/* How a box is painted: outline in the colour of @role, filled with the share @fill of it. */
typedef struct
{
  NsColorRole role;
  double fill;
  gboolean is_dashed;
} NsFlameLook;

/* Kind of a line of the legend; @modules is set for %NS_FLAME_LEGEND_MODULES only. */
typedef enum
{
  NS_FLAME_LEGEND_MODULES,
  NS_FLAME_LEGEND_APPLICATION,
  NS_FLAME_LEGEND_SYSTEM,
  NS_FLAME_LEGEND_KERNEL,
  NS_FLAME_LEGEND_UNNAMED,
  NS_FLAME_LEGEND_NONE, /* no failures, or no waiting time */
  NS_FLAME_LEGEND_HALF,
  NS_FLAME_LEGEND_ALL,
  NS_FLAME_LEGEND_THREAD_SWITCH,
  NS_FLAME_LEGEND_FOUND,
} NsFlameLegendKind;

typedef struct
{
  NsFlameLegendKind kind;
  NsFlameLook look;
  char *modules; /* (nullable) */
} NsFlameLegendLine;

double ns_flame_get_waited_part (const NsCallSums *sums);
NsFlameLook ns_flame_get_look (const NsFlameLayout *layout, guint32 node, NsFlameColor color);
GArray *ns_flame_legend_new (const NsFlameLayout *layout, NsFlameColor color, gboolean has_finds);

G_END_DECLS
