/* Finds, in a thread, the rows of all tables that belong to followed operations.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-follow-job.h"

#include "model/ns-trace-job.h"

typedef struct
{
  char *filter;
  guint32 pid;
} Followed;

static void
followed_free (gpointer data)
{
  g_free (((Followed *) data)->filter);
  g_free (data);
}

static gpointer
find_tables (NsTrace *trace, gpointer data, NsProgressFunc progress, gpointer progress_data)
{
  const Followed *followed = data;

  return ns_follow_tables_find (trace, followed->filter, followed->pid, progress, progress_data);
}

static gpointer
find_events (NsTrace *trace, gpointer data, NsProgressFunc progress, gpointer progress_data)
{
  return ns_follow_tables_find_events (trace, data, progress, progress_data);
}

static const NsTraceJob tables_job = { find_tables,
                                       followed_free,
                                       (GDestroyNotify) ns_follow_tables_free };
static const NsTraceJob events_job = { find_events, (GDestroyNotify) g_array_unref, g_free };

/**
 * ns_follow_job_find_async:
 * @trace: a trace
 * @filter: a filter of its operations
 * @pid: the followed process, or %NS_PID_UNKNOWN
 * @cancellable: cancels it
 * @callback: called when it has ended
 * @user_data: for @callback
 *
 * Runs ns_follow_tables_find() in a thread.
 */
void
ns_follow_job_find_async (NsTrace *trace,
                          const char *filter,
                          guint32 pid,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  Followed *followed = g_new (Followed, 1);

  *followed = (Followed){ g_strdup (filter), pid };
  ns_trace_job_run_async (&tables_job, trace, followed, cancellable, callback, user_data);
}

/**
 * ns_follow_job_find_finish:
 * @result: passed to the callback
 * @error: %G_IO_ERROR_CANCELLED if it was cancelled
 *
 * Returns: (transfer full) (nullable): the filters
 */
NsFollowTables *
ns_follow_job_find_finish (GAsyncResult *result, GError **error)
{
  return ns_trace_job_run_finish (&tables_job, result, error);
}

/**
 * ns_follow_job_find_events_async:
 * @trace: a trace
 * @rows: (element-type guint32): operations, 0-based; must not be changed
 * @cancellable: cancels it
 * @callback: called when it has ended
 * @user_data: for @callback
 *
 * Runs ns_follow_tables_find_events() in a thread.
 */
void
ns_follow_job_find_events_async (NsTrace *trace,
                                 const GArray *rows,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  ns_trace_job_run_async (&events_job,
                          trace,
                          g_array_ref ((GArray *) rows),
                          cancellable,
                          callback,
                          user_data);
}

/**
 * ns_follow_job_find_events_finish:
 * @result: passed to the callback
 * @error: %G_IO_ERROR_CANCELLED if it was cancelled
 *
 * Returns: (transfer full) (nullable): the filter of the table of events, if there is one
 */
char *
ns_follow_job_find_events_finish (GAsyncResult *result, GError **error)
{
  return ns_trace_job_run_finish (&events_job, result, error);
}
