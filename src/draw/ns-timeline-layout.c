/* Maps times to px on the timeline: zoom, pan, ticks, and the phases of a bar.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-layout.h"

#include "query/ns-fields.h"

#include <math.h>
#include <string.h>

/* Minimum visible time; timestamps have a resolution of 100 ns. */
#define NS_TIMELINE_MIN_SPAN_NS 1000

/* Sets the visible time, limited to the whole; its duration has priority over its start. */
static void
clamp_window (NsTimelineLayout *self, double begin, double span)
{
  double whole = (double) (self->whole.end_ns - self->whole.begin_ns);

  span = CLAMP (span, MIN (whole, (double) NS_TIMELINE_MIN_SPAN_NS), whole);
  begin = CLAMP (begin, (double) self->whole.begin_ns, (double) self->whole.end_ns - span);
  self->begin_ns = (gint64) llround (begin);
  self->end_ns = self->begin_ns + MAX ((gint64) llround (span), 1);
}

/**
 * ns_timeline_layout_init:
 * @self: (out caller-allocates): the layout
 * @whole: time span of the trace; extended to 1 ns at least
 * @width: px
 *
 * Makes the whole span visible.
 */
void
ns_timeline_layout_init (NsTimelineLayout *self, NsTimeSpan whole, double width)
{
  self->whole = whole;
  self->whole.end_ns = MAX (whole.end_ns, whole.begin_ns + 1);
  self->open_end_ns = self->whole.end_ns;
  self->begin_ns = self->whole.begin_ns;
  self->end_ns = self->whole.end_ns;
  self->width = MAX (width, 1);
}

/**
 * ns_timeline_layout_x_at:
 * @self: a layout
 * @time_ns: a time, visible or not
 *
 * Returns: px from the left edge
 */
double
ns_timeline_layout_x_at (const NsTimelineLayout *self, gint64 time_ns)
{
  if (time_ns == NS_TIME_OPEN)
    time_ns = self->open_end_ns;
  else if (time_ns == NS_TIME_NONE)
    time_ns = self->whole.begin_ns;
  return ((double) time_ns - (double) self->begin_ns) * self->width /
         (double) (self->end_ns - self->begin_ns);
}

/**
 * ns_timeline_layout_time_at:
 * @self: a layout
 * @x: px from the left edge
 *
 * Returns: the time at @x
 */
gint64
ns_timeline_layout_time_at (const NsTimelineLayout *self, double x)
{
  return self->begin_ns +
         (gint64) llround (x * (double) (self->end_ns - self->begin_ns) / self->width);
}

/**
 * ns_timeline_layout_show:
 * @self: a layout
 * @span: the time to show, limited to the whole
 */
void
ns_timeline_layout_show (NsTimelineLayout *self, NsTimeSpan span)
{
  clamp_window (self, (double) span.begin_ns, (double) span.end_ns - (double) span.begin_ns);
}

/**
 * ns_timeline_layout_zoom:
 * @self: a layout
 * @x: px from the left edge
 * @factor: above 1 to zoom in
 *
 * Zooms so that the time at @x stays at @x, as far as the ends of the trace allow.
 */
void
ns_timeline_layout_zoom (NsTimelineLayout *self, double x, double factor)
{
  double span = (double) (self->end_ns - self->begin_ns);
  double pivot = (double) self->begin_ns + x * span / self->width;
  double wanted = span / factor;

  wanted = CLAMP (wanted,
                  MIN ((double) NS_TIMELINE_MIN_SPAN_NS,
                       (double) (self->whole.end_ns - self->whole.begin_ns)),
                  (double) (self->whole.end_ns - self->whole.begin_ns));
  clamp_window (self, pivot - wanted * x / self->width, wanted);
}

/**
 * ns_timeline_layout_pan:
 * @self: a layout
 * @dx: px to scroll to the right
 */
void
ns_timeline_layout_pan (NsTimelineLayout *self, double dx)
{
  double span = (double) (self->end_ns - self->begin_ns);

  clamp_window (self, (double) self->begin_ns + dx * span / self->width, span);
}

/**
 * ns_timeline_layout_get_step:
 * @self: a layout
 * @min_px: minimum distance between labelled ticks
 *
 * Returns: ns between labelled ticks: 1, 2 or 5 times a power of ten
 */
