/* Events of WebIO's sockets: connects, closes, sends, receives, TLS steps.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/tls/ns-tls-span.h"
#include "engine/app/webio/ns-webio-state.h"
#include "engine/catalog/ns-webio-events.h"

#include <string.h>

/* Handle of events without a socket handle. */
#define NO_SOCKET G_MAXUINT64
/* Status of a handshake that continues once more data has arrived. */
#define SEC_E_INCOMPLETE_MESSAGE 0x80090318

/* Events 200, 201 and 202. */
typedef struct
{
  guint64 connection;
  guint64 socket;
  NsEndpoint address;
  guint32 error;
  gboolean is_http3;
} Connect;

/* Events 213 to 216. */
typedef struct
{
  guint64 connection;
  guint64 socket;
  guint64 context;
  guint32 error;
  guint64 n_bytes;
} Transfer;

static void
read_connect (const NsRecord *record, Connect *event)
{
  NsCursor cursor;
  NsCursor text;
  guint32 n_units;

  memset (event, 0, sizeof *event);
  ns_record_cursor (record, &cursor);
  event->connection = ns_cursor_ptr (&cursor, record->pointer_size);
  event->socket = ns_cursor_u64 (&cursor);
  n_units = ns_cursor_u32 (&cursor);
  if (n_units > 1 && ns_cursor_sub (&cursor, (gsize) n_units * 2, &text))
    {
      gsize n_bytes;
      const guint8 *utf16 = ns_cursor_wstr (&text, &n_bytes);
      g_autofree char *address = ns_utf8_from_utf16 (utf16, n_bytes);

      if (!ns_endpoint_from_text (&event->address, address))
        memset (&event->address, 0, sizeof event->address);
    }
  else
    ns_cursor_skip (&cursor, (gsize) n_units * 2);
  ns_cursor_ptr (&cursor, record->pointer_size); /* Context */
  ns_cursor_u64 (&cursor);                       /* RemainingAddressCount */
  event->error = ns_cursor_u32 (&cursor);
  event->is_http3 = record->version >= 1 && ns_cursor_u64 (&cursor) != 0;
}

static void
read_transfer (const NsRecord *record, Transfer *event)
{
  NsCursor cursor;

  ns_record_cursor (record, &cursor);
  event->connection = ns_cursor_ptr (&cursor, record->pointer_size);
  ns_cursor_ptr (&cursor, record->pointer_size); /* DataChunks */
  event->socket = ns_cursor_u64 (&cursor);
  ns_cursor_ptr (&cursor, record->pointer_size); /* Buffer */
  event->context = ns_cursor_ptr (&cursor, record->pointer_size);
  event->error = ns_cursor_u32 (&cursor);
  event->n_bytes = ns_cursor_u64 (&cursor);
}

/* Sets the time of the first event of a connection, until which the request waited for one. */
static void
note_first (NsWebioRequest *request, gint64 time_ns)
{
  if (request->first_ns == NS_TIME_NONE)
    request->first_ns = time_ns;
}

/* Finds the WinSock socket, which WebIO creates on this thread right before the connect. */
static guint32
find_own_socket (NsBuilder *builder, const NsRecord *record)
{
  const NsWsRec *afd =
      ns_winsock_find_by_opener (builder, record->tid, record->time_ns - NS_WEBIO_MAX_ADJACENT_NS);

  if (afd == NULL || ns_time_is_set (afd->connect_ns) ||
      (afd->pid != record->pid && afd->pid != NS_PID_UNKNOWN))
    return 0;
  return afd->index;
}

