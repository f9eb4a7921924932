/* Tests sockets and the connections below them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-activities-row.h"
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

/* Writes a socket of process 100 that thread 7 creates, binds and connects. */
static void
connected_socket (Fixture *f, double ms, const char *what, const char *address)
{
  afd_create (&f->net, ms, "100/7@1002", what, STREAM);
  afd_bind (&f->net, ms + 1, "100/7@7022", what, "0.0.0.0:50001");
  afd_connect (&f->net, ms + 2, "100/7@5031", 1021, what, address);
}

static void
test_connection_finds_its_socket (Fixture *f, gconstpointer data)
{
  connected_socket (f, 1, "1.f", "1.2.3.4:443");
  tcp_connect (&f->net, 3.02, 100, 7, A, "10.0.0.5:50001>1.2.3.4:443");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace, winsock, "1 :50001>1.2.3.4:443 pid 100 tid 7 open 1 tcp 1\n");
  assert_rows (f->trace,
               tcp,
               "a :50001>1.2.3.4:443 pid 100 tid 7 open 3.02 socket Connect_Request\n");
}

/* A dual-mode socket that uses IPv4 has an IPv4-mapped address, shown as IPv4. */
static void
test_mapped_address_is_shown_as_ipv4 (Fixture *f, gconstpointer data)
{
  connected_socket (f, 1, "1.f", "[::ffff:1.2.3.4]:443");
  tcp_connect (&f->net, 3.02, 100, 7, A, "10.0.0.5:50001>1.2.3.4:443");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace, winsock, "1 :50001>1.2.3.4:443 pid 100 tid 7 open 1 tcp 1\n");
  g_assert_true (g_array_index (f->trace->winsock, NsWinsockRow, 0).connect_ex);
}

static void
test_unbound_socket_is_found_on_its_thread (Fixture *f, gconstpointer data)
{
  afd_connect (&f->net, 3, "100/7@5031", 1021, "1.f", "1.2.3.4:443");
  tcp_connect (&f->net, 3.02, 100, 7, A, "10.0.0.5:50001>1.2.3.4:443");
  afd_connect (&f->net, 10, "100/8@5031", 1021, "2.f", "1.2.3.5:443");
  tcp_connect (&f->net, 13, 100, 8, B, "10.0.0.5:50002>1.2.3.5:443");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               winsock,
               "1 :50001>1.2.3.4:443 pid 100 tid 7 open 3 tcp 1\n"
               "2 :0>1.2.3.5:443 pid 100 tid 8 open 10\n");
}

static void
test_would_block_is_no_failure (Fixture *f, gconstpointer data)
{
  connected_socket (f, 1, "1.f", "1.2.3.4:443");
  net_event (&f->net,
             9,
             100,
             7,
             NET_AFD,
             1004,
             "uuppupuu",
             1,
             4109,
             (guint64) 0xf,
             (guint64) 1,
             1,
             (guint64) 0xb0,
             0,
             0xc00000a3);
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace, winsock, "1 :50001>1.2.3.4:443 pid 100 tid 7 open 1\n");
}

static void
test_reliable_place_tells_the_process_later (Fixture *f, gconstpointer data)
{
  afd_connect (&f->net, 5, "4/9@5999", 1018, "1.f", "1.2.3.4:443");
  afd_data (&f->net, 10, "4/9@3018", 1003, TRUE, "1.f", 10, "");
  afd_data (&f->net, 20, "77/8@3014", 1003, TRUE, "1.f", 10, "");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace, winsock, "1 :0>1.2.3.4:443 pid 77 sent 20 open 5\n");
}

static void
assert_pid_source (Fixture *f, guint32 pid, NsPidSource source)
{
  const NsWinsockRow *row = &g_array_index (f->trace->winsock, NsWinsockRow, 0);

  g_assert_cmpuint (f->trace->winsock->len, ==, 1);
  g_assert_cmpuint (row->pid, ==, pid);
  g_assert_cmpint (row->pid_source, ==, source);
}

/* Received data belongs to the process of the socket, even if the event header names another
 * one. */
