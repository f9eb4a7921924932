/* Pairs requests of a client with those of the server, and divides their time into phases.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-pairs-private.h"
#include "base/ns-map.h"

#include <string.h>

/* Layers whose rows are requests that follow each other on a connection. */
#define REQUEST_LAYERS                                                                             \
  (NS_LAYER_WININET | NS_LAYER_WINHTTP | NS_LAYER_CHROMIUM | NS_LAYER_DOTNET |                     \
   NS_LAYER_HTTP_SERVER | NS_LAYER_HTTP)

/* Maximum number of requests of a connection searched: the usual maximum of concurrent HTTP/2
 * streams. */
#define MAX_AT_ONCE 256

/* Tolerance, besides @uncertainty_ns, for times of one machine: events are written some time
 * after the fact. */
#define SLACK_NS (NS_PER_SECOND / 1000)

/* An operation over a connection that both machines recorded, by machine. */
typedef struct
{
  guint connection;
  NsRow row;
  gint64 open_ns; /* by the clock of its machine */
} Operation;

static const NsActivityRow *
get_activity (const NsTrace *trace, NsRow row)
{
  return NS_ROW_AT (trace->activities, NsActivityRow, row);
}

static const NsHttpServerRow *
get_http_server (const NsTrace *trace, const NsActivityRow *row)
{
  return row->source_table == NS_TABLE_HTTP_SERVER
             ? NS_ROW_AT (trace->http_server, NsHttpServerRow, row->source_row)
             : NULL;
}

/* Connections by row of one trace: 1-based, 0: none. */
typedef struct
{
  guint32 *by_tcp;
  guint32 *by_flow;
  NsMap *by_ends; /* endpoints as seen from this machine */
} Finder;

static void
hash_ends (const NsEndpoint *here, const NsEndpoint *there, guint64 *a, guint64 *b)
{
  *a = ns_endpoint_hash (here);
  *b = ns_endpoint_hash (there);
}

static void
finder_init (Finder *self, const NsPairs *pairs, guint machine)
{
  const NsTrace *trace = pairs->traces[machine];
  guint64 a;
  guint64 b;
  guint i;

  self->by_tcp = g_new0 (guint32, (gsize) trace->tcp->len + 1);
  self->by_flow = g_new0 (guint32, (gsize) trace->flows->len + 1);
  self->by_ends = ns_map_new ();
  for (i = 0; i < pairs->connections->len; i++)
    {
      const NsPairConnection *one = &g_array_index (pairs->connections, NsPairConnection, i);
      NsRow tcp = one->tcp[machine];
      NsRow flow = one->flow[machine];

      if (flow != 0)
        {
          const NsFlowRow *row = NS_ROW_AT (trace->flows, NsFlowRow, flow);
          gboolean is_client = one->client == machine;

          hash_ends (is_client ? &row->client : &row->server,
                     is_client ? &row->server : &row->client,
                     &a,
                     &b);
          ns_map_set (self->by_ends, a, b, i + 1);
        }
      else if (tcp != 0)
        {
          const NsTcpRow *row = NS_ROW_AT (trace->tcp, NsTcpRow, tcp);

          hash_ends (row->local, row->remote, &a, &b);
          ns_map_set (self->by_ends, a, b, i + 1);
        }
      self->by_tcp[tcp] = i + 1;
      self->by_flow[flow] = i + 1;
    }
  self->by_tcp[0] = 0;
  self->by_flow[0] = 0;
}

static void
finder_clear (Finder *self)
{
  g_free (self->by_tcp);
  g_free (self->by_flow);
  ns_map_free (self->by_ends);
}

static guint32
finder_get (const Finder *self, const NsTrace *trace, const NsActivityRow *row)
{
  const NsHttpServerRow *request = get_http_server (trace, row);
  NsRow tcp = request != NULL ? request->tcp : row->tcp;
  guint32 found = self->by_tcp[tcp];
  guint64 a;
  guint64 b;

  if (found == 0)
    found = self->by_flow[row->flow];
  if (found == 0 && request != NULL)
    {
      hash_ends (&request->local, &request->remote, &a, &b);
      found = ns_map_get (self->by_ends, a, b);
    }
  return found;
}

static int
compare_operations (gconstpointer a, gconstpointer b)
{
  const Operation *one = a;
  const Operation *other = b;

  if (one->connection != other->connection)
    return one->connection < other->connection ? -1 : 1;
  if (one->open_ns != other->open_ns)
    return one->open_ns < other->open_ns ? -1 : 1;
  return (one->row > other->row) - (one->row < other->row);
}

/* Returns whether the parent uses the same connection, in which case the time counts for the
 * parent. */
