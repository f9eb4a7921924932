/* Requests of System.Net.Http: reads their events, one hop (redirect) at a time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/dotnet/ns-dotnet-private.h"
#include "engine/trace/ns-url.h"

/* Times of a hop, in NsDotnetRequest.hop_ns. */
enum
{
  HOP_SEND,
  HOP_HEADERS_SENT,
  HOP_CONTENT_SENT,
  HOP_FIRST_BYTE,
  HOP_HEADERS_READ,
  HOP_LEFT, /* redirected */
  N_HOP,
};

/* Maximum number of redirects of a request that are kept; HttpClient follows 50 by default. */
#define MAX_REDIRECTS 256

static NsDotnetProcess *
process_of (NsDotnet *self, guint32 process)
{
  return NS_DOTNET_GET (self->processes, NsDotnetProcess, process);
}

static void
begin_hop (NsDotnetRequest *request, gint64 time_ns)
{
  guint i;

  for (i = 0; i < N_HOP; i++)
    request->hop_ns[i] = NS_TIME_NONE;
  request->hop_ns[HOP_SEND] = time_ns;
  request->in_hop = ns_time_is_set (time_ns);
}

static guint32
add_request (NsDotnet *self, guint32 process, const NsDotnetEvent *event)
{
  NsDotnetProcess *one = process_of (self, process);
  NsDotnetRequest request = { .process = process, .is_open = TRUE };
  NsDotnetRow *row = &request.row;

  begin_hop (&request, NS_TIME_NONE);
  request.headers_ns = NS_TIME_NONE;
  row->pid = event->pid;
  row->tid = event->tid;
  row->open_ns = event->time_ns;
  row->close_ns = NS_TIME_OPEN;
  row->first_byte_ns = NS_TIME_NONE;
  row->sent = row->received = row->content_length = NS_UNKNOWN;
  row->version_policy = NS_UNKNOWN;
  row->confidence = row->reused = -1;
  row->remote = &ns_endpoint_pool_none;
  g_array_append_val (self->requests, request);
  one->n_open++;
  one->sum_open += self->requests->len;
  return self->requests->len;
}

/* Returns the text of an HTTP version. */
static const char *
version_to_text (guint major, guint minor)
{
  if (major == 1)
    return minor == 0 ? "1.0" : "1.1";
  return major == 2 ? "2" : (major == 3 ? "3" : NULL);
}

static guint16
default_port (const char *scheme)
{
  return g_strcmp0 (scheme, "https") == 0 || g_strcmp0 (scheme, "wss") == 0
             ? 443
             : (g_strcmp0 (scheme, "http") == 0 || g_strcmp0 (scheme, "ws") == 0 ? 80 : 0);
}

static NsString
url_of (NsBuilder *builder, const NsDotnetEvent *event)
{
  const NsTrace *trace = builder->trace;
  const char *scheme = ns_trace_text (trace, event->text);
  const char *host = ns_trace_text (trace, event->host);
  const char *path = ns_trace_text (trace, event->path);
  g_autoptr (GString) url = g_string_new (NULL);

  if (scheme == NULL || host == NULL)
    return NS_STRING_NONE;
  g_string_append_printf (url, "%s://", scheme);
  if (strchr (host, ':') != NULL && *host != '[')
    g_string_append_printf (url, "[%s]", host);
  else
    g_string_append (url, host);
  if (event->number > 0 && event->number <= G_MAXUINT16 && event->number != default_port (scheme))
    g_string_append_printf (url, ":%d", event->number);
  g_string_append (url, path != NULL ? path : "");
  return ns_url_mask (trace, ns_strings_add (trace->strings, url->str));
}

/* Makes the ID the key of the request that began with it, unless the ID is that of another open
 * request. */
static void
take_key (NsDotnet *self, guint32 number, guint32 id)
{
  NsDotnetRequest *request = ns_dotnet_request (self, number);
  guint32 node = id != 0 ? ns_dotnet_id (self, id)->node : 0;
  NsDotnetNode *at;

  if (node == 0)
    return;
  at = ns_dotnet_node (self, node);
  request->id = id;
  request->node = node;
  if (at->n_open++ > 0)
    {
      if (at->request != 0)
        ns_dotnet_request (self, at->request)->has_key = FALSE;
      at->is_dead = TRUE;
      at->request = 0;
      return;
    }
  at->is_dead = FALSE;
  at->request = number;
  request->has_key = TRUE;
}

