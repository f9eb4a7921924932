/* Tests WinHTTP requests, one scenario for each way in which WebIO logs its events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-activity-below.h"
#include "engine/activities/ns-link.h"

#include "story.h"

#include <string.h>

#define SESSION P (0x1a0001000)
#define R1 P (0x1b0001000)
#define R2 P (0x1b0002000)
#define R3 P (0x1b0003000)
#define C1 P (0x1c0000100)
#define C2 P (0x1c0000200)
#define C3 P (0x1c0000300)
#define WRONG P (0x1e0bad000)
#define S1 P (0x610)
#define S2 P (0x620)
#define S3 P (0x630)
#define K1 P (0xffffaa0000001000)
#define K2 P (0xffffaa0000002000)

/* Writes a request with a connection of its own, from the first event to the last. */
static void
report_classic (Story *story)
{
  story_session (story, 0, SESSION);
  story_request (story, 1, R1, 1, SESSION, "https://a.com/");
  story_wait (story, 2, R1, 1, C1);
  story_resolve (story, 3, 1, C1, "a.com", "1.2.3.4");
  story_connect (story, 6, 1, C1, S1, "1.2.3.4:443");
  story_tcp_connect (story, 6.02, K1, "10.0.0.5:50001", "1.2.3.4:443");
  story->tid = 44;
  story_connected (story, 22, 1, C1, S1, 0);
  story_send (story, 30, 1, C1, S1, 200);
  story_transfer (story, 31, 215, 1, C1, S1, 0x4500, 0);
  story_header (story,
                40,
                R1,
                "HTTP/1.1 200 OK\r\nContent-Length: 880\r\nSet-Cookie: secret\r\n\r\n");
  story_transfer (story, 41, 216, 1, C1, S1, 0x4500, 900);
  story->tid = 40;
  story_request_close (story, 60, R1, 1);
}

static void
assert_bytes (const NsActivityRow *row, guint64 sent, guint64 received)
{
  g_assert_cmpuint (row->sent, ==, sent);
  g_assert_cmpuint (row->received, ==, received);
}

static void
test_a_request_owns_its_connection (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  report_classic (story);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  g_assert_cmpuint (row->protocol, ==, NS_LAYER_WINHTTP);
  story_assert_text (trace, row->method, "GET");
  story_assert_text (trace, row->server, "a.com");
  story_assert_text (trace, row->url, "https://a.com/");
  story_assert_text (trace, row->status, "HTTP/1.1 200 OK");
  story_assert_remote (row, "1.2.3.4:443");
  assert_bytes (row, 200, 900);
  g_assert_cmpuint (row->http_status, ==, 200);
  g_assert_cmpint (row->open_ns, ==, 1000000);
  g_assert_cmpint (row->close_ns, ==, 60000000);
  g_assert_cmpuint (ns_activity_get_tcb (trace, row), ==, K1);
  g_assert_cmpint (row->reused, ==, 0);
  g_assert_cmpuint (g_array_index (trace->tcp, NsTcpRow, 0).activity, ==, 1);
  ns_trace_unref (trace);
}

static void
test_the_phases_are_those_of_its_events (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  report_classic (story);
  trace = story_open (story, 100);
  row = story_activity (trace, 0);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_QUEUE), ==, 1000000);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_PROXY), ==, NS_UNKNOWN);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_DNS), ==, 2000000);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_CONNECT), ==, 16000000);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_TLS), ==, NS_UNKNOWN);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_SEND), ==, 100000);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_WAIT), ==, 9900000);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_RECEIVE), ==, 1000000);
  ns_trace_unref (trace);
}

static void
test_a_handshake_is_neither_sent_nor_answered (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  story_request (story, 1, R1, 1, SESSION, "https://a.com/");
  story_write (story, 2, STORY_WEBIO, 102, "p", R1);
  story_write (story, 5, STORY_WEBIO, 103, "p", R1);
  story_wait (story, 6, R1, 1, C1);
  story_connect (story, 10, 1, C1, S1, "1.2.3.4:443");
  story_connected (story, 20, 1, C1, S1, 0);
  story_write (story, 21, STORY_WEBIO, 700, "p", C1);
  story_send (story, 22, 1, C1, S1, 500);
  story_receive (story, 30, 1, C1, S1, 3000);
  story_write (story, 35, STORY_WEBIO, 703, "p", C1);
  story_send (story, 40, 1, C1, S1, 200);
  story_receive (story, 60, 1, C1, S1, 900);
  story_header (story, 61, R1, "HTTP/1.1 200 OK\r\n\r\n");
  story_request_close (story, 70, R1, 1);
  trace = story_open (story, 100);
  row = story_activity (trace, 0);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_PROXY), ==, 3000000);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_CONNECT), ==, 10000000);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_TLS), ==, 14000000);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_SEND), ==, 100000);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_WAIT), ==, 20000000);
  g_assert_cmpint (row->first_byte_ns, ==, 60100000);
  assert_bytes (row, 700, 3900);
  ns_trace_unref (trace);
}

