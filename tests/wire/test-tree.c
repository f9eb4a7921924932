/* Tests the field tree of a frame, and its one-line summary.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-frame.h"
#include "wire/ns-wire-tree.h"

#include <string.h>

#define ETHERNET "0001020304050607080908090800"
/* IPv4 header 10.0.0.5 → 1.2.3.4 with total length and protocol. */
#define IPV4(total, protocol)                                                                      \
  "4500" total "123440004"                                                                         \
  "0" protocol "0000"                                                                              \
  "0a00000501020304"
#define SYN                                                                                        \
  "c35101bb000000090000000080"                                                                     \
  "02ffff12340000"                                                                                 \
  "020405b401030308"                                                                               \
  "04020101"
#define UDP_514                                                                                    \
  "c351020200100000"                                                                               \
  "6162636465666768"
#define MACS "000102030405060708090809"
#define PPPOE                                                                                      \
  MACS "8864"                                                                                      \
       "110000010026"
#define IPV6_ICMP(payload)                                                                         \
  "60000000" payload "3aff"                                                                        \
  "fe800000000000000000000000000001"                                                               \
  "ff0200000000000000000001ff000002"

#define ROUTER                                                                                     \
  IPV6_ICMP ("0038")                                                                               \
  "86001234"                                                                                       \
  "40c00708"                                                                                       \
  "0000000000000000"                                                                               \
  "0501000000000514"                                                                               \
  "0101021122334455"                                                                               \
  "1903000000000e10"                                                                               \
  "20010db8000000000000000000000053"
/* A BPDU as sent every two seconds by a bridge, and padding. */
#define RAPID_TREE                                                                                 \
  "0180c2000000000102030405"                                                                       \
  "0027424203"                                                                                     \
  "000002023e"                                                                                     \
  "8001001122334455"                                                                               \
  "00000004"                                                                                       \
  "9000066778899aab"                                                                               \
  "8005"                                                                                           \
  "0180140002000f00"                                                                               \
  "00"                                                                                             \
  "00000000000000"

static guint8 *
from_hex (const char *hex, gsize *size)
{
  guint8 *data = g_malloc (strlen (hex) / 2 + 1);
  gsize i;

  *size = strlen (hex) / 2;
  for (i = 0; i < *size; i++)
    data[i] =
        (guint8) (g_ascii_xdigit_value (hex[2 * i]) << 4 | g_ascii_xdigit_value (hex[2 * i + 1]));
  return data;
}

/* Formats one field per line: name indented by two spaces per level, value, bytes. */
static char *
tree_to_text (const char *hex, guint link_type, guint first_line)
{
  gsize size;
  g_autofree guint8 *data = from_hex (hex, &size);
  g_autoptr (GArray) fields = ns_wire_tree_new (data, size, size, link_type);
  GString *text = g_string_new (NULL);
  guint i;

  for (i = first_line; i < fields->len; i++)
    {
      const NsWireField *field = &g_array_index (fields, NsWireField, i);

      g_string_append_printf (text,
                              "%*s%s: %s @%u+%u\n",
                              field->depth * 2,
                              "",
                              field->name,
                              field->value,
                              field->offset,
                              field->size);
    }
  return g_string_free (text, FALSE);
}

