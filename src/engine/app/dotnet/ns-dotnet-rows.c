/* Rows of .NET requests, in their table and in the master table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/dotnet/ns-dotnet-private.h"

#include "engine/app/tls/ns-tls-span.h"
#include "engine/build/ns-activities-row.h"

#include <string.h>

typedef struct
{
  guint32 request;
  guint32 connection;
  gint64 begin_ns;
  gint64 end_ns;
} Use;

static int
compare_uses (gconstpointer a, gconstpointer b)
{
  const Use *left = a;
  const Use *right = b;

  if (left->connection != right->connection)
    return left->connection < right->connection ? -1 : 1;
  if (left->begin_ns != right->begin_ns)
    return left->begin_ns < right->begin_ns ? -1 : 1;
  return (left->request > right->request) - (left->request < right->request);
}

/* Marks requests that shared a connection at the same time, whose bytes cannot be divided. */
static void
mark_overlaps (NsDotnet *self)
{
  g_autoptr (GArray) uses = g_array_new (FALSE, FALSE, sizeof (Use));
  const Use *longest = NULL;
  guint i;

  for (i = 1; i <= self->requests->len; i++)
    {
      const NsDotnetRequest *request = ns_dotnet_request (self, i);
      Use use = { i, request->connection, request->on_connection_ns, request->row.close_ns };

      if (request->connection != 0)
        g_array_append_val (uses, use);
    }
  g_array_sort (uses, compare_uses);
  for (i = 0; i < uses->len; i++)
    {
      const Use *use = &g_array_index (uses, Use, i);

      if (longest == NULL || longest->connection != use->connection)
        longest = use;
      else
        {
          if (longest->end_ns > use->begin_ns)
            {
              ns_dotnet_request (self, longest->request)->overlaps = TRUE;
              ns_dotnet_request (self, use->request)->overlaps = TRUE;
            }
          if (use->end_ns > longest->end_ns)
            longest = use;
        }
    }
}

/* Returns the end of a span; if it was not recorded, the begin of the next step. */
gint64
ns_dotnet_span_end (const NsDotnet *self, const NsDotnetSpan *span, gint64 limit_ns)
{
  gint64 end_ns = limit_ns;
  guint32 at;

  if (ns_time_is_set (span->end_ns))
    return span->end_ns;
  if (span->connection != 0)
    {
      gint64 open_ns = ns_dotnet_connection (self, span->connection)->open_ns;

      if (ns_time_is_set (open_ns))
        end_ns = MIN (end_ns, open_ns);
    }
  for (at = span->next; at != 0; at = ns_dotnet_span (self, at)->next)
    if (ns_dotnet_span (self, at)->kind > span->kind &&
        ns_dotnet_span (self, at)->connection == span->connection)
      return MIN (end_ns, ns_dotnet_span (self, at)->begin_ns);
  return end_ns;
}

/* Returns whether the span counts for the request: it led to the request's connection, or to one
 * that the request was the first to use; without a connection, all spans of the request count. */
static gboolean
counts (const NsDotnet *self, guint32 number, const NsDotnetSpan *span)
{
  const NsDotnetRequest *request = ns_dotnet_request (self, number);

  if (span->is_server)
    return FALSE;
  if (request->connection == 0)
    return TRUE;
  return span->connection != 0 &&
         (span->connection == request->connection ||
          ns_dotnet_connection (self, span->connection)->first_user == number);
}

static void
set_phases (NsDotnet *self, NsBuilder *builder, guint32 number)
{
  static const NsPhase kinds[] = { NS_PHASE_DNS, NS_PHASE_CONNECT, NS_PHASE_TLS };
  NsDotnetRequest *request = ns_dotnet_request (self, number);
  NsDotnetRow *row = &request->row;
  gint64 end_ns = ns_time_is_set (row->close_ns) ? row->close_ns : builder->trace->end_ns;
  gint64 durations[NS_N_PHASES];
  NsPhases phases;
  guint32 at;

  ns_phases_init (&phases);
  for (at = request->first_span; at != 0; at = ns_dotnet_span (self, at)->next)
    if (counts (self, number, ns_dotnet_span (self, at)))
      ns_phases_add (&phases,
                     kinds[ns_dotnet_span (self, at)->kind],
                     ns_dotnet_span (self, at)->begin_ns,
                     ns_dotnet_span_end (self, ns_dotnet_span (self, at), end_ns));
  for (at = request->first_stretch; at != 0;
       at = NS_DOTNET_GET (self->stretches, NsDotnetStretch, at)->next)
    {
      const NsDotnetStretch *stretch = NS_DOTNET_GET (self->stretches, NsDotnetStretch, at);

      ns_phases_add (&phases, stretch->phase, stretch->begin_ns, stretch->end_ns);
    }
  ns_phases_split (&phases, row->open_ns, end_ns, durations);
  if (phases.n_spans == 0)
    durations[NS_PHASE_OTHER] = MAX (end_ns - row->open_ns, 0);
  row->phases = ns_trace_keep_phases (builder->trace, durations);
}

