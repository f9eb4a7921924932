/* The command line: `export --as html`, a report with the timeline of its rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-list.h"
#include "cli/ns-cli-report.h"
#include "draw/ns-timeline-render.h"
#include "export/ns-export-html.h"

#include <glib/gi18n-lib.h>

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
    .words = { _ ("connection"), _ ("no server known"), _ ("process unknown"), _ ("cache") },
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

/**
 * ns_cli_report:
 * @cli: what was asked
 * @list: which rows
 * @error: return location
 *
 * Writes a report of rows of the master table.
 *
 * Returns: %FALSE if it could not be done
 */
gboolean
ns_cli_report (NsCli *cli, const NsCliList *list, GError **error)
{
  NsExportReport report = { .filter = list->filter };
  g_autoptr (GPtrArray) columns = NULL;
  g_autofree char *picture = NULL;
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (GArray) rows = NULL;

  columns = cli->options.columns != NULL
                ? ns_export_parse_columns (list->table, cli->options.columns, error)
                : ns_export_list_columns (list->table, NS_EXPORT_HTML);
  if (columns == NULL)
    return FALSE;
  trace = ns_cli_open_trace (cli, list->table, error);
  if (trace == NULL)
    return FALSE;
  rows = ns_cli_list_choose (list, trace, error);
  if (rows == NULL)
    return FALSE;
  picture = draw_rows (trace, rows, error);
  if (picture == NULL)
    return FALSE;
  report.rows = (NsExportRows){ .trace = trace,
                                .table = list->table,
                                .rows = (const guint32 *) (gpointer) rows->data,
                                .n_rows = rows->len,
                                .fields = (const NsField *const *) columns->pdata,
                                .n_fields = columns->len };
  report.chains.trace = trace;
  report.picture = picture;
  return ns_export_html (&report, ns_cli_write, cli, error);
}
