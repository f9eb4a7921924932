/* Paints the overview strip and the ruler above the lanes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-coverage-paint.h"
#include "draw/ns-timeline-paint.h"

#include <math.h>

/* Share of the colour in the fill of the sent bytes, painted over the received bytes. */
#define SENT_SHADE 0.78
/* Positions in the strip in px from its top, at the normal font. */
#define BYTES_FLOOR 40
#define BYTES_HEIGHT 34
#define FAILURES_Y 46

static double
strip_x (const NsTimelineScene *scene, guint bin)
{
  return scene->layout->width * bin / NS_OVERVIEW_N_BINS;
}

/* Adds one curve of the strip to the path; it shows the maximum of the bins of each step. */
static void
paint_curve (NsPaint *paint, const NsTimelineScene *scene, const double *sums, double most)
{
  double k = paint->scale;
  double width = scene->layout->width;
  double x;

  cairo_new_path (paint->cr);
  cairo_move_to (paint->cr, 0, BYTES_FLOOR * k);
  for (x = 0; x < width; x += 3)
    {
      guint first = (guint) (x * NS_OVERVIEW_N_BINS / width);
      guint last = MIN ((guint) ((x + 3) * NS_OVERVIEW_N_BINS / width), NS_OVERVIEW_N_BINS - 1);
      double highest = 0;
      double y;

      for (; first <= last; first++)
        highest = MAX (highest, sums[first]);
      /* The square root keeps a large download from flattening all other values. */
      y = BYTES_FLOOR * k - round (sqrt (highest / most) * BYTES_HEIGHT * k);
      cairo_line_to (paint->cr, x, y);
      cairo_line_to (paint->cr, MIN (x + 3, width), y);
    }
  cairo_line_to (paint->cr, width, BYTES_FLOOR * k);
  cairo_close_path (paint->cr);
}

/* Fills a curve and draws its outline. */
static void
paint_area (NsPaint *paint,
            const NsTimelineScene *scene,
            const double *sums,
            double most,
            NsColorRole color,
            double part)
{
  paint_curve (paint, scene, sums, most);
  ns_paint_mix (paint, color, NS_COLOR_BASE, part);
  cairo_fill_preserve (paint->cr);
  ns_paint_color (paint, color, 1);
  cairo_set_line_width (paint->cr, 1);
  cairo_stroke (paint->cr);
}

static void
paint_bytes (NsPaint *paint, const NsTimelineScene *scene)
{
  const NsOverviewBins *bins = scene->overview;

  if (bins->most_bytes <= 0)
    return;
  paint_area (paint, scene, bins->received, bins->most_bytes, NS_COLOR_WINHTTP, 0.38);
  paint_curve (paint, scene, bins->sent, bins->most_bytes);
  ns_paint_mix (paint, NS_COLOR_WINHTTP, NS_COLOR_BASE, SENT_SHADE);
  cairo_fill (paint->cr);
}

/* Paints the counts shown if there are neither bytes nor connections. */
static void
paint_counts (NsPaint *paint, const NsTimelineScene *scene)
{
  const NsOverviewBins *bins = scene->overview;

  if (bins->most_counts > 0)
    paint_area (paint, scene, bins->counts, bins->most_counts, NS_COLOR_TEXT_DIM, 0.3);
}

static void
paint_failures (NsPaint *paint, const NsTimelineScene *scene)
{
  double k = paint->scale;
  double last_x = -100;
  guint i;

  for (i = 0; i < NS_OVERVIEW_N_BINS; i++)
    {
      double x = strip_x (scene, i);

      if (scene->overview->failed[i] == 0 || x - last_x < 7 * k)
        continue;
      ns_paint_cross (paint, x - 3 * k, FAILURES_Y * k, 6 * k);
      last_x = x;
    }
}

