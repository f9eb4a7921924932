/* Creates the call tree of rows in a thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-call-tree-job.h"

#include "export/ns-export-file.h"
#include "export/ns-export-tree.h"
#include "model/ns-trace-job.h"

typedef struct
{
  GArray *rows; /* guint32 */
  NsCallTreeOptions options;
  char **hidden;
  NsTrace *trace; /* (nullable): only for writing */
  char *path;     /* (nullable): the output file */
} Wanted;

static Wanted *
wanted_new (const GArray *rows, const NsCallTreeOptions *options)
{
  Wanted *wanted = g_new0 (Wanted, 1);

  wanted->rows = g_array_sized_new (FALSE, FALSE, sizeof (guint32), rows->len);
  g_array_append_vals (wanted->rows, rows->data, rows->len);
  wanted->options = *options;
  wanted->hidden = g_strdupv ((char **) options->hidden);
  wanted->options.hidden = (const char *const *) wanted->hidden;
  return wanted;
}

static void
wanted_free (gpointer data)
{
  Wanted *wanted = data;

  g_array_unref (wanted->rows);
  g_strfreev (wanted->hidden);
  g_clear_pointer (&wanted->trace, ns_trace_unref);
  g_free (wanted->path);
  g_free (wanted);
}

static gpointer
make_tree (NsTrace *trace, gpointer data, NsProgressFunc progress, gpointer progress_data)
{
  const Wanted *wanted = data;

  return ns_call_tree_new (trace,
                           (const guint32 *) (gconstpointer) wanted->rows->data,
                           wanted->rows->len,
                           &wanted->options,
                           progress,
                           progress_data);
}

static const NsTraceJob tree_job = { make_tree, wanted_free, (GDestroyNotify) ns_call_tree_free };

/**
 * ns_call_tree_job_run_async:
 * @trace: the trace
 * @rows: (element-type guint32): rows of the table in @options, 0-based; copied
 * @options: options of the tree; its function names must be readable from a thread
 * @cancellable: cancels the job
 * @callback: called when it has ended
 * @user_data: for @callback
 *
 * Collects the call stacks of rows.
 */
void
ns_call_tree_job_run_async (NsTrace *trace,
                            const GArray *rows,
                            const NsCallTreeOptions *options,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  ns_trace_job_run_async (&tree_job,
                          trace,
                          wanted_new (rows, options),
                          cancellable,
                          callback,
                          user_data);
}

/**
 * ns_call_tree_job_run_finish:
 * @result: passed to the callback
 * @error: %G_IO_ERROR_CANCELLED if it was cancelled
 *
 * Returns: (transfer full) (nullable): the tree
 */
NsCallTree *
ns_call_tree_job_run_finish (GAsyncResult *result, GError **error)
{
  return ns_trace_job_run_finish (&tree_job, result, error);
}

static void
write_worker (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Wanted *wanted = data;
  GError *error = NULL;
  g_autoptr (NsExportFile) file = ns_export_file_new (wanted->path, &error);
  g_autoptr (NsCallTree) tree = NULL;

  if (file != NULL)
    tree = make_tree (wanted->trace, wanted, NULL, NULL);
  if (tree != NULL && ns_export_tree (tree, ns_export_file_write, file, &error) &&
      !g_cancellable_set_error_if_cancelled (cancellable, &error) &&
      ns_export_file_commit (file, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * ns_call_tree_job_write_async:
 * @trace: the trace
 * @rows: (element-type guint32): rows of the table in @options, 0-based; copied
 * @options: options of the tree; its function names must be readable from a thread
 * @path: the output file
 * @cancellable: (nullable): cancels the job; no file is left then
 * @callback: called when it has ended
 * @user_data: for @callback
 *
 * Writes the call stacks of rows as comma-separated values; on failure no file is left.
 */
void
ns_call_tree_job_write_async (NsTrace *trace,
                              const GArray *rows,
                              const NsCallTreeOptions *options,
                              const char *path,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Wanted *wanted = wanted_new (rows, options);

  wanted->trace = ns_trace_ref (trace);
  wanted->path = g_strdup (path);
  g_task_set_source_tag (task, ns_call_tree_job_write_async);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, wanted, wanted_free);
  g_task_run_in_thread (task, write_worker);
}

/**
 * ns_call_tree_job_write_finish:
 * @result: passed to the callback
 * @error: %NS_TRACE_ERROR_WRITE, or %G_IO_ERROR_CANCELLED
 *
 * Returns: whether the file was written
 */
gboolean
ns_call_tree_job_write_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
