/* A report of rows as plain text, with the contents of ns_export_html() except for the picture.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-report-text.h"

#include "engine/activities/ns-activity-below.h"
#include "export/ns-export-cell.h"
#include "export/ns-export-findings.h"
#include "export/ns-export-flush.h"
#include "export/ns-report-parts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define CHUNK (64 * 1024)
#define MAX_NAME_WIDTH 24
#define TIME_WIDTH 12
#define LAYER_WIDTH 8
#define LINE_WIDTH 100

typedef struct
{
  const NsExportReport *report;
  GString *text;
  NsExportWriteFunc write;
  gpointer write_data;
} Writer;

static gboolean
flush (Writer *self, gsize at_least, GError **error)
{
  return ns_export_flush (self->text, at_least, self->write, self->write_data, error);
}

/* Writes a line, wrapped if a line width is set. Continuation lines have the same indentation,
 * up to half the width, as a text may consist of blanks. */
static void
put_line (Writer *self, const char *before, const char *line)
{
  guint line_width = self->report->line_width;
  gsize n_blanks = MIN (strspn (line, " "), line_width / 2);

  if (line_width > 0 &&
      ns_export_cell_get_width (before) + ns_export_cell_get_width (line) > line_width)
    {
      g_autofree char *indented = g_strdup_printf ("%s%.*s", before, (int) n_blanks, line);

      ns_export_paragraph_append (self->text, indented, line + n_blanks, line_width);
      return;
    }
  g_string_append (self->text, before);
  ns_export_cell_append_plain (self->text, line);
  g_string_append_c (self->text, '\n');
}

/* Returns the width of paragraphs, which are easier to read in shorter lines. */
static guint
get_paragraph_width (const Writer *self)
{
  return self->report->line_width > 0 ? MIN (self->report->line_width, LINE_WIDTH) : LINE_WIDTH;
}

/* Writes an underlined title. */
static void
put_title (Writer *self, const char *title, char line)
{
  guint width = ns_export_cell_get_width (title);

  if (self->report->line_width > 0)
    width = MIN (width, self->report->line_width);
  if (self->text->len > 0 || line != '=')
    g_string_append_c (self->text, '\n');
  put_line (self, "", title);
  while (width-- > 0)
    g_string_append_c (self->text, line);
  g_string_append (self->text, "\n");
}

static void
put_facts (Writer *self)
{
  g_autoptr (GPtrArray) facts = ns_report_list_facts (self->report);
  guint width = 0;
  guint i;

  for (i = 0; i + 1 < facts->len; i += 2)
    width = MAX (width, ns_export_cell_get_width (g_ptr_array_index (facts, i)));
  for (i = 0; i + 1 < facts->len; i += 2)
    {
      g_autoptr (GString) name = g_string_new (NULL);

      ns_export_cell_append_aligned (name,
                                     g_ptr_array_index (facts, i),
                                     MIN (width, MAX_NAME_WIDTH),
                                     FALSE,
                                     FALSE);
      g_string_append (name, "  ");
      put_line (self, name->str, g_ptr_array_index (facts, i + 1));
    }
}

static void
put_missing (Writer *self)
{
  g_autoptr (GPtrArray) missing = ns_report_list_missing (self->report);
  guint i;

  if (missing->len > 0)
    put_title (self, _ ("Missing data"), '-');
  for (i = 0; i < missing->len; i++)
    ns_export_paragraph_append (self->text,
                                "- ",
                                g_ptr_array_index (missing, i),
                                get_paragraph_width (self));
}

static void
put_findings (Writer *self)
{
  g_autoptr (GPtrArray) findings = ns_report_list_findings (&self->report->rows);
  guint i;

  put_title (self, _ ("Findings"), '-');
  if (findings->len == 0)
    put_line (self, "", _ ("Nothing was found about these rows."));
  for (i = 0; i < findings->len; i++)
    {
      const NsFindingRow *finding = g_ptr_array_index (findings, i);
      g_autofree char *text = ns_report_dup_shown (self->report, finding->text);

      ns_export_finding_append (self->text, finding, text, get_paragraph_width (self));
    }
}