/* Paints the number of open connections as a line over the bytes. */
static void
paint_connections (NsPaint *paint, const NsTimelineScene *scene)
{
  const NsOverviewBins *bins = scene->overview;
  double k = paint->scale;
  double width = scene->layout->width;
  double x;

  if (bins->most_connections == 0)
    return;
  cairo_new_path (paint->cr);
  for (x = 0; x < width; x += 3)
    {
      guint first = (guint) (x * NS_OVERVIEW_N_BINS / width);
      guint last = MIN ((guint) ((x + 3) * NS_OVERVIEW_N_BINS / width), NS_OVERVIEW_N_BINS - 1);
      guint32 highest = 0;
      double y;

      for (; first <= last; first++)
        highest = MAX (highest, bins->connections[first]);
      y = floor (BYTES_FLOOR * k - (double) highest / bins->most_connections * BYTES_HEIGHT * k);
      cairo_line_to (paint->cr, x, y + 0.5);
      cairo_line_to (paint->cr, MIN (x + 3, width), y + 0.5);
    }
  ns_paint_color (paint, NS_COLOR_TCP, 1);
  cairo_set_line_width (paint->cr, 1);
  cairo_stroke (paint->cr);
}

static NsTimelineLayout
whole_layout (const NsTimelineScene *scene)
{
  NsTimelineLayout whole = *scene->layout;

  whole.begin_ns = whole.whole.begin_ns;
  whole.end_ns = whole.whole.end_ns;
  return whole;
}

/* Paints the gaps and losses of the whole trace, and the search matches at the bottom of the
 * strip. */
static void
paint_moments (NsPaint *paint, const NsTimelineScene *scene, double height)
{
  NsTimelineLayout whole = whole_layout (scene);

  ns_timeline_paint_gaps (paint, scene, &whole, 0, height - 1, 1);
  ns_timeline_paint_losses (paint, scene, &whole, 0, height - 1);
  ns_timeline_paint_found (paint, scene, &whole, height - 9 * paint->scale, height - 1);
}

static void
paint_window_frame (NsPaint *paint, const NsTimelineScene *scene, double height)
{
  NsTimelineLayout whole = whole_layout (scene);
  double x0;
  double x1;

  if (scene->selected.begin_ns < scene->selected.end_ns)
    {
      x0 = ns_timeline_layout_x_at (&whole, scene->selected.begin_ns);
      x1 = ns_timeline_layout_x_at (&whole, scene->selected.end_ns);
      ns_paint_color (paint, NS_COLOR_SEL_SPAN, 0.16);
      ns_paint_box (paint, x0, 0, MAX (x1, x0 + 1), height);
      cairo_fill (paint->cr);
    }
  if (scene->layout->begin_ns == whole.begin_ns && scene->layout->end_ns == whole.end_ns)
    {
      ns_timeline_paint_frontier (paint, scene, &whole, 0, height - 1);
      return;
    }
  x0 = floor (ns_timeline_layout_x_at (&whole, scene->layout->begin_ns));
  x1 = MAX (ceil (ns_timeline_layout_x_at (&whole, scene->layout->end_ns)), x0 + 3);
  ns_paint_color (paint, NS_COLOR_WINDOW, 0.55);
  ns_paint_box (paint, 0, 0, x0, height);
  ns_paint_box (paint, x1, 0, whole.width, height);
  cairo_fill (paint->cr);
  /* The unread area is painted over the veil that covers the time outside the visible range. */
  ns_timeline_paint_frontier (paint, scene, &whole, 0, height - 1);
  ns_paint_color (paint, NS_COLOR_TEXT, 1);
  cairo_set_line_width (paint->cr, 2);
  ns_paint_box (paint, x0 + 1, 1, x1 - 1, height - 1);
  cairo_stroke (paint->cr);
  ns_paint_box (paint, x0 - 1, height / 2 - 8, x0 + 3, height / 2 + 8);
  ns_paint_box (paint, x1 - 3, height / 2 - 8, x1 + 1, height / 2 + 8);
  cairo_fill (paint->cr);
}

static void
paint_curve_sample (NsPaint *paint, NsColorRole color, double x, double y)
{
  double k = paint->scale;

  ns_paint_mix (paint, color, NS_COLOR_BASE, 0.5);
  ns_paint_box (paint, x, y - 5 * k, x + 10 * k, y + 5 * k);
  cairo_fill_preserve (paint->cr);
  ns_paint_color (paint, color, 1);
  cairo_stroke (paint->cr);
}

