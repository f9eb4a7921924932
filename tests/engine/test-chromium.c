/* Tests requests of Chromium browsers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "story.h"

#include "engine/app/chromium/ns-chromium.h"
#include "engine/build/ns-builder.h"
#include "engine/trace/ns-event-index.h"

#define ENDPOINT P (0xffffcc0000000100)
#define BEGIN "Nestable Async Begin"
#define END "Nestable Async End"
#define INSTANT "Nestable Async Instant"

static const NsChromiumRow *
row_of (const NsTrace *trace, guint n)
{
  g_assert_cmpuint (trace->chromium->len, >, n);
  return &g_array_index (trace->chromium, NsChromiumRow, n);
}

static void
report_request (Story *story, double ms, guint id, const char *url)
{
  g_autofree char *alive = g_strdup_printf ("{\"url\":\"%s\",\"priority\":\"HIGHEST\"}", url);
  g_autofree char *job = g_strdup_printf ("{\"method\":\"GET\",\"url\":\"%s\"}", url);

  story_netlog (story, ms, "REQUEST_ALIVE", BEGIN, id, "URL_REQUEST", alive);
  story_netlog (story, ms + 1, "URL_REQUEST_START_JOB", BEGIN, id, "URL_REQUEST", job);
}

static void
report_end (Story *story, double ms, guint id, const char *params)
{
  story_netlog (story, ms, "URL_REQUEST_START_JOB", END, id, "", params);
  story_netlog (story, ms + 1, "REQUEST_ALIVE", END, id, "", params);
}

/* Writes a WinSock socket that the browser opens on the same thread. */
static void
report_socket (Story *story, double ms)
{
  story_netlog (story,
                ms,
                "SOCKET_ALIVE",
                BEGIN,
                14,
                "SOCKET",
                "{\"source_dependency\":{\"id\":13}}");
  story_netlog (story, ms + 1, "TCP_CONNECT", BEGIN, 14, "SOCKET", "{}");
  story_socket (story, ms + 2, ENDPOINT, 50001, "1.2.3.4:443");
  story_netlog (story,
                ms + 3,
                "TCP_CONNECT_ATTEMPT",
                BEGIN,
                14,
                "SOCKET",
                "{\"address\":\"1.2.3.4:443\"}");
  story_netlog (story,
                ms + 20,
                "TCP_CONNECT",
                END,
                14,
                "",
                "{\"local_address\":\"10.0.0.5:50001\",\"remote_address\":\"1.2.3.4:443\"}");
  story_netlog (story, ms + 30, "SSL_CONNECT", END, 14, "", "{\"next_proto\":\"h2\"}");
  story_netlog (story,
                ms + 31,
                "CONNECT_JOB_SET_SOCKET",
                INSTANT,
                13,
                "CONNECT_JOB",
                "{\"source_dependency\":{\"id\":14}}");
}

