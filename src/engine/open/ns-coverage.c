/* Recording times of the files of a case, and of the logs beside it.
 *
 * The files of one session are shown as one line. A gap between two of them counts as missing data
 * only if their buffer numbers or file names have a gap: a session that continues in the next file
 * also leaves a short time without records.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/open/ns-coverage.h"

#include <string.h>

static void
line_free (gpointer data)
{
  NsCoverageLine *self = data;

  g_free (self->name);
  g_array_unref (self->spans);
  g_free (self);
}

static void
span_clear (gpointer data)
{
  g_free (((NsCoverageSpan *) data)->file);
}

static NsCoverageLine *
line_new (GPtrArray *lines, char *name)
{
  NsCoverageLine *self = g_new0 (NsCoverageLine, 1);

  self->name = name;
  self->spans = g_array_new (FALSE, FALSE, sizeof (NsCoverageSpan));
  g_array_set_clear_func (self->spans, span_clear);
  self->n_parts = 1;
  g_ptr_array_add (lines, self);
  return self;
}

static gboolean
find_span (const NsEtlFile *file, const NsEtlFile *input, NsTimeSpan *span)
{
  guint64 first;
  guint64 last;

  if (!ns_etl_file_find_span (input, &first, &last))
    return FALSE;
  span->begin_ns = ns_etl_file_raw_to_ns (file, first);
  span->end_ns = ns_etl_file_raw_to_ns (file, last);
  return TRUE;
}

/* Returns whether both files were written by one session. */
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

/* Returns whether data is missing in a gap: the buffer numbers, or the numbers in the file names
 * around it, have a gap. In the latter case sets the name of the missing file. */
static gboolean
is_hole (const NsEtlFile *file, NsCoverageSpan *silence)
{
  const NsEtlReport *report = ns_etl_file_get_report (file);
  g_autofree char *before = ns_etl_file_dup_input_name (file, silence->input);
  g_autofree char *behind = ns_etl_file_dup_input_name (file, silence->next);
  g_autofree char *missing = ns_coverage_dup_missing_name (before, behind);

  if (silence->span.begin_ns >= silence->span.end_ns)
    return FALSE;
  if (missing == NULL &&
      (report->n_missing == 0 ||
       ns_etl_file_raw_to_ns (file, report->missing_begin_raw) >= silence->span.end_ns ||
       ns_etl_file_raw_to_ns (file, report->missing_end_raw) <= silence->span.begin_ns))
    return FALSE;
  silence->file = g_steal_pointer (&missing);
  return TRUE;
}

/* Sorts the spans of a line by time and inserts the missing spans between them. */
static void
settle_line (const NsEtlFile *file, NsCoverageLine *line)
{
  guint n_parts = line->spans->len;
  gint64 end_ns = G_MININT64;
  guint before = 0;
  guint i;

  g_array_sort (line->spans, compare_spans);
  for (i = 0; i < n_parts; i++)
    {
      NsCoverageSpan part = g_array_index (line->spans, NsCoverageSpan, i);
      NsCoverageSpan hole = { .span = { end_ns, part.span.begin_ns },
                              .is_missing = TRUE,
                              .input = before,
                              .next = part.input };

      if (i > 0 && is_hole (file, &hole))
        g_array_append_val (line->spans, hole);
      if (part.span.end_ns > end_ns)
        before = part.input;
      end_ns = MAX (end_ns, part.span.end_ns);
    }
  g_array_sort (line->spans, compare_spans);
}

