/* Tests the estimate of the widest of several texts without a font.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/table/ns-text-guess.h"

static void
assert_wider (const char *wide, const char *narrow)
{
  if (ns_text_guess_width (wide) <= ns_text_guess_width (narrow))
    g_error ("“%s” is not taken for wider than “%s”", wide, narrow);
}

/* In each pair the first text is wider, so a column must be sized for it. */
static void
test_letters_have_widths (void)
{
  assert_wider ("WinHTTP", "Winsock");
  assert_wider ("WinHTTP", "WinINet");
  assert_wider ("ii0ii", "iiiii");
  assert_wider ("www1.example", "ill1.example");
  assert_wider ("日本", "ab");
  assert_wider ("abcd", "abc");
  g_assert_cmpuint (ns_text_guess_width (""), ==, 0);
  /* A letter with a combining accent counts as one letter. */
  g_assert_cmpuint (ns_text_guess_width ("e\xcc\x81"), ==, ns_text_guess_width ("e"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text-guess/letters-have-widths", test_letters_have_widths);
  return g_test_run ();
}