static void
test_header_of_an_arrival_tells_nothing (Fixture *f, gconstpointer data)
{
  afd_create (&f->net, 1, "100/7@1002", "1.f", STREAM);
  afd_connect (&f->net, 5, "100/7@5999", 1018, "1.f", "1.2.3.4:443");
  afd_data (&f->net, 10, "0/0@4001", 1004, TRUE, "1.f", 10, "");
  f->trace = net_fixture_open_default (&f->net);
  assert_pid_source (f, 100, NS_PID_FROM_HEADER);
}

static void
test_later_place_is_named_as_source (Fixture *f, gconstpointer data)
{
  afd_connect (&f->net, 5, "4/9@5999", 1018, "1.f", "1.2.3.4:443");
  afd_data (&f->net, 10, "0/0@4001", 1004, TRUE, "1.f", 10, "");
  afd_data (&f->net, 20, "77/8@3014", 1003, TRUE, "1.f", 10, "");
  f->trace = net_fixture_open_default (&f->net);
  assert_pid_source (f, 77, NS_PID_FROM_SOCKET);
}

static void
test_unreliable_place_tells_nothing (Fixture *f, gconstpointer data)
{
  afd_connect (&f->net, 5, "55/9@5999", 1018, "1.f", "1.2.3.4:443");
  afd_data (&f->net, 10, "66/9@3018", 1003, TRUE, "1.f", 10, "");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace, winsock, "1 :0>1.2.3.4:443 sent 10 open 5\n");
}

static void
test_trace_teaches_reliable_places (Fixture *f, gconstpointer data)
{
  guint i;

  afd_create (&f->net, 1, "100/7@1002", "1.f", STREAM);
  for (i = 0; i < 20; i++)
    afd_data (&f->net, 2 + i, "100/7@3777", 1003, TRUE, "1.f", 1, "");
  afd_connect (&f->net, 50, "4/9@5999", 1018, "2.e", "1.2.3.4:443");
  afd_data (&f->net, 51, "200/7@3777", 1003, TRUE, "2.e", 1, "");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace, winsock, "2 :0>1.2.3.4:443 pid 200 sent 1 open 50\n");
}

static void
test_one_disagreement_spoils_a_place (Fixture *f, gconstpointer data)
{
  guint i;

  afd_create (&f->net, 1, "100/7@1002", "1.f", STREAM);
  for (i = 0; i < 20; i++)
    afd_data (&f->net, 2 + i, "100/7@3777", 1003, TRUE, "1.f", 1, "");
  afd_data (&f->net, 30, "101/7@3777", 1003, TRUE, "1.f", 1, "");
  afd_connect (&f->net, 50, "4/9@5999", 1018, "2.e", "1.2.3.4:443");
  afd_data (&f->net, 51, "200/7@3777", 1003, TRUE, "2.e", 1, "");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace, winsock, "2 :0>1.2.3.4:443 sent 1 open 50\n");
}

static void
test_repeated_report_counts_once (Fixture *f, gconstpointer data)
{
  connected_socket (f, 1, "1.f", "1.2.3.4:443");
  afd_data (&f->net, 10, "100/7@3051", 1003, TRUE, "1.f", 100, "");
  afd_data (&f->net, 10, "100/7@3073", 1003, TRUE, "1.f", 100, "");
  afd_data (&f->net, 11, "100/7@3056", 1003, FALSE, "1.f", 7, "");
  afd_data (&f->net, 12, "100/7@3073", 1003, TRUE, "1.f", 7, "");
  afd_data (&f->net, 13, "100/7@3014", 1003, TRUE, "1.f", 7, "");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace, winsock, "1 :50001>1.2.3.4:443 pid 100 tid 7 sent 107 open 1\n");
}

static void
test_only_report_of_an_operation_counts (Fixture *f, gconstpointer data)
{
  connected_socket (f, 1, "1.f", "1.2.3.4:443");
  afd_data (&f->net, 11, "100/7@3056", 1003, FALSE, "1.f", 7, "");
  afd_data (&f->net, 12, "100/7@3073", 1003, TRUE, "1.f", 7, "");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace, winsock, "1 :50001>1.2.3.4:443 pid 100 tid 7 sent 7 open 1\n");
}

