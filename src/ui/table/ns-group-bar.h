/* What a table is grouped by, above its titles.
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
