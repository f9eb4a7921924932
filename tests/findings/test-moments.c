/* Tests rules on rows without a start time, and durations near the integer limits.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "finding-claims.h"

#define STATUS_RESET 0xc000020d
#define STATUS_TOO_MANY_ADDRESSES 0xc0000209

static void
assert_not_found (NsTrace *trace, const char *rule)
{
  row_record_all (trace);
  g_assert_cmpint (finding_of (trace, rule)->verdict, ==, NS_VERDICT_NOT_FOUND);
}

/* Asserts that the finding is counted at the end time of the row, and has no cost. */
static void
assert_found_at (NsTrace *trace, const char *rule, gint64 time_ns)
{
  const NsFindingRow *row = finding_of (trace, rule);

  g_assert_cmpint (row->verdict, ==, NS_VERDICT_FOUND);
  g_assert_cmpuint (row->count, ==, 1);
  g_assert_cmpint (row->open_ns, ==, time_ns);
  g_assert_cmpint (row->close_ns, ==, time_ns);
  g_assert_cmpint (row->cost_ns, ==, 0);
}

static void
test_a_call_whose_end_alone_was_written_counts_at_its_end (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);

  row_add_call (trace, "send", STATUS_RESET, SECOND, 100)->open_ns = NS_TIME_NONE;
  row_add_call (trace, "bind", STATUS_TOO_MANY_ADDRESSES, 2 * SECOND, 0)->open_ns = NS_TIME_NONE;
  assert_found_at (trace, "D12", SECOND + MS / 10);
  assert_found_at (trace, "D41", 2 * SECOND + MS / 10);
  test_trace_free (trace);
}

static void
test_a_call_at_no_moment_counts_without_one (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  NsCallRow *call = row_add_call (trace, "connect", 0, SECOND, 0);
  const NsFindingRow *row;

  call->violation = NS_CALL_AFTER_CLOSE;
  call->open_ns = NS_TIME_NONE;
  row_add_call (trace, "send", 0, 3 * SECOND, 100)->violation = NS_CALL_AFTER_CLOSE;
  row = finding_of (trace, "D33");
  g_assert_cmpuint (row->count, ==, 2);
  g_assert_cmpint (row->open_ns, ==, 3 * SECOND);
  test_trace_free (trace);
}

/* Satellite links and full queues have round trips above 31 bits of ns. */
static void
test_a_round_trip_may_take_seconds (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  NsActivityRow *row = row_add_request (trace, "https://host.test/", 200, 0, 20 * SECOND);

  test_extra (row_add_tcp (trace, "192.0.2.1:443", 0, 0, 20 * SECOND))->rtt_us = 3000000;
  row->tcp = 1;
  row->first_byte_ns = 15 * SECOND;
  test_phases (row)[NS_PHASE_TLS] = 5 * SECOND;
  test_phases (row)[NS_PHASE_WAIT] = 10 * SECOND;
  assert_not_found (trace, "D24");
  assert_not_found (trace, "D43");
  test_trace_free (trace);
}

static void
test_delays_of_two_long_round_trips_prove_nothing (void)
{
  NsTrace *trace = test_trace_new (600 * SECOND);
  NsTcpAnomaly anomaly = { .tcp = 1,
                           .n_held = 5,
                           .held_ns = 5 * 2 * SECOND,
                           .held_from_ns = 0,
                           .flow = &ns_tcp_flow_none };

  test_extra (row_add_tcp (trace, "192.0.2.1:443", 0, 0, 20 * SECOND))->rtt_us = 1200000;
  g_array_append_val (trace->tcp_anomalies, anomaly);
  g_assert_cmpint (finding_of (trace, "D23")->verdict, !=, NS_VERDICT_FOUND);
  test_trace_free (trace);
}

