/* Tests QUIC connections: one row each, the UDP flow below, and how they ended.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/quic/ns-quic.h"
#include "engine/app/tls/ns-tls.h"

#include "story.h"

#define Q1 P (0x1f2000010)
#define Q2 P (0x1f2000020)
#define KERNEL P (0xffffaa0000001000)
#define ST P (0x1f3000010)
#define LOCAL "02000a00000005"                    /* truncated socket address */
#define CLIENT "0200d6d90a0000050000000000000000" /* 10.0.0.5:55001 */
#define OTHER "0200d6da0a0000050000000000000000"  /* 10.0.0.5:55002 */
#define SERVER "020001bbc63364080000000000000000" /* 198.51.100.8:443 */

static const NsQuicRow *
quic (const NsTrace *trace, guint n)
{
  g_assert_cmpuint (trace->quic->len, >, n);
  return &g_array_index (trace->quic, NsQuicRow, n);
}

static void
address (Story *story, double ms, guint id, guint64 connection, const char *hex)
{
  story_write (story, ms, STORY_QUIC, id, "pbx", connection, 16, hex);
}

static void
create (Story *story, double ms, guint64 connection, const char *local)
{
  story_write (story, ms, STORY_QUIC, 5120, "pdq", connection, 0u, P (17));
  address (story, ms + 0.1, 5127, connection, local);
  address (story, ms + 0.2, 5128, connection, SERVER);
  story_write (story, ms + 1, STORY_QUIC, 5132, "p", connection);
}

static void
test_a_connection_gathers_its_datagrams (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsActivityRow *row;
  NsTlsFacts facts;

  create (story, 10, Q1, CLIENT);
  story_write (story,
               11,
               STORY_TCPIP,
               1169,
               "pddSS",
               P (0xffffaa0000007000),
               1u,
               1250u,
               "10.0.0.5:55001",
               "198.51.100.8:443");
  story_write (story, 34, STORY_QUIC, 5122, "p", Q1);
  /* The last totals count. */
  story_write (story,
               50,
               STORY_QUIC,
               5160,
               "pdddqqda",
               Q1,
               100u,
               1u,
               0u,
               P (1),
               P (2),
               9u,
               "CUBIC");
  story_write (story,
               60,
               STORY_QUIC,
               5194,
               "pqddqqdad",
               Q1,
               P (23500),
               2u,
               0u,
               P (61234),
               P (812345),
               9u,
               "BBR",
               0u);
  story_write (story,
               61,
               STORY_QUIC,
               5174,
               "pqqqqqqqq",
               Q1,
               P (80),
               P (5),
               P (2),
               P (700),
               P (4),
               P (1),
               P (0),
               P (0));
  story_write (story, 62, STORY_QUIC, 5136, "pqb", Q1, P (0x100), 0);
  story_write (story, 63, STORY_QUIC, 5161, "pb", Q1, 0);
  story_write (story, 64, STORY_QUIC, 5121, "p", Q1);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->quic->len, ==, 1);
  g_assert_cmpuint (quic (trace, 0)->udp, ==, 1);
  g_assert_cmpint (quic (trace, 0)->layer.confidence, ==, NS_CONFIDENCE_LIKELY);
  g_assert_cmpint (quic (trace, 0)->rtt_us, ==, 23500);
  g_assert_cmpint (quic (trace, 0)->packets_suspected, ==, 5);
  g_assert_cmpint (quic (trace, 0)->layer.close_ns, ==, 64 * 1000000);
  g_assert_cmpuint (quic (trace, 0)->n_paths, ==, 1);
  story_assert_text (trace, quic (trace, 0)->congestion_control, "BBR");
  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  g_assert_cmpuint (row->protocol, ==, NS_LAYER_QUIC);
  g_assert_cmpuint (row->sent, ==, 61234);
  g_assert_cmpuint (row->tcp, ==, 1);
  g_assert_false (row->failed);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_CONNECT), ==, 23 * 1000000);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_TLS), ==, NS_UNKNOWN);
  g_assert_true (ns_tls_get_facts (trace, NS_TABLE_ACTIVITIES, 1, &facts));
  story_assert_text (trace, facts.version, "TLS 1.3");
}