static void
test_http3_is_told_by_its_connection (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;

  story_request (story, 1, R1, 1, SESSION, "https://a.com/");
  story_wait (story, 2, R1, 1, C1);
  story_write_version (story,
                       6,
                       STORY_WEBIO,
                       200,
                       1,
                       "pqWpqdq",
                       C1,
                       S1,
                       "1.2.3.4:443",
                       P (51),
                       P (0),
                       0,
                       P (77));
  trace = story_open (story, 100);
  g_assert_cmpuint (story_activity (trace, 0)->layers, ==, NS_LAYER_WINHTTP | NS_LAYER_QUIC);
  ns_trace_unref (trace);
}

static void
test_a_pending_call_has_not_failed (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;

  story_request (story, 1, R1, 1, SESSION, "https://a.com/");
  story_write (story, 2, STORY_WEBIO, 131, "pqdpdpd", R1, P (1), 0, P (0), 0, P (0), 997);
  story_request (story, 3, R2, 2, SESSION, "https://b.com/");
  story_write (story, 4, STORY_WEBIO, 134, "pddp", R2, 0, 12030, P (0));
  trace = story_open (story, 100);
  g_assert_false (story_activity (trace, 0)->failed);
  g_assert_cmpuint (story_activity (trace, 1)->error, ==, 12030);
  ns_trace_unref (trace);
}

/* A failure reported by event 135 ends a request that has no close event, unless the request is
 * retried. */
static void
test_a_failure_that_is_told_ends_a_request (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;

  story_request (story, 1, R1, 1, SESSION, "https://a.com/");
  story_write (story, 2, STORY_WEBIO, 135, "pddp", R1, 0, 12175, P (0));
  story_request (story, 3, R2, 2, SESSION, "https://b.com/");
  story_write (story, 4, STORY_WEBIO, 135, "pddp", R2, 0, 12175, P (0));
  story_request_close (story, 6, R2, 2);
  story_request (story, 7, R3, 3, SESSION, "https://c.com/");
  story_write (story, 8, STORY_WEBIO, 135, "pddp", R3, 0, 12175, P (0));
  story_wait (story, 9, R3, 3, C1); /* the request is retried */
  trace = story_open (story, 100);
  g_assert_true (story_activity (trace, 0)->failed);
  g_assert_cmpuint (story_activity (trace, 0)->error, ==, 12175);
  g_assert_cmpint (story_activity (trace, 0)->close_ns, ==, 2000000);
  g_assert_true (story_activity (trace, 1)->failed);
  g_assert_cmpint (story_activity (trace, 1)->close_ns, ==, 6000000);
  g_assert_cmpint (story_activity (trace, 2)->close_ns, ==, NS_TIME_OPEN);
  ns_trace_unref (trace);
}

static void
test_sends_without_a_count_are_counted_by_tcp (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;

  story_request (story, 1, R1, 1, SESSION, "https://a.com/");
  story_wait (story, 2, R1, 1, C1);
  story_connect (story, 6, 1, C1, S1, "1.2.3.4:443");
  story_tcp_connect (story, 6.02, K1, "10.0.0.5:50001", "1.2.3.4:443");
  story_connected (story, 22, 1, C1, S1, 0);
  story_transfer (story, 30, 213, 1, C1, S1, 0x4400, 0);
  story_tcp_posted (story, 30.1, K1, 300);
  story_transfer (story, 30.2, 214, 1, C1, S1, 0x4400, 0);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  assert_bytes (story_activity (trace, 0), 300, 0);
  ns_trace_unref (trace);
}

/* Writes two requests that share a connection; event 104 names the connection, or an invalid
 * one. */
static void
report_reuse (Story *story, guint64 announced)
{
  report_classic (story);
  story_request (story, 100, R2, 2, SESSION, "https://a.com/second");
  story_wait (story, 100.1, R2, 2, announced);
  story_send (story, 100.3, 2, C1, S1, 50);
  story->tid = 44;
  story_transfer (story, 101, 215, 2, C1, S1, 0x4500, 0);
  story_header (story, 105, R2, "HTTP/1.1 304 Not Modified\r\n\r\n");
  story_transfer (story, 106, 216, 2, C1, S1, 0x4500, 70);
  story_request_close (story, 160, R2, 2);
}

