/* Recording profiles: what Windows Performance Recorder has to be told to record providers.
 *
 * The form is that of the recorder's own profiles, whose schema comes with it: collectors first,
 * then providers, then the profile that names both.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-recipe.h"

#include <string.h>

#define ALL_KEYWORDS G_MAXUINT64
#define DEFAULT_LEVEL 5
#define MAX_LEVEL 255
/* The provider whose level 5 is what requests and answers hold. */
#define WITH_CONTENT "Microsoft-Windows-WebIO"
#define BUFFER_KB 1024
#define N_BUFFERS 256

/* The names of the layers on the command line, and what each records. The tables of requests,
 * sockets, connections and names stand on them. */
static const struct
{
  const char *name;
  const char *providers;
} layers[NS_RECIPE_N_LAYERS] = {
  /* Not what holds secrets: bodies (WebIO 111, 122, 129, 709, 726, all of level 5), user names and
   * passwords (WinHttp 100, of another keyword), cookies (WinINet 501 to 507, keyword 0x40); by the
   * manifests of Windows 10 and 11. */
  [NS_RECIPE_HTTP] = { "http",
                       "Microsoft-Windows-WebIO:-1:4,Microsoft-Windows-WinHttp:0x20:5,"
                       "Microsoft-Windows-WinINet:0xbf:4" },
  [NS_RECIPE_SOCKETS] = { "sockets", "Microsoft-Windows-Winsock-AFD" },
  [NS_RECIPE_CONNECTIONS] = { "connections", "Microsoft-Windows-TCPIP" },
  [NS_RECIPE_NAMES] = { "names",
                        "Microsoft-Windows-DNS-Client,Microsoft-Windows-Winsock-NameResolution" },
  [NS_RECIPE_LDAP] = { "ldap", "Microsoft-Windows-LDAP-Client" },
  [NS_RECIPE_COUNTERS] = { "counters", "Microsoft-Windows-Kernel-Network:0x30" },
  /* Chrome and Edge; the keyword is that of their network log. */
  [NS_RECIPE_BROWSERS] = { "browsers",
                           "{d2d578d9-2936-45b6-a09f-30e32715f42d}:0x80,"
                           "{3a5f2396-5c8f-4f1f-9b67-6cca6c990e61}:0x80" },
  /* Its thread pool, dispatch queue and idle queue. */
  [NS_RECIPE_OFFICE] = { "office",
                         "{a019725f-cff1-47e8-8c9e-8fe2635b6388},"
                         "{559a5658-8100-4d84-b756-0a47a476280c},"
                         "{8736922d-e8b2-47eb-8564-23e77e728cf3}" },
  [NS_RECIPE_PROCESSOR] = { "processor", NULL },
};

static const char *const forms[NS_RECIPE_N_FORMS] = {
  [NS_RECIPE_WPRP] = "wprp",
  [NS_RECIPE_NETSH] = "netsh",
  [NS_RECIPE_LOGMAN] = "logman",
};

/* Processes, threads and modules, without which rows and stacks have no names; who queued what is
 * told by stacks. */
static const char *const system_keywords[] = { "ProcessThread", "Loader" };
static const char *const system_stacks[] = { "ThreadCreate", "ThreadPoolCallbackEnqueue" };
static const char *const processor_keywords[] = { "ProcessThread",
                                                  "Loader",
                                                  "CSwitch",
                                                  "ReadyThread",
                                                  "SampledProfile" };
static const char *const processor_stacks[] = { "ThreadCreate",
                                                "ThreadPoolCallbackEnqueue",
                                                "CSwitch",
                                                "ReadyThread",
                                                "SampledProfile" };

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

static guint
count_providers (const char *text)
{
  guint n = 1;

  for (; *text != '\0'; text++)
    n += *text == ',';
  return n;
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

static gboolean
parse_one (const char *text, NsRecipeProvider *provider, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", -1);
  guint n_parts = g_strv_length (parts);
  guint64 level = DEFAULT_LEVEL;

  provider->keywords = ALL_KEYWORDS;
  if (n_parts == 0 || n_parts > 3 || !is_name (g_strstrip (parts[0])))
    return refuse (error, "a provider is NAME[:KEYWORDS[:LEVEL]]", text);
  if (n_parts > 1 && *parts[1] != '\0' && !parse_keywords (parts[1], &provider->keywords))
    return refuse (error, "keywords are a number such as 0x10", text);
  if (n_parts > 2 && !g_ascii_string_to_unsigned (parts[2], 10, 0, MAX_LEVEL, &level, NULL))
    return refuse (error, "a level is a number up to 255", text);
  provider->level = (guint) level;
  provider->name = g_strdup (parts[0]);
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
      refuse (error, "too many providers", words[0]);
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
      refuse (error, "a provider is NAME[:KEYWORDS[:LEVEL]]", text);
      return NULL;
    }
  return g_steal_pointer (&providers);
}

