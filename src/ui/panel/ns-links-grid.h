/* The rows of other tables that a row names, each with a sentence and how sure it is.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

guint ns_links_grid_fill (GtkGrid *grid, NsTrace *trace, NsTableId table, guint32 row);

G_END_DECLS
