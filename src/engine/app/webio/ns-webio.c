/* Microsoft-Windows-WebIO: WinHTTP sessions, requests, connections.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/webio/ns-webio-state.h"
#include "engine/catalog/ns-catalog.h"
#include "engine/catalog/ns-webio-events.h"

#include "engine/net/names/ns-host-names.h"
#include "engine/stacks/ns-stack-match.h"
#include "engine/tasks/ns-tasks.h"
#include "engine/trace/ns-url.h"
#include "wire/ns-sockaddr.h"

/* Maximum number of addresses kept per response. */
#define NS_WEBIO_MAX_ADDRESSES 256
/* Maximum bytes of a header's first line; the rest is not shown. */
#define NS_WEBIO_MAX_STATUS_LINE 1024
#define MIN_SOCKADDR 8
#define ERROR_IO_PENDING 997

static void
start (NsBuilder *builder)
{
  NsWebio *self = g_new0 (NsWebio, 1);

  self->arena = ns_arena_new (64 * 1024);
  self->sessions = g_ptr_array_new ();
  self->requests = g_ptr_array_new ();
  self->links = g_ptr_array_new ();
  self->sockets = g_ptr_array_new ();
  self->session_by_ptr = ns_map_new ();
  self->request_by_ptr = ns_map_new ();
  self->request_by_handle = ns_map_new ();
  self->link_by_id = ns_map_new ();
  self->socket_by_thread = ns_map_new ();
  self->tx_by_thread = ns_map_new ();
  self->rx_by_thread = ns_map_new ();
  self->socket_by_tcp = g_array_new (FALSE, TRUE, sizeof (guint32));
  builder->webio = self;
  ns_tcpip_set_owner (builder, &ns_webio_tcp_owner);
}

/* Frees the maps that only events need. */
static void
drop_lookups (NsWebio *self)
{
  g_clear_pointer (&self->session_by_ptr, ns_map_free);
  g_clear_pointer (&self->request_by_ptr, ns_map_free);
  g_clear_pointer (&self->request_by_handle, ns_map_free);
  g_clear_pointer (&self->link_by_id, ns_map_free);
  g_clear_pointer (&self->socket_by_thread, ns_map_free);
  g_clear_pointer (&self->tx_by_thread, ns_map_free);
  g_clear_pointer (&self->rx_by_thread, ns_map_free);
  g_clear_pointer (&self->socket_by_tcp, g_array_unref);
}

/**
 * ns_webio_drop:
 * @builder: a builder
 *
 * Frees the state of requests that rows do not hold, after the last query for it.
 */
void
ns_webio_drop (NsBuilder *builder)
{
  NsWebio *self = g_steal_pointer (&builder->webio);

  if (self == NULL)
    return;
  ns_arena_free (self->arena);
  g_ptr_array_unref (self->sessions);
  g_ptr_array_unref (self->requests);
  g_ptr_array_unref (self->links);
  g_ptr_array_unref (self->sockets);
  drop_lookups (self);
  g_free (self);
}

/* Handles event 5: a session is created. */
static void
on_session_create (NsBuilder *builder, const NsRecord *record)
{
  NsWebioSession *session;
  NsCursor cursor;
  guint64 handle;
  guint64 ptr;

  /* ApiObject and ApiHandle are those of the session: Session and SessionHandle repeat them. */
  ns_record_cursor (record, &cursor);
  ptr = ns_cursor_ptr (&cursor, record->pointer_size);
  handle = ns_cursor_u64 (&cursor);
  if (ptr == 0)
    return;
  session = ns_webio_add_session (builder->webio, record->pid, ptr, record->time_ns);
  session->handle = handle;
  session->tid = record->tid;
  session->stack = ns_stack_match_find (builder, record);
  session->link = ns_tasks_find_link (builder, record->tid, record->time_ns);
}

