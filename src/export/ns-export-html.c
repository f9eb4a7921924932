/* A report of rows as a self-contained HTML page.
 *
 * It has no scripts and loads nothing. It is well-formed XML, and every text of the trace is
 * escaped. Headers and bodies of requests are not included.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-html.h"

#include "engine/activities/ns-activity-below.h"
#include "export/ns-export-cell.h"
#include "export/ns-export-flush.h"
#include "export/ns-report-parts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define CHUNK (64 * 1024)

static const char style[] =
    "body { font: 14px/1.4 sans-serif; margin: 24px; color: #2e3436; background: #ffffff; }\n"
    "h1 { font-size: 22px; } h2 { font-size: 17px; margin-top: 24px; }\n"
    "dl { display: grid; grid-template-columns: max-content auto; gap: 3px 12px; }\n"
    "dt { color: #585d60; } dd { margin: 0; overflow-wrap: anywhere; }\n"
    "table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }\n"
    "th, td { padding: 3px 6px; border-bottom: 1px solid #e9e6e3; vertical-align: top; }\n"
    "th { text-align: left; color: #585d60; } td.long { overflow-wrap: anywhere; }\n"
    "td[align=right] { white-space: nowrap; } svg { max-width: 100%; height: auto; }\n"
    "pre { font-size: 12px; overflow-x: auto; margin: 3px 0 12px 18px; }\n"
    "h3 { font-size: 13px; margin: 18px 0 3px 0; overflow-wrap: anywhere; }\n"
    ".findings { padding: 0; list-style: none; }\n"
    ".findings li { border-left: 4px solid #6f7376; padding: 3px 9px; margin: 0 0 9px 0; }\n"
    ".findings li.problem { border-color: #c01c28; } .findings li.warning { border-color: #b56a00; "
    "}\n"
    ".findings em { color: #585d60; font-style: normal; }\n"
    "tr.problem td { color: #a51d2d; }\n"
    "ul:not(.findings) .warning { color: #8a5300; font-weight: bold; }\n"
    "figure { margin: 0; overflow-x: auto; background: #ffffff; }\n"
    "@media (prefers-color-scheme: dark) { body { color: #eeeeec; background: #2a2a2a; }\n"
    "  th, dt, .findings em { color: #b7b9b6; } th, td { border-color: #3d3d3d; }\n"
    "  ul:not(.findings) .warning { color: #f0b44c; } tr.problem td { color: #ff9c94; } }\n"
    "@page { size: A4 landscape; margin: 12mm; }\n"
    "@media print { body { font-size: 9pt; margin: 0; color: #000000; background: #ffffff; }\n"
    "  h1 { font-size: 14pt; } h2 { font-size: 11pt; } h2, h3, summary { break-after: avoid; }\n"
    "  h3 { font-size: 9pt; } table { width: 100%; font-size: 7pt; } th, td { padding: 1pt 2pt; }\n"
    "  tr, .findings li, figure { break-inside: avoid; } thead { display: table-header-group; }\n"
    "  svg { max-height: 160mm; } pre { font-size: 7pt; white-space: pre-wrap;\n"
    "  overflow-wrap: anywhere; margin-left: 0; } figure { overflow: visible; } }\n";

typedef struct
{
  const NsExportReport *report;
  GString *html;
  NsExportWriteFunc write;
  gpointer write_data;
} Writer;

static gboolean
flush (Writer *self, gsize at_least, GError **error)
{
  return ns_export_flush (self->html, at_least, self->write, self->write_data, error);
}

static guint
get_row (const NsExportRows *rows, gsize i)
{
  return rows->rows != NULL ? rows->rows[i] : (guint) i;
}

static void
add_fact (Writer *self, const char *name, const char *value)
{
  if (value == NULL || *value == '\0')
    return;
  g_string_append (self->html, "<dt>");
  ns_export_cell_append_html (self->html, name);
  g_string_append (self->html, "</dt><dd>");
  ns_export_cell_append_html (self->html, value);
  g_string_append (self->html, "</dd>\n");
}

static void
add_element (Writer *self, const char *name, const char *text)
{
  g_string_append_printf (self->html, "<%s>", name);
  ns_export_cell_append_html (self->html, text);
  g_string_append_printf (self->html, "</%s>\n", name);
}

static void
put_head (Writer *self, const char *title)
{
  g_string_append (self->html,
                   "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
                   "<meta charset=\"utf-8\"/>\n"
                   "<meta name=\"viewport\" content=\"width=device-width\"/>\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                   "style-src 'unsafe-inline'; img-src data:\"/>\n");
  add_element (self, "title", title);
  g_string_append (self->html, "<style>\n");
  g_string_append (self->html, style);
  g_string_append (self->html, "</style>\n</head>\n<body>\n");
  add_element (self, "h1", title);
}

static void
put_facts (Writer *self)
{
  g_autoptr (GPtrArray) facts = ns_report_list_facts (self->report);
  guint i;

  g_string_append (self->html, "<dl>\n");
  for (i = 0; i + 1 < facts->len; i += 2)
    add_fact (self, g_ptr_array_index (facts, i), g_ptr_array_index (facts, i + 1));
  g_string_append (self->html, "</dl>\n");
  if (self->report->redact != NULL)
    add_element (self,
                 "p",
                 _ ("Stand-ins replace names. The trace name, the filter, notes and the timeline "
                    "are left out."));
}

/* Lists missing data of the trace; empty if there is none. */
static void
put_health (Writer *self)
{
  g_autoptr (GPtrArray) missing = ns_report_list_missing (self->report);
  guint i;

  if (missing->len == 0)
    return;
  add_element (self, "h2", _ ("Missing data"));
  g_string_append (self->html, "<ul>\n");
  for (i = 0; i < missing->len; i++)
    {
      g_string_append (self->html, "<li class=\"warning\">");
      ns_export_cell_append_html (self->html, g_ptr_array_index (missing, i));
      g_string_append (self->html, "</li>\n");
    }
  g_string_append (self->html, "</ul>\n");
}

