/* Paints bookmarks as flags, and lost or missing events as hatches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-paint.h"

#include <math.h>

/* Width of the hatch before a time at which a loss was reported; the start of the loss is
 * unknown. */
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
 * @layout: maps times to px: the visible time or the whole trace
 * @y0: upper edge
 * @y1: lower edge
 *
 * Hatches the time before each time at which the session reported lost events.
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

      /* Several losses at the same px are painted once. */
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

/* Paints the jagged edge where reading failed, with teeth of 3 px, 4 px deep. */
static void
paint_tear (NsPaint *paint, double x, double y0, double y1)
{
  double k = paint->scale;
  double y;
  guint i = 0;

  cairo_new_path (paint->cr);
  cairo_move_to (paint->cr, x, y0);
  for (y = y0 + 3 * k; y < y1; y += 3 * k)
    cairo_line_to (paint->cr, x + (++i % 2 == 1 ? 4 * k : 0), y);
  cairo_set_line_width (paint->cr, 1.5);
  cairo_stroke (paint->cr);
}

/**
 * ns_timeline_paint_gaps:
 * @paint: a painter; its origin is the left edge of the plot
 * @scene: the frame
 * @layout: maps times to px: the visible time or the whole trace
 * @y0: upper edge
 * @y1: lower edge
 * @strength: opacity of the hatch, up to 1
 *
 * Hatches the time spans with missing events. At full opacity they begin with a jagged edge.
 */
void
ns_timeline_paint_gaps (NsPaint *paint,
                        const NsTimelineScene *scene,
                        const NsTimelineLayout *layout,
                        double y0,
                        double y1,
                        double strength)
{
  double k = paint->scale;
  guint i;

  for (i = 0; i < scene->n_gaps; i++)
    {
      double x0 = floor (ns_timeline_layout_x_at (layout, scene->gaps[i].begin_ns)) + 0.5;
      double x1 = MAX (ns_timeline_layout_x_at (layout, scene->gaps[i].end_ns), x0 + 3 * k);

      if (x1 <= 0 || x0 >= layout->width)
        continue;
      x1 = MIN (x1, layout->width);
      ns_paint_color (paint, NS_COLOR_LOST, 0.1);
      ns_paint_box (paint, MAX (x0, -k), y0, x1, y1);
      cairo_fill (paint->cr);
      ns_paint_color (paint, NS_COLOR_LOST, strength);
      cairo_set_line_width (paint->cr, 1);
      ns_paint_hatch (paint, MAX (x0, -k), y0, x1, y1, 6 * k, FALSE);
      if (strength >= 1 && x0 >= 0)
        paint_tear (paint, x0, y0, y1);
    }
}

static double
mark_x (const NsTimelineScene *scene, guint mark)
{
  return floor (ns_timeline_layout_x_at (scene->layout, scene->bookmarks[mark].begin_ns)) + 0.5;
}

/* Gets the place of the text of a bookmark: right of its flag, up to the next flag. */
static gboolean
find_words (NsPaint *paint, const NsTimelineScene *scene, guint mark, double *x0, double *x1)
{
  double k = paint->scale;
  double end = scene->layout->width;
  const char *text = scene->bookmarks[mark].text;

  if (text == NULL || *text == '\0' || !is_in_view (scene->layout, scene->bookmarks[mark].begin_ns))
    return FALSE;
  if (mark + 1 < scene->n_bookmarks)
    end = MIN (end, mark_x (scene, mark + 1) - 3 * k);
  *x0 = mark_x (scene, mark) + 14 * k;
  *x1 = MIN (*x0 + MIN (ns_paint_text_width (paint, paint->caption, text), 160 * k) + 3 * k, end);
  return *x1 - *x0 >= 16 * k;
}

/**
 * ns_timeline_bookmarks_cover:
 * @paint: a painter
 * @scene: the frame
 * @x0: left edge of a label of the ruler, px
 * @x1: right edge
 *
 * Returns: %TRUE if a flag or its text overlaps the label
 */
