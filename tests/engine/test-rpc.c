/* Tests remote procedure calls: one row each, their transport, and their server.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/rpc/ns-rpc.h"

#include "story.h"

#define SVCCTL "367abb81-9844-35f1-ad32-98f038001003"
#define OTHER "00000001-0002-0003-0004-000000000005"
#define MS 1000000
#define TCB P (0xffffaa0000001000)

static const NsRpcRow *
rpc_row (const NsTrace *trace, guint n)
{
  g_assert_cmpuint (trace->rpc->len, >, n);
  return &g_array_index (trace->rpc, NsRpcRow, n);
}

static void
set_context (Story *story, guint32 pid, guint32 tid, guint64 activity)
{
  story->pid = pid;
  story->tid = tid;
  story->activity = activity;
}

static void
report_start (Story *story,
              double ms,
              guint id,
              const char *interface,
              guint opnum,
              guint protocol,
              const char *address,
              const char *endpoint)
{
  story_write_version (story,
                       ms,
                       STORY_RPC,
                       id,
                       1,
                       "gddwwwddd",
                       interface,
                       opnum,
                       protocol,
                       address,
                       endpoint,
                       "NULL",
                       6,
                       9,
                       3);
}

static void
report_stop (Story *story, double ms, guint id, guint status)
{
  story_write_version (story, ms, STORY_RPC, id, 1, "d", status);
}

static void
report_tcp (Story *story, double ms, guint64 tcb, const char *local, const char *remote)
{
  story_write (story, ms, STORY_TCPIP, 1002, "pSSdd", tcb, local, remote, 2, 0);
  story_write (story,
               ms + 0.01,
               STORY_TCPIP,
               1031,
               "SSdddpq",
               local,
               remote,
               0,
               story->pid,
               0,
               tcb,
               P (0));
  story_write (story,
               ms + 0.02,
               STORY_TCPIP,
               1033,
               "SSdddpq",
               local,
               remote,
               0,
               story->pid,
               0,
               tcb,
               P (0));
  story_write (story, ms + 0.03, STORY_TCPIP, 1074, "pdd", tcb, 300, 1);
}

/* A call finds its connection by address and port, else by the thread that sent data, else not at
 * all. */
static void
test_a_call_finds_its_connection (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_context (story, 100, 7, 0);
  report_tcp (story, 1, TCB, "10.0.0.5:50001", "10.0.0.20:49667");
  report_tcp (story, 2, TCB + 0x100, "10.0.0.5:50002", "10.0.0.20:49667");
  report_tcp (story, 3, TCB + 0x200, "10.0.0.5:50003", "10.0.0.21:49667");
  set_context (story, 101, 8, 0);
  report_tcp (story, 4, TCB + 0x300, "10.0.0.5:50004", "10.0.0.22:49667");
  set_context (story, 100, 40, 1);
  report_start (story, 10, 5, SVCCTL, 15, 1, "10.0.0.21", "49667");
  report_stop (story, 11, 7, 0);
  report_start (story, 20, 5, SVCCTL, 15, 1, "10.0.0.20", "49667");
  report_stop (story, 21, 7, 0);
  report_start (story, 30, 5, SVCCTL, 15, 1, "10.0.0.20", "49667");
  story_write (story, 30.5, STORY_TCPIP, 1159, "pwdd", TCB + 0x100, "", 64, 0);
  report_stop (story, 31, 7, 0);
  report_start (story, 40, 5, SVCCTL, 15, 1, "10.0.0.22", "49667");
  report_stop (story, 41, 7, 1722);
  report_start (story, 50, 5, SVCCTL, 15, 1, "NULL", "49667");
  story_write (story, 50.5, STORY_TCPIP, 1159, "pwdd", TCB, "", 64, 0);
  report_stop (story, 51, 7, 0);
  report_start (story, 60, 5, SVCCTL, 15, 1, "10.0.0.21", "NULL");
  report_stop (story, 61, 7, 0);
  trace = story_open (story, 100);

  g_assert_cmpuint (rpc_row (trace, 0)->tcp, ==, 3);
  g_assert_cmpint (rpc_row (trace, 0)->layer.confidence, ==, NS_CONFIDENCE_LIKELY);
  g_assert_cmpuint (rpc_row (trace, 0)->auth_level, ==, 6);
  g_assert_cmpuint (rpc_row (trace, 1)->tcp, ==, 0);
  g_assert_cmpint (rpc_row (trace, 1)->layer.confidence, ==, -1);
  g_assert_cmpuint (rpc_row (trace, 1)->remote.port, ==, 49667);
  g_assert_cmpuint (rpc_row (trace, 2)->tcp, ==, 2);
  g_assert_cmpint (rpc_row (trace, 2)->layer.confidence, ==, NS_CONFIDENCE_LIKELY);
  /* The connection belongs to another process. */
  g_assert_cmpuint (rpc_row (trace, 3)->tcp, ==, 0);
  g_assert_cmpint (rpc_row (trace, 3)->layer.status, ==, 1722);
  g_assert_cmpuint (rpc_row (trace, 4)->tcp, ==, 1);
  g_assert_cmpint (rpc_row (trace, 4)->layer.confidence, ==, NS_CONFIDENCE_INFERRED);
  g_assert_cmpuint (rpc_row (trace, 4)->address, ==, NS_STRING_NONE);
  g_assert_cmpuint (rpc_row (trace, 5)->tcp, ==, 0);
}

