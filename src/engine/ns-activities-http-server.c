/* Requests answered by HTTP.sys in the master table: children of their connection when it is
 * traced.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-activities.h"

static gint64
span (gint64 begin_ns, gint64 end_ns)
{
  return begin_ns != NS_TIME_NONE && ns_time_is_set (end_ns) && end_ns >= begin_ns
             ? end_ns - begin_ns
             : NS_UNKNOWN;
}

/* Waiting is the worker's: from the delivery to its answer; sending ends with the last byte. */
static void
set_phases (NsActivityRow *row, const NsHttpServerRow *request, gint64 end_ns)
{
  gint64 close_ns = request->close_ns == NS_TIME_OPEN ? end_ns : request->close_ns;
  gint64 known = 0;

  row->phases[NS_PHASE_WAIT] = span (request->delivered_ns, request->first_send_ns);
  row->phases[NS_PHASE_SEND] = span (request->first_send_ns, request->close_ns);
  if (row->phases[NS_PHASE_WAIT] == NS_UNKNOWN && row->phases[NS_PHASE_SEND] == NS_UNKNOWN)
    return;
  known += MAX (row->phases[NS_PHASE_WAIT], 0) + MAX (row->phases[NS_PHASE_SEND], 0);
  row->phases[NS_PHASE_OTHER] = MAX (close_ns - request->open_ns - known, 0);
}

static void
add_row (NsBuilder *builder, NsRow source, NsHttpServerRow *request)
{
  NsActivityRow row;

  ns_activities_init (&row, NS_LAYER_HTTP_SERVER, NS_TABLE_HTTP_SERVER, source);
  if (request->tcp != 0)
    row.parent = g_array_index (builder->trace->tcp, NsTcpRow, request->tcp - 1).activity;
  row.http_server = source;
  row.activity_id = request->activity_id;
  row.pid = request->pid;
  row.tid = request->tid;
  row.server = request->server;
  row.url = request->url;
  row.method = request->method;
  row.http_status = request->http_status;
  row.remote = request->remote;
  row.local = request->local;
  row.accepted = TRUE;
  row.sent = request->sent;
  row.open_ns = request->open_ns;
  row.close_ns = request->close_ns;
  row.request = request->request;
  row.connection = request->connection;
  row.stack = request->stack;
  row.confidence = request->tcp != 0 ? NS_CONFIDENCE_LIKELY : -1;
  set_phases (&row, request, builder->trace->end_ns);
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
