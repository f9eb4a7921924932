/* WinINet events about name resolution, connections and transfers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/wininet/ns-wininet-state.h"
#include "engine/catalog/ns-wininet-events.h"

#include "engine/app/tls/ns-tls-span.h"
#include "engine/net/names/ns-host-names.h"
#include "engine/tasks/ns-tasks.h"
#include "engine/trace/ns-url.h"
#include "wire/ns-sockaddr.h"

/* Status of a handshake that continues once more data has arrived. */
#define SEC_E_INCOMPLETE_MESSAGE 0x80090318
/* Maximum length of a certificate hash. */
#define MAX_HASH_BYTES 64

/* Handles events 304 to 307: host, handle and result of a name look-up. */
static void
on_resolve (NsBuilder *builder, const NsRecord *record)
{
  NsNameLookup lookup = { .source = NS_DNS_FROM_WININET,
                          .has_status = TRUE,
                          .pid = record->pid,
                          .activity_id = record->activity };
  NsWininetRequest *request;
  NsCursor cursor;
  NsString host;
  guint64 handle;

  ns_record_cursor (record, &cursor);
  host = ns_wininet_take_text (builder, &cursor, ns_cursor_u16 (&cursor));
  handle = ns_cursor_ptr (&cursor, record->pointer_size);
  request = ns_wininet_find_any (builder->wininet, record, handle);
  if (request != NULL)
    {
      ns_wininet_begin (&request->dns, record->time_ns);
      ns_wininet_serve (request, record->time_ns);
      request->dns_name = host;
    }
  if (record->id == NS_WININET_DNS_QUERY_START)
    return;

  if (request != NULL)
    request->dns.end_ns = record->time_ns;
  lookup.query = host;
  lookup.tid = record->tid;
  lookup.open_ns = request != NULL ? request->dns.begin_ns : record->time_ns;
  lookup.close_ns = record->time_ns;
  if (record->id == NS_WININET_DNS_QUERY_FAILED)
    {
      lookup.status = ns_cursor_u32 (&cursor);
      if (request != NULL)
        request->error = lookup.status;
      ns_host_names_add_lookup (builder, &lookup);
    }
  else
    {
      NsString list = ns_wininet_take_text (builder, &cursor, ns_cursor_u16 (&cursor));

      ns_host_names_add_list (builder, &lookup, ns_trace_text (builder->trace, list));
    }
}

/* Handles events 1029 and 1030: begin and end of a name look-up. */
static void
on_resolve_host (NsBuilder *builder, const NsRecord *record)
{
  NsWininetRequest *request;
  NsCursor cursor;

  ns_record_cursor (record, &cursor);
  request =
      ns_wininet_find_any (builder->wininet, record, ns_cursor_ptr (&cursor, record->pointer_size));
  if (request == NULL)
    return;
  ns_wininet_serve (request, record->time_ns);
  if (record->id == NS_WININET_RESOLVE_HOST_START)
    ns_wininet_begin (&request->dns, record->time_ns);
  else
    request->dns.end_ns = record->time_ns;
}

/* Handles event 301: a connection is opened. */
static void
on_tcp_start (NsBuilder *builder, const NsRecord *record)
{
  NsWininetRequest *request = ns_wininet_find (builder->wininet, record);
  NsCursor cursor;
  NsString server;
  guint64 handle;
  guint64 socket;
  guint32 local_port;

  ns_record_cursor (record, &cursor);
  server = ns_wininet_take_text (builder, &cursor, ns_cursor_u16 (&cursor));
  handle = ns_cursor_ptr (&cursor, record->pointer_size);
  socket = ns_cursor_ptr (&cursor, record->pointer_size);
  local_port = ns_cursor_u32 (&cursor);
  if (request == NULL)
    {
      request = ns_wininet_add (builder->wininet,
                                record,
                                handle,
                                ns_strings_add (builder->trace->strings, "Unknown"));
      request->inferred = TRUE;
      request->link = ns_tasks_find_link (builder, record->tid, record->time_ns);
    }
  ns_wininet_serve (request, record->time_ns);
  if (ns_url_is_blank (ns_trace_text (builder->trace, request->server)))
    request->server = server;
  if (request->local_port == 0 && local_port <= G_MAXUINT16)
    request->local_port = (guint16) local_port;
  if (local_port != 0)
    ns_map_set (builder->wininet->by_port, record->pid, local_port, request->row);
  if (socket != 0)
    ns_map_set (builder->wininet->by_socket, record->pid, socket, request->row);
}

