/* From the clock of a trace to nanoseconds since its start and to the wall clock.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-time.h"
#include "etl/ns-etl-align.h"
#include "etl/ns-etl-file.h"
#include "etl/ns-etl-scale.h"

G_BEGIN_DECLS

/**
 * NsEtlClock:
 * @base: raw time where 0 ns is
 * @start_filetime: wall clock there
 * @frequency: raw counts per second
 * @ns_per_count: if that is a whole number, else 0
 * @max_counts: up to here the product with that fits
 * @zero_ns: what time it is there; not 0 where it was aligned with the clock of another machine
 * @gain: likewise, what that gains in one of this clock, in units of 2^-40
 * @is_aligned: whether it was
 *
 * All an event needs to get its time.
 */
struct _NsEtlClock
{
  NsClock kind;
  guint64 base;
  guint64 start_filetime;
  guint64 frequency;
  gint64 ns_per_count;
  gint64 max_counts;
  gint64 zero_ns;
  gint64 gain;
  gboolean is_aligned;
};

gboolean ns_etl_clock_init (NsEtlClock *self, const NsEtlHeader *header);
void ns_etl_clock_align (NsEtlClock *self, const NsEtlAlignment *alignment);
gint64 ns_etl_clock_to_ns_by_division (const NsEtlClock *self, guint64 raw);
guint64 ns_etl_clock_to_filetime (const NsEtlClock *self, guint64 raw);

/* Counts since the start. Farther away than the type reaches they stay at its end, so that a later
 * raw time never gives an earlier time.
 */
static inline gint64
ns_etl_clock_get_counts (const NsEtlClock *self, guint64 raw)
{
  gint64 counts = (gint64) (raw - self->base);

  if (G_UNLIKELY ((counts < 0) != (raw < self->base)))
    return raw < self->base ? G_MININT64 + 1 : G_MAXINT64;
  return counts;
}

/**
 * ns_etl_clock_to_ns:
 * @self: a clock
 * @raw: time of an event
 *
 * Returns: nanoseconds since the start, rounded down, within ±%NS_TIME_MAX
 */
static inline gint64
ns_etl_clock_to_ns (const NsEtlClock *self, guint64 raw)
{
  gint64 counts = ns_etl_clock_get_counts (self, raw);

  if (G_LIKELY (counts < self->max_counts && counts > -self->max_counts))
    return counts * self->ns_per_count;
  return ns_etl_clock_to_ns_by_division (self, raw);
}

G_END_DECLS
