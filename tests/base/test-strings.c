/* Tests the table of interned strings.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-strings.h"

#include <string.h>

static void
test_equal_texts_have_one_number (void)
{
  g_autoptr (NsStrings) strings = ns_strings_new ();
  static const guint8 wide[] = { 'h', 0, 0xe9, 0, 0, 0, 'x', 0 };
  guint i;

  g_assert_cmpuint (ns_strings_add (strings, NULL), ==, NS_STRING_NONE);
  g_assert_cmpuint (ns_strings_add (strings, ""), ==, NS_STRING_EMPTY);
  g_assert_null (ns_strings_get (strings, NS_STRING_NONE));
  g_assert_cmpuint (ns_strings_add_utf16 (strings, wide, sizeof wide),
                    ==,
                    ns_strings_add (strings, "h\xc3\xa9"));
  for (i = 0; i < 20000; i++)
    {
      g_autofree char *text = g_strdup_printf ("text %u", i % 10000);
      NsString id = ns_strings_add (strings, text);

      g_assert_cmpstr (ns_strings_get (strings, id), ==, text);
      g_assert_cmpuint (ns_strings_find (strings, text), ==, id);
    }
  g_assert_cmpuint (ns_strings_get_size (strings), ==, 10003);
}

static void
test_broken_text_becomes_valid (void)
{
  g_autoptr (NsStrings) strings = ns_strings_new ();
  static const guint8 lone[] = { 0x00, 0xd8, 'a', 0 };
  static const guint8 pair[] = { 0x3d, 0xd8, 0x00, 0xde };

  g_assert_cmpstr (ns_strings_get (strings, ns_strings_add_utf16 (strings, lone, 4)),
                   ==,
                   "\xef\xbf\xbd"
                   "a");
  g_assert_cmpstr (ns_strings_get (strings, ns_strings_add_utf16 (strings, pair, 4)),
                   ==,
                   "\xf0\x9f\x98\x80");
  g_assert_cmpstr (ns_strings_get (strings, ns_strings_add_len (strings, "a\xff", 2)),
                   ==,
                   "a\xef\xbf\xbd");
  g_assert_cmpstr (ns_strings_get (strings, ns_strings_add_len (strings, "ab\0c", 4)), ==, "ab");
}

/* Strings that collide under a hash without a secret seed: 8 letters, and 8 letters that cancel
 * them. */
static void
test_texts_made_to_collide_are_found_soon (void)
{
  g_autoptr (NsStrings) strings = ns_strings_new ();
  guint64 n_tried;
  guint n;

  for (n = n_tried = 0; n < 150000; n_tried++)
    {
      guint64 words[2] = { 0, 0 };
      guint64 h = G_GUINT64_CONSTANT (0xcbf29ce484222325) ^ sizeof words;
      char text[sizeof words + 1] = "";
      guint i;

      for (i = 0; i < 8; i++)
        words[0] |= (guint64) ('@' + (n_tried >> 4 * i & 15)) << 8 * i;
      h = (h ^ words[0]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
      h ^= h >> 29;
      words[1] = h ^ G_GUINT64_CONSTANT (0x0123456789abcdef);
      memcpy (text, words, sizeof words);
      for (i = 8; i < sizeof words && (gint8) text[i] > 0; i++)
        ;
      if (i == sizeof words)
        n = ns_strings_add (strings, text);
    }
  g_assert_cmpuint (ns_strings_get_size (strings), ==, n + 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/strings/equal-texts-have-one-number", test_equal_texts_have_one_number);
  g_test_add_func ("/strings/broken-text-becomes-valid", test_broken_text_becomes_valid);
  g_test_add_func ("/strings/texts-made-to-collide-are-found-soon",
                   test_texts_made_to_collide_are_found_soon);
  return g_test_run ();
}
