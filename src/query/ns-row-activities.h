/* The activities that rows of any table belong to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

gboolean ns_row_activities_has (NsTableId table);
guint32 ns_row_activities_find (const NsTrace *trace, NsTableId table, guint32 row);
void ns_row_activities_mark (const NsTrace *trace,
                             NsTableId table,
                             const guint32 *rows,
                             gsize n_rows,
                             guint8 *is_marked);
GArray *
ns_row_activities_list (const NsTrace *trace, NsTableId table, const guint32 *rows, gsize n_rows);

G_END_DECLS
