/* Tasks, the threads that run them, and the links between them.
 *
 * Each queuing is a submission and each execution a run, so that work that is requeued while it
 * runs, or that fires repeatedly, keeps its history. A link is the run that a thread was
 * executing.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "engine/tasks/ns-tasks-private.h"
#include "engine/tasks/ns-tasks.h"

/* Returns the living thread with that ID, added if it was not recorded. 0: no thread. */
guint32
ns_tasks_get_thread (NsBuilder *builder, guint32 tid, guint32 pid, gint64 time_ns)
{
  NsTasks *self = builder->tasks;
  guint32 thread;
  NsTaskThread made = { .tid = tid,
                        .pid = pid,
                        .creator_pid = NS_PID_UNKNOWN,
                        .creator_tid = NS_PID_UNKNOWN,
                        .create_ns = NS_TIME_NONE,
                        .last_start_ns = NS_TIME_NONE,
                        .is_rundown = TRUE,
                        .is_alive = TRUE };

  if (tid == NS_PID_UNKNOWN || tid == 0)
    return 0;
  thread = ns_map_get (self->live, tid, 0);
  if (thread != 0)
    return thread;
  g_array_append_val (self->threads, made);
  ns_map_set (self->live, tid, 0, self->threads->len);
  return self->threads->len;
}

NsRow
ns_tasks_add (NsBuilder *builder,
              NsTaskKind kind,
              const char *subtype,
              guint32 pid,
              guint64 context,
              gint64 time_ns)
{
  NsTaskInfo info = { .state = NS_TASK_STATE_CREATED };
  NsTaskRow row = { .kind = kind,
                    .subtype = ns_strings_add (builder->trace->strings, subtype),
                    .pid = pid,
                    .tid_create = NS_PID_UNKNOWN,
                    .tid_run = NS_PID_UNKNOWN,
                    .create_ns = time_ns,
                    .start_ns = NS_TIME_NONE,
                    .stop_ns = NS_TIME_NONE,
                    .destroy_ns = NS_TIME_OPEN,
                    .context = context,
                    .period_ms = NS_UNKNOWN };

  g_array_append_val (builder->tasks->infos, info);
  g_array_append_val (builder->trace->tasks, row);
  return builder->trace->tasks->len;
}

/* Queues the task, or requeues it: later runs belong to this submission. */
void
ns_tasks_submit (NsBuilder *builder, NsRow task, const NsSubmission *submission)
{
  NsTasks *self = builder->tasks;
  NsTaskInfo *info = ns_tasks_info (self, task);
  NsTaskRow *row = ns_tasks_row (builder, task);
  NsSubmission copy = *submission;

  copy.task = task;
  g_array_append_val (self->runs->submissions, copy);
  info->submission = self->runs->submissions->len;
  if (row->tid_create == NS_PID_UNKNOWN)
    row->tid_create = copy.tid;
  if (row->stack == 0)
    row->stack = copy.stack;
}

/* Queues the task from the thread of the record, within the run that the thread executes: the
 * usual case. */
void
ns_tasks_submit_here (NsBuilder *builder, NsRow task, const NsRecord *record, NsStackId stack)
{
  NsSubmission submission = { .pid = record->pid,
                              .tid = record->tid,
                              .stack = stack,
                              .time_ns = record->time_ns };

  submission.link = ns_tasks_find_link (builder, record->tid, record->time_ns);
  ns_tasks_submit (builder, task, &submission);
}

void
ns_tasks_set_status (NsBuilder *builder, NsRow task, NsTaskStatus status)
{
  ns_tasks_info (builder->tasks, task)->status = status;
}

void
ns_tasks_finish_task (NsBuilder *builder, NsRow task, NsTaskState state, gint64 time_ns)
{
  NsTaskRow *row = ns_tasks_row (builder, task);

  ns_tasks_info (builder->tasks, task)->state = state;
  if (row->destroy_ns == NS_TIME_OPEN)
    row->destroy_ns = time_ns;
}

/* Updates the list of open runs after one has ended. Ended runs in the middle leave the list
 * once they are first, so no search is needed. */
static void
forget_ended (NsTasks *self, NsTaskInfo *info)
{
  const NsRun *first;

  info->n_open--;
  while (info->first_open != 0)
    {
      first = ns_runs_get (self->runs, info->first_open);
      if (first->stop_ns == NS_TIME_OPEN)
        return;
      info->first_open = first->next_open;
    }
  info->last_open = 0;
}

