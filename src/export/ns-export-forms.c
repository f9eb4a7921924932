/* The table of export formats.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-forms.h"

#include "export/ns-export-bundle.h"
#include "export/ns-export-etl.h"
#include "export/ns-export-har.h"
#include "export/ns-export-pcap.h"
#include "export/ns-export-perfetto.h"
#include "export/ns-export-report-text.h"
#include "export/ns-export-speedscope.h"
#include "query/ns-row-packets.h"

#include <glib/gi18n-lib.h>

#include <string.h>

static gboolean
write_cells (const NsExportForm *form,
             const NsExportRequest *request,
             NsExportWriteFunc write,
             gpointer write_data,
             GError **error)
{
  const NsExportOptions options = { .format = form->format,
                                    .redact = request->report.redact,
                                    .progress = request->progress,
                                    .progress_data = request->progress_data };

  return ns_export_table (&request->report.rows, &options, write, write_data, error);
}

static NsRedact *
look_at_cells (const NsExportRequest *request, NsProgressFunc progress, gpointer progress_data)
{
  const NsRedactOptions options = { .progress = progress, .progress_data = progress_data };

  return ns_redact_new (&request->report.rows, &options);
}

static gboolean
write_html (const NsExportForm *form,
            const NsExportRequest *request,
            NsExportWriteFunc write,
            gpointer write_data,
            GError **error)
{
  return ns_export_html (&request->report, write, write_data, error);
}

static NsRedact *
look_at_html (const NsExportRequest *request, NsProgressFunc progress, gpointer progress_data)
{
  return ns_export_html_look (&request->report, progress, progress_data);
}

static gboolean
write_report_text (const NsExportForm *form,
                   const NsExportRequest *request,
                   NsExportWriteFunc write,
                   gpointer write_data,
                   GError **error)
{
  return ns_export_report_text (&request->report, write, write_data, error);
}

static NsRedact *
look_at_report_text (const NsExportRequest *request,
                     NsProgressFunc progress,
                     gpointer progress_data)
{
  return ns_export_report_text_look (&request->report, progress, progress_data);
}

static gboolean
write_bundle (const NsExportForm *form,
              const NsExportRequest *request,
              NsExportWriteFunc write,
              gpointer write_data,
              GError **error)
{
  return ns_export_bundle (&request->report, write, write_data, error);
}

static gboolean
write_etl (const NsExportForm *form,
           const NsExportRequest *request,
           NsExportWriteFunc write,
           gpointer write_data,
           GError **error)
{
  const NsExportRows *rows = &request->report.rows;

  return ns_export_etl_table (rows->trace,
                              rows->table,
                              rows->rows,
                              rows->n_rows,
                              write,
                              write_data,
                              error);
}

static gboolean
write_har (const NsExportForm *form,
           const NsExportRequest *request,
           NsExportWriteFunc write,
           gpointer write_data,
           GError **error)
{
  const NsExportRows *rows = &request->report.rows;

  if (request->report.redact != NULL)
    return ns_export_har_redacted (rows->trace,
                                   rows->rows,
                                   rows->n_rows,
                                   request->report.redact,
                                   request->has_bodies,
                                   write,
                                   write_data,
                                   error);
  return (request->has_bodies
              ? ns_export_har_with_bodies
              : ns_export_har) (rows->trace, rows->rows, rows->n_rows, write, write_data, error);
}

static NsRedact *
look_at_har (const NsExportRequest *request, NsProgressFunc progress, gpointer progress_data)
{
  const NsRedactOptions options = { .progress = progress, .progress_data = progress_data };
  const NsExportRows *rows = &request->report.rows;

  return ns_export_har_look (rows->trace, rows->rows, rows->n_rows, &options);
}

static char *
describe_left_out_of_har (const NsExportRequest *request, guint *n_entries)
{
  const NsExportRows *rows = &request->report.rows;
  guint n_left;

  *n_entries = (guint) ns_export_har_count (rows->trace, rows->rows, rows->n_rows);
  if (*n_entries == 0)
    return g_strdup (_ ("None of these rows is a request with a URL: the archive has no entries."));
  n_left = (guint) rows->n_rows - *n_entries;
  if (n_left == 0)
    return NULL;
  return g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE,
                   "%u row is not a request with a URL: the archive has no entry for it.",
                   "%u rows are not requests with a URL: the archive has no entries for them.",
                   n_left),
      n_left);
}

static gboolean
write_perfetto (const NsExportForm *form,
                const NsExportRequest *request,
                NsExportWriteFunc write,
                gpointer write_data,
                GError **error)
{
  const NsExportRows *rows = &request->report.rows;

  return ns_export_perfetto (rows->trace, rows->rows, rows->n_rows, write, write_data, error);
}

static gboolean
write_speedscope (const NsExportForm *form,
                  const NsExportRequest *request,
                  NsExportWriteFunc write,
                  gpointer write_data,
                  GError **error)
{
  const NsExportRows *rows = &request->report.rows;

  return ns_export_speedscope (rows->trace, rows->rows, rows->n_rows, write, write_data, error);
}

static gboolean
write_pcapng (const NsExportForm *form,
              const NsExportRequest *request,
              NsExportWriteFunc write,
              gpointer write_data,
              GError **error)
{
  const NsExportRows *rows = &request->report.rows;

  return ns_export_pcapng (rows->trace, rows->rows, rows->n_rows, write, write_data, error);
}

static gboolean
write_pcap (const NsExportForm *form,
            const NsExportRequest *request,
            NsExportWriteFunc write,
            gpointer write_data,
            GError **error)
{
  const NsExportRows *rows = &request->report.rows;

  return ns_export_pcap (rows->trace, rows->rows, rows->n_rows, write, write_data, error);
}

/* Writes the packets of conversations. */
static gboolean
write_conversations (const NsExportForm *form,
                     const NsExportRequest *request,
                     NsExportWriteFunc write,
                     gpointer write_data,
                     GError **error)
{
  const NsExportRows *rows = &request->report.rows;
  g_autoptr (GArray) packets =
      ns_row_packets_list (rows->trace, rows->table, rows->rows, rows->n_rows);
  NsExportRequest of_packets = *request;

  if (packets->len == 0)
    return ns_trace_refuse_query (error, "%s", _ ("None of these rows has packets."));
  of_packets.report.rows.table = NS_TABLE_PACKETS;
  of_packets.report.rows.rows = (const guint32 *) (gpointer) packets->data;
  of_packets.report.rows.n_rows = packets->len;
  return (strcmp (form->ending, ".pcap") == 0
              ? write_pcap
              : write_pcapng) (form, &of_packets, write, write_data, error);
}