/* Request, socket, HTTP/2 session and stream share one row; the socket has no row of its own. */
static void
test_an_http2_request_is_one_row (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsActivityRow *row;

  report_request (story, 1, 10, "https://h2.example/x");
  report_socket (story, 5);
  story_tcp_connect (story, 7.5, P (0xffffaa0000001000), "10.0.0.5:50001", "1.2.3.4:443");
  story_netlog (story,
                50,
                "HTTP2_SESSION",
                BEGIN,
                15,
                "HTTP2_SESSION",
                "{\"host\":\"h2.example:443\"}");
  story_netlog (story,
                51,
                "HTTP2_SESSION_INITIALIZED",
                INSTANT,
                15,
                "HTTP2_SESSION",
                "{\"source_dependency\":{\"id\":14}}");
  story_netlog (story,
                52,
                "CREATED_BY",
                INSTANT,
                10,
                "URL_REQUEST",
                "{\"source_dependency\":{\"id\":10}}");
  story_netlog (story,
                53,
                "HTTP2_SESSION_SEND_HEADERS",
                INSTANT,
                15,
                "HTTP2_SESSION",
                "{\"stream_id\":1,\"headers\":[\":method: GET\",\":authority: "
                "h2.example\",\":scheme: https\",\":path: /x\"],"
                "\"source_dependency\":{\"id\":10}}");
  story_netlog (story,
                60,
                "HTTP2_SESSION_RECV_HEADERS",
                INSTANT,
                15,
                "HTTP2_SESSION",
                "{\"stream_id\":1,\"headers\":[\":status: 200\"]}");
  story_netlog (story,
                70,
                "HTTP2_SESSION_RECV_DATA",
                INSTANT,
                15,
                "HTTP2_SESSION",
                "{\"stream_id\":1,\"size\":800}");
  report_end (story, 80, 10, "");
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  story_assert_text (trace, row->url, "https://h2.example/x");
  story_assert_text (trace, row->method, "GET");
  story_assert_remote (row, "1.2.3.4:443");
  g_assert_cmpuint (row->http_status, ==, 200);
  g_assert_cmpuint (row->received, ==, 800);
  g_assert_cmpstr (row_of (trace, 0)->transport, ==, "HTTP2");
  g_assert_cmpuint (row->winsock, !=, 0);
  g_assert_cmpuint (g_array_index (trace->tcp, NsTcpRow, row->tcp - 1).owner & NS_LAYER_CHROMIUM,
                    !=,
                    0);
}

/* Phases of a request are waiting for a connection, TLS, and waiting for the response. A 103 Early
 * Hints response does not end the wait. */
static void
test_phases_of_a_request (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const NsActivityRow *row;

  report_request (story, 1, 10, "https://a.example/x");
  story_netlog (story,
                3,
                "HTTP_STREAM_JOB",
                BEGIN,
                13,
                "HTTP_STREAM_JOB",
                "{\"source_dependency\":{\"id\":10}}");
  story_netlog (story,
                4,
                "SOCKET_POOL_STALLED_MAX_SOCKETS_PER_GROUP",
                INSTANT,
                10,
                "URL_REQUEST",
                "{}");
  story_netlog (story, 10, "SSL_CONNECT", BEGIN, 14, "SOCKET", "{}");
  report_socket (story, 5);
  story_netlog (story, 40, "SOCKET_POOL_BOUND_TO_SOCKET", INSTANT, 10, "URL_REQUEST", "{}");
  story_netlog (story, 41, "HTTP_TRANSACTION_SEND_REQUEST", BEGIN, 10, "URL_REQUEST", "{}");
  story_netlog (story, 42, "HTTP_TRANSACTION_SEND_REQUEST", END, 10, "", "{}");
  story_netlog (story,
                50,
                "HTTP_TRANSACTION_READ_RESPONSE_HEADERS",
                INSTANT,
                10,
                "URL_REQUEST",
                "{\"headers\":[\"HTTP/1.1 103 Early Hints\"]}");
  story_netlog (story,
                72,
                "HTTP_TRANSACTION_READ_RESPONSE_HEADERS",
                INSTANT,
                10,
                "URL_REQUEST",
                "{\"headers\":[\"HTTP/1.1 200 OK\"]}");
  report_end (story, 80, 10, "");
  trace = story_open (story, 100);
  row = story_activity (trace, 0);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_QUEUE), ==, 8000000);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_TLS), ==, 25000000);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_WAIT), ==, 30000000);
  g_assert_cmpint (row->first_byte_ns, ==, 72000000);
}

/* Returns whether a request gets the socket of a connect job for @group; the request's own group is
 * "Ez". */
static gboolean
has_socket_of (const char *group)
{
  g_autofree char *params = g_strdup_printf ("{\"group_id\":\"%s\"}", group);
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_request (story, 1, 10, "https://a.example/x");
  story_netlog (story,
                2,
                "TCP_CLIENT_SOCKET_POOL_REQUESTED_SOCKET",
                INSTANT,
                10,
                "URL_REQUEST",
                "{\"group_id\":\"Ez\"}");
  story_netlog (story, 3, "SOCKET_POOL_CONNECT_JOB_CREATED", INSTANT, 13, "CONNECT_JOB", params);
  report_socket (story, 5);
  report_end (story, 80, 10, "");
  trace = story_open (story, 100);
  return row_of (trace, 0)->winsock != 0;
}

