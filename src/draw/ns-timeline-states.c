/* Paints the lanes of states: a diamond for each change, with its text if there is room; in the
 * lane of a connection a box for each state from its start to its end.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-state-tcp.h"
#include "draw/ns-timeline-paint.h"

#include <math.h>

/* Half the size of a diamond. */
#define REACH_PX 4.0
/* Marks closer than this are painted as one. */
#define FOLD_PX 4.0

static const NsStateLane *
state_of (const NsTimelineLanes *lanes, guint shown)
{
  const NsLane *lane;

  if (lanes->states == NULL || shown >= lanes->shown->len)
    return NULL;
  lane = ns_timeline_lanes_get (lanes, g_array_index (lanes->shown, guint32, shown));
  if (lane->kind != NS_LANE_STATE || lane->state >= lanes->states->lanes->len)
    return NULL;
  return &g_array_index (lanes->states->lanes, NsStateLane, lane->state);
}

static const GArray *
marks_of (const NsTimelineLanes *lanes, guint shown)
{
  const NsStateLane *state = state_of (lanes, shown);

  return state != NULL ? state->marks : NULL;
}

static const NsStateMark *
mark_at (const GArray *marks, guint i)
{
  return &g_array_index (marks, NsStateMark, i);
}

/* Returns the index of the first mark at or after a time. */
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
      /* A mark that stands for several changes is hollow and has no text. */
      ns_paint_color (paint, n_here > 1 ? NS_COLOR_BASE : NS_COLOR_TEXT_DIM, 1);
      cairo_fill_preserve (paint->cr);
      ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
      cairo_set_line_width (paint->cr, 1.5);
      cairo_stroke (paint->cr);
      if (n_here == 1)
        paint_words (paint, mark, x, y, MIN (next_x, scene->layout->width) - 2 * reach);
    }
}

static void
fill_stage (NsPaint *paint, NsTcpStage stage, double x0, double y0, double x1, double y1)
{
  static const double strength[] = { [NS_TCP_STAGE_NONE] = 0,
                                     [NS_TCP_STAGE_OPENING] = 0.15,
                                     [NS_TCP_STAGE_OPEN] = 0.4,
                                     [NS_TCP_STAGE_CLOSING] = 0 };

  ns_paint_mix (paint, NS_COLOR_TCP, NS_COLOR_BASE, strength[stage]);
  ns_paint_box (paint, x0, y0, x1, y1);
  cairo_fill (paint->cr);
  ns_paint_color (paint, NS_COLOR_TCP, 1);
  /* Closing states are hatched, so that they differ in shape as well. */
  if (stage == NS_TCP_STAGE_CLOSING && x1 - x0 > 3)
    ns_paint_hatch (paint, x0, y0, x1, y1, 5 * paint->scale, FALSE);
  ns_paint_box (paint, x0 + 0.5, y0 + 0.5, MAX (x1 - 0.5, x0 + 1), y1 - 0.5);
  cairo_set_line_width (paint->cr, 1);
  cairo_stroke (paint->cr);
}

/* Paints the name of a state in its box, with a background if the box is hatched. */
static void
paint_state_name (NsPaint *paint, guint8 state, double x0, double x1, double y, double half)
{
  g_autofree char *name = NULL;
  double gap = 5 * paint->scale;
  double width;

  if (paint->n_texts >= NS_PAINT_MAX_TEXTS || x1 - x0 < 24 * paint->scale)
    return;
  name = ns_state_tcp_dup_name (state);
  width = ns_paint_text_width (paint, paint->caption, name);
  if (width + 2 * gap > x1 - x0)
    return;
  if (ns_state_tcp_get_stage (state) == NS_TCP_STAGE_CLOSING)
    {
      ns_paint_color (paint, NS_COLOR_BASE, 1);
      ns_paint_box (paint, x0 + gap - 2, y - half + 1, x0 + gap + width + 2, y + half - 1);
      cairo_fill (paint->cr);
    }
  ns_paint_color (paint, NS_COLOR_TEXT, 1);
  ns_paint_text (paint, paint->caption, name, x0 + gap, y, -1);
}