/* Formats in the order in which the window lists them. */
static const NsExportForm forms[] = {
  { .name = "csv",
    .ending = ".csv",
    .title = N_ ("Comma-separated values (.csv)"),
    .kind = NS_EXPORT_CELLS,
    .table = NS_N_TABLES,
    .has_columns = TRUE,
    .can_redact = TRUE,
    .format = NS_EXPORT_CSV,
    .write = write_cells,
    .find_redactions = look_at_cells },
  { .name = "tsv",
    .ending = ".tsv",
    .title = N_ ("Tab-separated values (.tsv)"),
    .kind = NS_EXPORT_CELLS,
    .table = NS_N_TABLES,
    .has_columns = TRUE,
    .can_redact = TRUE,
    .format = NS_EXPORT_TSV,
    .write = write_cells,
    .find_redactions = look_at_cells },
  { .name = "json",
    .ending = ".json",
    .title = N_ ("JSON (.json)"),
    .kind = NS_EXPORT_CELLS,
    .table = NS_N_TABLES,
    .has_columns = TRUE,
    .can_redact = TRUE,
    .format = NS_EXPORT_JSON,
    .write = write_cells,
    .find_redactions = look_at_cells },
  { .name = "jsonl",
    .ending = ".jsonl",
    .title = N_ ("JSON, one row per line (.jsonl)"),
    .kind = NS_EXPORT_CELLS,
    .table = NS_N_TABLES,
    .has_columns = TRUE,
    .can_redact = TRUE,
    .format = NS_EXPORT_JSONL,
    .write = write_cells,
    .find_redactions = look_at_cells },
  { .name = "markdown",
    .ending = ".md",
    .title = N_ ("Markdown (.md)"),
    .kind = NS_EXPORT_CELLS,
    .table = NS_N_TABLES,
    .has_columns = TRUE,
    .can_redact = TRUE,
    .format = NS_EXPORT_MARKDOWN,
    .write = write_cells,
    .find_redactions = look_at_cells },
  { .ending = ".txt",
    .kind = NS_EXPORT_CELLS,
    .table = NS_N_TABLES,
    .has_columns = TRUE,
    .can_redact = TRUE,
    .format = NS_EXPORT_TEXT,
    .write = write_cells,
    .find_redactions = look_at_cells },
  { .ending = ".parquet",
    .title = N_ ("Table for analysis: Parquet (.parquet)"),
    .kind = NS_EXPORT_ANALYSIS,
    .table = NS_N_TABLES,
    .can_redact = TRUE,
    .extract = NS_EXTRACT_PARQUET,
    .find_redactions = look_at_cells },
  { .ending = ".sqlite",
    .title = N_ ("Tables for analysis: SQLite (.sqlite)"),
    .kind = NS_EXPORT_ANALYSIS,
    .table = NS_N_TABLES,
    .can_redact = TRUE,
    .left_out = N_ ("The names in the other tables are replaced, too; only those of the current "
                    "table are listed."),
    .extract = NS_EXTRACT_SQLITE,
    .find_redactions = look_at_cells },
  { .name = "html",
    .ending = ".html",
    .title = N_ ("Report (.html)"),
    .kind = NS_EXPORT_REPORT,
    .table = NS_N_TABLES,
    .has_columns = TRUE,
    .has_picture = TRUE,
    .can_redact = TRUE,
    .left_out = N_ ("The trace name, the filter, notes and the timeline are left out."),
    .write = write_html,
    .find_redactions = look_at_html },
  { .ending = NS_EXPORT_REPORT_TEXT_ENDING,
    .title = N_ ("Report as text (.report.txt)"),
    .kind = NS_EXPORT_REPORT,
    .table = NS_N_TABLES,
    .has_columns = TRUE,
    .can_redact = TRUE,
    .left_out = N_ ("The trace name, the filter and notes are left out."),
    .write = write_report_text,
    .find_redactions = look_at_report_text },
  { .name = "bundle",
    .ending = NS_EXPORT_BUNDLE_ENDING,
    .title = N_ ("Hand-over: rows, names, notes (.etl.zip)"),
    .kind = NS_EXPORT_HAND_OVER,
    .table = NS_N_TABLES,
    .has_columns = TRUE,
    .has_picture = TRUE,
    .write = write_bundle },
  { .name = "etl",
    .ending = ".etl",
    .title = N_ ("Part of the trace (.etl)"),
    .kind = NS_EXPORT_RECORDS,
    .table = NS_N_TABLES,
    .write = write_etl },
  { .name = "har",
    .ending = ".har",
    .title = N_ ("HTTP archive (.har)"),
    .kind = NS_EXPORT_OPERATIONS,
    .table = NS_TABLE_ACTIVITIES,
    .can_redact = TRUE,
    .left_out = N_ ("Bodies are left out, and values of headers that may contain personal data."),
    .write = write_har,
    .find_redactions = look_at_har,
    .describe_left_out = describe_left_out_of_har },
  { .name = "perfetto",
    .ending = ".perfetto.json",
    .title = N_ ("Perfetto (.perfetto.json)"),
    .kind = NS_EXPORT_OPERATIONS,
    .table = NS_TABLE_ACTIVITIES,
    .write = write_perfetto },
  { .name = "speedscope",
    .ending = ".speedscope.json",
    .title = N_ ("Speedscope (.speedscope.json)"),
    .kind = NS_EXPORT_OPERATIONS,
    .table = NS_TABLE_ACTIVITIES,
    .write = write_speedscope },
  { .name = "pcapng",
    .ending = ".pcapng",
    .title = N_ ("Packet capture (.pcapng)"),
    .kind = NS_EXPORT_PACKETS,
    .table = NS_TABLE_PACKETS,
    .write = write_pcapng },
  { .name = "pcap",
    .ending = ".pcap",
    .title = N_ ("Older packet capture (.pcap)"),
    .kind = NS_EXPORT_PACKETS,
    .table = NS_TABLE_PACKETS,
    .write = write_pcap },
  { .ending = ".pcapng",
    .title = N_ ("Packets of the conversations (.pcapng)"),
    .kind = NS_EXPORT_PACKETS,
    .table = NS_TABLE_FLOWS,
    .write = write_conversations },
  { .ending = ".pcap",
    .kind = NS_EXPORT_PACKETS,
    .table = NS_TABLE_FLOWS,
    .write = write_conversations },
};

