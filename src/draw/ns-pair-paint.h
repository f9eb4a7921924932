/* Paints requests that two machines recorded, and the plot of the estimate of their clock offset.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-pairs.h"
#include "draw/ns-paint.h"
#include "draw/ns-timeline-layout.h"

G_BEGIN_DECLS

/**
 * NsPairBox:
 * @phase: phase of a request
 * @x0: px, start
 * @x1: px, end
 *
 * The position of a phase of a request.
 */
typedef struct
{
  NsPairPhase phase;
  double x0;
  double x1;
} NsPairBox;

guint ns_pair_paint_layout (const NsPairRow *row,
                            double x0,
                            double x1,
                            NsPairBox boxes[NS_PAIR_N_PHASES]);
void ns_pair_paint_phase (NsPaint *paint,
                          NsColorRole role,
                          NsPairPhase phase,
                          double x0,
                          double x1,
                          double middle_y);
void ns_pair_paint_request (NsPaint *paint,
                            const NsPairs *pairs,
                            const NsPairRow *row,
                            double x0,
                            double x1,
                            double middle_y);
void ns_pair_paint_server_side (NsPaint *paint,
                                const NsPairs *pairs,
                                const NsPairRow *row,
                                double x0,
                                double x1,
                                double middle_y);
gboolean ns_pair_paint_find_server_side (const NsPairRow *row,
                                         double x0,
                                         double x1,
                                         double *begin,
                                         double *end);
void ns_pair_paint_chosen (NsPaint *paint,
                           const NsPairRow *row,
                           double x0,
                           double x1,
                           double client_y,
                           double server_y);
void ns_pair_paint_ruler (NsPaint *paint, const NsTimelineLayout *layout, double x0, double bottom);
double ns_pair_paint_get_lanes_height (double scale);
void ns_pair_paint_lanes (NsPaint *paint,
                          const NsPairs *pairs,
                          const NsPairRow *chosen,
                          const char *const names[2],
                          double width);
double ns_pair_paint_get_clock_y (const NsPairs *pairs, gint64 apart_ns, double height);
gboolean
ns_pair_deviation_is_wrong (const NsPairs *pairs, guint sender, const NsPairDeviation *deviation);
void ns_pair_paint_clock (NsPaint *paint, const NsPairs *pairs, double width, double height);

G_END_DECLS
