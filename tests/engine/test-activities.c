/* Tests the master table: one row per operation, nothing counted twice.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-activity-below.h"
#include "story.h"

#define SESSION P (0x1a0001000)
#define R1 P (0x1b0001000)
#define C1 P (0x1c0000100)
#define S1 P (0x610)
#define K1 P (0xffffaa0000001000)
#define K2 P (0xffffaa0000002000)
#define E1 P (0xffffcc0000000100)
#define PROCESS P (0xffffbb0000010000)

/* Writes the AFD events 1000, 1030 and 1021 of a connecting socket. */
static void
report_socket (Story *story, double ms, guint64 endpoint, const char *local, const char *remote)
{
  story->activity = 0;
  story->activity_high = 0;
  story_write (story,
               ms,
               STORY_AFD,
               1000,
               "ddppdddpd",
               0,
               1002,
               PROCESS,
               endpoint,
               2,
               1,
               6,
               P (story->pid),
               0);
  story_write (story, ms + 0.1, STORY_AFD, 1030, "ddppdA", 1, 7022, PROCESS, endpoint, 0, local);
  story_write (story,
               ms + 0.2,
               STORY_AFD,
               1021,
               "ddpppddA",
               0,
               5031,
               PROCESS,
               endpoint,
               P (0),
               0,
               0,
               remote);
}

/* A request, its socket and its TCP connection share one row. */
static void
test_a_request_takes_its_socket_and_connection (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  story_request (story, 1, R1, 1, SESSION, "https://a.com/");
  story_wait (story, 2, R1, 1, C1);
  story_connect (story, 6, 1, C1, S1, "10.8.0.1:8443");
  report_socket (story, 5.5, E1, "0.0.0.0:50001", "10.8.0.1:8443");
  story_tcp_connect (story, 6.02, K1, "10.0.0.5:50001", "10.8.0.1:8443");
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  story_assert_text (trace, row->server, "a.com");
  story_assert_remote (row, "10.8.0.1:8443");
  story_assert_text (trace, row->address_kind, "Private Network (A)");
  g_assert_cmpuint (row->layers, ==, NS_LAYER_WINHTTP | NS_LAYER_WINSOCK | NS_LAYER_TCP);
  g_assert_cmpuint (ns_activity_get_tcb (trace, row), ==, K1);
  g_assert_cmpuint (g_array_index (trace->winsock, NsWinsockRow, 0).activity, ==, 1);
  g_assert_cmpuint (g_array_index (trace->tcp, NsTcpRow, 0).activity, ==, 1);
  ns_trace_unref (trace);
}

static void
test_a_request_takes_its_socket_without_tcp (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;

  story_request (story, 1, R1, 1, SESSION, "https://a.com/");
  report_socket (story, 5.5, E1, "0.0.0.0:50001", "1.2.3.4:443");
  story_connect (story, 5.65, 1, C1, S1, "1.2.3.4:443");
  report_socket (story, 9, E1 + 0x100, "0.0.0.0:50002", "1.2.3.4:443");
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 2);
  g_assert_cmpuint (story_activity (trace, 0)->layers, ==, NS_LAYER_WINHTTP | NS_LAYER_WINSOCK);
  g_assert_cmpuint (story_activity (trace, 0)->winsock, ==, 1);
  g_assert_cmpuint (story_activity (trace, 1)->protocol, ==, NS_LAYER_WINSOCK);
  g_assert_cmpuint (story_activity (trace, 1)->winsock, ==, 2);
  ns_trace_unref (trace);
}

/* A socket and its TCP connection share one row. */
static void
test_a_socket_takes_its_connection (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  report_socket (story, 1, E1, "0.0.0.0:50001", "1.2.3.4:443");
  story_tcp_connect (story, 1.3, K1, "10.0.0.5:50001", "1.2.3.4:443");
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  g_assert_cmpuint (row->protocol, ==, NS_LAYER_WINSOCK);
  story_assert_text (trace, row->method, "HTTPS");
  story_assert_text (trace, row->service, "HTTPS");
  g_assert_cmpuint (ns_activity_get_tcb (trace, row), ==, K1);
  g_assert_cmpint (row->open_ns, ==, 1000000);
  g_assert_cmpint (row->close_ns, ==, NS_TIME_OPEN);
  ns_trace_unref (trace);
}

