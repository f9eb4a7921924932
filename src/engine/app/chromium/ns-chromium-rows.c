/* Rows of the Chromium part: one for each stream, and one for each request without a stream.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/chromium/ns-chromium.h"

#include "engine/app/tls/ns-tls-span.h"
#include "engine/net/names/ns-host-names.h"
#include "engine/net/tcpip/ns-tcpip.h"
#include "engine/net/winsock/ns-winsock.h"

static const char *
transport_of (NsChromiumKind kind)
{
  switch (kind)
    {
    case NS_CHROMIUM_CACHE:
      return "CACHE";
    case NS_CHROMIUM_HTTP1:
    case NS_CHROMIUM_TCP:
      return "HTTP1";
    case NS_CHROMIUM_HTTP2:
      return "HTTP2";
    case NS_CHROMIUM_QUIC:
      return "QUIC";
    case NS_CHROMIUM_UNKNOWN:
    default:
      return NULL;
    }
}

static void
fill_socket (NsBuilder *builder, NsChromiumRow *row, guint32 number)
{
  const NsChromiumSock *sock = ns_chromium_sock (builder->chromium, number);
  const NsWsRec *rec;

  if (sock == NULL)
    return;
  row->remote = sock->remote;
  row->local = sock->local;
  row->socket = sock->local.port;
  row->confidence = NS_CONFIDENCE_LIKELY;
  ns_tls_tie (builder,
              NS_TABLE_CHROMIUM,
              builder->trace->chromium->len + 1,
              NS_TLS_ALL_PARTS,
              sock->handshake);
  if (row->error == 0)
    row->error = sock->net_error;
  if (sock->winsock == 0)
    return;
  rec = ns_winsock_get (builder, sock->winsock);
  row->winsock = rec->row;
  row->tcp = rec->tcp;
  row->connection = rec->endpoint;
  if (row->socket == 0)
    row->socket = rec->local->port;
  if (row->tcp != 0)
    ns_tcpip_get (builder, row->tcp)->layers |= NS_LAYER_CHROMIUM;
}

static void
fill_request (NsChromiumRow *row, const NsChromiumReq *req)
{
  row->channel = req->channel;
  row->pid = req->pid;
  row->tid = req->tid;
  row->url = req->url;
  row->method = req->method;
  row->server = req->domain;
  row->server_alt = req->canon;
  row->priority = req->priority;
  row->origin = req->origin;
  row->activity_id = req->activity_id;
  row->open_ns = req->begin_ns;
  row->start_ns = req->start_ns;
  row->close_ns = req->end_ns;
  row->stack = req->stack;
  row->link = req->link;
  row->netlog = req->netlog;
  row->sent = req->up;
  row->received = req->down;
  row->error = req->net_error;
}

/* Fills in the resolved address for a request without a socket. */
static void
fill_address (NsBuilder *builder, NsChromiumRow *row, guint16 port)
{
  if (!ns_endpoint_is_empty (&row->remote) || row->server == NS_STRING_NONE)
    return;
  if (ns_host_names_find_address (builder,
                                  row->server,
                                  row->pid,
                                  row->open_ns,
                                  row->close_ns,
                                  &row->remote.ip,
                                  NULL))
    row->remote.port = port;
}

static void
set_status_text (NsBuilder *builder, NsChromiumRow *row, const NsChromiumReq *req)
{
  const char *text = NULL;

  if (req != NULL && req->is_redirected)
    text = "Redirected";
  else if (req != NULL && req->is_cancelled)
    text = "Canceled";
  if (text != NULL && row->status == NS_STRING_NONE)
    row->status = ns_strings_add (builder->trace->strings, text);
  row->redirected = req != NULL && req->is_redirected;
}

/* Part of a request between two migrations of its session. */
typedef struct
{
  gint64 begin_ns; /* NS_TIME_NONE: begin of the request */
  gint64 end_ns;   /* NS_TIME_NONE: end of the request */
} Part;

