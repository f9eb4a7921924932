/* The verb `recipe`: writes a recording profile for Windows Performance Recorder.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli.h"
#include "export/ns-recipe-kit.h"

/* Writes the capture kit, which as an archive must go to a file. */
static gboolean
write_kit (NsCli *cli, const NsRecipeOptions *options, GError **error)
{
  if (cli->options.output == NULL)
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_QUERY,
                   "a kit is a zip archive: name its file, as with -o kit.zip");
      return FALSE;
    }
  return ns_recipe_kit_write (options, ns_cli_write, cli, error);
}

/**
 * ns_cli_recipe:
 * @cli: the parsed command line
 * @error: return location
 *
 * Runs the verb `recipe`.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_recipe (NsCli *cli, GError **error)
{
  NsRecipeOptions options = { .has_stacks = !cli->options.want_no_stacks,
                              .has_no_headers = cli->options.want_no_headers,
                              .has_content = cli->options.want_content,
                              .has_clr = cli->options.want_clr,
                              .has_js = cli->options.want_js,
                              .scenario = cli->options.scenario };
  g_autoptr (GString) text = g_string_new (NULL);
  NsRecipeForm form = NS_RECIPE_WPRP;

  if (cli->options.as != NULL && !ns_export_recipe_parse_form (cli->options.as, &form, error))
    return FALSE;
  if (cli->options.detail != NULL &&
      !ns_export_recipe_parse_detail (cli->options.detail, &options.detail, error))
    return FALSE;
  options.layers = ns_export_recipe_get_layers (form, options.detail);
  /* --provider without --layers records these providers only. */
  if (cli->options.provider != NULL)
    {
      options.layers = 0;
      options.more = cli->options.provider;
    }
  if (cli->options.layers != NULL &&
      !ns_export_recipe_parse_layers (cli->options.layers, &options.layers, error))
    return FALSE;
  if (cli->options.packets < 0)
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_QUERY,
                   "--packets is a number of bytes: %" G_GINT64_FORMAT,
                   cli->options.packets);
      return FALSE;
    }
  options.packet_bytes = (guint) MIN (cli->options.packets, G_MAXINT);
  if (form == NS_RECIPE_KIT)
    return write_kit (cli, &options, error);
  return ns_export_recipe_append (&options, form, text, error) &&
         ns_cli_write (text->str, text->len, cli, error);
}
