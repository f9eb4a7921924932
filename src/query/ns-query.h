/* A query: the rows of a table by filter, span, order, offset and limit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-filter.h"
#include "query/ns-order.h"

G_BEGIN_DECLS

/**
 * NsQuery:
 * @table: which table
 * @filter: (nullable): what rows must match
 * @keys: (nullable) (element-type NsOrderKey): order; %NULL is the table's own
 * @span: rows that touch it; begin %NS_TIME_NONE and end %NS_TIME_OPEN leave it open
 * @offset: rows to leave out at the beginning
 * @limit: most rows to give; 0 is all
 */
typedef struct
{
  NsTableId table;
  const NsFilter *filter;
  GArray *keys;
  NsTimeSpan span;
  gsize offset;
  gsize limit;
} NsQuery;

GArray *ns_query_run (const NsQuery *self,
                      const NsTrace *trace,
                      NsProgressFunc progress,
                      gpointer progress_data);
gboolean ns_query_parse_time (const NsTrace *trace, const char *text, gint64 *time_ns);

G_END_DECLS
