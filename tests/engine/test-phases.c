/* Tests the phases of a request.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-phases.h"

static gint64
sum_of (const gint64 durations[NS_N_PHASES])
{
  gint64 sum = 0;
  guint i;

  for (i = 0; i < NS_N_PHASES; i++)
    if (durations[i] != NS_UNKNOWN)
      sum += durations[i];
  return sum;
}

static void
test_what_was_not_traced_is_unknown (void)
{
  gint64 durations[NS_N_PHASES];
  NsPhases phases;
  guint i;

  ns_phases_init (&phases);
  ns_phases_add (&phases, NS_PHASE_DNS, NS_TIME_NONE, 5);
  ns_phases_add (&phases, NS_PHASE_CONNECT, 5, NS_TIME_OPEN);
  ns_phases_split (&phases, 0, 100, durations);
  for (i = 0; i < NS_N_PHASES; i++)
    g_assert_cmpint (durations[i], ==, NS_UNKNOWN);

  ns_phases_add (&phases, NS_PHASE_DNS, 10, 30);
  ns_phases_split (&phases, 0, 100, durations);
  g_assert_cmpint (durations[NS_PHASE_DNS], ==, 20);
  g_assert_cmpint (durations[NS_PHASE_OTHER], ==, 80);
  g_assert_cmpint (durations[NS_PHASE_TLS], ==, NS_UNKNOWN);
}

static void
test_the_sum_is_the_duration_whatever_overlaps (void)
{
  gint64 durations[NS_N_PHASES];
  NsPhases phases;

  ns_phases_init (&phases);
  ns_phases_add (&phases, NS_PHASE_QUEUE, -50, 10);
  ns_phases_add (&phases, NS_PHASE_CONNECT, 5, 40);
  ns_phases_add (&phases, NS_PHASE_TLS, 30, 60);
  ns_phases_add (&phases, NS_PHASE_RECEIVE, 80, 500);
  ns_phases_split (&phases, 0, 100, durations);
  g_assert_cmpint (durations[NS_PHASE_QUEUE], ==, 5);
  g_assert_cmpint (durations[NS_PHASE_CONNECT], ==, 25);
  g_assert_cmpint (durations[NS_PHASE_TLS], ==, 30);
  g_assert_cmpint (durations[NS_PHASE_RECEIVE], ==, 20);
  g_assert_cmpint (durations[NS_PHASE_OTHER], ==, 20);
  g_assert_cmpint (sum_of (durations), ==, 100);
}

static void
test_a_measured_phase_may_take_no_time (void)
{
  gint64 durations[NS_N_PHASES];
  NsPhases phases;

  ns_phases_init (&phases);
  ns_phases_add (&phases, NS_PHASE_DNS, 10, 10);
  ns_phases_split (&phases, 0, 100, durations);
  g_assert_cmpint (durations[NS_PHASE_DNS], ==, 0);
  g_assert_cmpint (sum_of (durations), ==, 100);
}

static void
test_more_spans_than_fit_keep_the_sum (void)
{
  gint64 durations[NS_N_PHASES];
  NsPhases phases;
  gint64 i;

  ns_phases_init (&phases);
  for (i = 0; i < 2 * NS_PHASES_MAX_SPANS; i++)
    ns_phases_add (&phases, NS_PHASE_SEND, 2 * i, 2 * i + 1);
  ns_phases_split (&phases, 0, 1000, durations);
  g_assert_cmpint (durations[NS_PHASE_SEND], ==, NS_PHASES_MAX_SPANS);
  g_assert_cmpint (sum_of (durations), ==, 1000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/phases/what-was-not-traced-is-unknown", test_what_was_not_traced_is_unknown);
  g_test_add_func ("/phases/the-sum-is-the-duration-whatever-overlaps",
                   test_the_sum_is_the_duration_whatever_overlaps);
  g_test_add_func ("/phases/a-measured-phase-may-take-no-time",
                   test_a_measured_phase_may_take_no_time);
  g_test_add_func ("/phases/more-spans-than-fit-keep-the-sum",
                   test_more_spans_than_fit_keep_the_sum);
  return g_test_run ();
}
