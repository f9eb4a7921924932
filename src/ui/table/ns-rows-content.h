/* Rows that another program takes, dragged or copied: as text, as a table, and as a file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-export-job.h"
#include "ui/table/ns-table-view.h"

G_BEGIN_DECLS

#define NS_TYPE_ROWS_CONTENT (ns_rows_content_get_type ())

/* What rows are taken for. */
typedef enum
{
  NS_ROWS_DRAGGED, /* a file, a table or text, of what is selected */
  NS_ROWS_COPIED,  /* a table or text, of what is selected or else of all that is shown, as below */
  NS_ROWS_MARKDOWN, /* for issue trackers */
  NS_ROWS_JSON,
} NsRowsPurpose;

G_DECLARE_FINAL_TYPE (NsRowsContent, ns_rows_content, NS, ROWS_CONTENT, GdkContentProvider)

GdkContentProvider *
ns_rows_content_new (NsSession *session, NsTableView *view, NsRowsPurpose purpose);
void ns_rows_content_remove_files (void);

G_END_DECLS
