/* Paints requests that two machines recorded, and the plot of the estimate of their clock offset.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-pair-paint.h"

#include <math.h>

#define NAMES_PX 234
#define RULER_PX 24
#define LANE_PX 28
#define TICK_PX 6
#define MIN_STEP_PX 80
#define MAX_TICKS 200
/* Time shown before and after the request, as a share of its duration. */
#define MARGIN 0.25
#define BAND_SHADE 0.08
#define LINK_PX 1.5
/* Minimum width of a bar in px that is split into its phases. */
#define LEAST_SPLIT_PX 3
#define FRAME_PX 2
#define ARROW_PX 4
/* Coordinates are clamped to this, in px; at high zoom most of a span is outside. */
#define FAR_PX 20000

/* Width of the labels of the clock plot. */
#define SCALE_NAMES_PX 52
#define CLOCK_BAND_SHADE 0.14
#define WAY_PX 6
#define SLOT_PX 10
/* Range of the clock plot in multiples of the uncertainty; values outside are drawn at the edge. */
#define CLOCK_RANGE 3.0
#define MIN_RANGE_NS 1000.0

/* Bar height of each phase, and the share of the colour in its fill. */
static const struct
{
  double height;
  double shade;
} looks[NS_PAIR_N_PHASES] = {
  [NS_PAIR_CLIENT_QUEUE] = { 6, 0 },    [NS_PAIR_NETWORK_OUT] = { 10, 0.5 },
  [NS_PAIR_SERVER_QUEUE] = { 6, 0 },    [NS_PAIR_SERVER_WORK] = { 16, 0.3 },
  [NS_PAIR_NETWORK_BACK] = { 10, 0.5 },
};

/**
 * ns_pair_paint_layout:
 * @row: a request
 * @x0: px, start of the request
 * @x1: px, end of the request
 * @boxes: (out caller-allocates): boxes of the known phases
 *
 * Places the phases one after the other; unknown time is left empty at the end.
 *
 * Returns: number of boxes
 */
guint
ns_pair_paint_layout (const NsPairRow *row, double x0, double x1, NsPairBox boxes[NS_PAIR_N_PHASES])
{
  gint64 sum_ns = 0;
  gint64 all_ns;
  gint64 begin_ns = 0;
  guint n = 0;
  guint i;

  for (i = 0; i < NS_PAIR_N_PHASES; i++)
    if (row->phases[i] != NS_UNKNOWN)
      sum_ns = ns_time_sum (sum_ns, MAX (row->phases[i], 0));
  all_ns = MAX (sum_ns, row->duration_ns != NS_UNKNOWN ? row->duration_ns : 0);
  for (i = 0; i < NS_PAIR_N_PHASES && all_ns > 0; i++)
    {
      gint64 end_ns = ns_time_sum (begin_ns, MAX (row->phases[i], 0));

      if (row->phases[i] == NS_UNKNOWN)
        continue;
      boxes[n++] = (NsPairBox){
        (NsPairPhase) i,
        x0 + (x1 - x0) * ((double) begin_ns / (double) all_ns),
        x0 + (x1 - x0) * ((double) end_ns / (double) all_ns),
      };
      begin_ns = end_ns;
    }
  return n;
}

static void
paint_box (NsPaint *paint, NsColorRole role, double shade, double x0, double x1, double y, double h)
{
  double y0 = floor (y - h * paint->scale / 2) + 0.5;
  double y1 = y0 + floor (h * paint->scale);

  x0 = floor (CLAMP (x0, -FAR_PX, FAR_PX)) + 0.5;
  x1 = MAX (floor (CLAMP (x1, -FAR_PX, FAR_PX)) + 0.5, x0 + 1);
  cairo_set_line_width (paint->cr, 1);
  ns_paint_mix (paint, role, NS_COLOR_BASE, shade);
  ns_paint_box (paint, x0, y0, x1, y1);
  cairo_fill (paint->cr);
  ns_paint_color (paint, role, 1);
  ns_paint_box (paint, x0, y0, x1, y1);
  cairo_stroke (paint->cr);
}

/**
 * ns_pair_paint_phase:
 * @paint: a painter
 * @role: colour of the request
 * @phase: a phase of the request
 * @x0: px, start of the phase
 * @x1: px, end of the phase
 * @middle_y: px, middle of the bar
 *
 * Paints one phase: waiting is hollow, work and transfer are filled.
 */
