/* Tests queue waits as a phase of the operation that contains them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-queue-phase.h"
#include "engine/tasks/ns-pool-wait.h"
#include "stitch-fixture.h"

#define MS G_GINT64_CONSTANT (1000000)
#define POOL "10:1:WE A x 'S1; 20:2:WD A x; 21:2:WS A x; 25:2:NET 'S2"

/* Computes the phases of an operation with these times, relative to its connection. */
static const NsActivityRow *
set_phase (NsTrace *trace, gint64 begin_ns, gint64 end_ns, gint64 dns_ns)
{
  NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, 0);
  NsBuilder builder = { .trace = trace };
  gint64 open_ns = row->open_ns;
  gint64 phases[NS_N_PHASES];
  guint i;

  row->open_ns = open_ns + begin_ns;
  row->close_ns = open_ns + end_ns;
  for (i = 0; i < NS_N_PHASES; i++)
    phases[i] = NS_UNKNOWN;
  phases[NS_PHASE_DNS] = dns_ns;
  ns_trace_keep_row_phases (trace, row, phases);
  ns_queue_phase_set_all (&builder);
  return row;
}

static void
test_wait_inside_is_a_phase (void)
{
  NsTrace *trace = stitch_trace_new (POOL);
  const NsActivityRow *row = set_phase (trace, -20 * MS, 10 * MS, NS_UNKNOWN);

  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_POOL), ==, 11 * MS);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_OTHER), ==, 19 * MS);
  ns_trace_unref (trace);
}

static void
test_wait_that_begins_before_counts_in_part (void)
{
  NsTrace *trace = stitch_trace_new (POOL);
  const NsActivityRow *row = set_phase (trace, -7 * MS, 10 * MS, NS_UNKNOWN);

  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_POOL), ==, 3 * MS);
  ns_trace_unref (trace);
}

static void
test_wait_before_the_begin_is_none (void)
{
  NsTrace *trace = stitch_trace_new (POOL);
  const NsActivityRow *row = set_phase (trace, 0, 10 * MS, NS_UNKNOWN);

  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_POOL), ==, NS_UNKNOWN);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_OTHER), ==, NS_UNKNOWN);
  ns_trace_unref (trace);
}

/* The thread switch in the stack has an 11 ms queue wait that ends before the row opens. The row
 * reports the complete wait, but has no queue phase. The run after the wait belongs to the time
 * since queuing. */
static void
test_a_wait_before_the_begin_is_told (void)
{
  NsTrace *trace = stitch_trace_new (POOL);
  const NsActivityRow *row = set_phase (trace, 0, 10 * MS, NS_UNKNOWN);

  g_assert_cmpint (ns_pool_wait_get_total (trace, row), ==, 11 * MS);
  g_assert_cmpint (ns_pool_wait_get_lead (trace, row), ==, 15 * MS);
  ns_trace_unref (trace);
}

/* If the row opens during a wait, the parts before and after add up to the complete wait. */
static void
test_a_wait_has_one_length (void)
{
  NsTrace *trace = stitch_trace_new (POOL);
  const NsActivityRow *row = set_phase (trace, -7 * MS, 10 * MS, NS_UNKNOWN);

  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_POOL), ==, 3 * MS);
  g_assert_cmpint (ns_pool_wait_get_total (trace, row), ==, 11 * MS);
  g_assert_cmpint (ns_pool_wait_get_lead (trace, row), ==, 8 * MS);
  ns_trace_unref (trace);
}

/* A library's own queue is another phase and does not replace the wait for a pool thread. */
static void
test_two_queues_are_two_phases (void)
{
  NsTrace *trace = stitch_trace_new (POOL);
  NsBuilder builder = { .trace = trace };
  NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, 0);
  gint64 phases[NS_N_PHASES];
  guint i;

  for (i = 0; i < NS_N_PHASES; i++)
    phases[i] = NS_UNKNOWN;
  phases[NS_PHASE_QUEUE] = 2 * MS;
  row->open_ns -= 20 * MS;
  row->close_ns = row->open_ns + 30 * MS;
  ns_trace_keep_row_phases (trace, row, phases);
  ns_queue_phase_set_all (&builder);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_QUEUE), ==, 2 * MS);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_POOL), ==, 11 * MS);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_OTHER), ==, 17 * MS);
  ns_trace_unref (trace);
}

static void
test_other_phases_come_first (void)
{
  NsTrace *trace = stitch_trace_new (POOL);
  const NsActivityRow *row = set_phase (trace, -20 * MS, 10 * MS, 25 * MS);

  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_POOL), ==, 5 * MS);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_OTHER), ==, 0);
  ns_trace_unref (trace);
}

/* Work queued by work, with a wait of 1 ms each; only the nearest waits count. */
static void
test_so_many_waits_count_only (void)
{
  guint n;

  for (n = NS_POOL_WAIT_MAX_HOPS - 1; n <= NS_POOL_WAIT_MAX_HOPS + 1; n++)
    {
      g_autoptr (GString) script = g_string_new (NULL);
      const NsActivityRow *row;
      NsTrace *trace;
      guint i;

      for (i = 0; i < n; i++)
        g_string_append_printf (script,
                                "%u:%u:WE A x%u; %u:%u:WD A x%u; %u:%u:WS A x%u; ",
                                10 + 3 * i,
                                1 + i % 2,
                                i,
                                11 + 3 * i,
                                2 - i % 2,
                                i,
                                11 + 3 * i,
                                2 - i % 2,
                                i);
      g_string_append_printf (script, "%u:%u:NET", 12 + 3 * (n - 1), 2 - (n - 1) % 2);
      trace = stitch_trace_new (script->str);
      row = set_phase (trace, -1000 * MS, 10 * MS, NS_UNKNOWN);
      g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_POOL),
                       ==,
                       MIN (n, NS_POOL_WAIT_MAX_HOPS) * MS);
      ns_trace_unref (trace);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/queue-phase/wait-inside-is-a-phase", test_wait_inside_is_a_phase);
  g_test_add_func ("/queue-phase/wait-that-begins-before-counts-in-part",
                   test_wait_that_begins_before_counts_in_part);
  g_test_add_func ("/queue-phase/wait-before-the-begin-is-none",
                   test_wait_before_the_begin_is_none);
  g_test_add_func ("/queue-phase/a-wait-before-the-begin-is-told",
                   test_a_wait_before_the_begin_is_told);
  g_test_add_func ("/queue-phase/a-wait-has-one-length", test_a_wait_has_one_length);
  g_test_add_func ("/queue-phase/two-queues-are-two-phases", test_two_queues_are_two_phases);
  g_test_add_func ("/queue-phase/other-phases-come-first", test_other_phases_come_first);
  g_test_add_func ("/queue-phase/so-many-waits-count-only", test_so_many_waits_count_only);
  return g_test_run ();
}
