/* Microsoft-Windows-HttpService: requests answered by HTTP.sys.
 *
 * A request is received with an ID (event 1), parsed with the address of its object (2), and
 * delivered with both (3); the response (4, 8) and its end (10 to 17) have the ID again.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"
#include "engine/build/ns-builder.h"
#include "engine/catalog/ns-catalog.h"
#include "engine/net/tcpip/ns-tcpip.h"
#include "engine/stacks/ns-stack-match.h"
#include "engine/trace/ns-url.h"
#include "wire/ns-sockaddr.h"

enum
{
  HTTP_RECEIVED = 1,
  HTTP_PARSED = 2,
  HTTP_DELIVERED = 3,
  HTTP_RESPONSE = 4,
  HTTP_RESPONSE_LAST = 5,
  HTTP_FAST_RESPONSE = 8,
  HTTP_FAST_RESPONSE_LAST = 9,
  HTTP_SEND_COMPLETE = 10,
  HTTP_CACHED_AND_SEND = 11,
  HTTP_FAST_SEND = 12,
  HTTP_ZERO_SEND = 13,
  HTTP_LAST_SEND_ERROR = 14,
  HTTP_SEND_ERROR = 15,
  HTTP_SERVED_FROM_CACHE = 16,
  HTTP_CACHED_NOT_MODIFIED = 17,
  HTTP_CONNECTED = 21,
  HTTP_CONNECTION_ID = 22,
  HTTP_CONNECTION_CLEANUP = 24,
  HTTP_PARSE_FAILED = 52,
  HTTP_REJECTED = 64,
  HTTP_CANCELLED = 65,
};

typedef struct
{
  NsEndpoint local;
  NsEndpoint remote;
} Connection;

struct _NsHttpServer
{
  NsMap *by_id;        /* request id → row */
  NsMap *by_object;    /* request object → row, from the parse on */
  NsMap *by_thread;    /* thread → row of the request that is received and not parsed yet */
  GArray *connections; /* element-type Connection */
  NsMap *connection_by_object;
  NsMap *connection_by_id;
};

static void
http_server_start (NsBuilder *builder)
{
  NsHttpServer *self = builder->http_server = g_new0 (NsHttpServer, 1);

  self->by_id = ns_map_new ();
  self->by_object = ns_map_new ();
  self->by_thread = ns_map_new ();
  self->connections = g_array_new (FALSE, TRUE, sizeof (Connection));
  self->connection_by_object = ns_map_new ();
  self->connection_by_id = ns_map_new ();
}

static void
http_server_stop (NsBuilder *builder)
{
  NsHttpServer *self = builder->http_server;

  ns_map_free (self->by_id);
  ns_map_free (self->by_object);
  ns_map_free (self->by_thread);
  g_array_unref (self->connections);
  ns_map_free (self->connection_by_object);
  ns_map_free (self->connection_by_id);
  g_clear_pointer (&builder->http_server, g_free);
}

/* Returns the name of an HTTP_VERB of http.h. */
static const char *
verb_name (guint32 verb)
{
  static const char *const names[] = { NULL,        NULL,    NULL,   "OPTIONS", "GET",
                                       "HEAD",      "POST",  "PUT",  "DELETE",  "TRACE",
                                       "CONNECT",   "TRACK", "MOVE", "COPY",    "PROPFIND",
                                       "PROPPATCH", "MKCOL", "LOCK", "UNLOCK",  "SEARCH" };

  return verb < G_N_ELEMENTS (names) ? names[verb] : NULL;
}

static NsHttpServerRow *
get_row (NsBuilder *builder, NsRow number)
{
  return number != 0 ? NS_ROW_AT (builder->trace->http_server, NsHttpServerRow, number) : NULL;
}

static NsRow
add_row (NsBuilder *builder, const NsRecord *record, guint64 request)
{
  NsHttpServerRow row = { .request = request,
                          .pid = NS_PID_UNKNOWN,
                          .tid = NS_PID_UNKNOWN,
                          .open_ns = record->time_ns,
                          .parsed_ns = NS_TIME_NONE,
                          .delivered_ns = NS_TIME_NONE,
                          .first_send_ns = NS_TIME_NONE,
                          .close_ns = NS_TIME_OPEN,
                          .activity_id = record->activity };

  g_array_append_val (builder->trace->http_server, row);
  ns_map_set (builder->http_server->by_id, request, 0, builder->trace->http_server->len);
  return builder->trace->http_server->len;
}

static NsString
take_wide (NsBuilder *builder, NsCursor *cursor)
{
  gsize n;
  const guint8 *text = ns_cursor_wstr (cursor, &n);

  return ns_strings_add_utf16 (builder->trace->strings, text, n);
}

