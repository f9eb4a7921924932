/* Tests the verb calls: functions and arguments, results, and threads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "story.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#define PROCESS P (0xbb0064)
#define SOCKET P (0xffff800000001000)
#define OTHER P (0xffff800000002000)

typedef struct
{
  char *folder;
  char *trace;
} Fixture;

/* Writes the enter or exit event of AFD 1003 (send) or 1004 (receive). */
static void
report_bytes (Story *story, double ms, guint id, gboolean is_exit, guint n_bytes, guint status)
{
  story_write (story,
               ms,
               STORY_AFD,
               id,
               "ddppdpdd",
               is_exit,
               is_exit ? 3051 : 3003,
               PROCESS,
               SOCKET,
               1,
               P (0x1000),
               n_bytes,
               status);
}

static void
report_connect (Story *story,
                double ms,
                guint64 socket,
                gboolean is_exit,
                guint status,
                const char *remote)
{
  story_write (story,
               ms,
               STORY_AFD,
               1021,
               "ddpppddA",
               is_exit,
               5031,
               PROCESS,
               socket,
               P (0),
               0,
               status,
               remote);
}

static void
report_create (Story *story, double ms, guint64 socket, gboolean is_exit)
{
  story_write (story,
               ms,
               STORY_AFD,
               1000,
               "ddppdddpd",
               is_exit,
               1002,
               PROCESS,
               socket,
               2,
               1,
               6,
               P (story->pid),
               0);
}

/* Writes sockets that are created, bound and connected; a send that completes on another thread; a
 * receive that fails, a connect that is refused, and one that never completes. */
static void
set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (Story) story = story_new ();

  self->folder = g_dir_make_tmp ("calls-XXXXXX", NULL);
  self->trace = g_build_filename (self->folder, "made.etl", NULL);
  story->tid = 7;
  report_create (story, 1, SOCKET, FALSE);
  report_create (story, 1.2, SOCKET, TRUE);
  story_write (story, 2, STORY_AFD, 1030, "ddppdA", 0, 7010, PROCESS, SOCKET, 0, "0.0.0.0:50001");
  story_write (story, 2.1, STORY_AFD, 1030, "ddppdA", 1, 7022, PROCESS, SOCKET, 0, "0.0.0.0:50001");
  story_write (story, 2.5, STORY_AFD, 1035, "ddppddd", 0, 9000, PROCESS, SOCKET, 6, 65536, 0);
  story_write (story, 2.6, STORY_AFD, 1035, "ddppddd", 1, 9001, PROCESS, SOCKET, 6, 65536, 0);
  report_connect (story, 3, SOCKET, FALSE, 0, "192.0.2.1:443");
  story->tid = 9;
  report_connect (story, 33, SOCKET, TRUE, 0, "192.0.2.1:443");
  story->tid = 7;
  report_bytes (story, 40, 1003, FALSE, 517, 0x103);
  story->tid = 9;
  report_bytes (story, 41.5, 1003, TRUE, 517, 0);
  story->tid = 7;
  report_bytes (story, 50, 1004, FALSE, 4096, 0x103);
  story->tid = 9;
  report_bytes (story, 60, 1004, TRUE, 0, 0xc000020d);
  story->tid = 7;
  report_create (story, 70, OTHER, FALSE);
  report_create (story, 70.1, OTHER, TRUE);
  report_connect (story, 71, OTHER, FALSE, 0, "192.0.2.9:81");
  report_connect (story, 72, OTHER, TRUE, 0xc0000236, "192.0.2.9:81");
  report_connect (story, 80, OTHER, FALSE, 0, "192.0.2.9:82");
  story_write (story, 100, STORY_DNS, 65000, "");
  g_assert_true (ns_etl_writer_finish_to_file (story->writer, self->trace, NULL));
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_unlink (self->trace);
  g_rmdir (self->folder);
  g_free (self->trace);
  g_free (self->folder);
}

static void
assert_prints (Fixture *self, const char *verb, const char *arguments, const char *expected)
{
  g_auto (GStrv) given = g_strsplit (arguments, " ", -1);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) words = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *output = NULL;

  g_strv_builder_add_many (builder, g_getenv ("NETSTITCH_CLI"), verb, self->trace, NULL);
  g_strv_builder_addv (builder, (const char **) given);
  words = g_strv_builder_end (builder);
  process = g_subprocess_newv ((const char *const *) words,
                               G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                               &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &output, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 0);
  g_assert_cmpstr (output, ==, expected);
}

static void
test_a_call_is_told_with_all_that_is_known_of_it (Fixture *self, gconstpointer data)
{
  assert_prints (self,
                 "calls",
                 "--fields t,tid,call,params,ret,status,dur",
                 "open_ns\tcaller_tid\tcall\tparams\tret\tstatus\tduration_ns\n"
                 "1000000\t7\tsocket\tAF_INET, SOCK_STREAM, IPPROTO_TCP\t0\t0\t200000\n"
                 "2000000\t7\tbind\t0.0.0.0:50001\t0\t0\t100000\n"
                 "2500000\t7\tsetsockopt\tSO_RCVBUF 65536\t0\t0\t100000\n"
                 "3000000\t7\tconnect\t192.0.2.1:443\t0\t0\t30000000\n"
                 "40000000\t7\tsend\t517 B\t517\t0\t1500000\n"
                 "50000000\t7\trecv\t4096 B\t-1\t3221225997\t10000000\n"
                 "70000000\t7\tsocket\tAF_INET, SOCK_STREAM, IPPROTO_TCP\t0\t0\t100000\n"
                 "71000000\t7\tconnect\t192.0.2.9:81\t-1\t3221226038\t1000000\n"
                 "80000000\t7\tconnect\t192.0.2.9:82\t\tpending\t20000000\n");
}