/* Paints the sample of an item of the legend, 10 px wide; @x is its left edge. */
static void
paint_sample (NsPaint *paint, NsTimelineLegend legend, double x, double y)
{
  double k = paint->scale;

  cairo_set_line_width (paint->cr, 1);
  switch (legend)
    {
    case NS_TIMELINE_LEGEND_RECEIVED:
    case NS_TIMELINE_LEGEND_RECEIVED_ALONE:
      paint_curve_sample (paint, NS_COLOR_WINHTTP, x, y);
      break;
    case NS_TIMELINE_LEGEND_SENT:
      ns_paint_mix (paint, NS_COLOR_WINHTTP, NS_COLOR_BASE, SENT_SHADE);
      ns_paint_box (paint, x, y - 5 * k, x + 10 * k, y + 5 * k);
      cairo_fill (paint->cr);
      break;
    case NS_TIMELINE_LEGEND_COUNTS:
      paint_curve_sample (paint, NS_COLOR_TEXT_DIM, x, y);
      break;
    case NS_TIMELINE_LEGEND_FAILED:
      ns_paint_cross (paint, x + 2 * k, y, 6 * k);
      break;
    case NS_TIMELINE_LEGEND_LOST:
      ns_paint_color (paint, NS_COLOR_LOST, 1);
      ns_paint_hatch (paint, x, y - 5 * k, x + 10 * k, y + 5 * k, 5 * k, FALSE);
      ns_paint_box (paint, x + 0.5, y - 5 * k + 0.5, x + 10 * k - 0.5, y + 5 * k - 0.5);
      cairo_stroke (paint->cr);
      break;
    case NS_TIMELINE_LEGEND_OPEN:
    case NS_TIMELINE_N_LEGENDS:
    default:
      ns_paint_color (paint, NS_COLOR_TCP, 1);
      cairo_set_line_width (paint->cr, 1.5);
      ns_paint_line (paint, x, y, x + 10 * k, y);
      break;
    }
}

/* Paints an item of the legend. Returns its width, or 0 if it is absent or has no room. */
static double
paint_legend (NsPaint *paint,
              const NsTimelineScene *scene,
              NsTimelineLegend legend,
              double x,
              double y,
              double room)
{
  double k = paint->scale;
  double width;

  if (scene->legend[legend] == NULL)
    return 0;
  width = ns_paint_text_width (paint, paint->caption, scene->legend[legend]);
  if (room < 15 * k + MIN (width, 40 * k))
    return 0;
  paint_sample (paint, legend, x, y);
  ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
  ns_paint_text (paint, paint->caption, scene->legend[legend], x + 15 * k, y, room - 15 * k);
  return MIN (15 * k + width + 9 * k, room);
}

/* Returns the width of an item with its full text. */
static double
get_legend_width (NsPaint *paint, const NsTimelineScene *scene, NsTimelineLegend legend)
{
  return 24 * paint->scale + ns_paint_text_width (paint, paint->caption, scene->legend[legend]);
}

/* Paints the received and sent rates. The unit follows the second one, or the first one if there
 * is no room for both. */
static void
paint_bytes_legends (NsPaint *paint, const NsTimelineScene *scene, double x, double y, double wide)
{
  NsTimelineLegend received = NS_TIMELINE_LEGEND_RECEIVED;
  double width;

  if (scene->legend[NS_TIMELINE_LEGEND_RECEIVED_ALONE] != NULL &&
      get_legend_width (paint, scene, NS_TIMELINE_LEGEND_RECEIVED) +
              get_legend_width (paint, scene, NS_TIMELINE_LEGEND_SENT) - 9 * paint->scale >
          wide)
    received = NS_TIMELINE_LEGEND_RECEIVED_ALONE;
  width = paint_legend (paint, scene, received, x, y, wide);
  paint_legend (paint, scene, NS_TIMELINE_LEGEND_SENT, x + width, y, wide - width);
}

