/* Tests the TCP and UDP events of the kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-interval-index.h"
#include "net-fixture.h"

#include <stdlib.h>

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
  ns_trace_unref (f->trace);
  net_fixture_clear (&f->net);
}

/* Writes an event of process @pid; @ends is `DADDR DPORT SADDR SPORT`. */
static void
kernel_of (Fixture *f, double ms, guint pid, guint id, guint size, const char *ends)
{
  g_auto (GStrv) part = g_strsplit (ends, " ", 4);

  net_event (&f->net,
             ms,
             4,
             8,
             NET_KERNEL_NETWORK,
             id,
             "uuiinnuq",
             pid,
             size,
             part[0],
             part[2],
             (guint) atoi (part[1]),
             (guint) atoi (part[3]),
             0,
             (guint64) 0);
}

/* Writes an event of process 100. */
static void
kernel (Fixture *f, double ms, guint id, guint size, const char *ends)
{
  kernel_of (f, ms, 100, id, size, ends);
}

static void
test_counts_a_connection (Fixture *f, gconstpointer data)
{
  kernel (f, 10, 12, 0, "1.2.3.4 443 10.0.0.5 50001");
  kernel (f, 20, 10, 100, "1.2.3.4 443 10.0.0.5 50001");
  kernel (f, 21, 10, 200, "1.2.3.4 443 10.0.0.5 50001");
  kernel (f, 25, 14, 200, "1.2.3.4 443 10.0.0.5 50001");
  kernel (f, 30, 11, 50, "1.2.3.4 443 10.0.0.5 50001");
  kernel (f, 40, 13, 0, "1.2.3.4 443 10.0.0.5 50001");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               kernel,
               "TCP :50001>1.2.3.4:443 pid 100 sent 300 received 50 again 1 connects 1 "
               "disconnects 1 open 10 close 40\n");
}

static void
test_what_came_with_the_ends_of_its_packet_is_of_the_flow (Fixture *f, gconstpointer data)
{
  kernel (f, 10, 11, 50, "10.0.0.5 50001 1.2.3.4 443");
  kernel (f, 20, 10, 100, "1.2.3.4 443 10.0.0.5 50001");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               kernel,
               "TCP :50001>1.2.3.4:443 pid 100 sent 100 received 50 open 10 inferred\n");
}

static void
test_a_time_that_cannot_be_does_not_stretch_the_trace (Fixture *f, gconstpointer data)
{
  NsEtlWriterOptions options = { .is_open = TRUE };
  guint i;

  ns_etl_writer_free (f->net.writer);
  f->net.writer = ns_etl_writer_new (&options);
  for (i = 0; i < 20; i++)
    kernel (f, 10 + i, 10, 100, "1.2.3.4 443 10.0.0.5 50001");
  kernel (f, 1e14, 10, 100, "1.2.3.4 443 10.0.0.5 50001");
  f->trace = net_fixture_open_default (&f->net);
  g_assert_cmpint (f->trace->end_ns, ==, 29 * 1000000);
  g_assert_cmpuint (f->trace->n_records, ==, 22);
  assert_rows (f->trace, kernel, "TCP :50001>1.2.3.4:443 pid 100 sent 2000 open 10 inferred\n");
}

static void
test_first_event_opens_what_was_there_before (Fixture *f, gconstpointer data)
{
  kernel (f, 10, 11, 50, "1.2.3.4 443 10.0.0.5 50001");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace, kernel, "TCP :50001>1.2.3.4:443 pid 100 received 50 open 10 inferred\n");
}

static void
test_port_used_again_is_another_connection (Fixture *f, gconstpointer data)
{
  kernel (f, 10, 12, 0, "1.2.3.4 443 10.0.0.5 50001");
  kernel (f, 20, 10, 1, "1.2.3.4 443 10.0.0.5 50001");
  kernel (f, 30, 13, 0, "1.2.3.4 443 10.0.0.5 50001");
  kernel (f, 40, 12, 0, "1.2.3.4 443 10.0.0.5 50001");
  kernel (f, 50, 10, 2, "1.2.3.4 443 10.0.0.5 50001");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               kernel,
               "TCP :50001>1.2.3.4:443 pid 100 sent 1 connects 1 disconnects 1 open 10 close 30\n"
               "TCP :50001>1.2.3.4:443 pid 100 sent 2 connects 1 open 40\n");
}