/* Handles event 7: a session is closed. */
static void
on_session_close (NsBuilder *builder, const NsRecord *record)
{
  NsWebioSession *session;
  NsCursor cursor;
  guint64 ptr;

  ns_record_cursor (record, &cursor);
  ptr = ns_cursor_ptr (&cursor, record->pointer_size);
  session = ns_webio_find_session (builder->webio, record->pid, ptr, record->time_ns);
  if (session != NULL)
    session->close_ns = record->time_ns;
}

/* Sets stack, thread and link of a request, all from one event: the creation of the session if
 * the request is to the session's server, else that of the request. */
static void
explain_request (NsBuilder *builder, const NsRecord *record, NsWebioRequest *request)
{
  const NsTrace *trace = builder->trace;
  NsWebioSession *session =
      ns_webio_find_session (builder->webio, record->pid, request->session, record->time_ns);
  NsStackId stack = ns_stack_match_find (builder, record);
  gboolean same = FALSE;

  if (session != NULL)
    {
      same = !session->has_request || ns_url_same_server (ns_trace_text (trace, request->url),
                                                          ns_trace_text (trace, session->last_url));
      if (same)
        {
          session->has_request = TRUE;
          session->last_url = request->url;
        }
    }
  if (same && session->stack != 0)
    {
      request->stack = session->stack;
      request->tid = session->tid;
      request->link = session->link;
    }
  else
    {
      request->stack = stack;
      request->tid = record->tid;
      request->link = ns_tasks_find_link (builder, record->tid, record->time_ns);
    }
}

/* Ends older records with a reused handle or object, whose close was lost. */
static void
abandon_namesakes (NsWebio *self, const NsRecord *record, guint64 ptr, guint64 handle)
{
  NsWebioRequest *request;

  request = ns_webio_find_open_handle (self, record->pid, handle);
  if (request != NULL && !(request->inferred && request->open_ns == record->time_ns))
    request->close_ns = MAX (record->time_ns - 1, request->open_ns);
  request = ns_webio_find_request (self, record->pid, ptr, record->time_ns);
  if (request != NULL && ns_webio_is_open (request) && !request->inferred)
    request->close_ns = MAX (record->time_ns - 1, request->open_ns);
}

/* Handles event 17: a request is created. */
static void
on_request_create (NsBuilder *builder, const NsRecord *record)
{
  NsStrings *strings = builder->trace->strings;
  g_autofree char *server = NULL;
  NsWebioRequest *request;
  NsCursor cursor;
  const guint8 *url;
  const char *method;
  gsize n_method;
  gsize n_url;
  guint64 handle;
  guint64 ptr;

  ns_record_cursor (record, &cursor);
  ptr = ns_cursor_ptr (&cursor, record->pointer_size);
  handle = ns_cursor_u64 (&cursor);
  if (!ns_cursor_ok (&cursor))
    return;
  abandon_namesakes (builder->webio, record, ptr, handle);
  request = ns_webio_add_request (builder->webio, record->pid, ptr, handle, record->time_ns);
  request->activity_id = record->activity;
  request->session = ns_cursor_ptr (&cursor, record->pointer_size);
  request->session_handle = ns_cursor_u64 (&cursor);
  method = ns_cursor_astr (&cursor, &n_method);
  if (method != NULL)
    request->method = ns_strings_add_len (strings, method, n_method);
  url = ns_cursor_wstr (&cursor, &n_url);
  if (url != NULL)
    request->url = ns_url_mask (builder->trace, ns_strings_add_utf16 (strings, url, n_url));
  server = ns_url_get_server (ns_trace_text (builder->trace, request->url));
  if (*server != '\0')
    request->server = ns_strings_add (strings, server);
  explain_request (builder, record, request);
}

/* Handles event 30: a request is closed. */
static void
on_request_close (NsBuilder *builder, const NsRecord *record)
{
  NsWebioRequest *request;
  NsCursor cursor;
  guint64 handle;
  guint64 ptr;

  ns_record_cursor (record, &cursor);
  ptr = ns_cursor_ptr (&cursor, record->pointer_size);
  handle = ns_cursor_u64 (&cursor);
  if (!ns_cursor_ok (&cursor))
    return;
  for (;;)
    {
      request = ns_webio_find_open_handle (builder->webio, record->pid, handle);
      if (request == NULL)
        break;
      request->close_ns = record->time_ns;
      if (request->inferred && ptr != 0)
        request->ptr = ptr;
    }
}

