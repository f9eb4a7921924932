/* Tests the dissection of captured frames and their messages.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-dns.h"
#include "wire/ns-wire-frame.h"
#include "wire/ns-wire-http.h"
#include "wire/ns-wire-tls.h"

#include <string.h>

/* Ethernet, IPv4 10.0.0.5 → 1.2.3.4, UDP 50001 → 53, a DNS query for a.example AAAA. */
static const guint8 dns_frame[] = {
  0,    1,    2, 3,   4,    5,    6,   7,   8,   9,   10, 11, 0x08, 0x00, /* Ethernet */
  0x45, 0,    0, 55,  0x12, 0x34, 0,   0,   64,  17,  0,  0,  10,   0,    0,
  5,    1,    2, 3,   4,                                     /* IPv4 */
  0xc3, 0x51, 0, 53,  0,    35,   0,   0,                    /* UDP */
  0xab, 0xcd, 1, 0,   0,    1,    0,   0,   0,   0,   0,  0, /* DNS */
  1,    'a',  7, 'e', 'x',  'a',  'm', 'p', 'l', 'e', 0,  0,  28,   0,    1,
};

/* Raw IPv6 with a hop-by-hop header, TCP SYN 1 → 443. */
static const guint8 syn_packet[] = {
  0x60, 0, 0, 0, 0, 28, 0, 64,   0x20, 1,    0x0d, 0xb8, 0,    0, 0, 0, 0,
  0,    0, 0, 0, 0, 0,  1, 0x20, 1,    0x0d, 0xb8, 0,    0,    0, 0, 0, 0,
  0,    0, 0, 0, 0, 2,  6, 0,    1,    4,    0,    0,    0,    0, 0, 1, 1,
  0xbb, 0, 0, 0, 9, 0,  0, 0,    0,    0x50, 2,    0xff, 0xff, 0, 0, 0, 0,
};

static const guint8 hello[] = {
  22, 3,   1,   0,   80,  1,   0,    0,   76,  3,   3, 0,  0, 0, 0, 0,  0, 0,   0,   0,
  0,  0,   0,   0,   0,   0,   0,    0,   0,   0,   0, 0,  0, 0, 0, 0,  0, 0,   0,   0,
  0,  0,   0,   0,   0,   2,   0x13, 1,   1,   0,   0, 33, 0, 0, 0, 14, 0, 12,  0,   0,
  9,  'a', '.', 'e', 'x', 'a', 'm',  'p', 'l', 'e', 0, 16, 0, 5, 0, 3,  2, 'h', '2',
};

static char *
info_of (const guint8 *data, gsize size, guint link_type)
{
  g_autoptr (GString) text = g_string_new (NULL);
  NsWireFrame frame;

  ns_wire_frame_parse (&frame, data, size, link_type);
  g_string_append_printf (text, "%s: ", ns_wire_frame_get_protocol (&frame));
  ns_wire_frame_append_info (&frame, text);
  return g_strdup (text->str);
}

static void
test_a_dns_query_is_told (void)
{
  g_autofree char *info = info_of (dns_frame, sizeof dns_frame, NS_LINK_ETHERNET);
  char text[NS_IP_TEXT_SIZE];
  NsWireFrame frame;

  g_assert_cmpstr (info, ==, "DNS: query AAAA a.example");
  g_assert_true (ns_wire_frame_parse (&frame, dns_frame, sizeof dns_frame, NS_LINK_ETHERNET));
  g_assert_cmpstr (ns_endpoint_to_text (&frame.src, text), ==, "10.0.0.5:50001");
  g_assert_cmpstr (ns_endpoint_to_text (&frame.dst, text), ==, "1.2.3.4:53");
}

/* The payload length excludes the header; fragments are reassembled before the header is
 * skipped. */