/* Paints the box of a state for a time span. */
static void
paint_state (NsPaint *paint, const NsTimelineScene *scene, guint8 state, NsTimeSpan span, double y)
{
  NsTcpStage stage = ns_state_tcp_get_stage (state);
  double half = floor (scene->metrics->bar / 2);
  double x0 = floor (ns_timeline_layout_x_at (scene->layout, span.begin_ns));
  double x1 = floor (ns_timeline_layout_x_at (scene->layout, span.end_ns));

  if (stage == NS_TCP_STAGE_NONE || x1 < 0 || x0 > scene->layout->width)
    return;
  x1 = MAX (x1, x0 + 2);
  /* The box has no outline outside the plot. */
  fill_stage (paint, stage, MAX (x0, -4), y - half, MIN (x1, scene->layout->width + 4), y + half);
  paint_state_name (paint, state, MAX (x0, 0), MIN (x1, scene->layout->width), y, half);
}

/* Paints the states of a connection. The state before the first change extends from the start of
 * the trace. */
static void
paint_connection (NsPaint *paint, const NsTimelineScene *scene, const GArray *marks, double y)
{
  guint first = find_first (marks, scene->layout->begin_ns);
  double last_x = -G_MAXDOUBLE;
  guint i;

  if (first == 0)
    paint_state (paint,
                 scene,
                 mark_at (marks, 0)->before,
                 (NsTimeSpan){ scene->layout->whole.begin_ns, mark_at (marks, 0)->time_ns },
                 y);
  for (i = first > 0 ? first - 1 : 0;
       i < marks->len && mark_at (marks, i)->time_ns <= scene->layout->end_ns;
       i++)
    {
      gint64 end_ns =
          i + 1 < marks->len ? mark_at (marks, i + 1)->time_ns : scene->layout->whole.end_ns;
      double x = ns_timeline_layout_x_at (scene->layout, end_ns);

      /* States that end at the same px are painted once. */
      if (x - last_x < 0.5)
        continue;
      last_x = x;
      paint_state (paint,
                   scene,
                   mark_at (marks, i)->after,
                   (NsTimeSpan){ mark_at (marks, i)->time_ns, end_ns },
                   y);
    }
}

/**
 * ns_timeline_paint_states:
 * @paint: a painter; its origin is the left edge of the plot
 * @scene: the frame
 * @first: index of the first visible lane
 * @end: index after the last visible lane
 *
 * Paints the marks of the visible state lanes.
 */
void
ns_timeline_paint_states (NsPaint *paint, const NsTimelineScene *scene, guint first, guint end)
{
  double top = scene->metrics->overview + scene->metrics->ruler;
  guint i;

  for (i = first; i < end; i++)
    {
      const NsStateLane *state = state_of (scene->lanes, i);
      double y = floor (top + (i + 0.5) * scene->metrics->lane - scene->scroll);

      if (state != NULL && state->name != NULL)
        paint_connection (paint, scene, state->marks, y);
      else if (state != NULL)
        paint_lane (paint, scene, state->marks, y + 0.5);
    }
}

/**
 * ns_timeline_states_find_at:
 * @lanes: lanes
 * @layout: the visible time
 * @shown: index of a shown lane
 * @x: px in the plot
 *
 * Returns: (nullable): the mark nearest to @x within %NS_TIMELINE_HIT_PX, if the lane shows states;
 *   in the lane of a connection also the change that began the state at @x
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
  if (best == NULL && state_of (lanes, shown)->name != NULL)
    {
      i = find_first (marks, ns_timeline_layout_time_at (layout, x) + 1);
      if (i > 0 && ns_state_tcp_get_stage (mark_at (marks, i - 1)->after) != NS_TCP_STAGE_NONE)
        best = mark_at (marks, i - 1);
    }
  return best;
}
