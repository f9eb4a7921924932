/* Saves a recording profile, so that the next trace tells more.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-recipe-file.h"

#include "export/ns-export-file.h"
#include "export/ns-export-recipe.h"

/**
 * ns_recipe_file_save:
 * @path: a file
 * @error: return location
 *
 * Writes a profile that records what all tables need.
 *
 * Returns: %FALSE if it could not be written; there is no file then that was not there before
 */
gboolean
ns_recipe_file_save (const char *path, GError **error)
{
  g_autoptr (NsExportFile) file = ns_export_file_new (path, error);
  g_autoptr (GArray) providers = ns_export_recipe_new_default ();
  g_autoptr (GString) text = g_string_new (NULL);

  if (file == NULL)
    return FALSE;
  ns_export_recipe_append (providers, text);
  return ns_export_file_write (text->str, text->len, file, error) &&
         ns_export_file_commit (file, error);
}