/* Handles events 303 and 208: the connection is closed, and its handle may be reused. */
static void
on_tcp_stop (NsBuilder *builder, const NsRecord *record)
{
  NsCursor cursor;

  ns_record_cursor (record, &cursor);
  if (record->id == NS_WININET_KEEP_ALIVE_CLOSED)
    ns_cursor_ptr (&cursor, record->pointer_size); /* ConnectionHandle */
  ns_map_take (builder->wininet->by_socket,
               record->pid,
               ns_cursor_ptr (&cursor, record->pointer_size));
}

/* Handles event 206: the request reuses the connection of an earlier one. */
static void
on_reuse (NsBuilder *builder, const NsRecord *record)
{
  NsWininet *self = builder->wininet;
  const NsWininetRequest *opener;
  NsWininetRequest *request;
  NsCursor cursor;
  guint64 socket;
  guint32 number;

  ns_record_cursor (record, &cursor);
  request = ns_wininet_find_any (self, record, ns_cursor_ptr (&cursor, record->pointer_size));
  socket = ns_cursor_ptr (&cursor, record->pointer_size);
  if (request == NULL)
    return;
  request->reused = 1;
  ns_wininet_serve (request, record->time_ns);
  number = ns_map_get (self->by_socket, record->pid, socket);
  if (number == 0 || number == request->row || request->finished)
    return;
  opener = self->requests->pdata[number - 1];
  request->handshake = opener->handshake;
  if (request->local_port == 0)
    request->local_port = opener->local_port;
  if (ns_endpoint_is_empty (request->remote))
    request->remote = opener->remote;
  if (request->tcp == 0)
    {
      request->tcp = opener->tcp;
      request->confidence = opener->confidence;
    }
}

/* Handles event 302: a connect failed. */
static void
on_tcp_failed (NsBuilder *builder, const NsRecord *record)
{
  NsWininetRequest *request;
  NsCursor cursor;
  guint64 handle;
  guint32 error;

  ns_record_cursor (record, &cursor);
  ns_cursor_skip (&cursor, ns_cursor_u16 (&cursor));
  handle = ns_cursor_ptr (&cursor, record->pointer_size);
  error = ns_cursor_u32 (&cursor);
  request = ns_wininet_find_any (builder->wininet, record, handle);
  if (request != NULL && error != 0)
    request->error = error;
}

/* Handles event 1045: a connect begins. */
static void
on_connect_start (NsBuilder *builder, const NsRecord *record)
{
  NsWininet *self = builder->wininet;
  NsWininetRequest *request;
  NsCursor cursor;
  guint64 pointer;

  ns_record_cursor (record, &cursor);
  pointer = ns_cursor_ptr (&cursor, record->pointer_size);
  request = ns_wininet_find_any (self, record, pointer);
  if (request == NULL)
    {
      request = ns_wininet_add (self, record, 0, NS_STRING_NONE);
      request->inferred = TRUE;
      request->tid_send = record->tid;
      request->sent_ns = record->time_ns;
      request->link = ns_tasks_find_link (builder, record->tid, record->time_ns);
      ns_wininet_set_pointer (self, request, pointer);
    }
  request->tid_connect = record->tid;
  if (request->reused < 0)
    request->reused = 0;
  ns_wininet_begin (&request->connect, record->time_ns);
  if (request->connected_ns == NS_TIME_NONE || request->finished)
    request->connected_ns = record->time_ns;
}

