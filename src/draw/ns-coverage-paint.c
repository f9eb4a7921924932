/* Paints the recording times of each session and log below the overview strip.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-coverage-paint.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define LINE_PX 18
#define BAR_PX 10
#define LOG_PX 3
/* Step and line width of the hatch of a missing file. */
#define MISSING_STEP_PX 8
#define MISSING_LINE_PX 1.4
/* Share of the fill colour in a bar, mixed with the background. */
#define BAR_SHADE 0.5

/* Returns the number of lines drawn, without the one that counts the others. */
static guint
count_shown (const GPtrArray *lines)
{
  return lines != NULL ? MIN (lines->len, NS_COVERAGE_MAX_LINES) : 0;
}

/**
 * ns_coverage_get_height:
 * @lines: (nullable) (element-type NsCoverageLine): recording times of the sessions and logs
 * @scale: scale factor of the font
 *
 * Returns: height of all lines in px
 */
double
ns_coverage_get_height (const GPtrArray *lines, double scale)
{
  guint n_shown = count_shown (lines);

  if (n_shown > 0 && lines->len > n_shown)
    n_shown++;
  return n_shown * LINE_PX * scale;
}

/**
 * ns_coverage_find_line:
 * @lines: (nullable) (element-type NsCoverageLine): recording times of the sessions and logs
 * @scale: scale factor of the font
 * @y: px below the top of the lines
 *
 * Returns: the index of the line at @y, or %G_MAXUINT
 */
guint
ns_coverage_find_line (const GPtrArray *lines, double scale, double y)
{
  guint number = y >= 0 ? (guint) (y / (LINE_PX * scale)) : G_MAXUINT;

  return number < count_shown (lines) ? number : G_MAXUINT;
}

static guint
count_missing (const NsCoverageLine *line)
{
  guint n = 0;
  guint i;

  for (i = 0; i < line->spans->len; i++)
    n += g_array_index (line->spans, NsCoverageSpan, i).is_missing ? 1 : 0;
  return n;
}

/* Gets the time from the start of the first span to the end of the last one. Returns FALSE if
 * the line has no spans. */
static gboolean
get_extent (const NsCoverageLine *line, NsTimeSpan *extent)
{
  guint i;

  if (line->spans->len == 0)
    return FALSE;
  *extent = g_array_index (line->spans, NsCoverageSpan, 0).span;
  for (i = 1; i < line->spans->len; i++)
    extent->end_ns =
        MAX (extent->end_ns, g_array_index (line->spans, NsCoverageSpan, i).span.end_ns);
  return TRUE;
}

static char *
extent_to_text (const NsCoverageLine *line)
{
  NsTimeSpan extent;

  if (!get_extent (line, &extent))
    return g_strdup (_ ("nothing"));
  /* Translators: from when to when something was recorded, in seconds. */
  return g_strdup_printf (_ ("%.1f – %.1f s"),
                          (double) extent.begin_ns / (double) NS_PER_SECOND,
                          (double) extent.end_ns / (double) NS_PER_SECOND);
}

/* Returns the text at the right of a name: the number of lines or parts, or the recording time. */
static char *
dup_note (const NsCoverageLine *line)
{
  guint n_missing = count_missing (line);

  if (line->is_log)
    return g_strdup_printf (ngettext ("%u line", "%u lines", line->n_lines), line->n_lines);
  if (n_missing > 0)
    /* Translators: number of files of a series, and of its gaps. */
    return g_strdup_printf (ngettext ("%u part, %u gap", "%u parts, gaps: %u", line->n_parts),
                            line->n_parts,
                            n_missing);
  if (line->n_parts > 1)
    return g_strdup_printf (ngettext ("%u part", "%u parts", line->n_parts), line->n_parts);
  return extent_to_text (line);
}

/**
 * ns_coverage_describe:
 * @lines: (element-type NsCoverageLine): recording times of the sessions and logs
 * @number: index of a line
 *
 * Returns: (transfer full): text of the tooltip of a line
 */
char *
ns_coverage_describe (const GPtrArray *lines, guint number)
{
  const NsCoverageLine *line = g_ptr_array_index (lines, number);
  g_autofree char *extent = extent_to_text (line);
  GString *text = g_string_new (line->name);
  guint i;

  g_string_append_printf (text, ": %s", extent);
  if (line->is_log || line->n_parts > 1)
    {
      g_autofree char *note = dup_note (line);

      g_string_append_printf (text, ", %s", note);
    }
  for (i = 0; i < line->spans->len; i++)
    {
      const NsCoverageSpan *span = &g_array_index (line->spans, NsCoverageSpan, i);

      if (!span->is_missing)
        continue;
      g_string_append_c (text, '\n');
      /* Translators: a span of time, in seconds, of which a file of a series is not there. */
      g_string_append_printf (text,
                              _ ("a part is missing: %.3f – %.3f s"),
                              (double) span->span.begin_ns / (double) NS_PER_SECOND,
                              (double) span->span.end_ns / (double) NS_PER_SECOND);
      if (span->file != NULL)
        g_string_append_printf (text, " (%s)", span->file);
    }
  return g_string_free (text, FALSE);
}

