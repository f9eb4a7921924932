/* Tests the breakdown of an operation's duration.
 *
 * Parts do not overlap, and shares add up to 100 %.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-namer.h"
#include "query/ns-blame.h"
#include "query/ns-field-get.h"
#include "query/ns-groups.h"
#include "query/ns-query.h"
#include "stitch-fixture.h"

#include <string.h>

/* Queued at 10, run from 21 on, connected at 25. */
#define POOL "10:1:WE A x 'S1; 20:2:WD A x; 21:2:WS A x; 25:2:NET 'S2"

static NsActivityRow *
first_row (NsTrace *trace)
{
  g_assert_cmpuint (trace->activities->len, >, 0);
  return &g_array_index (trace->activities, NsActivityRow, 0);
}

/* Phases of the row under test. */
static gint64 phases[NS_N_PHASES];

static void
set_phases (NsActivityRow *row, gint64 dns_ns, gint64 wait_ns, gint64 duration_ns)
{
  guint i;

  for (i = 0; i < NS_N_PHASES; i++)
    phases[i] = NS_UNKNOWN;
  phases[NS_PHASE_DNS] = dns_ns;
  phases[NS_PHASE_WAIT] = wait_ns;
  row->phases = phases;
  row->close_ns = row->open_ns + duration_ns;
}

