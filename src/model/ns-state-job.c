/* Collects, in a thread, the changes of system state recorded in a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-state-job.h"

static gboolean
job_progress (double fraction, gpointer user_data)
{
  return !g_cancellable_is_cancelled (user_data);
}

static void
job_worker (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  NsStateMarks *marks = ns_state_marks_find (task_data, job_progress, cancellable);

  if (marks != NULL)
    g_task_return_pointer (task, marks, (GDestroyNotify) ns_state_marks_unref);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped");
}

/**
 * ns_state_job_run_async:
 * @trace: the trace
 * @cancellable: cancels the job
 * @callback: called when it has ended
 * @user_data: for @callback
 *
 * Runs ns_state_marks_find() in a thread.
 */
void
ns_state_job_run_async (NsTrace *trace,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, ns_state_job_run_async);
  g_task_set_task_data (task, ns_trace_ref (trace), (GDestroyNotify) ns_trace_unref);
  g_task_run_in_thread (task, job_worker);
}

/**
 * ns_state_job_run_finish:
 * @result: passed to the callback
 * @error: %G_IO_ERROR_CANCELLED if it was cancelled
 *
 * Returns: (transfer full) (nullable): the marks
 */
NsStateMarks *
ns_state_job_run_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (G_IS_TASK (result), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
