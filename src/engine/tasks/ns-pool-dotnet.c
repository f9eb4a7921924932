/* Tasks, awaits and the thread pool of .NET.
 *
 * Layouts are those of TplEventSource, FrameworkEventSource and the runtime's own provider. Many
 * end events are missing in practice: a thread that takes the next item, or whose event gives its
 * current task, has ended its previous one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/stacks/ns-stack-match.h"
#include "engine/tasks/ns-dotnet-event.h"
#include "engine/tasks/ns-pool-dotnet-private.h"

#include <string.h>

enum
{
  TASK_SCHEDULED = 7,
  TASK_STARTED = 8,
  TASK_COMPLETED = 9,
  WAIT_BEGIN = 10,
  WAIT_END = 11,
  CONTINUATION_SCHEDULED = 12,
  CONTINUATION_COMPLETE = 13,
  OPERATION_BEGIN = 14,
  OPERATION_END = 15,
  CONTINUATION_STARTED = 19,
};

/* Behavior of a wait: await. */
#define BEHAVIOR_ASYNCHRONOUS 2
/* Status of an operation. */
#define OPERATION_CANCELLED 2
/* Maximum time from the start of a task to a scheduling event that is logged late. */
#define INVERSION_NS (NS_PER_SECOND / 1000)
NsDotnetPool *
ns_dotnet_pool_new (void)
{
  NsDotnetPool *self = g_new0 (NsDotnetPool, 1);

  self->workers = g_array_new (FALSE, FALSE, sizeof (NsDotnetWorker));
  self->worker_of = ns_map_new ();
  self->blocked = ns_map_new ();
  self->labels = ns_map_new ();
  self->running = ns_map_new ();
  self->aliases = ns_map_new ();
  self->unmatched = ns_map_new ();
  return self;
}

void
ns_dotnet_pool_free (NsDotnetPool *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->workers);
  ns_map_free (self->worker_of);
  ns_map_free (self->blocked);
  ns_map_free (self->labels);
  ns_map_free (self->running);
  ns_map_free (self->aliases);
  ns_map_free (self->unmatched);
  g_free (self);
}

/* Returns the number of the process instance, since process IDs are reused. */
guint32
ns_pool_dotnet_get_space (NsBuilder *builder, const NsRecord *record, guint space)
{
  NsRow process = ns_trace_find_process (builder->trace, record->pid, record->time_ns);

  return ns_tasks_space (builder->tasks,
                         NS_TASK_DOTNET_TASK,
                         record->pid,
                         (guint64) process * NS_DOTNET_N_SPACES +
                             MIN (space, NS_DOTNET_N_SPACES - 1));
}

/* Returns the thread, valid until the next thread is added. %NULL: no thread. */
NsDotnetWorker *
ns_pool_dotnet_get_worker (NsBuilder *builder, const NsRecord *record)
{
  NsDotnetPool *self = builder->tasks->dotnet;
  guint32 thread = ns_tasks_get_thread (builder, record->tid, record->pid, record->time_ns);
  guint32 worker = thread != 0 ? ns_map_get (self->worker_of, thread, 0) : 0;
  NsDotnetWorker made = { .dequeued_ns = NS_TIME_NONE,
                          .enqueued_ns = NS_TIME_NONE,
                          .started_ns = NS_TIME_NONE };

  if (thread == 0)
    return NULL;
  if (worker == 0)
    {
      g_array_append_val (self->workers, made);
      worker = self->workers->len;
      ns_map_set (self->worker_of, thread, 0, worker);
    }
  return &g_array_index (self->workers, NsDotnetWorker, worker - 1);
}

static void
note_evidence (NsBuilder *builder, NsRow task, NsTaskEvidence evidence)
{
  GByteArray *all = builder->tasks->runs->evidence;
  guint before = all->len;

  if (before < task)
    {
      g_byte_array_set_size (all, task);
      memset (all->data + before, 0, task - before);
    }
  all->data[task - 1] = (guint8) evidence;
}

NsRow
ns_pool_dotnet_get_head (NsBuilder *builder, guint32 space, guint64 key)
{
  guint32 slot = ns_map_get (builder->tasks->keys, space, key);

  return slot != 0 ? ns_tasks_get_slot (builder->tasks, slot)->head : 0;
}

