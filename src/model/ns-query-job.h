/* Filters, sorts and groups a table in a thread; the result is a new array of row numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-grouping.h"
#include "query/ns-filter.h"
#include "query/ns-order.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Result of a query: rows, or groups of rows. */
typedef struct
{
  GArray *rows;            /* (element-type guint32), 0-based; %NULL if there are groups */
  NsGroups *groups;        /* %NULL without grouping */
  char *incomplete_reason; /* why the filter did not compare all values; %NULL if it did */
} NsQueryRows;

void ns_query_rows_free (NsQueryRows *self);

void ns_query_job_run_async (NsTrace *trace,
                             NsTableId table,
                             NsFilter *filter,
                             const GArray *order,
                             const NsGrouping *grouping,
                             gboolean want_verdicts,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
NsQueryRows *ns_query_job_run_finish (GAsyncResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsQueryRows, ns_query_rows_free)

G_END_DECLS
