/* Totals over the selected rows of a session, and the time span of a row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-moment.h"
#include "model/ns-session.h"

#include <string.h>

/* Reads a number; sets @is_least if it is a lower bound. */
static gboolean
read_amount (const NsTrace *trace,
             const NsField *field,
             guint row,
             gint64 *number,
             gboolean *is_least)
{
  NsFieldValue value = { 0 };
  gboolean is_there;

  if (field == NULL)
    return FALSE;
  ns_field_get (trace, field, row, &value);
  is_there = !value.is_null;
  if (is_there)
    {
      *number = value.v.i;
      *is_least |= value.is_lower_bound;
    }
  ns_field_value_clear (&value);
  return is_there;
}

static gboolean
read_number (const NsTrace *trace, const NsField *field, guint row, gint64 *number)
{
  gboolean is_least = FALSE;

  return read_amount (trace, field, row, number, &is_least);
}

/* Fields with the start, end and amounts of a row. */
typedef struct
{
  const NsField *begin;
  const NsField *end;
  const NsField *sent;
  const NsField *received;
  const NsField *duration;
  gboolean is_moment;
} SpanFields;

static const NsField *
find_first (NsTableId table, const char *const *ids, guint n_ids)
{
  const NsField *field = NULL;
  guint i;

  for (i = 0; i < n_ids && field == NULL; i++)
    field = ns_table_find_field (table, ids[i]);
  return field;
}

static void
find_fields (NsTableId table, SpanFields *fields)
{
  static const char *const begins[] = { "open_ns",   "time_ns", "start_ns",
                                        "create_ns", "load_ns", "first_ns" };
  static const char *const ends[] = { "close_ns", "end_ns", "stop_ns", "unload_ns", "last_ns" };

  fields->begin = find_first (table, begins, G_N_ELEMENTS (begins));
  fields->end = find_first (table, ends, G_N_ELEMENTS (ends));
  fields->is_moment = ns_table_find_field (table, "time_ns") != NULL;
  fields->sent = ns_table_find_field (table, "sent");
  fields->received = ns_table_find_field (table, "received");
  fields->duration = ns_table_find_field (table, "duration_ns");
}

static gboolean
read_span (const NsTrace *trace,
           const SpanFields *fields,
           gint64 end_ns,
           guint row,
           NsTimeSpan *span)
{
  if (!read_number (trace, fields->begin, row, &span->begin_ns))
    return FALSE;
  span->end_ns = fields->is_moment ? span->begin_ns + 1 : end_ns;
  read_number (trace, fields->end, row, &span->end_ns);
  span->end_ns = MAX (span->end_ns, span->begin_ns + 1);
  return TRUE;
}

/**
 * ns_session_get_begin_field:
 * @table: a table
 *
 * Returns: (nullable): the field with the start time of a row
 */
const NsField *
ns_session_get_begin_field (NsTableId table)
{
  SpanFields fields;

  find_fields (table, &fields);
  return fields.begin;
}

/**
 * ns_session_get_row_span:
 * @self: a session
 * @table: a table
 * @row: a row of it
 * @span: (out): its duration; 1 ns for a row with a single time
 *
 * Returns: whether the row has times
 */
gboolean
ns_session_get_row_span (NsSession *self, NsTableId table, guint row, NsTimeSpan *span)
{
  SpanFields fields;

  find_fields (table, &fields);
  return read_span (ns_session_get_trace (self),
                    &fields,
                    ns_session_get_trace (self)->end_ns,
                    row,
                    span);
}

static int
compare_spans (gconstpointer a, gconstpointer b)
{
  const NsTimeSpan *span_a = a;
  const NsTimeSpan *span_b = b;

  return span_a->begin_ns < span_b->begin_ns ? -1 : span_a->begin_ns > span_b->begin_ns;
}

static gint64
measure_union (GArray *spans)
{
  gint64 total = 0;
  gint64 reached = G_MININT64;
  gboolean is_sorted = TRUE;
  guint i;

  for (i = 1; i < spans->len && is_sorted; i++)
    is_sorted = compare_spans (&g_array_index (spans, NsTimeSpan, i - 1),
                               &g_array_index (spans, NsTimeSpan, i)) <= 0;
  if (!is_sorted)
    g_array_sort (spans, compare_spans);
  for (i = 0; i < spans->len; i++)
    {
      const NsTimeSpan *span = &g_array_index (spans, NsTimeSpan, i);
      gint64 begin = MAX (span->begin_ns, reached);

      total += MAX (span->end_ns - begin, 0);
      reached = MAX (reached, span->end_ns);
    }
  return total;
}

/* Input of the summation, which may run in a thread. */
typedef struct
{
  NsTrace *trace;
  NsTableId table;
  GArray *rows; /* guint32 */
  gint64 end_ns;
  gint64 moment_ns; /* playback position; G_MAXINT64 if none */
} Question;