static void
test_unused_sockets_have_no_row (Fixture *f, gconstpointer data)
{
  afd_create (&f->net, 1, "100/7@1002", "1.f", STREAM);
  afd_close (&f->net, 2, "100/7@2000", "1.f");
  afd_create (&f->net, 3, "100/7@1002", "2.f", STREAM);
  afd_bind (&f->net, 4, "100/7@7022", "2.f", "0.0.0.0:5000");
  afd_close (&f->net, 5, "100/7@2000", "2.f");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace, winsock, "");
}

static void
test_failed_connect_shows_what_the_stack_knows (Fixture *f, gconstpointer data)
{
  connected_socket (f, 1, "1.f", "9.9.9.8:81");
  tcp_connect (&f->net, 3.02, 100, 7, A, "10.0.0.5:50001>9.9.9.8:81");
  tcp_outcome (&f->net, 5, 1034, A, 100, 0xc0000236, "10.0.0.5:50001>9.9.9.8:81");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               winsock,
               "1 :50001>9.9.9.8:81 pid 100 tid 7 open 1 status c0000236 tcp 1\n");
}

static void
test_reference_leaves_the_status_of_the_socket (Fixture *f, gconstpointer data)
{
  connected_socket (f, 1, "1.f", "9.9.9.8:81");
  tcp_connect (&f->net, 3.02, 100, 7, A, "10.0.0.5:50001>9.9.9.8:81");
  tcp_outcome (&f->net, 5, 1034, A, 100, 0xc0000236, "10.0.0.5:50001>9.9.9.8:81");
  f->trace = net_fixture_open (&f->net, TRUE);
  assert_rows (f->trace, winsock, "1 :50001>9.9.9.8:81 pid 100 tid 7 open 1 tcp 1\n");
}

static void
test_process_object_used_again (Fixture *f, gconstpointer data)
{
  net_process (&f->net, 0.5, 1, 10, "first.exe");
  afd_create (&f->net, 1, "10/7@1002", "1.f", STREAM);
  afd_connect (&f->net, 2, "10/7@5031", 1021, "1.f", "1.2.3.4:443");
  net_process (&f->net, 30, 2, 10, "first.exe");
  afd_connect (&f->net, 40, "4/9@5999", 1018, "3.f", "1.2.3.6:443");
  net_process (&f->net, 45, 1, 20, "second.exe");
  afd_create (&f->net, 50, "20/8@1002", "2.f", STREAM);
  afd_connect (&f->net, 51, "20/8@5031", 1021, "2.f", "1.2.3.5:443");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               winsock,
               "1 :0>1.2.3.4:443 pid 10 tid 7 open 1\n"
               "3 :0>1.2.3.6:443 open 40\n"
               "2 :0>1.2.3.5:443 pid 20 tid 8 open 50\n");
}

static void
test_endpoint_used_again (Fixture *f, gconstpointer data)
{
  afd_create (&f->net, 1, "10/7@1002", "1.f", STREAM);
  afd_connect (&f->net, 2, "10/7@5031", 1021, "1.f", "1.2.3.4:443");
  afd_close (&f->net, 50, "10/7@2000", "1.f");
  afd_data (&f->net, 55, "4/9@3018", 1003, TRUE, "1.f", 10, "");
  afd_create (&f->net, 60, "20/8@1002", "1.e", STREAM);
  afd_connect (&f->net, 61, "20/8@5031", 1021, "1.e", "1.2.3.5:443");
  afd_data (&f->net, 65, "4/9@3018", 1003, TRUE, "1.e", 20, "");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               winsock,
               "1 :0>1.2.3.4:443 pid 10 tid 7 sent 10 open 1 close 50\n"
               "1 :0>1.2.3.5:443 pid 20 tid 8 sent 20 open 60\n");
}