static void
test_headers_are_fields_with_their_bytes (void)
{
  g_autofree char *text = tree_to_text (ETHERNET IPV4 ("0034", "06") SYN, NS_LINK_ETHERNET, 0);

  g_assert_cmpstr (text,
                   ==,
                   "Ethernet II: 06:07:08:09:08:09 \342\206\222 00:01:02:03:04:05 @0+14\n"
                   "  Destination: 00:01:02:03:04:05 @0+6\n"
                   "  Source: 06:07:08:09:08:09 @6+6\n"
                   "  Type: IPv4 (0x0800) @12+2\n"
                   "IPv4: 10.0.0.5 \342\206\222 1.2.3.4 @14+20\n"
                   "  Header length: 20 bytes @14+1\n"
                   "  Differentiated services: 0x00 @15+1\n"
                   "    DSCP: 0 @15+1\n"
                   "    ECN: 0 @15+1\n"
                   "  Total length: 52 @16+2\n"
                   "  Identification: 0x1234 @18+2\n"
                   "  Flags: don't fragment @20+1\n"
                   "  Fragment offset: 0 @20+2\n"
                   "  Time to live: 64 @22+1\n"
                   "  Protocol: TCP (6) @23+1\n"
                   "  Header checksum: 0x0000 @24+2\n"
                   "  Source: 10.0.0.5 @26+4\n"
                   "  Destination: 1.2.3.4 @30+4\n"
                   "TCP: 50001 \342\206\222 443 [SYN] @34+32\n"
                   "  Source port: 50001 @34+2\n"
                   "  Destination port: 443 @36+2\n"
                   "  Sequence number: 9 @38+4\n"
                   "  Acknowledgment number: 0 @42+4\n"
                   "  Header length: 32 bytes @46+1\n"
                   "  Flags: SYN @46+2\n"
                   "  Window: 65535 @48+2\n"
                   "  Checksum: 0x1234 @50+2\n"
                   "  Urgent pointer: 0 @52+2\n"
                   "  Options: 12 bytes @54+12\n"
                   "    Maximum segment size: 1460 @54+4\n"
                   "    No-operation:  @58+1\n"
                   "    Window scale: 8 (multiply by 256) @59+3\n"
                   "    SACK permitted:  @62+2\n"
                   "    No-operation:  @64+1\n"
                   "    No-operation:  @65+1\n");
}

/* EtherTypes that carry IP. */
static void
test_carriers_are_fields (void)
{
  g_autofree char *pppoe = tree_to_text (PPPOE "0021" IPV4 ("0024", "11"), NS_LINK_ETHERNET, 0);
  g_autofree char *mpls = tree_to_text (MACS "8100"
                                             "0007"
                                             "8847"
                                             "00011140" IPV4 ("0024", "11"),
                                        NS_LINK_ETHERNET,
                                        0);
  g_autofree char *snap = tree_to_text (MACS "001c"
                                             "aaaa030000000800" IPV4 ("0014", "11"),
                                        NS_LINK_ETHERNET,
                                        0);

  g_assert_nonnull (strstr (pppoe,
                            "  Type: PPPoE session (0x8864) @12+2\n"
                            "PPPoE session: id 0x0001 @14+6\n"
                            "  Version and type: 0x11 @14+1\n"
                            "  Code: 0x00 @15+1\n"
                            "  Session ID: 0x0001 @16+2\n"
                            "  Payload length: 38 @18+2\n"
                            "PPP:  @20+2\n"
                            "  Protocol: 0x0021 @20+2\n"
                            "IPv4: 10.0.0.5 \342\206\222 1.2.3.4 @22+20\n"));
  g_assert_nonnull (strstr (mpls,
                            "  ID: 7 @14+2\n"
                            "  Type: MPLS (0x8847) @16+2\n"
                            "MPLS: label 17 @18+4\n"
                            "  Label: 17 @18+3\n"
                            "  Traffic class: 0 @20+1\n"
                            "  Bottom of stack: 1 @20+1\n"
                            "  Time to live: 64 @21+1\n"
                            "IPv4: 10.0.0.5 \342\206\222 1.2.3.4 @22+20\n"));
  g_assert_nonnull (strstr (snap, "IEEE 802.3: "));
  g_assert_nonnull (strstr (snap,
                            "  Length: 28 @12+2\n"
                            "LLC: SNAP @14+8\n"));
  g_assert_nonnull (strstr (snap, "IPv4: 10.0.0.5 \342\206\222 1.2.3.4 @22+20\n"));
}

