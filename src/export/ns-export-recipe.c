/* Recording profiles: what Windows has to be told to record providers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "export/ns-export-recipe.h"
#include "schema/ns-schema-builtin.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define ALL_KEYWORDS G_MAXUINT64
#define DEFAULT_LEVEL 5
#define MAX_LEVEL 255
#define MAX_PACKET_BYTES 65535

/* The names of the layers, details and forms on the command line. */
static const char *const layers[NS_RECIPE_N_LAYERS] = {
  [NS_RECIPE_HTTP] = "http",
  [NS_RECIPE_SOCKETS] = "sockets",
  [NS_RECIPE_CONNECTIONS] = "connections",
  [NS_RECIPE_NAMES] = "names",
  [NS_RECIPE_LDAP] = "ldap",
  [NS_RECIPE_COUNTERS] = "counters",
  [NS_RECIPE_TLS] = "tls",
  [NS_RECIPE_QUIC] = "quic",
  [NS_RECIPE_BROWSERS] = "browsers",
  [NS_RECIPE_OFFICE] = "office",
  [NS_RECIPE_ENVIRONMENT] = "environment",
  [NS_RECIPE_SERVER] = "server",
  [NS_RECIPE_FILES] = "files",
  [NS_RECIPE_DOTNET] = "dotnet",
  [NS_RECIPE_PROCESSOR] = "processor",
};

static const char *const details[NS_RECIPE_N_DETAILS] = {
  [NS_RECIPE_DEFAULT] = "default",
  [NS_RECIPE_LIGHT] = "light",
  [NS_RECIPE_VERBOSE] = "verbose",
};

static const char *const forms[NS_RECIPE_N_FORMS] = {
  [NS_RECIPE_WPRP] = "wprp",     [NS_RECIPE_CLASSIC] = "classic", [NS_RECIPE_NETSH] = "netsh",
  [NS_RECIPE_LOGMAN] = "logman", [NS_RECIPE_PKTMON] = "pktmon",   [NS_RECIPE_KIT] = "kit",
};

/* Those of `netsh trace show scenarios`, of Windows 7 to 11. */
static const char *const scenarios[] = {
  "AddressAcquisition",
  "DirectAccess",
  "FileSharing",
  "InternetClient",
  "InternetServer",
  "L2SEC",
  "LAN",
  "Layer2",
  "NDIS",
  "NetConnection",
  "RPC",
  "VirtualSwitch",
  "WFP-IPsec",
  "WLAN",
  NULL,
};

static void
provider_clear (gpointer data)
{
  g_clear_pointer (&((NsRecipeProvider *) data)->name, g_free);
}

static gboolean
refuse (GError **error, const char *what, const char *text)
{
  g_set_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY, "%s: “%s”", what, text);
  return FALSE;
}

/* Decimal, or hexadecimal after 0x; -1 is all of them. */
static gboolean
parse_keywords (const char *text, guint64 *keywords)
{
  gboolean is_hex = g_ascii_strncasecmp (text, "0x", 2) == 0;

  if (strcmp (text, "-1") == 0)
    {
      *keywords = ALL_KEYWORDS;
      return TRUE;
    }
  return g_ascii_string_to_unsigned (text + (is_hex ? 2 : 0),
                                     is_hex ? 16 : 10,
                                     0,
                                     G_MAXUINT64,
                                     keywords,
                                     NULL);
}

static gboolean
is_name (const char *name)
{
  const char *at;

  for (at = name; *at != '\0'; at++)
    if (!g_ascii_isalnum (*at) && strchr ("-._ {}/", *at) == NULL)
      return FALSE;
  return *name != '\0';
}

/* Windows takes a name only where the provider is registered, and stops at one that is not; a GUID
 * it takes everywhere. */
static char *
dup_guid (const char *name)
{
  NsProviderId provider = ns_catalog_find_name (name);
  char text[NS_GUID_TEXT_SIZE];
  NsGuid guid;

  if (provider != NS_PROVIDER_UNKNOWN)
    return g_strdup (ns_guid_to_text (ns_catalog_get_guid (provider), text));
  if (ns_guid_from_text (&guid, name) || ns_schema_builtin_find_name (name, &guid))
    return g_strdup (ns_guid_to_text (&guid, text));
  return g_strdup (name);
}

