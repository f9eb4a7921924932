/* Netlog events of HTTP/2 and QUIC sessions and of their streams.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/chromium/ns-chromium.h"

#include "engine/trace/ns-url.h"

#include <string.h>

/* QUIC error code of the idle timeout, which is not a failure. */
#define QUIC_IDLE_TIMEOUT 25

/* Returns the value of a header in a list of "name: value": (transfer full). Names may begin
 * with a colon. */
static char *
dup_header (NsChromiumEvent *event, const char *name)
{
  guint headers = ns_chromium_param (event, "headers");
  gsize length = strlen (name);
  guint token = ns_json_doc_first (&event->state->json, headers);

  for (; token != NS_JSON_NONE; token = ns_json_doc_after (&event->state->json, headers, token))
    {
      g_autofree char *header = ns_json_doc_dup_string (&event->state->json, token);

      if (header != NULL && g_ascii_strncasecmp (header, name, length) == 0 &&
          header[length] == ':')
        return g_strdup (g_strchug (header + length + 1));
    }
  return NULL;
}

/* Sets method and URL from the request headers of a stream. */
static void
take_headers (NsChromiumEvent *event, guint32 number)
{
  NsStrings *strings = event->builder->trace->strings;
  g_autofree char *method = dup_header (event, ":method");
  g_autofree char *scheme = dup_header (event, ":scheme");
  g_autofree char *authority = dup_header (event, ":authority");
  g_autofree char *path = dup_header (event, ":path");
  NsChromiumStream *stream = ns_chromium_stream (event->state, number);

  if (method != NULL)
    stream->method = ns_strings_add (strings, method);
  if (scheme != NULL && authority != NULL && path != NULL)
    {
      g_autofree char *url = g_strconcat (scheme, "://", authority, path, NULL);

      stream->url = ns_url_mask (event->builder->trace, ns_strings_add (strings, url));
    }
}

static void
send_headers (NsChromiumEvent *event,
              NsChromiumKind kind,
              guint32 req_number,
              const char *stream_key)
{
  guint32 session = ns_chromium_get_session (event, kind);
  guint32 stream =
      ns_chromium_get_stream (event,
                              session,
                              ns_chromium_int (event, stream_key, NS_CHROMIUM_STREAM_UNKNOWN));
  NsChromiumReq *req = ns_chromium_req (event->state, req_number);

  take_headers (event, stream);
  if (req == NULL)
    return;
  ns_chromium_attach (event, stream, req_number);
  req->kind = kind;
  if (req->headers_ns == NS_TIME_NONE)
    req->sent_ns = event->record->time_ns;
  if (kind == NS_CHROMIUM_QUIC)
    req->session_quic = session;
  else
    req->session_tcp = session;
}

static void
on_http2_send_headers (NsChromiumEvent *event)
{
  send_headers (event,
                NS_CHROMIUM_HTTP2,
                ns_chromium_find (event, NS_CHROMIUM_REQ, TRUE),
                "stream_id");
}

static void
on_quic_send_headers (NsChromiumEvent *event)
{
  guint32 req = ns_map_get (event->state->by_id[NS_CHROMIUM_REQ], event->thread, event->recent->id);

  send_headers (event, NS_CHROMIUM_QUIC, req, "quic_stream_id");
}

static void
on_http3_headers_sent (NsChromiumEvent *event)
{
  guint32 session = ns_chromium_get_session (event, NS_CHROMIUM_QUIC);
  guint32 number =
      ns_chromium_get_stream (event,
                              session,
                              ns_chromium_int (event, "stream_id", NS_CHROMIUM_STREAM_UNKNOWN));
  NsChromiumStream *stream;
  guint32 req;

  take_headers (event, number);
  stream = ns_chromium_stream (event->state, number);
  req = event->recent->objects[NS_CHROMIUM_REQ];
  if (stream->req == 0 && req != 0 && ns_chromium_req (event->state, req)->url == stream->url &&
      ns_chromium_req (event->state, req)->stream == 0)
    ns_chromium_attach (event, number, req);
}

