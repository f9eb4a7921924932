/* Tests recording profiles.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-recipe-kit.h"
#include "export/ns-recipe-table.h"

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

  /* By GUID, because wpr fails at a provider name that is not registered. */
  assert_has (text,
              "    <EventProvider Id=\"EP_more_1\" Name=\"7dd42a49-5329-4832-8dfd-43d979153a88\" "
              "Level=\"5\" Stack=\"true\">\n"
              "      <Keywords><Keyword Value=\"0x10\"/></Keywords>\n"
              "    </EventProvider>\n");
  assert_has (text, "<EventProviderId Value=\"EP_more_1\"/>");
  assert_has (text, "<Profile Id=\"Netstitch.Verbose.File\" Name=\"Netstitch\"");
  g_assert_null (strstr (text, "EP_more_2"));
}

static void
test_what_is_not_said_is_everything (void)
{
  g_autofree char *text =
      recipe ("{2f07e2ee-15db-40f1-90ef-9d7ba282188a}, Microsoft-Windows-WebIO:-1:4,A::3,B:16");

  assert_has (text, "Name=\"2f07e2ee-15db-40f1-90ef-9d7ba282188a\" Level=\"5\"");
  assert_has (text, "Name=\"50b3e73c-9370-461d-bb9f-26f32d68887d\" Level=\"4\"");
  assert_has (text, "Name=\"A\" Level=\"3\"");
  assert_has (text, "Name=\"B\" Level=\"5\"");
  assert_has (text, "<Keyword Value=\"0xffffffffffffffff\"/>");
  assert_has (text, "<EventProviderId Value=\"EP_more_4\"/>");
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

  assert_has (text, "<EventProvider Id=\"EP_connections_tcpip\"");
  assert_has (text, "<EventProvider Id=\"EP_names_dns-client\"");
  assert_has (text, "<EventProvider Id=\"EP_system_thread-pool\"");
  assert_has (text, "<Stack Value=\"ThreadPoolCallbackEnqueue\"/>");
  g_assert_null (strstr (text, "CSwitch"));
}

static void
test_layers_and_stacks_can_be_chosen (void)
{
  NsRecipeOptions options = { .more = "My-Provider:0x10:5" };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_assert_true (ns_export_recipe_parse_layers ("names, processor", &options.layers, &error));
  text = recipe_of (&options, NS_RECIPE_WPRP);
  assert_has (text, "Name=\"1c95126e-7eea-49a9-a3fe-a378b03ddb4d\" Level=\"4\">");
  assert_has (text, "Name=\"My-Provider\" Level=\"5\">");
  assert_has (text, "<Keyword Value=\"CSwitch\"/>");
  g_assert_null (strstr (text, "Stack"));
  g_assert_null (strstr (text, "tcpip"));
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
                   "netsh trace start capture=no report=disabled correlation=disabled "
                   "overwrite=yes filemode=circular maxsize=2048 tracefile=\"C:\\netstitch.etl\" "
                   "provider=\"A\" keywords=0x10 level=5 "
                   "provider=\"{B}\" keywords=0xffffffffffffffff level=5 "
                   "provider=\"{22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716}\" keywords=0x10 level=4\n"
                   "netsh trace stop\n");
  g_assert_cmpstr (logman,
                   ==,
                   "logman start \"NT Kernel Logger\" -p \"Windows Kernel Trace\" "
                   "(process,thread,img) -ct perf -bs 1024 -nb 16 64 -o C:\\netstitch-kernel.etl "
                   "-ets\n"
                   "logman create trace netstitch -p \"A\" 0x10 5 -ct perf -bs 1024 -nb 64 128 "
                   "-o C:\\netstitch.etl -ets\n"
                   "logman update trace netstitch -p \"{B}\" 0xffffffffffffffff 5 -ets\n"
                   "logman stop netstitch -ets\n"
                   "logman stop \"NT Kernel Logger\" -ets\n");
}

/* Every selection gives a well-formed profile that has each provider once. */
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

      g_markup_parse_context_parse (context, text, -1, &error);
      g_assert_no_error (error);
      g_markup_parse_context_end_parse (context, &error);
      g_assert_no_error (error);
      assert_has (text, "<EventProviderId Value=\"EP_more_1\"/>");
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

/* Returns the element of a provider by its ID. */
static char *
dup_element (const char *profile, const char *id)
{
  g_autofree char *begin = g_strdup_printf ("<EventProvider Id=\"%s\"", id);
  const char *from = strstr (profile, begin);

  g_assert_nonnull (from);
  return g_strndup (from, (gsize) (strstr (from, "</EventProvider>") - from));
}