static gboolean
parse_one (const char *text, NsRecipeProvider *provider, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", -1);
  guint n_parts = g_strv_length (parts);
  guint64 level = DEFAULT_LEVEL;

  provider->keywords = ALL_KEYWORDS;
  if (n_parts == 0 || n_parts > 3 || !is_name (g_strstrip (parts[0])))
    return refuse (error, _ ("a provider is NAME[:KEYWORDS[:LEVEL]]"), text);
  if (n_parts > 1 && *parts[1] != '\0' && !parse_keywords (parts[1], &provider->keywords))
    return refuse (error, _ ("keywords are a number such as 0x10"), text);
  if (n_parts > 2 && !g_ascii_string_to_unsigned (parts[2], 10, 0, MAX_LEVEL, &level, NULL))
    return refuse (error, _ ("a level is a number up to 255"), text);
  provider->level = (guint) level;
  provider->name = dup_guid (parts[0]);
  return TRUE;
}

/**
 * ns_export_recipe_parse:
 * @text: `NAME[:KEYWORDS[:LEVEL]]`, several with commas between
 * @error: %NS_TRACE_ERROR_QUERY: that is none
 *
 * Without keywords and level, all a provider has is recorded.
 *
 * Returns: (transfer full) (nullable) (element-type NsRecipeProvider): the providers
 */
GArray *
ns_export_recipe_parse (const char *text, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text, ",", NS_EXPORT_RECIPE_MAX_PROVIDERS + 1);
  g_autoptr (GArray) providers = g_array_new (FALSE, FALSE, sizeof (NsRecipeProvider));
  guint i;

  g_array_set_clear_func (providers, provider_clear);
  if (g_strv_length (words) > NS_EXPORT_RECIPE_MAX_PROVIDERS)
    {
      refuse (error, _ ("too many providers"), words[0]);
      return NULL;
    }
  for (i = 0; words[i] != NULL; i++)
    {
      NsRecipeProvider provider = { 0 };

      if (!parse_one (words[i], &provider, error))
        return NULL;
      g_array_append_val (providers, provider);
    }
  if (providers->len == 0)
    {
      refuse (error, _ ("a provider is NAME[:KEYWORDS[:LEVEL]]"), text);
      return NULL;
    }
  return g_steal_pointer (&providers);
}

/* Which of the words it is; otherwise @all are all of them. */
static gboolean
find_word (const char *text, const char *const *words, guint n_words, guint *found, char **all)
{
  g_autoptr (GString) begin = NULL;
  guint i;

  for (i = 0; i < n_words; i++)
    if (g_ascii_strcasecmp (text, words[i]) == 0)
      {
        *found = i;
        return TRUE;
      }
  begin = g_string_new (words[0]);
  for (i = 1; i + 1 < n_words; i++)
    g_string_append_printf (begin, ", %s", words[i]);
  *all = g_strdup_printf (_ ("%s and %s"), begin->str, words[n_words - 1]);
  return FALSE;
}

/**
 * ns_export_recipe_get_layer_name:
 * @layer: a layer
 *
 * Returns: (transfer none): its name on the command line
 */
const char *
ns_export_recipe_get_layer_name (NsRecipeLayer layer)
{
  g_return_val_if_fail (layer < NS_RECIPE_N_LAYERS, NULL);
  return layers[layer];
}

/**
 * ns_export_recipe_parse_layers:
 * @text: `http,names` and the like; `all`
 * @layers_out: (out): bits of %NS_RECIPE_LAYER
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Returns: %FALSE if there is no such layer
 */
gboolean
ns_export_recipe_parse_layers (const char *text, guint *layers_out, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  guint i;

  *layers_out = 0;
  for (i = 0; words[i] != NULL; i++)
    {
      const char *word = g_strstrip (words[i]);
      g_autofree char *all = NULL;
      guint layer;

      if (strcmp (word, "all") == 0)
        {
          *layers_out |= NS_RECIPE_LAYER (NS_RECIPE_N_LAYERS) - 1;
          continue;
        }
      if (!find_word (word, layers, NS_RECIPE_N_LAYERS, &layer, &all))
        {
          g_set_error (error,
                       NS_TRACE_ERROR,
                       NS_TRACE_ERROR_QUERY,
                       _ ("layers (or all of them: all) are %s: “%s”"),
                       all,
                       word);
          return FALSE;
        }
      *layers_out |= NS_RECIPE_LAYER (layer);
    }
  return TRUE;
}

/**
 * ns_export_recipe_parse_form:
 * @text: `wprp`, `classic`, `netsh`, `logman`, `pktmon` or `kit`
 * @form: (out): the form
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Returns: %FALSE if there is no such form
 */
