/* Tests captured packets, WinSock calls and requests served by HTTP.sys.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets.h"
#include "engine/net/flows/ns-flow.h"
#include "engine/net/packets/ns-packet-appearances.h"
#include "engine/net/packets/ns-packet-components.h"
#include "engine/net/packets/ns-packet-info.h"
#include "engine/net/packets/ns-packet-row.h"
#include "story.h"

#include <string.h>

#define START G_GUINT64_CONSTANT (0x40000000)
#define LAST G_GUINT64_CONSTANT (0x80000000)
#define SEND G_GUINT64_CONSTANT (0x100000000)
#define RECEIVE G_GUINT64_CONSTANT (0x200000000)
#define TCB P (0xffffaa0000001000)
#define ENDPOINT P (0xffffcc0000000100)

/* Ethernet, IPv4 10.0.0.5:50001 → 1.2.3.4:443 and a TCP SYN; in two halves, and the reverse
 * direction. */
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

static const NsPacketPlace *
place_of (const NsTrace *trace, guint n)
{
  return ns_packet_row_get_place (trace, packet (trace, n));
}

/* Returns the destination of the first packet. */
static const char *
dst_to_text (const NsTrace *trace, char text[NS_IP_TEXT_SIZE])
{
  NsPacketEnds ends;

  ns_packet_row_read_ends (trace, packet (trace, 0), &ends);
  return ns_endpoint_to_text (&ends.dst, text);
}

static void
report_fragment (Story *story, double ms, guint64 keyword, guint lower, const char *hex)
{
  story->keyword = keyword;
  story_write (story, ms, STORY_NDIS, 1001, "ddX", 7, lower, hex);
  story->keyword = 0;
}

static void
test_fragments_make_one_packet (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autofree char *info = NULL;
  char text[NS_IP_TEXT_SIZE];

  report_fragment (story, 10, START | SEND, 7, ETHERNET);
  report_fragment (story, 10.1, SEND, 7, TO_SERVER);
  report_fragment (story, 10.2, LAST | SEND, 7, SYN);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->packets->len, ==, 1);
  g_assert_cmpuint (packet (trace, 0)->length, ==, 54);
  g_assert_cmpint (packet (trace, 0)->direction, ==, -1);
  g_assert_cmpstr (dst_to_text (trace, text), ==, "1.2.3.4:443");
  info = ns_packet_info_dup (trace, packet (trace, 0));
  g_assert_cmpstr (info, ==, "50001 \342\206\222 443 [SYN] Seq=0 Win=65535 Len=0");
}

/* A start event while another packet is incomplete drops the incomplete one. */
static void
test_a_lost_end_drops_its_packet_only (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_fragment (story, 10, START | SEND, 7, ETHERNET TO_SERVER);
  report_fragment (story, 11, START | SEND, 7, ETHERNET);
  report_fragment (story, 12, LAST | SEND, 7, TO_SERVER SYN);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->packets->len, ==, 1);
  g_assert_cmpuint (packet (trace, 0)->captured, ==, 54);
}

/* Each filter layer reports the frame; the report of the lowest layer is kept. */
static void
test_layers_report_one_frame_once (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_fragment (story, 10, START | LAST | SEND, 3, ETHERNET TO_SERVER SYN);
  report_fragment (story, 10.1, START | LAST | SEND, 7, ETHERNET TO_SERVER SYN);
  report_fragment (story, 20, START | LAST | SEND, 7, ETHERNET TO_SERVER SYN);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->packets->len, ==, 2);
}

/* One PktMon record: an appearance of a packet at a place in the network stack. */
typedef struct
{
  guint group;
  guint count;
  guint direction; /* 1 in, 2 out, 3 receive, 4 transmit */
  guint type;      /* 1 Ethernet, 2 Wi-Fi, 3 IP */
  guint component;
} Place;

static void
report_report (Story *story,
               double ms,
               Place place,
               gboolean is_drop,
               guint reason,
               const char *hex)
{
  guint size = (guint) strlen (hex) / 2;

  story_write (story,
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
               reason,
               0,
               size,
               size,
               hex);
}

static void
report_place (Story *story, double ms, Place place, gboolean is_drop, const char *hex)
{
  report_report (story, ms, place, is_drop, is_drop ? 7 : 0, hex);
}