static void
list_inputs (const NsEtlFile *file, GPtrArray *lines)
{
  guint n_inputs = ns_etl_file_get_n_inputs (file);
  g_autofree NsCoverageLine **line_of = g_new0 (NsCoverageLine *, n_inputs);
  guint i;
  guint k;

  for (i = 0; i < n_inputs; i++)
    {
      const NsEtlFile *input = ns_etl_file_get_input (file, i);
      NsCoverageSpan span = { .input = i };

      for (k = 0; k < i && line_of[i] == NULL; k++)
        if (is_same_session (input, ns_etl_file_get_input (file, k)))
          line_of[i] = line_of[k];
      if (line_of[i] != NULL)
        line_of[i]->n_parts++;
      else
        line_of[i] = line_new (lines, ns_etl_file_dup_input_name (file, i));
      if (find_span (file, input, &span.span))
        g_array_append_val (line_of[i]->spans, span);
    }
  for (i = 0; i < lines->len; i++)
    settle_line (file, g_ptr_array_index (lines, i));
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
      NsCoverageSpan span = { .span = { row->time_ns, row->time_ns } };

      if (line->spans->len == 0)
        g_array_append_val (line->spans, span);
      g_array_index (line->spans, NsCoverageSpan, 0).span.end_ns = row->time_ns;
    }
}

/**
 * ns_coverage_list:
 * @trace: a trace
 *
 * Returns: (transfer full) (element-type NsCoverageLine): the recording times, sessions first;
 *   empty if one session recorded everything in one file and no log is open
 */
GPtrArray *
ns_coverage_list (const NsTrace *trace)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (line_free);

  if (trace->file == NULL)
    return lines;
  if (ns_etl_file_get_n_inputs (trace->file) < 2 && trace->logs->len == 0)
    return lines;
  list_inputs (trace->file, lines);
  list_logs (trace, lines);
  return lines;
}

static void
list_gaps_of_line (const NsCoverageLine *line, GArray *gaps)
{
  NsCoverageSpan last = { .span = { G_MININT64, G_MININT64 } };
  guint i;

  for (i = 0; i < line->spans->len; i++)
    {
      NsCoverageSpan one = g_array_index (line->spans, NsCoverageSpan, i);

      one.file = NULL; /* valid only as long as the line */
      if (one.is_missing)
        g_array_append_val (gaps, one);
      else if (one.span.begin_ns < last.span.end_ns)
        {
          NsCoverageSpan overlap = { .input = last.input, .next = one.input };

          overlap.span.begin_ns = one.span.begin_ns;
          overlap.span.end_ns = MIN (one.span.end_ns, last.span.end_ns);
          g_array_append_val (gaps, overlap);
        }
      if (!one.is_missing && one.span.end_ns > last.span.end_ns)
        last = one;
    }
}

/**
 * ns_coverage_list_gaps:
 * @file: a trace that was walked
 *
 * Finds gaps and overlaps between the files of each session.
 *
 * Returns: (transfer full) (element-type NsCoverageSpan): the time missing between two files, and
 *   the time that both cover
 */
GArray *
ns_coverage_list_gaps (const NsEtlFile *file)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (line_free);
  GArray *gaps = g_array_new (FALSE, FALSE, sizeof (NsCoverageSpan));
  guint i;

  if (ns_etl_file_get_n_inputs (file) > 1)
    list_inputs (file, lines);
  for (i = 0; i < lines->len; i++)
    list_gaps_of_line (g_ptr_array_index (lines, i), gaps);
  return gaps;
}

/* Lists the missing spans, or the recorded ones, of all traces by begin; (transfer full). */
static GArray *
list_spans (const GPtrArray *lines, gboolean is_missing)
{
  GArray *spans = g_array_new (FALSE, FALSE, sizeof (NsCoverageSpan));
  guint i;
  guint j;

  for (i = 0; i < lines->len; i++)
    {
      const NsCoverageLine *line = g_ptr_array_index (lines, i);

      for (j = 0; j < line->spans->len && !line->is_log; j++)
        {
          const NsCoverageSpan *span = &g_array_index (line->spans, NsCoverageSpan, j);

          if ((span->is_missing != 0) == is_missing)
            g_array_append_vals (spans, span, 1);
        }
    }
  g_array_sort (spans, compare_spans);
  return spans;
}

