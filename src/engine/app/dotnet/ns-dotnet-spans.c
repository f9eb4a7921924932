/* Name look-ups, connects and handshakes of .NET: spans with a begin and an end.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/dotnet/ns-dotnet-private.h"

/* Maximum time from a connect to a handshake without an ID on its thread. */
#define NEXT_STEP_NS (NS_PER_SECOND / 1000)

typedef enum
{
  BEGINS,
  ENDS,
  FAILS,
} Step;

static Step
step_of (NsDotnetKind kind, NsDotnetSpanKind *span)
{
  guint n = (guint) kind - NS_DOTNET_RESOLUTION_START;

  *span = (NsDotnetSpanKind) (n / 3);
  return (Step) (n % 3);
}

static guint64
key_of (guint32 id, NsDotnetSpanKind kind)
{
  return (guint64) kind << 32 | id;
}

/* Finds the previous step: by the same parent path, else just before on the same thread. */
static guint32
find_before (NsDotnet *self, const NsDotnetSpan *span, NsDotnetThread *thread)
{
  guint32 parent = ns_dotnet_parent (self, span->id);
  guint32 before;

  if (span->kind == NS_DOTNET_SPAN_NAMES)
    return 0;
  if (parent != 0)
    return span->kind == NS_DOTNET_SPAN_HANDSHAKE ? ns_dotnet_node (self, parent)->connect
                                                  : ns_dotnet_node (self, parent)->names;
  before = thread->ended[span->kind - 1];
  if (before == 0 || span->begin_ns - ns_dotnet_span (self, before)->end_ns > NEXT_STEP_NS)
    return 0;
  return before;
}

static void
add_to_owner (NsDotnet *self, guint32 number)
{
  NsDotnetSpan *span = ns_dotnet_span (self, number);
  NsDotnetRequest *owner;

  if (span->owner == 0)
    {
      g_array_append_val (self->loose, number);
      return;
    }
  owner = ns_dotnet_request (self, span->owner);
  if (owner->last_span != 0)
    ns_dotnet_span (self, owner->last_span)->next = number;
  else
    owner->first_span = number;
  owner->last_span = number;
}

static void
begin (NsDotnet *self,
       NsBuilder *builder,
       guint32 process,
       NsDotnetSpanKind kind,
       const NsDotnetEvent *event)
{
  NsDotnetProcess *one = NS_DOTNET_GET (self->processes, NsDotnetProcess, process);
  guint32 id = ns_dotnet_get_id (self, process, event);
  NsDotnetThread *thread = ns_dotnet_get_thread (self, process, event->tid);
  NsDotnetSpan span = { .kind = kind,
                        .begin_ns = event->time_ns,
                        .end_ns = NS_TIME_OPEN,
                        .fail_ns = NS_TIME_NONE,
                        .next_socket_ns = NS_TIME_OPEN,
                        .process = process,
                        .pid = event->pid,
                        .tid = event->tid,
                        .id = id,
                        .is_server = event->is_server,
                        .error = NS_DOTNET_NO_NUMBER,
                        .text = event->text };
  guint16 evidence = 0;
  guint32 number;

  if (!event->is_server)
    span.owner = ns_dotnet_find_owner (self, process, id, event, &evidence);
  if (span.owner != 0 && ns_dotnet_request (self, span.owner)->is_open)
    ns_dotnet_note_evidence (ns_dotnet_request (self, span.owner), evidence);
  if (kind == NS_DOTNET_SPAN_CONNECT)
    ns_dotnet_read_address (ns_trace_text (builder->trace, event->text), &span.remote);
  span.before = find_before (self, &span, thread);
  span.older_here = thread->span[kind];
  if (id != 0)
    span.older = ns_map_get (self->open_spans, key_of (id, kind), 0);
  g_array_append_val (self->spans, span);
  number = self->spans->len;
  thread->span[kind] = number;
  if (kind == NS_DOTNET_SPAN_CONNECT)
    thread->connect = number;
  if (kind == NS_DOTNET_SPAN_HANDSHAKE && span.before != 0)
    ns_dotnet_span (self, span.before)->after = number;
  if (id != 0)
    ns_map_set (self->open_spans, key_of (id, kind), 0, number);
  one->n_spans[kind]++;
  one->sum_spans[kind] += number;
  add_to_owner (self, number);
}

