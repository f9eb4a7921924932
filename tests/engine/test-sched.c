/* Tests thread scheduling: running, ready and waiting times, and wakeups.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/system/ns-sched.h"
#include "stitch-fixture.h"

#define MS 1000000
#define GROUP_THREAD 0x05
#define GROUP_PERF_INFO 0x0f
#define WAITING 5
#define READY 1
#define REASON 6
/* Maximum number of samples with one time that are searched (ns-sched-thread.c). */
#define MAX_AT_ONCE 64

static void
add (NsEtlWriter *writer,
     double ms,
     guint cpu,
     guint group,
     guint opcode,
     const GByteArray *payload)
{
  NsEtlWriterGroup record = { .cpu = cpu,
                              .raw = ns_etl_writer_get_base_raw (writer) +
                                     (guint64) (ms * STITCH_MS + 0.5),
                              .kind = NS_RECORD_PERFINFO64,
                              .group = (guint8) group,
                              .opcode = (guint8) opcode,
                              .version = 2,
                              .payload = payload };

  g_assert_true (ns_etl_writer_add_group (writer, &record));
}

static void
add_switch (NsEtlWriter *writer, double ms, guint cpu, guint in, guint out, guint state)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();

  ns_etl_bytes_u32 (payload, in);
  ns_etl_bytes_u32 (payload, out);
  ns_etl_bytes_zero (payload, 4);
  ns_etl_bytes_u8 (payload, REASON);
  ns_etl_bytes_u8 (payload, 0);
  ns_etl_bytes_u8 (payload, (guint8) state);
  ns_etl_bytes_zero (payload, 9);
  add (writer, ms, cpu, GROUP_THREAD, 36, payload);
}

static void
add_ready (NsEtlWriter *writer, double ms, guint cpu, guint tid)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();

  ns_etl_bytes_u32 (payload, tid);
  ns_etl_bytes_zero (payload, 4);
  add (writer, ms, cpu, GROUP_THREAD, 50, payload);
}

static void
add_sample (NsEtlWriter *writer, double ms, guint tid)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();

  ns_etl_bytes_u64 (payload, 0x7ff600001000);
  ns_etl_bytes_u32 (payload, tid);
  ns_etl_bytes_u32 (payload, 1);
  add (writer, ms, 0, GROUP_PERF_INFO, 46, payload);
}

static void
add_interval (NsEtlWriter *writer, double ms, guint source, guint interval)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();

  ns_etl_bytes_u32 (payload, source);
  ns_etl_bytes_u32 (payload, interval);
  ns_etl_bytes_u32 (payload, interval);
  add (writer, ms, 0, GROUP_PERF_INFO, 73, payload);
}

/* Makes a trace with a connection of thread 1, open from 100 ms to the end of the trace at 1100
 * ms. */
static NsEtlWriter *
request_new (void)
{
  static const NsEtlWriterOptions options = { .n_processors = 16 };
  NsEtlWriter *writer = ns_etl_writer_new (&options);

  stitch_images_write (writer);
  stitch_script_write (writer, "5:9:RD 1 app1 100; 6:9:RD 7 app1 100; 100:1:NET");
  return writer;
}

static NsTrace *
open_trace (NsEtlWriter *writer)
{
  NsTrace *trace;

  stitch_script_write (writer, "1100:8@3:WE Z z");
  trace = stitch_trace_from_writer (writer);
  ns_etl_writer_free (writer);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  return trace;
}

static void
append_cb (const NsSchedStretch *stretch, gpointer user_data)
{
  g_string_append_printf (user_data,
                          "%s %" G_GINT64_FORMAT,
                          ns_sched_state_to_text (stretch->state),
                          (stretch->span.end_ns - stretch->span.begin_ns) / MS);
  if (stretch->state == NS_SCHED_WAITING)
    g_string_append_printf (user_data, " for %u", stretch->reason);
  if (stretch->by != NS_PID_UNKNOWN)
    g_string_append_printf (user_data, " by %u", stretch->by);
  g_string_append (user_data, "; ");
}

static void
test_a_wait_names_who_ended_it (void)
{
  NsEtlWriter *writer = request_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  NsSchedSums sums;
  NsTrace *trace;

  add_switch (writer, 40, 2, 7, 0, READY);
  add_switch (writer, 50, 1, 1, 0, READY);
  add_switch (writer, 300, 1, 0, 1, WAITING);
  add_ready (writer, 500, 2, 1);
  add_switch (writer, 510, 4, 1, 0, READY);
  trace = open_trace (writer);

  g_assert_true (ns_sched_sum (trace, 0, &sums));
  g_assert_true (sums.has_states);
  g_assert_false (sums.has_samples);
  g_assert_cmpint (sums.waiting_ns, ==, 200 * MS);
  g_assert_cmpint (sums.ready_ns, ==, 10 * MS);
  g_assert_cmpint (sums.running_ns, ==, 790 * MS);
  g_assert_cmpuint (sums.longest.by, ==, 7);
  ns_sched_walk (trace, 0, append_cb, text);
  g_assert_cmpstr (text->str, ==, "running 200; waiting 200 for 6 by 7; ready 10; running 590; ");
  ns_trace_unref (trace);
}

