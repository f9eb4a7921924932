/* Tests chains through the Windows thread pool, timers, and threads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-activity-below.h"
#include "engine/tasks/ns-runs.h"
#include "stitch-fixture.h"

/* Maximum number of candidates that are searched (ns-tasks-private.h). */
#define MAX_STEPS 256

#define RUNDOWN "0:1:RD 1 app0; 0:2:RD 2 ntdll; 0:3:RD 3 ntdll; 0:4:RD 4 ntdll; "
#define A3 "10:1:WE A x 'S1; 20:2:WD A x; 21:2:WS A x; "
#define A3_CHAIN "S1[1>2] |WThreadPool Worker| S2[2]"

static const NsTaskRow *
task (const NsTrace *trace, guint n)
{
  g_assert_cmpuint (n, <, trace->tasks->len);
  return &g_array_index (trace->tasks, NsTaskRow, n);
}

static void
test_basics (void)
{
  stitch_assert ("10:1:NET 'S1", "S1[1]");
  stitch_assert (RUNDOWN A3 "22:2:NET 'S2; 23:2:WX A x", A3_CHAIN);
  stitch_assert (RUNDOWN A3 "22:2:WE B y 'S2; 23:2:WX A x; 30:3:WD B y; 31:3:WS B y; 32:3:NET 'S3",
                 "S1[1>2] |WThreadPool Worker| S2[2>3] |WThreadPool Worker| S3[3]");
  stitch_assert (RUNDOWN "10:1:WE A x; 20:2:WD A x; 21:2:WS A x; 22:2:NET 'S2",
                 "-[1>2] |WThreadPool Worker| S2[2]");
  stitch_assert (RUNDOWN A3 "22:2:NET", "S1[1>2] |WThreadPool Worker| -[2]");
  stitch_assert (RUNDOWN A3 "23:2:WX A x; 24:2:NET 'S2", "S2[2]");
  stitch_assert (RUNDOWN A3 "22:3:NET 'S2", "S2[3]");
  stitch_assert (RUNDOWN "10:1:WE A x 'S1; 20:2:WD A x; 20.5:2:NET 'S2", "S2[2]");
}

static void
test_the_same_time_follows_the_stream (void)
{
  stitch_assert (RUNDOWN A3 "21:2:NET 'S2", A3_CHAIN);
  stitch_assert (RUNDOWN A3 "25:2:WX A x; 25:2:NET 'S2", "S2[2]");
  stitch_assert (RUNDOWN "10:1:WE A x 'S1; 20:2:WD A x; 21:2:NET 'S2; 21:2@9:WS A x", A3_CHAIN);
  stitch_assert (RUNDOWN "10:1:WE A x 'S1; 20:2:WD A x; 21:2:NET 'S2; 21:2:WS A x", "S2[2]");
}