static void
report_drop (Story *story, double ms, Place place, guint reason, const char *hex)
{
  report_report (story, ms, place, TRUE, reason, hex);
}

/* The same packet with the checksums that the adapter fills in. */
#define TO_SERVER_SUMMED                                                                           \
  "450000281234000040064321"                                                                       \
  "0a000005"                                                                                       \
  "01020304"
#define SYN_SUMMED                                                                                 \
  "c35101bb"                                                                                       \
  "00000001"                                                                                       \
  "00000000"                                                                                       \
  "5002ffff98760000"
/* A Wi-Fi frame with the Protected bit, but an unencrypted LLC header. */
#define WIFI                                                                                       \
  "08410000000102030405060708090a0b0c0d0e0f10110000"                                               \
  "aaaa030000000800"

static void
test_the_place_nearest_to_the_wire_is_the_row (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_write (story, 1, STORY_PKTMON, 20, "hhww", 12, 1, "adapter.sys", "An adapter");
  report_place (story, 10, (Place){ 5, 1, 4, 3, 10 }, FALSE, TO_SERVER SYN);
  report_place (story, 10.1, (Place){ 5, 2, 4, 1, 11 }, FALSE, ETHERNET TO_SERVER SYN);
  report_place (story, 10.2, (Place){ 5, 3, 4, 1, 12 }, FALSE, ETHERNET TO_SERVER SYN);
  report_place (story, 10.3, (Place){ 5, 4, 4, 2, 13 }, FALSE, WIFI TO_SERVER SYN);
  report_place (story, 20, (Place){ 6, 1, 3, 1, 12 }, FALSE, ETHERNET TO_CLIENT SYN_ACK);
  report_place (story, 20.1, (Place){ 6, 2, 3, 1, 11 }, FALSE, ETHERNET TO_CLIENT SYN_ACK);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->packets->len, ==, 2);
  g_assert_cmpuint (packet (trace, 0)->appearances, ==, 4);
  g_assert_cmpuint (place_of (trace, 0)->interface, ==, 12);
  g_assert_cmpuint (ns_packet_row_get_link_type (packet (trace, 0)), ==, 1);
  story_assert_text (trace, place_of (trace, 0)->interface_name, "adapter.sys");
  g_assert_cmpuint (packet (trace, 1)->appearances, ==, 2);
  g_assert_cmpuint (place_of (trace, 1)->interface, ==, 12);
}

/* Writes the components that PktMon logs at the end of a trace: a filter, the adapter below it, and
 * the protocol above it, which has the address. */
static void
report_components (Story *story, double ms)
{
  story_write (story, ms, STORY_PKTMON, 20, "hhww", 12, 2, "adapter.sys", "An adapter");
  story_write (story, ms, STORY_PKTMON, 70, "hhX", 12, 6, "0022487bb380");
  story_write (story, ms, STORY_PKTMON, 30, "hhd", 12, 1, 5);
  story_write (story,
               ms,
               STORY_PKTMON,
               90,
               "hwhhqqhqq",
               12,
               "Upper",
               1,
               3,
               P (0),
               P (0),
               4,
               P (0),
               P (0));
  story_write (story, ms, STORY_PKTMON, 20, "hhww", 11, 3, "NULL", "A filter");
  story_write (story, ms, STORY_PKTMON, 30, "hhd", 11, 2, 5);
  story_write (story, ms, STORY_PKTMON, 30, "hhd", 11, 1, 17);
  story_write (story, ms, STORY_PKTMON, 20, "hhww", 10, 4, "tcpip.sys", "TCP/IPv4");
  story_write (story, ms, STORY_PKTMON, 30, "hhd", 10, 14, 5);
  story_write (story, ms, STORY_PKTMON, 65, "hhx", 10, 13, "0a000005");
  story_write (story, ms, STORY_PKTMON, 66, "hhx", 10, 13, "20010db8000000000000000000000005");
  story_write (story, ms, STORY_PKTMON, 65, "hhx", 9, 13, "7f000001");
}