/* From the earliest to the latest time that a file can represent. */
static void
test_a_request_may_last_for_all_of_time (void)
{
  NsTrace *trace = test_trace_new (NS_TIME_MAX);
  NsActivityRow *row = row_add_request (trace, "https://host.test/", 200, 0, SECOND);
  const NsFindingRow *found;

  row->open_ns = -NS_TIME_MAX;
  row->close_ns = row->first_byte_ns = NS_TIME_MAX;
  row->winsock = 1;
  test_phases (row)[NS_PHASE_CONNECT] = NS_TIME_MAX;
  test_phases (row)[NS_PHASE_TLS] = NS_TIME_MAX / 2;
  test_phases (row)[NS_PHASE_WAIT] = NS_TIME_MAX / 2;
  /* A gap that touches the start or end of the trace is not judged. */
  row_add_call (trace, "send", 0, SECOND, 100)->close_ns = SECOND;
  row_add_call (trace, "recv", 0, NS_TIME_MAX - SECOND, 100)->close_ns = NS_TIME_MAX - SECOND;
  assert_not_found (trace, "D24");
  assert_not_found (trace, "D43");
  found = finding_of (trace, "D29");
  g_assert_cmpint (found->verdict, ==, NS_VERDICT_FOUND);
  g_assert_cmpint (found->cost_ns, ==, NS_TIME_MAX - 2 * SECOND);
  test_trace_free (trace);
}

/* Possible start and end times of a row. */
static const gint64 moments[] = { NS_TIME_NONE, -NS_TIME_MAX, 0, NS_TIME_MAX, NS_TIME_OPEN };

static void
add_rows (NsTrace *trace, gint64 open_ns, gint64 close_ns)
{
  static const char *const names[] = { "connect", "send", "recv", "getaddrinfo" };
  NsActivityRow *row = row_add_request (trace, "https://host.test/", 302, 0, 0);
  NsTcpRow *tcp = row_add_tcp (trace, "192.0.2.1:443", 0xc00000b5, 0, 0);
  NsDnsRow *dns = row_add_name (trace, "wpad.test", 0, 0, 0);
  guint i;

  row->open_ns = tcp->open_ns = dns->open_ns = open_ns;
  row->close_ns = row->first_byte_ns = tcp->close_ns = dns->close_ns = close_ns;
  row->winsock = row->reused = 1;
  row->tcp = trace->tcp->len;
  for (i = 0; i < NS_N_PHASES; i++)
    test_phases (row)[i] = NS_TIME_MAX;
  test_extra (tcp)->syn_retransmits = 1;
  test_extra (tcp)->idle_ns = NS_TIME_MAX;
  test_extra (tcp)->resumed_ns = open_ns;
  for (i = 0; i < G_N_ELEMENTS (names); i++)
    {
      NsCallRow *call = row_add_call (trace, names[i], i == 0 ? 0xc0000236 : STATUS_RESET, 0, 1);

      call->open_ns = open_ns;
      call->close_ns = close_ns;
    }
}

/* The costs of rows with a missing time, or with the largest possible duration, must not
 * overflow. */
static void
test_rows_at_any_moments_cost_what_a_number_holds (void)
{
  NsTrace *trace = test_trace_new (NS_TIME_MAX);
  const GArray *findings;
  guint i;
  guint j;

  for (i = 0; i < G_N_ELEMENTS (moments); i++)
    for (j = 0; j < 2 * G_N_ELEMENTS (moments); j++)
      add_rows (trace, moments[i], moments[j % G_N_ELEMENTS (moments)]);
  row_record_all (trace);
  findings = ns_findings_get (trace);
  for (i = 0; i < findings->len; i++)
    {
      const NsFindingRow *row = &g_array_index (findings, NsFindingRow, i);

      if (row->cost_ns == NS_UNKNOWN)
        continue;
      g_assert_cmpint (row->cost_ns, >=, 0);
      g_assert_cmpint (row->open_ns, >=, -NS_TIME_MAX);
      g_assert_cmpint (row->close_ns, >=, row->open_ns);
      g_assert_cmpint (row->close_ns, <=, NS_TIME_MAX);
    }
  test_trace_free (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/findings/a-call-whose-end-alone-was-written-counts-at-its-end",
                   test_a_call_whose_end_alone_was_written_counts_at_its_end);
  g_test_add_func ("/findings/a-call-at-no-moment-counts-without-one",
                   test_a_call_at_no_moment_counts_without_one);
  g_test_add_func ("/findings/a-round-trip-may-take-seconds", test_a_round_trip_may_take_seconds);
  g_test_add_func ("/findings/delays-of-two-long-round-trips-prove-nothing",
                   test_delays_of_two_long_round_trips_prove_nothing);
  g_test_add_func ("/findings/a-request-may-last-for-all-of-time",
                   test_a_request_may_last_for_all_of_time);
  g_test_add_func ("/findings/rows-at-any-moments-cost-what-a-number-holds",
                   test_rows_at_any_moments_cost_what_a_number_holds);
  return g_test_run ();
}
