/* Tests the conversion of trace timestamps.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-clock.h"

#define START G_GUINT64_CONSTANT (133485408000000000)

static NsEtlClock
make (guint32 kind, guint64 frequency, guint32 mhz)
{
  NsEtlHeader header = { .clock = kind,
                         .frequency = frequency,
                         .cpu_mhz = mhz,
                         .start_filetime = START,
                         .base_raw = 1000 };
  NsEtlClock clock;

  ns_etl_clock_init (&clock, &header);
  return clock;
}

static void
assert_ns (const NsEtlClock *clock, guint64 raw, gint64 expected)
{
  g_assert_cmpint (ns_etl_clock_to_ns (clock, raw), ==, expected);
}

static void
test_counts_are_divided_down (void)
{
  NsEtlClock fast = make (NS_CLOCK_QPC, 10000000, 0);
  NsEtlClock odd = make (NS_CLOCK_QPC, 3579545, 0);

  assert_ns (&fast, 1000, 0);
  assert_ns (&fast, 1001, 100);
  assert_ns (&fast, 999, -100);
  assert_ns (&odd, 1001, 279);
  assert_ns (&odd, 999, -280);
  g_assert_cmpuint (ns_etl_clock_to_filetime (&odd, 999), ==, START - 3);
  g_assert_cmpuint (ns_etl_clock_to_filetime (&odd, 1000 + 3579545), ==, START + 10000000);
}

static void
test_long_sessions_do_not_overflow (void)
{
  NsEtlClock odd = make (NS_CLOCK_QPC, 2994853, 0);
  guint64 year = G_GUINT64_CONSTANT (31536000);

  assert_ns (&odd, 1000 + year * 2994853 * 100, (gint64) year * 100 * NS_PER_SECOND);
  g_assert_cmpuint (ns_etl_clock_to_filetime (&odd, 1000 + year * 2994853 * 100),
                    ==,
                    START + year * 100 * NS_TICKS_PER_SECOND);
}

static void
test_absurd_times_stay_inside (void)
{
  static const guint64 raws[] = { 0, 1, G_MAXUINT64, G_MAXINT64, (guint64) G_MAXINT64 + 1 };
  static const guint64 frequencies[] = { 0, 1, 3, 10000000, G_MAXINT64, G_MAXUINT64 };
  guint i;
  guint j;
  guint kind;

  for (kind = 0; kind < 5; kind++)
    for (i = 0; i < G_N_ELEMENTS (frequencies); i++)
      for (j = 0; j < G_N_ELEMENTS (raws); j++)
        {
          NsEtlClock clock = make (kind, frequencies[i], (guint32) frequencies[i]);
          gint64 time_ns = ns_etl_clock_to_ns (&clock, raws[j]);

          g_assert_true (ns_time_is_set (time_ns));
          ns_etl_clock_to_filetime (&clock, raws[j]);
        }
}

static void
test_system_time_is_the_time (void)
{
  NsEtlClock clock = make (NS_CLOCK_SYSTEM, 0, 0);

  assert_ns (&clock, START + 3, 300);
  g_assert_cmpuint (ns_etl_clock_to_filetime (&clock, START + 3), ==, START + 3);
}

static void
test_cycles_go_by_megahertz (void)
{
  NsEtlClock clock = make (NS_CLOCK_CYCLE, 0, 2400);

  assert_ns (&clock, 1000 + 2400, 1000);
  g_assert_cmpuint (ns_etl_clock_to_filetime (&clock, 1000 + 2400), ==, START + 10);
}

static void
test_a_later_count_is_never_earlier (void)
{
  static const guint64 raws[] = { 0,
                                  999,
                                  1000,
                                  1001,
                                  G_MAXINT64,
                                  (guint64) G_MAXINT64 + 999,
                                  (guint64) G_MAXINT64 + 1000,
                                  (guint64) G_MAXINT64 + 1001,
                                  G_MAXUINT64 };
  NsEtlClock fast = make (NS_CLOCK_QPC, 10000000, 0);
  NsEtlClock odd = make (NS_CLOCK_QPC, 3579545, 0);
  guint i;

  for (i = 1; i < G_N_ELEMENTS (raws); i++)
    {
      g_assert_cmpint (ns_etl_clock_to_ns (&fast, raws[i - 1]),
                       <=,
                       ns_etl_clock_to_ns (&fast, raws[i]));
      g_assert_cmpint (ns_etl_clock_to_ns (&odd, raws[i - 1]),
                       <=,
                       ns_etl_clock_to_ns (&odd, raws[i]));
    }
}

static void
test_a_clock_without_rate_is_told (void)
{
  NsEtlHeader header = { .clock = NS_CLOCK_QPC };
  NsEtlClock clock;

  g_assert_false (ns_etl_clock_init (&clock, &header));
  g_assert_cmpuint (clock.frequency, ==, 10000000);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/clock/counts-are-divided-down", test_counts_are_divided_down);
  g_test_add_func ("/clock/long-sessions-do-not-overflow", test_long_sessions_do_not_overflow);
  g_test_add_func ("/clock/absurd-times-stay-inside", test_absurd_times_stay_inside);
  g_test_add_func ("/clock/system-time-is-the-time", test_system_time_is_the_time);
  g_test_add_func ("/clock/cycles-go-by-megahertz", test_cycles_go_by_megahertz);
  g_test_add_func ("/clock/a-later-count-is-never-earlier", test_a_later_count_is_never_earlier);
  g_test_add_func ("/clock/a-clock-without-rate-is-told", test_a_clock_without_rate_is_told);
  return g_test_run ();
}