static gboolean
is_below (const NsTrace *trace, const Finder *finder, const NsActivityRow *row, guint32 connection)
{
  return row->parent != 0 &&
         finder_get (finder, trace, get_activity (trace, row->parent)) == connection;
}

/* Removes the rows of connections whose requests have rows. */
static void
drop_carriers (const NsTrace *trace, GArray *operations)
{
  guint n_kept = 0;
  guint from = 0;
  guint to;
  guint i;

  for (; from < operations->len; from = to)
    {
      gboolean has_requests = FALSE;

      for (to = from;
           to < operations->len && g_array_index (operations, Operation, to).connection ==
                                       g_array_index (operations, Operation, from).connection;
           to++)
        {
          NsRow row = g_array_index (operations, Operation, to).row;

          has_requests |= (get_activity (trace, row)->layers & REQUEST_LAYERS) != 0;
        }
      for (i = from; i < to; i++)
        {
          Operation one = g_array_index (operations, Operation, i);

          if (!has_requests || (get_activity (trace, one.row)->layers & REQUEST_LAYERS) != 0)
            g_array_index (operations, Operation, n_kept++) = one;
        }
    }
  g_array_set_size (operations, n_kept);
}

/* Lists operations over common connections in which the machine is the client, or the server. */
static GArray *
list_operations (const NsPairs *pairs, const Finder *finder, guint machine, gboolean want_clients)
{
  GArray *operations = g_array_new (FALSE, FALSE, sizeof (Operation));
  const NsTrace *trace = pairs->traces[machine];
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = get_activity (trace, i + 1);
      guint32 connection = finder_get (finder, trace, row);
      Operation one = { connection - 1, i + 1, row->open_ns };
      gboolean is_client;

      if (connection == 0)
        continue;
      is_client =
          g_array_index (pairs->connections, NsPairConnection, connection - 1).client == machine;
      /* With HTTP.sys, the connection's row is the parent of its requests. */
      if (is_client != want_clients || (is_client && is_below (trace, finder, row, connection)))
        continue;
      g_array_append_val (operations, one);
    }
  g_array_sort (operations, compare_operations);
  drop_carriers (trace, operations);
  return operations;
}

static const char *
get_path (const NsTrace *trace, NsString url)
{
  const char *text = ns_trace_text (trace, url);
  const char *host = text != NULL ? strstr (text, "://") : NULL;

  return host != NULL ? strchr (host + 3, '/') : text;
}

static gboolean
may_be_one (const NsTrace *trace,
            const NsActivityRow *row,
            const NsTrace *other_trace,
            const NsActivityRow *other)
{
  const char *path = get_path (trace, row->url);
  const char *other_path = get_path (other_trace, other->url);

  if (row->method != NS_STRING_NONE && other->method != NS_STRING_NONE &&
      strcmp (ns_trace_text (trace, row->method), ns_trace_text (other_trace, other->method)) != 0)
    return FALSE;
  return path == NULL || other_path == NULL || *path == '\0' || *other_path == '\0' ||
         strcmp (path, other_path) == 0;
}

static gint64
to_first (const NsPairs *pairs, guint machine, gint64 time_ns)
{
  return machine == 0 ? time_ns : ns_clock_fit_to_first (&pairs->fit, time_ns);
}

static gint64
get_slack (const NsPairs *pairs)
{
  return MIN (ns_time_sum (pairs->fit.uncertainty_ns, SLACK_NS), NS_PAIR_WALL_SLACK_NS);
}

/* Sets a network phase; a slightly negative duration is within the uncertainty of the clocks. */
static void
set_network (const NsPairs *pairs, NsPairRow *row, NsPairPhase phase, gint64 from_ns, gint64 to_ns)
{
  gint64 length_ns = ns_time_between (from_ns, to_ns);

  if (length_ns < 0 && length_ns >= -get_slack (pairs))
    {
      row->about |= (guint8) (1u << phase);
      length_ns = 0;
    }
  row->phases[phase] = length_ns >= 0 ? length_ns : NS_UNKNOWN;
}

/* Finds when the last byte of a request was sent, and when the server received it, each by the
 * clock of its machine. HTTP.sys records when the headers were received; for other layers, that
 * was before the response. */
static void
find_request (const NsPairSteps *steps,
              const NsPairRow *row,
              const NsActivityRow *request,
              const NsActivityRow *answer,
              gint64 before_ns,
              gint64 *sent_ns,
              gint64 *came_ns)
{
  const NsPairStep *came = NULL;
  const NsPairStep *sent = NULL;

  if (ns_time_is_set (before_ns))
    came = ns_pair_steps_find_last (steps,
                                    !row->client_machine,
                                    row->connection,
                                    0,
                                    -NS_TIME_MAX,
                                    before_ns);
  if (came != NULL)
    sent = ns_pair_steps_find_reached (steps, row->client_machine, came);
  *came_ns = came != NULL ? came->time_ns : answer->open_ns;
  *sent_ns = sent != NULL && sent->time_ns >= request->open_ns ? sent->time_ns : NS_TIME_NONE;
}