void
ns_pair_paint_phase (NsPaint *paint,
                     NsColorRole role,
                     NsPairPhase phase,
                     double x0,
                     double x1,
                     double middle_y)
{
  paint_box (paint, role, looks[phase].shade, x0, x1, middle_y, looks[phase].height);
}

static NsColorRole
get_role (const NsPairs *pairs, const NsPairRow *row)
{
  const NsTrace *trace = pairs->traces[row->client_machine];

  return ns_palette_get_protocol_role (
      NS_ROW_AT (trace->activities, NsActivityRow, row->client)->protocol);
}

/**
 * ns_pair_paint_request:
 * @paint: a painter
 * @pairs: requests that both machines recorded
 * @row: one of them
 * @x0: px, start of the request
 * @x1: px, end of the request
 * @middle_y: px, middle of the bar
 *
 * Paints the client side of a request, split into phases.
 */
void
ns_pair_paint_request (NsPaint *paint,
                       const NsPairs *pairs,
                       const NsPairRow *row,
                       double x0,
                       double x1,
                       double middle_y)
{
  NsPairBox boxes[NS_PAIR_N_PHASES];
  NsColorRole role = get_role (pairs, row);
  guint n = ns_pair_paint_layout (row, x0, x1, boxes);
  double end = n > 0 ? boxes[n - 1].x1 : x0;
  guint i;

  if (x1 - x0 < LEAST_SPLIT_PX)
    {
      ns_pair_paint_phase (paint, role, NS_PAIR_SERVER_WORK, x0, x1, middle_y);
      return;
    }
  if (end < x1 - 1)
    paint_box (paint, role, 0, end, x1, middle_y, looks[NS_PAIR_NETWORK_BACK].height);
  for (i = 0; i < n; i++)
    if (boxes[i].x1 > boxes[i].x0)
      ns_pair_paint_phase (paint, role, boxes[i].phase, boxes[i].x0, boxes[i].x1, middle_y);
}

/* Time scale and lanes of the plot of one request. */
typedef struct
{
  gint64 begin_ns;
  double px_per_ns;
  double x0;
  double width;
  double lanes[2]; /* middle of the lane of the client, and of the server */
} Lanes;

static double
x_at (const Lanes *self, gint64 time_ns)
{
  double x = self->x0 + (double) ns_time_between (self->begin_ns, time_ns) * self->px_per_ns;

  return CLAMP (x, self->x0 - 10, self->x0 + self->width + 10);
}

static gint64
get_end (const NsPairRow *row)
{
  return ns_time_after (row->open_ns, row->duration_ns != NS_UNKNOWN ? row->duration_ns : 0);
}

/**
 * ns_pair_paint_find_server_side:
 * @row: a request
 * @x0: px, start of the request at the client
 * @x1: px, end of the request at the client
 * @begin: (out): start of the request at the server
 * @end: (out): end of the request at the server
 *
 * Returns: %TRUE if the server side is known
 */
gboolean
ns_pair_paint_find_server_side (const NsPairRow *row,
                                double x0,
                                double x1,
                                double *begin,
                                double *end)
{
  NsPairBox boxes[NS_PAIR_N_PHASES];
  guint n = ns_pair_paint_layout (row, x0, x1, boxes);
  gboolean is_found = FALSE;
  guint i;

  for (i = 0; i < n; i++)
    if (boxes[i].phase == NS_PAIR_SERVER_QUEUE || boxes[i].phase == NS_PAIR_SERVER_WORK)
      {
        if (!is_found)
          *begin = boxes[i].x0;
        *end = boxes[i].x1;
        is_found = TRUE;
      }
  return is_found;
}

/**
 * ns_pair_paint_server_side:
 * @paint: a painter
 * @pairs: requests that both machines recorded
 * @row: one of them
 * @x0: px, start of the request at the client
 * @x1: px, end of the request at the client
 * @middle_y: px, middle of the bar
 *
 * Paints the server side of a request: its phases at the server.
 */
void
ns_pair_paint_server_side (NsPaint *paint,
                           const NsPairs *pairs,
                           const NsPairRow *row,
                           double x0,
                           double x1,
                           double middle_y)
{
  NsPairBox boxes[NS_PAIR_N_PHASES];
  NsColorRole role = get_role (pairs, row);
  guint n = ns_pair_paint_layout (row, x0, x1, boxes);
  guint i;

  if (x1 - x0 < LEAST_SPLIT_PX)
    {
      ns_pair_paint_phase (paint, role, NS_PAIR_SERVER_WORK, x0, x1, middle_y);
      return;
    }
  for (i = 0; i < n; i++)
    if ((boxes[i].phase == NS_PAIR_SERVER_QUEUE || boxes[i].phase == NS_PAIR_SERVER_WORK) &&
        boxes[i].x1 > boxes[i].x0)
      ns_pair_paint_phase (paint, role, boxes[i].phase, boxes[i].x0, boxes[i].x1, middle_y);
}