static void
put_finding (Writer *self, const NsFindingRow *finding)
{
  static const char *const classes[] = {
    [NS_SEVERITY_INFO] = "info",
    [NS_SEVERITY_WARNING] = "warning",
    [NS_SEVERITY_PROBLEM] = "problem",
  };
  g_autofree char *text = ns_report_dup_shown (self->report, finding->text);
  g_autofree char *title = g_strdup_printf ("%s · %s", finding->rule, finding->title);

  g_string_append_printf (self->html,
                          "<li class=\"%s\"><strong>",
                          classes[MIN (finding->severity, NS_SEVERITY_PROBLEM)]);
  ns_export_cell_append_html (self->html, title);
  g_string_append (self->html, "</strong><br/>");
  ns_export_cell_append_html (self->html, text);
  if (finding->advice != NULL)
    {
      g_string_append (self->html, "<br/><em>");
      ns_export_cell_append_html (self->html, finding->advice);
      g_string_append (self->html, "</em>");
    }
  g_string_append (self->html, "</li>\n");
}

static void
put_findings (Writer *self)
{
  g_autoptr (GPtrArray) findings = ns_report_list_findings (&self->report->rows);
  guint i;

  add_element (self, "h2", _ ("Findings"));
  if (findings->len == 0)
    {
      add_element (self, "p", _ ("Nothing was found about these rows."));
      return;
    }
  g_string_append (self->html, "<ul class=\"findings\">\n");
  for (i = 0; i < findings->len; i++)
    put_finding (self, g_ptr_array_index (findings, i));
  g_string_append (self->html, "</ul>\n");
}

static void
put_cell (Writer *self, const char *text, gboolean is_number)
{
  g_string_append (self->html,
                   is_number                       ? "<td align=\"right\">"
                   : ns_export_cell_is_long (text) ? "<td class=\"long\">"
                                                   : "<td>");
  ns_export_cell_append_html (self->html, text != NULL ? text : "");
  g_string_append (self->html, "</td>");
}

static void
put_step (Writer *self, const NsReportStep *step, gint64 open_ns)
{
  g_autofree char *at = ns_report_format_ms (step->time_ns - open_ns);
  g_autofree char *span =
      step->span_ns != NS_UNKNOWN ? ns_report_format_ms (step->span_ns) : g_strdup ("");
  g_autofree char *what = ns_report_dup_shown (self->report, step->what);
  g_autofree char *result = ns_report_dup_shown (self->report, step->result);

  g_string_append (self->html, step->failed ? "<tr class=\"problem\">" : "<tr>");
  put_cell (self, at, TRUE);
  put_cell (self, step->layer, FALSE);
  put_cell (self, what, FALSE);
  put_cell (self, span, TRUE);
  put_cell (self, result, FALSE);
  g_string_append (self->html, "</tr>\n");
}

static void
put_sequence (Writer *self, guint row, const GArray *steps, guint n_more)
{
  const NsTrace *trace = self->report->rows.trace;
  gint64 open_ns = g_array_index (trace->activities, NsActivityRow, row).open_ns;
  const char *titles[] = { _ ("After (ms)"),
                           _ ("Layer"),
                           _ ("Call"),
                           _ ("Took (ms)"),
                           _ ("Result") };
  g_autofree char *sentence = ns_sentence_new (trace, NS_TABLE_ACTIVITIES, row);
  g_autofree char *shown = ns_report_dup_shown (self->report, sentence);
  guint i;

  if (open_ns == NS_TIME_NONE)
    open_ns = 0;
  add_element (self, "h3", shown);
  g_string_append (self->html, "<table class=\"calls\">\n<thead><tr>");
  for (i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      g_string_append (self->html, i == 0 || i == 3 ? "<th align=\"right\">" : "<th>");
      ns_export_cell_append_html (self->html, titles[i]);
      g_string_append (self->html, "</th>");
    }
  g_string_append (self->html, "</tr></thead>\n<tbody>\n");
  for (i = 0; i < steps->len; i++)
    put_step (self, &g_array_index (steps, NsReportStep, i), open_ns);
  g_string_append (self->html, "</tbody>\n</table>\n");
  if (n_more > 0)
    {
      g_autofree char *more = ns_report_format_more (n_more);

      add_element (self, "p", more);
    }
}

