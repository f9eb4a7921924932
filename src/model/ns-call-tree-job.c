/* Makes a call tree of rows in a thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-call-tree-job.h"

typedef struct
{
  NsTrace *trace;
  GArray *rows; /* guint32 */
  NsCallTreeOptions options;
  char **hidden;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  ns_trace_unref (job->trace);
  g_array_unref (job->rows);
  g_strfreev (job->hidden);
  g_free (job);
}

static gboolean
job_progress (double fraction, gpointer user_data)
{
  return !g_cancellable_is_cancelled (user_data);
}

static void
job_worker (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  Job *job = task_data;
  NsCallTree *tree = ns_call_tree_new (job->trace,
                                       (const guint32 *) (gconstpointer) job->rows->data,
                                       job->rows->len,
                                       &job->options,
                                       job_progress,
                                       cancellable);

  if (tree == NULL)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped");
  else
    g_task_return_pointer (task, tree, (GDestroyNotify) ns_call_tree_free);
}

/**
 * ns_call_tree_job_run_async:
 * @trace: the trace
 * @rows: (element-type guint32): rows of the master table, 0-based; copied
 * @options: how to make the tree; its names must be safe to ask for in a thread
 * @cancellable: stops the work
 * @callback: called when it has ended
 * @user_data: for @callback
 *
 * Gathers the code paths of rows.
 */
void
ns_call_tree_job_run_async (NsTrace *trace,
                            const GArray *rows,
                            const NsCallTreeOptions *options,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  g_task_set_source_tag (task, ns_call_tree_job_run_async);
  job->trace = ns_trace_ref (trace);
  job->rows = g_array_sized_new (FALSE, FALSE, sizeof (guint32), rows->len);
  g_array_append_vals (job->rows, rows->data, rows->len);
  job->options = *options;
  job->hidden = g_strdupv ((char **) options->hidden);
  job->options.hidden = (const char *const *) job->hidden;
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, job_worker);
}

/**
 * ns_call_tree_job_run_finish:
 * @result: what the callback got
 * @error: %G_IO_ERROR_CANCELLED when it was stopped
 *
 * Returns: (transfer full) (nullable): the tree
 */
NsCallTree *
ns_call_tree_job_run_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (G_IS_TASK (result), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
