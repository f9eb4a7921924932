/* Sections of a report besides its rows: findings, and calls of each row.
 *
 * The steps of an operation are the name resolution that it waited for, the calls on its socket
 * while it was open, and its end. If several requests use a connection, each has the calls made
 * during its time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-report-parts.h"

#include "engine/net/ns-missing.h"
#include "engine/open/ns-log.h"
#include "query/ns-field-code.h"
#include "query/ns-fields.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

/* Maximum number of files listed. */
#define MAX_INPUTS 200

/* Calls in table order, and an index by row: the calls of row n begin at calls[begins[n - 1]]. */
typedef struct
{
  guint32 *begins;
  guint32 *calls;
} Index;

struct _NsReportCalls
{
  const NsTrace *trace;
  Index by_activity;
  Index by_socket;
};

typedef NsRow (*GetRowFunc) (const NsCallRow *call);

static NsRow
get_activity (const NsCallRow *call)
{
  return call->activity;
}

static NsRow
get_socket (const NsCallRow *call)
{
  return call->winsock;
}

static void
index_init (Index *self, const GArray *calls, guint n_rows, GetRowFunc get_row)
{
  guint32 n_before = 0;
  guint i;

  self->begins = g_new0 (guint32, n_rows + 1);
  self->calls = g_new (guint32, calls->len);
  for (i = 0; i < calls->len; i++)
    {
      NsRow row = get_row (&g_array_index (calls, NsCallRow, i));

      if (row > 0 && row <= n_rows)
        self->begins[row - 1]++;
    }
  for (i = 0; i <= n_rows; i++)
    {
      guint32 n = self->begins[i];

      self->begins[i] = n_before;
      n_before += n;
    }
  /* Filling the index advances each begin to that of the next row. */
  for (i = 0; i < calls->len; i++)
    {
      NsRow row = get_row (&g_array_index (calls, NsCallRow, i));

      if (row > 0 && row <= n_rows)
        self->calls[self->begins[row - 1]++] = i;
    }
  for (i = n_rows; i > 0; i--)
    self->begins[i] = self->begins[i - 1];
  self->begins[0] = 0;
}

/**
 * ns_report_calls_new:
 * @trace: a trace, which must outlive the result
 *
 * Returns: (transfer full): an index of its calls by operation
 */
NsReportCalls *
ns_report_calls_new (const NsTrace *trace)
{
  NsReportCalls *self = g_new0 (NsReportCalls, 1);

  self->trace = trace;
  index_init (&self->by_activity, trace->calls, trace->activities->len, get_activity);
  index_init (&self->by_socket, trace->calls, trace->winsock->len, get_socket);
  return self;
}

/**
 * ns_report_calls_free:
 * @self: (transfer full) (nullable): calls
 */
void
ns_report_calls_free (NsReportCalls *self)
{
  if (self == NULL)
    return;
  g_free (self->by_activity.begins);
  g_free (self->by_activity.calls);
  g_free (self->by_socket.begins);
  g_free (self->by_socket.calls);
  g_free (self);
}

static void
step_clear (gpointer data)
{
  NsReportStep *step = data;

  g_free (step->what);
  g_free (step->result);
}

