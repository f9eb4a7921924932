/* Tests chains through Office task pools and queues, WinHTTP actions, and combinations of them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stitch-fixture.h"

#define RUNDOWN "0:1:RD 1 app0; 0:2:RD 2 ntdll; 0:3:RD 3 ntdll; 0:4:RD 4 ntdll; "

static void
test_workers (void)
{
  stitch_assert (RUNDOWN "10:1:OC w 1 'S1; 20:2:OS w; 21:2:NET 'S2; 22:2:OE w",
                 "S1[1>2] |OTaskPool typeWorker| S2[2]");
  /* The worker was created before the trace. */
  stitch_assert (RUNDOWN "10:1:OT w 'S1; 20:2:OS w; 21:2:NET 'S2",
                 "S1[1>2] |OTaskPool typeTimer| S2[2]");
  stitch_assert (RUNDOWN "10:1:OC w 3; 11:1:OT w 'S1; 20:2:OS w; 21:2:NET 'S2",
                 "S1[1>2] |OTaskPool typeTimer| S2[2]");
  /* Another thread submits the worker again. */
  stitch_assert (RUNDOWN "10:1:OC w 3 'S1; 20:2:OS w; 21:2:OE w; 30:3:OT w 'S3; 40:4:OS w; "
                         "41:4:NET 'S4",
                 "S3[3>4] |OTaskPool typeTimer| S4[4]");
  /* The worker submits itself again. */
  stitch_assert (RUNDOWN "10:1:OC w 3 'S1; 20:2:OS w; 21:2:OT w 'S2; 22:2:OE w; 30:3:OS w; "
                         "31:3:NET 'S3",
                 "S1[1>2] |OTaskPool typeTimer| S2[2>3] |OTaskPool typeTimer| S3[3]");
  /* The timer thread only forwards the worker. */
  stitch_assert (RUNDOWN "10:1:OC w 3 'S1; 11:1:OT w 'S2; 20:3:OF w; 21:3:OW w 'S9; 30:2:OS w; "
                         "31:2:NET 'S4",
                 "S2[1>2] |OTaskPool typeTimer| S4[2]");
  /* A truncated payload affects only its own event. */
  stitch_assert (RUNDOWN "9:1:OC v 1 0 'S9; 10:1:OC w 1 'S1; 20:2:OS w; 21:2:NET 'S2",
                 "S1[1>2] |OTaskPool typeWorker| S2[2]");
  /* The worker is destroyed and its address reused; and an unknown type. */
  stitch_assert (RUNDOWN "10:1:OC w 1 'S1; 11:1:OD w; 12:1:OC w 77 'S2; 20:2:OS w; 21:2:NET 'S3",
                 "S2[1>2] |OTaskPool 77| S3[2]");
}

static void
test_dispatch_queues (void)
{
  stitch_assert (RUNDOWN
                 "5:1:OC w 1 'S9; 10:1:QP UI q c 'S1; 20:2:OS w; 21:2:QB LP q; 22:2:QI q c; "
                 "23:2:NET 'S2; 24:2:QE LP q; 25:2:NET 'S3; 26:2:OE w",
                 "S1[1>2] |ODispatchQ UIQueue| S2[2]; S9[1>2] |OTaskPool typeWorker| S3[2]");
  /* Events of a nested queue and of an unknown queue are ignored. */
  stitch_assert (RUNDOWN "9:1:QP UI r d 'S8; 10:1:QP UI q c 'S1; 21:2:QB LP q; 22:2:QI q c; "
                         "23:2:QI r d; 24:2:QI 0 c; 25:2:NET 'S2",
                 "S1[1>2] |ODispatchQ UIQueue| S2[2]");
  stitch_assert (RUNDOWN "9:1:QP SQ q c1 'S1; 10:1:QP SQ q c2 'S2; 21:2:QB SQ q; 22:2:QI q c1; "
                         "23:2:QI q c2; 24:2:NET 'S3",
                 "S2[1>2] |ODispatchQ SequentialQueue| S3[2]");
  /* Posted before the trace: the stack of the worker is used. */
  stitch_assert (RUNDOWN "5:1:OC w 1 'S9; 20:2:OS w; 21:2:QB SQ q; 22:2:QI q c; 23:2:NET 'S2",
                 "S9[1>2] |OTaskPool typeWorker| S2[2]");
  /* Posted twice, invoked twice. */
  stitch_assert (RUNDOWN "9:1:QP CC q c 'S1; 10:1:QP CC q c 'S2; 21:2:QB CC q; 22:2:QI q c; "
                         "23:2:NET 'S3; 24:2:QI q c; 25:2:NET 'S4",
                 "S1[1>2] |ODispatchQ ConcurrentQueue| S3[2]; "
                 "S2[1>2] |ODispatchQ ConcurrentQueue| S4[2]");
  /* The end of the queue is missing, that of the worker is not. */
  stitch_assert (RUNDOWN "4:1:OC w 1 'S7; 5:1:OC v 1 'S8; 9:1:QP UI q c 'S1; 10:1:QP SQ r d 'S2; "
                         "20:2:OS w; 21:2:QB LP q; 22:2:QI q c; 23:2:OE w; "
                         "30:2:OS v; 31:2:QB SQ r; 32:2:QI r d; 33:2:NET 'S3",
                 "S2[1>2] |ODispatchQ SequentialQueue| S3[2]");
  /* One post is reported by two events. */
  stitch_assert (RUNDOWN "5:1:OC w 1 'S9; 10:1:QP UI q c 'S1; 10.1:1:QP LP q c 'S1; 20:2:OS w; "
                         "21:2:QB LP q; 22:2:QI q c; 23:2:NET 'S2; 24:2:QI q c; 25:2:NET 'S3",
                 "S1[1>2] |ODispatchQ UIQueue| S2[2]; S9[1>2] |OTaskPool typeWorker| S3[2]");
}

