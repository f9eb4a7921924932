/* Counts the values of a field in a thread, for suggestions while typing a filter.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-filter-values-job.h"

typedef struct
{
  NsTrace *trace;
  NsTableId table;
  const NsField *field;
  gboolean is_cut; /* set by the worker */
} Count;

static void
count_free (gpointer data)
{
  Count *count = data;

  ns_trace_unref (count->trace);
  g_free (count);
}

static gboolean
count_progress (double fraction, gpointer user_data)
{
  return !g_cancellable_is_cancelled (user_data);
}

static void
count_worker (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Count *count = task_data;
  guint n_rows = ns_table_get_n_rows (count->trace, count->table);
  GPtrArray *values = ns_filter_list_values (count->trace,
                                             count->field,
                                             n_rows,
                                             &count->is_cut,
                                             count_progress,
                                             cancellable);

  if (values != NULL)
    g_task_return_pointer (task, values, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped");
}

/**
 * ns_filter_values_list_async:
 * @trace: a trace
 * @table: a table
 * @field: a field of it
 * @cancellable: (nullable): cancels the count
 * @callback: called when it has ended
 * @user_data: for @callback
 *
 * Counts the values in all rows, independent of the current filter.
 */
void
ns_filter_values_list_async (NsTrace *trace,
                             NsTableId table,
                             const NsField *field,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Count *count = g_new0 (Count, 1);

  g_task_set_source_tag (task, ns_filter_values_list_async);
  count->trace = ns_trace_ref (trace);
  count->table = table;
  count->field = field;
  g_task_set_task_data (task, count, count_free);
  g_task_run_in_thread (task, count_worker);
}

/**
 * ns_filter_values_list_finish:
 * @result: passed to the callback
 * @is_cut: (out): whether some values were omitted
 * @error: %G_IO_ERROR_CANCELLED if it was cancelled
 *
 * Returns: (transfer full) (nullable) (element-type NsFilterValue): the values, most frequent first
 */
GPtrArray *
ns_filter_values_list_finish (GAsyncResult *result, gboolean *is_cut, GError **error)
{
  g_return_val_if_fail (G_IS_TASK (result), NULL);

  *is_cut = ((const Count *) g_task_get_task_data (G_TASK (result)))->is_cut;
  return g_task_propagate_pointer (G_TASK (result), error);
}
