/* Threads as tasks: a thread outside a pool is a task queued by its creating thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/stacks/ns-stack-match.h"
#include "engine/tasks/ns-tasks-private.h"

enum
{
  THREAD_START = 1,
  THREAD_END = 2,
};

enum
{
  MANIFEST_THREAD_START = 3,
  MANIFEST_THREAD_STOP = 4,
};

/* Maximum time between two records of one creation, in a file merged from two sessions. */
#define DUPLICATE_NS (NS_PER_SECOND / 1000)

/* Last process ID of the system: 0 is the idle loop, 4 the kernel. */
#define LAST_SYSTEM_PID 4

static void
exit_thread (NsBuilder *builder, guint32 number, gint64 time_ns)
{
  NsTasks *self = builder->tasks;
  NsTaskThread *thread = ns_tasks_thread (self, number);

  while (thread->top != 0)
    ns_tasks_end_implicitly (builder, thread->top, time_ns);
  ns_tasks_drop_frames (builder, number, 0, time_ns);
  if (thread->creation != 0)
    {
      NsRun *run = ns_runs_get (self->runs, thread->creation);
      NsTaskRow *row = ns_tasks_row (builder, run->task);

      if (run->stop_ns == NS_TIME_OPEN)
        run->stop_ns = time_ns;
      row->stop_ns = time_ns;
      row->running_ns = time_ns - row->start_ns;
      ns_tasks_finish_task (builder, run->task, NS_TASK_STATE_FINISHED, time_ns);
    }
  thread->is_alive = FALSE;
  ns_map_take (self->live, thread->tid, 0);
}

/* Begins a run for the creation of a thread, as its outermost run. */
static void
add_creation (NsBuilder *builder, const NsRecord *record, guint32 number)
{
  NsTasks *self = builder->tasks;
  NsTaskThread *thread = ns_tasks_thread (self, number);
  NsRow task =
      ns_tasks_add (builder, NS_TASK_THREAD, "Create", thread->pid, thread->tid, record->time_ns);
  NsTaskRow *row;
  NsRun run = { .task = task,
                .thread = number,
                .tid = thread->tid,
                .start_ns = record->time_ns,
                .stop_ns = NS_TIME_OPEN };

  ns_tasks_submit_here (builder, task, record, ns_stack_match_find (builder, record));
  run.submission = ns_tasks_info (self, task)->submission;
  g_array_append_val (self->runs->runs, run);
  ns_tasks_thread (self, number)->creation = self->runs->runs->len;
  ns_tasks_info (self, task)->state = NS_TASK_STATE_START_EXEC;

  row = ns_tasks_row (builder, task);
  row->callback = thread->start_address;
  row->tid_run = thread->tid;
  row->start_ns = record->time_ns;
  row->stop_ns = NS_TIME_OPEN;
  row->run = self->runs->runs->len;
  row->n_runs = 1;
}

/* Returns whether the creation was logged twice: the first record is kept, with the stack of the
 * second if it has none. */
static gboolean
is_repeated (NsBuilder *builder, const NsRecord *record, guint32 old, const NsTaskThread *thread)
{
  NsTasks *self = builder->tasks;
  const NsTaskThread *before = old != 0 ? ns_tasks_thread (self, old) : NULL;
  NsSubmission *submission;
  NsTaskRow *row;

  if (before == NULL || before->is_rundown || before->creation == 0 || before->pid != thread->pid ||
      before->start_address != thread->start_address ||
      before->creator_pid != thread->creator_pid || before->creator_tid != thread->creator_tid ||
      record->time_ns - before->create_ns > DUPLICATE_NS)
    return FALSE;
  submission = ns_runs_get_origin (self->runs, before->creation);
  if (submission->stack == 0)
    submission->stack = ns_stack_match_find (builder, record);
  row = ns_tasks_row (builder, ns_runs_get (self->runs, before->creation)->task);
  row->stack = submission->stack;
  return TRUE;
}

static void
created (NsBuilder *builder, const NsRecord *record, guint32 pid, guint32 tid, guint64 address)
{
  NsTasks *self = builder->tasks;
  NsTaskThread thread = { .tid = tid,
                          .pid = pid,
                          .creator_pid = record->pid,
                          .creator_tid = record->tid,
                          .start_address = address,
                          .create_ns = record->time_ns,
                          .last_start_ns = record->time_ns,
                          .is_alive = TRUE };
  guint32 old = ns_map_get (self->live, tid, 0);

  if (is_repeated (builder, record, old, &thread))
    return;
  if (old != 0)
    exit_thread (builder, old, record->time_ns);
  thread.is_adhoc =
      record->pid == pid && ns_task_classes_is_adhoc (builder, pid, address, record->time_ns);
  g_array_append_val (self->threads, thread);
  ns_map_set (self->live, tid, 0, self->threads->len);
  add_creation (builder, record, self->threads->len);
}

static void
read_event (NsBuilder *builder, const NsRecord *record, gboolean is_start)
{
  NsCursor cursor;
  guint32 pid;
  guint32 tid;
  guint64 address = 0;
  guint32 thread;

  ns_record_cursor (record, &cursor);
  pid = ns_cursor_u32 (&cursor);
  tid = ns_cursor_u32 (&cursor);
  if ((record->flags & NS_RECORD_MANIFEST) == 0 && record->version == 0)
    {
      guint32 swap = pid;

      pid = tid;
      tid = swap;
    }
  if (!ns_cursor_ok (&cursor) || tid == 0 || pid <= LAST_SYSTEM_PID)
    return;
  if (!is_start)
    {
      thread = ns_map_get (builder->tasks->live, tid, 0);
      if (thread != 0 && ns_tasks_thread (builder->tasks, thread)->pid == pid)
        exit_thread (builder, thread, record->time_ns);
      return;
    }
  ns_cursor_skip (&cursor, 5 * (gsize) record->pointer_size);
  address = ns_cursor_ptr (&cursor, record->pointer_size);
  created (builder, record, pid, tid, address);
}

void
ns_pool_thread_event (NsBuilder *builder, const NsRecord *record)
{
  if ((record->flags & NS_RECORD_MANIFEST) == 0 &&
      (record->opcode == THREAD_START || record->opcode == THREAD_END))
    read_event (builder, record, record->opcode == THREAD_START);
}

void
ns_pool_kernel_process_event (NsBuilder *builder, const NsRecord *record)
{
  if ((record->flags & NS_RECORD_MANIFEST) != 0 &&
      (record->id == MANIFEST_THREAD_START || record->id == MANIFEST_THREAD_STOP))
    read_event (builder, record, record->id == MANIFEST_THREAD_START);
}

/* Adds threads from before the trace, before any of their events. */
void
ns_pool_thread_rundown (NsBuilder *builder)
{
  const GArray *rows = builder->trace->threads;
  guint i;

  for (i = 0; i < rows->len; i++)
    {
      const NsThreadRow *row = &g_array_index (rows, NsThreadRow, i);
      guint32 thread;

      if (!row->before_trace || row->pid <= LAST_SYSTEM_PID)
        continue;
      thread = ns_tasks_get_thread (builder, row->tid, row->pid, NS_TIME_NONE);
      if (thread != 0 && ns_tasks_thread (builder->tasks, thread)->pid == row->pid)
        ns_tasks_thread (builder->tasks, thread)->start_address = row->start_address;
    }
}
