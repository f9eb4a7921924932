/* What is to be recorded, in words: what it cannot answer, and the command that makes the same.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-recipe.h"

#include <glib/gi18n-lib.h>

/* What nobody can say who does not record a layer. */
static const char *const answers[NS_RECIPE_N_LAYERS] = {
  [NS_RECIPE_HTTP] = N_ ("which requests were made"),
  [NS_RECIPE_SOCKETS] = N_ ("who opened a socket, and waited for it"),
  [NS_RECIPE_CONNECTIONS] = N_ ("why a connection was slow, lost or refused"),
  [NS_RECIPE_NAMES] = N_ ("how names were looked up"),
  [NS_RECIPE_LDAP] = N_ ("what was searched in a directory"),
  [NS_RECIPE_COUNTERS] = N_ ("how much the kernel counted"),
  [NS_RECIPE_TLS] = N_ ("what Schannel says of a failed handshake"),
  [NS_RECIPE_QUIC] = N_ ("what HTTP/3 did"),
  [NS_RECIPE_BROWSERS] = N_ ("what Chrome and Edge did"),
  [NS_RECIPE_OFFICE] = N_ ("who queued work in Office"),
  [NS_RECIPE_ENVIRONMENT] = N_ ("whether the machine was connected"),
  [NS_RECIPE_SERVER] = N_ ("which requests the machine answered"),
  [NS_RECIPE_FILES] = N_ ("which shared files and procedures were asked for"),
  [NS_RECIPE_DOTNET] = N_ ("what programs of .NET asked for and queued"),
  [NS_RECIPE_PROCESSOR] = N_ ("what threads did meanwhile"),
};

/**
 * ns_export_recipe_form_has:
 * @form: a form
 * @choice: what may be chosen
 *
 * Returns: whether what records in that form can do as chosen; if it cannot, the choice changes
 *   nothing
 */
gboolean
ns_export_recipe_form_has (NsRecipeForm form, NsRecipeChoice choice)
{
  gboolean has_filters = form == NS_RECIPE_WPRP || form == NS_RECIPE_KIT;

  switch (choice)
    {
    case NS_RECIPE_CHOICE_PROCESSOR:
      return has_filters || form == NS_RECIPE_CLASSIC;
    case NS_RECIPE_CHOICE_CONTENT:
      return form != NS_RECIPE_KIT && form != NS_RECIPE_CLASSIC;
    case NS_RECIPE_CHOICE_PACKETS:
      return form == NS_RECIPE_NETSH || form == NS_RECIPE_PKTMON;
    case NS_RECIPE_CHOICE_SCENARIO:
      return form == NS_RECIPE_NETSH;
    case NS_RECIPE_CHOICE_STACKS:
    case NS_RECIPE_CHOICE_NO_HEADERS:
    case NS_RECIPE_CHOICE_DETAIL:
    default:
      return has_filters;
    }
}

/**
 * ns_export_recipe_fit:
 * @options: what is chosen
 * @form: a form
 *
 * Takes back what the form cannot do, which ns_export_recipe_append() would refuse.
 */
void
ns_export_recipe_fit (NsRecipeOptions *options, NsRecipeForm form)
{
  if (!ns_export_recipe_form_has (form, NS_RECIPE_CHOICE_NO_HEADERS))
    options->has_no_headers = FALSE;
  if (!ns_export_recipe_form_has (form, NS_RECIPE_CHOICE_STACKS))
    options->has_stacks = TRUE;
  if (!ns_export_recipe_form_has (form, NS_RECIPE_CHOICE_DETAIL))
    options->detail = NS_RECIPE_DEFAULT;
  if (!ns_export_recipe_form_has (form, NS_RECIPE_CHOICE_CONTENT))
    options->has_content = FALSE;
  if (!ns_export_recipe_form_has (form, NS_RECIPE_CHOICE_PACKETS))
    options->packet_bytes = 0;
  if (!ns_export_recipe_form_has (form, NS_RECIPE_CHOICE_SCENARIO))
    options->scenario = NULL;
  if (!ns_export_recipe_form_has (form, NS_RECIPE_CHOICE_PROCESSOR))
    options->layers &= ~NS_RECIPE_LAYER (NS_RECIPE_PROCESSOR);
}