static void
assert_reuse (guint64 announced)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  report_reuse (story, announced);
  trace = story_open (story, 200);
  g_assert_cmpuint (trace->activities->len, ==, 2);
  assert_bytes (story_activity (trace, 0), 200, 900);
  row = story_activity (trace, 1);
  assert_bytes (row, 50, 70);
  story_assert_remote (row, "1.2.3.4:443");
  g_assert_cmpuint (ns_activity_get_tcb (trace, row), ==, K1);
  g_assert_cmpint (row->reused, ==, 1);
  g_assert_cmpuint (row->http_status, ==, 304);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_CONNECT), ==, NS_UNKNOWN);
  ns_trace_unref (trace);
}

static void
test_a_pooled_connection_serves_both (void)
{
  assert_reuse (C1);
}

/* Asserts that a receive end event is assigned by its connection, without the receive begin event
 * and without the close of the previous request. */
static void
assert_receive_is_of_its_request (gboolean has_wait, gboolean has_send)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;

  story_request (story, 1, R1, 1, SESSION, "https://a.com/");
  story_wait (story, 2, R1, 1, C1);
  story_connect (story, 6, 1, C1, S1, "1.2.3.4:443");
  story_connected (story, 22, 1, C1, S1, 0);
  story_send (story, 30, 1, C1, S1, 200);
  story_receive (story, 40, 1, C1, S1, 900);
  story_request (story, 50, R2, 2, SESSION, "https://a.com/2");
  if (has_wait)
    story_wait (story, 51, R2, 2, C1);
  if (has_send)
    story_send (story, 52, 2, C1, S1, 100);
  story_transfer (story, 60, 216, 2, C1, S1, 0x4500, 700);
  story_request_close (story, 70, R2, 2);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 2);
  assert_bytes (story_activity (trace, 0), 200, 900);
  assert_bytes (story_activity (trace, 1), has_send ? 100 : 0, 700);
  ns_trace_unref (trace);
}

static void
test_a_receive_whose_begin_was_lost_is_of_its_request (void)
{
  assert_receive_is_of_its_request (TRUE, TRUE);
  assert_receive_is_of_its_request (FALSE, TRUE);
  assert_receive_is_of_its_request (TRUE, FALSE);
  assert_receive_is_of_its_request (FALSE, FALSE);
}

static void
test_a_wrong_connection_gives_way (void)
{
  assert_reuse (WRONG);
}

static void
test_each_address_tried_is_a_connection (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;

  story_request (story, 1, R1, 1, SESSION, "https://a.com/");
  story_wait (story, 2, R1, 1, C1);
  story_resolve (story, 3, 1, C1, "a.com", "1.2.3.4,1.2.3.5");
  story_connect (story, 6, 1, C1, S1, "1.2.3.4:443");
  story_disconnect (story, 50, 1, C1, S1);
  story_connect (story, 52, 1, C1, S2, "1.2.3.5:443");
  story_connected (story, 90, 1, C1, S2, 12029);
  story_request_close (story, 100, R1, 1);
  trace = story_open (story, 200);
  g_assert_cmpuint (trace->activities->len, ==, 2);
  story_assert_remote (story_activity (trace, 0), "1.2.3.4:443");
  g_assert_cmpuint (story_activity (trace, 0)->error, ==, 0);
  story_assert_remote (story_activity (trace, 1), "1.2.3.5:443");
  g_assert_cmpuint (story_activity (trace, 1)->error, ==, 12029);
  g_assert_true (story_activity (trace, 1)->failed);
  g_assert_cmpint (ns_activity_row_get_phase (story_activity (trace, 1), NS_PHASE_CONNECT),
                   ==,
                   38000000);
  ns_trace_unref (trace);
}

static void
test_the_address_that_answered_serves_the_next_request (void)
{
  g_autoptr (Story) story = story_new ();
  const NsWebioRow *first;
  const NsActivityRow *last;
  NsTrace *trace;
  guint i;

  story_request (story, 1, R1, 1, SESSION, "https://a.com/1");
  story_wait (story, 2, R1, 1, C1);
  story_connect (story, 10, 1, C1, S1, "1.2.3.4:443");
  story_disconnect (story, 20, 1, C1, S1);
  story_connect (story, 21, 1, C1, S2, "1.2.3.5:443");
  story_disconnect (story, 30, 1, C1, S2);
  story_connect (story, 31, 1, C1, S3, "1.2.3.6:443");
  story_tcp_connect (story, 31.1, K1, "10.0.0.5:50003", "1.2.3.6:443");
  story_connected (story, 40, 1, C1, S3, 0);
  story_send (story, 41, 1, C1, S3, 10);
  story_receive (story, 42, 1, C1, S3, 20);
  story_request (story, 50, R2, 2, SESSION, "https://a.com/2");
  story_wait (story, 50.1, R2, 2, C1);
  story_send (story, 51, 2, C1, S3, 30);
  story_receive (story, 52, 2, C1, S3, 40);
  story_request_close (story, 60, R1, 1);
  story_request_close (story, 61, R2, 2);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->webio->len, ==, 2);
  first = &g_array_index (trace->webio, NsWebioRow, 0);
  g_assert_cmpuint (first->n_conns, ==, 3);
  for (i = 0; i < 3; i++)
    g_assert_cmpuint (first->conns[i].received, ==, i == 2 ? 20 : 0);
  g_assert_cmpuint (trace->activities->len, ==, 4);
  last = story_activity (trace, 3);
  story_assert_text (trace, last->url, "https://a.com/2");
  story_assert_remote (last, "1.2.3.6:443");
  g_assert_cmpint (last->reused, ==, 1);
  g_assert_cmpuint (ns_activity_get_tcb (trace, last), ==, K1);
  assert_bytes (last, 30, 40);
  ns_trace_unref (trace);
}