/* Handles event 104: the connection is tentative until one of its events confirms it. */
static void
on_connection_found (NsBuilder *builder, const NsRecord *record)
{
  NsWebio *self = builder->webio;
  NsWebioRequest *request;
  NsWebioLink *older;
  NsWebioLink *link;
  NsCursor cursor;
  guint64 id;
  guint64 ptr;
  guint i;

  ns_record_cursor (record, &cursor);
  ptr = ns_cursor_ptr (&cursor, record->pointer_size);
  ns_cursor_ptr (&cursor, record->pointer_size); /* ConnMgr */
  id = ns_cursor_ptr (&cursor, record->pointer_size);
  if (!ns_cursor_ok (&cursor) || id == 0)
    return;
  request = ns_webio_find_request (self, record->pid, ptr, record->time_ns);
  if (request == NULL)
    {
      request = ns_webio_restore_request (builder, record, ptr);
      request->ptr = ptr;
    }
  if (request->first_ns == NS_TIME_NONE)
    request->first_ns = record->time_ns;
  request->failed_ns = NS_TIME_NONE;

  link = ns_webio_add_link (self, request, id);
  link->tentative = TRUE;
  for (i = 0, older = link->older; older != NULL && i < NS_WEBIO_MAX_LOOK_BACK;
       i++, older = older->older)
    if (ns_webio_link_is_live (older))
      {
        link->duplicate = older->request != request;
        link->socket = older->socket;
        break;
      }
}

/* Returns the length of the first line that is not empty. */
static const char *
first_line (const char *text, gsize n_bytes, gsize *n_line)
{
  gsize i = 0;
  gsize end;

  while (i < n_bytes && (text[i] == '\r' || text[i] == '\n'))
    i++;
  for (end = i; end < n_bytes && text[end] != '\r' && text[end] != '\n' && text[end] != '\0'; end++)
    ;
  *n_line = MIN (end - i, NS_WEBIO_MAX_STATUS_LINE);
  return text + i;
}

/* Returns the newest connection on which this thread receives, else the newest one. */
static NsWebioLink *
find_receiver (const NsWebioRequest *request, guint32 tid)
{
  NsWebioLink *newest = NULL;
  NsWebioLink *link = request->last;
  guint i;

  for (i = 0; link != NULL && i < NS_WEBIO_MAX_LOOK_BACK; i++, link = link->before)
    {
      if (link->gone || link->socket == NULL)
        continue;
      if (link->tid_rx == tid)
        return link;
      if (newest == NULL)
        newest = link;
    }
  return newest;
}

/* Handles event 101. Only the status line of the response is kept, as its headers may have
 * secrets. */
static void
on_header_received (NsBuilder *builder, const NsRecord *record)
{
  NsWebioRequest *request;
  NsWebioLink *target;
  NsCursor cursor;
  const char *line;
  gboolean is_http;
  guint16 length;
  guint64 ptr;
  gsize n;

  ns_record_cursor (record, &cursor);
  ptr = ns_cursor_ptr (&cursor, record->pointer_size);
  length = ns_cursor_u16 (&cursor);
  n = MIN (length, ns_cursor_left (&cursor));
  if (n == 0)
    return;
  request = ns_webio_find_request (builder->webio, record->pid, ptr, record->time_ns);
  if (request == NULL)
    return;
  target = find_receiver (request, record->tid);
  if (target == NULL)
    return;

  line = first_line ((const char *) ns_cursor_take (&cursor, n), n, &n);
  is_http = n >= 4 && g_ascii_strncasecmp (line, "HTTP", 4) == 0;
  if (n > 0 && (target->header == NS_STRING_NONE || !target->header_is_http || is_http))
    {
      target->header = ns_strings_add_len (builder->trace->strings, line, n);
      target->header_is_http = is_http;
    }
  if (target->first_byte_ns == NS_TIME_NONE || target->first_byte_ns > record->time_ns)
    target->first_byte_ns = record->time_ns;
}