static void
start (NsDotnet *self, NsBuilder *builder, guint32 process, const NsDotnetEvent *event, guint32 id)
{
  guint32 number = add_request (self, process, event);
  NsDotnetRow *row = &ns_dotnet_request (self, number)->row;

  row->scheme = event->text;
  row->host = event->host;
  row->url = url_of (builder, event);
  row->port = event->number > 0 && event->number <= G_MAXUINT16 ? (guint32) event->number : 0;
  row->http_version = version_to_text (event->major, event->minor);
  row->version_policy = event->policy != NS_DOTNET_NO_NUMBER ? event->policy : NS_UNKNOWN;
  row->activity_id = ns_trace_keep_guid (builder->trace, &event->activity);
  row->stack = event->stack;
  row->link = event->link;
  if (id != 0)
    {
      g_autofree char *path = ns_dotnet_path_to_text (&ns_dotnet_id (self, id)->path, event->pid);

      row->path = path != NULL ? ns_strings_add (builder->trace->strings, path) : NS_STRING_NONE;
    }
  take_key (self, number, id);
}

/* Returns the text of a path's first @n numbers: the parent of an ID is its path without the
 * last number. */
static NsString
path_text (NsBuilder *builder, const NsDotnetPath *path, guint n, guint32 pid)
{
  NsDotnetPath cut = *path;
  g_autofree char *text = NULL;

  cut.n = n;
  text = ns_dotnet_path_to_text (&cut, pid);
  return text != NULL ? ns_strings_add (builder->trace->strings, text) : NS_STRING_NONE;
}

/* Returns whether several open requests began with that ID, or with an ancestor of it. */
static gboolean
is_dead (const NsDotnet *self, guint32 node)
{
  for (; node != 0; node = ns_dotnet_node (self, node)->parent)
    if (ns_dotnet_node (self, node)->is_dead)
      return TRUE;
  return FALSE;
}

/* Adds a request that began before the trace, or before its event source was enabled. */
static guint32
start_unseen (NsDotnet *self,
              NsBuilder *builder,
              guint32 process,
              const NsDotnetEvent *event,
              guint32 id)
{
  const NsDotnetPath *path;
  gboolean is_own;
  guint32 number;
  guint32 node;
  NsDotnetRequest *request;
  guint n;

  switch ((NsDotnetKind) event->kind)
    {
    case NS_DOTNET_REQUEST_STOP:
    case NS_DOTNET_REQUEST_FAILED:
    case NS_DOTNET_LEFT_QUEUE:
      is_own = TRUE;
      break;
    case NS_DOTNET_REQUEST_HEADERS_START:
    case NS_DOTNET_REQUEST_HEADERS_STOP:
    case NS_DOTNET_REQUEST_CONTENT_START:
    case NS_DOTNET_REQUEST_CONTENT_STOP:
    case NS_DOTNET_RESPONSE_HEADERS_START:
    case NS_DOTNET_RESPONSE_HEADERS_STOP:
    case NS_DOTNET_RESPONSE_CONTENT_START:
    case NS_DOTNET_RESPONSE_CONTENT_STOP:
      is_own = FALSE;
      break;
    default:
      return 0;
    }
  if (id == 0 || ns_dotnet_id (self, id)->path.kind != NS_DOTNET_ID_PATH)
    return 0;
  node = is_own ? ns_dotnet_id (self, id)->node : ns_dotnet_parent (self, id);
  if (node == 0 || is_dead (self, node))
    return 0;
  number = add_request (self, process, event);
  path = &ns_dotnet_id (self, id)->path;
  n = path->n - (is_own ? 0 : 1);
  request = ns_dotnet_request (self, number);
  request->row.open_ns = 0;
  request->row.tid = NS_PID_UNKNOWN;
  request->row.opened_before_trace = TRUE;
  request->row.path = path_text (builder, path, n, event->pid);
  if (is_own)
    {
      request->row.activity_id = ns_trace_keep_guid (builder->trace, &event->activity);
      request->id = id;
    }
  request->node = node;
  request->has_key = TRUE;
  ns_dotnet_node (self, node)->request = number;
  ns_dotnet_node (self, node)->is_dead = FALSE;
  ns_dotnet_node (self, node)->n_open++;
  return number;
}