/* A stop event ends the newest call of its activity ID on the thread, else the newest on any
 * thread. */
static void
test_a_stop_ends_the_newest_call (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_context (story, 100, 40, 1);
  report_stop (story, 1, 7, 5);
  report_start (story, 10, 5, SVCCTL, 1, 3, "NULL", "ntsvcs");
  story->tid = 44;
  report_start (story, 11, 5, SVCCTL, 2, 3, "NULL", "ntsvcs");
  story->tid = 40;
  report_stop (story, 12, 7, 0);
  story->tid = 48;
  report_stop (story, 13, 7, 0);
  set_context (story, 101, 52, 1);
  report_start (story, 20, 5, SVCCTL, 3, 3, "NULL", "ntsvcs");
  set_context (story, 100, 40, 1);
  report_stop (story, 21, 7, 0);
  set_context (story, 100, 60, 0);
  report_start (story, 30, 5, SVCCTL, 4, 3, "NULL", "ntsvcs");
  set_context (story, 100, 61, 0);
  report_stop (story, 31, 7, 0);
  set_context (story, 100, 60, 0);
  report_stop (story, 32, 7, 0);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->rpc->len, ==, 7);
  g_assert_true (rpc_row (trace, 0)->layer.opened_before_trace);
  g_assert_cmpint (rpc_row (trace, 0)->layer.status, ==, 5);
  g_assert_true (ns_guid_is_zero (&rpc_row (trace, 0)->interface_id));
  g_assert_cmpint (rpc_row (trace, 3)->layer.close_ns, ==, 12 * MS);
  g_assert_cmpint (rpc_row (trace, 4)->layer.close_ns, ==, 13 * MS);
  g_assert_cmpint (rpc_row (trace, 5)->layer.close_ns, ==, NS_TIME_OPEN);
  g_assert_cmpint (rpc_row (trace, 6)->layer.close_ns, ==, 32 * MS);
  g_assert_cmpuint (trace->activities->len, ==, 0);
}

/* Client and server rows match by interface and operation, and only if there is one candidate. */
static void
test_both_sides_of_a_call_find_each_other (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_context (story, 100, 40, 1);
  report_start (story, 10, 5, SVCCTL, 1, 3, "NULL", "ntsvcs");
  set_context (story, 200, 50, 1);
  report_start (story, 11, 6, SVCCTL, 2, 3, "NULL", "ntsvcs");
  report_start (story, 12, 6, SVCCTL, 1, 3, "NULL", "ntsvcs");
  set_context (story, 200, 51, 2);
  report_start (story, 13, 6, OTHER, 7, 3, "NULL", "lsass");
  set_context (story, 100, 40, 1);
  report_stop (story, 15, 7, 0);
  set_context (story, 100, 41, 3);
  report_start (story, 20, 5, OTHER, 7, 3, "NULL", "lsass");
  set_context (story, 200, 51, 4);
  report_start (story, 21, 6, OTHER, 7, 3, "NULL", "lsass");
  set_context (story, 100, 41, 3);
  report_stop (story, 22, 7, 0);
  set_context (story, 100, 42, 5);
  report_start (story, 30, 5, OTHER, 8, 3, "NULL", "lsass");
  set_context (story, 100, 43, 6);
  report_start (story, 31, 5, OTHER, 8, 3, "NULL", "lsass");
  set_context (story, 200, 51, 7);
  report_start (story, 32, 6, OTHER, 8, 3, "NULL", "lsass");
  trace = story_open (story, 100);

  g_assert_cmpuint (rpc_row (trace, 0)->peer, ==, 3);
  g_assert_cmpuint (rpc_row (trace, 2)->peer, ==, 1);
  g_assert_cmpint (rpc_row (trace, 0)->layer.confidence, ==, NS_CONFIDENCE_LIKELY);
  g_assert_cmpuint (rpc_row (trace, 1)->peer, ==, 0);
  g_assert_cmpuint (rpc_row (trace, 3)->peer, ==, 0);
  g_assert_cmpuint (rpc_row (trace, 4)->peer, ==, 6);
  g_assert_cmpint (rpc_row (trace, 5)->layer.confidence, ==, NS_CONFIDENCE_INFERRED);
  g_assert_cmpuint (rpc_row (trace, 6)->peer, ==, 0);
  g_assert_cmpuint (rpc_row (trace, 7)->peer, ==, 0);
  g_assert_cmpuint (rpc_row (trace, 8)->peer, ==, 0);
}

