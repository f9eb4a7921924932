/* Tests the application content of conversations in captured packets.
 *
 * The expected times and values are those of TShark 4.0.17 on a capture of the same frames
 * (http.time, dns.time, tls.handshake.extensions_server_name, tls.handshake.ciphersuite).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow.h"
#include "handshakes.h"
#include "story.h"

#include <string.h>

#define WHOLE G_GUINT64_CONSTANT (0xc0000000)
#define SEND G_GUINT64_CONSTANT (0x100000000)
#define RECEIVE G_GUINT64_CONSTANT (0x200000000)
#define ETHERNET "0001020304050607080908090800"
#define MS(x) ((gint64) ((x) *1000 * 1000))

enum
{
  FIN = 1,
  SYN = 2,
  RST = 4,
  ACK = 16,
};

static void
report_frame (Story *story, double ms, gboolean is_in, const char *hex)
{
  story->keyword = WHOLE | (is_in ? RECEIVE : SEND);
  story_write (story, ms, STORY_NDIS, 1001, "ddX", 7, 7, hex);
  story->keyword = 0;
}

static void
append_hex (GString *hex, const guint8 *data, gsize size)
{
  gsize i;

  for (i = 0; i < size; i++)
    g_string_append_printf (hex, "%02x", data[i]);
}

/* One connection between 10.0.0.5:50001 and 10.0.0.9; sequence numbers follow from the data
 * sent. */
typedef struct
{
  Story *story;
  guint port;
  guint32 next[2];  /* next sequence numbers: this machine, the other one */
  gboolean is_full; /* both sides advertise a zero window */
} TcpConversation;

static void
report_segment_at (TcpConversation *conversation,
                   double ms,
                   gboolean is_in,
                   guint flags,
                   guint32 seq,
                   const guint8 *data,
                   gsize size)
{
  g_autoptr (GString) hex = g_string_new (ETHERNET);
  static const char *const ips[] = { "0a0000050a000009", "0a0000090a000005" };

  g_string_append_printf (hex, "4500%04x1234000040060000%s", 40 + (guint) size, ips[is_in]);
  g_string_append_printf (hex, is_in ? "%04xc351" : "c351%04x", conversation->port);
  g_string_append_printf (hex,
                          "%08x%08x50%02x%s00000000",
                          seq,
                          (flags & ACK) != 0 ? conversation->next[!is_in] : 0,
                          flags,
                          conversation->is_full ? "0000" : "0400");
  append_hex (hex, data, size);
  report_frame (conversation->story, ms, is_in, hex->str);
}

static void
report_data (TcpConversation *conversation,
             double ms,
             gboolean is_in,
             guint flags,
             const guint8 *data,
             gsize size)
{
  report_segment_at (conversation, ms, is_in, flags, conversation->next[is_in], data, size);
  conversation->next[is_in] += (guint32) size + ((flags & (SYN | FIN)) != 0);
}

static void
report_text (TcpConversation *conversation, double ms, gboolean is_in, const char *text)
{
  report_data (conversation, ms, is_in, ACK, (const guint8 *) text, strlen (text));
}

static void
report_handshake (TcpConversation *conversation)
{
  report_data (conversation, 10, FALSE, SYN, NULL, 0);
  report_data (conversation, 30, TRUE, SYN | ACK, NULL, 0);
  report_data (conversation, 30, FALSE, ACK, NULL, 0);
}

static const NsFlowRow *
flow_at (const NsTrace *trace, guint n)
{
  g_assert_cmpuint (trace->flows->len, >, n);
  return &g_array_index (trace->flows, NsFlowRow, n);
}

static const NsDnsRow *
dns_at (const NsTrace *trace, guint n)
{
  g_assert_cmpuint (trace->dns->len, >, n);
  return &g_array_index (trace->dns, NsDnsRow, n);
}