static void
test_components_have_names_and_addresses (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsPacketComponents *components;
  guint32 id;

  report_place (story, 10, (Place){ 5, 1, 4, 1, 11 }, FALSE, ETHERNET TO_SERVER SYN);
  report_components (story, 50);
  trace = story_open (story, 100);
  components = trace->packet_components;

  story_assert_text (trace, place_of (trace, 0)->interface_name, "A filter");
  story_assert_text (trace, ns_packet_components_find (components, 12)->name, "adapter.sys");
  story_assert_text (trace, ns_packet_components_find (components, 12)->description, "An adapter");
  story_assert_text (trace, ns_packet_components_get_edge_name (components, 12, 1), "Upper");
  g_assert_null (ns_packet_components_find (components, 13));
  /* Three components of one adapter share its addresses; the fourth has its own. */
  for (id = 10; id <= 12; id++)
    {
      g_autoptr (GArray) ips = ns_packet_components_list_addresses (components, id);
      char text[NS_IP_TEXT_SIZE];

      g_assert_cmpuint (ips->len, ==, 2);
      g_assert_cmpstr (ns_ip_to_text (&g_array_index (ips, NsIp, 0), text), ==, "10.0.0.5");
      g_assert_cmpstr (ns_ip_to_text (&g_array_index (ips, NsIp, 1), text), ==, "2001:db8::5");
      g_assert_cmpmem (ns_packet_components_find_mac (components, id),
                       6,
                       "\0\x22\x48\x7b\xb3\x80",
                       6);
    }
  g_assert_null (ns_packet_components_find_mac (components, 9));
}

/* Truncated or oversized component records are ignored. */
static void
test_cut_components_tell_nothing (void)
{
  static const struct
  {
    guint id;
    const char *format;
    const char *hex;
  } cut[] = { { 20, "x", "0c" },
              { 20, "x", "0c000100" },
              { 30, "x", "0c00010005" },
              { 65, "x", "0a000d000a00" },
              { 66, "x", "0a000d0020010db8" },
              { 70, "x", "0c000600060000000022" },
              { 70, "x", "0c000600000000400022487bb380" },
              { 90, "x", "0c0055" } };
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cut); i++)
    story_write (story, i, STORY_PKTMON, cut[i].id, cut[i].format, cut[i].hex);
  trace = story_open (story, 100);
  g_assert_cmpuint (ns_packet_components_get_size (trace->packet_components), ==, 0);
}

/* If a packet is dropped more than once, the first drop has the reason. A drop reason is shown as
 * text with its number. */
static void
test_the_first_drop_has_the_reason (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsPacketComponent *dropper;

  story_write (story, 1, STORY_PKTMON, 20, "hhww", 12, 1, "filter.sys", "A filter");
  report_place (story, 10, (Place){ 5, 1, 4, 1, 11 }, FALSE, ETHERNET TO_SERVER SYN);
  report_drop (story, 10.1, (Place){ 5, 1, 4, 1, 12 }, 8, ETHERNET TO_SERVER SYN);
  report_drop (story, 10.2, (Place){ 5, 1, 4, 1, 13 }, 3, ETHERNET TO_SERVER SYN);
  report_drop (story, 20, (Place){ 6, 1, 4, 1, 13 }, 70000, ETHERNET TO_SERVER SYN);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->packets->len, ==, 2);
  g_assert_true (packet (trace, 0)->dropped);
  story_assert_text (trace, place_of (trace, 0)->drop_reason, "Filtered (8)");
  g_assert_cmpuint (place_of (trace, 0)->drop_number, ==, 8);
  dropper = ns_packet_components_find_dropper (trace->packet_components, packet (trace, 0)->data);
  g_assert_nonnull (dropper);
  story_assert_text (trace, dropper->name, "filter.sys");
  /* An unknown drop reason is shown as a number. */
  story_assert_text (trace, place_of (trace, 1)->drop_reason, "70000");
}