static gboolean
put_rows (Writer *self, GError **error)
{
  NsExportOptions options = { .format = NS_EXPORT_TEXT,
                              .time = NS_EXPORT_TIME_REL,
                              .redact = self->report->redact,
                              .line_width = self->report->line_width };

  put_title (self, _ ("Rows"), '-');
  return flush (self, 0, error) &&
         ns_export_table (&self->report->rows, &options, self->write, self->write_data, error);
}

static void
put_step (Writer *self, const NsReportStep *step, gint64 open_ns)
{
  g_autofree char *at = ns_report_format_ms (step->time_ns - open_ns);
  g_autofree char *what = ns_report_dup_shown (self->report, step->what);
  g_autofree char *result = ns_report_dup_shown (self->report, step->result);
  g_autoptr (GString) before = g_string_new (NULL);
  g_autoptr (GString) line = g_string_new (what);

  ns_export_cell_append_aligned (before, at, TIME_WIDTH, TRUE, FALSE);
  g_string_append (before, " ms  ");
  ns_export_cell_append_aligned (before, step->layer, LAYER_WIDTH, FALSE, FALSE);
  g_string_append (before, "  ");
  if (step->span_ns != NS_UNKNOWN)
    {
      g_autofree char *span = ns_report_format_ms (step->span_ns);

      g_string_append_printf (line, " [%s ms]", span);
    }
  if (result != NULL)
    g_string_append_printf (line, "%s%s", step->failed ? " ✗ " : " → ", result);
  put_line (self, before->str, line->str);
}

static void
put_stack (Writer *self, guint row)
{
  g_autoptr (GString) stack = g_string_new (NULL);
  g_autofree char *shown = NULL;
  g_auto (GStrv) lines = NULL;
  guint i;

  ns_export_chain_append_text (&self->report->chains, row + 1, stack);
  shown = ns_report_dup_shown (self->report, stack->str);
  lines = g_strsplit (shown, "\n", -1);
  /* Skip the first line, which is the row number. */
  for (i = 1; lines[0] != NULL && lines[i] != NULL; i++)
    if (*lines[i] != '\0')
      put_line (self, "", lines[i]);
}

/* Writes the calls of a row, and its stack. */
static gboolean
put_operation (Writer *self, const NsReportCalls *calls, guint row, gboolean *is_first)
{
  const NsTrace *trace = self->report->rows.trace;
  const NsActivityRow *activity = &g_array_index (trace->activities, NsActivityRow, row);
  gint64 open_ns = activity->open_ns != NS_TIME_NONE ? activity->open_ns : 0;
  gboolean has_stack = ns_activity_count_stacks (trace, activity) > 0;
  guint n_more;
  g_autoptr (GArray) steps = ns_report_calls_list (calls, row, &n_more);
  g_autofree char *sentence = NULL;
  g_autofree char *shown = NULL;
  guint i;

  if (steps->len == 0 && !has_stack)
    return FALSE;
  if (*is_first)
    put_title (self, _ ("Call sequences and stacks"), '-');
  else
    g_string_append_c (self->text, '\n');
  *is_first = FALSE;
  sentence = ns_sentence_new (trace, NS_TABLE_ACTIVITIES, row);
  shown = ns_report_dup_shown (self->report, sentence);
  put_line (self, "", shown);
  for (i = 0; i < steps->len; i++)
    put_step (self, &g_array_index (steps, NsReportStep, i), open_ns);
  if (n_more > 0)
    {
      g_autofree char *more = ns_report_format_more (n_more);

      put_line (self, "  ", more);
    }
  if (has_stack)
    put_stack (self, row);
  return TRUE;
}

