/* A report of rows as one HTML page that opens anywhere.
 *
 * No script, nothing to load from elsewhere, well-formed as XML too; every text of the trace is
 * escaped. Headers and bodies of requests are not in it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-html.h"

#include "engine/ns-activity-below.h"
#include "export/ns-export-cell.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#define CHUNK (64 * 1024)

static const char style[] =
    "body { font: 14px/1.4 sans-serif; margin: 24px; color: #2e3436; background: #ffffff; }\n"
    "h1 { font-size: 22px; } h2 { font-size: 17px; margin-top: 24px; }\n"
    "dl { display: grid; grid-template-columns: max-content auto; gap: 3px 12px; }\n"
    "dt { color: #585d60; } dd { margin: 0; overflow-wrap: anywhere; }\n"
    "table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }\n"
    "th, td { padding: 3px 6px; border-bottom: 1px solid #e9e6e3; vertical-align: top; }\n"
    "th { text-align: left; color: #585d60; } td { overflow-wrap: anywhere; }\n"
    "td[align=right] { white-space: nowrap; } svg { max-width: 100%; height: auto; }\n"
    "pre { font-size: 12px; overflow-x: auto; margin: 3px 0 12px 18px; }\n"
    ".warning { color: #8a5300; font-weight: bold; }\n"
    "figure { margin: 0; overflow-x: auto; background: #ffffff; }\n"
    "@media (prefers-color-scheme: dark) { body { color: #eeeeec; background: #2a2a2a; }\n"
    "  th, dt { color: #b7b9b6; } th, td { border-color: #3d3d3d; } .warning { color: #f0b44c; } "
    "}\n"
    "@media print { body { margin: 0; color: #000000; background: #ffffff; } }\n";

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
  gboolean ok;

  if (self->html->len < at_least || self->html->len == 0)
    return TRUE;
  ok = self->write (self->html->str, self->html->len, self->write_data, error);
  g_string_truncate (self->html, 0);
  return ok;
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

/* A text of the trace, without names if that is wanted. */
static char *
dup_shown (const NsExportReport *report, const char *text)
{
  return report->redact != NULL ? ns_redact_dup_text (report->redact, text) : g_strdup (text);
}

static void
add_moment (Writer *self, const char *name, gint64 time_ns)
{
  g_autoptr (GString) text = g_string_new (NULL);

  ns_export_time_append (text, self->report->rows.trace, time_ns, NS_EXPORT_TIME_ISO);
  add_fact (self, name, text->str);
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
  const NsExportRows *rows = &self->report->rows;
  const NsEtlHeader *header = ns_etl_file_get_header (rows->trace->file);
  g_autofree char *span = g_strdup_printf ("%.6f s", (double) rows->trace->end_ns / 1e9);
  g_autofree char *count = NULL;
  guint n_all = ns_table_get_n_rows (rows->trace, rows->table);

  /* Translators: so many rows of so many */
  count = g_strdup_printf (_ ("%u of %u"), (guint) rows->n_rows, n_all);
  g_string_append (self->html, "<dl>\n");
  if (self->report->redact == NULL)
    {
      add_fact (self, _ ("Session"), header->session);
      add_fact (self, _ ("Recorded as"), header->log_file);
    }
  add_moment (self, _ ("Begin"), 0);
  add_fact (self, _ ("Span"), span);
  if (self->report->redact == NULL)
    add_fact (self, _ ("Filter"), self->report->filter);
  add_fact (self, _ ("Rows"), count);
  g_string_append (self->html, "</dl>\n");
  if (self->report->redact != NULL)
    add_element (
        self,
        "p",
        _ ("Stand-ins take the place of names. What the trace is called, the filter, notes and the "
           "timeline are left out."));
}

static void
add_warning (Writer *self, const char *text)
{
  g_string_append (self->html, "<li class=\"warning\">");
  ns_export_cell_append_html (self->html, text);
  g_string_append (self->html, "</li>\n");
}

