/* Estimates the difference of two machines' clocks from the traffic between them.
 *
 * A packet in one direction and the nearest one in the other are an exchange. Half the sum of
 * their time differences is the offset if both delays are equal; half their difference is the
 * maximum error. As in NTP (RFC 5905, 10), the quickest exchanges are used, one for each part of
 * the recording; the line through them is a Theil–Sen estimate, which is robust against a few
 * outliers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-clock-fit.h"

#include <math.h>

/* Maximum time between the two packets of an exchange: the clocks drift in the meantime. */
#define MAX_APART_NS NS_PER_SECOND

/* Number of parts of the recording, each with its quickest exchange; all slopes between them are
 * computed. */
#define N_PARTS 64

/* Maximum drift; larger values are implausible for computer clocks. */
#define MAX_DRIFT 500e-6

/* An exchange is used if its round trip is at most 1.5 times that of the quickest, plus this. */
#define SLACK_NS 20000

typedef struct
{
  gint64 time_ns;
  gint64 offset_ns;
  gint64 round_trip_ns;
} Exchange;

static int
compare_bounds (gconstpointer a, gconstpointer b)
{
  const NsClockBound *one = a;
  const NsClockBound *other = b;

  return (one->time_ns > other->time_ns) - (one->time_ns < other->time_ns);
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double one = *(const double *) a;
  double other = *(const double *) b;

  return (one > other) - (one < other);
}

static double
take_median (GArray *numbers)
{
  guint middle = numbers->len / 2;

  g_array_sort (numbers, compare_doubles);
  if (numbers->len % 2 == 1)
    return g_array_index (numbers, double, middle);
  return (g_array_index (numbers, double, middle - 1) + g_array_index (numbers, double, middle)) /
         2;
}

/* Finds the quickest exchange of each part of the recording. Bounds are sorted. Returns: total
 * number of exchanges */
static guint
find_exchanges (const GArray *upper, const GArray *lower, Exchange parts[N_PARTS])
{
  const NsClockBound *ups = (const NsClockBound *) upper->data;
  const NsClockBound *downs = (const NsClockBound *) lower->data;
  gint64 begin_ns = ups[0].time_ns;
  double length_ns = (double) ups[upper->len - 1].time_ns - (double) begin_ns + 1;
  guint n_exchanges = 0;
  guint down = 0;
  guint i;

  for (i = 0; i < N_PARTS; i++)
    parts[i].round_trip_ns = G_MAXINT64;
  for (i = 0; i < upper->len; i++)
    {
      Exchange exchange = { .time_ns = ups[i].time_ns };
      guint part = (guint) (((double) ups[i].time_ns - (double) begin_ns) / length_ns * N_PARTS);

      while (down + 1 < lower->len && ABS (downs[down + 1].time_ns - ups[i].time_ns) <=
                                          ABS (downs[down].time_ns - ups[i].time_ns))
        down++;
      if (ABS (downs[down].time_ns - ups[i].time_ns) > MAX_APART_NS)
        continue;
      exchange.round_trip_ns = ups[i].difference_ns - downs[down].difference_ns;
      exchange.offset_ns = downs[down].difference_ns + exchange.round_trip_ns / 2;
      n_exchanges++;
      part = MIN (part, N_PARTS - 1);
      /* A packet cannot arrive before it was sent, so ignore the pair if it seems so. */
      if (exchange.round_trip_ns >= 0 && exchange.round_trip_ns < parts[part].round_trip_ns)
        parts[part] = exchange;
    }
  return n_exchanges;
}

/* Removes parts without an exchange, and slow exchanges. */
static guint
keep_quick (Exchange parts[N_PARTS])
{
  gint64 best_ns = G_MAXINT64;
  guint n_kept = 0;
  guint i;

  for (i = 0; i < N_PARTS; i++)
    best_ns = MIN (best_ns, parts[i].round_trip_ns);
  for (i = 0; i < N_PARTS; i++)
    if (parts[i].round_trip_ns != G_MAXINT64 &&
        parts[i].round_trip_ns - best_ns <= best_ns / 2 + SLACK_NS)
      parts[n_kept++] = parts[i];
  return n_kept;
}