void
ns_pool_dotnet_stop_waiting (NsBuilder *builder, NsRow task)
{
  NsTaskInfo *info = ns_tasks_info (builder->tasks, task);

  if (info->slot != 0)
    ns_tasks_slot_remove (builder->tasks, info->slot, task);
  info->slot = 0;
}

static const NsDotnetWay task_way = { NS_TASK_DOTNET_TASK,
                                      "Task",
                                      NS_TASK_BY_TPL_TASK,
                                      NS_DOTNET_SPACE_TASK,
                                      FALSE };
static const NsDotnetWay await_way = { NS_TASK_DOTNET_TASK,
                                       "Await",
                                       NS_TASK_BY_TPL_AWAIT,
                                       NS_DOTNET_SPACE_AWAIT,
                                       TRUE };
static const NsDotnetWay continuation_way = { NS_TASK_DOTNET_TASK,
                                              "Continuation",
                                              NS_TASK_BY_TPL_CONTINUATION,
                                              NS_DOTNET_SPACE_CONTINUATION,
                                              FALSE };
/* Adds a queued task, or requeues the one that waits under the same key. */
NsRow
ns_pool_dotnet_submit (NsBuilder *builder,
                       const NsRecord *record,
                       const NsDotnetWay *way,
                       guint64 key)
{
  NsTasks *self = builder->tasks;
  guint32 space = ns_pool_dotnet_get_space (builder, record, way->space);
  guint32 slot = ns_tasks_slot (self, space, key);
  NsRow waiting = way->is_queue ? 0 : ns_tasks_get_slot (self, slot)->head;
  NsStackId stack = ns_stack_match_find (builder, record);
  NsRow task = waiting;
  NsTaskRow *row;

  if (waiting != 0 && ns_tasks_info (self, waiting)->n_runs == 0)
    {
      row = ns_tasks_row (builder, waiting);
      row->create_ns = record->time_ns;
      row->tid_create = NS_PID_UNKNOWN;
      row->stack = 0;
    }
  else
    {
      if (waiting != 0)
        ns_pool_dotnet_stop_waiting (builder, waiting);
      task = ns_tasks_add (builder, way->kind, way->subtype, record->pid, key, record->time_ns);
      ns_tasks_info (self, task)->key = key;
      ns_tasks_slot_append (self, slot, task);
      note_evidence (builder, task, way->evidence);
    }
  ns_tasks_submit_here (builder, task, record, stack);
  return task;
}

static gboolean
is_dotnet (const NsTaskRow *row)
{
  return row->kind == NS_TASK_DOTNET_TASK || row->kind == NS_TASK_DOTNET_POOL;
}

NsTaskEvidence
ns_pool_dotnet_get_evidence (NsBuilder *builder, NsRow task)
{
  const GByteArray *all = builder->tasks->runs->evidence;

  return task <= all->len ? (NsTaskEvidence) all->data[task - 1] : NS_TASK_BY_NOTHING;
}

/* Ends @item and the .NET runs nested in it; all .NET runs of the thread if @item is not open. */
static void
end_item (NsBuilder *builder, guint32 thread, NsRunId item, gint64 time_ns)
{
  NsTasks *self = builder->tasks;
  NsRunId run = ns_tasks_thread (self, thread)->top;

  if (item != 0 && ns_runs_get (self->runs, item)->stop_ns != NS_TIME_OPEN)
    item = 0;
  while (run != 0)
    {
      NsRunId under = ns_runs_get (self->runs, run)->under;

      if (is_dotnet (ns_tasks_row (builder, ns_runs_get (self->runs, run)->task)))
        ns_tasks_end_implicitly (builder, run, time_ns);
      if (run == item)
        return;
      run = under;
    }
}

/* Ends the item of a thread that returns to its pool. */
void
ns_pool_dotnet_leave_item (NsBuilder *builder, const NsRecord *record)
{
  NsDotnetWorker *worker = ns_pool_dotnet_get_worker (builder, record);
  NsRunId item;

  if (worker == NULL)
    return;
  item = worker->item;
  worker->item = 0;
  worker->dequeued_ns = NS_TIME_NONE;
  end_item (builder, ns_map_get (builder->tasks->live, record->tid, 0), item, record->time_ns);
}

