/* The code path of a row across threads: call stacks joined along thread switches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"
#include "engine/activities/ns-chain-missing.h"
#include "engine/activities/ns-chain.h"
#include "engine/tasks/ns-runs.h"

#define TRACING_FRAMES 3

static const char *const kinds[] = {
  [NS_TASK_NONE] = "None",
  [NS_TASK_DISPATCH_QUEUE] = "ODispatchQ",
  [NS_TASK_OFFICE_POOL] = "OTaskPool",
  [NS_TASK_IDLE] = "MsoIdlePool",
  [NS_TASK_POOL] = "WThreadPool",
  [NS_TASK_TIMER] = "WTimer",
  [NS_TASK_WINHTTP] = "WinHTTP",
  [NS_TASK_THREAD] = "Thread",
  [NS_TASK_DOTNET_TASK] = "DotNetTask",
  [NS_TASK_DOTNET_POOL] = "DotNetPool",
};

/* Runs of a chain, nearest first; of a very long chain, the nearest runs and the outermost one. */
typedef struct
{
  GArray *hops;    /* element-type NsRunId */
  guint n_omitted; /* runs omitted before the last one */
  NsRunId before;  /* omitted run that is nearest to the row; 0: none */
} Hops;

/**
 * ns_task_kind_to_text:
 * @kind: a kind of queued work
 *
 * Returns: (transfer none): its name
 */
const char *
ns_task_kind_to_text (NsTaskKind kind)
{
  return kinds[(guint) kind < G_N_ELEMENTS (kinds) ? kind : NS_TASK_NONE];
}

/**
 * ns_stack_missing_to_text:
 * @missing: reason why a stack is missing
 *
 * Returns: (transfer none) (nullable): the reason; %NULL if the stack is present
 */
const char *
ns_stack_missing_to_text (NsStackMissing missing)
{
  switch (missing)
    {
    case NS_STACK_PRESENT:
      return NULL;
    case NS_STACK_NOT_ENABLED:
      return "not enabled";
    case NS_STACK_LOST:
      return "lost";
    case NS_STACK_NOT_STACK_ENABLED:
      return "not stack-enabled";
    case NS_STACK_UNKNOWN:
    default:
      return "unknown";
    }
}

/* Returns the number of ETW logging frames at the leaf: TRACING_FRAMES frames of ntdll, followed
 * by the code that logs. */
static guint
count_tracing_frames (const NsTrace *trace, NsStackId stack, gint64 time_ns)
{
  guint n_frames;
  const guint64 *frames = ns_stacks_get (trace->stacks, stack, &n_frames);
  guint32 pid = ns_stacks_get_pid (trace->stacks, stack);
  guint i;

  if (n_frames < TRACING_FRAMES + 2)
    return 0;
  for (i = 0; i <= TRACING_FRAMES; i++)
    {
      NsRow row = ns_trace_find_image (trace, pid, frames[i], time_ns);
      NsString name = row != 0 ? NS_ROW_AT (trace->images, NsImageRow, row)->name : 0;
      gboolean is_ntdll = name != NS_STRING_NONE &&
                          g_ascii_strcasecmp (ns_trace_text (trace, name), "ntdll.dll") == 0;

      if (i < TRACING_FRAMES && !is_ntdll)
        return 0;
      if (i == TRACING_FRAMES && is_ntdll && n_frames > TRACING_FRAMES + 2)
        return 0;
    }
  return TRACING_FRAMES;
}

/* Collects each run once, also if damaged links form a loop. */
static void
collect_hops (const NsTrace *trace, NsRunId link, Hops *self)
{
  g_autoptr (NsMap) seen = ns_map_new ();
  const NsRunSummary *summary;
  NsRunId run = ns_runs_is_link (trace->runs, link) ? link : 0;

  for (; run != 0 && self->hops->len < NS_CHAIN_MAX_HOPS;
       run = ns_runs_get_older (trace->runs, run))
    {
      if (ns_map_get (seen, run, 0) != 0)
        return;
      ns_map_set (seen, run, 0, 1);
      g_array_append_val (self->hops, run);
    }
  if (run == 0 || ns_map_get (seen, run, 0) != 0)
    return;
  /* There are more runs than are kept: the outermost one replaces the last. */
  summary = &g_array_index (trace->runs->summaries, NsRunSummary, run - 1);
  self->n_omitted = summary->n_hops;
  self->before = g_array_index (self->hops, NsRunId, self->hops->len - 1);
  if (ns_map_get (seen, summary->root, 0) == 0)
    g_array_index (self->hops, NsRunId, self->hops->len - 1) = summary->root;
}

static void
add_hop (NsChain *self, const NsTrace *trace, NsRunId id)
{
  const NsRun *run = ns_runs_get (trace->runs, id);
  const NsSubmission *origin = ns_runs_get_origin (trace->runs, id);
  const NsTaskRow *task = NS_ROW_AT (trace->tasks, NsTaskRow, run->task);
  NsChainElement element = { .pid = origin->pid,
                             .tid_enqueue = origin->tid,
                             .tid_run = run->tid,
                             .create_ns = origin->time_ns,
                             .start_ns = NS_TIME_NONE,
                             .queued_ns = NS_UNKNOWN,
                             .stack = origin->stack,
                             .time_ns = origin->time_ns };

  if (element.stack == 0)
    element.missing = origin->tid == NS_PID_UNKNOWN
                          ? NS_STACK_UNKNOWN
                          : ns_chain_why_missing_of_task (trace, task->kind);
  g_array_append_val (self->elements, element);
}

/* Sets the pool that dispatched the element's code: the one to which the previous element queued
 * work. */
