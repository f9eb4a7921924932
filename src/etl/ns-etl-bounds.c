/* Plausible times of a session's records.
 *
 * In a damaged file a record may be read whose time is wrong; one such record would stretch a trace
 * of seconds to centuries. The header of a file that was closed holds the end of the session;
 * without it, no record may be much later than all records before it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-bounds.h"

/* Merged sessions begin at different times. */
#define BEFORE_S (30 * 24 * 3600)
/* Tolerance for operations in progress at the end of the session. */
#define AFTER_END_S 3600
/* A session that is silent this long was not recording. */
#define SILENCE_S (30 * 24 * 3600)
/* Maximum share of records outside the bounds: if more than one in this many is outside, the header
 * is wrong. */
#define MIN_PER_STRAY 10

static gint64
seconds_to_counts (const NsEtlClock *clock, double seconds)
{
  return (gint64) MIN (seconds * (double) clock->frequency, (double) (G_MAXINT64 / 4));
}

/**
 * ns_etl_bounds_init:
 * @self: (out): bounds
 * @clock: the clock of the trace; must outlive @self
 * @header: the header of the file
 */
void
ns_etl_bounds_init (NsEtlBounds *self, const NsEtlClock *clock, const NsEtlHeader *header)
{
  *self = (NsEtlBounds){ .clock = clock };
  self->low = -seconds_to_counts (clock, BEFORE_S);
  if (header->end_filetime > header->start_filetime && header->start_filetime > 0)
    {
      double seconds =
          (double) (header->end_filetime - header->start_filetime) / (double) NS_TICKS_PER_SECOND;

      self->high = seconds_to_counts (clock, seconds + AFTER_END_S);
      return;
    }
  self->slack = seconds_to_counts (clock, SILENCE_S);
  self->high = self->slack;
}

/**
 * ns_etl_bounds_are_believed:
 * @self: bounds that have seen all records
 *
 * Returns: %TRUE if some records are outside, but so few that their times are wrong and not the
 *   bounds
 */
gboolean
ns_etl_bounds_are_believed (const NsEtlBounds *self)
{
  return self->n_strays > 0 && self->n_times / MIN_PER_STRAY >= self->n_strays;
}