static gboolean
is_open (const NsDotnet *self, guint32 span)
{
  return ns_dotnet_span (self, span)->end_ns == NS_TIME_OPEN;
}

/* Finds the open span: by its ID; for a completion with another ID, the newest on its thread, or
 * the only one. */
static guint32
find_open (NsDotnet *self, guint32 process, NsDotnetSpanKind kind, const NsDotnetEvent *event)
{
  const NsDotnetProcess *one = NS_DOTNET_GET (self->processes, NsDotnetProcess, process);
  guint32 id = ns_dotnet_get_id (self, process, event);
  guint32 span = id != 0 ? ns_map_get (self->open_spans, key_of (id, kind), 0) : 0;
  NsDotnetThread *thread;

  while (span != 0 && !is_open (self, span))
    span = ns_dotnet_span (self, span)->older;
  if (span != 0)
    return span;
  thread = ns_dotnet_get_thread (self, process, event->tid);
  while (thread->span[kind] != 0 && !is_open (self, thread->span[kind]))
    thread->span[kind] = ns_dotnet_span (self, thread->span[kind])->older_here;
  if (thread->span[kind] != 0)
    return thread->span[kind];
  return one->n_spans[kind] == 1 ? (guint32) one->sum_spans[kind] : 0;
}

static void
end (NsDotnet *self, guint32 process, guint32 number, const NsDotnetEvent *event)
{
  NsDotnetSpan *span = ns_dotnet_span (self, number);
  NsDotnetProcess *one = NS_DOTNET_GET (self->processes, NsDotnetProcess, process);
  NsDotnetThread *thread = ns_dotnet_get_thread (self, process, event->tid);
  guint32 parent = ns_dotnet_parent (self, span->id);

  span->end_ns = event->time_ns;
  if (span->kind == NS_DOTNET_SPAN_HANDSHAKE && event->number != NS_DOTNET_NO_NUMBER)
    span->protocol = event->number;
  one->n_spans[span->kind]--;
  one->sum_spans[span->kind] -= number;
  thread->ended[span->kind] = number;
  if (span->id != 0)
    ns_map_set (self->open_spans, key_of (span->id, span->kind), 0, span->older);
  if (parent != 0 && span->kind == NS_DOTNET_SPAN_CONNECT && !span->failed)
    ns_dotnet_node (self, parent)->connect = number;
  if (parent != 0 && span->kind == NS_DOTNET_SPAN_NAMES)
    ns_dotnet_node (self, parent)->names = number;
}

/* Handles a start, stop or failure of one of the three kinds. */
void
ns_dotnet_add_span_event (NsDotnet *self,
                          NsBuilder *builder,
                          guint32 process,
                          const NsDotnetEvent *event)
{
  NsDotnetSpanKind kind;
  Step step = step_of (event->kind, &kind);
  NsDotnetSpan *span;
  guint32 number;

  /* The thread's next socket event limits the search for its AFD connect. */
  if (kind == NS_DOTNET_SPAN_CONNECT || event->kind == NS_DOTNET_ACCEPT)
    {
      NsDotnetThread *thread = ns_dotnet_get_thread (self, process, event->tid);

      if (thread->connect != 0)
        ns_dotnet_span (self, thread->connect)->next_socket_ns = event->time_ns;
      thread->connect = 0;
    }
  if (event->kind == NS_DOTNET_ACCEPT)
    return;
  if (step == BEGINS)
    {
      begin (self, builder, process, kind, event);
      return;
    }
  number = find_open (self, process, kind, event);
  if (number == 0)
    return;
  if (step == ENDS)
    {
      end (self, process, number, event);
      return;
    }
  span = ns_dotnet_span (self, number);
  span->failed = TRUE;
  span->fail_ns = event->time_ns;
  span->error = event->number;
  span->message = event->text;
}