static void
set_phases (const NsPairs *pairs, const NsPairSteps *steps, NsPairRow *row)
{
  guint client = row->client_machine;
  const NsTrace *there = pairs->traces[!client];
  const NsActivityRow *request = get_activity (pairs->traces[client], row->client);
  const NsActivityRow *answer = get_activity (there, row->server);
  const NsHttpServerRow *queued = get_http_server (there, answer);
  gint64 taken_ns = queued != NULL ? to_first (pairs, !client, queued->delivered_ns) : NS_TIME_NONE;
  gint64 answered_ns =
      to_first (pairs, !client, queued != NULL ? queued->first_send_ns : answer->first_byte_ns);
  gint64 close_ns = to_first (pairs, client, request->close_ns);
  gint64 sent_ns;
  gint64 came_ns;

  if ((request->layers & REQUEST_LAYERS) == 0 || (answer->layers & REQUEST_LAYERS) == 0)
    return;
  find_request (steps,
                row,
                request,
                answer,
                queued != NULL ? queued->open_ns : answer->first_byte_ns,
                &sent_ns,
                &came_ns);
  sent_ns = to_first (pairs, client, sent_ns);
  came_ns = to_first (pairs, !client, came_ns);
  if (ns_time_is_set (sent_ns))
    {
      row->phases[NS_PAIR_CLIENT_QUEUE] = ns_time_between (row->open_ns, sent_ns);
      set_network (pairs, row, NS_PAIR_NETWORK_OUT, sent_ns, came_ns);
    }
  if (ns_time_is_set (taken_ns))
    row->phases[NS_PAIR_SERVER_QUEUE] = MAX (ns_time_between (came_ns, taken_ns), 0);
  if (ns_time_is_set (answered_ns))
    {
      row->phases[NS_PAIR_SERVER_WORK] =
          MAX (ns_time_between (ns_time_is_set (taken_ns) ? taken_ns : came_ns, answered_ns), 0);
      if (ns_time_is_set (close_ns))
        set_network (pairs, row, NS_PAIR_NETWORK_BACK, answered_ns, close_ns);
    }
}

static void
init_row (const NsPairs *pairs, NsPairRow *row, guint machine, NsRow client)
{
  const NsActivityRow *request = get_activity (pairs->traces[machine], client);
  guint i;

  *row = (NsPairRow){ .connection = G_MAXUINT,
                      .client = client,
                      .open_ns = to_first (pairs, machine, request->open_ns),
                      .duration_ns = NS_UNKNOWN,
                      .client_machine = (guint8) machine };
  if (ns_time_is_set (request->close_ns))
    row->duration_ns = ns_time_between (row->open_ns, to_first (pairs, machine, request->close_ns));
  for (i = 0; i < NS_PAIR_N_PHASES; i++)
    row->phases[i] = NS_UNKNOWN;
}

/* Finds the first unused operation of the server that matches and lies within the request.
 * Advances @from past operations that no later request can match: both lists are sorted by
 * connection and time. Returns: 0-based; G_MAXUINT: none */
static guint
find_answer (const NsPairs *pairs,
             guint client,
             const Operation *one,
             const GArray *answers,
             const guint8 *taken,
             guint *from)
{
  const NsTrace *here = pairs->traces[client];
  const NsTrace *there = pairs->traces[!client];
  const NsActivityRow *request = get_activity (here, one->row);
  gint64 slack_ns = get_slack (pairs);
  gint64 begin_ns = ns_time_after (to_first (pairs, client, request->open_ns), -slack_ns);
  gint64 end_ns = ns_time_after (to_first (pairs, client, request->close_ns), slack_ns);
  guint n = 0;
  guint i;

  for (; *from < answers->len; ++*from)
    {
      const Operation *answer = &g_array_index (answers, Operation, *from);

      if (!taken[*from] && (answer->connection > one->connection ||
                            (answer->connection == one->connection &&
                             to_first (pairs, !client, answer->open_ns) >= begin_ns)))
        break;
    }
  for (i = *from; i < answers->len && n < MAX_AT_ONCE; i++, n++)
    {
      const Operation *answer = &g_array_index (answers, Operation, i);
      gint64 open_ns = to_first (pairs, !client, answer->open_ns);

      if (answer->connection != one->connection)
        break;
      if (!taken[i] && open_ns >= begin_ns && open_ns <= end_ns &&
          may_be_one (here, request, there, get_activity (there, answer->row)))
        return i;
    }
  return G_MAXUINT;
}

