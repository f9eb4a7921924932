/* Sections of a report besides its rows: findings, and calls of each row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-html.h"
#include "findings/ns-finding.h"

G_BEGIN_DECLS

/* Maximum number of steps listed per row. */
#define NS_REPORT_MAX_STEPS 200

/**
 * NsReportStep:
 * @time_ns: time of the step
 * @span_ns: its duration, or %NS_UNKNOWN
 * @layer: its layer, translated
 * @what: the call with its arguments
 * @result: its result, with codes as text
 * @failed: whether it failed
 *
 * A step of an operation.
 */
typedef struct
{
  gint64 time_ns;
  gint64 span_ns;
  const char *layer;
  char *what;
  char *result;
  gboolean failed;
} NsReportStep;

typedef struct _NsReportCalls NsReportCalls;

char *ns_report_dup_title (const NsExportReport *report);
char *ns_report_dup_shown (const NsExportReport *report, const char *text);
char *ns_report_format_ms (gint64 span_ns);
char *ns_report_format_more (guint n_more);
GPtrArray *ns_report_list_facts (const NsExportReport *report);
GPtrArray *ns_report_list_missing (const NsExportReport *report);
GPtrArray *ns_report_list_findings (const NsExportRows *rows);
void ns_report_redact_beginning (NsRedactPass *pass, const NsExportReport *report);
void ns_report_redact_steps (NsRedactPass *pass, const GArray *steps);
void ns_report_add_columns (GPtrArray *columns, NsTableId table);
GPtrArray *ns_report_list_columns (NsTableId table);

NsReportCalls *ns_report_calls_new (const NsTrace *trace);
void ns_report_calls_free (NsReportCalls *self);
GArray *ns_report_calls_list (const NsReportCalls *self, guint activity, guint *n_more);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsReportCalls, ns_report_calls_free)

G_END_DECLS
