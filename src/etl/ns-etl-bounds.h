/* Plausible times of a session's records.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-clock.h"

G_BEGIN_DECLS

/* The bounds, in counts of the clock since its start. */
typedef struct
{
  const NsEtlClock *clock;
  gint64 low;
  gint64 high;
  gint64 slack;        /* how much later than all before a record may be; 0: the end is known */
  guint64 n_times;     /* number of times seen so far */
  guint64 n_strays;    /* number of times outside the bounds */
  guint64 first_stray; /* file offset of the first record outside */
} NsEtlBounds;

void ns_etl_bounds_init (NsEtlBounds *self, const NsEtlClock *clock, const NsEtlHeader *header);
gboolean ns_etl_bounds_are_believed (const NsEtlBounds *self);

static inline gboolean
ns_etl_bounds_contain (const NsEtlBounds *self, guint64 raw)
{
  gint64 counts = ns_etl_clock_get_counts (self->clock, raw);

  return counts >= self->low && counts <= self->high;
}

/**
 * ns_etl_bounds_learn:
 * @self: the bounds
 * @raw: time of the next record in the file
 * @offset: file offset of the record
 *
 * Counts one record, and extends the bounds if the end of the session is unknown.
 */
static inline void
ns_etl_bounds_learn (NsEtlBounds *self, guint64 raw, guint64 offset)
{
  gint64 counts = ns_etl_clock_get_counts (self->clock, raw);

  self->n_times++;
  if (G_UNLIKELY (counts < self->low || counts > self->high))
    {
      if (self->n_strays++ == 0)
        self->first_stray = offset;
    }
  else if (self->slack > 0 && counts > self->high - self->slack &&
           counts < G_MAXINT64 - self->slack)
    self->high = counts + self->slack;
}

G_END_DECLS