static gint64
phase_of (const NsTrace *trace, guint n, NsPhase phase)
{
  return ns_activity_row_get_phase (story_activity (trace, n), phase);
}

#define GET                                                                                        \
  "GET /a?token=abc HTTP/1.1\r\nHost: Www.Example.com:8080\r\n"                                    \
  "Authorization: Basic eHl6\r\n\r\n"
#define OK_10 "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
#define NOT_FOUND "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"

static void
test_each_exchange_is_a_row (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  TcpConversation conversation = { story, 8080, { 1000, 5000 } };
  const NsActivityRow *row;

  report_handshake (&conversation);
  report_text (&conversation, 31, FALSE, GET);
  report_text (&conversation, 81, TRUE, OK_10 "01234");
  report_text (&conversation, 91, TRUE, "56789");
  report_text (&conversation, 192, FALSE, "POST /b HTTP/1.1\r\nHost: www.example.com\r\n\r\n");
  report_text (&conversation, 222, TRUE, NOT_FOUND);
  report_data (&conversation, 300, FALSE, FIN | ACK, NULL, 0);
  report_data (&conversation, 310, TRUE, FIN | ACK, NULL, 0);
  report_data (&conversation, 310.1, FALSE, ACK, NULL, 0);
  trace = story_open (story, 500);

  g_assert_cmpint (flow_at (trace, 0)->app, ==, NS_FLOW_APP_HTTP);
  g_assert_cmpuint (flow_at (trace, 0)->n_messages, ==, 2);
  g_assert_cmpuint (flow_at (trace, 0)->activity, ==, 1);
  g_assert_cmpuint (trace->activities->len, ==, 2);
  row = story_activity (trace, 0);
  g_assert_cmpuint (row->protocol, ==, NS_LAYER_HTTP);
  g_assert_cmpuint (row->layers, ==, NS_LAYER_HTTP | NS_LAYER_TCP);
  story_assert_text (trace, row->method, "GET");
  story_assert_text (trace, row->url, "http://Www.Example.com:8080/a?token=\342\200\246");
  story_assert_text (trace, row->server, "www.example.com");
  story_assert_text (trace, row->status, "HTTP/1.1 200 OK");
  g_assert_cmpuint (row->http_status, ==, 200);
  g_assert_cmpuint (row->sent, ==, strlen (GET));
  g_assert_cmpuint (row->received, ==, strlen (OK_10) + 10);
  g_assert_cmpint (row->reused, ==, 0);
  g_assert_false (row->failed);
  g_assert_cmpint (row->close_ns - row->open_ns, ==, MS (81));
  g_assert_cmpint (phase_of (trace, 0, NS_PHASE_CONNECT), ==, MS (20));
  g_assert_cmpint (phase_of (trace, 0, NS_PHASE_WAIT), ==, MS (50));
  g_assert_cmpint (phase_of (trace, 0, NS_PHASE_RECEIVE), ==, MS (10));
  row = story_activity (trace, 1);
  story_assert_text (trace, row->method, "POST");
  g_assert_cmpuint (row->http_status, ==, 404);
  g_assert_true (row->failed);
  g_assert_cmpint (row->reused, ==, 1);
  g_assert_cmpint (row->close_ns - row->open_ns, ==, MS (30));
  g_assert_cmpint (phase_of (trace, 1, NS_PHASE_CONNECT), ==, NS_UNKNOWN);
  story_assert_invariants (trace);
}