/* Each end of a loopback connection has its own row. */
static void
test_both_ends_of_a_loopback_are_rows (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;

  story_tcp_connect (story, 1, K1, "127.0.0.1:6000", "127.0.0.1:80");
  story->pid = 200;
  story_tcp_connect (story, 2, K2, "127.0.0.1:80", "127.0.0.1:6000");
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 2);
  g_assert_true (story_activity (trace, 0)->loopback);
  story_assert_text (trace, story_activity (trace, 0)->address_kind, "Loopback");
  story_assert_text (trace, story_activity (trace, 0)->method, "HTTP");
  g_assert_cmpuint (story_activity (trace, 0)->pid, ==, 100);
  g_assert_cmpuint (story_activity (trace, 1)->pid, ==, 200);
  ns_trace_unref (trace);
}

/* A process reuses its ephemeral ports within seconds; each request is linked by time. */
static void
test_each_request_has_the_connection_of_its_time (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;
  guint i;

  for (i = 0; i < 20; i++)
    {
      g_autofree char *local = g_strdup_printf ("10.0.0.5:%u", 50000 + i % 3);
      g_autofree char *url = g_strdup_printf ("https://a.com/%u", i);
      double ms = 250.0 * i;
      guint64 ptr = R1 + i * 0x1000;

      story_request (story, ms, ptr, i + 1, SESSION, url);
      story_wait (story, ms + 1, ptr, i + 1, C1);
      story_connect (story, ms + 2, i + 1, C1, S1, "1.2.3.4:443");
      story_tcp_connect (story, ms + 2.1, K1 + i, local, "1.2.3.4:443");
      story_connected (story, ms + 3, i + 1, C1, S1, 0);
      story_send (story, ms + 4, i + 1, C1, S1, 100 + i);
      story_disconnect (story, ms + 100, i + 1, C1, S1);
      story_request_close (story, ms + 101, ptr, i + 1);
      story_write_version (story,
                           ms + 110,
                           STORY_TCPIP,
                           1038,
                           0,
                           "AAdddp",
                           local,
                           "1.2.3.4:443",
                           0,
                           100,
                           0,
                           K1 + i);
    }
  trace = story_open (story, 6000);
  g_assert_cmpuint (trace->activities->len, ==, 20);
  for (i = 0; i < 20; i++)
    {
      const NsActivityRow *row = story_activity (trace, i);

      g_assert_cmpuint (row->request, ==, R1 + i * 0x1000);
      g_assert_cmpuint (ns_activity_get_tcb (trace, row), ==, K1 + i);
      g_assert_cmpuint (row->sent, ==, 100 + i);
    }
  ns_trace_unref (trace);
}

static void
test_a_failed_connect_is_an_error_of_its_row (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  report_socket (story, 1, E1, "0.0.0.0:50001", "9.9.9.8:81");
  story_tcp_connect (story, 1.3, K1, "10.0.0.5:50001", "9.9.9.8:81");
  story_write (story,
               3,
               STORY_TCPIP,
               1034,
               "AAdddp",
               "10.0.0.5:50001",
               "9.9.9.8:81",
               0xc0000236,
               100,
               0,
               K1);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  g_assert_true (row->failed);
  g_assert_cmpuint (row->error, ==, 0xc0000236);
  g_assert_cmpint (row->error_family, ==, NS_CODE_NTSTATUS);
  ns_trace_unref (trace);
}

/* Layers are collected one by one; the rows are ordered by time, and at equal times the higher
 * layer comes first. */