static void
test_parallel_connections_belong_to_one_request (void)
{
  g_autoptr (Story) story = story_new ();
  guint64 received = 0;
  NsTrace *trace;
  guint i;

  story_request (story, 1, R1, 1, SESSION, "https://a.com/");
  story_wait (story, 2, R1, 1, C1);
  story_resolve (story, 3, 1, C1, "a.com", "1.2.3.4");
  story_connect (story, 6, 1, C1, S1, "1.2.3.4:443");
  story_resolve (story, 7, 1, C2, "a.com", "1.2.3.4");
  story_connect (story, 10, 1, C2, S2, "1.2.3.4:443");
  story_resolve (story, 11, 1, C3, "a.com", "1.2.3.4");
  story_connect (story, 14, 1, C3, S3, "1.2.3.4:443");
  story_connected (story, 20, 1, C1, S1, 0);
  story_connected (story, 21, 1, C2, S2, 0);
  story_connected (story, 22, 1, C3, S3, 0);
  story_send (story, 30, 1, C1, S1, 200);
  story_receive (story, 40, 1, C1, S1, 900);
  story_request_close (story, 60, R1, 1);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->webio->len, ==, 1);
  g_assert_cmpuint (trace->activities->len, ==, 3);
  for (i = 0; i < 3; i++)
    {
      const NsActivityRow *row = story_activity (trace, i);

      story_assert_text (trace, row->url, "https://a.com/");
      g_assert_cmpint (row->close_ns, ==, 60000000);
      g_assert_true (row->connection == C1 || row->received == 0);
      received += row->received;
    }
  g_assert_cmpuint (received, ==, 900);
  ns_trace_unref (trace);
}

static void
test_a_trace_may_start_in_the_middle (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  story->activity_high = 0xb0009000;
  story_transfer (story, 1, 215, 9, C1, S1, 0x4500, 0);
  story_transfer (story, 2, 216, 9, C1, S1, 0x4500, 500);
  story_request_close (story, 3, P (0x1b0009000), 9);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->webio->len, ==, 1);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  g_assert_cmpuint (row->received, ==, 500);
  g_assert_cmpuint (row->url, ==, NS_STRING_NONE);
  g_assert_cmpuint (row->request, ==, P (0x1b0009000));
  g_assert_cmpint (row->close_ns, ==, 3000000);
  g_assert_true (row->inferred);
  ns_trace_unref (trace);
}

static void
test_a_request_without_a_connection_is_a_row (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  story_request (story, 1, R1, 1, SESSION, "https://a.com/");
  story_request_close (story, 3, R1, 1);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  g_assert_true (ns_endpoint_is_empty (row->remote));
  story_assert_text (trace, row->server, "a.com");
  g_assert_cmpint (row->reused, ==, -1);
  ns_trace_unref (trace);
}

/* Over a tunnel the peer is not the host of the URL. */
static void
test_a_tunnel_keeps_the_name_and_shows_the_peer (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  story_request (story, 1, P (0x20001000), 1, P (0x77000), "https://a.com:443/");
  story_wait (story, 2, P (0x20001000), 1, P (0x30001000));
  story_connect (story, 3, 1, P (0x30001000), P (0x51), "10.8.0.1:8443");
  story_tcp_connect (story, 3.1, P (0xffffaa0000001000), "10.8.0.9:50001", "10.8.0.1:8443");
  story_connected (story, 5, 1, P (0x30001000), P (0x51), 0);
  story_request_close (story, 9, P (0x20001000), 1);
  trace = story_open (story, 20);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  story_assert_text (trace, row->server, "a.com");
  story_assert_remote (row, "10.8.0.1:8443");
  g_assert_cmpuint (ns_activity_get_tcb (trace, row), ==, P (0xffffaa0000001000));
  ns_trace_unref (trace);
}

