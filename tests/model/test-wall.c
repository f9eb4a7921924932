/* Tests the clocks in which times are shown.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-writer.h"
#include "model/ns-wall.h"

/* Makes a trace that begins on 2024-07-01 at 21:59:58 UTC on a machine in Berlin. */
static NsTrace *
make_trace (void)
{
  static const NsEtlHeader like = {
    .zone = { .bias_min = -60,
              .daylight_bias_min = -60,
              .standard = { .month = 10, .day = 5, .hour = 3 },
              .daylight = { .month = 3, .day = 5, .hour = 2 } },
  };
  NsEtlWriterOptions options = { .like = &like };
  NsTrace *trace = g_new0 (NsTrace, 1);
  g_autoptr (NsEtlWriter) writer = NULL;
  g_autoptr (GBytes) bytes = NULL;

  g_assert_true (ns_time_filetime_from_iso ("2024-07-01T21:59:58Z", &options.start_filetime));
  writer = ns_etl_writer_new (&options);
  bytes = ns_etl_writer_finish (writer);
  trace->file = ns_etl_file_open_bytes (bytes, "test", NULL);
  g_assert_nonnull (trace->file);
  return trace;
}

static void
free_trace (NsTrace *trace)
{
  ns_etl_file_free (trace->file);
  g_free (trace);
}

static void
assert_told (NsTrace *trace, NsWall wall, gint64 time_ns, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  ns_wall_append (wall, trace, time_ns, text);
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_each_clock_tells_the_same_moment (void)
{
  NsTrace *trace = make_trace ();
  g_autofree char *machine = ns_wall_describe (NS_WALL_TRACED, trace, 1104377100);
  g_autofree char *utc = ns_wall_describe (NS_WALL_UTC, trace, 1104377100);
  g_autofree char *here = ns_wall_describe (NS_WALL_HERE, trace, 1104377100);

  assert_told (trace, NS_WALL_TRACED, 1104377100, "23:59:59.104\342\200\211377");
  assert_told (trace, NS_WALL_UTC, 1104377100, "21:59:59.104\342\200\211377");
  /* The date is shown where it differs from that of the start. */
  assert_told (trace, NS_WALL_TRACED, 2 * NS_PER_SECOND, "07-02 00:00:00.000\342\200\211000");
  g_assert_cmpstr (machine, ==, "2024-07-01 23:59:59.104");
  g_assert_cmpstr (utc, ==, "2024-07-01 21:59:59.104");
  /* This test runs in the time zone of Calcutta, which has no daylight saving time. */
  g_assert_cmpstr (here, ==, "2024-07-02 03:29:59.104");
  g_assert_null (ns_wall_describe (NS_WALL_TRACE, trace, 0));
  g_assert_null (ns_wall_describe (NS_WALL_UTC, trace, NS_TIME_OPEN));
  free_trace (trace);
}

static void
test_the_ruler_counts_from_midnight (void)
{
  NsTrace *trace = make_trace ();

  g_assert_cmpint (ns_wall_get_base_ns (NS_WALL_TRACE, trace), ==, -1);
  g_assert_cmpint (ns_wall_get_base_ns (NS_WALL_UTC, trace),
                   ==,
                   ((21 * 60 + 59) * 60 + 58) * NS_PER_SECOND);
  g_assert_cmpint (ns_wall_get_base_ns (NS_WALL_HERE, trace),
                   ==,
                   ((3 * 60 + 29) * 60 + 58) * NS_PER_SECOND);
  free_trace (trace);
}

static void
test_names_lead_back_to_clocks (void)
{
  NsWall wall;
  guint i;

  for (i = 0; i < NS_N_WALLS; i++)
    {
      g_assert_true (ns_wall_from_name (ns_wall_get_name ((NsWall) i), &wall));
      g_assert_cmpuint (wall, ==, i);
    }
  g_assert_false (ns_wall_from_name ("sundial", &wall));
}

int
main (int argc, char *argv[])
{
  g_setenv ("TZ", "IST-5:30", TRUE);
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/wall/each-clock-tells-the-same-moment", test_each_clock_tells_the_same_moment);
  g_test_add_func ("/wall/the-ruler-counts-from-midnight", test_the_ruler_counts_from_midnight);
  g_test_add_func ("/wall/names-lead-back-to-clocks", test_names_lead_back_to_clocks);
  return g_test_run ();
}
