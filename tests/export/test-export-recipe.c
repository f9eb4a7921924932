/* Claims about recording profiles.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-recipe.h"

#include <string.h>

static char *
recipe_of (const NsRecipeOptions *options, NsRecipeForm form)
{
  g_autoptr (GError) error = NULL;
  GString *text = g_string_new (NULL);

  g_assert_true (ns_export_recipe_append (options, form, text, &error));
  g_assert_no_error (error);
  return g_string_free (text, FALSE);
}

static char *
recipe (const char *providers)
{
  const NsRecipeOptions options = { .more = providers, .has_stacks = TRUE };

  return recipe_of (&options, NS_RECIPE_WPRP);
}

static void
assert_has (const char *text, const char *part)
{
  if (strstr (text, part) == NULL)
    g_error ("%s\nhas no %s", text, part);
}

static void
test_a_provider_has_its_keywords_and_level (void)
{
  g_autofree char *text = recipe ("Microsoft-Windows-Kernel-Network:0x10:5");

  assert_has (text,
              "    <EventProvider Id=\"Provider1\" Name=\"Microsoft-Windows-Kernel-Network\" "
              "Level=\"5\" Stack=\"true\">\n"
              "      <Keywords>\n"
              "        <Keyword Value=\"0x10\"/>\n"
              "      </Keywords>\n"
              "    </EventProvider>\n");
  assert_has (text, "<EventProviderId Value=\"Provider1\"/>");
  assert_has (text, "<Profile Id=\"Netstitch.Verbose.File\" Name=\"Netstitch\"");
  g_assert_null (strstr (text, "Provider2"));
}

static void
test_what_is_not_said_is_everything (void)
{
  g_autofree char *text =
      recipe ("{2f07e2ee-15db-40f1-90ef-9d7ba282188a}, Microsoft-Windows-WebIO:-1:4,A::3,B:16");

  assert_has (text, "Name=\"{2f07e2ee-15db-40f1-90ef-9d7ba282188a}\" Level=\"5\"");
  assert_has (text, "Name=\"Microsoft-Windows-WebIO\" Level=\"4\"");
  assert_has (text, "Name=\"A\" Level=\"3\"");
  assert_has (text, "Name=\"B\" Level=\"5\"");
  assert_has (text, "<Keyword Value=\"0xffffffffffffffff\"/>");
  assert_has (text, "<EventProviderId Value=\"Provider4\"/>");
}

static void
test_what_is_no_provider_is_refused (void)
{
  static const char *const wrong[] = { "",         ":0x10", "A:zz", "A:0x10:500", "A:0x10:5:6",
                                       "A\"><B/>", "A,,B",  "A:0x", "A:-2" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (ns_export_recipe_parse (wrong[i], &error));
      g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
    }
}

static void
test_the_default_records_what_tables_need (void)
{
  const NsRecipeOptions options = { .layers = NS_RECIPE_DEFAULT_LAYERS, .has_stacks = TRUE };
  g_autofree char *text = recipe_of (&options, NS_RECIPE_WPRP);

  assert_has (text, "Name=\"Microsoft-Windows-TCPIP\"");
  assert_has (text, "Name=\"Microsoft-Windows-DNS-Client\"");
  assert_has (text, "<Stack Value=\"ThreadPoolCallbackEnqueue\"/>");
  g_assert_null (strstr (text, "CSwitch"));
}

static void
test_layers_and_stacks_can_be_chosen (void)
{
  NsRecipeOptions options = { .level = 4, .more = "My-Provider:0x10:5" };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_assert_true (ns_export_recipe_parse_layers ("names, processor", &options.layers, &error));
  text = recipe_of (&options, NS_RECIPE_WPRP);
  assert_has (text, "Name=\"Microsoft-Windows-DNS-Client\" Level=\"4\">");
  assert_has (text, "Name=\"My-Provider\" Level=\"5\">");
  assert_has (text, "<Keyword Value=\"CSwitch\"/>");
  g_assert_null (strstr (text, "Stack"));
  g_assert_null (strstr (text, "TCPIP"));
  g_assert_false (ns_export_recipe_parse_layers ("names,nonsense", &options.layers, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
}

static void
test_nothing_is_no_recipe (void)
{
  const NsRecipeOptions options = { .has_stacks = TRUE, .more = "" };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (ns_export_recipe_append (&options, NS_RECIPE_WPRP, text, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
  g_assert_cmpuint (text->len, ==, 0);
}

static void
test_commands_record_the_same (void)
{
  const NsRecipeOptions options = { .more = "A:0x10:5,{B}" };
  g_autofree char *netsh = recipe_of (&options, NS_RECIPE_NETSH);
  g_autofree char *logman = recipe_of (&options, NS_RECIPE_LOGMAN);

  g_assert_cmpstr (netsh,
                   ==,
                   "netsh trace start report=no maxsize=0 tracefile=C:\\netstitch.etl "
                   "provider=\"A\" keywords=0x10 level=5 "
                   "provider=\"{B}\" keywords=0xffffffffffffffff level=5\n"
                   "netsh trace stop\n");
  g_assert_cmpstr (logman,
                   ==,
                   "logman create trace netstitch -p \"A\" 0x10 5 -o C:\\netstitch.etl "
                   "-bs 1024 -nb 64 256 -ets\n"
                   "logman update trace netstitch -p \"{B}\" 0xffffffffffffffff 5 -ets\n"
                   "logman stop netstitch -ets\n");
}

/* Whatever is ticked, the profile is one tree and names each provider once it has. */
static void
test_every_choice_is_a_whole_profile (void)
{
  static const GMarkupParser nothing = { NULL, NULL, NULL, NULL, NULL };
  guint mask;

  for (mask = 1; mask < 1u << NS_RECIPE_N_LAYERS; mask += 7)
    {
      const NsRecipeOptions options = { .layers = mask,
                                        .has_stacks = mask % 2 == 0,
                                        .more = "More-Provider" };
      g_autofree char *text = recipe_of (&options, NS_RECIPE_WPRP);
      g_autoptr (GMarkupParseContext) context =
          g_markup_parse_context_new (&nothing, (GMarkupParseFlags) 0, NULL, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (GArray) providers = ns_export_recipe_list (&options, NULL);
      g_autofree char *last =
          g_strdup_printf ("<EventProviderId Value=\"Provider%u\"/>", providers->len);

      g_markup_parse_context_parse (context, text, -1, &error);
      g_assert_no_error (error);
      g_markup_parse_context_end_parse (context, &error);
      g_assert_no_error (error);
      assert_has (text, last);
    }
}

static void
test_providers_are_so_many_only (void)
{
  guint n;

  for (n = NS_EXPORT_RECIPE_MAX_PROVIDERS; n <= NS_EXPORT_RECIPE_MAX_PROVIDERS + 1; n++)
    {
      g_autoptr (GString) words = g_string_new ("P0");
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (GError) error = NULL;
      NsRecipeOptions options = { .has_stacks = TRUE };
      gboolean is_made;
      guint i;

      for (i = 1; i < n; i++)
        g_string_append_printf (words, ",P%u", i);
      options.more = words->str;
      is_made = ns_export_recipe_append (&options, NS_RECIPE_WPRP, text, &error);
      g_assert_cmpint (is_made, ==, n <= NS_EXPORT_RECIPE_MAX_PROVIDERS);
      if (!is_made)
        assert_has (error->message, "too many providers");
    }
}

static const NsRecipeProvider *
find_provider (const GArray *providers, const char *name)
{
  guint i;

  for (i = 0; i < providers->len; i++)
    if (strcmp (g_array_index (providers, NsRecipeProvider, i).name, name) == 0)
      return &g_array_index (providers, NsRecipeProvider, i);
  g_assert_not_reached ();
}

/* Levels and keywords of the events are those of the manifests of Windows 10 and 11. */
static void
test_secrets_are_asked_for_by_name (void)
{
  const guint64 cookies = 0x40;                                   /* WinINet 501 to 507 */
  const guint64 credentials = G_GUINT64_CONSTANT (0x20000000001); /* WinHttp 100 */
  NsRecipeOptions options = { .layers = NS_RECIPE_LAYER (NS_RECIPE_N_LAYERS) - 1 };
  guint level;

  for (level = 0; level <= 5; level++)
    {
      g_autoptr (GArray) providers = NULL;

      options.level = level;
      options.has_content = FALSE;
      providers = ns_export_recipe_list (&options, NULL);
      /* Bodies are of level 5. */
      g_assert_cmpuint (find_provider (providers, "Microsoft-Windows-WebIO")->level, <, 5);
      g_assert_cmpuint (find_provider (providers, "Microsoft-Windows-WinINet")->keywords & cookies,
                        ==,
                        0);
      g_assert_cmpuint (find_provider (providers, "Microsoft-Windows-WinHttp")->keywords &
                            credentials,
                        ==,
                        0);
      g_assert_cmpuint (find_provider (providers, "Microsoft-Windows-WinHttp")->keywords, !=, 0);
    }
  {
    g_autoptr (GArray) providers = NULL;

    options.level = 0;
    options.has_content = TRUE;
    providers = ns_export_recipe_list (&options, NULL);
    g_assert_cmpuint (find_provider (providers, "Microsoft-Windows-WebIO")->level, ==, 5);
  }
}

static void
test_a_profile_records_to_file_and_to_memory (void)
{
  NsRecipeOptions options = { .layers = NS_RECIPE_DEFAULT_LAYERS };
  g_autoptr (GString) text = g_string_new (NULL);

  g_assert_true (ns_export_recipe_append (&options, NS_RECIPE_WPRP, text, NULL));
  g_assert_nonnull (strstr (text->str, "LoggingMode=\"File\""));
  g_assert_nonnull (strstr (text->str, "LoggingMode=\"Memory\""));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recipe/secrets-are-asked-for-by-name", test_secrets_are_asked_for_by_name);
  g_test_add_func ("/recipe/a-profile-records-to-file-and-to-memory",
                   test_a_profile_records_to_file_and_to_memory);
  g_test_add_func ("/recipe/a-provider-has-its-keywords-and-level",
                   test_a_provider_has_its_keywords_and_level);
  g_test_add_func ("/recipe/what-is-not-said-is-everything", test_what_is_not_said_is_everything);
  g_test_add_func ("/recipe/what-is-no-provider-is-refused", test_what_is_no_provider_is_refused);
  g_test_add_func ("/recipe/the-default-records-what-tables-need",
                   test_the_default_records_what_tables_need);
  g_test_add_func ("/recipe/layers-and-stacks-can-be-chosen", test_layers_and_stacks_can_be_chosen);
  g_test_add_func ("/recipe/nothing-is-no-recipe", test_nothing_is_no_recipe);
  g_test_add_func ("/recipe/commands-record-the-same", test_commands_record_the_same);
  g_test_add_func ("/recipe/every-choice-is-a-whole-profile", test_every_choice_is_a_whole_profile);
  g_test_add_func ("/recipe/providers-are-so-many-only", test_providers_are_so_many_only);
  return g_test_run ();
}
