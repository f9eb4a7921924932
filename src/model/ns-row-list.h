/* A list model over row numbers: a million rows, objects only for those on the screen.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define NS_TYPE_ROW_ITEM (ns_row_item_get_type ())
G_DECLARE_FINAL_TYPE (NsRowItem, ns_row_item, NS, ROW_ITEM, GObject)

guint32 ns_row_item_get_row (NsRowItem *self);

#define NS_TYPE_ROW_LIST (ns_row_list_get_type ())
G_DECLARE_FINAL_TYPE (NsRowList, ns_row_list, NS, ROW_LIST, GObject)

NsRowList *ns_row_list_new (void);
void ns_row_list_set_rows (NsRowList *self, GArray *rows);
const GArray *ns_row_list_get_rows (NsRowList *self);
guint ns_row_list_find (NsRowList *self, guint32 row);

G_END_DECLS
