/* Paints how far the trace has been read: a line, and an empty area with a text right of it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-paint.h"

#include <math.h>

/* Distance of the text from the line and from the edge. */
#define GAP_PX 12

/* Paints the unread area right of @x. @text is centred, or else right of the line and of
 * @free_x, up to which something may cover the area. */
static void
paint_unread (NsPaint *paint,
              const NsTimelineScene *scene,
              double x,
              double y0,
              double y1,
              const char *text,
              gboolean is_centred,
              double free_x)
{
  double gap = GAP_PX * paint->scale;
  double width = scene->layout->width;
  double left = MAX (x, 0);
  double beside = MAX (left, free_x);
  double text_width;

  if (left >= width)
    return;
  ns_paint_color (paint, NS_COLOR_WINDOW, 1);
  ns_paint_box (paint, left, y0, width, y1);
  cairo_fill (paint->cr);
  text_width = text != NULL ? ns_paint_text_width (paint, paint->caption, text) : 0;
  if (text != NULL && text_width + 2 * gap > width - beside)
    beside = left;
  if (text != NULL && text_width + 2 * gap <= width - left)
    {
      ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
      ns_paint_text (paint,
                     paint->caption,
                     text,
                     is_centred ? (left + width - text_width) / 2 : beside + gap,
                     (y0 + y1) / 2,
                     -1);
    }
  if (x < 0)
    return;
  ns_paint_color (paint, NS_COLOR_ACCENT, 1);
  ns_paint_box (paint, floor (x) - 1, y0, floor (x) + 1, y1);
  cairo_fill (paint->cr);
}

/**
 * ns_timeline_paint_frontier:
 * @paint: a painter; its origin is the left edge of the plot
 * @scene: the frame
 * @layout: the visible time: the whole trace for the overview
 * @y0: px, top
 * @y1: px, bottom
 *
 * Paints how far the trace has been read, unless all of it has.
 */
void
ns_timeline_paint_frontier (NsPaint *paint,
                            const NsTimelineScene *scene,
                            const NsTimelineLayout *layout,
                            double y0,
                            double y1)
{
  gboolean is_lanes = layout == scene->layout;

  if (scene->frontier_ns <= 0)
    return;
  paint_unread (paint,
                scene,
                ns_timeline_layout_x_at (layout, scene->frontier_ns),
                y0,
                y1,
                is_lanes ? scene->still_reading : scene->not_read,
                is_lanes,
                /* In the overview the frame of the visible time may cover the area. */
                is_lanes ? 0 : ns_timeline_layout_x_at (layout, scene->layout->end_ns));
}