/* The values are those of tshark 4.0. */
static void
test_bridges_are_taken_apart (void)
{
  g_autofree char *text = tree_to_text (RAPID_TREE, NS_LINK_ETHERNET, 0);
  g_autofree char *change = tree_to_text (MACS "0007"
                                               "42420300000080"
                                               "0000",
                                          NS_LINK_ETHERNET,
                                          4);
  g_autofree char *other = tree_to_text (MACS "0006"
                                              "e0e001020304"
                                              "00",
                                         NS_LINK_ETHERNET,
                                         4);
  g_autofree char *vendor = tree_to_text (MACS "000a"
                                               "aaaa0300000c2000"
                                               "02b4",
                                          NS_LINK_ETHERNET,
                                          4);

  g_assert_nonnull (strstr (vendor,
                            "  Organization: 0x00000c @17+3\n"
                            "  Protocol ID: 0x2000 @20+2\n"
                            "Data: 2 bytes @22+2\n"));
  g_assert_cmpstr (text,
                   ==,
                   "IEEE 802.3: 00:01:02:03:04:05 \342\206\222 01:80:c2:00:00:00 @0+14\n"
                   "  Destination: 01:80:c2:00:00:00 @0+6\n"
                   "  Source: 00:01:02:03:04:05 @6+6\n"
                   "  Length: 39 @12+2\n"
                   "LLC: DSAP 0x42, SSAP 0x42 @14+3\n"
                   "  DSAP: 0x42 @14+1\n"
                   "  SSAP: 0x42 @15+1\n"
                   "  Control: 0x03 @16+1\n"
                   "Spanning Tree Protocol: rapid spanning tree @17+36\n"
                   "  Protocol: 0x0000 @17+2\n"
                   "  Version: 2 @19+1\n"
                   "  BPDU type: 0x02 @20+1\n"
                   "  Flags: 0x3e @21+1\n"
                   "    Topology change: 0 @21+1\n"
                   "    Proposal: 1 @21+1\n"
                   "    Port role: designated (3) @21+1\n"
                   "    Learning: 1 @21+1\n"
                   "    Forwarding: 1 @21+1\n"
                   "    Agreement: 0 @21+1\n"
                   "    Topology change acknowledgment: 0 @21+1\n"
                   "  Root: 32768 / 1 / 00:11:22:33:44:55 @22+8\n"
                   "    Priority: 32768 @22+1\n"
                   "    System ID extension: 1 @22+2\n"
                   "    System ID: 00:11:22:33:44:55 @24+6\n"
                   "  Root path cost: 4 @30+4\n"
                   "  Bridge: 36864 / 0 / 06:67:78:89:9a:ab @34+8\n"
                   "    Priority: 36864 @34+1\n"
                   "    System ID extension: 0 @34+2\n"
                   "    System ID: 06:67:78:89:9a:ab @36+6\n"
                   "  Port: 0x8005 @42+2\n"
                   "  Message age: 1.5 s @44+2\n"
                   "  Maximum age: 20 s @46+2\n"
                   "  Hello time: 2 s @48+2\n"
                   "  Forward delay: 15 s @50+2\n"
                   "  Version 1 length: 0 @52+1\n"
                   "Padding: 7 bytes @53+7\n");
  g_assert_cmpstr (change,
                   ==,
                   "LLC: DSAP 0x42, SSAP 0x42 @14+3\n"
                   "  DSAP: 0x42 @14+1\n"
                   "  SSAP: 0x42 @15+1\n"
                   "  Control: 0x03 @16+1\n"
                   "Spanning Tree Protocol: topology change notification @17+4\n"
                   "  Protocol: 0x0000 @17+2\n"
                   "  Version: 0 @19+1\n"
                   "  BPDU type: 0x80 @20+1\n"
                   "Padding: 2 bytes @21+2\n");
  /* A control field is two bytes unless its two low bits are set. */
  g_assert_cmpstr (other,
                   ==,
                   "LLC: DSAP 0xe0, SSAP 0xe0 @14+4\n"
                   "  DSAP: 0xe0 @14+1\n"
                   "  SSAP: 0xe0 @15+1\n"
                   "  Control: 0x0201 @16+2\n"
                   "Data: 2 bytes @18+2\n"
                   "Padding: 1 bytes @20+1\n");
}