/**
 * ns_coverage_paint_names:
 * @paint: a painter
 * @scene: the frame
 * @top: px, upper edge of the first line
 *
 * Draws the names of the lines in the column of lane names.
 */
void
ns_coverage_paint_names (NsPaint *paint, const NsTimelineScene *scene, double top)
{
  const GPtrArray *lines = scene->coverage;
  guint n_shown = count_shown (lines);
  double k = paint->scale;
  double x = 12 * k;
  double right = scene->names_width - x;
  double y = top + LINE_PX * k / 2;
  guint i;

  for (i = 0; i < n_shown; i++, y += LINE_PX * k)
    {
      const NsCoverageLine *line = g_ptr_array_index (lines, i);
      g_autofree char *note = dup_note (line);
      double width = ns_paint_text_width (paint, paint->caption, note);
      gboolean has_room = right - x - width > 60 * k;

      ns_paint_color (paint, NS_COLOR_TEXT, 1);
      ns_paint_text (paint,
                     paint->caption,
                     line->name,
                     x,
                     y,
                     has_room ? right - x - width - 6 * k : right - x);
      ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
      if (has_room)
        ns_paint_text (paint, paint->caption, note, right - width, y, -1);
    }
  if (n_shown > 0 && lines->len > n_shown)
    {
      guint n_more = lines->len - n_shown;
      g_autofree char *more =
          g_strdup_printf (ngettext ("%u more input", "%u more inputs", n_more), n_more);

      ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
      ns_paint_text (paint, paint->caption, more, x, y, right - x);
    }
}

/* Opacity of the hatch across the lanes, which must not hide the labels of bars. */
#define LANES_STRENGTH 0.4

/* Hatches a box in the direction opposite to the hatch of lost events. */
static void
paint_missing (NsPaint *paint, double x0, double y0, double x1, double y1, double strength)
{
  static const double dashes[] = { 4, 3 };
  double step = MISSING_STEP_PX * paint->scale;
  double height = y1 - y0;
  double first = floor ((x0 - height) / step) * step;
  double x;

  ns_paint_color (paint, NS_COLOR_WINDOW, 1);
  ns_paint_box (paint, x0, y0, x1, y1);
  cairo_fill (paint->cr);
  cairo_save (paint->cr);
  ns_paint_box (paint, x0, y0, x1, y1);
  cairo_clip (paint->cr);
  ns_paint_color (paint, NS_COLOR_TEXT_DIM, strength);
  cairo_set_line_width (paint->cr, MISSING_LINE_PX);
  for (x = first; x < x1; x += step)
    {
      cairo_move_to (paint->cr, x, y0);
      cairo_line_to (paint->cr, x + height, y1);
    }
  cairo_stroke (paint->cr);
  cairo_restore (paint->cr);
  cairo_save (paint->cr);
  cairo_set_dash (paint->cr, dashes, G_N_ELEMENTS (dashes), 0);
  cairo_set_line_width (paint->cr, 1);
  ns_paint_box (paint, x0 + 0.5, y0 + 0.5, x1 - 0.5, y1 - 0.5);
  cairo_stroke (paint->cr);
  cairo_restore (paint->cr);
}

static void
paint_recorded (NsPaint *paint, double x0, double y0, double x1, double y1)
{
  ns_paint_mix (paint, NS_COLOR_WINSOCK, NS_COLOR_BASE, BAR_SHADE);
  ns_paint_box (paint, x0, y0, x1, y1);
  cairo_fill (paint->cr);
  ns_paint_color (paint, NS_COLOR_WINSOCK, 1);
  cairo_set_line_width (paint->cr, 1);
  ns_paint_box (paint, x0 + 0.5, y0 + 0.5, x1 - 0.5, y1 - 0.5);
  cairo_stroke (paint->cr);
}

