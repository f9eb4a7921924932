/* Time that a task waited in a thread-pool queue before it started a network operation.
 *
 * Thread switches in stacks, phases, texts of findings and call trees all use these waits. Most
 * waits end before the operation begins, since the delayed work begins it; they are not part of
 * its duration.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/tasks/ns-pool-wait.h"

#include "engine/tasks/ns-runs.h"

#include <string.h>

/* Returns whether the run was queued in a thread pool. Timers wait on purpose, and threads may
 * be created long before the operation: neither delays it. */
static gboolean
is_pool (const NsTrace *trace, const NsRun *run, NsTaskKind *kind)
{
  const NsTaskRow *task = NS_ROW_AT (trace->tasks, NsTaskRow, run->task);
  const char *subtype = ns_trace_text (trace, task->subtype);

  *kind = task->kind;
  return task->kind != NS_TASK_NONE && task->kind != NS_TASK_THREAD &&
         task->kind != NS_TASK_TIMER && (subtype == NULL || strstr (subtype, "Timer") == NULL);
}

/* Returns whether the chain already has work with the same stack: work that requeues itself ran
 * before this operation was requested. */
static gboolean
is_repeated (const NsPoolWait *self, const NsTrace *trace, NsStackId stack)
{
  guint i;

  for (i = 0; stack != 0 && i < self->n_hops; i++)
    if (ns_runs_get_origin (trace->runs, self->hops[i].run)->stack == stack)
      return TRUE;
  return FALSE;
}

static void
walk (NsPoolWait *self, const NsTrace *trace, const NsActivityRow *row, gboolean only_inside)
{
  gint64 until_ns = row->close_ns == NS_TIME_OPEN ? trace->end_ns : row->close_ns;
  gint64 open_ns = row->open_ns;
  NsRunId id = row->link;

  self->n_hops = 0;
  self->before_ns = 0;
  self->inside_ns = 0;
  self->ran_ns = 0;
  if (id == 0 || trace->runs == NULL || !ns_runs_is_link (trace->runs, id) ||
      !ns_time_is_set (open_ns) || !ns_time_is_set (until_ns))
    return;
  for (; id != 0 && self->n_hops < NS_POOL_WAIT_MAX_HOPS; id = ns_runs_get_older (trace->runs, id))
    {
      const NsRun *run = ns_runs_get (trace->runs, id);
      const NsSubmission *origin = ns_runs_get_origin (trace->runs, id);
      NsPoolHop *hop = &self->hops[self->n_hops];

      if (origin->tid == NS_PID_UNKNOWN || run->start_ns < origin->time_ns ||
          run->start_ns > until_ns || (only_inside && run->start_ns <= open_ns) ||
          !is_pool (trace, run, &hop->kind) || is_repeated (self, trace, origin->stack))
        return;
      hop->run = id;
      hop->before_ns = MAX (MIN (run->start_ns, open_ns) - origin->time_ns, 0);
      hop->inside_ns = MAX (run->start_ns - MAX (origin->time_ns, open_ns), 0);
      hop->ran_ns = MAX (MIN (until_ns, open_ns) - run->start_ns, 0);
      self->before_ns += hop->before_ns;
      self->inside_ns += hop->inside_ns;
      self->ran_ns += hop->ran_ns;
      self->n_hops++;
      until_ns = origin->time_ns;
    }
}

/**
 * ns_pool_wait_find: (skip)
 * @self: (out caller-allocates): the waits
 * @trace: a trace
 * @row: an operation
 *
 * Follows the thread-pool links back from the operation, as long as the waits are contiguous.
 */
void
ns_pool_wait_find (NsPoolWait *self, const NsTrace *trace, const NsActivityRow *row)
{
  walk (self, trace, row, FALSE);
}

/**
 * ns_pool_wait_find_inside: (skip)
 * @self: (out caller-allocates): the waits
 * @trace: a trace
 * @row: an operation
 *
 * Like ns_pool_wait_find(), but only waits that end within the operation; most operations have
 * none.
 */
void
ns_pool_wait_find_inside (NsPoolWait *self, const NsTrace *trace, const NsActivityRow *row)
{
  walk (self, trace, row, TRUE);
}

/**
 * ns_pool_wait_get_total: (skip)
 * @trace: a trace
 * @row: an operation
 *
 * Returns: total time that its work waited for pool threads, before and within the operation, in
 *   ns; %NS_UNKNOWN if the trace records no waits for it
 */
gint64
ns_pool_wait_get_total (const NsTrace *trace, const NsActivityRow *row)
{
  gint64 inside_ns = ns_activity_row_get_phase (row, NS_PHASE_POOL);
  NsPoolWait wait;

  if (row->link == 0)
    return inside_ns;
  ns_pool_wait_find (&wait, trace, row);
  if (wait.n_hops == 0)
    return inside_ns;
  return ns_time_sum (wait.before_ns, MAX (inside_ns, 0));
}

/**
 * ns_pool_wait_get_lead: (skip)
 * @trace: a trace
 * @row: an operation
 *
 * Returns: time from the first queuing of the work that led to it to its begin, in ns; 0: unknown
 */
gint64
ns_pool_wait_get_lead (const NsTrace *trace, const NsActivityRow *row)
{
  NsPoolWait wait;

  if (row->link == 0)
    return 0;
  ns_pool_wait_find (&wait, trace, row);
  return ns_time_sum (wait.before_ns, wait.ran_ns);
}

/**
 * ns_pool_wait_get_kind: (skip)
 * @self: waits
 *
 * Returns: the kind of queue of all waits; %NS_TASK_NONE if they differ
 */
NsTaskKind
ns_pool_wait_get_kind (const NsPoolWait *self)
{
  guint i;

  for (i = 1; i < self->n_hops; i++)
    if (self->hops[i].kind != self->hops[0].kind)
      return NS_TASK_NONE;
  return self->n_hops > 0 ? self->hops[0].kind : NS_TASK_NONE;
}
