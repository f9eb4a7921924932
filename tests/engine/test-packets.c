/* Claims about captured packets, WinSock calls and requests answered by HTTP.sys.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "story.h"

#define START G_GUINT64_CONSTANT (0x40000000)
#define LAST G_GUINT64_CONSTANT (0x80000000)
#define SEND G_GUINT64_CONSTANT (0x100000000)
#define RECEIVE G_GUINT64_CONSTANT (0x200000000)
#define TCB P (0xffffaa0000001000)
#define ENDPOINT P (0xffffcc0000000100)

/* Ethernet, IPv4 10.0.0.5:50001 → 1.2.3.4:443, a TCP header with SYN; in halves, and the way back.
 */
#define ETHERNET "0001020304050607080908090800"
#define TO_SERVER                                                                                  \
  "450000281234000040060000"                                                                       \
  "0a000005"                                                                                       \
  "01020304"
#define TO_CLIENT                                                                                  \
  "450000281234000040060000"                                                                       \
  "01020304"                                                                                       \
  "0a000005"
#define SYN                                                                                        \
  "c35101bb"                                                                                       \
  "00000001"                                                                                       \
  "00000000"                                                                                       \
  "5002ffff00000000"
#define SYN_ACK                                                                                    \
  "01bbc351"                                                                                       \
  "00000009"                                                                                       \
  "00000002"                                                                                       \
  "5012ffff00000000"

static const NsPacketRow *
packet (const NsTrace *trace, guint n)
{
  g_assert_cmpuint (trace->packets->len, >, n);
  return &g_array_index (trace->packets, NsPacketRow, n);
}

static void
tell_fragment (Story *story, double ms, guint64 keyword, guint lower, const char *hex)
{
  story->keyword = keyword;
  story_tell (story, ms, STORY_NDIS, 1001, "ddX", 7, lower, hex);
  story->keyword = 0;
}

/* P1 */
static void
test_fragments_make_one_packet (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  char text[NS_IP_TEXT_SIZE];

  tell_fragment (story, 10, START | SEND, 7, ETHERNET);
  tell_fragment (story, 10.1, SEND, 7, TO_SERVER);
  tell_fragment (story, 10.2, LAST | SEND, 7, SYN);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->packets->len, ==, 1);
  g_assert_cmpuint (packet (trace, 0)->length, ==, 54);
  g_assert_cmpint (packet (trace, 0)->direction, ==, -1);
  g_assert_cmpstr (ns_endpoint_to_text (&packet (trace, 0)->dst, text), ==, "1.2.3.4:443");
  story_assert_text (trace, packet (trace, 0)->info, "[S] seq 1 ack 0 win 65535 len 0");
}

/* P2: a start while another packet is open drops the open one. */
static void
test_a_lost_end_drops_its_packet_only (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  tell_fragment (story, 10, START | SEND, 7, ETHERNET TO_SERVER);
  tell_fragment (story, 11, START | SEND, 7, ETHERNET);
  tell_fragment (story, 12, LAST | SEND, 7, TO_SERVER SYN);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->packets->len, ==, 1);
  g_assert_cmpuint (packet (trace, 0)->captured, ==, 54);
}

/* P4: each filter layer reports the frame; the lowest layer's report stays. */
static void
test_layers_report_one_frame_once (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  tell_fragment (story, 10, START | LAST | SEND, 3, ETHERNET TO_SERVER SYN);
  tell_fragment (story, 10.1, START | LAST | SEND, 7, ETHERNET TO_SERVER SYN);
  tell_fragment (story, 20, START | LAST | SEND, 7, ETHERNET TO_SERVER SYN);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->packets->len, ==, 2);
}

/* One record of PktMon, of a place in the stack. */
typedef struct
{
  guint group;
  guint count;
  guint direction; /* 1 in, 2 out, 3 receive, 4 transmit */
  guint type;      /* 1 Ethernet, 2 Wi-Fi, 3 IP */
  guint component;
} Place;

static void
tell_place (Story *story, double ms, Place place, gboolean is_drop, const char *hex)
{
  guint size = (guint) strlen (hex) / 2;

  story_tell (story,
              ms,
              STORY_PKTMON,
              is_drop ? 170 : 160,
              "qhhhhhhhddhhx",
              (guint64) place.group,
              1,
              place.count,
              place.direction,
              place.type,
              place.component,
              1,
              1,
              is_drop ? 7 : 0,
              0,
              size,
              size,
              hex);
}

/* The same packet, its checksums filled in by the adapter. */
#define TO_SERVER_SUMMED                                                                           \
  "450000281234000040064321"                                                                       \
  "0a000005"                                                                                       \
  "01020304"
#define SYN_SUMMED                                                                                 \
  "c35101bb"                                                                                       \
  "00000001"                                                                                       \
  "00000000"                                                                                       \
  "5002ffff98760000"