static void
test_peer_of_a_multicast_is_its_sender (Fixture *f, gconstpointer data)
{
  kernel (f, 10, 42, 44, "10.0.0.1 53 10.0.0.5 60001");
  kernel (f, 11, 43, 60, "10.0.0.1 53 10.0.0.5 60001");
  kernel (f, 12, 43, 30, "224.0.0.252 5355 10.0.0.77 59880");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               kernel,
               "UDP :60001>10.0.0.1:53 pid 100 sent 44 received 60 open 10 close 11\n"
               "UDP :5355>10.0.0.77:59880 pid 100 received 30 open 12 close 12\n");
}

static void
test_received_datagram_as_on_the_wire_is_turned (Fixture *f, gconstpointer data)
{
  kernel (f, 10, 42, 44, "10.0.0.1 53 10.0.0.5 60001");
  kernel (f, 11, 43, 60, "10.0.0.5 60001 10.0.0.1 53");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               kernel,
               "UDP :60001>10.0.0.1:53 pid 100 sent 44 received 60 open 10 close 11\n");
}

/* A UDP flow lasts from its first to its last datagram, since UDP has no close event. */
static void
test_a_datagram_flow_lasts_until_its_last_datagram (Fixture *f, gconstpointer data)
{
  const NsActivityRow *rows;

  kernel (f, 10, 42, 44, "10.0.0.1 53 10.0.0.5 60001");
  kernel (f, 12, 42, 44, "10.0.0.1 53 10.0.0.5 60001");
  kernel (f, 20, 10, 100, "1.2.3.4 443 10.0.0.5 50001");
  kernel (f, 11000, 42, 44, "10.0.0.2 53 10.0.0.5 60002");
  f->trace = net_fixture_open_default (&f->net);
  rows = (const NsActivityRow *) (gpointer) f->trace->activities->data;
  g_assert_cmpuint (f->trace->activities->len, ==, 3);
  g_assert_cmpint (rows[0].close_ns - rows[0].open_ns, ==, 2 * 1000000);
  g_assert_cmpint (rows[1].close_ns,
                   ==,
                   NS_TIME_OPEN); /* a TCP connection would have a close event */
  g_assert_cmpint (rows[2].close_ns, ==, rows[2].open_ns);
}

/* Two local processes, and one that sends to itself, as logged by Windows 8. */
static void
test_a_datagram_inside_the_machine_is_received_at_its_own_end (Fixture *f, gconstpointer data)
{
  kernel_of (f, 10, 100, 42, 44, "127.0.0.1 53 127.0.0.1 60001");
  kernel_of (f, 10.1, 200, 43, 44, "127.0.0.1 53 127.0.0.1 60001");
  kernel_of (f, 11, 200, 42, 60, "127.0.0.1 60001 127.0.0.1 53");
  kernel_of (f, 11.1, 100, 43, 60, "127.0.0.1 60001 127.0.0.1 53");
  kernel_of (f, 12, 100, 58, 7, "::1 53191 ::1 1900");
  kernel_of (f, 12.1, 100, 59, 7, "::1 53191 ::1 1900");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               kernel,
               "UDP :60001>127.0.0.1:53 pid 100 sent 44 received 60 open 10 close 11.1\n"
               "UDP :53>127.0.0.1:60001 pid 200 sent 60 received 44 open 10.1 close 11\n"
               "UDP :1900>[::1]:53191 pid 100 sent 7 open 12 close 12\n"
               "UDP :53191>[::1]:1900 pid 100 received 7 open 12.1 close 12.1\n");
}