static void
set_dispatcher (NsChainElement *element, const NsTrace *trace, NsRunId id)
{
  const NsRun *run = ns_runs_get (trace->runs, id);
  const NsSubmission *origin = ns_runs_get_origin (trace->runs, id);
  const NsTaskRow *task = NS_ROW_AT (trace->tasks, NsTaskRow, run->task);

  element->kind = task->kind;
  element->subtype = ns_trace_text (trace, task->subtype);
  element->label = task->label;
  element->start_ns = run->start_ns;
  if (origin->tid != NS_PID_UNKNOWN && run->start_ns >= origin->time_ns)
    element->queued_ns = run->start_ns - origin->time_ns;
}

/**
 * ns_chain_new:
 * @trace: a trace
 * @stack: the stack of the row, or 0
 * @tid: its thread
 * @link: run that the thread was executing, or 0
 * @time_ns: time of the row
 *
 * Follows the links back to the first work that was queued, up to %NS_CHAIN_MAX_HOPS.
 *
 * Returns: (transfer full): the chain, outermost element first; the row itself is the last element
 */
NsChain *
ns_chain_new (const NsTrace *trace, NsStackId stack, guint32 tid, NsRunId link, gint64 time_ns)
{
  NsChain *self = g_new0 (NsChain, 1);
  g_autoptr (GArray) runs = g_array_new (FALSE, FALSE, sizeof (NsRunId));
  Hops hops = { runs, 0, 0 };
  NsChainElement last = { .pid = ns_stacks_get_pid (trace->stacks, stack),
                          .tid_enqueue = NS_PID_UNKNOWN,
                          .tid_run = tid,
                          .create_ns = NS_TIME_NONE,
                          .start_ns = NS_TIME_NONE,
                          .queued_ns = NS_UNKNOWN,
                          .stack = stack,
                          .missing = stack != 0 ? NS_STACK_PRESENT : NS_STACK_UNKNOWN,
                          .time_ns = time_ns };
  guint i;

  self->elements = g_array_new (FALSE, FALSE, sizeof (NsChainElement));
  self->view = ns_view_context_get_chain_view (trace->view);
  if (trace->runs != NULL)
    collect_hops (trace, link, &hops);
  for (i = runs->len; i > 0; i--)
    add_hop (self, trace, g_array_index (runs, NsRunId, i - 1));
  g_array_append_val (self->elements, last);
  for (i = 1; i < self->elements->len; i++)
    set_dispatcher (&g_array_index (self->elements, NsChainElement, i),
                    trace,
                    g_array_index (runs, NsRunId, runs->len - i));
  if (hops.n_omitted > 0)
    {
      g_array_index (self->elements, NsChainElement, 1).omitted = hops.n_omitted;
      g_array_index (self->elements, NsChainElement, 1).truncated = TRUE;
      set_dispatcher (&g_array_index (self->elements, NsChainElement, 1), trace, hops.before);
    }

  ns_chain_collapse (self);
  for (i = 0; i < self->elements->len; i++)
    {
      NsChainElement *element = &g_array_index (self->elements, NsChainElement, i);

      if (element->stack != 0 && !(self->view & NS_CHAIN_VIEW_TRACING))
        element->n_hidden_leaf = count_tracing_frames (trace, element->stack, element->time_ns);
    }
  return self;
}

/**
 * ns_chain_new_for_activity:
 * @trace: a trace
 * @activity: a row of the master table
 *
 * Returns: (transfer full) (nullable): its chain; %NULL if there is no such row
 */
NsChain *
ns_chain_new_for_activity (const NsTrace *trace, NsRow activity)
{
  const NsActivityRow *row;
  NsChainElement *last;
  NsChain *self;

  if (activity == 0 || activity > trace->activities->len)
    return NULL;
  row = NS_ROW_AT (trace->activities, NsActivityRow, activity);
  self = ns_chain_new (trace, row->stack, row->stack_tid, row->link, row->open_ns);
  last = &g_array_index (self->elements, NsChainElement, self->elements->len - 1);
  last->pid = row->pid;
  if (row->stack == 0)
    last->missing = ns_chain_why_missing_of_table (trace, row->source_table);
  return self;
}

/**
 * ns_chain_new_for_task:
 * @trace: a trace
 * @task: a row of the table of tasks
 *
 * If the task ran, the last element is its first run, which has no stack of its own; otherwise the
 * code that queued it.
 *
 * Returns: (transfer full) (nullable): its chain; %NULL if there is no such row
 */
NsChain *
ns_chain_new_for_task (const NsTrace *trace, NsRow task)
{
  const NsTaskRow *row;
  NsChain *self;

  if (task == 0 || task > trace->tasks->len)
    return NULL;
  row = NS_ROW_AT (trace->tasks, NsTaskRow, task);
  if (row->run != 0)
    self = ns_chain_new (trace, 0, row->tid_run, row->run, row->start_ns);
  else
    self = ns_chain_new (trace, row->stack, row->tid_create, 0, row->create_ns);
  g_array_index (self->elements, NsChainElement, self->elements->len - 1).pid = row->pid;
  return self;
}

/**
 * ns_chain_count_hidden: (skip)
 * @trace: a trace
 * @stack: a stack
 * @time_ns: when it was taken
 *
 * Returns: number of frames at its leaf that a new chain hides as tracing frames
 */
guint
ns_chain_count_hidden (const NsTrace *trace, NsStackId stack, gint64 time_ns)
{
  if (stack == 0 || (ns_view_context_get_chain_view (trace->view) & NS_CHAIN_VIEW_TRACING) != 0)
    return 0;
  return count_tracing_frames (trace, stack, time_ns);
}

/**
 * ns_chain_free:
 * @self: (transfer full) (nullable): a chain
 */
void
ns_chain_free (NsChain *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->elements);
  g_free (self);
}