gint64
ns_timeline_layout_get_step (const NsTimelineLayout *self, double min_px)
{
  double wanted = min_px * (double) (self->end_ns - self->begin_ns) / self->width;
  gint64 step = 1;

  while (step < G_MAXINT64 / 20)
    {
      if ((double) step >= wanted)
        return step;
      if ((double) step * 2 >= wanted)
        return step * 2;
      if ((double) step * 5 >= wanted)
        return step * 5;
      step *= 10;
    }
  return step;
}

/**
 * ns_timeline_layout_tick_to_text:
 * @time_ns: a tick
 * @step_ns: distance to the next one
 *
 * Returns: (transfer full): seconds with as many digits as the step needs, and the unit
 */
char *
ns_timeline_layout_tick_to_text (gint64 time_ns, gint64 step_ns)
{
  guint n_digits = 0;
  gint64 unit = NS_PER_SECOND;

  while (unit > 1 && step_ns % unit != 0)
    {
      unit /= 10;
      n_digits++;
    }
  return g_strdup_printf ("%s%.*f s",
                          time_ns < 0 ? NS_MINUS : "",
                          (int) n_digits,
                          fabs ((double) time_ns) / (double) NS_PER_SECOND);
}

/**
 * ns_timeline_layout_get_clock_step:
 * @self: a layout
 * @min_px: minimum distance between labelled ticks
 *
 * Returns: ns between labelled ticks at round times of the day
 */
gint64
ns_timeline_layout_get_clock_step (const NsTimelineLayout *self, double min_px)
{
  static const guint seconds[] = { 1,   2,   5,    10,   15,   30,    60,    120,   300,
                                   600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400 };
  double wanted = min_px * (double) (self->end_ns - self->begin_ns) / self->width;
  guint i;

  if (wanted < (double) NS_PER_SECOND / 2)
    return ns_timeline_layout_get_step (self, min_px);
  for (i = 0; i < G_N_ELEMENTS (seconds) - 1; i++)
    if ((double) seconds[i] * (double) NS_PER_SECOND >= wanted)
      break;
  return seconds[i] * NS_PER_SECOND;
}

/**
 * ns_timeline_layout_clock_to_text:
 * @clock_ns: ns since midnight of any day
 * @step_ns: distance to the next tick
 *
 * Returns: (transfer full): the time of day, with as many digits as the step needs
 */
char *
ns_timeline_layout_clock_to_text (gint64 clock_ns, gint64 step_ns)
{
  const gint64 day_ns = 86400 * NS_PER_SECOND;
  gint64 in_day = (clock_ns % day_ns + day_ns) % day_ns;
  gint64 second = in_day / NS_PER_SECOND;
  gint64 fraction = in_day % NS_PER_SECOND;
  gint64 unit = NS_PER_SECOND;
  int n_digits = 0;

  if (step_ns % (60 * NS_PER_SECOND) == 0)
    return g_strdup_printf ("%02d:%02d", (int) (second / 3600), (int) (second / 60 % 60));
  while (unit > 1 && step_ns % unit != 0)
    {
      unit /= 10;
      n_digits++;
    }
  if (n_digits == 0)
    return g_strdup_printf ("%02d:%02d:%02d",
                            (int) (second / 3600),
                            (int) (second / 60 % 60),
                            (int) (second % 60));
  return g_strdup_printf ("%02d:%02d:%02d.%0*" G_GINT64_FORMAT,
                          (int) (second / 3600),
                          (int) (second / 60 % 60),
                          (int) (second % 60),
                          n_digits,
                          fraction / unit);
}

static double
even (double px)
{
  return 2 * round (px / 2);
}

/**
 * ns_timeline_metrics_get_overview:
 * @scale: line height of the dense font over 18 px; below 1 counts as 1
 *
 * Returns: height of the overview, px
 */
double
ns_timeline_metrics_get_overview (double scale)
{
  return 6 * ceil (54 * MAX (scale, 1) / 6);
}

/**
 * ns_timeline_metrics_init:
 * @self: (out caller-allocates): the sizes
 * @scale: line height of the dense font over 18 px; below 1 counts as 1
 */
void
ns_timeline_metrics_init (NsTimelineMetrics *self, double scale)
{
  scale = MAX (scale, 1);
  self->scale = scale;
  self->lane = 6 * ceil (24 * scale / 6);
  self->bar = even (16 * scale);
  self->setup = even (10 * scale);
  self->queued = even (6 * scale);
  self->ruler = 6 * ceil (30 * scale / 6);
  self->overview = ns_timeline_metrics_get_overview (scale);
  self->indent = round (15 * scale);
}