/* The pointer is reused, used by another process, used by the kernel, and used without a start
 * event. */
static void
test_pointers_are_told_apart (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  create (story, 10, Q1, CLIENT);
  story->pid = 101;
  create (story, 20, Q1, CLIENT);
  story->pid = 100;
  create (story, 30, Q1, OTHER);
  story_write (story, 35, STORY_QUIC, 5122, "p", KERNEL);
  story->pid = 4;
  story_write (story, 36, STORY_QUIC, 5121, "p", KERNEL);
  story->pid = 100;
  story_write (story, 40, STORY_QUIC, 5121, "p", Q1);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->quic->len, ==, 4);
  g_assert_cmphex (quic (trace, 0)->connection, ==, KERNEL);
  g_assert_cmpuint (quic (trace, 0)->layer.pid, ==, 4);
  g_assert_true (quic (trace, 0)->layer.opened_before_trace);
  g_assert_cmpint (quic (trace, 0)->layer.close_ns, ==, 36 * 1000000);
  g_assert_cmpint (quic (trace, 1)->layer.close_ns, ==, 30 * 1000000 - 1);
  g_assert_cmpuint (quic (trace, 2)->layer.pid, ==, 101);
  g_assert_cmpint (quic (trace, 2)->layer.close_ns, ==, NS_TIME_OPEN);
  g_assert_cmpint (quic (trace, 3)->layer.close_ns, ==, 40 * 1000000);
}

/* A connection without a destroy event closes when its shutdown completes, even if its pointer is
 * reused. */
static void
test_a_complete_shutdown_is_the_end (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  create (story, 10, Q1, CLIENT);
  story_write (story, 20, STORY_QUIC, 5161, "pb", Q1, 0);
  /* Statistics logged after the shutdown still belong to this connection. */
  story_write (story,
               21,
               STORY_QUIC,
               5160,
               "pdddqqda",
               Q1,
               100u,
               1u,
               0u,
               P (1),
               P (2),
               9u,
               "CUBIC");
  create (story, 30, Q1, OTHER);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->quic->len, ==, 2);
  g_assert_cmpint (quic (trace, 0)->layer.close_ns, ==, 20 * 1000000);
  g_assert_cmpint (quic (trace, 0)->received, ==, 2);
  g_assert_cmpint (quic (trace, 1)->layer.close_ns, ==, NS_TIME_OPEN);
}

/* The Windows provider has no number before the connection IDs, and logs all totals in one
 * event. */
static void
test_windows_lays_out_its_own (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsQuicRow *row;

  story_write (story, 10, STORY_WINQUIC, 5120, "pdq", Q1, 0u, P (17));
  story_write (story, 10.1, STORY_WINQUIC, 5128, "pbx", Q1, 16, SERVER);
  story_write (story, 11, STORY_WINQUIC, 5148, "pbx", Q1, 2, "a1a2");
  story_write (story, 12, STORY_WINQUIC, 5149, "pbx", Q1, 3, "b1b2b3");
  story_write (story,
               20,
               STORY_WINQUIC,
               5160,
               "pqqqqqqqqqddqqd",
               Q1,
               P (99),
               P (80),
               P (5),
               P (2),
               P (700),
               P (4),
               P (1),
               P (0),
               P (0),
               3u,
               0u,
               P (61234),
               P (812345),
               23500u);
  trace = story_open (story, 100);

  row = quic (trace, 0);
  g_assert_cmpuint (row->source_cids->len, ==, 1);
  story_assert_text (trace, g_array_index (row->source_cids, NsString, 0), "a1a2");
  story_assert_text (trace, g_array_index (row->destination_cids, NsString, 0), "b1b2b3");
  g_assert_cmpint (row->packets_sent, ==, 80);
  g_assert_cmpint (row->packets_suspected, ==, 5);
  g_assert_cmpint (row->packets_spurious, ==, 2);
  g_assert_cmpint (row->packets_received, ==, 700);
  g_assert_cmpint (row->packets_reordered, ==, 4);
  g_assert_cmpint (row->packets_dropped, ==, 1);
  g_assert_cmpint (row->congestion_events, ==, 3);
  g_assert_cmpint (row->sent, ==, 61234);
  g_assert_cmpint (row->received, ==, 812345);
  g_assert_cmpint (row->rtt_us, ==, 23500);
}