/* Handles event 1046: a connect ends; Windows 7 records only the port. */
static void
on_connect_stop (NsBuilder *builder, const NsRecord *record)
{
  NsEndpoint local;
  NsEndpoint remote = { 0 };
  NsWininetRequest *request;
  NsCursor cursor;
  guint64 pointer;
  guint32 local_port;
  guint16 former;

  ns_record_cursor (record, &cursor);
  pointer = ns_cursor_ptr (&cursor, record->pointer_size);
  local_port = ns_cursor_u32 (&cursor);
  request = ns_wininet_find_any (builder->wininet, record, pointer);
  if (request == NULL || !ns_cursor_ok (&cursor))
    return;
  request->connect.end_ns = record->time_ns;
  if (record->version >= 1)
    {
      request->http2 |= ns_cursor_u32 (&cursor) == 1;
      if (ns_sockaddr_take_counted (&cursor, &local))
        ns_sockaddr_take_counted (&cursor, &remote);
    }

  /* A kept-alive connection was closed by the peer: the following events have the details. */
  if (local_port == 0 && ns_endpoint_is_empty (&remote))
    return;
  former = request->local_port;
  if (request->finished && local_port != 0 && local_port != former)
    {
      if (former != 0)
        ns_wininet_reconnect (builder, request, record->time_ns);
      if (!ns_endpoint_is_empty (&remote))
        request->remote = ns_endpoint_pool_add (builder->trace->ends, &remote);
      request->finished = FALSE;
    }
  if (local_port != 0 && local_port <= G_MAXUINT16)
    request->local_port = (guint16) local_port;
  ns_wininet_finish (builder, request, &remote);
}

/* Handles event 1059. */
static void
on_socket_connect (NsBuilder *builder, const NsRecord *record)
{
  NsWininetRequest *request;
  NsCursor cursor;
  guint64 pointer;
  guint32 local_port;

  ns_record_cursor (record, &cursor);
  pointer = ns_cursor_ptr (&cursor, record->pointer_size);
  ns_cursor_u32 (&cursor); /* Socket */
  local_port = ns_cursor_u32 (&cursor);
  request = ns_wininet_find_any (builder->wininet, record, pointer);
  if (request != NULL && !request->finished && local_port != 0 && local_port <= G_MAXUINT16)
    request->local_port = (guint16) local_port;
}

static void
bytes_came (NsBuilder *builder, const NsRecord *record, NsWininetRequest *request, guint32 n_bytes)
{
  request->received += n_bytes;
  ns_moves_note (builder->trace->moves,
                 NS_TABLE_WININET,
                 request->row,
                 record->time_ns,
                 n_bytes,
                 FALSE);
  ns_wininet_begin (&request->receive, record->time_ns);
  request->receive.end_ns = record->time_ns;
}

/* Handles events 1031, 1033, 1035 and 1037: sent or received bytes. */
static void
on_bytes (NsBuilder *builder, const NsRecord *record)
{
  NsWininet *self = builder->wininet;
  NsWininetRequest *request;
  NsCursor cursor;
  guint64 pointer;
  guint32 n_bytes;

  ns_record_cursor (record, &cursor);
  pointer = ns_cursor_ptr (&cursor, record->pointer_size);
  n_bytes = ns_cursor_u32 (&cursor);
  request = ns_wininet_find_any (self, record, pointer);
  if (request == NULL)
    return;
  /* Without a request object this is an HTTP/2 frame, whose data event 1064 reports. */
  if (record->id == NS_WININET_READ_DATA && pointer == 0)
    return;
  if (request->request == 0)
    ns_wininet_set_pointer (self, request, pointer);
  if (record->id == NS_WININET_READ_DATA)
    {
      bytes_came (builder, record, request, n_bytes);
      return;
    }
  if (record->id != NS_WININET_SEND_REQUEST_CRLF)
    {
      request->sent += n_bytes;
      ns_moves_note (builder->trace->moves,
                     NS_TABLE_WININET,
                     request->row,
                     record->time_ns,
                     n_bytes,
                     TRUE);
    }
  ns_wininet_begin (&request->send, record->time_ns);
  request->send.end_ns = record->time_ns;
}

/* Handles event 1064: data of an HTTP/2 stream. */
static void
on_stream_data (NsBuilder *builder, const NsRecord *record)
{
  NsWininetRequest *request;
  NsCursor cursor;
  guint64 handle;
  guint32 n_bytes;

  ns_record_cursor (record, &cursor);
  handle = ns_cursor_ptr (&cursor, record->pointer_size);
  ns_cursor_u32 (&cursor); /* StreamId */
  request = ns_wininet_find_any (builder->wininet, record, handle);
  if (request == NULL)
    return;
  n_bytes = ns_cursor_u32 (&cursor);
  request->http2 = TRUE;
  bytes_came (builder, record, request, n_bytes);
}