/**
 * ns_timeline_metrics_to_css:
 * @scale: see ns_timeline_metrics_init()
 *
 * Returns: (transfer full): CSS that scales the rows, headers, tabs and icons around the timeline
 *   like its lanes; empty at the normal font size, for which the style sheet is written
 */
char *
ns_timeline_metrics_to_css (double scale)
{
  NsTimelineMetrics metrics;

  if (scale <= 1)
    return g_strdup ("");
  ns_timeline_metrics_init (&metrics, scale);
  /* The padding and borders of the style sheet are subtracted. */
  return g_strdup_printf ("columnview.ns-table > listview > row > cell { min-height: %dpx; }\n"
                          "columnview.ns-table > header > button { min-height: %dpx; }\n"
                          "notebook.tables > header tab { min-height: %dpx; }\n"
                          ".status-bar { min-height: %dpx; }\n"
                          "image, arrow, expander { -gtk-icon-size: %dpx; }\n"
                          "chip image { -gtk-icon-size: %dpx; }\n",
                          (int) metrics.lane - 1,
                          (int) metrics.ruler - 7,
                          (int) (6 * ceil (36 * scale / 6)) - 6,
                          (int) metrics.ruler - 1,
                          (int) even (16 * scale),
                          (int) even (12 * scale));
}

/* Returns whether a row is made from a connection or flow with a connect phase, which is always
 * its first phase. */
static gboolean
begins_with_connect (const NsActivityRow *row)
{
  return (row->source_table == NS_TABLE_FLOWS || row->source_table == NS_TABLE_TCP ||
          row->source_table == NS_TABLE_QUIC) &&
         ns_activity_row_get_phase (row, NS_PHASE_CONNECT) > 0;
}

/* Returns the phase that unaccounted time is assigned to: a phase that is not known, or else the
 * end. */
static guint
find_gap (const NsActivityRow *row)
{
  guint first_known = NS_N_PHASES;
  guint phase;

  for (phase = 0; phase < NS_PHASE_OTHER && first_known == NS_N_PHASES; phase++)
    if (ns_activity_row_get_phase (row, phase) > 0)
      first_known = phase;
  /* A row without any known phase, such as a connection, is drawn as one box. */
  if (first_known == NS_N_PHASES)
    return NS_PHASE_OTHER;
  if (begins_with_connect (row))
    return ns_activity_row_get_phase (row, NS_PHASE_WAIT) > 0 ? NS_PHASE_SEND : NS_PHASE_OTHER;
  for (phase = NS_PHASE_QUEUE; phase < MIN (first_known, NS_PHASE_WAIT); phase++)
    if (ns_activity_row_get_phase (row, phase) == NS_UNKNOWN)
      return phase;
  return NS_PHASE_OTHER;
}

/* Minimum width for dots; narrower unaccounted time would look like a jagged edge. */
#define MIN_DOTS_PX 6

/**
 * ns_timeline_is_rest_traced:
 * @row: an activity
 *
 * Time that no phase accounts for is drawn dotted if other phases are known. It is filled while the
 * row has not ended, since it is the current wait; after the connect of a TCP connection, which is
 * open then; and if no phase is known. After the handshake of QUIC it is dotted: the connection
 * carries requests, but the trace does not record their phases.
 *
 * Returns: %TRUE if the unaccounted time is filled, not dotted
 */
gboolean
ns_timeline_is_rest_traced (const NsActivityRow *row)
{
  guint phase;

  if ((begins_with_connect (row) && row->source_table != NS_TABLE_QUIC) ||
      !ns_time_is_set (row->close_ns))
    return TRUE;
  for (phase = 0; phase < NS_PHASE_OTHER; phase++)
    if (ns_activity_row_get_phase (row, phase) != NS_UNKNOWN)
      return FALSE;
  return TRUE;
}

/**
 * ns_timeline_split_bar:
 * @row: an activity
 * @end_ns: end of a row that has not ended
 * @x0: left edge of its bar, px
 * @x1: right edge of its bar, px
 * @boxes: (out caller-allocates): its phases from left to right
 *
 * Splits a bar into its phases. Edges are whole px, and each box begins where the previous one
 * ends, so that the boxes fill the bar; a phase below 1 px is merged with its neighbour.
 *
 * Returns: number of boxes, at least one
 */