/* Ends the tasks nested in the current task that the event gives for the thread. */
static void
settle_in (NsBuilder *builder, const NsRecord *record, guint32 originating)
{
  NsTasks *self = builder->tasks;
  guint32 thread = ns_tasks_get_thread (builder, record->tid, record->pid, record->time_ns);
  NsRunId top;

  while (thread != 0 && (top = ns_tasks_thread (self, thread)->top) != 0)
    {
      NsRow task = ns_runs_get (self->runs, top)->task;

      if (ns_pool_dotnet_get_evidence (builder, task) != NS_TASK_BY_TPL_TASK ||
          (originating != 0 && ns_tasks_info (self, task)->key == originating))
        return;
      ns_tasks_end_implicitly (builder, top, record->time_ns);
    }
}

/* Begins the oldest task waiting under the key; 0: there is none. */
NsRunId
ns_pool_dotnet_begin (NsBuilder *builder,
                      const NsRecord *record,
                      const NsDotnetWay *way,
                      guint64 key,
                      gboolean stays)
{
  NsRow task = ns_pool_dotnet_get_head (builder,
                                        ns_pool_dotnet_get_space (builder, record, way->space),
                                        key);

  if (task == 0)
    return 0;
  if (!stays)
    ns_pool_dotnet_stop_waiting (builder, task);
  return ns_tasks_begin_nested (builder, task, record);
}

void
ns_pool_dotnet_begin_item (NsBuilder *builder, const NsRecord *record, NsRunId run)
{
  NsDotnetWorker *worker = ns_pool_dotnet_get_worker (builder, record);

  if (worker == NULL || run == 0)
    return;
  /* A task begun inside a work item ends with it. */
  if (worker->item != 0 &&
      ns_runs_get (builder->tasks->runs, worker->item)->stop_ns == NS_TIME_OPEN)
    return;
  worker->item = run;
  worker->dequeued_ns = record->time_ns;
}

static guint64
label_key (guint32 space, guint32 id)
{
  return (guint64) space << 32 | id;
}

static void
set_label (NsBuilder *builder, const NsRecord *record, NsRow task, guint32 id)
{
  NsDotnetPool *self = builder->tasks->dotnet;
  guint32 label = ns_map_get (self->labels,
                              ns_pool_dotnet_get_space (builder, record, NS_DOTNET_SPACE_TASK),
                              id);

  if (label != 0)
    ns_tasks_row (builder, task)->label = label;
}

/* Handles a start logged shortly before its scheduling, by the clocks of two processors. */
static void
begin_inverted (NsBuilder *builder, const NsRecord *record, NsRow task, guint32 id)
{
  NsTasks *self = builder->tasks;
  NsDotnetPool *pool = self->dotnet;
  guint64 key = label_key (ns_pool_dotnet_get_space (builder, record, NS_DOTNET_SPACE_TASK), id);
  guint32 tid = ns_map_take (pool->unmatched, key, 0);
  guint32 thread = tid != 0 ? ns_map_get (self->live, tid, 0) : 0;
  guint32 number = thread != 0 ? ns_map_get (pool->worker_of, thread, 0) : 0;
  NsDotnetWorker *worker =
      number != 0 ? &g_array_index (pool->workers, NsDotnetWorker, number - 1) : NULL;
  NsRecord started = *record;

  if (worker == NULL || worker->started_id != id || !ns_time_is_set (worker->started_ns) ||
      record->time_ns - worker->started_ns > INVERSION_NS || tid == record->tid ||
      ns_tasks_thread (self, thread)->last_start_ns > worker->started_ns)
    return;
  started.tid = tid;
  started.time_ns = worker->started_ns;
  worker->started_ns = NS_TIME_NONE;
  ns_pool_dotnet_stop_waiting (builder, task);
  ns_tasks_begin_nested (builder, task, &started);
  ns_map_set (pool->running, key, 0, task);
}

static void
scheduled (NsBuilder *builder, const NsRecord *record, guint32 id)
{
  NsRow task = ns_pool_dotnet_submit (builder, record, &task_way, id);

  set_label (builder, record, task, id);
  begin_inverted (builder, record, task, id);
}

static void
started (NsBuilder *builder, const NsRecord *record, guint32 id)
{
  NsDotnetPool *self = builder->tasks->dotnet;
  guint32 space = ns_pool_dotnet_get_space (builder, record, NS_DOTNET_SPACE_TASK);
  NsRow task = ns_pool_dotnet_get_head (builder, space, id);
  NsDotnetWorker *worker;

  if (task != 0)
    {
      ns_pool_dotnet_begin (builder, record, &task_way, id, FALSE);
      ns_map_set (self->running, label_key (space, id), 0, task);
      return;
    }
  worker = ns_pool_dotnet_get_worker (builder, record);
  if (worker == NULL)
    return;
  worker->started_id = id;
  worker->started_ns = record->time_ns;
  ns_map_set (self->unmatched, label_key (space, id), 0, record->tid);
}