/**
 * ns_export_form_next:
 * @form: (nullable): a format; %NULL: begin
 *
 * Returns: (transfer none) (nullable): the next format in listing order
 */
const NsExportForm *
ns_export_form_next (const NsExportForm *form)
{
  gsize next = form != NULL ? (gsize) (form - forms) + 1 : 0;

  return next < G_N_ELEMENTS (forms) ? &forms[next] : NULL;
}

/**
 * ns_export_form_from_name:
 * @name: the argument of `--as`
 *
 * Returns: (transfer none) (nullable): the format of that name
 */
const NsExportForm *
ns_export_form_from_name (const char *name)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (forms); i++)
    if (g_strcmp0 (forms[i].name, name) == 0)
      return &forms[i];
  return NULL;
}

static gboolean
ends_with (const char *path, const char *ending)
{
  gsize length = strlen (path);
  gsize size = strlen (ending);

  return length >= size && g_ascii_strcasecmp (path + length - size, ending) == 0;
}

/**
 * ns_export_form_from_path:
 * @path: a file name, or the end of one
 * @table: the table whose rows are written
 *
 * Returns: (transfer none) (nullable): the format with the longest matching file name suffix; if
 *   none with that suffix supports @table, one for other tables
 */
const NsExportForm *
ns_export_form_from_path (const char *path, NsTableId table)
{
  const NsExportForm *best = NULL;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (forms); i++)
    if (ends_with (path, forms[i].ending) &&
        (best == NULL || strlen (forms[i].ending) > strlen (best->ending) ||
         (strcmp (forms[i].ending, best->ending) == 0 && forms[i].table == table)))
      best = &forms[i];
  return best;
}

