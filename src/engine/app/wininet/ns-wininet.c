/* Microsoft-Windows-WinINet: handles and requests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/wininet/ns-wininet-state.h"
#include "engine/catalog/ns-catalog.h"
#include "engine/catalog/ns-wininet-events.h"

#include "engine/stacks/ns-stack-match.h"
#include "engine/tasks/ns-tasks.h"
#include "engine/trace/ns-http-status.h"
#include "engine/trace/ns-url.h"

static void
start (NsBuilder *builder)
{
  NsWininet *self = g_new0 (NsWininet, 1);

  self->arena = ns_arena_new (64 * 1024);
  self->requests = g_ptr_array_new ();
  self->by_activity = ns_map_new ();
  self->by_handle = ns_map_new ();
  self->by_pointer = ns_map_new ();
  self->by_socket = ns_map_new ();
  self->by_port = ns_map_new ();
  builder->wininet = self;
}

/**
 * ns_wininet_drop:
 * @builder: a builder
 *
 * Frees the state of requests that rows do not hold, after the last query for it.
 */
void
ns_wininet_drop (NsBuilder *builder)
{
  NsWininet *self = g_steal_pointer (&builder->wininet);

  if (self == NULL)
    return;
  ns_arena_free (self->arena);
  g_ptr_array_unref (self->requests);
  ns_map_free (self->by_activity);
  ns_map_free (self->by_handle);
  ns_map_free (self->by_pointer);
  ns_map_free (self->by_socket);
  ns_map_free (self->by_port);
  g_free (self);
}

/* Handles event 104: a request is created. */
static void
on_request_created (NsBuilder *builder, const NsRecord *record)
{
  NsWininetRequest *request;
  NsCursor cursor;
  NsString method;
  guint64 handle;

  ns_record_cursor (record, &cursor);
  handle = ns_cursor_ptr (&cursor, record->pointer_size);
  ns_cursor_ptr (&cursor, record->pointer_size); /* ParentHandle */
  if (!ns_cursor_ok (&cursor))
    return;
  method = ns_wininet_take_text (builder, &cursor, ns_cursor_u16 (&cursor));
  request = ns_wininet_add (builder->wininet, record, handle, method);
  request->stack = ns_stack_match_find (builder, record);
  request->link = ns_tasks_find_link (builder, record->tid, record->time_ns);
}

/* Handles event 108: the server of a request. */
static void
on_request_server (NsBuilder *builder, const NsRecord *record)
{
  NsWininetRequest *request;
  NsCursor cursor;
  NsString server;
  guint64 handle;

  ns_record_cursor (record, &cursor);
  handle = ns_cursor_ptr (&cursor, record->pointer_size);
  request = ns_wininet_find_handle (builder->wininet, record, handle, 0);
  if (request == NULL)
    return;
  server = ns_wininet_take_text (builder, &cursor, ns_cursor_u16 (&cursor));
  if (!ns_url_is_blank (ns_trace_text (builder->trace, server)))
    request->server = server;
  request->server_port = ns_cursor_u32 (&cursor);
}

/* Handles event 200; Windows 7 records no context. */
static void
on_http_start (NsBuilder *builder, const NsRecord *record)
{
  NsWininetRequest *request;
  NsCursor cursor;
  guint64 handle;
  guint64 context;

  ns_record_cursor (record, &cursor);
  handle = ns_cursor_ptr (&cursor, record->pointer_size);
  context = record->version >= 1 ? ns_cursor_ptr (&cursor, record->pointer_size) : 0;
  request = ns_wininet_find_handle (builder->wininet, record, handle, context);
  if (request == NULL)
    return;
  if (request->context == 0)
    request->context = context;
  if (request->tid_send == NS_PID_UNKNOWN)
    request->tid_send = record->tid;
}

/* Sets stack and link from one event: the first one with a stack. */
static void
explain_send (NsBuilder *builder, const NsRecord *record, NsWininetRequest *request)
{
  NsStackId stack;

  if (request->stack != 0)
    return;
  stack = ns_stack_match_find (builder, record);
  if (stack == 0)
    return;
  request->stack = stack;
  request->stack_tid = record->tid;
  request->link = ns_tasks_find_link (builder, record->tid, record->time_ns);
}

