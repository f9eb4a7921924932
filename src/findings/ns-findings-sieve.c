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

/**
 * ns_findings_list_requests: (skip)
 * @trace: a trace
 * @exchanges: (out) (transfer full) (element-type guint): rows of the requests, and of HTTP of all
 *   layers, 0-based
 *
 * Lists the requests, which half of the rules read: a pass over all rows of a large trace reads
 * more memory than the processor's cache holds.
 *
 * Returns: (transfer full) (element-type NsFindingRequest): the requests in the order of their rows
 */
GArray *
ns_findings_list_requests (const NsTrace *trace, GArray **exchanges)
{
  GArray *requests = g_array_new (FALSE, FALSE, sizeof (NsFindingRequest));
  NsFindingSieve *sieve;
  guint i;

  *exchanges = g_array_new (FALSE, FALSE, sizeof (guint));
  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);
      NsFindingRequest request = { .row = i };
      gboolean is_request = ns_findings_is_request (row);

      if (is_request || (row->protocol & NS_LAYER_HTTP) != 0)
        g_array_append_val (*exchanges, i);
      if (!is_request)
        continue;
      request.peer = ns_findings_hash_peer (trace, row->pid, row->server, row->remote);
      g_array_append_val (requests, request);
    }
  sieve = ns_finding_sieve_new (requests->len);
  for (i = 0; i < requests->len; i++)
    ns_finding_sieve_add (sieve, g_array_index (requests, NsFindingRequest, i).peer);
  for (i = 0; i < requests->len; i++)
    {
      NsFindingRequest *request = &g_array_index (requests, NsFindingRequest, i);

      request->n_peer = ns_finding_sieve_get (sieve, request->peer);
    }
  ns_finding_sieve_free (sieve);
  return requests;
}
