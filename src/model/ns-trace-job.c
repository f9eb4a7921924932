/* Runs a function on a trace in a thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-trace-job.h"

typedef struct
{
  const NsTraceJob *job;
  NsTrace *trace;
  gpointer data;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  ns_trace_unref (work->trace);
  work->job->free_data (work->data);
  g_free (work);
}

static gboolean
work_progress (double fraction, gpointer user_data)
{
  return !g_cancellable_is_cancelled (user_data);
}

static void
work_worker (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  Work *work = task_data;
  gpointer result = work->job->run (work->trace, work->data, work_progress, cancellable);

  if (result == NULL)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped");
  else
    g_task_return_pointer (task, result, work->job->free_result);
}

/**
 * ns_trace_job_run_async:
 * @self: the job
 * @trace: a trace
 * @data: (transfer full): passed to the job
 * @cancellable: cancels the job
 * @callback: called when it has ended
 * @user_data: for @callback
 *
 * Runs the job in a thread.
 */
void
ns_trace_job_run_async (const NsTraceJob *self,
                        NsTrace *trace,
                        gpointer data,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Work *work = g_new0 (Work, 1);

  g_task_set_source_tag (task, (gpointer) self);
  work->job = self;
  work->trace = ns_trace_ref (trace);
  work->data = data;
  g_task_set_task_data (task, work, work_free);
  g_task_run_in_thread (task, work_worker);
}

/**
 * ns_trace_job_run_finish:
 * @self: the job
 * @result: passed to the callback
 * @error: %G_IO_ERROR_CANCELLED if it was cancelled
 *
 * Returns: (transfer full) (nullable): the result of the job
 */
gpointer
ns_trace_job_run_finish (const NsTraceJob *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, (gpointer) self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
