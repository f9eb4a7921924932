/* Paints moments: bookmarks as flags, and where events were lost as a hatch.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-paint.h"

#include <math.h>

/* Width of the hatch before a moment up to which events were lost; nobody knows since when. */
#define LOSS_PX 9

static gboolean
is_in_view (const NsTimelineLayout *layout, gint64 time_ns)
{
  return time_ns >= layout->begin_ns && time_ns <= layout->end_ns;
}

/**
 * ns_timeline_paint_losses:
 * @paint: a painter; its origin is the left edge of the plot
 * @scene: the frame
 * @layout: what time stands where: the zoom, or the whole trace
 * @y0: upper edge
 * @y1: lower edge
 *
 * Hatches the time before each moment at which the session told of lost events.
 */
void
ns_timeline_paint_losses (NsPaint *paint,
                          const NsTimelineScene *scene,
                          const NsTimelineLayout *layout,
                          double y0,
                          double y1)
{
  double k = paint->scale;
  double last_x = -LOSS_PX;
  guint i;

  for (i = 0; i < scene->n_losses; i++)
    {
      double x = floor (ns_timeline_layout_x_at (layout, scene->losses[i])) + 0.5;

      /* Those that stand in one place are drawn once. */
      if (!is_in_view (layout, scene->losses[i]) || x - last_x < 2)
        continue;
      ns_paint_color (paint, NS_COLOR_LOST, 0.16);
      ns_paint_box (paint, MAX (x - LOSS_PX * k, last_x), y0, x, y1);
      cairo_fill (paint->cr);
      ns_paint_color (paint, NS_COLOR_LOST, 1);
      cairo_set_line_width (paint->cr, 1);
      ns_paint_hatch (paint, MAX (x - LOSS_PX * k, last_x), y0, x, y1, 6 * k, FALSE);
      ns_paint_line (paint, x, y0, x, y1);
      last_x = x;
    }
}

/**
 * ns_timeline_paint_bookmarks:
 * @paint: a painter; its origin is the left edge of the plot
 * @scene: the frame
 * @y0: upper edge of the ruler
 * @y1: its lower edge
 *
 * Plants a flag at each bookmark.
 */
void
ns_timeline_paint_bookmarks (NsPaint *paint, const NsTimelineScene *scene, double y0, double y1)
{
  double k = paint->scale;
  guint i;

  for (i = 0; i < scene->n_bookmarks; i++)
    {
      double x = floor (ns_timeline_layout_x_at (scene->layout, scene->bookmarks[i])) + 0.5;

      if (!is_in_view (scene->layout, scene->bookmarks[i]))
        continue;
      ns_paint_color (paint, NS_COLOR_WARNING, 1);
      cairo_set_line_width (paint->cr, 1.5);
      ns_paint_line (paint, x, y0 + 3 * k, x, y1);
      cairo_new_path (paint->cr);
      cairo_move_to (paint->cr, x, y0 + 3 * k);
      cairo_line_to (paint->cr, x + 11 * k, y0 + 6.5 * k);
      cairo_line_to (paint->cr, x, y0 + 10 * k);
      cairo_close_path (paint->cr);
      cairo_fill (paint->cr);
    }
}

/**
 * ns_timeline_paint_found:
 * @paint: a painter; its origin is the left edge of the plot
 * @scene: the frame
 * @layout: what time stands where: the zoom, or the whole trace
 * @y0: upper edge
 * @y1: lower edge
 *
 * A tick for each place at which a search found something.
 */
void
ns_timeline_paint_found (NsPaint *paint,
                         const NsTimelineScene *scene,
                         const NsTimelineLayout *layout,
                         double y0,
                         double y1)
{
  guint width = (guint) MAX (layout->width, 0) + 1;
  g_autofree guint8 *is_there = NULL;
  guint i;

  if (scene->n_found == 0)
    return;
  /* Many hits stand in one place; each place is painted once. */
  is_there = g_new0 (guint8, width);
  for (i = 0; i < scene->n_found; i++)
    if (scene->found[i] >= layout->begin_ns && scene->found[i] <= layout->end_ns)
      is_there[MIN ((guint) ns_timeline_layout_x_at (layout, scene->found[i]), width - 1)] = 1;
  for (i = 0; i < width; i++)
    if (is_there[i])
      ns_paint_box (paint, i - 1.5, y0, i + 2.5, y1);
  ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
  cairo_fill (paint->cr);
  for (i = 0; i < width; i++)
    if (is_there[i])
      ns_paint_box (paint, i - 0.5, y0 + 1, i + 1.5, y1 - 1);
  ns_paint_color (paint, NS_COLOR_FIND, 1);
  cairo_fill (paint->cr);
}
