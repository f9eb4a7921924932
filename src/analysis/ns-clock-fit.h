/* Estimates the difference of two machines' clocks from the traffic between them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-time.h"

G_BEGIN_DECLS

/* Minimum number of exchanges for an estimate. */
#define NS_CLOCK_MIN_EXCHANGES 3

/**
 * NsClockBound:
 * @time_ns: time by the first clock
 * @difference_ns: time by the second clock minus time by the first clock
 *
 * A packet between the machines. If the first machine sent it, it arrived after it was sent, so the
 * clocks differ by at most @difference_ns; if the second machine sent it, by at least that.
 */
typedef struct
{
  gint64 time_ns;
  gint64 difference_ns;
} NsClockBound;

/**
 * NsClockFit:
 * @middle_ns: reference time by the first clock
 * @offset_ns: added to @middle_ns gives the time by the second clock
 * @drift: nanoseconds that the second clock gains per nanosecond of the first
 * @uncertainty_ns: half of the quickest round trip: the maximum error of @offset_ns, reached if one
 *   direction takes all of it
 * @n_exchanges: number of exchanges found
 *
 * A linear estimate of the difference of two clocks.
 */
typedef struct
{
  gint64 middle_ns;
  gint64 offset_ns;
  double drift;
  gint64 uncertainty_ns;
  guint n_exchanges;
} NsClockFit;

gboolean ns_clock_fit_find (NsClockFit *self, GArray *upper, GArray *lower);
gint64 ns_clock_fit_to_first (const NsClockFit *self, gint64 time_ns);
gint64 ns_clock_fit_to_second (const NsClockFit *self, gint64 time_ns);

G_END_DECLS
