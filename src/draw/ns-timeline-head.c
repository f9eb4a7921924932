/* Buttons on the head of a lane, shown under the pointer: to pin it and to hide it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-paint.h"

#include <math.h>

#define BUTTON_PX 20
#define EDGE_PX 6

/* Returns the middle of a button. */
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
 * Returns: left edge of the plot, beside the lane names, in px
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
 * Begins to paint lane names: coordinates are mirrored in right-to-left layouts.
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
 * Ends the painting of names that ns_timeline_scene_begin_names() began.
 */
void
ns_timeline_scene_end_names (NsPaint *paint)
{
  paint->mirror = 0;
}

/**
 * ns_timeline_find_lane_button:
 * @metrics: sizes of the timeline
 * @names_width: width of the column of lane names, px
 * @x: px from the edge of the timeline where the names begin
 *
 * Returns: the button at @x
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
 * @paint: a painter; the pin has its current colour
 * @x: px, middle of the pin
 * @y: px, middle of the pin
 *
 * Paints the icon of a pin.
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
 * @lane: the lane
 * @y: middle of the lane, px
 *
 * Paints the buttons in place of the row count.
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