static void
test_before_the_first_switch_nothing_is_known (void)
{
  NsEtlWriter *writer = request_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  NsTrace *trace;

  add_switch (writer, 300, 1, 0, 1, READY);
  add_switch (writer, 400, 1, 1, 0, READY);
  trace = open_trace (writer);
  ns_sched_walk (trace, 0, append_cb, text);
  g_assert_cmpstr (text->str, ==, "unknown 200; ready 100; running 700; ");
  ns_trace_unref (trace);
}

static void
test_samples_make_a_share (void)
{
  NsEtlWriter *writer = request_new ();
  NsSchedSums sums;
  NsTrace *trace;
  guint i;

  for (i = 0; i < 400; i++)
    add_sample (writer, 200.5 + i, 1);
  for (i = 0; i < 200; i++)
    add_sample (writer, 700.5 + i, 7);
  trace = open_trace (writer);
  g_assert_true (ns_sched_sum (trace, 0, &sums));
  g_assert_true (sums.has_samples);
  g_assert_false (sums.has_states);
  g_assert_cmpuint (sums.cpu_percent, ==, 40);
  ns_trace_unref (trace);
}

/* Totals of any interval are computed without a walk through what lies before it. */
static void
test_totals_tell_what_was_done_until_then (void)
{
  NsEtlWriter *writer = request_new ();
  const NsSchedThread *thread;
  NsSchedTotals totals;
  gint64 interval_ns;
  NsTrace *trace;
  guint i;

  /* 1 ms running, 1 ms waiting. */
  for (i = 0; i < 200; i++)
    {
      add_switch (writer, 200 + 2 * i, 1, 1, 0, READY);
      add_switch (writer, 201 + 2 * i, 1, 0, 1, WAITING);
    }
  for (i = 0; i < 100; i++)
    add_sample (writer, 700.5 + i, 1);
  trace = open_trace (writer);
  g_assert_null (ns_sched_find_thread (trace, 4711, &interval_ns));
  thread = ns_sched_find_thread (trace, 1, &interval_ns);
  g_assert_nonnull (thread);
  g_assert_cmpint (interval_ns, ==, MS);
  g_assert_true (ns_sched_thread_has_states (thread));
  for (i = 0; i <= 400; i++)
    {
      ns_sched_thread_get_totals (thread, interval_ns, (200 + (gint64) i) * MS, &totals);
      g_assert_cmpint (totals.state_ns[NS_SCHED_RUNNING], ==, ((gint64) i + 1) / 2 * MS);
      g_assert_cmpint (totals.state_ns[NS_SCHED_WAITING], ==, (gint64) i / 2 * MS);
      g_assert_cmpint (totals.sampled_ns, ==, 0);
    }
  ns_sched_thread_get_totals (thread, interval_ns, 1000 * (gint64) MS, &totals);
  g_assert_cmpint (totals.sampled_ns, ==, 100 * MS);
  ns_trace_unref (trace);
}

static void
test_samples_at_once_are_so_many_only (void)
{
  guint n;

  for (n = MAX_AT_ONCE - 1; n <= MAX_AT_ONCE + 1; n++)
    {
      NsEtlWriter *writer = request_new ();
      NsSchedTotals totals;
      gint64 interval_ns;
      NsTrace *trace;
      guint i;

      for (i = 0; i < n; i++)
        add_sample (writer, 700.5, 1);
      trace = open_trace (writer);
      ns_sched_thread_get_totals (ns_sched_find_thread (trace, 1, &interval_ns),
                                  4 * MS,
                                  700 * (gint64) MS,
                                  &totals);
      g_assert_cmpint (totals.sampled_ns, ==, (gint64) MIN (n, MAX_AT_ONCE) * 7 * MS / 2);
      ns_trace_unref (trace);
    }
}

static void
test_the_trace_says_how_often_it_sampled (void)
{
  NsEtlWriter *writer = request_new ();
  NsSchedSums sums;
  NsTrace *trace;
  guint i;

  add_interval (writer, 10, 0, 40000);
  add_interval (writer, 11, 19, 65536); /* sample source other than the timer */
  for (i = 0; i < 100; i++)
    add_sample (writer, 200.5 + 4 * i, 1);
  trace = open_trace (writer);
  g_assert_true (ns_sched_sum (trace, 0, &sums));
  g_assert_cmpuint (sums.cpu_percent, ==, 40);
  ns_trace_unref (trace);
}