static gboolean
names_id (const char *element, guint id)
{
  g_autofree char *text = g_strdup_printf ("<EventFilters FilterIn=\"");
  g_autofree char *event = g_strdup_printf ("<EventId Value=\"%u\"/>", id);
  const char *from = strstr (element, text);
  const char *found = from == NULL ? NULL : strstr (from, event);

  return found != NULL && found < strstr (from, "</EventFilters>");
}

/* Returns whether the event ID filter of a provider passes an event. */
static gboolean
lets_pass (const char *element, guint id)
{
  if (strstr (element, "<EventFilters FilterIn=\"true\">") != NULL)
    return names_id (element, id);
  return !names_id (element, id);
}

/* By the manifests of Windows 10 and 11, these events contain user names, passwords, cookies and
 * bodies. They are recorded only if selected. */
static void
test_secrets_are_asked_for_by_name (void)
{
  static const guint bodies[] = { 111, 122, 129, 709, 726 };
  static const guint more_bodies[] = { 212, 414, 415, 416, 417 };
  NsRecipeOptions options = { .layers = NS_RECIPE_LAYER (NS_RECIPE_N_LAYERS) - 1 };
  guint detail;
  guint i;

  for (detail = 0; detail < 2 * NS_RECIPE_N_DETAILS; detail++)
    {
      g_autofree char *text = NULL;
      g_autofree char *webio = NULL;
      g_autofree char *winhttp = NULL;
      g_autofree char *wininet = NULL;

      options.detail = (NsRecipeDetail) (detail % NS_RECIPE_N_DETAILS);
      options.has_content = detail >= NS_RECIPE_N_DETAILS;
      text = recipe_of (&options, NS_RECIPE_WPRP);
      webio = dup_element (text, "EP_http_webio");
      winhttp = dup_element (text, "EP_http_winhttp");
      wininet = dup_element (text, "EP_http_wininet");
      g_assert_false (lets_pass (winhttp, 100));
      for (i = 501; i <= 507; i++)
        g_assert_false (lets_pass (wininet, i));
      for (i = 0; i < G_N_ELEMENTS (bodies); i++)
        {
          g_assert_cmpint (lets_pass (webio, bodies[i]), ==, options.has_content);
          g_assert_cmpint (lets_pass (wininet, more_bodies[i]), ==, options.has_content);
        }
      g_assert_true (lets_pass (webio, 59996));
      g_assert_cmpint (strstr (text, "EP_http_wininet-capture") != NULL, ==, options.has_content);
    }
}

/* Without event ID filters, level and keywords exclude them. */
static void
test_commands_keep_secrets_out_by_level (void)
{
  const NsRecipeOptions options = { .layers = NS_RECIPE_LAYER (NS_RECIPE_HTTP) };
  guint form;

  for (form = NS_RECIPE_NETSH; form < NS_RECIPE_KIT; form++)
    {
      g_autofree char *text = recipe_of (&options, (NsRecipeForm) form);
      const char *webio = strstr (text, "{50b3e73c-9370-461d-bb9f-26f32d68887d}");
      const char *winhttp = strstr (text, "{7d44233d-3055-4b9c-ba64-0d47ca40a232}");

      g_assert_nonnull (webio);
      g_assert_nonnull (winhttp);
      g_assert_true (g_str_has_prefix (strstr (webio, "0x"), "0xffffffffffffffff level=4") ||
                     g_str_has_prefix (strstr (webio, "0x"), "0xffffffffffffffff 4") ||
                     g_str_has_prefix (strstr (webio, "0x"), "0xffffffffffffffff -l 4"));
      g_assert_true (g_str_has_prefix (strstr (winhttp, "0x"), "0x20 "));
    }
}

static void
test_headers_are_left_out (void)
{
  NsRecipeOptions options = { .layers = NS_RECIPE_LAYER (NS_RECIPE_HTTP), .has_no_headers = TRUE };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  guint detail;

  for (detail = 0; detail < NS_RECIPE_N_DETAILS; detail++)
    {
      g_autofree char *profile = NULL;
      g_autofree char *webio = NULL;

      options.detail = (NsRecipeDetail) detail;
      profile = recipe_of (&options, NS_RECIPE_WPRP);
      webio = dup_element (profile, "EP_http_webio");
      g_assert_false (lets_pass (webio, 100));
      g_assert_false (lets_pass (webio, 101));
      g_assert_true (lets_pass (webio, 125));
    }
  g_assert_false (ns_export_recipe_append (&options, NS_RECIPE_NETSH, text, &error));
  g_assert_cmpstr (error->message,
                   ==,
                   "only a profile (wprp) can exclude headers: netsh cannot select single events");
}