/* Handles event 200: a connect to the first address, or to another one. */
static void
on_connect_start (NsBuilder *builder, const NsRecord *record)
{
  NsWebio *self = builder->webio;
  NsWebioLink *link;
  Connect event;

  read_connect (record, &event);
  if (event.connection == 0)
    return;
  link = ns_webio_need_link (builder, record, event.connection);
  /* The first address uses the connection announced by event 104; further ones get their own. */
  if (link->socket != NULL && !(link->duplicate && link->sent + link->received == 0))
    link = ns_webio_add_link (self, link->request, event.connection);
  link->duplicate = FALSE;
  link->socket = ns_webio_add_socket (self, record, event.socket, TRUE);
  link->socket->remote = ns_endpoint_pool_add (builder->trace->ends, &event.address);
  link->socket->afd = find_own_socket (builder, record);
  link->socket->is_http3 = event.is_http3;
  note_first (link->request, record->time_ns);
}

/* Returns the connection of events 201, 202 and 204: the one with the event's socket, else the
 * newest open one, of the event's request if that is among them. */
static NsWebioLink *
find_connecting (NsWebio *self, const NsRecord *record, guint64 id, guint64 handle)
{
  guint64 own = ns_webio_handle_of (record);
  NsWebioLink *link = ns_webio_newest_link (self, record->pid, id);
  NsWebioLink *best = NULL;
  guint best_score = 0;
  guint i;

  for (i = 0; link != NULL && i < NS_WEBIO_MAX_LOOK_BACK; i++, link = link->older)
    {
      guint score = 1;

      if (link->gone || link->socket == NULL)
        continue;
      if (handle != NO_SOCKET && handle != 0 && link->socket->handle == handle)
        score += 8;
      if (link->socket->close_ns == NS_TIME_OPEN)
        score += 4;
      if (ns_webio_is_open (link->request))
        score += 2;
      if (own != 0 && link->request->handle == own)
        score += 1;
      if (score > best_score)
        {
          best = link;
          best_score = score;
        }
      if (best_score == 16)
        break;
    }
  return best;
}

/* Handles events 201 and 202. */
static void
on_connect_stop (NsBuilder *builder, const NsRecord *record)
{
  NsWebioLink *link;
  Connect event;

  read_connect (record, &event);
  link = find_connecting (builder->webio, record, event.connection, event.socket);
  if (link == NULL)
    return;
  link->tentative = FALSE;
  if (event.error != 0)
    link->error = event.error;
  if (link->socket->stop_ns == NS_TIME_OPEN)
    link->socket->stop_ns = record->time_ns;
  link->socket->is_http3 |= event.is_http3;
}

/* Handles event 204. */
static void
on_close (NsBuilder *builder, const NsRecord *record)
{
  NsWebioLink *link;
  NsCursor cursor;
  guint64 id;
  guint64 handle;

  ns_record_cursor (record, &cursor);
  id = ns_cursor_ptr (&cursor, record->pointer_size);
  handle = ns_cursor_u64 (&cursor);
  link = find_connecting (builder->webio, record, id, ns_cursor_ok (&cursor) ? handle : NO_SOCKET);
  if (link == NULL)
    return;
  link->tid_tx = NS_PID_UNKNOWN;
  link->tid_rx = NS_PID_UNKNOWN;
  if (link->socket->stop_ns == NS_TIME_OPEN)
    link->socket->stop_ns = record->time_ns;
  if (link->socket->close_ns == NS_TIME_OPEN)
    link->socket->close_ns = record->time_ns;
}

/* Records the begin of a transfer, and the gap before it. A send without a recorded end ended
 * before the next one, at an unknown time. */
static void
note_begin (NsWebioLink *link, gint64 time_ns, gboolean sends)
{
  NsTimeSpan *gap = &link->request->gap;

  if (!link->receives && (!link->sends || sends) && link->quiet_ns != NS_TIME_NONE &&
      time_ns - link->quiet_ns > gap->end_ns - gap->begin_ns)
    *gap = (NsTimeSpan){ link->quiet_ns, time_ns };
  link->sends |= sends;
  link->receives |= !sends;
}

static void
note_end (NsWebioLink *link, gint64 time_ns, gboolean sends)
{
  if (sends)
    link->sends = FALSE;
  else
    link->receives = FALSE;
  if (!link->sends && !link->receives)
    link->quiet_ns = time_ns;
}

