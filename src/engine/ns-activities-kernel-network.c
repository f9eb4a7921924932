/* Rows of the kernel's own network events, where the TCPIP provider has no record of the
 * connection.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-activities.h"

#include "engine/ns-names.h"

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
  row.remote = flow->remote;
  row.local = flow->local;
  row.accepted = flow->n_accepts > 0 && flow->n_connects == 0;
  row.sent = flow->sent;
  row.received = flow->received;
  row.open_ns = flow->open_ns;
  row.close_ns = flow->close_ns;
  row.inferred = flow->inferred && !flow->is_udp;
  row.socket = flow->local.port;
  row.stack = flow->stack;
  row.method = ns_activities_flow_method (builder,
                                          row.accepted ? row.local.port : row.remote.port,
                                          &row.remote.ip);
  ns_names_resolve (builder, flow->pid, NS_STRING_NONE, &flow->remote.ip, flow->open_ns, &answer);
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
 * Adds a row for each flow that only the kernel events tell of.
 */
void
ns_activities_add_kernel_network (NsBuilder *builder)
{
  GArray *table = builder->trace->kernel_network;
  guint i;

  for (i = 0; i < table->len; i++)
    {
      NsKernelNetworkRow *flow = &g_array_index (table, NsKernelNetworkRow, i);

      if (flow->tcp == 0)
        add_row (builder, i + 1, flow);
    }
}
