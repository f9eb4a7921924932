/* Findings as readable text: heading, sentence and advice, wrapped to the line width.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-findings.h"

#include "base/ns-lines.h"
#include "export/ns-export-cell.h"
#include "export/ns-report-parts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Default and minimum line width. */
#define LINE_WIDTH 100
#define LEAST_LINE_WIDTH 20
/* Minimum width of the text after indentation. */
#define LEAST_TEXT_WIDTH 10
/* Maximum number of rows listed per finding; the column has all of them. */
#define MAX_ROWS 12

typedef struct
{
  const NsExportRows *rows;
  const NsExportOptions *options;
  GString *text;
  guint line_width;
  gboolean is_first; /* nothing is written yet */
} Writer;

static guint
get_row (const Writer *self, gsize i)
{
  return self->rows->rows != NULL ? self->rows->rows[i] : (guint) i;
}

/**
 * ns_export_paragraph_append: (skip)
 * @text: (inout): appended to
 * @before: (not nullable): prefix of the first line; further lines are indented by its width
 * @paragraph: a text
 * @line_width: line width in characters
 *
 * Appends a text wrapped to the line width; the indentation is limited so that ten characters
 * remain.
 */
void
ns_export_paragraph_append (GString *text,
                            const char *before,
                            const char *paragraph,
                            guint line_width)
{
  g_autoptr (GString) plain = g_string_new (NULL);
  g_autofree char *wrapped = NULL;
  g_auto (GStrv) lines = NULL;
  guint indent = ns_export_cell_get_width (before);
  guint width = MAX (line_width, LEAST_LINE_WIDTH);
  guint i;

  width = indent + LEAST_TEXT_WIDTH < width ? width - indent : LEAST_TEXT_WIDTH;
  ns_export_cell_append_plain (plain, paragraph);
  wrapped = ns_lines_wrap (plain->str, width);
  lines = g_strsplit (wrapped, "\n", -1);
  for (i = 0; lines[i] != NULL; i++)
    if (i == 0)
      g_string_append_printf (text, "%s%s\n", before, lines[i]);
    else
      g_string_append_printf (text, "%*s%s\n", (int) indent, "", lines[i]);
}

/**
 * ns_export_finding_append: (skip)
 * @text: (inout): appended to
 * @finding: a finding
 * @sentence: its sentence, masked for display
 * @line_width: line width in characters
 *
 * Appends a finding as readable text.
 */
void
ns_export_finding_append (GString *text,
                          const NsFindingRow *finding,
                          const char *sentence,
                          guint line_width)
{
  g_autofree char *head = g_strdup_printf ("%s · %s", finding->rule, finding->title);
  g_autofree char *before = g_strdup_printf ("[%s] ", ns_severity_to_text (finding->severity));

  ns_export_paragraph_append (text, before, head, line_width);
  ns_export_paragraph_append (text, "  ", sentence, line_width);
  if (finding->advice != NULL)
    ns_export_paragraph_append (text, "  → ", finding->advice, line_width);
}

/* Appends the begin, in the requested time format. */
static void
append_begin (const Writer *self, const NsFindingRow *finding, GString *facts)
{
  NsExportTime time = self->options->time;

  if (!ns_time_is_set (finding->open_ns))
    return;
  if (time > NS_EXPORT_TIME_REL)
    {
      ns_export_time_append (facts, self->rows->trace, finding->open_ns, time);
      return;
    }
  ns_export_time_append (facts, self->rows->trace, finding->open_ns, NS_EXPORT_TIME_REL);
  g_string_append (facts, " s");
}

static void
append_cost (const NsFindingRow *finding, GString *facts)
{
  g_autofree char *cost = NULL;

  if (finding->cost_ns == NS_UNKNOWN)
    return;
  cost = ns_report_format_ms (finding->cost_ns);
  g_string_append (facts, facts->len > 0 ? " · " : "");
  /* Translators: how much time was lost; %s is a number. */
  g_string_append_printf (facts, _ ("cost %s ms"), cost);
}

/* Appends the rows of each table after its name. */
static void
append_rows (const NsFindingRow *finding, GString *facts)
{
  guint n = finding->refs != NULL ? finding->refs->len : 0;
  guint i;

  for (i = 0; i < MIN (n, MAX_ROWS); i++)
    {
      const NsFindingRef *ref = &g_array_index (finding->refs, NsFindingRef, i);
      const NsFindingRef *last = i > 0 ? &g_array_index (finding->refs, NsFindingRef, i - 1) : NULL;

      if (last != NULL && last->table == ref->table)
        g_string_append_printf (facts, ", %u", ref->row);
      else
        g_string_append_printf (facts,
                                "%s%s %u",
                                facts->len > 0 ? " · " : "",
                                ns_table_get_name (ref->table),
                                ref->row);
    }
  if (n > MAX_ROWS)
    g_string_append (facts, ", …");
}