gboolean
ns_timeline_bookmarks_cover (NsPaint *paint, const NsTimelineScene *scene, double x0, double x1)
{
  guint i;

  for (i = 0; i < scene->n_bookmarks; i++)
    {
      double from = mark_x (scene, i);
      double words;
      double to = from + 11 * paint->scale;

      find_words (paint, scene, i, &words, &to);
      if (x0 < to && x1 > from)
        return TRUE;
    }
  return FALSE;
}

/* Paints a swallow-tailed flag. */
static void
paint_flag (NsPaint *paint, double x, double y0, double y1)
{
  double k = paint->scale;

  ns_paint_color (paint, NS_COLOR_WARNING, 1);
  cairo_set_line_width (paint->cr, 1.5);
  ns_paint_line (paint, x, y0 + 3 * k, x, y1);
  cairo_new_path (paint->cr);
  cairo_move_to (paint->cr, x, y0 + 3.5 * k);
  cairo_line_to (paint->cr, x + 10.5 * k, y0 + 3.5 * k);
  cairo_line_to (paint->cr, x + 7.5 * k, y0 + 7 * k);
  cairo_line_to (paint->cr, x + 10.5 * k, y0 + 10.5 * k);
  cairo_line_to (paint->cr, x, y0 + 10.5 * k);
  cairo_close_path (paint->cr);
  ns_paint_mix (paint, NS_COLOR_WARNING, NS_COLOR_BASE, 0.4);
  cairo_fill_preserve (paint->cr);
  ns_paint_color (paint, NS_COLOR_WARNING, 1);
  cairo_stroke (paint->cr);
}

/* Paints a band at the bottom of the ruler for a bookmark with a duration. */
static void
paint_band (NsPaint *paint, const NsTimelineScene *scene, const NsTimelineMark *mark, double y1)
{
  double k = paint->scale;
  double x0 = ns_timeline_layout_x_at (scene->layout, mark->begin_ns);
  double x1 = ns_timeline_layout_x_at (scene->layout, mark->end_ns);

  if (mark->end_ns <= mark->begin_ns || x1 < 0 || x0 > scene->layout->width)
    return;
  ns_paint_color (paint, NS_COLOR_WARNING, 0.3);
  ns_paint_box (paint, x0, y1 - 6 * k, MAX (x1, x0 + 1), y1);
  cairo_fill (paint->cr);
  ns_paint_color (paint, NS_COLOR_WARNING, 1);
  cairo_set_line_width (paint->cr, 1);
  ns_paint_line (paint, floor (x1) + 0.5, y1 - 10 * k, floor (x1) + 0.5, y1);
}

/**
 * ns_timeline_paint_bookmarks:
 * @paint: a painter; its origin is the left edge of the plot
 * @scene: the frame
 * @y0: upper edge of the ruler
 * @y1: its lower edge
 *
 * Paints a flag and a text at each bookmark, and a band if it has a duration.
 */
void
ns_timeline_paint_bookmarks (NsPaint *paint, const NsTimelineScene *scene, double y0, double y1)
{
  double k = paint->scale;
  guint i;

  for (i = 0; i < scene->n_bookmarks; i++)
    {
      double x0;
      double x1;

      paint_band (paint, scene, &scene->bookmarks[i], y1);
      if (!is_in_view (scene->layout, scene->bookmarks[i].begin_ns))
        continue;
      paint_flag (paint, mark_x (scene, i), y0, y1);
      if (!find_words (paint, scene, i, &x0, &x1))
        continue;
      ns_paint_color (paint, NS_COLOR_WARNING, 1);
      ns_paint_text (paint, paint->caption, scene->bookmarks[i].text, x0, y0 + 8 * k, x1 - x0);
    }
}

/**
 * ns_timeline_paint_found:
 * @paint: a painter; its origin is the left edge of the plot
 * @scene: the frame
 * @layout: maps times to px: the visible time or the whole trace
 * @y0: upper edge
 * @y1: lower edge
 *
 * Paints a tick at each search match.
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
  /* Matches at the same px are painted once. */
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