static void
test_authentication_of_ipv4_is_passed (void)
{
  guint8 packet[] = {
    0x45, 0,    0, 54, 0, 0,  0,    0, 64,  51,  0, 0, 10, 0, 0, 5, 1, 2, 3, 4, /* IPv4 */
    17,   4,    0, 0,  0, 0,  0x10, 1, 0,   0,   0, 9, 0,  0, 0, 0, 0, 0, 0, 0,
    0,    0,    0, 0,                            /* authentication header */
    0xc3, 0x51, 2, 2,  0, 10, 0,    0, 'a', 'b', /* UDP */
  };
  NsWireFrame frame;

  g_assert_true (ns_wire_frame_parse (&frame, packet, sizeof packet, NS_LINK_RAW_IP));
  g_assert_cmpuint (frame.protocol, ==, NS_IP_UDP);
  g_assert_cmpuint (frame.src.port, ==, 50001);
  g_assert_cmpuint (frame.payload_size, ==, 2);
  g_assert_true (ns_wire_frame_parse (&frame, packet, 40, NS_LINK_RAW_IP));
  g_assert_cmpuint (frame.protocol, ==, NS_IP_AUTHENTICATION);
  g_assert_false (frame.has_transport);
  packet[6] = 0x20;
  g_assert_true (ns_wire_frame_parse (&frame, packet, sizeof packet, NS_LINK_RAW_IP));
  g_assert_cmpuint (frame.protocol, ==, NS_IP_AUTHENTICATION);
  g_assert_cmpuint (frame.fragment_size, ==, 34);
}

static void
test_ipv6_extension_headers_are_passed (void)
{
  g_autofree char *info = info_of (syn_packet, sizeof syn_packet, NS_LINK_RAW_IP);

  g_assert_cmpstr (info, ==, "TCP: 1 \342\206\222 443 [SYN] Seq=9 Win=65535 Len=0");
}

/* Parses an IPv4 header with a total length and a TCP header without options, truncated to
 * @captured of 140 bytes. */
static void
parse_cut (NsWireFrame *frame, guint16 total, gsize captured)
{
  guint8 data[60] = { 0x45,
                      0,
                      (guint8) (total >> 8),
                      (guint8) total,
                      0,
                      0,
                      0,
                      0,
                      64,
                      6,
                      0,
                      0,
                      10,
                      0,
                      0,
                      5,
                      10,
                      0,
                      0,
                      6,
                      0x27,
                      0x10,
                      1,
                      0xbb,
                      0,
                      0,
                      0,
                      9,
                      0,
                      0,
                      0,
                      7,
                      0x50,
                      16,
                      0,
                      99 };

  ns_wire_frame_parse_cut (frame, data, captured, 140, NS_LINK_RAW_IP);
}

static void
test_offloaded_segments_are_as_long_as_their_frames (void)
{
  NsWireFrame frame;

  parse_cut (&frame, 0, 60);
  g_assert_true (frame.has_transport);
  g_assert_cmpuint (frame.payload_size, ==, 20);
  g_assert_cmpuint (frame.wire_payload_size, ==, 100);
  /* Bytes after the packet are padding. */
  parse_cut (&frame, 40, 60);
  g_assert_cmpuint (frame.wire_payload_size, ==, 0);
  parse_cut (&frame, 20, 60);
  g_assert_false (frame.has_transport);
}

/* The fields for stream analysis are before the checksum. */
static void
test_a_header_without_its_checksum_tells (void)
{
  NsWireFrame frame;

  parse_cut (&frame, 140, 36);
  g_assert_true (frame.has_transport);
  g_assert_cmpuint (frame.window, ==, 99);
  g_assert_cmpuint (frame.wire_payload_size, ==, 100);
  g_assert_cmpuint (frame.payload_size, ==, 0);
  parse_cut (&frame, 140, 35);
  g_assert_false (frame.has_transport);
}

static void
test_half_the_ports_are_none (void)
{
  NsWireFrame frame;

  parse_cut (&frame, 140, 24);
  g_assert_true (frame.has_ports);
  g_assert_cmpuint (frame.src.port, ==, 10000);
  parse_cut (&frame, 140, 23);
  g_assert_true (frame.has_ip);
  g_assert_false (frame.has_ports);
  g_assert_cmpuint (frame.src.port, ==, 0);
}

