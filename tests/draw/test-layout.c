/* Tests the positions of times and phases on the timeline.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-layout.h"

#include <string.h>

#include <math.h>

static void
test_zoom_keeps_the_moment_under_the_pointer (void)
{
  NsTimelineLayout layout;
  NsTimeSpan whole = { 0, 14 * NS_PER_SECOND };
  double x;

  for (x = 0; x <= 1000; x += 125)
    {
      gint64 moment;
      guint i;

      ns_timeline_layout_init (&layout, whole, 1000);
      moment = ns_timeline_layout_time_at (&layout, x);
      for (i = 0; i < 20; i++)
        {
          ns_timeline_layout_zoom (&layout, x, 1.5);
          g_assert_cmpfloat_with_epsilon (ns_timeline_layout_x_at (&layout, moment), x, 0.5);
        }
    }
}

static void
test_window_stays_inside_the_trace (void)
{
  NsTimelineLayout layout;
  NsTimeSpan whole = { -5, 1000000 };
  NsTimeSpan beyond = { 900000, 5000000 };

  ns_timeline_layout_init (&layout, whole, 100);
  ns_timeline_layout_zoom (&layout, 50, 1e9);
  g_assert_cmpint (layout.end_ns - layout.begin_ns, ==, 1000);
  ns_timeline_layout_pan (&layout, 1e12);
  g_assert_cmpint (layout.end_ns, ==, 1000000);
  ns_timeline_layout_pan (&layout, -1e12);
  g_assert_cmpint (layout.begin_ns, ==, -5);
  ns_timeline_layout_zoom (&layout, 50, 1e-9);
  g_assert_cmpint (layout.begin_ns, ==, -5);
  g_assert_cmpint (layout.end_ns, ==, 1000000);
  ns_timeline_layout_show (&layout, beyond);
  g_assert_cmpint (layout.end_ns, ==, 1000000);
}

/* If the end of the trace is missing, an open row ends with the last record read. */
static void
test_open_rows_end_where_the_reading_ended (void)
{
  NsTimelineLayout layout;
  NsTimeSpan whole = { 0, 1000000 };

  ns_timeline_layout_init (&layout, whole, 1000);
  g_assert_cmpfloat (ns_timeline_layout_x_at (&layout, NS_TIME_OPEN), ==, 1000);
  layout.open_end_ns = 250000;
  g_assert_cmpfloat (ns_timeline_layout_x_at (&layout, NS_TIME_OPEN), ==, 250);
}

static void
test_empty_trace_has_a_width (void)
{
  NsTimelineLayout layout;
  NsTimeSpan nothing = { 0, 0 };

  ns_timeline_layout_init (&layout, nothing, 0);
  ns_timeline_layout_zoom (&layout, 0, 2);
  g_assert_cmpint (layout.end_ns, >, layout.begin_ns);
  g_assert_true (isfinite (ns_timeline_layout_x_at (&layout, 5)));
}

static void
test_steps_are_round (void)
{
  NsTimelineLayout layout;
  NsTimeSpan whole = { 0, 14400000000 };
  g_autofree char *seconds = ns_timeline_layout_tick_to_text (12200000000, 200000000);
  g_autofree char *whole_seconds = ns_timeline_layout_tick_to_text (6000000000, 2000000000);
  g_autofree char *before = ns_timeline_layout_tick_to_text (-20000000, 20000000);

  ns_timeline_layout_init (&layout, whole, 800);
  g_assert_cmpint (ns_timeline_layout_get_step (&layout, 72), ==, 2000000000);
  g_assert_cmpint (ns_timeline_layout_get_step (&layout, 30), ==, 1000000000);
  g_assert_cmpstr (seconds, ==, "12.2 s");
  g_assert_cmpstr (whole_seconds, ==, "6 s");
  g_assert_cmpstr (before, ==, "−0.02 s");
}

static void
set_phases (NsActivityRow *row,
            gint64 queue,
            gint64 dns,
            gint64 connect,
            gint64 send,
            gint64 wait,
            gint64 receive)
{
  static gint64 phases[NS_N_PHASES];

  row->phases = phases;
  phases[NS_PHASE_POOL] = NS_UNKNOWN;
  phases[NS_PHASE_QUEUE] = queue;
  phases[NS_PHASE_PROXY] = NS_UNKNOWN;
  phases[NS_PHASE_DNS] = dns;
  phases[NS_PHASE_CONNECT] = connect;
  phases[NS_PHASE_TLS] = NS_UNKNOWN;
  phases[NS_PHASE_SEND] = send;
  phases[NS_PHASE_WAIT] = wait;
  phases[NS_PHASE_RECEIVE] = receive;
  phases[NS_PHASE_OTHER] = NS_UNKNOWN;
}

