/* Tests the strip that shows the scheduling states of a thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-cpu-strip.h"
#include "engine/system/ns-sched-read.h"

#define MS 1000000

static void
sample (NsSchedThread *thread, gint64 begin_ms, gint64 end_ms)
{
  gint64 ms;

  for (ms = begin_ms; ms < end_ms; ms++)
    {
      gint64 time_ns = ms * MS + MS / 2;

      g_array_append_val (thread->samples, time_ns);
    }
}

static void
change (NsSchedThread *thread, gint64 time_ns, NsSchedState state)
{
  NsSchedChange row = { time_ns, NS_PID_UNKNOWN, (guint8) state, 0 };

  g_array_append_val (thread->changes, row);
}

static guint
count_busy (const GArray *columns)
{
  guint n_busy = 0;
  guint i;

  for (i = 0; i < columns->len; i++)
    if (g_array_index (columns, NsCpuColumn, i).running >= 0.5f)
      n_busy++;
  return n_busy;
}

static void
lay_out (NsTimelineLayout *layout, gint64 begin_ns, gint64 end_ns, double width)
{
  ns_timeline_layout_init (layout, (NsTimeSpan){ 0, 1000 * (gint64) MS }, width);
  ns_timeline_layout_show (layout, (NsTimeSpan){ begin_ns, end_ns });
}

/* For any number of samples per px or px per sample. */
static void
test_samples_over_two_fifths_fill_two_fifths (void)
{
  static const double widths[] = { 100, 777, 1000, 9000 };
  NsSchedThread *thread = ns_sched_thread_new (1);
  NsCpuThread strip = { thread, MS, { 0, 1000 * (gint64) MS } };
  guint i;

  sample (thread, 300, 700);
  for (i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      g_autoptr (GArray) columns = NULL;
      NsTimelineLayout layout;

      lay_out (&layout, 0, 1000 * (gint64) MS, widths[i]);
      columns = ns_cpu_strip_list_columns (&strip, &layout);
      g_assert_cmpuint (columns->len, ==, (guint) widths[i]);
      g_assert_cmpfloat_with_epsilon (count_busy (columns) * 100 / widths[i], 40, 1);
    }
  g_assert_cmpfloat_with_epsilon (ns_cpu_strip_get_running (&strip,
                                                            (NsTimeSpan){ 0, 1000 * (gint64) MS }),
                                  0.4,
                                  0.001);
  g_assert_cmpfloat_with_epsilon (ns_cpu_strip_get_running (&strip,
                                                            (NsTimeSpan){ 400 * MS, 500 * MS }),
                                  1,
                                  0.001);
  ns_sched_thread_free (thread);
}

static void
test_columns_are_so_many_only (void)
{
  NsSchedThread *thread = ns_sched_thread_new (1);
  NsCpuThread strip = { thread, MS, { 0, 1000 * (gint64) MS } };
  guint n;

  sample (thread, 300, 700);
  for (n = NS_CPU_STRIP_MAX_COLUMNS - 1; n <= NS_CPU_STRIP_MAX_COLUMNS + 1; n++)
    {
      g_autoptr (GArray) columns = NULL;
      NsTimelineLayout layout;

      lay_out (&layout, 0, 1000 * (gint64) MS, n);
      columns = ns_cpu_strip_list_columns (&strip, &layout);
      g_assert_cmpuint (columns->len, ==, MIN (n, NS_CPU_STRIP_MAX_COLUMNS));
    }
  ns_sched_thread_free (thread);
}

/* A thousand switches per px give the same ratio as two. */
static void
test_switches_add_up_in_every_column (void)
{
  NsSchedThread *thread = ns_sched_thread_new (1);
  NsCpuThread strip = { thread, 0, { 0, 1000 * (gint64) MS } };
  g_autoptr (GArray) columns = NULL;
  NsTimelineLayout layout;
  guint i;

  /* From 100 ms on, each 10 µs has 5 µs running, 2 µs ready and 3 µs waiting. */
  for (i = 0; i < 90000; i++)
    {
      gint64 begin_ns = 100 * MS + i * (gint64) 10000;

      change (thread, begin_ns, NS_SCHED_RUNNING);
      change (thread, begin_ns + 5000, NS_SCHED_READY);
      change (thread, begin_ns + 7000, NS_SCHED_WAITING);
    }
  ns_sched_thread_sum_up (thread);
  lay_out (&layout, 0, 1000 * (gint64) MS, 100);
  columns = ns_cpu_strip_list_columns (&strip, &layout);
  g_assert_cmpuint (columns->len, ==, 100);
  for (i = 0; i < columns->len; i++)
    {
      const NsCpuColumn *column = &g_array_index (columns, NsCpuColumn, i);

      g_assert_cmpfloat_with_epsilon (column->running, i < 10 ? 0 : 0.5, 1e-5);
      g_assert_cmpfloat_with_epsilon (column->ready, i < 10 ? 0 : 0.2, 1e-5);
      g_assert_cmpfloat_with_epsilon (column->waiting, i < 10 ? 0 : 0.3, 1e-5);
    }
  ns_sched_thread_free (thread);
}

/* The thread ID may have belonged to other threads before and after. */
static void
test_only_its_own_life_counts (void)
{
  NsSchedThread *thread = ns_sched_thread_new (1);
  NsCpuThread strip = { thread, MS, { 200 * MS, 300 * MS } };
  g_autoptr (GArray) columns = NULL;
  NsTimelineLayout layout;

  sample (thread, 0, 1000);
  lay_out (&layout, 0, 1000 * (gint64) MS, 1000);
  columns = ns_cpu_strip_list_columns (&strip, &layout);
  g_assert_cmpuint (count_busy (columns), ==, 100);
  g_assert_cmpfloat (g_array_index (columns, NsCpuColumn, 100).running, ==, 0);
  g_assert_cmpfloat (g_array_index (columns, NsCpuColumn, 400).running, ==, 0);
  ns_sched_thread_free (thread);
}

static void
test_nothing_known_is_not_idle (void)
{
  NsSchedThread *thread = ns_sched_thread_new (1);
  NsCpuThread nothing = { NULL, MS, { 0, 1000 * (gint64) MS } };
  NsCpuThread untraced = { thread, 0, { 0, 1000 * (gint64) MS } };
  NsCpuThread idle = { thread, MS, { 0, 1000 * (gint64) MS } };
  NsTimeSpan span = { 0, 10 * MS };

  g_assert_cmpfloat (ns_cpu_strip_get_running (&nothing, span), <, 0);
  g_assert_cmpfloat (ns_cpu_strip_get_running (&untraced, span), <, 0);
  g_assert_cmpfloat (ns_cpu_strip_get_running (&idle, span), ==, 0);
  ns_sched_thread_free (thread);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/cpu-strip/samples-over-two-fifths-fill-two-fifths",
                   test_samples_over_two_fifths_fill_two_fifths);
  g_test_add_func ("/cpu-strip/switches-add-up-in-every-column",
                   test_switches_add_up_in_every_column);
  g_test_add_func ("/cpu-strip/only-its-own-life-counts", test_only_its_own_life_counts);
  g_test_add_func ("/cpu-strip/nothing-known-is-not-idle", test_nothing_known_is_not_idle);
  g_test_add_func ("/cpu-strip/columns-are-so-many-only", test_columns_are_so_many_only);
  return g_test_run ();
}