static void
test_rows_of_all_layers_are_in_the_order_of_time (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (GString) order = g_string_new (NULL);
  g_autoptr (GString) expected = g_string_new (NULL);
  NsTrace *trace;
  guint i;

  for (i = 0; i < 20; i++)
    {
      g_autofree char *here = g_strdup_printf ("10.0.0.5:%u", 51000 + i);
      g_autofree char *there = g_strdup_printf ("9.9.9.%u:81", 100 + i);
      gboolean is_one_moment = i % 4 == 0;

      report_socket (story, 1 + 10 * i, E1 + i, "0.0.0.0:50001", "9.9.9.8:81");
      story_tcp_connect (story, 1 + 10 * i + (is_one_moment ? 0 : 5), K1 + i, here, there);
      g_string_append_printf (expected, "%u socket, %u tcp; ", i, i);
    }
  trace = story_open (story, 6000);
  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = story_activity (trace, i);

      if (row->protocol == NS_LAYER_WINSOCK)
        g_string_append_printf (order, "%u socket, ", (guint) (row->connection - E1));
      else
        g_string_append_printf (order, "%u tcp; ", (guint) (ns_activity_get_tcb (trace, row) - K1));
    }
  g_assert_cmpstr (order->str, ==, expected->str);
  ns_trace_unref (trace);
}

static void
test_idle_connections_of_the_system_are_left_out (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  story->pid = 4;
  story_write (story, 1, STORY_TCPIP, 1300, "pAAdd", K1, "10.0.0.5:445", "10.0.0.9:60000", 4, 4);
  story_write (story, 1, STORY_TCPIP, 1300, "pAAdd", K2, "10.0.0.5:6000", "5.6.7.8:443", 4, 321);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->tcp->len, ==, 2);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  g_assert_cmpuint (row->pid, ==, 321);
  story_assert_text (trace, row->method, "Rundown");
  g_assert_true (row->opened_before_trace);
  ns_trace_unref (trace);
}

/* Opens a trace with the events 104, 1007, 1045 and 1046 of a WinINet request with a traced socket,
 * and with its TCP connection if @has_tcp. */
static NsTrace *
open_wininet (gboolean has_tcp)
{
  g_autoptr (Story) story = story_new ();

  story->activity = 7;
  story_write (story, 0, STORY_WININET, 104, "ppccchhd", P (9), P (8), "GET", "/", "", 0, 0, 0);
  story_write (story, 1, STORY_WININET, 1007, "pa", R1, "https://a.com/x");
  story_write (story, 2, STORY_WININET, 1045, "p", R1);
  report_socket (story, 2.1, E1, "0.0.0.0:50001", "1.2.3.4:443");
  if (has_tcp)
    story_tcp_connect (story, 2.4, K1, "10.0.0.5:50001", "1.2.3.4:443");
  story->activity = 7;
  story_write_version (story,
                       10,
                       STORY_WININET,
                       1046,
                       1,
                       "pddAA",
                       R1,
                       50001,
                       0,
                       "10.0.0.5:50001",
                       "1.2.3.4:443");
  return story_open (story, 100);
}

static void
test_a_wininet_request_takes_its_socket_too (void)
{
  const NsActivityRow *row;
  NsTrace *trace = open_wininet (TRUE);

  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  g_assert_cmpuint (row->layers, ==, NS_LAYER_WININET | NS_LAYER_WINSOCK | NS_LAYER_TCP);
  g_assert_cmpuint (row->winsock, ==, 1);
  g_assert_cmpuint (ns_activity_get_tcb (trace, row), ==, K1);
  ns_trace_unref (trace);

  trace = open_wininet (FALSE);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  g_assert_cmpuint (row->layers, ==, NS_LAYER_WININET | NS_LAYER_WINSOCK);
  g_assert_cmpuint (row->winsock, ==, 1);
  g_assert_cmpuint (g_array_index (trace->winsock, NsWinsockRow, 0).activity, ==, 1);
  ns_trace_unref (trace);
}

