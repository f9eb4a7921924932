/* Pane with the find bar and the tables of a trace, or the damage list in their place.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ui/ns-find-bar.h"
#include "ui/ns-trace-tabs.h"
#include "ui/table/ns-table-actions.h"

G_BEGIN_DECLS

#define NS_TYPE_TABLES_PANE (ns_tables_pane_get_type ())
G_DECLARE_FINAL_TYPE (NsTablesPane, ns_tables_pane, NS, TABLES_PANE, GtkBox)

GActionMap *ns_tables_pane_get_actions (NsTablesPane *self);
void ns_tables_pane_leave (NsTablesPane *self, gboolean is_reload);
void ns_tables_pane_set_session (NsTablesPane *self, NsSession *session, NsSessionChange turn);
void ns_tables_pane_show_damage (NsTablesPane *self);
void ns_tables_pane_add_columns (NsTablesPane *self, GtkMenuButton *button);
NsTableView *ns_tables_pane_ensure_front (NsTablesPane *self);
NsTableView *ns_tables_pane_dup_front (NsTablesPane *self);
NsFindBar *ns_tables_pane_get_find_bar (NsTablesPane *self);
NsTraceTabs *ns_tables_pane_get_tabs (NsTablesPane *self);
NsTableActions *ns_tables_pane_get_table_actions (NsTablesPane *self);

G_END_DECLS