static void
test_what_a_filter_blocked_is_marked (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_context (story, 200, 50, 1);
  report_start (story, 10, 6, SVCCTL, 1, 1, "NULL", "49667");
  story_write_version (story, 11, STORY_RPC, 2, 1, "wgg", "svchost.exe", OTHER, OTHER);
  report_start (story, 12, 6, OTHER, 1, 1, "NULL", "49667");
  story_write_version (story, 13, STORY_RPC, 2, 1, "wgg", "svchost.exe", OTHER, OTHER);
  story_write_version (story, 14, STORY_RPC, 3, 1, "whddd", "svchost.exe", 7, 1722, 0, 0);
  trace = story_open (story, 100);

  g_assert_false (rpc_row (trace, 0)->is_blocked);
  g_assert_true (rpc_row (trace, 1)->is_blocked);
  g_assert_cmpint (rpc_row (trace, 1)->extended, ==, 1722);
}

/* The complete fields of payloads of any length are read. */
static void
test_short_and_long_payloads_are_read_as_far_as_they_go (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  double ms = 1;
  guint id;
  guint n;

  set_context (story, 100, 40, 1);
  for (id = 1; id <= 16; id++)
    for (n = 0; n <= 120; n += 3)
      {
        g_autofree char *bytes = g_strnfill (n * 2, id % 2 ? '4' : '0');

        story_write_version (story, ms, STORY_RPC, id, id % 3, "x", bytes);
        ms += 0.01;
      }
  trace = story_open (story, ms + 10);
  for (n = 1; n < trace->rpc->len; n++)
    g_assert_cmpint (rpc_row (trace, n - 1)->layer.open_ns, <=, rpc_row (trace, n)->layer.open_ns);
}

/* Two processes may use one activity ID, a thread may have none, and an ID may be reused. A stop
 * event without a start only provides the status. */
static void
test_calls_with_one_key_are_told_apart (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_context (story, 100, 40, 1);
  report_stop (story, 5, 7, 5);
  report_start (story, 10, 5, SVCCTL, 1, 3, "NULL", "a");
  set_context (story, 101, 41, 1);
  report_start (story, 11, 5, SVCCTL, 2, 3, "NULL", "a");
  report_stop (story, 12, 7, 0);
  set_context (story, 100, 40, 1);
  report_stop (story, 20, 7, 0);
  /* The ID is reused and the call has no end. */
  report_start (story, 30, 5, SVCCTL, 3, 3, "NULL", "a");
  set_context (story, 100, 42, 0);
  report_start (story, 40, 5, OTHER, 4, 3, "NULL", "a");
  set_context (story, 100, 43, 0);
  report_stop (story, 41, 7, 0);
  set_context (story, 100, 42, 0);
  report_stop (story, 42, 7, 0);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->rpc->len, ==, 6);
  g_assert_true (rpc_row (trace, 0)->layer.opened_before_trace);
  g_assert_cmpint (rpc_row (trace, 0)->layer.status, ==, 5);
  g_assert_cmpint (rpc_row (trace, 0)->opnum, ==, NS_UNKNOWN);
  g_assert_cmpint (rpc_row (trace, 1)->layer.close_ns, ==, 41 * MS);
  g_assert_true (rpc_row (trace, 1)->layer.opened_before_trace);
  g_assert_cmpint (rpc_row (trace, 2)->layer.close_ns, ==, 20 * MS);
  g_assert_cmpint (rpc_row (trace, 3)->layer.close_ns, ==, 12 * MS);
  g_assert_cmpint (rpc_row (trace, 4)->layer.close_ns, ==, NS_TIME_OPEN);
  g_assert_cmpint (rpc_row (trace, 5)->layer.close_ns, ==, 42 * MS);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/rpc/a-call-finds-its-connection", test_a_call_finds_its_connection);
  g_test_add_func ("/rpc/a-stop-ends-the-newest-call", test_a_stop_ends_the_newest_call);
  g_test_add_func ("/rpc/both-sides-of-a-call-find-each-other",
                   test_both_sides_of_a_call_find_each_other);
  g_test_add_func ("/rpc/what-a-filter-blocked-is-marked", test_what_a_filter_blocked_is_marked);
  g_test_add_func ("/rpc/calls-with-one-key-are-told-apart",
                   test_calls_with_one_key_are_told_apart);
  g_test_add_func ("/rpc/short-and-long-payloads-are-read-as-far-as-they-go",
                   test_short_and_long_payloads_are_read_as_far_as_they_go);
  return g_test_run ();
}