/* Handles event 209: the response body is complete. */
static void
on_body (NsBuilder *builder, const NsRecord *record)
{
  NsWininetRequest *request;
  NsCursor cursor;

  ns_record_cursor (record, &cursor);
  request =
      ns_wininet_find_any (builder->wininet, record, ns_cursor_ptr (&cursor, record->pointer_size));
  if (request != NULL)
    request->receive.end_ns = record->time_ns;
}

/* Returns the handshake of a request; its duration is unknown if its start was not recorded. */
static NsTlsSpan *
need_handshake (NsBuilder *builder, const NsRecord *record, NsWininetRequest *request)
{
  if (request->handshake == 0)
    request->handshake = ns_tls_begin (builder, NS_TLS_WININET, record);
  return ns_tls_get_span (builder, request->handshake);
}

/* Handles events 701 to 704: the handshake of a request. */
static void
on_negotiation (NsBuilder *builder, const NsRecord *record)
{
  NsWininetRequest *request;
  NsCursor cursor;
  guint32 error;

  ns_record_cursor (record, &cursor);
  request =
      ns_wininet_find_any (builder->wininet, record, ns_cursor_ptr (&cursor, record->pointer_size));
  if (request == NULL)
    return;
  ns_tls_step (need_handshake (builder, record, request), record);
  if (record->id == NS_WININET_HTTPS_NEGOTIATION_START)
    {
      ns_wininet_begin (&request->tls, record->time_ns);
      return;
    }
  if (record->id != NS_WININET_HTTPS_CERTIFICATE_ERROR)
    request->tls.end_ns = record->time_ns;
  error = ns_cursor_u32 (&cursor);
  if (record->id != NS_WININET_HTTPS_NEGOTIATION_STOP && ns_cursor_ok (&cursor) && error != 0)
    ns_tls_fail (ns_tls_get_span (builder, request->handshake), NS_CODE_WIN32, error);
}

/* Handles event 705: the hash of the server's certificate. */
static void
on_certificate (NsBuilder *builder, const NsRecord *record)
{
  NsWininetRequest *request;
  const guint8 *bytes;
  GString *text;
  NsCursor cursor;
  guint16 n_bytes;
  guint i;

  ns_record_cursor (record, &cursor);
  request =
      ns_wininet_find_any (builder->wininet, record, ns_cursor_ptr (&cursor, record->pointer_size));
  n_bytes = ns_cursor_u16 (&cursor);
  bytes = ns_cursor_take (&cursor, n_bytes);
  if (request == NULL || !ns_cursor_ok (&cursor) || n_bytes == 0 || n_bytes > MAX_HASH_BYTES)
    return;
  text = g_string_sized_new (2 * (gsize) n_bytes);
  for (i = 0; i < n_bytes; i++)
    g_string_append_printf (text, "%02x", bytes[i]);
  need_handshake (builder, record, request)->facts.sha1 =
      ns_strings_add_len (builder->trace->strings, text->str, text->len);
  g_string_free (text, TRUE);
}

/* Handles events 1065 and 1066: a Schannel context of a socket, identified by its local port. */
static void
on_security_context (NsBuilder *builder, const NsRecord *record)
{
  NsWininet *self = builder->wininet;
  NsWininetRequest *request;
  NsTlsSpan *handshake;
  NsCursor cursor;
  const char *host;
  guint32 number;
  guint32 status;
  guint64 context;
  guint32 port;
  gsize n_host;

  ns_record_cursor (record, &cursor);
  context = ns_cursor_ptr (&cursor, record->pointer_size);
  host = ns_cursor_astr (&cursor, &n_host);
  ns_cursor_u32 (&cursor); /* NegotiationCount */
  port = ns_cursor_u32 (&cursor);
  number = ns_cursor_ok (&cursor) && port != 0 ? ns_map_get (self->by_port, record->pid, port) : 0;
  request =
      number != 0 ? self->requests->pdata[number - 1] : ns_wininet_find_any (self, record, context);
  if (request == NULL)
    return;
  handshake = need_handshake (builder, record, request);
  ns_tls_step (handshake, record);
  if (host != NULL && n_host > 0 && handshake->facts.sni == NS_STRING_NONE)
    handshake->facts.sni = ns_strings_add_len (builder->trace->strings, host, n_host);
  if (record->id == NS_WININET_SECURITY_CONTEXT_START)
    {
      ns_wininet_begin (&request->tls, record->time_ns);
      return;
    }
  request->tls.end_ns = record->time_ns;
  status = ns_cursor_u32 (&cursor);
  if (ns_cursor_ok (&cursor) && status >= 12000 &&
      (status < 0x80000000 ? status < 13000 : status != SEC_E_INCOMPLETE_MESSAGE))
    ns_tls_fail (handshake, NS_CODE_WIN32, status);
}