/* Time without a phase is not the failed phase; the bar keeps its known phases beside the failed
 * one. */
static void
test_the_last_known_phase_failed (void)
{
  NsActivityRow row = { .close_ns = 1000, .failed = TRUE };
  NsPhaseBox boxes[NS_N_PHASES + 1];
  guint n_boxes;
  guint at;

  /* 300 ns after the connect belong to no phase. */
  set_phases (&row, 100, NS_UNKNOWN, 600, NS_UNKNOWN, NS_UNKNOWN, NS_UNKNOWN);
  g_assert_cmpint (ns_timeline_get_failed_phase (&row), ==, NS_PHASE_CONNECT);
  n_boxes = ns_timeline_split_bar (&row, 1000, 0, 100, boxes);
  at = ns_timeline_show_failure (&row, 6, boxes, &n_boxes);
  g_assert_cmpuint (n_boxes, ==, 3);
  g_assert_cmpint (boxes[at].phase, ==, NS_PHASE_CONNECT);
  g_assert_cmpfloat (boxes[at].x0, ==, 10);
  g_assert_cmpfloat (boxes[at].x1, ==, 70);
  g_assert_cmpint (boxes[2].phase, ==, NS_PHASE_OTHER);
  g_assert_cmpfloat (boxes[2].x1, ==, 100);

  /* Too short for a box of its own: it takes width from the previous phase. */
  set_phases (&row, NS_UNKNOWN, 100, 800, NS_UNKNOWN, 99, 1);
  g_assert_cmpint (ns_timeline_get_failed_phase (&row), ==, NS_PHASE_RECEIVE);
  n_boxes = ns_timeline_split_bar (&row, 1000, 0, 100, boxes);
  at = ns_timeline_show_failure (&row, 6, boxes, &n_boxes);
  g_assert_cmpint (boxes[at].phase, ==, NS_PHASE_RECEIVE);
  g_assert_cmpfloat (boxes[at].x0, ==, 94);
  g_assert_cmpfloat (boxes[at].x1, ==, 100);
  g_assert_cmpint (boxes[at - 1].phase, ==, NS_PHASE_WAIT);
  g_assert_cmpfloat (boxes[at - 1].x1, ==, 94);
}

static void
test_phases_add_up_to_the_bar (void)
{
  GRand *rand = g_rand_new_with_seed (3);
  guint i;

  for (i = 0; i < 2000; i++)
    {
      NsActivityRow row = { 0 };
      NsPhaseBox boxes[NS_N_PHASES + 1];
      double x0 = g_rand_double_range (rand, -50, 500);
      double x1 = x0 + g_rand_double_range (rand, 0.1, 300);
      guint n_boxes;
      guint k;

      row.open_ns = 1000;
      row.close_ns = i % 7 == 0 ? NS_TIME_OPEN : 1000 + g_rand_int_range (rand, 0, 5000);
      set_phases (&row,
                  g_rand_int_range (rand, -1, 800),
                  g_rand_int_range (rand, -1, 800),
                  g_rand_int_range (rand, -1, 800),
                  g_rand_int_range (rand, -1, 20),
                  g_rand_int_range (rand, -1, 800),
                  g_rand_int_range (rand, -1, 800));
      n_boxes = ns_timeline_split_bar (&row, 9000, x0, x1, boxes);
      g_assert_cmpuint (n_boxes, >=, 1);
      g_assert_cmpfloat (boxes[0].x0, ==, floor (x0));
      g_assert_cmpfloat (boxes[n_boxes - 1].x1, ==, MAX (floor (x1), floor (x0) + 1));
      for (k = 0; k < n_boxes; k++)
        g_assert_cmpfloat (boxes[k].x1, >, boxes[k].x0);
      for (k = 1; k < n_boxes; k++)
        g_assert_cmpfloat (boxes[k].x0, ==, boxes[k - 1].x1);
    }
  g_rand_free (rand);
}

