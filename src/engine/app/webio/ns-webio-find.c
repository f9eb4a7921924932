/* Records of the WebIO part: creation, chains by key, look-up.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-fetch.h"
#include "engine/app/webio/ns-webio-state.h"
#include "engine/catalog/ns-webio-events.h"

#include "engine/net/tcpip/ns-tcpip.h"
#include "engine/tasks/ns-tasks.h"

/* Returns the record with this 1-based number, %NULL for 0. */
static gpointer
nth (const GPtrArray *records, guint32 number)
{
  return number != 0 ? records->pdata[number - 1] : NULL;
}

/* Adds a new record to the front of the chain of its key; returns the former front. */
static gpointer
keep (GPtrArray *records, gpointer record, NsMap *map, guint64 a, guint64 b)
{
  gpointer older = nth (records, ns_map_get (map, a, b));

  g_ptr_array_add (records, record);
  ns_map_set (map, a, b, records->len);
  return older;
}

/**
 * ns_webio_add_session:
 * @self: the part
 * @pid: process
 * @ptr: the session object
 * @time_ns: its creation
 *
 * Returns: (transfer none): a new session
 */
NsWebioSession *
ns_webio_add_session (NsWebio *self, guint32 pid, guint64 ptr, gint64 time_ns)
{
  NsWebioSession *session = ns_arena_new0 (self->arena, NsWebioSession);

  session->ptr = ptr;
  session->pid = pid;
  session->tid = NS_PID_UNKNOWN;
  session->open_ns = time_ns;
  session->close_ns = NS_TIME_OPEN;
  session->older = keep (self->sessions, session, self->session_by_ptr, pid, ptr);
  return session;
}

/**
 * ns_webio_find_session:
 * @self: the part
 * @pid: process
 * @ptr: the session object
 * @time_ns: a time in its lifetime
 *
 * Returns: (transfer none) (nullable): the newest such session
 */
NsWebioSession *
ns_webio_find_session (const NsWebio *self, guint32 pid, guint64 ptr, gint64 time_ns)
{
  NsWebioSession *session = nth (self->sessions, ns_map_get (self->session_by_ptr, pid, ptr));
  guint i;

  for (i = 0; session != NULL && i < NS_WEBIO_MAX_LOOK_BACK; i++, session = session->older)
    if (session->open_ns <= time_ns && time_ns <= session->close_ns)
      return session;
  return NULL;
}

/**
 * ns_webio_add_request:
 * @self: the part
 * @pid: process
 * @ptr: the request object
 * @handle: the request handle
 * @time_ns: when it was created, or first mentioned
 *
 * Returns: (transfer none): a new request
 */
NsWebioRequest *
ns_webio_add_request (NsWebio *self, guint32 pid, guint64 ptr, guint64 handle, gint64 time_ns)
{
  NsWebioRequest *request = ns_arena_new0 (self->arena, NsWebioRequest);

  request->row = self->requests->len + 1;
  request->ptr = ptr;
  request->handle = handle;
  request->pid = pid;
  request->tid = NS_PID_UNKNOWN;
  request->open_ns = time_ns;
  request->close_ns = NS_TIME_OPEN;
  request->first_ns = NS_TIME_NONE;
  request->failed_ns = NS_TIME_NONE;
  request->dns.begin_ns = NS_TIME_NONE;
  request->dns.end_ns = NS_TIME_NONE;
  request->proxy.begin_ns = NS_TIME_NONE;
  request->proxy.end_ns = NS_TIME_NONE;
  request->older_ptr = nth (self->requests, ns_map_get (self->request_by_ptr, pid, ptr));
  request->older_handle = nth (self->requests, ns_map_get (self->request_by_handle, pid, handle));
  g_ptr_array_add (self->requests, request);
  ns_map_set (self->request_by_ptr, pid, ptr, self->requests->len);
  ns_map_set (self->request_by_handle, pid, handle, self->requests->len);
  return request;
}

