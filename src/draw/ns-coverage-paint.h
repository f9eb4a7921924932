/* Paints the recording times of each session and log below the overview strip.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-timeline-paint.h"
#include "engine/open/ns-coverage.h"

G_BEGIN_DECLS

/* Maximum number of lines; one more line then counts the rest. */
#define NS_COVERAGE_MAX_LINES 6

double ns_coverage_get_height (const GPtrArray *lines, double scale);
guint ns_coverage_find_line (const GPtrArray *lines, double scale, double y);
char *ns_coverage_describe (const GPtrArray *lines, guint number);
void ns_coverage_paint_names (NsPaint *paint, const NsTimelineScene *scene, double top);
void ns_coverage_paint_holes (NsPaint *paint,
                              const NsTimelineScene *scene,
                              const NsTimelineLayout *layout,
                              double y0,
                              double y1);
void ns_coverage_paint_files (NsPaint *paint,
                              const NsTimelineScene *scene,
                              const NsTimelineLayout *layout,
                              double y0);
void ns_coverage_paint_spans (NsPaint *paint,
                              const NsTimelineScene *scene,
                              const NsTimelineLayout *whole,
                              double top);

G_END_DECLS
