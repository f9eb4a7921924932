/* Tests the lanes of logs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-timeline-paint.h"
#include "engine/open/ns-log.h"

#include "ns-fake-trace.h"

static const NsTimelineTexts words = { "connection",  "no server", "no process",
                                       "no activity", NULL,        "cache" };

static void
add_line (NsTrace *trace, guint16 log, gint64 time_ns, gboolean failed)
{
  NsLogRow *row = test_trace_add (trace->log);

  row->log = log;
  row->source = ns_strings_add (trace->strings, log == 0 ? "web.log" : "pfirewall.log");
  row->time_ns = time_ns;
  row->uncertainty_ns = 10;
  row->failed = failed;
  row->confidence = -1;
}

/* Makes one process, and two logs with interleaved lines; the third line is of the other log, the
 * rest of web.log. */
static NsTrace *
story (void)
{
  NsTrace *trace = fake_trace_new (1000);

  fake_trace_add (trace, 1, "a", 1, 200, 300);
  add_line (trace, 0, 100, FALSE);
  add_line (trace, 0, 200, TRUE);
  add_line (trace, 1, 400, TRUE);
  add_line (trace, 0, 900, FALSE);
  return trace;
}

static guint
count_lanes (const NsTimelineLanes *lanes)
{
  guint n = 0;
  guint i;

  for (i = 0; i < lanes->shown->len; i++)
    if (ns_timeline_lanes_get (lanes, g_array_index (lanes->shown, guint32, i))->kind ==
        NS_LANE_LOG)
      n++;
  return n;
}

static void
test_a_log_has_a_lane_below_all_others (void)
{
  NsTrace *trace = story ();
  g_autoptr (NsTimelineLanes) lanes = ns_timeline_lanes_new (trace, NULL, &words);
  const NsLane *web = ns_timeline_lanes_get (lanes, ns_timeline_lanes_find_log (lanes, 0));
  const NsLane *firewall = ns_timeline_lanes_get (lanes, ns_timeline_lanes_find_log (lanes, 1));

  g_assert_cmpuint (count_lanes (lanes), ==, 2);
  g_assert_cmpuint (ns_timeline_lanes_find_log (lanes, 0), ==, lanes->lanes->len - 2);
  g_assert_cmpuint (ns_timeline_lanes_find_log (lanes, 2), ==, NS_LANE_NONE);
  g_assert_cmpstr (web->name, ==, "web.log");
  g_assert_cmpstr (firewall->name, ==, "pfirewall.log");
  g_assert_cmpuint (web->n_marks, ==, 3);
  g_assert_cmpuint (web->n_failed, ==, 1);
  g_assert_cmpuint (firewall->n_marks, ==, 1);
  g_assert_cmpuint (web->key, !=, firewall->key);
  fake_trace_free (trace);
}

static void
test_without_logs_there_is_no_lane (void)
{
  NsTrace *trace = fake_trace_new (1000);
  g_autoptr (NsTimelineLanes) lanes = NULL;

  fake_trace_add (trace, 1, "a", 1, 200, 300);
  lanes = ns_timeline_lanes_new (trace, NULL, &words);
  g_assert_cmpuint (count_lanes (lanes), ==, 0);
  fake_trace_free (trace);
}

/* A press hits the nearest log line. */
static void
test_a_line_is_found_where_it_stands (void)
{
  NsTrace *trace = story ();
  g_autoptr (NsTimelineLanes) lanes = ns_timeline_lanes_new (trace, NULL, &words);
  guint web = ns_timeline_lanes_find_shown (lanes, ns_timeline_lanes_find_log (lanes, 0));
  NsTimelineLayout layout;

  ns_timeline_layout_init (&layout, (NsTimeSpan){ 0, 1000 }, 1000);
  g_assert_cmpuint (ns_timeline_logs_find_at (lanes, &layout, web, 99)->row, ==, 0);
  g_assert_cmpuint (ns_timeline_logs_find_at (lanes, &layout, web, 201)->row, ==, 1);
  g_assert_cmpuint (ns_timeline_logs_find_at (lanes, &layout, web, 902)->row, ==, 3);
  g_assert_null (ns_timeline_logs_find_at (lanes, &layout, web, 400));
  g_assert_cmpuint (ns_timeline_logs_find_at (lanes, &layout, web + 1, 400)->row, ==, 2);
  g_assert_null (ns_timeline_logs_find_at (lanes, &layout, 0, 200));
  fake_trace_free (trace);
}

