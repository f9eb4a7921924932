/* How far the clock of one machine is from that of another, by what went between them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-time.h"

G_BEGIN_DECLS

/* Fewer of them show no clock. */
#define NS_CLOCK_MIN_EXCHANGES 3

/**
 * NsClockBound:
 * @time_ns: by the first clock
 * @difference_ns: time by the second clock less time by the first
 *
 * Something that went from one machine to the other. What the first one sent arrived after it was
 * sent, so that the clocks differ by no more than @difference_ns; by no less, where the second one
 * sent it.
 */
typedef struct
{
  gint64 time_ns;
  gint64 difference_ns;
} NsClockBound;

/**
 * NsClockFit:
 * @middle_ns: a moment by the first clock
 * @offset_ns: what is added to it for the time by the second clock
 * @drift: nanoseconds that the second clock gains in one of the first
 * @uncertainty_ns: half of the quickest way there and back: by so much @offset_ns may be wrong at
 *   most, if each of the ways takes all of it
 * @n_exchanges: ways there and back that were found
 *
 * A line through what two clocks differ by.
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