/* Writes a WinHTTP request over HTTP/3; the connect event has the port of the QUIC client. */
static void
report_http3 (Story *story, double ms, guint n, const char *url)
{
  guint64 connection = P (0x30001000 + n);

  story_request (story, ms, P (0x20001000 + n), n, P (0x77000), url);
  story_wait (story, ms + 1, P (0x20001000 + n), n, connection);
  story->activity = n;
  story_write_version (story,
                       ms + 2,
                       STORY_WEBIO,
                       200,
                       1,
                       "pqWpqdq",
                       connection,
                       P (0x610 + n),
                       "198.51.100.8:443",
                       P (51),
                       P (0),
                       0u,
                       P (7));
  story_write_version (story,
                       ms + 3,
                       STORY_WEBIO,
                       201,
                       1,
                       "pqdpqdq",
                       connection,
                       P (0x610 + n),
                       0u,
                       P (51),
                       P (0),
                       0u,
                       P (7));
  story_send (story, ms + 4, n, connection, P (0x610 + n), 100);
  story_request_close (story, ms + 5, P (0x20001000 + n), n);
  story->activity = 0;
}

/* A request is linked to the only QUIC connection of its process to the same endpoint. */
static void
test_requests_of_http3_have_a_parent (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsActivityRow *request;

  create (story, 10, Q1, CLIENT);
  report_http3 (story, 20, 1, "https://a.com/one");
  create (story, 40, Q2, OTHER);
  report_http3 (story, 50, 2, "https://a.com/two");
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->activities->len, ==, 4);
  request = story_activity (trace, 1);
  g_assert_cmpuint (request->source_table, ==, NS_TABLE_WEBIO);
  g_assert_true ((request->layers & NS_LAYER_QUIC) != 0);
  g_assert_cmpuint (request->parent, ==, quic (trace, 0)->layer.activity);
  g_assert_cmpint (request->confidence, ==, NS_CONFIDENCE_INFERRED);
  g_assert_true (request->bytes_unknown);
  /* With two such connections it is linked to neither. */
  g_assert_cmpuint (story_activity (trace, 3)->source_table, ==, NS_TABLE_WEBIO);
  g_assert_cmpuint (story_activity (trace, 3)->parent, ==, 0);
}

static void
test_ends_are_told_in_their_family (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  NsTlsFacts facts;

  create (story, 10, Q1, CLIENT);
  story_write (story, 20, STORY_QUIC, 8193, "pda", Q1, 0x80410128u, "Received alert");
  story_write (story, 21, STORY_QUIC, 5135, "pqbb", Q1, P (0x80410128), 1, 1);
  story_write (story, 22, STORY_QUIC, 5121, "p", Q1);
  create (story, 30, Q2, OTHER);
  story_write (story, 31, STORY_QUIC, 5122, "p", Q2);
  story_write (story, 32, STORY_QUIC, 5135, "pqbb", Q2, P (0x80410005), 0, 1);
  /* Later errors are consequences of the first one. */
  story_write (story, 33, STORY_QUIC, 5135, "pqbb", Q2, P (3), 1, 0);
  trace = story_open (story, 100);

  g_assert_true (quic (trace, 0)->has_alert);
  story_assert_text (trace, quic (trace, 0)->error_text, "Received alert");
  g_assert_cmpint (quic (trace, 0)->shut_by_peer, ==, 1);
  g_assert_true (ns_tls_get_facts (trace, NS_TABLE_QUIC, 1, &facts));
  story_assert_text (trace, facts.alert, "handshake_failure");
  g_assert_cmpuint (facts.alert_from, ==, NS_TLS_FROM_SERVER);
  g_assert_cmpuint (facts.version, ==, NS_STRING_NONE);
  g_assert_true (story_activity (trace, 0)->failed);
  g_assert_cmphex (quic (trace, 1)->layer.status, ==, 0x80410005);
  g_assert_false (story_activity (trace, 1)->failed);
}

