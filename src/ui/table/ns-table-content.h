/* The selected rows of a table as other programs take them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ui/table/ns-table-view.h"

G_BEGIN_DECLS

char *ns_table_content_selected_to_text (NsSession *session, NsTableView *view);
char *ns_table_content_selected_to_markdown (NsSession *session, NsTableView *view);
char *ns_table_content_selected_to_json (NsSession *session, NsTableView *view);
char *ns_table_content_text_to_html (const char *text);
GdkContentProvider *ns_table_content_new (NsSession *session, NsTableView *view);

G_END_DECLS
