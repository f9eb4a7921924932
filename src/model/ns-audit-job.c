/* Creates, in a thread, the report of which process talked to which host.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-audit-job.h"

#include "export/ns-export-cell.h"
#include "model/ns-session-export.h"

typedef struct
{
  NsTrace *trace;
  GArray *rows; /* guint32 */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  ns_trace_unref (job->trace);
  g_array_unref (job->rows);
  g_free (job);
}

static gboolean
progress (double fraction, gpointer cancellable)
{
  return !g_cancellable_is_cancelled (cancellable);
}

static void
free_audit (gpointer audit)
{
  if (audit != NULL)
    ns_audit_free (audit);
}

static void
worker (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;

  g_task_return_pointer (task,
                         ns_audit_new (job->trace,
                                       (const guint32 *) (gpointer) job->rows->data,
                                       job->rows->len,
                                       progress,
                                       cancellable),
                         free_audit);
}

/**
 * ns_audit_job_run_async:
 * @session: a session
 * @cancellable: cancels the job
 * @callback: called when it is done
 * @user_data: for @callback
 *
 * Sums up the operations that pass the filter; the trace must outlive the report.
 */
void
ns_audit_job_run_async (NsSession *session,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  g_task_set_source_tag (task, ns_audit_job_run_async);
  job->trace = ns_trace_ref (ns_session_get_trace (session));
  job->rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  ns_session_export_append_rows (session, NS_TABLE_ACTIVITIES, NS_SESSION_FILTERED_ROWS, job->rows);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, worker);
}

/**
 * ns_audit_job_run_finish:
 * @result: passed to the callback
 * @error: %G_IO_ERROR_CANCELLED if it was cancelled
 *
 * Returns: (transfer full) (nullable): the report
 */
NsAudit *
ns_audit_job_run_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (G_IS_TASK (result), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
append_cell (GString *text, const char *cell)
{
  if (cell != NULL)
    ns_export_cell_append_tsv_text (text, cell, TRUE);
  g_string_append_c (text, '\t');
}

/**
 * ns_audit_job_to_text:
 * @audit: a report
 *
 * Returns: (transfer full): tab-separated text with a line for each host of each process; the
 *   column names are not translated, as in other copied tables
 */
char *
ns_audit_job_to_text (const NsAudit *audit)
{
  GString *text = g_string_new (
      "process\thost\tport\tprotocol\tcode\trows\tfailed\tsent\treceived\tfirst_ns\tlast_ns\n");
  guint i;

  for (i = 0; i < ns_audit_get_n_lines (audit); i++)
    {
      const NsAuditLine *line = ns_audit_get_line (audit, i);
      g_autofree char *process = ns_audit_dup_process (line);
      g_autofree char *layers = ns_audit_dup_layers (line);
      g_autofree char *port = line->port != 0 ? g_strdup_printf ("%u", line->port) : NULL;

      if (line->is_process)
        continue;
      append_cell (text, process);
      append_cell (text, line->host);
      append_cell (text, port);
      append_cell (text, layers);
      append_cell (text, line->code);
      g_string_append_printf (text,
                              "%u\t%u\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT
                              "\t%" G_GINT64_FORMAT "\t%" G_GINT64_FORMAT "\n",
                              line->n_rows,
                              line->n_failed,
                              line->sent,
                              line->received,
                              MAX (line->open_ns, 0),
                              MAX (line->close_ns, 0));
    }
  return g_string_free (text, FALSE);
}

/**
 * ns_audit_job_dup_filter:
 * @line: a line
 *
 * Returns: (transfer full) (nullable): a filter of the operations table for the rows of the line;
 *   %NULL if no field identifies them
 */
char *
ns_audit_job_dup_filter (const NsAuditLine *line)
{
  GString *filter = g_string_new (NULL);
  NsIp ip;

  if (line->pid != NS_PID_UNKNOWN)
    g_string_append_printf (filter, "pid=%u", line->pid);
  if (line->host != NULL && ns_ip_from_text (&ip, line->host))
    g_string_append_printf (filter, " ip=%s", line->host);
  else if (line->host != NULL)
    g_string_append_printf (filter, " server=\"%s\"", line->host);
  if (line->port != 0)
    g_string_append_printf (filter, " port=%u", line->port);
  if (filter->len == 0)
    {
      g_string_free (filter, TRUE);
      return NULL;
    }
  return g_strstrip (g_string_free (filter, FALSE));
}
