/* Queued work and who runs it: threads with the runs they are in, and the links that follow.
 *
 * Each queuing is a submission and each execution a run, so that work which is queued again while
 * it runs, or fires again and again, keeps its history. A link is the run a thread was in.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "engine/ns-tasks-private.h"

static const char *const status_texts[] = {
  [NS_TASK_STATUS_NONE] = NULL,
  [NS_TASK_STATUS_ENQUEUE] = "CallbackEnqueue",
  [NS_TASK_STATUS_DEQUEUE] = "CallbackDequeue",
  [NS_TASK_STATUS_START] = "CallbackStart",
  [NS_TASK_STATUS_STOP] = "CallbackStop",
  [NS_TASK_STATUS_CANCEL] = "CallbackCancel",
  [NS_TASK_STATUS_SET] = "TimerSet",
  [NS_TASK_STATUS_EXPIRATION] = "TimerExpiration",
  [NS_TASK_STATUS_TIMER_CANCEL] = "TimerCancel",
};

static const char *const state_texts[] = {
  [NS_TASK_STATE_CREATED] = "Created",   [NS_TASK_STATE_START_EXEC] = "StartExec",
  [NS_TASK_STATE_END_EXEC] = "EndExec",  [NS_TASK_STATE_CANCELED] = "Canceled",
  [NS_TASK_STATE_FINISHED] = "Finished", [NS_TASK_STATE_FAULTED] = "Faulted",
};

/* The living thread with that id; one that was never told of is made up. 0: no thread at all. */
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

/* The task was queued, or queued again: from now on its runs come from there. */
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

/* The usual case: queued by the thread of the record, from whatever that thread executes. */
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

/* One of its runs has ended. Those in the middle of the list leave it when they have become first,
 * so that nobody searches for them. */
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

/* What an ended run leaves in the row of its task. */
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
  /* Its dispatch queues are left too; a frame that stayed would hide every later queue. */
  if (row->kind == NS_TASK_OFFICE_POOL)
    ns_pool_dispatch_drop_frames (builder, thread, mark, time_ns);
}

/* Takes one run out of its thread, leaving those inside it alone. */
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

/* The end of a run is also that of what it was interrupted by. */
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

/* The innermost open run of that kind on the thread; of that task, unless it is 0. */
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

/* Runs whose end must have been missed (stale ones would come to light again later). */
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
  /* The thread was its own task until now; from here on it is a dispatcher. */
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

/* For work that may run inside other work of its kind: that has not ended. */
NsRunId
ns_tasks_begin_nested (NsBuilder *builder, NsRow task, const NsRecord *record)
{
  return begin_run (builder, task, record, TRUE);
}

/**
 * ns_tasks_find_link:
 * @builder: the builder, in its second walk
 * @tid: a thread
 * @time_ns: now
 *
 * Returns: the innermost run the thread is in, or its own creation when it never served a pool; 0
 *   when neither is known
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
 * @link: what a network row was made in, or 0
 *
 * Marks the task and all behind it as leading to a network row.
 */
