/* The idle manager of Office: tasks that the main thread runs when it is idle.
 *
 * A task has no cookie when it is added. Each process numbers its tasks 1, 2, 3 and so on, so the
 * adds are counted here. The numbers are right only if the first registration of the process was
 * recorded.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/stacks/ns-stack-match.h"
#include "engine/tasks/ns-tasks-private.h"

enum
{
  REGISTER = 36,
  DEREGISTER = 37,
  PERIOD_END = 40,
  EXECUTE = 44,
  UPDATE_QUEUED = 50,
};

#define UPDATE_ADD 1
/* Task ID of external components, which have negative cookies of their own. */
#define EXTERNAL 0x017d8402

typedef struct
{
  guint32 n_adds;
  guint32 is_trusted;
} Counter;

typedef struct
{
  guint32 cookie;
  guint32 id;
  NsCursor cursor; /* positioned at the name */
} Idle;

/* Returns the number of the process instance, since process IDs are reused. */
static guint32
instance_of (NsBuilder *builder, const NsRecord *record)
{
  NsRow process = ns_trace_find_process (builder->trace, record->pid, record->time_ns);

  return ns_tasks_space (builder->tasks, NS_TASK_IDLE, record->pid, process);
}

static Counter *
counter_of (NsTasks *self, guint32 instance)
{
  /* The key space has no other keys with this first word. */
  guint64 key = (guint64) 1 << 40 | instance;
  guint32 number = ns_map_get (self->keys, key, 0);
  Counter made = { 0, FALSE };

  if (number == 0)
    {
      g_array_append_val (self->counters, made);
      number = self->counters->len;
      ns_map_set (self->keys, key, 0, number);
    }
  return &g_array_index (self->counters, Counter, number - 1);
}

static guint64
context_of (guint32 cookie, guint32 id)
{
  return (guint64) cookie << 32 | id;
}

static NsRow
add_task (NsBuilder *builder, const NsRecord *record, guint32 instance, guint64 context)
{
  NsRow task =
      ns_tasks_add (builder, NS_TASK_IDLE, "IdleTask", record->pid, context, record->time_ns);

  ns_map_set (builder->tasks->keys, instance, context, task);
  return task;
}

static void
added (NsBuilder *builder, const NsRecord *record, guint32 instance)
{
  Counter *counter = counter_of (builder->tasks, instance);
  NsRow task = add_task (builder, record, instance, context_of (++counter->n_adds, 0));

  ns_tasks_submit_here (builder, task, record, ns_stack_match_find (builder, record));
}

static void
set_label (NsBuilder *builder, NsRow task, const Idle *idle)
{
  NsCursor cursor = idle->cursor;
  gsize n_bytes;
  const guint8 *text = ns_cursor_wstr (&cursor, &n_bytes);

  if (n_bytes > 0)
    ns_tasks_row (builder, task)->label =
        ns_strings_add_utf16 (builder->trace->strings, text, n_bytes);
}

static void
registered (NsBuilder *builder, const NsRecord *record, guint32 instance, const Idle *idle)
{
  NsTasks *self = builder->tasks;
  Counter *counter = counter_of (self, instance);
  NsSubmission submission = { .pid = record->pid, .tid = record->tid, .time_ns = record->time_ns };
  gboolean is_external = idle->id == EXTERNAL;
  NsRow task = 0;

  if (!is_external && idle->cookie == 1)
    counter->is_trusted = TRUE;
  if (!is_external && idle->cookie == 0)
    return;
  if (!is_external && counter->is_trusted)
    task = ns_map_get (self->keys, instance, context_of (idle->cookie, 0));
  if (task != 0 && ns_tasks_row (builder, task)->stack != 0)
    {
      guint64 context = context_of (idle->cookie, idle->id);

      ns_map_take (self->keys, instance, context_of (idle->cookie, 0));
      ns_map_set (self->keys, instance, context, task);
      ns_tasks_row (builder, task)->context = context;
      set_label (builder, task, idle);
      return;
    }
  /* No link: the stack of an add is that of the main thread's idle dispatch, not of the code
   * that queued the task. */
  task = add_task (builder, record, instance, context_of (idle->cookie, idle->id));
  submission.stack = ns_stack_match_find (builder, record);
  ns_tasks_submit (builder, task, &submission);
  set_label (builder, task, idle);
}

static void
end_executing (NsBuilder *builder, const NsRecord *record)
{
  guint32 thread = ns_tasks_get_thread (builder, record->tid, record->pid, record->time_ns);
  NsRunId open = ns_tasks_find_open (builder, thread, NS_TASK_IDLE, 0);

  if (open != 0)
    ns_tasks_end (builder, open, record->time_ns);
}

static void
deregistered (NsBuilder *builder, const NsRecord *record, guint32 instance, const Idle *idle)
{
  NsTasks *self = builder->tasks;
  guint64 context = context_of (idle->cookie, idle->id);
  NsRow task = ns_map_take (self->keys, instance, context);

  if (task == 0)
    return;
  while (ns_tasks_info (self, task)->first_open != 0)
    ns_tasks_end (builder, ns_tasks_info (self, task)->first_open, record->time_ns);
  ns_tasks_finish_task (builder, task, NS_TASK_STATE_FINISHED, record->time_ns);
}

void
ns_pool_idle_event (NsBuilder *builder, const NsRecord *record)
{
  guint32 instance;
  Idle idle = { 0 };
  NsRow task;

  if ((record->flags & NS_RECORD_MANIFEST) == 0 || record->id < REGISTER ||
      record->id > UPDATE_QUEUED)
    return;
  if (record->id == PERIOD_END)
    {
      end_executing (builder, record);
      return;
    }
  if (record->id != REGISTER && record->id != DEREGISTER && record->id != EXECUTE &&
      record->id != UPDATE_QUEUED)
    return;

  ns_record_cursor (record, &idle.cursor);
  idle.cookie = (guint32) ns_cursor_u64 (&idle.cursor);
  idle.id = ns_cursor_u32 (&idle.cursor);
  if (!ns_cursor_ok (&idle.cursor))
    {
      builder->tasks->runs->n_skipped++;
      return;
    }
  instance = instance_of (builder, record);
  switch (record->id)
    {
    case REGISTER:
      registered (builder, record, instance, &idle);
      break;
    case DEREGISTER:
      deregistered (builder, record, instance, &idle);
      break;
    case EXECUTE:
      /* The previous task was requeued without an event. */
      end_executing (builder, record);
      task = ns_map_get (builder->tasks->keys, instance, context_of (idle.cookie, idle.id));
      if (task != 0)
        ns_tasks_begin (builder, task, record);
      break;
    case UPDATE_QUEUED:
    default:
      /* Here the second number is the kind of update. */
      if (idle.id == UPDATE_ADD)
        added (builder, record, instance);
      break;
    }
}