static void
test_the_answer_behind_a_proxy_counts (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  story_request (story, 1, R1, 1, SESSION, "https://a.com/");
  story_wait (story, 2, R1, 1, C1);
  story_connect (story, 6, 1, C1, S1, "10.0.0.80:8080");
  story_connected (story, 8, 1, C1, S1, 0);
  story_transfer (story, 9, 215, 1, C1, S1, 0x4500, 0);
  story_header (story, 10, R1, "HTTP/1.1 200 Connection established\r\n\r\n");
  story_header (story, 20, R1, "Via: somewhere\r\n\r\n");
  story_header (story, 30, R1, "\r\nHTTP/1.1 403 Forbidden\r\nX: y\r\n\r\n");
  trace = story_open (story, 100);
  row = story_activity (trace, 0);
  story_assert_text (trace, row->status, "HTTP/1.1 403 Forbidden");
  g_assert_cmpuint (row->http_status, ==, 403);
  g_assert_true (row->failed);
  story_assert_text (trace, row->server, "a.com");
  story_assert_remote (row, "10.0.0.80:8080");
  ns_trace_unref (trace);
}

static void
test_undecodable_bytes_are_shown (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;

  story_request (story, 1, R1, 1, SESSION, "https://a.com/");
  story_connect (story, 6, 1, C1, S1, "1.2.3.4:443");
  story_header (story, 10, R1, "HTTP/1.1 200 \xff\xfe\r\n\r\n");
  trace = story_open (story, 100);
  story_assert_text (trace,
                     story_activity (trace, 0)->status,
                     "HTTP/1.1 200 \357\277\275\357\277\275");
  ns_trace_unref (trace);
}

static void
test_the_stack_of_the_session_explains_its_requests (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;
  guint n;

  story->tid = 5;
  story->stack[0] = 0x7ff600001010;
  story_session (story, 0, SESSION);
  story->tid = 40;
  story->stack[0] = 0x7ff600002010;
  story_request (story, 1, R1, 1, SESSION, "https://a.com/1");
  story->stack[0] = 0x7ff600002010;
  story_request (story, 2, R2, 2, SESSION, "https://A.com:443/2");
  story->stack[0] = 0x7ff600003010;
  story_request (story, 3, R3, 3, SESSION, "https://other.net/3");
  trace = story_open (story, 100);
  row = story_activity (trace, 0);
  g_assert_cmpuint (ns_stacks_get (trace->stacks, row->stack, &n)[0], ==, 0x7ff600001010);
  g_assert_cmpuint (row->tid, ==, 5);
  g_assert_cmpuint (story_activity (trace, 1)->stack, ==, row->stack);
  row = story_activity (trace, 2);
  g_assert_cmpuint (ns_stacks_get (trace->stacks, row->stack, &n)[0], ==, 0x7ff600003010);
  g_assert_cmpuint (row->tid, ==, 40);
  ns_trace_unref (trace);
}

static void
test_what_comes_after_the_close_is_not_counted (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;

  story_request (story, 1, R1, 1, SESSION, "https://a.com/");
  story_connect (story, 6, 1, C1, S1, "1.2.3.4:443");
  story_connected (story, 8, 1, C1, S1, 0);
  story_transfer (story, 9, 215, 1, C1, S1, 0x4500, 0);
  story_disconnect (story, 20, 1, C1, S1);
  story_transfer (story, 21, 216, 1, C1, S1, 0x4500, 50);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  assert_bytes (story_activity (trace, 0), 0, 0);
  ns_trace_unref (trace);
}

static void
test_a_pointer_used_again_is_another_request (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;

  report_classic (story);
  story_disconnect (story, 61, 1, C1, S1);
  story_request (story, 100, R1, 2, SESSION, "https://b.org/z");
  story_wait (story, 101, R1, 2, C1);
  story_connect (story, 106, 2, C1, S1, "4.3.2.1:443");
  story_connected (story, 108, 2, C1, S1, 0);
  story_send (story, 110, 2, C1, S1, 11);
  story_transfer (story, 111, 215, 2, C1, S1, 0x4500, 0);
  story_header (story, 112, R1, "HTTP/1.1 404 Not Found\r\n\r\n");
  story_transfer (story, 113, 216, 2, C1, S1, 0x4500, 22);
  story_request_close (story, 120, R1, 2);
  trace = story_open (story, 200);
  g_assert_cmpuint (trace->activities->len, ==, 2);
  assert_bytes (story_activity (trace, 0), 200, 900);
  assert_bytes (story_activity (trace, 1), 11, 22);
  g_assert_cmpuint (story_activity (trace, 1)->http_status, ==, 404);
  story_assert_remote (story_activity (trace, 1), "4.3.2.1:443");
  ns_trace_unref (trace);
}