static void
test_recycled_port_is_another_connection (Fixture *f, gconstpointer data)
{
  connected_socket (f, 1, "1.f", "1.2.3.4:443");
  tcp_connect (&f->net, 3.02, 100, 7, A, "10.0.0.5:50001>1.2.3.4:443");
  tcp_outcome (&f->net, 100, 1038, A, 100, 0, "10.0.0.5:50001>1.2.3.4:443");
  afd_close (&f->net, 101, "100/7@2000", "1.f");
  tcp_connect (&f->net, 5000, 100, 20, B, "10.0.0.5:50001>1.2.3.4:443");
  tcp_outcome (&f->net, 5001, 1033, B, 100, 0, "10.0.0.5:50001>1.2.3.4:443");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace, winsock, "1 :50001>1.2.3.4:443 pid 100 tid 7 open 1 close 101 tcp 1\n");
  assert_rows (f->trace,
               tcp,
               "a :50001>1.2.3.4:443 pid 100 tid 7 open 3.02 close 100 socket Close\n"
               "b :50001>1.2.3.4:443 pid 100 tid 20 open 5000 Connect_Complete\n");
}

static void
test_recycled_port_of_a_socket_without_connection (Fixture *f, gconstpointer data)
{
  connected_socket (f, 1, "1.f", "1.2.3.4:443");
  afd_close (&f->net, 50, "100/7@2000", "1.f");
  tcp_connect (&f->net, 5000, 200, 20, B, "10.0.0.5:50001>1.2.3.4:443");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace, winsock, "1 :50001>1.2.3.4:443 pid 100 tid 7 open 1 close 50\n");
}

static void
test_accepted_after_its_socket (Fixture *f, gconstpointer data)
{
  afd_create (&f->net, 1, "50/3@1002", "1.f", STREAM);
  afd_bind (&f->net, 2, "50/3@7022", "1.f", "0.0.0.0:80");
  afd_accept (&f->net, 20, "50/3@6101", "1.f", 2, "9.8.7.6:55555");
  tcp_outcome (&f->net, 21, 1017, A, 50, 0, "0.0.0.0:80>9.8.7.6:55555");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace, winsock, "2 :80>9.8.7.6:55555 pid 50 tid 3 open 20 tcp 1 accepted\n");
}

static void
test_accepted_before_its_socket (Fixture *f, gconstpointer data)
{
  afd_create (&f->net, 1, "50/3@1002", "1.f", STREAM);
  afd_bind (&f->net, 2, "50/3@7022", "1.f", "0.0.0.0:80");
  tcp_outcome (&f->net, 19, 1017, A, 50, 0, "0.0.0.0:80>9.8.7.6:55555");
  afd_accept (&f->net, 20, "50/3@6101", "1.f", 2, "9.8.7.6:55555");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace, winsock, "2 :80>9.8.7.6:55555 pid 50 tid 3 open 20 tcp 1 accepted\n");
}

static void
test_two_ends_of_a_loopback_keep_apart (Fixture *f, gconstpointer data)
{
  connected_socket (f, 1, "1.f", "127.0.0.1:80");
  tcp_connect (&f->net, 3.02, 100, 7, A, "127.0.0.1:50001>127.0.0.1:80");
  tcp_outcome (&f->net, 3.5, 1017, B, 200, 0, "127.0.0.1:80>127.0.0.1:50001");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace, winsock, "1 :50001>127.0.0.1:80 pid 100 tid 7 open 1 tcp 1\n");
}

static void
test_mapped_address_is_the_same_peer (Fixture *f, gconstpointer data)
{
  connected_socket (f, 1, "1.f", "[::ffff:1.2.3.4]:443");
  tcp_connect (&f->net, 3.02, 100, 7, A, "10.0.0.5:50001>1.2.3.4:443");
  f->trace = net_fixture_open_default (&f->net);
  g_assert_cmpuint (g_array_index (f->trace->winsock, NsWinsockRow, 0).tcp, ==, 1);
}

/* Writes a UDP socket of process 100 on port 60000. */
static void
datagram_socket (Fixture *f)
{
  afd_create (&f->net, 1, "100/7@1002", "1.f", DGRAM);
  afd_bind (&f->net, 2, "100/7@7022", "1.f", "0.0.0.0:60000");
}