/* Two group names that are equal under many string hashes. */
static void
test_groups_of_sockets_are_told_apart (void)
{
  g_assert_cmpuint (g_str_hash ("Ez"), ==, g_str_hash ("FY"));
  g_assert_true (has_socket_of ("Ez"));
  g_assert_false (has_socket_of ("FY"));
}

/* A response from the cache is marked as such. */
static void
test_a_cached_answer_says_so (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_request (story, 1, 10, "https://cached.example/logo.png");
  story_netlog (story, 10, "HTTP_CACHE_READ_DATA", BEGIN, 10, "URL_REQUEST", "");
  story_netlog (story,
                20,
                "URL_REQUEST_JOB_FILTERED_BYTES_READ",
                INSTANT,
                10,
                "URL_REQUEST",
                "{\"byte_count\":333}");
  report_end (story, 30, 10, "");
  trace = story_open (story, 100);

  g_assert_cmpstr (row_of (trace, 0)->transport, ==, "CACHE");
  g_assert_cmpuint (row_of (trace, 0)->received, ==, 333);
  g_assert_true (story_activity (trace, 0)->from_cache);
}

static void
test_a_redirect_makes_a_second_row (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_request (story, 1, 10, "http://a.example/");
  story_netlog (story, 10, "URL_REQUEST_REDIRECTED", INSTANT, 10, "URL_REQUEST", "{}");
  story_netlog (story, 11, "URL_REQUEST_START_JOB", END, 10, "", "");
  story_netlog (story,
                12,
                "URL_REQUEST_START_JOB",
                BEGIN,
                10,
                "URL_REQUEST",
                "{\"method\":\"GET\",\"url\":\"https://b.example/\"}");
  report_end (story, 30, 10, "");
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->chromium->len, ==, 2);
  story_assert_text (trace, row_of (trace, 0)->status, "Redirected");
  story_assert_text (trace, row_of (trace, 1)->method, "REDIRECT/GET");
  story_assert_text (trace, row_of (trace, 1)->server, "b.example");
  /* The redirect appears in the row, on the bar marks and in the links. */
  g_assert_cmpuint (row_of (trace, 0)->redirect_to, ==, 2);
  g_assert_cmpuint (row_of (trace, 0)->redirect_from, ==, 0);
  g_assert_cmpuint (row_of (trace, 1)->redirect_from, ==, 1);
  g_assert_cmpuint (row_of (trace, 1)->redirect_to, ==, 0);
  g_assert_true (story_activity (trace, 0)->redirected);
  g_assert_false (story_activity (trace, 1)->redirected);
}

/* The transport is that of the connect job bound to the request. */
static void
test_the_winning_job_decides_the_transport (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_request (story, 1, 10, "https://q.example/");
  story_netlog (story,
                2,
                "HTTP_STREAM_JOB_CONTROLLER_BOUND",
                INSTANT,
                10,
                "URL_REQUEST",
                "{\"source_dependency\":{\"id\":11}}");
  story_netlog (story,
                3,
                "HTTP_STREAM_JOB",
                BEGIN,
                5,
                "HTTP_STREAM_JOB",
                "{\"using_quic\":true,\"source_dependency\":{\"id\":11}}");
  story_netlog (story,
                4,
                "HTTP_STREAM_JOB",
                BEGIN,
                6,
                "HTTP_STREAM_JOB",
                "{\"using_quic\":false,\"source_dependency\":{\"id\":11}}");
  story_netlog (story,
                5,
                "HTTP_STREAM_JOB_BOUND_TO_REQUEST",
                INSTANT,
                5,
                "HTTP_STREAM_JOB",
                "{\"source_dependency\":{\"id\":11}}");
  report_end (story, 30, 10, "");
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->chromium->len, ==, 1);
  g_assert_cmpstr (row_of (trace, 0)->transport, ==, "QUIC");
}

