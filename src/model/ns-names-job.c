/* Creates, in a thread, the index from name resolutions to the connections that use their results.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-names-job.h"

static void
worker (GTask *task, gpointer source, gpointer trace, GCancellable *cancellable)
{
  g_task_return_pointer (task, ns_name_tree_new (trace), (GDestroyNotify) ns_name_tree_free);
}

static void
unref_trace (gpointer trace)
{
  ns_trace_unref (trace);
}

/**
 * ns_names_job_run_async:
 * @trace: a trace
 * @cancellable: discards the result
 * @callback: called when it is done
 * @user_data: for @callback
 *
 * Runs ns_name_tree_new() in a thread.
 */
void
ns_names_job_run_async (NsTrace *trace,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, ns_names_job_run_async);
  g_task_set_task_data (task, ns_trace_ref (trace), unref_trace);
  g_task_run_in_thread (task, worker);
}

/**
 * ns_names_job_run_finish:
 * @result: passed to the callback
 * @error: %G_IO_ERROR_CANCELLED if it was cancelled
 *
 * Returns: (transfer full) (nullable): the tree, which the trace must outlive
 */
NsNameTree *
ns_names_job_run_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (G_IS_TASK (result), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