static void
test_what_has_no_end_is_pending_for_people_and_null_for_programs (Fixture *self, gconstpointer data)
{
  assert_prints (self,
                 "calls",
                 "--fields call,status --rows 9 --format text",
                 "Call      Status\nconnect  pending\n");
  assert_prints (self,
                 "calls",
                 "--fields call,status,pending --rows 9 --format jsonl",
                 "{\"call\":\"connect\",\"status\":null,\"pending\":true}\n");
  assert_prints (self,
                 "calls",
                 "--fields call,status,duration_ns,pending --rows 9 --format csv",
                 "call,status,duration_ns,pending\r\nconnect,,20000000,true\r\n");
  assert_prints (self,
                 "calls",
                 "--fields call,status,pending --rows 9 --format tsv",
                 "call\tstatus\tpending\nconnect\t\ttrue\n");
}

/* Writes nineteen short receives and one of 1.5 seconds, and a connection with twelve
 * retransmissions. */
static void
report_slow (Fixture *self)
{
  g_autoptr (Story) story = story_new ();
  guint i;

  story_tcp_connect (story, 1, P (0xffffaa0000001000), "10.0.0.5:50001", "192.0.2.1:443");
  story_tcp_connect (story, 2, P (0xffffaa0000002000), "10.0.0.5:50002", "192.0.2.2:443");
  for (i = 0; i < 20; i++)
    {
      double ms = 10 + i * 2000;

      report_bytes (story, ms, 1004, FALSE, 4096, 0x103);
      report_bytes (story, ms + (i == 7 ? 1500 : 10 + i), 1004, TRUE, 100, 0);
    }
  for (i = 0; i < 12; i++)
    story_write (story,
                 50000 + i,
                 STORY_TCPIP,
                 1351,
                 "pdddd",
                 P (0xffffaa0000002000),
                 0,
                 i,
                 30,
                 300);
  story_write (story, 60000, STORY_DNS, 65000, "");
  g_assert_true (ns_etl_writer_finish_to_file (story->writer, self->trace, NULL));
}

static void
test_slow_calls_and_bad_connections_stand_out (Fixture *self, gconstpointer data)
{
  report_slow (self);
  assert_prints (self,
                 "calls",
                 "--fields id,dur --sort -dur --limit 2",
                 "id\tduration_ns\n8\t1500000000\n20\t29000000\n");
  assert_prints (self,
                 "calls",
                 "--group-by call --format jsonl",
                 "{\"call\":\"recv\",\"count\":20,\"failed\":0,\"sent\":0,\"received\":0,"
                 "\"duration_ns\":1873000000,\"p50_ns\":20000000,\"p95_ns\":29000000,"
                 "\"max_ns\":1500000000,\"union_ns\":1873000000,\"open_ns\":10000000,"
                 "\"close_ns\":38039000000,\"still_open\":false}\n");
  assert_prints (self,
                 "tcp",
                 "--fields ip,retransmits --sort -retransmits",
                 "ip\tretransmits\n192.0.2.2\t12\n192.0.2.1\t0\n");
}

/* The exit event of a call may be missing; the close of its socket ends it. */
static void
test_no_call_outlives_its_socket (Fixture *self, gconstpointer data)
{
  g_autoptr (Story) story = story_new ();

  story_socket (story, 1, SOCKET, 50001, "192.0.2.1:443");
  story_socket_close (story, 5, SOCKET);
  story_socket (story, 10, OTHER, 50002, "192.0.2.2:443");
  story_write (story, 100, STORY_DNS, 65000, "");
  g_assert_true (ns_etl_writer_finish_to_file (story->writer, self->trace, NULL));
  assert_prints (self,
                 "calls",
                 "--fields endpoint,call,status,dur --filter pending",
                 "endpoint\tcall\tstatus\tduration_ns\n"
                 "0xffff800000001000\tsocket\tpending\t\n"
                 "0xffff800000001000\tconnect\tpending\t\n"
                 "0xffff800000002000\tsocket\tpending\t\n"
                 "0xffff800000002000\tconnect\tpending\t89800000\n");
}

static void
test_both_threads_of_a_call_are_told (Fixture *self, gconstpointer data)
{
  assert_prints (self,
                 "calls",
                 "--fields call,caller_tid,done_tid --filter call:send",
                 "call\tcaller_tid\tdone_tid\nsend\t7\t9\n");
}

static void
test_failed_calls_are_those_that_failed (Fixture *self, gconstpointer data)
{
  assert_prints (self,
                 "calls",
                 "--fields id,call --filter failed",
                 "id\tcall\n6\trecv\n8\tconnect\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
  ADD ("/cli-calls/a-call-is-told-with-all-that-is-known-of-it",
       test_a_call_is_told_with_all_that_is_known_of_it);
  ADD ("/cli-calls/what-has-no-end-is-pending-for-people-and-null-for-programs",
       test_what_has_no_end_is_pending_for_people_and_null_for_programs);
  ADD ("/cli-calls/both-threads-of-a-call-are-told", test_both_threads_of_a_call_are_told);
  ADD ("/cli-calls/failed-calls-are-those-that-failed", test_failed_calls_are_those_that_failed);
  ADD ("/cli-calls/no-call-outlives-its-socket", test_no_call_outlives_its_socket);
  ADD ("/cli-calls/slow-calls-and-bad-connections-stand-out",
       test_slow_calls_and_bad_connections_stand_out);
#undef ADD
  return g_test_run ();
}
