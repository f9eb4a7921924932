/* View of one table of a session, with a column for each field.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_TABLE_VIEW (ns_table_view_get_type ())
G_DECLARE_FINAL_TYPE (NsTableView, ns_table_view, NS, TABLE_VIEW, GtkWidget)

NsTableView *ns_table_view_new (NsSession *session, NsTableId table);
void ns_table_view_set_session (NsTableView *self, NsSession *session);
gboolean ns_table_view_is_grouped_by (NsTableView *self, const NsField *field);
void ns_table_view_set_fit_height (NsTableView *self);
GtkAdjustment *ns_table_view_get_adjustment (NsTableView *self);
gboolean ns_table_view_is_growing (NsTableView *self);
NsTableId ns_table_view_get_table (NsTableView *self);
/* Returns the fields of the shown columns, in order: (element-type NsField). */
GPtrArray *ns_table_view_list_fields (NsTableView *self);
GPtrArray *ns_table_view_list_columns (NsTableView *self);
const NsField *ns_table_view_get_field (GtkColumnViewColumn *column);
char *ns_table_view_dup_title (NsTableView *self, const NsField *field);
void ns_table_view_reset_columns (NsTableView *self);
void ns_table_view_push_columns (NsTableView *self, GVariant *columns);
void ns_table_view_pop_columns (NsTableView *self);
int ns_table_view_get_own_width (GtkColumnViewColumn *column);
gboolean ns_table_view_has_no_room (GtkColumnViewColumn *column);
gboolean ns_table_view_is_column_shown (GtkColumnViewColumn *column);
void ns_table_view_show_column (NsTableView *self, GtkColumnViewColumn *column, gboolean is_wanted);
void ns_table_view_move_column (NsTableView *self, GtkColumnViewColumn *column, int by);
void ns_table_view_widen_column (NsTableView *self, GtkColumnViewColumn *column, int by);
void ns_table_view_scroll_to (NsTableView *self, guint position);
void ns_table_view_select_all (NsTableView *self);
const NsField *ns_table_view_get_pressed_field (NsTableView *self);

/* Highlights the cells that contain @text. */
void ns_table_view_set_found (NsTableView *self, const char *text);

G_END_DECLS