/**
 * ns_export_recipe_list:
 * @options: what is to be recorded
 * @error: %NS_TRACE_ERROR_QUERY: there is nothing to record, or what is to be besides is no
 * provider
 *
 * Returns: (transfer full) (nullable) (element-type NsRecipeProvider): its providers
 */
GArray *
ns_export_recipe_list (const NsRecipeOptions *options, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GArray *providers;
  guint n_of_layers;
  guint i;

  for (i = 0; i < NS_RECIPE_N_LAYERS; i++)
    if ((options->layers & NS_RECIPE_LAYER (i)) != 0 && layers[i].providers != NULL)
      g_string_append_printf (text, "%s%s", text->len > 0 ? "," : "", layers[i].providers);
  n_of_layers = text->len > 0 ? count_providers (text->str) : 0;
  if (options->more != NULL && *options->more != '\0')
    g_string_append_printf (text, "%s%s", text->len > 0 ? "," : "", options->more);
  if (text->len == 0)
    {
      g_set_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY, "there is no provider to record");
      return NULL;
    }
  providers = ns_export_recipe_parse (text->str, error);
  for (i = 0; providers != NULL && i < n_of_layers; i++)
    {
      NsRecipeProvider *provider = &g_array_index (providers, NsRecipeProvider, i);

      if (options->has_content && strcmp (provider->name, WITH_CONTENT) == 0)
        provider->level = DEFAULT_LEVEL;
      if (options->level > 0)
        provider->level = MIN (provider->level, options->level);
    }
  return providers;
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
  guint j;

  *layers_out = 0;
  for (i = 0; words[i] != NULL; i++)
    {
      const char *word = g_strstrip (words[i]);

      if (strcmp (word, "all") == 0)
        {
          *layers_out |= NS_RECIPE_LAYER (NS_RECIPE_N_LAYERS) - 1;
          continue;
        }
      for (j = 0; j < NS_RECIPE_N_LAYERS && strcmp (word, layers[j].name) != 0; j++)
        ;
      if (j == NS_RECIPE_N_LAYERS)
        return refuse (error,
                       "layers are http, sockets, connections, names, ldap, counters, browsers, "
                       "office, processor and all",
                       word);
      *layers_out |= NS_RECIPE_LAYER (j);
    }
  return TRUE;
}

/**
 * ns_export_recipe_parse_form:
 * @text: `wprp`, `netsh` or `logman`
 * @form: (out): the form
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Returns: %FALSE if there is no such form
 */
gboolean
ns_export_recipe_parse_form (const char *text, NsRecipeForm *form, GError **error)
{
  guint i;

  for (i = 0; i < NS_RECIPE_N_FORMS; i++)
    if (strcmp (text, forms[i]) == 0)
      {
        *form = (NsRecipeForm) i;
        return TRUE;
      }
  return refuse (error, "a recipe is wprp, netsh or logman", text);
}

static void
append_list (GString *text, const char *list, const char *item, const char *const *values, guint n)
{
  guint i;

  g_string_append_printf (text, "      <%s>\n", list);
  for (i = 0; i < n; i++)
    g_string_append_printf (text, "        <%s Value=\"%s\"/>\n", item, values[i]);
  g_string_append_printf (text, "      </%s>\n", list);
}

static void
append_collectors (GString *text)
{
  g_string_append_printf (text,
                          "    <SystemCollector Id=\"SystemCollector\" Name=\"NT Kernel Logger\">\n"
                          "      <BufferSize Value=\"%d\"/>\n"
                          "      <Buffers Value=\"%d\"/>\n"
                          "    </SystemCollector>\n"
                          "    <EventCollector Id=\"EventCollector\" Name=\"Netstitch\">\n"
                          "      <BufferSize Value=\"%d\"/>\n"
                          "      <Buffers Value=\"%d\"/>\n"
                          "    </EventCollector>\n",
                          BUFFER_KB,
                          N_BUFFERS,
                          BUFFER_KB,
                          N_BUFFERS);
}