/* Adds a request for a handle that sends again, after its connection was closed. */
static NsWininetRequest *
send_again (NsWininet *self, const NsRecord *record, NsWininetRequest *before)
{
  NsWininetRequest *request;

  if (before->close_ns == NS_TIME_OPEN)
    before->close_ns = record->time_ns;
  request = ns_wininet_add (self, record, before->handle, before->method);
  request->server = before->server;
  request->server_port = before->server_port;
  request->context = before->context;
  request->tid_send = record->tid;
  request->stack = before->stack;
  request->stack_tid = before->stack_tid;
  request->link = before->link;
  return request;
}

/* Handles event 1007: the request is sent. */
static void
on_send (NsBuilder *builder, const NsRecord *record)
{
  NsWininet *self = builder->wininet;
  NsWininetRequest *request = ns_wininet_find (self, record);
  NsCursor cursor;
  guint64 pointer;
  const char *url;
  gsize n_url;

  if (request == NULL)
    return;
  ns_record_cursor (record, &cursor);
  pointer = ns_cursor_ptr (&cursor, record->pointer_size);
  if (request->request != 0)
    request = send_again (self, record, request);
  ns_wininet_set_pointer (self, request, pointer);
  request->sent_ns = record->time_ns;
  if (request->tid_send == NS_PID_UNKNOWN)
    request->tid_send = record->tid;
  url = ns_cursor_astr (&cursor, &n_url);
  if (url != NULL && n_url > 0)
    request->url =
        ns_url_mask (builder->trace, ns_strings_add_len (builder->trace->strings, url, n_url));
  explain_send (builder, record, request);
}

/* Handles event 1008: the response begins. */
static void
on_answer (NsBuilder *builder, const NsRecord *record)
{
  NsWininetRequest *request;
  NsCursor cursor;
  NsString line;
  guint64 pointer;
  guint32 status;

  ns_record_cursor (record, &cursor);
  pointer = ns_cursor_ptr (&cursor, record->pointer_size);
  request = ns_wininet_find_any (builder->wininet, record, pointer);
  if (request == NULL)
    return;
  if (request->answer_ns == NS_TIME_OPEN)
    request->answer_ns = record->time_ns;
  line = ns_wininet_take_text (builder, &cursor, ns_cursor_u32 (&cursor));
  if (ns_url_is_blank (ns_trace_text (builder->trace, line)))
    return;
  request->status = line;
  status = ns_http_status_of_line (ns_trace_text (builder->trace, line));
  if (status != 0)
    request->http_status = status;
}

/* Handles event 203: the response header. */
static void
on_response (NsBuilder *builder, const NsRecord *record)
{
  NsWininetRequest *request;
  NsCursor cursor;
  guint64 handle;
  guint32 status;

  ns_record_cursor (record, &cursor);
  status = ns_cursor_u32 (&cursor);
  handle = ns_cursor_ptr (&cursor, record->pointer_size);
  request = ns_wininet_find_any (builder->wininet, record, handle);
  if (request == NULL)
    return;
  if (status >= 100 && status <= 999)
    request->http_status = status;
  ns_wininet_begin (&request->receive, record->time_ns);
}

/* Handles event 1049: the request ends, and another one continues in its place. */
static void
on_redirect (NsBuilder *builder, const NsRecord *record)
{
  NsWininet *self = builder->wininet;
  NsStrings *strings = builder->trace->strings;
  g_autofree char *server = NULL;
  NsWininetRequest *before;
  NsWininetRequest *request;
  NsCursor cursor;
  const char *url;
  guint64 pointer;
  gsize n_url;

  ns_record_cursor (record, &cursor);
  pointer = ns_cursor_ptr (&cursor, record->pointer_size);
  before = ns_wininet_find_any (self, record, pointer);
  if (before == NULL)
    return;
  ns_wininet_finish (builder, before, NULL);
  before->answer_ns = record->time_ns;
  before->close_ns = record->time_ns;
  before->redirected = TRUE;
  before->status = ns_strings_add (strings, "Redirected");

  request = ns_wininet_add (self, record, before->handle, ns_strings_add (strings, "RDIR"));
  request->context = before->context;
  ns_wininet_set_pointer (self, request, before->request);
  request->redirect_from = before;
  request->tid_send = record->tid;
  request->sent_ns = record->time_ns;
  request->stack = before->stack;
  request->stack_tid = before->stack_tid;
  request->link = before->link;
  url = ns_cursor_astr (&cursor, &n_url);
  if (url == NULL || n_url == 0)
    return;
  request->url = ns_url_mask (builder->trace, ns_strings_add_len (strings, url, n_url));
  server = ns_url_get_server (ns_trace_text (builder->trace, request->url));
  if (*server != '\0')
    request->server = ns_strings_add (strings, server);
  request->server_port = ns_url_get_port (ns_trace_text (builder->trace, request->url));
}