/* A frame of Wi-Fi whose Protected bit is set though LLC follows. */
#define WIFI                                                                                       \
  "08410000000102030405060708090a0b0c0d0e0f10110000"                                               \
  "aaaa030000000800"

static void
test_the_place_nearest_to_the_wire_is_the_row (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_tell (story, 1, STORY_PKTMON, 20, "hhww", 12, 1, "adapter.sys", "An adapter");
  tell_place (story, 10, (Place){ 5, 1, 4, 3, 10 }, FALSE, TO_SERVER SYN);
  tell_place (story, 10.1, (Place){ 5, 2, 4, 1, 11 }, FALSE, ETHERNET TO_SERVER SYN);
  tell_place (story, 10.2, (Place){ 5, 3, 4, 1, 12 }, FALSE, ETHERNET TO_SERVER SYN);
  tell_place (story, 10.3, (Place){ 5, 4, 4, 2, 13 }, FALSE, WIFI TO_SERVER SYN);
  tell_place (story, 20, (Place){ 6, 1, 3, 1, 12 }, FALSE, ETHERNET TO_CLIENT SYN_ACK);
  tell_place (story, 20.1, (Place){ 6, 2, 3, 1, 11 }, FALSE, ETHERNET TO_CLIENT SYN_ACK);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->packets->len, ==, 2);
  g_assert_cmpuint (packet (trace, 0)->appearances, ==, 4);
  g_assert_cmpuint (packet (trace, 0)->interface, ==, 12);
  g_assert_cmpuint (packet (trace, 0)->link_type, ==, 1);
  story_assert_text (trace, packet (trace, 0)->interface_name, "adapter.sys");
  g_assert_cmpuint (packet (trace, 1)->appearances, ==, 2);
  g_assert_cmpuint (packet (trace, 1)->interface, ==, 12);
}

/* Address translation on the way: what goes in and what goes out are two packets. */
static void
test_other_addresses_are_another_packet (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  tell_place (story, 10, (Place){ 5, 1, 4, 1, 10 }, FALSE, ETHERNET TO_SERVER SYN);
  tell_place (story, 10.1, (Place){ 5, 2, 4, 1, 11 }, FALSE, ETHERNET TO_CLIENT SYN);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->packets->len, ==, 2);
}

/* From build 26100 on: no count, and a new group at each place. */
static void
test_equal_bytes_at_other_places_are_one_packet (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  tell_place (story, 10, (Place){ 1, 0, 4, 3, 10 }, FALSE, TO_SERVER SYN);
  tell_place (story, 10.1, (Place){ 2, 0, 4, 1, 11 }, FALSE, ETHERNET TO_SERVER_SUMMED SYN_SUMMED);
  tell_place (story, 10.2, (Place){ 3, 0, 4, 2, 12 }, FALSE, WIFI TO_SERVER SYN);
  tell_place (story, 10.3, (Place){ 4, 0, 4, 3, 10 }, TRUE, TO_SERVER SYN);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->packets->len, ==, 1);
  g_assert_cmpuint (packet (trace, 0)->appearances, ==, 4);
  g_assert_cmpuint (packet (trace, 0)->interface, ==, 11);
  g_assert_cmpuint (packet (trace, 0)->link_type, ==, 1);
  g_assert_true (packet (trace, 0)->dropped);
}

static void
test_equal_bytes_may_be_two_packets (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  /* The same place again; too late; the other way; other bytes. */
  tell_place (story, 10, (Place){ 1, 0, 4, 3, 10 }, FALSE, TO_SERVER SYN);
  tell_place (story, 10.1, (Place){ 2, 0, 4, 3, 10 }, FALSE, TO_SERVER SYN);
  tell_place (story, 12, (Place){ 3, 0, 4, 3, 11 }, FALSE, TO_SERVER SYN);
  tell_place (story, 12.1, (Place){ 4, 0, 3, 3, 12 }, FALSE, TO_SERVER SYN);
  tell_place (story, 12.2, (Place){ 5, 0, 4, 3, 12 }, FALSE, TO_SERVER SYN_ACK);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->packets->len, ==, 5);
}

static void
test_two_captures_make_one_packet (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  tell_fragment (story, 10, START | LAST | SEND, 7, ETHERNET TO_SERVER SYN);
  tell_place (story, 10.1, (Place){ 1, 1, 4, 1, 12 }, FALSE, ETHERNET TO_SERVER SYN);
  tell_place (story, 10.2, (Place){ 1, 2, 4, 3, 13 }, FALSE, TO_SERVER SYN);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->packets->len, ==, 1);
  g_assert_cmpuint (packet (trace, 0)->appearances, ==, 3);
  g_assert_cmpuint (packet (trace, 0)->interface, ==, 12);
}

