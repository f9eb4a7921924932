/* Claims about what a row holds: headers in its records, bytes in its packets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-row-content.h"

#include "story.h"

#include <string.h>

#define TCB P (0xffffaa0000001000)
/* A segment to 1.2.3.4:443. */
#define HEADERS(length, flags)                                                                     \
  "000102030405060708090809"                                                                       \
  "0800"                                                                                           \
  "4500" #length "1234000040060000"                                                                \
  "0a000005"                                                                                       \
  "01020304"                                                                                       \
  "c35101bb"                                                                                       \
  "00000001"                                                                                       \
  "00000000" flags "ffff00000000"
/* One that holds the head of a request and four bytes more. */
#define REQUEST                                                                                    \
  HEADERS (0047, "5018")                                                                           \
  "474554202f20485454502f312e310d"                                                                 \
  "0a486f73743a20610d0a0d0a0001ff7a"

static const NsContentPart *
part (const NsRowContent *content, guint n)
{
  g_assert_cmpuint (content->parts->len, >, n);
  return &g_array_index (content->parts, NsContentPart, n);
}

static void
test_headers_stand_in_the_records_of_a_request (void)
{
  static const NsTraceOptions options = { .want_events = TRUE };
  g_autoptr (NsTrace) trace =
      ns_trace_open (g_getenv ("NETSTITCH_SAMPLE"), &options, NULL, NULL, NULL);
  g_autoptr (NsRowContent) content = NULL;

  g_assert_nonnull (trace);
  g_assert_true (ns_row_content_may_have_headers (trace));
  g_assert_false (ns_row_content_may_have_bytes (trace));
  content = ns_row_content_find (trace, NS_TABLE_ACTIVITIES, 0, NULL, NULL);
  g_assert_cmpuint (content->parts->len, ==, 1);
  g_assert_cmpint (part (content, 0)->kind, ==, NS_CONTENT_RESPONSE);
  g_assert_cmpint (part (content, 0)->table, ==, NS_TABLE_EVENTS);
  g_assert_cmpstr (part (content, 0)->name, ==, "Headers");
  g_assert_cmpstr ((const char *) part (content, 0)->data,
                   ==,
                   "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n");
  g_assert_false (content->is_cut);
}

static void
test_packets_hold_bytes_and_headers_in_clear_text (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (NsRowContent) content = NULL;

  story_tcp_connect (story, 10, TCB, "10.0.0.5:50001", "1.2.3.4:443");
  story->keyword = G_GUINT64_CONSTANT (0x1c0000000);
  story_tell (story, 11, STORY_NDIS, 1001, "ddX", 7, 7, REQUEST);
  story->keyword = 0;
  trace = story_open (story, 100);
  g_assert_true (ns_row_content_may_have_bytes (trace));
  content = ns_row_content_find (trace, NS_TABLE_ACTIVITIES, 0, NULL, NULL);
  g_assert_cmpuint (content->parts->len, ==, 2);
  g_assert_cmpint (part (content, 0)->kind, ==, NS_CONTENT_REQUEST);
  g_assert_cmpstr ((const char *) part (content, 0)->data, ==, "GET / HTTP/1.1\r\nHost: a\r\n");
  g_assert_cmpint (part (content, 1)->table, ==, NS_TABLE_PACKETS);
  g_assert_cmpuint (part (content, 1)->n_all, ==, 31);
  g_assert_false (ns_row_content_is_text (part (content, 1)));
}

static void
test_cookies_of_headers_are_hidden (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (NsRowContent) content = NULL;

  story->keyword = G_GUINT64_CONSTANT (0x1c0000000);
  story_tell (story,
              11,
              STORY_NDIS,
              1001,
              "ddX",
              7,
              7,
              HEADERS (0045, "5018") "474554202f20485454502f312e310d0a"
                                     "436f6f6b69653a20610d0a0d0a");
  story->keyword = 0;
  trace = story_open (story, 100);
  content = ns_row_content_find (trace, NS_TABLE_PACKETS, 0, NULL, NULL);
  g_assert_cmpstr ((const char *) part (content, 0)->data,
                   ==,
                   "GET / HTTP/1.1\r\nCookie: \342\200\246\r\n");
}

static void
test_a_packet_without_payload_is_shown_whole (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (NsRowContent) content = NULL;

  story->keyword = G_GUINT64_CONSTANT (0x1c0000000);
  story_tell (story, 11, STORY_NDIS, 1001, "ddX", 7, 7, HEADERS (0028, "5002"));
  story->keyword = 0;
  trace = story_open (story, 100);
  content = ns_row_content_find (trace, NS_TABLE_PACKETS, 0, NULL, NULL);
  g_assert_cmpuint (content->parts->len, ==, 1);
  g_assert_cmpint (part (content, 0)->kind, ==, NS_CONTENT_BYTES);
  g_assert_cmpuint (part (content, 0)->n_bytes, ==, 54);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/row-content/headers-stand-in-the-records-of-a-request",
                   test_headers_stand_in_the_records_of_a_request);
  g_test_add_func ("/row-content/packets-hold-bytes-and-headers-in-clear-text",
                   test_packets_hold_bytes_and_headers_in_clear_text);
  g_test_add_func ("/row-content/cookies-of-headers-are-hidden",
                   test_cookies_of_headers_are_hidden);
  g_test_add_func ("/row-content/a-packet-without-payload-is-shown-whole",
                   test_a_packet_without_payload_is_shown_whole);
  return g_test_run ();
}
