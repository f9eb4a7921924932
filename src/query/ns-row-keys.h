/* Index of rows by key: pointers, handles, activity IDs, endpoints.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

guint64 ns_row_keys_of_guid (const NsGuid *guid);
guint64 ns_row_keys_of_ends (const NsEndpoint *local, const NsEndpoint *remote);
gboolean ns_row_keys_find (const NsTrace *trace,
                           NsTableId table,
                           const NsField *field,
                           guint64 key,
                           const guint32 **rows,
                           guint *n_rows);

G_END_DECLS