/* A real duplicate, however near, has the same pair of adapter and layer. */
static void
test_a_frame_sent_twice_is_two_packets (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  tell_fragment (story, 10, START | LAST | SEND, 7, ETHERNET TO_SERVER SYN);
  tell_fragment (story, 10.1, START | LAST | SEND, 7, ETHERNET TO_SERVER SYN);
  tell_fragment (story, 10.2, START | LAST | SEND, 3, ETHERNET TO_SERVER SYN);
  tell_fragment (story, 10.3, START | LAST | SEND, 3, ETHERNET TO_SERVER SYN);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->packets->len, ==, 2);
  g_assert_cmpuint (packet (trace, 0)->appearances, ==, 2);
  g_assert_cmpuint (packet (trace, 1)->appearances, ==, 2);
}

static void
test_a_cut_frame_keeps_its_length (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  tell_fragment (story, 10, START | LAST | SEND, 7, ETHERNET TO_SERVER);
  trace = story_open (story, 100);

  g_assert_cmpuint (packet (trace, 0)->captured, ==, 34);
  g_assert_cmpuint (packet (trace, 0)->length, ==, 54);
}

static void
test_packets_inside_a_tunnel_are_read (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  char text[NS_IP_TEXT_SIZE];

  story_tell (story, 10, STORY_WAN, 5001, "wwX", "domain", "user", ETHERNET TO_SERVER SYN);
  story_tell (story, 20, STORY_WAN, 5002, "wwX", "domain", "user", TO_CLIENT SYN_ACK);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->packets->len, ==, 2);
  g_assert_cmpint (packet (trace, 0)->direction, ==, -1);
  g_assert_cmpstr (ns_endpoint_to_text (&packet (trace, 0)->dst, text), ==, "1.2.3.4:443");
  g_assert_cmpuint (packet (trace, 1)->link_type, ==, 101);
  story_assert_text (trace, packet (trace, 1)->interface_name, "VPN");
}

/* P5 */
static void
test_packets_belong_to_their_connection (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_tcp_connect (story, 10, TCB, "10.0.0.5:50001", "1.2.3.4:443");
  tell_fragment (story, 11, START | LAST | SEND, 7, ETHERNET TO_SERVER SYN);
  tell_fragment (story, 12, START | LAST | RECEIVE, 7, ETHERNET TO_CLIENT SYN_ACK);
  trace = story_open (story, 100);

  g_assert_cmpuint (packet (trace, 0)->activity, ==, 1);
  g_assert_cmpuint (packet (trace, 1)->activity, ==, 1);
  g_assert_cmpuint (packet (trace, 1)->tcp, ==, 1);
}

static const NsCallRow *
call (const NsTrace *trace, guint n)
{
  g_assert_cmpuint (trace->calls->len, >, n);
  return &g_array_index (trace->calls, NsCallRow, n);
}

/* Enter on one thread, exit on another. */
static void
test_a_call_ends_on_the_thread_that_completes_it (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_socket (story, 1, ENDPOINT, 50001, "1.2.3.4:443");
  story->tid = 41;
  story_tell (story,
              30,
              STORY_AFD,
              1021,
              "ddpppddA",
              1,
              5032,
              P (0xbb0064),
              ENDPOINT,
              P (0),
              0,
              0xc0000236u,
              "1.2.3.4:443");
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->calls->len, ==, 3);
  g_assert_cmpstr (call (trace, 2)->call, ==, "connect");
  g_assert_cmpuint (call (trace, 2)->tid, ==, 40);
  g_assert_cmpuint (call (trace, 2)->tid_done, ==, 41);
  g_assert_cmphex (call (trace, 2)->status, ==, 0xc0000236u);
  g_assert_cmpint (call (trace, 2)->ret, ==, -1);
  g_assert_cmpuint (call (trace, 2)->winsock, ==, 1);
  g_assert_false (call (trace, 2)->pending);
}

static void
test_a_call_without_an_exit_is_pending (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_socket (story, 1, ENDPOINT, 50001, "1.2.3.4:443");
  story_socket_bytes (story, 20, 1004, ENDPOINT, 77);
  trace = story_open (story, 100);

  g_assert_true (call (trace, 2)->pending);
  g_assert_cmpint (call (trace, 2)->close_ns, ==, NS_TIME_OPEN);
  g_assert_true (call (trace, 3)->before_trace);
  g_assert_cmpint (call (trace, 3)->length, ==, 77);
}

static void
test_an_abort_is_over_at_once (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_socket (story, 1, ENDPOINT, 50001, "1.2.3.4:443");
  story_tell (story, 30, STORY_AFD, 1032, "ddppd", 0, 8000, P (0xbb0064), ENDPOINT, 4);
  trace = story_open (story, 100);

  g_assert_cmpstr (call (trace, 3)->call, ==, "abort");
  g_assert_false (call (trace, 3)->pending);
  g_assert_cmpint (call (trace, 3)->close_ns, ==, call (trace, 3)->open_ns);
}