guint
ns_timeline_split_bar (const NsActivityRow *row,
                       gint64 end_ns,
                       double x0,
                       double x1,
                       NsPhaseBox boxes[NS_N_PHASES + 1])
{
  gint64 close_ns = ns_time_is_set (row->close_ns) ? row->close_ns : end_ns;
  gint64 open_ns = ns_time_is_set (row->open_ns) ? row->open_ns : 0;
  double duration = (double) MAX (close_ns - open_ns, 1);
  double known = 0;
  double done = 0;
  double left = floor (x0);
  double right = MAX (floor (x1), left + 1);
  double edge = left;
  guint gap = find_gap (row);
  guint n_boxes = 0;
  guint phase;

  for (phase = 0; phase < NS_PHASE_OTHER; phase++)
    known += (double) MAX (ns_activity_row_get_phase (row, phase), 0);

  for (phase = 0; phase < NS_N_PHASES; phase++)
    {
      double length =
          phase == NS_PHASE_OTHER ? 0 : (double) MAX (ns_activity_row_get_phase (row, phase), 0);
      double next;

      if (phase == gap)
        length += MAX (duration - known, 0);
      done += length;
      next = floor (left + (right - left) * MIN (done / MAX (duration, known), 1));
      if (next <= edge)
        continue;
      boxes[n_boxes].phase = phase;
      boxes[n_boxes].is_traced = phase == NS_PHASE_OTHER
                                     ? ns_timeline_is_rest_traced (row) || next - edge < MIN_DOTS_PX
                                     : ns_activity_row_get_phase (row, phase) != NS_UNKNOWN;
      boxes[n_boxes].x0 = edge;
      boxes[n_boxes].x1 = next;
      n_boxes++;
      edge = next;
    }
  if (n_boxes == 0)
    {
      boxes[0] = (NsPhaseBox){ NS_PHASE_OTHER, TRUE, left, right };
      return 1;
    }
  boxes[n_boxes - 1].x1 = right;
  return n_boxes;
}

/**
 * ns_timeline_get_failed_phase:
 * @row: a failed activity
 *
 * Returns: its last known phase, in which it failed, or %NS_PHASE_OTHER if no phase is known.
 *   Unaccounted time is not taken for the failed phase.
 */
NsPhase
ns_timeline_get_failed_phase (const NsActivityRow *row)
{
  guint phase = NS_PHASE_OTHER;

  while (phase > 0)
    if (ns_activity_row_get_phase (row, --phase) > 0)
      return (NsPhase) phase;
  return NS_PHASE_OTHER;
}

/* Returns the index of the box of a phase; inserts an empty one if the phase was too short for a
 * box. */
static guint
find_box (NsPhaseBox boxes[NS_N_PHASES + 1], guint *n_boxes, NsPhase phase)
{
  guint at = 0;
  double edge;

  while (at < *n_boxes && boxes[at].phase < phase)
    at++;
  if (at < *n_boxes && boxes[at].phase == phase)
    return at;
  edge = at > 0 ? boxes[at - 1].x1 : boxes[0].x0;
  memmove (&boxes[at + 1], &boxes[at], (*n_boxes - at) * sizeof (NsPhaseBox));
  boxes[at] = (NsPhaseBox){ phase, TRUE, edge, edge };
  (*n_boxes)++;
  return at;
}

/**
 * ns_timeline_show_failure:
 * @row: a failed activity
 * @least: minimum width of the failed phase in px, if the bar is wide enough
 * @boxes: (inout): boxes of its phases
 * @n_boxes: (inout): number of boxes
 *
 * Widens the box of the failed phase at the cost of its neighbours, which may become empty.
 *
 * Returns: index of the box of the failed phase
 */
guint
ns_timeline_show_failure (const NsActivityRow *row,
                          double least,
                          NsPhaseBox boxes[NS_N_PHASES + 1],
                          guint *n_boxes)
{
  double left = boxes[0].x0;
  double right = boxes[*n_boxes - 1].x1;
  guint at = find_box (boxes, n_boxes, ns_timeline_get_failed_phase (row));
  double x1 = MIN (MAX (boxes[at].x1, left + least), right);
  double x0 = MAX (MIN (boxes[at].x0, x1 - least), left);
  guint i;

  for (i = 0; i < *n_boxes; i++)
    {
      if (i < at)
        boxes[i].x1 = MIN (boxes[i].x1, x0);
      if (i > at)
        boxes[i].x0 = MAX (boxes[i].x0, x1);
    }
  boxes[at].x0 = x0;
  boxes[at].x1 = x1;
  return at;
}