static void
append_answer (GString *text, const char *answer)
{
  /* Translators: between two of the things that a recording does not tell. */
  g_string_append_printf (text, "%s%s", text->len > 0 ? _ ("; ") : "", answer);
}

/* What the headers and contents of requests say is told with them only. */
static void
append_request_answers (GString *text, const NsRecipeOptions *options)
{
  if ((options->layers & NS_RECIPE_LAYER (NS_RECIPE_HTTP)) == 0)
    return;
  if (options->has_no_headers)
    append_answer (text, _ ("what stood in headers"));
  if (!options->has_content)
    append_answer (text, _ ("what stood in bodies"));
}

/**
 * ns_export_recipe_dup_lacks:
 * @options: what is to be recorded
 * @form: as what
 *
 * Returns: (transfer full): what such a recording cannot tell, in words of the user's language
 * apart by semicolons; may be empty
 */
char *
ns_export_recipe_dup_lacks (const NsRecipeOptions *options, NsRecipeForm form)
{
  GString *text = g_string_new (NULL);
  NsRecipeOptions fit = *options;
  guint i;

  ns_export_recipe_fit (&fit, form);
  for (i = 0; i < NS_RECIPE_N_LAYERS; i++)
    if ((fit.layers & NS_RECIPE_LAYER (i)) == 0 &&
        (i != NS_RECIPE_COUNTERS || (fit.layers & NS_RECIPE_LAYER (NS_RECIPE_CONNECTIONS)) == 0))
      append_answer (text, _ (answers[i]));
  if (!fit.has_stacks || !ns_export_recipe_form_has (form, NS_RECIPE_CHOICE_STACKS))
    append_answer (text, _ ("which code did it"));
  append_request_answers (text, &fit);
  if (fit.packet_bytes == 0 && form != NS_RECIPE_PKTMON)
    append_answer (text, _ ("what stood in the packets"));
  return g_string_free (text, FALSE);
}

static void
append_layers (GString *text, guint layers)
{
  const char *before = " --layers ";
  guint i;

  for (i = 0; i < NS_RECIPE_N_LAYERS; i++)
    if ((layers & NS_RECIPE_LAYER (i)) != 0)
      {
        g_string_append_printf (text,
                                "%s%s",
                                before,
                                ns_export_recipe_get_layer_name ((NsRecipeLayer) i));
        before = ",";
      }
}

/**
 * ns_export_recipe_dup_command:
 * @options: what is to be recorded
 * @form: as what
 *
 * Returns: (transfer full): the command that writes the same, for a shell
 */
char *
ns_export_recipe_dup_command (const NsRecipeOptions *options, NsRecipeForm form)
{
  GString *text = g_string_new ("netstitch-cli recipe");
  gboolean has_more = options->more != NULL && *options->more != '\0';
  NsRecipeOptions fit = *options;

  ns_export_recipe_fit (&fit, form);
  g_string_append_printf (text, " --as %s", ns_export_recipe_get_form_name (form));
  if (has_more || fit.layers != ns_export_recipe_get_layers (form, fit.detail))
    append_layers (text, fit.layers);
  if (fit.detail != NS_RECIPE_DEFAULT)
    g_string_append_printf (text, " --detail %s", ns_export_recipe_get_detail_name (fit.detail));
  if (!fit.has_stacks)
    g_string_append (text, " --no-stacks");
  if (fit.has_no_headers)
    g_string_append (text, " --no-headers");
  if (fit.has_clr)
    g_string_append (text, " --clr");
  if (fit.has_js)
    g_string_append (text, " --js");
  if (fit.has_content)
    g_string_append (text, " --content");
  if (fit.packet_bytes > 0)
    g_string_append_printf (text, " --packets %u", fit.packet_bytes);
  if (fit.scenario != NULL)
    g_string_append_printf (text, " --scenario %s", fit.scenario);
  if (has_more)
    {
      g_autofree char *more = g_shell_quote (options->more);

      g_string_append_printf (text, " --provider %s", more);
    }
  return g_string_free (text, FALSE);
}