static gboolean
put_sequences (Writer *self, GError **error)
{
  const NsExportRows *rows = &self->report->rows;
  g_autoptr (NsReportCalls) calls = NULL;
  guint n_written = 0;
  gsize i;

  if (rows->table != NS_TABLE_ACTIVITIES)
    return TRUE;
  calls = ns_report_calls_new (rows->trace);
  for (i = 0; i < rows->n_rows && n_written < NS_EXPORT_HTML_MAX_STACKS; i++)
    {
      guint n_more;
      g_autoptr (GArray) steps = ns_report_calls_list (calls, get_row (rows, i), &n_more);

      if (steps->len == 0)
        continue;
      if (n_written++ == 0)
        add_element (self, "h2", _ ("Call sequences"));
      put_sequence (self, get_row (rows, i), steps, n_more);
      if (!flush (self, CHUNK, error))
        return FALSE;
    }
  if (i < rows->n_rows)
    {
      g_autofree char *text =
          g_strdup_printf (_ ("Only the first %u call sequences are written out."), n_written);

      add_element (self, "p", text);
    }
  return TRUE;
}

/* Writes the user's notes at times and time ranges. They are free text in which names cannot be
 * recognized, so they are left out if names are replaced. */
static void
put_notes (Writer *self)
{
  g_autoptr (GVariant) marks =
      self->report->view != NULL && self->report->redact == NULL
          ? g_variant_lookup_value (self->report->view, "marks", G_VARIANT_TYPE ("a(xxs)"))
          : NULL;
  gsize n_marks = marks != NULL ? g_variant_n_children (marks) : 0;
  gboolean has_any = FALSE;
  gsize i;

  for (i = 0; i < MIN (n_marks, NS_EXPORT_HTML_MAX_NOTES); i++)
    {
      const char *text;
      gint64 begin_ns;
      gint64 end_ns;

      g_variant_get_child (marks, i, "(xx&s)", &begin_ns, &end_ns, &text);
      if (*text == '\0')
        continue;
      if (!has_any)
        {
          add_element (self, "h2", _ ("Notes"));
          g_string_append (self->html, "<dl>\n");
        }
      has_any = TRUE;
      g_string_append_printf (self->html, "<dt>%.6f s", (double) begin_ns / 1e9);
      if (end_ns > begin_ns)
        g_string_append_printf (self->html, " – %.6f s", (double) end_ns / 1e9);
      g_string_append (self->html, "</dt><dd>");
      ns_export_cell_append_html (self->html, text);
      g_string_append (self->html, "</dd>\n");
    }
  if (has_any)
    g_string_append (self->html, "</dl>\n");
}

/* Embeds an SVG picture without the XML declaration, which only a separate file has. */
static void
put_picture (Writer *self)
{
  const char *svg = self->report->picture != NULL ? strstr (self->report->picture, "<svg") : NULL;

  if (svg == NULL || self->report->redact != NULL)
    return;
  add_element (self, "h2", _ ("Timeline"));
  g_string_append (self->html, "<figure>\n");
  g_string_append (self->html, svg);
  g_string_append (self->html, "</figure>\n");
}

static gboolean
put_rows (Writer *self, GError **error)
{
  NsExportOptions options = { .format = NS_EXPORT_HTML,
                              .time = NS_EXPORT_TIME_REL,
                              .redact = self->report->redact };

  add_element (self, "h2", _ ("Rows"));
  if (!flush (self, 0, error))
    return FALSE;
  return ns_export_table (&self->report->rows, &options, self->write, self->write_data, error);
}

/* Returns the next row from @from on with a stack to list; the number of rows if there is none. */
static gsize
find_stack (const NsExportRows *rows, gsize from)
{
  if (rows->table != NS_TABLE_ACTIVITIES)
    return rows->n_rows;
  while (from < rows->n_rows &&
         ns_activity_count_stacks (
             rows->trace,
             &g_array_index (rows->trace->activities, NsActivityRow, get_row (rows, from))) == 0)
    from++;
  return from;
}

static char *
dup_stack (const NsExportReport *report, guint row)
{
  GString *stack = g_string_new (NULL);

  ns_export_chain_append_text (&report->chains, row + 1, stack);
  return g_string_free (stack, FALSE);
}

