/* Bar above the column titles with one chip for each field that the table is grouped by.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *ns_group_bar_new (void);
void ns_group_bar_update (GtkWidget *bar, NsSession *session, NsTableId table);

G_END_DECLS
