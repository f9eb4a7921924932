/* The part for tasks: maps providers to pools, and completes the rows at the end.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "engine/stacks/ns-stack-match.h"
#include "engine/tasks/ns-tasks-private.h"

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

static void
start (NsBuilder *builder)
{
  NsTasks *self = g_new0 (NsTasks, 1);
  const NsEtlHeader *header = ns_etl_file_get_header (builder->trace->file);

  self->runs = ns_runs_new ();
  builder->trace->runs = self->runs;
  ns_trace_own (builder->trace, self->runs, (GDestroyNotify) ns_runs_free);
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

/* Frees state that only the walks need, before the rows are made. */
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

/* Sets the states and queuing tasks of the rows. */
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

static const NsPartTable tables[] = {
  NS_PART_TABLE (tasks, NsTaskRow, NULL),
};

const NsPart ns_tasks_part = {
  .name = "tasks",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = start,
  .learned = scanned,
  .number = finish,
  .stop = stop,
  .ops = ops,
  .n_ops = G_N_ELEMENTS (ops),
};
