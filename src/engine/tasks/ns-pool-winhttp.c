/* Actions that WinHTTP and WebIO queue to their own thread pool.
 *
 * A worker often logs the start of an action before the queuing thread logs the queuing, which
 * then completes the task of the start.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/stacks/ns-stack-match.h"
#include "engine/tasks/ns-tasks-private.h"
#include "engine/tasks/ns-tasks.h"

enum
{
  ACTION_CANCEL = 59995,
  ACTION_QUEUE = 59996,
  ACTION_STOP = 59997,
  ACTION_START = 59998,
};

enum
{
  TYPE_TIMER = 1,
  TYPE_WORK_ITEM = 2,
  TYPE_OVERLAPPED_IO = 3,
  TYPE_WAIT_CALLBACK = 4,
};

/* Maximum time from the start of an action to a queuing event that is logged late. */
#define INVERSION_NS (NS_PER_SECOND / 10)

typedef struct
{
  const NsRecord *record;
  guint64 context;
  guint32 type;
  guint32 space;
  guint32 activity; /* number of its activity ID */
} Action;

static const char *
type_to_text (guint32 type)
{
  switch (type)
    {
    case TYPE_TIMER:
      return "Timer";
    case TYPE_WORK_ITEM:
      return "WorkItem";
    case TYPE_OVERLAPPED_IO:
      return "OverlappedIO";
    case TYPE_WAIT_CALLBACK:
      return "WaitCallback";
    default:
      return "Unknown";
    }
}

static guint32
activity_of (NsTasks *self, const NsGuid *guid)
{
  guint32 number = ns_map_get (self->activities, ns_guid_low (guid), ns_guid_high (guid));

  if (number == 0)
    {
      number = ns_map_get_size (self->activities) + 1;
      ns_map_set (self->activities, ns_guid_low (guid), ns_guid_high (guid), number);
    }
  return number;
}

static NsRow
add_action (NsBuilder *builder, const Action *action)
{
  NsTasks *self = builder->tasks;
  NsRow task = ns_tasks_add (builder,
                             NS_TASK_WINHTTP,
                             type_to_text (action->type),
                             action->record->pid,
                             action->context,
                             action->record->time_ns);
  NsTaskInfo *info = ns_tasks_info (self, task);

  info->older = ns_map_get (self->keys, action->space, action->context);
  info->activity = action->activity;
  ns_map_set (self->keys, action->space, action->context, task);
  return task;
}

/* Returns whether the newest task of the context is this action, started before its queuing was
 * logged. */
static gboolean
is_started_before (NsBuilder *builder, const Action *action, NsRow task)
{
  NsTasks *self = builder->tasks;
  const NsTaskInfo *info = ns_tasks_info (self, task);
  const NsTaskRow *row = ns_tasks_row (builder, task);
  guint32 thread = ns_map_get (self->live, action->record->tid, 0);

  if (info->activity != action->activity || row->tid_create != NS_PID_UNKNOWN ||
      info->state == NS_TASK_STATE_CANCELED || row->tid_run == action->record->tid ||
      row->start_ns == NS_TIME_NONE || action->record->time_ns - row->start_ns > INVERSION_NS)
    return FALSE;
  return thread == 0 || ns_tasks_thread (self, thread)->last_start_ns <= row->start_ns;
}

static void
queue (NsBuilder *builder, const Action *action, NsRow newest)
{
  NsTasks *self = builder->tasks;
  NsStackId stack = ns_stack_match_find (builder, action->record);

  if (newest != 0 && is_started_before (builder, action, newest))
    {
      NsTaskRow *row = ns_tasks_row (builder, newest);
      NsSubmission *submission =
          ns_runs_get_submission (self->runs, ns_tasks_info (self, newest)->submission);

      submission->tid = action->record->tid;
      submission->stack = stack;
      submission->link = ns_tasks_find_link (builder, action->record->tid, row->create_ns);
      row->tid_create = action->record->tid;
      row->stack = stack;
      return;
    }
  ns_tasks_submit_here (builder, add_action (builder, action), action->record, stack);
}

