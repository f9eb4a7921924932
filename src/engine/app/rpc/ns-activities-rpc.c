/* Remote procedure calls in the master table: children of the connection that carries them.
 *
 * The bytes stay with the connection, so that nothing is counted twice.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-activities-row.h"

#include "engine/app/rpc/ns-rpc.h"
#include "engine/app/smb/ns-smb.h"

/* Returns the row that carries the call; local calls have no row in the master table. */
static NsRow
parent_of (const NsTrace *trace, const NsRpcRow *rpc)
{
  if (rpc->tcp != 0)
    return NS_ROW_AT (trace->tcp, NsTcpRow, rpc->tcp)->activity;
  if (rpc->smb != 0)
    return NS_ROW_AT (trace->smb, NsSmbRow, rpc->smb)->layer.activity;
  if (rpc->webio != 0)
    return NS_ROW_AT (trace->webio, NsWebioRow, rpc->webio)->activity;
  return 0;
}

static NsString
name_interface (NsBuilder *builder, const NsRpcRow *rpc)
{
  const char *name = ns_rpc_interface_name (&rpc->interface_id);
  char text[NS_GUID_TEXT_SIZE];

  if (name == NULL)
    {
      ns_guid_to_text (&rpc->interface_id, text);
      name = text;
    }
  return ns_strings_add (builder->trace->strings, name);
}

/* Sets the phases: only the duration of the call as a whole is known. */
static void
set_phases (NsBuilder *builder, NsActivityRow *row, const NsRpcRow *rpc)
{
  gint64 phases[NS_N_PHASES];
  guint i;

  if (rpc->layer.close_ns == NS_TIME_OPEN)
    return;
  for (i = 0; i < NS_N_PHASES; i++)
    phases[i] = NS_UNKNOWN;
  phases[NS_PHASE_WAIT] = ns_time_between (rpc->layer.open_ns, rpc->layer.close_ns);
  ns_trace_keep_row_phases (builder->trace, row, phases);
}

static void
add_row (NsBuilder *builder, NsRow source, NsRpcRow *rpc)
{
  NsTrace *trace = builder->trace;
  NsActivityRow row;

  ns_activities_init (&row, NS_LAYER_RPC, NS_TABLE_RPC, source);
  row.parent = parent_of (trace, rpc);
  if (row.parent != 0)
    NS_ROW_AT (trace->activities, NsActivityRow, row.parent)->layers |= NS_LAYER_RPC;
  if (rpc->tcp != 0)
    NS_ROW_AT (trace->tcp, NsTcpRow, rpc->tcp)->owner |= NS_LAYER_RPC;
  row.pid = rpc->layer.pid;
  row.tid = rpc->layer.tid;
  row.method = name_interface (builder, rpc);
  row.server = rpc->address;
  row.remote = ns_endpoint_pool_add (trace->ends, &rpc->remote);
  row.open_ns = rpc->layer.open_ns;
  row.close_ns = rpc->layer.close_ns;
  row.activity_id = ns_trace_keep_guid (trace, &rpc->activity_id);
  row.stack = rpc->layer.stack;
  row.link = rpc->layer.link;
  if (row.parent != 0)
    row.confidence = rpc->layer.confidence;
  if (rpc->layer.status > 0)
    ns_activities_set_error (&row,
                             (guint32) rpc->layer.status,
                             rpc->layer.status >= 0xc0000000 ? NS_CODE_NTSTATUS : NS_CODE_WIN32);
  set_phases (builder, &row, rpc);
  rpc->layer.activity = ns_activities_append (builder, &row);
}

/**
 * ns_activities_add_rpc:
 * @builder: the builder
 *
 * Adds a row for each client call to another machine, or over a named pipe.
 */
void
ns_activities_add_rpc (NsBuilder *builder)
{
  GArray *table = builder->trace->rpc;
  guint i;

  for (i = 0; i < table->len; i++)
    {
      NsRpcRow *rpc = &g_array_index (table, NsRpcRow, i);

      if (!rpc->is_server && (rpc->protocol == NS_RPC_TCP || rpc->protocol == NS_RPC_PIPE ||
                              rpc->protocol == NS_RPC_HTTP))
        add_row (builder, i + 1, rpc);
    }
}