/* Returns the name of an SslProtocols value, in the spelling of other layers. */
static const char *
tls_to_text (gint32 protocol)
{
  switch (protocol)
    {
    case 48:
      return "SSL 3.0";
    case 192:
      return "TLS 1.0";
    case 768:
      return "TLS 1.1";
    case 3072:
      return "TLS 1.2";
    case 12288:
      return "TLS 1.3";
    default:
      return NULL;
    }
}

/* Returns the TLS version without the prefix, as .NET records only the number. */
static const char *
tls_to_number (gint32 protocol)
{
  const char *version = tls_to_text (protocol);

  return version != NULL && g_str_has_prefix (version, "TLS ") ? version + strlen ("TLS ") : NULL;
}

/* Counts the bytes transferred while the request used the connection. */
static void
count_bytes (NsBuilder *builder, NsDotnetRequest *request)
{
  NsDotnetRow *row = &request->row;
  NsTableId table = row->winsock != 0 ? NS_TABLE_WINSOCK : NS_TABLE_TCP;
  NsRow lower = row->winsock != 0 ? row->winsock : row->tcp;
  const NsMove *moves;
  guint n_moves;
  guint i;

  ns_moves_get_all (builder->trace->moves, table, &n_moves);
  if (n_moves == 0 && table == NS_TABLE_WINSOCK && row->tcp != 0)
    {
      table = NS_TABLE_TCP;
      lower = row->tcp;
      ns_moves_get_all (builder->trace->moves, table, &n_moves);
    }
  if (n_moves == 0)
    return;
  moves = ns_moves_find (builder->trace->moves,
                         table,
                         lower,
                         request->on_connection_ns,
                         row->close_ns,
                         &n_moves);
  row->sent = row->received = 0;
  for (i = 0; i < n_moves; i++)
    if (moves[i].n_bytes & NS_MOVE_SENT)
      row->sent += moves[i].n_bytes & NS_MOVE_MAX_BYTES;
    else
      row->received += moves[i].n_bytes;
}

static void
set_remote (NsBuilder *builder, NsDotnetRow *row, const NsEndpoint *recorded)
{
  const NsTrace *trace = builder->trace;
  NsEndpoint end = *recorded;

  if (row->tcp != 0)
    end = *NS_ROW_AT (trace->tcp, NsTcpRow, row->tcp)->remote;
  else if (row->winsock != 0)
    end = *NS_ROW_AT (trace->winsock, NsWinsockRow, row->winsock)->remote;
  if (ns_endpoint_is_empty (&end))
    return;
  end.ip = ns_ip_unmapped (&end.ip);
  row->remote = ns_endpoint_pool_add (trace->ends, &end);
}

/* Returns the number of the handshake, shared by all requests of a connection. */
static guint32
need_handshake (NsBuilder *builder, NsDotnetSpan *handshake)
{
  const char *version = tls_to_text (handshake->protocol);
  NsTlsSpan *span;

  if (handshake->tls != 0)
    return handshake->tls;
  handshake->tls = ns_tls_add (builder,
                               NS_TLS_DOTNET,
                               handshake->pid,
                               handshake->tid,
                               handshake->begin_ns,
                               handshake->end_ns);
  span = ns_tls_get_span (builder, handshake->tls);
  span->facts.sni = handshake->text;
  if (handshake->failed)
    span->facts.error_text = handshake->message;
  else if (version != NULL)
    span->facts.version = ns_strings_add (builder->trace->strings, version);
  return handshake->tls;
}

/* Links the handshake of the connection, else the last failed one of the request. */
static void
tie_handshake (NsDotnet *self, NsBuilder *builder, const NsDotnetRequest *request)
{
  guint32 handshake = 0;
  guint32 at;

  if (request->connection != 0)
    handshake = ns_dotnet_connection (self, request->connection)->handshake;
  else
    for (at = request->first_span; at != 0; at = ns_dotnet_span (self, at)->next)
      if (ns_dotnet_span (self, at)->kind == NS_DOTNET_SPAN_HANDSHAKE &&
          !ns_dotnet_span (self, at)->is_server)
        handshake = at;
  if (handshake != 0)
    ns_tls_tie (builder,
                NS_TABLE_DOTNET,
                builder->trace->dotnet->len + 1,
                NS_TLS_ALL_PARTS,
                need_handshake (builder, ns_dotnet_span (self, handshake)));
}

/* Returns whether the connection carries one request at a time (HTTP/1). If it is from before
 * the trace, the version is that of the request. */
