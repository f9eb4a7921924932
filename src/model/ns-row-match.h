/* Finds rows of a trace again after a reload of the grown file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

G_BEGIN_DECLS

GArray *ns_row_match_find (const NsTrace *from,
                           NsTableId table,
                           const guint32 *rows,
                           guint n_rows,
                           const NsTrace *to,
                           GCancellable *cancellable);
void ns_row_match_find_async (NsTrace *from,
                              NsTableId table,
                              const guint32 *rows,
                              guint n_rows,
                              NsTrace *to,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
GArray *ns_row_match_find_finish (GAsyncResult *result, GError **error);

G_END_DECLS