/* What of the trace is missing; nothing is said when all is there. */
static void
put_health (Writer *self)
{
  NsEtlFile *file = self->report->rows.trace->file;
  const NsEtlHeader *header = ns_etl_file_get_header (file);
  const NsEtlReport *damage = ns_etl_file_get_report (file);
  guint i;

  if (header->events_lost == 0 && header->buffers_lost == 0 && damage->damage->len == 0)
    return;
  add_element (self, "h2", _ ("What is missing"));
  g_string_append (self->html, "<ul>\n");
  if (header->events_lost > 0 || header->buffers_lost > 0)
    {
      g_autofree char *lost = g_strdup_printf (_ ("Lost while recording: events: %u, buffers: %u"),
                                               (guint) header->events_lost,
                                               (guint) header->buffers_lost);

      add_warning (self, lost);
    }
  for (i = 0; i < MIN (damage->damage->len, NS_EXPORT_HTML_MAX_DAMAGE); i++)
    {
      const NsEtlDamage *place = g_ptr_array_index (damage->damage, i);
      g_autofree char *what = dup_shown (self->report, place->what);
      g_autofree char *text =
          g_strdup_printf (_ ("Damaged at byte %" PRIu64 ": %s"), place->offset, what);

      add_warning (self, text);
    }
  if (damage->damage->len > NS_EXPORT_HTML_MAX_DAMAGE)
    {
      g_autofree char *more = g_strdup_printf (_ ("and %u more damaged places"),
                                               damage->damage->len - NS_EXPORT_HTML_MAX_DAMAGE);

      add_warning (self, more);
    }
  g_string_append (self->html, "</ul>\n");
}

/* What somebody wrote at moments and spans: whom that tells of, no form says, so that it does not
 * leave the house without names. */
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

/* A picture as part of the page: without the declaration that only a file of its own has. */
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

static guint
get_row (const NsExportRows *rows, gsize i)
{
  return rows->rows != NULL ? rows->rows[i] : (guint) i;
}

/* The next of the rows that has a stack to be written out, from one on; their number if there is
 * none. */
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
  g_autofree char *shown_sentence = dup_shown (self->report, sentence);
  g_autofree char *shown_stack = dup_shown (self->report, stack);

  g_string_append (self->html, "<details><summary>");
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

/* What is written beside the rows, in the order of put_health() and put_stacks(). */
static void
look_at_texts (NsRedactLook *look, gconstpointer data)
{
  const NsExportReport *report = data;
  const NsExportRows *rows = &report->rows;
  const GPtrArray *damage = ns_etl_file_get_report (rows->trace->file)->damage;
  guint n_stacks = 0;
  gsize i;

  for (i = 0; i < MIN (damage->len, NS_EXPORT_HTML_MAX_DAMAGE); i++)
    ns_redact_look (look, ((const NsEtlDamage *) g_ptr_array_index (damage, i))->what);
  for (i = find_stack (rows, 0); i < rows->n_rows && n_stacks++ < NS_EXPORT_HTML_MAX_STACKS;
       i = find_stack (rows, i + 1))
    {
      g_autofree char *sentence =
          ns_sentence_new (rows->trace, NS_TABLE_ACTIVITIES, get_row (rows, i));
      g_autofree char *stack = dup_stack (report, get_row (rows, i));

      ns_redact_look (look, sentence);
      ns_redact_look (look, stack);
    }
}

/**
 * ns_export_html_look:
 * @report: what to report
 * @progress: (nullable): called now and then; %FALSE stops
 * @progress_data: for @progress
 *
 * Finds out what is replaced if the report is written without names.
 *
 * Returns: (transfer full) (nullable): the stand-ins; %NULL: it was stopped
 */
NsRedact *
ns_export_html_look (const NsExportReport *report, NsProgressFunc progress, gpointer progress_data)
{
  NsRedactOptions options = { look_at_texts, report, progress, progress_data };

  return ns_redact_new (&report->rows, &options);
}

static char *
dup_title (const NsExportReport *report)
{
  return report->redact != NULL
             ? g_strdup (_ ("Trace without names"))
             : g_path_get_basename (ns_etl_file_get_path (report->rows.trace->file));
}

/**
 * ns_export_html:
 * @report: what to report
 * @write: where the page goes
 * @write_data: for @write
 * @error: what @write said
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
  g_autofree char *title = dup_title (report);
  Writer self = { report, html, write, write_data };

  put_head (&self, title);
  put_facts (&self);
  put_health (&self);
  put_notes (&self);
  put_picture (&self);
  if (!put_rows (&self, error) || !put_stacks (&self, error))
    return FALSE;
  g_string_append (html, "</body>\n</html>\n");
  return flush (&self, 0, error);
}
