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
#define BUFFER_KB 1024
#define N_BUFFERS 256

/* What the tables of requests, sockets, connections and names stand on. */
static const char *const default_providers =
    "Microsoft-Windows-TCPIP,Microsoft-Windows-Winsock-AFD,Microsoft-Windows-WebIO,"
    "Microsoft-Windows-WinHttp,Microsoft-Windows-WinINet,Microsoft-Windows-DNS-Client,"
    "Microsoft-Windows-LDAP-Client,Microsoft-Windows-Kernel-Network:0x30";

/* Processes, threads and modules, without which rows and stacks have no names; who queued what is
 * told by stacks. */
static const char *const system_keywords[] = { "ProcessThread", "Loader" };
static const char *const system_stacks[] = { "ThreadCreate", "ThreadPoolCallbackEnqueue" };

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
 * ns_export_recipe_new_default:
 *
 * Returns: (transfer full) (element-type NsRecipeProvider): what all tables need
 */
GArray *
ns_export_recipe_new_default (void)
{
  return ns_export_recipe_parse (default_providers, NULL);
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
append_provider (GString *text, const NsRecipeProvider *provider, guint number)
{
  g_autofree char *name = g_markup_escape_text (provider->name, -1);

  g_string_append_printf (text,
                          "    <EventProvider Id=\"Provider%u\" Name=\"%s\" Level=\"%u\" "
                          "Stack=\"true\">\n"
                          "      <Keywords>\n"
                          "        <Keyword Value=\"0x%" G_GINT64_MODIFIER "x\"/>\n"
                          "      </Keywords>\n"
                          "    </EventProvider>\n",
                          number,
                          name,
                          provider->level,
                          provider->keywords);
}

/**
 * ns_export_recipe_append:
 * @providers: (element-type NsRecipeProvider): what is to be recorded, with stacks
 * @text: where it goes
 *
 * Writes a profile for `wpr -start FILE`; processes, threads and modules are recorded besides.
 */
void
ns_export_recipe_append (const GArray *providers, GString *text)
{
  guint i;

  g_string_append (text,
                   "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
                   "<WindowsPerformanceRecorder Version=\"1.0\" Author=\"Netstitch\">\n"
                   "  <Profiles>\n");
  append_collectors (text);
  g_string_append (text, "    <SystemProvider Id=\"SystemProvider\">\n");
  append_list (text, "Keywords", "Keyword", system_keywords, G_N_ELEMENTS (system_keywords));
  append_list (text, "Stacks", "Stack", system_stacks, G_N_ELEMENTS (system_stacks));
  g_string_append (text, "    </SystemProvider>\n");
  for (i = 0; i < providers->len; i++)
    append_provider (text, &g_array_index (providers, NsRecipeProvider, i), i + 1);
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
                   "  </Profiles>\n"
                   "</WindowsPerformanceRecorder>\n");
}