/* Handles event 205. */
static void
on_resolve_start (NsBuilder *builder, const NsRecord *record)
{
  NsStrings *strings = builder->trace->strings;
  NsWebioRequest *request;
  NsCursor cursor;
  const guint8 *text;
  guint64 id;
  gsize n;

  ns_record_cursor (record, &cursor);
  id = ns_cursor_ptr (&cursor, record->pointer_size);
  text = ns_cursor_wstr (&cursor, &n);
  if (id == 0)
    return;
  request = ns_webio_find_open_handle (builder->webio, record->pid, ns_webio_handle_of (record));
  if (request == NULL)
    request = ns_webio_need_link (builder, record, id)->request;
  if (text != NULL && n > 0)
    {
      request->dns_name = ns_strings_add_utf16 (strings, text, n);
      if (request->url == NS_STRING_NONE)
        request->url = request->dns_name;
      if (request->server == NS_STRING_NONE)
        {
          g_autofree char *server =
              ns_url_get_server (ns_trace_text (builder->trace, request->dns_name));

          request->server = ns_strings_add (strings, server);
        }
    }
  if (request->dns.begin_ns == NS_TIME_NONE)
    request->dns.begin_ns = record->time_ns;
}

/* Returns whether both names are the same; either may be absent. */
static gboolean
same_name (const NsTrace *trace, NsString a, NsString b)
{
  if (a == NS_STRING_NONE || b == NS_STRING_NONE)
    return a == b;
  return g_ascii_strcasecmp (ns_trace_text (trace, a), ns_trace_text (trace, b)) == 0;
}

/* Reads the addresses of event 206, which are all of one length. */
static guint
read_addresses (NsCursor *cursor, NsIp *ips)
{
  guint32 n = ns_cursor_u32 (cursor);
  guint32 size = ns_cursor_u32 (cursor);
  guint n_ips = 0;
  guint32 i;

  if (!ns_cursor_ok (cursor) || n == 0 || size / n < MIN_SOCKADDR)
    return 0;
  for (i = 0; i < MIN (n, NS_WEBIO_MAX_ADDRESSES); i++)
    {
      NsEndpoint endpoint;

      if (!ns_sockaddr_take (cursor, size / n, &endpoint))
        break;
      if (!ns_ip_is_empty (&endpoint.ip))
        ips[n_ips++] = endpoint.ip;
    }
  return n_ips;
}

/* Handles event 206. */
static void
on_resolve_stop (NsBuilder *builder, const NsRecord *record)
{
  NsIp ips[NS_WEBIO_MAX_ADDRESSES];
  NsStrings *strings = builder->trace->strings;
  NsNameLookup lookup = { .source = NS_DNS_FROM_WEBIO,
                          .has_status = TRUE,
                          .pid = record->pid,
                          .activity_id = record->activity };
  NsWebioRequest *request;
  NsString canonical = NS_STRING_NONE;
  NsCursor cursor;
  const guint8 *text;
  guint64 id;
  gsize n;

  ns_record_cursor (record, &cursor);
  id = ns_cursor_ptr (&cursor, record->pointer_size);
  if (id == 0)
    return;
  request = ns_webio_need_link (builder, record, id)->request;
  request->dns.end_ns = record->time_ns;
  text = ns_cursor_wstr (&cursor, &n);
  if (text != NULL && n > 0)
    lookup.query = ns_strings_add_utf16 (strings, text, n);
  text = ns_cursor_wstr (&cursor, &n);
  if (text != NULL && n > 0)
    canonical = ns_strings_add_utf16 (strings, text, n);
  lookup.n_ips = read_addresses (&cursor, ips);
  if (lookup.n_ips == 0)
    return;

  if (request->server == NS_STRING_NONE)
    request->server = lookup.query;
  else if (lookup.query != NS_STRING_NONE && same_name (builder->trace, lookup.query, canonical))
    lookup.query = request->server; /* the URL's name; the canonical name becomes the alias */
  if (canonical != NS_STRING_NONE && !same_name (builder->trace, lookup.query, canonical))
    lookup.alias = canonical;
  lookup.tid = record->tid;
  lookup.open_ns = ns_time_is_set (request->dns.begin_ns) ? request->dns.begin_ns : record->time_ns;
  lookup.close_ns = record->time_ns;
  lookup.ips = ips;
  ns_host_names_add_lookup (builder, &lookup);
}

