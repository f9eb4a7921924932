/* Sums over the selected rows of a session, and the times of a row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session.h"

#include <string.h>

static gboolean
read_number (NsSession *self, NsTableId table, const char *id, guint row, gint64 *number)
{
  const NsField *field = ns_table_find_field (table, id);
  NsFieldValue value = { 0 };
  gboolean is_there;

  if (field == NULL)
    return FALSE;
  ns_field_get (ns_session_get_trace (self), field, row, &value);
  is_there = !value.is_null;
  if (is_there)
    *number = value.v.i;
  ns_field_value_clear (&value);
  return is_there;
}

/**
 * ns_session_get_row_span:
 * @self: a session
 * @table: a table
 * @row: a row of it
 * @span: (out): its life, or its moment with 1 ns
 *
 * Returns: whether it has times
 */
gboolean
ns_session_get_row_span (NsSession *self, NsTableId table, guint row, NsTimeSpan *span)
{
  static const char *const begins[] = { "open_ns", "time_ns", "start_ns", "create_ns", "first_ns" };
  static const char *const ends[] = { "close_ns", "end_ns", "stop_ns", "last_ns" };
  gboolean has_begin = FALSE;
  guint i;

  span->begin_ns = ns_session_get_whole (self).begin_ns;
  for (i = 0; i < G_N_ELEMENTS (begins) && !has_begin; i++)
    has_begin = read_number (self, table, begins[i], row, &span->begin_ns);
  if (!has_begin)
    return FALSE;
  span->end_ns = ns_table_find_field (table, "time_ns") != NULL
                     ? span->begin_ns + 1
                     : ns_session_get_whole (self).end_ns;
  for (i = 0; i < G_N_ELEMENTS (ends); i++)
    if (read_number (self, table, ends[i], row, &span->end_ns))
      break;
  span->end_ns = MAX (span->end_ns, span->begin_ns + 1);
  return TRUE;
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
  guint i;

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

/**
 * ns_session_get_sums:
 * @self: a session
 * @sums: (out caller-allocates): sums over the selected rows
 */
void
ns_session_get_sums (NsSession *self, NsSessionSums *sums)
{
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (NsTimeSpan));
  NsTableId table = ns_session_get_selected_table (self);
  const GArray *selected = ns_session_get_selected (self);
  guint i;

  memset (sums, 0, sizeof *sums);
  sums->n_rows = selected->len;
  sums->has_bytes = ns_table_find_field (table, "sent") != NULL;
  for (i = 0; i < selected->len; i++)
    {
      guint32 row = g_array_index (selected, guint32, i);
      NsTimeSpan span;
      gint64 number;

      if (read_number (self, table, "sent", row, &number))
        sums->sent += (guint64) number;
      if (read_number (self, table, "received", row, &number))
        sums->received += (guint64) number;
      if (!ns_session_get_row_span (self, table, row, &span))
        continue;
      if (read_number (self, table, "duration_ns", row, &number))
        {
          sums->has_duration = TRUE;
          sums->duration_ns += number;
        }
      g_array_append_val (spans, span);
    }
  sums->union_ns = measure_union (spans);
}
