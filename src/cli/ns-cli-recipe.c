/* The verb `recipe`: a recording profile for Windows Performance Recorder.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli.h"
#include "export/ns-export-recipe.h"

/**
 * ns_cli_recipe:
 * @cli: what was asked
 * @error: return location
 *
 * Returns: %FALSE if it could not be done
 */
gboolean
ns_cli_recipe (NsCli *cli, GError **error)
{
  g_autoptr (GArray) providers = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  if (cli->options.provider != NULL)
    providers = ns_export_recipe_parse (cli->options.provider, error);
  else
    providers = ns_export_recipe_new_default ();
  if (providers == NULL)
    return FALSE;
  ns_export_recipe_append (providers, text);
  return ns_cli_write (text->str, text->len, cli, error);
}
