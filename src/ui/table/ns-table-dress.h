/* Gives column views in secondary windows the style of the main window's tables.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void ns_table_apply_style (GtkColumnView *view, guint right_columns);

G_END_DECLS