static void
set_url (NsBuilder *builder, NsHttpServerRow *row, NsString url)
{
  const char *text = ns_trace_text (builder->trace, url);
  g_autofree char *server = NULL;

  if (text == NULL || text[0] == '\0')
    return;
  row->url = ns_url_mask (builder->trace, url);
  server = ns_url_get_server (text);
  row->server = ns_strings_add (builder->trace->strings, server);
}

static void
received (NsBuilder *builder, const NsRecord *record, NsCursor *cursor)
{
  NsHttpServer *self = builder->http_server;
  guint64 request = ns_cursor_u64 (cursor);
  guint64 connection = ns_cursor_u64 (cursor);
  NsEndpoint remote = { 0 };
  NsHttpServerRow *row;
  guint32 known;
  NsRow number;

  if (!ns_cursor_ok (cursor))
    return;
  ns_sockaddr_take_counted (cursor, &remote);
  number = add_row (builder, record, request);
  row = get_row (builder, number);
  row->connection = connection;
  row->remote = remote;
  known = ns_map_get (self->connection_by_id, connection, 0);
  if (known != 0)
    row->local = g_array_index (self->connections, Connection, known - 1).local;
  row->stack = ns_stack_match_find (builder, record);
  ns_map_set (self->by_thread, record->tid, record->cpu + 1u, number);
}

static void
parsed (NsBuilder *builder, const NsRecord *record, NsCursor *cursor)
{
  NsHttpServer *self = builder->http_server;
  guint64 object = ns_cursor_ptr (cursor, record->pointer_size);
  const char *verb = verb_name (ns_cursor_u32 (cursor));
  NsString url = take_wide (builder, cursor);
  NsRow number = ns_map_take (self->by_thread, record->tid, record->cpu + 1u);
  NsHttpServerRow *row = get_row (builder, number);

  if (row == NULL || !ns_cursor_ok (cursor))
    return;
  row->parsed_ns = record->time_ns;
  row->method = ns_strings_add (builder->trace->strings, verb);
  set_url (builder, row, url);
  ns_map_set (self->by_object, object, 0, number);
}

static void
delivered (NsBuilder *builder, const NsRecord *record, NsCursor *cursor)
{
  NsHttpServer *self = builder->http_server;
  guint64 object = ns_cursor_ptr (cursor, record->pointer_size);
  guint64 request = ns_cursor_u64 (cursor);
  NsRow number = ns_map_get (self->by_id, request, 0);
  NsHttpServerRow *row;
  NsString url;

  ns_cursor_u32 (cursor);
  take_wide (builder, cursor);
  url = take_wide (builder, cursor);
  if (!ns_cursor_ok (cursor))
    return;
  if (number == 0)
    number = add_row (builder, record, request);
  row = get_row (builder, number);
  row->delivered_ns = record->time_ns;
  if (row->url == NS_STRING_NONE)
    set_url (builder, row, url);
  ns_map_set (self->by_object, object, 0, number);
}

/* Handles a response, which a thread of the worker process sends. */
static void
answered (NsBuilder *builder, const NsRecord *record, NsCursor *cursor)
{
  NsHttpServerRow *row =
      get_row (builder, ns_map_get (builder->http_server->by_id, ns_cursor_u64 (cursor), 0));
  const char *verb;
  guint16 status;
  gsize n;

  ns_cursor_u64 (cursor);
  status = ns_cursor_u16 (cursor);
  if (row == NULL || !ns_cursor_ok (cursor))
    return;
  verb = ns_cursor_astr (cursor, &n);
  row->http_status = status;
  row->pid = record->pid;
  row->tid = record->tid;
  if (row->first_send_ns == NS_TIME_NONE)
    row->first_send_ns = record->time_ns;
  if (row->method == NS_STRING_NONE && n > 0)
    row->method = ns_strings_add_len (builder->trace->strings, verb, n);
}

static void
end_row (NsBuilder *builder, NsHttpServerRow *row, const NsRecord *record)
{
  if (row == NULL)
    return;
  row->close_ns = record->time_ns;
  if (row->first_send_ns == NS_TIME_NONE)
    row->first_send_ns = record->time_ns;
}

static void
ended (NsBuilder *builder, const NsRecord *record, NsCursor *cursor)
{
  NsHttpServerRow *row =
      get_row (builder, ns_map_get (builder->http_server->by_id, ns_cursor_u64 (cursor), 0));
  guint32 status;
  gsize n;

  if (row == NULL)
    return;
  end_row (builder, row, record);
  if (record->id == HTTP_SEND_ERROR)
    {
      ns_cursor_astr (cursor, &n);
      status = ns_cursor_u32 (cursor);
      if (ns_cursor_ok (cursor))
        row->error = status;
      return;
    }
  status = ns_cursor_u16 (cursor);
  if (ns_cursor_ok (cursor) && status != 0)
    row->http_status = status;
}

