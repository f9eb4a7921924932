/* Content provider for dragged or copied rows: as text, as an HTML table, and as a file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-export-job.h"
#include "ui/table/ns-table-view.h"

G_BEGIN_DECLS

#define NS_TYPE_ROWS_CONTENT (ns_rows_content_get_type ())

/* What the rows are exported for. */
typedef enum
{
  NS_ROWS_DRAGGED,  /* the selected rows, as a file, a table or text */
  NS_ROWS_COPIED,   /* the selected rows, or all shown rows without a selection, as a table or text;
                     * likewise below */
  NS_ROWS_MARKDOWN, /* for issue trackers */
  NS_ROWS_JSON,
} NsRowsPurpose;

G_DECLARE_FINAL_TYPE (NsRowsContent, ns_rows_content, NS, ROWS_CONTENT, GdkContentProvider)

GdkContentProvider *
ns_rows_content_new (NsSession *session, NsTableView *view, NsRowsPurpose purpose);

G_END_DECLS
