/* List item factory for the lines of a call stack.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_STACK_CELL_ITEM "ns-item"

GtkListItemFactory *ns_stack_cell_factory_new (void);

G_END_DECLS
