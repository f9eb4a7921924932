/* Rows of WinHTTP requests: one per connection.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-activities-row.h"

#include "engine/app/webio/ns-webio.h"
#include "engine/net/names/ns-host-names.h"
#include "engine/trace/ns-http-status.h"
#include "engine/trace/ns-url.h"

/* Copies endpoint, bytes and result of the connection. */
static void
fill_connection (NsBuilder *builder, NsActivityRow *row, const NsWebioRow *request, guint number)
{
  const NsTrace *trace = builder->trace;
  const NsWebioConn *conn = &request->conns[number];

  row->connection = conn->connection;
  row->socket = conn->socket & G_MAXUINT32;
  row->remote = conn->remote;
  row->sent = conn->sent;
  row->received = conn->received;
  row->status = conn->header;
  row->http_status = ns_http_status_of_line (ns_trace_text (trace, conn->header));
  row->redirected = row->http_status >= 301 && row->http_status <= 308 && row->http_status != 304 &&
                    row->http_status != 306;
  if (conn->reused)
    row->reused = request->inferred ? -1 : 1;
  else
    row->reused = 0;
  row->tcp = conn->tcp;
  if (conn->tcp != 0)
    row->confidence = (gint8) conn->confidence;
  if (conn->error != 0)
    ns_activities_set_error (row, conn->error, NS_CODE_WIN32);
  else if (conn->tcp != 0)
    ns_activities_set_connect_error (builder, row, conn->tcp);
}

/* Sets facts about the whole request in the row of its last connection. */
static void
fill_outcome (NsActivityRow *row, const NsWebioRow *request, guint number)
{
  if (number + 1 < request->n_conns)
    return;
  if (row->error == 0)
    ns_activities_set_error (row, request->error, NS_CODE_WIN32);
  if (row->http_status == 0)
    row->http_status = request->http_status;
}

static void
name_server (NsBuilder *builder, NsActivityRow *row, const NsWebioRow *request, gint64 time_ns)
{
  NsNameAnswer answer = { 0 };

  row->server = request->server;
  if (ns_ip_is_empty (&row->remote->ip))
    return;
  ns_host_names_resolve (builder,
                         request->pid,
                         request->server,
                         &row->remote->ip,
                         time_ns,
                         &answer);
  if (ns_url_is_blank (ns_trace_text (builder->trace, row->server)))
    {
      row->server = answer.server;
      row->name_inferred = answer.inferred;
    }
  row->server_alt = answer.alt;
  row->dns = answer.dns;
}

static void
add_row (NsBuilder *builder, NsRow source, NsWebioRow *request, guint number)
{
  gboolean has_connection = number < request->n_conns;
  gint64 end_ns = request->close_ns == NS_TIME_OPEN ? builder->trace->end_ns : request->close_ns;
  gint64 name_ns = request->open_ns;
  gint64 phases[NS_N_PHASES];
  NsWebioDetail detail;
  NsActivityRow row;
  NsRow id;

  ns_activities_init (&row, NS_LAYER_WINHTTP, NS_TABLE_WEBIO, source);
  row.webio = source;
  row.activity_id = request->activity_id;
  row.pid = request->pid;
  row.tid = request->tid;
  row.method = request->method;
  row.url = request->url;
  row.open_ns = request->open_ns;
  row.close_ns = request->close_ns;
  row.request = request->request;
  row.stack = request->stack;
  row.link = request->link;
  row.stack_tid = request->tid;
  row.inferred = request->inferred;
  row.opened_before_trace = request->inferred;
  if (has_connection)
    {
      const NsWebioConn *conn = &request->conns[number];

      fill_connection (builder, &row, request, number);
      if (ns_time_is_set (conn->start_ns))
        name_ns = MAX (conn->start_ns, request->open_ns);
    }
  fill_outcome (&row, request, number);
  name_server (builder, &row, request, name_ns);

  ns_webio_describe (builder, source, number, &detail);
  if (detail.is_http3)
    row.layers |= NS_LAYER_QUIC;
  row.first_byte_ns = detail.first_byte_ns;
  row.winsock = detail.winsock;
  if (row.winsock != 0 && row.tcp == 0)
    row.confidence = NS_CONFIDENCE_LIKELY;
  ns_phases_split (&detail.phases, row.open_ns, end_ns, phases);
  ns_trace_keep_row_phases (builder->trace, &row, phases);
  id = ns_activities_append (builder, &row);
  if (request->activity == 0)
    request->activity = id;
}

/**
 * ns_activities_add_webio:
 * @builder: the builder
 *
 * Adds a row for each connection of each request, and one for a request without any.
 */
void
ns_activities_add_webio (NsBuilder *builder)
{
  GArray *table = builder->trace->webio;
  guint i;
  guint j;

  for (i = 0; i < table->len; i++)
    {
      NsWebioRow *request = &g_array_index (table, NsWebioRow, i);

      for (j = 0; j < MAX (request->n_conns, 1); j++)
        add_row (builder, i + 1, request, j);
    }
}