static void
test_datagrams_find_their_flow (Fixture *f, gconstpointer data)
{
  datagram_socket (f);
  afd_data (&f->net, 5, "100/7@3044", 1013, FALSE, "1.f", 40, "8.8.8.8:53");
  udp_moved (&f->net, 5.01, 7, 1169, B, 100, 40, "10.0.0.5:60000>8.8.8.8:53");
  udp_moved (&f->net, 9, 9, 1170, B, 100, 120, "10.0.0.5:60000>8.8.8.8:53");
  afd_data (&f->net, 9.01, "4/9@4052", 1009, TRUE, "1.f", 120, "8.8.8.8:53");
  afd_close (&f->net, 20, "100/7@2000", "1.f");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               winsock,
               "1 :60000>8.8.8.8:53 pid 100 tid 7 sent 40 received 120 open 1 close 20 tcp 1\n");
  assert_rows (f->trace,
               tcp,
               "b :60000>8.8.8.8:53 pid 100 tid 7 sent 40 received 120 open 5.01 close 9 "
               "socket Inferred\n");
}

/* A local Unix socket, whose address is a path. */
static void
test_a_unix_socket_is_called_so (Fixture *f, gconstpointer data)
{
  const NsCallRow *call;

  net_event (&f->net,
             1,
             100,
             7,
             NET_AFD,
             1000,
             "uuppuuupu",
             0,
             1002,
             (guint64) 0xf,
             (guint64) 1,
             1,
             1,
             0,
             (guint64) 0,
             0);
  f->trace = net_fixture_open_default (&f->net);
  g_assert_cmpuint (f->trace->calls->len, ==, 1);
  call = &g_array_index (f->trace->calls, NsCallRow, 0);
  g_assert_cmpstr (ns_trace_text (f->trace, call->params), ==, "AF_UNIX, SOCK_STREAM, protocol 0");
  g_assert_cmpstr (ns_activities_protocol_name (1, 0), ==, "Unix");
}

static void
test_two_peers_have_two_rows (Fixture *f, gconstpointer data)
{
  datagram_socket (f);
  afd_data (&f->net, 5, "100/7@3044", 1013, FALSE, "1.f", 40, "8.8.8.8:53");
  udp_moved (&f->net, 5.01, 7, 1169, B, 100, 40, "10.0.0.5:60000>8.8.8.8:53");
  afd_data (&f->net, 6, "100/7@3044", 1013, FALSE, "1.f", 41, "1.1.1.1:53");
  udp_moved (&f->net, 6.01, 7, 1169, B, 100, 41, "10.0.0.5:60000>1.1.1.1:53");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               winsock,
               "1 :60000>8.8.8.8:53 pid 100 tid 7 sent 40 open 1 tcp 1\n"
               "1 :60000>1.1.1.1:53 pid 100 tid 7 sent 41 open 1 tcp 2\n");
}

static void
test_synchronous_receives_match_by_size_and_port (Fixture *f, gconstpointer data)
{
  datagram_socket (f);
  afd_create (&f->net, 1, "100/8@1002", "2.f", DGRAM);
  afd_bind (&f->net, 2, "100/8@7022", "2.f", "0.0.0.0:60001");
  udp_moved (&f->net, 8, 9, 1170, A, 100, 200, "10.0.0.5:60001>8.8.8.8:53");
  udp_moved (&f->net, 9, 9, 1170, B, 100, 100, "10.0.0.5:60000>8.8.8.8:53");
  afd_data (&f->net, 10, "100/8@4201", 1015, TRUE, "2.f", 200, "8.8.8.8:53");
  afd_data (&f->net, 11, "100/7@4201", 1015, TRUE, "1.f", 100, "8.8.8.8:53");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               winsock,
               "1 :60000>8.8.8.8:53 pid 100 tid 7 received 100 open 1 tcp 2\n"
               "2 :60001>8.8.8.8:53 pid 100 tid 8 received 200 open 1 tcp 1\n");
}

static void
test_raw_socket_has_no_flow (Fixture *f, gconstpointer data)
{
  afd_create (&f->net, 1, "100/7@1002", "1.f", 3, 1);
  afd_data (&f->net, 5, "100/7@3044", 1013, FALSE, "1.f", 64, "8.8.8.8:0");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace, winsock, "1 :0>8.8.8.8 pid 100 tid 7 sent 64 open 1\n");
  g_assert_cmpuint (g_array_index (f->trace->winsock, NsWinsockRow, 0).protocol, ==, 1);
}

