/* Tests timestamps and their text forms.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-time.h"

static void
assert_iso (guint64 filetime, const char *expected)
{
  g_autofree char *text = ns_time_filetime_to_iso (filetime, 0, TRUE);
  guint64 back;

  g_assert_cmpstr (text, ==, expected);
  g_assert_true (ns_time_filetime_from_iso (text, &back));
  g_assert_cmpuint (back, ==, filetime);
}

static void
test_stamps_are_exact_to_100_ns (void)
{
  assert_iso (0, "1601-01-01T00:00:00.0000000Z");
  assert_iso (NS_FILETIME_UNIX_EPOCH, "1970-01-01T00:00:00.0000000Z");
  assert_iso (G_GUINT64_CONSTANT (132264173104203138), "2020-02-17T12:48:30.4203138Z");
  assert_iso (G_GUINT64_CONSTANT (125963423999999999), "2000-02-29T23:59:59.9999999Z");
}

static void
test_seconds_are_cut_not_rounded (void)
{
  g_autofree char *exact = ns_time_seconds_to_text (1234567899, 9);
  g_autofree char *cut = ns_time_seconds_to_text (1999999999, 3);
  g_autofree char *before = ns_time_seconds_to_text (-500000000, 1);

  g_assert_cmpstr (exact, ==, "1.234567899");
  g_assert_cmpstr (cut, ==, "1.999");
  g_assert_cmpstr (before, ==, "-0.5");
}

static void
test_lengths_that_no_number_holds_stay_the_largest (void)
{
  g_assert_cmpint (ns_time_sum (2, 3), ==, 5);
  g_assert_cmpint (ns_time_sum (NS_TIME_MAX, NS_TIME_MAX), ==, G_MAXINT64 - 1);
  g_assert_cmpint (ns_time_sum (G_MAXINT64 - 1, 1), ==, G_MAXINT64);
  g_assert_cmpint (ns_time_sum (G_MAXINT64 - 1, 2), ==, G_MAXINT64);
}

static void
test_a_length_to_an_unknown_moment_is_none (void)
{
  g_assert_cmpint (ns_time_between (2, 5), ==, 3);
  g_assert_cmpint (ns_time_between (5, 2), ==, -3);
  g_assert_cmpint (ns_time_between (NS_TIME_NONE, 5), ==, 0);
  g_assert_cmpint (ns_time_between (5, NS_TIME_OPEN), ==, 0);
  g_assert_cmpint (ns_time_between (-NS_TIME_MAX, NS_TIME_MAX), ==, 2 * NS_TIME_MAX);
  g_assert_cmpint (ns_time_between (G_MININT64 + 1, G_MAXINT64 - 1), ==, 2 * NS_TIME_MAX);
}

static void
test_moments_stay_where_records_are (void)
{
  g_assert_cmpint (ns_time_after (2, 3), ==, 5);
  g_assert_cmpint (ns_time_after (2, -3), ==, -1);
  g_assert_cmpint (ns_time_after (NS_TIME_MAX, NS_TIME_MAX), ==, NS_TIME_MAX);
  g_assert_cmpint (ns_time_after (-NS_TIME_MAX, G_MININT64), ==, -NS_TIME_MAX);
  g_assert_cmpint (ns_time_after (NS_TIME_NONE, 3), ==, NS_TIME_NONE);
  g_assert_cmpint (ns_time_after (NS_TIME_OPEN, -3), ==, NS_TIME_OPEN);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/time/stamps-are-exact-to-100-ns", test_stamps_are_exact_to_100_ns);
  g_test_add_func ("/time/seconds-are-cut-not-rounded", test_seconds_are_cut_not_rounded);
  g_test_add_func ("/time/lengths-that-no-number-holds-stay-the-largest",
                   test_lengths_that_no_number_holds_stay_the_largest);
  g_test_add_func ("/time/a-length-to-an-unknown-moment-is-none",
                   test_a_length_to_an_unknown_moment_is_none);
  g_test_add_func ("/time/moments-stay-where-records-are", test_moments_stay_where_records_are);
  return g_test_run ();
}
