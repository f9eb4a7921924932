/* Tests the set of rows that belong to a row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-trace.h"

#include "analysis/ns-follow-tables.h"
#include "analysis/ns-follow.h"
#include "engine/net/flows/ns-flow.h"
#include "engine/tasks/ns-runs.h"
#include "engine/trace/ns-trace-make.h"

/* Makes two requests over one connection, the second a part of a third, and two requests with a
 * common origin. */
static NsTrace *
make_trace (void)
{
  NsTrace *trace = test_trace_new (10000000000);
  NsRunSummary summaries[] = { { 1, 1, 0 }, { 1, 2, 0 }, { 3, 1, 0 } };
  guint i;

  for (i = 0; i < 6; i++)
    test_trace_add_activity (trace, i < 4 ? "a \"b\"" : NULL, i * 1000);
  trace->runs = ns_runs_new ();
  ns_trace_own (trace, trace->runs, (GDestroyNotify) ns_runs_free);
  g_array_append_vals (trace->runs->summaries, summaries, G_N_ELEMENTS (summaries));
  g_array_index (trace->activities, NsActivityRow, 0).tcp = 7;
  g_array_index (trace->activities, NsActivityRow, 1).tcp = 7;
  g_array_index (trace->activities, NsActivityRow, 1).parent = 6;
  g_array_index (trace->activities, NsActivityRow, 2).link = 1;
  g_array_index (trace->activities, NsActivityRow, 3).link = 2;
  g_array_index (trace->activities, NsActivityRow, 4).link = 3;
  g_array_index (trace->activities, NsActivityRow, 4).remote =
      test_trace_end (trace, "10.0.0.1", 0);
  return trace;
}

static void
assert_follow (NsFollow what, guint32 row, const char *expected, const char *rows)
{
  NsTrace *trace = make_trace ();
  g_autofree char *text = ns_follow_to_filter (trace, what, row - 1);
  g_autoptr (NsFilter) filter = NULL;
  g_autoptr (GArray) passed = NULL;
  g_autoptr (GString) said = g_string_new (NULL);
  guint i;

  g_assert_cmpstr (text, ==, expected);
  if (text != NULL)
    {
      filter = ns_filter_new (NS_TABLE_ACTIVITIES, text, NULL, NULL);
      g_assert_nonnull (filter);
      passed = ns_filter_run (filter, trace, NS_TABLE_ACTIVITIES, NULL, NULL);
      for (i = 0; i < passed->len; i++)
        g_string_append_printf (said, "%u", g_array_index (passed, guint32, i) + 1);
      g_assert_cmpstr (said->str, ==, rows);
    }
  test_trace_free (trace);
}

static void
assert_follow_rows (const NsTrace *trace, NsTableId table, guint32 row, const char *expected)
{
  g_autofree char *text = ns_follow_rows_to_filter (trace, table, row - 1);
  g_autoptr (NsFilter) filter = text != NULL ? ns_filter_new (table, text, NULL, NULL) : NULL;

  g_assert_cmpstr (text, ==, expected);
  g_assert_true (text == NULL || filter != NULL);
}

/* Following a call or packet in its own table shows those of the same socket. */
static void
test_calls_and_packets_are_followed_among_their_like (void)
{
  NsTrace *trace = make_trace ();
  NsCallRow *call = test_trace_add (trace->calls);
  NsPacketRow *packet = test_trace_add (trace->packets);

  assert_follow_rows (trace, NS_TABLE_CALLS, 1, NULL);
  call->endpoint = 0xffffcc0000000100;
  assert_follow_rows (trace, NS_TABLE_CALLS, 1, "endpoint=0xffffcc0000000100");
  call->winsock = 3;
  assert_follow_rows (trace, NS_TABLE_CALLS, 1, "winsock=3");
  assert_follow_rows (trace, NS_TABLE_PACKETS, 1, NULL);
  packet->flow = 1;
  ((NsFlowRow *) test_trace_add (trace->flows))->tcp = 7;
  assert_follow_rows (trace, NS_TABLE_PACKETS, 1, "tcp=7");
  assert_follow_rows (trace, NS_TABLE_ACTIVITIES, 1, NULL);
  test_trace_free (trace);
}

static void
test_a_connection_is_what_the_lowest_layer_says (void)
{
  assert_follow (NS_FOLLOW_CONNECTION, 1, "tcp=7", "12");
  assert_follow (NS_FOLLOW_CONNECTION, 3, NULL, NULL);
}

static void
test_a_server_is_its_name_or_its_address (void)
{
  assert_follow (NS_FOLLOW_SERVER, 1, "server=\"a \\\"b\\\"\"", "1234");
  assert_follow (NS_FOLLOW_SERVER, 5, "ip=10.0.0.1", "5");
  assert_follow (NS_FOLLOW_SERVER, 6, NULL, NULL);
}

static void
test_a_chain_is_what_one_piece_of_work_led_to (void)
{
  assert_follow (NS_FOLLOW_CHAIN, 3, "id in (3..4)", "34");
  assert_follow (NS_FOLLOW_CHAIN, 5, "id in (5)", "5");
  /* A part and its whole. */
  assert_follow (NS_FOLLOW_CHAIN, 2, "id in (2,6)", "26");
  assert_follow (NS_FOLLOW_CHAIN, 6, "id in (2,6)", "26");
}