static void
add_stretch (NsDotnet *self,
             NsDotnetRequest *request,
             NsPhase phase,
             gint64 begin_ns,
             gint64 end_ns)
{
  NsDotnetStretch stretch = { phase, begin_ns, end_ns, request->first_stretch };

  if (!ns_time_is_set (begin_ns) || !ns_time_is_set (end_ns))
    return;
  g_array_append_val (self->stretches, stretch);
  request->first_stretch = self->stretches->len;
}

static void
end_hop (NsDotnet *self, NsDotnetRequest *request, gint64 time_ns)
{
  const gint64 *hop_ns = request->hop_ns;
  gint64 sent_ns = ns_time_is_set (hop_ns[HOP_CONTENT_SENT]) ? hop_ns[HOP_CONTENT_SENT]
                                                             : hop_ns[HOP_HEADERS_SENT];

  if (!request->in_hop)
    return;
  if (ns_time_is_set (hop_ns[HOP_LEFT]))
    time_ns = MIN (time_ns, hop_ns[HOP_LEFT]);
  add_stretch (self, request, NS_PHASE_SEND, hop_ns[HOP_SEND], sent_ns);
  add_stretch (self, request, NS_PHASE_WAIT, sent_ns, hop_ns[HOP_FIRST_BYTE]);
  add_stretch (self,
               request,
               NS_PHASE_RECEIVE,
               ns_time_is_set (hop_ns[HOP_FIRST_BYTE]) ? hop_ns[HOP_FIRST_BYTE]
                                                       : hop_ns[HOP_HEADERS_READ],
               time_ns);
  begin_hop (request, NS_TIME_NONE);
}

/* Ends the request's use of its connection. */
static void
leave_connection (NsDotnet *self, NsDotnetRequest *request, gint64 time_ns)
{
  NsDotnetConnection *connection;

  if (request->connection == 0)
    return;
  connection = ns_dotnet_connection (self, request->connection);
  connection->last_use_ns = MAX (connection->last_use_ns, time_ns);
}

static guint32
add_connection (NsDotnet *self, guint32 process, const NsDotnetEvent *event)
{
  NsDotnetConnection connection = { .process = process,
                                    .pid = event->pid,
                                    .tid = event->tid,
                                    .id = event->id,
                                    .has_id = event->has_id,
                                    .open_ns = NS_TIME_NONE,
                                    .close_ns = NS_TIME_OPEN,
                                    .first_use_ns = NS_TIME_NONE,
                                    .last_use_ns = NS_TIME_NONE };

  g_array_append_val (self->connections, connection);
  if (event->has_id)
    {
      guint32 before =
          ns_map_swap (self->connection_of, process, event->id, self->connections->len);

      if (before != 0 && ns_dotnet_connection (self, before)->close_ns == NS_TIME_OPEN)
        ns_dotnet_connection (self, before)->close_ns = event->time_ns;
    }
  return self->connections->len;
}

/* Adds the request's spans to the connection, except those of other connections. */
static void
take_attempt (NsDotnet *self, guint32 number, guint32 first)
{
  NsDotnetConnection *connection = ns_dotnet_connection (self, number);
  guint32 at;

  for (at = first; at != 0; at = ns_dotnet_span (self, at)->next)
    {
      NsDotnetSpan *span = ns_dotnet_span (self, at);
      const NsDotnetSpan *best =
          connection->connect != 0 ? ns_dotnet_span (self, connection->connect) : NULL;

      if (span->connection != 0 || span->is_server)
        continue;
      span->connection = number;
      if (span->kind == NS_DOTNET_SPAN_HANDSHAKE)
        connection->handshake = at;
      if (span->kind == NS_DOTNET_SPAN_HANDSHAKE && !span->failed && span->protocol > 0)
        connection->protocol = span->protocol;
      if (span->kind == NS_DOTNET_SPAN_CONNECT && !span->failed && ns_time_is_set (span->end_ns) &&
          (best == NULL || span->end_ns >= best->end_ns))
        connection->connect = at;
    }
}