static void
test_name_resolution_is_a_call (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_tell (story, 10, STORY_RESOLUTION, 1000, "wwddddd", "a.example", "", 0, 0, 0, 0, 0);
  story_tell (story, 35, STORY_RESOLUTION, 1001, "wdw", "a.example", 11001, "");
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->calls->len, ==, 1);
  g_assert_cmpstr (call (trace, 0)->call, ==, "getaddrinfo");
  g_assert_cmpuint (call (trace, 0)->status, ==, 11001);
  g_assert_cmpint (call (trace, 0)->close_ns - call (trace, 0)->open_ns, ==, 25000000);
}

/* HTTP.sys: received, parsed, delivered, answered by the worker, sent. */
static void
test_a_served_request_is_one_row (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsActivityRow *row;

  story_tell (story, 1, STORY_HTTP_SERVER, 21, "pAA", P (0xc0), "10.0.0.1:80", "10.0.0.9:61000");
  story_tell (story, 2, STORY_HTTP_SERVER, 1, "qqA", P (0x11), P (0x22), "10.0.0.9:61000");
  story_tell (story, 2.1, STORY_HTTP_SERVER, 22, "qqp", P (0x11), P (0x22), P (0xc0));
  story_tell (story, 2.2, STORY_HTTP_SERVER, 2, "pdw", P (0xd0), 4, "http://shop.example:80/cart");
  story_tell (story,
              3,
              STORY_HTTP_SERVER,
              3,
              "pqdwwd",
              P (0xd0),
              P (0x11),
              1,
              "Pool",
              "http://shop.example:80/cart",
              0);
  story->pid = 900;
  story_tell (story, 23, STORY_HTTP_SERVER, 8, "qqhadhd", P (0x11), P (0x22), 503, "GET", 0, 0, 0);
  story_tell (story, 25, STORY_HTTP_SERVER, 12, "qh", P (0x11), 503);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  g_assert_cmpuint (row->protocol, ==, NS_LAYER_HTTP_SERVER);
  story_assert_text (trace, row->url, "http://shop.example:80/cart");
  story_assert_text (trace, row->method, "GET");
  g_assert_cmpuint (row->http_status, ==, 503);
  g_assert_true (row->failed);
  g_assert_cmpuint (row->pid, ==, 900);
  g_assert_cmpuint (row->local->port, ==, 80);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_WAIT), ==, 20000000);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_SEND), ==, 2000000);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_OTHER), ==, 1000000);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/packets/fragments-make-one-packet", test_fragments_make_one_packet);
  g_test_add_func ("/packets/a-lost-end-drops-its-packet-only",
                   test_a_lost_end_drops_its_packet_only);
  g_test_add_func ("/packets/layers-report-one-frame-once", test_layers_report_one_frame_once);
  g_test_add_func ("/packets/the-place-nearest-to-the-wire-is-the-row",
                   test_the_place_nearest_to_the_wire_is_the_row);
  g_test_add_func ("/packets/other-addresses-are-another-packet",
                   test_other_addresses_are_another_packet);
  g_test_add_func ("/packets/equal-bytes-at-other-places-are-one-packet",
                   test_equal_bytes_at_other_places_are_one_packet);
  g_test_add_func ("/packets/equal-bytes-may-be-two-packets", test_equal_bytes_may_be_two_packets);
  g_test_add_func ("/packets/two-captures-make-one-packet", test_two_captures_make_one_packet);
  g_test_add_func ("/packets/a-frame-sent-twice-is-two-packets",
                   test_a_frame_sent_twice_is_two_packets);
  g_test_add_func ("/packets/a-cut-frame-keeps-its-length", test_a_cut_frame_keeps_its_length);
  g_test_add_func ("/packets/packets-inside-a-tunnel-are-read",
                   test_packets_inside_a_tunnel_are_read);
  g_test_add_func ("/packets/packets-belong-to-their-connection",
                   test_packets_belong_to_their_connection);
  g_test_add_func ("/calls/a-call-ends-on-the-thread-that-completes-it",
                   test_a_call_ends_on_the_thread_that_completes_it);
  g_test_add_func ("/calls/a-call-without-an-exit-is-pending",
                   test_a_call_without_an_exit_is_pending);
  g_test_add_func ("/calls/an-abort-is-over-at-once", test_an_abort_is_over_at_once);
  g_test_add_func ("/calls/name-resolution-is-a-call", test_name_resolution_is_a_call);
  g_test_add_func ("/http-server/a-served-request-is-one-row", test_a_served_request_is_one_row);
  return g_test_run ();
}
