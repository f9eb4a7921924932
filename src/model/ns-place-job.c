/* Finds, in a thread, the rows that a copied text refers to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-place-job.h"

#include "model/ns-session-private.h"

#define LOOK_ROWS 4096

/* Input of the worker. The rows are captured when no filter or sort is running: outdated rows would
 * not tell which rows are hidden. */
typedef struct
{
  NsSession *session; /* until the rows are captured */
  gulong rows_changed;
  NsTrace *trace;
  NsPlace *place;
  NsTableId first;
  GArray *shown[NS_N_TABLES]; /* (nullable): NULL for a table that was never shown, which means all
                               * rows */
} Job;

static void
leave_session (Job *job)
{
  g_clear_signal_handler (&job->rows_changed, job->session);
  g_clear_object (&job->session);
}

static void
job_free (gpointer data)
{
  Job *job = data;
  guint table;

  leave_session (job);
  for (table = 0; table < NS_N_TABLES; table++)
    g_clear_pointer (&job->shown[table], g_array_unref);
  ns_place_free (job->place);
  ns_trace_unref (job->trace);
  g_free (job);
}

static void
hit_free (gpointer data)
{
  ns_place_hit_clear (data);
  g_free (data);
}

/* Returns the first row that passes the filter; %NULL @rows are all rows. */
static gboolean
find_first (const Job *job,
            NsTableId table,
            const NsFilter *filter,
            const GArray *rows,
            GCancellable *stop,
            guint32 *found)
{
  guint n_rows = rows != NULL ? rows->len : ns_table_get_n_rows (job->trace, table);
  guint i;

  for (i = 0; i < n_rows; i++)
    {
      guint32 row = rows != NULL ? g_array_index (rows, guint32, i) : i;

      if (i % LOOK_ROWS == 0 && g_cancellable_is_cancelled (stop))
        return FALSE;
      if (ns_filter_matches (filter, job->trace, row))
        {
          *found = row;
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
look_in (const Job *job, NsTableId table, guint step, GCancellable *stop, NsPlaceHit *hit)
{
  g_autofree char *text = ns_place_to_filter (job->place, job->trace, table, step);
  g_autoptr (NsFilter) filter = NULL;

  if (text != NULL && ns_table_get_n_rows (job->trace, table) > 0)
    filter = ns_filter_new (table, text, NULL, NULL);
  if (filter == NULL)
    return FALSE;
  hit->is_hidden = !find_first (job, table, filter, job->shown[table], stop, &hit->row);
  if (hit->is_hidden && !find_first (job, table, filter, NULL, stop, &hit->row))
    return FALSE;
  hit->table = table;
  hit->filter = g_steal_pointer (&text);
  return TRUE;
}

/* Searches the table in front first, then the other tables, and the events last. */
static gboolean
look_everywhere (const Job *job, guint step, GCancellable *stop, NsPlaceHit *hit)
{
  guint table;

  if (look_in (job, job->first, step, stop, hit))
    return TRUE;
  for (table = 0; table < NS_N_TABLES; table++)
    if (table != job->first && table != NS_TABLE_EVENTS && table != NS_TABLE_CHROMIUM_EVENTS &&
        look_in (job, (NsTableId) table, step, stop, hit))
      return TRUE;
  return job->first != NS_TABLE_EVENTS && look_in (job, NS_TABLE_EVENTS, step, stop, hit);
}

/* Finds the row that begins first at or after the given time, or else the last one before it. */
static gboolean
look_for_time (const Job *job, GCancellable *stop, NsPlaceHit *hit)
{
  static const char *const ids[] = { "open_ns",   "time_ns", "start_ns",
                                     "create_ns", "load_ns", "first_ns" };
  const GArray *rows = job->shown[job->first];
  guint n_rows = rows != NULL ? rows->len : ns_table_get_n_rows (job->trace, job->first);
  const gint64 wanted_ns = job->place->span.begin_ns;
  const NsField *begin = NULL;
  gint64 best_ns = NS_TIME_NONE;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ids) && begin == NULL; i++)
    begin = ns_table_find_field (job->first, ids[i]);
  for (i = 0; i < n_rows && begin != NULL; i++)
    {
      guint32 row = rows != NULL ? g_array_index (rows, guint32, i) : i;
      NsFieldValue value;
      gboolean is_better;

      if (i % LOOK_ROWS == 0 && g_cancellable_is_cancelled (stop))
        return FALSE;
      ns_field_get (job->trace, begin, row, &value);
      if (value.is_null)
        continue;
      if (best_ns == NS_TIME_NONE)
        is_better = TRUE;
      else if (best_ns >= wanted_ns)
        is_better = value.v.i >= wanted_ns && value.v.i < best_ns;
      else
        is_better = value.v.i > best_ns;
      if (is_better)
        {
          best_ns = value.v.i;
          hit->row = row;
        }
      ns_field_value_clear (&value);
    }
  hit->table = job->first;
  return best_ns != NS_TIME_NONE;
}

static void
job_worker (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Job *job = task_data;
  NsPlaceHit *hit = g_new0 (NsPlaceHit, 1);
  gboolean is_found = FALSE;
  guint n_steps = ns_place_get_n_steps (job->place);
  guint step;

  if (job->place->kind == NS_PLACE_TIME)
    is_found = look_for_time (job, cancellable, hit);
  for (step = 0; step < n_steps && job->place->kind == NS_PLACE_ROWS && !is_found; step++)
    is_found = look_everywhere (job, step, cancellable, hit);
  if (is_found && !g_cancellable_is_cancelled (cancellable))
    {
      g_task_return_pointer (task, hit, hit_free);
      return;
    }
  hit_free (hit);
  g_task_return_new_error (task,
                           G_IO_ERROR,
                           g_cancellable_is_cancelled (cancellable) ? G_IO_ERROR_CANCELLED
                                                                    : G_IO_ERROR_NOT_FOUND,
                           "no such place");
}

/* Returns whether no query is running. Running findings are not waited for, because no filter hides
 * them. */
static gboolean
is_settled (NsSession *session)
{
  guint table;

  for (table = 0; table < NS_N_TABLES; table++)
    if (ns_session_is_busy (session, (NsTableId) table) &&
        (table != NS_TABLE_FINDINGS || session->views[table].has_rows))
      return FALSE;
  return TRUE;
}

/* Starts the search when no query is running, or ends it when it is cancelled. */
static void
begin_if_settled (GTask *task)
{
  Job *job = g_task_get_task_data (task);
  guint table;

  if (!is_settled (job->session) && !g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    return;
  for (table = 0; table < NS_N_TABLES; table++)
    if (job->session->views[table].has_rows)
      job->shown[table] =
          g_array_ref ((GArray *) ns_row_list_get_rows (job->session->views[table].rows));
  leave_session (job);
  g_task_run_in_thread (task, job_worker);
}

static void
rows_changed_cb (NsSession *session, guint table, gpointer user_data)
{
  g_autoptr (GTask) task = g_object_ref (user_data);

  begin_if_settled (task);
}

/**
 * ns_place_hit_clear:
 * @self: a hit
 */
void
ns_place_hit_clear (NsPlaceHit *self)
{
  g_clear_pointer (&self->filter, g_free);
}

/**
 * ns_place_job_run_async:
 * @session: a session
 * @place: (transfer full): rows or a time
 * @first: the table to search first
 * @cancellable: (nullable): cancels the search
 * @callback: called when it has ended
 * @user_data: for @callback
 *
 * Waits for running queries. Then tries the most specific interpretation of @place in all tables
 * before a less specific one.
 */
void
ns_place_job_run_async (NsSession *session,
                        NsPlace *place,
                        NsTableId first,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  g_task_set_source_tag (task, ns_place_job_run_async);
  job->session = g_object_ref (session);
  job->trace = ns_trace_ref (ns_session_get_trace (session));
  job->place = place;
  job->first = first;
  g_task_set_task_data (task, job, job_free);
  job->rows_changed = g_signal_connect_data (session,
                                             "rows-changed",
                                             G_CALLBACK (rows_changed_cb),
                                             g_object_ref (task),
                                             (GClosureNotify) (GCallback) g_object_unref,
                                             0);
  begin_if_settled (task);
}

/**
 * ns_place_job_run_finish:
 * @result: passed to the callback
 * @hit: (out caller-allocates): the location
 * @error: %G_IO_ERROR_NOT_FOUND, or %G_IO_ERROR_CANCELLED
 *
 * Returns: whether it was found
 */
gboolean
ns_place_job_run_finish (GAsyncResult *result, NsPlaceHit *hit, GError **error)
{
  NsPlaceHit *found = g_task_propagate_pointer (G_TASK (result), error);

  *hit = (NsPlaceHit){ 0 };
  if (found == NULL)
    return FALSE;
  *hit = *found;
  g_free (found);
  return TRUE;
}