static void
test_callbacks (void)
{
  /* First in, first out. */
  stitch_assert (RUNDOWN "10:1:WE A x 'S1; 11:1:WE A x 'S2; 20:2:WD A x; 21:3:WD A x; "
                         "22:2:WS A x; 23:3:WS A x; 24:2:NET 'S3; 25:3:NET 'S4",
                 "S1[1>2] |WThreadPool Worker| S3[2]; S2[1>3] |WThreadPool Worker| S4[3]");
  /* Queued again between dequeue and start. */
  stitch_assert (RUNDOWN "10:1:WE A x 'S1; 20:2:WD A x; 21:2:WE A x 'S2; 22:2:WS A x; "
                         "23:2:NET 'S3; 24:2:WX A x; 30:2:WD A x; 31:2:WS A x; 32:2:NET 'S4",
                 "S1[1>2] |WThreadPool Worker| S3[2]; S2[2>2] |WThreadPool Worker| S4[2]");
  /* The callback queues itself again. */
  stitch_assert (RUNDOWN A3 "22:2:WE A x 'S2; 23:2:WX A x; 30:3:WD A x; 31:3:WS A x; 32:3:NET 'S3",
                 "S1[1>2] |WThreadPool Worker| S2[2>3] |WThreadPool Worker| S3[3]");
  /* Dequeued twice, the second time without a pool. */
  stitch_assert (RUNDOWN "10:1:WE A x 'S1; 20:2:WD A x; 20.5:2:WD 0 x; 21:2:WS A x; 22:2:NET 'S2",
                 A3_CHAIN);
  /* A kernel callback nested inside. */
  stitch_assert (RUNDOWN A3 "21.5:2:WS 0 z; 22:2:NET 'S2; 22.5:2:WX 0 z; 22.7:2:NET 'S3",
                 A3_CHAIN "; S1[1>2] |WThreadPool Worker| S3[2]");
  /* The same key in another process. */
  stitch_assert (RUNDOWN "10:1:WE A x 'S1; 11:8:WE A x 'S2; 20:9:WD A x; 21:9:WS A x; 22:9:NET 'S3",
                 "S2[8>9] |WThreadPool Worker| S3[9]");
  /* Queued before the trace. */
  stitch_assert (RUNDOWN "20:2:WD A x; 21:2:WS A x; 22:2:NET 'S2", "S2[2]");
  /* The stop event is missing. */
  stitch_assert (RUNDOWN A3 "30:1:WE A y; 40:2:WD A y; 41:2:NET 'S2", "S2[2]");
  /* Both callbacks run, one ends. */
  stitch_assert (RUNDOWN "10:1:WE A x 'S1; 11:1:WE A x 'S2; 20:2:WD A x; 21:3:WD A x; "
                         "22:2:WS A x; 23:3:WS A x; 24:2:WX A x; 25:3:NET 'S4; 26:3:WX A x; "
                         "27:3:NET 'S5",
                 "S2[1>3] |WThreadPool Worker| S4[3]; S5[3]");
}

static void
test_orphans_are_cancelled (void)
{
  NsTrace *trace = stitch_trace_new (
      RUNDOWN "10:1:WE A x 'S1; 11:1:WD A x; 12:1:WS A y; 13:1:NET 'S2; 14:1:WX A y");
  g_autofree char *chain = stitch_chain_to_text (trace, 0);

  g_assert_cmpstr (chain, ==, "S2[1]");
  g_assert_cmpstr (ns_trace_text (trace, task (trace, 0)->status), ==, "CallbackCancel");
  ns_trace_unref (trace);

  /* A callback that closes another pool continues. */
  trace = stitch_trace_new (RUNDOWN "9:1:WE B z; " A3 "22:2:WD B z; 23:2:NET 'S3; 24:2:WX A x");
  g_clear_pointer (&chain, g_free);
  chain = stitch_chain_to_text (trace, 0);
  g_assert_cmpstr (chain, ==, "S1[1>2] |WThreadPool Worker| S3[2]");
  g_assert_cmpstr (ns_trace_text (trace, task (trace, 0)->status), ==, "CallbackCancel");
  g_assert_cmpstr (ns_trace_text (trace, task (trace, 1)->status), ==, "CallbackStop");
  ns_trace_unref (trace);
}

/* Cancel counts in payloads of 44 and of 48 bytes. */
static void
test_cancel_counts (void)
{
  stitch_assert (RUNDOWN "10:1:WE A x 'S1; 11:1:WC A x 1; 20:2:WD A x; 21:2:WS A x; 22:2:NET 'S2",
                 "S2[2]");
  stitch_assert (RUNDOWN "10:1:WE A x 'S1; 10.5:1:WE A x 'S3; 11:1:WC A x 2 0; 20:2:WD A x; "
                         "21:2:WS A x; 22:2:NET 'S2",
                 "S2[2]");
  stitch_assert (RUNDOWN "10:1:WE A x 'S1; 11:1:WE A x 'S2; 12:1:WE A x 'S3; 13:1:WC A x 2; "
                         "20:2:WD A x; 21:2:WS A x; 22:2:NET 'S4; 23:2:WX A x; "
                         "30:3:WD A x; 31:3:WS A x; 32:3:NET 'S5",
                 "S1[1>2] |WThreadPool Worker| S4[2]; S5[3]");
}