static void
take_status (NsChromiumEvent *event, NsChromiumKind kind)
{
  guint32 session = ns_chromium_get_session (event, kind);
  guint32 number =
      ns_chromium_get_stream (event,
                              session,
                              ns_chromium_int (event, "stream_id", NS_CHROMIUM_STREAM_UNKNOWN));
  g_autofree char *status = dup_header (event, ":status");
  NsChromiumStream *stream = ns_chromium_stream (event->state, number);

  if (status == NULL)
    return;
  ns_chromium_note_headers (event, stream->req, status);
  stream->status = ns_strings_add (event->builder->trace->strings, status);
  stream->http_status = (guint32) CLAMP (g_ascii_strtoll (status, NULL, 10), 0, 999);
}

static void
on_http2_recv_headers (NsChromiumEvent *event)
{
  take_status (event, NS_CHROMIUM_HTTP2);
}

static void
on_http3_headers_decoded (NsChromiumEvent *event)
{
  take_status (event, NS_CHROMIUM_QUIC);
}

static void
count_data (NsChromiumEvent *event, NsChromiumKind kind, const char *size_key, gboolean is_sent)
{
  guint32 session = ns_chromium_get_session (event, kind);
  guint32 number =
      ns_chromium_get_stream (event,
                              session,
                              ns_chromium_int (event, "stream_id", NS_CHROMIUM_STREAM_UNKNOWN));
  NsChromiumStream *stream = ns_chromium_stream (event->state, number);
  guint64 n_bytes = (guint64) MAX (ns_chromium_int (event, size_key, 0), 0);

  if (is_sent)
    stream->sent += n_bytes;
  else
    stream->received += n_bytes;
}

static void
on_http2_send_data (NsChromiumEvent *event)
{
  count_data (event, NS_CHROMIUM_HTTP2, "size", TRUE);
}

static void
on_http2_recv_data (NsChromiumEvent *event)
{
  count_data (event, NS_CHROMIUM_HTTP2, "size", FALSE);
}

static void
on_http3_data_sent (NsChromiumEvent *event)
{
  count_data (event, NS_CHROMIUM_QUIC, "payload_length", TRUE);
}

static void
on_http3_data_received (NsChromiumEvent *event)
{
  count_data (event, NS_CHROMIUM_QUIC, "payload_length", FALSE);
}

/* Marks control and QPACK streams, which carry no request. */
static void
on_http3_inner_stream (NsChromiumEvent *event)
{
  guint32 session = ns_chromium_get_session (event, NS_CHROMIUM_QUIC);
  guint32 number =
      ns_chromium_get_stream (event,
                              session,
                              ns_chromium_int (event, "stream_id", NS_CHROMIUM_STREAM_UNKNOWN));

  ns_chromium_stream (event->state, number)->is_ignored = TRUE;
}

/* Parses "host:port" from a session's begin event. */
static void
take_host (NsChromiumEvent *event, guint32 number)
{
  g_autofree char *host = ns_chromium_dup (event, "host");
  NsChromiumSession *session = ns_chromium_session (event->state, number);
  g_autofree char *server = host != NULL ? ns_url_get_server (host) : NULL;
  const char *port = host != NULL ? strrchr (host, ':') : NULL;

  session->domain = ns_strings_add (event->builder->trace->strings, server);
  session->port = (guint16)
      ns_chromium_int (event,
                       "port",
                       port != NULL ? CLAMP (g_ascii_strtoll (port + 1, NULL, 10), 0, 65535) : 0);
}

static void
on_session (NsChromiumEvent *event, NsChromiumKind kind)
{
  guint32 number = ns_chromium_find (event, NS_CHROMIUM_SESSION, FALSE);

  if (event->is_end)
    {
      if (number != 0)
        ns_chromium_session (event->state, number)->is_closed = TRUE;
      return;
    }
  if (!event->is_begin)
    return;
  number = ns_chromium_add_session (event, kind);
  ns_chromium_name_id (event, NS_CHROMIUM_SESSION, number);
  take_host (event, number);
  ns_chromium_session (event->state, number)->sock =
      ns_chromium_find (event, NS_CHROMIUM_SOCK, TRUE);
}

