/* Grid of all fields of a row, one per line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

void ns_fields_grid_fill (GtkGrid *grid, NsSession *session, NsTableId table, guint32 row);

G_END_DECLS
