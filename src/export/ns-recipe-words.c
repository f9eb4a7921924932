/* Texts about a recording profile: command-line options, limitations, and the equivalent command.
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

/* Questions that a recording without a layer cannot answer. */
static const char *const answers[NS_RECIPE_N_LAYERS] = {
  [NS_RECIPE_HTTP] = N_ ("requests made"),
  [NS_RECIPE_SOCKETS] = N_ ("processes that opened sockets and waited for them"),
  [NS_RECIPE_CONNECTIONS] = N_ ("causes of slow, lost or refused connections"),
  [NS_RECIPE_NAMES] = N_ ("name resolution"),
  [NS_RECIPE_LDAP] = N_ ("directory searches"),
  [NS_RECIPE_COUNTERS] = N_ ("kernel traffic counters"),
  [NS_RECIPE_TLS] = N_ ("Schannel errors of failed handshakes"),
  [NS_RECIPE_QUIC] = N_ ("HTTP/3 activity"),
  [NS_RECIPE_BROWSERS] = N_ ("Chrome and Edge activity"),
  [NS_RECIPE_OFFICE] = N_ ("origin of queued work in Office"),
  [NS_RECIPE_ENVIRONMENT] = N_ ("network connectivity of the machine"),
  [NS_RECIPE_SERVER] = N_ ("requests served by the machine"),
  [NS_RECIPE_FILES] = N_ ("access to shared files and remote procedures"),
  [NS_RECIPE_DOTNET] = N_ ("requests and queued work of .NET programs"),
  [NS_RECIPE_PROCESSOR] = N_ ("thread activity"),
};

/**
 * ns_export_recipe_form_has:
 * @form: a form
 * @choice: a choice
 *
 * Returns: whether the format supports the choice; otherwise it has no effect
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
 * @options: (inout): chosen options
 * @form: a format
 *
 * Resets choices that the format does not support, which ns_export_recipe_append() would reject.
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

/* Appends the questions that need headers and contents of requests. */
static void
append_request_answers (GString *text, const NsRecipeOptions *options)
{
  if ((options->layers & NS_RECIPE_LAYER (NS_RECIPE_HTTP)) == 0)
    return;
  if (options->has_no_headers)
    append_answer (text, _ ("contents of headers"));
  if (!options->has_content)
    append_answer (text, _ ("contents of bodies"));
}

/**
 * ns_export_recipe_dup_lacks:
 * @options: what to record
 * @form: the format
 *
 * Returns: (transfer full): translated text with the questions that such a recording cannot answer,
 *   separated by semicolons; may be empty
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
    append_answer (text, _ ("responsible code"));
  append_request_answers (text, &fit);
  if (fit.packet_bytes == 0 && form != NS_RECIPE_PKTMON)
    append_answer (text, _ ("contents of packets"));
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
 * @options: what to record
 * @form: the format
 *
 * Returns: (transfer full): the equivalent shell command
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

/* Names of layers, details and formats on the command line. */
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

/* Parses decimal numbers, or hexadecimal ones after 0x; -1 means all keywords. */
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

/* Converts the name of a known provider to its GUID. Windows accepts a name only if the provider
 * is registered; a GUID always works. */
static char *
dup_guid (const char *name)
{
  NsProviderId provider = ns_catalog_find_name (name);
  g_autoptr (NsSchemaData) builtin = NULL;
  char text[NS_GUID_TEXT_SIZE];
  NsGuid guid;

  if (provider != NS_PROVIDER_UNKNOWN)
    return g_strdup (ns_guid_to_text (ns_catalog_get_guid (provider), text));
  if (ns_guid_from_text (&guid, name))
    return g_strdup (ns_guid_to_text (&guid, text));
  builtin = ns_schema_builtin_new ();
  if (ns_schema_builtin_find_name (builtin, name, &guid))
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
    return refuse (error, _ ("the format of a provider is NAME[:KEYWORDS[:LEVEL]]"), text);
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
 * @text: `NAME[:KEYWORDS[:LEVEL]]`, several separated by commas
 * @error: %NS_TRACE_ERROR_QUERY if it is malformed
 *
 * Without keywords and level, all events of a provider are recorded.
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
      refuse (error, _ ("the format of a provider is NAME[:KEYWORDS[:LEVEL]]"), text);
      return NULL;
    }
  return g_steal_pointer (&providers);
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

static const char *const details[NS_RECIPE_N_DETAILS] = {
  [NS_RECIPE_DEFAULT] = "default",
  [NS_RECIPE_LIGHT] = "light",
  [NS_RECIPE_VERBOSE] = "verbose",
};

static const char *const forms[NS_RECIPE_N_FORMS] = {
  [NS_RECIPE_WPRP] = "wprp",     [NS_RECIPE_CLASSIC] = "classic", [NS_RECIPE_NETSH] = "netsh",
  [NS_RECIPE_LOGMAN] = "logman", [NS_RECIPE_PKTMON] = "pktmon",   [NS_RECIPE_KIT] = "kit",
};

/* Scenarios of `netsh trace show scenarios` in Windows 7 to 11. */
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

/* Finds a word in a list; if it is missing, @all gets all words. */
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
 * ns_export_recipe_parse_layers:
 * @text: `http,names` and so on; `all`
 * @layers_out: (out): bits of %NS_RECIPE_LAYER
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Returns: %FALSE if a layer is unknown
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
                       _ ("available layers (all for all of them): %s; not “%s”"),
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
 * @form: (out): the format
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Returns: %FALSE if the format is unknown
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
                   _ ("available recipe formats: %s; not “%s”"),
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
 * @detail: (out): the level of detail
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Returns: %FALSE if it is unknown
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
                   _ ("available details: %s; not “%s”"),
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
               _ ("available netsh scenarios: %s; not “%s”"),
               all,
               text);
  return FALSE;
}

/**
 * ns_export_recipe_get_form_name:
 * @form: a format
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
 * @detail: a level of detail
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
 * Returns: (transfer none): the netsh scenarios, NULL-terminated
 */
const char *const *
ns_export_recipe_get_scenarios (void)
{
  return scenarios;
}

/**
 * ns_export_recipe_get_layers:
 * @form: a format
 * @detail: a level of detail
 *
 * Returns: bits of %NS_RECIPE_LAYER: the default layers
 */
guint
ns_export_recipe_get_layers (NsRecipeForm form, NsRecipeDetail detail)
{
  return detail == NS_RECIPE_LIGHT || form == NS_RECIPE_CLASSIC ? NS_RECIPE_LIGHT_LAYERS
                                                                : NS_RECIPE_DEFAULT_LAYERS;
}
