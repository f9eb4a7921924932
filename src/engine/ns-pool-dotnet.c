/* Tasks, awaits and the thread pool of .NET.
 *
 * Layouts are those of TplEventSource, FrameworkEventSource and the runtime's own provider. Real
 * recordings lack many ends: a thread that takes the next item, or that says which task it is in,
 * has ended what it was in before.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/dotnet/ns-dotnet-event.h"
#include "engine/ns-tasks-private.h"

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

enum
{
  ENQUEUE_WORK = 30,
  DEQUEUE_WORK = 31,
  TRANSFER_SEND = 150,
  TRANSFER_RECEIVE = 151,
  TRANSFER_HANDLED = 152,
};

enum
{
  CLR_ENQUEUE = 61,
  CLR_DEQUEUE = 62,
  CLR_IO_ENQUEUE = 63,
  CLR_IO_DEQUEUE = 64,
  CLR_IO_PACK = 65,
};

/* Behavior of a wait: an await. */
#define BEHAVIOR_ASYNCHRONOUS 2
/* Status of an operation. */
#define OPERATION_CANCELLED 2
/* Kind of a transfer. */
#define TRANSFER_TIMER 1

/* How much later than its start a task may be told to have been scheduled. */
#define INVERSION_NS (NS_PER_SECOND / 1000)
/* The runtime's events of an item stand so close behind those of the framework. */
#define SAME_ITEM_NS (NS_PER_SECOND / 10000)

/* What a key is of. */
typedef enum
{
  SPACE_TASK,
  SPACE_AWAIT,
  SPACE_CONTINUATION,
  SPACE_WORK,
  SPACE_CLR_WORK,
  SPACE_IO,
  SPACE_TRANSFER, /* and one more for each kind of transfer */
  N_SPACES = 1 << 8,
} Space;

/* A thread of a .NET process. */
typedef struct
{
  NsRunId item;       /* what it took from the pool */
  gint64 dequeued_ns; /* when that was matched */
  gint64
      enqueued_ns; /* its last queuing by the framework; NS_TIME_NONE: the runtime's came since */
  NsRow enqueued;
  guint32 started_id; /* task that it started before anybody told of its scheduling */
  gint64 started_ns;
} Worker;

struct _NsDotnetPool
{
  GArray *workers; /* Worker */
  NsMap *worker_of;
  NsMap *blocked; /* waits that block, by thread and task */
  NsMap *labels;
  NsMap *running;   /* task by its id */
  NsMap *aliases;   /* task by the runtime's number of it */
  NsMap *unmatched; /* thread that started a task unseen, by its id */
};