/* Lists the appearances of packet @of, one per line: component, direction, result. */
static char *
list_appearances (const NsTrace *trace, NsRow of)
{
  g_autoptr (NsPacketAppearances) all = ns_packet_appearances_read (trace, of, NULL, NULL, NULL);
  GString *text = g_string_new (NULL);
  guint i;

  g_assert_nonnull (all);
  for (i = 0; i < all->list->len; i++)
    {
      const NsPacketAppearance *one = &g_array_index (all->list, NsPacketAppearance, i);
      const char *name = ns_packet_appearances_get_name (trace, all, one);

      g_string_append_printf (text,
                              "%u %s %s%s%s%s%s\n",
                              one->packet,
                              name != NULL ? name : "?",
                              one->direction > 0 ? "in" : "out",
                              one->is_row ? " row" : "",
                              one->is_changed ? " changed" : "",
                              one->is_drop ? " dropped " : "",
                              one->is_drop ? ns_strings_get (all->strings, one->reason) : "");
    }
  return g_string_free (text, FALSE);
}

static void
test_appearances_tell_where_packets_were (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autofree char *all = NULL;
  g_autofree char *second = NULL;

  /* As logged from build 26100 on, without numbers; then numbered records, between which a filter
   * changes the bytes. */
  report_place (story, 10, (Place){ 1, 0, 4, 3, 10 }, FALSE, TO_SERVER SYN);
  report_place (story,
                10.1,
                (Place){ 2, 0, 4, 1, 12 },
                FALSE,
                ETHERNET TO_SERVER_SUMMED SYN_SUMMED);
  report_place (story, 10.2, (Place){ 9, 1, 4, 1, 11 }, FALSE, ETHERNET TO_SERVER SYN_ACK);
  report_place (story, 10.3, (Place){ 9, 2, 4, 1, 12 }, FALSE, ETHERNET TO_SERVER SYN);
  report_drop (story, 10.4, (Place){ 9, 3, 4, 1, 13 }, 8, ETHERNET TO_SERVER SYN);
  report_components (story, 50);
  story->want_events = g_test_rand_bit ();
  trace = story_open (story, 100);
  all = list_appearances (trace, 0);
  second = list_appearances (trace, 2);

  g_assert_cmpstr (all,
                   ==,
                   "1 tcpip.sys out\n"
                   "1 adapter.sys out row\n"
                   "2 A filter out\n"
                   "2 adapter.sys out changed\n"
                   "2 ? out row dropped Filtered (8)\n");
  g_assert_cmpstr (second, ==, strchr (strchr (all, '\n') + 1, '\n') + 1);
}

/* Address translation changes the addresses, so the inside and the outside packet are two
 * packets. */
static void
test_other_addresses_are_another_packet (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_place (story, 10, (Place){ 5, 1, 4, 1, 10 }, FALSE, ETHERNET TO_SERVER SYN);
  report_place (story, 10.1, (Place){ 5, 2, 4, 1, 11 }, FALSE, ETHERNET TO_CLIENT SYN);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->packets->len, ==, 2);
}

/* From build 26100 on records have no packet number, and each place starts a new group. */
static void
test_equal_bytes_at_other_places_are_one_packet (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_place (story, 10, (Place){ 1, 0, 4, 3, 10 }, FALSE, TO_SERVER SYN);
  report_place (story,
                10.1,
                (Place){ 2, 0, 4, 1, 11 },
                FALSE,
                ETHERNET TO_SERVER_SUMMED SYN_SUMMED);
  report_place (story, 10.2, (Place){ 3, 0, 4, 2, 12 }, FALSE, WIFI TO_SERVER SYN);
  report_place (story, 10.3, (Place){ 4, 0, 4, 3, 10 }, TRUE, TO_SERVER SYN);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->packets->len, ==, 1);
  g_assert_cmpuint (packet (trace, 0)->appearances, ==, 4);
  g_assert_cmpuint (place_of (trace, 0)->interface, ==, 11);
  g_assert_cmpuint (ns_packet_row_get_link_type (packet (trace, 0)), ==, 1);
  g_assert_true (packet (trace, 0)->dropped);
}

