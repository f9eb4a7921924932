/* Joins conversations to the connections and sockets that other layers recorded.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow.h"
#include "engine/net/flows/ns-flows.h"
#include "engine/net/tcpip/ns-tcpip.h"

static guint32
pid_of (const NsTrace *trace, const NsFlowRow *row)
{
  guint32 pid = NS_PID_UNKNOWN;

  if (row->tcp != 0)
    pid = NS_ROW_AT (trace->tcp, NsTcpRow, row->tcp)->pid;
  if (pid == NS_PID_UNKNOWN && row->winsock != 0)
    pid = NS_ROW_AT (trace->winsock, NsWinsockRow, row->winsock)->pid;
  if (pid == NS_PID_UNKNOWN && row->kernel_network != 0)
    pid = NS_ROW_AT (trace->kernel_network, NsKernelNetworkRow, row->kernel_network)->pid;
  return pid;
}

/* Finds the records of a conversation, assuming that its local endpoint is @local. */
static gboolean
join (NsFlowRecords *records, NsFlowRow *row, const NsEndpoint *local, const NsEndpoint *remote)
{
  const NsFlowEnds ends = { .remote = remote,
                            .local = local,
                            .open_ns = row->open_ns,
                            .last_ns = row->last_ns,
                            .is_udp = row->kind == NS_FLOW_UDP };
  NsRow *const rows[NS_FLOW_N_RECORDS] = { &row->tcp, &row->winsock, &row->kernel_network };
  guint n_most = 0;
  guint i;

  for (i = 0; i < NS_FLOW_N_RECORDS; i++)
    {
      guint n = 0;

      *rows[i] = ns_flow_records_take (records, i, &ends, &n);
      n_most = MAX (n_most, n);
    }
  if (n_most > 0)
    row->confidence = n_most > 1 ? NS_CONFIDENCE_INFERRED : NS_CONFIDENCE_LIKELY;
  return n_most > 0;
}

/* Returns whether a sequence number that TCPIP recorded for this machine lies within the
 * captured ones. */
static gboolean
fits_sequence (const NsBuilder *builder, const NsFlowRow *row)
{
  guint side = ns_flow_get_side (row, TRUE);
  const NsFlowWay *way = &row->ways[side];
  guint32 sequence;

  if (row->tcp == 0 || row->kind != NS_FLOW_TCP || way->n_packets == 0 ||
      !ns_tcpip_get_sequence (builder, row->tcp, &sequence))
    return FALSE;
  return (guint32) (sequence - way->isn) <=
         way->payload_bytes + ns_flow_get_more (row)->ways[side].missing_bytes + 1;
}

/**
 * ns_flows_join: (skip)
 * @builder: the builder, whose trace has its conversations
 * @records: connections and sockets of other layers
 *
 * Links each conversation with its rows of connections and sockets. Also determines the local
 * endpoint by these records if the packets do not show it.
 */
void
ns_flows_join (NsBuilder *builder, NsFlowRecords *records)
{
  NsTrace *trace = builder->trace;
  guint i;

  for (i = 0; i < trace->flows->len; i++)
    {
      NsFlowRow *row = &g_array_index (trace->flows, NsFlowRow, i);

      if (row->kind != NS_FLOW_TCP && row->kind != NS_FLOW_UDP)
        continue;
      if (!join (records, row, ns_flow_get_local (row), ns_flow_get_remote (row)) &&
          (row->local == NS_FLOW_LOCAL_UNKNOWN || row->local == NS_FLOW_LOCAL_BOTH) &&
          join (records, row, &row->server, &row->client) && row->local == NS_FLOW_LOCAL_UNKNOWN)
        row->local = NS_FLOW_LOCAL_SERVER;
      else if (row->confidence >= 0 && row->local == NS_FLOW_LOCAL_UNKNOWN)
        row->local = NS_FLOW_LOCAL_CLIENT;
      if (fits_sequence (builder, row))
        row->confidence = NS_CONFIDENCE_CERTAIN;
      row->pid = pid_of (trace, row);
    }
}