static void
test_an_enqueue_may_be_logged_late (void)
{
  stitch_assert (RUNDOWN "20.000:2:WD A x; 20.001:2:WS A x; 20.002:1:WE A x 'S1; 20.003:2:NET 'S2",
                 A3_CHAIN);
  stitch_assert (RUNDOWN "20:2:WD A x; 20.1:2:WS A x; 20.2:2:WX A x; 20.3:1:WE A x 'S1; "
                         "30:3:WD A x; 31:3:WS A x; 32:3:NET 'S2",
                 "S2[3]");
  /* Too late: it belongs to another callback, which is still queued. */
  stitch_assert (RUNDOWN "20:2:WD A x; 20.1:2:WS A x; 22:1:WE A x 'S1; 23:2:NET 'S2; 24:2:WX A x; "
                         "30:3:WD A x; 31:3:WS A x; 32:3:NET 'S3",
                 "S2[2]; S1[1>3] |WThreadPool Worker| S3[3]");
}

static void
test_timers (void)
{
  NsTrace *trace;
  g_autofree char *chain = NULL;

  trace = stitch_trace_new (RUNDOWN "10:1:TS q m 0 'S1; 50:2:TB q; 51:2:TE q m; 52:2:WE A x 'S2; "
                                    "53:2:TN q; 60:3:WD A x; 61:3:WS A x; 62:3:NET 'S3");
  chain = stitch_chain_to_text (trace, 0);
  g_assert_cmpstr (chain, ==, "S1[1>2] |WTimer Timer| S2[2>3] |WThreadPool Worker| S3[3]");
  g_assert_cmpstr (ns_trace_text (trace, task (trace, 0)->status), ==, "TimerCancel");
  g_assert_cmpint (task (trace, 0)->stop_ns - task (trace, 0)->start_ns, ==, 2000000);
  ns_trace_unref (trace);

  /* Periodic: each expiration has its own thread. */
  stitch_assert (RUNDOWN "10:1:TS q m 100 'S1; 50:2:TE q m; 51:2:WE A x 'S2; 52:2:TN q; "
                         "60:3:WD A x; 61:3:WS A x; 62:3:NET 'S3; 63:3:WX A x; "
                         "150:4:TE q m; 151:4:WE A x 'S4; 152:4:TN q; "
                         "160:3:WD A x; 161:3:WS A x; 162:3:NET 'S5",
                 "S1[1>2] |WTimer Timer| S2[2>3] |WThreadPool Worker| S3[3]; "
                 "S1[1>4] |WTimer Timer| S4[4>3] |WThreadPool Worker| S5[3]");
  /* Cancelled before it expires. */
  stitch_assert (RUNDOWN "10:1:TS q m 0 'S1; 11:1:TK q m; 50:2:TE q m; 51:2:NET 'S2", "S2[2]");
  /* Two timers in one batch, and none after the end of the batch. */
  stitch_assert (RUNDOWN "10:1:TS q m 0 'S1; 11:1:TS q n 0 'S2; 50:2:TB q; 51:2:TE q m; "
                         "52:2:NET 'S3; 53:2:TE q n; 54:2:NET 'S4; 55:2:TN q; 56:2:NET 'S5",
                 "S1[1>2] |WTimer Timer| S3[2]; S2[1>2] |WTimer Timer| S4[2]; S5[2]");
  /* Set again before it expires, and while it expires. */
  stitch_assert (RUNDOWN "10:1:TS q m 0 'S1; 11:1:TS q m 0 'S2; 50:2:TE q m; 51:2:NET 'S3",
                 "S2[1>2] |WTimer Timer| S3[2]");
  stitch_assert (RUNDOWN "10:1:TS q m 0 'S1; 50:2:TE q m; 51:2:NET 'S2; 52:3:TS q m 0 'S4; "
                         "53:2:TN q; 60:2:TE q m; 61:2:NET 'S5; 62:2:TN q",
                 "S1[1>2] |WTimer Timer| S2[2]; S4[3>2] |WTimer Timer| S5[2]");
}

/* Writes a callback on one thread with @n_inside callbacks nested inside. */
static GString *
report_runs (guint n_inside)
{
  GString *script = g_string_new (RUNDOWN "10:1:WE 1 1; 11:2:WD 1 1; 12:2:WS 1 1");
  guint i;

  for (i = 0; i < n_inside; i++)
    g_string_append_printf (script,
                            "; %u:1:WE %u 1; %u.2:2:WD %u 1; %u.4:2:WS %u 1",
                            20 + i,
                            2 + i,
                            20 + i,
                            2 + i,
                            20 + i,
                            2 + i);
  return script;
}