static void
start (NsBuilder *builder, const Action *action, NsRow newest)
{
  NsTasks *self = builder->tasks;
  const NsTaskInfo *info = newest != 0 ? ns_tasks_info (self, newest) : NULL;
  NsSubmission submission = { .pid = action->record->pid,
                              .tid = NS_PID_UNKNOWN,
                              .time_ns = action->record->time_ns };

  if (info == NULL || info->activity != action->activity || info->n_runs > 0 ||
      info->state == NS_TASK_STATE_CANCELED)
    {
      newest = add_action (builder, action);
      ns_tasks_submit (builder, newest, &submission);
    }
  ns_tasks_begin (builder, newest, action->record);
}

static void
stop (NsBuilder *builder, const Action *action, NsRow task)
{
  NsTasks *self = builder->tasks;
  guint n_steps = 0;

  for (; task != 0 && n_steps < NS_TASKS_MAX_STEPS; n_steps++)
    {
      const NsTaskInfo *info = ns_tasks_info (self, task);

      if (info->first_open != 0 && info->activity == action->activity &&
          ns_tasks_row (builder, task)->tid_run == action->record->tid)
        {
          ns_tasks_end (builder, info->first_open, action->record->time_ns);
          ns_tasks_finish_task (builder, task, NS_TASK_STATE_FINISHED, action->record->time_ns);
          return;
        }
      task = info->older;
    }
}

static void
cancel (NsBuilder *builder, const Action *action, NsRow task)
{
  NsTasks *self = builder->tasks;
  guint n_steps = 0;

  for (; task != 0 && n_steps < NS_TASKS_MAX_STEPS; n_steps++)
    {
      const NsTaskInfo *info = ns_tasks_info (self, task);

      if (info->n_runs == 0 && info->state == NS_TASK_STATE_CREATED)
        {
          ns_tasks_finish_task (builder, task, NS_TASK_STATE_CANCELED, action->record->time_ns);
          return;
        }
      /* The action itself logs the event: its normal end. */
      if (info->first_open != 0 && ns_tasks_row (builder, task)->tid_run == action->record->tid)
        return;
      task = info->older;
    }
}

static void
read_action (NsBuilder *builder, const NsRecord *record, guint32 ignored_type)
{
  NsTasks *self = builder->tasks;
  Action action = { .record = record };
  NsCursor cursor;
  NsRow newest;

  if ((record->flags & NS_RECORD_MANIFEST) == 0 || record->id < ACTION_CANCEL ||
      record->id > ACTION_START)
    return;
  ns_record_cursor (record, &cursor);
  action.context = ns_cursor_ptr (&cursor, record->pointer_size);
  action.type = ns_cursor_u32 (&cursor);
  if (!ns_cursor_ok (&cursor))
    {
      self->runs->n_skipped++;
      return;
    }
  if (action.type == ignored_type)
    return;
  action.space = ns_tasks_space (self, NS_TASK_WINHTTP, record->pid, 0);
  action.activity = activity_of (self, &record->activity);
  newest = ns_map_get (self->keys, action.space, action.context);
  switch (record->id)
    {
    case ACTION_QUEUE:
      queue (builder, &action, newest);
      break;
    case ACTION_START:
      start (builder, &action, newest);
      break;
    case ACTION_STOP:
      stop (builder, &action, newest);
      break;
    case ACTION_CANCEL:
    default:
      cancel (builder, &action, newest);
      break;
    }
}

gboolean
ns_pool_winhttp_has_stack (const NsRecord *record)
{
  return record->id == ACTION_QUEUE;
}

/* Handles an event of WinHTTP, except overlapped I/O, which WebIO logs too. Likewise WebIO's
 * timers are ignored, which WinHTTP logs. */
void
ns_pool_winhttp_event (NsBuilder *builder, const NsRecord *record)
{
  read_action (builder, record, TYPE_OVERLAPPED_IO);
}

void
ns_pool_webio_event (NsBuilder *builder, const NsRecord *record)
{
  read_action (builder, record, TYPE_TIMER);
}
