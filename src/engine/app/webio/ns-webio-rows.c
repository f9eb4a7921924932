/* Rows of WebIO requests, and measurements of each connection.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/webio/ns-webio-state.h"

#include "engine/app/tls/ns-tls-span.h"
#include "engine/net/tcpip/ns-tcpip.h"
#include "engine/trace/ns-http-status.h"

static void
fill_link (NsBuilder *builder, const NsWebioLink *link, NsWebioConn *conn)
{
  const NsWebioSocket *socket = link->socket;

  conn->connection = link->id;
  conn->socket = socket->handle;
  conn->remote = socket->remote;
  conn->sent = link->sent;
  conn->received = link->received;
  conn->error = link->error;
  conn->header = link->header;
  conn->tcp = socket->tcp;
  conn->start_ns = socket->opened ? socket->start_ns : NS_TIME_NONE;
  conn->stop_ns = socket->opened ? socket->stop_ns : NS_TIME_NONE;
  conn->close_ns = socket->close_ns;
  conn->reused = link->duplicate || !socket->opened;
  conn->confidence = socket->confidence;
  if (socket->tcp != 0)
    {
      conn->remote = ns_tcpip_get (builder, socket->tcp)->remote;
      if (ns_endpoint_is_empty (conn->remote))
        conn->remote = socket->remote;
    }
}

/* Writes one row: sums over the connections, and the last error and response of any of them. */
static void
write_row (NsBuilder *builder, const NsWebioRequest *request, GArray *conns)
{
  NsTrace *trace = builder->trace;
  const NsWebioLink *link;
  NsWebioRow row = {
    .request = request->ptr,
    .handle = request->handle,
    .session = request->session,
    .session_handle = request->session_handle,
    .method = request->method,
    .url = request->url,
    .server = request->server,
    .error = request->error,
    .pid = request->pid,
    .tid = request->tid,
    .open_ns = request->open_ns,
    .close_ns = request->close_ns,
    .stack = request->stack,
    .link = request->link,
    .inferred = request->inferred,
    .activity_id = ns_trace_keep_guid (trace, &request->activity_id),
    .gap = request->gap,
  };

  if (row.close_ns == NS_TIME_OPEN && ns_time_is_set (request->failed_ns))
    row.close_ns = MAX (request->failed_ns, row.open_ns);
  g_array_set_size (conns, 0);
  for (link = request->first; link != NULL; link = link->next)
    {
      NsWebioConn conn = { 0 };
      guint32 status;

      if (link->gone || link->socket == NULL)
        continue;
      fill_link (builder, link, &conn);
      ns_tls_tie (builder,
                  NS_TABLE_WEBIO,
                  trace->webio->len + 1,
                  conns->len,
                  link->socket->handshake);
      g_array_append_val (conns, conn);
      row.sent += conn.sent;
      row.received += conn.received;
      if (conn.error != 0)
        row.error = conn.error;
      status = ns_http_status_of_line (ns_trace_text (trace, conn.header));
      if (status != 0)
        row.http_status = status;
    }
  if (row.http_status == 0)
    row.http_status = request->http_code;
  row.n_conns = conns->len;
  if (conns->len > 0)
    row.conns = ns_arena_dup (trace->arena, conns->data, conns->len * sizeof (NsWebioConn));
  g_array_append_val (trace->webio, row);
}

/**
 * ns_webio_write_rows:
 * @builder: the builder
 *
 * Writes the table of WebIO requests, in the order of their creation.
 */
void
ns_webio_write_rows (NsBuilder *builder)
{
  const NsWebio *self = builder->webio;
  g_autoptr (GArray) conns = g_array_new (FALSE, FALSE, sizeof (NsWebioConn));
  guint i;

  for (i = 0; i < self->requests->len; i++)
    write_row (builder, self->requests->pdata[i], conns);
}

/* Returns the WinSock row of a socket; unlike ns_webio_get_afd(), after the records are freed. */
static NsRow
row_of_socket (NsBuilder *builder, const NsWebioSocket *socket)
{
  NsRow row;

  if (socket->tcp != 0)
    return ns_winsock_get_row_by_tcp (builder, socket->tcp);
  row = ns_winsock_get_row (builder, socket->afd);
  if (row == 0 ||
      !ns_endpoint_equal (NS_ROW_AT (builder->trace->winsock, NsWinsockRow, row)->remote,
                          socket->remote))
    return 0;
  return row;
}

/* Returns a connection of a request. Callers ask for connections in sequence, so the search
 * continues where the last one ended. */
static const NsWebioLink *
find_conn (NsWebio *self, const NsWebioRequest *request, guint conn)
{
  const NsWebioLink *link = request->first;
  guint n_before = 0;

  if (self->described != NULL && self->described->request == request && self->n_described <= conn)
    {
      link = self->described;
      n_before = self->n_described;
    }
  for (; link != NULL; link = link->next)
    if (!link->gone && link->socket != NULL && n_before++ == conn)
      break;
  if (link != NULL)
    {
      self->described = link;
      self->n_described = conn;
    }
  return link;
}

/**
 * ns_webio_describe:
 * @builder: the builder
 * @row: a request
 * @conn: number of its connection, from 0; past the end if it has none
 * @detail: (out): further properties
 *
 * For a reused connection, connect and TLS are not part of the request's phases.
 */
void
ns_webio_describe (NsBuilder *builder, NsRow row, guint conn, NsWebioDetail *detail)
{
  const NsWebioRequest *request = builder->webio->requests->pdata[row - 1];
  NsPhases *phases = &detail->phases;
  const NsWebioSocket *socket;
  const NsWebioLink *link;

  detail->first_byte_ns = NS_TIME_NONE;
  detail->is_http3 = FALSE;
  detail->winsock = 0;
  ns_phases_init (phases);
  ns_phases_add (phases, NS_PHASE_PROXY, request->proxy.begin_ns, request->proxy.end_ns);
  ns_phases_add (phases, NS_PHASE_DNS, request->dns.begin_ns, request->dns.end_ns);
  if (!request->inferred)
    ns_phases_add (phases, NS_PHASE_QUEUE, request->open_ns, request->first_ns);
  link = find_conn (builder->webio, request, conn);
  if (link == NULL)
    return;

  socket = link->socket;
  detail->first_byte_ns = link->first_byte_ns;
  detail->is_http3 = socket->is_http3;
  detail->winsock = row_of_socket (builder, socket);
  if (socket->opened && !link->duplicate)
    {
      ns_phases_add (phases, NS_PHASE_CONNECT, socket->start_ns, socket->stop_ns);
      ns_phases_add (phases, NS_PHASE_TLS, socket->tls.begin_ns, socket->tls.end_ns);
    }
  ns_phases_add (phases, NS_PHASE_SEND, link->send.begin_ns, link->send.end_ns);
  ns_phases_add (phases, NS_PHASE_WAIT, link->send.end_ns, link->first_byte_ns);
  ns_phases_add (phases, NS_PHASE_RECEIVE, link->first_byte_ns, link->last_byte_ns);
}
