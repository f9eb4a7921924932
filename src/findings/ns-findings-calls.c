/* Lists the calls of sockets that rules read: a pass over all calls of a large trace takes longer
 * than most rules.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

static gboolean
is_connect (const NsCallRow *call)
{
  return call->kind == NS_CALL_CONNECT && call->has_status && !call->before_trace &&
         !ns_ip_is_empty (&call->remote.ip);
}

/* Reads all calls; @sockets: (out): by 0-based call, its socket, or 0. */
static void
read_calls (const NsTrace *trace, NsFindingCalls *self, NsRow *sockets)
{
  guint i;

  for (i = 0; i < trace->calls->len; i++)
    {
      const NsCallRow *call = &g_array_index (trace->calls, NsCallRow, i);
      NsRow row = i + 1;

      sockets[i] = call->winsock <= trace->winsock->len ? call->winsock : 0;
      if (sockets[i] != 0)
        self->first[sockets[i] + 1]++;
      if (call->kind == NS_CALL_SEND && sockets[i] != 0)
        {
          self->n_sends[sockets[i]]++;
          self->has_sends |= ns_time_is_set (call->open_ns);
        }
      if (is_connect (call))
        g_array_append_val (self->connects, row);
      if (call->violation != NS_CALL_IN_ORDER)
        g_array_append_val (self->odd, row);
      if (call->has_status && call->status != 0)
        g_array_append_val (self->failed, row);
    }
}

/**
 * ns_finding_calls_new: (skip)
 * @trace: a trace
 *
 * Returns: (transfer full): its calls
 */
NsFindingCalls *
ns_finding_calls_new (const NsTrace *trace)
{
  guint n_sockets = trace->winsock->len;
  NsFindingCalls *self = g_new0 (NsFindingCalls, 1);
  g_autofree NsRow *sockets = g_new (NsRow, trace->calls->len + 1);
  g_autofree guint *next = NULL;
  guint i;

  self->connects = g_array_new (FALSE, FALSE, sizeof (NsRow));
  self->odd = g_array_new (FALSE, FALSE, sizeof (NsRow));
  self->failed = g_array_new (FALSE, FALSE, sizeof (NsRow));
  self->n_sends = g_new0 (guint, n_sockets + 1);
  self->first = g_new0 (guint, n_sockets + 2);
  read_calls (trace, self, sockets);
  for (i = 0; i <= n_sockets; i++)
    self->first[i + 1] += self->first[i];
  next = g_memdup2 (self->first, (n_sockets + 2) * sizeof (guint));
  self->rows = g_new (NsRow, self->first[n_sockets + 1] + 1);
  for (i = 0; i < trace->calls->len; i++)
    if (sockets[i] != 0)
      self->rows[next[sockets[i]]++] = i + 1;
  return self;
}

/**
 * ns_finding_calls_free: (skip)
 * @self: (transfer full): the calls of a trace
 */
void
ns_finding_calls_free (NsFindingCalls *self)
{
  g_array_unref (self->connects);
  g_array_unref (self->odd);
  g_array_unref (self->failed);
  g_free (self->n_sends);
  g_free (self->first);
  g_free (self->rows);
  g_free (self);
}
