/* Actions of the visible table: on its rows, columns and groups.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"
#include "ui/table/ns-rows-content.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_TABLE_ACTIONS (ns_table_actions_get_type ())
G_DECLARE_FINAL_TYPE (NsTableActions, ns_table_actions, NS, TABLE_ACTIONS, GObject)

NsTableActions *ns_table_actions_new (void);
GActionMap *ns_table_actions_get_actions (NsTableActions *self);
void ns_table_actions_set_session (NsTableActions *self, NsSession *session);
void ns_table_actions_copy_rows (NsTableActions *self, NsRowsPurpose purpose);
void ns_table_actions_popup_menu (NsTableActions *self, GtkWidget *parent, double x, double y);

G_END_DECLS
