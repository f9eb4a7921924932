/* Tests the activity table of small scenarios of sockets and connections.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "net-fixture.h"

#define A ((guint64) 0xa)
#define B ((guint64) 0xb)
#define STREAM 1, 6
#define DGRAM 2, 17

typedef struct
{
  NetFixture net;
  NsTrace *trace;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  net_fixture_init (&f->net);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_clear_pointer (&f->trace, ns_trace_unref);
  net_fixture_clear (&f->net);
}

static const char *
protocol_of (const NsActivityRow *row)
{
  switch (row->protocol)
    {
    case NS_LAYER_TCP:
      return "TCP";
    case NS_LAYER_UDP:
      return "UDP";
    case NS_LAYER_WINSOCK:
      return "Winsock";
    default:
      return "?";
    }
}

/* Formats one line per row: protocol, method, peer, server, process, bytes, times in ms. */
static char *
activities_text (const NsTrace *trace)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);
      char peer[NS_IP_TEXT_SIZE];

      g_string_append_printf (text,
                              "%s [%s] %s",
                              protocol_of (row),
                              ns_trace_text (trace, row->method),
                              ns_endpoint_to_text (row->remote, peer));
      if (row->server != NS_STRING_NONE && *ns_trace_text (trace, row->server) != '\0')
        g_string_append_printf (text, " %s", ns_trace_text (trace, row->server));
      if (row->pid != NS_PID_UNKNOWN)
        g_string_append_printf (text, " pid %u", row->pid);
      g_string_append_printf (text,
                              " %" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT " %g-",
                              row->sent,
                              row->received,
                              (double) row->open_ns / 1e6);
      if (row->close_ns != NS_TIME_OPEN)
        g_string_append_printf (text, "%g", (double) row->close_ns / 1e6);
      if (row->failed)
        g_string_append (text, " failed");
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

static void
assert_activities (Fixture *f, const char *expected)
{
  g_autofree char *text = NULL;

  f->trace = net_fixture_open_default (&f->net);
  text = activities_text (f->trace);
  g_assert_cmpstr (text, ==, expected);
}

static void
test_a_connection_has_its_service (Fixture *f, gconstpointer data)
{
  tcp_connect (&f->net, 10, 100, 7, A, "10.0.0.5:50001>1.2.3.4:443");
  tcp_posted (&f->net, 40, 100, 7, A, 300);
  tcp_sent (&f->net, 41, A, 1, 300);
  tcp_received (&f->net, 60, A, 5000);
  tcp_outcome (&f->net, 90, 1038, A, 100, 0, "10.0.0.5:50001>1.2.3.4:443");
  tcp_outcome (&f->net, 95, 1044, A, 100, 0xc000020d, "10.0.0.5:50001>1.2.3.4:443");
  assert_activities (f, "TCP [HTTPS] 1.2.3.4:443 pid 100 300/5000 10-95\n");
}

static void
test_a_shutdown_ends_the_row (Fixture *f, gconstpointer data)
{
  tcp_connect (&f->net, 10, 100, 7, A, "10.0.0.5:50001>1.2.3.4:443");
  tcp_outcome (&f->net, 95, 1044, A, 100, 0, "10.0.0.5:50001>1.2.3.4:443");
  assert_activities (f, "TCP [HTTPS] 1.2.3.4:443 pid 100 0/0 10-95\n");
}

static void
test_an_inferred_connection_learns_its_peer (Fixture *f, gconstpointer data)
{
  tcp_received (&f->net, 50, B, 10);
  tcp_posted (&f->net, 60, 100, 7, B, 5);
  tcp_outcome (&f->net, 70, 1044, B, 100, 0, "10.0.0.5:50001>3.3.3.3:443");
  assert_activities (f, "TCP [HTTPS] 3.3.3.3:443 pid 100 0/10 50-70\n");
}

static void
test_bytes_of_nobody_are_a_row (Fixture *f, gconstpointer data)
{
  tcp_received (&f->net, 50, B, 10);
  assert_activities (f, "TCP []  0/10 50-\n");
}

static void
test_an_accepted_connection_serves_its_port (Fixture *f, gconstpointer data)
{
  afd_create (&f->net, 1, "50/3@1002", "1.f", STREAM);
  afd_bind (&f->net, 2, "50/3@7022", "1.f", "0.0.0.0:80");
  afd_accept (&f->net, 20, "50/3@6101", "1.f", 2, "9.8.7.6:55555");
  tcp_outcome (&f->net, 21, 1017, A, 50, 0, "0.0.0.0:80>9.8.7.6:55555");
  assert_activities (f, "Winsock [HTTP] 9.8.7.6:55555 pid 50 0/0 20-\n");
  g_assert_true (g_array_index (f->trace->activities, NsActivityRow, 0).accepted);
}

static void
test_a_question_over_udp_is_one_row (Fixture *f, gconstpointer data)
{
  const NsActivityRow *row;

  afd_create (&f->net, 1, "100/7@1002", "1.f", DGRAM);
  afd_bind (&f->net, 2, "100/7@7022", "1.f", "0.0.0.0:60000");
  afd_data (&f->net, 5, "100/7@3044", 1013, FALSE, "1.f", 40, "8.8.8.8:53");
  udp_moved (&f->net, 5.01, 7, 1169, B, 100, 40, "10.0.0.5:60000>8.8.8.8:53");
  udp_moved (&f->net, 9, 9, 1170, B, 100, 120, "10.0.0.5:60000>8.8.8.8:53");
  afd_data (&f->net, 9.01, "4/9@4052", 1009, TRUE, "1.f", 120, "8.8.8.8:53");
  afd_close (&f->net, 20, "100/7@2000", "1.f");
  assert_activities (f, "Winsock [DNS:UDP] 8.8.8.8:53 pid 100 40/120 1-20\n");
  row = &g_array_index (f->trace->activities, NsActivityRow, 0);
  g_assert_cmpstr (ns_trace_text (f->trace, row->address_kind), ==, "Google DNS");
}