void
ns_tasks_use_link (NsBuilder *builder, NsRunId link)
{
  const NsRuns *runs = builder->trace->runs;
  guint n_hops = 0;

  if (!ns_runs_is_link (runs, link))
    return;
  /* What is marked has been followed to its end before. */
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

static void
start (NsBuilder *builder)
{
  NsTasks *self = g_new0 (NsTasks, 1);
  const NsEtlHeader *header = ns_etl_file_get_header (builder->trace->file);

  self->runs = ns_runs_new ();
  builder->trace->runs = self->runs;
  self->infos = g_array_new (FALSE, FALSE, sizeof (NsTaskInfo));
  self->threads = g_array_new (FALSE, FALSE, sizeof (NsTaskThread));
  self->slots = g_array_new (FALSE, FALSE, sizeof (NsTaskSlot));
  self->frames = g_array_new (FALSE, FALSE, sizeof (NsTaskFrame));
  self->counters = g_array_new (FALSE, FALSE, 2 * sizeof (guint32));
  self->live = ns_map_new ();
  self->spaces = ns_map_new ();
  self->keys = ns_map_new ();
  self->by_task = ns_map_new ();
  self->activities = ns_map_new ();
  self->classes = ns_task_classes_new ();
  self->dotnet = ns_dotnet_pool_new ();
  self->has_losses = header->events_lost > 0 || header->buffers_lost > 0;
  builder->tasks = self;
}

static void
scanned (NsBuilder *builder)
{
  ns_task_classes_resolve (builder);
  ns_pool_thread_rundown (builder);
}

/* States in words, and who queued whom. */
/* What only the walks needed: the rows, which come now, need the room. */
static void
drop_working_state (NsTasks *self)
{
  g_clear_pointer (&self->infos, g_array_unref);
  g_clear_pointer (&self->threads, g_array_unref);
  g_clear_pointer (&self->slots, g_array_unref);
  g_clear_pointer (&self->frames, g_array_unref);
  g_clear_pointer (&self->counters, g_array_unref);
  g_clear_pointer (&self->live, ns_map_free);
  g_clear_pointer (&self->spaces, ns_map_free);
  g_clear_pointer (&self->keys, ns_map_free);
  g_clear_pointer (&self->by_task, ns_map_free);
  g_clear_pointer (&self->activities, ns_map_free);
  g_clear_pointer (&self->classes, ns_task_classes_free);
  g_clear_pointer (&self->dotnet, ns_dotnet_pool_free);
}

static void
finish (NsBuilder *builder)
{
  NsTasks *self = builder->tasks;
  NsRow task;

  for (task = 1; task <= self->infos->len; task++)
    {
      const NsTaskInfo *info = ns_tasks_info (self, task);
      NsTaskRow *row = ns_tasks_row (builder, task);
      NsRunId link = row->run != 0 ? ns_runs_get_origin (self->runs, row->run)->link
                     : info->submission != 0
                         ? ns_runs_get_submission (self->runs, info->submission)->link
                         : 0;

      row->status = ns_strings_add (builder->trace->strings,
                                    info->status != NS_TASK_STATUS_NONE ? status_texts[info->status]
                                                                        : state_texts[info->state]);
      if (ns_runs_is_link (self->runs, link))
        row->parent = ns_runs_get (self->runs, link)->task;
    }
  ns_runs_summarize (self->runs);
  drop_working_state (self);
}

static void
stop (NsBuilder *builder)
{
  drop_working_state (builder->tasks);
  g_clear_pointer (&builder->tasks, g_free);
}

/* clang-format off */
static const NsProviderOps ops[] = {
  /* Thread pool of Windows. */
  { NS_GUID_THREAD_POOL,
    ns_task_classes_scan_windows, ns_pool_windows_event, ns_pool_windows_look_ahead,
    .has_stack = ns_stack_match_any },
  /* Threads of the kernel. */
  { NS_GUID_THREAD,
    NULL, ns_pool_thread_event,
    .has_stack = ns_stack_match_any },
  /* Microsoft-Windows-Kernel-Process. */
  { NS_GUID_KERNEL_PROCESS,
    NULL, ns_pool_kernel_process_event,
    .has_stack = ns_stack_match_any },
  /* Microsoft-Office-Threadpool. */
  { NS_GUID_OFFICE_THREADPOOL,
    ns_task_classes_scan_office, ns_pool_office_event, ns_pool_office_look_ahead,
    .has_stack = ns_stack_match_any },
  /* OfficeDispatchQueue. */
  { NS_GUID_OFFICE_DISPATCH_QUEUE,
    ns_task_classes_scan_dispatch, ns_pool_dispatch_event,
    .has_stack = ns_stack_match_any },
  /* Microsoft-Office-Events. */
  { NS_GUID_OFFICE_EVENTS,
    ns_task_classes_scan_idle, ns_pool_idle_event,
    .has_stack = ns_stack_match_any },
  /* Microsoft-Windows-WinHttp. */
  { NS_GUID_WINHTTP,
    NULL, ns_pool_winhttp_event,
    .has_stack = ns_pool_winhttp_has_stack },
  /* Microsoft-Windows-WebIO. */
  { NS_GUID_WEBIO,
    NULL, ns_pool_webio_event,
    .has_stack = ns_pool_winhttp_has_stack },
  /* System.Threading.Tasks.TplEventSource. */
  { NS_GUID_DOTNET_TASKS,
    NULL, ns_pool_dotnet_tasks_event,
    .has_stack = ns_pool_dotnet_has_stack },
  /* System.Diagnostics.Eventing.FrameworkEventSource. */
  { NS_GUID_DOTNET_FRAMEWORK,
    NULL, ns_pool_dotnet_framework_event,
    .has_stack = ns_pool_dotnet_has_stack },
  /* Microsoft-Windows-DotNETRuntime. */
  { NS_GUID_DOTNET_RUNTIME,
    NULL, ns_pool_dotnet_clr_event,
    .has_stack = ns_pool_dotnet_clr_has_stack },
};
/* clang-format on */

const NsPart ns_tasks_part = {
  .name = "tasks",
  .start = start,
  .scanned = scanned,
  .finish = finish,
  .stop = stop,
  .ops = ops,
  .n_ops = G_N_ELEMENTS (ops),
};
