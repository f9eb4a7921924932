/* .NET requests: System.Net.Http with its sockets, look-ups and handshakes, and WebRequest.
 *
 * Events are stored during the walk, and linked with rows of sockets, connections and look-ups
 * after those are written.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/dotnet/ns-dotnet-private.h"

#include "engine/build/ns-activities-row.h"
#include "engine/catalog/ns-catalog.h"
#include "engine/stacks/ns-stack-match.h"
#include "engine/tasks/ns-tasks.h"

/* Maximum number of transfers kept for dividing bytes between requests. */
#define NS_DOTNET_MAX_MOVES (4u << 20)

static void
dotnet_start (NsBuilder *builder)
{
  NsDotnet *self = builder->dotnet = g_new0 (NsDotnet, 1);

  self->events = g_array_new (FALSE, FALSE, sizeof (NsDotnetEvent));
}

static void
dotnet_scan (NsBuilder *builder, const NsRecord *record)
{
  builder->dotnet->has_requests = TRUE;
}

/* Prepares the recording of transfers: a connection carries many requests, to which bytes are
 * assigned by time. */
static void
dotnet_scanned (NsBuilder *builder)
{
  NsDotnet *self = builder->dotnet;

  if (!self->has_requests || builder->trace->moves != NULL)
    return;
  builder->trace->moves = ns_moves_new (NS_DOTNET_MAX_MOVES);
  self->owns_moves = TRUE;
}

static gboolean
begins_request (const NsDotnetEvent *event)
{
  return event->kind == NS_DOTNET_REQUEST_START || event->kind == NS_DOTNET_GET_RESPONSE_START ||
         event->kind == NS_DOTNET_GET_STREAM_START;
}

static void
dotnet_event (NsBuilder *builder, const NsRecord *record)
{
  NsDotnetEvent event;

  if (!ns_dotnet_event_read (&event, builder->trace, record))
    return;
  event.process = ns_trace_find_process (builder->trace, record->pid, record->time_ns);
  if (begins_request (&event))
    {
      event.stack = ns_stack_match_find (builder, record);
      event.link = ns_tasks_find_link (builder, record->tid, record->time_ns);
    }
  g_array_append_val (builder->dotnet->events, event);
}

static void
dotnet_stop (NsBuilder *builder)
{
  NsDotnet *self = builder->dotnet;
  GArray **arrays[] = { &self->events,    &self->requests,  &self->spans,   &self->connections,
                        &self->stretches, &self->processes, &self->threads, &self->nodes,
                        &self->ids,       &self->loose };
  NsMap **maps[] = { &self->process_of,    &self->thread_of,    &self->guid_of,
                     &self->id_of,         &self->node_of,      &self->open_spans,
                     &self->connection_of, &self->framework_of, &self->span_of_socket };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_clear_pointer (arrays[i], g_array_unref);
  for (i = 0; i < G_N_ELEMENTS (maps); i++)
    g_clear_pointer (maps[i], ns_map_free);
  g_clear_pointer (&self->join, ns_dotnet_join_free);
  if (self->owns_moves)
    g_clear_pointer (&builder->trace->moves, ns_moves_free);
  g_clear_pointer (&builder->dotnet, g_free);
}

static void
request_clear (gpointer data)
{
  g_clear_pointer (&((NsDotnetRequest *) data)->redirects, g_array_unref);
}

static void
make_room (NsDotnet *self)
{
  self->requests = g_array_new (FALSE, FALSE, sizeof (NsDotnetRequest));
  g_array_set_clear_func (self->requests, request_clear);
  self->spans = g_array_new (FALSE, FALSE, sizeof (NsDotnetSpan));
  self->connections = g_array_new (FALSE, FALSE, sizeof (NsDotnetConnection));
  self->stretches = g_array_new (FALSE, FALSE, sizeof (NsDotnetStretch));
  self->processes = g_array_new (FALSE, FALSE, sizeof (NsDotnetProcess));
  self->threads = g_array_new (FALSE, FALSE, sizeof (NsDotnetThread));
  self->nodes = g_array_new (FALSE, FALSE, sizeof (NsDotnetNode));
  self->ids = g_array_new (FALSE, FALSE, sizeof (NsDotnetId));
  self->loose = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->process_of = ns_map_new ();
  self->thread_of = ns_map_new ();
  self->guid_of = ns_map_new ();
  self->id_of = ns_map_new ();
  self->node_of = ns_map_new ();
  self->open_spans = ns_map_new ();
  self->connection_of = ns_map_new ();
  self->framework_of = ns_map_new ();
  self->span_of_socket = ns_map_new ();
}