/* A router advertisement and a neighbor solicitation. */
static void
test_neighbor_discovery_is_taken_apart (void)
{
  g_autofree char *router = tree_to_text (ROUTER, NS_LINK_RAW_IP, 10);
  g_autofree char *host = tree_to_text (IPV6_ICMP ("0020") "88001234"
                                                           "e0000000"
                                                           "fe800000000000000000000000000002"
                                                           "0201021122334455",
                                        NS_LINK_RAW_IP,
                                        13);

  g_assert_cmpstr (router,
                   ==,
                   "ICMPv6: Router Advertisement @40+56\n"
                   "  Type: Router Advertisement (134) @40+1\n"
                   "  Code: 0 @41+1\n"
                   "  Checksum: 0x1234 @42+2\n"
                   "  Hop limit: 64 @44+1\n"
                   "  Flags: 0xc0 @45+1\n"
                   "  Router lifetime: 1800 @46+2\n"
                   "  Reachable time: 0 @48+4\n"
                   "  Retransmission timer: 0 @52+4\n"
                   "  Option: MTU (5) @56+8\n"
                   "    MTU: 1300 @60+4\n"
                   "  Option: Source link-layer address (1) @64+8\n"
                   "    Source link-layer address: 02:11:22:33:44:55 @66+6\n"
                   "  Option: Recursive DNS server (25) @72+24\n"
                   "    Lifetime: 3600 @76+4\n"
                   "    DNS server: 2001:db8::53 @80+16\n");
  g_assert_nonnull (strstr (host,
                            "  From a router: 1 @44+1\n"
                            "  Solicited: 1 @44+1\n"
                            "  Override: 1 @44+1\n"
                            "  Target address: fe80::2 @48+16\n"
                            "  Option: Target link-layer address (2) @64+8\n"
                            "    Target link-layer address: 02:11:22:33:44:55 @66+6\n"));
}

/* All SACK blocks of a receiver, options before a fragment, and frame padding. */
static void
test_options_are_taken_apart (void)
{
  g_autofree char *sack = tree_to_text (ETHERNET IPV4 ("003c", "06") "c35101bb000000090000000a"
                                                                     "a010ffff12340000"
                                                                     "0101051200000010000000200000"
                                                                     "00300000004000000000",
                                        NS_LINK_ETHERNET,
                                        0);
  g_autofree char *ahead = tree_to_text ("6000000000180040"
                                         "fe800000000000000000000000000001"
                                         "ff020000000000000000000000000016"
                                         "2c00050200000100"
                                         "3a00000900000007"
                                         "8000000000000000",
                                         NS_LINK_RAW_IP,
                                         0);

  g_assert_nonnull (strstr (sack,
                            "    SACK: 2 blocks @56+18\n"
                            "      Block: 16 \342\200\223 32 @58+8\n"
                            "      Block: 48 \342\200\223 64 @66+8\n"));
  g_assert_nonnull (strstr (ahead,
                            "Hop-by-hop options: 8 bytes @40+8\n"
                            "  Next header: Fragment header (44) @40+1\n"
                            "  Length: 0 @41+1\n"
                            "  Option: Router alert (5) @42+4\n"
                            "  Option: PadN (1) @46+2\n"
                            "Fragment header: 8 bytes @48+8\n"
                            "  Next header: ICMPv6 (58) @48+1\n"
                            "  Fragment offset: 8 @50+2\n"
                            "  More fragments: 1 @51+1\n"
                            "  Identification: 0x00000007 @52+4\n"));
}