/* Handles events 213 and 215. */
static void
on_transfer_start (NsBuilder *builder, const NsRecord *record, gboolean sends)
{
  NsWebio *self = builder->webio;
  NsWebioLink *link;
  Transfer event;

  read_transfer (record, &event);
  if (event.connection == 0)
    return;
  link = ns_webio_need_link (builder, record, event.connection);
  if (link->socket == NULL ||
      (link->socket->close_ns != NS_TIME_OPEN && link->socket->handle != event.socket))
    {
      if (link->socket != NULL)
        link = ns_webio_add_link (self, link->request, event.connection);
      ns_webio_attach (self, record, link, event.socket);
    }
  note_first (link->request, record->time_ns);
  note_begin (link, record->time_ns, sends);
  if (sends)
    {
      link->tid_tx = record->tid;
      link->context_tx = event.context;
      link->tx_ns = record->time_ns;
      if (link->send.begin_ns == NS_TIME_NONE)
        link->send.begin_ns = record->time_ns;
    }
  else
    {
      link->tid_rx = record->tid;
      link->context_rx = event.context;
      link->rx_ns = record->time_ns;
    }
  ns_webio_remember_thread (self, link, record->tid, sends);
}

/* Returns whether @link, which has no context, matches better than @idle: it is of the event's
 * request, or no other request opened its socket. Of equal ones the newest, which comes first,
 * is kept. */
static gboolean
is_better (const NsRecord *record, const NsWebioLink *idle, const NsWebioLink *link)
{
  guint64 own = ns_webio_handle_of (record);

  if (idle == NULL)
    return TRUE;
  if (own != 0 && (idle->request->handle == own) != (link->request->handle == own))
    return link->request->handle == own;
  return idle->duplicate && !link->duplicate;
}

/* Returns the connection whose send or receive ends: by its context, else one without a context. */
static NsWebioLink *
find_transfer (NsBuilder *builder, const NsRecord *record, const Transfer *event, gboolean sends)
{
  NsWebio *self = builder->webio;
  NsWebioLink *link = ns_webio_newest_link (self, record->pid, event->connection);
  const NsWebioRequest *own;
  NsWebioLink *idle = NULL;
  guint i;

  for (i = 0; link != NULL && i < NS_WEBIO_MAX_LOOK_BACK; i++, link = link->older)
    {
      guint64 context = sends ? link->context_tx : link->context_rx;

      if (link->gone)
        continue;
      if (context != 0 && context == event->context)
        return link;
      if (context == 0 && ns_webio_is_open (link->request) && is_better (record, idle, link))
        idle = link;
    }
  own = ns_webio_find_open_handle (self, record->pid, ns_webio_handle_of (record));
  /* The begin of the receive was lost, and the connection's previous request has not been
   * closed. */
  if (idle != NULL && !sends && own != NULL && own != idle->request && own->last == NULL)
    return ns_webio_find_link (self, record, event->connection);
  return idle;
}

static void
note_move (NsBuilder *builder,
           const NsWebioLink *link,
           gint64 time_ns,
           guint64 n_bytes,
           gboolean is_sent)
{
  ns_moves_note (builder->trace->moves,
                 NS_TABLE_WEBIO,
                 link->request->row,
                 time_ns,
                 n_bytes,
                 is_sent);
}

/* Handles event 214. */
static void
on_send_stop (NsBuilder *builder, const NsRecord *record)
{
  NsWebioLink *link;
  guint64 n_bytes;
  Transfer event;

  read_transfer (record, &event);
  link = find_transfer (builder, record, &event, TRUE);
  if (link == NULL)
    return;
  if (event.error != 0)
    link->error = event.error;
  if (event.n_bytes != 0)
    builder->webio->has_send_counts = TRUE;
  n_bytes = event.n_bytes != 0 ? event.n_bytes : link->tx_from_tcp;
  link->sent += n_bytes;
  note_move (builder, link, record->time_ns, n_bytes, TRUE);
  link->tx_from_tcp = 0;
  link->context_tx = 0;
  link->tid_tx = NS_PID_UNKNOWN;
  note_end (link, record->time_ns, TRUE);
  if (link->send.begin_ns != NS_TIME_NONE)
    link->send.end_ns = record->time_ns;
}