/* A callback ends after many callbacks of other pools began inside it on the same thread. */
static void
test_runs_are_searched_so_far_only (void)
{
  for (guint n_inside = MAX_STEPS - 1; n_inside <= MAX_STEPS; n_inside++)
    {
      g_autoptr (GString) script = report_runs (n_inside);
      NsTrace *trace;

      g_string_append (script, "; 999:2:WX 1 1; 1000:2:NET 'S1");
      trace = stitch_trace_new (script->str);
      g_assert_cmpuint (trace->tasks->len, ==, n_inside + 1);
      g_assert_true ((task (trace, 0)->stop_ns == 999 * NS_PER_SECOND / 1000) ==
                     (n_inside < MAX_STEPS));
      ns_trace_unref (trace);
    }
}

/* A dequeue ends the previous callback of that pool on the thread; callbacks of other pools are
 * skipped. */
static void
test_runs_of_a_pool_are_searched_so_far_only (void)
{
  for (guint n_inside = MAX_STEPS - 1; n_inside <= MAX_STEPS; n_inside++)
    {
      g_autoptr (GString) script = report_runs (n_inside);
      NsTrace *trace;

      g_string_append (script, "; 998:1:WE 1 2; 999:2:WD 1 2; 1000:2:NET 'S1");
      trace = stitch_trace_new (script->str);
      g_assert_cmpuint (trace->tasks->len, ==, n_inside + 2);
      g_assert_true ((task (trace, 0)->stop_ns == 999 * NS_PER_SECOND / 1000) ==
                     (n_inside < MAX_STEPS));
      ns_trace_unref (trace);
    }
}

/* A thread dequeues the callback that it queued itself, otherwise the oldest one. */
static void
test_queued_work_is_searched_so_far_only (void)
{
  for (guint n_newer = MAX_STEPS - 1; n_newer <= MAX_STEPS; n_newer++)
    {
      g_autoptr (GString) script = g_string_new (RUNDOWN "10:1:WE 1 1; 11:2:WE 1 1");
      NsTrace *trace;

      for (guint i = 0; i < n_newer; i++)
        g_string_append_printf (script, "; %u:3:WE 1 1", 20 + i);
      g_string_append (script, "; 999:2:WD 1 1; 999.5:2:WS 1 1; 1000:2:NET 'S1");
      trace = stitch_trace_new (script->str);
      g_assert_cmpuint (trace->tasks->len, ==, n_newer + 2);
      g_assert_cmpint (ns_time_is_set (task (trace, 1)->start_ns), ==, n_newer < MAX_STEPS);
      g_assert_cmpint (ns_time_is_set (task (trace, 0)->start_ns), ==, n_newer >= MAX_STEPS);
      ns_trace_unref (trace);
    }
}

/* A WinHTTP action ends although its context has newer actions with other activity IDs. */
static void
test_actions_are_searched_so_far_only (void)
{
  for (guint n_newer = MAX_STEPS - 1; n_newer <= MAX_STEPS; n_newer++)
    {
      g_autoptr (GString) script = g_string_new (RUNDOWN "10:1:HQ 1 5; 11:2:HS 1 5");
      NsTrace *trace;

      for (guint i = 0; i < n_newer; i++)
        g_string_append_printf (script, "; %u:1:HQ 1 6", 20 + i);
      g_string_append (script, "; 999:2:HX 1 5; 1000:2:NET 'S1");
      trace = stitch_trace_new (script->str);
      g_assert_cmpuint (trace->tasks->len, ==, n_newer + 1);
      g_assert_true ((task (trace, 0)->stop_ns == 999 * NS_PER_SECOND / 1000) ==
                     (n_newer < MAX_STEPS));
      ns_trace_unref (trace);
    }
}