/**
 * ns_webio_find_request:
 * @self: the part
 * @pid: process
 * @ptr: the request object
 * @time_ns: a time in its lifetime
 *
 * Returns: (transfer none) (nullable): the newest such request
 */
NsWebioRequest *
ns_webio_find_request (const NsWebio *self, guint32 pid, guint64 ptr, gint64 time_ns)
{
  NsWebioRequest *request = nth (self->requests, ns_map_get (self->request_by_ptr, pid, ptr));
  guint i;

  for (i = 0; request != NULL && i < NS_WEBIO_MAX_LOOK_BACK; i++, request = request->older_ptr)
    if (request->open_ns <= time_ns && time_ns <= request->close_ns)
      return request;
  return NULL;
}

/**
 * ns_webio_find_open_handle:
 * @self: the part
 * @pid: process
 * @handle: a request handle
 *
 * Returns: (transfer none) (nullable): the newest open request with it
 */
NsWebioRequest *
ns_webio_find_open_handle (const NsWebio *self, guint32 pid, guint64 handle)
{
  NsWebioRequest *request = nth (self->requests, ns_map_get (self->request_by_handle, pid, handle));
  guint i;

  if (handle == 0)
    return NULL;
  for (i = 0; request != NULL && i < NS_WEBIO_MAX_LOOK_BACK; i++, request = request->older_handle)
    if (ns_webio_is_open (request))
      return request;
  return NULL;
}

/**
 * ns_webio_restore_request:
 * @builder: the builder
 * @record: the event that shows that it exists
 * @near_ptr: a heap pointer of the same event, which provides the upper half of the request's
 *   pointer
 *
 * Returns: (transfer none): a request whose creation was not recorded
 */
NsWebioRequest *
ns_webio_restore_request (NsBuilder *builder, const NsRecord *record, guint64 near_ptr)
{
  guint64 low = ns_guid_high (&record->activity) & G_MAXUINT32;
  guint64 ptr = low == 0 ? 0 : (near_ptr & ~G_GUINT64_CONSTANT (0xffffffff)) | low;
  NsWebioRequest *request = ns_webio_add_request (builder->webio,
                                                  record->pid,
                                                  ptr,
                                                  ns_webio_handle_of (record),
                                                  record->time_ns);

  request->inferred = TRUE;
  request->activity_id = record->activity;
  request->link = ns_tasks_find_link (builder, record->tid, record->time_ns);
  return request;
}

/* Prefetches the record of an event: nearly all begin with the key of a request or of one of its
 * connections. */
void
ns_webio_look_ahead (const NsBuilder *builder, const NsRecord *record, gboolean is_near)
{
  const NsWebio *self = builder->webio;
  gboolean is_request =
      record->id < 200 && record->id != NS_WEBIO_REQUEST_WAITING_FOR_CONNECTION_STOP;
  const NsMap *map = is_request ? self->request_by_ptr : self->link_by_id;
  NsCursor cursor;
  guint32 number;
  guint64 ptr;

  ns_record_cursor (record, &cursor);
  if (record->id == NS_WEBIO_REQUEST_WAITING_FOR_CONNECTION_STOP)
    {
      ns_cursor_ptr (&cursor, record->pointer_size); /* Request */
      ns_cursor_ptr (&cursor, record->pointer_size); /* ConnMgr */
    }
  ptr = ns_cursor_ptr (&cursor, record->pointer_size);
  if (!is_near)
    {
      ns_map_expect (map, record->pid, ptr);
      if (record->id == NS_WEBIO_REQUEST_CREATE)
        ns_map_expect (self->request_by_handle, record->pid, ns_cursor_u64 (&cursor));
      return;
    }
  number = ns_map_get (map, record->pid, ptr);
  if (number == 0)
    return;
  if (is_request)
    ns_fetch (nth (self->requests, number), sizeof (NsWebioRequest));
  else
    ns_fetch (nth (self->links, number), sizeof (NsWebioLink));
}

