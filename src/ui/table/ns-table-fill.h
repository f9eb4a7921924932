/* Right alignment of narrow tables in right-to-left layouts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void ns_table_fill_from_right (GtkColumnView *view);

G_END_DECLS