/* A cancel matches the newest queued action; actions that have run are skipped. */
static void
test_actions_to_call_off_are_searched_so_far_only (void)
{
  for (guint n_newer = MAX_STEPS - 1; n_newer <= MAX_STEPS; n_newer++)
    {
      g_autoptr (GString) script = g_string_new (RUNDOWN "10:1:HQ 1 5");
      NsTrace *trace;

      for (guint i = 0; i < n_newer; i++)
        g_string_append_printf (script,
                                "; %u:1:HQ 1 6; %u.2:3:HS 1 6; %u.4:3:HX 1 6",
                                20 + i,
                                20 + i,
                                20 + i);
      g_string_append (script, "; 999:2:HC 1 5; 1000:2:NET 'S1");
      trace = stitch_trace_new (script->str);
      g_assert_cmpuint (trace->tasks->len, ==, n_newer + 1);
      g_assert_true ((task (trace, 0)->destroy_ns == 999 * NS_PER_SECOND / 1000) ==
                     (n_newer < MAX_STEPS));
      ns_trace_unref (trace);
    }
}

/* A dequeued callback starts although its thread dequeued others later. */
static void
test_taken_work_is_searched_so_far_only (void)
{
  for (guint n_newer = MAX_STEPS - 1; n_newer <= MAX_STEPS; n_newer++)
    {
      g_autoptr (GString) script = g_string_new (RUNDOWN "10:1:WE 0 1; 11:2:WD 0 1");
      NsTrace *trace;

      for (guint i = 0; i < n_newer; i++)
        g_string_append_printf (script,
                                "; %u:1:WE 0 %u; %u.5:2:WD 0 %u",
                                20 + i,
                                2 + i,
                                20 + i,
                                2 + i);
      g_string_append (script, "; 999:2:WS 0 1; 1000:2:NET 'S1");
      trace = stitch_trace_new (script->str);
      g_assert_cmpuint (trace->tasks->len, ==, n_newer + 1);
      g_assert_true (ns_time_is_set (task (trace, 0)->start_ns) == (n_newer < MAX_STEPS));
      ns_trace_unref (trace);
    }
}

/* The looper's own event of a post is matched although other threads posted later. */
static void
test_posts_are_searched_so_far_only (void)
{
  for (guint n_newer = MAX_STEPS - 1; n_newer <= MAX_STEPS; n_newer++)
    {
      g_autoptr (GString) script = g_string_new (RUNDOWN "10:1:QP UI 1 1");
      NsTrace *trace;

      for (guint i = 0; i < n_newer; i++)
        g_string_append_printf (script, "; %u:2:QP UI 1 1", 20 + i);
      g_string_append (script, "; 999:1:QP LP 1 1; 1000:2:NET 'S1");
      trace = stitch_trace_new (script->str);
      g_assert_cmpuint (trace->tasks->len, ==, n_newer + (n_newer < MAX_STEPS ? 1 : 2));
      ns_trace_unref (trace);
    }
}

/* The end of a queue also ends the queues that began inside it. */
static void
test_queues_are_searched_so_far_only (void)
{
  for (guint n_inside = MAX_STEPS; n_inside <= MAX_STEPS + 1; n_inside++)
    {
      g_autoptr (GString) script =
          g_string_new (RUNDOWN "10:1:QP UI 1 1; 11:2:QB UI 1; 12:2:QI 1 1");
      NsTrace *trace;

      for (guint i = 0; i < n_inside; i++)
        g_string_append_printf (script, "; %u:2:QB UI %u", 20 + i, 2 + i);
      g_string_append (script, "; 999:2:QE UI 1; 1000:2:NET 'S1");
      trace = stitch_trace_new (script->str);
      g_assert_cmpuint (trace->tasks->len, ==, 1);
      g_assert_true ((task (trace, 0)->stop_ns == 999 * NS_PER_SECOND / 1000) ==
                     (n_inside <= MAX_STEPS));
      ns_trace_unref (trace);
    }
}

/* A timer served by another thread is removed from the previous one, which may have newer
 * timers. */
static void
test_served_timers_are_searched_so_far_only (void)
{
  for (guint n_newer = MAX_STEPS - 1; n_newer <= MAX_STEPS; n_newer++)
    {
      g_autoptr (GString) script = g_string_new (RUNDOWN "10:1:TS 8 1 0; 11:2:TE 8 1");
      NsTrace *trace;

      for (guint i = 0; i < n_newer; i++)
        g_string_append_printf (script,
                                "; %u:1:TS 8 %u 0; %u.5:2:TE 8 %u",
                                12 + i,
                                2 + i,
                                12 + i,
                                2 + i);
      g_string_append (script, "; 998:3:TE 8 1; 999:3:TN 8; 1000:2:NET 'S1");
      trace = stitch_trace_new (script->str);
      g_assert_cmpuint (trace->tasks->len, ==, n_newer + 1);
      g_assert_true ((task (trace, 0)->destroy_ns == 999 * NS_PER_SECOND / 1000) ==
                     (n_newer < MAX_STEPS));
      ns_trace_unref (trace);
    }
}