static void
completed (NsBuilder *builder, const NsRecord *record, guint32 id, gboolean is_exceptional)
{
  NsTasks *self = builder->tasks;
  guint64 key = label_key (ns_pool_dotnet_get_space (builder, record, NS_DOTNET_SPACE_TASK), id);
  NsRow task = ns_map_take (self->dotnet->running, key, 0);

  ns_map_take (self->dotnet->unmatched, key, 0);
  if (task == 0)
    return;
  if (ns_tasks_info (self, task)->first_open != 0)
    ns_tasks_end (builder, ns_tasks_info (self, task)->first_open, record->time_ns);
  ns_tasks_finish_task (builder,
                        task,
                        is_exceptional ? NS_TASK_STATE_FAULTED : NS_TASK_STATE_FINISHED,
                        record->time_ns);
}

static guint64
blocked_key (const NsRecord *record)
{
  return (guint64) record->pid << 32 | record->tid;
}

static void
wait_begun (NsBuilder *builder, const NsRecord *record, guint32 id, guint32 behavior)
{
  NsMap *blocked = builder->tasks->dotnet->blocked;

  if (behavior == BEHAVIOR_ASYNCHRONOUS)
    set_label (builder, record, ns_pool_dotnet_submit (builder, record, &await_way, id), id);
  else
    ns_map_set (blocked,
                blocked_key (record),
                id,
                ns_map_get (blocked, blocked_key (record), id) + 1);
}

/* Ends a blocking wait; this has no effect on awaits. */
static void
wait_ended (NsBuilder *builder, const NsRecord *record, guint32 id)
{
  NsMap *blocked = builder->tasks->dotnet->blocked;
  guint32 n_blocked = ns_map_get (blocked, blocked_key (record), id);

  if (n_blocked > 1)
    ns_map_set (blocked, blocked_key (record), id, n_blocked - 1);
  else if (n_blocked == 1)
    ns_map_take (blocked, blocked_key (record), id);
  else
    ns_pool_dotnet_begin (builder, record, &await_way, id, FALSE);
}

/* Ends an await, by its task, or a continuation, by its own ID. */
static void
continuation_completed (NsBuilder *builder, const NsRecord *record, guint32 id)
{
  NsTasks *self = builder->tasks;
  guint32 thread = ns_map_get (self->live, record->tid, 0);
  NsRunId run = thread != 0 ? ns_tasks_thread (self, thread)->top : 0;
  guint n_steps = 0;

  for (; run != 0 && n_steps++ < NS_TASKS_MAX_STEPS; run = ns_runs_get (self->runs, run)->under)
    {
      NsRow task = ns_runs_get (self->runs, run)->task;
      NsTaskEvidence evidence = ns_pool_dotnet_get_evidence (builder, task);

      if ((evidence != NS_TASK_BY_TPL_AWAIT && evidence != NS_TASK_BY_TPL_CONTINUATION) ||
          ns_tasks_info (self, task)->key != id)
        continue;
      ns_tasks_end (builder, run, record->time_ns);
      return;
    }
}

static void
operation_begun (NsBuilder *builder, const NsRecord *record, guint32 id, NsCursor *cursor)
{
  NsTasks *self = builder->tasks;
  guint32 space = ns_pool_dotnet_get_space (builder, record, NS_DOTNET_SPACE_TASK);
  NsRow task = ns_pool_dotnet_get_head (builder, space, id);
  const guint8 *text;
  NsString label;
  gsize n_bytes;

  text = ns_cursor_wstr (cursor, &n_bytes);
  if (!ns_cursor_ok (cursor) || n_bytes == 0)
    return;
  label = ns_strings_add_utf16 (builder->trace->strings, text, n_bytes);
  ns_map_set (self->dotnet->labels, space, id, label);
  if (task == 0)
    task = ns_map_get (self->dotnet->running, label_key (space, id), 0);
  if (task != 0)
    ns_tasks_row (builder, task)->label = label;
}