static void
test_a_flow_of_the_kernel_is_below_its_socket (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  report_socket (story, 1, E1, "0.0.0.0:50001", "1.2.3.4:443");
  /* PID, size, remote and local address, remote and local port in network order; the zeros do not
   * matter. */
  story_write (story,
               2,
               STORY_KERNEL_NETWORK,
               10,
               "ddddhhdddp",
               100,
               300,
               0x04030201,
               0x0500000a,
               0xbb01,
               0x51c3,
               0,
               0,
               0,
               P (0));
  story_write (story,
               3,
               STORY_KERNEL_NETWORK,
               10,
               "ddddhhdddp",
               100,
               70,
               0x04030201,
               0x0500000a,
               0xbb01,
               0x52c3,
               0,
               0,
               0,
               P (0));
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->kernel_network->len, ==, 2);
  g_assert_cmpuint (trace->activities->len, ==, 2);
  row = story_activity (trace, 0);
  g_assert_cmpuint (row->layers, ==, NS_LAYER_WINSOCK | NS_LAYER_TCP);
  g_assert_cmpuint (row->kernel_network, ==, 1);
  g_assert_cmpuint (g_array_index (trace->kernel_network, NsKernelNetworkRow, 0).activity, ==, 1);
  row = story_activity (trace, 1);
  g_assert_cmpuint (row->protocol, ==, NS_LAYER_TCP);
  g_assert_cmpuint (row->sent, ==, 70);
  ns_trace_unref (trace);
}

/* Connections of the System process are named after the service of their port. */
static void
test_what_the_system_does_names_its_service (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  story->pid = 4;
  story_tcp_connect (story, 1, K1, "10.0.0.5:50001", "10.0.0.9:445");
  story_tcp_posted (story, 2, K1, 100);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  g_assert_cmpuint (row->pid, ==, 4);
  story_assert_text (trace, row->method, "AD/SMB");
  story_assert_text (trace, row->service, "AD/SMB");
  ns_trace_unref (trace);
}

static void
assert_activity_id (const NsGuid *id, guint64 expected)
{
  g_assert_cmphex (ns_guid_low (id), ==, expected);
  g_assert_cmphex (ns_guid_high (id), ==, 0);
}

static void
test_a_row_has_the_activity_of_the_event_that_began_it (void)
{
  g_autoptr (Story) story = story_new ();
  guint i;
  NsTrace *trace;

  story->activity = 11;
  story_write (story, 1, STORY_DNS, 3008, "wdqdw", "a.com", 1, P (0), 0, "1.2.3.4;");
  story->activity = 12;
  story_write (story, 2, STORY_TCPIP, 1002, "pAAdd", K1, "10.0.0.5:50001", "1.2.3.4:443", 2, 0);
  story->activity = 13;
  story_socket (story, 3, E1, 50002, "1.2.3.5:443");
  story->activity = 14;
  story_netlog (story,
                4,
                "REQUEST_ALIVE",
                "Nestable Async Begin",
                10,
                "URL_REQUEST",
                "{\"url\":\"https://a.com/\"}");
  story_netlog (story,
                5,
                "URL_REQUEST_START_JOB",
                "Nestable Async Begin",
                10,
                "URL_REQUEST",
                "{\"method\":\"GET\",\"url\":\"https://a.com/\"}");
  story->activity = 15; /* set on a later event, so not the ID of this row */
  story_tcp_posted (story, 6, K1, 100);
  trace = story_open (story, 100);
  assert_activity_id (g_array_index (trace->dns, NsDnsRow, 0).activity_id, 11);
  assert_activity_id (g_array_index (trace->tcp, NsTcpRow, 0).activity_id, 12);
  assert_activity_id (g_array_index (trace->winsock, NsWinsockRow, 0).activity_id, 13);
  assert_activity_id (&g_array_index (trace->chromium, NsChromiumRow, 0).activity_id, 14);
  g_assert_cmpuint (trace->activities->len, ==, 3);
  for (i = 0; i < 3; i++)
    assert_activity_id (story_activity (trace, i)->activity_id, 12 + i);
  ns_trace_unref (trace);
}

static gboolean
open_and_check (const char *path)
{
  g_autoptr (GError) error = NULL;
  NsTraceOptions options = { 0 };
  NsTrace *trace = ns_trace_open (path, &options, NULL, NULL, &error);

  if (trace == NULL)
    return FALSE;
  story_assert_invariants (trace);
  ns_trace_unref (trace);
  return TRUE;
}

