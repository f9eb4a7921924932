/* Recipe window: the choice of what to record, and the profile or the commands that record it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_RECIPE_SHEET (ns_recipe_sheet_get_type ())
G_DECLARE_FINAL_TYPE (NsRecipeSheet, ns_recipe_sheet, NS, RECIPE_SHEET, GtkWindow)

GtkWindow *ns_recipe_sheet_new (GtkWindow *parent, const char *missing);

G_END_DECLS
