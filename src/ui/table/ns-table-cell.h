/* A cell of a table: one field of one row, on one line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_TABLE_CELL (ns_table_cell_get_type ())
G_DECLARE_FINAL_TYPE (NsTableCell, ns_table_cell, NS, TABLE_CELL, GtkWidget)

GtkListItemFactory *
ns_table_cell_factory_new (NsSession *session, NsTableId table, const NsField *field);
const NsField *ns_table_cell_get_field (NsTableCell *self);
void ns_table_cell_factory_set_found (GtkListItemFactory *factory, const char *text);
void ns_table_cell_mark_found (NsTableCell *self, const char *text);
guint32 ns_table_cell_get_row (NsTableCell *self);
guint ns_table_cell_get_position (NsTableCell *self);
void
ns_table_cell_append_text (NsSession *session, const NsField *field, guint32 row, GString *text);
gboolean ns_table_cell_is_numeric (const NsField *field);

G_END_DECLS
