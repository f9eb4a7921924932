/* Counts the values of a field in a thread, for suggestions while typing a filter.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-filter-complete.h"

#include <gio/gio.h>

G_BEGIN_DECLS

void ns_filter_values_list_async (NsTrace *trace,
                                  NsTableId table,
                                  const NsField *field,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
GPtrArray *ns_filter_values_list_finish (GAsyncResult *result, gboolean *is_cut, GError **error);

G_END_DECLS
