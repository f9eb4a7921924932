/* Tests the JSON writer.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-json-writer.h"
#include "base/ns-json.h"

#include <string.h>

#define MAX_LENGTH 20

static void
append_expected (GString *json, char c)
{
  const char *at = strchr ("\"\"\\\\\nn\rr\tt", c);

  if (c == '"' || c == '\\')
    g_string_append_printf (json, "\\%c", c);
  else if (c == '\n' || c == '\r' || c == '\t')
    g_string_append_printf (json, "\\%c", at[1]);
  else if ((guchar) c < 0x20 || c == 0x7f)
    g_string_append_printf (json, "\\u%04x", (guchar) c);
  else
    g_string_append_c (json, c);
}

/* The writer scans strings several bytes at a time, so each character is tested at every
 * position. */
static void
test_each_character_is_escaped_wherever_it_stands (void)
{
  for (guint c = 1; c < 0x80; c++)
    for (guint n = 1; n <= MAX_LENGTH; n++)
      for (guint at = 0; at < n; at++)
        {
          g_autoptr (GString) json = g_string_new (NULL);
          g_autoptr (GString) expected = g_string_new ("\"");
          char text[MAX_LENGTH + 1] = { 0 };

          memset (text, 'a', n);
          text[at] = (char) c;
          for (guint i = 0; i < n; i++)
            append_expected (expected, text[i]);
          g_string_append_c (expected, '"');
          ns_json_append_string (json, text);
          g_assert_cmpstr (json->str, ==, expected->str);
        }
}

static void
test_other_letters_stay (void)
{
  g_autoptr (GString) json = g_string_new (NULL);

  ns_json_append_string (json, "Größe \xe2\x82\xac \xf0\x9f\x98\x80 ü\"ü");
  g_assert_cmpstr (json->str, ==, "\"Größe \xe2\x82\xac \xf0\x9f\x98\x80 ü\\\"ü\"");
}

static void
test_values_of_objects_and_arrays_have_commas_between (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  NsJsonWriter json = { .text = text };

  ns_json_begin_object (&json, NULL);
  ns_json_begin_array (&json, "none");
  ns_json_end_array (&json);
  ns_json_add_string (&json, "word", "a\"b");
  ns_json_add_string (&json, "nothing", NULL);
  ns_json_begin_array (&json, "numbers");
  ns_json_add_number (&json, NULL, "%d", -1);
  ns_json_add_number (&json, NULL, "%u.%03u", 2u, 5u);
  ns_json_begin_object (&json, NULL);
  ns_json_end_object (&json);
  ns_json_end_array (&json);
  ns_json_add_number (&json, "last", "0");
  ns_json_end_object (&json);
  g_assert_cmpstr (text->str,
                   ==,
                   "{\"none\":[],\"word\":\"a\\\"b\",\"nothing\":null,"
                   "\"numbers\":[-1,2.005,{}],\"last\":0}");
}

/* A long list is written in parts, one element per line. */
static void
test_what_is_written_may_go_before_the_end (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) all = g_string_new (NULL);
  NsJsonWriter json = { .text = text };

  ns_json_begin_array (&json, NULL);
  for (guint i = 0; i < 3; i++)
    {
      ns_json_break_line (&json);
      ns_json_add_number (&json, NULL, "%u", i);
      g_string_append (all, text->str);
      g_string_truncate (text, 0);
    }
  ns_json_break_line (&json);
  ns_json_end_array (&json);
  g_string_append (all, text->str);
  g_assert_cmpstr (all->str, ==, "[\n0,\n1,\n2\n]");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json/values-of-objects-and-arrays-have-commas-between",
                   test_values_of_objects_and_arrays_have_commas_between);
  g_test_add_func ("/json/what-is-written-may-go-before-the-end",
                   test_what_is_written_may_go_before_the_end);
  g_test_add_func ("/json/each-character-is-escaped-wherever-it-stands",
                   test_each_character_is_escaped_wherever_it_stands);
  g_test_add_func ("/json/other-letters-stay", test_other_letters_stay);
  return g_test_run ();
}
