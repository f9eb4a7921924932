/* A report of rows as one HTML page that opens anywhere.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-chain.h"
#include "export/ns-export-table.h"

G_BEGIN_DECLS

/* Rows whose stack is written out; the report says when there are more. */
#define NS_EXPORT_HTML_MAX_STACKS 500
/* Damaged places that are listed. */
#define NS_EXPORT_HTML_MAX_DAMAGE 20
/* Marks that are looked at. */
#define NS_EXPORT_HTML_MAX_NOTES 10000

/**
 * NsExportReport:
 * @rows: what to list; rows of the master table come with their stacks
 * @chains: how stacks are named
 * @filter: (nullable): which rows were asked for
 * @picture: (nullable): the timeline as SVG; it is put in as it is
 * @settle: (nullable): waits for names that @chains was asked for and did not know yet; %FALSE: it
 *   was stopped; for hand-overs
 * @settle_data: for @settle
 * @view: (nullable): an `a{sv}`: how the trace is looked at, with its notes
 * @redact: (nullable): stand-ins, of ns_export_html_look(); then neither the picture nor what the
 *   trace and its session are called is put in, and not the filter
 * @line_width: characters that a line of plain text has; 0: as many as it needs
 *
 * What a report holds.
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
