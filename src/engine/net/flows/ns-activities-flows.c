/* Rows of the master table for conversations that only packets show, and packet facts for the rows
 * of other layers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-activities-row.h"
#include "engine/net/flows/ns-flow-upper.h"
#include "engine/net/flows/ns-flow.h"
#include "engine/net/flows/ns-flows.h"
#include "engine/net/names/ns-host-names.h"
#include "engine/trace/ns-phases.h"

static NsFlowRow *
flow_at (const NsTrace *trace, NsRow flow)
{
  return NS_ROW_AT (trace->flows, NsFlowRow, flow);
}

static void
add_handshakes (NsTrace *trace, NsActivityRow *row, const NsFlowRow *flow)
{
  NsPhases phases;

  if (row->phases != NULL)
    return;
  ns_phases_init (&phases);
  ns_flow_add_phases (flow, row, &phases);
  ns_flow_keep_phases (trace, row, &phases);
}

/* Sets the error of a row: the peer's TLS alert is more specific than the end of the connection. */
static void
set_error (NsActivityRow *row, const NsFlowRow *flow)
{
  if (flow->inside != NULL && flow->inside->alert_number != 0)
    ns_activities_set_error (row, flow->inside->alert_number, NS_CODE_TLS);
  else
    ns_activities_set_error (row, ns_flow_get_error (flow), NS_CODE_WIN32);
}

/* Returns whether the conversation gets a row: ARP and neighbor discovery serve other operations
 * and get none. */
static gboolean
makes_a_row (const NsFlowRow *flow)
{
  return flow->kind == NS_FLOW_TCP || flow->kind == NS_FLOW_UDP || flow->kind == NS_FLOW_ICMP ||
         (flow->kind == NS_FLOW_OTHER && flow->ip_protocol != 0 && flow->ip_protocol != 58);
}

static NsString
method_of (NsBuilder *builder, const NsFlowRow *flow)
{
  if (flow->kind == NS_FLOW_ICMP)
    return ns_strings_add (builder->trace->strings,
                           ns_flow_get_more (flow)->n_icmp_errors > 0 ? "error" : "echo");
  return ns_activities_flow_method (builder, flow->server.port);
}

/* Sets the server's name: the client's SNI, else the name that the address was resolved from. */
static void
set_name (NsBuilder *builder, NsActivityRow *row, NsFlowRow *flow)
{
  NsNameAnswer answer = { 0 };

  if (flow->inside != NULL && flow->inside->sni != NS_STRING_NONE)
    {
      row->server = flow->server_name = flow->inside->sni;
      return;
    }
  ns_host_names_resolve (builder,
                         row->pid,
                         NS_STRING_NONE,
                         &row->remote->ip,
                         row->open_ns,
                         &answer);
  row->server = answer.server;
  row->server_alt = answer.alt;
  row->name_inferred = answer.inferred;
  row->dns = answer.dns;
  if (flow->local != NS_FLOW_LOCAL_SERVER)
    flow->server_name = answer.server;
}

static void
add_row (NsBuilder *builder, NsRow source)
{
  NsFlowRow *flow = flow_at (builder->trace, source);
  NsActivityRow row;

  ns_flow_init_row (builder, &row, source);
  row.sent = ns_flow_get_way (flow, TRUE)->payload_bytes;
  row.received = ns_flow_get_way (flow, FALSE)->payload_bytes;
  row.method = method_of (builder, flow);
  set_name (builder, &row, flow);
  add_handshakes (builder->trace, &row, flow);
  set_error (&row, flow);
  flow->activity = ns_activities_append (builder, &row);
}

/* Returns the row made by another layer that knows the conversation; 0: none. */
static NsRow
find_activity (const NsTrace *trace, const NsFlowRow *flow)
{
  NsRow activity = 0;

  if (flow->tcp != 0)
    activity = NS_ROW_AT (trace->tcp, NsTcpRow, flow->tcp)->activity;
  if (activity == 0 && flow->winsock != 0)
    activity = NS_ROW_AT (trace->winsock, NsWinsockRow, flow->winsock)->activity;
  if (activity == 0 && flow->kernel_network != 0)
    activity =
        NS_ROW_AT (trace->kernel_network, NsKernelNetworkRow, flow->kernel_network)->activity;
  return activity;
}