static void
test_an_exchange_takes_the_row_of_its_connection (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  TcpConversation conversation = { story, 80, { 1000, 5000 } };
  const NsActivityRow *row;

  story_tcp_connect (story, 9, P (0xffffaa0000001000), "10.0.0.5:50001", "10.0.0.9:80");
  report_handshake (&conversation);
  report_text (&conversation, 31, FALSE, "GET / HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\n");
  report_text (&conversation, 41, TRUE, NOT_FOUND OK_10 "012");
  report_data (&conversation, 50, TRUE, RST | ACK, NULL, 0);
  trace = story_open (story, 500);

  g_assert_cmpuint (trace->activities->len, ==, 2);
  row = story_activity (trace, 0);
  g_assert_cmpint (row->source_table, ==, NS_TABLE_TCP);
  g_assert_cmpuint (row->protocol, ==, NS_LAYER_HTTP);
  g_assert_cmpuint (row->pid, ==, story->pid);
  g_assert_cmpuint (row->error, ==, 0);
  story_assert_text (trace, row->url, "http://10.0.0.9/");
  row = story_activity (trace, 1);
  g_assert_cmpuint (row->pid, ==, story->pid);
  g_assert_cmpuint (row->tcp, ==, 1);
  /* The response was truncated by a reset. */
  g_assert_cmpuint (row->error, ==, 10054);
  g_assert_cmpuint (row->received, ==, strlen (OK_10) + 3);
  g_assert_cmpuint (g_array_index (trace->tcp, NsTcpRow, 0).activity, ==, 1);
  story_assert_invariants (trace);
}

/* Writes a handshake, each flight in two segments. If @is_swapped the second segment of a flight
 * comes first. */
static NsTrace *
open_handshake (const Flight *flights, guint n_flights, gboolean is_swapped)
{
  g_autoptr (Story) story = story_new ();
  TcpConversation conversation = { story, 443, { 1000, 5000 } };
  guint i;

  report_handshake (&conversation);
  for (i = 0; i < n_flights; i++)
    {
      gboolean is_in = flights[i].side == NS_WIRE_SERVER;
      gsize size;
      g_autofree guchar *data = g_base64_decode (flights[i].bytes, &size);
      guint32 seq = conversation.next[is_in];
      gsize half = size / 2;
      double ms = 40 + 20 * i;

      report_segment_at (&conversation,
                         ms,
                         is_in,
                         ACK,
                         is_swapped ? seq + (guint32) half : seq,
                         is_swapped ? data + half : data,
                         is_swapped ? size - half : half);
      report_segment_at (&conversation,
                         ms + 1,
                         is_in,
                         ACK,
                         is_swapped ? seq : seq + (guint32) half,
                         is_swapped ? data : data + half,
                         is_swapped ? half : size - half);
      conversation.next[is_in] += (guint32) size;
    }
  return story_open (story, 500);
}

/* A receiver with a zero window accepts the byte of the probe; the remaining data follows it. */
static void
test_a_probe_carries_a_byte_of_the_stream (void)
{
  g_autoptr (Story) story = story_new ();
  TcpConversation conversation = { .story = story, .port = 8080, .next = { 1001, 5001 } };
  g_autoptr (NsTrace) trace = NULL;

  report_handshake (&conversation);
  conversation.is_full = TRUE;
  report_data (&conversation, 40, TRUE, ACK, NULL, 0);
  report_text (&conversation, 500, FALSE, "G");
  conversation.is_full = FALSE;
  report_data (&conversation, 501, TRUE, ACK, NULL, 0);
  report_text (&conversation, 502, FALSE, "ET /b HTTP/1.1\r\nHost: b.example\r\n\r\n");
  report_text (&conversation, 600, TRUE, "HTTP/1.1 204 No Content\r\n\r\n");
  trace = story_open (story, 900);

  g_assert_cmpuint (trace->packets->len, ==, 8);
  g_assert_cmpuint (g_array_index (trace->packets, NsPacketRow, 4).analysis &
                        1 << NS_FLOW_ZERO_WINDOW_PROBE,
                    !=,
                    0);
  story_assert_text (trace, story_activity (trace, 0)->url, "http://b.example/b");
  g_assert_cmpuint (story_activity (trace, 0)->http_status, ==, 204);
}