static void
on_http2_session (NsChromiumEvent *event)
{
  on_session (event, NS_CHROMIUM_HTTP2);
}

static void
on_quic_session (NsChromiumEvent *event)
{
  on_session (event, NS_CHROMIUM_QUIC);
}

static void
on_http2_initialized (NsChromiumEvent *event)
{
  guint32 number = ns_chromium_get_session (event, NS_CHROMIUM_HTTP2);
  guint32 sock = ns_chromium_find (event, NS_CHROMIUM_SOCK, TRUE);

  if (sock != 0)
    {
      ns_chromium_session (event->state, number)->sock = sock;
      ns_chromium_sock (event->state, sock)->kind = NS_CHROMIUM_HTTP2;
    }
}

/* Sets the session of the request: the one found, or just created. */
static void
on_http2_available (NsChromiumEvent *event)
{
  guint32 session = ns_chromium_find (event, NS_CHROMIUM_SESSION, TRUE);
  NsChromiumReq *req =
      ns_chromium_req (event->state, ns_chromium_find (event, NS_CHROMIUM_REQ, FALSE));

  if (session == 0)
    session = event->recent->objects[NS_CHROMIUM_SESSION];
  ns_chromium_name_dep (event, NS_CHROMIUM_SESSION, session);
  if (req == NULL || session == 0)
    return;
  req->tcp_kind = NS_CHROMIUM_HTTP2;
  req->session_tcp = session;
}

static void
on_http2_close (NsChromiumEvent *event)
{
  NsChromiumSession *session =
      ns_chromium_session (event->state, ns_chromium_find (event, NS_CHROMIUM_SESSION, FALSE));

  if (session == NULL)
    return;
  session->is_closed = TRUE;
  session->error = (gint32) ns_chromium_int (event, "net_error", 0);
}

static void
on_quic_session_created (NsChromiumEvent *event)
{
  guint32 session = event->recent->objects[NS_CHROMIUM_SESSION];

  ns_chromium_name_dep (event, NS_CHROMIUM_SESSION, session);
}

static void
on_bound_to_quic (NsChromiumEvent *event)
{
  guint32 session = ns_chromium_find (event, NS_CHROMIUM_SESSION, TRUE);
  NsChromiumReq *req =
      ns_chromium_req (event->state, ns_chromium_find (event, NS_CHROMIUM_REQ, FALSE));

  if (req == NULL)
    return;
  if (session == 0)
    session = event->recent->objects[NS_CHROMIUM_SESSION];
  req->session_quic = session;
  req->kind = NS_CHROMIUM_QUIC;
}

static void
on_quic_closed (NsChromiumEvent *event)
{
  NsChromiumSession *session =
      ns_chromium_session (event->state, ns_chromium_find (event, NS_CHROMIUM_SESSION, FALSE));
  gint64 error = ns_chromium_int (event, "quic_error", ns_chromium_int (event, "net_error", 0));

  if (session == NULL)
    return;
  session->is_closed = TRUE;
  if (error != QUIC_IDLE_TIMEOUT)
    session->error = (gint32) error;
}

/* Handles a packet, whose two endpoints stand in for a socket whose creation was not recorded. */
static void
on_quic_packet (NsChromiumEvent *event)
{
  guint32 number = ns_chromium_get_session (event, NS_CHROMIUM_QUIC);
  g_autofree char *peer = NULL;
  g_autofree char *self = NULL;
  NsChromiumSock *sock;
  guint32 made;

  if (ns_chromium_session (event->state, number)->sock != 0)
    return;
  peer = ns_chromium_dup (event, "peer_address");
  self = ns_chromium_dup (event, "self_address");
  if (peer == NULL)
    return;
  made = ns_chromium_add_sock (event, NS_CHROMIUM_QUIC);
  sock = ns_chromium_sock (event->state, made);
  ns_endpoint_from_text (&sock->remote, peer);
  if (self != NULL)
    ns_endpoint_from_text (&sock->local, self);
  ns_chromium_session (event->state, number)->sock = made;
}