static void
put_stack (Writer *self, guint row)
{
  g_autofree char *sentence = ns_sentence_new (self->report->rows.trace, NS_TABLE_ACTIVITIES, row);
  g_autofree char *stack = dup_stack (self->report, row);
  g_autofree char *shown_sentence = ns_report_dup_shown (self->report, sentence);
  g_autofree char *shown_stack = ns_report_dup_shown (self->report, stack);

  g_string_append (self->html, "<details open=\"open\"><summary>");
  ns_export_cell_append_html (self->html, shown_sentence);
  g_string_append (self->html, "</summary>\n<pre>");
  ns_export_cell_append_html_lines (self->html, shown_stack);
  g_string_append (self->html, "</pre></details>\n");
}

static gboolean
put_stacks (Writer *self, GError **error)
{
  const NsExportRows *rows = &self->report->rows;
  guint n_written = 0;
  gsize i;

  for (i = find_stack (rows, 0); i < rows->n_rows && n_written < NS_EXPORT_HTML_MAX_STACKS;
       i = find_stack (rows, i + 1))
    {
      if (n_written++ == 0)
        add_element (self, "h2", _ ("Stacks"));
      put_stack (self, get_row (rows, i));
      if (!flush (self, CHUNK, error))
        return FALSE;
    }
  if (i < rows->n_rows)
    {
      g_autofree char *text =
          g_strdup_printf (_ ("Only the first %u stacks are written out."), n_written);

      add_element (self, "p", text);
    }
  return TRUE;
}

static void
look_at_sequences (NsRedactPass *pass, const NsExportRows *rows)
{
  g_autoptr (NsReportCalls) calls = ns_report_calls_new (rows->trace);
  guint n_written = 0;
  gsize i;

  for (i = 0; i < rows->n_rows && n_written < NS_EXPORT_HTML_MAX_STACKS; i++)
    {
      guint n_more;
      g_autoptr (GArray) steps = ns_report_calls_list (calls, get_row (rows, i), &n_more);
      g_autofree char *sentence = NULL;

      if (steps->len == 0)
        continue;
      n_written++;
      sentence = ns_sentence_new (rows->trace, NS_TABLE_ACTIVITIES, get_row (rows, i));
      ns_redact_pass_learn (pass, sentence);
      ns_report_redact_steps (pass, steps);
    }
}

/* Visits the texts outside of the rows, in page order. */
static void
look_at_texts (NsRedactPass *pass, gconstpointer data)
{
  const NsExportReport *report = data;
  const NsExportRows *rows = &report->rows;
  guint n_stacks = 0;
  gsize i;

  ns_report_redact_beginning (pass, report);
  if (rows->table == NS_TABLE_ACTIVITIES)
    look_at_sequences (pass, rows);
  for (i = find_stack (rows, 0); i < rows->n_rows && n_stacks++ < NS_EXPORT_HTML_MAX_STACKS;
       i = find_stack (rows, i + 1))
    {
      g_autofree char *sentence =
          ns_sentence_new (rows->trace, NS_TABLE_ACTIVITIES, get_row (rows, i));
      g_autofree char *stack = dup_stack (report, get_row (rows, i));

      ns_redact_pass_learn (pass, sentence);
      ns_redact_pass_learn (pass, stack);
    }
}

/**
 * ns_export_html_look:
 * @report: the report
 * @progress: (nullable): called regularly; stops if it returns %FALSE
 * @progress_data: for @progress
 *
 * Finds what is replaced if the report is written without names.
 *
 * Returns: (transfer full) (nullable): the stand-ins; %NULL if stopped
 */
NsRedact *
ns_export_html_look (const NsExportReport *report, NsProgressFunc progress, gpointer progress_data)
{
  NsRedactOptions options = { look_at_texts, report, progress, progress_data };

  return ns_redact_new (&report->rows, &options);
}

/**
 * ns_export_html:
 * @report: the report
 * @write: receives the page
 * @write_data: for @write
 * @error: error of @write
 *
 * Returns: %FALSE if @write failed
 */
gboolean
ns_export_html (const NsExportReport *report,
                NsExportWriteFunc write,
                gpointer write_data,
                GError **error)
{
  g_autoptr (GString) html = g_string_new (NULL);
  g_autofree char *title = ns_report_dup_title (report);
  Writer self = { report, html, write, write_data };

  put_head (&self, title);
  put_facts (&self);
  put_health (&self);
  put_findings (&self);
  put_notes (&self);
  put_picture (&self);
  if (!put_rows (&self, error) || !put_sequences (&self, error) || !put_stacks (&self, error))
    return FALSE;
  g_string_append (html, "</body>\n</html>\n");
  return flush (&self, 0, error);
}