/* Updates the task's row with an ended run. */
static void
close_run (NsBuilder *builder, NsRunId id, gint64 time_ns)
{
  NsTasks *self = builder->tasks;
  NsRun *run = ns_runs_get (self->runs, id);
  NsTaskInfo *info = ns_tasks_info (self, run->task);
  NsTaskRow *row = ns_tasks_row (builder, run->task);
  guint32 thread = run->thread;
  guint32 mark = run->frame_mark;

  run->stop_ns = time_ns;
  row->stop_ns = info->n_open == 1 ? time_ns : NS_TIME_OPEN;
  row->running_ns += time_ns - run->start_ns;
  forget_ended (self, info);
  if (info->state == NS_TASK_STATE_START_EXEC && info->first_open == 0)
    info->state = NS_TASK_STATE_END_EXEC;
  /* End its dispatch-queue frames too, as a stale frame would hide all later queues. */
  if (row->kind == NS_TASK_OFFICE_POOL)
    ns_tasks_drop_frames (builder, thread, mark, time_ns);
}

/* Ends one run without an end event, but not the runs inside it. */
void
ns_tasks_end_implicitly (NsBuilder *builder, NsRunId id, gint64 time_ns)
{
  NsTasks *self = builder->tasks;
  NsRun *run = ns_runs_get (self->runs, id);
  NsTaskThread *thread = ns_tasks_thread (self, run->thread);
  NsRunId *link = &thread->top;

  if (run->stop_ns != NS_TIME_OPEN)
    return;
  while (*link != 0 && *link != id)
    link = &ns_runs_get (self->runs, *link)->under;
  if (*link == id)
    *link = run->under;
  run->is_implicit = TRUE;
  self->runs->n_implicit++;
  close_run (builder, id, time_ns);
}

/* Ends a run and all runs inside it. */
void
ns_tasks_end (NsBuilder *builder, NsRunId id, gint64 time_ns)
{
  NsTasks *self = builder->tasks;
  NsRun *run = ns_runs_get (self->runs, id);
  guint32 thread = run->thread;

  if (run->stop_ns != NS_TIME_OPEN)
    return;
  while (ns_tasks_thread (self, thread)->top != 0 && ns_tasks_thread (self, thread)->top != id)
    ns_tasks_end_implicitly (builder, ns_tasks_thread (self, thread)->top, time_ns);
  if (ns_tasks_thread (self, thread)->top == id)
    ns_tasks_thread (self, thread)->top = run->under;
  close_run (builder, id, time_ns);
}

/* Ends a run and its task: a posted callback is invoked once. */
void
ns_tasks_end_callback (NsBuilder *builder, NsRunId run, gint64 time_ns)
{
  NsRow task;

  if (run == 0)
    return;
  task = ns_runs_get (builder->tasks->runs, run)->task;
  ns_tasks_end (builder, run, time_ns);
  ns_tasks_finish_task (builder, task, NS_TASK_STATE_FINISHED, time_ns);
}

void
ns_tasks_pop_frame (NsBuilder *builder, guint32 thread, gint64 time_ns)
{
  NsTasks *self = builder->tasks;
  guint32 frame = ns_tasks_thread (self, thread)->frame;
  NsRunId run = ns_tasks_frame (self, frame)->run;

  ns_tasks_thread (self, thread)->frame = ns_tasks_frame (self, frame)->under;
  ns_tasks_frame (self, frame)->under = self->free_frame;
  ns_tasks_frame (self, frame)->run = 0;
  self->free_frame = frame;
  ns_tasks_end_callback (builder, run, time_ns);
}

/* Ends frames opened after @mark, whose end events were lost. */
void
ns_tasks_drop_frames (NsBuilder *builder, guint32 thread, guint32 mark, gint64 time_ns)
{
  NsTasks *self = builder->tasks;

  while (ns_tasks_thread (self, thread)->frame != 0)
    {
      if (ns_tasks_frame (self, ns_tasks_thread (self, thread)->frame)->serial <= mark)
        break;
      ns_tasks_pop_frame (builder, thread, time_ns);
    }
}

/* Returns the innermost open run of that kind on the thread, of @task unless it is 0. */
NsRunId
ns_tasks_find_open (NsBuilder *builder, guint32 thread, NsTaskKind kind, NsRow task)
{
  NsTasks *self = builder->tasks;
  NsRunId id = thread != 0 ? ns_tasks_thread (self, thread)->top : 0;
  guint n_steps = 0;

  while (id != 0 && n_steps++ < NS_TASKS_MAX_STEPS)
    {
      const NsRun *run = ns_runs_get (self->runs, id);

      if (ns_tasks_row (builder, run->task)->kind == kind && (task == 0 || run->task == task))
        return id;
      id = run->under;
    }
  return 0;
}