/* Offsets, sizes and values are those of tshark 4.0.17. */
static void
test_headers_stand_where_they_are_told (void)
{
  g_autofree char *tags = tree_to_text (MACS "88a8"
                                             "6005"
                                             "8100"
                                             "b009"
                                             "0800" IPV4 ("0024", "11") UDP_514,
                                        NS_LINK_ETHERNET,
                                        0);
  /* An authentication header of 24 bytes between IPv4 and UDP. */
  g_autofree char *inner = tree_to_text (IPV4 ("003c", "33") "11040000"
                                                             "0000100100000009"
                                                             "000000000000000000000000" UDP_514,
                                         NS_LINK_RAW_IP,
                                         14);
  /* A loose source route, the end of the option list, and padding after it. */
  g_autofree char *route = tree_to_text ("4800002400000000"
                                         "40110000"
                                         "0a00000501020304"
                                         "830704c00002010044"
                                         "040000",
                                         NS_LINK_RAW_IP,
                                         14);
  g_autofree char *end = tree_to_text (IPV4 ("0030", "06") "c35101bb000000090000000a"
                                                           "7010ffff12340000"
                                                           "2204aabb"
                                                           "00010101",
                                       NS_LINK_RAW_IP,
                                       24);

  g_assert_true (g_str_has_prefix (tags,
                                   "Ethernet II: 06:07:08:09:08:09 \342\206\222 "
                                   "00:01:02:03:04:05 @0+14\n"));
  g_assert_nonnull (strstr (tags,
                            "  Type: 802.1ad (0x88a8) @12+2\n"
                            "802.1ad VLAN: id 5 @14+4\n"
                            "  Priority: 3 @14+1\n"
                            "  Drop eligible: 0 @14+1\n"
                            "  ID: 5 @14+2\n"
                            "  Type: 802.1Q VLAN (0x8100) @16+2\n"
                            "802.1Q VLAN: id 9 @18+4\n"
                            "  Priority: 5 @18+1\n"
                            "  Drop eligible: 1 @18+1\n"));
  g_assert_true (g_str_has_prefix (inner,
                                   "AH: 24 bytes @20+24\n"
                                   "  Next header: UDP (17) @20+1\n"
                                   "  Length: 4 @21+1\n"
                                   "  SPI: 0x00001001 @24+4\n"
                                   "  Sequence number: 9 @28+4\n"
                                   "UDP: 50001 \342\206\222 514 @44+8\n"));
  g_assert_cmpstr (route,
                   ==,
                   "  Options: 12 bytes @20+12\n"
                   "    Option: Loose source route (131) @20+7\n"
                   "    Option: End of options (0) @27+1\n");
  g_assert_nonnull (strstr (end,
                            "  Options: 8 bytes @40+8\n"
                            "    Option: Fast Open cookie (34) @40+4\n"
                            "    End of options:  @44+1\n"));
  g_assert_null (strstr (end, "No-operation"));
}

static void
test_messages_are_taken_apart (void)
{
  static const char hello[] =
      ETHERNET IPV4 ("007d",
                     "06") "c35101bb00000009000000005018ffff12340000"
                           "1603010050"
                           "0100004c"
                           "0303"
                           "0000000000000000000000000000000000000000000000000000000000000000"
                           "00"
                           "00021301"
                           "0100"
                           "0021"
                           "0000000e000c000009612e6578616d706c65"
                           "00100005000302"
                           "6832"
                           "002b00050403040303";
  g_autofree char *dns = NULL;
  g_autofree char *tls = NULL;
  g_autofree char *over_tcp = NULL;
  g_autofree char *quic = NULL;
  g_autofree char *http = NULL;

  dns = tree_to_text (IPV4 ("0052", "11") "0035c351003e0000"
                                          "abcd81800001000200000000"
                                          "016102657800"
                                          "00010001"
                                          "c00c"
                                          "0005"
                                          "0001"
                                          "0000003c"
                                          "0004"
                                          "0162c00e"
                                          "c022"
                                          "0001"
                                          "0001"
                                          "0000003c"
                                          "0004"
                                          "c0000207",
                      NS_LINK_RAW_IP,
                      19);
  g_assert_cmpstr (dns,
                   ==,
                   "DNS: answer A a.ex: CNAME b.ex, 192.0.2.7 @28+54\n"
                   "  ID: 0xabcd @28+2\n"
                   "  Flags: response, NOERROR, recursion desired, recursion available @30+2\n"
                   "  Questions: 1 @32+2\n"
                   "  Answer records: 2 @34+2\n"
                   "  Authority records: 0 @36+2\n"
                   "  Additional records: 0 @38+2\n"
                   "  Question: A a.ex @40+10\n"
                   "    Name: a.ex @40+6\n"
                   "    Type: A (1) @46+2\n"
                   "    Class: 0x0001 @48+2\n"
                   "  Answers: 2 @50+32\n"
                   "    a.ex: CNAME b.ex, TTL 60 @50+16\n"
                   "      Name: a.ex @50+2\n"
                   "      Type: CNAME (5) @52+2\n"
                   "      Class: 0x0001 @54+2\n"
                   "      Time to live: 60 @56+4\n"
                   "      Data length: 4 @60+2\n"
                   "      Data: CNAME b.ex @62+4\n"
                   "    b.ex: 192.0.2.7, TTL 60 @66+16\n"
                   "      Name: b.ex @66+2\n"
                   "      Type: A (1) @68+2\n"
                   "      Class: 0x0001 @70+2\n"
                   "      Time to live: 60 @72+4\n"
                   "      Data length: 4 @76+2\n"
                   "      Data: 192.0.2.7 @78+4\n");
  tls = tree_to_text (hello, NS_LINK_ETHERNET, 26);
  g_assert_nonnull (strstr (tls, "    Client Hello: 76 bytes @59+80\n"));
  g_assert_nonnull (strstr (tls, "        Cipher suite: TLS_AES_128_GCM_SHA256 (0x1301) @"));
  g_assert_nonnull (strstr (tls, "      server_name: extension 0 @"));
  g_assert_nonnull (strstr (tls, "        Host name: a.example @"));
  g_assert_nonnull (strstr (tls, "        Protocol: h2 @"));
  g_assert_nonnull (strstr (tls,
                            "      Session ID length: 0 @97+1\n"
                            "      Cipher suites length: 2 @98+2\n"
                            "      Cipher suites: 1 @100+2\n"
                            "        Cipher suite: TLS_AES_128_GCM_SHA256 (0x1301) @100+2\n"
                            "      Compression methods length: 1 @102+1\n"
                            "      Compression methods: 1 @103+1\n"
                            "      Extensions length: 33 @104+2\n"));
  /* Over TCP the length precedes the message. */
  over_tcp = tree_to_text (IPV4 ("0040", "06") "0035c3510000000900000000"
                                               "5018ffff12340000"
                                               "0016abcd01000001000000000000"
                                               "0161026578000001"
                                               "0001",
                           NS_LINK_RAW_IP,
                           24);
  g_assert_true (g_str_has_prefix (over_tcp,
                                   "DNS: query A a.ex @40+24\n"
                                   "  Length: 22 @40+2\n"
                                   "  ID: 0xabcd @42+2\n"));
  quic = tree_to_text (IPV4 ("0030", "11") "c35101bb001c0000"
                                           "c000000001"
                                           "040a0b0c0d"
                                           "020e0f"
                                           "00400500000000",
                       NS_LINK_RAW_IP,
                       19);
  g_assert_nonnull (strstr (quic,
                            "  Destination connection ID length: 4 @33+1\n"
                            "  Destination connection ID: 0a0b0c0d @34+4\n"
                            "  Source connection ID length: 2 @38+1\n"
                            "  Source connection ID: 0e0f @39+2\n"));
  /* GET / HTTP/1.1 with the header Host: a. */
  http = tree_to_text (IPV4 ("0045",
                             "06") "c35100500000000900000000"
                                   "5018ffff12340000"
                                   "474554202f20485454502f312e310d0a486f73743a20610d0a0d0a6869",
                       NS_LINK_RAW_IP,
                       24);
  g_assert_cmpstr (http,
                   ==,
                   "HTTP:  @40+29\n"
                   "  First line: GET / HTTP/1.1 @40+16\n"
                   "  Host: a @56+9\n"
                   "  Body: 2 bytes @67+2\n");
}