/* At the end of a timer queue, timers of other queues on the thread are skipped. */
static void
test_timers_are_searched_so_far_only (void)
{
  for (guint n_others = MAX_STEPS - 1; n_others <= MAX_STEPS; n_others++)
    {
      g_autoptr (GString) script = g_string_new (RUNDOWN "10:1:TS 8 1 0; 11:2:TE 8 1");
      NsTrace *trace;

      for (guint i = 0; i < n_others; i++)
        g_string_append_printf (script, "; %u:1:TS 7 %u 0; %u.5:2:TE 7 %u", 12 + i, i, 12 + i, i);
      g_string_append (script, "; 999:2:TN 8; 1000:2:NET 'S1");
      trace = stitch_trace_new (script->str);
      g_assert_cmpuint (trace->tasks->len, ==, n_others + 1);
      g_assert_true ((task (trace, 0)->destroy_ns == 999 * NS_PER_SECOND / 1000) ==
                     (n_others < MAX_STEPS));
      ns_trace_unref (trace);
    }
}

static void
test_threads (void)
{
  stitch_assert (RUNDOWN "10:1:TC 5 app1 'S1; 20:5:NET 'S2", "S1[1>5] |Thread Create| S2[5]");
  stitch_assert (RUNDOWN A3 "22:2:TC 5 app1 'S2; 23:2:WX A x; 30:5:NET 'S3",
                 "S1[1>2] |WThreadPool Worker| S2[2>5] |Thread Create| S3[5]");
  stitch_assert (RUNDOWN "10:1:TC 5 ntdll 'S1; 20:5:NET 'S2", "S2[5]");
  stitch_assert (RUNDOWN "10:1:TC 5 clr 'S1; 20:5:NET 'S2", "S2[5]");
  stitch_assert (RUNDOWN "10:8:TC 5 app1 'S1; 20:5:NET 'S2", "S2[5]");
  stitch_assert (RUNDOWN "20:3:NET 'S2", "S2[3]");
  /* A dispatcher thread, and one with the same start address. */
  stitch_assert (RUNDOWN "9:1:WE A x; 10:1:TC 5 app1 'S1; 20:5:WD A x; 21:5:WS A x; 22:5:WX A x; "
                         "23:5:NET 'S3; 30:1:TC 6 app1 'S4; 31:6:NET 'S5",
                 "S3[5]; S5[6]");
  /* The thread ID is reused, with and without the exit event. */
  stitch_assert (RUNDOWN "10:1:TC 5 app1 'S1; 11:5:TX 5; 12:2:TC 5 app1 'S2; 20:5:NET 'S3",
                 "S2[2>5] |Thread Create| S3[5]");
  stitch_assert (RUNDOWN "10:1:TC 5 app1 'S1; 12:2:TC 5 app1 'S2; 20:5:NET 'S3",
                 "S2[2>5] |Thread Create| S3[5]");
  /* Logged twice, created during the rundown, and without a rundown. */
  stitch_assert (RUNDOWN "10:1:TC 5 app1; 10.005:1:TC 5 app1 'S1; 20:5:NET 'S3",
                 "S1[1>5] |Thread Create| S3[5]");
  stitch_assert (RUNDOWN "0:5:RD 5 app1; 10:1:TC 5 app1 'S1; 20:5:NET 'S3",
                 "S1[1>5] |Thread Create| S3[5]");
  stitch_assert (A3 "22:2:NET 'S2", A3_CHAIN);
  /* The entry point of the C runtime, an unknown one, and a thread that only closes a pool. */
  stitch_assert (RUNDOWN "9:1:WE A x; 10:1:TC 5 crt 'S1; 20:5:WD A x; 21:5:WS A x; 22:5:WX A x; "
                         "30:1:TC 6 crt 'S4; 31:6:NET 'S5",
                 "S4[1>6] |Thread Create| S5[6]");
  stitch_assert (RUNDOWN "9:1:WE A x; 10:1:TC 5 unknown 'S1; 20:5:WD A x; 21:5:WS A x; "
                         "22:5:WX A x; 30:1:TC 6 unknown 'S4; 31:6:NET 'S5",
                 "S4[1>6] |Thread Create| S5[6]");
  stitch_assert (RUNDOWN "10:1:TC 5 app1 'S1; 19:5:WE A x; 20:5:WD A x; 22:5:TX 5; "
                         "30:1:TC 6 app1 'S4; 31:6:NET 'S5",
                 "S4[1>6] |Thread Create| S5[6]");
}

