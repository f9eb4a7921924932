/* Tests the window's phrases for sums, time spans and phases.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-words.h"

/* All numbers of the line have thousands separators. */
static void
test_sums_tell_thousands_apart (void)
{
  NsSessionSums sums = {
    .n_rows = 12345,
    .has_bytes = TRUE,
    .has_duration = TRUE,
    .is_lower_bound = TRUE,
    .sent = 1234567,
    .received = 999,
    .duration_ns = G_GINT64_CONSTANT (5873079999999),
    .union_ns = G_GINT64_CONSTANT (61204000000),
  };
  g_autofree char *line = ns_words_sums (&sums);

  g_assert_cmpstr (line,
                   ==,
                   "12,345 rows selected   Σ sent 1,234,567 B   Σ received 999 B   "
                   "Σ duration ≥ 5,873.07 s   busy time ≥ 61.20 s");
}

static void
test_durations_are_rounded_and_grouped (void)
{
  static const struct
  {
    gint64 span_ns;
    const char *words;
  } spans[] = {
    { 0, "0.000 ms" },
    { 1500000, "1.500 ms" },
    { 9999000000, "9,999 ms" },
    { G_GINT64_CONSTANT (10000000000), "10.00 s" },
    { G_GINT64_CONSTANT (999994000000), "999.99 s" },
    { G_GINT64_CONSTANT (999996000000), "1,000.00 s" },
    { G_GINT64_CONSTANT (5873070000000), "5,873.07 s" },
    { G_GINT64_CONSTANT (1234567890000000), "1,234,567.89 s" },
    { G_MAXINT64, "9,223,372,036.85 s" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (spans); i++)
    {
      g_autofree char *words = ns_words_duration (spans[i].span_ns);

      g_assert_cmpstr (words, ==, spans[i].words);
    }
}

/* The sentence about the duration uses the same term. */
static void
test_what_no_event_covers_has_one_name (void)
{
  g_assert_cmpstr (ns_words_get_phase (NS_PHASE_OTHER), ==, "Not covered by the recorded events");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/phrases/sums-tell-thousands-apart", test_sums_tell_thousands_apart);
  g_test_add_func ("/phrases/durations-are-rounded-and-grouped",
                   test_durations_are_rounded_and_grouped);
  g_test_add_func ("/phrases/what-no-event-covers-has-one-name",
                   test_what_no_event_covers_has_one_name);
  return g_test_run ();
}