/**
 * ns_webio_add_link:
 * @self: the part
 * @request: a request
 * @id: the connection object
 *
 * Returns: (transfer none): a new connection of the request, without a socket
 */
NsWebioLink *
ns_webio_add_link (NsWebio *self, NsWebioRequest *request, guint64 id)
{
  NsWebioLink *link = ns_arena_new0 (self->arena, NsWebioLink);

  link->id = id;
  link->request = request;
  link->tid_tx = NS_PID_UNKNOWN;
  link->tid_rx = NS_PID_UNKNOWN;
  link->tx_ns = NS_TIME_NONE;
  link->rx_ns = NS_TIME_NONE;
  link->send.begin_ns = NS_TIME_NONE;
  link->send.end_ns = NS_TIME_NONE;
  link->first_byte_ns = NS_TIME_NONE;
  link->last_byte_ns = NS_TIME_NONE;
  link->quiet_ns = NS_TIME_NONE;
  link->older = keep (self->links, link, self->link_by_id, request->pid, id);
  link->index = self->links->len;
  if (request->last != NULL)
    request->last->next = link;
  else
    request->first = link;
  link->before = request->last;
  request->last = link;
  return link;
}

/**
 * ns_webio_newest_link:
 * @self: the part
 * @pid: process
 * @id: the connection object
 *
 * Returns: (transfer none) (nullable): the newest connection with that ID
 */
NsWebioLink *
ns_webio_newest_link (const NsWebio *self, guint32 pid, guint64 id)
{
  return nth (self->links, ns_map_get (self->link_by_id, pid, id));
}

/**
 * ns_webio_add_socket:
 * @self: the part
 * @record: the event that mentions it
 * @handle: the socket handle
 * @opened: whether the event is the start of its connect
 *
 * Returns: (transfer none): a new socket
 */
NsWebioSocket *
ns_webio_add_socket (NsWebio *self, const NsRecord *record, guint64 handle, gboolean opened)
{
  NsWebioSocket *socket = ns_arena_new0 (self->arena, NsWebioSocket);

  socket->handle = handle;
  socket->pid = record->pid;
  socket->tid = record->tid;
  socket->remote = &ns_endpoint_pool_none;
  socket->opened = opened;
  socket->start_ns = record->time_ns;
  socket->stop_ns = NS_TIME_OPEN;
  socket->close_ns = NS_TIME_OPEN;
  socket->tls.begin_ns = NS_TIME_NONE;
  socket->tls.end_ns = NS_TIME_NONE;
  if (opened)
    {
      socket->older =
          keep (self->sockets, socket, self->socket_by_thread, record->pid, record->tid);
      socket->older_free = socket->older;
    }
  else
    g_ptr_array_add (self->sockets, socket);
  socket->index = self->sockets->len;
  return socket;
}

static void
set_socket_of_tcp (NsWebio *self, NsRow tcp, guint32 number)
{
  if (self->socket_by_tcp->len < tcp)
    g_array_set_size (self->socket_by_tcp, tcp);
  g_array_index (self->socket_by_tcp, guint32, tcp - 1) = number;
}

/**
 * ns_webio_tie:
 * @builder: the builder
 * @socket: a socket
 * @tcp: the TCP connection below it
 * @confidence: confidence of the link; a link with the same or lower confidence changes nothing
 */
void
ns_webio_tie (NsBuilder *builder, NsWebioSocket *socket, NsRow tcp, NsConfidence confidence)
{
  NsWebio *self = builder->webio;
  NsTcpRec *rec = ns_tcpip_get (builder, tcp);
  NsWsRec *afd;

  if (rec == NULL || (socket->tcp != 0 && confidence <= socket->confidence))
    return;
  if (socket->tcp != 0)
    set_socket_of_tcp (self, socket->tcp, 0);
  socket->tcp = tcp;
  socket->confidence = confidence;
  set_socket_of_tcp (self, tcp, socket->index);
  rec->layers |= NS_LAYER_WINHTTP;
  afd = ns_winsock_find_by_tcp (builder, tcp);
  if (afd != NULL)
    afd->layers |= NS_LAYER_WINHTTP;
  if (ns_endpoint_is_empty (socket->remote))
    socket->remote = rec->remote;
}