static char *
dup_field (const NsTrace *trace, NsTableId table, NsRow row, const char *id)
{
  const NsField *field = ns_table_find_field (table, id);
  g_autoptr (GString) text = g_string_new (NULL);
  NsFieldValue value;

  ns_field_get (trace, field, row - 1, &value);
  ns_field_append_human (field, &value, text);
  ns_field_value_clear (&value);
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static const char *
get_layer (NsTableId table)
{
  return g_dgettext (GETTEXT_PACKAGE, ns_table_get_title (table));
}

static gint64
get_span (gint64 open_ns, gint64 close_ns)
{
  return open_ns == NS_TIME_NONE || !ns_time_is_set (close_ns) ? NS_UNKNOWN : close_ns - open_ns;
}

static void
add_lookup (const NsTrace *trace, NsRow row, GArray *steps)
{
  const NsDnsRow *lookup = NS_ROW_AT (trace->dns, NsDnsRow, row);
  NsReportStep step = { .time_ns = lookup->open_ns, .layer = get_layer (NS_TABLE_DNS) };

  if (lookup->open_ns == NS_TIME_NONE)
    return;
  step.span_ns = get_span (lookup->open_ns, lookup->close_ns);
  step.what = dup_field (trace, NS_TABLE_DNS, row, "query");
  step.result = dup_field (trace, NS_TABLE_DNS, row, "status_text");
  if (lookup->status == 0)
    {
      g_free (step.result);
      step.result = dup_field (trace, NS_TABLE_DNS, row, "addresses");
    }
  step.failed = lookup->status != 0;
  g_array_append_val (steps, step);
}

/* Returns the time of a call's first event. */
static gint64
get_call_time (const NsCallRow *call)
{
  return call->open_ns != NS_TIME_NONE ? call->open_ns : call->close_ns;
}

static void
add_call (const NsTrace *trace, guint32 number, GArray *steps)
{
  const NsCallRow *call = &g_array_index (trace->calls, NsCallRow, number);
  g_autofree char *params = dup_field (trace, NS_TABLE_CALLS, number + 1, "params");
  const char *kind = ns_call_kind_to_text (call->kind);
  NsReportStep step = { .time_ns = get_call_time (call), .layer = get_layer (NS_TABLE_WINSOCK) };

  step.span_ns = get_span (call->open_ns, call->close_ns);
  step.what = params != NULL ? g_strdup_printf ("%s (%s)", kind, params) : g_strdup (kind);
  step.failed = call->has_status && call->status != 0;
  if (step.failed)
    step.result = ns_field_code_to_words (call->status_family, call->status);
  else if (call->has_status && call->ret > 0)
    {
      g_autoptr (GString) count = g_string_new (NULL);

      ns_field_append_grouped (count, (guint64) call->ret);
      /* Translators: a call succeeded with so many bytes */
      step.result = g_strdup_printf (_ ("OK, %s B"), count->str);
    }
  else
    step.result = dup_field (trace, NS_TABLE_CALLS, number + 1, "status_text");
  g_array_append_val (steps, step);
}

/* Adds the end of the operation as a step. */
static void
add_end (const NsTrace *trace, guint activity, GArray *steps)
{
  const NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, activity);
  g_autofree char *status = dup_field (trace, NS_TABLE_ACTIVITIES, activity + 1, "status");
  g_autofree char *error = row->error_family != NS_CODE_NONE && row->error != 0
                               ? ns_field_code_to_words (row->error_family, row->error)
                               : NULL;
  NsReportStep step = { .time_ns = row->close_ns, .layer = get_layer (NS_TABLE_ACTIVITIES) };

  if (row->close_ns == NS_TIME_OPEN)
    step.time_ns = trace->end_ns;
  step.span_ns = get_span (row->open_ns, row->close_ns);
  step.what = g_strdup (row->close_ns == NS_TIME_OPEN ? _ ("still open") : _ ("end"));
  step.result = status != NULL && error != NULL ? g_strconcat (status, " · ", error, NULL)
                                                : g_strdup (status != NULL ? status : error);
  step.failed = row->failed;
  g_array_append_val (steps, step);
}

static gint
compare_calls (gconstpointer a, gconstpointer b, gpointer data)
{
  const GArray *calls = data;
  guint32 left = *(const guint32 *) a;
  guint32 right = *(const guint32 *) b;
  gint64 left_ns = get_call_time (&g_array_index (calls, NsCallRow, left));
  gint64 right_ns = get_call_time (&g_array_index (calls, NsCallRow, right));

  if (left_ns != right_ns)
    return left_ns < right_ns ? -1 : 1;
  return (left > right) - (left < right);
}

static void
collect (const Index *index,
         NsRow row,
         const NsActivityRow *activity,
         const GArray *calls,
         GArray *found)
{
  guint32 i;

  for (i = index->begins[row - 1]; i < index->begins[row]; i++)
    {
      gint64 time_ns = get_call_time (&g_array_index (calls, NsCallRow, index->calls[i]));

      if (time_ns >= activity->open_ns && time_ns <= activity->close_ns)
        g_array_append_val (found, index->calls[i]);
    }
}

static gint
compare_steps (gconstpointer a, gconstpointer b)
{
  gint64 left = ((const NsReportStep *) a)->time_ns;
  gint64 right = ((const NsReportStep *) b)->time_ns;

  return (left > right) - (left < right);
}

/**
 * ns_report_calls_list:
 * @self: calls
 * @activity: a row of the master table, 0-based
 * @n_more: (out): number of calls left out
 *
 * Returns: (transfer full) (element-type NsReportStep): its steps, in time order; empty if only its
 *   end is known, and it did not fail
 */