/* Adds spans with the same parent path, or below it, to a connection that no request began. */
static void
take_loose_attempt (NsDotnet *self, guint32 number)
{
  NsDotnetConnection *connection = ns_dotnet_connection (self, number);
  const NsDotnetPath *path =
      connection->path != 0 ? &ns_dotnet_id (self, connection->path)->path : NULL;
  guint n_left = NS_DOTNET_MAX_STEPS;
  guint i;

  for (i = self->loose->len; path != NULL && i > 0 && n_left > 0; i--, n_left--)
    {
      guint32 at = g_array_index (self->loose, guint32, i - 1);
      NsDotnetSpan *span = ns_dotnet_span (self, at);
      const NsDotnetPath *other = span->id != 0 ? &ns_dotnet_id (self, span->id)->path : NULL;

      if (span->process != connection->process || span->connection != 0 || span->is_server ||
          other == NULL ||
          !(ns_dotnet_path_is_below (other, path) || ns_dotnet_path_has_same_parent (other, path)))
        continue;
      span->connection = number;
      if (span->kind == NS_DOTNET_SPAN_HANDSHAKE && connection->handshake == 0)
        connection->handshake = at;
      if (span->kind == NS_DOTNET_SPAN_HANDSHAKE && span->protocol > 0 && connection->protocol == 0)
        connection->protocol = span->protocol;
      if (span->kind == NS_DOTNET_SPAN_CONNECT && !span->failed && ns_time_is_set (span->end_ns) &&
          (connection->connect == 0 ||
           span->end_ns > ns_dotnet_span (self, connection->connect)->end_ns))
        connection->connect = at;
    }
}

static void
read_remote (NsDotnetConnection *connection, const char *text, gint32 port)
{
  NsIp ip;

  if (text == NULL || *text == '\0' || !ns_ip_from_text (&ip, text))
    return;
  connection->remote.ip = ns_ip_unmapped (&ip);
  connection->remote.port = port > 0 && port <= G_MAXUINT16 ? (guint16) port : 0;
}

static void
establish (NsDotnet *self,
           NsBuilder *builder,
           guint32 process,
           const NsDotnetEvent *event,
           guint32 id,
           guint32 owner)
{
  guint32 number = add_connection (self, process, event);
  NsDotnetConnection *connection = ns_dotnet_connection (self, number);

  connection->open_ns = event->time_ns;
  connection->major = event->major;
  connection->minor = event->minor;
  connection->host = event->host;
  connection->owner = owner;
  connection->path = id;
  read_remote (connection, ns_trace_text (builder->trace, event->path), event->number);
  if (owner == 0)
    {
      take_loose_attempt (self, number);
      return;
    }
  ns_dotnet_request (self, owner)->established = number;
  take_attempt (self, number, ns_dotnet_request (self, owner)->first_span);
}

static void
close_connection (NsDotnet *self, guint32 process, const NsDotnetEvent *event)
{
  guint32 number = event->has_id ? ns_map_get (self->connection_of, process, event->id) : 0;

  if (number == 0)
    return;
  ns_map_take (self->connection_of, process, event->id);
  ns_dotnet_connection (self, number)->close_ns = event->time_ns;
}

/* Sets the connection that a request is sent on. It is reused if another request used it before, or
 * did not open it. */
static void
enter_connection (NsDotnet *self, guint32 process, guint32 number, const NsDotnetEvent *event)
{
  NsDotnetRequest *request = ns_dotnet_request (self, number);
  NsDotnetConnection *connection;
  guint32 on = request->established;

  if (event->has_id)
    {
      on = ns_map_get (self->connection_of, process, event->id);
      if (on == 0)
        on = add_connection (self, process, event);
    }
  if (on == 0)
    return;
  if (on != request->connection)
    {
      leave_connection (self, request, event->time_ns);
      request->on_connection_ns = event->time_ns;
    }
  request->connection = on;
  connection = ns_dotnet_connection (self, on);
  request->has_reused = TRUE;
  request->reused = !ns_time_is_set (connection->open_ns) ||
                    (connection->owner != number && connection->open_ns < event->time_ns);
  if (connection->major < 2 && connection->first_user != 0 && connection->first_user != number)
    request->reused = TRUE;
  if (connection->first_user == 0)
    {
      connection->first_user = number;
      connection->first_use_ns = event->time_ns;
    }
}

static void
close_request (NsDotnet *self, guint32 number, const NsDotnetEvent *event)
{
  NsDotnetRequest *request = ns_dotnet_request (self, number);
  NsDotnetProcess *one = process_of (self, request->process);

  end_hop (self, request, event->time_ns);
  leave_connection (self, request, event->time_ns);
  request->row.close_ns = event->time_ns;
  if (!request->row.failed && event->number >= 100)
    request->row.http_status = (guint32) event->number;
  if (request->row.failed)
    request->row.http_status = 0;
  request->is_open = FALSE;
  one->n_open--;
  one->sum_open -= number;
  if (request->node != 0)
    {
      NsDotnetNode *at = ns_dotnet_node (self, request->node);

      at->n_open--;
      if (at->is_dead && at->n_open == 0)
        at->is_dead = FALSE;
    }
}

