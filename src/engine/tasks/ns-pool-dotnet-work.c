/* The thread pool, timers and I/O of .NET, from events of the framework and of the runtime.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/tasks/ns-pool-dotnet-private.h"

enum
{
  CLR_ENQUEUE = 61,
  CLR_DEQUEUE = 62,
  CLR_IO_ENQUEUE = 63,
  CLR_IO_DEQUEUE = 64,
  CLR_IO_PACK = 65,
};

/* Kinds of transfers. */
#define TRANSFER_TIMER 1

/* Maximum time from the framework's event of a work item to the runtime's. */
#define SAME_ITEM_NS (NS_PER_SECOND / 10000)

static const NsDotnetWay work_way = { NS_TASK_DOTNET_POOL,
                                      "Worker",
                                      NS_TASK_BY_FW_POOL,
                                      NS_DOTNET_SPACE_WORK,
                                      TRUE };
static const NsDotnetWay clr_way = { NS_TASK_DOTNET_POOL,
                                     "Worker",
                                     NS_TASK_BY_CLR_POOL,
                                     NS_DOTNET_SPACE_CLR_WORK,
                                     TRUE };
static const NsDotnetWay io_way = { NS_TASK_DOTNET_POOL,
                                    "IO",
                                    NS_TASK_BY_CLR_IO,
                                    NS_DOTNET_SPACE_IO,
                                    FALSE };

static void
enqueued (NsBuilder *builder, const NsRecord *record, guint64 key)
{
  NsRow task = ns_pool_dotnet_submit (builder, record, &work_way, key);
  NsDotnetWorker *worker = ns_pool_dotnet_get_worker (builder, record);

  if (worker == NULL)
    return;
  worker->enqueued = task;
  worker->enqueued_ns = record->time_ns;
}

static NsDotnetWay
transfer_way (guint32 kind)
{
  NsDotnetWay way = { NS_TASK_DOTNET_POOL,
                      kind == TRANSFER_TIMER ? "Timer" : "IO",
                      NS_TASK_BY_FW_TRANSFER,
                      NS_DOTNET_SPACE_TRANSFER + MIN (kind, 64),
                      FALSE };

  return way;
}

/* Returns the run of the transfer that the thread serves. @key: (nullable): its key */
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

      if (ns_pool_dotnet_get_evidence (builder, task) == NS_TASK_BY_FW_TRANSFER &&
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
  NsDotnetWay way = transfer_way (kind);
  NsRow task;
  gsize n_bytes;

  if (!ns_cursor_ok (cursor))
    {
      ns_pool_dotnet_skip (builder);
      return;
    }
  if (id == NS_DOTNET_TRANSFER_HANDLED)
    {
      end_transfer (builder, record, &key);
      return;
    }
  if (id == NS_DOTNET_TRANSFER_SEND)
    {
      task = ns_pool_dotnet_submit (builder, record, &way, key);
      ns_cursor_wstr (cursor, &n_bytes);
      ns_tasks_info (builder->tasks, task)->is_fired =
          ns_cursor_left (cursor) >= 4 && ns_cursor_u32 (cursor) != 0;
      return;
    }
  end_transfer (builder, record, NULL);
  task =
      ns_pool_dotnet_get_head (builder, ns_pool_dotnet_get_space (builder, record, way.space), key);
  if (task != 0)
    ns_pool_dotnet_begin_item (
        builder,
        record,
        ns_pool_dotnet_begin (builder,
                              record,
                              &way,
                              key,
                              ns_tasks_info (builder->tasks, task)->is_fired));
}

/* Handles an event of the framework: thread pool, timers and transfers. */
void
ns_pool_dotnet_framework_event (NsBuilder *builder, const NsRecord *record)
{
  guint id = (record->flags & NS_RECORD_MANIFEST) != 0 ? ns_pool_dotnet_get_id (record) : 0;
  NsCursor cursor;
  guint64 key;

  if (id != NS_DOTNET_ENQUEUE_WORK && id != NS_DOTNET_DEQUEUE_WORK &&
      id != NS_DOTNET_TRANSFER_SEND && id != NS_DOTNET_TRANSFER_RECEIVE &&
      id != NS_DOTNET_TRANSFER_HANDLED)
    return;
  ns_record_cursor (record, &cursor);
  key = ns_cursor_u64 (&cursor);
  if (!ns_cursor_ok (&cursor))
    {
      ns_pool_dotnet_skip (builder);
      return;
    }
  switch (id)
    {
    case NS_DOTNET_ENQUEUE_WORK:
      enqueued (builder, record, key);
      break;
    case NS_DOTNET_DEQUEUE_WORK:
      ns_pool_dotnet_leave_item (builder, record);
      ns_pool_dotnet_begin_item (builder,
                                 record,
                                 ns_pool_dotnet_begin (builder, record, &work_way, key, FALSE));
      break;
    default:
      transfer (builder, record, id, key, &cursor);
      break;
    }
}

