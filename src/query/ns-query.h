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
 * @table: the table
 * @filter: (nullable): the filter
 * @keys: (nullable) (element-type NsOrderKey): the order; %NULL: that of the table
 * @span: rows that overlap it; begin %NS_TIME_NONE and end %NS_TIME_OPEN leave it open
 * @offset: number of rows to skip
 * @limit: maximum number of rows; 0: all
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