static void
test_idle_tasks (void)
{
  NsTrace *trace;
  g_autofree char *chain = NULL;

  trace = stitch_trace_new (RUNDOWN "10:3:IU 'S1; 11:1:IR 7 1 'S2; 20:1:IB; 21:1:IX 7 1; "
                                    "22:1:NET 'S3; 23:1:ID 7 1; 24:1:IE");
  chain = stitch_chain_to_text (trace, 0);
  g_assert_cmpstr (chain, ==, "S1[3>1] |MsoIdlePool IdleTask| S3[1]");
  g_assert_cmphex (g_array_index (trace->tasks, NsTaskRow, 0).context, ==, 0x100000007);
  g_assert_cmpstr (ns_trace_text (trace, g_array_index (trace->tasks, NsTaskRow, 0).label),
                   ==,
                   "task");
  ns_trace_unref (trace);

  /* The event that adds the task is missing. */
  stitch_assert (RUNDOWN "11:1:IR 7 5 'S2; 20:1:IB; 21:1:IX 7 5; 22:1:NET 'S3",
                 "S2[1>1] |MsoIdlePool IdleTask| S3[1]");
  /* The next task ends the previous one; the end of the idle period ends the last. */
  stitch_assert (RUNDOWN "10:1:IR 7 1 'S1; 11:1:IR 8 2 'S2; 20:1:IX 7 1; 21:1:IX 8 2; "
                         "22:1:NET 'S3; 23:1:IE; 24:1:NET 'S4",
                 "S2[1>1] |MsoIdlePool IdleTask| S3[1]; S4[1]");
  /* External tasks are ignored; a cookie of 0 is invalid. */
  stitch_assert (RUNDOWN "10:1:IR 0x017d8402 -3 'S5; 11:3:IU 'S1; 12:1:IR 9 0 'S6; "
                         "13:1:IR 7 1 'S2; 20:1:IX 7 1; 21:1:NET 'S3; 22:1:IX 0x017d8402 -3; "
                         "23:1:NET 'S4",
                 "S1[3>1] |MsoIdlePool IdleTask| S3[1]; S5[1>1] |MsoIdlePool IdleTask| S4[1]");
  /* Another task is removed while this one runs. */
  stitch_assert (RUNDOWN "10:1:IR 7 1 'S1; 11:1:IR 8 2 'S2; 20:1:IX 7 1; 21:1:ID 8 2; 22:1:NET 'S3",
                 "S1[1>1] |MsoIdlePool IdleTask| S3[1]");
}