static void
question_free (gpointer data)
{
  Question *question = data;

  ns_trace_unref (question->trace);
  g_array_unref (question->rows);
  g_free (question);
}

static Question *
question_new (NsSession *session)
{
  const GArray *selected = ns_session_get_selected (session);
  Question *question = g_new0 (Question, 1);

  question->trace = ns_trace_ref (ns_session_get_trace (session));
  question->table = ns_session_get_selected_table (session);
  question->rows = g_array_sized_new (FALSE, FALSE, sizeof (guint32), selected->len);
  if (selected->len > 0)
    g_array_append_vals (question->rows, selected->data, selected->len);
  question->end_ns = question->trace->end_ns;
  question->moment_ns = ns_session_get_moment (session);
  return question;
}

/* Returns whether a row has ended by the playback position; its amounts are known only then. */
static gboolean
has_ended (const Question *self, const SpanFields *fields, guint32 row)
{
  gint64 end_ns;

  if (self->moment_ns == G_MAXINT64 || fields->end == NULL)
    return TRUE;
  return read_number (self->trace, fields->end, row, &end_ns) && end_ns <= self->moment_ns;
}

/* Computes the sums; returns FALSE if cancelled. */
static gboolean
sum_up (const Question *self, GCancellable *cancellable, NsSessionSums *sums)
{
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (NsTimeSpan));
  SpanFields fields;
  guint i;

  find_fields (self->table, &fields);
  memset (sums, 0, sizeof *sums);
  sums->n_rows = self->rows->len;
  for (i = 0; i < self->rows->len; i++)
    {
      guint32 row = g_array_index (self->rows, guint32, i);
      gboolean is_known = has_ended (self, &fields, row);
      NsTimeSpan span;
      gint64 number;

      if (i % 4096 == 0 && g_cancellable_is_cancelled (cancellable))
        return FALSE;
      sums->is_partial |= !is_known;
      /* Unknown amounts are not counted as 0. */
      if (is_known && read_number (self->trace, fields.sent, row, &number))
        {
          sums->has_bytes = TRUE;
          sums->sent += (guint64) number;
        }
      if (is_known && read_number (self->trace, fields.received, row, &number))
        {
          sums->has_bytes = TRUE;
          sums->received += (guint64) number;
        }
      /* The busy time covers only rows whose durations are summed; otherwise it could exceed the
       * sum. */
      if (!is_known || !read_span (self->trace, &fields, self->end_ns, row, &span) ||
          !read_amount (self->trace, fields.duration, row, &number, &sums->is_lower_bound))
        continue;
      sums->has_duration = TRUE;
      sums->duration_ns = ns_time_sum (sums->duration_ns, number);
      span.end_ns = MAX (MIN (span.end_ns, self->moment_ns), span.begin_ns);
      g_array_append_val (spans, span);
    }
  sums->union_ns = measure_union (spans);
  return TRUE;
}

/**
 * ns_session_get_sums:
 * @self: a session
 * @sums: (out caller-allocates): totals over the selected rows
 *
 * Takes time proportional to the number of selected rows.
 */
void
ns_session_get_sums (NsSession *self, NsSessionSums *sums)
{
  Question *question = question_new (self);

  sum_up (question, NULL, sums);
  question_free (question);
}

static void
sums_worker (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  NsSessionSums *sums = g_new0 (NsSessionSums, 1);

  if (sum_up (task_data, cancellable, sums))
    g_task_return_pointer (task, sums, g_free);
  else
    {
      g_free (sums);
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped");
    }
}

/**
 * ns_session_get_sums_async:
 * @self: a session
 * @cancellable: (nullable): cancels the job
 * @callback: called when it has ended
 * @user_data: for @callback
 *
 * Sums up the currently selected rows in a thread.
 */
void
ns_session_get_sums_async (NsSession *self,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (NS_IS_SESSION (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ns_session_get_sums_async);
  g_task_set_task_data (task, question_new (self), question_free);
  g_task_run_in_thread (task, sums_worker);
}

/**
 * ns_session_get_sums_finish:
 * @self: a session
 * @result: passed to the callback
 * @sums: (out caller-allocates): the totals
 * @error: %G_IO_ERROR_CANCELLED if it was cancelled
 *
 * Returns: whether it was completed
 */
gboolean
ns_session_get_sums_finish (NsSession *self,
                            GAsyncResult *result,
                            NsSessionSums *sums,
                            GError **error)
{
  g_autofree NsSessionSums *answer = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  answer = g_task_propagate_pointer (G_TASK (result), error);
  if (answer == NULL)
    return FALSE;
  *sums = *answer;
  return TRUE;
}
