/* The Windows thread pool: callbacks queued, dequeued by a worker, run.
 *
 * Payloads are the ETW_TP_EVENT_* structures that ntdll logs. Keys are heap addresses, which are
 * reused often, so each look-up requires the state that the event implies.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/stacks/ns-stack-match.h"
#include "engine/tasks/ns-tasks-private.h"
#include "engine/tasks/ns-tasks.h"

enum
{
  ENQUEUE = 32,
  DEQUEUE = 33,
  START = 34,
  STOP = 35,
  CANCEL = 36,
  TIMER_SET = 42,
  TIMER_CANCEL = 43,
  TIMER_SET_NT = 44,
  TIMER_CANCEL_NT = 45,
  TIMER_EXPIRE_BEGIN = 46,
  TIMER_EXPIRE_END = 47,
  TIMER_EXPIRATION = 48,
};

/* Maximum time from a dequeue to the enqueue event, which is logged late if its thread was
 * preempted. */
#define INVERSION_NS (NS_PER_SECOND / 1000)

typedef struct
{
  guint64 pool;
  guint64 task;
  guint64 function;
  guint32 n_cancelled;
  gboolean is_any; /* old layout, without the pool */
} Callback;

/* Gets the minimum payload sizes of the event for 4- and 8-byte pointers. */
static gboolean
smallest (guint opcode, guint *min4, guint *min8)
{
  static const struct
  {
    guint8 opcode;
    guint8 min4;
    guint8 min8;
  } table[] = {
    { ENQUEUE, 16, 32 },        { DEQUEUE, 16, 32 },
    { START, 16, 32 },          { STOP, 16, 32 },
    { CANCEL, 20, 40 },         { TIMER_SET, 28, 36 },
    { TIMER_CANCEL, 8, 16 },    { TIMER_SET_NT, 16, 20 },
    { TIMER_CANCEL_NT, 4, 8 },  { TIMER_EXPIRE_BEGIN, 4, 8 },
    { TIMER_EXPIRE_END, 4, 8 }, { TIMER_EXPIRATION, 24, 32 },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (table); i++)
    if (table[i].opcode == opcode)
      {
        *min4 = table[i].min4;
        *min8 = table[i].min8;
        return TRUE;
      }
  return FALSE;
}

/* Derives the pointer size from the payload length: a 32-bit process may log under a 64-bit header.
 * 0: unknown layout. */
guint
ns_pool_windows_layout (const NsRecord *record, gboolean *is_old)
{
  guint min4;
  guint min8;

  *is_old = FALSE;
  if (!smallest (record->opcode, &min4, &min8))
    return 0;
  if (record->pointer_size == 8 && record->payload_size >= min8)
    return 8;
  if (record->payload_size >= min4)
    return 4;
  if ((record->opcode == DEQUEUE || record->opcode == STOP || record->opcode == CANCEL) &&
      record->payload_size >= record->pointer_size)
    {
      *is_old = TRUE;
      return record->pointer_size;
    }
  return 0;
}

static void
read_callback (const NsRecord *record, guint size, gboolean is_old, Callback *callback)
{
  NsCursor cursor;

  *callback = (Callback){ .n_cancelled = 1, .is_any = is_old };
  ns_record_cursor (record, &cursor);
  if (!is_old)
    callback->pool = ns_cursor_ptr (&cursor, size);
  callback->task = ns_cursor_ptr (&cursor, size);
  if (!is_old)
    {
      callback->function = ns_cursor_ptr (&cursor, size);
      ns_cursor_skip (&cursor, 2 * size);
    }
  if (record->opcode == CANCEL && ns_cursor_left (&cursor) >= 4)
    {
      callback->n_cancelled = ns_cursor_u32 (&cursor);
      callback->n_cancelled = MAX (callback->n_cancelled, 1);
    }
}

/* Returns the slot of the callback's key; without a pool, that of its last known pool. */
static guint32
slot_of (NsTasks *self, guint32 pid, const Callback *callback)
{
  guint32 slot;

  if (callback->is_any)
    return ns_map_get (self->by_task, pid, callback->task);
  slot = ns_tasks_slot (self,
                        ns_tasks_space (self, NS_TASK_POOL, pid, callback->pool),
                        callback->task);
  ns_map_set (self->by_task, pid, callback->task, slot);
  return slot;
}

