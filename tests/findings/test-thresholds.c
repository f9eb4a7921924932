/* Tests thresholds: the shipped file, user overrides, errors with line numbers, and the values
 * named in findings.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-error.h"
#include "engine/trace/ns-thresholds.h"
#include "engine/trace/ns-view-context.h"
#include "finding-claims.h"

#include <glib/gstdio.h>
#include <string.h>

static gboolean
add (NsThresholds *thresholds, const char *text, GError **error)
{
  return ns_thresholds_add (thresholds, "mine", text, strlen (text), error);
}

static void
add_well (NsThresholds *thresholds, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (add (thresholds, text, &error));
  g_assert_no_error (error);
}

/* Sets the thresholds of a trace before its findings are computed. */
static void
judge_by (NsTrace *trace, const char *text)
{
  NsThresholds *thresholds = ns_thresholds_new ();

  add_well (thresholds, text);
  ns_thresholds_unref (trace->thresholds);
  trace->thresholds = thresholds;
}

/* Every line of the file is a known threshold, and every threshold has a line. */
static void
test_the_shipped_file_has_every_threshold_once (void)
{
  g_autoptr (NsThresholds) thresholds = ns_thresholds_new ();
  const char *path = g_getenv ("NETSTITCH_TEST_THRESHOLDS");
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  guint i;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  add_well (thresholds, text);
  for (i = 0; i < NS_N_THRESHOLDS; i++)
    {
      g_autofree char *line = g_strdup_printf ("\n%s = ", ns_threshold_get_key (i));

      g_assert_nonnull (strstr (text, line));
    }
}

static void
test_lines_of_the_user_override_those_they_name_and_no_others (void)
{
  g_autoptr (NsThresholds) other = ns_thresholds_new ();
  g_autoptr (NsThresholds) thresholds = ns_thresholds_new ();
  gint64 problem_ns = ns_threshold_get_ns (thresholds, NS_THRESHOLD_D01_PROBLEM);

  add_well (thresholds,
            "# mine\r\n\n  D01.slow=1.5 s # slower\nD17.share = 2.5 %\n"
            "D22.bytes = 100 bytes\nD31.hops = 4 times");
  g_assert_cmpint (ns_threshold_get_ns (thresholds, NS_THRESHOLD_D01_SLOW), ==, 1500 * MS);
  g_assert_cmpint (ns_threshold_get_ns (thresholds, NS_THRESHOLD_D01_PROBLEM), ==, problem_ns);
  g_assert_cmpuint (ns_threshold_get (thresholds, NS_THRESHOLD_D17_SHARE), ==, 25);
  g_assert_cmpuint (ns_threshold_get (thresholds, NS_THRESHOLD_D22_BYTES), ==, 100);
  g_assert_cmpuint (ns_threshold_get (thresholds, NS_THRESHOLD_D31_HOPS), ==, 4);
  add_well (thresholds, "D31.hops = 5 times"); /* later lines override earlier ones */
  g_assert_cmpuint (ns_threshold_get (thresholds, NS_THRESHOLD_D31_HOPS), ==, 5);
  g_assert_cmpint (ns_threshold_get_ns (thresholds, NS_THRESHOLD_D01_SLOW), ==, 1500 * MS);
  g_assert_cmpint (ns_threshold_get_ns (other, NS_THRESHOLD_D01_SLOW), ==, 300 * MS);
}

/* Counts made while a trace is opened use the thresholds of its view context; open traces keep
 * theirs. */
static void
test_who_counts_while_opening_is_told (void)
{
  g_autoptr (NsViewContext) view = ns_view_context_new ();
  g_autoptr (NsThresholds) usual = ns_view_context_dup_thresholds (view);
  g_autoptr (NsThresholds) wanted = NULL;
  NsThresholds *thresholds = ns_thresholds_new ();

  add_well (thresholds, "D23.short-from = 20 ms\nD23.long-to = 600 ms");
  ns_view_context_set_thresholds (view, thresholds);
  wanted = ns_view_context_dup_thresholds (view);
  g_assert_cmpint (ns_threshold_get_ns (usual, NS_THRESHOLD_D23_SHORT_FROM), ==, 40 * MS);
  g_assert_cmpint (ns_threshold_get_ns (usual, NS_THRESHOLD_D23_LONG_TO), ==, 220 * MS);
  g_assert_cmpint (ns_threshold_get_ns (wanted, NS_THRESHOLD_D23_SHORT_FROM), ==, 20 * MS);
  g_assert_cmpint (ns_threshold_get_ns (wanted, NS_THRESHOLD_D23_SHORT_TO), ==, 55 * MS);
  g_assert_cmpint (ns_threshold_get_ns (wanted, NS_THRESHOLD_D23_LONG_TO), ==, 600 * MS);
}