static void
paint_frame (NsPaint *paint, double x0, double x1, double y)
{
  double half = (looks[NS_PAIR_SERVER_WORK].height / 2 + 2) * paint->scale;

  ns_paint_color (paint, NS_COLOR_ACCENT, 1);
  cairo_set_line_width (paint->cr, FRAME_PX);
  x0 = CLAMP (x0, -FAR_PX, FAR_PX);
  x1 = CLAMP (x1, -FAR_PX, FAR_PX);
  ns_paint_box (paint, x0 - 2, y - half, x1 + 3, y + half);
  cairo_stroke (paint->cr);
  cairo_set_line_width (paint->cr, 1);
}

/* Paints an arrow from one lane to the other. */
static void
paint_link (NsPaint *paint, double x0, double y0, double x1, double y1)
{
  static const double dashes[] = { 4, 3 };
  double tip = y1 > y0 ? -ARROW_PX * paint->scale : ARROW_PX * paint->scale;
  double x = ns_paint_x (paint, CLAMP (x1, -FAR_PX, FAR_PX));

  x0 = CLAMP (x0, -FAR_PX, FAR_PX);
  ns_paint_color (paint, NS_COLOR_ACCENT, 1);
  cairo_set_line_width (paint->cr, LINK_PX);
  cairo_set_dash (paint->cr, dashes, G_N_ELEMENTS (dashes), 0);
  cairo_move_to (paint->cr, ns_paint_x (paint, x0), y0);
  cairo_line_to (paint->cr, x, y1);
  cairo_stroke (paint->cr);
  cairo_set_dash (paint->cr, NULL, 0, 0);
  cairo_move_to (paint->cr, x, y1);
  cairo_line_to (paint->cr, x - ABS (tip), y1 + tip);
  cairo_line_to (paint->cr, x + ABS (tip), y1 + tip);
  cairo_close_path (paint->cr);
  cairo_fill (paint->cr);
  cairo_set_line_width (paint->cr, 1);
}

/**
 * ns_pair_paint_chosen:
 * @paint: a painter
 * @row: a request
 * @x0: px, start of the request at the client
 * @x1: px, end of the request at the client
 * @client_y: px, middle of its bar at the client
 * @server_y: px, middle of its bar at the server
 *
 * Paints a frame around both bars, and the links between them.
 */
void
ns_pair_paint_chosen (NsPaint *paint,
                      const NsPairRow *row,
                      double x0,
                      double x1,
                      double client_y,
                      double server_y)
{
  NsPairBox boxes[NS_PAIR_N_PHASES];
  double down = server_y > client_y ? 1 : -1;
  double half = (looks[NS_PAIR_SERVER_WORK].height / 2 + 3) * paint->scale;
  double sent = x0;
  double begin;
  double end;
  guint n = ns_pair_paint_layout (row, x0, x1, boxes);
  guint i;

  paint_frame (paint, x0, x1, client_y);
  if (!ns_pair_paint_find_server_side (row, x0, x1, &begin, &end))
    return;
  for (i = 0; i < n; i++)
    if (boxes[i].phase == NS_PAIR_NETWORK_OUT)
      sent = boxes[i].x0;
  paint_frame (paint, begin, end, server_y);
  paint_link (paint, sent, client_y + down * half, begin, server_y - down * half);
  paint_link (paint, end, server_y - down * half, x1, client_y + down * half);
}

/**
 * ns_pair_paint_ruler:
 * @paint: a painter
 * @layout: the visible time
 * @x0: px, left edge
 * @bottom: px, lower end of the grid lines
 *
 * Paints a ruler at the top, and a grid line below each of its ticks.
 */