static void
test_connected_datagrams_find_their_flow (Fixture *f, gconstpointer data)
{
  datagram_socket (f);
  afd_connect (&f->net, 3, "100/7@5023", 1018, "1.f", "8.8.8.8:443");
  afd_data (&f->net, 5, "100/7@3003", 1003, FALSE, "1.f", 40, "");
  udp_moved (&f->net, 5.01, 7, 1169, B, 100, 40, "10.0.0.5:60000>8.8.8.8:443");
  afd_data (&f->net, 5.02, "100/7@3014", 1003, TRUE, "1.f", 40, "");
  udp_moved (&f->net, 6, 9, 1170, B, 100, 70, "10.0.0.5:60000>8.8.8.8:443");
  afd_data (&f->net, 6.01, "100/7@4109", 1004, TRUE, "1.f", 70, "");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               winsock,
               "1 :60000>8.8.8.8:443 pid 100 tid 7 sent 40 received 70 open 1 tcp 1\n");
}

/* A socket has the call stack of its first send with one; stacks of other calls do not count. */
static void
test_socket_has_the_stack_of_a_send (Fixture *f, gconstpointer data)
{
  const guint64 *frames;
  guint n_frames;
  guint i;

  connected_socket (f, 1, "1.f", "1.2.3.4:443");
  for (i = 0; i < 4; i++)
    {
      const guint64 stacks[] = { 0, 0x7ff700001000, 0x7ff700002000, 0 };

      f->net.frame = stacks[i];
      afd_data (&f->net, 5 + i, "100/7@3003", 1003, FALSE, "1.f", 40, "");
      f->net.frame = 0x7ff700003000;
      afd_data (&f->net, 5.02 + i, "100/7@3014", 1003, TRUE, "1.f", 40, "");
    }
  f->trace = net_fixture_open_default (&f->net);
  frames = ns_stacks_get (f->trace->stacks,
                          g_array_index (f->trace->winsock, NsWinsockRow, 0).send_stack,
                          &n_frames);
  g_assert_cmpuint (n_frames, ==, 1);
  g_assert_cmphex (frames[0], ==, 0x7ff700001000);
}

static void
test_send_after_the_close_is_another_socket (Fixture *f, gconstpointer data)
{
  datagram_socket (f);
  afd_data (&f->net, 5, "100/7@3044", 1013, FALSE, "1.f", 40, "8.8.8.8:53");
  afd_close (&f->net, 20, "100/7@2000", "1.f");
  afd_data (&f->net, 30, "100/7@3044", 1013, FALSE, "1.f", 2, "8.8.8.8:53");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               winsock,
               "1 :60000>8.8.8.8:53 pid 100 tid 7 sent 40 open 1 close 20\n"
               "1 :0>8.8.8.8:53 pid 100 tid 7 sent 2 open 30\n");
}

static void
test_default_protocol_of_the_type (Fixture *f, gconstpointer data)
{
  afd_create (&f->net, 1, "100/7@1002", "1.f", 2, 0);
  afd_data (&f->net, 5, "100/7@3044", 1013, FALSE, "1.f", 40, "8.8.8.8:53");
  f->trace = net_fixture_open_default (&f->net);
  g_assert_cmpuint (g_array_index (f->trace->winsock, NsWinsockRow, 0).protocol, ==, 17);
}

static void
test_short_payloads_do_no_harm (Fixture *f, gconstpointer data)
{
  net_event (&f->net, 1, 100, 7, NET_AFD, 1000, "u", 0);
  net_event (&f->net, 2, 100, 7, NET_AFD, 1021, "uupp", 0, 5031, (guint64) 0xf, (guint64) 1);
  net_event (&f->net, 3, 100, 7, NET_AFD, 1003, "uupp", 1, 3014, (guint64) 0xf, (guint64) 1);
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace, winsock, "");
}

/* Maximum number of sockets with equal endpoints that are searched, newest first
 * (ns-winsock-private.h). */
#define MAX_CANDIDATES 128