/* The same as logged by Windows 7: the peer is the destination. */
static void
test_a_datagram_inside_the_machine_with_its_peer_as_destination (Fixture *f, gconstpointer data)
{
  kernel_of (f, 10, 100, 42, 44, "127.0.0.1 53 127.0.0.1 60001");
  kernel_of (f, 10.1, 200, 43, 44, "127.0.0.1 60001 127.0.0.1 53");
  kernel_of (f, 11, 200, 42, 60, "127.0.0.1 60001 127.0.0.1 53");
  kernel_of (f, 11.1, 100, 43, 60, "127.0.0.1 53 127.0.0.1 60001");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               kernel,
               "UDP :60001>127.0.0.1:53 pid 100 sent 44 received 60 open 10 close 11.1\n"
               "UDP :53>127.0.0.1:60001 pid 200 sent 60 received 44 open 10.1 close 11\n");
}

static void
test_the_machine_hears_its_own_broadcast (Fixture *f, gconstpointer data)
{
  kernel (f, 10, 42, 44, "10.0.3.255 138 10.0.0.5 138");
  kernel (f, 11, 43, 44, "10.0.3.255 138 10.0.0.5 138");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               kernel,
               "UDP :138>10.0.3.255:138 pid 100 sent 44 open 10 close 10\n"
               "UDP :138>10.0.0.5:138 pid 100 received 44 open 11 close 11\n");
}

static void
test_ipv6_and_datagrams_by_their_ids (Fixture *f, gconstpointer data)
{
  kernel (f, 10, 26, 7, "2001:db8::1 443 2001:db8::5 50001");
  kernel (f, 11, 58, 8, "2001:db8::1 443 2001:db8::5 50001");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               kernel,
               "TCP :50001>[2001:db8::1]:443 pid 100 sent 7 open 10 inferred\n"
               "UDP :50001>[2001:db8::1]:443 pid 100 sent 8 open 11 close 11\n");
}

static void
test_failures_and_cut_payloads_make_no_row (Fixture *f, gconstpointer data)
{
  net_event (&f->net, 10, 4, 8, NET_KERNEL_NETWORK, 17, "ww", 2, 5);
  net_event (&f->net, 11, 4, 8, NET_KERNEL_NETWORK, 49, "ww", 2, 5);
  net_event (&f->net, 12, 4, 8, NET_KERNEL_NETWORK, 10, "uui", 100, 7, "1.2.3.4");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace, kernel, "");
}

static void
test_bytes_are_not_added_to_the_stacks_own (Fixture *f, gconstpointer data)
{
  tcp_connect (&f->net, 10, 4, 7, 0xa, "10.0.0.5:50001>1.2.3.4:443");
  tcp_sent (&f->net, 20, 0xa, 1, 300);
  kernel (f, 10.5, 12, 0, "1.2.3.4 443 10.0.0.5 50001");
  kernel (f, 20.5, 10, 300, "1.2.3.4 443 10.0.0.5 50001");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               tcp,
               "a :50001>1.2.3.4:443 pid 100 tid 7 sent 300 open 10 Connect_Request\n");
  assert_rows (f->trace,
               kernel,
               "TCP :50001>1.2.3.4:443 pid 100 sent 300 connects 1 open 10.5 tcp 1\n");
}

/* Returns whether a flow seen at @ms is matched with the first of @n_sockets sockets, opened 1 ms
 * apart. */
static gboolean
is_first_found (guint n_sockets, double ms)
{
  Fixture one = { .trace = NULL };
  gboolean is_found;
  guint i;

  net_fixture_init (&one.net);
  for (i = 0; i < n_sockets; i++)
    {
      g_autofree char *what = g_strdup_printf ("%x.f", i + 1);
      g_autofree char *local = g_strdup_printf ("0.0.0.0:%u", 50001 + i);
      double at = i > 0 ? 2000 + i : 1;

      afd_create (&one.net, at, "100/7@1002", what, 1, 6);
      afd_bind (&one.net, at + 0.1, "100/7@7022", what, local);
      afd_connect (&one.net, at + 0.2, "100/7@5031", 1021, what, "1.2.3.4:443");
    }
  kernel (&one, ms, 10, 300, "1.2.3.4 443 10.0.0.5 50001");
  one.trace = net_fixture_open_default (&one.net);
  g_assert_cmpuint (one.trace->activities->len, >=, n_sockets);
  is_found = g_array_index (one.trace->activities, NsActivityRow, 0).kernel_network != 0;
  ns_trace_unref (one.trace);
  return is_found;
}

