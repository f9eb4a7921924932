/* Tests the JSON validator: valid JSON, and near misses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-json-check.h"
#include "base/ns-json-doc.h"

#include <string.h>

static void
test_yes (void)
{
  static const char *const texts[] = {
    "{}",
    " [ ] ",
    "0",
    "-0.5e+10",
    "1E2",
    "\"\"",
    "\"\\u00e9\\n\303\251\"",
    "{\"a\": [1, {\"b\": null}, true], \"c\": false}",
    "[[[]],{}]",
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree NsJsonDoc *doc = g_new (NsJsonDoc, 1);

      g_test_message ("%s", texts[i]);
      g_assert_true (ns_json_check (texts[i], strlen (texts[i])));
      g_assert_true (ns_json_doc_parse (doc, texts[i], strlen (texts[i])));
    }
}

static void
test_no (void)
{
  static const char *const texts[] = {
    "",           "  ",       "{",         "}",      "[1,]",     "[1 2]", "{\"a\" 1}",
    "{a: 1}",     "{\"a\":}", "{\"a\"}",   "{1: 2}", "[}",       "01",    "1.",
    ".5",         "+1",       "-",         "1e",     "nul",      "TRUE",  "truefalse",
    "\"",         "\"\\x\"",  "\"\\u12\"", "\"\t\"", "\"\xff\"", "1 1",   "[],",
    "{\"a\":1,}", "{,}",      "[,1]",      "'a'",    "/**/1",    "\"\\",  "\"\\u123g\"",
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_test_message ("%s", texts[i]);
      g_assert_false (ns_json_check (texts[i], strlen (texts[i])));
    }
  g_assert_false (ns_json_check ("1\0", 2));
}

static void
test_depth (void)
{
  g_autofree char *open = g_strnfill (NS_JSON_MAX_DEPTH, '[');
  g_autofree char *close = g_strnfill (NS_JSON_MAX_DEPTH, ']');
  g_autofree char *deep = g_strconcat (open, close, NULL);
  g_autofree char *deeper = g_strconcat ("[", deep, "]", NULL);
  g_autofree char *far = g_strnfill (1000000, '[');

  g_assert_true (ns_json_check (deep, strlen (deep)));
  g_assert_false (ns_json_check (deeper, strlen (deeper)));
  g_assert_false (ns_json_check (far, strlen (far)));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-check/yes", test_yes);
  g_test_add_func ("/json-check/no", test_no);
  g_test_add_func ("/json-check/depth", test_depth);
  return g_test_run ();
}