static void
test_equal_bytes_may_be_two_packets (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  /* The same place again, too late, the opposite direction, other bytes. */
  report_place (story, 10, (Place){ 1, 0, 4, 3, 10 }, FALSE, TO_SERVER SYN);
  report_place (story, 10.1, (Place){ 2, 0, 4, 3, 10 }, FALSE, TO_SERVER SYN);
  report_place (story, 12, (Place){ 3, 0, 4, 3, 11 }, FALSE, TO_SERVER SYN);
  report_place (story, 12.1, (Place){ 4, 0, 3, 3, 12 }, FALSE, TO_SERVER SYN);
  report_place (story, 12.2, (Place){ 5, 0, 4, 3, 12 }, FALSE, TO_SERVER SYN_ACK);
  /* The first packet was dropped; the second one continues until it is dropped, too. */
  report_place (story, 20, (Place){ 6, 0, 3, 3, 10 }, FALSE, TO_CLIENT SYN_ACK);
  report_place (story, 20.1, (Place){ 7, 0, 3, 3, 10 }, TRUE, TO_CLIENT SYN_ACK);
  report_place (story, 20.2, (Place){ 8, 0, 3, 3, 10 }, FALSE, TO_CLIENT SYN_ACK);
  report_place (story, 20.3, (Place){ 9, 0, 3, 3, 11 }, FALSE, TO_CLIENT SYN_ACK);
  report_place (story, 20.4, (Place){ 10, 0, 3, 3, 11 }, TRUE, TO_CLIENT SYN_ACK);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->packets->len, ==, 7);
  g_assert_cmpuint (packet (trace, 5)->appearances, ==, 2);
  g_assert_cmpuint (packet (trace, 6)->appearances, ==, 3);
}

static void
test_two_captures_make_one_packet (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_fragment (story, 10, START | LAST | SEND, 7, ETHERNET TO_SERVER SYN);
  report_place (story, 10.1, (Place){ 1, 1, 4, 1, 12 }, FALSE, ETHERNET TO_SERVER SYN);
  report_place (story, 10.2, (Place){ 1, 2, 4, 3, 13 }, FALSE, TO_SERVER SYN);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->packets->len, ==, 1);
  g_assert_cmpuint (packet (trace, 0)->appearances, ==, 3);
  g_assert_cmpuint (place_of (trace, 0)->interface, ==, 12);
}

/* A real duplicate has the same adapter and layer, however short the interval. */
static void
test_a_frame_sent_twice_is_two_packets (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_fragment (story, 10, START | LAST | SEND, 7, ETHERNET TO_SERVER SYN);
  report_fragment (story, 10.1, START | LAST | SEND, 7, ETHERNET TO_SERVER SYN);
  report_fragment (story, 10.2, START | LAST | SEND, 3, ETHERNET TO_SERVER SYN);
  report_fragment (story, 10.3, START | LAST | SEND, 3, ETHERNET TO_SERVER SYN);
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

  report_fragment (story, 10, START | LAST | SEND, 7, ETHERNET TO_SERVER);
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

  story_write (story, 10, STORY_WAN, 5001, "wwX", "domain", "user", ETHERNET TO_SERVER SYN);
  story_write (story, 20, STORY_WAN, 5002, "wwX", "domain", "user", TO_CLIENT SYN_ACK);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->packets->len, ==, 2);
  g_assert_cmpint (packet (trace, 0)->direction, ==, -1);
  g_assert_cmpstr (dst_to_text (trace, text), ==, "1.2.3.4:443");
  g_assert_cmpuint (ns_packet_row_get_link_type (packet (trace, 1)), ==, 101);
  story_assert_text (trace, place_of (trace, 1)->interface_name, "VPN (" NS_SECRETS_MASK ")");
}

/* IPv6 with a traffic class is IP. A frame that only starts like IP is a frame, of which only the
 * length is known. */
static void
test_a_tunnel_may_hand_over_ip (void)
{
  static const char v6[] = "6b80000000143a40"
                           "20010db8000000000000000000000005"
                           "20010db8000000000000000000000009"
                           "c35101bb0000000100000000"
                           "5002ffff00000000";
  /* LLDP frames whose first address begins with 6, or with 4 and a header length below that of
   * IPv4. */
  static const char frames[][32] = { "6180c200000e04050607080988cc",
                                     "4180c200000e04050607080988cc" };
  g_autofree char *padding = g_strnfill (2 * 60, '7');
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  NsPacketEnds ends;
  guint i;

  story_write (story, 10, STORY_WAN, 5001, "wwX", "", "user", v6);
  for (i = 0; i < G_N_ELEMENTS (frames); i++)
    {
      g_autofree char *hex = g_strconcat (frames[i], padding, NULL);

      story_write (story, 20 + i, STORY_WAN, 5002, "wwX", "", "user", hex);
    }
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->packets->len, ==, 3);
  g_assert_cmpuint (ns_packet_row_get_link_type (packet (trace, 0)), ==, 101);
  ns_packet_row_read_ends (trace, packet (trace, 0), &ends);
  g_assert_false (ns_ip_is_empty (&ends.src.ip));
  for (i = 1; i < trace->packets->len; i++)
    {
      g_assert_cmpuint (ns_packet_row_get_link_type (packet (trace, i)), ==, 1);
      g_assert_cmpuint (packet (trace, i)->length, ==, 74);
      g_assert_cmpuint (packet (trace, i)->flow, ==, 0);
      ns_packet_row_read_ends (trace, packet (trace, i), &ends);
      g_assert_true (ns_ip_is_empty (&ends.src.ip));
    }
}