static void
paint_overview_names (NsPaint *paint, const NsTimelineScene *scene, PangoFontDescription *bold)
{
  double k = paint->scale;
  double x = 12 * k;
  double wide = scene->names_width - 2 * x;
  g_autofree char *span = NULL;
  double width;

  ns_paint_color (paint, NS_COLOR_TEXT, 1);
  ns_paint_text (paint, bold, scene->title, x, 11 * k, wide / 2);
  span = g_strdup_printf ("%.2f\342\200\211\342\200\223\342\200\211%.2f s",
                          (double) scene->layout->whole.begin_ns / (double) NS_PER_SECOND,
                          (double) scene->layout->whole.end_ns / (double) NS_PER_SECOND);
  ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
  width = ns_paint_text_width (paint, paint->caption, span);
  /* If both do not fit, the span is left out, as the ruler shows the times. */
  if (ns_paint_text_width (paint, bold, scene->title) + 6 * k + width <= wide)
    ns_paint_text (paint, paint->caption, span, scene->names_width - x - width, 11 * k, -1);
  paint_bytes_legends (paint, scene, x, 27 * k, wide);
  paint_legend (paint, scene, NS_TIMELINE_LEGEND_COUNTS, x, 27 * k, wide);
  width = paint_legend (paint, scene, NS_TIMELINE_LEGEND_FAILED, x, 43 * k, wide);
  width += paint_legend (paint, scene, NS_TIMELINE_LEGEND_LOST, x + width, 43 * k, wide - width);
  paint_legend (paint, scene, NS_TIMELINE_LEGEND_OPEN, x + width, 43 * k, wide - width);
}

/**
 * ns_timeline_paint_overview:
 * @paint: a painter; its origin is the top left corner of the timeline
 * @scene: the frame
 */
void
ns_timeline_paint_overview (NsPaint *paint, const NsTimelineScene *scene)
{
  double height = scene->metrics->overview;
  double strip = height - ns_coverage_get_height (scene->coverage, paint->scale);
  PangoFontDescription *bold;
  NsTimelineLayout whole;

  if (height <= 0)
    return;
  ns_timeline_scene_begin_names (scene, paint);
  ns_paint_color (paint, NS_COLOR_WINDOW, 1);
  ns_paint_box (paint, 0, 0, scene->names_width, height);
  cairo_fill (paint->cr);
  ns_paint_color (paint, NS_COLOR_BASE, 1);
  ns_paint_box (paint, scene->names_width, 0, scene->names_width + scene->layout->width, height);
  cairo_fill (paint->cr);

  bold = pango_font_description_copy (paint->caption);
  pango_font_description_set_weight (bold, PANGO_WEIGHT_BOLD);
  paint_overview_names (paint, scene, bold);
  ns_coverage_paint_names (paint, scene, strip);
  pango_font_description_free (bold);
  ns_timeline_scene_end_names (paint);

  cairo_save (paint->cr);
  cairo_translate (paint->cr, ns_timeline_scene_get_plot_x (scene), 0);
  ns_paint_box (paint, 0, 0, scene->layout->width, height);
  cairo_clip (paint->cr);
  paint_counts (paint, scene);
  paint_bytes (paint, scene);
  paint_connections (paint, scene);
  paint_failures (paint, scene);
  paint_moments (paint, scene, strip);
  whole = whole_layout (scene);
  ns_coverage_paint_spans (paint, scene, &whole, strip);
  paint_window_frame (paint, scene, height - 1);
  cairo_restore (paint->cr);
}

/**
 * ns_timeline_scene_get_step:
 * @self: a frame
 * @scale: scale factor of the font
 *
 * Returns: ns between labelled ticks
 */
gint64
ns_timeline_scene_get_step (const NsTimelineScene *self, double scale)
{
  if (self->clock_base_ns < 0)
    return ns_timeline_layout_get_step (self->layout, 72 * scale);
  return ns_timeline_layout_get_clock_step (self->layout, 96 * scale);
}

/* Returns the last tick before the visible time; clock ticks are at round times of day. */
static gint64
first_tick (const NsTimelineScene *scene, gint64 step)
{
  gint64 base = MAX (scene->clock_base_ns, 0);

  return (scene->layout->begin_ns + base) / step * step - base;
}

static char *
tick_to_text (const NsTimelineScene *scene, gint64 time_ns, gint64 step)
{
  if (scene->clock_base_ns < 0)
    return ns_timeline_layout_tick_to_text (time_ns, step);
  return ns_timeline_layout_clock_to_text (time_ns + scene->clock_base_ns, step);
}