static const struct
{
  const char *hex;
  guint link_type;
  const char *info;
} lines[] = {
  { ETHERNET IPV4 ("0034", "06") SYN,
    NS_LINK_ETHERNET,
    "50001 \342\206\222 443 [SYN] Seq=9 Win=65535 Len=0 MSS=1460 WS=256 SACK_PERM" },
  { IPV4 ("0040", "06") "01bbc351000000010000000ab0100064123400000101080a0000000700000008"
                        "0101050a0000001100000022",
    NS_LINK_RAW_IP,
    "443 \342\206\222 50001 [ACK] Seq=1 Ack=10 Win=100 Len=0 TSval=7 TSecr=8 SLE=17 SRE=34" },
  { IPV4 ("0020", "01") "0800000000120003"
                        "61626364",
    NS_LINK_RAW_IP,
    "Echo (ping) request id=0x0012, seq=3/768, ttl=64" },
  { IPV4 ("0038", "01") "0303000000000000"
                        "45000024000040004011000001020304"
                        "0a000005"
                        "0202c35100100000",
    NS_LINK_RAW_IP,
    "Destination unreachable (Port unreachable), of UDP 1.2.3.4:514 \342\206\222 10.0.0.5:50001" },
  { IPV4 ("0038", "01") "0304000000000578"
                        "45000024000040004006000001020304"
                        "0a000005"
                        "0202c35100000009",
    NS_LINK_RAW_IP,
    "Destination unreachable (Fragmentation needed), MTU 1400, of TCP 1.2.3.4:514 \342\206\222 "
    "10.0.0.5:50001" },
  { "ffffffffffff0203040506070806"
    "0001080006040001020304050607"
    "0a000005"
    "000000000000"
    "0a000001",
    NS_LINK_ETHERNET,
    "Who has 10.0.0.1? Tell 10.0.0.5" },
  { "ffffffffffff0203040506070806"
    "0001080006040002020304050607"
    "0a000001"
    "000000000000"
    "0a000005",
    NS_LINK_ETHERNET,
    "10.0.0.1 is at 02:03:04:05:06:07" },
  { "ffffffffffff0203040506070806"
    "0001080006040001020304050607"
    "0a000005"
    "000000000000"
    "0a000005",
    NS_LINK_ETHERNET,
    "ARP Announcement for 10.0.0.5" },
  { IPV6_ICMP ("0020") "8700000000000000"
                       "fe800000000000000000000000000002"
                       "0101020304050607",
    NS_LINK_RAW_IP,
    "Neighbor Solicitation for fe80::2 from 02:03:04:05:06:07" },
  { IPV6_ICMP ("0020") "8800000060000000"
                       "fe800000000000000000000000000002"
                       "0201020304050607",
    NS_LINK_RAW_IP,
    "Neighbor Advertisement fe80::2 (sol, ovr) is at 02:03:04:05:06:07" },
  { IPV6_ICMP ("0008") "0200000000000500", NS_LINK_RAW_IP, "Packet Too Big, MTU 1280" },
  { IPV4 ("0024", "11") "c351020200100000"
                        "6162636465666768",
    NS_LINK_RAW_IP,
    "50001 \342\206\222 514 Len=8" },
  { IPV4 ("003d", "06") "01bbc35100000001000000015018006412340000"
                        "140303000101"
                        "160303000400000000"
                        "1703030001aa",
    NS_LINK_RAW_IP,
    "Change Cipher Spec, Handshake, Application Data" },
  /* With an authentication header, as decoded by tshark 4.0.17. */
  { IPV4 ("003c", "33") "11040000"
                        "0000100100000009"
                        "000000000000000000000000" UDP_514,
    NS_LINK_RAW_IP,
    "50001 \342\206\222 514 Len=8" },
  { PPPOE "0021" IPV4 ("0024", "11") UDP_514, NS_LINK_ETHERNET, "50001 \342\206\222 514 Len=8" },
  { MACS "8847"
         "00010040"
         "00011140" IPV4 ("0024", "11") UDP_514,
    NS_LINK_ETHERNET,
    "50001 \342\206\222 514 Len=8" },
  { MACS "002c"
         "aaaa030000000800" IPV4 ("0024", "11") UDP_514,
    NS_LINK_ETHERNET,
    "50001 \342\206\222 514 Len=8" },
  { MACS "0026"
         "4242030000000000",
    NS_LINK_ETHERNET,
    "configuration" },
  { ROUTER, NS_LINK_RAW_IP, "Router Advertisement" },
  { RAPID_TREE,
    NS_LINK_ETHERNET,
    "RST. Root = 32768/1/00:11:22:33:44:55  Cost = 4  Port = 0x8005" },
  { MACS "0007"
         "42420300000080",
    NS_LINK_ETHERNET,
    "Topology Change Notification" },
  { MACS "0010"
         "e0e003ffff",
    NS_LINK_ETHERNET,
    "DSAP 0xe0, SSAP 0xe0, control 0x03, length 16" },
  { MACS "0010"
         "aaaa0300000c200002b4abcd00010005",
    NS_LINK_ETHERNET,
    "SNAP, organization 00:00:0c, protocol 0x2000" },
  { MACS "0002"
         "4242030000000000",
    NS_LINK_ETHERNET,
    "802.3 length 2" },
  { PPPOE "c021"
          "01010004",
    NS_LINK_ETHERNET,
    "PPPoE session, EtherType 0x8864" },
  { MACS "8863"
         "110900000000",
    NS_LINK_ETHERNET,
    "PPPoE discovery, EtherType 0x8863" },
};

