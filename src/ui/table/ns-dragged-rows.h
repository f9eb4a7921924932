/* Rows that are dragged to another program: as text, as a table, and as a file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-export-job.h"
#include "ui/table/ns-table-view.h"

G_BEGIN_DECLS

#define NS_TYPE_DRAGGED_ROWS (ns_dragged_rows_get_type ())
G_DECLARE_FINAL_TYPE (NsDraggedRows, ns_dragged_rows, NS, DRAGGED_ROWS, GdkContentProvider)

GdkContentProvider *ns_dragged_rows_new (NsSession *session, NsTableView *view);
void ns_dragged_rows_remove_files (void);

G_END_DECLS
