/* Rows of WinINet requests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-activities-row.h"

#include "engine/app/wininet/ns-wininet.h"
#include "engine/net/winsock/ns-winsock.h"

/* Adds a child row without bytes for a connection that the request used before its last one. */
static void
add_attempt (NsBuilder *builder, const NsActivityRow *parent, NsRow id, const NsWininetAttempt *old)
{
  NsActivityRow row;

  ns_activities_init (&row, NS_LAYER_WININET, NS_TABLE_WININET, parent->source_row);
  row.parent = id;
  row.wininet = parent->wininet;
  row.pid = parent->pid;
  row.tid = parent->tid;
  row.method = parent->method;
  row.url = parent->url;
  row.server = parent->server;
  row.remote = ns_endpoint_pool_add (builder->trace->ends, &old->remote);
  row.local = ns_endpoint_pool_add_port (builder->trace->ends, old->local_port);
  row.socket = old->local_port;
  row.request = parent->request;
  row.connection = parent->connection;
  row.open_ns = MAX (old->open_ns, parent->open_ns);
  row.close_ns = MAX (old->close_ns, row.open_ns);
  row.tcp = old->tcp;
  row.winsock = ns_winsock_get_row_by_tcp (builder, old->tcp);
  row.confidence = old->tcp != 0 ? (gint8) old->confidence : -1;
  ns_activities_append (builder, &row);
}

static void
add_row (NsBuilder *builder, NsRow source, NsWininetRow *request)
{
  const NsWininetAttempt *attempt;
  NsWininetDetail detail;
  gint64 phases[NS_N_PHASES];
  NsActivityRow row;

  ns_wininet_describe (builder, source, &detail);
  ns_activities_init (&row, NS_LAYER_WININET, NS_TABLE_WININET, source);
  row.wininet = source;
  row.activity_id = request->activity_id;
  row.pid = request->pid;
  row.tid = request->tid;
  row.server = request->server;
  row.server_alt = request->server_alt;
  row.method = request->method;
  row.url = request->url;
  row.status = request->status;
  row.http_status = request->http_status;
  row.from_cache = request->from_cache;
  row.redirected = g_strcmp0 (ns_trace_text (builder->trace, request->status), "Redirected") == 0;
  /* The reference tool omits the address of a server that got no request. */
  if (!request->from_cache || request->tcp != 0 || !builder->options.compat_reference)
    row.remote = request->remote;
  row.local = ns_endpoint_pool_add_port (builder->trace->ends, request->local_port);
  row.sent = request->sent;
  row.received = request->received;
  row.open_ns = request->open_ns;
  /* A request ends with its response, with or without a status line; without a response, with
   * the close of its handle. */
  row.close_ns = request->answer_ns != NS_TIME_OPEN ? request->answer_ns : request->close_ns;
  row.first_byte_ns = detail.first_byte_ns;
  row.inferred = request->inferred;
  row.opened_before_trace = request->inferred;
  row.reused = request->reused;
  row.request = request->request;
  row.connection = request->connect;
  row.socket = request->local_port;
  row.stack = request->stack;
  row.link = request->link;
  row.stack_tid = detail.stack_tid;
  row.tcp = request->tcp;
  row.winsock = detail.winsock;
  if (request->tcp != 0)
    row.confidence = (gint8) request->tcp_confidence;
  ns_activities_set_error (&row, request->error, NS_CODE_WIN32);
  ns_phases_split (&detail.phases,
                   row.open_ns,
                   row.close_ns == NS_TIME_OPEN ? builder->trace->end_ns : row.close_ns,
                   phases);
  ns_trace_keep_row_phases (builder->trace, &row, phases);
  request->activity = ns_activities_append (builder, &row);
  for (attempt = detail.attempts; attempt != NULL; attempt = attempt->next)
    add_attempt (builder, &row, request->activity, attempt);
}

/**
 * ns_activities_add_wininet:
 * @builder: the builder
 *
 * Adds a row for each request.
 */
void
ns_activities_add_wininet (NsBuilder *builder)
{
  GArray *table = builder->trace->wininet;
  guint i;

  for (i = 0; i < table->len; i++)
    add_row (builder, i + 1, &g_array_index (table, NsWininetRow, i));
}
