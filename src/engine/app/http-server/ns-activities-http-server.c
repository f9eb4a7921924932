/* Requests answered by HTTP.sys in the master table: children of their connection if it was
 * recorded.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-activities-row.h"

static gint64
span (gint64 begin_ns, gint64 end_ns)
{
  return begin_ns != NS_TIME_NONE && ns_time_is_set (end_ns) && end_ns >= begin_ns
             ? end_ns - begin_ns
             : NS_UNKNOWN;
}

/* Sets the phases: the waiting phase is the time of the worker process, from delivery to
 * response; the sending phase ends with the last byte. */
static void
set_phases (NsBuilder *builder, NsActivityRow *row, const NsHttpServerRow *request)
{
  gint64 end_ns = builder->trace->end_ns;
  gint64 close_ns = request->close_ns == NS_TIME_OPEN ? end_ns : request->close_ns;
  gint64 wait_ns = span (request->delivered_ns, request->first_send_ns);
  gint64 send_ns = span (request->first_send_ns, request->close_ns);
  gint64 known_ns = MAX (wait_ns, 0) + MAX (send_ns, 0);
  gint64 phases[NS_N_PHASES];
  guint i;

  if (wait_ns == NS_UNKNOWN && send_ns == NS_UNKNOWN)
    return;
  for (i = 0; i < NS_N_PHASES; i++)
    phases[i] = NS_UNKNOWN;
  phases[NS_PHASE_WAIT] = wait_ns;
  phases[NS_PHASE_SEND] = send_ns;
  phases[NS_PHASE_OTHER] = MAX (close_ns - request->open_ns - known_ns, 0);
  ns_trace_keep_row_phases (builder->trace, row, phases);
}

static void
add_row (NsBuilder *builder, NsRow source, NsHttpServerRow *request)
{
  NsActivityRow row;

  ns_activities_init (&row, NS_LAYER_HTTP_SERVER, NS_TABLE_HTTP_SERVER, source);
  if (request->tcp != 0)
    row.parent = NS_ROW_AT (builder->trace->tcp, NsTcpRow, request->tcp)->activity;
  row.activity_id = ns_trace_keep_guid (builder->trace, &request->activity_id);
  row.pid = request->pid;
  row.tid = request->tid;
  row.server = request->server;
  row.url = request->url;
  row.method = request->method;
  row.http_status = request->http_status;
  row.remote = ns_endpoint_pool_add (builder->trace->ends, &request->remote);
  row.local = ns_endpoint_pool_add (builder->trace->ends, &request->local);
  row.accepted = TRUE;
  row.sent = request->sent;
  row.open_ns = request->open_ns;
  row.close_ns = request->close_ns;
  row.request = request->request;
  row.connection = request->connection;
  row.stack = request->stack;
  row.confidence = request->tcp != 0 ? NS_CONFIDENCE_LIKELY : -1;
  set_phases (builder, &row, request);
  ns_activities_set_error (&row, request->error, NS_CODE_NTSTATUS);
  request->activity = ns_activities_append (builder, &row);
}

/**
 * ns_activities_add_http_server:
 * @builder: the builder
 *
 * Adds a row for each request that HTTP.sys received.
 */
void
ns_activities_add_http_server (NsBuilder *builder)
{
  guint i;

  for (i = 0; i < builder->trace->http_server->len; i++)
    add_row (builder, i + 1, &g_array_index (builder->trace->http_server, NsHttpServerRow, i));
}