static void
set_part (NsBuilder *builder, NsChromiumRow *row, const NsChromiumStream *stream, const Part *part)
{
  if (part->begin_ns != NS_TIME_NONE)
    {
      row->open_ns = part->begin_ns;
      row->start_ns = NS_TIME_NONE;
    }
  if (part->end_ns != NS_TIME_NONE)
    {
      row->close_ns = part->end_ns;
      if (row->status == NS_STRING_NONE)
        row->status = ns_strings_add (builder->trace->strings, "Migrated");
    }
  /* The request's own byte counts cover all parts. */
  if (part->begin_ns != NS_TIME_NONE || part->end_ns != NS_TIME_NONE)
    {
      row->sent = stream->sent;
      row->received = stream->received;
    }
}

static void
add_part (NsBuilder *builder, const NsChromiumStream *stream, const Part *part)
{
  NsChromium *self = builder->chromium;
  const NsChromiumSession *session = ns_chromium_session (self, stream->session);
  const NsChromiumReq *req = ns_chromium_req (self, stream->req);
  NsChromiumRow row = { .start_ns = NS_TIME_NONE, .close_ns = NS_TIME_OPEN };

  if (req != NULL)
    fill_request (&row, req);
  else
    {
      row.pid = session->pid;
      row.tid = session->tid;
      row.open_ns = stream->first_ns;
      row.close_ns = stream->last_ns;
    }
  if (row.url == NS_STRING_NONE)
    row.url = stream->url;
  if (row.method == NS_STRING_NONE)
    row.method = stream->method;
  if (row.server == NS_STRING_NONE)
    row.server = session->domain;
  row.request = req != NULL ? stream->req : 0;
  row.session = session->id;
  row.transport = req != NULL && req->is_websocket ? "WebSocket" : transport_of (session->kind);
  row.sent = MAX (row.sent, stream->sent);
  row.received = MAX (row.received, stream->received);
  row.status = stream->status;
  row.http_status = stream->http_status;
  if (stream->error != 0)
    row.error = stream->error;
  else if (row.error == 0)
    row.error = session->error;
  fill_socket (builder, &row, session->sock != 0 ? session->sock : req != NULL ? req->sock : 0);
  fill_address (builder, &row, req != NULL ? req->port : session->port);
  if (part->end_ns == NS_TIME_NONE)
    set_status_text (builder, &row, req);
  set_part (builder, &row, stream, part);
  g_array_append_val (builder->trace->chromium, row);
}

static gboolean
has_data (const NsChromiumStream *stream)
{
  return stream->sent + stream->received > 0;
}

/* Adds a row for each socket on which the stream transferred data; if there is none, one for the
 * first socket. */
static void
add_stream (NsBuilder *builder, const NsChromiumStream *stream)
{
  const NsChromiumStream *kept[NS_CHROMIUM_MAX_MIGRATIONS + 1];
  guint n_kept = 0;
  guint i;

  if (stream->is_ignored || stream->is_abandoned || stream->is_before)
    return;
  for (;; stream = ns_chromium_stream (builder->chromium, stream->before))
    {
      if (has_data (stream) && n_kept < G_N_ELEMENTS (kept))
        kept[n_kept++] = stream;
      if (stream->before == 0)
        break;
    }
  if (n_kept == 0)
    kept[n_kept++] = stream;
  for (i = n_kept; i-- > 0;)
    {
      const NsChromiumStream *former = ns_chromium_stream (builder->chromium, kept[i]->before);
      Part part = { NS_TIME_NONE, NS_TIME_NONE };

      if (i > 0)
        part.end_ns = kept[i]->migrated_ns;
      if (i + 1 < n_kept && former != NULL)
        part.begin_ns = former->migrated_ns;
      add_part (builder, kept[i], &part);
    }
}

static void
add_request (NsBuilder *builder, const NsChromiumReq *req, guint32 number)
{
  NsChromiumRow row = { .start_ns = NS_TIME_NONE };

  if (req->stream != 0 || req->is_preconnect)
    return;
  fill_request (&row, req);
  row.request = number;
  row.transport = req->is_websocket ? "WebSocket" : transport_of (req->kind);
  fill_socket (builder, &row, req->sock);
  fill_address (builder, &row, req->port);
  set_status_text (builder, &row, req);
  g_array_append_val (builder->trace->chromium, row);
}