void
ns_pair_paint_ruler (NsPaint *paint, const NsTimelineLayout *layout, double x0, double bottom)
{
  double ruler = RULER_PX * paint->scale;
  gint64 step_ns = MAX (ns_timeline_layout_get_step (layout, MIN_STEP_PX * paint->scale), 1);
  gint64 begin_ns = layout->begin_ns;
  gint64 time_ns = (begin_ns / step_ns + (begin_ns > 0)) * step_ns;
  double x1 = x0 + layout->width;
  guint n;

  for (n = 0; n < MAX_TICKS && x0 + ns_timeline_layout_x_at (layout, time_ns) < x1;
       time_ns += step_ns, n++)
    {
      g_autofree char *text = ns_timeline_layout_tick_to_text (time_ns, step_ns);
      double x = floor (x0 + ns_timeline_layout_x_at (layout, time_ns)) + 0.5;
      double width = ns_paint_text_width (paint, paint->caption, text);

      if (x < x0)
        continue;
      ns_paint_color (paint, NS_COLOR_GRID, 1);
      ns_paint_line (paint, x, ruler, x, bottom);
      ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
      ns_paint_line (paint, x, ruler - TICK_PX, x, ruler);
      if (x - width / 2 > x0 && x + width / 2 < x1)
        ns_paint_text (paint,
                       paint->caption,
                       text,
                       x - width / 2,
                       (ruler - TICK_PX) / 2,
                       layout->width);
    }
}

static void
lanes_init (Lanes *self, const NsPairRow *chosen, double scale, double width)
{
  gint64 length_ns =
      MAX (ns_time_between (chosen->open_ns, get_end (chosen)), NS_PER_SECOND / 1000);
  gint64 margin_ns = (gint64) ((double) length_ns * MARGIN);

  self->x0 = NAMES_PX * scale;
  self->width = MAX (width - self->x0, 1);
  self->begin_ns = ns_time_after (chosen->open_ns, -margin_ns);
  self->px_per_ns = self->width / ((double) length_ns + 2.0 * (double) margin_ns);
  self->lanes[0] = (RULER_PX + LANE_PX / 2.0) * scale;
  self->lanes[1] = (RULER_PX + LANE_PX * 1.5 + LANE_PX / 2.0) * scale;
}

/**
 * ns_pair_paint_get_lanes_height:
 * @scale: scale factor of the font
 *
 * Returns: height of both lanes and the ruler, in px
 */
double
ns_pair_paint_get_lanes_height (double scale)
{
  return (RULER_PX + LANE_PX * 2.5) * scale;
}

/**
 * ns_pair_paint_lanes:
 * @paint: a painter
 * @pairs: requests that both machines recorded
 * @chosen: one of them
 * @names: names of the lanes: the client, the server
 * @width: px
 *
 * Paints both sides of a request on a common clock, and the other requests of its connection at
 * that time.
 */
void
ns_pair_paint_lanes (NsPaint *paint,
                     const NsPairs *pairs,
                     const NsPairRow *chosen,
                     const char *const names[2],
                     double width)
{
  double bottom = ns_pair_paint_get_lanes_height (paint->scale);
  NsTimelineLayout layout;
  Lanes self;
  guint i;

  lanes_init (&self, chosen, paint->scale, width);
  ns_paint_color (paint, NS_COLOR_BASE, 1);
  ns_paint_box (paint, 0, 0, width, bottom);
  cairo_fill (paint->cr);
  ns_paint_color (paint, NS_COLOR_ACCENT, BAND_SHADE);
  ns_paint_box (paint,
                x_at (&self, chosen->open_ns),
                RULER_PX * paint->scale,
                x_at (&self, get_end (chosen)),
                bottom);
  cairo_fill (paint->cr);
  ns_timeline_layout_init (&layout,
                           (NsTimeSpan){ self.begin_ns,
                                         ns_time_after (self.begin_ns,
                                                        (gint64) (self.width / self.px_per_ns)) },
                           self.width);
  ns_pair_paint_ruler (paint, &layout, self.x0, bottom);
  for (i = 0; i < 2; i++)
    {
      ns_paint_color (paint, NS_COLOR_TEXT, 1);
      ns_paint_text (paint, paint->dense, names[i], 8, self.lanes[i], self.x0 - 16);
    }
  cairo_save (paint->cr);
  ns_paint_box (paint, self.x0, 0, width, bottom);
  cairo_clip (paint->cr);
  for (i = 0; i < pairs->rows->len; i++)
    {
      const NsPairRow *row = &g_array_index (pairs->rows, NsPairRow, i);

      if (row != chosen && (row->connection == G_MAXUINT || row->connection != chosen->connection ||
                            x_at (&self, get_end (row)) < self.x0 ||
                            x_at (&self, row->open_ns) > self.x0 + self.width))
        continue;
      ns_pair_paint_request (paint,
                             pairs,
                             row,
                             x_at (&self, row->open_ns),
                             x_at (&self, get_end (row)),
                             self.lanes[0]);
      ns_pair_paint_server_side (paint,
                                 pairs,
                                 row,
                                 x_at (&self, row->open_ns),
                                 x_at (&self, get_end (row)),
                                 self.lanes[1]);
    }
  ns_pair_paint_chosen (paint,
                        chosen,
                        x_at (&self, chosen->open_ns),
                        x_at (&self, get_end (chosen)),
                        self.lanes[0],
                        self.lanes[1]);
  cairo_restore (paint->cr);
}