static void
left_queue (NsDotnet *self, NsDotnetRequest *request, const NsDotnetEvent *event)
{
  gint64 begin_ns = event->time_ns - event->wait_ns;
  const char *version = version_to_text (event->major, event->minor);

  if (request->in_hop && !ns_time_is_set (request->hop_ns[HOP_LEFT]))
    request->hop_ns[HOP_LEFT] = begin_ns;
  request->row.queued_ns += event->wait_ns;
  if (version != NULL)
    request->row.http_version = version;
  add_stretch (self, request, NS_PHASE_QUEUE, begin_ns, event->time_ns);
}

static void
redirect (NsDotnetRequest *request, const NsDotnetEvent *event)
{
  NsString uri = event->text;

  if (request->in_hop)
    request->hop_ns[HOP_LEFT] = event->time_ns;
  if (uri == NS_STRING_NONE)
    return;
  if (request->redirects == NULL)
    request->redirects = g_array_new (FALSE, FALSE, sizeof (NsString));
  if (request->redirects->len < MAX_REDIRECTS)
    g_array_append_val (request->redirects, uri);
}

static void
set_hop (NsDotnetRequest *request, guint moment, gint64 time_ns, gboolean is_first)
{
  if (!is_first || !ns_time_is_set (request->hop_ns[moment]))
    request->hop_ns[moment] = time_ns;
  /* The begin of a request from before the trace is unknown. */
  request->in_hop = TRUE;
}

/* Applies an event to an open request. */
static void
apply (NsDotnet *self, guint32 process, guint32 number, const NsDotnetEvent *event)
{
  NsDotnetRequest *request = ns_dotnet_request (self, number);

  switch ((NsDotnetKind) event->kind)
    {
    case NS_DOTNET_REQUEST_STOP:
      close_request (self, number, event);
      return;
    case NS_DOTNET_REQUEST_FAILED:
      request->row.failed = TRUE;
      request->row.error = event->text;
      return;
    case NS_DOTNET_FAILED_DETAILED:
      request->row.exception = event->text;
      return;
    case NS_DOTNET_LEFT_QUEUE:
      left_queue (self, request, event);
      break;
    case NS_DOTNET_REQUEST_HEADERS_START:
      end_hop (self, request, event->time_ns);
      begin_hop (request, event->time_ns);
      request->headers_ns = event->time_ns;
      request->row.first_byte_ns = NS_TIME_NONE;
      request->row.hops++;
      enter_connection (self, process, number, event);
      break;
    case NS_DOTNET_REQUEST_HEADERS_STOP:
      set_hop (request, HOP_HEADERS_SENT, event->time_ns, FALSE);
      break;
    case NS_DOTNET_REQUEST_CONTENT_STOP:
      set_hop (request, HOP_CONTENT_SENT, event->time_ns, FALSE);
      if (event->has_id)
        request->row.content_length = (gint64) MIN (event->id, (guint64) G_MAXINT64);
      break;
    case NS_DOTNET_RESPONSE_HEADERS_START:
      set_hop (request, HOP_FIRST_BYTE, event->time_ns, TRUE);
      request->row.first_byte_ns = request->hop_ns[HOP_FIRST_BYTE];
      break;
    case NS_DOTNET_RESPONSE_HEADERS_STOP:
      set_hop (request, HOP_HEADERS_READ, event->time_ns, FALSE);
      if (event->number >= 100)
        request->row.http_status = (guint32) event->number;
      break;
    case NS_DOTNET_REDIRECT:
      redirect (request, event);
      break;
    default:
      break;
    }
  request->last_kind = event->kind;
}

