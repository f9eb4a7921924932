/* Makes a call tree of rows in a thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-call-tree-job.h"

#include "model/ns-trace-job.h"

typedef struct
{
  GArray *rows; /* guint32 */
  NsCallTreeOptions options;
  char **hidden;
} Wanted;

static void
wanted_free (gpointer data)
{
  Wanted *wanted = data;

  g_array_unref (wanted->rows);
  g_strfreev (wanted->hidden);
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
  Wanted *wanted = g_new0 (Wanted, 1);

  wanted->rows = g_array_sized_new (FALSE, FALSE, sizeof (guint32), rows->len);
  g_array_append_vals (wanted->rows, rows->data, rows->len);
  wanted->options = *options;
  wanted->hidden = g_strdupv ((char **) options->hidden);
  wanted->options.hidden = (const char *const *) wanted->hidden;
  ns_trace_job_run_async (&tree_job, trace, wanted, cancellable, callback, user_data);
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
  return ns_trace_job_run_finish (&tree_job, result, error);
}