NsDotnetPool *
ns_dotnet_pool_new (void)
{
  NsDotnetPool *self = g_new0 (NsDotnetPool, 1);

  self->workers = g_array_new (FALSE, FALSE, sizeof (Worker));
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

/* A process instance: its number may be used again. */
static guint32
space_of (NsBuilder *builder, const NsRecord *record, guint space)
{
  NsRow process = ns_trace_find_process (builder->trace, record->pid, record->time_ns);

  return ns_tasks_space (builder->tasks,
                         NS_TASK_DOTNET_TASK,
                         record->pid,
                         (guint64) process * N_SPACES + MIN (space, N_SPACES - 1));
}

/* Valid until the next thread is met. %NULL: no thread. */
static Worker *
worker_of (NsBuilder *builder, const NsRecord *record)
{
  NsDotnetPool *self = builder->tasks->dotnet;
  guint32 thread = ns_tasks_get_thread (builder, record->tid, record->pid, record->time_ns);
  guint32 worker = thread != 0 ? ns_map_get (self->worker_of, thread, 0) : 0;
  Worker made = { .dequeued_ns = NS_TIME_NONE,
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
  return &g_array_index (self->workers, Worker, worker - 1);
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

static NsRow
head_of (NsBuilder *builder, guint32 space, guint64 key)
{
  guint32 slot = ns_map_get (builder->tasks->keys, space, key);

  return slot != 0 ? ns_tasks_get_slot (builder->tasks, slot)->head : 0;
}

static void
stop_waiting (NsBuilder *builder, NsRow task)
{
  NsTaskInfo *info = ns_tasks_info (builder->tasks, task);

  if (info->slot != 0)
    ns_tasks_slot_remove (builder->tasks, info->slot, task);
  info->slot = 0;
}

/* How a kind of work is queued. */
typedef struct
{
  NsTaskKind kind;
  const char *subtype;
  NsTaskEvidence evidence;
  guint space;
  gboolean is_queue; /* several of one key may wait */
} Way;

static const Way task_way = { NS_TASK_DOTNET_TASK, "Task", NS_TASK_BY_TPL_TASK, SPACE_TASK, FALSE };
static const Way await_way = { NS_TASK_DOTNET_TASK,
                               "Await",
                               NS_TASK_BY_TPL_AWAIT,
                               SPACE_AWAIT,
                               TRUE };
static const Way continuation_way = { NS_TASK_DOTNET_TASK,
                                      "Continuation",
                                      NS_TASK_BY_TPL_CONTINUATION,
                                      SPACE_CONTINUATION,
                                      FALSE };
static const Way work_way = { NS_TASK_DOTNET_POOL, "Worker", NS_TASK_BY_FW_POOL, SPACE_WORK, TRUE };
static const Way clr_way = { NS_TASK_DOTNET_POOL,
                             "Worker",
                             NS_TASK_BY_CLR_POOL,
                             SPACE_CLR_WORK,
                             TRUE };
static const Way io_way = { NS_TASK_DOTNET_POOL, "IO", NS_TASK_BY_CLR_IO, SPACE_IO, FALSE };

/* Queued: a new row, unless it replaces what waits under the same key. */
static NsRow
submit (NsBuilder *builder, const NsRecord *record, const Way *way, guint64 key)
{
  NsTasks *self = builder->tasks;
  guint32 space = space_of (builder, record, way->space);
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
        stop_waiting (builder, waiting);
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

static NsTaskEvidence
evidence_of (NsBuilder *builder, NsRow task)
{
  const GByteArray *all = builder->tasks->runs->evidence;

  return task <= all->len ? (NsTaskEvidence) all->data[task - 1] : NS_TASK_BY_NOTHING;
}

/* Ends the runs of .NET above @item; all of them, and @item, when it is open, else all. */
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

/* The thread is back in its pool. */
static void
leave_item (NsBuilder *builder, const NsRecord *record)
{
  Worker *worker = worker_of (builder, record);
  NsRunId item;

  if (worker == NULL)
    return;
  item = worker->item;
  worker->item = 0;
  worker->dequeued_ns = NS_TIME_NONE;
  end_item (builder, ns_map_get (builder->tasks->live, record->tid, 0), item, record->time_ns);
}

/* The thread says which task it is in: tasks above that have ended. */
static void
settle_in (NsBuilder *builder, const NsRecord *record, guint32 originating)
{
  NsTasks *self = builder->tasks;
  guint32 thread = ns_tasks_get_thread (builder, record->tid, record->pid, record->time_ns);
  NsRunId top;

  while (thread != 0 && (top = ns_tasks_thread (self, thread)->top) != 0)
    {
      NsRow task = ns_runs_get (self->runs, top)->task;

      if (evidence_of (builder, task) != NS_TASK_BY_TPL_TASK ||
          (originating != 0 && ns_tasks_info (self, task)->key == originating))
        return;
      ns_tasks_end_implicitly (builder, top, record->time_ns);
    }
}

/* Takes what waits longest under the key, and begins it; 0: nothing does. */
static NsRunId
begin (NsBuilder *builder, const NsRecord *record, const Way *way, guint64 key, gboolean stays)
{
  NsRow task = head_of (builder, space_of (builder, record, way->space), key);

  if (task == 0)
    return 0;
  if (!stays)
    stop_waiting (builder, task);
  return ns_tasks_begin_nested (builder, task, record);
}

static void
begin_item (NsBuilder *builder, const NsRecord *record, NsRunId run)
{
  Worker *worker = worker_of (builder, record);

  if (worker == NULL || run == 0)
    return;
  /* What it takes inside an item ends with that. */
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
  guint32 label = ns_map_get (self->labels, space_of (builder, record, SPACE_TASK), id);

  if (label != 0)
    ns_tasks_row (builder, task)->label = label;
}

/* A start that was seen shortly before its task was scheduled, by clocks of two processors. */
static void
begin_inverted (NsBuilder *builder, const NsRecord *record, NsRow task, guint32 id)
{
  NsTasks *self = builder->tasks;
  NsDotnetPool *pool = self->dotnet;
  guint64 key = label_key (space_of (builder, record, SPACE_TASK), id);
  guint32 tid = ns_map_take (pool->unmatched, key, 0);
  guint32 thread = tid != 0 ? ns_map_get (self->live, tid, 0) : 0;
  guint32 number = thread != 0 ? ns_map_get (pool->worker_of, thread, 0) : 0;
  Worker *worker = number != 0 ? &g_array_index (pool->workers, Worker, number - 1) : NULL;
  NsRecord started = *record;

  if (worker == NULL || worker->started_id != id || !ns_time_is_set (worker->started_ns) ||
      record->time_ns - worker->started_ns > INVERSION_NS || tid == record->tid ||
      ns_tasks_thread (self, thread)->last_start_ns > worker->started_ns)
    return;
  started.tid = tid;
  started.time_ns = worker->started_ns;
  worker->started_ns = NS_TIME_NONE;
  stop_waiting (builder, task);
  ns_tasks_begin_nested (builder, task, &started);
  ns_map_set (pool->running, key, 0, task);
}

static void
scheduled (NsBuilder *builder, const NsRecord *record, guint32 id)
{
  NsRow task = submit (builder, record, &task_way, id);

  set_label (builder, record, task, id);
  begin_inverted (builder, record, task, id);
}

static void
started (NsBuilder *builder, const NsRecord *record, guint32 id)
{
  NsDotnetPool *self = builder->tasks->dotnet;
  guint32 space = space_of (builder, record, SPACE_TASK);
  NsRow task = head_of (builder, space, id);
  Worker *worker;

  if (task != 0)
    {
      begin (builder, record, &task_way, id, FALSE);
      ns_map_set (self->running, label_key (space, id), 0, task);
      return;
    }
  worker = worker_of (builder, record);
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
  guint64 key = label_key (space_of (builder, record, SPACE_TASK), id);
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
    set_label (builder, record, submit (builder, record, &await_way, id), id);
  else
    ns_map_set (blocked,
                blocked_key (record),
                id,
                ns_map_get (blocked, blocked_key (record), id) + 1);
}

/* The end of a wait that blocked says nothing of awaits. */
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
    begin (builder, record, &await_way, id, FALSE);
}

/* The end of an await, by its task, or of a continuation, by its own id. */
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
      NsTaskEvidence evidence = evidence_of (builder, task);

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
  guint32 space = space_of (builder, record, SPACE_TASK);
  NsRow task = head_of (builder, space, id);
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
  NsRow task = head_of (builder, space_of (builder, record, SPACE_TASK), id);

  if (status != OPERATION_CANCELLED || task == 0)
    return;
  stop_waiting (builder, task);
  ns_tasks_finish_task (builder, task, NS_TASK_STATE_CANCELED, record->time_ns);
}

/* Trimmed programs number events as they come. */
static guint
id_of (const NsRecord *record)
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
    { ENQUEUE_WORK, "ThreadPoolEnqueueWork" },
    { DEQUEUE_WORK, "ThreadPoolDequeueWork" },
    { TRANSFER_SEND, "ThreadTransferSend" },
    { TRANSFER_RECEIVE, "ThreadTransferReceive" },
    { TRANSFER_HANDLED, "ThreadTransferReceiveHandled" },
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

static void
skip (NsBuilder *builder)
{
  builder->tasks->runs->n_skipped++;
}

/* An event of the tasks. */
void
ns_pool_dotnet_tasks_event (NsBuilder *builder, const NsRecord *record)
{
  guint id = (record->flags & NS_RECORD_MANIFEST) != 0 ? id_of (record) : 0;
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
      skip (builder);
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
      submit (builder, record, &continuation_way, task);
      break;
    case CONTINUATION_STARTED:
      begin (builder, record, &continuation_way, task, FALSE);
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

static void
enqueued (NsBuilder *builder, const NsRecord *record, guint64 key)
{
  NsRow task = submit (builder, record, &work_way, key);
  Worker *worker = worker_of (builder, record);

  if (worker == NULL)
    return;
  worker->enqueued = task;
  worker->enqueued_ns = record->time_ns;
}

static Way
transfer_way (guint32 kind)
{
  Way way = { NS_TASK_DOTNET_POOL,
              kind == TRANSFER_TIMER ? "Timer" : "IO",
              NS_TASK_BY_FW_TRANSFER,
              SPACE_TRANSFER + MIN (kind, 64),
              FALSE };

  return way;
}

/* The transfer that the thread serves. @key: (nullable): which */
static NsRunId
find_transfer (NsBuilder *builder, const NsRecord *record, const guint64 *key)
{
  NsTasks *self = builder->tasks;
  guint32 thread = ns_map_get (self->live, record->tid, 0);
  NsRunId run = thread != 0 ? ns_tasks_thread (self, thread)->top : 0;
  guint n_steps = 0;

  for (; run != 0 && n_steps++ < NS_TASKS_MAX_STEPS; run = ns_runs_get (self->runs, run)->under)
    {
      NsRow task = ns_runs_get (self->runs, run)->task;

      if (evidence_of (builder, task) == NS_TASK_BY_FW_TRANSFER &&
          (key == NULL || ns_tasks_info (self, task)->key == *key))
        return run;
    }
  return 0;
}

static void
end_transfer (NsBuilder *builder, const NsRecord *record, const guint64 *key)
{
  NsRunId run = find_transfer (builder, record, key);

  if (run != 0)
    ns_tasks_end (builder, run, record->time_ns);
}

static void
transfer (NsBuilder *builder, const NsRecord *record, guint id, guint64 key, NsCursor *cursor)
{
  guint32 kind = ns_cursor_u32 (cursor);
  Way way = transfer_way (kind);
  NsRow task;
  gsize n_bytes;

  if (!ns_cursor_ok (cursor))
    {
      skip (builder);
      return;
    }
  if (id == TRANSFER_HANDLED)
    {
      end_transfer (builder, record, &key);
      return;
    }
  if (id == TRANSFER_SEND)
    {
      task = submit (builder, record, &way, key);
      ns_cursor_wstr (cursor, &n_bytes);
      ns_tasks_info (builder->tasks, task)->is_fired =
          ns_cursor_left (cursor) >= 4 && ns_cursor_u32 (cursor) != 0;
      return;
    }
  end_transfer (builder, record, NULL);
  task = head_of (builder, space_of (builder, record, way.space), key);
  if (task != 0)
    begin_item (builder,
                record,
                begin (builder, record, &way, key, ns_tasks_info (builder->tasks, task)->is_fired));
}

/* An event of the framework: its pool, timers and transfers. */
void
ns_pool_dotnet_framework_event (NsBuilder *builder, const NsRecord *record)
{
  guint id = (record->flags & NS_RECORD_MANIFEST) != 0 ? id_of (record) : 0;
  NsCursor cursor;
  guint64 key;

  if (id != ENQUEUE_WORK && id != DEQUEUE_WORK && id != TRANSFER_SEND && id != TRANSFER_RECEIVE &&
      id != TRANSFER_HANDLED)
    return;
  ns_record_cursor (record, &cursor);
  key = ns_cursor_u64 (&cursor);
  if (!ns_cursor_ok (&cursor))
    {
      skip (builder);
      return;
    }
  switch (id)
    {
    case ENQUEUE_WORK:
      enqueued (builder, record, key);
      break;
    case DEQUEUE_WORK:
      leave_item (builder, record);
      begin_item (builder, record, begin (builder, record, &work_way, key, FALSE));
      break;
    default:
      transfer (builder, record, id, key, &cursor);
      break;
    }
}

/* Whether the framework has just told of the same item on this thread. */
static gboolean
is_told (const Worker *worker, gint64 told_ns, gint64 time_ns)
{
  return worker != NULL && ns_time_is_set (told_ns) && time_ns - told_ns <= SAME_ITEM_NS;
}

static void
clr_enqueued (NsBuilder *builder, const NsRecord *record, guint64 key)
{
  Worker *worker = worker_of (builder, record);

  if (worker != NULL && is_told (worker, worker->enqueued_ns, record->time_ns))
    {
      ns_map_set (builder->tasks->dotnet->aliases,
                  space_of (builder, record, SPACE_CLR_WORK),
                  key,
                  worker->enqueued);
      worker->enqueued_ns = NS_TIME_NONE;
      return;
    }
  if (worker != NULL)
    worker->enqueued_ns = NS_TIME_NONE;
  submit (builder, record, &clr_way, key);
}

static void
clr_dequeued (NsBuilder *builder, const NsRecord *record, guint64 key)
{
  Worker *worker = worker_of (builder, record);
  NsRow alias = ns_map_take (builder->tasks->dotnet->aliases,
                             space_of (builder, record, SPACE_CLR_WORK),
                             key);

  if (worker != NULL && worker->item != 0 &&
      is_told (worker, worker->dequeued_ns, record->time_ns) &&
      evidence_of (builder, ns_runs_get (builder->tasks->runs, worker->item)->task) ==
          NS_TASK_BY_FW_POOL)
    {
      worker->dequeued_ns = NS_TIME_NONE;
      return;
    }
  leave_item (builder, record);
  if (alias != 0 && ns_tasks_info (builder->tasks, alias)->slot != 0)
    {
      stop_waiting (builder, alias);
      begin_item (builder, record, ns_tasks_begin_nested (builder, alias, record));
    }
  else
    begin_item (builder, record, begin (builder, record, &clr_way, key, FALSE));
}

/* Only what a thread of I/O had taken ends: others serve the workers. */
static void
clr_io_dequeued (NsBuilder *builder, const NsRecord *record, guint64 key)
{
  Worker *worker = worker_of (builder, record);
  NsRow task = head_of (builder, space_of (builder, record, SPACE_IO), key);

  if (worker != NULL && worker->item != 0 &&
      evidence_of (builder, ns_runs_get (builder->tasks->runs, worker->item)->task) ==
          NS_TASK_BY_CLR_IO)
    leave_item (builder, record);
  if (task != 0)
    begin_item (
        builder,
        record,
        begin (builder, record, &io_way, key, ns_tasks_info (builder->tasks, task)->is_fired));
}

/* An event of the runtime's own pool. */
void
ns_pool_dotnet_clr_event (NsBuilder *builder, const NsRecord *record)
{
  NsCursor cursor;
  guint64 key;
  NsRow task;

  if ((record->flags & NS_RECORD_MANIFEST) == 0 || record->id < CLR_ENQUEUE ||
      record->id > CLR_IO_PACK)
    return;
  ns_record_cursor (record, &cursor);
  key = ns_cursor_ptr (&cursor, record->pointer_size);
  if (!ns_cursor_ok (&cursor))
    {
      skip (builder);
      return;
    }
  switch (record->id)
    {
    case CLR_ENQUEUE:
      clr_enqueued (builder, record, key);
      break;
    case CLR_DEQUEUE:
      clr_dequeued (builder, record, key);
      break;
    case CLR_IO_DEQUEUE:
      clr_io_dequeued (builder, record, key);
      break;
    case CLR_IO_ENQUEUE:
    case CLR_IO_PACK:
    default:
      task = submit (builder, record, &io_way, key);
      ns_cursor_ptr (&cursor, record->pointer_size);
      if (record->id == CLR_IO_ENQUEUE)
        ns_tasks_info (builder->tasks, task)->is_fired =
            ns_cursor_left (&cursor) >= 6 && ns_cursor_u32 (&cursor) != 0;
      break;
    }
}

gboolean
ns_pool_dotnet_has_stack (const NsRecord *record)
{
  return record->id <= CLR_IO_PACK || record->id == TRANSFER_SEND || record->n_extended > 1;
}

gboolean
ns_pool_dotnet_clr_has_stack (const NsRecord *record)
{
  return record->id == CLR_ENQUEUE || record->id == CLR_IO_ENQUEUE || record->id == CLR_IO_PACK;
}
