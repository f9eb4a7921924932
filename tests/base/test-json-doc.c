/* Tests the JSON parser.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-json-doc.h"

#include <string.h>

static NsJsonDoc json;

static gboolean
parse (const char *text)
{
  return ns_json_doc_parse (&json, text, strlen (text));
}

static void
test_members_are_found_by_name (void)
{
  g_autofree char *text = NULL;
  gint64 number;
  guint dependency;

  g_assert_true (
      parse ("{\"a\": [1, {\"id\": 7}], \"source\": {\"id\": 11, \"type\": \"X\"}, \"t\":true}"));
  dependency = ns_json_doc_get (&json, 0, "source");
  g_assert_true (ns_json_doc_get_int (&json, ns_json_doc_get (&json, dependency, "id"), &number));
  g_assert_cmpint (number, ==, 11);
  text = ns_json_doc_dup_string (&json, ns_json_doc_get (&json, dependency, "type"));
  g_assert_cmpstr (text, ==, "X");
  g_assert_true (ns_json_doc_is_true (&json, ns_json_doc_get (&json, 0, "t")));
  g_assert_cmpuint (ns_json_doc_get (&json, 0, "id"), ==, NS_JSON_NONE);
}

static void
test_arrays_are_walked (void)
{
  g_autoptr (GString) seen = g_string_new (NULL);
  guint token;

  g_assert_true (parse ("[\"a\",[\"x\",\"y\"],\"b\",{},\"c\"]"));
  for (token = ns_json_doc_first (&json, 0); token != NS_JSON_NONE;
       token = ns_json_doc_after (&json, 0, token))
    {
      g_autofree char *text = ns_json_doc_dup_string (&json, token);

      g_string_append (seen, text != NULL ? text : "*");
    }
  g_assert_cmpstr (seen->str, ==, "a*b*c");
}

static void
test_escapes_are_resolved (void)
{
  g_autofree char *text = NULL;

  g_assert_true (parse ("\"a\\n\\\"\\u00e9\\ud83d\\ude00\\ud800\""));
  text = ns_json_doc_dup_string (&json, 0);
  g_assert_cmpstr (text, ==, "a\n\"\xc3\xa9\xf0\x9f\x98\x80\xef\xbf\xbd");
}

static void
test_what_is_not_json_is_refused (void)
{
  static const char *const wrong[] = { "",          " ", "{",   "[1,2", "\"abc",
                                       "{\"a\":1]", "}", "1 2", "\"\\", "{\"a\"" };
  g_autofree char *deep = g_strnfill (100, '[');
  guint i;

  for (i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_assert_false (parse (wrong[i]));
  g_assert_false (parse (deep));
}

static void
test_every_prefix_is_safe (void)
{
  const char *whole = "{\"a\":[1,-2.5e3,\"x\\u00e9\\\"\"],\"b\":{\"c\":null}}";
  gsize n;

  for (n = 0; n <= strlen (whole); n++)
    {
      g_autofree char *copy = g_memdup2 (whole, MAX (n, 1));
      gboolean ok = ns_json_doc_parse (&json, copy, n);

      g_assert_cmpint (ok, ==, n == strlen (whole));
    }
}

static gboolean
parse_nested (guint depth)
{
  g_autofree char *begin = g_strnfill (depth, '[');
  g_autofree char *end = g_strnfill (depth, ']');
  g_autofree char *text = g_strconcat (begin, end, NULL);

  return parse (text);
}

#define MAX_DEPTH 24
#define MAX_TOKENS 2048

static void
test_depth_and_length_are_bounded (void)
{
  g_autoptr (GString) text = g_string_new ("[1");
  guint i;

  g_assert_true (parse_nested (MAX_DEPTH));
  g_assert_false (parse_nested (MAX_DEPTH + 1));
  for (i = 2; i < MAX_TOKENS; i++)
    g_string_append (text, ",1");
  g_string_append (text, "]");
  g_assert_true (parse (text->str));
  g_string_truncate (text, text->len - 1);
  g_string_append (text, ",1]");
  g_assert_false (parse (text->str));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/json-doc/members-are-found-by-name", test_members_are_found_by_name);
  g_test_add_func ("/json-doc/arrays-are-walked", test_arrays_are_walked);
  g_test_add_func ("/json-doc/escapes-are-resolved", test_escapes_are_resolved);
  g_test_add_func ("/json-doc/what-is-not-json-is-refused", test_what_is_not_json_is_refused);
  g_test_add_func ("/json-doc/depth-and-length-are-bounded", test_depth_and_length_are_bounded);
  g_test_add_func ("/json-doc/every-prefix-is-safe", test_every_prefix_is_safe);
  return g_test_run ();
}