static void
report_quic_socket (Story *story, double ms, guint id, const char *address)
{
  g_autofree char *params = g_strdup_printf ("{\"address\":\"%s\"}", address);

  story_netlog (story,
                ms,
                "SOCKET_ALIVE",
                BEGIN,
                id,
                "UDP_CLIENT_SOCKET",
                "{\"source_dependency\":{\"id\":30}}");
  story_netlog (story, ms + 0.5, "SOCKET_CONNECT", END, id, "", params);
}

static void
report_quic_data (Story *story, double ms, guint n)
{
  g_autofree char *params = g_strdup_printf ("{\"stream_id\":0,\"payload_length\":%u}", n);

  story_netlog (story, ms, "HTTP3_DATA_FRAME_RECEIVED", INSTANT, 31, "QUIC_SESSION", params);
}

/* Writes a QUIC request whose session migrates to another socket at 40 ms. */
static void
report_quic_begin (Story *story, guint n_before, guint n_after)
{
  report_request (story, 1, 10, "https://q.example/");
  report_quic_socket (story, 5, 30, "1.2.3.4:443");
  story_netlog (story,
                6,
                "QUIC_SESSION",
                BEGIN,
                31,
                "QUIC_SESSION",
                "{\"host\":\"q.example\",\"port\":443,\"source_dependency\":{\"id\":30}}");
  story_netlog (story,
                10,
                "QUIC_CHROMIUM_CLIENT_STREAM_SEND_REQUEST_HEADERS",
                INSTANT,
                31,
                "QUIC_SESSION",
                "{\"quic_stream_id\":0,\"source_dependency\":{\"id\":10}}");
  story_netlog (story,
                11,
                "HTTP3_HEADERS_SENT",
                INSTANT,
                31,
                "QUIC_SESSION",
                "{\"stream_id\":0,\"headers\":[\":method: GET\",\":scheme: https\",\":authority: "
                "q.example\",\":path: /\"]}");
  if (n_before > 0)
    report_quic_data (story, 20, n_before);
  report_quic_socket (story, 35, 40, "1.2.3.5:443");
  story_netlog (story, 38, "QUIC_PORT_MIGRATION_TRIGGERED", INSTANT, 31, "QUIC_SESSION", "{}");
  story_netlog (story, 40, "QUIC_PORT_MIGRATION_SUCCESS", INSTANT, 31, "QUIC_SESSION", "{}");
  if (n_after > 0)
    report_quic_data (story, 50, n_after);
}

static void
report_quic_request (Story *story, guint n_before, guint n_after)
{
  report_quic_begin (story, n_before, n_after);
  report_end (story, 60, 10, "");
}

/* Bytes counted before the migration stay with the old socket. */
static void
test_a_request_is_split_where_its_session_moves (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_quic_request (story, 100, 50);
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->chromium->len, ==, 2);
  g_assert_cmpuint (row_of (trace, 0)->received, ==, 100);
  g_assert_cmpuint (row_of (trace, 1)->received, ==, 50);
  g_assert_cmpint (row_of (trace, 0)->close_ns, ==, row_of (trace, 1)->open_ns);
  g_assert_cmpint (row_of (trace, 1)->open_ns, ==, 40000000);
  story_assert_text (trace, row_of (trace, 0)->status, "Migrated");
  g_assert_cmpstr (row_of (trace, 1)->transport, ==, "QUIC");
}

static void
test_a_move_without_data_splits_nothing (void)
{
  g_autoptr (Story) before = story_new ();
  g_autoptr (Story) after = story_new ();
  g_autoptr (NsTrace) trace_before = NULL;
  g_autoptr (NsTrace) trace_after = NULL;

  report_quic_request (before, 100, 0);
  trace_before = story_open (before, 100);
  g_assert_cmpuint (trace_before->chromium->len, ==, 1);
  g_assert_cmpuint (row_of (trace_before, 0)->received, ==, 100);
  report_quic_request (after, 0, 50);
  trace_after = story_open (after, 100);
  g_assert_cmpuint (trace_after->chromium->len, ==, 1);
  g_assert_cmpuint (row_of (trace_after, 0)->received, ==, 50);
}