/* Drops a connection named by event 104 only, which may name any heap object, once an event of the
 * request shows the real one. */
static void
drop_tentative (NsWebioRequest *request, guint64 id)
{
  NsWebioLink *link = request->last;
  guint i;

  for (i = 0; link != NULL && i < NS_WEBIO_MAX_LOOK_BACK; i++, link = link->before)
    if (link->tentative && link->id != id)
      link->gone = TRUE;
}

/**
 * ns_webio_find_link:
 * @self: the part
 * @record: the event
 * @id: ID of the connection
 *
 * The connection belongs to the request with the event's activity ID if that has only a wrong
 * tentative connection, else to the newest open request that holds it.
 *
 * Returns: (transfer none) (nullable): the connection of an open request
 */
NsWebioLink *
ns_webio_find_link (NsWebio *self, const NsRecord *record, guint64 id)
{
  NsWebioRequest *own = ns_webio_find_open_handle (self, record->pid, ns_webio_handle_of (record));
  NsWebioLink *newest = NULL;
  NsWebioLink *link = ns_webio_newest_link (self, record->pid, id);
  guint i;

  for (i = 0; link != NULL && i < NS_WEBIO_MAX_LOOK_BACK; i++, link = link->older)
    {
      if (link->gone || !ns_webio_is_open (link->request))
        continue;
      if (link->request == own)
        {
          newest = link;
          break;
        }
      if (newest == NULL)
        newest = link;
    }

  if (own != NULL && (newest == NULL || newest->request != own))
    {
      gboolean waits = own->last == NULL || own->last->tentative;

      if (waits)
        {
          drop_tentative (own, id);
          newest = ns_webio_add_link (self, own, id);
        }
    }
  if (newest != NULL)
    newest->tentative = FALSE;
  return newest;
}

/**
 * ns_webio_need_link:
 * @builder: the builder
 * @record: the event
 * @id: ID of the connection
 *
 * Like ns_webio_find_link(), but never fails: a connection that no open request holds is added to
 * the open request of the event; without one a request is restored.
 *
 * Returns: (transfer none): the connection
 */
NsWebioLink *
ns_webio_need_link (NsBuilder *builder, const NsRecord *record, guint64 id)
{
  NsWebio *self = builder->webio;
  NsWebioLink *link = ns_webio_find_link (self, record, id);
  NsWebioRequest *request;

  if (link != NULL)
    return link;
  request = ns_webio_find_open_handle (self, record->pid, ns_webio_handle_of (record));
  if (request == NULL)
    request = ns_webio_restore_request (builder, record, id);
  return ns_webio_add_link (self, request, id);
}

/**
 * ns_webio_attach:
 * @self: the part
 * @record: the event
 * @link: a connection without a socket
 * @handle: the socket handle in the event
 */
void
ns_webio_attach (NsWebio *self, const NsRecord *record, NsWebioLink *link, guint64 handle)
{
  NsWebioLink *older = link->older;
  guint i;

  for (i = 0; older != NULL && i < NS_WEBIO_MAX_LOOK_BACK; i++, older = older->older)
    if (ns_webio_link_is_live (older) && (handle == 0 || older->socket->handle == handle))
      {
        link->duplicate = TRUE;
        link->socket = older->socket;
        return;
      }
  link->socket = ns_webio_add_socket (self, record, handle, FALSE);
}

/**
 * ns_webio_remember_thread:
 * @self: the part
 * @link: a connection
 * @tid: the thread on which it began to send or receive
 * @sends: whether it sends
 */
void
ns_webio_remember_thread (NsWebio *self, NsWebioLink *link, guint32 tid, gboolean sends)
{
  ns_map_set (sends ? self->tx_by_thread : self->rx_by_thread,
              link->request->pid,
              tid,
              link->index);
}