static char *
info_of (const guint8 *data, gsize size, guint link_type)
{
  GString *text = g_string_new (NULL);
  NsWireFrame frame;

  ns_wire_frame_parse (&frame, data, size, link_type);
  ns_wire_frame_append_info (&frame, text);
  return g_string_free (text, FALSE);
}

static void
test_protocols_have_their_names (void)
{
  static const struct
  {
    const char *hex;
    const char *protocol;
  } cases[] = {
    { RAPID_TREE, "STP" },
    { MACS "0010"
           "e0e003ffff",
      "LLC" },
    { MACS "0010", "Ethernet" },
    { MACS "88cc"
           "0207",
      "Ethernet" },
    { ETHERNET IPV4 ("001c", "02") "1600fa01e0000005", "IGMP" },
    { ETHERNET IPV4 ("001c", "2f") "0000080000000000", "GRE" },
    { ETHERNET IPV4 ("001c", "32") "0000010000000001", "ESP" },
    { ETHERNET IPV4 ("001c", "67") "2000000000000000", "IPv4" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gsize size;
      g_autofree guint8 *data = from_hex (cases[i].hex, &size);
      NsWireFrame frame;

      ns_wire_frame_parse (&frame, data, size, NS_LINK_ETHERNET);
      g_assert_cmpstr (ns_wire_frame_get_protocol (&frame), ==, cases[i].protocol);
    }
}

static void
test_the_line_reads_as_people_know_it (void)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      gsize size;
      g_autofree guint8 *data = from_hex (lines[i].hex, &size);
      g_autofree char *info = info_of (data, size, lines[i].link_type);

      g_assert_cmpstr (info, ==, lines[i].info);
    }
}

