/* Claims about recording profiles.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-recipe.h"

#include <string.h>

static char *
recipe (const char *providers)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) parsed = ns_export_recipe_parse (providers, &error);
  GString *text = g_string_new (NULL);

  g_assert_no_error (error);
  ns_export_recipe_append (parsed, text);
  return g_string_free (text, FALSE);
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
  g_autoptr (GArray) providers = ns_export_recipe_new_default ();
  g_autoptr (GString) text = g_string_new (NULL);

  ns_export_recipe_append (providers, text);
  assert_has (text->str, "Name=\"Microsoft-Windows-TCPIP\"");
  assert_has (text->str, "Name=\"Microsoft-Windows-DNS-Client\"");
  assert_has (text->str, "<Stack Value=\"ThreadPoolCallbackEnqueue\"/>");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recipe/a-provider-has-its-keywords-and-level",
                   test_a_provider_has_its_keywords_and_level);
  g_test_add_func ("/recipe/what-is-not-said-is-everything", test_what_is_not_said_is_everything);
  g_test_add_func ("/recipe/what-is-no-provider-is-refused", test_what_is_no_provider_is_refused);
  g_test_add_func ("/recipe/the-default-records-what-tables-need",
                   test_the_default_records_what_tables_need);
  return g_test_run ();
}