static void
assert_why (const NsTrace *trace, const char *expected)
{
  g_autofree char *text = ns_blame_to_text (trace, 0);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_waits_before_the_begin_count (void)
{
  NsTrace *trace = stitch_trace_new (POOL);

  set_phases (first_row (trace), 20000000, 10000000, 35000000);
  assert_why (trace,
              "50.0 ms since it was queued: 40 % resolving the name, 22 % waiting for a Windows "
              "pool thread (queued by "
              "app.exe+0x1123), 20 % waiting for the server, 10 % not covered by the "
              "recorded events, 8 % running the code that led to it on thread 2");
  ns_trace_unref (trace);
}

/* The 11 ms wait before the row has the same length in its phases, in group sums, in the parts and
 * in the sentence. */
static void
test_one_wait_is_one_number_everywhere (void)
{
  NsTrace *trace = stitch_trace_new (POOL);
  const guint32 row = 0;
  g_autofree char *sentence = NULL;
  const NsField *field = ns_table_find_field (NS_TABLE_ACTIVITIES, "phases");
  NsFieldValue value = { 0 };
  NsBlame blame;
  NsSums sums;
  guint i;

  set_phases (first_row (trace), 20000000, 10000000, 35000000);
  ns_field_get (trace, field, row, &value);
  g_assert_nonnull (strstr (value.v.text, "\"pool_ns\":11000000,"));
  ns_field_value_clear (&value);
  sums = ns_sums_of_rows (trace, NS_TABLE_ACTIVITIES, &row, 1);
  g_assert_cmpint (sums.phases[NS_PHASE_POOL], ==, 11000000);
  g_assert_cmpint (sums.phases[NS_PHASE_DNS], ==, 20000000);
  g_assert_cmpint (sums.duration_ns, ==, 35000000);
  g_assert_true (ns_blame_find (&blame, trace, row));
  for (i = 0; i < blame.n_parts && blame.parts[i].kind != NS_BLAME_QUEUED; i++)
    ;
  g_assert_cmpuint (i, <, blame.n_parts);
  g_assert_cmpint (blame.parts[i].span_ns, ==, 11000000);
  sentence = ns_sentence_new (trace, NS_TABLE_ACTIVITIES, row);
  g_assert_nonnull (strstr (sentence, "waited 11.0 ms for a Windows pool thread"));
  ns_trace_unref (trace);
}

static gboolean
name_cb (NsRow image,
         guint64 rva,
         gboolean is_return,
         GString *name,
         guint32 *offset,
         gpointer user_data)
{
  g_assert_cmpuint (rva, ==, 0x1123);
  g_assert_false (is_return);
  g_string_append (name, "Sync::Start");
  *offset = 0x23;
  return TRUE;
}

static void
test_who_queued_it_is_named (void)
{
  NsTrace *trace = stitch_trace_new (POOL);

  set_phases (first_row (trace), 20000000, 10000000, 35000000);
  ns_trace_set_namer (trace, name_cb, NULL, NULL);
  assert_why (trace,
              "50.0 ms since it was queued: 40 % resolving the name, 22 % waiting for a Windows "
              "pool thread (queued by "
              "app.exe!Sync::Start), 20 % waiting for the server, 10 % not covered by the "
              "recorded events, 8 % running the code that led to it on thread 2");
  ns_trace_unref (trace);
}

static void
test_shares_add_to_100 (void)
{
  NsTrace *trace = stitch_trace_new ("10:1:NET 'S1");
  NsActivityRow *row = first_row (trace);
  gint64 span_ns;

  for (span_ns = 3; span_ns < 4000; span_ns = span_ns * 7 / 3)
    {
      NsBlame blame;
      guint sum = 0;
      gint64 total_ns = 0;
      guint i;

      set_phases (row, span_ns / 3, span_ns / 2, span_ns);
      phases[NS_PHASE_TLS] = 1;
      g_assert_true (ns_blame_find (&blame, trace, 0));
      for (i = 0; i < blame.n_parts; i++)
        {
          sum += blame.parts[i].percent;
          total_ns += blame.parts[i].span_ns;
        }
      g_assert_cmpuint (sum, ==, 100);
      g_assert_cmpint (total_ns, ==, span_ns);
      g_assert_cmpint (blame.total_ns, ==, span_ns);
    }
  ns_trace_unref (trace);
}

static void
test_phases_never_exceed_the_whole (void)
{
  NsTrace *trace = stitch_trace_new ("10:1:NET 'S1");

  set_phases (first_row (trace), 30000000, 50000000, 40000000);
  assert_why (trace, "40.0 ms: 75 % resolving the name, 25 % waiting for the server");
  ns_trace_unref (trace);
}

static void
test_timers_and_new_threads_are_no_reason (void)
{
  NsTrace *trace = stitch_trace_new ("10:1:WE A x 'S1; 20:2:WD A x; 21:2:WS A x; 25:2:NET 'S2");
  NsBlame blame;

  /* The same wait is a queue wait for a thread pool, but not for a timer. */
  set_phases (first_row (trace), 1000000, NS_UNKNOWN, 1000000);
  g_assert_true (ns_blame_find (&blame, trace, 0));
  g_assert_cmpint (blame.total_ns, ==, 16000000);
  g_array_index (trace->tasks, NsTaskRow, 0).kind = NS_TASK_TIMER;
  g_assert_true (ns_blame_find (&blame, trace, 0));
  g_assert_cmpint (blame.total_ns, ==, 1000000);
  ns_trace_unref (trace);
}

static void
test_nothing_known_is_no_sentence (void)
{
  NsTrace *trace = stitch_trace_new ("10:1:NET 'S1");

  assert_why (trace, NULL);
  ns_trace_unref (trace);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blame/waits-before-the-begin-count", test_waits_before_the_begin_count);
  g_test_add_func ("/blame/one-wait-is-one-number-everywhere",
                   test_one_wait_is_one_number_everywhere);
  g_test_add_func ("/blame/who-queued-it-is-named", test_who_queued_it_is_named);
  g_test_add_func ("/blame/shares-add-to-100", test_shares_add_to_100);
  g_test_add_func ("/blame/phases-never-exceed-the-whole", test_phases_never_exceed_the_whole);
  g_test_add_func ("/blame/timers-and-new-threads-are-no-reason",
                   test_timers_and_new_threads_are_no_reason);
  g_test_add_func ("/blame/nothing-known-is-no-sentence", test_nothing_known_is_no_sentence);
  return g_test_run ();
}
