/* Converts raw times of a trace to nanoseconds since its start and to wall-clock time.
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
 * @kind: kind of the clock
 * @base: raw time at 0 ns
 * @start_filetime: wall-clock time at 0 ns
 * @frequency: raw counts per second
 * @ns_per_count: nanoseconds per count if that is an integer, else 0
 * @max_counts: up to this number of counts, the product with @ns_per_count does not overflow
 * @zero_ns: aligned time at 0 ns; 0 unless aligned with the clock of another machine
 * @gain: drift of that clock against this one, in units of 2^-40
 * @is_aligned: whether the clock was aligned
 *
 * Converts the raw time of an event.
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

/* Returns the counts since the start, saturated, so that a later raw time never yields an earlier
 * time. */
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
 * @raw: raw time of an event
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
