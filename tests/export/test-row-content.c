/* Tests the content of a row: headers in its events, bytes in its packets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets.h"
#include "export/ns-row-content.h"
#include "export/ns-row-message.h"

#include "story.h"

#include <string.h>

#define TCB P (0xffffaa0000001000)
/* A TCP segment to 1.2.3.4:443. */
#define HEADERS(length, flags)                                                                     \
  "000102030405060708090809"                                                                       \
  "0800"                                                                                           \
  "4500" #length "1234000040060000"                                                                \
  "0a000005"                                                                                       \
  "01020304"                                                                                       \
  "c35101bb"                                                                                       \
  "00000001"                                                                                       \
  "00000000" flags "ffff00000000"
/* A segment with the head of a request and four more bytes. */
#define REQUEST                                                                                    \
  HEADERS (0047, "5018")                                                                           \
  "474554202f20485454502f312e310d"                                                                 \
  "0a486f73743a20610d0a0d0a0001ff7a"

static const NsRowContentOptions all = { NS_ROW_CONTENT_MAX_BYTES,
                                         NS_ROW_CONTENT_MAX_DECODED,
                                         NS_ROW_CONTENT_MAX_PARTS };

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
  content = ns_row_content_find (trace, NS_TABLE_ACTIVITIES, 0, &all, NULL, NULL);
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
  story_write (story, 11, STORY_NDIS, 1001, "ddX", 7, 7, REQUEST);
  story->keyword = 0;
  trace = story_open (story, 100);
  g_assert_true (ns_row_content_may_have_bytes (trace));
  content = ns_row_content_find (trace, NS_TABLE_ACTIVITIES, 0, &all, NULL, NULL);
  g_assert_cmpuint (content->parts->len, ==, 2);
  g_assert_cmpint (part (content, 0)->kind, ==, NS_CONTENT_REQUEST);
  g_assert_cmpstr ((const char *) part (content, 0)->data, ==, "GET / HTTP/1.1\r\nHost: a\r\n");
  g_assert_cmpint (part (content, 1)->table, ==, NS_TABLE_PACKETS);
  g_assert_cmpuint (part (content, 1)->n_all, ==, 31);
  g_assert_false (ns_row_content_is_text (part (content, 1)));
}

/* DNS responses from 192.168.17.1:53: one without the requested record, and one over TCP. */
static const char no_such_name[] =
    "000102030405060708090a0b0800450000a00001000040110000c0a811010a0000050035c35a008c"
    "0000000a81830001000000010001076d697373696e67076578616d706c6503636f6d000001000107"
    "6578616d706c6503636f6d00000600010000012c003d036e7331076578616d706c6503636f6d000a"
    "686f73746d6173746572076578616d706c6503636f6d0078a3f17500001c2000000e100012750000"
    "00012c0000290001000000000000";
static const char answer_over_tcp[] =
    "000102030405060708090a0b08004500005b0001000040060000c0a811010a0000050035c7380000"
    "03e8000000015018ffff000000000031000c8180000100010000000003746370076578616d706c65"
    "03636f6d0000010001c00c000100010000003c0004cb007163";

static void
assert_dns (const NsTrace *trace, guint32 row, const char *expected)
{
  g_autoptr (NsRowContent) content =
      ns_row_content_find (trace, NS_TABLE_PACKETS, row, &all, NULL, NULL);
  g_autofree char *head = g_strndup (expected, strlen (expected) - 2);

  g_assert_cmpint (part (content, 0)->kind, ==, NS_CONTENT_RESPONSE);
  g_assert_cmpstr ((const char *) part (content, 0)->data, ==, expected);
  /* This also applies if bodies are decoded: the bytes follow below. */
  g_assert_cmpuint (content->messages->len, ==, 1);
  g_assert_cmpstr (g_array_index (content->messages, NsContentMessage, 0).head, ==, head);
}

static void
test_answers_of_dns_are_told_section_by_section (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story->keyword = G_GUINT64_CONSTANT (0x2c0000000);
  story_write (story, 11, STORY_NDIS, 1001, "ddX", 7, 7, no_such_name);
  story_write (story, 12, STORY_NDIS, 1001, "ddX", 7, 7, answer_over_tcp);
  story->keyword = 0;
  trace = story_open (story, 100);
  assert_dns (trace,
              0,
              "DNS answer 0x000a NXDOMAIN: recursion desired, recursion available\r\n"
              "Question: missing.example.com A\r\n"
              "Authority: example.com 300 SOA ns1.example.com hostmaster.example.com 2024010101 "
              "7200 3600 1209600 300\r\n"
              "Additional: OPT (0 bytes)\r\n");
  assert_dns (trace,
              1,
              "DNS answer 0x000c NOERROR: recursion desired, recursion available\r\n"
              "Question: tcp.example.com A\r\n"
              "Answer: tcp.example.com 60 A 203.0.113.99\r\n");
}