/* Handles event 207. */
static void
on_resolve_failed (NsBuilder *builder, const NsRecord *record)
{
  NsNameLookup lookup = { .source = NS_DNS_FROM_WEBIO,
                          .has_status = TRUE,
                          .pid = record->pid,
                          .activity_id = record->activity };
  NsWebioRequest *request =
      ns_webio_find_open_handle (builder->webio, record->pid, ns_webio_handle_of (record));
  NsCursor cursor;

  if (request == NULL)
    return;
  ns_record_cursor (record, &cursor);
  ns_cursor_ptr (&cursor, record->pointer_size); /* DnsQuery */
  lookup.status = ns_cursor_u32 (&cursor);
  request->dns.end_ns = record->time_ns;
  if (request->error == 0)
    request->error = lookup.status;
  if (request->dns_name == NS_STRING_NONE)
    return;
  lookup.query = request->dns_name;
  lookup.tid = record->tid;
  lookup.open_ns = ns_time_is_set (request->dns.begin_ns) ? request->dns.begin_ns : record->time_ns;
  lookup.close_ns = record->time_ns;
  ns_host_names_add_lookup (builder, &lookup);
}

/* Handles events 102 and 103: proxy detection for a request. */
static void
on_proxy (NsBuilder *builder, const NsRecord *record)
{
  NsWebioRequest *request =
      ns_webio_find_open_handle (builder->webio, record->pid, ns_webio_handle_of (record));
  NsCursor cursor;

  ns_record_cursor (record, &cursor);
  if (request == NULL)
    request = ns_webio_find_request (builder->webio,
                                     record->pid,
                                     ns_cursor_ptr (&cursor, record->pointer_size),
                                     record->time_ns);
  if (request == NULL)
    return;
  if (record->id == NS_WEBIO_PROXY_RESOLUTION_STOP)
    request->proxy.end_ns = record->time_ns;
  else if (request->proxy.begin_ns == NS_TIME_NONE)
    request->proxy.begin_ns = record->time_ns;
  if (request->first_ns == NS_TIME_NONE)
    request->first_ns = record->time_ns;
}

/* Handles event 125: the status code, recorded also without headers. */
static void
on_parser_reset (NsBuilder *builder, const NsRecord *record)
{
  NsWebioRequest *request;
  NsCursor cursor;
  guint32 code;
  guint64 ptr;

  ns_record_cursor (record, &cursor);
  ptr = ns_cursor_ptr (&cursor, record->pointer_size);
  ns_cursor_ptr (&cursor, record->pointer_size); /* Buffer */
  code = ns_cursor_u32 (&cursor);
  request = ns_webio_find_request (builder->webio, record->pid, ptr, record->time_ns);
  if (request != NULL && code >= 100 && code <= 999)
    request->http_code = code;
}

/* Handles the end of a call (131, 133) and of a whole receive (134, 135: before and after the
 * completion callback). A pending status is not a failure. A failed request without a recorded
 * close ends here, unless it is sent again. */
