/* Between which times the records of a session can lie.
 *
 * Where a file is damaged, a record may be read whose time is none. One such record would make a
 * trace of seconds one of centuries. The header of a file that was closed says when the session
 * ended; otherwise no record may be long after all that stand before it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-bounds.h"

/* Sessions that were merged begin at different times. */
#define BEFORE_S (30 * 24 * 3600)
/* What was under way when the session ended. */
#define AFTER_END_S 3600
/* A session that tells nothing for so long was not recording. */
#define SILENCE_S (30 * 24 * 3600)
/* A header is wrong rather than one record of so many. */
#define MIN_PER_STRAY 10

static gint64
seconds_to_counts (const NsEtlClock *clock, double seconds)
{
  return (gint64) MIN (seconds * (double) clock->frequency, (double) (G_MAXINT64 / 4));
}

/**
 * ns_etl_bounds_init:
 * @self: (out): bounds
 * @clock: the trace's, kept
 * @header: what the file says
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
 * @self: bounds, when all records have been looked at
 *
 * Returns: %TRUE if some records lie outside, but so few that it is they that are wrong
 */
gboolean
ns_etl_bounds_are_believed (const NsEtlBounds *self)
{
  return self->n_strays > 0 && self->n_times / MIN_PER_STRAY >= self->n_strays;
}