static void
test_streams_count_their_bytes (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  create (story, 10, Q1, CLIENT);
  story_write (story, 20, STORY_QUIC, 6144, "ppqb", ST, Q1, P (4), 1);
  story_write (story, 21, STORY_QUIC, 6161, "pqdd", ST, P (100), 1u, 0u);
  story_write (story, 22, STORY_QUIC, 6161, "pqdd", ST, P (50), 1u, 0u);
  story_write (story, 23, STORY_QUIC, 6159, "pqdd", ST, P (900), 1u, 0u);
  story_write (story, 24, STORY_QUIC, 6145, "p", ST);
  story_write (story, 25, STORY_QUIC, 6144, "ppqb", ST, Q1, P (2), 1);
  story_write (story, 26, STORY_QUIC, 6161, "pqdd", ST, G_MAXUINT64, 1u, 0u);
  story_write (story, 27, STORY_QUIC, 6161, "pqdd", ST, P (7), 1u, 0u);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->quic->len, ==, 3);
  g_assert_cmpuint (quic (trace, 1)->parent, ==, 1);
  g_assert_cmpint (quic (trace, 1)->sent, ==, 150);
  g_assert_cmpint (quic (trace, 1)->received, ==, 900);
  g_assert_cmpint (quic (trace, 2)->sent, ==, 7);
  g_assert_cmpint (quic (trace, 2)->received, ==, NS_UNKNOWN);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  g_assert_cmpuint (quic (trace, 2)->layer.activity, ==, 1);
}

/* Streams of two processes with equal pointers, and a reused pointer. */
static void
test_streams_are_told_apart (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  create (story, 10, Q1, CLIENT);
  story_write (story, 12, STORY_QUIC, 6144, "ppqb", ST, Q1, P (0), 1);
  story->pid = 101;
  create (story, 14, Q1, OTHER);
  story_write (story, 16, STORY_QUIC, 6144, "ppqb", ST, Q1, P (4), 1);
  story_write (story, 20, STORY_QUIC, 6161, "pqdd", ST, P (70), 1u, 0u);
  story->pid = 100;
  story_write (story, 21, STORY_QUIC, 6161, "pqdd", ST, P (100), 1u, 0u);
  story_write (story, 22, STORY_QUIC, 6145, "p", ST);
  story->pid = 101;
  story_write (story, 23, STORY_QUIC, 6159, "pqdd", ST, P (900), 1u, 0u);
  story->pid = 100;
  story_write (story, 24, STORY_QUIC, 6144, "ppqb", ST, Q1, P (8), 1);
  story_write (story, 25, STORY_QUIC, 6161, "pqdd", ST, P (5), 1u, 0u);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->quic->len, ==, 5);
  g_assert_cmpuint (quic (trace, 1)->parent, ==, 1);
  g_assert_cmpint (quic (trace, 1)->sent, ==, 100);
  g_assert_cmpint (quic (trace, 1)->received, ==, 0);
  g_assert_cmpint (quic (trace, 1)->layer.close_ns, ==, 22 * 1000000);
  g_assert_cmpuint (quic (trace, 3)->layer.pid, ==, 101);
  g_assert_cmpuint (quic (trace, 3)->parent, ==, 3);
  g_assert_cmpint (quic (trace, 3)->sent, ==, 70);
  g_assert_cmpint (quic (trace, 3)->received, ==, 900);
  g_assert_cmpint (quic (trace, 3)->layer.close_ns, ==, NS_TIME_OPEN);
  g_assert_cmpuint (quic (trace, 4)->parent, ==, 1);
  g_assert_cmpint (quic (trace, 4)->sent, ==, 5);
}

