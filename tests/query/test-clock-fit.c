/* Tests the linear fit between the clocks of two machines.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-clock-fit.h"

#include <math.h>

#define US 1000
#define MS 1000000

/* Delays in both directions during a minute, between clocks with the given offset and drift. */
typedef struct
{
  GArray *upper;
  GArray *lower;
} Ways;

static void
ways_init (Ways *self)
{
  self->upper = g_array_new (FALSE, FALSE, sizeof (NsClockBound));
  self->lower = g_array_new (FALSE, FALSE, sizeof (NsClockBound));
}

static void
ways_clear (Ways *self)
{
  g_array_unref (self->upper);
  g_array_unref (self->lower);
}

static void
add (GArray *ways, gint64 time_ns, gint64 difference_ns)
{
  NsClockBound bound = { time_ns, difference_ns };

  g_array_append_val (ways, bound);
}

static void
fill (Ways *self, gint64 offset_ns, double drift, guint n_ways)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  guint i;

  for (i = 0; i < n_ways; i++)
    {
      gint64 time_ns = 60 * NS_PER_SECOND / n_ways * i;
      gint64 apart_ns = offset_ns + llround (drift * (double) time_ns);
      double late = g_rand_double (random);

      /* At least half a millisecond, mostly more. */
      add (self->upper, time_ns, apart_ns + 500 * US + llround (late * late * 5 * MS));
      late = g_rand_double (random);
      add (self->lower, time_ns + MS, apart_ns - 500 * US - llround (late * late * 5 * MS));
    }
}

static void
test_offset_and_drift_are_found (void)
{
  static const struct
  {
    gint64 offset_ns;
    double drift;
  } all[] = { { 0, 0 }, { 1700 * MS, 20e-6 }, { -3600 * NS_PER_SECOND, -90e-6 } };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (all); i++)
    {
      NsClockFit fit;
      gint64 middle_ns;
      Ways ways;

      ways_init (&ways);
      fill (&ways, all[i].offset_ns, all[i].drift, 600);
      g_assert_true (ns_clock_fit_find (&fit, ways.upper, ways.lower));
      middle_ns = 30 * NS_PER_SECOND;
      g_assert_cmpint (fit.n_exchanges, ==, 600);
      g_assert_cmpfloat_with_epsilon (fit.drift, all[i].drift, 2e-6);
      g_assert_cmpint (ABS (ns_clock_fit_to_second (&fit, middle_ns) - middle_ns -
                            all[i].offset_ns - llround (all[i].drift * (double) middle_ns)),
                       <,
                       50 * US);
      g_assert_cmpint (fit.uncertainty_ns, >=, 450 * US);
      g_assert_cmpint (fit.uncertainty_ns, <, 600 * US);
      ways_clear (&ways);
    }
}

/* Within six seconds, drift is not distinguishable from delays of half a millisecond. */
static void
test_a_short_time_shows_no_drift (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  NsClockFit fit;
  Ways ways;
  guint i;

  ways_init (&ways);
  for (i = 0; i < 60; i++)
    {
      add (ways.upper, (gint64) i * 100 * MS, 450 * US + g_rand_int_range (random, 0, 60 * US));
      add (ways.lower, (gint64) i * 100 * MS, -450 * US - g_rand_int_range (random, 0, 60 * US));
    }
  g_assert_true (ns_clock_fit_find (&fit, ways.upper, ways.lower));
  g_assert_true (fit.drift == 0);
  g_assert_cmpint (ABS (fit.offset_ns), <, 10 * US);
  ways_clear (&ways);
}

static void
test_there_and_back_is_the_same_moment (void)
{
  NsClockFit fit = { 1000, 5 * NS_PER_SECOND, 100e-6, 1, 3 };
  static const gint64 moments[] = { 0, 1000, -7 * NS_PER_SECOND, 86400 * NS_PER_SECOND };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (moments); i++)
    {
      gint64 second_ns = ns_clock_fit_to_second (&fit, moments[i]);

      g_assert_cmpint (ABS (ns_clock_fit_to_first (&fit, second_ns) - moments[i]), <=, 1);
    }
  g_assert_cmpint (ns_clock_fit_to_first (&fit, NS_TIME_NONE), ==, NS_TIME_NONE);
  g_assert_cmpint (ns_clock_fit_to_second (&fit, NS_TIME_OPEN), ==, NS_TIME_OPEN);
}

static void
test_too_few_show_nothing (void)
{
  NsClockFit fit;
  Ways ways;

  ways_init (&ways);
  g_assert_false (ns_clock_fit_find (&fit, ways.upper, ways.lower));
  add (ways.upper, 0, 10 * MS);
  add (ways.upper, 1 * MS, 10 * MS);
  add (ways.upper, 2 * MS, 10 * MS);
  g_assert_false (ns_clock_fit_find (&fit, ways.upper, ways.lower));
  /* So late that drift may explain the difference. */
  add (ways.lower, 5 * NS_PER_SECOND, 9 * MS);
  g_assert_false (ns_clock_fit_find (&fit, ways.upper, ways.lower));
  add (ways.lower, 1 * MS, 9 * MS);
  g_assert_true (ns_clock_fit_find (&fit, ways.upper, ways.lower));
  g_assert_cmpint (fit.offset_ns, ==, 9 * MS + 500 * US);
  g_assert_cmpint (fit.uncertainty_ns, ==, 500 * US);
  ways_clear (&ways);
}

/* Outliers in a smaller number than the correct delays are ignored. */
static void
test_wrong_ways_do_not_move_it (void)
{
  NsClockFit fit;
  Ways ways;
  guint i;

  ways_init (&ways);
  fill (&ways, 250 * MS, 0, 600);
  for (i = 0; i < 10; i++)
    add (ways.upper, (gint64) i * 6 * NS_PER_SECOND + 3 * MS, 100 * MS);
  g_assert_true (ns_clock_fit_find (&fit, ways.upper, ways.lower));
  g_assert_cmpint (ABS (fit.offset_ns - 250 * MS), <, 200 * US);
  ways_clear (&ways);
}

static void
test_times_of_damaged_files_do_no_harm (void)
{
  static const gint64 times[] = { -NS_TIME_MAX / 4, -1, 0, 1, NS_TIME_MAX / 4 };
  NsClockFit fit;
  Ways ways;
  guint i;
  guint k;

  ways_init (&ways);
  for (i = 0; i < G_N_ELEMENTS (times); i++)
    for (k = 0; k < G_N_ELEMENTS (times); k++)
      {
        add (ways.upper, times[i], times[k] * 2);
        add (ways.lower, times[k], times[i] * 2);
      }
  if (ns_clock_fit_find (&fit, ways.upper, ways.lower))
    for (i = 0; i < G_N_ELEMENTS (times); i++)
      g_assert_cmpint (ABS (ns_clock_fit_to_first (&fit, times[i])), <=, NS_TIME_MAX);
  ways_clear (&ways);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clock-fit/offset-and-drift-are-found", test_offset_and_drift_are_found);
  g_test_add_func ("/clock-fit/a-short-time-shows-no-drift", test_a_short_time_shows_no_drift);
  g_test_add_func ("/clock-fit/there-and-back-is-the-same-moment",
                   test_there_and_back_is_the_same_moment);
  g_test_add_func ("/clock-fit/too-few-show-nothing", test_too_few_show_nothing);
  g_test_add_func ("/clock-fit/wrong-ways-do-not-move-it", test_wrong_ways_do_not_move_it);
  g_test_add_func ("/clock-fit/times-of-damaged-files-do-no-harm",
                   test_times_of_damaged_files_do_no_harm);
  return g_test_run ();
}