/* Marks all streams of a connection but the first as reusing it. */
static void
mark_reused (NsTrace *trace)
{
  g_autoptr (NsMap) seen = ns_map_new ();
  guint i;

  for (i = 0; i < trace->chromium->len; i++)
    {
      NsChromiumRow *row = &g_array_index (trace->chromium, NsChromiumRow, i);

      if (row->winsock == 0)
        continue;
      row->reused = ns_map_get (seen, row->winsock, 0) != 0;
      ns_map_set (seen, row->winsock, 0, 1);
    }
}

/* Links the last row of a redirected request with the first row of the request that follows it. */
static void
link_redirects (NsBuilder *builder)
{
  GArray *rows = builder->trace->chromium;
  g_autoptr (NsMap) first = ns_map_new ();
  g_autoptr (NsMap) last = ns_map_new ();
  guint i;

  for (i = 0; i < rows->len; i++)
    {
      guint64 number = g_array_index (rows, NsChromiumRow, i).request;

      if (number == 0)
        continue;
      if (ns_map_get (first, number, 0) == 0)
        ns_map_set (first, number, 0, i + 1);
      ns_map_set (last, number, 0, i + 1);
    }
  for (i = 0; i < builder->chromium->reqs->len; i++)
    {
      guint32 before = g_array_index (builder->chromium->reqs, NsChromiumReq, i).before;
      NsRow from = before != 0 ? ns_map_get (last, before, 0) : 0;
      NsRow to = from != 0 ? ns_map_get (first, i + 1, 0) : 0;

      if (to == 0)
        continue;
      NS_ROW_AT (rows, NsChromiumRow, to)->redirect_from = from;
      NS_ROW_AT (rows, NsChromiumRow, from)->redirect_to = to;
    }
}

/**
 * ns_chromium_write_rows: (skip)
 * @builder: the builder
 *
 * Writes the table.
 */
void
ns_chromium_write_rows (NsBuilder *builder)
{
  NsChromium *self = builder->chromium;
  guint i;

  for (i = 0; i < self->streams->len; i++)
    add_stream (builder, &g_array_index (self->streams, NsChromiumStream, i));
  for (i = 0; i < self->reqs->len; i++)
    add_request (builder, &g_array_index (self->reqs, NsChromiumReq, i), i + 1);
  mark_reused (builder->trace);
  link_redirects (builder);
}

static const NsChromiumSock *
sock_of (NsChromium *self, const NsChromiumReq *req)
{
  const NsChromiumStream *stream = ns_chromium_stream (self, req->stream);
  const NsChromiumSession *session =
      stream != NULL ? ns_chromium_session (self, stream->session) : NULL;

  return ns_chromium_sock (self, session != NULL && session->sock != 0 ? session->sock : req->sock);
}

/**
 * ns_chromium_describe:
 * @builder: the builder
 * @row: a request
 * @phases: gets the phases of the request
 * @first_byte_ns: (out): when its response began, or %NS_TIME_NONE
 *
 * Sets the phases of a request. A request that reused a connection has no connect phases.
 */
void
ns_chromium_describe (NsBuilder *builder,
                      const NsChromiumRow *row,
                      NsPhases *phases,
                      gint64 *first_byte_ns)
{
  NsChromium *self = builder->chromium;
  const NsChromiumReq *req = ns_chromium_req (self, (guint32) row->request);
  const NsChromiumSock *sock = req != NULL ? sock_of (self, req) : NULL;

  *first_byte_ns = req != NULL ? req->headers_ns : NS_TIME_NONE;
  if (req == NULL)
    return;
  ns_phases_add (phases, NS_PHASE_QUEUE, req->stall.begin_ns, req->stall.end_ns);
  if (sock != NULL && !row->reused)
    {
      ns_phases_add (phases, NS_PHASE_CONNECT, sock->connect_ns, sock->connected_ns);
      ns_phases_add (phases, NS_PHASE_TLS, sock->tls.begin_ns, sock->tls.end_ns);
    }
  ns_phases_add (phases, NS_PHASE_WAIT, req->sent_ns, req->headers_ns);
  ns_phases_add (phases, NS_PHASE_RECEIVE, req->headers_ns, req->end_ns);
}
