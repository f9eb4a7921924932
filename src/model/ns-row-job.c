/* Finds, in a thread, the events of a row and their content, and the rows of an event.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-row-job.h"

#include "model/ns-trace-job.h"

typedef struct
{
  NsTableId table;
  guint32 row;
  NsRowContentOptions options;
} Place;

static Place *
place_new (NsTableId table, guint32 row, const NsRowContentOptions *options)
{
  Place *place = g_new (Place, 1);

  *place = (Place){ .table = table, .row = row };
  if (options != NULL)
    place->options = *options;
  return place;
}

static gpointer
find_events (NsTrace *trace, gpointer data, NsProgressFunc progress, gpointer progress_data)
{
  const Place *place = data;

  return ns_row_events_find (trace, place->table, place->row, progress, progress_data);
}

static gpointer
find_content (NsTrace *trace, gpointer data, NsProgressFunc progress, gpointer progress_data)
{
  const Place *place = data;

  return ns_row_content_find (trace,
                              place->table,
                              place->row,
                              &place->options,
                              progress,
                              progress_data);
}

static gpointer
find_rows (NsTrace *trace, gpointer data, NsProgressFunc progress, gpointer progress_data)
{
  const Place *place = data;

  return ns_event_rows_find (trace, place->row, progress, progress_data);
}

static const NsTraceJob rows_job = { find_rows, g_free, (GDestroyNotify) ns_event_rows_free };
static const NsTraceJob events_job = { find_events, g_free, (GDestroyNotify) ns_row_events_free };
static const NsTraceJob content_job = { find_content,
                                        g_free,
                                        (GDestroyNotify) ns_row_content_free };

/**
 * ns_row_job_find_events_async:
 * @trace: a trace
 * @table: a table
 * @row: one of its rows, 0-based
 * @cancellable: cancels the search
 * @callback: called when it has ended
 * @user_data: for @callback
 *
 * Runs ns_row_events_find() in a thread.
 */
void
ns_row_job_find_events_async (NsTrace *trace,
                              NsTableId table,
                              guint32 row,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  ns_trace_job_run_async (&events_job,
                          trace,
                          place_new (table, row, NULL),
                          cancellable,
                          callback,
                          user_data);
}

/**
 * ns_row_job_find_events_finish:
 * @result: passed to the callback
 * @error: %G_IO_ERROR_CANCELLED if it was cancelled
 *
 * Returns: (transfer full) (nullable): the events
 */
NsRowEvents *
ns_row_job_find_events_finish (GAsyncResult *result, GError **error)
{
  return ns_trace_job_run_finish (&events_job, result, error);
}

/**
 * ns_row_job_find_rows_async:
 * @trace: a trace
 * @event: row of the table of events, 0-based
 * @cancellable: cancels the search
 * @callback: called when it has ended
 * @user_data: for @callback
 *
 * Runs ns_event_rows_find() in a thread.
 */
void
ns_row_job_find_rows_async (NsTrace *trace,
                            guint32 event,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  ns_trace_job_run_async (&rows_job,
                          trace,
                          place_new (NS_TABLE_EVENTS, event, NULL),
                          cancellable,
                          callback,
                          user_data);
}

/**
 * ns_row_job_find_rows_finish:
 * @result: passed to the callback
 * @error: %G_IO_ERROR_CANCELLED if it was cancelled
 *
 * Returns: (transfer full) (nullable): the rows
 */
NsEventRows *
ns_row_job_find_rows_finish (GAsyncResult *result, GError **error)
{
  return ns_trace_job_run_finish (&rows_job, result, error);
}

/**
 * ns_row_job_find_content_async:
 * @trace: a trace
 * @table: a table
 * @row: one of its rows, 0-based
 * @options: limits of the content
 * @cancellable: cancels the search
 * @callback: called when it has ended
 * @user_data: for @callback
 *
 * Runs ns_row_content_find() in a thread.
 */
void
ns_row_job_find_content_async (NsTrace *trace,
                               NsTableId table,
                               guint32 row,
                               const NsRowContentOptions *options,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  ns_trace_job_run_async (&content_job,
                          trace,
                          place_new (table, row, options),
                          cancellable,
                          callback,
                          user_data);
}

/**
 * ns_row_job_find_content_finish:
 * @result: passed to the callback
 * @error: %G_IO_ERROR_CANCELLED if it was cancelled
 *
 * Returns: (transfer full) (nullable): the content
 */
NsRowContent *
ns_row_job_find_content_finish (GAsyncResult *result, GError **error)
{
  return ns_trace_job_run_finish (&content_job, result, error);
}