/* For any truncation or change, fields stay inside the frame, and inside their parent in the
 * tree. */
static void
test_fields_stay_in_the_frame (void)
{
  guint i;
  guint round;

  for (i = 0; i < G_N_ELEMENTS (lines); i++)
    for (round = 0; round < 400; round++)
      {
        gsize size;
        g_autofree guint8 *whole = from_hex (lines[i].hex, &size);
        gsize cut = round < size ? round : size;
        g_autofree guint8 *data = g_memdup2 (whole, MAX (cut, 1));
        g_autofree char *info = NULL;
        g_autoptr (GArray) fields = NULL;
        guint k;

        if (round >= size)
          data[g_test_rand_int_range (0, (gint32) size)] = (guint8) g_test_rand_int ();
        info = info_of (data, cut, lines[i].link_type);
        fields = ns_wire_tree_new (data, cut, size, lines[i].link_type);
        g_assert_true (g_utf8_validate (info, -1, NULL));
        for (k = 0; k < fields->len; k++)
          {
            const NsWireField *field = &g_array_index (fields, NsWireField, k);

            g_assert_cmpuint (field->offset, <=, cut);
            g_assert_cmpuint (field->size, <=, cut - field->offset);
            g_assert_true (g_utf8_validate (field->value, -1, NULL));
            g_assert_cmpuint (field->depth, <=, k == 0 ? 0 : field[-1].depth + 1u);
          }
        if (cut < size && round < size)
          {
            const NsWireField *last = &g_array_index (fields, NsWireField, fields->len - 1);

            g_assert_cmpstr (last->name, ==, "Not captured");
          }
      }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tree/headers-are-fields-with-their-bytes",
                   test_headers_are_fields_with_their_bytes);
  g_test_add_func ("/tree/carriers-are-fields", test_carriers_are_fields);
  g_test_add_func ("/tree/headers-stand-where-they-are-told",
                   test_headers_stand_where_they_are_told);
  g_test_add_func ("/tree/messages-are-taken-apart", test_messages_are_taken_apart);
  g_test_add_func ("/tree/protocols-have-their-names", test_protocols_have_their_names);
  g_test_add_func ("/tree/bridges-are-taken-apart", test_bridges_are_taken_apart);
  g_test_add_func ("/tree/neighbor-discovery-is-taken-apart",
                   test_neighbor_discovery_is_taken_apart);
  g_test_add_func ("/tree/options-are-taken-apart", test_options_are_taken_apart);
  g_test_add_func ("/tree/the-line-reads-as-people-know-it", test_the_line_reads_as_people_know_it);
  g_test_add_func ("/tree/fields-stay-in-the-frame", test_fields_stay_in_the_frame);
  return g_test_run ();
}