/* Gets the edges of the label of the selected span. Returns FALSE if there is none. */
static gboolean
find_pill (NsPaint *paint, const NsTimelineScene *scene, double *left, double *right)
{
  double k = paint->scale;
  double gap = 7 * k;
  double x0;
  double x1;
  double width;

  if (scene->pill == NULL || scene->selected.begin_ns >= scene->selected.end_ns)
    return FALSE;
  x0 = floor (ns_timeline_layout_x_at (scene->layout, scene->selected.begin_ns)) + 0.5;
  x1 = floor (ns_timeline_layout_x_at (scene->layout, scene->selected.end_ns)) + 0.5;
  width = ns_paint_text_width (paint, paint->caption, scene->pill) + 20 * k;
  *left = (x0 + x1 - width) / 2;
  /* It is placed beside the handles if there is no room between them. */
  if (x1 - x0 < width + 2 * gap)
    *left = x1 + gap + width <= scene->layout->width ? x1 + gap : x0 - gap - width;
  *left = CLAMP (*left, 0, MAX (scene->layout->width - width, 0));
  *right = *left + width;
  return TRUE;
}

/* Returns whether a bookmark, a handle or the label of the selected span overlaps the range. */
static gboolean
is_covered (NsPaint *paint, const NsTimelineScene *scene, double x0, double x1)
{
  double reach = 5 * paint->scale;
  double left;
  double right;
  guint i;

  if (ns_timeline_bookmarks_cover (paint, scene, x0, x1))
    return TRUE;
  if (find_pill (paint, scene, &left, &right) && left < x1 && right > x0)
    return TRUE;
  for (i = 0; i < 2 && scene->selected.begin_ns < scene->selected.end_ns; i++)
    {
      double x =
          ns_timeline_layout_x_at (scene->layout,
                                   i == 0 ? scene->selected.begin_ns : scene->selected.end_ns);

      if (x - reach < x1 && x + reach > x0)
        return TRUE;
    }
  return FALSE;
}

/* Paints the time of a tick if there is room. Returns the x from which the next one may begin. */
static double
paint_time (NsPaint *paint, const NsTimelineScene *scene, const char *text, double x, double y)
{
  double width = ns_paint_text_width (paint, paint->caption, text);

  if (x - width / 2 >= 0 && x + width / 2 <= scene->layout->width &&
      !is_covered (paint, scene, x - width / 2, x + width / 2))
    ns_paint_text (paint, paint->caption, text, x - width / 2, y, -1);
  return x + width / 2 + 6 * paint->scale;
}

static void
paint_ticks (NsPaint *paint, const NsTimelineScene *scene, double y0, double height)
{
  double k = paint->scale;
  gint64 step = ns_timeline_scene_get_step (scene, k);
  gint64 small = MAX (step / 5, 1);
  gint64 time_ns = first_tick (scene, small);
  double free_from = -G_MAXDOUBLE;

  cairo_set_line_width (paint->cr, 1);
  for (; time_ns <= scene->layout->end_ns; time_ns += small)
    {
      double x = floor (ns_timeline_layout_x_at (scene->layout, time_ns)) + 0.5;
      gboolean is_major = (time_ns + MAX (scene->clock_base_ns, 0)) % step == 0;

      ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
      ns_paint_line (paint, x, y0 + height - (is_major ? 9 : 4) * k, x, y0 + height);
      if (is_major)
        {
          g_autofree char *text = tick_to_text (scene, time_ns, step);

          /* At high zoom a time far from 0 is longer than the distance of the ticks. */
          if (x - ns_paint_text_width (paint, paint->caption, text) / 2 >= free_from)
            free_from = paint_time (paint, scene, text, x, y0 + 11 * k);
        }
    }
}

static void
paint_handle (NsPaint *paint, double x, double y)
{
  double k = paint->scale;

  cairo_new_path (paint->cr);
  cairo_move_to (paint->cr, x - 5 * k, y);
  cairo_line_to (paint->cr, x + 5 * k, y);
  cairo_line_to (paint->cr, x + 5 * k, y + 7 * k);
  cairo_line_to (paint->cr, x, y + 13 * k);
  cairo_line_to (paint->cr, x - 5 * k, y + 7 * k);
  cairo_close_path (paint->cr);
  ns_paint_color (paint, NS_COLOR_SEL_SPAN, 1);
  cairo_fill (paint->cr);
}