GArray *
ns_report_calls_list (const NsReportCalls *self, guint activity, guint *n_more)
{
  const NsTrace *trace = self->trace;
  const NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, activity);
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (NsReportStep));
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n_written = 0;
  guint i;

  *n_more = 0;
  g_array_set_clear_func (steps, step_clear);
  collect (&self->by_activity, activity + 1, row, trace->calls, calls);
  if (row->winsock > 0 && row->winsock <= trace->winsock->len)
    collect (&self->by_socket, row->winsock, row, trace->calls, calls);
  g_array_sort_with_data (calls, compare_calls, trace->calls);
  if (row->dns > 0 && row->dns <= trace->dns->len &&
      NS_ROW_AT (trace->dns, NsDnsRow, row->dns)->open_ns >= row->open_ns)
    add_lookup (trace, row->dns, steps);
  for (i = 0; i < calls->len; i++)
    {
      guint32 call = g_array_index (calls, guint32, i);

      if (i > 0 && call == g_array_index (calls, guint32, i - 1))
        continue;
      if (n_written++ < NS_REPORT_MAX_STEPS)
        add_call (trace, call, steps);
      else
        (*n_more)++;
    }
  g_array_sort (steps, compare_steps);
  if (steps->len > 0 || row->failed)
    add_end (trace, activity, steps);
  return steps;
}

static gboolean
is_about (const NsFindingRow *finding, GHashTable *chosen)
{
  guint i;

  for (i = 0; i < finding->activities->len; i++)
    if (g_hash_table_contains (chosen,
                               GUINT_TO_POINTER (g_array_index (finding->activities, NsRow, i))))
      return TRUE;
  return FALSE;
}

/**
 * ns_report_list_findings:
 * @rows: the rows of a report
 *
 * Must not be called first on the main thread, like ns_findings_get().
 *
 * Returns: (transfer container) (element-type NsFindingRow): the findings about these rows; for a
 *   report of all rows, all findings
 */
GPtrArray *
ns_report_list_findings (const NsExportRows *rows)
{
  const GArray *findings = ns_findings_get (rows->trace);
  gboolean is_whole = rows->n_rows == ns_table_get_n_rows (rows->trace, rows->table);
  g_autoptr (GHashTable) chosen = g_hash_table_new (NULL, NULL);
  GPtrArray *found = g_ptr_array_new ();
  gsize row;
  guint i;

  if (!is_whole && rows->table == NS_TABLE_ACTIVITIES)
    for (row = 0; row < rows->n_rows; row++)
      g_hash_table_add (chosen, GUINT_TO_POINTER ((guint) rows->rows[row] + 1));
  for (i = 0; i < findings->len; i++)
    {
      NsFindingRow *finding = &g_array_index (findings, NsFindingRow, i);

      if (finding->verdict == NS_VERDICT_FOUND && (is_whole || is_about (finding, chosen)))
        g_ptr_array_add (found, finding);
    }
  return found;
}

/**
 * ns_report_dup_title:
 * @report: a report
 *
 * Returns: (transfer full): its title
 */
char *
ns_report_dup_title (const NsExportReport *report)
{
  return report->redact != NULL
             ? g_strdup (_ ("Trace without names"))
             : g_path_get_basename (ns_etl_file_get_path (report->rows.trace->file));
}

/**
 * ns_report_dup_shown:
 * @report: a report
 * @text: (nullable): a text of its trace
 *
 * Returns: (transfer full) (nullable): the text, with names replaced if requested
 */
char *
ns_report_dup_shown (const NsExportReport *report, const char *text)
{
  return report->redact != NULL && text != NULL ? ns_redact_dup_text (report->redact, text)
                                                : g_strdup (text);
}

/**
 * ns_report_format_ms:
 * @span_ns: a duration
 *
 * Returns: (transfer full): milliseconds with three decimals
 */
char *
ns_report_format_ms (gint64 span_ns)
{
  guint64 us = (span_ns < 0 ? -(guint64) span_ns : (guint64) span_ns) / 1000;

  return g_strdup_printf ("%s%" G_GUINT64_FORMAT ".%03u",
                          span_ns < 0 ? "-" : "",
                          us / 1000,
                          (guint) (us % 1000));
}

/**
 * ns_report_format_more:
 * @n_more: number of calls of a row that are not listed
 *
 * Returns: (transfer full): a text about them
 */
char *
ns_report_format_more (guint n_more)
{
  return g_strdup_printf (ngettext ("and %u more call", "and %u more calls", n_more), n_more);
}

static void
add_fact (GPtrArray *facts, const char *name, const char *value)
{
  if (value == NULL || *value == '\0')
    return;
  g_ptr_array_add (facts, g_strdup (name));
  g_ptr_array_add (facts, g_strdup (value));
}

