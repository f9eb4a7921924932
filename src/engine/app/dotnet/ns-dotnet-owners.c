/* Finds the request that a .NET event belongs to: by activity ID, else by process, thread and time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/dotnet/ns-dotnet-private.h"

/* Maximum time between consecutive events of one request on a thread. */
#define THREAD_WINDOW_NS (NS_PER_SECOND / 1000)

/* First words of keys of the path tree: of a process's root, and of an ID that is not a path. */
#define ROOT_OF_PROCESS (G_GUINT64_CONSTANT (1) << 32)
#define OPAQUE_OF_PROCESS (G_GUINT64_CONSTANT (1) << 33)

NsDotnetNode *
ns_dotnet_node (const NsDotnet *self, guint32 n)
{
  return NS_DOTNET_GET (self->nodes, NsDotnetNode, n);
}

/* Returns the number of the process instance, as process IDs are reused. */
guint32
ns_dotnet_get_process (NsDotnet *self, NsBuilder *builder, const NsDotnetEvent *event)
{
  NsRow row = ns_trace_find_process (builder->trace, event->pid, event->time_ns);
  guint32 process = ns_map_get (self->process_of, event->pid, row);
  NsDotnetProcess made = { .pid = event->pid, .row = row };

  if (process != 0)
    return process;
  g_array_append_val (self->processes, made);
  ns_map_set (self->process_of, event->pid, row, self->processes->len);
  return self->processes->len;
}

/* Returns the thread, until a new one is added. */
NsDotnetThread *
ns_dotnet_get_thread (NsDotnet *self, guint32 process, guint32 tid)
{
  guint32 thread = ns_map_get (self->thread_of, process, tid);
  NsDotnetThread made = { .http_ns = NS_TIME_NONE };

  if (thread == 0)
    {
      g_array_append_val (self->threads, made);
      thread = self->threads->len;
      ns_map_set (self->thread_of, process, tid, thread);
    }
  return NS_DOTNET_GET (self->threads, NsDotnetThread, thread);
}

static guint32
get_node (NsDotnet *self, guint64 above, guint64 number, guint32 parent)
{
  guint32 node = ns_map_get (self->node_of, above, number);
  NsDotnetNode made = { .parent = parent };

  if (node != 0)
    return node;
  g_array_append_val (self->nodes, made);
  ns_map_set (self->node_of, above, number, self->nodes->len);
  return self->nodes->len;
}

static guint32
get_path_node (NsDotnet *self, guint32 process, const NsDotnetPath *path)
{
  guint64 above = ROOT_OF_PROCESS | process;
  guint32 node = 0;
  guint i;

  for (i = 0; i < path->n; i++)
    {
      node = get_node (self, above, path->numbers[i], node);
      above = node;
    }
  return node;
}

/* Returns the number of an activity ID in its process; 0: the ID is empty. */
guint32
ns_dotnet_get_id (NsDotnet *self, guint32 process, const NsDotnetEvent *event)
{
  NsDotnetId made = { .node = 0 };
  guint32 guid;
  guint32 id;
  guint64 words[2];

  if (ns_guid_is_zero (&event->activity))
    return 0;
  memcpy (words, event->activity.bytes, sizeof words);
  guid = ns_map_get (self->guid_of, words[0], words[1]);
  if (guid == 0)
    {
      guid = ns_map_get_size (self->guid_of) + 1;
      ns_map_set (self->guid_of, words[0], words[1], guid);
    }
  id = ns_map_get (self->id_of, process, guid);
  if (id != 0)
    return id;
  switch (ns_dotnet_path_decode (&made.path, &event->activity, event->pid))
    {
    case NS_DOTNET_ID_PATH:
      made.node = get_path_node (self, process, &made.path);
      break;
    case NS_DOTNET_ID_OPAQUE:
      made.node = get_node (self, OPAQUE_OF_PROCESS | process, guid, 0);
      break;
    case NS_DOTNET_ID_NONE:
    case NS_DOTNET_ID_TASK:
    default:
      break;
    }
  g_array_append_val (self->ids, made);
  ns_map_set (self->id_of, process, guid, self->ids->len);
  return self->ids->len;
}

/* Returns the parent of an ID's node; 0: none. */
guint32
ns_dotnet_parent (const NsDotnet *self, guint32 id)
{
  guint32 node = id != 0 ? ns_dotnet_id (self, id)->node : 0;

  return node != 0 ? ns_dotnet_node (self, node)->parent : 0;
}

/* Adds to a request's evidence, and lowers its confidence accordingly. */
void
ns_dotnet_note_evidence (NsDotnetRequest *request, guint16 evidence)
{
  gint8 confidence;

  request->row.evidence |= evidence;
  if (evidence & (NS_DOTNET_BY_PATH | NS_DOTNET_BY_CONNECT))
    confidence = NS_CONFIDENCE_CERTAIN;
  else if (evidence & NS_DOTNET_BY_REMOTE)
    confidence = NS_CONFIDENCE_LIKELY;
  else
    confidence = NS_CONFIDENCE_INFERRED;
  request->row.confidence =
      request->row.confidence < 0 ? confidence : MIN (request->row.confidence, confidence);
}

/* Finds the owner of an event without an activity ID: the only open request, else the one with
 * the previous event on the thread. */
static guint32
find_without_id (NsDotnet *self, guint32 process, const NsDotnetEvent *event, guint16 *evidence)
{
  const NsDotnetProcess *one = NS_DOTNET_GET (self->processes, NsDotnetProcess, process);
  const NsDotnetThread *thread;

  if (one->n_open == 1)
    {
      *evidence = NS_DOTNET_BY_ONLY_OPEN;
      return (guint32) one->sum_open;
    }
  thread = ns_dotnet_get_thread (self, process, event->tid);
  if (thread->http_owner == 0 || event->time_ns - thread->http_ns > THREAD_WINDOW_NS ||
      !ns_dotnet_request (self, thread->http_owner)->is_open)
    return 0;
  *evidence = NS_DOTNET_BY_THREAD;
  return thread->http_owner;
}

/* Returns the request of an event, which may have ended; 0: none. @evidence: (out): how it was
 * found; 0 if an activity path shows that there is none. */
guint32
ns_dotnet_find_owner (NsDotnet *self,
                      guint32 process,
                      guint32 id,
                      const NsDotnetEvent *event,
                      guint16 *evidence)
{
  guint32 node = id != 0 ? ns_dotnet_id (self, id)->node : 0;

  *evidence = 0;
  for (; node != 0; node = ns_dotnet_node (self, node)->parent)
    {
      const NsDotnetNode *at = ns_dotnet_node (self, node);

      if (at->is_dead)
        break;
      if (at->request != 0)
        {
          *evidence = NS_DOTNET_BY_PATH;
          return at->request;
        }
      if (at->parent == 0 && ns_dotnet_id (self, id)->path.kind == NS_DOTNET_ID_PATH)
        return 0;
    }
  return find_without_id (self, process, event, evidence);
}