static void
operation_ended (NsBuilder *builder, const NsRecord *record, guint32 id, guint32 status)
{
  NsRow task =
      ns_pool_dotnet_get_head (builder,
                               ns_pool_dotnet_get_space (builder, record, NS_DOTNET_SPACE_TASK),
                               id);

  if (status != OPERATION_CANCELLED || task == 0)
    return;
  ns_pool_dotnet_stop_waiting (builder, task);
  ns_tasks_finish_task (builder, task, NS_TASK_STATE_CANCELED, record->time_ns);
}

/* Returns the event ID of the manifest: trimmed programs number events in order of use. */
guint
ns_pool_dotnet_get_id (const NsRecord *record)
{
  static const struct
  {
    guint8 id;
    const char *name;
  } names[] = {
    { TASK_SCHEDULED, "TaskScheduled" },
    { TASK_STARTED, "TaskStarted" },
    { TASK_COMPLETED, "TaskCompleted" },
    { WAIT_BEGIN, "TaskWaitBegin" },
    { WAIT_END, "TaskWaitEnd" },
    { CONTINUATION_SCHEDULED, "AwaitTaskContinuationScheduled" },
    { CONTINUATION_COMPLETE, "TaskWaitContinuationComplete" },
    { OPERATION_BEGIN, "TraceOperationBegin" },
    { OPERATION_END, "TraceOperationEnd" },
    { CONTINUATION_STARTED, "TaskWaitContinuationStarted" },
    { NS_DOTNET_ENQUEUE_WORK, "ThreadPoolEnqueueWork" },
    { NS_DOTNET_DEQUEUE_WORK, "ThreadPoolDequeueWork" },
    { NS_DOTNET_TRANSFER_SEND, "ThreadTransferSend" },
    { NS_DOTNET_TRANSFER_RECEIVE, "ThreadTransferReceive" },
    { NS_DOTNET_TRANSFER_HANDLED, "ThreadTransferReceiveHandled" },
  };
  const char *name = ns_dotnet_event_name (record);
  guint i;

  if (name == NULL)
    return record->id;
  for (i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i].name, name) == 0)
      return names[i].id;
  return 0;
}

void
ns_pool_dotnet_skip (NsBuilder *builder)
{
  builder->tasks->runs->n_skipped++;
}

/* Handles a TplEventSource event. */
void
ns_pool_dotnet_tasks_event (NsBuilder *builder, const NsRecord *record)
{
  guint id = (record->flags & NS_RECORD_MANIFEST) != 0 ? ns_pool_dotnet_get_id (record) : 0;
  guint32 originating = 0;
  guint32 task;
  guint32 rest = 0;
  NsCursor cursor;

  if (id < TASK_SCHEDULED || (id > OPERATION_END && id != CONTINUATION_STARTED))
    return;
  ns_record_cursor (record, &cursor);
  if (id <= CONTINUATION_SCHEDULED)
    {
      ns_cursor_u32 (&cursor);
      originating = ns_cursor_u32 (&cursor);
    }
  task = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor))
    {
      ns_pool_dotnet_skip (builder);
      return;
    }
  if ((id == TASK_COMPLETED || id == WAIT_BEGIN) && ns_cursor_left (&cursor) >= 4)
    rest = ns_cursor_u32 (&cursor);
  if (id == TASK_SCHEDULED || id == TASK_STARTED || id == WAIT_BEGIN)
    settle_in (builder, record, originating);
  switch (id)
    {
    case TASK_SCHEDULED:
      scheduled (builder, record, task);
      break;
    case TASK_STARTED:
      started (builder, record, task);
      break;
    case TASK_COMPLETED:
      completed (builder, record, task, rest != 0);
      break;
    case WAIT_BEGIN:
      wait_begun (builder, record, task, rest);
      break;
    case WAIT_END:
      wait_ended (builder, record, task);
      break;
    case CONTINUATION_SCHEDULED:
      ns_pool_dotnet_submit (builder, record, &continuation_way, task);
      break;
    case CONTINUATION_STARTED:
      ns_pool_dotnet_begin (builder, record, &continuation_way, task, FALSE);
      break;
    case CONTINUATION_COMPLETE:
      continuation_completed (builder, record, task);
      break;
    case OPERATION_BEGIN:
      operation_begun (builder, record, task, &cursor);
      break;
    case OPERATION_END:
      if (ns_cursor_left (&cursor) >= 4)
        operation_ended (builder, record, task, ns_cursor_u32 (&cursor));
      break;
    default:
      break;
    }
}
