/* Asks where a recording profile is to be saved.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void ns_recipe_sheet_ask (GtkWindow *parent);

G_END_DECLS