static void
test_phases_are_in_proportion (void)
{
  NsActivityRow row = { 0 };
  NsPhaseBox boxes[NS_N_PHASES + 1];

  row.close_ns = 1000;
  set_phases (&row, 100, 200, 0, 100, 400, 200);
  g_assert_cmpuint (ns_timeline_split_bar (&row, 0, 10, 110, boxes), ==, 5);
  g_assert_cmpint (boxes[0].phase, ==, NS_PHASE_QUEUE);
  g_assert_cmpfloat (boxes[0].x1, ==, 20);
  g_assert_cmpint (boxes[1].phase, ==, NS_PHASE_DNS);
  g_assert_cmpfloat (boxes[1].x1, ==, 40);
  g_assert_cmpint (boxes[3].phase, ==, NS_PHASE_WAIT);
  g_assert_cmpfloat (boxes[3].x1, ==, 90);
}

static void
test_untraced_time_is_shown_as_such (void)
{
  NsActivityRow row = { 0 };
  NsPhaseBox boxes[NS_N_PHASES + 1];

  row.close_ns = 1000;
  set_phases (&row, NS_UNKNOWN, NS_UNKNOWN, NS_UNKNOWN, 100, 300, 100);
  g_assert_cmpuint (ns_timeline_split_bar (&row, 0, 0, 100, boxes), ==, 4);
  g_assert_false (boxes[0].is_traced);
  g_assert_cmpfloat (boxes[0].x1, ==, 50);
  g_assert_true (boxes[1].is_traced);

  /* The last part without a phase is not a wait. */
  set_phases (&row, 100, 100, 100, 100, 200, 100);
  g_assert_cmpuint (ns_timeline_split_bar (&row, 0, 0, 100, boxes), ==, 7);
  g_assert_cmpint (boxes[6].phase, ==, NS_PHASE_OTHER);
  g_assert_false (boxes[6].is_traced);
  g_assert_true (boxes[5].is_traced);
  g_assert_cmpuint (ns_timeline_split_bar (&row, 0, 0, 15, boxes), ==, 7);
  g_assert_true (boxes[6].is_traced);
  row.close_ns = NS_TIME_NONE;
  g_assert_cmpuint (ns_timeline_split_bar (&row, 1000, 0, 100, boxes), ==, 7);
  g_assert_true (boxes[6].is_traced);
  row.close_ns = 1000;

  /* A row without phases is one part. */
  set_phases (&row, NS_UNKNOWN, NS_UNKNOWN, NS_UNKNOWN, NS_UNKNOWN, NS_UNKNOWN, NS_UNKNOWN);
  g_assert_cmpuint (ns_timeline_split_bar (&row, 0, 0, 100, boxes), ==, 1);
  g_assert_true (boxes[0].is_traced);
}

/* A connection begins with its connect phase; a request over it follows. */
static void
test_a_connection_has_nothing_before_its_connect (void)
{
  NsActivityRow row = { .source_table = NS_TABLE_FLOWS, .close_ns = 1000 };
  NsPhaseBox boxes[NS_N_PHASES + 1];

  set_phases (&row, NS_UNKNOWN, NS_UNKNOWN, 100, 200, NS_UNKNOWN, NS_UNKNOWN);
  g_assert_cmpuint (ns_timeline_split_bar (&row, 0, 0, 100, boxes), ==, 3);
  g_assert_cmpint (boxes[0].phase, ==, NS_PHASE_CONNECT);
  g_assert_cmpint (boxes[1].phase, ==, NS_PHASE_SEND);
  g_assert_cmpfloat (boxes[1].x1, ==, 30);
  g_assert_cmpint (boxes[2].phase, ==, NS_PHASE_OTHER);
  g_assert_true (boxes[2].is_traced);

  /* For QUIC it begins with the handshake; no event covers the rest. */
  row.source_table = NS_TABLE_QUIC;
  set_phases (&row, NS_UNKNOWN, NS_UNKNOWN, 100, NS_UNKNOWN, NS_UNKNOWN, NS_UNKNOWN);
  g_assert_cmpuint (ns_timeline_split_bar (&row, 0, 0, 100, boxes), ==, 2);
  g_assert_cmpint (boxes[0].phase, ==, NS_PHASE_CONNECT);
  g_assert_cmpint (boxes[1].phase, ==, NS_PHASE_OTHER);
  g_assert_false (boxes[1].is_traced);

  row.source_table = NS_TABLE_FLOWS;
  set_phases (&row, NS_UNKNOWN, NS_UNKNOWN, 100, NS_UNKNOWN, 300, 400);
  g_assert_cmpuint (ns_timeline_split_bar (&row, 0, 0, 100, boxes), ==, 4);
  g_assert_cmpint (boxes[0].phase, ==, NS_PHASE_CONNECT);
  g_assert_false (boxes[1].is_traced);
  g_assert_cmpint (boxes[2].phase, ==, NS_PHASE_WAIT);
  g_assert_cmpfloat (boxes[2].x0, ==, 30);
}