/**
 * ns_export_form_can_hold:
 * @self: a format
 * @table: a table
 *
 * Returns: whether its rows can be written in this format
 */
gboolean
ns_export_form_can_hold (const NsExportForm *self, NsTableId table)
{
  NsExtractTableId id;

  if (self->kind == NS_EXPORT_ANALYSIS)
    return self->extract == NS_EXTRACT_SQLITE || ns_extract_find_table (table, &id);
  return self->table == NS_N_TABLES || self->table == table;
}

/**
 * ns_export_form_can_redact:
 * @self: a format
 * @table: a table
 *
 * Returns: whether names and other personal data can be replaced when its rows are written in this
 *   format
 */
gboolean
ns_export_form_can_redact (const NsExportForm *self, NsTableId table)
{
  return self->can_redact && ns_redact_is_possible (table) && ns_export_form_can_hold (self, table);
}

/**
 * ns_export_form_has_records:
 * @self: a format
 *
 * Returns: whether its file contains records of the trace: these must be indexed, and the file must
 *   not be the trace itself
 */
gboolean
ns_export_form_has_records (const NsExportForm *self)
{
  return self->kind == NS_EXPORT_RECORDS || self->kind == NS_EXPORT_HAND_OVER;
}

/**
 * ns_export_form_write:
 * @self: a format with a write function
 * @request: what to write
 * @write: (scope call): receives the pieces
 * @write_data: for @write
 * @error: %NS_TRACE_ERROR_QUERY if the format does not support the table, or the error of @write
 *
 * Returns: %FALSE on failure
 */
gboolean
ns_export_form_write (const NsExportForm *self,
                      const NsExportRequest *request,
                      NsExportWriteFunc write,
                      gpointer write_data,
                      GError **error)
{
  if (ns_export_form_can_hold (self, request->report.rows.table))
    return self->write (self, request, write, write_data, error);
  return ns_trace_refuse_query (
      error,
      /* Translators: an ending of a file name, and the title of a table */
      _ ("A file *%s contains rows of the table “%s”: switch to that table first."),
      self->ending,
      g_dgettext (GETTEXT_PACKAGE, ns_table_get_title (self->table)));
}
