/* Paints the lead of a bar: the waits for pool threads before the activity began.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-timeline-paint.h"

G_BEGIN_DECLS

double ns_timeline_get_lead_x (const NsTrace *trace,
                               const NsTimelineLayout *layout,
                               guint32 row,
                               double x);
double ns_timeline_paint_lead (NsPaint *paint,
                               const NsTimelineScene *scene,
                               guint32 row,
                               double x,
                               double free_from,
                               double middle_y);

G_END_DECLS