static void
test_a_ping_is_called_so (void)
{
  const guint8 ping[] = { 0x45, 0, 0,  28, 0, 0, 0, 0, 64, 1, 0, 0, 10, 9,
                          1,    4, 10, 9,  1, 5, 8, 0, 0,  0, 0, 1, 0,  1 };
  guint8 strange[sizeof ping];
  g_autofree char *info = info_of (ping, sizeof ping, NS_LINK_RAW_IP);
  g_autofree char *other = NULL;

  memcpy (strange, ping, sizeof ping);
  strange[20] = 200;
  strange[21] = 3;
  other = info_of (strange, sizeof strange, NS_LINK_RAW_IP);
  g_assert_cmpstr (info, ==, "ICMP: Echo (ping) request id=0x0001, seq=1/256, ttl=64");
  g_assert_cmpstr (other, ==, "ICMP: type 200 code 3");
}

static void
test_a_client_hello_names_the_server (void)
{
  NsWireHello parsed;

  g_assert_true (ns_wire_tls_parse_hello (&parsed, hello, sizeof hello));
  g_assert_cmpstr (parsed.server_name, ==, "a.example");
  g_assert_cmpstr (parsed.alpn, ==, "h2");
}

static void
test_only_status_lines_have_a_status (void)
{
  g_assert_cmpuint (ns_wire_http_status_of_line ("HTTP/1.1 404 Not Found"), ==, 404);
  g_assert_cmpuint (ns_wire_http_status_of_line ("http/2 200"), ==, 200);
  g_assert_cmpuint (ns_wire_http_status_of_line ("HTTP/1.1 4040"), ==, 0);
  g_assert_cmpuint (ns_wire_http_status_of_line ("HTTP/1.1"), ==, 0);
  g_assert_cmpuint (ns_wire_http_status_of_line ("GET / HTTP/1.1"), ==, 0);
}

static void
test_compression_pointers_cannot_loop (void)
{
  guint8 loop[] = { 0, 1, 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xc0, 12, 0, 1, 0, 1 };
  NsWireDns dns;

  g_assert_false (ns_wire_dns_parse (&dns, loop, sizeof loop));
}

/* A DNS response with one record for `a`, whose name is at offset 12. */
#define DNS_ANSWER(type, length)                                                                   \
  0, 1, 0x80, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 'a', 0, 0, type, 0, 1, 0xc0, 12, 0, type, 0, 1, 0, 0,  \
      0, 0, 0, length

static void
assert_answer (const guint8 *data, gsize size, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gsize cut;

  ns_wire_dns_append_info (data, size, text);
  g_assert_cmpstr (text->str, ==, expected);
  for (cut = 0; cut < size; cut++)
    {
      g_autofree guint8 *copy = g_memdup2 (data, MAX (cut, 1));

      ns_wire_dns_append_info (copy, cut, text);
    }
}

static void
test_answers_are_read_by_their_type (void)
{
  const guint8 a[] = { DNS_ANSWER (1, 4), 1, 2, 3, 4 };
  const guint8 cname[] = { DNS_ANSWER (5, 4), 1, 'b', 0xc0, 12 };
  const guint8 mx[] = { DNS_ANSWER (15, 5), 0, 10, 1, 'm', 0 };
  const guint8 txt[] = { DNS_ANSWER (16, 7), 3, 'x', '"', 1, 2, 'y', 'z' };
  const guint8 srv[] = { DNS_ANSWER (33, 9), 0, 1, 0, 2, 0x13, 0xc4, 1, 's', 0 };
  const guint8 ptr[] = { DNS_ANSWER (12, 2), 0xc0, 12 };
  const guint8 soa[] = { DNS_ANSWER (6, 25),
                         1,
                         'n',
                         0,
                         0xc0,
                         12,
                         0,
                         0,
                         0,
                         1,
                         0,
                         0,
                         0,
                         2,
                         0,
                         0,
                         0,
                         3,
                         0,
                         0,
                         0,
                         4,
                         0,
                         0,
                         0,
                         5 };
  const guint8 https[] = { DNS_ANSWER (65, 31),
                           0,
                           1,
                           0,
                           0,
                           1,
                           0,
                           6,
                           2,
                           'h',
                           '3',
                           2,
                           'h',
                           '2',
                           0,
                           3,
                           0,
                           2,
                           1,
                           0xbb,
                           0,
                           4,
                           0,
                           8,
                           1,
                           2,
                           3,
                           4,
                           5,
                           6,
                           7,
                           8 };

  assert_answer (a, sizeof a, "answer A a: 1.2.3.4");
  assert_answer (cname, sizeof cname, "answer CNAME a: CNAME b.a");
  assert_answer (mx, sizeof mx, "answer MX a: MX 10 m");
  assert_answer (txt, sizeof txt, "answer TXT a: TXT \"x\\\"\\001\" \"yz\"");
  assert_answer (srv, sizeof srv, "answer SRV a: SRV 1 2 5060 s");
  assert_answer (ptr, sizeof ptr, "answer PTR a: PTR a");
  assert_answer (soa, sizeof soa, "answer SOA a: SOA n a 1 2 3 4 5");
  assert_answer (https,
                 sizeof https,
                 "answer HTTPS a: HTTPS 1 . alpn=h3,h2 port=443 ipv4hint=1.2.3.4,5.6.7.8");
}

