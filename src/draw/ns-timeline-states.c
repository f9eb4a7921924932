/* Paints the lanes of states: a diamond for each change, with its words where they have room.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-paint.h"

#include <math.h>

/* Half a diamond. */
#define REACH_PX 4.0
/* Marks nearer than this to one another are one. */
#define FOLD_PX 4.0

static const GArray *
marks_of (const NsTimelineLanes *lanes, guint shown)
{
  const NsLane *lane;

  if (lanes->states == NULL || shown >= lanes->shown->len)
    return NULL;
  lane = ns_timeline_lanes_get (lanes, g_array_index (lanes->shown, guint32, shown));
  if (lane->kind != NS_LANE_STATE || lane->state >= lanes->states->lanes->len)
    return NULL;
  return g_array_index (lanes->states->lanes, NsStateLane, lane->state).marks;
}

static const NsStateMark *
mark_at (const GArray *marks, guint i)
{
  return &g_array_index (marks, NsStateMark, i);
}

/* The first mark at a moment or after it. */
static guint
find_first (const GArray *marks, gint64 time_ns)
{
  guint low = 0;
  guint high = marks->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (mark_at (marks, middle)->time_ns < time_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
diamond_path (cairo_t *cr, double x, double y, double reach)
{
  cairo_move_to (cr, x - reach, y);
  cairo_line_to (cr, x, y - reach);
  cairo_line_to (cr, x + reach, y);
  cairo_line_to (cr, x, y + reach);
  cairo_close_path (cr);
}

static void
paint_words (NsPaint *paint, const NsStateMark *mark, double x, double y, double free_until)
{
  double gap = 8 * paint->scale;
  double width;

  if (paint->n_texts >= NS_PAINT_MAX_TEXTS || free_until - x < 24 * paint->scale)
    return;
  width = ns_paint_text_width (paint, paint->caption, mark->text);
  ns_paint_color (paint, NS_COLOR_TEXT, 1);
  if (x + gap + width <= free_until)
    ns_paint_text (paint, paint->caption, mark->text, x + gap, y, -1);
}

static void
paint_lane (NsPaint *paint, const NsTimelineScene *scene, const GArray *marks, double y)
{
  double reach = REACH_PX * paint->scale;
  guint i = find_first (marks, scene->layout->begin_ns);

  while (i < marks->len && mark_at (marks, i)->time_ns <= scene->layout->end_ns)
    {
      const NsStateMark *mark = mark_at (marks, i);
      double x = floor (ns_timeline_layout_x_at (scene->layout, mark->time_ns)) + 0.5;
      double next_x = scene->layout->width + reach;
      guint n_here = 0;

      for (; i < marks->len; i++, n_here++)
        {
          next_x = ns_timeline_layout_x_at (scene->layout, mark_at (marks, i)->time_ns);
          if (next_x - x >= FOLD_PX)
            break;
        }
      if (i == marks->len)
        next_x = scene->layout->width + reach;
      cairo_new_path (paint->cr);
      diamond_path (paint->cr, x, y, reach);
      /* Several in one place are hollow, as none of them can be read there. */
      ns_paint_color (paint, n_here > 1 ? NS_COLOR_BASE : NS_COLOR_TEXT_DIM, 1);
      cairo_fill_preserve (paint->cr);
      ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
      cairo_set_line_width (paint->cr, 1.5);
      cairo_stroke (paint->cr);
      if (n_here == 1)
        paint_words (paint, mark, x, y, MIN (next_x, scene->layout->width) - 2 * reach);
    }
}

/**
 * ns_timeline_paint_states:
 * @paint: a painter; its origin is the left edge of the plot
 * @scene: the frame
 * @first: the first lane in view
 * @end: behind the last
 *
 * Paints the marks of the lanes in view that show states.
 */
void
ns_timeline_paint_states (NsPaint *paint, const NsTimelineScene *scene, guint first, guint end)
{
  double top = scene->metrics->overview + scene->metrics->ruler;
  guint i;

  for (i = first; i < end; i++)
    {
      const GArray *marks = marks_of (scene->lanes, i);

      if (marks != NULL)
        paint_lane (paint,
                    scene,
                    marks,
                    floor (top + (i + 0.5) * scene->metrics->lane - scene->scroll) + 0.5);
    }
}

/**
 * ns_timeline_states_find_at:
 * @lanes: lanes
 * @layout: what is in view
 * @shown: a lane, counted from the top
 * @x: px in the plot
 *
 * Returns: (nullable): the mark nearest to @x, if the lane shows states and one is near
 */
const NsStateMark *
ns_timeline_states_find_at (const NsTimelineLanes *lanes,
                            const NsTimelineLayout *layout,
                            guint shown,
                            double x)
{
  const GArray *marks = marks_of (lanes, shown);
  const NsStateMark *best = NULL;
  double best_distance = NS_TIMELINE_HIT_PX;
  guint i;

  if (marks == NULL)
    return NULL;
  i = find_first (marks, ns_timeline_layout_time_at (layout, x - NS_TIMELINE_HIT_PX));
  for (; i < marks->len; i++)
    {
      double distance = ns_timeline_layout_x_at (layout, mark_at (marks, i)->time_ns) - x;

      if (distance > NS_TIMELINE_HIT_PX)
        break;
      if (fabs (distance) < best_distance)
        {
          best = mark_at (marks, i);
          best_distance = fabs (distance);
        }
    }
  return best;
}