NsChromiumHandler
ns_chromium_find_session_handler (const char *name)
{
  static const struct
  {
    const char *name;
    NsChromiumHandler handler;
  } handlers[] = {
    { "HTTP2_SESSION_SEND_HEADERS", on_http2_send_headers },
    { "HTTP2_SESSION_RECV_HEADERS", on_http2_recv_headers },
    { "HTTP2_SESSION_SEND_DATA", on_http2_send_data },
    { "HTTP2_SESSION_RECV_DATA", on_http2_recv_data },
    { "HTTP2_SESSION", on_http2_session },
    { "HTTP2_SESSION_INITIALIZED", on_http2_initialized },
    { "HTTP2_SESSION_CLOSE", on_http2_close },
    { "HTTP_STREAM_JOB_HTTP2_SESSION_AVAILABLE", on_http2_available },
    { "HTTP2_SESSION_POOL_FOUND_EXISTING_SESSION", on_http2_available },
    { "HTTP2_SESSION_POOL_FOUND_EXISTING_SESSION_FROM_IP_POOL", on_http2_available },
    { "HTTP2_SESSION_POOL_IMPORTED_SESSION_FROM_SOCKET", on_http2_available },
    { "QUIC_CHROMIUM_CLIENT_STREAM_SEND_REQUEST_HEADERS", on_quic_send_headers },
    { "HTTP3_HEADERS_SENT", on_http3_headers_sent },
    { "HTTP3_HEADERS_DECODED", on_http3_headers_decoded },
    { "HTTP3_DATA_SENT", on_http3_data_sent },
    { "HTTP3_DATA_FRAME_RECEIVED", on_http3_data_received },
    { "HTTP3_LOCAL_CONTROL_STREAM_CREATED", on_http3_inner_stream },
    { "HTTP3_PEER_CONTROL_STREAM_CREATED", on_http3_inner_stream },
    { "HTTP3_LOCAL_QPACK_ENCODER_STREAM_CREATED", on_http3_inner_stream },
    { "HTTP3_LOCAL_QPACK_DECODER_STREAM_CREATED", on_http3_inner_stream },
    { "HTTP3_PEER_QPACK_ENCODER_STREAM_CREATED", on_http3_inner_stream },
    { "HTTP3_PEER_QPACK_DECODER_STREAM_CREATED", on_http3_inner_stream },
    { "QUIC_SESSION", on_quic_session },
    { "QUIC_SESSION_CREATED", on_quic_session_created },
    { "HTTP_STREAM_REQUEST_BOUND_TO_QUIC_SESSION", on_bound_to_quic },
    { "QUIC_SESSION_POOL_USE_EXISTING_SESSION", on_bound_to_quic },
    { "QUIC_SESSION_POOL_ATTACH_HTTP_STREAM_JOB_TO_EXISTING_SESSION", on_bound_to_quic },
    { "QUIC_SESSION_CLOSED", on_quic_closed },
    { "QUIC_SESSION_CLOSE_ON_ERROR", on_quic_closed },
    { "QUIC_SESSION_PACKET_RECEIVED", on_quic_packet },
    { "QUIC_PORT_MIGRATION_TRIGGERED", ns_chromium_prepare_migration },
    { "QUIC_PORT_MIGRATION_SUCCESS", ns_chromium_migrate },
    { "QUIC_CONNECTION_MIGRATION_SUCCESS", ns_chromium_migrate },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (handlers); i++)
    if (strcmp (handlers[i].name, name) == 0)
      return handlers[i].handler;
  return NULL;
}
