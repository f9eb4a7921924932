/* Tests views that are shared as text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-preset.h"

#include <string.h>

static void
test_what_was_saved_is_read_again (void)
{
  const char *text = "[Netstitch view]\nversion=1\ntable=tcp\nlanes=server\nclock=utc\n\n"
                     "[activities]\ncolumns=url:240;server;\ngroups=process;\nfilter=status>=400\n"
                     "sort=-duration_ns\n\n[tcp]\nfilter=\nsort=\n";
  g_autoptr (GPtrArray) unknown = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (NsPreset) preset = ns_preset_parse (text, unknown, &error);
  g_autofree char *again = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (unknown->len, ==, 0);
  g_assert_cmpstr (preset->lanes, ==, "server");
  g_assert_cmpuint (preset->tables[NS_TABLE_ACTIVITIES].columns->len, ==, 2);
  g_assert_cmpuint (preset->tables[NS_TABLE_ACTIVITIES].groups->len, ==, 1);
  again = ns_preset_to_text (preset);
  g_assert_cmpstr (again, ==, text);
}

static void
test_what_is_unknown_is_named_and_left_out (void)
{
  const char *text = "[Netstitch view]\nversion=1\n[activities]\ncolumns=colour;server\n"
                     "filter=colour=blue\nsort=colour\n[quantum]\nfilter=x=1\n";
  g_autoptr (GPtrArray) unknown = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (NsPreset) preset = ns_preset_parse (text, unknown, NULL);

  g_assert_nonnull (preset);
  g_assert_cmpuint (unknown->len, ==, 4);
  g_assert_cmpstr (g_ptr_array_index (unknown, 0), ==, "activities: colour");
  g_assert_cmpstr (g_ptr_array_index (unknown, 3), ==, "quantum");
  g_assert_null (preset->tables[NS_TABLE_ACTIVITIES].filter);
  g_assert_null (preset->tables[NS_TABLE_ACTIVITIES].sort);
  g_assert_cmpuint (preset->tables[NS_TABLE_ACTIVITIES].columns->len, ==, 1);
}

static void
test_other_files_are_refused (void)
{
  static const char *const texts[] = { "",
                                       "SELECT 1;",
                                       "[Desktop Entry]\nName=x\n",
                                       "[Netstitch view]\nversion=99\n" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GPtrArray) unknown = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (GError) error = NULL;

      g_assert_null (ns_preset_parse (texts[i], unknown, &error));
      g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
    }
}

/* Limits of a preset file (ns-preset.c). */
#define MAX_WIDTH 2000

static void
test_a_column_is_so_wide_only (void)
{
  guint n;

  for (n = MAX_WIDTH - 1; n <= MAX_WIDTH + 1; n++)
    {
      g_autofree char *text = g_strdup_printf (
          "[Netstitch view]\nversion=1\ntable=tcp\n[activities]\ncolumns=url:%u;\n",
          n);
      g_autofree char *expected = g_strdup_printf ("\ncolumns=url:%u;\n", MIN (n, MAX_WIDTH));
      g_autoptr (GPtrArray) unknown = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (NsPreset) preset = ns_preset_parse (text, unknown, NULL);
      g_autofree char *again = NULL;

      g_assert_nonnull (preset);
      again = ns_preset_to_text (preset);
      g_assert_nonnull (strstr (again, expected));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/preset/what-was-saved-is-read-again", test_what_was_saved_is_read_again);
  g_test_add_func ("/preset/what-is-unknown-is-named-and-left-out",
                   test_what_is_unknown_is_named_and_left_out);
  g_test_add_func ("/preset/other-files-are-refused", test_other_files_are_refused);
  g_test_add_func ("/preset/a-column-is-so-wide-only", test_a_column_is_so_wide_only);
  return g_test_run ();
}
