/* Claims about the JSON text we write.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

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

/* Texts are looked at in pieces of several bytes: no byte may hide, wherever in one it is. */
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

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json/each-character-is-escaped-wherever-it-stands",
                   test_each_character_is_escaped_wherever_it_stands);
  g_test_add_func ("/json/other-letters-stay", test_other_letters_stay);
  return g_test_run ();
}