/* Start times before the trace and missing end times stay unknown. */
static void
test_ends_and_begins_may_be_missing (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsActivityRow *row;

  /* Ends of a handshake, a connection and a stream that began before the trace. */
  story_write (story, 5, STORY_QUIC, 5122, "p", Q2);
  story_write (story, 6, STORY_QUIC, 6145, "p", ST);
  story_write (story, 7, STORY_QUIC, 5121, "p", Q2);
  /* Neither the connection nor the stream ends. */
  create (story, 10, Q1, CLIENT);
  story_write (story, 12, STORY_QUIC, 6144, "ppqb", ST, Q1, P (0), 1);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->quic->len, ==, 4);
  g_assert_true (quic (trace, 0)->layer.opened_before_trace);
  g_assert_cmpint (quic (trace, 0)->layer.open_ns, ==, 0);
  g_assert_cmpint (quic (trace, 0)->layer.close_ns, ==, 7 * 1000000);
  g_assert_cmpint (quic (trace, 0)->handshake_begin_ns, ==, NS_TIME_NONE);
  g_assert_true (quic (trace, 1)->is_stream);
  g_assert_true (quic (trace, 1)->layer.opened_before_trace);
  g_assert_cmpuint (quic (trace, 1)->parent, ==, 0);
  g_assert_cmpint (quic (trace, 1)->layer.close_ns, ==, 6 * 1000000);
  g_assert_cmpint (quic (trace, 2)->layer.close_ns, ==, NS_TIME_OPEN);
  g_assert_cmpint (quic (trace, 2)->handshake_end_ns, ==, NS_TIME_NONE);
  g_assert_cmpint (quic (trace, 3)->layer.close_ns, ==, NS_TIME_OPEN);
  g_assert_cmpuint (trace->activities->len, ==, 2);
  row = story_activity (trace, 0);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_CONNECT), ==, NS_UNKNOWN);
  row = story_activity (trace, 1);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_CONNECT), ==, NS_UNKNOWN);
  g_assert_false (row->failed);
}

/* The complete fields of truncated payloads are read; invalid values are ignored. */
static void
test_short_and_strange_payloads (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_write (story, 1, STORY_QUIC, 5120, "d", 1u);
  story_write (story, 2, STORY_QUIC, 5120, "p", P (0));
  story_write (story, 3, STORY_QUIC, 5120, "p", Q1);
  story_write (story, 4, STORY_QUIC, 5127, "pbx", Q1, 200, LOCAL);
  story_write (story, 5, STORY_QUIC, 5149, "pqb", Q1, P (0), 20);
  story_write (story, 6, STORY_QUIC, 5135, "pq", Q1, P (3));
  story_write (story, 7, STORY_QUIC, 5174, "pq", Q1, G_MAXUINT64);
  story_write (story, 8, STORY_QUIC, 6145, "p", ST);
  story_write (story, 9, STORY_QUIC, 5999, "p", ST);
  story_write (story, 10, STORY_QUIC, 60000, "");
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->quic->len, ==, 2);
  g_assert_true (quic (trace, 0)->is_stream);
  g_assert_true (quic (trace, 0)->layer.opened_before_trace);
  g_assert_cmpint (quic (trace, 1)->server_side, ==, -1);
  g_assert_cmpuint (quic (trace, 1)->n_paths, ==, 0);
  g_assert_null (quic (trace, 1)->destination_cids);
  g_assert_cmpint (quic (trace, 1)->layer.status, ==, NS_UNKNOWN);
  g_assert_cmpint (quic (trace, 1)->packets_sent, ==, G_MAXINT64);
  g_assert_cmpint (quic (trace, 1)->packets_received, ==, NS_UNKNOWN);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/quic/a-connection-gathers-its-datagrams",
                   test_a_connection_gathers_its_datagrams);
  g_test_add_func ("/quic/pointers-are-told-apart", test_pointers_are_told_apart);
  g_test_add_func ("/quic/a-complete-shutdown-is-the-end", test_a_complete_shutdown_is_the_end);
  g_test_add_func ("/quic/windows-lays-out-its-own", test_windows_lays_out_its_own);
  g_test_add_func ("/quic/requests-of-http3-have-a-parent", test_requests_of_http3_have_a_parent);
  g_test_add_func ("/quic/ends-are-told-in-their-family", test_ends_are_told_in_their_family);
  g_test_add_func ("/quic/streams-count-their-bytes", test_streams_count_their_bytes);
  g_test_add_func ("/quic/streams-are-told-apart", test_streams_are_told_apart);
  g_test_add_func ("/quic/ends-and-begins-may-be-missing", test_ends_and_begins_may_be_missing);
  g_test_add_func ("/quic/short-and-strange-payloads", test_short_and_strange_payloads);
  return g_test_run ();
}
