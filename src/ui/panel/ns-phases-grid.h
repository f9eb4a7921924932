/* List of the phases of an operation, with their durations and their sum.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

void ns_phases_grid_fill (GtkGrid *grid, NsSession *session, guint32 activity);

G_END_DECLS