static void
paint_handle_ring (NsPaint *paint, double x, double y)
{
  double k = paint->scale;

  ns_paint_color (paint, NS_COLOR_FOCUS, 1);
  cairo_set_line_width (paint->cr, 2);
  ns_paint_box (paint, x - 9 * k, y + 2, x + 9 * k, y + 17 * k);
  cairo_stroke (paint->cr);
}

static void
paint_pill (NsPaint *paint, const NsTimelineScene *scene, double y)
{
  double k = paint->scale;
  double height = 18 * k;
  double radius = height / 2;
  double right;
  double x;

  if (!find_pill (paint, scene, &x, &right))
    return;
  cairo_new_sub_path (paint->cr);
  cairo_arc (paint->cr, x + radius, y + radius, radius, G_PI / 2, 1.5 * G_PI);
  cairo_arc (paint->cr, right - radius, y + radius, radius, -G_PI / 2, G_PI / 2);
  cairo_close_path (paint->cr);
  ns_paint_color (paint, NS_COLOR_SEL_SPAN, 1);
  cairo_fill (paint->cr);
  ns_paint_color (paint, NS_COLOR_BASE, 1);
  ns_paint_text (paint, paint->caption, scene->pill, x + 10 * k, y + radius, -1);
}

/**
 * ns_timeline_paint_ruler:
 * @paint: a painter; its origin is the top left corner of the timeline
 * @scene: the frame
 */
void
ns_timeline_paint_ruler (NsPaint *paint, const NsTimelineScene *scene)
{
  double y0 = scene->metrics->overview;
  double height = scene->metrics->ruler;
  double k = paint->scale;

  ns_paint_color (paint, NS_COLOR_WINDOW, 1);
  ns_paint_box (paint, 0, y0, scene->names_width + scene->layout->width, y0 + height);
  cairo_fill (paint->cr);
  ns_paint_color (paint, NS_COLOR_BORDER, 1);
  ns_paint_box (paint, 0, y0 - 1, scene->names_width + scene->layout->width, y0);
  ns_paint_box (paint, 0, y0 + height - 1, scene->names_width + scene->layout->width, y0 + height);
  cairo_fill (paint->cr);
  ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
  ns_timeline_scene_begin_names (scene, paint);
  ns_paint_text (paint,
                 paint->caption,
                 scene->corner,
                 12 * k,
                 y0 + height / 2,
                 scene->names_width - 24 * k);
  ns_timeline_scene_end_names (paint);

  cairo_save (paint->cr);
  cairo_translate (paint->cr, ns_timeline_scene_get_plot_x (scene), 0);
  ns_paint_box (paint, 0, y0, scene->layout->width, y0 + height);
  cairo_clip (paint->cr);
  paint_ticks (paint, scene, y0, height - 1);
  ns_timeline_paint_found (paint, scene, scene->layout, y0 + height - 10 * k, y0 + height - 1);
  ns_timeline_paint_losses (paint, scene, scene->layout, y0, y0 + height - 1);
  ns_timeline_paint_bookmarks (paint, scene, y0, y0 + height - 1);
  if (scene->selected.begin_ns < scene->selected.end_ns)
    {
      double x0 = floor (ns_timeline_layout_x_at (scene->layout, scene->selected.begin_ns)) + 0.5;
      double x1 = floor (ns_timeline_layout_x_at (scene->layout, scene->selected.end_ns)) + 0.5;

      ns_paint_color (paint, NS_COLOR_SEL_SPAN, 0.16);
      ns_paint_box (paint, x0, y0, x1, y0 + height);
      cairo_fill (paint->cr);
      paint_pill (paint, scene, y0 + 4 * k);
      paint_handle (paint, x0, y0);
      paint_handle (paint, x1, y0);
      if (scene->focus_handle != 0)
        paint_handle_ring (paint, scene->focus_handle == 1 ? x0 : x1, y0);
    }
  cairo_restore (paint->cr);
}
