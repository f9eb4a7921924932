/* Copies packet facts into rows: errors, phases and times of a conversation and of its exchanges.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-activities-row.h"
#include "engine/net/flows/ns-flow-upper.h"
#include "engine/net/flows/ns-flow.h"
#include "engine/trace/ns-phases.h"

/* WinSock errors (winerror.h) that the program would have received. */
enum
{
  WSA_NETWORK_UNREACHABLE = 10051,
  WSA_CONNECTION_ABORTED = 10053,
  WSA_CONNECTION_RESET = 10054,
  WSA_TIMED_OUT = 10060,
  WSA_CONNECTION_REFUSED = 10061,
  WSA_HOST_UNREACHABLE = 10065,
};

static guint32
layer_of (const NsFlowRow *flow)
{
  switch (flow->kind)
    {
    case NS_FLOW_TCP:
      return NS_LAYER_TCP;
    case NS_FLOW_UDP:
      return NS_LAYER_UDP;
    case NS_FLOW_ICMP:
      return NS_LAYER_ICMP;
    default:
      return NS_LAYER_IP;
    }
}

/* Returns the WinSock error for an ICMP error: only “destination unreachable” (type 3; ICMPv6
 * type 1) is a failure. */
static guint32
icmp_error_of (const NsFlowRow *flow)
{
  const NsFlowMore *more = ns_flow_get_more (flow);
  gboolean is_v6 = more->icmp_from.family == NS_AF_INET6;

  if (more->n_icmp_errors == 0 || more->icmp_type != (is_v6 ? 1 : 3))
    return 0;
  if (!is_v6 && more->icmp_code == 4) /* fragmentation needed */
    return 0;
  return more->icmp_code == 0 ? WSA_NETWORK_UNREACHABLE : WSA_HOST_UNREACHABLE;
}

NsLayerSet
ns_flow_get_layers_inside (const NsFlowRow *flow)
{
  return (flow->inside != NULL && flow->inside->is_tls ? NS_LAYER_TLS : 0) |
         (flow->app == NS_FLOW_APP_QUIC ? NS_LAYER_QUIC : 0);
}

/**
 * ns_flow_get_error: (skip)
 * @flow: a conversation
 *
 * Returns: the WinSock error that the program would have received, or 0
 */
guint32
ns_flow_get_error (const NsFlowRow *flow)
{
  gboolean is_own = flow->is_reset_by_client != (flow->local == NS_FLOW_LOCAL_SERVER);

  switch (flow->end)
    {
    case NS_FLOW_END_REFUSED:
      return WSA_CONNECTION_REFUSED;
    case NS_FLOW_END_NO_ANSWER:
      return ns_flow_get_more (flow)->n_icmp_errors > 0 ? icmp_error_of (flow) : WSA_TIMED_OUT;
    case NS_FLOW_END_RST:
      return is_own ? WSA_CONNECTION_ABORTED : WSA_CONNECTION_RESET;
    default:
      return icmp_error_of (flow);
    }
}

/* Returns the time from the SYN to the SYN/ACK; for an accepted connection, from the SYN/ACK to
 * the ACK. */
static gint64
connect_ns_of (const NsFlowRow *flow)
{
  gint64 connect_ns = ns_flow_get_connect_ns (flow);

  if (flow->kind != NS_FLOW_TCP || connect_ns < 0)
    return NS_UNKNOWN;
  return flow->local == NS_FLOW_LOCAL_SERVER ? flow->handshake_ns : connect_ns;
}

/**
 * ns_flow_add_phases: (skip)
 * @flow: a conversation
 * @row: its row, or that of its first exchange
 * @phases: (inout): gets the times of the TCP and the TLS handshake
 *
 * A TCP handshake from before the row is moved to the begin of the row, as the kernel reports some
 * connections only once they are established.
 */
void
ns_flow_add_phases (const NsFlowRow *flow, const NsActivityRow *row, NsPhases *phases)
{
  gint64 connect_ns = connect_ns_of (flow);
  gint64 begin_ns = MAX (flow->open_ns, row->open_ns);

  if (connect_ns != NS_UNKNOWN)
    ns_phases_add (phases, NS_PHASE_CONNECT, begin_ns, begin_ns + connect_ns);
  if (flow->inside != NULL && flow->inside->tls_end_ns != NS_TIME_NONE)
    ns_phases_add (phases, NS_PHASE_TLS, flow->inside->tls_begin_ns, flow->inside->tls_end_ns);
}

/**
 * ns_flow_keep_phases: (skip)
 * @trace: the trace that is being built
 * @row: a row whose times are known
 * @phases: its measured phases
 */
void
ns_flow_keep_phases (NsTrace *trace, NsActivityRow *row, const NsPhases *phases)
{
  gint64 close_ns = row->close_ns == NS_TIME_OPEN ? trace->end_ns : row->close_ns;
  gint64 durations[NS_N_PHASES];

  row->phases = NULL;
  if (phases->n_spans == 0)
    return;
  ns_phases_split (phases, row->open_ns, close_ns, durations);
  ns_trace_keep_row_phases (trace, row, durations);
}

/**
 * ns_flow_init_row: (skip)
 * @builder: the builder
 * @row: (out): a row to fill in
 * @source: a conversation without rows of another layer
 */
void
ns_flow_init_row (NsBuilder *builder, NsActivityRow *row, NsRow source)
{
  NsTrace *trace = builder->trace;
  const NsFlowRow *flow = NS_ROW_AT (trace->flows, NsFlowRow, source);

  ns_activities_init (row, layer_of (flow), NS_TABLE_FLOWS, source);
  row->layers |= ns_flow_get_layers_inside (flow);
  row->flow = source;
  row->tcp = flow->tcp;
  row->kernel_network = flow->kernel_network;
  row->pid = flow->pid;
  row->remote = ns_flow_get_remote (flow);
  row->local = ns_flow_get_local (flow);
  row->accepted = flow->local == NS_FLOW_LOCAL_SERVER;
  row->open_ns = flow->open_ns;
  row->close_ns = flow->close_ns;
  row->inferred = row->opened_before_trace = flow->start == NS_FLOW_START_MIDDLE;
  row->socket = row->local->port;
}
