/* Grid of the rows in other tables that a row is linked to, each with a short description and its
 * confidence.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

void ns_links_grid_attach (GtkGrid *grid,
                           int line,
                           const char *title,
                           NsTrace *trace,
                           NsTableId table,
                           guint32 row,
                           int confidence);
guint ns_links_grid_fill (GtkGrid *grid, NsTrace *trace, NsTableId table, guint32 row);

G_END_DECLS