static void
test_winhttp_actions (void)
{
  stitch_assert (RUNDOWN "10:1:HQ c a 2 'S1; 20:2:HS c a 2; 21:2:NET 'S2; 22:2:HX c a 2",
                 "S1[1>2] |WinHTTP WorkItem| S2[2]");
  /* The start is logged before the queuing. */
  stitch_assert (RUNDOWN "20:2:HS c a 2; 21:1:HQ c a 2 'S1; 22:2:NET 'S2; 23:2:HX c a 2",
                 "S1[1>2] |WinHTTP WorkItem| S2[2]");
  stitch_assert (RUNDOWN "20:2:HS c a 2; 21:2:NET 'S2; 22:2:HX c a 2; 23:1:HQ c a 2 'S1",
                 "S1[1>2] |WinHTTP WorkItem| S2[2]");
  /* Cancelled: a later start belongs to another action. */
  stitch_assert (RUNDOWN "10:1:HQ c a 2 'S1; 11:1:HC c a 1; 20:2:HS c a 2; 21:2:NET 'S2",
                 "-[?>2] |WinHTTP WorkItem| S2[2]");
  stitch_assert (RUNDOWN
                 "10:1:HQ c a 2 'S1; 20:2:HS c a 2; 21:2:HC c a 1; 22:2:NET 'S2; 23:2:HX c a 2",
                 "S1[1>2] |WinHTTP WorkItem| S2[2]");
  /* The context is reused before its first use has ended. */
  stitch_assert (RUNDOWN "10:1:HQ c a 2 'S1; 20:2:HS c a 2; 21:3:HQ c a 2 'S3; 22:2:NET 'S2; "
                         "23:2:HX c a 2; 30:4:HS c a 2; 31:4:NET 'S4",
                 "S1[1>2] |WinHTTP WorkItem| S2[2]; S3[3>4] |WinHTTP WorkItem| S4[4]");
  /* Overlapped I/O of WinHTTP is logged by WebIO, timers of WebIO by WinHTTP. */
  stitch_assert (RUNDOWN "10:1:HQ c a 3 'S1; 20:2:HS c a 3; 21:2:NET 'S2; 22:2:HX c a 3; "
                         "30:1:BQ d a 3 'S3; 40:2:BS d a 3; 41:2:NET 'S4; 42:2:BX d a 3; "
                         "50:1:BQ e a 1 'S5; 60:2:BS e a 1; 61:2:NET 'S6",
                 "S2[2]; S3[1>2] |WinHTTP OverlappedIO| S4[2]; S6[2]");
  /* Queued before the trace: a later queuing does not match the start. */
  stitch_assert (RUNDOWN "20:2:HS c a 2; 21:2:HX c a 2; 1000:1:HQ c a 2 'S1; 1010:3:HS c a 2; "
                         "1011:3:NET 'S2",
                 "S1[1>3] |WinHTTP WorkItem| S2[3]");
  /* The start has another activity ID. */
  stitch_assert (RUNDOWN "10:1:HQ c a 2 'S1; 20:2:HS c b 2; 21:2:NET 'S2",
                 "-[?>2] |WinHTTP WorkItem| S2[2]");
}

static void
test_every_kind_of_pool_in_one_chain (void)
{
  stitch_assert (
      RUNDOWN "1:1:TS q m 0 'S1; 2:2:TE q m; 3:2:WE A x 'S2; 4:2:TN q; 5:3:WD A x; 6:3:WS A x; "
              "7:3:OC w 1 'S3; 8:3:WX A x; 9:4:OS w; 10:4:QP SQ q c 'S4; 11:4:OE w; "
              "12:2:QB SQ q; 13:2:QI q c; 14:2:TC 5 app1 'S5; 15:2:QE SQ q; 16:5:HQ c a 2 'S6; "
              "17:3:HS c a 2; 18:3:NET 'S7",
      "S1[1>2] |WTimer Timer| S2[2>3] |WThreadPool Worker| S3[3>4] |OTaskPool typeWorker| "
      "S4[4>2] |ODispatchQ SequentialQueue| S5[2>5] |Thread Create| "
      "S6[5>3] |WinHTTP WorkItem| S7[3]");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stitch/workers", test_workers);
  g_test_add_func ("/stitch/dispatch-queues", test_dispatch_queues);
  g_test_add_func ("/stitch/idle-tasks", test_idle_tasks);
  g_test_add_func ("/stitch/winhttp-actions", test_winhttp_actions);
  g_test_add_func ("/stitch/every-kind-of-pool-in-one-chain", test_every_kind_of_pool_in_one_chain);
  return g_test_run ();
}