/* Returns whether the framework has just logged the same item on this thread. */
static gboolean
was_seen_just_before (const NsDotnetWorker *worker, gint64 seen_ns, gint64 time_ns)
{
  return worker != NULL && ns_time_is_set (seen_ns) && time_ns - seen_ns <= SAME_ITEM_NS;
}

static void
clr_enqueued (NsBuilder *builder, const NsRecord *record, guint64 key)
{
  NsDotnetWorker *worker = ns_pool_dotnet_get_worker (builder, record);

  if (worker != NULL && was_seen_just_before (worker, worker->enqueued_ns, record->time_ns))
    {
      ns_map_set (builder->tasks->dotnet->aliases,
                  ns_pool_dotnet_get_space (builder, record, NS_DOTNET_SPACE_CLR_WORK),
                  key,
                  worker->enqueued);
      worker->enqueued_ns = NS_TIME_NONE;
      return;
    }
  if (worker != NULL)
    worker->enqueued_ns = NS_TIME_NONE;
  ns_pool_dotnet_submit (builder, record, &clr_way, key);
}

static void
clr_dequeued (NsBuilder *builder, const NsRecord *record, guint64 key)
{
  NsDotnetWorker *worker = ns_pool_dotnet_get_worker (builder, record);
  NsRow alias = ns_map_take (builder->tasks->dotnet->aliases,
                             ns_pool_dotnet_get_space (builder, record, NS_DOTNET_SPACE_CLR_WORK),
                             key);

  if (worker != NULL && worker->item != 0 &&
      was_seen_just_before (worker, worker->dequeued_ns, record->time_ns) &&
      ns_pool_dotnet_get_evidence (builder,
                                   ns_runs_get (builder->tasks->runs, worker->item)->task) ==
          NS_TASK_BY_FW_POOL)
    {
      worker->dequeued_ns = NS_TIME_NONE;
      return;
    }
  ns_pool_dotnet_leave_item (builder, record);
  if (alias != 0 && ns_tasks_info (builder->tasks, alias)->slot != 0)
    {
      ns_pool_dotnet_stop_waiting (builder, alias);
      ns_pool_dotnet_begin_item (builder, record, ns_tasks_begin_nested (builder, alias, record));
    }
  else
    ns_pool_dotnet_begin_item (builder,
                               record,
                               ns_pool_dotnet_begin (builder, record, &clr_way, key, FALSE));
}

/* Ends only items taken by an I/O thread; other I/O items are passed on to workers. */
static void
clr_io_dequeued (NsBuilder *builder, const NsRecord *record, guint64 key)
{
  NsDotnetWorker *worker = ns_pool_dotnet_get_worker (builder, record);
  NsRow task =
      ns_pool_dotnet_get_head (builder,
                               ns_pool_dotnet_get_space (builder, record, NS_DOTNET_SPACE_IO),
                               key);

  if (worker != NULL && worker->item != 0 &&
      ns_pool_dotnet_get_evidence (builder,
                                   ns_runs_get (builder->tasks->runs, worker->item)->task) ==
          NS_TASK_BY_CLR_IO)
    ns_pool_dotnet_leave_item (builder, record);
  if (task != 0)
    ns_pool_dotnet_begin_item (
        builder,
        record,
        ns_pool_dotnet_begin (builder,
                              record,
                              &io_way,
                              key,
                              ns_tasks_info (builder->tasks, task)->is_fired));
}

/* Handles an event of the runtime's own thread pool. */
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
      ns_pool_dotnet_skip (builder);
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
      task = ns_pool_dotnet_submit (builder, record, &io_way, key);
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
  return record->id <= CLR_IO_PACK || record->id == NS_DOTNET_TRANSFER_SEND ||
         record->n_extended > 1;
}

gboolean
ns_pool_dotnet_clr_has_stack (const NsRecord *record)
{
  return record->id == CLR_ENQUEUE || record->id == CLR_IO_ENQUEUE || record->id == CLR_IO_PACK;
}
