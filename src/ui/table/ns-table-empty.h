/* Placeholder for a table without rows: the reason and a button with a remedy.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *ns_table_empty_new (void);
void ns_table_empty_update (GtkWidget *empty, NsSession *session, NsTableId table, guint n_shown);

G_END_DECLS
