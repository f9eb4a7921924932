/* Tests the time zones of traced machines.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-zone.h"

/* UTC+1, from the last Sunday of March at 2 to the last Sunday of October at 3. */
static const NsZone berlin = {
  .bias_min = -60,
  .daylight_bias_min = -60,
  .daylight = { .month = 3, .weekday = 0, .day = 5, .hour = 2 },
  .standard = { .month = 10, .weekday = 0, .day = 5, .hour = 3 },
};

static int
offset_at (const NsZone *zone, const char *stamp)
{
  guint64 filetime;

  g_assert_true (ns_time_filetime_from_iso (stamp, &filetime));
  return ns_zone_get_offset_min (zone, filetime);
}

static void
test_clocks_are_changed_at_the_minute (void)
{
  g_assert_cmpint (offset_at (&berlin, "2024-01-15T12:00:00Z"), ==, 60);
  g_assert_cmpint (offset_at (&berlin, "2024-03-31T00:59:59Z"), ==, 60);
  g_assert_cmpint (offset_at (&berlin, "2024-03-31T01:00:00Z"), ==, 120);
  g_assert_cmpint (offset_at (&berlin, "2024-07-01T12:00:00Z"), ==, 120);
  g_assert_cmpint (offset_at (&berlin, "2024-10-27T00:59:59Z"), ==, 120);
  g_assert_cmpint (offset_at (&berlin, "2024-10-27T01:00:00Z"), ==, 60);
  /* Other years have other dates. */
  g_assert_cmpint (offset_at (&berlin, "2023-03-26T01:00:00Z"), ==, 120);
  g_assert_cmpint (offset_at (&berlin, "2023-03-26T00:59:59Z"), ==, 60);
}

static void
test_the_nth_sunday_is_counted (void)
{
  /* UTC−8, second Sunday of March to first Sunday of November, both at 2. */
  static const NsZone seattle = {
    .bias_min = 480,
    .daylight_bias_min = -60,
    .daylight = { .month = 3, .weekday = 0, .day = 2, .hour = 2 },
    .standard = { .month = 11, .weekday = 0, .day = 1, .hour = 2 },
  };

  g_assert_cmpint (offset_at (&seattle, "2024-03-10T09:59:59Z"), ==, -480);
  g_assert_cmpint (offset_at (&seattle, "2024-03-10T10:00:00Z"), ==, -420);
  g_assert_cmpint (offset_at (&seattle, "2024-11-03T08:59:59Z"), ==, -420);
  g_assert_cmpint (offset_at (&seattle, "2024-11-03T09:00:00Z"), ==, -480);
  /* New Year's Eve in local time is New Year's Day in UTC. */
  g_assert_cmpint (offset_at (&seattle, "2024-01-01T03:00:00Z"), ==, -480);
}

static void
test_summer_is_at_both_ends_of_the_year_in_the_south (void)
{
  static const NsZone sydney = {
    .bias_min = -600,
    .daylight_bias_min = -60,
    .daylight = { .month = 10, .weekday = 0, .day = 1, .hour = 2 },
    .standard = { .month = 4, .weekday = 0, .day = 1, .hour = 3 },
  };

  g_assert_cmpint (offset_at (&sydney, "2024-01-15T00:00:00Z"), ==, 660);
  g_assert_cmpint (offset_at (&sydney, "2024-04-06T15:59:59Z"), ==, 660);
  g_assert_cmpint (offset_at (&sydney, "2024-04-06T16:00:00Z"), ==, 600);
  g_assert_cmpint (offset_at (&sydney, "2024-10-05T16:00:00Z"), ==, 660);
}

static void
test_without_dates_clocks_are_never_changed (void)
{
  NsZone zone = { .bias_min = -330, .daylight_bias_min = -60 };
  NsZone damaged = berlin;
  NsZone dated = berlin;

  g_assert_cmpint (offset_at (&zone, "2024-07-01T12:00:00Z"), ==, 330);
  damaged.daylight.month = 77;
  g_assert_cmpint (offset_at (&damaged, "2024-07-01T12:00:00Z"), ==, 60);
  /* A transition with a year applies to that year only. */
  dated.daylight = (NsZoneDate){ .year = 2024, .month = 3, .day = 31, .hour = 2 };
  dated.standard = (NsZoneDate){ .year = 2024, .month = 10, .day = 27, .hour = 3 };
  g_assert_cmpint (offset_at (&dated, "2024-03-31T01:00:00Z"), ==, 120);
  g_assert_cmpint (offset_at (&dated, "2025-07-01T12:00:00Z"), ==, 60);
}

static void
test_nonsense_stays_within_a_day (void)
{
  NsZone zone = { .bias_min = G_MININT32, .standard_bias_min = G_MININT32 };

  g_assert_cmpint (ns_zone_get_offset_min (&zone, 0), ==, 24 * 60);
  zone = berlin;
  zone.bias_min = G_MAXINT32;
  g_assert_cmpint (ns_zone_get_offset_min (&zone, G_MAXUINT64), ==, -24 * 60);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/zone/clocks-are-changed-at-the-minute", test_clocks_are_changed_at_the_minute);
  g_test_add_func ("/zone/the-nth-sunday-is-counted", test_the_nth_sunday_is_counted);
  g_test_add_func ("/zone/summer-is-at-both-ends-of-the-year-in-the-south",
                   test_summer_is_at_both_ends_of_the_year_in_the_south);
  g_test_add_func ("/zone/without-dates-clocks-are-never-changed",
                   test_without_dates_clocks_are_never_changed);
  g_test_add_func ("/zone/nonsense-stays-within-a-day", test_nonsense_stays_within_a_day);
  return g_test_run ();
}