static void
test_an_unused_preconnect_has_no_row (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_netlog (story,
                1,
                "HTTP_STREAM_JOB_CONTROLLER",
                BEGIN,
                11,
                "HTTP_STREAM_JOB_CONTROLLER",
                "{\"url\":\"https://pre.example/\",\"is_preconnect\":true}");
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->chromium->len, ==, 0);
  g_assert_cmpuint (trace->activities->len, ==, 0);
}

/* A UDP socket of the DNS resolver is not taken for a QUIC session. */
static void
test_dns_over_udp_is_not_quic (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_request (story, 1, 10, "https://a.example/");
  story_netlog (story,
                2,
                "DNS_TRANSACTION",
                INSTANT,
                20,
                "HOST_RESOLVER_IMPL_JOB",
                "{\"source_dependency\":{\"id\":21}}");
  story_netlog (story,
                3,
                "SOCKET_ALIVE",
                BEGIN,
                22,
                "UDP_CLIENT_SOCKET",
                "{\"source_dependency\":{\"id\":21}}");
  story_netlog (story, 4, "SOCKET_CONNECT", END, 22, "", "{\"address\":\"8.8.8.8:53\"}");
  report_end (story, 30, 10, "");
  trace = story_open (story, 100);

  g_assert_cmpuint (trace->chromium->len, ==, 1);
  g_assert_null (row_of (trace, 0)->transport);
  g_assert_true (ns_endpoint_is_empty (&row_of (trace, 0)->remote));
}

static void
test_a_stream_of_an_unknown_session_is_kept (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_netlog (story,
                10,
                "HTTP2_SESSION_RECV_DATA",
                INSTANT,
                15,
                "HTTP2_SESSION",
                "{\"stream_id\":7,\"size\":4321}");
  story_netlog (story,
                20,
                "HTTP2_SESSION_RECV_DATA",
                INSTANT,
                15,
                "HTTP2_SESSION",
                "{\"stream_id\":7,\"size\":9}");
  trace = story_open (story, 100);

  g_assert_cmpuint (story_activity (trace, 0)->received, ==, 4330);
  g_assert_cmpuint (story_activity (trace, 0)->url, ==, NS_STRING_NONE);
}

static void
test_a_net_error_fails_the_row (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_request (story, 1, 10, "https://a.example/");
  report_end (story, 30, 10, "{\"net_error\":-105}");
  trace = story_open (story, 100);

  g_assert_true (story_activity (trace, 0)->failed);
  g_assert_cmpint ((gint32) story_activity (trace, 0)->error, ==, -105);
  g_assert_cmpint (story_activity (trace, 0)->error_family, ==, NS_CODE_CHROMIUM);
}

/* Events whose parameters are no JSON or have the wrong types are ignored. */
static void
test_broken_parameters_are_harmless (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_netlog (story, 1, "REQUEST_ALIVE", BEGIN, 10, "URL_REQUEST", "{\"url\":");
  story_netlog (story, 2, "HTTP2_SESSION_RECV_DATA", INSTANT, 15, "HTTP2_SESSION", "[1,2]");
  story_netlog (story,
                3,
                "HTTP2_SESSION_RECV_DATA",
                INSTANT,
                15,
                "HTTP2_SESSION",
                "{\"stream_id\":\"x\",\"size\":-5}");
  story_netlog (story,
                4,
                "HTTP2_SESSION_SEND_HEADERS",
                INSTANT,
                15,
                "HTTP2_SESSION",
                "{\"headers\":{\"a\":1},\"source_dependency\":7}");
  story_netlog (story, 5, "HOST_RESOLVER_MANAGER_CACHE_HIT", INSTANT, 16, "X", "{\"results\":[]}");
  trace = story_open (story, 100);

  g_assert_cmpuint (story_activity (trace, 0)->received, ==, 0);
}