/* Returns the drift; 0 if it is not significant. Exchanges are sorted by time. */
static double
find_drift (const Exchange *exchanges, guint n_exchanges)
{
  g_autoptr (GArray) slopes = g_array_new (FALSE, FALSE, sizeof (double));
  gint64 round_trip_ns = G_MAXINT64;
  double drift;
  guint i;
  guint k;

  for (i = 0; i < n_exchanges; i++)
    round_trip_ns = MIN (round_trip_ns, exchanges[i].round_trip_ns);
  for (i = 0; i < n_exchanges; i++)
    for (k = i + 1; k < n_exchanges; k++)
      if (exchanges[k].time_ns > exchanges[i].time_ns)
        {
          double slope = (double) (exchanges[k].offset_ns - exchanges[i].offset_ns) /
                         (double) (exchanges[k].time_ns - exchanges[i].time_ns);

          g_array_append_val (slopes, slope);
        }
  /* A line fits any two exchanges. */
  if (slopes->len < NS_CLOCK_MIN_EXCHANGES)
    return 0;
  drift = take_median (slopes);
  if (fabs (drift) > MAX_DRIFT)
    return 0;
  /* A drift is not significant if it adds up to less than an eighth of the round trip over the
   * whole recording. */
  return fabs (drift) * (double) (exchanges[n_exchanges - 1].time_ns - exchanges[0].time_ns) >=
                 (double) round_trip_ns / 8
             ? drift
             : 0;
}

static double
get_line (const NsClockFit *self, gint64 time_ns)
{
  /* Any time may be passed: the precision lost by a double is negligible after multiplication by
   * a drift. */
  return self->drift * ((double) time_ns - (double) self->middle_ns);
}

/* Returns the smallest distance of a bound from the line; negative if a bound crosses the line. */
static double
find_nearest (const NsClockFit *self, const GArray *bounds, double sign)
{
  double nearest = INFINITY;
  guint i;

  for (i = 0; i < bounds->len; i++)
    {
      const NsClockBound *bound = &g_array_index (bounds, NsClockBound, i);

      nearest = MIN (nearest,
                     sign * ((double) (bound->difference_ns - self->offset_ns) -
                             get_line (self, bound->time_ns)));
    }
  return nearest;
}

/**
 * ns_clock_fit_find: (skip)
 * @self: (out): the estimate
 * @upper: (element-type NsClockBound): packets sent by the first machine and received by the
 *   second; gets sorted
 * @lower: (element-type NsClockBound): packets sent by the second machine; gets sorted
 *
 * Takes as long as sorting the packets.
 *
 * Returns: %FALSE if there are fewer than %NS_CLOCK_MIN_EXCHANGES exchanges
 */
gboolean
ns_clock_fit_find (NsClockFit *self, GArray *upper, GArray *lower)
{
  Exchange parts[N_PARTS];
  g_autoptr (GArray) offsets = g_array_new (FALSE, FALSE, sizeof (double));
  gint64 base_ns;
  double up_ns;
  double down_ns;
  guint n_parts;
  guint i;

  *self = (NsClockFit){ .uncertainty_ns = G_MAXINT64 };
  if (upper->len == 0 || lower->len == 0)
    return FALSE;
  g_array_sort (upper, compare_bounds);
  g_array_sort (lower, compare_bounds);
  self->n_exchanges = find_exchanges (upper, lower, parts);
  n_parts = keep_quick (parts);
  if (self->n_exchanges < NS_CLOCK_MIN_EXCHANGES || n_parts == 0)
    return FALSE;

  self->drift = find_drift (parts, n_parts);
  self->middle_ns = parts[n_parts / 2].time_ns;
  base_ns = parts[n_parts / 2].offset_ns;
  for (i = 0; i < n_parts; i++)
    {
      double offset_ns =
          (double) (parts[i].offset_ns - base_ns) - get_line (self, parts[i].time_ns);

      g_array_append_val (offsets, offset_ns);
    }
  self->offset_ns = base_ns + llround (take_median (offsets));

  /* The quickest packets of both directions may belong to different exchanges. A bound that
   * crosses the line belongs to something else; then only the exchanges are used. */
  up_ns = find_nearest (self, upper, 1);
  down_ns = find_nearest (self, lower, -1);
  if (up_ns >= 0 && down_ns >= 0)
    {
      self->offset_ns += llround ((up_ns - down_ns) / 2);
      self->uncertainty_ns = llround ((up_ns + down_ns) / 2);
    }
  else
    for (i = 0; i < n_parts; i++)
      self->uncertainty_ns = MIN (self->uncertainty_ns, parts[i].round_trip_ns / 2);
  self->uncertainty_ns = MAX (self->uncertainty_ns, 1);
  return TRUE;
}

/**
 * ns_clock_fit_to_second:
 * @self: a line
 * @time_ns: a time by the first clock
 *
 * Returns: the time by the second clock
 */
gint64
ns_clock_fit_to_second (const NsClockFit *self, gint64 time_ns)
{
  return ns_time_after (ns_time_after (time_ns, self->offset_ns),
                        llround (get_line (self, time_ns)));
}

/**
 * ns_clock_fit_to_first:
 * @self: a line
 * @time_ns: a time by the second clock
 *
 * Returns: the time by the first clock
 */
gint64
ns_clock_fit_to_first (const NsClockFit *self, gint64 time_ns)
{
  gint64 plain_ns = ns_time_after (time_ns, -self->offset_ns);

  return ns_time_after (plain_ns, -llround (get_line (self, plain_ns) / (1 + self->drift)));
}