/* Payloads may have any length; the complete fields are read. A payload that is no packet makes no
 * row. */
static void
test_payloads_of_a_tunnel_may_be_odd (void)
{
  static const char frame[] = ETHERNET TO_SERVER SYN;
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  char text[NS_IP_TEXT_SIZE];
  guint n;

  /* Truncated inside the strings and before the length; a string instead of a packet. */
  story_write (story, 1, STORY_WAN, 5001, "");
  story_write (story, 2, STORY_WAN, 5001, "wx", "domain", "75007300");
  story_write (story, 3, STORY_WAN, 5001, "ww", "domain", "user");
  story_write (story, 4, STORY_WAN, 5001, "wwh", "domain", "user", 54);
  story_write (story, 5, STORY_WAN, 5003, "wwX", "domain", "user", frame);
  /* Fewer bytes than the length field, none, and more. */
  story_write (story, 10, STORY_WAN, 5001, "wwdx", "domain", "user", G_MAXUINT32, frame);
  story_write (story, 20, STORY_WAN, 5002, "wwd", "domain", "user", 0);
  story_write (story, 30, STORY_WAN, 5001, "wwXx", "domain", "user", frame, "ffffffff");
  /* The IP header length exceeds the packet. */
  story_write (story, 40, STORY_WAN, 5001, "wwX", "domain", "user", ETHERNET "4f00002812340000");
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->packets->len, ==, 4);
  g_assert_cmpstr (dst_to_text (trace, text), ==, "1.2.3.4:443");
  g_assert_cmpuint (packet (trace, 0)->captured, ==, 54);
  g_assert_cmpuint (packet (trace, 0)->length, ==, 54);
  g_assert_cmpuint (packet (trace, 1)->captured, ==, 0);
  g_assert_cmpuint (packet (trace, 1)->flow, ==, 0);
  g_assert_cmpuint (packet (trace, 2)->captured, ==, 54);
  g_assert_cmpuint (packet (trace, 3)->captured, ==, 22);
  g_assert_cmpuint (packet (trace, 3)->flow, ==, 0);
  for (n = 0; n < trace->packets->len; n++)
    story_assert_text (trace, place_of (trace, n)->interface_name, "VPN (" NS_SECRETS_MASK ")");
}

/* The user name of a tunnel is visible only if secrets are shown. */
static void
test_the_user_of_a_tunnel_is_masked (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_write (story, 10, STORY_WAN, 5001, "wwX", "domain", "user", ETHERNET TO_SERVER SYN);
  story->shows_secrets = TRUE;
  trace = story_open (story, 100);

  story_assert_text (trace, place_of (trace, 0)->interface_name, "VPN (user)");
}

static void
test_packets_belong_to_their_connection (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_tcp_connect (story, 10, TCB, "10.0.0.5:50001", "1.2.3.4:443");
  report_fragment (story, 11, START | LAST | SEND, 7, ETHERNET TO_SERVER SYN);
  report_fragment (story, 12, START | LAST | RECEIVE, 7, ETHERNET TO_CLIENT SYN_ACK);
  trace = story_open (story, 100);

  g_assert_cmpuint (ns_packet_row_get_activity (trace, packet (trace, 0)), ==, 1);
  g_assert_cmpuint (ns_packet_row_get_activity (trace, packet (trace, 1)), ==, 1);
  g_assert_cmpuint (ns_packet_row_get_tcp (trace, packet (trace, 1)), ==, 1);
}