gboolean
ns_export_recipe_parse_form (const char *text, NsRecipeForm *form, GError **error)
{
  g_autofree char *all = NULL;
  guint found;

  if (!find_word (text, forms, NS_RECIPE_N_FORMS, &found, &all))
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_QUERY,
                   _ ("forms of a recipe are %s: “%s”"),
                   all,
                   text);
      return FALSE;
    }
  *form = (NsRecipeForm) found;
  return TRUE;
}

/**
 * ns_export_recipe_parse_detail:
 * @text: `light`, `default` or `verbose`
 * @detail: (out): how much is recorded
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Returns: %FALSE if there is no such detail
 */
gboolean
ns_export_recipe_parse_detail (const char *text, NsRecipeDetail *detail, GError **error)
{
  g_autofree char *all = NULL;
  guint found;

  if (!find_word (text, details, NS_RECIPE_N_DETAILS, &found, &all))
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_QUERY,
                   _ ("details are %s: “%s”"),
                   all,
                   text);
      return FALSE;
    }
  *detail = (NsRecipeDetail) found;
  return TRUE;
}

/**
 * ns_export_recipe_check_scenario:
 * @text: a scenario of `netsh trace`
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Returns: %FALSE if there is no such scenario
 */
gboolean
ns_export_recipe_check_scenario (const char *text, GError **error)
{
  g_autofree char *all = NULL;
  guint found;

  if (find_word (text, scenarios, G_N_ELEMENTS (scenarios) - 1, &found, &all))
    return TRUE;
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_QUERY,
               _ ("scenarios of netsh are %s: “%s”"),
               all,
               text);
  return FALSE;
}

/**
 * ns_export_recipe_get_form_name:
 * @form: a form
 *
 * Returns: (transfer none): its name on the command line
 */
const char *
ns_export_recipe_get_form_name (NsRecipeForm form)
{
  g_return_val_if_fail (form < NS_RECIPE_N_FORMS, NULL);
  return forms[form];
}

/**
 * ns_export_recipe_get_detail_name:
 * @detail: how much is recorded
 *
 * Returns: (transfer none): its name on the command line
 */
const char *
ns_export_recipe_get_detail_name (NsRecipeDetail detail)
{
  g_return_val_if_fail (detail < NS_RECIPE_N_DETAILS, NULL);
  return details[detail];
}

/**
 * ns_export_recipe_get_scenarios:
 *
 * Returns: (transfer none): the names of netsh's scenarios, and %NULL
 */
const char *const *
ns_export_recipe_get_scenarios (void)
{
  return scenarios;
}

/**
 * ns_export_recipe_get_layers:
 * @form: a form
 * @detail: how much is recorded
 *
 * Returns: bits of %NS_RECIPE_LAYER: what is recorded of whoever names no layers
 */
guint
ns_export_recipe_get_layers (NsRecipeForm form, NsRecipeDetail detail)
{
  return detail == NS_RECIPE_LIGHT || form == NS_RECIPE_CLASSIC ? NS_RECIPE_LIGHT_LAYERS
                                                                : NS_RECIPE_DEFAULT_LAYERS;
}

/* What the form cannot do is refused, and not left out in silence. */
static gboolean
check_options (const NsRecipeOptions *options, NsRecipeForm form, GError **error)
{
  gboolean is_command = form != NS_RECIPE_WPRP && form != NS_RECIPE_CLASSIC;

  if (form == NS_RECIPE_KIT)
    g_set_error (error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_QUERY,
                 _ ("a kit is an archive, and no text"));
  else if (options->layers == 0 && (options->more == NULL || *options->more == '\0'))
    g_set_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY, _ ("there is no provider to record"));
  else if (options->has_no_headers && form != NS_RECIPE_WPRP &&
           (options->layers & NS_RECIPE_LAYER (NS_RECIPE_HTTP)) != 0)
    g_set_error (error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_QUERY,
                 _ ("only a profile (wprp) can leave headers out: %s chooses no single events"),
                 forms[form]);
  else if (options->packet_bytes > 0 && form != NS_RECIPE_NETSH && form != NS_RECIPE_PKTMON)
    g_set_error (error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_QUERY,
                 _ ("packets are recorded by netsh and pktmon, not by %s"),
                 forms[form]);
  else if (options->packet_bytes > MAX_PACKET_BYTES)
    g_set_error (error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_QUERY,
                 _ ("a packet has at most %d bytes: %u"),
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
                 forms[form]);
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
 * @options: what is to be recorded
 * @form: as what
 * @text: where it goes
 * @error: %NS_TRACE_ERROR_QUERY: there is nothing to record, or the form cannot record it
 *
 * Writes a profile, or command lines, one a line.
 *
 * Returns: %FALSE if it cannot be recorded so; nothing is written then
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
