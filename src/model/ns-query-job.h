/* Filters and sorts a table in a thread; the answer is a new vector of row numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-filter.h"
#include "query/ns-order.h"

#include <gio/gio.h>

G_BEGIN_DECLS

void ns_query_job_run_async (NsTrace *trace,
                             NsTableId table,
                             NsFilter *filter,
                             const GArray *order,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
GArray *ns_query_job_run_finish (GAsyncResult *result, GError **error);

G_END_DECLS
