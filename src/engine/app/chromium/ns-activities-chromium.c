/* Requests of Chrome, Edge and WebView2 in the master table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/chromium/ns-chromium.h"
#include "engine/build/ns-activities-row.h"

#include <string.h>

static void
set_phases (NsBuilder *builder, NsActivityRow *row, const NsChromiumRow *request)
{
  gint64 end_ns = builder->trace->end_ns;
  gint64 close_ns = request->close_ns == NS_TIME_OPEN ? end_ns : request->close_ns;
  gint64 queue_ns =
      request->start_ns != NS_TIME_NONE ? request->start_ns - request->open_ns : NS_UNKNOWN;
  gint64 phases[NS_N_PHASES];
  NsPhases spans;

  if (close_ns < request->open_ns || queue_ns == NS_UNKNOWN)
    return;
  ns_phases_init (&spans);
  ns_phases_add (&spans, NS_PHASE_QUEUE, request->open_ns, request->start_ns);
  ns_chromium_describe (builder, request, &spans, &row->first_byte_ns);
  ns_phases_split (&spans, request->open_ns, close_ns, phases);
  ns_trace_keep_row_phases (builder->trace, row, phases);
}

static void
add_row (NsBuilder *builder, NsRow source, NsChromiumRow *request)
{
  gboolean is_quic = request->transport != NULL && strcmp (request->transport, "QUIC") == 0;
  NsActivityRow row;

  ns_activities_init (&row, NS_LAYER_CHROMIUM, NS_TABLE_CHROMIUM, source);
  if (is_quic)
    row.layers |= NS_LAYER_QUIC;
  row.winsock = request->winsock;
  row.tcp = request->tcp;
  row.pid = request->pid;
  row.tid = request->tid;
  row.server = request->server;
  row.server_alt = request->server_alt;
  row.url = request->url;
  row.method = request->method;
  row.status = request->status;
  row.http_status = request->http_status;
  row.remote = ns_endpoint_pool_add (builder->trace->ends, &request->remote);
  row.local = ns_endpoint_pool_add (builder->trace->ends, &request->local);
  row.sent = request->sent;
  row.received = request->received;
  row.activity_id = ns_trace_keep_guid (builder->trace, &request->activity_id);
  row.open_ns = request->open_ns;
  row.close_ns = request->close_ns;
  row.request = request->request;
  row.connection = request->connection;
  row.socket = request->socket;
  row.stack = request->stack;
  row.link = request->link;
  row.from_cache = request->transport != NULL && strcmp (request->transport, "CACHE") == 0;
  row.redirected = request->redirected;
  row.reused = request->winsock == 0 ? -1 : request->reused ? 1 : 0;
  row.confidence = request->winsock != 0 ? (gint8) request->confidence : -1;
  if (request->error != 0)
    ns_activities_set_error (&row,
                             (guint32) request->error,
                             request->error > 0 ? NS_CODE_QUIC : NS_CODE_CHROMIUM);
  set_phases (builder, &row, request);
  request->activity = ns_activities_append (builder, &row);
}

/**
 * ns_activities_add_chromium:
 * @builder: the builder
 *
 * Adds a row for each request of a browser.
 */
void
ns_activities_add_chromium (NsBuilder *builder)
{
  guint i;

  for (i = 0; i < builder->trace->chromium->len; i++)
    add_row (builder, i + 1, &g_array_index (builder->trace->chromium, NsChromiumRow, i));
}