/* One record: a A 1.2.3.4. */
static const guint8 dns_answer[] = { DNS_ANSWER (1, 4), 1, 2, 3, 4 };

/* Returns the summary of a SYN after the given link header. */
static char *
info_behind (const char *header, gsize n_header, guint link_type)
{
  g_autoptr (GByteArray) frame = g_byte_array_new ();

  g_byte_array_append (frame, (const guint8 *) header, (guint) n_header);
  g_byte_array_append (frame, syn_packet, sizeof syn_packet);
  return info_of (frame->data, frame->len, link_type);
}

#define WIFI_PROTECTED "\x08\x41\0\0aaaaaabbbbbbcccccc\0\0"
#define LLC_IPV6 "\xaa\xaa\x03\0\0\0\x86\xdd"
#define ETHERNET_TAGS "aaaaaabbbbbb\x88\xa8\0\x02\x81\0\0\x07\x86\xdd"

static void
test_the_bytes_decide_on_the_link_header (void)
{
  static const struct
  {
    const char *header;
    gsize size;
    guint link_type;
  } known[] = {
    { WIFI_PROTECTED LLC_IPV6, 32, NS_LINK_IEEE_802_11 },
    { WIFI_PROTECTED LLC_IPV6, 32, NS_LINK_ETHERNET },
    { WIFI_PROTECTED "1234" LLC_IPV6, 36, NS_LINK_IEEE_802_11 },
    { WIFI_PROTECTED "12345678" LLC_IPV6, 40, NS_LINK_IEEE_802_11 },
    { ETHERNET_TAGS, 22, NS_LINK_ETHERNET },
    { ETHERNET_TAGS, 22, NS_LINK_IEEE_802_11 },
  };
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (known); i++)
    {
      g_autofree char *info = info_behind (known[i].header, known[i].size, known[i].link_type);

      g_assert_cmpstr (info, ==, "TCP: 1 \342\206\222 443 [SYN] Seq=9 Win=65535 Len=0");
    }
}

static void
test_gaps_of_drivers_are_told (void)
{
  guint8 frame[] = WIFI_PROTECTED "1234" LLC_IPV6;
  guint8 quality[] = WIFI_PROTECTED "qo1234" LLC_IPV6;
  NsWireLink link;

  ns_wire_link_read (&link, frame, sizeof frame, NS_LINK_IEEE_802_11);
  g_assert_cmpuint (link.gap, ==, 4);
  g_assert_cmpuint (link.size, ==, 36);
  /* If the Order bit is set, an HT Control field follows QoS Control and aligns the header, so
   * there is no gap. */
  quality[0] = 0x88;
  ns_wire_link_read (&link, quality, sizeof quality, NS_LINK_IEEE_802_11);
  g_assert_cmpuint (link.gap, ==, 4);
  quality[1] |= 0x80;
  ns_wire_link_read (&link, quality, sizeof quality, NS_LINK_IEEE_802_11);
  g_assert_cmpuint (link.gap, ==, 0);
  g_assert_cmpuint (link.size, ==, 38);
}

static void
test_encrypted_wifi_is_not_read (void)
{
  guint8 frame[] = WIFI_PROTECTED "encrypted bytes, nothing more";
  guint8 plain[] = WIFI_PROTECTED LLC_IPV6;

  g_assert_false (ns_wire_link_unprotect (frame, sizeof frame, NS_LINK_IEEE_802_11));
  g_assert_cmphex (frame[1], ==, 0x41);
  g_assert_true (ns_wire_link_unprotect (plain, sizeof plain, NS_LINK_IEEE_802_11));
  g_assert_cmphex (plain[1], ==, 0x01);
}

