/* The task pool of Office: workers, waiters and timers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/stacks/ns-stack-match.h"
#include "engine/tasks/ns-tasks-private.h"

enum
{
  WORKER_CREATE = 32,
  WORKER_DESTROY = 33,
  WORKER_SUBMIT = 34,
  WAITER_SUBMIT = 35,
  WORKER_START = 40,
  WORKER_END = 41,
  WAITER_FIRED = 51,
  TIMER_FIRED = 52,
  TIMER_SUBMIT = 62,
};

enum
{
  TYPE_WORKER = 1,
  TYPE_WAITER = 2,
  TYPE_TIMER = 3,
};

static const char *const types[] = {
  NULL,
  "typeWorker",
  "typeWaiter",
  "typeTimer",
  "typeGroup",
  "typeGroupWorker",
  "typeGroupTimer",
  "typeGroupWaiter",
  "typeReservation",
};

/* Returns the name of a type; types of newer Office versions are shown by number. */
static const char *
type_to_text (NsBuilder *builder, guint32 type)
{
  char number[16];

  if (type < G_N_ELEMENTS (types) && types[type] != NULL)
    return types[type];
  g_snprintf (number, sizeof number, "%u", type);
  return ns_trace_text (builder->trace, ns_strings_add (builder->trace->strings, number));
}

static NsRow
add_worker (NsBuilder *builder, const NsRecord *record, guint64 worker, guint32 type)
{
  NsTasks *self = builder->tasks;
  guint32 space = ns_tasks_space (self, NS_TASK_OFFICE_POOL, record->pid, 0);
  NsRow task = ns_tasks_add (builder,
                             NS_TASK_OFFICE_POOL,
                             type_to_text (builder, type),
                             record->pid,
                             worker,
                             record->time_ns);

  ns_map_set (self->keys, space, worker, task);
  return task;
}

static void
create (NsBuilder *builder, const NsRecord *record, NsRow old, guint64 worker, NsCursor *cursor)
{
  guint64 callback = ns_cursor_ptr (cursor, record->pointer_size);
  guint32 type = ns_cursor_u32 (cursor);
  NsRow task;

  if (!ns_cursor_ok (cursor))
    {
      builder->tasks->runs->n_skipped++;
      return;
    }
  /* The address is reused: the destruction of the old task was not recorded. */
  if (old != 0)
    ns_tasks_finish_task (builder, old, NS_TASK_STATE_FINISHED, record->time_ns);
  task = add_worker (builder, record, worker, type);
  ns_tasks_row (builder, task)->callback = callback;
  ns_tasks_submit_here (builder, task, record, ns_stack_match_find (builder, record));
}

/* Submits a task, possibly again; the submit stack, if recorded, replaces that of the creation. */
static void
submit (NsBuilder *builder, const NsRecord *record, NsRow task, guint64 worker, NsCursor *cursor)
{
  NsStackId stack = ns_stack_match_find (builder, record);
  guint32 type = record->id == WORKER_SUBMIT   ? TYPE_WORKER
                 : record->id == WAITER_SUBMIT ? TYPE_WAITER
                                               : TYPE_TIMER;

  if (stack == 0 && (task != 0 || record->id != TIMER_SUBMIT))
    return;
  /* The waiter or timer thread only passes on a task that has fired. */
  if (record->id == WORKER_SUBMIT && task != 0 && ns_tasks_info (builder->tasks, task)->is_fired)
    return;
  if (task == 0)
    task = add_worker (builder, record, worker, type);
  ns_tasks_info (builder->tasks, task)->is_fired = FALSE;
  ns_tasks_submit_here (builder, task, record, stack);
  if (record->id == TIMER_SUBMIT)
    {
      guint32 period;

      ns_cursor_skip (cursor, 8);
      period = ns_cursor_u32 (cursor);
      if (ns_cursor_ok (cursor))
        ns_tasks_row (builder, task)->period_ms = (gint32) MIN (period, (guint32) G_MAXINT32);
    }
}

static void
end (NsBuilder *builder, const NsRecord *record, NsRow task)
{
  guint32 thread = ns_tasks_get_thread (builder, record->tid, record->pid, record->time_ns);
  NsRunId open = ns_tasks_find_open (builder, thread, NS_TASK_OFFICE_POOL, task);

  if (open == 0)
    open = ns_tasks_info (builder->tasks, task)->first_open;
  if (open != 0)
    ns_tasks_end (builder, open, record->time_ns);
}

/* Returns whether the payload begins with the address of a worker, a waiter or a timer. */
static gboolean
is_of_worker (const NsRecord *record)
{
  return (record->flags & NS_RECORD_MANIFEST) != 0 && record->id >= WORKER_CREATE &&
         record->id <= TIMER_SUBMIT;
}

/* Prefetches the task of a coming event. */
void
ns_pool_office_look_ahead (const NsBuilder *builder, const NsRecord *record, gboolean is_near)
{
  const NsTasks *self = builder->tasks;
  guint32 space;
  guint64 worker;
  NsCursor cursor;
  NsRow task;

  if (!is_of_worker (record))
    return;
  ns_record_cursor (record, &cursor);
  worker = ns_cursor_ptr (&cursor, record->pointer_size);
  space = ns_tasks_peek_space (self, NS_TASK_OFFICE_POOL, record->pid, 0);
  if (!is_near)
    {
      ns_map_expect (self->keys, space, worker);
      return;
    }
  task = ns_map_get (self->keys, space, worker);
  if (task != 0)
    ns_tasks_fetch (builder, task);
}

void
ns_pool_office_event (NsBuilder *builder, const NsRecord *record)
{
  NsTasks *self = builder->tasks;
  NsCursor cursor;
  guint64 worker;
  NsRow task;

  if (!is_of_worker (record))
    return;
  ns_record_cursor (record, &cursor);
  worker = ns_cursor_ptr (&cursor, record->pointer_size);
  if (!ns_cursor_ok (&cursor))
    {
      self->runs->n_skipped++;
      return;
    }
  task =
      ns_map_get (self->keys, ns_tasks_space (self, NS_TASK_OFFICE_POOL, record->pid, 0), worker);
  switch (record->id)
    {
    case WORKER_CREATE:
      create (builder, record, task, worker, &cursor);
      break;
    case WORKER_SUBMIT:
    case WAITER_SUBMIT:
    case TIMER_SUBMIT:
      submit (builder, record, task, worker, &cursor);
      break;
    case WORKER_DESTROY:
      if (task == 0)
        break;
      ns_tasks_finish_task (builder, task, NS_TASK_STATE_FINISHED, record->time_ns);
      ns_map_take (self->keys, ns_tasks_space (self, NS_TASK_OFFICE_POOL, record->pid, 0), worker);
      break;
    case WORKER_START:
      if (task != 0)
        ns_tasks_begin (builder, task, record);
      break;
    case WORKER_END:
      if (task != 0)
        end (builder, record, task);
      break;
    case WAITER_FIRED:
    case TIMER_FIRED:
      if (task != 0)
        ns_tasks_info (self, task)->is_fired = TRUE;
      break;
    default:
      break;
    }
}
