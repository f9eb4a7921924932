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
  NsRecipeOptions options = { .layers = NS_RECIPE_DEFAULT_LAYERS,
                              .has_stacks = !cli->options.want_no_stacks,
                              .has_content = cli->options.want_content };
  g_autoptr (GString) text = g_string_new (NULL);
  NsRecipeForm form = NS_RECIPE_WPRP;

  /* Who names providers wants these; layers besides only if they are named, too. */
  if (cli->options.provider != NULL)
    {
      g_autoptr (GArray) providers = ns_export_recipe_parse (cli->options.provider, error);

      if (providers == NULL)
        return FALSE;
      options.layers = 0;
      options.more = cli->options.provider;
    }
  if (cli->options.layers != NULL &&
      !ns_export_recipe_parse_layers (cli->options.layers, &options.layers, error))
    return FALSE;
  if (cli->options.as != NULL && !ns_export_recipe_parse_form (cli->options.as, &form, error))
    return FALSE;
  return ns_export_recipe_append (&options, form, text, error) &&
         ns_cli_write (text->str, text->len, cli, error);
}