static void
test_rows_of_tables_are_as_high_as_lanes (void)
{
  g_autofree char *normal = ns_timeline_metrics_to_css (1);
  g_autofree char *large = ns_timeline_metrics_to_css (2);

  g_assert_cmpstr (normal, ==, "");
  /* 48 px including the separator line. */
  g_assert_nonnull (strstr (large, "row > cell { min-height: 47px; }"));
  g_assert_nonnull (strstr (large, "tab { min-height: 66px; }"));
  g_assert_nonnull (strstr (large, "expander { -gtk-icon-size: 32px; }"));
}

static void
test_measures_grow_with_the_font (void)
{
  NsTimelineMetrics metrics;

  ns_timeline_metrics_init (&metrics, 0.5);
  g_assert_cmpfloat (metrics.lane, ==, 24);
  g_assert_cmpfloat (metrics.bar, ==, 16);
  ns_timeline_metrics_init (&metrics, 1.3);
  g_assert_cmpfloat (metrics.lane, ==, 36);
  ns_timeline_metrics_init (&metrics, 2);
  g_assert_cmpfloat (metrics.lane, ==, 48);
  g_assert_cmpfloat (metrics.bar, ==, 32);
}

static void
test_a_clock_ticks_at_round_times (void)
{
  static const struct
  {
    gint64 span_ns;
    gint64 step_ns;
  } steps[] = {
    { NS_PER_SECOND, 100000000 },
    { 100 * NS_PER_SECOND, 10 * NS_PER_SECOND },
    { 3600 * NS_PER_SECOND, 600 * NS_PER_SECOND },
    { 10 * 86400 * NS_PER_SECOND, 86400 * NS_PER_SECOND },
  };
  g_autofree char *exact =
      ns_timeline_layout_clock_to_text (86399 * NS_PER_SECOND + 250000000, 50000000);
  g_autofree char *seconds = ns_timeline_layout_clock_to_text (3661 * NS_PER_SECOND, NS_PER_SECOND);
  g_autofree char *next_day =
      ns_timeline_layout_clock_to_text (90000 * NS_PER_SECOND, 3600 * NS_PER_SECOND);
  g_autofree char *day_before =
      ns_timeline_layout_clock_to_text (-60 * NS_PER_SECOND, 60 * NS_PER_SECOND);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      NsTimelineLayout layout;

      ns_timeline_layout_init (&layout, (NsTimeSpan){ 0, steps[i].span_ns }, 1000);
      g_assert_cmpint (ns_timeline_layout_get_clock_step (&layout, 96), ==, steps[i].step_ns);
    }
  g_assert_cmpstr (exact, ==, "23:59:59.25");
  g_assert_cmpstr (seconds, ==, "01:01:01");
  g_assert_cmpstr (next_day, ==, "01:00");
  g_assert_cmpstr (day_before, ==, "23:59");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/layout/the-last-known-phase-failed", test_the_last_known_phase_failed);
  g_test_add_func ("/layout/rows-of-tables-are-as-high-as-lanes",
                   test_rows_of_tables_are_as_high_as_lanes);
  g_test_add_func ("/layout/zoom-keeps-the-moment-under-the-pointer",
                   test_zoom_keeps_the_moment_under_the_pointer);
  g_test_add_func ("/layout/window-stays-inside-the-trace", test_window_stays_inside_the_trace);
  g_test_add_func ("/layout/open-rows-end-where-the-reading-ended",
                   test_open_rows_end_where_the_reading_ended);
  g_test_add_func ("/layout/empty-trace-has-a-width", test_empty_trace_has_a_width);
  g_test_add_func ("/layout/steps-are-round", test_steps_are_round);
  g_test_add_func ("/layout/phases-add-up-to-the-bar", test_phases_add_up_to_the_bar);
  g_test_add_func ("/layout/phases-are-in-proportion", test_phases_are_in_proportion);
  g_test_add_func ("/layout/untraced-time-is-shown-as-such", test_untraced_time_is_shown_as_such);
  g_test_add_func ("/layout/a-connection-has-nothing-before-its-connect",
                   test_a_connection_has_nothing_before_its_connect);
  g_test_add_func ("/layout/measures-grow-with-the-font", test_measures_grow_with_the_font);
  g_test_add_func ("/layout/a-clock-ticks-at-round-times", test_a_clock_ticks_at_round_times);
  return g_test_run ();
}
