/* What appears on the head of a lane under the pointer: a pin, and an eye that is crossed out.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-paint.h"

#include <math.h>

#define BUTTON_PX 20
#define EDGE_PX 6

/* The middle of a button. */
static double
button_x (double names_width, double scale, NsLaneButton button)
{
  double nth = button == NS_LANE_BUTTON_HIDE ? 0.5 : 1.5;

  return names_width - (EDGE_PX + nth * BUTTON_PX) * scale;
}

/**
 * ns_timeline_scene_get_plot_x:
 * @self: a frame
 *
 * Returns: px from the left where the plot begins: beside the names of lanes
 */
double
ns_timeline_scene_get_plot_x (const NsTimelineScene *self)
{
  return self->is_mirrored ? 0 : self->names_width;
}

/**
 * ns_timeline_scene_begin_names:
 * @self: a frame
 * @paint: a painter
 *
 * Names are painted next: from right to left where languages are written so.
 */
void
ns_timeline_scene_begin_names (const NsTimelineScene *self, NsPaint *paint)
{
  paint->mirror = self->is_mirrored ? self->names_width + self->layout->width : 0;
}

/**
 * ns_timeline_scene_end_names:
 * @paint: a painter
 *
 * Ends what ns_timeline_scene_begin_names() began.
 */
void
ns_timeline_scene_end_names (NsPaint *paint)
{
  paint->mirror = 0;
}

/**
 * ns_timeline_find_lane_button:
 * @metrics: measures
 * @names_width: px that the names of lanes have
 * @x: px from the edge of the timeline that the names begin at
 *
 * Returns: the button of the head that is there
 */
NsLaneButton
ns_timeline_find_lane_button (const NsTimelineMetrics *metrics, double names_width, double x)
{
  double half = BUTTON_PX / 2 * metrics->scale;
  NsLaneButton button;

  for (button = NS_LANE_BUTTON_PIN; button <= NS_LANE_BUTTON_HIDE; button++)
    if (fabs (x - button_x (names_width, metrics->scale, button)) <= half)
      return button;
  return NS_LANE_BUTTON_NONE;
}

/**
 * ns_timeline_paint_pin:
 * @paint: a painter, with the colour of the pin
 * @x: its middle, px
 * @y: its middle, px
 *
 * A pin: a head and a needle.
 */
void
ns_timeline_paint_pin (NsPaint *paint, double x, double y)
{
  double k = paint->scale;

  cairo_new_sub_path (paint->cr);
  cairo_arc (paint->cr, ns_paint_x (paint, x), y - 2 * k, 2.5 * k, 0, 2 * G_PI);
  cairo_fill (paint->cr);
  cairo_set_line_width (paint->cr, 1);
  ns_paint_line (paint, x, y - 2 * k, x, y + 5 * k);
}

static void
paint_crossed_eye (NsPaint *paint, double x, double y)
{
  double k = paint->scale;
  double line_x = x;

  x = ns_paint_x (paint, x);
  cairo_new_path (paint->cr);
  cairo_move_to (paint->cr, x - 6 * k, y);
  cairo_curve_to (paint->cr, x - 3 * k, y - 5 * k, x + 3 * k, y - 5 * k, x + 6 * k, y);
  cairo_curve_to (paint->cr, x + 3 * k, y + 5 * k, x - 3 * k, y + 5 * k, x - 6 * k, y);
  cairo_close_path (paint->cr);
  cairo_set_line_width (paint->cr, 1.2);
  cairo_stroke (paint->cr);
  cairo_arc (paint->cr, x, y, 1.8 * k, 0, 2 * G_PI);
  cairo_fill (paint->cr);
  cairo_set_line_width (paint->cr, 1.5);
  ns_paint_line (paint, line_x - 5 * k, y + 5 * k, line_x + 5 * k, y - 5 * k);
}

static void
paint_ground (NsPaint *paint, double x, double y)
{
  double half = 10 * paint->scale - 1;

  ns_paint_color (paint, NS_COLOR_TEXT, 0.08);
  ns_paint_box (paint, x - half, y - half, x + half, y + half);
  cairo_fill (paint->cr);
}

/**
 * ns_timeline_paint_lane_buttons:
 * @paint: a painter; its origin is the top left corner of the timeline
 * @scene: the frame
 * @lane: the lane whose head it is
 * @y: its middle, px
 *
 * Paints what can be pressed there, instead of the count.
 */
void
ns_timeline_paint_lane_buttons (NsPaint *paint,
                                const NsTimelineScene *scene,
                                const NsLane *lane,
                                double y)
{
  double pin_x = button_x (scene->names_width, paint->scale, NS_LANE_BUTTON_PIN);
  double hide_x = button_x (scene->names_width, paint->scale, NS_LANE_BUTTON_HIDE);

  if (scene->hover_button != NS_LANE_BUTTON_NONE)
    paint_ground (paint, scene->hover_button == NS_LANE_BUTTON_PIN ? pin_x : hide_x, y);
  ns_paint_color (paint, lane->is_pinned ? NS_COLOR_ACCENT : NS_COLOR_TEXT, 1);
  ns_timeline_paint_pin (paint, pin_x, y);
  ns_paint_color (paint, NS_COLOR_TEXT, 1);
  paint_crossed_eye (paint, hide_x, y);
}
