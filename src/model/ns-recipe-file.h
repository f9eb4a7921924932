/* Saves recording profiles and capture kits.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-recipe.h"

G_BEGIN_DECLS

char *ns_recipe_file_to_text (const NsRecipeOptions *options, NsRecipeForm form, GError **error);
gboolean ns_recipe_file_save (const char *path, const char *text, GError **error);
gboolean ns_recipe_file_save_kit (const char *path, const NsRecipeOptions *options, GError **error);

G_END_DECLS