/* Handles event 216. */
static void
on_receive_stop (NsBuilder *builder, const NsRecord *record)
{
  NsWebio *self = builder->webio;
  NsWebioLink *link;
  Transfer event;

  read_transfer (record, &event);
  if (event.connection == 0)
    return;
  link = find_transfer (builder, record, &event, FALSE);
  if (link != NULL)
    {
      link->context_rx = 0;
      note_end (link, record->time_ns, FALSE);
    }
  if (event.n_bytes == 0)
    {
      if (link != NULL && event.error != 0)
        link->error = event.error;
      return;
    }
  if (link == NULL)
    {
      NsWebioLink *closed = ns_webio_newest_link (self, record->pid, event.connection);

      /* Remaining data of an ended request does not begin a new one. */
      if (closed != NULL && !closed->gone && closed->socket != NULL &&
          closed->request->handle == ns_webio_handle_of (record))
        link = closed;
      else
        link = ns_webio_need_link (builder, record, event.connection);
    }
  if (link->socket == NULL)
    ns_webio_attach (self, record, link, event.socket);
  if (link->socket->close_ns != NS_TIME_OPEN)
    return;
  note_first (link->request, record->time_ns);
  link->tid_rx = record->tid;
  link->received += event.n_bytes;
  note_move (builder, link, record->time_ns, event.n_bytes, FALSE);
  if (link->first_byte_ns == NS_TIME_NONE)
    link->first_byte_ns = record->time_ns;
  link->last_byte_ns = record->time_ns;
}

/* Returns the handshake of a socket; its first recorded step begins it. */
static NsTlsSpan *
need_handshake (NsBuilder *builder, const NsRecord *record, NsWebioSocket *socket)
{
  if (socket->handshake == 0)
    socket->handshake = ns_tls_begin (builder, NS_TLS_WEBIO, record);
  return ns_tls_get_span (builder, socket->handshake);
}

/* Returns whether a Schannel result is a failure, other than a request to continue. */
static gboolean
is_failure (guint32 result)
{
  return result >= 0x80000000 && result != SEC_E_INCOMPLETE_MESSAGE;
}

/* Stores host and result of a step. */
static void
note_step (NsBuilder *builder, const NsRecord *record, NsCursor *cursor, NsTlsSpan *handshake)
{
  const guint8 *host;
  guint32 result;
  gsize n;

  ns_cursor_skip (cursor, 4 * sizeof (guint64)); /* SecurityHandle, CredHandle */
  host = ns_cursor_wstr (cursor, &n);
  if (host != NULL && n > 0 && handshake->facts.sni == NS_STRING_NONE)
    handshake->facts.sni = ns_strings_add_utf16 (builder->trace->strings, host, n);
  ns_tls_step (handshake, record);
  ns_cursor_u32 (cursor);                        /* InputFlags */
  ns_cursor_ptr (cursor, record->pointer_size);  /* Buffer */
  ns_cursor_skip (cursor, 3 * sizeof (guint32)); /* its lengths, OutputFlags */
  ns_cursor_ptr (cursor, record->pointer_size);  /* DataChunks */
  ns_cursor_u32 (cursor);                        /* DataChunkBufferLength */
  result = ns_cursor_u32 (cursor);
  if (record->id == NS_WEBIO_TLS_STEP_STOP && ns_cursor_ok (cursor))
    ns_tls_fail (handshake, NS_CODE_WIN32, is_failure (result) ? result : 0);
}