/* A flow is matched with the socket of its port unless too many newer sockets have the same
 * peer. */
static void
test_operations_are_looked_through_so_far_only (Fixture *f, gconstpointer data)
{
  g_assert_true (is_first_found (NS_INTERVAL_INDEX_MAX_LOOK_BACK, 3000));
  g_assert_false (is_first_found (NS_INTERVAL_INDEX_MAX_LOOK_BACK + 1, 3000));
}

/* Sockets opened after the flow do not count towards this limit. */
static void
test_operations_that_came_later_are_not_counted (Fixture *f, gconstpointer data)
{
  g_assert_true (is_first_found (2 * NS_INTERVAL_INDEX_MAX_LOOK_BACK, 10));
}

/* Writes a record of the kernel logger, which has a group and a type instead of a GUID. */
static void
classic (Fixture *f, double ms, guint8 group, guint8 version, const guint8 *bytes, gsize size)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterGroup record = { 0 };

  g_byte_array_append (payload, bytes, (guint) size);
  record.raw = ns_etl_writer_get_base_raw (f->net.writer) + (guint64) (ms * 10000);
  record.kind = NS_RECORD_PERFINFO64;
  record.group = group;
  record.opcode = 10;
  record.version = version;
  record.payload = payload;
  g_assert_true (ns_etl_writer_add_group (f->net.writer, &record));
}

static void
test_kernel_logger_versions (Fixture *f, gconstpointer data)
{
  static const guint8 tcp_v2[] = { 100, 0, 0, 0, 9, 0,    0,    0,    1, 2, 3, 4,
                                   10,  0, 0, 5, 1, 0xbb, 0xc3, 0x51, 0, 0, 0, 0 };
  static const guint8 tcp_v0[] = { 1,    2,    3,  4, 10, 0, 0,   6, 1, 0xbb,
                                   0xc3, 0x51, 11, 0, 0,  0, 100, 0, 0, 0 };
  static const guint8 udp_v1[] = { 100, 0, 0,  0, 13, 0, 0, 0,  8,    8,
                                   8,   8, 10, 0, 0,  5, 0, 53, 0xc3, 0x52 };

  classic (f, 10, 6, 2, tcp_v2, sizeof tcp_v2);
  classic (f, 11, 6, 0, tcp_v0, sizeof tcp_v0);
  classic (f, 12, 8, 1, udp_v1, sizeof udp_v1);
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               kernel,
               "TCP :50001>1.2.3.4:443 pid 100 sent 9 open 10 inferred\n"
               "TCP :50001>1.2.3.4:443 pid 100 sent 11 open 11 inferred\n"
               "UDP :50002>8.8.8.8:53 pid 100 sent 13 open 12 close 12\n");
}

static void
test_two_sources_are_counted_once (Fixture *f, gconstpointer data)
{
  static const guint8 bytes[] = { 100, 0, 0,  0, 9, 0, 0, 0,    1,    2,
                                  3,   4, 10, 0, 0, 5, 1, 0xbb, 0xc3, 0x51 };

  classic (f, 10, 6, 2, bytes, sizeof bytes);
  kernel (f, 10.1, 10, 9, "1.2.3.4 443 10.0.0.5 50001");
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace, kernel, "TCP :50001>1.2.3.4:443 pid 100 sent 9 open 10 inferred\n");
}