/* If the uncertainty is unknown, as for a clock offset set by the user, the range includes all
 * values. */
static double
get_range (const NsPairs *pairs)
{
  double range = (double) pairs->fit.uncertainty_ns * CLOCK_RANGE;
  guint i;
  guint k;

  for (i = 0; i < 2 && pairs->fit.uncertainty_ns <= 0; i++)
    for (k = 0; k < pairs->deviations[i]->len; k++)
      range =
          MAX (range,
               ABS ((double) g_array_index (pairs->deviations[i], NsPairDeviation, k).apart_ns) *
                   1.25);
  return MAX (range, MIN_RANGE_NS);
}

/**
 * ns_pair_paint_get_clock_y:
 * @pairs: requests that both machines recorded
 * @apart_ns: deviation of a bound from the estimated clock offset
 * @height: height of the plot in px
 *
 * Returns: its y in the plot, clamped to the edges
 */
double
ns_pair_paint_get_clock_y (const NsPairs *pairs, gint64 apart_ns, double height)
{
  double part = CLAMP ((double) apart_ns / get_range (pairs), -1.0, 1.0);
  double room = height / 2 - WAY_PX;

  return height / 2 - part * room;
}

/**
 * ns_pair_deviation_is_wrong:
 * @pairs: requests that both machines recorded
 * @sender: the sending machine, 0 or 1
 * @deviation: data sent from one machine to the other
 *
 * Returns: %TRUE if the data would arrive before it was sent, by more than the uncertainty of the
 *   clock offset
 */
gboolean
ns_pair_deviation_is_wrong (const NsPairs *pairs, guint sender, const NsPairDeviation *deviation)
{
  return (sender == 0 ? deviation->apart_ns : -deviation->apart_ns) < -pairs->fit.uncertainty_ns;
}

/* Paints a triangle: filled and pointing down for the upper bounds, which data of the first
 * machine gives; hollow and pointing up for lower bounds. */
static void
paint_way (NsPaint *paint, guint sender, double x, double y, gboolean is_wrong)
{
  double half = WAY_PX / 2.0 * paint->scale;
  double tip = sender == 0 ? half : -half;

  x = ns_paint_x (paint, x);
  ns_paint_color (paint, is_wrong ? NS_COLOR_FAILURE : NS_COLOR_ACCENT, 1);
  cairo_set_line_width (paint->cr, 1);
  cairo_move_to (paint->cr, x, y + tip);
  cairo_line_to (paint->cr, x - half, y - tip);
  cairo_line_to (paint->cr, x + half, y - tip);
  cairo_close_path (paint->cr);
  if (sender == 0)
    cairo_fill (paint->cr);
  else
    cairo_stroke (paint->cr);
}

/* Returns the time from the first to the last bound of both directions. */
static NsTimeSpan
get_ways_span (const NsPairs *pairs)
{
  NsTimeSpan span = { G_MAXINT64, G_MININT64 };
  guint i;

  for (i = 0; i < 2; i++)
    if (pairs->deviations[i]->len > 0)
      {
        const GArray *deviations = pairs->deviations[i];

        span.begin_ns = MIN (span.begin_ns, g_array_index (deviations, NsPairDeviation, 0).time_ns);
        span.end_ns =
            MAX (span.end_ns,
                 g_array_index (deviations, NsPairDeviation, deviations->len - 1).time_ns);
      }
  return span;
}

/* Paints the tightest bound of each horizontal slot, and every bound that contradicts the
 * estimate. */