static guint
count_failed (const NsExportRows *rows)
{
  guint n_failed = 0;
  gsize i;

  for (i = 0; i < rows->n_rows; i++)
    n_failed += g_array_index (rows->trace->activities,
                               NsActivityRow,
                               rows->rows != NULL ? rows->rows[i] : (guint) i)
                    .failed;
  return n_failed;
}

/* Lists the files of the trace, if there are several; a single one is in the title. */
static void
add_inputs (GPtrArray *facts, const NsEtlFile *file)
{
  guint n_inputs = ns_etl_file_get_n_inputs (file);
  guint i;

  if (n_inputs == 1)
    return;
  for (i = 0; i < MIN (n_inputs, MAX_INPUTS); i++)
    {
      NsEtlFile *input = (NsEtlFile *) ns_etl_file_get_input (file, i);
      guint64 n_duplicates = ns_etl_file_get_n_duplicates (input);
      const char *machine = ns_etl_file_get_machine (input);
      g_autofree char *name = ns_etl_file_dup_input_name (file, i);
      g_autofree char *shown = g_filename_display_name (name);
      /* Translators: the name of a file, and how many of its events there are, are in another file,
       * too, and were lost. */
      g_autofree char *text =
          g_strdup_printf (_ ("%s: events: %" PRIu64 ", duplicates: %" PRIu64 ", lost: %u"),
                           shown,
                           ns_etl_file_get_report (input)->n_records + n_duplicates,
                           n_duplicates,
                           (guint) ns_etl_file_get_header (input)->events_lost);
      g_autofree char *whole =
          /* Translators: a statement about a file, and the name of a computer. */
          machine != NULL ? g_strdup_printf (_ ("%s, computer: %s"), text, machine) : NULL;

      add_fact (facts, _ ("File"), whole != NULL ? whole : text);
    }
  if (i < n_inputs)
    {
      g_autofree char *more = g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "%u more file", "%u more files", n_inputs - i),
          n_inputs - i);

      add_fact (facts, _ ("File"), more);
    }
}

/* Lists the logs opened with the trace. */
static void
add_logs (GPtrArray *facts, const NsTrace *trace)
{
  guint i;

  for (i = 0; i < trace->logs->len; i++)
    {
      const NsSideLog *log = g_ptr_array_index (trace->logs, i);
      g_autofree char *name = g_filename_display_name (log->name);
      g_autofree char *offset = ns_time_seconds_to_text (log->offset_ns, 3);
      /* Translators: the name of a log, lines that were read and left out, and seconds that were
       * added to its times. */
      g_autofree char *text = g_strdup_printf (_ ("%s: lines: %u, left out: %u, clock: %s s"),
                                               name,
                                               log->n_lines,
                                               log->n_faults,
                                               offset);

      add_fact (facts, _ ("Log"), text);
    }
}

/**
 * ns_report_list_facts:
 * @report: a report
 *
 * Returns: (transfer full) (element-type utf8): properties of the trace and of the selection,
 *   alternating names and values
 */
GPtrArray *
ns_report_list_facts (const NsExportReport *report)
{
  const NsExportRows *rows = &report->rows;
  const NsEtlHeader *header = ns_etl_file_get_header (rows->trace->file);
  GPtrArray *facts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) begin = g_string_new (NULL);
  g_autofree char *span = ns_time_seconds_to_text (rows->trace->end_ns, 6);
  g_autofree char *span_s = g_strconcat (span, " s", NULL);
  g_autofree char *count = NULL;
  guint n_all = ns_table_get_n_rows (rows->trace, rows->table);

  /* Translators: so many rows of so many */
  count = g_strdup_printf (_ ("%u of %u"), (guint) rows->n_rows, n_all);
  if (report->redact == NULL)
    {
      add_fact (facts, _ ("Session"), header->session);
      add_fact (facts, _ ("Recorded as"), header->log_file);
    }
  ns_export_time_append (begin, rows->trace, 0, NS_EXPORT_TIME_ISO);
  add_fact (facts, _ ("Begin"), begin->str);
  add_fact (facts, _ ("Span"), span_s);
  if (report->redact == NULL)
    {
      add_inputs (facts, rows->trace->file);
      add_logs (facts, rows->trace);
      add_fact (facts, _ ("Filter"), report->filter);
    }
  add_fact (facts, _ ("Rows"), count);
  if (rows->table == NS_TABLE_ACTIVITIES)
    {
      g_autofree char *failed = g_strdup_printf ("%u", count_failed (rows));

      add_fact (facts, _ ("Failed"), failed);
    }
  return facts;
}

