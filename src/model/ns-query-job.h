/* Filters, sorts and groups a table in a thread; the answer is a new vector of row numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-grouping.h"
#include "query/ns-filter.h"
#include "query/ns-order.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* What is to be shown: rows, or rows in groups. */
typedef struct
{
  GArray *rows;     /* (element-type guint32), 0-based; %NULL: see @groups */
  NsGroups *groups; /* %NULL: none were asked for */
  char *given_up;   /* %NULL: the filter has compared all values; else a sentence */
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
