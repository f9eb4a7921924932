/* Sums over the selected rows of a session, and the times of a row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session.h"

#include <string.h>

static gboolean
read_number (NsSession *self, const NsField *field, guint row, gint64 *number)
{
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

/* The fields that tell when a row began and ended, and how much it was. */
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
read_span (NsSession *self, const SpanFields *fields, guint row, NsTimeSpan *span)
{

  if (!read_number (self, fields->begin, row, &span->begin_ns))
    return FALSE;
  span->end_ns = fields->is_moment ? span->begin_ns + 1 : ns_session_get_trace (self)->end_ns;
  read_number (self, fields->end, row, &span->end_ns);
  span->end_ns = MAX (span->end_ns, span->begin_ns + 1);
  return TRUE;
}

/**
 * ns_session_get_begin_field:
 * @table: a table
 *
 * Returns: (nullable): the field that tells when a row began
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
 * @span: (out): its life, or its moment with 1 ns
 *
 * Returns: whether it has times
 */
gboolean
ns_session_get_row_span (NsSession *self, NsTableId table, guint row, NsTimeSpan *span)
{
  SpanFields fields;

  find_fields (table, &fields);
  return read_span (self, &fields, row, span);
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
  SpanFields fields;
  guint i;

  find_fields (table, &fields);
  memset (sums, 0, sizeof *sums);
  sums->n_rows = selected->len;
  sums->has_bytes = fields.sent != NULL;
  for (i = 0; i < selected->len; i++)
    {
      guint32 row = g_array_index (selected, guint32, i);
      NsTimeSpan span;
      gint64 number;

      if (read_number (self, fields.sent, row, &number))
        sums->sent += (guint64) number;
      if (read_number (self, fields.received, row, &number))
        sums->received += (guint64) number;
      if (!read_span (self, &fields, row, &span))
        continue;
      if (read_number (self, fields.duration, row, &number))
        {
          sums->has_duration = TRUE;
          sums->duration_ns += number;
        }
      g_array_append_val (spans, span);
    }
  sums->union_ns = measure_union (spans);
}
