/* List of all tables of a trace, and the settings of hidden tabs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_TABS_LIST (ns_tabs_list_get_type ())
G_DECLARE_FINAL_TYPE (NsTabsList, ns_tabs_list, NS, TABS_LIST, GtkBox)

NsTabsList *ns_tabs_list_new (void);
GtkWidget *ns_tabs_list_new_popover (NsTabsList *self);
void ns_tabs_list_add (NsTabsList *self,
                       NsTableId table,
                       guint n_rows,
                       gboolean has_tab,
                       gboolean is_empty);
void ns_tabs_list_order (NsTableId order[NS_N_TABLES]);
gboolean ns_tabs_list_is_hidden (NsTableId table);
void ns_tabs_list_set_hidden (NsTableId table, gboolean is_hidden);

G_END_DECLS