static void
served_from_cache (NsBuilder *builder, const NsRecord *record, NsCursor *cursor)
{
  guint64 object = ns_cursor_ptr (cursor, record->pointer_size);
  NsHttpServerRow *row = get_row (builder, ns_map_get (builder->http_server->by_object, object, 0));
  guint32 n_bytes;

  ns_cursor_u32 (cursor);
  n_bytes = ns_cursor_u32 (cursor);
  if (row == NULL || !ns_cursor_ok (cursor))
    return;
  end_row (builder, row, record);
  row->sent = n_bytes;
  row->http_status = record->id == HTTP_CACHED_NOT_MODIFIED ? 304 : 200;
}

static void
connected (NsBuilder *builder, const NsRecord *record, NsCursor *cursor)
{
  NsHttpServer *self = builder->http_server;
  guint64 object = ns_cursor_ptr (cursor, record->pointer_size);
  Connection connection = { 0 };

  ns_sockaddr_take_counted (cursor, &connection.local);
  ns_sockaddr_take_counted (cursor, &connection.remote);
  if (!ns_cursor_ok (cursor))
    return;
  g_array_append_val (self->connections, connection);
  ns_map_set (self->connection_by_object, object, 0, self->connections->len);
}

static void
named_connection (NsBuilder *builder, const NsRecord *record, NsCursor *cursor)
{
  NsHttpServer *self = builder->http_server;
  guint64 request = ns_cursor_u64 (cursor);
  guint64 id = ns_cursor_u64 (cursor);
  guint64 object = ns_cursor_ptr (cursor, record->pointer_size);
  guint32 number = ns_map_get (self->connection_by_object, object, 0);
  NsHttpServerRow *row;

  if (!ns_cursor_ok (cursor) || number == 0)
    return;
  ns_map_set (self->connection_by_id, id, 0, number);
  /* The connection's ID is logged only after its first request has begun. */
  row = get_row (builder, ns_map_get (self->by_id, request, 0));
  if (row != NULL)
    row->local = g_array_index (self->connections, Connection, number - 1).local;
}

static void
http_server_event (NsBuilder *builder, const NsRecord *record)
{
  NsCursor cursor;

  ns_record_cursor (record, &cursor);
  switch (record->id)
    {
    case HTTP_RECEIVED:
      received (builder, record, &cursor);
      break;
    case HTTP_PARSED:
      parsed (builder, record, &cursor);
      break;
    case HTTP_DELIVERED:
      delivered (builder, record, &cursor);
      break;
    case HTTP_RESPONSE:
    case HTTP_FAST_RESPONSE:
      answered (builder, record, &cursor);
      break;
    case HTTP_SEND_COMPLETE:
    case HTTP_CACHED_AND_SEND:
    case HTTP_FAST_SEND:
    case HTTP_ZERO_SEND:
    case HTTP_LAST_SEND_ERROR:
    case HTTP_SEND_ERROR:
      ended (builder, record, &cursor);
      break;
    case HTTP_SERVED_FROM_CACHE:
    case HTTP_CACHED_NOT_MODIFIED:
      served_from_cache (builder, record, &cursor);
      break;
    case HTTP_REJECTED:
    case HTTP_CANCELLED:
      end_row (builder,
               get_row (builder,
                        ns_map_get (builder->http_server->by_id, ns_cursor_u64 (&cursor), 0)),
               record);
      break;
    case HTTP_CONNECTED:
      connected (builder, record, &cursor);
      break;
    case HTTP_CONNECTION_ID:
      named_connection (builder, record, &cursor);
      break;
    case HTTP_CONNECTION_CLEANUP:
      ns_map_take (builder->http_server->connection_by_object,
                   ns_cursor_ptr (&cursor, record->pointer_size),
                   0);
      break;
    default:
      break;
    }
}

static void
http_server_finish (NsBuilder *builder)
{
  guint i;

  for (i = 0; i < builder->trace->http_server->len; i++)
    {
      NsHttpServerRow *row = get_row (builder, i + 1);
      NsTcpRec *tcp;

      if (ns_endpoint_is_empty (&row->local) || ns_endpoint_is_empty (&row->remote))
        continue;
      tcp = ns_tcpip_find_tuple (builder,
                                 FALSE,
                                 &row->local,
                                 &row->remote,
                                 row->open_ns,
                                 NS_PER_SECOND);
      row->tcp = tcp != NULL ? tcp->row : 0;
    }
}

static const NsProviderOps http_server_ops[] = {
  { NS_GUID_HTTP_SERVICE, .correlate = http_server_event, .has_stack = ns_stack_match_any },
};

static const NsPartTable tables[] = {
  NS_PART_TABLE (http_server, NsHttpServerRow, NULL),
};

const NsPart ns_http_server_part = {
  .name = "http-server",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = http_server_start,
  .number = http_server_finish,
  .stop = http_server_stop,
  .ops = http_server_ops,
  .n_ops = G_N_ELEMENTS (http_server_ops),
};
