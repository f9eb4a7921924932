/* The capture kit: an archive that a Windows user unpacks and runs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-recipe.h"
#include "export/ns-export-zip.h"

G_BEGIN_DECLS

/* Files of the kit that do not depend on options; generated from data/capture at build time. */
extern const char ns_recipe_kit_cmd[];
extern const char ns_recipe_kit_ps1[];
extern const char ns_recipe_kit_readme[];

gboolean ns_recipe_kit_write (const NsRecipeOptions *options,
                              NsExportWriteFunc write,
                              gpointer write_data,
                              GError **error);

G_END_DECLS
