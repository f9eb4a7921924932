/* Rows of kernel network events (Kernel-Network and TcpIp), for connections that the TCPIP provider
 * did not record.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-activities-row.h"

#include "engine/net/names/ns-host-names.h"
#include "engine/trace/ns-interval-index.h"

/* Maximum time between a connection's kernel events and those of its other providers, which
 * share one clock. */
#define SLACK_NS NS_PER_SECOND

/* Indexes the requests and sockets that have no connection of the TCPIP provider. */
static void
index_rows (const NsTrace *trace, NsIntervalIndex *users)
{
  guint i;

  ns_interval_index_init (users);
  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);

      if (row->tcp == 0 && !ns_endpoint_is_empty (row->remote))
        ns_interval_index_add (users,
                               row->pid,
                               ns_endpoint_hash (row->remote),
                               i + 1,
                               row->open_ns);
    }
  ns_interval_index_settle (users);
}

static gboolean
lives_overlap (const NsActivityRow *row, const NsKernelNetworkRow *flow)
{
  return row->open_ns <= flow->last_ns + SLACK_NS &&
         (row->close_ns == NS_TIME_OPEN || flow->open_ns <= row->close_ns + SLACK_NS);
}

/* Returns the row that uses the flow: the one with its port, else one with an unknown port. */
static NsRow
find_user (const NsTrace *trace, const NsIntervalIndex *users, const NsKernelNetworkRow *flow)
{
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  const NsLife *lives;
  NsRow portless = 0;
  guint i;

  lives = ns_interval_index_get (users, flow->pid, ns_endpoint_hash (&flow->remote), &i);
  for (i = ns_interval_index_count_until (lives, i, flow->last_ns + SLACK_NS); i > 0 && n_left > 0;
       i--, n_left--)
    {
      NsRow number = lives[i - 1].row;
      const NsActivityRow *user = NS_ROW_AT (trace->activities, NsActivityRow, number);

      if (!ns_endpoint_equal (user->remote, &flow->remote) || !lives_overlap (user, flow))
        continue;
      if (user->local->port != 0 && user->local->port == flow->local.port)
        return number;
      if (user->local->port == 0 && user->kernel_network == 0)
        portless = number;
    }
  return portless;
}

/* Makes the flow a lower layer of the row, so that its bytes count once. */
static void
take (NsBuilder *builder, NsRow activity, NsRow source, NsKernelNetworkRow *flow)
{
  NsActivityRow *row = NS_ROW_AT (builder->trace->activities, NsActivityRow, activity);

  row->layers |= flow->is_udp ? NS_LAYER_UDP : NS_LAYER_TCP;
  if (row->kernel_network == 0)
    row->kernel_network = source;
  if (ns_ip_is_empty (&row->local->ip))
    row->local = ns_endpoint_pool_add (builder->trace->ends, &flow->local);
  flow->activity = activity;
}

static void
add_row (NsBuilder *builder, NsRow source, NsKernelNetworkRow *flow)
{
  NsActivityRow row;
  NsNameAnswer answer = { 0 };

  ns_activities_init (&row,
                      flow->is_udp ? NS_LAYER_UDP : NS_LAYER_TCP,
                      NS_TABLE_KERNEL_NETWORK,
                      source);
  row.kernel_network = source;
  row.pid = flow->pid;
  row.remote = ns_endpoint_pool_add (builder->trace->ends, &flow->remote);
  row.local = ns_endpoint_pool_add (builder->trace->ends, &flow->local);
  row.accepted = flow->n_accepts > 0 && flow->n_connects == 0;
  row.sent = flow->sent;
  row.received = flow->received;
  row.open_ns = flow->open_ns;
  row.close_ns = flow->close_ns;
  row.inferred = flow->inferred && !flow->is_udp;
  row.socket = flow->local.port;
  row.stack = flow->stack;
  row.method =
      ns_activities_flow_method (builder, row.accepted ? row.local->port : row.remote->port);
  ns_host_names_resolve (builder,
                         flow->pid,
                         NS_STRING_NONE,
                         &flow->remote.ip,
                         flow->open_ns,
                         &answer);
  row.server = answer.server;
  row.server_alt = answer.alt;
  row.name_inferred = answer.inferred;
  row.dns = answer.dns;
  flow->activity = ns_activities_append (builder, &row);
}

/**
 * ns_activities_add_kernel_network:
 * @builder: the builder
 *
 * Adds a row for each flow recorded by kernel events only, and makes the others lower layers of the
 * request or socket that uses them.
 */
void
ns_activities_add_kernel_network (NsBuilder *builder)
{
  GArray *table = builder->trace->kernel_network;
  NsIntervalIndex users;
  guint i;

  index_rows (builder->trace, &users);
  for (i = 0; i < table->len; i++)
    {
      NsKernelNetworkRow *flow = &g_array_index (table, NsKernelNetworkRow, i);
      NsRow user = flow->tcp == 0 ? find_user (builder->trace, &users, flow) : 0;

      if (user != 0)
        take (builder, user, i + 1, flow);
      else if (flow->tcp == 0)
        add_row (builder, i + 1, flow);
    }
  ns_interval_index_clear (&users);
}
