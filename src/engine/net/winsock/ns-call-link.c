/* Links WinSock calls with their socket, name look-up and operation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-parts.h"
#include "engine/net/winsock/ns-call-link.h"
#include "engine/trace/ns-interval-index.h"

typedef struct
{
  const NsTrace *trace;
  const GArray *owners;        /* NsCallOwner: one for each row of the calls */
  NsIntervalIndex by_endpoint; /* (endpoint, process object) → rows of winsock */
  NsIntervalIndex by_remote; /* the same keys with the remote endpoint; empty unless an endpoint has
                                very many rows */
  NsIntervalIndex lookups;   /* (name, end time) → rows of dns */
} Linker;

static const NsWinsockRow *
get_socket (const Linker *self, NsRow number)
{
  return NS_ROW_AT (self->trace->winsock, NsWinsockRow, number);
}

static gint64
get_time (const NsCallRow *call)
{
  return call->before_trace ? call->close_ns : call->open_ns;
}

static gboolean
lived_at (const NsWinsockRow *row, gint64 time_ns)
{
  return !ns_time_is_set (row->close_ns) || row->close_ns >= time_ns;
}

/* Finds the newest socket with the remote endpoint of the call; used if an endpoint has more rows
 * than are searched. */
static NsRow
find_by_remote (const Linker *self, const NsCallRow *call, guint64 process)
{
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  const NsLife *lives;
  guint i;

  lives = ns_interval_index_get (&self->by_remote,
                                 call->endpoint ^ ns_endpoint_hash (&call->remote),
                                 process,
                                 &i);
  for (i = ns_interval_index_count_until (lives, i, get_time (call)); i > 0 && n_left > 0;
       i--, n_left--)
    {
      const NsWinsockRow *row = get_socket (self, lives[i - 1].row);

      /* Compare both words, as keys may collide. */
      if (row->endpoint == call->endpoint && ns_endpoint_equal (row->remote, &call->remote) &&
          lived_at (row, get_time (call)))
        return lives[i - 1].row;
    }
  return 0;
}

/* Finds the newest socket that was open at the call; if none of those searched has the call's
 * remote endpoint, the oldest of them. */
static NsRow
find_by_endpoint (const Linker *self, const NsCallRow *call, guint64 process)
{
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  const NsLife *lives;
  NsRow fallback = 0;
  guint i;

  lives = ns_interval_index_get (&self->by_endpoint, call->endpoint, process, &i);
  for (i = ns_interval_index_count_until (lives, i, get_time (call)); i > 0 && n_left > 0;
       i--, n_left--)
    {
      const NsWinsockRow *row = get_socket (self, lives[i - 1].row);

      if (!lived_at (row, get_time (call)))
        continue;
      if (call->remote.port == 0 || ns_endpoint_equal (row->remote, &call->remote))
        return lives[i - 1].row;
      fallback = lives[i - 1].row;
    }
  return fallback;
}

/* Finds the socket of the endpoint at that time; for a datagram socket, the row of the peer in
 * the call. */
static NsRow
find_socket (const Linker *self, const NsCallRow *call, guint64 process)
{
  NsRow row = call->remote.port != 0 ? find_by_remote (self, call, process) : 0;

  return row != 0 ? row : find_by_endpoint (self, call, process);
}

static void
link_resolution (const Linker *self, NsCallRow *call)
{
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  const NsLife *lives;
  guint i;

  lives = ns_interval_index_get (&self->lookups, call->params, (guint64) call->close_ns, &i);
  for (; i > 0 && n_left > 0; i--, n_left--)
    {
      const NsDnsRow *row = NS_ROW_AT (self->trace->dns, NsDnsRow, lives[i - 1].row);

      call->dns = lives[i - 1].row;
      call->activity = row->activity;
      if (row->pid == call->pid)
        return;
    }
}

static void
sockets_init (Linker *self, const NsTrace *trace)
{
  guint i;

  self->trace = trace;
  ns_interval_index_init (&self->by_endpoint);
  ns_interval_index_init (&self->by_remote);
  for (i = 0; i < trace->winsock->len; i++)
    {
      const NsWinsockRow *row = &g_array_index (trace->winsock, NsWinsockRow, i);

      ns_interval_index_add (&self->by_endpoint,
                             row->endpoint,
                             row->process_object,
                             i + 1,
                             row->open_ns);
    }
  ns_interval_index_settle (&self->by_endpoint);
  for (i = 0; self->by_endpoint.n_most > NS_INTERVAL_INDEX_MAX_LOOK_BACK && i < trace->winsock->len;
       i++)
    {
      const NsWinsockRow *row = &g_array_index (trace->winsock, NsWinsockRow, i);

      ns_interval_index_add (&self->by_remote,
                             row->endpoint ^ ns_endpoint_hash (row->remote),
                             row->process_object,
                             i + 1,
                             row->open_ns);
    }
  ns_interval_index_settle (&self->by_remote);
}

/**
 * ns_call_link_sockets: (skip)
 * @trace: a trace whose sockets are complete
 * @owners: (element-type NsCallOwner): one for each row of the calls
 *
 * Sets the socket of each call.
 */
void
ns_call_link_sockets (NsTrace *trace, const GArray *owners)
{
  Linker self;
  guint i;

  if (trace->calls->len == 0)
    return;
  sockets_init (&self, trace);
  for (i = 0; i < trace->calls->len; i++)
    {
      guint64 process = g_array_index (owners, NsCallOwner, i).process;
      NsCallRow *call = &g_array_index (trace->calls, NsCallRow, i);

      if (process != 0)
        call->winsock = find_socket (&self, call, process);
    }
  ns_interval_index_clear (&self.by_endpoint);
  ns_interval_index_clear (&self.by_remote);
}

static void
lookups_init (Linker *self, const NsTrace *trace)
{
  guint i;

  ns_interval_index_init (&self->lookups);
  /* Look-ups of one key have the same end, so their begin need not be compared. */
  for (i = 0; i < trace->dns->len; i++)
    {
      const NsDnsRow *row = &g_array_index (trace->dns, NsDnsRow, i);

      ns_interval_index_add (&self->lookups,
                             row->query,
                             (guint64) row->close_ns,
                             i + 1,
                             NS_TIME_NONE);
    }
  ns_interval_index_settle (&self->lookups);
}

static void
link_activities_cb (guint begin, guint end, guint worker, gpointer user_data)
{
  const Linker *self = user_data;
  const NsTrace *trace = self->trace;
  guint i;

  for (i = begin; i < end; i++)
    {
      NsCallRow *call = &g_array_index (trace->calls, NsCallRow, i);

      if (g_array_index (self->owners, NsCallOwner, i).process == 0)
        link_resolution (self, call);
      else if (call->winsock != 0)
        call->activity = get_socket (self, call->winsock)->activity;
    }
}

/**
 * ns_call_link_activities: (skip)
 * @trace: a trace whose master table is complete
 * @owners: (element-type NsCallOwner): one for each row of the calls
 *
 * Sets the operation of each call, and the look-up.
 */
void
ns_call_link_activities (NsTrace *trace, const GArray *owners)
{
  Linker self = { .trace = trace, .owners = owners };

  if (trace->calls->len == 0)
    return;
  lookups_init (&self, trace);
  ns_parts_run (trace->calls->len, TRUE, link_activities_cb, &self, NULL, NULL);
  ns_interval_index_clear (&self.lookups);
}