static void
append_finding (const Writer *self, const NsFindingRow *finding)
{
  const NsRedact *redact = self->options->redact;
  g_autofree char *sentence =
      redact != NULL ? ns_redact_dup_text (redact, finding->text) : g_strdup (finding->text);
  g_autoptr (GString) facts = g_string_new (NULL);

  ns_export_finding_append (self->text, finding, sentence, self->line_width);
  append_begin (self, finding, facts);
  append_cost (finding, facts);
  append_rows (finding, facts);
  if (facts->len > 0)
    ns_export_paragraph_append (self->text, "  ", facts->str, self->line_width);
}

/* Lists the rules with another verdict: in one paragraph, or each with its reason. */
static void
append_others (Writer *self, NsVerdict verdict, const char *title)
{
  const GArray *findings = ns_findings_get (self->rows->trace);
  g_autoptr (GString) list = g_string_new (NULL);
  g_autoptr (GString) lines = g_string_new (NULL);
  guint n = 0;
  gsize i;

  for (i = 0; i < self->rows->n_rows; i++)
    {
      const NsFindingRow *finding = &g_array_index (findings, NsFindingRow, get_row (self, i));

      if (finding->verdict != verdict)
        continue;
      g_string_append_printf (list,
                              "%s%s %s",
                              list->len > 0 ? "; " : "",
                              finding->rule,
                              finding->title);
      if (verdict == NS_VERDICT_UNJUDGED)
        {
          g_string_append_printf (list, ": %s", finding->text);
          ns_export_paragraph_append (lines, "  ", list->str, self->line_width);
          g_string_truncate (list, 0);
        }
      n++;
    }
  if (n == 0)
    return;
  if (list->len > 0)
    ns_export_paragraph_append (lines, "  ", list->str, self->line_width);
  g_string_append_printf (self->text, "%s%s (%u)\n", self->is_first ? "" : "\n", title, n);
  g_string_append (self->text, lines->str);
  self->is_first = FALSE;
}

static NsExportMark
get_mark (const NsFindingRow *finding)
{
  return finding->severity == NS_SEVERITY_PROBLEM   ? NS_EXPORT_MARK_FAILURE
         : finding->severity == NS_SEVERITY_WARNING ? NS_EXPORT_MARK_WARNING
                                                    : NS_EXPORT_MARK_NONE;
}

/* Writes a finding; the first line, which has the severity, is highlighted. */
static gboolean
write_finding (Writer *self,
               const NsFindingRow *finding,
               NsExportWriteFunc write,
               gpointer write_data,
               GError **error)
{
  const NsExportOptions *options = self->options;
  NsExportMark mark = get_mark (finding);
  const char *end;
  gsize n_head;

  g_string_truncate (self->text, 0);
  append_finding (self, finding);
  end = strchr (self->text->str, '\n');
  n_head = end != NULL ? (gsize) (end - self->text->str) : 0;
  if (options->mark == NULL || mark == NS_EXPORT_MARK_NONE)
    return write (self->text->str, self->text->len, write_data, error);
  return options->mark (mark, write_data, error) &&
         write (self->text->str, n_head, write_data, error) &&
         options->mark (NS_EXPORT_MARK_NONE, write_data, error) &&
         write (self->text->str + n_head, self->text->len - n_head, write_data, error);
}

/**
 * ns_export_findings:
 * @rows: rows of the table of findings
 * @options: time format, line width and highlighting; the rest is ignored
 * @write: receives the output
 * @write_data: for @write
 * @error: error of @write
 *
 * Writes each finding with its sentence; rules that found nothing, or lacked data, are listed in
 * one paragraph each.
 *
 * Returns: %FALSE if @write failed
 */
gboolean
ns_export_findings (const NsExportRows *rows,
                    const NsExportOptions *options,
                    NsExportWriteFunc write,
                    gpointer write_data,
                    GError **error)
{
  const GArray *findings = ns_findings_get (rows->trace);
  g_autoptr (GString) text = g_string_new (NULL);
  Writer self = { rows, options, text, LINE_WIDTH, TRUE };
  gsize i;

  if (options->line_width > 0)
    self.line_width = options->line_width;
  for (i = 0; i < rows->n_rows; i++)
    {
      const NsFindingRow *finding = &g_array_index (findings, NsFindingRow, get_row (&self, i));

      if (finding->verdict != NS_VERDICT_FOUND)
        continue;
      if (!write_finding (&self, finding, write, write_data, error))
        return FALSE;
      self.is_first = FALSE;
    }
  g_string_truncate (text, 0);
  append_others (&self, NS_VERDICT_UNJUDGED, _ ("Cannot be judged: events not recorded"));
  append_others (&self, NS_VERDICT_NOT_FOUND, _ ("Not found"));
  return text->len == 0 || write (text->str, text->len, write_data, error);
}