static void
on_call_stop (NsBuilder *builder, const NsRecord *record)
{
  gboolean is_callback = record->id == NS_WEBIO_RESPONSE_RECEIVE_CALLBACK_START ||
                         record->id == NS_WEBIO_RESPONSE_RECEIVE_CALLBACK_STOP;
  NsWebioRequest *request;
  NsCursor cursor;
  guint32 error;
  guint64 ptr;

  ns_record_cursor (record, &cursor);
  ptr = ns_cursor_ptr (&cursor, record->pointer_size);
  if (!is_callback)
    {
      ns_cursor_u64 (&cursor); /* RequestHandle */
      ns_cursor_u32 (&cursor); /* Flags */
    }
  if (record->id == NS_WEBIO_REQUEST_SEND_STOP)
    ns_cursor_ptr (&cursor, record->pointer_size); /* DataChunks */
  ns_cursor_u32 (&cursor);                         /* DataChunkCount or ResponseFlags */
  if (!is_callback)
    ns_cursor_ptr (&cursor, record->pointer_size); /* CompletionContext */
  error = ns_cursor_u32 (&cursor);
  request = ns_webio_find_request (builder->webio, record->pid, ptr, record->time_ns);
  if (request == NULL || !ns_cursor_ok (&cursor))
    return;
  if (record->id == NS_WEBIO_REQUEST_SEND_STOP)
    request->failed_ns = NS_TIME_NONE;
  if (error == 0 || error == ERROR_IO_PENDING)
    return;
  request->error = error;
  if (is_callback)
    request->failed_ns = record->time_ns;
}

static void
event (NsBuilder *builder, const NsRecord *record)
{
  switch (record->id)
    {
    case NS_WEBIO_SESSION_CREATE:
      on_session_create (builder, record);
      break;
    case NS_WEBIO_SESSION_CLOSE_START:
      on_session_close (builder, record);
      break;
    case NS_WEBIO_REQUEST_CREATE:
      on_request_create (builder, record);
      break;
    case NS_WEBIO_REQUEST_CLOSE_STOP:
      on_request_close (builder, record);
      break;
    case NS_WEBIO_REQUEST_HEADER:
      on_header_received (builder, record);
      break;
    case NS_WEBIO_PROXY_RESOLUTION_START:
    case NS_WEBIO_PROXY_RESOLUTION_STOP:
      on_proxy (builder, record);
      break;
    case NS_WEBIO_RESPONSE_PARSER_RESET:
      on_parser_reset (builder, record);
      break;
    case NS_WEBIO_REQUEST_SEND_STOP:
    case NS_WEBIO_RESPONSE_RECEIVE_STOP:
    case NS_WEBIO_RESPONSE_RECEIVE_CALLBACK_START:
    case NS_WEBIO_RESPONSE_RECEIVE_CALLBACK_STOP:
      on_call_stop (builder, record);
      break;
    case NS_WEBIO_REQUEST_WAITING_FOR_CONNECTION_STOP:
      on_connection_found (builder, record);
      break;
    case NS_WEBIO_NAME_RESOLUTION_START:
      on_resolve_start (builder, record);
      break;
    case NS_WEBIO_NAME_RESOLUTION_STOP:
      on_resolve_stop (builder, record);
      break;
    case NS_WEBIO_NAME_RESOLUTION_FAILED:
      on_resolve_failed (builder, record);
      break;
    default:
      ns_webio_socket_event (builder, record);
      break;
    }
}

static void
finish (NsBuilder *builder)
{
  drop_lookups (builder->webio);
  ns_webio_write_rows (builder);
}

static gboolean
has_stack (const NsRecord *record)
{
  return record->id == NS_WEBIO_SESSION_CREATE || record->id == NS_WEBIO_REQUEST_CREATE;
}

static const NsProviderOps ops[] = {
  /* Microsoft-Windows-WebIO */
  { .guid = NS_GUID_WEBIO,
    .correlate = event,
    .ahead = ns_webio_look_ahead,
    .has_stack = has_stack },
};

static const NsPartTable tables[] = {
  NS_PART_TABLE (webio, NsWebioRow, NULL),
};

const NsPart ns_webio_part = {
  .name = "webio",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = start,
  .number = finish,
  .stop = ns_webio_drop,
  .ops = ops,
  .n_ops = G_N_ELEMENTS (ops),
};