static void
paint_ways (NsPaint *paint, const NsPairs *pairs, guint sender, double x0, double x1, double height)
{
  const GArray *deviations = pairs->deviations[sender];
  NsTimeSpan span = get_ways_span (pairs);
  double slot = SLOT_PX * paint->scale;
  double room = MAX (x1 - x0 - 2 * WAY_PX, 1);
  guint i = 0;

  while (i < deviations->len)
    {
      double number = -1;
      const NsPairDeviation *best = NULL;
      double best_x = 0;

      for (; i < deviations->len; i++)
        {
          const NsPairDeviation *deviation = &g_array_index (deviations, NsPairDeviation, i);
          double x = room * (double) ns_time_between (span.begin_ns, deviation->time_ns) /
                     (double) MAX (ns_time_between (span.begin_ns, span.end_ns), 1);
          gboolean is_tighter =
              best == NULL || (sender == 0 ? deviation->apart_ns < best->apart_ns
                                           : deviation->apart_ns > best->apart_ns);

          if (best != NULL && floor (x / slot) > number)
            break;
          number = floor (x / slot);
          if (ns_pair_deviation_is_wrong (pairs, sender, deviation))
            paint_way (paint,
                       sender,
                       x0 + WAY_PX + x,
                       ns_pair_paint_get_clock_y (pairs, deviation->apart_ns, height),
                       TRUE);
          if (!is_tighter)
            continue;
          best = deviation;
          best_x = x;
        }
      if (best != NULL && !ns_pair_deviation_is_wrong (pairs, sender, best))
        paint_way (paint,
                   sender,
                   x0 + WAY_PX + best_x,
                   ns_pair_paint_get_clock_y (pairs, best->apart_ns, height),
                   FALSE);
    }
}

static void
paint_level (NsPaint *paint, const NsPairs *pairs, gint64 apart_ns, double x, double height)
{
  g_autofree char *text = apart_ns == 0 ? g_strdup ("0")
                                        : g_strdup_printf ("%s%.*f",
                                                           apart_ns > 0 ? "+" : "−",
                                                           ABS (apart_ns) < 1000000 ? 3 : 1,
                                                           (double) ABS (apart_ns) / 1e6);
  double width = ns_paint_text_width (paint, paint->caption, text);

  ns_paint_color (paint, NS_COLOR_TEXT_DIM, 1);
  ns_paint_text (paint,
                 paint->caption,
                 text,
                 x - width - 4,
                 ns_pair_paint_get_clock_y (pairs, apart_ns, height),
                 width + 1);
}

/**
 * ns_pair_paint_clock:
 * @paint: a painter
 * @pairs: requests that both machines recorded
 * @width: px
 * @height: px
 *
 * Paints the bounds of the clock offset over time, relative to the estimate: data sent by the first
 * machine gives upper bounds, data sent by the second one lower bounds. The band is the uncertainty
 * of the estimate.
 */
void
ns_pair_paint_clock (NsPaint *paint, const NsPairs *pairs, double width, double height)
{
  double x0 = floor (SCALE_NAMES_PX * paint->scale) + 0.5;
  double x1 = floor (width) - 0.5;
  gint64 known_ns = pairs->fit.uncertainty_ns;
  double top = ns_pair_paint_get_clock_y (pairs, known_ns, height);
  double bottom = ns_pair_paint_get_clock_y (pairs, -known_ns, height);
  double middle = floor (height / 2) + 0.5;
  guint i;

  ns_paint_color (paint, NS_COLOR_BASE, 1);
  ns_paint_box (paint, x0, 0.5, x1, floor (height) - 0.5);
  cairo_fill (paint->cr);
  ns_paint_mix (paint, NS_COLOR_ACCENT, NS_COLOR_BASE, CLOCK_BAND_SHADE);
  ns_paint_box (paint, x0, top, x1, bottom);
  cairo_fill (paint->cr);
  if (paint->palette->is_high_contrast)
    {
      ns_paint_color (paint, NS_COLOR_ACCENT, 1);
      ns_paint_box (paint, x0, floor (top) + 0.5, x1, floor (bottom) + 0.5);
      cairo_stroke (paint->cr);
    }
  ns_paint_color (paint, NS_COLOR_ACCENT, 1);
  cairo_set_line_width (paint->cr, 2);
  ns_paint_line (paint, x0, middle, x1, middle);
  cairo_set_line_width (paint->cr, 1);
  for (i = 0; i < 2; i++)
    paint_ways (paint, pairs, i, x0, x1, height);
  ns_paint_color (paint, NS_COLOR_BORDER, 1);
  ns_paint_box (paint, x0, 0.5, x1, floor (height) - 0.5);
  cairo_stroke (paint->cr);
  paint_level (paint, pairs, 0, x0, height);
  if (known_ns > 0)
    {
      paint_level (paint, pairs, known_ns, x0, height);
      paint_level (paint, pairs, -known_ns, x0, height);
    }
}
