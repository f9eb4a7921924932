/* Selection model over a row list; exposes the rows of a long list in steps.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-row-list.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_ROW_SELECTION (ns_row_selection_get_type ())
G_DECLARE_FINAL_TYPE (NsRowSelection, ns_row_selection, NS, ROW_SELECTION, GObject)

NsRowSelection *ns_row_selection_new (NsRowList *rows);
gboolean ns_row_selection_is_holding_back (NsRowSelection *self);
void ns_row_selection_report (NsRowSelection *self, guint position);
void ns_row_selection_report_more (NsRowSelection *self);

G_END_DECLS