static void
test_the_innermost_tag_is_the_vlan (void)
{
  NsWireLink link;

  ns_wire_link_read (&link, (const guint8 *) ETHERNET_TAGS, 22, NS_LINK_ETHERNET);
  g_assert_cmpuint (link.vlan, ==, 7);
  g_assert_cmpuint (link.size, ==, 22);
}

/* Copies each prefix to the heap, so that a sanitizer detects reads past its end. */
static void
test_cut_frames_are_safe (void)
{
  const struct
  {
    const guint8 *data;
    gsize size;
    guint link_type;
  } frames[] = {
    { dns_frame, sizeof dns_frame, NS_LINK_ETHERNET },
    { syn_packet, sizeof syn_packet, NS_LINK_RAW_IP },
    { dns_frame, sizeof dns_frame, NS_LINK_IEEE_802_11 },
  };
  gsize size;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (frames); i++)
    for (size = 0; size <= frames[i].size; size++)
      {
        g_autofree guint8 *copy = g_memdup2 (frames[i].data, MAX (size, 1));
        g_autofree char *info = info_of (copy, size, frames[i].link_type);

        g_assert_true (g_utf8_validate (info, -1, NULL));
      }
  for (size = 0; size <= sizeof dns_answer; size++)
    {
      g_autofree guint8 *copy = g_memdup2 (dns_answer, MAX (size, 1));
      g_autoptr (GString) text = g_string_new (NULL);

      ns_wire_dns_append_message (copy, size, text);
      g_assert_true (g_str_has_suffix (text->str, "\r\n"));
      g_assert_true ((strstr (text->str, "1.2.3.4") != NULL) == (size == sizeof dns_answer));
      g_assert_true (strstr (text->str, "cut") != NULL || strstr (text->str, "not in") != NULL ||
                     size == sizeof dns_answer);
    }
  for (size = 0; size <= sizeof hello; size++)
    {
      g_autofree guint8 *copy = g_memdup2 (hello, MAX (size, 1));
      NsWireHello parsed;

      ns_wire_tls_parse_hello (&parsed, copy, size);
      g_assert_cmpuint (strlen (parsed.server_name), <, NS_TLS_MAX_NAME);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/wire/a-dns-query-is-told", test_a_dns_query_is_told);
  g_test_add_func ("/wire/authentication-of-ipv4-is-passed", test_authentication_of_ipv4_is_passed);
  g_test_add_func ("/wire/ipv6-extension-headers-are-passed",
                   test_ipv6_extension_headers_are_passed);
  g_test_add_func ("/wire/offloaded-segments-are-as-long-as-their-frames",
                   test_offloaded_segments_are_as_long_as_their_frames);
  g_test_add_func ("/wire/a-header-without-its-checksum-tells",
                   test_a_header_without_its_checksum_tells);
  g_test_add_func ("/wire/half-the-ports-are-none", test_half_the_ports_are_none);
  g_test_add_func ("/wire/a-ping-is-called-so", test_a_ping_is_called_so);
  g_test_add_func ("/wire/a-client-hello-names-the-server", test_a_client_hello_names_the_server);
  g_test_add_func ("/wire/only-status-lines-have-a-status", test_only_status_lines_have_a_status);
  g_test_add_func ("/wire/compression-pointers-cannot-loop", test_compression_pointers_cannot_loop);
  g_test_add_func ("/wire/answers-are-read-by-their-type", test_answers_are_read_by_their_type);
  g_test_add_func ("/wire/the-bytes-decide-on-the-link-header",
                   test_the_bytes_decide_on_the_link_header);
  g_test_add_func ("/wire/gaps-of-drivers-are-told", test_gaps_of_drivers_are_told);
  g_test_add_func ("/wire/encrypted-wifi-is-not-read", test_encrypted_wifi_is_not_read);
  g_test_add_func ("/wire/the-innermost-tag-is-the-vlan", test_the_innermost_tag_is_the_vlan);
  g_test_add_func ("/wire/cut-frames-are-safe", test_cut_frames_are_safe);
  return g_test_run ();
}
