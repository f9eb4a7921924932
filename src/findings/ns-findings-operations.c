/* Lists the operations that rules read: a pass over all rows of a large trace reads more memory
 * than the processor's cache holds.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

static gboolean
is_timed (const NsActivityRow *row)
{
  return row->parent == 0 && (row->phases != NULL || row->webio != 0);
}

/* Counts the requests of each process to each host. */
static void
count_requests (GArray *requests)
{
  g_autoptr (NsFindingSieve) sieve = ns_finding_sieve_new (requests->len);
  guint i;

  for (i = 0; i < requests->len; i++)
    ns_finding_sieve_add (sieve, g_array_index (requests, NsFindingRequest, i).peer);
  for (i = 0; i < requests->len; i++)
    {
      NsFindingRequest *request = &g_array_index (requests, NsFindingRequest, i);

      request->n_peer = ns_finding_sieve_get (sieve, request->peer);
    }
}

/**
 * ns_finding_operations_new: (skip)
 * @trace: a trace
 *
 * Returns: (transfer full): lists of its operations
 */
NsFindingOperations *
ns_finding_operations_new (const NsTrace *trace)
{
  NsFindingOperations *self = g_new (NsFindingOperations, 1);
  guint i;

  self->requests = g_array_new (FALSE, FALSE, sizeof (NsFindingRequest));
  self->exchanges = g_array_new (FALSE, FALSE, sizeof (guint));
  self->timed = g_array_new (FALSE, FALSE, sizeof (guint));
  self->failed = g_array_new (FALSE, FALSE, sizeof (guint));
  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);
      gboolean is_request = ns_findings_is_request (row);

      if (is_request)
        {
          guint32 peer = ns_findings_hash_peer (trace, row->pid, row->server, row->remote);
          NsFindingRequest request = { i, peer, 0 };

          g_array_append_val (self->requests, request);
        }
      if (is_request || (row->protocol & NS_LAYER_HTTP) != 0)
        g_array_append_val (self->exchanges, i);
      if (is_timed (row))
        g_array_append_val (self->timed, i);
      if (row->failed || row->error_family != NS_CODE_NONE)
        g_array_append_val (self->failed, i);
    }
  count_requests (self->requests);
  return self;
}

/**
 * ns_finding_operations_free: (skip)
 * @self: (transfer full): lists of operations
 */
void
ns_finding_operations_free (NsFindingOperations *self)
{
  g_array_unref (self->requests);
  g_array_unref (self->exchanges);
  g_array_unref (self->timed);
  g_array_unref (self->failed);
  g_free (self);
}