/**
 * ns_report_list_missing:
 * @report: a report
 *
 * Returns: (transfer full) (element-type utf8): missing data of the trace, one entry per line
 */
GPtrArray *
ns_report_list_missing (const NsExportReport *report)
{
  NsEtlFile *file = report->rows.trace->file;
  const GPtrArray *damage = ns_etl_file_get_report (file)->damage;
  GPtrArray *missing = g_ptr_array_new_with_free_func (g_free);
  NsMissing lost;
  guint i;

  ns_missing_count (report->rows.trace, &lost);
  if (ns_missing_has_losses (&lost))
    g_ptr_array_add (missing,
                     g_strdup_printf (_ ("Lost while recording: events: %u, buffers: %u"),
                                      (guint) MIN (lost.n_events, G_MAXUINT),
                                      (guint) MIN (lost.n_buffers, G_MAXUINT)));
  if (ns_missing_has_gaps (&lost))
    g_ptr_array_add (missing,
                     g_strdup_printf (_ ("Buffers missing in the file: %u"),
                                      (guint) MIN (lost.n_gap_buffers, G_MAXUINT)));
  for (i = 0; i < MIN (damage->len, NS_EXPORT_HTML_MAX_DAMAGE); i++)
    {
      const NsEtlDamage *place = g_ptr_array_index (damage, i);
      g_autofree char *what = ns_report_dup_shown (report, place->what);

      g_ptr_array_add (missing,
                       g_strdup_printf (_ ("Damaged at byte %" PRIu64 ": %s"),
                                        place->offset,
                                        what));
    }
  if (damage->len > NS_EXPORT_HTML_MAX_DAMAGE)
    g_ptr_array_add (missing,
                     g_strdup_printf (_ ("and %u more damaged places"),
                                      damage->len - NS_EXPORT_HTML_MAX_DAMAGE));
  return missing;
}

/**
 * ns_report_redact_beginning:
 * @pass: the pass
 * @report: a report
 *
 * Visits the texts that a report has before its rows, in order.
 */
void
ns_report_redact_beginning (NsRedactPass *pass, const NsExportReport *report)
{
  const GPtrArray *damage = ns_etl_file_get_report (report->rows.trace->file)->damage;
  g_autoptr (GPtrArray) findings = ns_report_list_findings (&report->rows);
  guint i;

  for (i = 0; i < MIN (damage->len, NS_EXPORT_HTML_MAX_DAMAGE); i++)
    ns_redact_pass_learn (pass, ((const NsEtlDamage *) g_ptr_array_index (damage, i))->what);
  for (i = 0; i < findings->len; i++)
    ns_redact_pass_learn (pass, ((const NsFindingRow *) g_ptr_array_index (findings, i))->text);
}

/**
 * ns_report_redact_steps:
 * @pass: the pass
 * @steps: (element-type NsReportStep): steps of an operation
 *
 * Visits the texts of steps.
 */
void
ns_report_redact_steps (NsRedactPass *pass, const GArray *steps)
{
  guint i;

  for (i = 0; i < steps->len; i++)
    {
      const NsReportStep *step = &g_array_index (steps, NsReportStep, i);

      if (step->what != NULL)
        ns_redact_pass_learn (pass, step->what);
      if (step->result != NULL)
        ns_redact_pass_learn (pass, step->result);
    }
}

/**
 * ns_report_add_columns:
 * @columns: (element-type NsField): default columns
 * @table: their table
 *
 * Adds columns with the result of operations.
 */
void
ns_report_add_columns (GPtrArray *columns, NsTableId table)
{
  static const char *const ends[] = { "status", "error" };
  guint at;
  guint i;

  if (table != NS_TABLE_ACTIVITIES)
    return;
  for (at = 0; at < columns->len; at++)
    if (g_str_equal (((const NsField *) g_ptr_array_index (columns, at))->id, "url"))
      break;
  for (i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      gpointer field = (gpointer) ns_table_find_field (table, ends[i]);

      if (g_ptr_array_find (columns, field, NULL))
        continue;
      at = MIN (at + 1, columns->len);
      g_ptr_array_insert (columns, (gint) at, field);
    }
}

/**
 * ns_report_list_columns:
 * @table: a table
 *
 * Returns: (transfer container) (element-type NsField): the default columns of a report: those of
 *   the table, and the result of operations
 */
GPtrArray *
ns_report_list_columns (NsTableId table)
{
  GPtrArray *columns = ns_table_list_columns (table);

  ns_report_add_columns (columns, table);
  return columns;
}
