/* Timers of the Windows thread pool: set, expired on a timer thread, cancelled.
 *
 * While a timer expires, its thread queues the callbacks. They are linked to the timer, and the
 * timer to the code that set it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/stacks/ns-stack-match.h"
#include "engine/tasks/ns-tasks-private.h"

enum
{
  SET = 42,
  CANCEL = 43,
  EXPIRE_END = 47,
  EXPIRATION = 48,
};

/* Returns the current task of a timer, or 0. */
static NsRow
current (NsTasks *self, guint32 queue, guint64 timer)
{
  return ns_map_get (self->keys, queue, timer);
}

static void
finish_timer (NsBuilder *builder, NsRow task, gint64 time_ns)
{
  NsTasks *self = builder->tasks;
  const NsTaskInfo *info = ns_tasks_info (self, task);

  ns_tasks_set_status (builder, task, NS_TASK_STATUS_TIMER_CANCEL);
  ns_tasks_finish_task (builder, task, NS_TASK_STATE_FINISHED, time_ns);
  if (current (self, info->pool, info->key) == task)
    ns_map_take (self->keys, info->pool, info->key);
}

static void
set (NsBuilder *builder, const NsRecord *record, guint32 queue, guint64 timer, guint32 period)
{
  NsTasks *self = builder->tasks;
  NsRow old = current (self, queue, timer);
  NsTaskInfo *info;
  NsRow task;

  /* The timer was set again, so its old setting never expires, unless it is expiring now. */
  if (old != 0 && ns_tasks_info (self, old)->status == NS_TASK_STATUS_SET)
    ns_tasks_finish_task (builder, old, NS_TASK_STATE_FINISHED, record->time_ns);

  task = ns_tasks_add (builder, NS_TASK_TIMER, "Timer", record->pid, timer, record->time_ns);
  info = ns_tasks_info (self, task);
  info->pool = queue;
  info->key = timer;
  ns_tasks_set_status (builder, task, NS_TASK_STATUS_SET);
  ns_tasks_row (builder, task)->period_ms = (gint32) MIN (period, (guint32) G_MAXINT32);
  ns_tasks_submit_here (builder, task, record, ns_stack_match_find (builder, record));
  ns_map_set (self->keys, queue, timer, task);
}

static void
cancel (NsBuilder *builder, const NsRecord *record, guint32 queue, guint64 timer)
{
  NsTasks *self = builder->tasks;
  NsRow task = current (self, queue, timer);

  if (task == 0)
    return;
  if (ns_tasks_info (self, task)->status == NS_TASK_STATUS_EXPIRATION)
    ns_tasks_info (self, task)->is_cancelled = TRUE;
  else
    finish_timer (builder, task, record->time_ns);
}

/* Removes the timer from the list of the thread that served it last and whose end event was
 * lost. */
static gboolean
leave_thread (NsTasks *self, NsRow task)
{
  NsTaskInfo *info = ns_tasks_info (self, task);
  guint32 *link = &ns_tasks_thread (self, info->thread)->expiring;
  guint n_steps = 0;

  for (; *link != 0 && n_steps < NS_TASKS_MAX_STEPS; n_steps++)
    {
      if (*link == task)
        {
          *link = info->next_here;
          info->next_here = 0;
          return TRUE;
        }
      link = &ns_tasks_info (self, *link)->next_here;
    }
  return FALSE;
}

static void
expire (NsBuilder *builder, const NsRecord *record, guint32 queue, guint64 timer)
{
  NsTasks *self = builder->tasks;
  guint32 thread = ns_tasks_get_thread (builder, record->tid, record->pid, record->time_ns);
  NsRow task = current (self, queue, timer);
  NsTaskInfo *info;
  NsRunId open;

  if (thread == 0 || task == 0)
    return;
  while ((open = ns_tasks_find_open (builder, thread, NS_TASK_TIMER, 0)) != 0)
    ns_tasks_end (builder, open, record->time_ns);
  info = ns_tasks_info (self, task);
  if (info->thread != thread && (info->thread == 0 || leave_thread (self, task)))
    {
      info->thread = thread;
      info->next_here = ns_tasks_thread (self, thread)->expiring;
      ns_tasks_thread (self, thread)->expiring = task;
    }
  ns_tasks_begin (builder, task, record);
  ns_tasks_set_status (builder, task, NS_TASK_STATUS_EXPIRATION);
}

/* Ends the expiry of a queue on the thread: one-shot timers are finished, periodic ones wait
 * again. */
static void
end_expiry (NsBuilder *builder, const NsRecord *record, guint32 queue)
{
  NsTasks *self = builder->tasks;
  guint32 thread = ns_tasks_get_thread (builder, record->tid, record->pid, record->time_ns);
  guint32 *link = thread != 0 ? &ns_tasks_thread (self, thread)->expiring : NULL;
  guint n_others = 0;

  while (link != NULL && *link != 0 && n_others < NS_TASKS_MAX_STEPS)
    {
      NsRow task = *link;
      NsTaskInfo *info = ns_tasks_info (self, task);
      NsRunId open;

      if (info->thread == thread && info->pool != queue)
        {
          link = &info->next_here;
          n_others++;
          continue;
        }
      *link = info->next_here;
      info->next_here = 0;
      if (info->thread != thread)
        continue;
      info->thread = 0;
      open = ns_tasks_find_open (builder, thread, NS_TASK_TIMER, task);
      if (open != 0)
        ns_tasks_end (builder, open, record->time_ns);
      if (ns_tasks_row (builder, task)->period_ms > 0 && !info->is_cancelled &&
          current (self, queue, info->key) == task)
        ns_tasks_set_status (builder, task, NS_TASK_STATUS_SET);
      else
        finish_timer (builder, task, record->time_ns);
    }
}

void
ns_pool_timer_event (NsBuilder *builder, const NsRecord *record, guint pointer_size)
{
  NsTasks *self = builder->tasks;
  NsCursor cursor;
  guint64 queue_address;
  guint32 queue;
  guint64 timer = 0;

  ns_record_cursor (record, &cursor);
  if (record->opcode == SET || record->opcode == EXPIRATION)
    ns_cursor_skip (&cursor, 8);
  queue_address = ns_cursor_ptr (&cursor, pointer_size);
  if (record->opcode == SET || record->opcode == EXPIRATION || record->opcode == CANCEL)
    timer = ns_cursor_ptr (&cursor, pointer_size);
  if (!ns_cursor_ok (&cursor))
    return;
  queue = ns_tasks_space (self, NS_TASK_TIMER, record->pid, queue_address);
  switch (record->opcode)
    {
    case SET:
      set (builder, record, queue, timer, ns_cursor_u32 (&cursor));
      break;
    case CANCEL:
      cancel (builder, record, queue, timer);
      break;
    case EXPIRATION:
      expire (builder, record, queue, timer);
      break;
    case EXPIRE_END:
      end_expiry (builder, record, queue);
      break;
    default:
      break;
    }
}
