/* Tests the cleaning of untrusted strings for display.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-plain.h"

static void
assert_made (const char *given, const char *wanted)
{
  g_autofree char *text = g_strdup (given);

  ns_plain_make (text);
  g_assert_cmpstr (text, ==, wanted);
}

static void
test_what_disturbs_is_blank (void)
{
  assert_made ("", "");
  assert_made ("ns::f<a, b> Größe 漢字", "ns::f<a, b> Größe 漢字");
  assert_made ("a\x1b[31mb\r\n\tc\x7f", "a [31mb   c ");
  /* Terminal escapes, bidirectional overrides and line ends. */
  assert_made ("a\xc2\x9b"
               "b\xe2\x80\xae"
               "c\xe2\x80\xa8",
               "a  b   c   ");
}

static void
test_what_is_no_text_is_told_apart (void)
{
  assert_made ("a\xff\xc3", "a??");
  assert_made ("\xe2\x82", "??");
  assert_made ("\xed\xa0\x80z", "???z");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plain/what-disturbs-is-blank", test_what_disturbs_is_blank);
  g_test_add_func ("/plain/what-is-no-text-is-told-apart", test_what_is_no_text_is_told_apart);
  return g_test_run ();
}