/* Handles an event of System.Net.Http. */
void
ns_dotnet_add_request_event (NsDotnet *self,
                             NsBuilder *builder,
                             guint32 process,
                             const NsDotnetEvent *event)
{
  guint32 id = ns_dotnet_get_id (self, process, event);
  NsDotnetThread *thread;
  guint16 evidence = 0;
  guint32 owner;

  if (event->kind == NS_DOTNET_CLOSED)
    {
      close_connection (self, process, event);
      return;
    }
  if (event->kind == NS_DOTNET_REQUEST_START)
    {
      start (self, builder, process, event, id);
      owner = self->requests->len;
    }
  else
    {
      owner = ns_dotnet_find_owner (self, process, id, event, &evidence);
      if (owner == 0)
        {
          owner = start_unseen (self, builder, process, event, id);
          evidence = NS_DOTNET_BY_PATH;
        }
    }
  thread = ns_dotnet_get_thread (self, process, event->tid);
  thread->http_owner = owner;
  thread->http_ns = event->time_ns;
  if (owner != 0 && evidence != 0 && ns_dotnet_request (self, owner)->is_open)
    ns_dotnet_note_evidence (ns_dotnet_request (self, owner), evidence);
  if (event->kind == NS_DOTNET_ESTABLISHED)
    establish (self, builder, process, event, id, owner);
  if (owner != 0 && ns_dotnet_request (self, owner)->is_open)
    apply (self, process, owner, event);
}

static gboolean
is_own_failure (const NsDotnetRequest *request, const NsDotnetSpan *span)
{
  /* Exclude attempts that led to another connection. */
  return span->failed && !span->is_server && span->connection == 0 &&
         span->fail_ns <= request->row.close_ns &&
         (!ns_time_is_set (request->headers_ns) || span->begin_ns > request->headers_ns);
}

static const char *
phase_of_last (const NsDotnetRequest *request)
{
  switch ((NsDotnetKind) request->last_kind)
    {
    case NS_DOTNET_REQUEST_HEADERS_START:
    case NS_DOTNET_REQUEST_CONTENT_START:
      return "send";
    case NS_DOTNET_REQUEST_HEADERS_STOP:
    case NS_DOTNET_REQUEST_CONTENT_STOP:
      return "wait";
    case NS_DOTNET_RESPONSE_HEADERS_START:
    case NS_DOTNET_RESPONSE_HEADERS_STOP:
    case NS_DOTNET_RESPONSE_CONTENT_START:
    case NS_DOTNET_RESPONSE_CONTENT_STOP:
      return "receive";
    default:
      return "queue";
    }
}

/* Sets the innermost failure, or else the last phase reached. */
static void
explain_failure (NsDotnet *self, NsDotnetRequest *request)
{
  static const char *const phases[NS_DOTNET_N_SPANS] = { "dns", "connect", "tls" };
  const NsDotnetSpan *last = NULL;
  guint32 at;

  for (at = request->first_span; at != 0; at = ns_dotnet_span (self, at)->next)
    {
      const NsDotnetSpan *span = ns_dotnet_span (self, at);

      if (is_own_failure (request, span) && (last == NULL || span->fail_ns >= last->fail_ns))
        last = span;
    }
  /* Later success: this failure did not end the request. */
  for (at = request->first_span; last != NULL && at != 0; at = ns_dotnet_span (self, at)->next)
    {
      const NsDotnetSpan *span = ns_dotnet_span (self, at);

      if (!span->failed && span->kind >= last->kind && ns_time_is_set (span->end_ns) &&
          span->end_ns > last->fail_ns && span->end_ns <= request->row.close_ns)
        last = NULL;
    }
  if (last == NULL)
    {
      request->row.failed_phase = phase_of_last (request);
      return;
    }
  request->row.failed_phase = phases[last->kind];
  request->row.cause = last->message;
  if (last->kind == NS_DOTNET_SPAN_CONNECT && last->error != NS_DOTNET_NO_NUMBER)
    request->row.error_code = last->error;
}

/* Ends the open requests, after all events. */
void
ns_dotnet_end_requests (NsDotnet *self, gint64 end_ns)
{
  guint i;

  for (i = 1; i <= self->spans->len; i++)
    {
      NsDotnetSpan *span = ns_dotnet_span (self, i);

      if (span->end_ns == NS_TIME_OPEN && ns_time_is_set (span->fail_ns))
        span->end_ns = span->fail_ns;
    }
  for (i = 1; i <= self->requests->len; i++)
    {
      NsDotnetRequest *request = ns_dotnet_request (self, i);

      if (request->is_open && request->in_hop)
        end_hop (self, request, end_ns);
      if (request->row.failed && !request->is_framework)
        explain_failure (self, request);
      if (request->connection != 0)
        {
          const NsDotnetConnection *on = ns_dotnet_connection (self, request->connection);
          const char *version = version_to_text (on->major, on->minor);

          if (version != NULL)
            request->row.http_version = version;
          if (request->row.opened_before_trace && request->row.host == NS_STRING_NONE)
            request->row.host = on->host;
        }
    }
}