/* Maximum length of a stored status line (ns-webio.c). */
#define MAX_STATUS_LINE 1024

/* Maximum number of addresses of an answer (ns-webio.c). */
#define MAX_ADDRESSES 256

static void
test_an_answer_has_so_many_addresses_only (void)
{
  guint n;

  for (n = MAX_ADDRESSES; n <= MAX_ADDRESSES + 1; n++)
    {
      g_autoptr (Story) story = story_new ();
      g_autoptr (GString) ips = g_string_new ("10.0.0.1");
      NsTrace *trace;
      guint i;

      for (i = 2; i <= n; i++)
        g_string_append_printf (ips, ",10.0.%u.%u", i / 256, i % 256);
      story_session (story, 0, SESSION);
      story_request (story, 1, R1, 1, SESSION, "https://a.com/");
      story_resolve (story, 3, 1, C1, "a.com", ips->str);
      trace = story_open (story, 500);
      g_assert_cmpuint (trace->dns->len, ==, 1);
      g_assert_cmpuint (g_array_index (trace->dns, NsDnsRow, 0).addresses->len, ==, MAX_ADDRESSES);
      ns_trace_unref (trace);
    }
}

static void
test_a_status_line_is_so_long_only (void)
{
  gsize n;

  for (n = MAX_STATUS_LINE; n <= MAX_STATUS_LINE + 1; n++)
    {
      g_autoptr (Story) story = story_new ();
      g_autofree char *fill = g_strnfill (n - strlen ("HTTP/1.1 200 "), 'a');
      g_autofree char *header = g_strdup_printf ("HTTP/1.1 200 %s\r\n\r\n", fill);
      const NsWebioConn *row;
      NsTrace *trace;

      story_session (story, 0, SESSION);
      story_request (story, 1, R1, 1, SESSION, "https://a.com/");
      story_wait (story, 2, R1, 1, C1);
      story_connect (story, 6, 1, C1, S1, "1.2.3.4:443");
      story_connected (story, 22, 1, C1, S1, 0);
      story_send (story, 30, 1, C1, S1, 200);
      story_header (story, 40, R1, header);
      story_request_close (story, 60, R1, 1);
      trace = story_open (story, 500);
      g_assert_cmpuint (trace->webio->len, ==, 1);
      row = &g_array_index (trace->webio, NsWebioRow, 0).conns[0];
      g_assert_cmpuint (strlen (ns_trace_text (trace, row->header)), ==, MAX_STATUS_LINE);
      ns_trace_unref (trace);
    }
}

static void
test_32_bit_processes_are_the_same (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;

  story->is_32bit = TRUE;
  story_request (story, 1, P (0xb0001000), 1, P (0xa0001000), "https://a.com/");
  story_wait (story, 2, P (0xb0001000), 1, P (0xc0000100));
  story_connect (story, 6, 1, P (0xc0000100), S1, "1.2.3.4:443");
  story_connected (story, 8, 1, P (0xc0000100), S1, 0);
  story_send (story, 10, 1, P (0xc0000100), S1, 200);
  story_receive (story, 20, 1, P (0xc0000100), S1, 900);
  story_request_close (story, 60, P (0xb0001000), 1);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  assert_bytes (story_activity (trace, 0), 200, 900);
  story_assert_remote (story_activity (trace, 0), "1.2.3.4:443");
  ns_trace_unref (trace);
}

static void
test_a_failed_receive_ends (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;

  story_request (story, 1, R1, 1, SESSION, "https://a.com/");
  story_connect (story, 6, 1, C1, S1, "1.2.3.4:443");
  story_transfer (story, 9, 215, 1, C1, S1, 0x4500, 0);
  story_transfer (story, 10, 216, 1, C1, S1, 0x4500, 0);
  story_transfer (story, 11, 215, 1, C1, S1, 0x4501, 0);
  story_transfer (story, 12, 216, 1, C1, S1, 0x4501, 33);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->webio->len, ==, 1);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  assert_bytes (story_activity (trace, 0), 0, 33);
  ns_trace_unref (trace);
}