static void
test_nothing_traced_is_not_nothing_done (void)
{
  NsTrace *trace = open_trace (request_new ());
  NsSchedSums sums;

  g_assert_false (ns_sched_has_states (trace));
  g_assert_false (ns_sched_has_samples (trace));
  g_assert_false (ns_sched_sum (trace, 0, &sums));
  g_assert_null (ns_sched_get_stuck (trace));
  ns_trace_unref (trace);
}

static void
test_threads_that_wait_to_the_end_may_be_stuck (void)
{
  NsEtlWriter *writer = request_new ();
  const GArray *stuck;
  NsTrace *trace;

  add_switch (writer, 300, 1, 0, 1, WAITING);
  add_switch (writer, 400, 2, 0, 7, WAITING);
  trace = open_trace (writer);
  stuck = ns_sched_get_stuck (trace);
  g_assert_cmpuint (stuck->len, ==, 2);
  g_assert_cmpuint (g_array_index (stuck, NsSchedStuck, 0).tid, ==, 1);
  g_assert_cmpuint (g_array_index (stuck, NsSchedStuck, 0).pid, ==, STITCH_PID);
  g_assert_cmpint (g_array_index (stuck, NsSchedStuck, 0).since_ns, ==, 300 * MS);
  g_assert_cmpuint (g_array_index (stuck, NsSchedStuck, 1).tid, ==, 7);
  ns_trace_unref (trace);
}

static void
test_one_that_is_woken_holds_up_nobody (void)
{
  NsEtlWriter *writer = request_new ();
  NsTrace *trace;

  add_switch (writer, 300, 1, 0, 1, WAITING);
  add_switch (writer, 400, 2, 0, 7, WAITING);
  add_ready (writer, 600, 3, 1);
  trace = open_trace (writer);
  g_assert_cmpuint (ns_sched_get_stuck (trace)->len, ==, 0);
  ns_trace_unref (trace);
}

static void
ask_cb (NsTrace *trace, gpointer user_data)
{
  ++*(guint *) user_data;
}

static void
test_one_thread_is_never_made_to_wait (void)
{
  NsEtlWriter *writer = request_new ();
  NsSchedSums sums;
  guint n_asked = 0;
  NsTrace *trace;

  add_switch (writer, 300, 1, 0, 1, WAITING);
  trace = open_trace (writer);
  ns_sched_set_asker (trace, ask_cb, &n_asked);
  g_assert_false (ns_sched_sum (trace, 0, &sums));
  g_assert_cmpuint (n_asked, ==, 1);
  ns_sched_prepare (trace);
  g_assert_true (ns_sched_sum (trace, 0, &sums));
  g_assert_cmpuint (n_asked, ==, 1);
  ns_trace_unref (trace);
}

/* Truncated records are ignored. */
static void
test_short_records_are_passed_over (void)
{
  NsEtlWriter *writer = request_new ();
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsSchedSums sums;
  NsTrace *trace;
  guint i;

  for (i = 0; i < 12; i++)
    {
      add (writer, 200 + i, 1, GROUP_THREAD, 36, payload);
      if (i < 4)
        add (writer, 200 + i, 1, GROUP_THREAD, 50, payload);
      add (writer, 200 + i, 1, GROUP_PERF_INFO, 46, payload);
      ns_etl_bytes_u8 (payload, 1);
    }
  trace = open_trace (writer);
  g_assert_false (ns_sched_sum (trace, 0, &sums));
  ns_trace_unref (trace);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sched/a-wait-names-who-ended-it", test_a_wait_names_who_ended_it);
  g_test_add_func ("/sched/before-the-first-switch-nothing-is-known",
                   test_before_the_first_switch_nothing_is_known);
  g_test_add_func ("/sched/samples-make-a-share", test_samples_make_a_share);
  g_test_add_func ("/sched/totals-tell-what-was-done-until-then",
                   test_totals_tell_what_was_done_until_then);
  g_test_add_func ("/sched/the-trace-says-how-often-it-sampled",
                   test_the_trace_says_how_often_it_sampled);
  g_test_add_func ("/sched/nothing-traced-is-not-nothing-done",
                   test_nothing_traced_is_not_nothing_done);
  g_test_add_func ("/sched/threads-that-wait-to-the-end-may-be-stuck",
                   test_threads_that_wait_to_the_end_may_be_stuck);
  g_test_add_func ("/sched/one-that-is-woken-holds-up-nobody",
                   test_one_that_is_woken_holds_up_nobody);
  g_test_add_func ("/sched/one-thread-is-never-made-to-wait",
                   test_one_thread_is_never_made_to_wait);
  g_test_add_func ("/sched/short-records-are-passed-over", test_short_records_are_passed_over);
  g_test_add_func ("/sched/samples-at-once-are-so-many-only",
                   test_samples_at_once_are_so_many_only);
  return g_test_run ();
}
