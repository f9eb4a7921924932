/* Table cell widget: one field of a row, or one total of a group, on one line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ui/table/ns-table-group.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_TABLE_CELL (ns_table_cell_get_type ())
G_DECLARE_FINAL_TYPE (NsTableCell, ns_table_cell, NS, TABLE_CELL, GtkWidget)

void ns_table_cell_factory_set_session (GtkListItemFactory *factory, NsSession *session);
GtkListItemFactory *ns_table_cell_factory_new (NsSession *session,
                                               NsTableId table,
                                               NsColumnKind kind,
                                               const NsField *field);
void ns_table_cell_factory_set_short (GtkListItemFactory *factory, gboolean is_short);
void ns_table_cell_factory_set_found (GtkListItemFactory *factory, const char *text);

const NsField *ns_table_cell_get_field (NsTableCell *self);
guint32 ns_table_cell_get_row (NsTableCell *self);
const NsGroup *ns_table_cell_get_group (NsTableCell *self);
guint ns_table_cell_get_position (NsTableCell *self);
void ns_table_cell_append_text (NsSession *session,
                                NsTableId table,
                                const NsField *field,
                                guint32 row,
                                GString *text);
void ns_table_cell_keep_one_line (GString *text);
const NsField *ns_table_cell_get_server (NsTableId table);
void ns_table_cell_cut_server (NsSession *session, NsTableId table, guint32 row, GString *text);
char *ns_table_cell_dup_cut_text (NsTableCell *self);
gboolean ns_table_cell_is_on_arrow (NsTableCell *self, double x);
gboolean ns_table_cell_is_right (NsColumnKind kind, const NsField *field);
gboolean ns_table_cell_is_numeric (const NsField *field);
PangoEllipsizeMode ns_table_cell_get_ellipsis (const NsField *field, const char *text);

void ns_table_cell_update (NsTableCell *self);
void ns_table_cell_come_into_view (NsTableCell *self);

G_END_DECLS
