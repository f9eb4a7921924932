/* Container that divides the height between the timeline and the tables below it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_SPLIT (ns_split_get_type ())
G_DECLARE_FINAL_TYPE (NsSplit, ns_split, NS, SPLIT, GtkWidget)

G_END_DECLS