/* Handles event 105: the handle is closed. */
static void
on_handle_closed (NsBuilder *builder, const NsRecord *record)
{
  NsWininetRequest *request;
  NsCursor cursor;
  guint64 handle;

  ns_record_cursor (record, &cursor);
  handle = ns_cursor_ptr (&cursor, record->pointer_size);
  request = ns_wininet_find_any (builder->wininet, record, handle);
  if (request == NULL)
    return;
  if (request->close_ns == NS_TIME_OPEN)
    request->close_ns = record->time_ns;
  ns_wininet_finish (builder, request, NULL);
}

/* Handles events 107, 202, 204 and 213: a handle and an error. */
static void
on_failure (NsBuilder *builder, const NsRecord *record)
{
  NsWininetRequest *request;
  NsCursor cursor;
  guint64 handle;
  guint32 error;

  ns_record_cursor (record, &cursor);
  handle = ns_cursor_ptr (&cursor, record->pointer_size);
  error = ns_cursor_u32 (&cursor);
  request = ns_wininet_find_any (builder->wininet, record, handle);
  if (request != NULL && error != 0)
    request->error = error;
}

/* Handles events 1011, 1017 and 1023: a cache hit, before or after a request to the server. */
static void
on_cache_hit (NsBuilder *builder, const NsRecord *record)
{
  NsWininetRequest *request;
  NsCursor cursor;

  ns_record_cursor (record, &cursor);
  request =
      ns_wininet_find_any (builder->wininet, record, ns_cursor_ptr (&cursor, record->pointer_size));
  if (request == NULL)
    return;
  request->offline_hit |= record->id == NS_WININET_OFFLINE_CACHE_HIT;
  request->pre_net_hit |= record->id == NS_WININET_PRE_NET_CACHE_HIT;
  request->post_net_hit |= record->id == NS_WININET_POST_NET_CACHE_HIT;
}

static void
event (NsBuilder *builder, const NsRecord *record)
{
  switch (record->id)
    {
    case NS_WININET_REQUEST_HANDLE_CREATED:
      on_request_created (builder, record);
      break;
    case NS_WININET_HANDLE_CLOSED:
      on_handle_closed (builder, record);
      break;
    case NS_WININET_HANDLE_CLOSE_FAILED:
    case NS_WININET_HTTP_REQUEST_FAILED:
    case NS_WININET_HTTP_RESPONSE_FAILED:
    case NS_WININET_RESPONSE_BODY_READ_ERROR:
      on_failure (builder, record);
      break;
    case NS_WININET_REQUEST_HANDLE_SERVER:
      on_request_server (builder, record);
      break;
    case NS_WININET_HTTP_REQUEST_START:
      on_http_start (builder, record);
      break;
    case NS_WININET_HTTP_RESPONSE_STOP:
      on_response (builder, record);
      break;
    case NS_WININET_SEND_REQUEST_START:
      on_send (builder, record);
      break;
    case NS_WININET_SEND_REQUEST_STOP:
      on_answer (builder, record);
      break;
    case NS_WININET_OFFLINE_CACHE_HIT:
    case NS_WININET_PRE_NET_CACHE_HIT:
    case NS_WININET_POST_NET_CACHE_HIT:
      on_cache_hit (builder, record);
      break;
    case NS_WININET_REDIRECT:
      on_redirect (builder, record);
      break;
    default:
      ns_wininet_network_event (builder, record);
      break;
    }
}

static gboolean
has_stack (const NsRecord *record)
{
  return record->id == NS_WININET_REQUEST_HANDLE_CREATED ||
         record->id == NS_WININET_SEND_REQUEST_START;
}

static const NsProviderOps ops[] = {
  /* Microsoft-Windows-WinINet */
  { .guid = NS_GUID_WININET,
    .correlate = event,
    .ahead = ns_wininet_look_ahead,
    .has_stack = has_stack },
};

static const NsPartTable tables[] = {
  NS_PART_TABLE (wininet, NsWininetRow, NULL),
};

const NsPart ns_wininet_part = {
  .name = "wininet",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = start,
  .number = ns_wininet_write_rows,
  .stop = ns_wininet_drop,
  .ops = ops,
  .n_ops = G_N_ELEMENTS (ops),
};