static gboolean
is_of_connection (const NsActivityRow *row)
{
  return row->source_table == NS_TABLE_TCP || row->source_table == NS_TABLE_WINSOCK ||
         row->source_table == NS_TABLE_KERNEL_NETWORK;
}

/* Adds packet facts that the row lacks. */
static void
enrich (NsBuilder *builder, NsRow activity, NsRow source)
{
  NsTrace *trace = builder->trace;
  NsActivityRow *row = NS_ROW_AT (trace->activities, NsActivityRow, activity);
  NsFlowRow *flow = flow_at (trace, source);

  if (row->flow == 0)
    row->flow = source;
  if (row->kernel_network == 0)
    row->kernel_network = flow->kernel_network;
  /* A request may have reused the connection, and the end of a connection is usually no error of
   * the row. */
  if (!is_of_connection (row))
    return;
  add_handshakes (trace, row, flow);
  row->layers |= ns_flow_get_layers_inside (flow);
  if (row->server == NS_STRING_NONE)
    set_name (builder, row, flow);
  if (ns_ip_is_empty (&row->local->ip))
    row->local = ns_flow_get_local (flow);
  if (!row->failed &&
      (flow->end != NS_FLOW_END_RST || (flow->inside != NULL && flow->inside->alert_number != 0)))
    set_error (row, flow);
}

/* Adds packet facts to requests whose connection was captured. */
static void
enrich_requests (NsTrace *trace)
{
  g_autofree NsRow *of_tcp = g_new0 (NsRow, (gsize) trace->tcp->len + 1);
  guint i;

  for (i = 0; i < trace->flows->len; i++)
    of_tcp[flow_at (trace, i + 1)->tcp] = i + 1;
  for (i = 0; i < trace->activities->len; i++)
    {
      NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);

      if (row->flow == 0 && row->tcp != 0)
        row->flow = of_tcp[row->tcp];
    }
}

static void
find_flows (NsBuilder *builder, NsFlowFound *found)
{
  NsTrace *trace = builder->trace;
  NsFlowRecords records;

  ns_flow_records_init (&records, trace);
  ns_flows_read (trace, &records, found);
  ns_flows_join (builder, &records);
  ns_flows_find_tunnels (trace);
  ns_flow_records_clear (&records);
}

/**
 * ns_activities_add_flows:
 * @builder: the builder
 *
 * Finds the conversations, after the tables of connections and sockets are written; adds a row for
 * each conversation that no other layer knows, and packet facts to the rows of the others.
 */
void
ns_activities_add_flows (NsBuilder *builder)
{
  NsTrace *trace = builder->trace;
  NsFlowUpper *upper;
  NsFlowFound found;
  guint i;

  if (trace->packets->len == 0)
    return;
  ns_flow_found_init (&found);
  find_flows (builder, &found);
  upper = ns_flow_upper_new (builder, &found);
  for (i = 0; i < trace->flows->len; i++)
    {
      NsFlowRow *flow = flow_at (trace, i + 1);
      NsRow activity = find_activity (trace, flow);
      gboolean is_owned = FALSE;

      flow->activity = activity;
      if (activity != 0)
        {
          enrich (builder, activity, i + 1);
          flow->server_name = NS_ROW_AT (trace->activities, NsActivityRow, activity)->server;
          is_owned = !is_of_connection (NS_ROW_AT (trace->activities, NsActivityRow, activity));
        }
      if (!is_owned && ns_flow_upper_add_rows (upper, i + 1))
        continue;
      if (activity == 0 && makes_a_row (flow))
        add_row (builder, i + 1);
    }
  enrich_requests (trace);
  ns_flow_upper_free (upper);
  ns_flow_found_clear (&found);
}