/* Flows logged by only one of the two sources are kept. */
static void
test_flows_of_one_source_only_stay (Fixture *f, gconstpointer data)
{
  static const guint8 bytes[] = { 100, 0, 0,  0, 9, 0, 0, 0,    1,    2,
                                  3,   4, 10, 0, 0, 5, 1, 0xbb, 0xc3, 0x51 };

  kernel (f, 5, 10, 9, "1.2.3.4 443 10.0.0.5 50001");
  kernel (f, 6, 10, 70, "1.2.3.5 443 10.0.0.5 50002");
  classic (f, 50, 6, 2, bytes, sizeof bytes);
  kernel (f, 50.1, 10, 9, "1.2.3.4 443 10.0.0.5 50001");
  kernel (f, 50.2, 10, 9, "1.2.3.4 443 10.0.0.5 50001");
  classic (f, 50.3, 6, 2, bytes, sizeof bytes);
  classic (f, 90, 6, 2, bytes, sizeof bytes);
  f->trace = net_fixture_open_default (&f->net);
  assert_rows (f->trace,
               kernel,
               "TCP :50001>1.2.3.4:443 pid 100 sent 36 open 5 inferred\n"
               "TCP :50002>1.2.3.5:443 pid 100 sent 70 open 6 inferred\n");
}

static void
test_real_trace_sums (void)
{
  const char *folder = g_getenv ("NETSTITCH_TEST_TRACES");
  g_autofree char *path =
      g_build_filename (folder != NULL ? folder : "", "KernelNetwork.etl", NULL);
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  guint64 sent = 0;
  guint64 received = 0;
  guint i;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("the trace is not at hand");
      return;
    }
  trace = ns_trace_open (path, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  for (i = 0; i < trace->kernel_network->len; i++)
    {
      const NsKernelNetworkRow *row = &g_array_index (trace->kernel_network, NsKernelNetworkRow, i);

      sent += row->sent;
      received += row->received;
    }
  /* Expected values were summed up from the records independently. */
  g_assert_cmpuint (trace->kernel_network->len, ==, 112);
  g_assert_cmpuint (sent, ==, 71563);
  g_assert_cmpuint (received, ==, 15333960);
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
  add ("/kernel-network/operations-are-looked-through-so-far-only",
       test_operations_are_looked_through_so_far_only);
  add ("/kernel-network/operations-that-came-later-are-not-counted",
       test_operations_that_came_later_are_not_counted);
  add ("/kernel-network/counts-a-connection", test_counts_a_connection);
  add ("/kernel-network/first-event-opens", test_first_event_opens_what_was_there_before);
  add ("/kernel-network/port-used-again", test_port_used_again_is_another_connection);
  add ("/kernel-network/multicast", test_peer_of_a_multicast_is_its_sender);
  add ("/kernel-network/as-on-the-wire", test_received_datagram_as_on_the_wire_is_turned);
  add ("/kernel-network/time-that-cannot-be",
       test_a_time_that_cannot_be_does_not_stretch_the_trace);
  add ("/kernel-network/as-its-packet", test_what_came_with_the_ends_of_its_packet_is_of_the_flow);
  add ("/kernel-network/ids", test_ipv6_and_datagrams_by_their_ids);
  add ("/kernel-network/failures-and-cut-payloads", test_failures_and_cut_payloads_make_no_row);
  add ("/kernel-network/beside-tcpip", test_bytes_are_not_added_to_the_stacks_own);
  add ("/kernel-network/kernel-logger-versions", test_kernel_logger_versions);
  add ("/kernel-network/two-sources", test_two_sources_are_counted_once);
  add ("/kernel-network/one-source-only", test_flows_of_one_source_only_stay);
  add ("/kernel-network/datagram-flow-lasts", test_a_datagram_flow_lasts_until_its_last_datagram);
  add ("/kernel-network/inside-the-machine",
       test_a_datagram_inside_the_machine_is_received_at_its_own_end);
  add ("/kernel-network/inside-the-machine-peer-as-destination",
       test_a_datagram_inside_the_machine_with_its_peer_as_destination);
  add ("/kernel-network/own-broadcast", test_the_machine_hears_its_own_broadcast);
  g_test_add_func ("/kernel-network/real-trace-sums", test_real_trace_sums);
  return g_test_run ();
}