/* Handles events 813 to 817: the request waits for proxy detection. */
static void
on_proxy (NsBuilder *builder, const NsRecord *record)
{
  NsWininetRequest *request = ns_wininet_find (builder->wininet, record);

  if (request == NULL)
    return;
  if (record->id == NS_WININET_AUTOPROXY_FIND_START ||
      record->id == NS_WININET_AUTOPROXY_DETERMINATION_START)
    ns_wininet_begin (&request->proxy, record->time_ns);
  else if (request->proxy.begin_ns != NS_TIME_NONE)
    request->proxy.end_ns = record->time_ns;
}

/**
 * ns_wininet_network_event:
 * @builder: the builder
 * @record: an event of the provider
 *
 * Handles the events of name resolution, connections and transfers.
 */
void
ns_wininet_network_event (NsBuilder *builder, const NsRecord *record)
{
  switch (record->id)
    {
    case NS_WININET_KEEP_ALIVE_REUSED:
      on_reuse (builder, record);
      break;
    case NS_WININET_KEEP_ALIVE_CLOSED:
    case NS_WININET_TCP_CONNECTION_STOP:
      on_tcp_stop (builder, record);
      break;
    case NS_WININET_RESPONSE_BODY_RECEIVED:
      on_body (builder, record);
      break;
    case NS_WININET_HTTPS_NEGOTIATION_START:
    case NS_WININET_HTTPS_NEGOTIATION_STOP:
    case NS_WININET_HTTPS_NEGOTIATION_FAILED:
    case NS_WININET_HTTPS_CERTIFICATE_ERROR:
      on_negotiation (builder, record);
      break;
    case NS_WININET_HTTPS_CERTIFICATE:
      on_certificate (builder, record);
      break;
    case NS_WININET_SECURITY_CONTEXT_START:
    case NS_WININET_SECURITY_CONTEXT_STOP:
      on_security_context (builder, record);
      break;
    case NS_WININET_TCP_CONNECTION_START:
      on_tcp_start (builder, record);
      break;
    case NS_WININET_TCP_CONNECTION_FAILED:
      on_tcp_failed (builder, record);
      break;
    case NS_WININET_DNS_QUERY_START:
    case NS_WININET_DNS_QUERY_STOP:
    case NS_WININET_DNS_QUERY_FAILED:
    case NS_WININET_DNS_QUERY_STOP_307:
      on_resolve (builder, record);
      break;
    case NS_WININET_AUTOPROXY_FIND_START:
    case NS_WININET_AUTOPROXY_FIND_STOP:
    case NS_WININET_AUTOPROXY_FIND_FAILED:
    case NS_WININET_AUTOPROXY_DETERMINATION_START:
    case NS_WININET_AUTOPROXY_DETERMINATION_STOP:
      on_proxy (builder, record);
      break;
    case NS_WININET_RESOLVE_HOST_START:
    case NS_WININET_RESOLVE_HOST_STOP:
      on_resolve_host (builder, record);
      break;
    case NS_WININET_SEND_REQUEST_MAIN:
    case NS_WININET_SEND_REQUEST_EXTRA:
    case NS_WININET_SEND_REQUEST_CRLF:
    case NS_WININET_READ_DATA:
      on_bytes (builder, record);
      break;
    case NS_WININET_CONNECT_START:
      on_connect_start (builder, record);
      break;
    case NS_WININET_CONNECT_STOP:
      on_connect_stop (builder, record);
      break;
    case NS_WININET_SOCKET_CONNECT_START:
      on_socket_connect (builder, record);
      break;
    case NS_WININET_STREAM_DATA_INDICATED:
      on_stream_data (builder, record);
      break;
    default:
      break;
    }
}