static void
test_a_connection_from_before_finds_its_tcb (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  story->pid = 4;
  story_write (story, 0, STORY_TCPIP, 1300, "pAAdd", K1, "10.0.0.5:50001", "1.2.3.4:443", 4, 100);
  story_write (story, 0, STORY_TCPIP, 1300, "pAAdd", K2, "10.0.0.5:50002", "1.2.3.9:443", 4, 100);
  story->pid = 100;
  story_request (story, 9, R1, 1, SESSION, "https://a.com/pooled");
  story_wait (story, 9.1, R1, 1, C1);
  story_transfer (story, 9.3, 213, 1, C1, S1, 0x4400, 0);
  story_tcp_posted (story, 9.32, K1, 50);
  story_transfer (story, 9.4, 214, 1, C1, S1, 0x4400, 50);
  story->tid = 44;
  story_receive (story, 10, 1, C1, S1, 70);
  story->tid = 77;
  story_tcp_posted (story, 29, K2, 9);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 2);
  row = story_activity (trace, 1);
  g_assert_cmpuint (row->protocol, ==, NS_LAYER_WINHTTP);
  g_assert_cmpuint (ns_activity_get_tcb (trace, row), ==, K1);
  story_assert_remote (row, "1.2.3.4:443");
  assert_bytes (row, 50, 70);
  g_assert_cmpint (row->confidence, ==, NS_CONFIDENCE_INFERRED);
  g_assert_cmpint (
      ns_link_get_confidence (trace, NS_TABLE_ACTIVITIES, 2, NS_TABLE_WEBIO, row->webio),
      ==,
      NS_CONFIDENCE_CERTAIN);
  g_assert_cmpint (ns_link_get_confidence (trace, NS_TABLE_ACTIVITIES, 2, NS_TABLE_TCP, row->tcp),
                   ==,
                   NS_CONFIDENCE_INFERRED);
  g_assert_cmpint (ns_link_get_confidence (trace, NS_TABLE_TCP, row->tcp, NS_TABLE_ACTIVITIES, 2),
                   ==,
                   NS_CONFIDENCE_INFERRED);
  g_assert_cmpuint (story_activity (trace, 0)->protocol, ==, NS_LAYER_TCP);
  g_assert_cmpuint (ns_activity_get_tcb (trace, story_activity (trace, 0)), ==, K2);
  ns_trace_unref (trace);
}

static void
test_the_same_pointer_in_two_processes_is_two_requests (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;

  story_request (story, 1, R1, 1, SESSION, "https://a.com/");
  story->pid = 200;
  story_request (story, 2, R1, 1, SESSION, "https://b.com/");
  story_connect (story, 6, 1, C1, S1, "1.2.3.5:443");
  story_request_close (story, 7, R1, 1);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 2);
  g_assert_true (ns_endpoint_is_empty (story_activity (trace, 0)->remote));
  g_assert_cmpint (story_activity (trace, 0)->close_ns, ==, NS_TIME_OPEN);
  story_assert_remote (story_activity (trace, 1), "1.2.3.5:443");
  ns_trace_unref (trace);
}

static void
test_cut_off_payloads_harm_nobody (void)
{
  static const guint ids[] = { 5,   7,   17,  30,  100, 101, 104, 105, 200, 201, 202,
                               203, 204, 205, 206, 207, 213, 214, 215, 216, 700, 703 };
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      story->activity = i % 3;
      story_write (story, i, STORY_WEBIO, ids[i], "");
      story_write (story, i + 0.2, STORY_WEBIO, ids[i], "p", C1);
      story_write (story, i + 0.4, STORY_WEBIO, ids[i], "pq", C1, S1);
      story_write (story, i + 0.6, STORY_WEBIO, ids[i], "pqd", C1, S1, 0xffffffff);
    }
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->n_records, >=, 4 * G_N_ELEMENTS (ids));
  ns_trace_unref (trace);
}

/* Maximum number of equal IDs that are searched, newest first (ns-webio-state.h). */
#define MAX_LOOK_BACK 256

/* The headers arrive on the thread of the oldest connection of a request. */
static void
test_connections_are_searched_so_far_back_only (void)
{
  guint n;

  for (n = MAX_LOOK_BACK - 1; n <= MAX_LOOK_BACK; n++)
    {
      g_autoptr (Story) story = story_new ();
      const NsWebioRow *row;
      NsTrace *trace;
      guint i;

      story_session (story, 0, SESSION);
      story_request (story, 1, R1, 1, SESSION, "https://a.com/");
      for (i = 0; i <= n; i++)
        {
          guint64 id = C1 + i * 0x100;

          story->tid = i == 0 ? 77 : 78;
          story_wait (story, 2 + i, R1, 1, id);
          story_connect (story, 2.1 + i, 1, id, S1 + i * 8, "1.2.3.4:443");
          story_connected (story, 2.2 + i, 1, id, S1 + i * 8, 0);
          story_transfer (story, 2.3 + i, 215, 1, id, S1 + i * 8, 0x4500, 0);
        }
      story->tid = 77;
      story_header (story, 1000, R1, "HTTP/1.1 200 OK\r\n\r\n");
      trace = story_open (story, 2000);
      g_assert_cmpuint (trace->webio->len, ==, 1);
      row = &g_array_index (trace->webio, NsWebioRow, 0);
      g_assert_cmpuint (row->n_conns, ==, n + 1);
      g_assert_cmpint (row->conns[0].header != NS_STRING_NONE, ==, n < MAX_LOOK_BACK);
      g_assert_cmpint (row->conns[n].header != NS_STRING_NONE, ==, n >= MAX_LOOK_BACK);
      ns_trace_unref (trace);
    }
}

