/* Coloured sort arrow in the title of the column that a table is sorted by.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_SORT_MARK_UP "▲"
#define NS_SORT_MARK_DOWN "▼"

void ns_sort_mark_tint (GtkColumnView *view);

G_END_DECLS
