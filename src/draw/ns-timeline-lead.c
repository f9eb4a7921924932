/* Paints the lead of a bar: the waits for pool threads before the activity began, as low boxes, and
 * a line for the time the work ran between them. Bar and lead together span the time since the work
 * was queued.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-lead.h"

#include "engine/tasks/ns-pool-wait.h"
#include "engine/tasks/ns-runs.h"

#include <math.h>

/* Minimum width of a lead in px. */
#define MIN_LEAD_PX 1

/**
 * ns_timeline_get_lead_x:
 * @trace: a trace
 * @layout: maps times to px
 * @row: an activity
 * @x: left edge of its bar, px
 *
 * Returns: left edge of its lead, px; @x if it has no visible lead
 */
double
ns_timeline_get_lead_x (const NsTrace *trace, const NsTimelineLayout *layout, guint32 row, double x)
{
  const NsActivityRow *activity = &g_array_index (trace->activities, NsActivityRow, row);
  gint64 lead_ns = ns_pool_wait_get_lead (trace, activity);
  double begin;

  if (lead_ns <= 0 || activity->opened_before_trace)
    return x;
  begin = ns_timeline_layout_x_at (layout, activity->open_ns - lead_ns);
  return begin < x - MIN_LEAD_PX ? begin : x;
}

/**
 * ns_timeline_paint_lead:
 * @paint: a painter
 * @scene: the frame
 * @row: an activity
 * @x: left edge of its bar, px
 * @free_from: end of the previous bar, px; the lead is cut off there
 * @middle_y: middle of the bar, px
 *
 * Returns: left edge of the painted lead, px; @x if nothing was painted
 */
double
ns_timeline_paint_lead (NsPaint *paint,
                        const NsTimelineScene *scene,
                        guint32 row,
                        double x,
                        double free_from,
                        double middle_y)
{
  const NsTrace *trace = scene->trace;
  const NsActivityRow *activity = &g_array_index (trace->activities, NsActivityRow, row);
  NsColorRole role = ns_palette_get_protocol_role (activity->protocol);
  double least = MAX (free_from, -paint->scale * 100);
  double left = ns_timeline_get_lead_x (trace, scene->layout, row, x);
  double y0 = floor (middle_y - scene->metrics->queued / 2);
  double y1 = y0 + scene->metrics->queued;
  double until = floor (x);
  NsPoolWait wait;
  guint i;

  if (left >= x || x <= least)
    return x;
  ns_pool_wait_find (&wait, trace, activity);
  ns_paint_color (paint, role, 1);
  cairo_set_line_width (paint->cr, 1);
  for (i = 0; i < wait.n_hops && until > least; i++)
    {
      const NsPoolHop *hop = &wait.hops[i];
      gint64 queued_ns = ns_runs_get_origin (trace->runs, hop->run)->time_ns;
      double begin = MAX (floor (ns_timeline_layout_x_at (scene->layout, queued_ns)), least);
      double end =
          MIN (floor (ns_timeline_layout_x_at (scene->layout, queued_ns + hop->before_ns)), until);

      if (end < until)
        ns_paint_line (paint,
                       MAX (end, least),
                       floor (middle_y) + 0.5,
                       until,
                       floor (middle_y) + 0.5);
      if (end - begin >= MIN_LEAD_PX)
        {
          ns_paint_box (paint, begin, y0, end, y1);
          cairo_fill (paint->cr);
        }
      if (end - begin > 2)
        {
          ns_paint_color (paint, NS_COLOR_BASE, 1);
          ns_paint_box (paint, begin + 1, y0 + 1, end - 1, y1 - 1);
          cairo_fill (paint->cr);
          ns_paint_color (paint, role, 1);
        }
      until = MIN (until, begin);
    }
  return MAX (left, least);
}