static void
append_provider (GString *text, const NsRecipeProvider *provider, guint number, gboolean has_stack)
{
  g_autofree char *name = g_markup_escape_text (provider->name, -1);

  g_string_append_printf (text,
                          "    <EventProvider Id=\"Provider%u\" Name=\"%s\" Level=\"%u\"%s>\n"
                          "      <Keywords>\n"
                          "        <Keyword Value=\"0x%" G_GINT64_MODIFIER "x\"/>\n"
                          "      </Keywords>\n"
                          "    </EventProvider>\n",
                          number,
                          name,
                          provider->level,
                          has_stack ? " Stack=\"true\"" : "",
                          provider->keywords);
}

/* Processes, threads and modules are recorded whatever else is. */
static void
append_system (GString *text, const NsRecipeOptions *options)
{
  gboolean has_processor = (options->layers & NS_RECIPE_LAYER (NS_RECIPE_PROCESSOR)) != 0;

  g_string_append (text, "    <SystemProvider Id=\"SystemProvider\">\n");
  if (has_processor)
    append_list (text,
                 "Keywords",
                 "Keyword",
                 processor_keywords,
                 G_N_ELEMENTS (processor_keywords));
  else
    append_list (text, "Keywords", "Keyword", system_keywords, G_N_ELEMENTS (system_keywords));
  if (options->has_stacks && has_processor)
    append_list (text, "Stacks", "Stack", processor_stacks, G_N_ELEMENTS (processor_stacks));
  else if (options->has_stacks)
    append_list (text, "Stacks", "Stack", system_stacks, G_N_ELEMENTS (system_stacks));
  g_string_append (text, "    </SystemProvider>\n");
}

/* A profile for `wpr -start FILE`. */
static void
append_profile (const GArray *providers, const NsRecipeOptions *options, GString *text)
{
  guint i;

  g_string_append (text,
                   "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
                   "<WindowsPerformanceRecorder Version=\"1.0\" Author=\"Netstitch\">\n"
                   "  <Profiles>\n");
  append_collectors (text);
  append_system (text, options);
  for (i = 0; i < providers->len; i++)
    append_provider (text,
                     &g_array_index (providers, NsRecipeProvider, i),
                     i + 1,
                     options->has_stacks);
  g_string_append (text,
                   "    <Profile Id=\"Netstitch.Verbose.File\" Name=\"Netstitch\" "
                   "DetailLevel=\"Verbose\" LoggingMode=\"File\" "
                   "Description=\"Network activity for Netstitch\">\n"
                   "      <Collectors>\n"
                   "        <SystemCollectorId Value=\"SystemCollector\">\n"
                   "          <SystemProviderId Value=\"SystemProvider\"/>\n"
                   "        </SystemCollectorId>\n"
                   "        <EventCollectorId Value=\"EventCollector\">\n"
                   "          <EventProviders>\n");
  for (i = 0; i < providers->len; i++)
    g_string_append_printf (text, "            <EventProviderId Value=\"Provider%u\"/>\n", i + 1);
  g_string_append (text,
                   "          </EventProviders>\n"
                   "        </EventCollectorId>\n"
                   "      </Collectors>\n"
                   "    </Profile>\n"
                   /* What `wpr -start` takes without -filemode. */
                   "    <Profile Id=\"Netstitch.Verbose.Memory\" Name=\"Netstitch\" "
                   "Base=\"Netstitch.Verbose.File\" DetailLevel=\"Verbose\" "
                   "LoggingMode=\"Memory\" "
                   "Description=\"Network activity for Netstitch\"/>\n"
                   "  </Profiles>\n"
                   "</WindowsPerformanceRecorder>\n");
}

/**
 * ns_export_recipe_append:
 * @options: what is to be recorded
 * @form: as what
 * @text: where it goes
 * @error: see ns_export_recipe_list()
 *
 * Writes a profile, or command lines, one a line.
 *
 * Returns: %FALSE if there is nothing that could be recorded
 */
gboolean
ns_export_recipe_append (const NsRecipeOptions *options,
                         NsRecipeForm form,
                         GString *text,
                         GError **error)
{
  g_autoptr (GArray) providers = ns_export_recipe_list (options, error);

  if (providers == NULL)
    return FALSE;
  if (form == NS_RECIPE_WPRP)
    append_profile (providers, options, text);
  else
    ns_export_recipe_append_commands (providers, form, text);
  return TRUE;
}
