/* Paints the lanes of logs: a mark for each line, a whisker for the uncertainty of its time, and a
 * link from a selected line to the activity that it belongs to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-paint.h"
#include "engine/open/ns-log.h"

#include <math.h>

/* Half the size of a mark. */
#define REACH_PX 4.0
/* Marks closer than this are folded into a block. */
#define FOLD_PX 9.0
#define WHISKER_END_PX 6.0
/* Maximum number of selected lines with a frame. */
#define MAX_CHOSEN 128
/* Opacity of lines that do not match the filter. */
#define DIM 0.35

static const NsLane *
log_lane (const NsTimelineLanes *lanes, guint shown)
{
  const NsLane *lane;

  if (shown >= lanes->shown->len)
    return NULL;
  lane = ns_timeline_lanes_get (lanes, g_array_index (lanes->shown, guint32, shown));
  return lane->kind == NS_LANE_LOG ? lane : NULL;
}

static const NsLogMark *
mark_at (const NsTimelineLanes *lanes, const NsLane *lane, guint i)
{
  return &g_array_index (lanes->log_marks, NsLogMark, lane->first_mark + i);
}

/* Returns the index of the first mark at or after a time. */
static guint
find_first (const NsTimelineLanes *lanes, const NsLane *lane, gint64 time_ns)
{
  guint low = 0;
  guint high = lane->n_marks;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (mark_at (lanes, lane, middle)->time_ns < time_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
paint_cross (NsPaint *paint, double x, double y, double strength)
{
  double reach = REACH_PX * paint->scale;

  ns_paint_color (paint, NS_COLOR_FAILURE, strength);
  cairo_set_line_width (paint->cr, 2);
  ns_paint_line (paint, x - reach, y - reach, x + reach, y + reach);
  ns_paint_line (paint, x - reach, y + reach, x + reach, y - reach);
}

static void
paint_dot (NsPaint *paint, double x, double y, double strength)
{
  ns_paint_color (paint, NS_COLOR_TEXT_DIM, strength);
  cairo_new_sub_path (paint->cr);
  cairo_arc (paint->cr, x, y, REACH_PX * paint->scale, 0, 2 * G_PI);
  cairo_fill (paint->cr);
}

/* Paints a whisker over the uncertainty of the time of a line. */
static void
paint_whisker (NsPaint *paint,
               const NsTimelineScene *scene,
               const NsLogMark *mark,
               double y,
               double strength)
{
  double half = WHISKER_END_PX * paint->scale / 2;
  double x0 =
      floor (ns_timeline_layout_x_at (scene->layout, mark->time_ns - mark->uncertainty_ns)) + 0.5;
  double x1 =
      floor (ns_timeline_layout_x_at (scene->layout, mark->time_ns + mark->uncertainty_ns)) + 0.5;

  if (x1 - x0 < 2 * REACH_PX * paint->scale + 2)
    return;
  /* The whisker has no end marks outside the plot. */
  x0 = MAX (x0, -half);
  x1 = MIN (x1, scene->layout->width + half);
  ns_paint_color (paint, NS_COLOR_TEXT_DIM, strength);
  cairo_set_line_width (paint->cr, 1);
  ns_paint_line (paint, x0, y, x1, y);
  ns_paint_line (paint, x0, y - half, x0, y + half);
  ns_paint_line (paint, x1, y - half, x1, y + half);
}

/* Paints a block from the first to the last of several folded lines, with a cross if any of them
 * failed. */
static void
paint_block (NsPaint *paint, double x0, double x1, double y, gboolean has_failed, double strength)
{
  double half = REACH_PX * paint->scale;

  ns_paint_color (paint, NS_COLOR_TEXT_DIM, 0.5 * strength);
  ns_paint_box (paint, x0 - half, y - half, x1 + half, y + half);
  cairo_fill (paint->cr);
  if (has_failed)
    paint_cross (paint, floor ((x0 + x1) / 2) + 0.5, y, strength);
}

/* Gets the range of visible marks; marks outside the plot may have a visible whisker. */
static void
find_seen (const NsTimelineScene *scene, const NsLane *lane, guint *first, guint *end)
{
  double edge = scene->metrics->lane;
  gint64 begin_ns = ns_timeline_layout_time_at (scene->layout, -edge) - lane->longest_ns;
  gint64 end_ns =
      ns_timeline_layout_time_at (scene->layout, scene->layout->width + edge) + lane->longest_ns;

  /* Later lines are not shown during playback. */
  if (scene->has_moment)
    end_ns = MIN (end_ns, scene->moment_ns);
  *first = find_first (scene->lanes, lane, begin_ns);
  *end = end_ns == G_MAXINT64 ? lane->n_marks : find_first (scene->lanes, lane, end_ns + 1);
}

static double
mark_x (const NsTimelineScene *scene, const NsLogMark *mark)
{
  return floor (ns_timeline_layout_x_at (scene->layout, mark->time_ns)) + 0.5;
}

/* Returns the index after the last mark that is folded with the mark at @first. Marks at the
 * same px are skipped by binary search, so that a frame takes time in proportion to its width. */
static guint
find_fold_end (NsPaint *paint,
               const NsTimelineScene *scene,
               const NsLane *lane,
               guint first,
               guint end)
{
  double x = mark_x (scene, mark_at (scene->lanes, lane, first));
  guint next = first + 1;

  while (next < end &&
         mark_x (scene, mark_at (scene->lanes, lane, next)) - x < FOLD_PX * paint->scale)
    {
      x = mark_x (scene, mark_at (scene->lanes, lane, next));
      next =
          MAX (next + 1,
               find_first (scene->lanes, lane, ns_timeline_layout_time_at (scene->layout, x + 1)));
      next = MIN (next, end);
      x = mark_x (scene, mark_at (scene->lanes, lane, next - 1));
    }
  return next;
}

static void
paint_lane (NsPaint *paint, const NsTimelineScene *scene, const NsLane *lane, double y)
{
  guint first;
  guint end;

  find_seen (scene, lane, &first, &end);
  while (first < end)
    {
      const NsLogMark *mark = mark_at (scene->lanes, lane, first);
      guint next = find_fold_end (paint, scene, lane, first, end);
      const NsLogMark *last = mark_at (scene->lanes, lane, next - 1);
      guint n_failed = last->n_failed - mark->n_failed + (mark->failed ? 1 : 0);
      guint n_matching = last->n_matching - mark->n_matching + (mark->is_matching ? 1 : 0);
      double strength = n_matching > 0 ? 1 : DIM;

      if (next - first > 1)
        paint_block (paint, mark_x (scene, mark), mark_x (scene, last), y, n_failed > 0, strength);
      else
        {
          paint_whisker (paint, scene, mark, y, strength);
          if (mark->failed)
            paint_cross (paint, mark_x (scene, mark), y, strength);
          else
            paint_dot (paint, mark_x (scene, mark), y, strength);
        }
      first = next;
    }
}

static double
middle_of (const NsTimelineScene *scene, guint shown)
{
  double top = scene->metrics->overview + scene->metrics->ruler;

  return floor (top + (shown + 0.5) * scene->metrics->lane - scene->scroll) + 0.5;
}

/* Paints a link from a line to the bar of its activity if the match is at least likely. */
static void
paint_link (NsPaint *paint, const NsTimelineScene *scene, const NsLogRow *row, double x, double y)
{
  static const double dashes[] = { 4, 3 };
  guint i;

  if (row->activity == 0 || row->confidence < NS_CONFIDENCE_LIKELY || scene->list == NULL)
    return;
  for (i = 0; i < scene->list->bars->len; i++)
    {
      const NsTimelineBar *bar = &g_array_index (scene->list->bars, NsTimelineBar, i);
      double bar_y;

      if (bar->row != row->activity - 1 || bar->shown == NS_LANE_NONE)
        continue;
      bar_y = middle_of (scene, bar->shown);
      ns_paint_color (paint, NS_COLOR_ACCENT, 1);
      cairo_set_line_width (paint->cr, 1.5);
      cairo_set_dash (paint->cr, dashes, G_N_ELEMENTS (dashes), 0);
      ns_paint_line (paint, CLAMP (x, bar->x0, MAX (bar->x1, bar->x0)), bar_y, x, y);
      cairo_set_dash (paint->cr, NULL, 0, 0);
      return;
    }
}

/* Paints a frame around each selected line. */
static void
paint_chosen (NsPaint *paint, const NsTimelineScene *scene, guint first, guint end)
{
  double reach = (REACH_PX + 3) * paint->scale;
  double half = floor (scene->metrics->lane / 2) - 1;
  guint i;

  for (i = 0; i < MIN (scene->chosen_lines->len, MAX_CHOSEN); i++)
    {
      guint32 number = g_array_index (scene->chosen_lines, guint32, i);
      const NsLogRow *row;
      guint shown;
      double x;
      double y;
      double x0;
      double x1;

      if (number >= scene->trace->log->len)
        continue;
      row = &g_array_index (scene->trace->log, NsLogRow, number);
      shown = ns_timeline_lanes_find_shown (scene->lanes,
                                            ns_timeline_lanes_find_log (scene->lanes, row->log));
      if (shown == NS_LANE_NONE || shown < first || shown >= end)
        continue;
      x = floor (ns_timeline_layout_x_at (scene->layout, row->time_ns)) + 0.5;
      y = middle_of (scene, shown);
      x0 = MIN (ns_timeline_layout_x_at (scene->layout, row->time_ns - row->uncertainty_ns),
                x - reach);
      x1 = MAX (ns_timeline_layout_x_at (scene->layout, row->time_ns + row->uncertainty_ns),
                x + reach);
      if (x1 < 0 || x0 > scene->layout->width)
        continue;
      paint_link (paint, scene, row, x, y - half);
      ns_paint_color (paint, NS_COLOR_ACCENT, 1);
      cairo_set_line_width (paint->cr, 2);
      ns_paint_box (paint,
                    MAX (floor (x0), -4),
                    y - half,
                    MIN (ceil (x1), scene->layout->width + 4),
                    y + half);
      cairo_stroke (paint->cr);
    }
}

/**
 * ns_timeline_paint_logs:
 * @paint: a painter; its origin is the left edge of the plot
 * @scene: the frame
 * @first: index of the first visible lane
 * @end: index after the last visible lane
 *
 * Paints the marks of the visible log lanes.
 */
void
ns_timeline_paint_logs (NsPaint *paint, const NsTimelineScene *scene, guint first, guint end)
{
  guint i;

  for (i = first; i < end; i++)
    {
      const NsLane *lane = log_lane (scene->lanes, i);

      if (lane != NULL)
        paint_lane (paint, scene, lane, middle_of (scene, i));
    }
  if (scene->chosen_lines != NULL && scene->trace->log != NULL)
    paint_chosen (paint, scene, first, end);
}

/**
 * ns_timeline_logs_find_at:
 * @lanes: lanes
 * @layout: the visible time
 * @shown: index of a shown lane
 * @x: px in the plot
 *
 * Returns: (nullable): the mark nearest to @x within %NS_TIMELINE_HIT_PX, if the lane is one of a
 *   log
 */
const NsLogMark *
ns_timeline_logs_find_at (const NsTimelineLanes *lanes,
                          const NsTimelineLayout *layout,
                          guint shown,
                          double x)
{
  const NsLane *lane = log_lane (lanes, shown);
  gint64 time_ns = ns_timeline_layout_time_at (layout, x);
  const NsLogMark *best = NULL;
  double best_distance = NS_TIMELINE_HIT_PX;
  guint after;
  guint i;

  if (lane == NULL)
    return NULL;
  after = find_first (lanes, lane, time_ns);
  for (i = after > 0 ? after - 1 : 0; i <= after && i < lane->n_marks; i++)
    {
      double distance =
          fabs (ns_timeline_layout_x_at (layout, mark_at (lanes, lane, i)->time_ns) - x);

      if (distance <= best_distance)
        {
          best = mark_at (lanes, lane, i);
          best_distance = distance;
        }
    }
  return best;
}