static gboolean
put_operations (Writer *self, GError **error)
{
  const NsExportRows *rows = &self->report->rows;
  g_autoptr (NsReportCalls) calls = NULL;
  gboolean is_first = TRUE;
  guint n_written = 0;
  gsize i;

  if (rows->table != NS_TABLE_ACTIVITIES)
    return TRUE;
  calls = ns_report_calls_new (rows->trace);
  for (i = 0; i < rows->n_rows && n_written < NS_EXPORT_HTML_MAX_STACKS; i++)
    {
      n_written +=
          put_operation (self, calls, rows->rows != NULL ? rows->rows[i] : (guint) i, &is_first);
      if (!flush (self, CHUNK, error))
        return FALSE;
    }
  if (i < rows->n_rows)
    {
      g_autofree char *text =
          g_strdup_printf (_ ("Only the first %u call sequences are written out."), n_written);

      put_line (self, "\n", text);
    }
  return TRUE;
}

static void
look_at_operation (NsRedactPass *pass,
                   const NsExportReport *report,
                   const NsReportCalls *calls,
                   guint row,
                   guint *n_written)
{
  const NsTrace *trace = report->rows.trace;
  const NsActivityRow *activity = &g_array_index (trace->activities, NsActivityRow, row);
  gboolean has_stack = ns_activity_count_stacks (trace, activity) > 0;
  guint n_more;
  g_autoptr (GArray) steps = ns_report_calls_list (calls, row, &n_more);
  g_autofree char *sentence = NULL;

  if (steps->len == 0 && !has_stack)
    return;
  (*n_written)++;
  sentence = ns_sentence_new (trace, NS_TABLE_ACTIVITIES, row);
  ns_redact_pass_learn (pass, sentence);
  ns_report_redact_steps (pass, steps);
  if (has_stack)
    {
      g_autoptr (GString) stack = g_string_new (NULL);

      ns_export_chain_append_text (&report->chains, row + 1, stack);
      ns_redact_pass_learn (pass, stack->str);
    }
}

/* Visits the texts outside of the rows, in report order. */
static void
look_at_texts (NsRedactPass *pass, gconstpointer data)
{
  const NsExportReport *report = data;
  const NsExportRows *rows = &report->rows;
  g_autoptr (NsReportCalls) calls = NULL;
  guint n_written = 0;
  gsize i;

  ns_report_redact_beginning (pass, report);
  if (rows->table != NS_TABLE_ACTIVITIES)
    return;
  calls = ns_report_calls_new (rows->trace);
  for (i = 0; i < rows->n_rows && n_written < NS_EXPORT_HTML_MAX_STACKS; i++)
    look_at_operation (pass,
                       report,
                       calls,
                       rows->rows != NULL ? rows->rows[i] : (guint) i,
                       &n_written);
}

/**
 * ns_export_report_text_look:
 * @report: the report
 * @progress: (nullable): called regularly; stops if it returns %FALSE
 * @progress_data: for @progress
 *
 * Finds what is replaced if the report is written without names.
 *
 * Returns: (transfer full) (nullable): the stand-ins; %NULL if stopped
 */
NsRedact *
ns_export_report_text_look (const NsExportReport *report,
                            NsProgressFunc progress,
                            gpointer progress_data)
{
  NsRedactOptions options = { look_at_texts, report, progress, progress_data };

  return ns_redact_new (&report->rows, &options);
}

/**
 * ns_export_report_text:
 * @report: the report
 * @write: receives the output
 * @write_data: for @write
 * @error: error of @write
 *
 * Returns: %FALSE if @write failed
 */
gboolean
ns_export_report_text (const NsExportReport *report,
                       NsExportWriteFunc write,
                       gpointer write_data,
                       GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *title = ns_report_dup_title (report);
  Writer self = { report, text, write, write_data };

  put_title (&self, title, '=');
  put_facts (&self);
  put_missing (&self);
  put_findings (&self);
  return put_rows (&self, error) && put_operations (&self, error) && flush (&self, 0, error);
}
