/* Sieves: which rows cannot belong to a group that a rule reports.
 *
 * Most rows belong to groups that stay below the thresholds of a rule. A group needs a text and
 * lists; a count by hash needs neither. Groups whose hashes collide are counted together, so a
 * count may be too high, never too low.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

/* Counts per row that may be added. */
#define COUNTS_PER_ROW 2
#define MIN_BITS 6
#define MAX_BITS 24

/**
 * ns_finding_sieve_new: (skip)
 * @n_rows: about the number of rows that will be added
 *
 * Returns: (transfer full): a sieve that contains no rows
 */
NsFindingSieve *
ns_finding_sieve_new (guint n_rows)
{
  guint n_bits = g_bit_storage ((gulong) n_rows * COUNTS_PER_ROW);
  NsFindingSieve *self = g_new (NsFindingSieve, 1);

  self->mask = (1u << CLAMP (n_bits, MIN_BITS, MAX_BITS)) - 1;
  self->counts = g_new0 (guint16, (gsize) self->mask + 1);
  return self;
}

/**
 * ns_finding_sieve_free: (skip)
 * @self: (transfer full): a sieve
 */
void
ns_finding_sieve_free (NsFindingSieve *self)
{
  g_free (self->counts);
  g_free (self);
}
