/* List model over row numbers: supports a million rows, with objects only for those on the screen.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-groups.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Row number of a position with a group. */
#define NS_ROW_NOT_A_ROW G_MAXUINT32

#define NS_TYPE_ROW_ITEM (ns_row_item_get_type ())
G_DECLARE_FINAL_TYPE (NsRowItem, ns_row_item, NS, ROW_ITEM, GObject)

guint32 ns_row_item_get_row (NsRowItem *self);
const NsGroup *ns_row_item_get_group (NsRowItem *self);

#define NS_TYPE_ROW_LIST (ns_row_list_get_type ())
G_DECLARE_FINAL_TYPE (NsRowList, ns_row_list, NS, ROW_LIST, GObject)

NsRowList *ns_row_list_new (void);
void ns_row_list_set_rows (NsRowList *self, GArray *rows);
void ns_row_list_set_groups (NsRowList *self, NsGroups *groups);
const GArray *ns_row_list_get_rows (NsRowList *self);
const NsGroups *ns_row_list_get_groups (NsRowList *self);
guint ns_row_list_find (NsRowList *self, guint32 row);
guint32 ns_row_list_get_row_at (NsRowList *self, guint position);
const NsGroup *ns_row_list_get_group_at (NsRowList *self, guint position);
guint ns_row_list_get_parent_at (NsRowList *self, guint position);
void ns_row_list_set_open (NsRowList *self, const NsGroup *group, gboolean is_open);
void ns_row_list_set_all_open (NsRowList *self, gboolean is_open);
GPtrArray *ns_row_list_list_closed (NsRowList *self, guint32 row);
gboolean ns_row_list_reveal (NsRowList *self, guint32 row);

G_END_DECLS