/* Ends runs whose end event was lost, as open runs would be found later. */
static void
end_stale (NsBuilder *builder, guint32 thread, NsRow task, gint64 time_ns)
{
  NsTaskKind kind = ns_tasks_row (builder, task)->kind;
  NsRow which = builder->tasks->has_losses ? 0 : task;
  NsRunId stale;

  while ((stale = ns_tasks_find_open (builder, thread, kind, which)) != 0)
    ns_tasks_end_implicitly (builder, stale, time_ns);
}

static NsRunId
begin_run (NsBuilder *builder, NsRow task, const NsRecord *record, gboolean is_nested)
{
  NsTasks *self = builder->tasks;
  guint32 number = ns_tasks_get_thread (builder, record->tid, record->pid, record->time_ns);
  NsTaskInfo *info = ns_tasks_info (self, task);
  NsTaskRow *row = ns_tasks_row (builder, task);
  NsTaskThread *thread;
  NsRun run = { .submission = info->submission,
                .task = task,
                .thread = number,
                .tid = record->tid,
                .start_ns = record->time_ns,
                .stop_ns = NS_TIME_OPEN };
  NsRunId id;

  if (number == 0)
    return 0;
  if (!is_nested)
    end_stale (builder, number, task, record->time_ns);
  thread = ns_tasks_thread (self, number);
  /* So far the thread was a task of its own; from now on it is a pool thread. */
  if (thread->creation != 0)
    ns_runs_get (self->runs, thread->creation)->stop_ns = record->time_ns;
  run.under = thread->top;
  run.frame_mark = self->frame_serial;
  g_array_append_val (self->runs->runs, run);
  id = self->runs->runs->len;
  thread->top = id;
  thread->last_start_ns = record->time_ns;

  if (info->last_open != 0)
    ns_runs_get (self->runs, info->last_open)->next_open = id;
  else
    info->first_open = id;
  info->last_open = id;
  info->n_open++;
  info->n_runs++;
  info->state = NS_TASK_STATE_START_EXEC;
  if (info->n_runs == 1)
    {
      row->start_ns = record->time_ns;
      row->run = id;
    }
  row->tid_run = record->tid;
  row->stop_ns = NS_TIME_OPEN;
  row->n_runs = info->n_runs;
  return id;
}

NsRunId
ns_tasks_begin (NsBuilder *builder, NsRow task, const NsRecord *record)
{
  return begin_run (builder, task, record, FALSE);
}

/* Begins a run of work that may be nested in other work of its kind, which continues. */
NsRunId
ns_tasks_begin_nested (NsBuilder *builder, NsRow task, const NsRecord *record)
{
  return begin_run (builder, task, record, TRUE);
}

/**
 * ns_tasks_find_link:
 * @builder: the builder, in the second walk
 * @tid: a thread
 * @time_ns: now
 *
 * Returns: the innermost run that the thread executes, or its own creation if it never served a
 *   pool; 0 if neither is known
 */
NsRunId
ns_tasks_find_link (NsBuilder *builder, guint32 tid, gint64 time_ns)
{
  NsTasks *self = builder->tasks;
  guint32 number = ns_map_get (self->live, tid, 0);
  const NsTaskThread *thread;
  const NsRun *run;
  guint n_steps = 0;
  NsRunId id;

  if (number == 0)
    return 0;
  thread = ns_tasks_thread (self, number);
  for (id = thread->top; id != 0 && n_steps++ < NS_TASKS_MAX_STEPS;
       id = ns_runs_get (self->runs, id)->under)
    if (ns_runs_get (self->runs, id)->start_ns <= time_ns)
      return id;
  if (thread->creation == 0 || !thread->is_adhoc)
    return 0;
  run = ns_runs_get (self->runs, thread->creation);
  return run->stop_ns == NS_TIME_OPEN && run->start_ns <= time_ns ? thread->creation : 0;
}

/**
 * ns_tasks_use_link:
 * @builder: the builder
 * @link: run in which a network row was made, or 0
 *
 * Marks the task and all tasks in its chain as leading to a network row.
 */
void
ns_tasks_use_link (NsBuilder *builder, NsRunId link)
{
  const NsRuns *runs = builder->trace->runs;
  guint n_hops = 0;

  if (!ns_runs_is_link (runs, link))
    return;
  /* The rest of the chain of a marked run is marked already. */
  for (; link != 0 && n_hops < runs->runs->len; link = ns_runs_get_older (runs, link), n_hops++)
    {
      NsTaskRow *row = ns_tasks_row (builder, ns_runs_get (runs, link)->task);
      NsRun *run = ns_runs_get (runs, link);

      if (run->is_used)
        break;
      run->is_used = TRUE;
      row->used = TRUE;
    }
}