static const NsTimeSpan *
span_at (const GArray *spans, guint i)
{
  return &g_array_index (spans, NsCoverageSpan, i).span;
}

/**
 * ns_coverage_list_holes:
 * @lines: (element-type NsCoverageLine): the recording times
 *
 * Logs are ignored: they do not replace missing trace data.
 *
 * Returns: (transfer full) (element-type NsCoverageHole): spans in which a file of a series is
 *   missing and no other trace recorded, in time order, without overlaps
 */
GArray *
ns_coverage_list_holes (const GPtrArray *lines)
{
  g_autoptr (GArray) missing = list_spans (lines, TRUE);
  g_autoptr (GArray) recorded = list_spans (lines, FALSE);
  GArray *holes = g_array_new (FALSE, FALSE, sizeof (NsCoverageHole));
  gint64 done_ns = G_MININT64; /* times before this are recorded, or reported as a hole */
  guint at = 0;
  guint i;

  for (i = 0; i < missing->len; i++)
    {
      const NsCoverageSpan *part = &g_array_index (missing, NsCoverageSpan, i);
      const NsTimeSpan *span = &part->span;

      done_ns = MAX (done_ns, span->begin_ns);
      while (done_ns < span->end_ns)
        {
          NsCoverageHole hole = { *span, part->file };

          for (; at < recorded->len && span_at (recorded, at)->begin_ns <= done_ns; at++)
            done_ns = MAX (done_ns, span_at (recorded, at)->end_ns);
          hole.span.begin_ns = done_ns;
          if (at < recorded->len)
            hole.span.end_ns = MIN (hole.span.end_ns, span_at (recorded, at)->begin_ns);
          if (hole.span.begin_ns < hole.span.end_ns)
            g_array_append_val (holes, hole);
          done_ns = MAX (done_ns, hole.span.end_ns);
        }
    }
  return holes;
}

/* Finds the last number in a name: its @begin and @end; FALSE: there is none. */
static gboolean
find_number (const char *name, gsize *begin, gsize *end)
{
  *end = strlen (name);
  while (*end > 0 && !g_ascii_isdigit (name[*end - 1]))
    (*end)--;
  *begin = *end;
  while (*begin > 0 && g_ascii_isdigit (name[*begin - 1]))
    (*begin)--;
  return *begin < *end;
}

static char *
dup_numbered (const char *name, gsize begin, gsize end, guint64 number)
{
  return g_strdup_printf ("%.*s%0*" G_GUINT64_FORMAT "%s",
                          (int) begin,
                          name,
                          (int) (end - begin),
                          number,
                          name + end);
}

/**
 * ns_coverage_dup_missing_name:
 * @before: name of a file of a series
 * @behind: name of a later file of the series
 *
 * Returns: (transfer full) (nullable): the name of the missing file between them, by their numbers,
 *   or the first and the last of several; %NULL if the names have no numbers
 */
char *
ns_coverage_dup_missing_name (const char *before, const char *behind)
{
  g_autofree char *first = NULL;
  g_autofree char *last = NULL;
  guint64 low;
  guint64 high;
  gsize begin;
  gsize end;
  gsize other_begin;
  gsize other_end;

  if (!find_number (before, &begin, &end) || !find_number (behind, &other_begin, &other_end) ||
      begin != other_begin || strncmp (before, behind, begin) != 0 ||
      strcmp (before + end, behind + other_end) != 0)
    return NULL;
  low = g_ascii_strtoull (before + begin, NULL, 10);
  high = g_ascii_strtoull (behind + begin, NULL, 10);
  if (high == G_MAXUINT64 || high < 2 || low > high - 2)
    return NULL;
  first = dup_numbered (before, begin, end, low + 1);
  if (low + 2 == high)
    return g_steal_pointer (&first);
  last = dup_numbered (before, begin, end, high - 1);
  return g_strconcat (first, " – ", last, NULL);
}
