/* Call tree as a table: one line per node, with the totals of its rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-call-nodes.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_CALL_TABLE (ns_call_table_get_type ())
G_DECLARE_FINAL_TYPE (NsCallTable, ns_call_table, NS, CALL_TABLE, GtkWidget)

#define NS_CALL_TABLE_NONE G_MAXUINT32

GtkWidget *ns_call_table_new (void);
void ns_call_table_set_tree (NsCallTable *self, const NsCallTree *tree);
guint32 ns_call_table_get_selected (NsCallTable *self);
void ns_call_table_select (NsCallTable *self, guint32 node);

G_END_DECLS
