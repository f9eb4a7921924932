/* The command line: `export --as html`, a report with the timeline of its rows, `report --text`,
 * the same as text, and `export --as bundle`, the rows as a trace with that report.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-list.h"
#include "cli/ns-cli-render.h"
#include "cli/ns-cli-report.h"
#include "cli/ns-cli-symbols.h"
#include "draw/ns-timeline-render.h"
#include "export/ns-export-etl.h"
#include "export/ns-export-report-text.h"
#include "export/ns-report-parts.h"
#include "export/ns-view-file.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define PICTURE_WIDTH 1200
/* Higher timelines are cut: the rows below say the rest. */
#define PICTURE_MAX_HEIGHT 1600
#define FONT "Cantarell, sans-serif 11"

static gboolean
collect (const char *data, gsize n_bytes, gpointer user_data, GError **error)
{
  g_string_append_len (user_data, data, (gssize) n_bytes);
  return TRUE;
}

/* The timeline of these rows as SVG; NULL when there is nothing to draw. */
static char *
draw_rows (const NsTrace *trace, const GArray *rows, GError **error)
{
  NsTimelinePicture picture = {
    .trace = trace,
    .words = ns_cli_render_get_words (),
    .span = { 0, MAX (trace->end_ns, 1) },
    .palette = NS_PALETTE_LIGHT,
    .font = FONT,
    .width = PICTURE_WIDTH,
    .clock_base_ns = -1,
    .title = _ ("Overview"),
    .corner = _ ("process › server › connection"),
  };
  g_autoptr (NsTimelineLanes) lanes = ns_timeline_lanes_new (trace, rows, &picture.words);
  GString *svg = g_string_new (NULL);

  picture.lanes = lanes;
  picture.height = MIN (ns_timeline_picture_get_height (&picture), PICTURE_MAX_HEIGHT);
  if (ns_timeline_picture_write (&picture, NS_RENDER_SVG, collect, svg, error))
    return g_string_free (svg, FALSE);
  g_string_free (svg, TRUE);
  return NULL;
}

/* How the trace was looked at in the window the last time, with notes; and what is asked for now.
 */
static GVariant *
make_view (const NsTrace *trace, const NsCliList *list)
{
  g_autofree char *key = ns_view_file_identify (trace);
  g_autoptr (GVariant) kept = ns_view_file_read (key);
  g_autoptr (GVariant) carried = kept == NULL ? ns_view_file_get_carried (trace) : NULL;
  GVariantDict dict;
  GVariantBuilder filters;

  g_variant_dict_init (&dict, kept != NULL ? kept : carried);
  if (list->filter != NULL)
    {
      g_variant_builder_init (&filters, G_VARIANT_TYPE ("a{ss}"));
      g_variant_builder_add (&filters, "{ss}", ns_table_get_name (list->table), list->filter);
      g_variant_dict_insert_value (&dict, "filters", g_variant_builder_end (&filters));
      g_variant_dict_insert (&dict, "table", "s", ns_table_get_name (list->table));
      g_variant_dict_remove (&dict, "chips");
    }
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

/* Without names there is no picture, whose labels are names. */
static gboolean
write_report (NsCli *cli, const NsExportForm *form, NsExportRequest *request, GError **error)
{
  g_autoptr (NsRedact) redact = NULL;

  if (cli->options.want_redacted)
    {
      redact = form->look (request, ns_cli_progress, cli);
      if (redact == NULL)
        return ns_cli_list_refuse_stopped (error);
      request->report.redact = redact;
    }
  return ns_export_form_write (form, request, ns_cli_write, cli, error);
}

/* Names are looked for where the user says, and what came along with the trace goes on. */
static gboolean
report_rows (NsCli *cli,
             const NsCliList *list,
             const NsExportRows *what,
             const GArray *rows,
             const NsExportForm *form,
             GError **error)
{
  const NsTrace *trace = what->trace;
  g_autoptr (GVariant) view = make_view (trace, list);
  g_autofree char *picture = NULL;
  NsCliSymbols *symbols;
  NsExportRequest request = {
    .report = { .rows = *what,
                .filter = list->filter,
                .view = view,
                .line_width = ns_cli_is_terminal (cli) ? ns_cli_get_columns () : 0 },
  };
  gboolean ok;

  if (!cli->options.want_redacted && form->has_picture &&
      (picture = draw_rows (trace, rows, error)) == NULL)
    return FALSE;
  symbols = ns_cli_symbols_new (cli, trace);
  request.report.picture = picture;
  request.report.chains = (NsExportChains){ trace, ns_cli_symbols_resolve, symbols };
  ok = write_report (cli, form, &request, error);
  ns_cli_symbols_free (symbols);
  return ok;
}

/**
 * ns_cli_report:
 * @cli: what was asked
 * @list: which rows
 * @form: in which form
 * @error: return location
 *
 * Writes a report of rows of the master table, or a hand-over of them.
 *
 * Returns: %FALSE if it could not be done
 */
gboolean
ns_cli_report (NsCli *cli, const NsCliList *list, const NsExportForm *form, GError **error)
{
  g_autoptr (GPtrArray) columns =
      cli->options.columns != NULL
          ? ns_export_parse_columns (list->table, cli->options.columns, error)
          : ns_report_list_columns (list->table);
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (GArray) rows = NULL;
  NsExportRows what = { .table = list->table };
  gboolean has_records = ns_export_form_has_records (form);

  if (columns == NULL)
    return FALSE;
  trace = ns_cli_open_trace_for_report (cli, has_records, error);
  if (trace == NULL)
    return FALSE;
  if (has_records && cli->options.output != NULL &&
      !ns_export_etl_check_place (trace, cli->options.output, error))
    return FALSE;
  rows = ns_cli_list_choose (list, trace, error);
  if (rows == NULL)
    return FALSE;
  what.trace = trace;
  what.rows = (const guint32 *) (gpointer) rows->data;
  what.n_rows = rows->len;
  what.fields = (const NsField *const *) columns->pdata;
  what.n_fields = columns->len;
  return report_rows (cli, list, &what, rows, form, error);
}

/**
 * ns_cli_verb_report:
 * @cli: what was asked
 * @error: return location
 *
 * Returns: %FALSE if it could not be done
 */
gboolean
ns_cli_verb_report (NsCli *cli, GError **error)
{
  const NsCliOptions *options = &cli->options;
  NsCliList list = ns_cli_get_list (cli, NS_TABLE_ACTIVITIES);

  if (options->want_audit == options->want_text)
    return ns_trace_refuse_query (error,
                                  _ ("say which report: --audit or --text; “export --as html” "
                                     "makes a page of the latter"));
  if (options->want_audit && options->want_redacted)
    return ns_trace_refuse_query (error, _ ("--redact is of --text"));
  if (options->want_audit)
    return ns_cli_report_audit (cli, error);
  if (options->format != NULL && strcmp (options->format, "text") != 0)
    return ns_trace_refuse_query (error, _ ("--text has no other form"));
  return ns_cli_list_check (&list, error) &&
         ns_cli_report (cli,
                        &list,
                        ns_export_form_from_path (NS_EXPORT_REPORT_TEXT_ENDING, list.table),
                        error);
}