static guint
check_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  if (dir == NULL)
    return 0;
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_str_has_suffix (name, ".etl") && open_and_check (path))
        n++;
    }
  return n;
}

static void
test_what_must_hold_holds_for_every_trace (void)
{
  const char *folder = g_getenv ("NETSTITCH_TEST_TRACES");
  g_autofree char *synthetic = NULL;

  if (folder == NULL || !g_file_test (folder, G_FILE_TEST_IS_DIR))
    {
      g_test_skip ("no traces here");
      return;
    }
  synthetic = g_build_filename (folder, "synthetic", NULL);
  g_assert_cmpuint (check_folder (folder) + check_folder (synthetic), >, 0);
}

static char *
summary_of (const NsTrace *trace)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = story_activity (trace, i);

      g_string_append_printf (text,
                              "%u %u %u %u %" G_GINT64_FORMAT " %" G_GINT64_FORMAT
                              " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %u %u %u %s %s\n",
                              row->parent,
                              row->protocol,
                              row->layers,
                              row->pid,
                              row->open_ns,
                              row->close_ns,
                              row->sent,
                              row->received,
                              row->tcp,
                              row->winsock,
                              row->stack,
                              ns_trace_text (trace, row->url),
                              ns_trace_text (trace, row->server));
    }
  return g_string_free (text, FALSE);
}

static void
test_two_runs_are_the_same (void)
{
  const char *folder = g_getenv ("NETSTITCH_TEST_TRACES");
  g_autofree char *path = NULL;
  g_autofree char *first = NULL;
  NsTraceOptions options = { 0 };
  guint i;

  if (folder != NULL)
    path = g_build_filename (folder, "synthetic", "stories-S01_office_start.etl", NULL);
  if (path == NULL || !g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("no traces here");
      return;
    }
  for (i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;
      NsTrace *trace = ns_trace_open (path, &options, NULL, NULL, &error);
      g_autofree char *summary = NULL;

      g_assert_no_error (error);
      summary = summary_of (trace);
      if (first == NULL)
        first = g_steal_pointer (&summary);
      else
        g_assert_cmpstr (first, ==, summary);
      ns_trace_unref (trace);
    }
  g_assert_cmpstr (first, !=, "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(name, func) g_test_add_func ("/activities/" name, func)
  CLAIM ("a-request-takes-its-socket-and-connection",
         test_a_request_takes_its_socket_and_connection);
  CLAIM ("a-request-takes-its-socket-without-tcp", test_a_request_takes_its_socket_without_tcp);
  CLAIM ("a-socket-takes-its-connection", test_a_socket_takes_its_connection);
  CLAIM ("both-ends-of-a-loopback-are-rows", test_both_ends_of_a_loopback_are_rows);
  CLAIM ("each-request-has-the-connection-of-its-time",
         test_each_request_has_the_connection_of_its_time);
  CLAIM ("a-failed-connect-is-an-error-of-its-row", test_a_failed_connect_is_an_error_of_its_row);
  CLAIM ("rows-of-all-layers-are-in-the-order-of-time",
         test_rows_of_all_layers_are_in_the_order_of_time);
  CLAIM ("idle-connections-of-the-system-are-left-out",
         test_idle_connections_of_the_system_are_left_out);
  CLAIM ("a-wininet-request-takes-its-socket-too", test_a_wininet_request_takes_its_socket_too);
  CLAIM ("a-flow-of-the-kernel-is-below-its-socket", test_a_flow_of_the_kernel_is_below_its_socket);
  CLAIM ("what-the-system-does-names-its-service", test_what_the_system_does_names_its_service);
  CLAIM ("a-row-has-the-activity-of-the-event-that-began-it",
         test_a_row_has_the_activity_of_the_event_that_began_it);
  CLAIM ("what-must-hold-holds-for-every-trace", test_what_must_hold_holds_for_every_trace);
  CLAIM ("two-runs-are-the-same", test_two_runs_are_the_same);
#undef CLAIM
  return g_test_run ();
}