/* Handles events 700 to 703, the steps of a handshake: the first one begins it, the last one
 * ends it. Steps of a later request, or after a response, are not part of it. */
static void
on_tls_step (NsBuilder *builder, const NsRecord *record)
{
  NsWebioLink *link;
  NsCursor cursor;
  guint64 id;

  ns_record_cursor (record, &cursor);
  id = ns_cursor_ptr (&cursor, record->pointer_size);
  link = find_connecting (builder->webio, record, id, NO_SOCKET);
  if (link == NULL ||
      (link->socket->handshake != 0 && (link->duplicate || link->header != NS_STRING_NONE)))
    return;
  /* Without its begin or end the duration is unknown. */
  if (record->id != NS_WEBIO_TLS_STEP_START)
    link->socket->tls.end_ns = record->time_ns;
  else if (link->socket->tls.begin_ns == NS_TIME_NONE)
    link->socket->tls.begin_ns = record->time_ns;
  note_step (builder, record, &cursor, need_handshake (builder, record, link->socket));
  /* The bytes transferred so far were the handshake, not the request. */
  if (link->header == NS_STRING_NONE)
    {
      link->send.begin_ns = NS_TIME_NONE;
      link->send.end_ns = NS_TIME_NONE;
      link->first_byte_ns = NS_TIME_NONE;
      link->last_byte_ns = NS_TIME_NONE;
    }
}

/* Handles events 712 and 713: WinHTTP's certificate check. */
static void
on_certificate (NsBuilder *builder, const NsRecord *record)
{
  NsWebioLink *link;
  NsCursor cursor;
  guint32 error;
  guint64 id;

  ns_record_cursor (record, &cursor);
  id = ns_cursor_ptr (&cursor, record->pointer_size);
  ns_cursor_skip (&cursor, 2 * sizeof (guint64)); /* ContextHandle */
  ns_cursor_skip (&cursor, 2 * sizeof (guint32)); /* IgnoredServerCertErrors, ServerCertErrors */
  error = ns_cursor_u32 (&cursor);
  link = find_connecting (builder->webio, record, id, NO_SOCKET);
  if (link != NULL && ns_cursor_ok (&cursor) && error != 0)
    ns_tls_fail (need_handshake (builder, record, link->socket), NS_CODE_WIN32, error);
}

/**
 * ns_webio_socket_event:
 * @builder: the builder
 * @record: an event of the provider
 *
 * Handles the events of connections and sockets.
 */
void
ns_webio_socket_event (NsBuilder *builder, const NsRecord *record)
{
  switch (record->id)
    {
    case NS_WEBIO_SOCKET_CONNECT_START:
      on_connect_start (builder, record);
      break;
    case NS_WEBIO_SOCKET_CONNECT_STOP:
    case NS_WEBIO_SOCKET_CONNECT_FAILED:
      on_connect_stop (builder, record);
      break;
    case NS_WEBIO_SOCKET_CLOSE:
      on_close (builder, record);
      break;
    case NS_WEBIO_SOCKET_SEND_START:
    case NS_WEBIO_SOCKET_RECEIVE_START:
      on_transfer_start (builder, record, record->id == NS_WEBIO_SOCKET_SEND_START);
      break;
    case NS_WEBIO_SOCKET_SEND_STOP:
      on_send_stop (builder, record);
      break;
    case NS_WEBIO_SOCKET_RECEIVE_STOP:
      on_receive_stop (builder, record);
      break;
    case NS_WEBIO_TLS_STEP_START:
    case NS_WEBIO_TLS_STEP_701:
    case NS_WEBIO_TLS_STEP_702:
    case NS_WEBIO_TLS_STEP_STOP:
      on_tls_step (builder, record);
      break;
    case NS_WEBIO_CERTIFICATE_CHECKED:
    case NS_WEBIO_CERTIFICATE_REFUSED:
      on_certificate (builder, record);
      break;
    default:
      break;
    }
}
