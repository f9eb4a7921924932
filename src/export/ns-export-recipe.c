/* Recording profiles.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-recipe.h"

#include <glib/gi18n-lib.h>

#define MAX_PACKET_BYTES 65535

/* Rejects options that the format does not support. */
static gboolean
check_options (const NsRecipeOptions *options, NsRecipeForm form, GError **error)
{
  gboolean is_command = form != NS_RECIPE_WPRP && form != NS_RECIPE_CLASSIC;

  if (form == NS_RECIPE_KIT)
    g_set_error (error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_QUERY,
                 _ ("a kit is an archive and cannot be written as text"));
  else if (options->layers == 0 && (options->more == NULL || *options->more == '\0'))
    g_set_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY, _ ("there is no provider to record"));
  else if (options->has_no_headers && form != NS_RECIPE_WPRP &&
           (options->layers & NS_RECIPE_LAYER (NS_RECIPE_HTTP)) != 0)
    g_set_error (error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_QUERY,
                 _ ("only a profile (wprp) can exclude headers: %s cannot select single events"),
                 ns_export_recipe_get_form_name (form));
  else if (options->packet_bytes > 0 && form != NS_RECIPE_NETSH && form != NS_RECIPE_PKTMON)
    g_set_error (error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_QUERY,
                 _ ("packets are recorded by netsh and pktmon, not by %s"),
                 ns_export_recipe_get_form_name (form));
  else if (options->packet_bytes > MAX_PACKET_BYTES)
    g_set_error (error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_QUERY,
                 _ ("a packet has at most %d bytes, not %u"),
                 MAX_PACKET_BYTES,
                 options->packet_bytes);
  else if (options->has_content && form == NS_RECIPE_CLASSIC)
    g_set_error (error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_QUERY,
                 _ ("a profile for older Windows (classic) records no content: wprp does"));
  else if (options->scenario != NULL && form != NS_RECIPE_NETSH)
    g_set_error (error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_QUERY,
                 _ ("scenarios are those of netsh, not of %s"),
                 ns_export_recipe_get_form_name (form));
  else if (is_command && options->layers == NS_RECIPE_LAYER (NS_RECIPE_PROCESSOR) &&
           options->more == NULL)
    g_set_error (error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_QUERY,
                 _ ("only a profile (wprp, classic) records what the processors do"));
  else
    return options->scenario == NULL || ns_export_recipe_check_scenario (options->scenario, error);
  return FALSE;
}

/**
 * ns_export_recipe_append:
 * @options: what to record
 * @form: the format
 * @text: (inout): appended to
 * @error: %NS_TRACE_ERROR_QUERY if nothing is selected, or the format cannot record it
 *
 * Appends a profile, or command lines, one per line.
 *
 * Returns: %FALSE if it cannot be recorded in this format; nothing is appended then
 */
gboolean
ns_export_recipe_append (const NsRecipeOptions *options,
                         NsRecipeForm form,
                         GString *text,
                         GError **error)
{
  g_autoptr (GArray) more = NULL;

  if (!check_options (options, form, error))
    return FALSE;
  if (options->more != NULL && *options->more != '\0')
    {
      more = ns_export_recipe_parse (options->more, error);
      if (more == NULL)
        return FALSE;
    }
  if (form == NS_RECIPE_WPRP || form == NS_RECIPE_CLASSIC)
    ns_recipe_profile_append (options, form == NS_RECIPE_CLASSIC, more, text);
  else
    ns_recipe_commands_append (options, form, more, text);
  return TRUE;
}