static void
test_a_told_creation_is_one_row (void)
{
  NsTrace *trace =
      stitch_trace_new (RUNDOWN "10:1:TC 5 app1 'S1; 10.005:1:TC 5 app1; 20:5:NET 'S3");
  guint n = 0;
  guint i;

  for (i = 0; i < trace->tasks->len; i++)
    n += task (trace, i)->kind == NS_TASK_THREAD;
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (trace->threads->len, ==, 5);
  g_assert_true (task (trace, 0)->used);
  ns_trace_unref (trace);
}

static void
test_rows_of_activities_know_their_chain (void)
{
  NsTrace *trace = stitch_trace_new (RUNDOWN A3 "22:2:NET 'S2; 23:2:WX A x; 24:3:NET 'S3");
  const NsActivityRow *rows = &g_array_index (trace->activities, NsActivityRow, 0);

  g_assert_cmpuint (trace->activities->len, ==, 2);
  g_assert_cmpuint (ns_activity_get_first_tid (trace, &rows[0]), ==, 1);
  g_assert_cmpuint (ns_activity_count_hops (trace, &rows[0]), ==, 1);
  g_assert_cmpuint (ns_activity_count_stacks (trace, &rows[0]), ==, 2);
  g_assert_cmpuint (ns_activity_get_first_tid (trace, &rows[1]), ==, NS_PID_UNKNOWN);
  g_assert_cmpuint (ns_activity_count_hops (trace, &rows[1]), ==, 0);
  g_assert_cmpuint (ns_activity_count_stacks (trace, &rows[1]), ==, 1);
  g_assert_true (task (trace, 0)->used);
  g_assert_cmpint (task (trace, 0)->running_ns, ==, 2000000);
  ns_trace_unref (trace);
}

static void
test_no_run_overlaps_itself (void)
{
  NsTrace *trace = stitch_trace_new (
      RUNDOWN "10:1:WE A x 'S1; 11:1:WE A y 'S2; 20:2:WD A x; 21:2:WS A x; 22:2:WD A y; "
              "23:2:WS A y; 24:2:TX 2; 25:1:OC w 1; 26:3:OS w; 27:3:OS w; 28:3:OE w");
  guint i;

  g_assert_cmpuint (trace->runs->runs->len, ==, 4);
  for (i = 0; i < trace->runs->runs->len; i++)
    {
      const NsRun *run = &g_array_index (trace->runs->runs, NsRun, i);

      g_assert_cmpint (run->start_ns, <=, run->stop_ns);
      g_assert_cmpint (run->stop_ns, !=, NS_TIME_OPEN);
    }
  /* The lost stop of x, the exit of the thread in y, the start of w within w. */
  g_assert_cmpuint (trace->runs->n_implicit, ==, 3);
  ns_trace_unref (trace);
}