static guint32
add_process (NsTrace *trace, guint32 pid, guint32 parent, const char *name, gint64 start_ns)
{
  NsProcessRow *row = test_trace_add (trace->processes);

  row->pid = pid;
  row->parent_pid = parent;
  row->name = ns_strings_add (trace->strings, name);
  row->start_ns = start_ns;
  row->end_ns = NS_TIME_OPEN;
  return trace->processes->len - 1;
}

/* A reused PID refers to the process that was followed, not to the other one. */
static void
test_a_process_is_followed_by_its_life (void)
{
  NsTrace *trace = test_trace_new (10000000000);
  guint32 first = add_process (trace, 300, 4, "alpha.exe", 0);
  guint32 second = add_process (trace, 300, 4, "beta.exe", 2000000000);
  guint32 only = add_process (trace, 500, 300, "gamma.exe", 3000000000);
  g_autofree char *of_first = ns_follow_process_to_filter (trace, first, FALSE);
  g_autofree char *of_second = ns_follow_process_to_filter (trace, second, FALSE);
  g_autofree char *of_only = ns_follow_process_to_filter (trace, only, FALSE);
  g_autofree char *tree_of_second = ns_follow_process_to_filter (trace, second, TRUE);
  g_autofree char *tree_of_only = ns_follow_process_to_filter (trace, only, TRUE);

  g_assert_cmpstr (of_first, ==, "pid=300 open>=0.000000000s open<2.000000000s");
  g_assert_cmpstr (of_second, ==, "pid=300 open>=2.000000000s");
  g_assert_cmpstr (of_only, ==, "pid=500");
  g_assert_cmpstr (tree_of_second, ==, "process_tree:\"beta.exe (300)\"");
  g_assert_cmpstr (tree_of_only, ==, "process_tree:\"(500)\"");
  test_trace_free (trace);
}

static char *
tables_to_text (const NsTrace *trace, const char *filter, guint32 pid)
{
  static const NsTableId tables[] = { NS_TABLE_ACTIVITIES, NS_TABLE_TCP,    NS_TABLE_WEBIO,
                                      NS_TABLE_THREADS,    NS_TABLE_EVENTS, NS_TABLE_PROVIDERS,
                                      NS_TABLE_FINDINGS };
  g_autoptr (NsFollowTables) found = ns_follow_tables_find (trace, filter, pid, NULL, NULL);
  GString *text = g_string_new (NULL);
  NsTableId table;
  guint i;

  /* Every resulting text is a valid filter. */
  for (table = 0; table < NS_N_TABLES; table++)
    if (found->filters[table] != NULL)
      {
        g_autoptr (NsFilter) parsed = ns_filter_new (table, found->filters[table], NULL, NULL);

        g_assert_nonnull (parsed);
      }
  for (i = 0; i < G_N_ELEMENTS (tables); i++)
    g_string_append_printf (text,
                            "%s%s",
                            i > 0 ? " | " : "",
                            found->filters[tables[i]] != NULL ? found->filters[tables[i]] : "-");
  return g_string_free (text, FALSE);
}

/* A filter carries over to every table, by the operations if possible, else by their processes. */
static void
test_every_table_shows_what_is_followed (void)
{
  NsTrace *trace = make_trace ();
  g_autofree char *connection = NULL;
  g_autofree char *process = NULL;
  g_autofree char *nothing = NULL;
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    g_array_index (trace->activities, NsActivityRow, i).pid = i == 1 ? 500 : 300;
  connection = tables_to_text (trace, "tcp=7", NS_PID_UNKNOWN);
  process = tables_to_text (trace, "pid=500", 500);
  nothing = tables_to_text (trace, "pid=1", NS_PID_UNKNOWN);
  g_assert_cmpstr (connection,
                   ==,
                   "tcp=7 | (activity in (1..2) or id in (7)) | activity in (1..2) | "
                   "pid in (300,500) | pid in (300,500) | - | activities in (1,2)");
  g_assert_cmpstr (process,
                   ==,
                   "pid=500 | pid in (500) | pid in (500) | pid in (500) | pid in (500) | - | "
                   "pid in (500)");
  g_assert_cmpstr (nothing, ==, "pid=1 | - | - | - | - | - | -");
  g_assert_null (ns_follow_tables_find (trace, "no such filter (", NS_PID_UNKNOWN, NULL, NULL));
  test_trace_free (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/follow/a-connection-is-what-the-lowest-layer-says",
                   test_a_connection_is_what_the_lowest_layer_says);
  g_test_add_func ("/follow/calls-and-packets-are-followed-among-their-like",
                   test_calls_and_packets_are_followed_among_their_like);
  g_test_add_func ("/follow/a-server-is-its-name-or-its-address",
                   test_a_server_is_its_name_or_its_address);
  g_test_add_func ("/follow/a-chain-is-what-one-piece-of-work-led-to",
                   test_a_chain_is_what_one_piece_of_work_led_to);
  g_test_add_func ("/follow/a-process-is-followed-by-its-life",
                   test_a_process_is_followed_by_its_life);
  g_test_add_func ("/follow/every-table-shows-what-is-followed",
                   test_every_table_shows_what_is_followed);
  return g_test_run ();
}