/* Adds the requests of @client over common connections. */
static void
add_paired (NsPairs *pairs,
            const NsPairSteps *steps,
            guint client,
            const GArray *requests,
            const GArray *answers)
{
  g_autofree guint8 *taken = g_new0 (guint8, (gsize) answers->len + 1);
  guint from = 0;
  guint i;

  for (i = 0; i < requests->len; i++)
    {
      const Operation *one = &g_array_index (requests, Operation, i);
      NsPairRow row;
      guint found;

      init_row (pairs, &row, client, one->row);
      row.connection = one->connection;
      found = find_answer (pairs, client, one, answers, taken, &from);
      if (found != G_MAXUINT)
        {
          taken[found] = 1;
          row.server = g_array_index (answers, Operation, found).row;
          set_phases (pairs, steps, &row);
        }
      g_array_append_val (pairs->rows, row);
    }
}

static void
add_address (NsMap *addresses, const NsPairEnd *end, gboolean is_client)
{
  ns_map_set (addresses, ns_ip_hash (is_client ? &end->client.ip : &end->server.ip), 0, 1);
}

/* Collects the addresses of a machine from connections whose role is known, or that are paired. */
static NsMap *
list_addresses (const NsPairs *pairs, guint machine, const GArray *ends)
{
  g_autofree guint8 *sides = g_new0 (guint8, (gsize) ends->len + 1);
  NsMap *addresses = ns_map_new ();
  guint i;

  for (i = 0; i < pairs->connections->len; i++)
    {
      const NsPairConnection *one = &g_array_index (pairs->connections, NsPairConnection, i);

      sides[one->ends[machine]] =
          one->client == machine ? NS_PAIR_ROLE_CLIENT : NS_PAIR_ROLE_SERVER;
    }
  for (i = 0; i < ends->len; i++)
    {
      const NsPairEnd *end = &g_array_index (ends, NsPairEnd, i);
      NsPairRole role = end->role != NS_PAIR_ROLE_UNKNOWN ? end->role : (NsPairRole) sides[i];

      if (role != NS_PAIR_ROLE_UNKNOWN)
        add_address (addresses, end, role == NS_PAIR_ROLE_CLIENT);
    }
  return addresses;
}

/* Adds requests to the other machine, which did not record them. */
static void
add_unseen (NsPairs *pairs, guint client, const Finder *finder, GArray *const ends[2])
{
  const NsTrace *trace = pairs->traces[client];
  g_autoptr (NsMap) addresses = list_addresses (pairs, !client, ends[!client]);
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = get_activity (trace, i + 1);
      NsPairRow pair;

      if (row->accepted || row->parent != 0 || (row->layers & NS_LAYER_UDP) != 0 ||
          row->remote->ip.family == 0 || finder_get (finder, trace, row) != 0 ||
          (row->tcp == 0 && row->flow == 0) ||
          ns_map_get (addresses, ns_ip_hash (&row->remote->ip), 0) == 0)
        continue;
      init_row (pairs, &pair, client, i + 1);
      g_array_append_val (pairs->rows, pair);
    }
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const NsPairRow *one = a;
  const NsPairRow *other = b;

  if (one->open_ns != other->open_ns)
    return one->open_ns < other->open_ns ? -1 : 1;
  if (one->client_machine != other->client_machine)
    return one->client_machine < other->client_machine ? -1 : 1;
  return (one->client > other->client) - (one->client < other->client);
}

/**
 * ns_pair_rows_add: (skip)
 * @pairs: common connections, with clocks aligned
 * @steps: progress of their streams
 * @ends: (element-type NsPairEnd): all connections, by machine
 *
 * Adds a row for each operation over a common connection, and for each operation with the other
 * machine that it did not record.
 */
void
ns_pair_rows_add (NsPairs *pairs, const NsPairSteps *steps, GArray *const ends[2])
{
  Finder finders[2];
  guint client;

  finder_init (&finders[0], pairs, 0);
  finder_init (&finders[1], pairs, 1);
  for (client = 0; client < 2; client++)
    {
      g_autoptr (GArray) requests = list_operations (pairs, &finders[client], client, TRUE);
      g_autoptr (GArray) answers = list_operations (pairs, &finders[!client], !client, FALSE);

      add_paired (pairs, steps, client, requests, answers);
      add_unseen (pairs, client, &finders[client], ends);
    }
  g_array_sort (pairs->rows, compare_rows);
  finder_clear (&finders[0]);
  finder_clear (&finders[1]);
}