/* ETW limits the number of IDs in one filter. */
static void
test_filters_have_so_many_ids (void)
{
  NsRecipeOptions options = { .layers = NS_RECIPE_LAYER (NS_RECIPE_N_LAYERS) - 1,
                              .has_stacks = TRUE };
  guint n_rows;
  const NsRecipeRow *rows = ns_recipe_table_get_rows (&n_rows);
  guint i;

  for (options.has_content = FALSE; options.has_content <= 1; options.has_content++)
    for (i = 0; i < n_rows; i++)
      {
        g_autoptr (GArray) ids = ns_recipe_row_list_ids (&rows[i], &options);

        g_test_message ("%s: %u", rows[i].name, ids->len);
        g_assert_cmpuint (ids->len, <=, NS_RECIPE_MAX_IDS);
      }
}

static void
test_what_a_form_cannot_do_is_refused (void)
{
  static const struct
  {
    NsRecipeForm form;
    NsRecipeOptions options;
    const char *says;
  } wrong[] = {
    { NS_RECIPE_WPRP, { .layers = 1, .packet_bytes = 128 }, "packets are recorded by netsh and" },
    { NS_RECIPE_NETSH, { .layers = 1, .packet_bytes = 70000 }, "at most 65535 bytes," },
    { NS_RECIPE_LOGMAN, { .layers = 1, .scenario = "LAN" }, "scenarios are those of netsh" },
    { NS_RECIPE_NETSH, { .layers = 1, .scenario = "Nonsense" }, "AddressAcquisition" },
    { NS_RECIPE_NETSH, { .layers = NS_RECIPE_LAYER (NS_RECIPE_PROCESSOR) }, "only a profile" },
    { NS_RECIPE_CLASSIC, { .layers = 1, .has_content = TRUE }, "records no content" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (GError) error = NULL;

      g_assert_false (ns_export_recipe_append (&wrong[i].options, wrong[i].form, text, &error));
      assert_has (error->message, wrong[i].says);
      g_assert_cmpuint (text->len, ==, 0);
    }
}

static gboolean
write_nothing (const char *data, gsize size, gpointer user_data, GError **error)
{
  g_assert_not_reached ();
}

/* The privacy statement of the kit is true for each kit. */
static void
test_a_kit_refuses_what_its_page_denies (void)
{
  static const struct
  {
    NsRecipeOptions options;
    const char *says;
  } wrong[] = {
    { { .layers = 1, .has_content = TRUE }, "a kit does not record content" },
    { { .layers = 1, .packet_bytes = 128 }, "netstitch-record start -Packets 128" },
    { { .layers = 1, .scenario = "LAN" }, "scenarios are those of netsh" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (ns_recipe_kit_write (&wrong[i].options, write_nothing, NULL, &error));
      g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
      assert_has (error->message, wrong[i].says);
    }
}

/* After adjustment every form can record any selection that is not empty. */
static void
test_what_does_not_fit_is_taken_back (void)
{
  guint form;

  for (form = 0; form < NS_RECIPE_KIT; form++)
    {
      NsRecipeOptions options = { .layers = NS_RECIPE_LAYER (NS_RECIPE_N_LAYERS) - 1,
                                  .detail = NS_RECIPE_VERBOSE,
                                  .has_no_headers = TRUE,
                                  .has_content = TRUE,
                                  .has_clr = TRUE,
                                  .has_js = TRUE,
                                  .packet_bytes = 256,
                                  .scenario = "LAN" };
      g_autofree char *text = NULL;

      ns_export_recipe_fit (&options, (NsRecipeForm) form);
      text = recipe_of (&options, (NsRecipeForm) form);
      g_assert_cmpint (options.scenario != NULL, ==, form == NS_RECIPE_NETSH);
      g_assert_cmpint (options.packet_bytes > 0,
                       ==,
                       form == NS_RECIPE_NETSH || form == NS_RECIPE_PKTMON);
      g_assert_cmpint (options.has_no_headers, ==, form == NS_RECIPE_WPRP);
      g_assert_cmpint (options.has_content, !=, form == NS_RECIPE_CLASSIC);
    }
}

/* The command contains only options that differ from the defaults. */
static void
test_the_command_names_what_was_chosen (void)
{
  static const struct
  {
    NsRecipeForm form;
    NsRecipeOptions options;
    const char *command;
  } chosen[] = {
    { NS_RECIPE_WPRP,
      { .layers = NS_RECIPE_DEFAULT_LAYERS, .has_stacks = TRUE },
      "netstitch-cli recipe --as wprp" },
    { NS_RECIPE_WPRP,
      { .layers = NS_RECIPE_LIGHT_LAYERS, .detail = NS_RECIPE_LIGHT, .has_no_headers = TRUE },
      "netstitch-cli recipe --as wprp --detail light --no-stacks --no-headers" },
    { NS_RECIPE_CLASSIC,
      { .layers = NS_RECIPE_LIGHT_LAYERS, .has_clr = TRUE, .has_js = TRUE },
      "netstitch-cli recipe --as classic --clr --js" },
    { NS_RECIPE_NETSH,
      { .layers = NS_RECIPE_LAYER (NS_RECIPE_NAMES) | NS_RECIPE_LAYER (NS_RECIPE_TLS),
        .has_content = TRUE,
        .packet_bytes = 64,
        .scenario = "LAN" },
      "netstitch-cli recipe --as netsh --layers names,tls --content --packets 64 --scenario LAN" },
    { NS_RECIPE_LOGMAN,
      { .more = "A:0x10:5,{B}" },
      "netstitch-cli recipe --as logman --provider 'A:0x10:5,{B}'" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (chosen); i++)
    {
      g_autofree char *command = ns_export_recipe_dup_command (&chosen[i].options, chosen[i].form);

      g_assert_cmpstr (command, ==, chosen[i].command);
    }
}

/* Layers and options that are excluded are listed; included ones are not. */
static void
test_what_is_left_out_is_told (void)
{
  const guint all = NS_RECIPE_LAYER (NS_RECIPE_N_LAYERS) - 1;
  NsRecipeOptions options = { .layers = all, .has_stacks = TRUE, .has_content = TRUE };
  g_autofree char *lacks = ns_export_recipe_dup_lacks (&options, NS_RECIPE_WPRP);
  guint i;

  g_assert_cmpstr (lacks, ==, "contents of packets");
  for (i = 0; i < NS_RECIPE_N_LAYERS; i++)
    {
      g_autofree char *text = NULL;

      options.layers = all & ~NS_RECIPE_LAYER (i);
      text = ns_export_recipe_dup_lacks (&options, NS_RECIPE_WPRP);
      /* TCPIP counts bytes, too. */
      g_assert_cmpint (strchr (text, ';') != NULL, ==, i != NS_RECIPE_COUNTERS);
    }
  options = (NsRecipeOptions){ .layers = all, .has_no_headers = TRUE };
  g_free (lacks);
  lacks = ns_export_recipe_dup_lacks (&options, NS_RECIPE_WPRP);
  g_assert_cmpstr (lacks,
                   ==,
                   "responsible code; contents of headers; contents of bodies; "
                   "contents of packets");
  /* netsh always records packet headers, and neither stacks nor processor activity. */
  options.packet_bytes = 128;
  g_free (lacks);
  lacks = ns_export_recipe_dup_lacks (&options, NS_RECIPE_NETSH);
  g_assert_cmpstr (lacks, ==, "thread activity; responsible code; contents of bodies");
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
  g_test_add_func ("/recipe/commands-keep-secrets-out", test_commands_keep_secrets_out_by_level);
  g_test_add_func ("/recipe/headers-are-left-out", test_headers_are_left_out);
  g_test_add_func ("/recipe/filters-have-so-many-ids", test_filters_have_so_many_ids);
  g_test_add_func ("/recipe/what-a-form-cannot-do-is-refused",
                   test_what_a_form_cannot_do_is_refused);
  g_test_add_func ("/recipe/a-kit-refuses-what-its-page-denies",
                   test_a_kit_refuses_what_its_page_denies);
  g_test_add_func ("/recipe/what-does-not-fit-is-taken-back", test_what_does_not_fit_is_taken_back);
  g_test_add_func ("/recipe/the-command-names-what-was-chosen",
                   test_the_command_names_what_was_chosen);
  g_test_add_func ("/recipe/what-is-left-out-is-told", test_what_is_left_out_is_told);
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
