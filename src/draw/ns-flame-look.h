/* What the colours of a flame graph mean, and the legend that says so.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-flame-layout.h"
#include "draw/ns-palette.h"
#include "query/ns-call-frames.h"

G_BEGIN_DECLS

/* Modules named in a legend, and how many hues they may fill. */
#define NS_FLAME_LEGEND_MAX_MODULES 2
#define NS_FLAME_LEGEND_MAX_HUES 4

typedef enum
{
  NS_FLAME_COLOR_MODULE,   /* one hue for a program and what it calls, grey for the system */
  NS_FLAME_COLOR_KIND,     /* application, system, kernel, code that was never named */
  NS_FLAME_COLOR_FAILURES, /* the more of its rows failed, the fuller */
  NS_FLAME_COLOR_WAITING,  /* the more of the time the work waited for a thread, the fuller */
  NS_FLAME_N_COLORS,
} NsFlameColor;

/* How a box is painted: an outline in the hue, and so much of it inside. */
typedef struct
{
  NsColorRole role;
  double fill;
  gboolean is_dashed;
} NsFlameLook;

/* What a line of a legend stands for; @modules only for %NS_FLAME_LEGEND_MODULES. */
typedef enum
{
  NS_FLAME_LEGEND_MODULES,
  NS_FLAME_LEGEND_APPLICATION,
  NS_FLAME_LEGEND_SYSTEM,
  NS_FLAME_LEGEND_KERNEL,
  NS_FLAME_LEGEND_UNNAMED,
  NS_FLAME_LEGEND_NONE, /* no failure, or no waiting */
  NS_FLAME_LEGEND_HALF,
  NS_FLAME_LEGEND_ALL,
  NS_FLAME_LEGEND_SEAM,
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