static void
test_a_socket_that_was_only_bound_is_no_row (Fixture *f, gconstpointer data)
{
  afd_create (&f->net, 1, "100/7@1002", "1.f", STREAM);
  afd_bind (&f->net, 2, "100/7@7022", "1.f", "0.0.0.0:5000");
  afd_close (&f->net, 9, "100/7@2000", "1.f");
  assert_activities (f, "");
}

static void
test_a_refused_socket_tells_why (Fixture *f, gconstpointer data)
{
  const NsActivityRow *row;

  afd_create (&f->net, 1, "100/7@1002", "1.f", STREAM);
  afd_bind (&f->net, 2, "100/7@7022", "1.f", "0.0.0.0:50001");
  afd_connect (&f->net, 3, "100/7@5031", 1018, "1.f", "9.9.9.9:80");
  tcp_connect (&f->net, 3.01, 100, 7, A, "10.0.0.5:50001>9.9.9.9:80");
  tcp_outcome (&f->net, 12, 1034, A, 100, 0xc0000236, "10.0.0.5:50001>9.9.9.9:80");
  afd_close (&f->net, 13, "100/7@2000", "1.f");
  assert_activities (f, "Winsock [HTTP] 9.9.9.9:80 pid 100 0/0 1-13 failed\n");
  row = &g_array_index (f->trace->activities, NsActivityRow, 0);
  g_assert_cmpuint (row->error, ==, 0xc0000236);
  g_assert_cmpuint (row->error_family, ==, NS_CODE_NTSTATUS);
}

static void
test_directories_are_told_by_their_ports (Fixture *f, gconstpointer data)
{
  afd_create (&f->net, 1, "100/7@1002", "1.f", STREAM);
  afd_bind (&f->net, 2, "100/7@7022", "1.f", "0.0.0.0:50001");
  afd_connect (&f->net, 3, "100/7@5031", 1021, "1.f", "10.0.0.1:636");
  afd_create (&f->net, 11, "100/7@1002", "2.f", DGRAM);
  afd_data (&f->net, 12, "100/7@3044", 1013, FALSE, "2.f", 40, "10.0.0.1:389");
  assert_activities (f,
                     "Winsock [LDAPs] 10.0.0.1:636 pid 100 0/0 1-\n"
                     "Winsock [LDAP:UDP] 10.0.0.1:389 pid 100 40/0 11-12\n");
}

static void
test_a_raw_socket_has_the_name_of_its_protocol (Fixture *f, gconstpointer data)
{
  afd_create (&f->net, 1, "100/7@1002", "1.f", 3, 1);
  afd_data (&f->net, 5, "100/7@3044", 1013, FALSE, "1.f", 64, "8.8.8.8:0");
  assert_activities (f, "Winsock [ICMP] 8.8.8.8 pid 100 64/0 1-\n");
}

static void
test_a_silent_flow_of_nobody_is_no_row (Fixture *f, gconstpointer data)
{
  tcp_rundown (&f->net, 1, A, 0, "10.0.0.5:50001>1.2.3.4:443");
  tcp_rundown (&f->net, 1, B, 4, "10.0.0.5:445>1.2.3.4:50000");
  assert_activities (f, "");
}

static void
test_a_rundown_of_a_process_is_a_row (Fixture *f, gconstpointer data)
{
  tcp_rundown (&f->net, 1, A, 321, "10.0.0.5:6000>5.6.7.8:443");
  assert_activities (f, "TCP [Rundown] 5.6.7.8:443 pid 321 0/0 1-\n");
}

/* The payload has no process, and the System process acts for other processes. */
static void
test_datagrams_of_the_system_are_a_row (Fixture *f, gconstpointer data)
{
  net_event (&f->net,
             5,
             4,
             8,
             NET_TCPIP,
             1169,
             "puuAAu",
             B,
             1,
             60,
             "10.0.0.5:137",
             "10.0.0.255:137",
             0);
  assert_activities (f, "UDP [NetBIOS] 10.0.0.255:137 60/0 5-5\n");
}

static void
add (const char *name, void (*test) (Fixture *f, gconstpointer data))
{
  g_test_add (name, Fixture, NULL, set_up, test, tear_down);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add ("/scenarios/service", test_a_connection_has_its_service);
  add ("/scenarios/shutdown", test_a_shutdown_ends_the_row);
  add ("/scenarios/inferred", test_an_inferred_connection_learns_its_peer);
  add ("/scenarios/nobody", test_bytes_of_nobody_are_a_row);
  add ("/scenarios/accepted", test_an_accepted_connection_serves_its_port);
  add ("/scenarios/question", test_a_question_over_udp_is_one_row);
  add ("/scenarios/bound", test_a_socket_that_was_only_bound_is_no_row);
  add ("/scenarios/refused", test_a_refused_socket_tells_why);
  add ("/scenarios/directories", test_directories_are_told_by_their_ports);
  add ("/scenarios/raw", test_a_raw_socket_has_the_name_of_its_protocol);
  add ("/scenarios/silent", test_a_silent_flow_of_nobody_is_no_row);
  add ("/scenarios/rundown", test_a_rundown_of_a_process_is_a_row);
  add ("/scenarios/system-datagrams", test_datagrams_of_the_system_are_a_row);
  return g_test_run ();
}