/* A threshold of 0 must not be used as a divisor. */
static void
test_no_round_trips_are_a_threshold_too (void)
{
  NsTrace *trace = test_trace_new (60 * SECOND);
  NsTcpRow *tcp = row_add_tcp (trace, "192.0.2.1:443", 0, 0, SECOND);
  NsTcpAnomaly anomaly = { .tcp = 1, .n_held = 5, .held_ns = 200 * MS, .flow = &ns_tcp_flow_none };

  test_extra (tcp)->rtt_us = 30000;
  g_array_append_val (trace->tcp_anomalies, anomaly);
  row_record_all (trace);
  judge_by (trace, "D23.round-trips = 0 times");
  g_assert_cmpint (finding_of (trace, "D23")->verdict, ==, NS_VERDICT_FOUND);
  test_trace_free (trace);
}

static void
test_wrong_lines_are_told_with_file_and_line_and_change_nothing (void)
{
  g_autoptr (NsThresholds) thresholds = ns_thresholds_new ();
  static const struct
  {
    const char *text;
    const char *told;
  } wrong[] = {
    { "D01.slow = 1 s\nD01.slwo = 2 s",
      "mine:2: there is no threshold “D01.slwo”; did you mean D01.slow?" },
    { "\n\nslow", "mine:3: “slow” is not a threshold: write KEY = NUMBER UNIT" },
    { "D01.slow = 300",
      "mine:1: “300” is not a value of D01.slow: write a number and its unit (ms, s), such as 1 "
      "ms" },
    { "D01.slow = 300 %", "mine:1: “300 %” is not a value of D01.slow" },
    { "D01.slow = -1 ms", "mine:1: “-1 ms” is not a value" },
    { "D01.slow = 1e3 ms", "mine:1: “1e3 ms” is not a value" },
    { "D01.slow = 1. s", "mine:1: “1. s” is not a value" },
    { "D01.slow = .5 s", "mine:1: “.5 s” is not a value" },
    { "D01.slow = 1.2.3 s", "mine:1: “1.2.3 s” is not a value" },
    { "D01.slow = nan s", "mine:1: “nan s” is not a value" },
    { "D01.slow = 999999999999999 s", "mine:1: “999999999999999 s” is not a value" },
    { "D01.slow =", "mine:1: “” is not a value" },
    { "D01.slow = 0 ms", "mine:1: the value of D01.slow must be from 1 ms to 3600 s" },
    { "D01.slow = 3601 s", "mine:1: the value of D01.slow must be from 1 ms to 3600 s" },
    { "D17.share = 100.1 %", "mine:1: the value of D17.share must be from 0.1 % to 100 %" },
    { "D28.share = 2.5 %", "mine:1: “2.5 %” is not a value of D28.share" },
    { "D01.slow = 1 s\nD01.slow = 2 s", "mine:2: D01.slow is specified twice in this file" },
    { "D01.slow = 1 s\na\nD08.connects = 0 times",
      "mine:2: “a” is not a threshold: write KEY = NUMBER UNIT\nmine:3: the value of D08.connects "
      "must be" },
    { "D01.slow = \x1b[31m\xff", "mine:1: “" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (add (thresholds, wrong[i].text, &error));
      g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
      if (!g_str_has_prefix (error->message, wrong[i].told))
        g_assert_cmpstr (error->message, ==, wrong[i].told);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      g_assert_null (strchr (error->message, '\x1b'));
      g_assert_cmpint (ns_threshold_get_ns (thresholds, NS_THRESHOLD_D01_SLOW), ==, 300 * MS);
    }
}

static void
test_of_many_wrong_lines_the_first_are_told_and_the_others_counted (void)
{
  g_autoptr (NsThresholds) thresholds = ns_thresholds_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  guint i;

  for (i = 0; i < 1000; i++)
    g_string_append (text, "nonsense\n");
  g_assert_false (add (thresholds, text->str, &error));
  g_assert_nonnull (strstr (error->message, "\nmine:10: "));
  g_assert_null (strstr (error->message, "\nmine:11: "));
  g_assert_true (g_str_has_suffix (error->message, "\nand 990 more lines"));
}

static void
test_the_file_of_the_user_is_read_where_it_is (void)
{
  g_autoptr (NsThresholds) thresholds = ns_thresholds_new ();
  g_autofree char *folder = g_build_filename (g_get_user_config_dir (), "netstitch", NULL);
  g_autofree char *path = g_build_filename (folder, "thresholds", NULL);
  g_autofree char *told = g_strconcat (path, ":2: ", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (ns_thresholds_add_default_file (thresholds, &error)); /* the file does not exist */
  g_assert_no_error (error);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_file_set_contents (path, "D01.slow = 7 ms\n", -1, NULL);
  g_assert_true (ns_thresholds_add_default_file (thresholds, &error));
  g_assert_no_error (error);
  g_assert_cmpint (ns_threshold_get_ns (thresholds, NS_THRESHOLD_D01_SLOW), ==, 7 * MS);
  ns_thresholds_unref (thresholds);
  thresholds = ns_thresholds_new ();
  g_file_set_contents (path, "D01.slow = 7 ms\nx", -1, NULL);
  g_assert_false (ns_thresholds_add_default_file (thresholds, &error));
  g_assert_true (g_str_has_prefix (error->message, told));
  g_assert_cmpint (ns_threshold_get_ns (thresholds, NS_THRESHOLD_D01_SLOW), ==, 300 * MS);
}

static NsTrace *
make_slow_name (const char *lines)
{
  NsTrace *trace = test_trace_new (10 * SECOND);

  judge_by (trace, lines);
  row_record_all (trace);
  row_add_name (trace, "host.test", 0, 0, 400 * MS)->source =
      NS_DNS_FROM_WINSOCK; /* from a WinSock call */
  return trace;
}

static void
test_rules_judge_by_what_the_user_wants_and_say_so (void)
{
  NsTrace *usual = make_slow_name ("");
  NsTrace *strict = make_slow_name ("D01.problem = 400 ms");
  NsTrace *lax = make_slow_name ("D01.slow = 401 ms");
  const NsFindingRow *row = finding_of (usual, "D01");

  g_assert_cmpint (row->verdict, ==, NS_VERDICT_FOUND);
  g_assert_cmpint (row->severity, ==, NS_SEVERITY_WARNING);
  g_assert_null (strstr (row->text, "Changed thresholds:"));

  row = finding_of (strict, "D01");
  g_assert_cmpint (row->severity, ==, NS_SEVERITY_PROBLEM);
  g_assert_true (
      g_str_has_suffix (row->text, " Changed thresholds: D01.problem = 400 ms instead of 2 s."));
  g_assert_null (strstr (finding_of (strict, "D02")->text, "Changed thresholds:"));

  row = finding_of (lax, "D01");
  g_assert_cmpint (row->verdict, ==, NS_VERDICT_NOT_FOUND);
  g_assert_true (
      g_str_has_suffix (row->text, " Changed thresholds: D01.slow = 401 ms instead of 300 ms."));
  test_trace_free (usual);
  test_trace_free (strict);
  test_trace_free (lax);
}

/* The minimum duration of a gap in the recording is a threshold, too. */
static void
test_short_silences_are_told_when_the_user_wants (void)
{
  static const struct
  {
    const char *lines;
    NsVerdict verdict;
  } wanted[] = {
    { "D46.silence = 5 s", NS_VERDICT_NOT_FOUND },
    { "D46.silence = 3 s", NS_VERDICT_FOUND },
    { "D46.silence = 4 s\nD46.long = 5 s", NS_VERDICT_NOT_FOUND },
    { "D46.silence = 5 s\nD46.long = 3 s", NS_VERDICT_FOUND },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      NsTrace *trace = test_trace_new (60 * SECOND);
      NsTimeSpan *silence = test_trace_add (trace->silences);

      *silence = (NsTimeSpan){ 20 * SECOND, 23 * SECOND };
      trace->n_loud_seconds = 57;
      judge_by (trace, wanted[i].lines);
      g_assert_cmpint (finding_of (trace, "D46")->verdict, ==, wanted[i].verdict);
      test_trace_free (trace);
    }
}

/* The builder records idle times of connections from ten seconds on, unless the threshold is
 * lower. */
static void
test_short_idle_times_are_told_when_the_user_wants (void)
{
  NsTrace *trace = test_trace_new (60 * SECOND);
  NsTcpRow *tcp = row_add_tcp (trace, "192.0.2.1:443", 0xc00000b5, 0, 30 * SECOND);

  tcp->state = NS_TCP_CLOSE;
  test_extra (tcp)->retransmits = 5;
  test_extra (tcp)->idle_ns = 15 * SECOND;
  test_extra (tcp)->resumed_ns = 20 * SECOND;
  judge_by (trace, "D40.idle = 15 s");
  g_assert_cmpint (finding_of (trace, "D40")->verdict, ==, NS_VERDICT_FOUND);
  test_trace_free (trace);
}

static void
test_thresholds_of_a_rule_are_listed_for_machines_and_for_people (void)
{
  g_autoptr (NsThresholds) thresholds = ns_thresholds_new ();
  g_autoptr (GPtrArray) list = ns_thresholds_list (thresholds, "D24");
  g_autoptr (GPtrArray) none = ns_thresholds_list (thresholds, "D12");
  g_autofree char *text = ns_thresholds_describe (thresholds, "D24");

  g_assert_cmpuint (list->len, ==, 3);
  g_assert_cmpstr (g_ptr_array_index (list, 0), ==, "D24.round-trips = 3 times");
  g_assert_cmpstr (g_ptr_array_index (list, 1), ==, "D24.margin = 100 ms");
  g_assert_cmpstr (text, ==, "longer than 3 round trips, and 100 ms, problem from 1 s");
  g_assert_cmpuint (none->len, ==, 0);
  g_assert_null (ns_thresholds_describe (thresholds, "D12"));
}

int
main (int argc, char *argv[])
{
  /* Hides the configuration of the user who runs the test. */
  g_autofree char *folder = g_dir_make_tmp ("thresholds-XXXXXX", NULL);

  g_setenv ("XDG_CONFIG_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/thresholds/who-counts-while-opening-is-told",
                   test_who_counts_while_opening_is_told);
  g_test_add_func ("/thresholds/no-round-trips-are-a-threshold-too",
                   test_no_round_trips_are_a_threshold_too);
  g_test_add_func ("/thresholds/the-shipped-file-has-every-threshold-once",
                   test_the_shipped_file_has_every_threshold_once);
  g_test_add_func ("/thresholds/lines-of-the-user-override-those-they-name-and-no-others",
                   test_lines_of_the_user_override_those_they_name_and_no_others);
  g_test_add_func ("/thresholds/wrong-lines-are-told-with-file-and-line-and-change-nothing",
                   test_wrong_lines_are_told_with_file_and_line_and_change_nothing);
  g_test_add_func ("/thresholds/of-many-wrong-lines-the-first-are-told-and-the-others-counted",
                   test_of_many_wrong_lines_the_first_are_told_and_the_others_counted);
  g_test_add_func ("/thresholds/the-file-of-the-user-is-read-where-it-is",
                   test_the_file_of_the_user_is_read_where_it_is);
  g_test_add_func ("/thresholds/rules-judge-by-what-the-user-wants-and-say-so",
                   test_rules_judge_by_what_the_user_wants_and_say_so);
  g_test_add_func ("/thresholds/short-silences-are-told-when-the-user-wants",
                   test_short_silences_are_told_when_the_user_wants);
  g_test_add_func ("/thresholds/short-idle-times-are-told-when-the-user-wants",
                   test_short_idle_times_are_told_when_the_user_wants);
  g_test_add_func ("/thresholds/thresholds-of-a-rule-are-listed-for-machines-and-for-people",
                   test_thresholds_of_a_rule_are_listed_for_machines_and_for_people);
  return g_test_run ();
}