static NsRow
add_callback (NsBuilder *builder, const NsRecord *record, const Callback *callback, guint32 slot)
{
  NsTasks *self = builder->tasks;
  NsRow task =
      ns_tasks_add (builder, NS_TASK_POOL, "Worker", record->pid, callback->task, record->time_ns);
  NsTaskInfo *info = ns_tasks_info (self, task);

  info->slot = slot;
  info->key = callback->task;
  info->pool = ns_tasks_space (self, NS_TASK_POOL, record->pid, callback->pool);
  info->is_any_pool = callback->is_any;
  ns_tasks_row (builder, task)->callback = callback->function;
  return task;
}

/* Returns the oldest callback of the slot that was dequeued before its enqueue was logged. */
static NsRow
take_inverted (NsBuilder *builder, const NsRecord *record, guint32 slot)
{
  NsTasks *self = builder->tasks;
  guint32 own = ns_map_get (self->live, record->tid, 0);
  gint64 last_start_ns = own != 0 ? ns_tasks_thread (self, own)->last_start_ns : NS_TIME_NONE;

  while (ns_tasks_get_slot (self, slot)->unseen_head != 0)
    {
      NsTaskSlot *list = ns_tasks_get_slot (self, slot);
      NsRow task = list->unseen_head;
      NsTaskInfo *info = ns_tasks_info (self, task);
      gint64 taken_ns = ns_tasks_row (builder, task)->create_ns;

      if (record->time_ns - taken_ns <= INVERSION_NS &&
          (ns_tasks_thread (self, info->thread)->tid == record->tid || last_start_ns > taken_ns))
        return 0;
      list->unseen_head = info->next;
      if (list->unseen_head == 0)
        list->unseen_tail = 0;
      info->next = 0;
      if (record->time_ns - taken_ns <= INVERSION_NS)
        return task;
    }
  return 0;
}

static void
enqueue (NsBuilder *builder, const NsRecord *record, const Callback *callback)
{
  NsTasks *self = builder->tasks;
  guint32 slot = slot_of (self, record->pid, callback);
  NsStackId stack = ns_stack_match_find (builder, record);
  NsRow task = take_inverted (builder, record, slot);

  if (task != 0)
    {
      NsSubmission *submission =
          ns_runs_get_submission (self->runs, ns_tasks_info (self, task)->submission);
      NsTaskRow *row = ns_tasks_row (builder, task);

      submission->is_anonymous = FALSE;
      submission->tid = record->tid;
      submission->stack = stack;
      submission->link = ns_tasks_find_link (builder, record->tid, submission->time_ns);
      row->tid_create = record->tid;
      row->stack = stack;
      row->callback = callback->function;
      return;
    }
  task = add_callback (builder, record, callback, slot);
  ns_tasks_set_status (builder, task, NS_TASK_STATUS_ENQUEUE);
  ns_tasks_submit_here (builder, task, record, stack);
  ns_tasks_slot_append (self, slot, task);
}

static void
cancel_task (NsBuilder *builder, NsRow task, gint64 time_ns)
{
  ns_tasks_set_status (builder, task, NS_TASK_STATUS_CANCEL);
  ns_tasks_finish_task (builder, task, NS_TASK_STATE_FINISHED, time_ns);
}

/* Cancels callbacks that the thread dequeued but did not start. */
static void
cancel_dequeued (NsBuilder *builder, guint32 thread, gint64 time_ns)
{
  NsTasks *self = builder->tasks;
  NsRow task = ns_tasks_thread (self, thread)->dequeued;

  ns_tasks_thread (self, thread)->dequeued = 0;
  while (task != 0)
    {
      NsRow next = ns_tasks_info (self, task)->next_here;

      ns_tasks_info (self, task)->next_here = 0;
      cancel_task (builder, task, time_ns);
      task = next;
    }
}

static gboolean
is_key (const NsTaskInfo *info, const Callback *callback, guint32 pool)
{
  return info->key == callback->task &&
         (callback->is_any || info->is_any_pool || info->pool == pool);
}

/* Removes the newest callback with that key from those dequeued by the thread. */
static NsRow
take_dequeued (NsTasks *self, guint32 thread, const Callback *callback, guint32 pool, gboolean take)
{
  guint32 *link = thread != 0 ? &ns_tasks_thread (self, thread)->dequeued : NULL;
  guint n_steps = 0;

  while (link != NULL && *link != 0 && n_steps++ < NS_TASKS_MAX_STEPS)
    {
      NsRow task = *link;
      NsTaskInfo *info = ns_tasks_info (self, task);

      if (is_key (info, callback, pool))
        {
          if (take)
            {
              *link = info->next_here;
              info->next_here = 0;
            }
          return task;
        }
      link = &info->next_here;
    }
  return 0;
}