static void
paint_line (NsPaint *paint,
            const NsCoverageLine *line,
            const NsTimelineLayout *whole,
            double middle_y)
{
  double half = (line->is_log ? LOG_PX : BAR_PX) * paint->scale / 2;
  double y0 = floor (middle_y - half);
  double y1 = ceil (middle_y + half);
  guint i;

  for (i = 0; i < line->spans->len; i++)
    {
      const NsCoverageSpan *span = &g_array_index (line->spans, NsCoverageSpan, i);
      double x0 = floor (ns_timeline_layout_x_at (whole, span->span.begin_ns));
      double x1 = MAX (ceil (ns_timeline_layout_x_at (whole, span->span.end_ns)), x0 + 2);

      x0 = MAX (x0, -2);
      x1 = MIN (x1, whole->width + 2);
      if (x0 >= x1)
        continue;
      if (span->is_missing)
        paint_missing (paint, x0, y0, x1, y1, 1);
      else if (line->is_log)
        {
          ns_paint_color (paint, NS_COLOR_WINSOCK, 1);
          ns_paint_box (paint, x0, y0, x1, y1);
          cairo_fill (paint->cr);
        }
      else
        paint_recorded (paint, x0, y0, x1, y1);
    }
}

/* Draws the name of the missing file in its hatch, if it fits. */
static void
paint_file (NsPaint *paint, const char *file, double x0, double x1, double y0)
{
  double k = paint->scale;
  double height = 18 * k;
  double radius = height / 2;
  double width = ns_paint_text_width (paint, paint->caption, file) + 20 * k;
  double x = floor ((x0 + x1 - width) / 2);
  double y = y0 + 5 * k;

  if (x1 - x0 < width + 8 * k)
    return;
  cairo_new_sub_path (paint->cr);
  cairo_arc (paint->cr, x + radius, y + radius, radius, G_PI / 2, 1.5 * G_PI);
  cairo_arc (paint->cr, x + width - radius, y + radius, radius, -G_PI / 2, G_PI / 2);
  cairo_close_path (paint->cr);
  ns_paint_color (paint, NS_COLOR_WINDOW, 1);
  cairo_fill_preserve (paint->cr);
  ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
  cairo_set_line_width (paint->cr, 1);
  cairo_stroke (paint->cr);
  ns_paint_color (paint, NS_COLOR_TEXT, 1);
  ns_paint_text (paint, paint->caption, file, x + 10 * k, y + radius, -1);
}

/* Gets the left and right edges of a hole. Returns FALSE if it is out of view. */
static gboolean
find_hole (const NsCoverageHole *hole, const NsTimelineLayout *layout, double *x0, double *x1)
{
  *x0 = floor (ns_timeline_layout_x_at (layout, hole->span.begin_ns));
  *x1 = MAX (ceil (ns_timeline_layout_x_at (layout, hole->span.end_ns)), *x0 + 2);
  *x0 = MAX (*x0, -2);
  *x1 = MIN (*x1, layout->width + 2);
  return *x0 < *x1;
}

/**
 * ns_coverage_paint_files:
 * @paint: a painter; its origin is the left edge of the plot
 * @scene: the frame
 * @layout: maps times to px
 * @y0: upper edge
 *
 * Draws the names of missing files in the hatches of ns_coverage_paint_holes() that are wide
 * enough.
 */
void
ns_coverage_paint_files (NsPaint *paint,
                         const NsTimelineScene *scene,
                         const NsTimelineLayout *layout,
                         double y0)
{
  guint i;

  for (i = 0; i < scene->n_holes; i++)
    {
      double x0;
      double x1;

      if (scene->holes[i].file != NULL && find_hole (&scene->holes[i], layout, &x0, &x1))
        paint_file (paint, scene->holes[i].file, MAX (x0, 0), MIN (x1, layout->width), y0);
    }
}

/**
 * ns_coverage_paint_holes:
 * @paint: a painter; its origin is the left edge of the plot
 * @scene: the frame
 * @layout: maps times to px
 * @y0: upper edge
 * @y1: lower edge
 *
 * Hatches the times that were not recorded because a file of a series is missing, as below the
 * overview.
 */
void
ns_coverage_paint_holes (NsPaint *paint,
                         const NsTimelineScene *scene,
                         const NsTimelineLayout *layout,
                         double y0,
                         double y1)
{
  guint i;

  for (i = 0; i < scene->n_holes; i++)
    {
      double x0;
      double x1;

      if (find_hole (&scene->holes[i], layout, &x0, &x1))
        paint_missing (paint, x0, y0, x1, y1, LANES_STRENGTH);
    }
}

/**
 * ns_coverage_paint_spans:
 * @paint: a painter; its origin is the left edge of the plot
 * @scene: the frame
 * @whole: maps times of the whole trace to px
 * @top: px, upper edge of the first line
 *
 * Draws the recorded and missing spans of all lines.
 */
void
ns_coverage_paint_spans (NsPaint *paint,
                         const NsTimelineScene *scene,
                         const NsTimelineLayout *whole,
                         double top)
{
  double k = paint->scale;
  guint i;

  for (i = 0; i < count_shown (scene->coverage); i++)
    paint_line (paint,
                g_ptr_array_index (scene->coverage, i),
                whole,
                top + (i + 0.5) * LINE_PX * k);
}
