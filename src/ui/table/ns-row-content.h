/* Rows that are dragged to another program: as text, as a table, and as a file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-export-job.h"
#include "ui/table/ns-table-view.h"

G_BEGIN_DECLS

#define NS_TYPE_ROW_CONTENT (ns_row_content_get_type ())
G_DECLARE_FINAL_TYPE (NsRowContent, ns_row_content, NS, ROW_CONTENT, GdkContentProvider)

GdkContentProvider *ns_row_content_new (NsSession *session, NsTableView *view);
void ns_row_content_remove_files (void);

G_END_DECLS