/* Only the oldest socket was created by the thread that connects. */
static void
test_sockets_are_searched_so_far_back_only (Fixture *f, gconstpointer data)
{
  guint n;

  for (n = MAX_CANDIDATES - 1; n <= MAX_CANDIDATES; n++)
    {
      NetFixture net;
      NsTrace *trace;
      guint i;

      net_fixture_init (&net);
      for (i = 0; i <= n; i++)
        {
          g_autofree char *what = g_strdup_printf ("%x.f", i + 1);
          const char *tid = i == 0 ? "7" : "8";
          g_autofree char *made = g_strdup_printf ("100/%s@1002", tid);
          g_autofree char *bound = g_strdup_printf ("100/%s@7022", tid);
          g_autofree char *connected = g_strdup_printf ("100/%s@5031", tid);

          afd_create (&net, 1 + i, made, what, STREAM);
          afd_bind (&net, 1.1 + i, bound, what, "0.0.0.0:50001");
          afd_connect (&net, 1.2 + i, connected, 1021, what, "1.2.3.4:443");
        }
      tcp_connect (&net, 1000, 100, 7, A, "10.0.0.5:50001>1.2.3.4:443");
      trace = net_fixture_open_default (&net);
      g_assert_cmpuint (trace->winsock->len, ==, n + 1);
      g_assert_cmpuint (g_array_index (trace->winsock, NsWinsockRow, 0).tcp,
                        ==,
                        n < MAX_CANDIDATES ? 1 : 0);
      ns_trace_unref (trace);
    }
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
  add ("/winsock/connection-finds-its-socket", test_connection_finds_its_socket);
  add ("/winsock/mapped-address-shown", test_mapped_address_is_shown_as_ipv4);
  add ("/winsock/unbound", test_unbound_socket_is_found_on_its_thread);
  add ("/winsock/so-far-back-only", test_sockets_are_searched_so_far_back_only);
  add ("/winsock/would-block", test_would_block_is_no_failure);
  add ("/winsock/reliable-place", test_reliable_place_tells_the_process_later);
  add ("/winsock/pid-source-header", test_header_of_an_arrival_tells_nothing);
  add ("/winsock/pid-source-socket", test_later_place_is_named_as_source);
  add ("/winsock/unreliable-place", test_unreliable_place_tells_nothing);
  add ("/winsock/places-are-learned", test_trace_teaches_reliable_places);
  add ("/winsock/one-disagreement", test_one_disagreement_spoils_a_place);
  add ("/winsock/repeated-report", test_repeated_report_counts_once);
  add ("/winsock/only-report", test_only_report_of_an_operation_counts);
  add ("/winsock/unused", test_unused_sockets_have_no_row);
  add ("/winsock/reference-failed-connect", test_reference_leaves_the_status_of_the_socket);
  add ("/winsock/failed-connect", test_failed_connect_shows_what_the_stack_knows);
  add ("/winsock/process-object-used-again", test_process_object_used_again);
  add ("/winsock/endpoint-used-again", test_endpoint_used_again);
  add ("/winsock/recycled-port", test_recycled_port_is_another_connection);
  add ("/winsock/recycled-port-unconnected", test_recycled_port_of_a_socket_without_connection);
  add ("/winsock/accepted-after", test_accepted_after_its_socket);
  add ("/winsock/accepted-before", test_accepted_before_its_socket);
  add ("/winsock/loopback", test_two_ends_of_a_loopback_keep_apart);
  add ("/winsock/mapped-address", test_mapped_address_is_the_same_peer);
  add ("/winsock/datagrams", test_datagrams_find_their_flow);
  add ("/winsock/unix", test_a_unix_socket_is_called_so);
  add ("/winsock/two-peers", test_two_peers_have_two_rows);
  add ("/winsock/synchronous-receives", test_synchronous_receives_match_by_size_and_port);
  add ("/winsock/raw", test_raw_socket_has_no_flow);
  add ("/winsock/connected-datagrams", test_connected_datagrams_find_their_flow);
  add ("/winsock/send-stack", test_socket_has_the_stack_of_a_send);
  add ("/winsock/send-after-the-close", test_send_after_the_close_is_another_socket);
  add ("/winsock/default-protocol", test_default_protocol_of_the_type);
  add ("/winsock/short-payloads", test_short_payloads_do_no_harm);
  return g_test_run ();
}
