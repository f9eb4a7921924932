/* A query: the rows of a table by filter, span, order, offset and limit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-query.h"

#include <string.h>

static gint64
get_time (const NsTrace *trace, const NsField *field, guint row, gint64 otherwise)
{
  gint64 time_ns = otherwise;
  NsFieldValue value;

  if (field == NULL)
    return otherwise;
  ns_field_get (trace, field, row, &value);
  if (!value.is_null)
    time_ns = value.v.i;
  ns_field_value_clear (&value);
  return time_ns;
}

static gboolean
touches (const NsTrace *trace,
         const NsField *begin,
         const NsField *end,
         guint row,
         const NsTimeSpan *span)
{
  return get_time (trace, begin, row, G_MININT64) <= span->end_ns &&
         get_time (trace, end, row, G_MAXINT64) >= span->begin_ns;
}

/**
 * ns_query_parse_time:
 * @trace: a trace
 * @text: seconds since its start, or an ISO 8601 time
 * @time_ns: (out): the time
 *
 * Returns: %TRUE if @text is either
 */
gboolean
ns_query_parse_time (const NsTrace *trace, const char *text, gint64 *time_ns)
{
  guint64 filetime;
  char *end;
  double seconds;

  if (ns_time_filetime_from_iso (text, &filetime))
    {
      guint64 start = ns_etl_file_ns_to_filetime (trace->file, 0);
      gint64 ticks = (gint64) (filetime - start);

      *time_ns = CLAMP (ticks, G_MININT64 / 200, G_MAXINT64 / 200) * 100;
      return TRUE;
    }
  seconds = g_ascii_strtod (text, &end);
  if (end == text || *end != '\0' || !(seconds > -9e9 && seconds < 9e9))
    return FALSE;
  *time_ns = (gint64) (seconds * 1e9 + (seconds < 0 ? -0.5 : 0.5));
  return TRUE;
}

static void
keep_span (GArray *rows, const NsTrace *trace, const NsQuery *self)
{
  const NsField *begin;
  const NsField *end;
  guint n_kept = 0;
  guint i;

  ns_table_find_times (self->table, &begin, &end);
  for (i = 0; i < rows->len; i++)
    {
      guint32 row = g_array_index (rows, guint32, i);

      if (touches (trace, begin, end, row, &self->span))
        g_array_index (rows, guint32, n_kept++) = row;
    }
  g_array_set_size (rows, n_kept);
}

static GArray *
list_all (const NsTrace *trace, NsTableId table)
{
  guint n_rows = ns_table_get_n_rows (trace, table);
  GArray *rows = g_array_sized_new (FALSE, FALSE, sizeof (guint32), n_rows);
  guint32 i;

  for (i = 0; i < n_rows; i++)
    g_array_append_val (rows, i);
  return rows;
}

/**
 * ns_query_run:
 * @self: a query
 * @trace: a trace
 * @progress: (nullable): called with the progress; stops if it returns %FALSE
 * @progress_data: for @progress
 *
 * Returns: (transfer full) (element-type guint32) (nullable): rows, 0-based; %NULL if stopped
 */
GArray *
ns_query_run (const NsQuery *self,
              const NsTrace *trace,
              NsProgressFunc progress,
              gpointer progress_data)
{
  g_autoptr (GArray) rows = NULL;

  if (self->filter != NULL)
    rows = ns_filter_run (self->filter, trace, self->table, progress, progress_data);
  else
    rows = list_all (trace, self->table);
  if (rows == NULL)
    return NULL;
  if (self->span.begin_ns != NS_TIME_NONE || self->span.end_ns != NS_TIME_OPEN)
    keep_span (rows, trace, self);
  if (self->keys != NULL && !ns_order_sort (trace,
                                            &g_array_index (self->keys, NsOrderKey, 0),
                                            self->keys->len,
                                            rows,
                                            progress,
                                            progress_data))
    return NULL;
  if (self->offset > 0)
    g_array_remove_range (rows, 0, (guint) MIN (self->offset, rows->len));
  if (self->limit > 0 && self->limit < rows->len)
    g_array_set_size (rows, (guint) self->limit);
  return g_steal_pointer (&rows);
}
