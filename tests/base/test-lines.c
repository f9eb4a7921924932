/* Tests the line index of long texts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-lines.h"

#include <string.h>

static void
assert_wrapped (const char *text, guint n_chars, const char *expected)
{
  g_autofree char *lines = ns_lines_wrap (text, n_chars);

  g_assert_cmpstr (lines, ==, expected);
}

static void
test_lines_end_at_blanks (void)
{
  assert_wrapped ("", 10, "");
  assert_wrapped ("one two", 10, "one two");
  assert_wrapped ("one two three", 10, "one two\nthree");
  assert_wrapped ("one two three", 7, "one two\nthree");
  assert_wrapped ("one two three four", 5, "one\ntwo\nthree\nfour");
  assert_wrapped ("one\ntwo three", 9, "one\ntwo three");
}

static void
test_long_words_are_broken_behind_signs (void)
{
  assert_wrapped ("abcdefghijkl", 5, "abcde\nfghij\nkl");
  assert_wrapped ("abcd/efghijkl", 8, "abcd/\nefghijkl");
  assert_wrapped ("at abcdefghijkl", 5, "at\nabcde\nfghij\nkl");
  /* A break opportunity near the beginning would leave the line nearly empty, so it is not used. */
  assert_wrapped ("a/bcdefghijkl", 8, "a/bcdefg\nhijkl");
  assert_wrapped ("äöüßäöüßäö", 4, "äöüß\näöüß\näö");
}

/* No line exceeds the limit for any text, and only spaces are dropped. */
static void
test_no_line_is_longer (void)
{
  static const char letters[] = "ab /_. ";
  guint k;

  for (k = 0; k < 500; k++)
    {
      guint n_chars = (guint) g_test_rand_int_range (2, 20);
      guint n = (guint) g_test_rand_int_range (0, 90);
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (GString) left = g_string_new (NULL);
      g_autofree char *wrapped = NULL;
      g_auto (GStrv) lines = NULL;
      guint i;

      for (i = 0; i < n; i++)
        g_string_append_c (text, letters[g_test_rand_int_range (0, sizeof letters - 1)]);
      wrapped = ns_lines_wrap (text->str, n_chars);
      lines = g_strsplit (wrapped, "\n", -1);
      for (i = 0; lines[i] != NULL; i++)
        {
          g_assert_cmpuint (strlen (lines[i]), <=, n_chars);
          g_string_append (left, lines[i]);
        }
      g_string_replace (left, " ", "", 0);
      g_string_replace (text, " ", "", 0);
      g_assert_cmpstr (left->str, ==, text->str);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lines/lines-end-at-blanks", test_lines_end_at_blanks);
  g_test_add_func ("/lines/long-words-are-broken-behind-signs",
                   test_long_words_are_broken_behind_signs);
  g_test_add_func ("/lines/no-line-is-longer", test_no_line_is_longer);
  return g_test_run ();
}