static gboolean
is_one_at_a_time (const NsDotnetConnection *on, const NsDotnetRow *row)
{
  return on->major != 0 ? on->major < 2
                        : row->http_version == NULL || g_str_has_prefix (row->http_version, "1.");
}

static void
set_connection (NsDotnet *self, NsBuilder *builder, guint32 number)
{
  NsDotnetRequest *request = ns_dotnet_request (self, number);
  const NsDotnetConnection *on = ns_dotnet_connection (self, request->connection);
  NsDotnetRow *row = &request->row;

  row->has_connection = on->has_id;
  row->connection = on->id;
  row->winsock = on->winsock;
  row->tcp = on->tcp;
  row->tls_version = tls_to_number (on->protocol);
  if (request->has_reused)
    row->reused = request->reused;
  if (on->evidence != 0)
    ns_dotnet_note_evidence (request, on->evidence);
  set_remote (builder, row, &on->remote);
  if (is_one_at_a_time (on, row) && !request->overlaps && (row->winsock != 0 || row->tcp != 0))
    count_bytes (builder, request);
}

/* Sets the target of a request that never got a connection. */
static void
set_attempt (NsDotnet *self, NsBuilder *builder, NsDotnetRequest *request)
{
  NsDotnetSpan *last = NULL;
  guint32 at;

  for (at = request->first_span; at != 0; at = ns_dotnet_span (self, at)->next)
    if (ns_dotnet_span (self, at)->kind == NS_DOTNET_SPAN_CONNECT)
      last = ns_dotnet_span (self, at);
  if (last == NULL)
    return;
  ns_dotnet_join_attempt (self->join, last);
  request->row.winsock = last->winsock;
  request->row.tcp = last->tcp;
  if (last->winsock != 0)
    ns_dotnet_note_evidence (request, NS_DOTNET_BY_CONNECT);
  else if (last->tcp != 0)
    ns_dotnet_note_evidence (request, NS_DOTNET_BY_REMOTE);
  set_remote (builder, &request->row, &last->remote);
}

/* Sets the look-ups of its attempts; @found gets all their rows. */
static void
set_names (NsDotnet *self, guint32 number, GArray *found)
{
  NsDotnetRequest *request = ns_dotnet_request (self, number);
  guint32 at;

  for (at = request->first_span; at != 0; at = ns_dotnet_span (self, at)->next)
    {
      const NsDotnetSpan *span = ns_dotnet_span (self, at);
      NsRow dns;

      if (span->kind != NS_DOTNET_SPAN_NAMES || !counts (self, number, span))
        continue;
      dns = ns_dotnet_join_names (self->join, span, found);
      if (dns != 0)
        request->row.dns = dns;
    }
}

/* Sets the stack of the request, or that of its connection if that is more specific. */
static void
set_stack (const NsDotnet *self, NsBuilder *builder, guint32 number, NsActivityRow *activity)
{
  const NsDotnetRequest *request = ns_dotnet_request (self, number);
  const NsWinsockRow *socket;

  activity->stack = request->row.stack;
  activity->link = request->row.link;
  activity->stack_tid = request->row.tid;
  if (activity->stack != 0 || activity->link != 0 || request->row.winsock == 0)
    return;
  if (request->connection != 0 && ns_dotnet_connection (self, request->connection)->owner != number)
    return;
  socket = NS_ROW_AT (builder->trace->winsock, NsWinsockRow, request->row.winsock);
  if (socket->stack == 0 && socket->link == 0)
    return;
  activity->stack = socket->stack;
  activity->link = socket->link;
  activity->stack_tid = socket->tid_open;
}

static NsRow
add_activity (NsDotnet *self, NsBuilder *builder, guint32 number, NsRow source)
{
  const NsDotnetRequest *request = ns_dotnet_request (self, number);
  const NsDotnetRow *row = &request->row;
  NsActivityRow activity;

  ns_activities_init (&activity, NS_LAYER_DOTNET, NS_TABLE_DOTNET, source);
  activity.pid = row->pid;
  activity.tid = row->tid;
  activity.server = row->host;
  activity.url = row->url;
  activity.http_status = row->http_status;
  activity.remote = row->remote;
  activity.open_ns = row->open_ns;
  activity.close_ns = row->close_ns;
  activity.first_byte_ns = row->first_byte_ns;
  activity.request = row->request;
  activity.connection = row->connection;
  activity.phases = row->phases;
  activity.activity_id = row->activity_id;
  activity.dns = row->dns;
  activity.tcp = row->tcp;
  activity.winsock = row->winsock;
  activity.reused = row->reused;
  activity.confidence = row->confidence;
  activity.opened_before_trace = activity.inferred = row->opened_before_trace;
  activity.failed = row->failed;
  activity.redirected = row->redirects != NULL && row->redirects->len > 0;
  activity.bytes_unknown = row->sent == NS_UNKNOWN;
  activity.sent = row->sent != NS_UNKNOWN ? (guint64) row->sent : 0;
  activity.received = row->received != NS_UNKNOWN ? (guint64) row->received : 0;
  if (row->failed)
    activity.status = ns_strings_add (builder->trace->strings, "Failed");
  if (request->connection != 0 && ns_dotnet_connection (self, request->connection)->major >= 3)
    activity.layers |= NS_LAYER_UDP;
  set_stack (self, builder, number, &activity);
  if (row->tcp != 0)
    activity.socket = NS_ROW_AT (builder->trace->tcp, NsTcpRow, row->tcp)->local->port;
  return ns_activities_append (builder, &activity);
}