/* If a head continues in the next packet, its bytes are shown once. */
static void
test_a_head_that_goes_on_is_told_once (void)
{
  static const char begin[] = "GET / HTTP/1.1\r\nHost: a\r\n";
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (NsRowContent) content = NULL;
  const NsContentMessage *message;

  story_segment (story, 11, FALSE, 0, begin, sizeof begin - 1);
  trace = story_open (story, 100);
  content = ns_row_content_find (trace, NS_TABLE_PACKETS, 0, &all, NULL, NULL);
  g_assert_cmpuint (content->messages->len, ==, 1);
  message = &g_array_index (content->messages, NsContentMessage, 0);
  g_assert_null (message->head);
  g_assert_cmpstr (message->text, ==, begin);
}

static void
test_cookies_of_headers_are_hidden (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (NsRowContent) content = NULL;

  story->keyword = G_GUINT64_CONSTANT (0x1c0000000);
  story_write (story,
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
  content = ns_row_content_find (trace, NS_TABLE_PACKETS, 0, &all, NULL, NULL);
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
  story_write (story, 11, STORY_NDIS, 1001, "ddX", 7, 7, HEADERS (0028, "5002"));
  story->keyword = 0;
  trace = story_open (story, 100);
  content = ns_row_content_find (trace, NS_TABLE_PACKETS, 0, &all, NULL, NULL);
  g_assert_cmpuint (content->parts->len, ==, 1);
  g_assert_cmpint (part (content, 0)->kind, ==, NS_CONTENT_BYTES);
  g_assert_cmpuint (part (content, 0)->n_bytes, ==, 54);
}

/* Begins a trace of one connection. */
static Story *
begin_story (void)
{
  Story *story = story_new ();

  story_tcp_connect (story, 10, TCB, STORY_HERE, STORY_THERE);
  return story;
}

static void
report_text (Story *story, double ms, gboolean is_in, guint seq, const char *text)
{
  story_segment (story, ms, is_in, seq, text, strlen (text));
}

static NsRowContent *
find (Story *story, const NsRowContentOptions *options)
{
  g_autoptr (NsTrace) trace = story_open (story, 100);

  return ns_row_content_find (trace, NS_TABLE_ACTIVITIES, 0, options, NULL, NULL);
}

static const NsContentMessage *
message (const NsRowContent *content, guint n)
{
  g_assert_cmpuint (content->messages->len, >, n);
  return &g_array_index (content->messages, NsContentMessage, n);
}

/* "grüße" twenty times, compressed with gzip. */
static const guint8 packed[] = { 0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03,
                                 0x4b, 0x2f, 0xfa, 0x73, 0x3f, 0x35, 0x9d, 0xb6, 0x04, 0x00,
                                 0x23, 0xf8, 0x14, 0xb1, 0x64, 0x00, 0x00, 0x00 };

static void
test_a_body_in_several_packets_is_decoded (void)
{
  static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=ISO-8859-1\r\n"
                             "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n";
  g_autoptr (Story) story = begin_story ();
  g_autoptr (NsRowContent) content = NULL;
  g_autoptr (GByteArray) body = g_byte_array_new ();
  g_autofree char *size = g_strdup_printf ("%x\r\n", (guint) sizeof packed);
  guint n_head = sizeof head - 1;

  g_byte_array_append (body, (const guint8 *) size, (guint) strlen (size));
  g_byte_array_append (body, packed, sizeof packed);
  g_byte_array_append (body, (const guint8 *) "\r\n0\r\n\r\n", 7);
  report_text (story, 11, FALSE, 0, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  report_text (story, 12, TRUE, 0, head);
  story_segment (story, 13, TRUE, n_head + 10, body->data + 10, body->len - 10);
  story_segment (story, 14, TRUE, n_head, body->data, 10);
  story_segment (story, 15, TRUE, n_head, body->data, 10);
  content = find (story, &all);

  g_assert_cmpuint (content->messages->len, ==, 2);
  g_assert_cmpstr (message (content, 0)->head, ==, "GET / HTTP/1.1\r\nHost: a");
  g_assert_cmpint (message (content, 0)->kind, ==, NS_CONTENT_SENT);
  g_assert_cmpint (message (content, 1)->kind, ==, NS_CONTENT_RECEIVED);
  g_assert_cmpstr (message (content, 1)->codings, ==, "gzip, chunked");
  g_assert_cmpstr (message (content, 1)->charset, ==, "ISO-8859-1");
  g_assert_true (g_str_has_prefix (message (content, 1)->text, "grüßegrüße"));
  g_assert_cmpuint (strlen (message (content, 1)->text), ==, 20 * strlen ("grüße"));
  g_assert_cmpuint (message (content, 1)->body->len, ==, 100);
  g_assert_true (message (content, 1)->is_whole);
  g_assert_cmpint (message (content, 1)->end, ==, NS_WIRE_CODING_WHOLE);
  g_assert_null (ns_row_message_dup_note (message (content, 1)));
}

static void
test_a_body_that_is_cut_says_so (void)
{
  static const char head[] = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n";
  g_autoptr (Story) story = begin_story ();
  g_autoptr (NsRowContent) content = NULL;
  g_autofree char *note = NULL;

  report_text (story, 12, TRUE, 0, head);
  story_segment (story, 13, TRUE, sizeof head - 1, packed, sizeof packed - 9);
  content = find (story, &all);
  g_assert_cmpint (message (content, 0)->end, ==, NS_WIRE_CODING_CUT);
  g_assert_cmpmem (message (content, 0)->body->data,
                   5,
                   "gr\xfc\xdf"
                   "e",
                   5);
  note = ns_row_message_dup_note (message (content, 0));
  g_assert_nonnull (note);
}

/* WinHTTP logs the body and the headers in separate events. */
static void
test_a_body_finds_the_headers_of_its_request (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (GString) hex = g_string_new (NULL);
  g_autoptr (NsRowContent) content = NULL;
  gsize i;

  for (i = 0; i < sizeof packed; i++)
    g_string_append_printf (hex, "%02x", packed[i]);
  story->want_events = TRUE;
  story_session (story, 10, P (0x10000));
  story_request (story, 11, P (0x20000), 1, P (0x10000), "http://a.example/");
  story_header (story,
                12,
                P (0x20000),
                "HTTP/1.1 200 OK\r\nContent-Encoding: x-gzip\r\n"
                "Content-Type: text/plain\r\n\r\n");
  story->keyword = G_GUINT64_CONSTANT (0x20200000000);
  story_write (story, 13, STORY_WEBIO, 129, "ppdX", P (0x20000), P (0x30000), 0, hex->str);
  story->keyword = 0;
  story_request_close (story, 20, P (0x20000), 1);
  content = find (story, &all);
  g_assert_cmpuint (content->messages->len, ==, 1);
  g_assert_cmpint (message (content, 0)->kind, ==, NS_CONTENT_RECEIVED);
  g_assert_cmpstr (message (content, 0)->codings, ==, "x-gzip");
  g_assert_true (g_str_has_prefix (message (content, 0)->text, "grüßegrüße"));
}

/* Returns whether the bytes of a row contain @text. */
static gboolean
holds (const NsRowContent *content, const char *text)
{
  guint i;

  for (i = 0; i < content->parts->len; i++)
    if (g_strstr_len ((const char *) part (content, i)->data,
                      (gssize) part (content, i)->n_bytes,
                      text) != NULL)
      return TRUE;
  for (i = 0; i < content->messages->len; i++)
    {
      const NsContentMessage *one = message (content, i);

      if ((one->head != NULL && strstr (one->head, text) != NULL) ||
          (one->text != NULL && strstr (one->text, text) != NULL) ||
          (one->body->len > 0 &&
           g_strstr_len ((const char *) one->body->data, (gssize) one->body->len, text) != NULL))
        return TRUE;
    }
  return FALSE;
}

static void
report_secrets (Story *story)
{
  report_text (story, 11, FALSE, 0, "GET /?token=alpha HTTP/1.1\r\nAuthorization: Basic bra");
  report_text (story, 12, FALSE, 52, "vo\r\nHost: a\r\n\r\n");
  report_text (story, 12.5, FALSE, 52, "vo\r\nHost: a\r\n\r\n");
  report_text (story, 13, TRUE, 0, "HTTP/1.1 200 OK\r\nSet-Coo");
  report_text (story, 14, TRUE, 24, "kie: charlie\r\nContent-Length: 16\r\n\r\na?password=delta");
}

static void
test_secrets_are_hidden_across_packets (void)
{
  static const char *const secrets[] = { "alpha", "bra", "vo\r", "charlie", "delta" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (secrets); i++)
    {
      g_autoptr (Story) story = begin_story ();
      g_autoptr (Story) shown_story = begin_story ();
      g_autoptr (NsRowContent) content = NULL;
      g_autoptr (NsRowContent) shown = NULL;

      report_secrets (story);
      report_secrets (shown_story);
      content = find (story, &all);
      g_assert_false (holds (content, secrets[i]));
      g_assert_true (holds (content, "Authorization: "));
      g_assert_true (holds (content, "?password="));
      shown_story->shows_secrets = TRUE;
      shown = find (shown_story, &all);
      g_assert_true (holds (shown, secrets[i]));
      g_assert_cmpuint (shown->n_read, ==, content->n_read);
    }
}

static void
test_no_more_is_read_than_is_wanted (void)
{
  static const NsRowContentOptions some = { .max_bytes = 1024,
                                            .max_decoded = 4096,
                                            .max_parts = 10 };
  static const NsRowContentOptions none = { .max_parts = 10 };
  g_autofree char *text = g_strnfill (1400, 'a');
  g_autoptr (Story) story = begin_story ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (NsRowContent) content = NULL;
  guint i;

  for (i = 0; i < 3; i++)
    report_text (story, 11 + i, FALSE, 1400 * i, text);
  trace = story_open (story, 100);
  content = ns_row_content_find (trace, NS_TABLE_ACTIVITIES, 0, &some, NULL, NULL);
  g_assert_cmpuint (content->n_read, ==, 1024);
  g_assert_cmpuint (content->parts->len, ==, 1);
  g_assert_cmpuint (part (content, 0)->n_bytes, ==, 1024);
  g_assert_cmpuint (part (content, 0)->n_all, ==, 1400);
  g_assert_true (content->is_cut);
  ns_row_content_free (content);

  content = ns_row_content_find (trace, NS_TABLE_ACTIVITIES, 0, &none, NULL, NULL);
  g_assert_cmpuint (content->n_read, ==, 0);
  g_assert_cmpuint (content->parts->len, ==, 0);
  g_assert_false (content->is_cut);
}

static void
test_bodies_together_have_a_cap (void)
{
  static const NsRowContentOptions few = { .max_bytes = NS_ROW_CONTENT_MAX_BYTES,
                                           .max_decoded = 120,
                                           .max_parts = 10 };
  g_autofree char *head =
      g_strdup_printf ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %u\r\n\r\n",
                       (guint) sizeof packed);
  guint n = (guint) strlen (head);
  g_autoptr (Story) story = begin_story ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (NsRowContent) content = NULL;
  guint i;

  for (i = 0; i < 3; i++)
    {
      guint seq = i * (n + (guint) sizeof packed);

      report_text (story, 11 + 2 * i, TRUE, seq, head);
      story_segment (story, 12 + 2 * i, TRUE, seq + n, packed, sizeof packed);
    }
  /* The content of the whole connection: each response is a row of its own among the activities. */
  trace = story_open (story, 100);
  content = ns_row_content_find (trace, NS_TABLE_TCP, 0, &few, NULL, NULL);
  g_assert_cmpuint (content->messages->len, ==, 2);
  g_assert_cmpuint (message (content, 0)->body->len, ==, 100);
  g_assert_cmpuint (message (content, 1)->body->len, ==, 20);
  g_assert_cmpint (message (content, 1)->end, ==, NS_WIRE_CODING_TOO_LARGE);
  g_assert_true (content->is_cut);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/row-content/headers-stand-in-the-records-of-a-request",
                   test_headers_stand_in_the_records_of_a_request);
  g_test_add_func ("/row-content/packets-hold-bytes-and-headers-in-clear-text",
                   test_packets_hold_bytes_and_headers_in_clear_text);
  g_test_add_func ("/row-content/a-head-that-goes-on-is-told-once",
                   test_a_head_that_goes_on_is_told_once);
  g_test_add_func ("/row-content/answers-of-dns-are-told-section-by-section",
                   test_answers_of_dns_are_told_section_by_section);
  g_test_add_func ("/row-content/cookies-of-headers-are-hidden",
                   test_cookies_of_headers_are_hidden);
  g_test_add_func ("/row-content/a-packet-without-payload-is-shown-whole",
                   test_a_packet_without_payload_is_shown_whole);
  g_test_add_func ("/row-content/a-body-in-several-packets-is-decoded",
                   test_a_body_in_several_packets_is_decoded);
  g_test_add_func ("/row-content/a-body-that-is-cut-says-so", test_a_body_that_is_cut_says_so);
  g_test_add_func ("/row-content/a-body-finds-the-headers-of-its-request",
                   test_a_body_finds_the_headers_of_its_request);
  g_test_add_func ("/row-content/secrets-are-hidden-across-packets",
                   test_secrets_are_hidden_across_packets);
  g_test_add_func ("/row-content/no-more-is-read-than-is-wanted",
                   test_no_more_is_read_than_is_wanted);
  g_test_add_func ("/row-content/bodies-together-have-a-cap", test_bodies_together_have_a_cap);
  return g_test_run ();
}
