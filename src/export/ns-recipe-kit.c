/* The capture kit: an archive that a Windows user unpacks and runs.
 *
 * A flat folder with a script and its launcher, the command lines that it runs, profiles and
 * instructions. Texts are ASCII with CRLF, since PowerShell 5.1 would decode other texts by the
 * machine's code page.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-recipe-kit.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define FOLDER "netstitch-capture/"
/* Time of all files, so that equal options produce equal bytes. 1980 is the first year that zip
 * supports. */
#define TIME_OF_FILES G_GINT64_CONSTANT (315532800)

/* Adds a text, with line ends converted to CRLF. */
static gboolean
add (NsExportZip *zip, const char *name, const char *text, GError **error)
{
  g_autofree char *path = g_strconcat (FOLDER, name, NULL);
  g_autoptr (GString) lines = g_string_new (NULL);

  for (; *text != '\0'; text++)
    if (*text == '\n')
      g_string_append (lines, "\r\n");
    else if (*text != '\r')
      g_string_append_c (lines, *text);
  return ns_export_zip_add (zip, path, lines->str, lines->len, error);
}

static gboolean
add_profile (NsExportZip *zip,
             const char *name,
             const NsRecipeOptions *options,
             NsRecipeForm form,
             GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  return ns_export_recipe_append (options, form, text, error) && add (zip, name, text->str, error);
}

/* Adds a profile that records only the names of compiled methods, and is started in addition to
 * another one. */
static gboolean
add_compiler (NsExportZip *zip, const char *name, gboolean is_clr, GError **error)
{
  const NsRecipeOptions options = { .has_clr = is_clr, .has_js = !is_clr };
  g_autoptr (GString) text = g_string_new (NULL);

  ns_recipe_profile_append_compiler (&options, is_clr ? "NetstitchClr" : "NetstitchJs", text);
  return add (zip, name, text->str, error);
}

static gboolean
add_all (NsExportZip *zip, const NsRecipeOptions *options, GError **error)
{
  NsRecipeOptions light = *options;
  NsRecipeOptions verbose = *options;
  NsRecipeOptions classic = { .layers = NS_RECIPE_LIGHT_LAYERS };
  g_autoptr (GString) commands = g_string_new (NULL);

  light.detail = NS_RECIPE_LIGHT;
  if (light.layers == NS_RECIPE_DEFAULT_LAYERS)
    light.layers = NS_RECIPE_LIGHT_LAYERS;
  verbose.detail = NS_RECIPE_VERBOSE;
  ns_recipe_commands_append_kit (options, commands);
  return add (zip, "netstitch-record.cmd", ns_recipe_kit_cmd, error) &&
         add (zip, "netstitch-record.ps1", ns_recipe_kit_ps1, error) &&
         add (zip, "commands.txt", commands->str, error) &&
         add_profile (zip, "netstitch.wprp", options, NS_RECIPE_WPRP, error) &&
         add_profile (zip, "netstitch-light.wprp", &light, NS_RECIPE_WPRP, error) &&
         add_profile (zip, "netstitch-verbose.wprp", &verbose, NS_RECIPE_WPRP, error) &&
         add_profile (zip, "netstitch-classic.wprp", &classic, NS_RECIPE_CLASSIC, error) &&
         add_compiler (zip, "clr.wprp", TRUE, error) &&
         add_compiler (zip, "js.wprp", FALSE, error) &&
         add (zip, "README.txt", ns_recipe_kit_readme, error);
}

/* Rejects content, as the kit's instructions state that it records none. */
static gboolean
check_options (const NsRecipeOptions *options, GError **error)
{
  if (options->has_content)
    g_set_error (error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_QUERY,
                 _ ("a kit does not record content, and its instructions say so: use wprp"));
  else if (options->packet_bytes > 0)
    g_set_error (error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_QUERY,
                 _ ("a kit records packets when it is run: netstitch-record start -Packets %u"),
                 options->packet_bytes);
  else if (options->scenario != NULL)
    g_set_error (error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_QUERY,
                 _ ("scenarios are those of netsh, not of a kit"));
  else
    return TRUE;
  return FALSE;
}

/**
 * ns_recipe_kit_write:
 * @options: what the kit records
 * @write: receives the zip archive
 * @write_data: for @write
 * @error: see ns_export_recipe_append(), or the error of @write
 *
 * Returns: %FALSE if it could not be written
 */
gboolean
ns_recipe_kit_write (const NsRecipeOptions *options,
                     NsExportWriteFunc write,
                     gpointer write_data,
                     GError **error)
{
  g_autoptr (NsExportZip) zip = NULL;

  if (!check_options (options, error))
    return FALSE;
  zip = ns_export_zip_new (write, write_data, TIME_OF_FILES, error);
  return zip != NULL && add_all (zip, options, error) && ns_export_zip_close (zip, error);
}