static void
add_event (NsDotnet *self, NsBuilder *builder, const NsDotnetEvent *event)
{
  guint32 process = ns_dotnet_get_process (self, builder, event);

  if (event->kind >= NS_DOTNET_GET_RESPONSE_START)
    ns_dotnet_add_framework_event (self, builder, process, event);
  else if (event->kind >= NS_DOTNET_RESOLUTION_START)
    ns_dotnet_add_span_event (self, builder, process, event);
  else
    ns_dotnet_add_request_event (self, builder, process, event);
}

/**
 * ns_activities_add_dotnet:
 * @builder: the builder
 *
 * Adds a row for each .NET request.
 */
void
ns_activities_add_dotnet (NsBuilder *builder)
{
  NsDotnet *self = builder->dotnet;
  guint i;

  if (self->events->len == 0)
    return;
  make_room (self);
  for (i = 0; i < self->events->len; i++)
    add_event (self, builder, &g_array_index (self->events, NsDotnetEvent, i));
  ns_dotnet_end_requests (self, builder->trace->end_ns);
  self->join = ns_dotnet_join_new (self, builder);
  ns_dotnet_join_connections (self->join);
  ns_dotnet_write_rows (self, builder);
}

/**
 * ns_dotnet_describe_socket: (skip)
 * @builder: the builder
 * @winsock: a socket that no request has taken
 * @phases: (inout): gets the look-up, connect and handshake that .NET reports
 * @dns: (out): the look-up, or 0
 *
 * Works without the event source of requests, from those of sockets, names and handshakes.
 *
 * Returns: whether anything is known
 */
gboolean
ns_dotnet_describe_socket (NsBuilder *builder, NsRow winsock, NsPhases *phases, NsRow *dns)
{
  static const NsPhase kinds[] = { NS_PHASE_DNS, NS_PHASE_CONNECT, NS_PHASE_TLS };
  const NsDotnet *self = builder->dotnet;
  guint32 number = self->join != NULL ? ns_map_get (self->span_of_socket, winsock, 0) : 0;
  guint32 all[3];
  guint i;

  *dns = 0;
  if (number == 0)
    return FALSE;
  all[0] = ns_dotnet_span (self, number)->before;
  all[1] = number;
  all[2] = ns_dotnet_span (self, number)->after;
  if (all[0] != 0)
    *dns = ns_dotnet_join_names (self->join, ns_dotnet_span (self, all[0]), NULL);
  for (i = 0; i < G_N_ELEMENTS (all); i++)
    if (all[i] != 0 && !ns_dotnet_span (self, all[i])->is_server)
      {
        const NsDotnetSpan *span = ns_dotnet_span (self, all[i]);

        ns_phases_add (phases,
                       kinds[i],
                       span->begin_ns,
                       ns_dotnet_span_end (self, span, builder->trace->end_ns));
      }
  return TRUE;
}

static const NsProviderOps dotnet_ops[] = {
  { NS_GUID_DOTNET_HTTP,
    .learn = dotnet_scan,
    .correlate = dotnet_event,
    .has_stack = ns_stack_match_any },
  { NS_GUID_DOTNET_SOCKETS, .correlate = dotnet_event },
  { NS_GUID_DOTNET_NAMES, .correlate = dotnet_event },
  { NS_GUID_DOTNET_SECURITY, .correlate = dotnet_event },
  { NS_GUID_DOTNET_FRAMEWORK, .correlate = dotnet_event, .has_stack = ns_stack_match_any },
};

static void
clear_dotnet (gpointer data)
{
  g_clear_pointer (&((NsDotnetRow *) data)->redirects, g_array_unref);
}

static const NsPartTable tables[] = {
  NS_PART_TABLE (dotnet, NsDotnetRow, clear_dotnet),
};

const NsPart ns_dotnet_part = {
  .name = "dotnet",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = dotnet_start,
  .learned = dotnet_scanned,
  .stop = dotnet_stop,
  .ops = dotnet_ops,
  .n_ops = G_N_ELEMENTS (dotnet_ops),
};
