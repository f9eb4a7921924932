/* Saves recording profiles and capture kits.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-recipe-file.h"

#include "export/ns-export-file.h"
#include "export/ns-recipe-kit.h"

#include <string.h>

/**
 * ns_recipe_file_to_text:
 * @options: what to record
 * @form: the format
 * @error: see ns_export_recipe_append()
 *
 * Returns: (transfer full) (nullable): a profile, or command lines
 */
char *
ns_recipe_file_to_text (const NsRecipeOptions *options, NsRecipeForm form, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (!ns_export_recipe_append (options, form, text, error))
    return NULL;
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * ns_recipe_file_save:
 * @path: a file
 * @text: text from ns_recipe_file_to_text()
 * @error: return location
 *
 * Returns: %FALSE if it could not be written; no new file is left then
 */
gboolean
ns_recipe_file_save (const char *path, const char *text, GError **error)
{
  g_autoptr (NsExportFile) file = ns_export_file_new (path, error);

  return file != NULL && ns_export_file_write (text, strlen (text), file, error) &&
         ns_export_file_commit (file, error);
}

/**
 * ns_recipe_file_save_kit:
 * @path: a file
 * @options: what the capture kit records
 * @error: return location
 *
 * Saves a capture kit: an archive for use on the Windows machine.
 *
 * Returns: %FALSE if it could not be written; no new file is left then
 */
gboolean
ns_recipe_file_save_kit (const char *path, const NsRecipeOptions *options, GError **error)
{
  g_autoptr (NsExportFile) file = ns_export_file_new (path, error);

  if (file == NULL)
    return FALSE;
  /* Meant for others, and contains no data of this machine. */
  ns_export_file_set_mode (file, NS_EXPORT_FILE_SHARED);
  return ns_recipe_kit_write (options, ns_export_file_write, file, error) &&
         ns_export_file_commit (file, error);
}
