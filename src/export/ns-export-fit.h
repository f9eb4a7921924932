/* Fits text columns into a line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint ns_export_fit_columns (guint *widths, const gboolean *is_cut, guint n_columns, guint line);
void ns_export_fit_cell (GString *cell, guint width);

G_END_DECLS
