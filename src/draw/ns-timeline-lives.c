/* Paints a bracket at the foot of a lane for the time each connection was used, if several
 * connections share the lane.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-paint.h"

#include <math.h>

/* Minimum width of a bracket. */
#define LEAST_PX 4.0
#define LINE_PX 1.5
#define TICK_PX 3.0

static void
bracket_path (cairo_t *cr, double x0, double x1, double y, double tick)
{
  cairo_move_to (cr, x0, y - tick);
  cairo_line_to (cr, x0, y);
  cairo_line_to (cr, x1, y);
  cairo_line_to (cr, x1, y - tick);
}

/* Skips narrow brackets by a binary search, so that a frame takes time in proportion to its
 * width. */
static void
paint_lane (NsPaint *paint, const NsTimelineScene *scene, const NsLane *lane, double y)
{
  const NsTimelineLayout *layout = scene->layout;
  double k = paint->scale;
  guint i = ns_timeline_lanes_find_life (scene->lanes, lane, layout->begin_ns);

  cairo_new_path (paint->cr);
  while (i < lane->n_lives)
    {
      const NsConnectionSpan *span =
          &g_array_index (scene->lanes->connection_spans, NsConnectionSpan, lane->first_span + i);
      double x0 = ns_timeline_layout_x_at (layout, span->begin_ns);
      double x1 = ns_timeline_layout_x_at (layout, span->end_ns);
      guint next;

      if (x0 >= layout->width)
        break;
      if (x1 - x0 >= LEAST_PX * k)
        {
          bracket_path (paint->cr,
                        MAX (floor (x0), -LEAST_PX) + 0.5,
                        MIN (ceil (x1), layout->width + LEAST_PX) - 0.5,
                        y,
                        TICK_PX * k);
          i++;
          continue;
        }
      next = ns_timeline_lanes_find_life (scene->lanes,
                                          lane,
                                          ns_timeline_layout_time_at (layout, x0 + LEAST_PX * k));
      i = MAX (next, i + 1);
    }
  ns_paint_color (paint, ns_palette_get_protocol_role (lane->protocol), 1);
  cairo_set_line_width (paint->cr, LINE_PX);
  cairo_stroke (paint->cr);
}

/**
 * ns_timeline_paint_lives:
 * @paint: a painter; its origin is the left edge of the plot
 * @scene: the frame
 * @first: index of the first visible lane
 * @end: index after the last visible lane
 *
 * Draws a bracket for each connection of the lanes that several connections share.
 */
void
ns_timeline_paint_lives (NsPaint *paint, const NsTimelineScene *scene, guint first, guint end)
{
  double top = scene->metrics->overview + scene->metrics->ruler;
  guint i;

  for (i = first; i < end; i++)
    {
      const NsLane *lane =
          ns_timeline_lanes_get (scene->lanes, g_array_index (scene->lanes->shown, guint32, i));

      if (lane->n_lives > 1)
        paint_lane (paint,
                    scene,
                    lane,
                    top + (i + 1) * scene->metrics->lane - scene->scroll - 2.25);
    }
}
