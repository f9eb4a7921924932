/* Reports: `export --as html` (rows with their timeline), `report --text` (the same as text),
 * `export --as bundle` (the rows as a trace with that report).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-list.h"
#include "cli/ns-cli-render.h"
#include "cli/ns-cli-report.h"
#include "cli/ns-cli-symbols.h"
#include "draw/ns-timeline-render.h"
#include "export/ns-export-bundle.h"
#include "export/ns-export-etl.h"
#include "export/ns-export-report-text.h"
#include "export/ns-report-parts.h"
#include "export/ns-view-file.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define PICTURE_WIDTH 1200
/* Maximum height of the picture; the report lists all rows anyway. */
#define PICTURE_MAX_HEIGHT 1600
#define FONT "Cantarell, sans-serif 11"

static gboolean
collect (const char *data, gsize n_bytes, gpointer user_data, GError **error)
{
  g_string_append_len (user_data, data, (gssize) n_bytes);
  return TRUE;
}

/* Draws the timeline of the rows as SVG; (transfer full); NULL: nothing to draw, or error. */
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

/* Returns the view that the window stored for the trace, with notes, updated by the options;
 * (transfer full). */
static GVariant *
make_view (const NsTrace *trace, const NsCliList *list)
{
  g_autofree char *key = ns_view_file_identify (trace);
  g_autoptr (GVariant) kept = ns_view_file_read (key);
  g_autoptr (GVariant) embedded = kept == NULL ? ns_view_file_get_embedded (trace) : NULL;
  GVariantDict dict;
  GVariantBuilder filters;

  g_variant_dict_init (&dict, kept != NULL ? kept : embedded);
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

/* Writes the report, with pseudonyms if --redact is set. */
static gboolean
write_report (NsCli *cli, const NsExportForm *form, NsExportRequest *request, GError **error)
{
  g_autoptr (NsRedact) redact = NULL;

  if (cli->options.want_redacted)
    {
      redact = form->find_redactions (request, ns_cli_progress, cli);
      if (redact == NULL)
        return ns_cli_list_refuse_stopped (error);
      request->report.redact = redact;
    }
  return ns_export_form_write (form, request, ns_cli_write, cli, error);
}

/* Reports the rows with a picture of their timeline, which a redacted report lacks because its
 * labels are names. Resolves symbols along the user's path, and passes on the labels that came with
 * the trace. */
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

/* Chooses rows of @trace. Returns: (transfer full) (nullable): the rows; %NULL: error */
static GArray *
choose_rows (NsCli *cli,
             const NsCliList *list,
             const NsTrace *trace,
             const GPtrArray *columns,
             gboolean has_records,
             NsExportRows *what,
             GError **error)
{
  GArray *rows;

  if (has_records && cli->options.output != NULL &&
      !ns_export_etl_check_place (trace, cli->options.output, error))
    return NULL;
  rows = ns_cli_list_choose (list, trace, error);
  if (rows == NULL)
    return NULL;
  *what = (NsExportRows){ .trace = trace,
                          .table = list->table,
                          .rows = (const guint32 *) (gpointer) rows->data,
                          .n_rows = rows->len,
                          .fields = (const NsField *const *) columns->pdata,
                          .n_fields = columns->len };
  return rows;
}

/* Chosen rows, view and symbols of one machine of a hand-over. */
typedef struct
{
  GArray *rows;
  GVariant *view;
  NsCliSymbols *symbols;
} MachineParts;

static void
machine_parts_clear (gpointer data)
{
  MachineParts *self = data;

  g_clear_pointer (&self->rows, g_array_unref);
  g_clear_pointer (&self->view, g_variant_unref);
  g_clear_pointer (&self->symbols, ns_cli_symbols_free);
}

/* Refuses options that number or count the rows of one machine. */
static gboolean
check_machines (const NsCliList *list, GError **error)
{
  if (list->rows == NULL && list->limit < 0 && list->offset <= 0)
    return TRUE;
  return ns_trace_refuse_query (error,
                                _ ("%s is for rows of one machine, but traces of several are "
                                   "specified; specify those of one"),
                                list->rows != NULL ? "--rows"
                                : list->limit >= 0 ? "--limit"
                                                   : "--offset");
}

/* Writes a hand-over of several machines, without those of which no row was chosen. */
static gboolean
hand_over_machines (NsCli *cli,
                    const NsCliList *list,
                    const GArray *machines,
                    const GPtrArray *columns,
                    GError **error)
{
  g_autoptr (GArray) reports = g_array_new (FALSE, TRUE, sizeof (NsExportReport));
  g_autoptr (GArray) along = g_array_new (FALSE, TRUE, sizeof (MachineParts));
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  NsCliList ours = *list;
  guint n_chosen = 0;
  guint i;

  if (!check_machines (list, error))
    return FALSE;
  g_array_set_clear_func (along, machine_parts_clear);
  ours.n_chosen = NULL;
  for (i = 0; i < machines->len; i++)
    {
      const NsMachine *machine = &g_array_index (machines, NsMachine, i);
      NsExportReport report = { .filter = list->filter };
      MachineParts one = {
        .rows = choose_rows (cli, &ours, machine->trace, columns, TRUE, &report.rows, error)
      };

      if (one.rows == NULL)
        return FALSE;
      if (one.rows->len == 0)
        {
          machine_parts_clear (&one);
          continue;
        }
      n_chosen += one.rows->len;
      report.view = one.view = make_view (machine->trace, list);
      one.symbols = ns_cli_symbols_new (cli, machine->trace);
      report.chains = (NsExportChains){ machine->trace, ns_cli_symbols_resolve, one.symbols };
      g_array_append_val (reports, report);
      g_array_append_val (along, one);
      g_ptr_array_add (names, machine->name);
    }
  cli->n_chosen = n_chosen;
  if (reports->len == 0)
    return ns_trace_refuse_query (error, _ ("no row of these machines is chosen"));
  return ns_export_bundle_machines ((const NsExportReport *) (gpointer) reports->data,
                                    (const char *const *) names->pdata,
                                    reports->len,
                                    ns_cli_write,
                                    cli,
                                    error);
}

/* Writes a hand-over, which covers all machines; reports cover the first one. */
static gboolean
hand_over (NsCli *cli,
           const NsCliList *list,
           const NsExportForm *form,
           const GPtrArray *columns,
           GError **error)
{
  g_autoptr (GArray) machines = ns_cli_open_machines_for_report (cli, error);
  g_autoptr (GArray) rows = NULL;
  NsExportRows what;

  if (machines == NULL)
    return FALSE;
  if (machines->len > 1)
    return hand_over_machines (cli, list, machines, columns, error);
  rows = choose_rows (cli,
                      list,
                      g_array_index (machines, NsMachine, 0).trace,
                      columns,
                      TRUE,
                      &what,
                      error);
  return rows != NULL && report_rows (cli, list, &what, rows, form, error);
}

/**
 * ns_cli_report:
 * @cli: the parsed command line
 * @list: the rows to report
 * @form: the form
 * @error: return location
 *
 * Writes a report of rows of the master table, or a hand-over of them.
 *
 * Returns: %FALSE with @error set if it failed
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
  gboolean has_records = ns_export_form_has_records (form);
  NsExportRows what;

  if (columns == NULL)
    return FALSE;
  if (form->kind == NS_EXPORT_HAND_OVER)
    return hand_over (cli, list, form, columns, error);
  trace = ns_cli_open_trace_for_report (cli, has_records, error);
  if (trace == NULL)
    return FALSE;
  rows = choose_rows (cli, list, trace, columns, has_records, &what, error);
  return rows != NULL && report_rows (cli, list, &what, rows, form, error);
}

/**
 * ns_cli_verb_report:
 * @cli: the parsed command line
 * @error: return location
 *
 * Runs the verb `report`.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_verb_report (NsCli *cli, GError **error)
{
  const NsCliOptions *options = &cli->options;
  NsCliList list = ns_cli_get_list (cli, NS_TABLE_ACTIVITIES);

  if (options->want_audit == options->want_text)
    return ns_trace_refuse_query (
        error,
        _ ("specify a report: --audit or --text; “export --as html” writes the latter as HTML"));
  if (options->want_audit && options->want_redacted)
    return ns_trace_refuse_query (error, _ ("--redact is only for --text"));
  if (options->want_audit)
    return ns_cli_report_audit (cli, error);
  if (options->format != NULL && strcmp (options->format, "text") != 0)
    return ns_trace_refuse_query (error, _ ("--text supports no other format"));
  return ns_cli_list_check (&list, error) &&
         ns_cli_report (cli,
                        &list,
                        ns_export_form_from_path (NS_EXPORT_REPORT_TEXT_ENDING, list.table),
                        error);
}
