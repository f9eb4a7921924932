/* Lists the captured packets of rows of any table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

GArray *
ns_row_packets_list (const NsTrace *trace, NsTableId table, const guint32 *rows, gsize n_rows);
char *ns_row_packets_to_display_filter (const NsTrace *trace, NsTableId table, guint32 row);

G_END_DECLS
