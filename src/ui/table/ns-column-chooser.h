/* Popover that shows, hides and reorders the columns of a table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ui/table/ns-table-view.h"

G_BEGIN_DECLS

GtkWidget *ns_column_chooser_new (NsTableView *view);

G_END_DECLS