/* The longest pause is kept; it does not count while a receive is pending, because then the client
 * waits for the server. */
static void
test_a_pause_between_transfers_is_kept (void)
{
  g_autoptr (Story) story = story_new ();
  const NsTimeSpan *gap;
  NsTrace *trace;

  report_classic (story);
  story_transfer (story, 51, 215, 1, C1, S1, 0x4600, 0);
  story_transfer (story, 58, 216, 1, C1, S1, 0x4600, 100);
  trace = story_open (story, 200);
  gap = &g_array_index (trace->webio, NsWebioRow, 0).gap;
  g_assert_cmpint (gap->begin_ns, ==, 41000000);
  g_assert_cmpint (gap->end_ns, ==, 51000000);
  ns_trace_unref (trace);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(name, func) g_test_add_func ("/webio/" name, func)
  CLAIM ("a-request-owns-its-connection", test_a_request_owns_its_connection);
  CLAIM ("a-status-line-is-so-long-only", test_a_status_line_is_so_long_only);
  CLAIM ("an-answer-has-so-many-addresses-only", test_an_answer_has_so_many_addresses_only);
  CLAIM ("the-phases-are-those-of-its-events", test_the_phases_are_those_of_its_events);
  CLAIM ("a-handshake-is-neither-sent-nor-answered", test_a_handshake_is_neither_sent_nor_answered);
  CLAIM ("http3-is-told-by-its-connection", test_http3_is_told_by_its_connection);
  CLAIM ("a-pending-call-has-not-failed", test_a_pending_call_has_not_failed);
  CLAIM ("a-failure-that-is-told-ends-a-request", test_a_failure_that_is_told_ends_a_request);
  CLAIM ("sends-without-a-count-are-counted-by-tcp", test_sends_without_a_count_are_counted_by_tcp);
  CLAIM ("a-pooled-connection-serves-both", test_a_pooled_connection_serves_both);
  CLAIM ("a-receive-whose-begin-was-lost-is-of-its-request",
         test_a_receive_whose_begin_was_lost_is_of_its_request);
  CLAIM ("a-wrong-connection-gives-way", test_a_wrong_connection_gives_way);
  CLAIM ("each-address-tried-is-a-connection", test_each_address_tried_is_a_connection);
  CLAIM ("the-address-that-answered-serves-the-next-request",
         test_the_address_that_answered_serves_the_next_request);
  CLAIM ("parallel-connections-belong-to-one-request",
         test_parallel_connections_belong_to_one_request);
  CLAIM ("a-trace-may-start-in-the-middle", test_a_trace_may_start_in_the_middle);
  CLAIM ("a-request-without-a-connection-is-a-row", test_a_request_without_a_connection_is_a_row);
  CLAIM ("a-tunnel-keeps-the-name-and-shows-the-peer",
         test_a_tunnel_keeps_the_name_and_shows_the_peer);
  CLAIM ("the-answer-behind-a-proxy-counts", test_the_answer_behind_a_proxy_counts);
  CLAIM ("undecodable-bytes-are-shown", test_undecodable_bytes_are_shown);
  CLAIM ("the-stack-of-the-session-explains-its-requests",
         test_the_stack_of_the_session_explains_its_requests);
  CLAIM ("what-comes-after-the-close-is-not-counted",
         test_what_comes_after_the_close_is_not_counted);
  CLAIM ("a-pointer-used-again-is-another-request", test_a_pointer_used_again_is_another_request);
  CLAIM ("32-bit-processes-are-the-same", test_32_bit_processes_are_the_same);
  CLAIM ("a-failed-receive-ends", test_a_failed_receive_ends);
  CLAIM ("a-connection-from-before-finds-its-tcb", test_a_connection_from_before_finds_its_tcb);
  CLAIM ("the-same-pointer-in-two-processes-is-two-requests",
         test_the_same_pointer_in_two_processes_is_two_requests);
  CLAIM ("cut-off-payloads-harm-nobody", test_cut_off_payloads_harm_nobody);
#undef CLAIM
  g_test_add_func ("/webio/connections-are-searched-so-far-back-only",
                   test_connections_are_searched_so_far_back_only);
  g_test_add_func ("/webio/a-pause-between-transfers-is-kept",
                   test_a_pause_between_transfers_is_kept);
  return g_test_run ();
}
