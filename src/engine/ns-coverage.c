/* Who recorded when: the files of a case and the logs beside it.
 *
 * The files of one session are one line. Between two of them something is missing where the numbers
 * of their buffers say so: a session that goes on with the next file leaves a short silence, too.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-coverage.h"

#include <string.h>

static void
line_free (gpointer data)
{
  NsCoverageLine *self = data;

  g_free (self->name);
  g_array_unref (self->spans);
  g_free (self);
}

static NsCoverageLine *
line_new (GPtrArray *lines, char *name)
{
  NsCoverageLine *self = g_new0 (NsCoverageLine, 1);

  self->name = name;
  self->spans = g_array_new (FALSE, FALSE, sizeof (NsCoverageSpan));
  self->n_parts = 1;
  g_ptr_array_add (lines, self);
  return self;
}

/* From the first to the last record of a file; FALSE: it has none. */
static gboolean
find_span (const NsTrace *trace, const NsEtlFile *input, NsTimeSpan *span)
{
  const GArray *processors = ns_etl_file_get_report (input)->processors;
  guint64 first = G_MAXUINT64;
  guint64 last = 0;
  guint i;

  for (i = 0; i < processors->len; i++)
    {
      const NsEtlProcessor *one = &g_array_index (processors, NsEtlProcessor, i);

      if (one->n_records == 0)
        continue;
      first = MIN (first, one->first_raw);
      last = MAX (last, one->last_raw);
    }
  if (first > last)
    return FALSE;
  span->begin_ns = ns_etl_file_raw_to_ns (trace->file, first);
  span->end_ns = ns_etl_file_raw_to_ns (trace->file, last);
  return TRUE;
}

/* Whether one session wrote both. */
static gboolean
is_same_session (const NsEtlFile *a, const NsEtlFile *b)
{
  const NsEtlHeader *one = ns_etl_file_get_header (a);
  const NsEtlHeader *other = ns_etl_file_get_header (b);

  return one->start_filetime == other->start_filetime && one->base_raw == other->base_raw &&
         one->boot_filetime == other->boot_filetime && strcmp (one->session, other->session) == 0;
}

static gint
compare_spans (gconstpointer a, gconstpointer b)
{
  const NsCoverageSpan *one = a;
  const NsCoverageSpan *other = b;

  if (one->span.begin_ns != other->span.begin_ns)
    return one->span.begin_ns < other->span.begin_ns ? -1 : 1;
  return 0;
}

/* Whether the numbers of buffers say that some are missing in a silence. */
static gboolean
is_hole (const NsTrace *trace, const NsTimeSpan *silence)
{
  const NsEtlReport *report = ns_etl_file_get_report (trace->file);

  if (report->n_missing == 0 || silence->begin_ns >= silence->end_ns)
    return FALSE;
  return ns_etl_file_raw_to_ns (trace->file, report->missing_begin_raw) < silence->end_ns &&
         ns_etl_file_raw_to_ns (trace->file, report->missing_end_raw) > silence->begin_ns;
}

/* Parts in the order of time, and what is missing between them. */
static void
settle_line (const NsTrace *trace, NsCoverageLine *line)
{
  guint n_parts = line->spans->len;
  gint64 end_ns = G_MININT64;
  guint i;

  g_array_sort (line->spans, compare_spans);
  for (i = 0; i < n_parts; i++)
    {
      NsTimeSpan span = g_array_index (line->spans, NsCoverageSpan, i).span;
      NsCoverageSpan hole = { { end_ns, span.begin_ns }, TRUE };

      if (i > 0 && is_hole (trace, &hole.span))
        g_array_append_val (line->spans, hole);
      end_ns = MAX (end_ns, span.end_ns);
    }
  g_array_sort (line->spans, compare_spans);
}

static void
list_inputs (const NsTrace *trace, GPtrArray *lines)
{
  guint n_inputs = ns_etl_file_get_n_inputs (trace->file);
  g_autofree NsCoverageLine **line_of = g_new0 (NsCoverageLine *, n_inputs);
  guint i;
  guint k;

  for (i = 0; i < n_inputs; i++)
    {
      const NsEtlFile *input = ns_etl_file_get_input (trace->file, i);
      NsCoverageSpan span = { .is_missing = FALSE };

      for (k = 0; k < i && line_of[i] == NULL; k++)
        if (is_same_session (input, ns_etl_file_get_input (trace->file, k)))
          line_of[i] = line_of[k];
      if (line_of[i] != NULL)
        line_of[i]->n_parts++;
      else
        line_of[i] = line_new (lines, ns_etl_file_dup_input_name (trace->file, i));
      if (find_span (trace, input, &span.span))
        g_array_append_val (line_of[i]->spans, span);
    }
  for (i = 0; i < lines->len; i++)
    settle_line (trace, g_ptr_array_index (lines, i));
}

static void
list_logs (const NsTrace *trace, GPtrArray *lines)
{
  guint first = lines->len;
  guint i;

  for (i = 0; i < trace->logs->len; i++)
    {
      const NsSideLog *log = g_ptr_array_index (trace->logs, i);
      NsCoverageLine *line = line_new (lines, g_strdup (log->name));

      line->is_log = TRUE;
      line->n_lines = log->n_lines;
    }
  for (i = 0; i < trace->log->len; i++)
    {
      const NsLogRow *row = &g_array_index (trace->log, NsLogRow, i);
      NsCoverageLine *line = g_ptr_array_index (lines, first + row->log);
      NsCoverageSpan span = { { row->time_ns, row->time_ns }, FALSE };

      if (line->spans->len == 0)
        g_array_append_val (line->spans, span);
      g_array_index (line->spans, NsCoverageSpan, 0).span.end_ns = row->time_ns;
    }
}

/**
 * ns_coverage_list:
 * @trace: a trace
 *
 * Returns: (transfer full) (element-type NsCoverageLine): who recorded when, the sessions first;
 *   empty if one session recorded everything, in one file, and no log is open
 */
GPtrArray *
ns_coverage_list (const NsTrace *trace)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (line_free);

  if (trace->file == NULL)
    return lines;
  if (ns_etl_file_get_n_inputs (trace->file) < 2 && trace->logs->len == 0)
    return lines;
  list_inputs (trace, lines);
  list_logs (trace, lines);
  return lines;
}
