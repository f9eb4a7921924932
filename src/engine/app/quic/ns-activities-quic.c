/* QUIC connections in the master table, each with the datagram flows that carry it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-activities-row.h"

#include "engine/app/quic/ns-quic.h"
#include "engine/net/winsock/ns-winsock.h"
#include "engine/trace/ns-interval-index.h"
#include "engine/trace/ns-phases.h"

/* Normal ends: idle timeouts (user and kernel mode), and HTTP/3's H3_NO_ERROR (RFC 9114 8.1). */
#define STATUS_IDLE 0x80410005
#define STATUS_IDLE_KERNEL 0xc0240005
#define H3_NO_ERROR 0x100

static void
set_error (NsActivityRow *row, const NsQuicRow *quic)
{
  gint64 status = quic->layer.status;
  gboolean is_error = status > 0;

  if (quic->has_alert)
    {
      ns_activities_set_error (row, quic->alert, NS_CODE_TLS);
      return;
    }
  if (quic->status_family == NS_CODE_HRESULT || quic->status_family == NS_CODE_NTSTATUS)
    is_error = status >= 0x80000000 && status != STATUS_IDLE && status != STATUS_IDLE_KERNEL;
  else if (quic->status_family == NS_CODE_HTTP3)
    is_error = status > 0 && status != H3_NO_ERROR;
  if (is_error)
    ns_activities_set_error (row,
                             (guint32) MIN (status, G_MAXUINT32),
                             (NsCodeFamily) quic->status_family);
}

static void
add_row (NsBuilder *builder, NsRow source, NsQuicRow *quic)
{
  NsTrace *trace = builder->trace;
  gint64 end_ns = quic->layer.close_ns == NS_TIME_OPEN ? trace->end_ns : quic->layer.close_ns;
  gint64 split[NS_N_PHASES];
  NsActivityRow row;
  NsPhases phases;

  ns_activities_init (&row, NS_LAYER_QUIC, NS_TABLE_QUIC, source);
  row.pid = quic->layer.pid;
  row.tid = quic->layer.tid;
  row.method =
      ns_activities_flow_method (builder,
                                 quic->server_side > 0 ? quic->local.port : quic->remote.port);
  row.server = quic->server;
  row.dns = quic->dns;
  row.remote = ns_endpoint_pool_add (trace->ends, &quic->remote);
  row.local = ns_endpoint_pool_add (trace->ends, &quic->local);
  row.accepted = quic->server_side > 0;
  row.socket = quic->local.port;
  row.connection = quic->connection;
  row.open_ns = quic->layer.open_ns;
  row.close_ns = quic->layer.close_ns;
  row.opened_before_trace = quic->layer.opened_before_trace;
  row.stack = quic->layer.stack;
  row.link = quic->layer.link;
  row.confidence = quic->layer.confidence;
  row.bytes_unknown = quic->sent == NS_UNKNOWN;
  row.sent = (guint64) MAX (quic->sent, 0);
  row.received = (guint64) MAX (quic->received, 0);
  if (quic->udp != 0 && NS_ROW_AT (trace->tcp, NsTcpRow, quic->udp)->activity == 0)
    {
      row.tcp = quic->udp;
      row.winsock = ns_winsock_get_row_by_tcp (builder, quic->udp);
    }
  set_error (&row, quic);
  ns_phases_init (&phases);
  ns_phases_add (&phases, NS_PHASE_CONNECT, quic->handshake_begin_ns, quic->handshake_end_ns);
  ns_phases_split (&phases, row.open_ns, end_ns, split);
  ns_trace_keep_row_phases (trace, &row, split);
  quic->layer.activity = ns_activities_append (builder, &row);
}

static void
index_connections (const NsTrace *trace, NsIntervalIndex *lives)
{
  guint i;

  ns_interval_index_init (lives);
  for (i = 0; i < trace->quic->len; i++)
    {
      const NsQuicRow *row = &g_array_index (trace->quic, NsQuicRow, i);

      if (!row->is_stream && !ns_endpoint_is_empty (&row->remote))
        ns_interval_index_add (lives,
                               ns_endpoint_hash (&row->remote),
                               row->layer.pid,
                               i + 1,
                               row->layer.opened_before_trace ? G_MININT64 : row->layer.open_ns);
    }
  ns_interval_index_settle (lives);
}

/* Returns the only connection to the request's server that was open; 0: none, or several. */
static NsRow
find_connection (const NsTrace *trace, const NsIntervalIndex *lives, const NsActivityRow *request)
{
  guint n_left = NS_INTERVAL_INDEX_MAX_LOOK_BACK;
  const NsLife *found;
  guint n_lives;
  NsRow row = 0;
  guint i;

  if (ns_endpoint_is_empty (request->remote))
    return 0;
  found = ns_interval_index_get (lives, ns_endpoint_hash (request->remote), request->pid, &n_lives);
  for (i = ns_interval_index_count_until (found, n_lives, request->close_ns); i > 0 && n_left > 0;
       i--, n_left--)
    {
      const NsQuicRow *quic = NS_ROW_AT (trace->quic, NsQuicRow, found[i - 1].row);

      if (quic->layer.close_ns < request->open_ns || quic->layer.pid != request->pid ||
          !ns_endpoint_equal (&quic->remote, request->remote))
        continue;
      if (row != 0)
        return 0;
      row = found[i - 1].row;
    }
  return row;
}

/* Q5: makes WinHTTP requests over HTTP/3 children of the connection, which keeps their bytes. */
static void
adopt_requests (NsTrace *trace, guint n_before)
{
  NsIntervalIndex lives;
  guint i;

  index_connections (trace, &lives);
  for (i = 0; i < n_before; i++)
    {
      NsActivityRow *request = &g_array_index (trace->activities, NsActivityRow, i);
      NsRow number;

      if (request->source_table != NS_TABLE_WEBIO || (request->layers & NS_LAYER_QUIC) == 0 ||
          request->parent != 0)
        continue;
      number = find_connection (trace, &lives, request);
      if (number == 0)
        continue;
      request->parent = NS_ROW_AT (trace->quic, NsQuicRow, number)->layer.activity;
      request->bytes_unknown = TRUE;
      request->sent = 0;
      request->received = 0;
      if (request->confidence < 0 || request->confidence > NS_CONFIDENCE_INFERRED)
        request->confidence = NS_CONFIDENCE_INFERRED;
    }
  ns_interval_index_clear (&lives);
}

/**
 * ns_activities_add_quic:
 * @builder: the builder
 *
 * Adds a row for each connection, and makes HTTP/3 requests its children.
 */
void
ns_activities_add_quic (NsBuilder *builder)
{
  GArray *table = builder->trace->quic;
  guint n_before = builder->trace->activities->len;
  guint i;

  if (table->len == 0)
    return;
  for (i = 0; i < table->len; i++)
    {
      NsQuicRow *row = &g_array_index (table, NsQuicRow, i);

      if (!row->is_stream)
        add_row (builder, i + 1, row);
    }
  adopt_requests (builder->trace, n_before);
}
