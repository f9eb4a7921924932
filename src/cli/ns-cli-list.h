/* The listing verbs: choose, sort and print rows of a table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-machines.h"
#include "export/ns-export-table.h"
#include "query/ns-filter.h"

G_BEGIN_DECLS

/**
 * NsCliList:
 * @view: (nullable): the view context
 * @table: the table to list
 * @format: (nullable): name of the format; %NULL: @is_terminal decides
 * @columns: (nullable): comma-separated field IDs, or "all"
 * @filter: (nullable): a filter in the filter language
 * @sort: (nullable): comma-separated field IDs, `-` before one for descending
 * @group_by: (nullable): comma-separated field IDs: print groups instead of rows
 * @rows: (nullable): comma-separated row numbers and ranges `3-9`
 * @from: (nullable): seconds since the trace's start, or an ISO 8601 time
 * @to: (nullable): likewise
 * @time: (nullable): name of the time format
 * @limit: maximum number of rows; negative: all
 * @offset: number of rows to skip first; negative: none
 * @is_redacted: replace names of people and places by pseudonyms
 * @is_terminal: the output is a terminal
 * @line_width: maximum width of a line of aligned text, in characters; 0: unlimited
 * @mark: (nullable): highlights rows of aligned text
 * @progress: (nullable): called while records are searched; %FALSE stops
 * @progress_data: for @progress
 * @n_chosen: (out) (optional): number of chosen rows
 *
 * The options of the command line, not yet checked.
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
