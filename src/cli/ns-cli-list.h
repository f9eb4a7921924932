/* The listing verbs: rows of a table, chosen, sorted and printed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-table.h"
#include "query/ns-filter.h"
#include "query/ns-machines.h"

G_BEGIN_DECLS

/**
 * NsCliList:
 * @view: (nullable): what the reader wants
 * @table: which table
 * @format: (nullable): name of the form; %NULL: @is_terminal decides
 * @columns: (nullable): ids with commas between, or "all"
 * @filter: (nullable): filter language
 * @sort: (nullable): ids with commas between, `-` before one for descending
 * @group_by: (nullable): ids with commas between: print groups instead of rows
 * @rows: (nullable): numbers of rows with commas between, and ranges `3-9`
 * @from: (nullable): seconds since the trace's start, or an ISO 8601 stamp
 * @to: (nullable): the same
 * @time: (nullable): name of the form of moments
 * @limit: most rows to print; negative: all
 * @offset: rows to leave out first; negative: none
 * @is_redacted: stand-ins take the place of what tells of people and places
 * @is_terminal: the output is a terminal
 * @line_width: characters a line of aligned text has; 0: as many as the cells need
 * @mark: (nullable): has rows of aligned text stand out
 * @progress: (nullable): called now and then while records are looked for; %FALSE stops
 * @progress_data: for @progress
 * @n_chosen: (nullable): is told how many rows were chosen
 *
 * What was asked on the command line, not yet checked.
 */
typedef struct
{
  NsViewContext *view;
  NsTableId table;
  const char *format;
  const char *columns;
  const char *filter;
  const char *sort;
  const char *group_by;
  const char *rows;
  const char *from;
  const char *to;
  const char *time;
  gint64 limit;
  gint64 offset;
  gboolean is_redacted;
  gboolean is_terminal;
  guint line_width;
  NsExportMarkFunc mark;
  NsProgressFunc progress;
  gpointer progress_data;
  guint *n_chosen;
} NsCliList;

NsFilter *
ns_cli_list_parse_filter (NsTableId table, const char *text, NsViewContext *view, GError **error);
GArray *ns_cli_list_choose (const NsCliList *self, const NsTrace *trace, GError **error);
gboolean ns_cli_list_check (const NsCliList *self, GError **error);
gboolean ns_cli_list_refuse_stopped (GError **error);
gboolean ns_cli_list_wants_evidence (const NsCliList *self);
gboolean ns_cli_list_print (const NsCliList *self,
                            const NsTrace *trace,
                            NsExportWriteFunc write,
                            gpointer write_data,
                            GError **error);
gboolean ns_cli_list_print_machines (const NsCliList *self,
                                     const GArray *machines,
                                     NsExportWriteFunc write,
                                     gpointer write_data,
                                     GError **error);

/* ns-cli-groups.c */
GPtrArray *ns_cli_list_parse_groups (NsTableId table, const char *text, GError **error);
gboolean ns_cli_list_print_groups (const NsCliList *self,
                                   const NsTrace *trace,
                                   const GArray *rows,
                                   const GPtrArray *fields,
                                   NsExportFormat format,
                                   NsExportWriteFunc write,
                                   gpointer write_data,
                                   GError **error);

G_END_DECLS