/* Assigns the lower-layer rows to the first request that used them. */
static void
claim (NsBuilder *builder, NsRow winsock, NsRow tcp, NsRow activity, gboolean is_sure)
{
  NsTrace *trace = builder->trace;

  if (winsock != 0)
    {
      NsWinsockRow *row = NS_ROW_AT (trace->winsock, NsWinsockRow, winsock);

      if (is_sure || row->activity == 0)
        row->activity = activity;
      row->layers |= NS_LAYER_DOTNET;
    }
  if (tcp != 0)
    {
      NsTcpRow *row = NS_ROW_AT (trace->tcp, NsTcpRow, tcp);

      if (is_sure || row->activity == 0)
        row->activity = activity;
      row->owner |= NS_LAYER_DOTNET;
    }
}

static void
write_row (NsDotnet *self, NsBuilder *builder, guint32 number)
{
  NsTrace *trace = builder->trace;
  NsDotnetRequest *request = ns_dotnet_request (self, number);
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (NsRow));
  NsDotnetRow *row = &request->row;
  NsRow source = trace->dotnet->len + 1;
  guint i;

  if (row->failed && row->error == NS_STRING_NONE)
    row->error = ns_strings_add (trace->strings, "RequestFailed");
  if (request->is_framework)
    ns_dotnet_join_framework (self->join, request);
  if (request->connection != 0)
    set_connection (self, builder, number);
  else if (!request->is_framework)
    set_attempt (self, builder, request);
  if (request->is_framework)
    set_remote (builder, row, &ns_endpoint_pool_none);
  set_names (self, number, names);
  set_phases (self, builder, number);
  row->redirects = g_steal_pointer (&request->redirects);
  row->activity = add_activity (self, builder, number, source);
  if (row->dns == 0)
    row->dns = NS_ROW_AT (trace->activities, NsActivityRow, row->activity)->dns;
  for (i = 0; i < names->len; i++)
    {
      NsDnsRow *dns = NS_ROW_AT (trace->dns, NsDnsRow, g_array_index (names, NsRow, i));

      if (dns->activity == 0)
        dns->activity = row->activity;
    }
  claim (builder, row->winsock, row->tcp, row->activity, FALSE);
  tie_handshake (self, builder, request);
  g_array_append_val (trace->dotnet, *row);
}

static int
compare_requests (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const NsDotnet *self = user_data;
  guint32 left = *(const guint32 *) a;
  guint32 right = *(const guint32 *) b;
  gint64 left_ns = ns_dotnet_request (self, left)->row.open_ns;
  gint64 right_ns = ns_dotnet_request (self, right)->row.open_ns;

  if (left_ns != right_ns)
    return left_ns < right_ns ? -1 : 1;
  return (left > right) - (left < right);
}

/* Writes the requests by begin, and assigns their lower-layer rows. */
void
ns_dotnet_write_rows (NsDotnet *self, NsBuilder *builder)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 i;

  for (i = 1; i <= self->requests->len; i++)
    g_array_append_val (order, i);
  g_array_sort_with_data (order, compare_requests, self);
  if (builder->trace->moves != NULL)
    ns_moves_settle (builder->trace->moves);
  mark_overlaps (self);
  for (i = 0; i < order->len; i++)
    write_row (self, builder, g_array_index (order, guint32, i));
  for (i = 1; i <= self->connections->len; i++)
    {
      const NsDotnetConnection *one = ns_dotnet_connection (self, i);
      guint32 user = one->first_user != 0 ? one->first_user : one->owner;

      if (user != 0)
        claim (builder,
               one->winsock,
               one->tcp,
               ns_dotnet_request (self, user)->row.activity,
               one->first_user != 0);
    }
  for (i = 1; i <= self->spans->len; i++)
    {
      const NsDotnetSpan *span = ns_dotnet_span (self, i);

      if (span->owner != 0)
        claim (builder,
               span->winsock,
               span->tcp,
               ns_dotnet_request (self, span->owner)->row.activity,
               FALSE);
    }
}
