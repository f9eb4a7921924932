/* A report of rows as a self-contained HTML page.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-chain.h"
#include "export/ns-export-table.h"

G_BEGIN_DECLS

/* Maximum number of rows whose stacks are listed; the report states if there are more. */
#define NS_EXPORT_HTML_MAX_STACKS 500
/* Maximum number of damaged places listed. */
#define NS_EXPORT_HTML_MAX_DAMAGE 20
/* Maximum number of bookmarks examined. */
#define NS_EXPORT_HTML_MAX_NOTES 10000

/**
 * NsExportReport:
 * @rows: the rows; rows of the master table are listed with their stacks
 * @chains: settings for stacks
 * @filter: (nullable): the filter that selected the rows
 * @picture: (nullable): the timeline as SVG, embedded unchanged
 * @settle: (nullable): waits for symbols that @chains requested and does not know yet; %FALSE if
 *   stopped; for hand-over files
 * @settle_data: for @settle
 * @view: (nullable): an `a{sv}`: the view of the trace, with its notes
 * @redact: (nullable): stand-ins of ns_export_html_look(); picture, filter, and names of trace and
 *   session are then left out
 * @line_width: line width of plain text in characters; 0: unlimited
 *
 * Contents of a report.
 */
typedef struct
{
  NsExportRows rows;
  NsExportChains chains;
  const char *filter;
  const char *picture;
  gboolean (*settle) (gpointer settle_data, GError **error);
  gpointer settle_data;
  GVariant *view;
  const NsRedact *redact;
  guint line_width;
} NsExportReport;

NsRedact *
ns_export_html_look (const NsExportReport *report, NsProgressFunc progress, gpointer progress_data);
gboolean ns_export_html (const NsExportReport *report,
                         NsExportWriteFunc write,
                         gpointer write_data,
                         GError **error);

G_END_DECLS
