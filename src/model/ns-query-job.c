/* Filters, sorts and groups a table in a thread; the result is a new array of row numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-query-job.h"

#include "base/ns-meanwhile.h"
#include "findings/ns-finding.h"

typedef struct
{
  NsTrace *trace;
  NsTableId table;
  NsFilter *filter; /* NULL for all rows */
  GArray *order;    /* NsOrderKey */
  NsGrouping *grouping;
  gboolean want_verdicts;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  ns_trace_unref (job->trace);
  g_clear_pointer (&job->filter, ns_filter_free);
  g_array_unref (job->order);
  ns_grouping_free (job->grouping);
  g_free (job);
}

/**
 * ns_query_rows_free:
 * @self: (transfer full) (nullable): a result
 */
void
ns_query_rows_free (NsQueryRows *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->rows, g_array_unref);
  ns_groups_free (self->groups);
  g_free (self->incomplete_reason);
  g_free (self);
}

static gboolean
job_progress (double fraction, gpointer user_data)
{
  return !g_cancellable_is_cancelled (user_data);
}

static GArray *
all_rows (guint n_rows)
{
  GArray *rows = g_array_sized_new (FALSE, FALSE, sizeof (guint32), n_rows);
  guint32 row;

  g_array_set_size (rows, n_rows);
  for (row = 0; row < n_rows; row++)
    g_array_index (rows, guint32, row) = row;
  return rows;
}

/* Removes rows from @n_all on; the rows are still in table order. */
static void
cut_rows (GArray *rows, guint n_all)
{
  while (rows->len > 0 && g_array_index (rows, guint32, rows->len - 1) >= n_all)
    g_array_set_size (rows, rows->len - 1);
}

/* Returns the number of rows; without verdicts only the findings, which precede them. */
static guint
count_all (const Job *job)
{
  NsSeverity worst;

  return job->table == NS_TABLE_FINDINGS && !job->want_verdicts
             ? ns_findings_count (job->trace, &worst)
             : ns_table_get_n_rows (job->trace, job->table);
}

/* Returns the rows in their order; NULL if cancelled. */
static GArray *
list_rows (const Job *job, GCancellable *cancellable)
{
  g_autoptr (GArray) rows = NULL;

  if (job->filter != NULL)
    rows = ns_filter_run (job->filter, job->trace, job->table, job_progress, cancellable);
  else
    rows = all_rows (count_all (job));
  if (rows == NULL)
    return NULL;
  if (job->filter != NULL)
    cut_rows (rows, count_all (job));
  if (job->order->len > 0 && !ns_order_sort (job->trace,
                                             (const NsOrderKey *) (gpointer) job->order->data,
                                             job->order->len,
                                             rows,
                                             job_progress,
                                             cancellable))
    return NULL;
  return g_steal_pointer (&rows);
}

static gpointer
answer_job (gpointer data)
{
  GTask *task = data;
  GCancellable *cancellable = g_task_get_cancellable (task);
  Job *job = g_task_get_task_data (task);
  g_autoptr (NsQueryRows) answer = g_new0 (NsQueryRows, 1);

  answer->rows = list_rows (job, cancellable);
  if (job->filter != NULL)
    answer->incomplete_reason = ns_filter_describe_incomplete (job->filter);
  if (answer->rows != NULL && job->grouping->fields->len > 0)
    {
      answer->groups = ns_groups_new (job->trace,
                                      job->table,
                                      answer->rows,
                                      ns_grouping_get_fields (job->grouping),
                                      job->grouping->fields->len,
                                      job_progress,
                                      cancellable);
      g_clear_pointer (&answer->rows, g_array_unref);
    }
  if (answer->groups != NULL)
    {
      ns_groups_sort (answer->groups, job->grouping->order, job->grouping->descending);
      ns_grouping_fold (job->grouping, job->trace, answer->groups);
    }
  if (answer->rows == NULL && answer->groups == NULL)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped");
  else
    g_task_return_pointer (task, g_steal_pointer (&answer), (GDestroyNotify) ns_query_rows_free);
  return NULL;
}

/* Runs the query. Findings are computed with a low priority, so that they do not delay queries the
 * user waits for. */
static void
job_worker (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  const Job *job = task_data;

  if (job->table == NS_TABLE_FINDINGS)
    ns_meanwhile_do_behind ("findings", answer_job, task);
  else
    answer_job (task);
}

/**
 * ns_query_job_run_async:
 * @trace: the trace
 * @table: the table
 * @filter: (transfer full) (nullable): the filter; %NULL for all rows
 * @order: (element-type NsOrderKey): sort keys, primary first; may be empty
 * @grouping: the grouping
 * @want_verdicts: for the findings, whether to include rules that found nothing
 * @cancellable: cancels the query
 * @callback: called when it has ended
 * @user_data: for @callback
 *
 * Computes the rows to show and their order.
 */
void
ns_query_job_run_async (NsTrace *trace,
                        NsTableId table,
                        NsFilter *filter,
                        const GArray *order,
                        const NsGrouping *grouping,
                        gboolean want_verdicts,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  g_task_set_source_tag (task, ns_query_job_run_async);
  job->trace = ns_trace_ref (trace);
  job->table = table;
  job->filter = filter;
  job->want_verdicts = want_verdicts;
  job->order = g_array_sized_new (FALSE, FALSE, sizeof (NsOrderKey), order->len);
  g_array_append_vals (job->order, order->data, order->len);
  job->grouping = ns_grouping_copy (grouping);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, job_worker);
}

/**
 * ns_query_job_run_finish:
 * @result: passed to the callback
 * @error: %G_IO_ERROR_CANCELLED if it was cancelled
 *
 * Returns: (transfer full) (nullable): the rows
 */
NsQueryRows *
ns_query_job_run_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (G_IS_TASK (result), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