/* Ends the run of a worker that dequeues again from the same pool: its end event is missing. */
static void
end_of_pool (NsBuilder *builder, guint32 thread, guint32 pool, gint64 time_ns)
{
  NsTasks *self = builder->tasks;
  NsRunId id = ns_tasks_thread (self, thread)->top;
  guint n_steps = 0;

  while (id != 0 && n_steps++ < NS_TASKS_MAX_STEPS)
    {
      const NsRun *run = ns_runs_get (self->runs, id);
      NsRunId under = run->under;

      if (ns_tasks_row (builder, run->task)->kind == NS_TASK_POOL &&
          ns_tasks_info (self, run->task)->pool == pool)
        ns_tasks_end_implicitly (builder, id, time_ns);
      id = under;
    }
}

/* Removes and returns the newest queued callback of the thread, else the oldest one of any
 * thread. */
static NsRow
take_pending (NsBuilder *builder, guint32 slot, guint32 tid)
{
  NsTasks *self = builder->tasks;
  NsRow task = slot != 0 ? ns_tasks_get_slot (self, slot)->tail : 0;
  guint n_steps = 0;

  for (; task != 0 && n_steps < NS_TASKS_MAX_STEPS; n_steps++)
    {
      if (ns_tasks_row (builder, task)->tid_create == tid)
        break;
      task = ns_tasks_info (self, task)->prev;
    }
  if (slot != 0 && (task == 0 || n_steps == NS_TASKS_MAX_STEPS))
    task = ns_tasks_get_slot (self, slot)->head;
  if (task != 0)
    ns_tasks_slot_remove (self, slot, task);
  return task;
}

/* Adds a callback whose enqueue was not recorded: it was before the trace, or is logged later. */
static NsRow
add_unseen (NsBuilder *builder, const NsRecord *record, const Callback *callback, guint32 slot)
{
  NsTasks *self = builder->tasks;
  NsRow task = add_callback (builder, record, callback, slot);
  NsSubmission submission = { .pid = record->pid,
                              .tid = NS_PID_UNKNOWN,
                              .time_ns = record->time_ns,
                              .is_anonymous = TRUE };

  ns_tasks_submit (builder, task, &submission);
  if (slot != 0)
    {
      NsTaskSlot *list = ns_tasks_get_slot (self, slot);

      if (list->unseen_tail != 0)
        ns_tasks_info (self, list->unseen_tail)->next = task;
      else
        list->unseen_head = task;
      list->unseen_tail = task;
    }
  return task;
}

static void
dequeue (NsBuilder *builder, const NsRecord *record, const Callback *callback, guint32 thread)
{
  NsTasks *self = builder->tasks;
  guint32 slot = slot_of (self, record->pid, callback);
  gboolean has_pool = callback->is_any || callback->pool != 0;
  guint32 pool = ns_tasks_space (self, NS_TASK_POOL, record->pid, callback->pool);
  NsTaskInfo *info;
  NsRow task;

  /* The old layout logs a second dequeue event for the callback just dequeued. */
  if (callback->is_any && (slot == 0 || ns_tasks_get_slot (self, slot)->head == 0) &&
      take_dequeued (self, thread, callback, pool, FALSE) != 0)
    return;
  if (has_pool)
    cancel_dequeued (builder, thread, record->time_ns);
  task = take_pending (builder, slot, record->tid);
  if (has_pool)
    end_of_pool (builder,
                 thread,
                 callback->is_any && task != 0 ? ns_tasks_info (self, task)->pool : pool,
                 record->time_ns);
  if (task == 0 && has_pool)
    task = add_unseen (builder, record, callback, slot);
  if (task == 0)
    return;

  ns_tasks_set_status (builder, task, NS_TASK_STATUS_DEQUEUE);
  info = ns_tasks_info (self, task);
  info->thread = thread;
  info->next_here = ns_tasks_thread (self, thread)->dequeued;
  ns_tasks_thread (self, thread)->dequeued = task;
}

