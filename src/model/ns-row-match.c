/* Finds rows of a trace again after a reload of the grown file.
 *
 * New buffers of another processor may contain older events, so a row may get another number; its
 * start time stays the same.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-row-match.h"

#include <stdlib.h>

/* A row to find, identified by its start time and by the number of rows before it with the same
 * one. */
typedef struct
{
  gint64 begin_ns;
  guint n_twins;
  guint32 row;
  guint32 found;
  guint place; /* index in the input */
} Wanted;

/* Sorts by start time, then by row number. */
static int
compare_wanted (gconstpointer a, gconstpointer b)
{
  const Wanted *wanted_a = a;
  const Wanted *wanted_b = b;

  if (wanted_a->begin_ns != wanted_b->begin_ns)
    return wanted_a->begin_ns < wanted_b->begin_ns ? -1 : 1;
  return wanted_a->row < wanted_b->row ? -1 : wanted_a->row > wanted_b->row;
}

static gboolean
get_begin (const NsTrace *trace, const NsField *field, guint32 row, gint64 *begin_ns)
{
  NsFieldValue value = { 0 };
  gboolean is_there;

  ns_field_get (trace, field, row, &value);
  is_there = !value.is_null;
  if (is_there)
    *begin_ns = value.v.i;
  ns_field_value_clear (&value);
  return is_there;
}

/* Returns the first wanted row that begins at @begin_ns; @n_wanted if there is none. */
static guint
find_moment (const Wanted *wanted, guint n_wanted, gint64 begin_ns)
{
  guint low = 0;
  guint high = n_wanted;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (wanted[middle].begin_ns < begin_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low < n_wanted && wanted[low].begin_ns == begin_ns ? low : n_wanted;
}

/* Counts for each wanted row the preceding rows with the same start time. */
static void
count_twins (const NsTrace *from, const NsField *field, Wanted *wanted, guint n_wanted, guint32 end)
{
  guint32 row;
  guint i;

  for (row = 0; row < end; row++)
    {
      gint64 begin_ns;

      if (!get_begin (from, field, row, &begin_ns))
        continue;
      for (i = find_moment (wanted, n_wanted, begin_ns);
           i < n_wanted && wanted[i].begin_ns == begin_ns;
           i++)
        if (row < wanted[i].row)
          wanted[i].n_twins++;
    }
}

/* Searches the rows of the reloaded trace; each row with the same start time reduces n_twins. */
static void
find_rows (const NsTrace *to,
           NsTableId table,
           const NsField *field,
           Wanted *wanted,
           guint n_wanted,
           GCancellable *cancellable)
{
  guint n_rows = ns_table_get_n_rows (to, table);
  guint n_left = n_wanted;
  guint32 row;
  guint i;

  for (row = 0; row < n_rows && n_left > 0; row++)
    {
      gint64 begin_ns;

      if (row % 4096 == 0 && g_cancellable_is_cancelled (cancellable))
        return;
      if (!get_begin (to, field, row, &begin_ns))
        continue;
      for (i = find_moment (wanted, n_wanted, begin_ns);
           i < n_wanted && wanted[i].begin_ns == begin_ns;
           i++)
        if (wanted[i].found == G_MAXUINT32 && wanted[i].n_twins-- == 0)
          {
            wanted[i].found = row;
            n_left--;
          }
    }
}

/**
 * ns_row_match_find:
 * @from: a trace
 * @table: one of its tables
 * @rows: (array length=n_rows): rows of it, 0-based
 * @n_rows: number of rows, small
 * @to: a later load of the same trace
 * @cancellable: (nullable): cancels the search; rows not found by then are omitted
 *
 * Takes time proportional to the number of rows in both tables.
 *
 * Returns: (transfer full) (element-type guint32): the corresponding rows of @to, in order; missing
 *   ones are omitted
 */
GArray *
ns_row_match_find (const NsTrace *from,
                   NsTableId table,
                   const guint32 *rows,
                   guint n_rows,
                   const NsTrace *to,
                   GCancellable *cancellable)
{
  const NsField *field = ns_session_get_begin_field (table);
  g_autofree Wanted *wanted = g_new0 (Wanted, MAX (n_rows, 1));
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint32 *answers = g_new (guint32, MAX (n_rows, 1));
  guint32 end = 0;
  guint n_wanted = 0;
  guint i;

  for (i = 0; i < n_rows; i++)
    {
      Wanted *one = &wanted[n_wanted];

      answers[i] = rows[i] < ns_table_get_n_rows (to, table) ? rows[i] : G_MAXUINT32;
      if (field == NULL || rows[i] >= ns_table_get_n_rows (from, table) ||
          !get_begin (from, field, rows[i], &one->begin_ns))
        continue;
      one->row = rows[i];
      one->found = G_MAXUINT32;
      one->place = i;
      end = MAX (end, rows[i]);
      n_wanted++;
    }
  qsort (wanted, n_wanted, sizeof *wanted, compare_wanted);
  count_twins (from, field, wanted, n_wanted, n_wanted > 0 ? end : 0);
  find_rows (to, table, field, wanted, n_wanted, cancellable);
  for (i = 0; i < n_wanted; i++)
    answers[wanted[i].place] = wanted[i].found;
  for (i = 0; i < n_rows; i++)
    if (answers[i] != G_MAXUINT32)
      g_array_append_val (found, answers[i]);
  return found;
}

typedef struct
{
  NsTrace *from;
  NsTrace *to;
  NsTableId table;
  GArray *rows;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  ns_trace_unref (job->from);
  ns_trace_unref (job->to);
  g_array_unref (job->rows);
  g_free (job);
}

static void
job_worker (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  const Job *job = task_data;

  g_task_return_pointer (task,
                         ns_row_match_find (job->from,
                                            job->table,
                                            (const guint32 *) (gpointer) job->rows->data,
                                            job->rows->len,
                                            job->to,
                                            cancellable),
                         (GDestroyNotify) g_array_unref);
}

/**
 * ns_row_match_find_async:
 * @from: a trace
 * @table: one of its tables
 * @rows: (array length=n_rows): rows of it, 0-based
 * @n_rows: number of rows, small
 * @to: a later load of the same trace
 * @cancellable: (nullable): cancels the search
 * @callback: called when it has ended
 * @user_data: for @callback
 *
 * Runs ns_row_match_find() in a thread.
 */
void
ns_row_match_find_async (NsTrace *from,
                         NsTableId table,
                         const guint32 *rows,
                         guint n_rows,
                         NsTrace *to,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  g_task_set_source_tag (task, ns_row_match_find_async);
  job->from = ns_trace_ref (from);
  job->to = ns_trace_ref (to);
  job->table = table;
  job->rows = g_array_sized_new (FALSE, FALSE, sizeof (guint32), n_rows);
  if (n_rows > 0)
    g_array_append_vals (job->rows, rows, n_rows);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, job_worker);
}

/**
 * ns_row_match_find_finish:
 * @result: passed to the callback
 * @error: %G_IO_ERROR_CANCELLED if it was cancelled
 *
 * Returns: (transfer full) (nullable) (element-type guint32): the rows
 */
GArray *
ns_row_match_find_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (G_IS_TASK (result), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