/* Rejected lines are hidden, or shown without being counted. */
static void
test_a_filter_keeps_lines (void)
{
  NsTrace *trace = story ();
  g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (guint32));
  NsLaneOptions options = { .log_rows = kept };
  g_autoptr (NsTimelineLanes) hidden = NULL;
  g_autoptr (NsTimelineLanes) dimmed = NULL;
  const NsLane *lane;
  guint32 row = 1;
  guint web;
  NsTimelineLayout layout;

  g_array_append_val (kept, row);
  ns_timeline_layout_init (&layout, (NsTimeSpan){ 0, 1000 }, 1000);
  hidden = ns_timeline_lanes_new_grouped (trace, NULL, &words, &options);
  lane = ns_timeline_lanes_get (hidden, ns_timeline_lanes_find_log (hidden, 0));
  g_assert_cmpuint (lane->n_marks, ==, 1);
  g_assert_cmpuint (lane->n_matching_marks, ==, 1);
  web = ns_timeline_lanes_find_shown (hidden, ns_timeline_lanes_find_log (hidden, 0));
  g_assert_null (ns_timeline_logs_find_at (hidden, &layout, web, 100));
  g_assert_cmpuint (ns_timeline_logs_find_at (hidden, &layout, web, 200)->row, ==, 1);

  options.dims_logs = TRUE;
  dimmed = ns_timeline_lanes_new_grouped (trace, NULL, &words, &options);
  lane = ns_timeline_lanes_get (dimmed, ns_timeline_lanes_find_log (dimmed, 0));
  g_assert_cmpuint (lane->n_marks, ==, 3);
  g_assert_cmpuint (lane->n_matching_marks, ==, 1);
  g_assert_false (ns_timeline_logs_find_at (dimmed, &layout, web, 100)->is_matching);
  fake_trace_free (trace);
}

/* Log lanes can be hidden and pinned like other lanes. */
static void
test_a_lane_of_a_log_is_marked (void)
{
  NsTrace *trace = story ();
  g_autoptr (NsTimelineLanes) lanes = ns_timeline_lanes_new (trace, NULL, &words);
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (NsLaneMark));
  const NsLane *web = ns_timeline_lanes_get (lanes, ns_timeline_lanes_find_log (lanes, 0));
  const NsLane *firewall = ns_timeline_lanes_get (lanes, ns_timeline_lanes_find_log (lanes, 1));
  NsLaneMark hide = { web->key, NS_LANE_LOG, TRUE, FALSE };
  NsLaneMark pin = { firewall->key, NS_LANE_LOG, FALSE, TRUE };

  g_array_append_val (marks, hide);
  g_array_append_val (marks, pin);
  ns_timeline_lanes_mark (lanes, marks);
  g_assert_cmpuint (ns_timeline_lanes_find_shown (lanes, ns_timeline_lanes_find_log (lanes, 0)),
                    ==,
                    NS_LANE_NONE);
  g_assert_cmpuint (ns_timeline_lanes_find_shown (lanes, ns_timeline_lanes_find_log (lanes, 1)),
                    ==,
                    0);
  g_assert_cmpuint (lanes->n_hidden, ==, 1);
  fake_trace_free (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/logs/a-log-has-a-lane-below-all-others",
                   test_a_log_has_a_lane_below_all_others);
  g_test_add_func ("/logs/without-logs-there-is-no-lane", test_without_logs_there_is_no_lane);
  g_test_add_func ("/logs/a-line-is-found-where-it-stands", test_a_line_is_found_where_it_stands);
  g_test_add_func ("/logs/a-filter-keeps-lines", test_a_filter_keeps_lines);
  g_test_add_func ("/logs/a-lane-of-a-log-is-marked", test_a_lane_of_a_log_is_marked);
  return g_test_run ();
}