static void
test_records_of_browsers_are_listed (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  guint32 last = 0;

  story->want_events = TRUE;
  report_request (story, 1, 10, "https://h2.example/x");
  report_socket (story, 5);
  report_end (story, 70, 10, "{}");
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->chromium_events->len, ==, 10);
  for (guint i = 0; i < trace->chromium_events->len; i++)
    {
      const NsProviderRow *provider;
      guint32 event;

      g_assert_true (ns_trace_find_event (trace, NS_TABLE_CHROMIUM_EVENTS, i, &event));
      g_assert_cmpuint (event, >=, last);
      last = event + 1;
      provider = &g_array_index (trace->providers,
                                 NsProviderRow,
                                 ns_trace_get_event (trace, event)->provider);
      g_assert_true (ns_chromium_is_channel (&provider->guid));
      g_assert_cmpuint (provider->n_events, ==, 10);
    }
  g_assert_false (ns_trace_find_event (trace, NS_TABLE_CHROMIUM_EVENTS, 10, &last));
  g_assert_false (ns_trace_find_event (trace, NS_TABLE_CHROMIUM, 0, &last));
}

/* Maximum number of migrations of one session that split its requests (ns-chromium.h). */
#define MAX_MIGRATIONS 64

static void
test_a_session_moves_so_often_only (void)
{
  guint n;

  for (n = MAX_MIGRATIONS - 1; n <= MAX_MIGRATIONS + 1; n++)
    {
      g_autoptr (Story) story = story_new ();
      g_autoptr (NsTrace) trace = NULL;
      guint64 received = 0;
      guint i;

      report_quic_begin (story, 100, 50);
      for (i = 2; i <= n; i++)
        {
          double ms = 100 + i * 10;

          report_quic_socket (story, ms, 40 + i, "1.2.3.5:443");
          story_netlog (story,
                        ms + 2,
                        "QUIC_PORT_MIGRATION_TRIGGERED",
                        INSTANT,
                        31,
                        "QUIC_SESSION",
                        "{}");
          story_netlog (story,
                        ms + 3,
                        "QUIC_PORT_MIGRATION_SUCCESS",
                        INSTANT,
                        31,
                        "QUIC_SESSION",
                        "{}");
          report_quic_data (story, ms + 5, 1);
        }
      trace = story_open (story, 2000);
      g_assert_cmpuint (trace->chromium->len, ==, MIN (n, MAX_MIGRATIONS) + 1);
      for (i = 0; i < trace->chromium->len; i++)
        received += row_of (trace, i)->received;
      g_assert_cmpuint (received, ==, 150 + n - 1);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/chromium/groups-of-sockets-are-told-apart",
                   test_groups_of_sockets_are_told_apart);
  g_test_add_func ("/chromium/an-http2-request-is-one-row", test_an_http2_request_is_one_row);
  g_test_add_func ("/chromium/phases-of-a-request", test_phases_of_a_request);
  g_test_add_func ("/chromium/the-winning-job-decides-the-transport",
                   test_the_winning_job_decides_the_transport);
  g_test_add_func ("/chromium/a-cached-answer-says-so", test_a_cached_answer_says_so);
  g_test_add_func ("/chromium/a-redirect-makes-a-second-row", test_a_redirect_makes_a_second_row);
  g_test_add_func ("/chromium/an-unused-preconnect-has-no-row",
                   test_an_unused_preconnect_has_no_row);
  g_test_add_func ("/chromium/a-request-is-split-where-its-session-moves",
                   test_a_request_is_split_where_its_session_moves);
  g_test_add_func ("/chromium/a-move-without-data-splits-nothing",
                   test_a_move_without_data_splits_nothing);
  g_test_add_func ("/chromium/dns-over-udp-is-not-quic", test_dns_over_udp_is_not_quic);
  g_test_add_func ("/chromium/a-stream-of-an-unknown-session-is-kept",
                   test_a_stream_of_an_unknown_session_is_kept);
  g_test_add_func ("/chromium/a-net-error-fails-the-row", test_a_net_error_fails_the_row);
  g_test_add_func ("/chromium/broken-parameters-are-harmless", test_broken_parameters_are_harmless);
  g_test_add_func ("/chromium/records-of-browsers-are-listed", test_records_of_browsers_are_listed);
  g_test_add_func ("/chromium/a-session-moves-so-often-only", test_a_session_moves_so_often_only);
  return g_test_run ();
}