static void
stop (NsBuilder *builder, const NsRecord *record, const Callback *callback, guint32 thread)
{
  NsTasks *self = builder->tasks;
  guint32 pool = ns_tasks_space (self, NS_TASK_POOL, record->pid, callback->pool);
  NsRunId id = ns_tasks_thread (self, thread)->top;
  guint n_steps = 0;

  for (; id != 0 && n_steps < NS_TASKS_MAX_STEPS; n_steps++)
    {
      const NsRun *run = ns_runs_get (self->runs, id);
      NsRow task = run->task;

      if (ns_tasks_row (builder, task)->kind == NS_TASK_POOL &&
          is_key (ns_tasks_info (self, task), callback, pool))
        {
          ns_tasks_end (builder, id, record->time_ns);
          ns_tasks_set_status (builder, task, NS_TASK_STATUS_STOP);
          ns_tasks_finish_task (builder, task, NS_TASK_STATE_FINISHED, record->time_ns);
          break;
        }
      id = run->under;
    }
  if (callback->is_any || callback->pool != 0)
    cancel_dequeued (builder, thread, record->time_ns);
}

/* Cancels the newest callbacks: the oldest may have been dequeued already, by an event that is
 * logged later. */
static void
cancel (NsBuilder *builder, const NsRecord *record, const Callback *callback, guint32 thread)
{
  NsTasks *self = builder->tasks;
  guint32 slot = slot_of (self, record->pid, callback);
  guint32 pool = ns_tasks_space (self, NS_TASK_POOL, record->pid, callback->pool);
  guint32 n_left = callback->n_cancelled;
  NsRow task;

  if (slot == 0 || ns_tasks_get_slot (self, slot)->tail == 0)
    {
      task = take_dequeued (self, thread, callback, pool, TRUE);
      if (task != 0)
        cancel_task (builder, task, record->time_ns);
      return;
    }
  for (; n_left > 0 && (task = ns_tasks_get_slot (self, slot)->tail) != 0; n_left--)
    {
      ns_tasks_slot_remove (self, slot, task);
      cancel_task (builder, task, record->time_ns);
    }
}

static void
start (NsBuilder *builder, const NsRecord *record, const Callback *callback, guint32 thread)
{
  NsTasks *self = builder->tasks;
  guint32 pool = ns_tasks_space (self, NS_TASK_POOL, record->pid, callback->pool);
  NsRow task = take_dequeued (self, thread, callback, pool, TRUE);

  if (task == 0)
    return;
  ns_tasks_begin (builder, task, record);
  ns_tasks_set_status (builder, task, NS_TASK_STATUS_START);
}

/* Prefetches the slot of a coming event's callback, and the callback. */
void
ns_pool_windows_look_ahead (const NsBuilder *builder, const NsRecord *record, gboolean is_near)
{
  const NsTasks *self = builder->tasks;
  Callback callback;
  gboolean is_old;
  guint32 space;
  guint32 slot;
  NsRow task;
  guint size;

  if ((record->flags & NS_RECORD_MANIFEST) != 0 || record->opcode < ENQUEUE ||
      record->opcode > CANCEL)
    return;
  size = ns_pool_windows_layout (record, &is_old);
  if (size == 0 || is_old)
    return;
  read_callback (record, size, FALSE, &callback);
  space = ns_tasks_peek_space (self, NS_TASK_POOL, record->pid, callback.pool);
  if (!is_near)
    {
      ns_map_expect (self->keys, space, callback.task);
      ns_map_expect (self->by_task, record->pid, callback.task);
      return;
    }
  slot = ns_map_get (self->keys, space, callback.task);
  task = slot != 0 && slot <= self->slots->len ? ns_tasks_get_slot (self, slot)->tail : 0;
  if (task != 0)
    ns_tasks_fetch (builder, task);
}

void
ns_pool_windows_event (NsBuilder *builder, const NsRecord *record)
{
  gboolean is_old;
  guint size = ns_pool_windows_layout (record, &is_old);
  guint32 thread;
  Callback callback;

  if (size == 0)
    {
      builder->tasks->runs->n_skipped += record->opcode >= ENQUEUE && record->opcode <= CANCEL;
      return;
    }
  if ((record->flags & NS_RECORD_MANIFEST) != 0)
    return;
  if (record->opcode >= TIMER_SET)
    {
      ns_pool_timer_event (builder, record, size);
      return;
    }
  thread = ns_tasks_get_thread (builder, record->tid, record->pid, record->time_ns);
  if (thread == 0)
    return;
  read_callback (record, size, is_old, &callback);
  switch (record->opcode)
    {
    case ENQUEUE:
      enqueue (builder, record, &callback);
      break;
    case DEQUEUE:
      dequeue (builder, record, &callback, thread);
      break;
    case START:
      start (builder, record, &callback, thread);
      break;
    case STOP:
      stop (builder, record, &callback, thread);
      break;
    case CANCEL:
    default:
      cancel (builder, record, &callback, thread);
      break;
    }
}