/* The same payloads in classic events of a user session, and shorter payloads of old versions. */
static void
test_other_forms_of_pool_events (void)
{
  static const NsGuid pool =
      NS_GUID_INIT (0xc861d0e2, 0xa2c1, 0x4d36, 0x9f, 0x9c, 0x97, 0x0b, 0xab, 0x94, 0x3a, 0x12);
  static const struct
  {
    guint8 opcode;
    guint8 n_words; /* 32-bit words of the payload: 5 are a 32-bit layout */
    guint8 pointer_size;
    gboolean is_without_pool;
  } events[] = {
    { 32, 10, 8, FALSE }, { 33, 2, 8, TRUE },  { 34, 10, 8, FALSE },
    { 32, 5, 4, FALSE },  { 33, 5, 4, FALSE }, { 34, 5, 4, FALSE },
  };
  static const NsEtlWriterOptions options = { .n_processors = 16 };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  NsTrace *trace;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (events); i++)
    {
      g_autoptr (GByteArray) payload = g_byte_array_new ();
      NsEtlWriterFull record = { .cpu = 9,
                                 .raw = ns_etl_writer_get_base_raw (writer) + (i + 1) * STITCH_MS,
                                 .guid = pool,
                                 .opcode = events[i].opcode,
                                 .version = 2,
                                 .pid = STITCH_PID,
                                 .tid = events[i].opcode == 32 ? 1
                                        : i < 3                ? 2
                                                               : 3,
                                 .payload = payload };

      if (!events[i].is_without_pool)
        ns_etl_bytes_ptr (payload, 0x1000, events[i].pointer_size);
      ns_etl_bytes_ptr (payload, 0x2000 + i / 3, events[i].pointer_size);
      while (payload->len < events[i].n_words * 4u)
        ns_etl_bytes_u32 (payload, 0);
      g_assert_true (ns_etl_writer_add_full (writer, &record));
    }
  stitch_script_write (writer, "10:2:NET 'S2; 11:3:NET 'S3");
  trace = stitch_trace_from_writer (writer);
  for (i = 0; i < 2; i++)
    {
      g_autofree char *chain = stitch_chain_to_text (trace, i);

      g_assert_cmpstr (chain,
                       ==,
                       i == 0 ? "-[1>2] |WThreadPool Worker| S2[2]"
                              : "-[1>3] |WThreadPool Worker| S3[3]");
    }
  ns_trace_unref (trace);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stitch/basics", test_basics);
  g_test_add_func ("/stitch/the-same-time-follows-the-stream",
                   test_the_same_time_follows_the_stream);
  g_test_add_func ("/stitch/callbacks", test_callbacks);
  g_test_add_func ("/stitch/orphans-are-cancelled", test_orphans_are_cancelled);
  g_test_add_func ("/stitch/cancel-counts", test_cancel_counts);
  g_test_add_func ("/stitch/an-enqueue-may-be-logged-late", test_an_enqueue_may_be_logged_late);
  g_test_add_func ("/stitch/timers", test_timers);
  g_test_add_func ("/stitch/runs-are-searched-so-far-only", test_runs_are_searched_so_far_only);
  g_test_add_func ("/stitch/runs-of-a-pool-are-searched-so-far-only",
                   test_runs_of_a_pool_are_searched_so_far_only);
  g_test_add_func ("/stitch/queued-work-is-searched-so-far-only",
                   test_queued_work_is_searched_so_far_only);
  g_test_add_func ("/stitch/actions-are-searched-so-far-only",
                   test_actions_are_searched_so_far_only);
  g_test_add_func ("/stitch/timers-are-searched-so-far-only", test_timers_are_searched_so_far_only);
  g_test_add_func ("/stitch/actions-to-call-off-are-searched-so-far-only",
                   test_actions_to_call_off_are_searched_so_far_only);
  g_test_add_func ("/stitch/taken-work-is-searched-so-far-only",
                   test_taken_work_is_searched_so_far_only);
  g_test_add_func ("/stitch/posts-are-searched-so-far-only", test_posts_are_searched_so_far_only);
  g_test_add_func ("/stitch/queues-are-searched-so-far-only", test_queues_are_searched_so_far_only);
  g_test_add_func ("/stitch/served-timers-are-searched-so-far-only",
                   test_served_timers_are_searched_so_far_only);
  g_test_add_func ("/stitch/threads", test_threads);
  g_test_add_func ("/stitch/a-told-creation-is-one-row", test_a_told_creation_is_one_row);
  g_test_add_func ("/stitch/rows-of-activities-know-their-chain",
                   test_rows_of_activities_know_their_chain);
  g_test_add_func ("/stitch/no-run-overlaps-itself", test_no_run_overlaps_itself);
  g_test_add_func ("/stitch/other-forms-of-pool-events", test_other_forms_of_pool_events);
  return g_test_run ();
}