static const NsCallRow *
call (const NsTrace *trace, guint n)
{
  g_assert_cmpuint (trace->calls->len, >, n);
  return &g_array_index (trace->calls, NsCallRow, n);
}

/* The enter event is logged on one thread, the exit event on another one. */
static void
test_a_call_ends_on_the_thread_that_completes_it (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_socket (story, 1, ENDPOINT, 50001, "1.2.3.4:443");
  story->tid = 41;
  story_write (story,
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
  g_assert_cmpint (call (trace, 2)->kind, ==, NS_CALL_CONNECT);
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
  story_write (story, 30, STORY_AFD, 1032, "ddppd", 0, 8000, P (0xbb0064), ENDPOINT, 4);
  trace = story_open (story, 100);

  g_assert_cmpint (call (trace, 3)->kind, ==, NS_CALL_ABORT);
  g_assert_false (call (trace, 3)->pending);
  g_assert_cmpint (call (trace, 3)->close_ns, ==, call (trace, 3)->open_ns);
}

static void
test_name_resolution_is_a_call (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_write (story, 10, STORY_RESOLUTION, 1000, "wwddddd", "a.example", "", 0, 0, 0, 0, 0);
  story_write (story, 35, STORY_RESOLUTION, 1001, "wdw", "a.example", 11001, "");
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->calls->len, ==, 1);
  g_assert_cmpint (call (trace, 0)->kind, ==, NS_CALL_GETADDRINFO);
  g_assert_cmpuint (call (trace, 0)->status, ==, 11001);
  g_assert_cmpint (call (trace, 0)->close_ns - call (trace, 0)->open_ns, ==, 25000000);
}

/* HTTP.sys: received, parsed, delivered to the worker, answered, sent. */
static void
test_a_served_request_is_one_row (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsActivityRow *row;

  story_write (story, 1, STORY_HTTP_SERVER, 21, "pAA", P (0xc0), "10.0.0.1:80", "10.0.0.9:61000");
  story_write (story, 2, STORY_HTTP_SERVER, 1, "qqA", P (0x11), P (0x22), "10.0.0.9:61000");
  story_write (story, 2.1, STORY_HTTP_SERVER, 22, "qqp", P (0x11), P (0x22), P (0xc0));
  story_write (story, 2.2, STORY_HTTP_SERVER, 2, "pdw", P (0xd0), 4, "http://shop.example:80/cart");
  story_write (story,
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
  story_write (story, 23, STORY_HTTP_SERVER, 8, "qqhadhd", P (0x11), P (0x22), 503, "GET", 0, 0, 0);
  story_write (story, 25, STORY_HTTP_SERVER, 12, "qh", P (0x11), 503);
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

/* Ten million packets of half a million flows need less than 64 bytes each. */
static void
test_rows_of_packets_are_small (void)
{
  const gsize n_each = 20;

  g_assert_cmpuint (sizeof (NsPacketRow), ==, 32);
  g_assert_cmpuint (sizeof (NsPacketRow) + (sizeof (NsFlowRow) + sizeof (NsActivityRow)) / n_each,
                    <,
                    56);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/packets/rows-are-small", test_rows_of_packets_are_small);
  g_test_add_func ("/packets/fragments-make-one-packet", test_fragments_make_one_packet);
  g_test_add_func ("/packets/components-have-names-and-addresses",
                   test_components_have_names_and_addresses);
  g_test_add_func ("/packets/cut-components-tell-nothing", test_cut_components_tell_nothing);
  g_test_add_func ("/packets/the-first-drop-has-the-reason", test_the_first_drop_has_the_reason);
  g_test_add_func ("/packets/appearances-tell-where-packets-were",
                   test_appearances_tell_where_packets_were);
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
  g_test_add_func ("/packets/a-tunnel-may-hand-over-ip", test_a_tunnel_may_hand_over_ip);
  g_test_add_func ("/packets/payloads-of-a-tunnel-may-be-odd",
                   test_payloads_of_a_tunnel_may_be_odd);
  g_test_add_func ("/packets/the-user-of-a-tunnel-is-masked", test_the_user_of_a_tunnel_is_masked);
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
