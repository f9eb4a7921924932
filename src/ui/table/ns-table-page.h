/* Page of one table in the tabs of a trace, with its tab label.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"
#include "ui/table/ns-table-view.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_TABLE_PAGE (ns_table_page_get_type ())
G_DECLARE_FINAL_TYPE (NsTablePage, ns_table_page, NS, TABLE_PAGE, GtkBox)

NsTablePage *ns_table_page_new (NsSession *session, NsTableId table);
GtkWidget *ns_table_page_get_tab (NsTablePage *self);
void ns_table_page_set_session (NsTablePage *self, NsSession *session);
gboolean ns_table_page_may_have_rows (NsTablePage *self);
NsTableView *ns_table_page_peek_view (NsTablePage *self);
NsTableView *ns_table_page_ensure_view (NsTablePage *self);
GtkWidget *ns_table_page_peek_fields (NsTablePage *self);
void ns_table_page_set_folded (NsTablePage *self, gboolean is_folded);
void ns_table_page_show_count (NsTablePage *self, gboolean is_known, gboolean is_playback);

G_END_DECLS