static void
test_a_handshake_tells_of_its_connection (void)
{
  guint swapped;

  for (swapped = 0; swapped < 2; swapped++)
    {
      g_autoptr (NsTrace) trace = open_handshake (full_1_2, G_N_ELEMENTS (full_1_2), swapped == 1);
      const NsFlowRow *flow = flow_at (trace, 0);
      const NsActivityRow *row = story_activity (trace, 0);

      g_assert_cmpuint (trace->activities->len, ==, 1);
      g_assert_cmpint (flow->app, ==, NS_FLOW_APP_TLS);
      g_assert_nonnull (flow->inside);
      story_assert_text (trace, flow->inside->sni, "www.example.com");
      story_assert_text (trace, flow->inside->version, "TLS 1.2");
      story_assert_text (trace, flow->inside->cipher, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
      story_assert_text (trace, flow->inside->alpn, "http/1.1");
      g_assert_cmpuint (flow->inside->n_alpn_offered, ==, 2);
      g_assert_cmpint (flow->inside->resumed, ==, 0);
      /* From the first segment of the Client Hello to the last segment of the server's Finished. If
       * the segments are swapped, the Client Hello begins with its first byte, not with its first
       * packet. */
      g_assert_cmpint (flow->inside->tls_end_ns - flow->inside->tls_begin_ns,
                       ==,
                       swapped == 0 ? MS (61) : MS (60));
      g_assert_cmpuint (row->protocol, ==, NS_LAYER_TCP);
      g_assert_cmpuint (row->layers, ==, NS_LAYER_TLS | NS_LAYER_TCP);
      story_assert_text (trace, row->server, "www.example.com");
      g_assert_cmpint (phase_of (trace, 0, NS_PHASE_TLS),
                       ==,
                       flow->inside->tls_end_ns - flow->inside->tls_begin_ns);
    }
}

static void
test_an_alert_is_the_error_of_its_connection (void)
{
  static const guint8 alert[] = { 21, 3, 3, 0, 2, 2, 40 };
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  TcpConversation conversation = { story, 443, { 1000, 5000 } };
  gsize size;
  g_autofree guchar *hello = g_base64_decode (full_1_2[0].bytes, &size);

  report_handshake (&conversation);
  report_data (&conversation, 31, FALSE, ACK, hello, size);
  report_data (&conversation, 51, TRUE, ACK, alert, sizeof alert);
  report_data (&conversation, 52, TRUE, RST | ACK, NULL, 0);
  trace = story_open (story, 500);

  story_assert_text (trace, flow_at (trace, 0)->inside->alert, "handshake_failure");
  g_assert_true (flow_at (trace, 0)->inside->is_alert_of_server);
  g_assert_cmpuint (story_activity (trace, 0)->error, ==, 40);
  g_assert_cmpint (story_activity (trace, 0)->error_family, ==, NS_CODE_TLS);
  g_assert_true (story_activity (trace, 0)->failed);
}

#define QUESTION                                                                                   \
  "0377777707657861"                                                                               \
  "6d706c6503636f6d00"                                                                             \
  "00010001"
#define QUERY "123401000001000000000000" QUESTION
#define ANSWER                                                                                     \
  "123481800001000200000000" QUESTION "c00c00050001000000ff00070465646765c010"                     \
  "c02d00010001000000ff0004c0000250"
#define NO_SUCH_NAME "123481830001000000000000" QUESTION

static void
report_datagram (Story *story, double ms, gboolean is_in, guint server, const char *hex)
{
  g_autoptr (GString) frame = g_string_new (ETHERNET);
  guint size = (guint) strlen (hex) / 2;

  g_string_append_printf (frame, "4500%04x1234000040110000", 28 + size);
  g_string_append_printf (frame, is_in ? "0a0000%02x0a000005" : "0a0000050a0000%02x", server);
  g_string_append_printf (frame, "%s%04x0000%s", is_in ? "0035d6b8" : "d6b80035", 8 + size, hex);
  report_frame (story, ms, is_in, frame->str);
}

static void
test_a_question_is_a_row (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsActivityRow *row;
  const NsDnsRow *dns;

  report_datagram (story, 10, FALSE, 53, QUERY);
  report_datagram (story, 1010, FALSE, 53, QUERY);
  report_datagram (story, 1035, TRUE, 53, ANSWER);
  report_datagram (story, 1036, TRUE, 53, NO_SUCH_NAME);
  trace = story_open (story, 1500);

  g_assert_cmpuint (trace->dns->len, ==, 1);
  dns = dns_at (trace, 0);
  story_assert_text (trace, dns->query, "www.example.com");
  story_assert_text (trace, dns->server, "10.0.0.53");
  story_assert_text (trace, dns->rcode, "NOERROR");
  g_assert_cmpint (dns->source, ==, NS_DNS_FROM_PACKET);
  g_assert_cmpuint (dns->status, ==, 0);
  g_assert_cmpuint (dns->n_retries, ==, 1);
  g_assert_cmpuint (dns->addresses->len, ==, 1);
  g_assert_cmpuint (dns->aliases->len, ==, 1);
  story_assert_text (trace, g_array_index (dns->aliases, NsString, 0), "edge.example.com");
  g_assert_cmpint (dns->close_ns - dns->open_ns, ==, MS (1025));
  g_assert_cmpuint (dns->flow, ==, 1);
  g_assert_cmpuint (dns->activity, ==, 1);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  g_assert_cmpuint (row->protocol, ==, NS_LAYER_DNS);
  story_assert_text (trace, row->method, "A");
  story_assert_text (trace, row->server, "www.example.com");
  story_assert_text (trace, row->status, "NOERROR");
  g_assert_cmpuint (row->sent, ==, strlen (QUERY) / 2);
  g_assert_cmpuint (row->received, ==, strlen (ANSWER) / 2);
  g_assert_cmpint (phase_of (trace, 0, NS_PHASE_DNS), ==, MS (1025));
  story_assert_invariants (trace);
}

static void
test_silence_is_an_answer_after_a_while (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (Story) soon_story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (NsTrace) soon = NULL;

  report_datagram (story, 10, FALSE, 53, QUERY);
  report_datagram (story, 1010, FALSE, 54, QUERY);
  report_datagram (story, 1020, TRUE, 54, NO_SUCH_NAME);
  trace = story_open (story, 2000);
  report_datagram (soon_story, 10, FALSE, 53, QUERY);
  soon = story_open (soon_story, 2000);

  /* The client queried another server afterwards, so this query counts as unanswered. */
  g_assert_cmpuint (dns_at (trace, 0)->status, ==, 1460);
  g_assert_true (dns_at (trace, 0)->has_status);
  g_assert_cmpuint (story_activity (trace, 0)->error, ==, 1460);
  story_assert_text (trace, story_activity (trace, 0)->status, "no answer");
  g_assert_cmpuint (dns_at (trace, 1)->status, ==, 9003);
  g_assert_cmpuint (story_activity (trace, 1)->error, ==, 9003);
  g_assert_false (dns_at (soon, 0)->has_status);
  g_assert_cmpint (dns_at (soon, 0)->close_ns, ==, NS_TIME_OPEN);
  g_assert_false (story_activity (soon, 0)->failed);
}

/* Two DNS messages in one TCP stream, split at any byte. */
static void
test_questions_come_over_tcp (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  TcpConversation conversation = { story, 53, { 1000, 5000 } };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint i;
  gsize j;

  for (i = 0; i < 2; i++)
    {
      static const char hex[] = QUERY;
      guint8 length[2] = { 0, (guint8) (strlen (hex) / 2) };

      g_byte_array_append (bytes, length, 2);
      for (j = 0; hex[j] != '\0'; j += 2)
        {
          guint8 byte =
              (guint8) (g_ascii_xdigit_value (hex[j]) << 4 | g_ascii_xdigit_value (hex[j + 1]));

          g_byte_array_append (bytes, &byte, 1);
        }
    }
  /* The second message has another transaction ID. */
  bytes->data[bytes->len / 2 + 2] = 0x77;
  report_handshake (&conversation);
  report_data (&conversation, 31, FALSE, ACK, bytes->data, 1);
  report_data (&conversation, 32, FALSE, ACK, bytes->data + 1, bytes->len - 6);
  report_data (&conversation, 33, FALSE, ACK, bytes->data + bytes->len - 5, 5);
  trace = story_open (story, 9000);

  g_assert_cmpuint (trace->dns->len, ==, 2);
  g_assert_true (dns_at (trace, 0)->is_over_tcp);
  g_assert_cmpuint (story_activity (trace, 0)->sent, ==, strlen (QUERY) / 2 + 2);
  g_assert_cmpuint (story_activity (trace, 0)->layers, ==, NS_LAYER_DNS | NS_LAYER_TCP);
  g_assert_cmpuint (flow_at (trace, 0)->n_messages, ==, 2);
}

/* DNS messages of length 0 are skipped anywhere in the stream. */
static void
test_an_empty_message_is_no_question (void)
{
  static const char hex[] = "0000"
                            "0016" QUERY "0000";
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  TcpConversation conversation = { story, 53, { 1000, 5000 } };
  guint8 bytes[sizeof hex / 2];
  gsize i;

  for (i = 0; i < sizeof bytes; i++)
    bytes[i] =
        (guint8) (g_ascii_xdigit_value (hex[2 * i]) << 4 | g_ascii_xdigit_value (hex[2 * i + 1]));
  bytes[3] = (guint8) (sizeof bytes - 6);
  report_handshake (&conversation);
  report_data (&conversation, 31, FALSE, ACK, bytes, 2);
  report_data (&conversation, 32, FALSE, ACK, bytes + 2, sizeof bytes - 2);
  trace = story_open (story, 9000);

  g_assert_cmpuint (trace->dns->len, ==, 1);
  g_assert_cmpuint (flow_at (trace, 0)->n_messages, ==, 1);
}

/* After a successful CONNECT to a proxy, the TLS handshake belongs to the destination server. */
static void
test_a_tunnel_of_a_proxy_has_a_handshake (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  TcpConversation conversation = { story, 8080, { 1000, 5000 } };
  gsize size;
  g_autofree guchar *hello = g_base64_decode (full_1_2[0].bytes, &size);

  report_handshake (&conversation);
  report_text (&conversation,
               31,
               FALSE,
               "CONNECT www.example.com:443 HTTP/1.1\r\nHost: www.example.com:443\r\n\r\n");
  report_text (&conversation, 51, TRUE, "HTTP/1.1 200 Connection established\r\n\r\n");
  report_data (&conversation, 60, FALSE, ACK, hello, size);
  trace = story_open (story, 500);

  g_assert_cmpuint (trace->activities->len, ==, 1);
  story_assert_text (trace, story_activity (trace, 0)->method, "CONNECT");
  g_assert_cmpuint (story_activity (trace, 0)->http_status, ==, 200);
  g_assert_nonnull (flow_at (trace, 0)->inside);
  story_assert_text (trace, flow_at (trace, 0)->inside->sni, "www.example.com");
  g_assert_true (flow_at (trace, 0)->inside->is_tls);
}

/* A close_notify alert is no failure. */
static void
test_a_good_bye_is_no_alert (void)
{
  static const guint8 close_notify[] = { 21, 3, 3, 0, 2, 1, 0 };
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  TcpConversation conversation = { story, 8883, { 1000, 5000 } };
  gsize size;
  g_autofree guchar *hello = g_base64_decode (full_1_2[0].bytes, &size);

  report_handshake (&conversation);
  report_data (&conversation, 31, FALSE, ACK, hello, size);
  report_data (&conversation, 51, TRUE, ACK, close_notify, sizeof close_notify);
  report_data (&conversation, 52, TRUE, FIN | ACK, NULL, 0);
  trace = story_open (story, 500);

  g_assert_cmpint (flow_at (trace, 0)->app, ==, NS_FLOW_APP_TLS);
  g_assert_cmpuint (flow_at (trace, 0)->inside->alert, ==, NS_STRING_NONE);
  g_assert_false (story_activity (trace, 0)->failed);
}

/* NODATA, a name without addresses, has a status of its own. */
static void
test_a_name_may_have_no_address (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_datagram (story, 10, FALSE, 53, QUERY);
  report_datagram (story, 20, TRUE, 53, "123481800001000000000000" QUESTION);
  trace = story_open (story, 100);

  g_assert_cmpuint (dns_at (trace, 0)->status, ==, 9501);
  story_assert_text (trace, dns_at (trace, 0)->rcode, "NOERROR");
  /* A query for the other address family often returns no address, which is no failure. */
  g_assert_false (story_activity (trace, 0)->failed);
}

/* Multicast name queries are plain datagrams without DNS rows. */
static void
test_neighbors_answer_no_questions (void)
{
  static const guint ports[] = { 5353, 5355, 137 };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ports); i++)
    {
      g_autoptr (Story) story = story_new ();
      g_autoptr (NsTrace) trace = NULL;
      g_autofree char *hex = g_strdup_printf (ETHERNET "4500%04x1234000040110000"
                                                       "0a000005e00000fb%04x%04x%04x0000" QUERY,
                                              28 + (guint) strlen (QUERY) / 2,
                                              ports[i],
                                              ports[i],
                                              8 + (guint) strlen (QUERY) / 2);

      report_frame (story, 10, FALSE, hex);
      trace = story_open (story, 9000);
      g_assert_cmpuint (trace->dns->len, ==, 0);
      g_assert_cmpint (flow_at (trace, 0)->kind, ==, NS_FLOW_UDP);
      g_assert_cmpint (flow_at (trace, 0)->app, ==, NS_FLOW_APP_NONE);
      g_assert_cmpuint (story_activity (trace, 0)->protocol, ==, NS_LAYER_UDP);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flow-content/each-exchange-is-a-row", test_each_exchange_is_a_row);
  g_test_add_func ("/flow-content/an-exchange-takes-the-row-of-its-connection",
                   test_an_exchange_takes_the_row_of_its_connection);
  g_test_add_func ("/flow-content/a-probe-carries-a-byte-of-the-stream",
                   test_a_probe_carries_a_byte_of_the_stream);
  g_test_add_func ("/flow-content/a-handshake-tells-of-its-connection",
                   test_a_handshake_tells_of_its_connection);
  g_test_add_func ("/flow-content/an-alert-is-the-error-of-its-connection",
                   test_an_alert_is_the_error_of_its_connection);
  g_test_add_func ("/flow-content/a-question-is-a-row", test_a_question_is_a_row);
  g_test_add_func ("/flow-content/silence-is-an-answer-after-a-while",
                   test_silence_is_an_answer_after_a_while);
  g_test_add_func ("/flow-content/questions-come-over-tcp", test_questions_come_over_tcp);
  g_test_add_func ("/flow-content/an-empty-message-is-no-question",
                   test_an_empty_message_is_no_question);
  g_test_add_func ("/flow-content/a-tunnel-of-a-proxy-has-a-handshake",
                   test_a_tunnel_of_a_proxy_has_a_handshake);
  g_test_add_func ("/flow-content/a-good-bye-is-no-alert", test_a_good_bye_is_no_alert);
  g_test_add_func ("/flow-content/a-name-may-have-no-address", test_a_name_may_have_no_address);
  g_test_add_func ("/flow-content/neighbors-answer-no-questions",
                   test_neighbors_answer_no_questions);
  return g_test_run ();
}
