/* Tests WinINet requests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-activity-below.h"
#include "story.h"

#define HANDLE P (0xcc000c)
#define PARENT P (0xcc0008)
#define REQUEST P (0x2a0b0c0d0)
#define ACTIVITY P (0x00cc000c00000001)
#define K1 P (0xffffaa0000001000)
#define K2 P (0xffffaa0000002000)

static void
report_created (Story *story, double ms)
{
  story->activity = ACTIVITY;
  story_write (story,
               ms,
               STORY_WININET,
               104,
               "ppccchhd",
               HANDLE,
               PARENT,
               "GET",
               "/x",
               "HTTP/1.1",
               0,
               0,
               0);
  story_write (story, ms + 0.1, STORY_WININET, 108, "pcdh", HANDLE, "a.com", 443, 0);
  story_write_version (story, ms + 1, STORY_WININET, 200, 1, "pp", HANDLE, P (5));
}

static void
report_sent (Story *story, double ms, const char *url)
{
  story->activity = ACTIVITY;
  story_write (story, ms, STORY_WININET, 1007, "pa", REQUEST, url);
}

/* Writes event 1045, the TCP connect and event 1046. */
static void
report_connected (Story *story, double ms, guint64 tcb, guint local_port, const char *remote)
{
  g_autofree char *local = g_strdup_printf ("10.0.0.5:%u", local_port);
  guint32 tid = story->tid;

  story->tid = 8;
  story->activity = ACTIVITY;
  story_write (story, ms, STORY_WININET, 1045, "p", REQUEST);
  story_tcp_connect (story, ms + 0.4, tcb, local, remote);
  story->activity = ACTIVITY;
  story_write_version (story,
                       ms + 10,
                       STORY_WININET,
                       1046,
                       1,
                       "pddAA",
                       REQUEST,
                       local_port,
                       0,
                       local,
                       remote);
  story->tid = tid;
}

static void
report_answered (Story *story, double ms, const char *line)
{
  story->activity = ACTIVITY;
  story_write (story, ms, STORY_WININET, 1008, "pC", REQUEST, line);
}

static void
report_closed (Story *story, double ms)
{
  story->activity = ACTIVITY;
  story_write (story, ms, STORY_WININET, 105, "p", HANDLE);
}

static void
report_bytes (Story *story, double ms, guint id, guint n)
{
  story->activity = ACTIVITY;
  story_write (story, ms, STORY_WININET, id, "pd", REQUEST, n);
}

static void
test_a_request_lives_until_its_answer (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  report_created (story, 0);
  report_sent (story, 2, "https://a.com/x");
  story_write (story, 3, STORY_WININET, 304, "cp", "a.com", HANDLE);
  story_write (story, 3.5, STORY_WININET, 305, "cpc", "a.com", HANDLE, "1.2.3.4");
  story_write (story, 4, STORY_WININET, 301, "cppd", "a.com", HANDLE, P (7), 50010);
  report_connected (story, 5, K1, 50010, "1.2.3.4:443");
  report_bytes (story, 20, 1031, 300);
  report_bytes (story, 30, 1037, 2000);
  report_answered (story, 40, "HTTP/1.1 200 OK");
  report_closed (story, 50);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  g_assert_cmpuint (row->protocol, ==, NS_LAYER_WININET);
  story_assert_text (trace, row->method, "GET");
  story_assert_text (trace, row->server, "a.com");
  story_assert_text (trace, row->url, "https://a.com/x");
  g_assert_cmpuint (ns_guid_low (row->activity_id), ==, ACTIVITY);
  story_assert_remote (row, "1.2.3.4:443");
  g_assert_cmpuint (row->sent, ==, 300);
  g_assert_cmpuint (row->received, ==, 2000);
  g_assert_cmpuint (row->http_status, ==, 200);
  g_assert_cmpuint (row->socket, ==, 50010);
  g_assert_cmpuint (ns_activity_get_tcb (trace, row), ==, K1);
  g_assert_cmpint (row->open_ns, ==, 0);
  g_assert_cmpint (row->close_ns, ==, 40000000);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_DNS), ==, 500000);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_CONNECT), ==, 10000000);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_TLS), ==, NS_UNKNOWN);
  g_assert_cmpint (g_array_index (trace->wininet, NsWininetRow, 0).close_ns, ==, 50000000);
  g_assert_cmpuint (g_array_index (trace->wininet, NsWininetRow, 0).context, ==, 5);
  g_assert_cmpuint (g_array_index (trace->tcp, NsTcpRow, 0).owner & NS_LAYER_WININET, !=, 0);
  ns_trace_unref (trace);
}

static void
test_a_cache_hit_takes_no_connection (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  /* A connection of the same process with unknown endpoints, which must not be taken. */
  story_tcp_posted (story, 0, K1, 5);
  report_created (story, 1);
  report_sent (story, 3, "https://a.com/x");
  story_write (story, 3.5, STORY_WININET, 1017, "p", REQUEST);
  report_closed (story, 5);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 2);
  row = story_activity (trace, 1);
  story_assert_text (trace, row->status, "PreNet Cache Hit");
  g_assert_true (row->from_cache);
  g_assert_cmpuint (row->tcp, ==, 0);
  g_assert_cmpuint (row->received, ==, 0);
  g_assert_cmpint (row->close_ns, ==, 5000000);
  ns_trace_unref (trace);
}

static void
test_a_redirect_goes_on_as_another_row (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *one;
  const NsActivityRow *two;
  NsTrace *trace;

  story->stack[0] = 0x7ff600001010;
  report_created (story, 0);
  report_sent (story, 2, "https://a.com/x");
  report_connected (story, 5, K1, 50010, "1.2.3.4:443");
  report_bytes (story, 30, 1037, 2000);
  report_answered (story, 40, "HTTP/1.1 302 Found");
  story_write (story, 45, STORY_WININET, 1049, "pa", REQUEST, "http://b.org/y");
  report_connected (story, 46, K2, 50011, "5.6.7.8:80");
  report_bytes (story, 70, 1037, 800);
  report_answered (story, 80, "HTTP/1.1 200 OK");
  report_closed (story, 90);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 2);
  one = story_activity (trace, 0);
  two = story_activity (trace, 1);
  story_assert_text (trace, one->status, "Redirected");
  g_assert_true (one->redirected);
  g_assert_cmpuint (one->received, ==, 2000);
  g_assert_cmpuint (ns_activity_get_tcb (trace, one), ==, K1);
  g_assert_cmpint (one->close_ns, ==, 45000000);
  story_assert_text (trace, two->method, "RDIR");
  story_assert_text (trace, two->server, "b.org");
  g_assert_cmpuint (two->received, ==, 800);
  g_assert_cmpuint (ns_activity_get_tcb (trace, two), ==, K2);
  g_assert_cmpuint (two->http_status, ==, 200);
  g_assert_cmpuint (two->stack, !=, 0);
  g_assert_cmpuint (two->stack, ==, one->stack);
  g_assert_cmpuint (g_array_index (trace->wininet, NsWininetRow, 1).server_port, ==, 80);
  g_assert_cmpuint (g_array_index (trace->wininet, NsWininetRow, 1).redirect_from, ==, 1);
  ns_trace_unref (trace);
}

static void
test_sending_again_is_another_row (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;

  report_created (story, 0);
  report_sent (story, 2, "https://a.com/x");
  story_write_version (story, 3, STORY_WININET, 1046, 1, "pdddd", REQUEST, 0, 0, 0, 0);
  report_bytes (story, 4, 1031, 100);
  story_write (story, 5, STORY_WININET, 1008, "pd", REQUEST, 0);
  report_sent (story, 10, "https://a.com/x");
  story_write (story, 10.5, STORY_WININET, 305, "cpc", "a.com", HANDLE, "1.2.3.4");
  report_bytes (story, 11, 1031, 300);
  report_answered (story, 20, "HTTP/1.1 200 OK");
  report_closed (story, 30);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 2);
  /* The first attempt got an empty response; the handle continues with the next attempt. */
  g_assert_cmpint (story_activity (trace, 0)->close_ns, ==, 5000000);
  g_assert_cmpint (g_array_index (trace->wininet, NsWininetRow, 0).close_ns, ==, 10000000);
  /* The first attempt does not take over what only the second one learned. */
  g_assert_true (ns_endpoint_is_empty (story_activity (trace, 0)->remote));
  story_assert_remote (story_activity (trace, 1), "1.2.3.4:443");
  g_assert_cmpuint (story_activity (trace, 0)->sent, ==, 100);
  g_assert_cmpuint (story_activity (trace, 1)->sent, ==, 300);
  g_assert_cmpint (story_activity (trace, 1)->close_ns, ==, 20000000);
  story_assert_text (trace, story_activity (trace, 1)->server, "a.com");
  ns_trace_unref (trace);
}

/* The reference tool takes the address of a later attempt. */
static void
test_reference_takes_the_address_of_a_later_try (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;

  story->like_reference = TRUE;
  report_created (story, 0);
  report_sent (story, 2, "https://a.com/x");
  story_write (story, 5, STORY_WININET, 1008, "pd", REQUEST, 0);
  report_sent (story, 10, "https://a.com/x");
  story_write (story, 10.5, STORY_WININET, 305, "cpc", "a.com", HANDLE, "1.2.3.4");
  report_answered (story, 20, "HTTP/1.1 200 OK");
  trace = story_open (story, 100);
  story_assert_remote (story_activity (trace, 0), "1.2.3.4:443");
  ns_trace_unref (trace);
}

static void
test_frames_of_http2_are_counted_once (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;

  report_created (story, 0);
  report_sent (story, 2, "https://a.com/x");
  story_write (story, 20, STORY_WININET, 1037, "pd", P (0), 9999);
  story_write (story, 21, STORY_WININET, 1064, "pddd", HANDLE, 1, 120, 1);
  story_write (story, 22, STORY_WININET, 1064, "pddd", HANDLE, 1, 700, 0);
  report_answered (story, 30, "HTTP/1.1 200");
  trace = story_open (story, 100);
  g_assert_cmpuint (story_activity (trace, 0)->received, ==, 820);
  g_assert_cmpuint (story_activity (trace, 0)->http_status, ==, 200);
  g_assert_true (g_array_index (trace->wininet, NsWininetRow, 0).http2);
  ns_trace_unref (trace);
}

static void
test_a_late_join_is_a_row_without_a_name (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  report_connected (story, 5, K1, 50010, "1.2.3.4:443");
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  g_assert_cmpuint (row->protocol, ==, NS_LAYER_WININET);
  g_assert_cmpuint (row->url, ==, NS_STRING_NONE);
  g_assert_cmpuint (row->method, ==, NS_STRING_NONE);
  g_assert_true (row->inferred);
  g_assert_cmpuint (ns_activity_get_tcb (trace, row), ==, K1);
  ns_trace_unref (trace);
}

/* Windows 7 without TCP events: the address resolved for the request is the remote address. */
static void
test_a_name_resolved_on_the_way_is_the_address (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;

  story->activity = ACTIVITY;
  report_created (story, 0);
  report_sent (story, 2, "https://a.com/x");
  story_write (story, 4, STORY_WININET, 305, "cpc", "a.com", HANDLE, "1.2.3.4");
  story_write (story, 5, STORY_WININET, 1045, "p", REQUEST);
  story_write_version (story, 6, STORY_WININET, 1046, 0, "pd", REQUEST, 50010);
  report_closed (story, 9);
  trace = story_open (story, 100);
  story_assert_remote (story_activity (trace, 0), "1.2.3.4:443");
  ns_trace_unref (trace);
}

static void
test_the_local_address_is_that_of_the_connection (void)
{
  g_autoptr (Story) story = story_new ();
  char text[NS_IP_TEXT_SIZE];
  NsTrace *trace;

  report_connected (story, 5, K1, 50010, "1.2.3.4:443");
  trace = story_open (story, 100);
  g_assert_cmpstr (ns_endpoint_to_text (story_activity (trace, 0)->local, text),
                   ==,
                   "10.0.0.5:50010");
  ns_trace_unref (trace);
}

static void
test_a_connection_alone_restores_its_request (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;

  story->activity = ACTIVITY;
  story_write (story, 0, STORY_WININET, 301, "cppd", "late.example", HANDLE, P (7), 50010);
  report_bytes (story, 20, 1037, 500);
  report_closed (story, 40);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  story_assert_text (trace, story_activity (trace, 0)->server, "late.example");
  g_assert_cmpuint (story_activity (trace, 0)->received, ==, 500);
  g_assert_cmpuint (g_array_index (trace->wininet, NsWininetRow, 0).local_port, ==, 50010);
  g_assert_cmpuint (g_array_index (trace->wininet, NsWininetRow, 0).connect, ==, HANDLE);
  ns_trace_unref (trace);
}

static void
test_windows_7_tells_the_port_only (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  story->activity = ACTIVITY;
  story_write (story,
               0,
               STORY_WININET,
               104,
               "ppccchhd",
               HANDLE,
               PARENT,
               "GET",
               "/x",
               "HTTP/1.1",
               0,
               0,
               0);
  story_write (story, 1, STORY_WININET, 200, "p", HANDLE);
  report_sent (story, 2, "https://a.com/x");
  story->tid = 8;
  story_write (story, 5, STORY_WININET, 1045, "p", REQUEST);
  story_tcp_connect (story, 5.4, K1, "10.0.0.5:50010", "1.2.3.4:443");
  story->activity = ACTIVITY;
  story_write (story, 9, STORY_WININET, 1046, "pd", REQUEST, 50010);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  story_assert_remote (row, "1.2.3.4:443");
  g_assert_cmpuint (ns_activity_get_tcb (trace, row), ==, K1);
  ns_trace_unref (trace);
}

static void
test_another_port_is_another_connection (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *parent = NULL;
  const NsActivityRow *child = NULL;
  NsTrace *trace;
  guint i;

  report_created (story, 0);
  report_sent (story, 2, "https://a.com/x");
  report_connected (story, 5, K1, 50010, "1.2.3.4:443");
  report_connected (story, 20, K2, 50020, "1.2.3.4:443");
  report_bytes (story, 40, 1037, 500);
  report_answered (story, 45, "HTTP/1.1 401 Unauthorized");
  report_closed (story, 50);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->wininet->len, ==, 1);
  g_assert_cmpuint (trace->activities->len, ==, 2);
  for (i = 0; i < 2; i++)
    *(story_activity (trace, i)->parent == 0 ? &parent : &child) = story_activity (trace, i);
  g_assert_nonnull (parent);
  g_assert_nonnull (child);
  g_assert_cmpuint (ns_activity_get_tcb (trace, parent), ==, K2);
  g_assert_cmpuint (parent->socket, ==, 50020);
  g_assert_cmpuint (parent->http_status, ==, 401);
  g_assert_cmpuint (ns_activity_get_tcb (trace, child), ==, K1);
  g_assert_cmpuint (child->socket, ==, 50010);
  g_assert_cmpuint (child->received, ==, 0);
  ns_trace_unref (trace);
}

static void
test_a_kept_connection_serves_the_next_request (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  report_created (story, 0);
  report_sent (story, 2, "https://a.com/x");
  story_write (story, 4, STORY_WININET, 301, "cppd", "a.com", HANDLE, P (7), 50010);
  report_connected (story, 5, K1, 50010, "1.2.3.4:443");
  report_answered (story, 20, "HTTP/1.1 200 OK");
  report_closed (story, 25);
  story->activity = P (0x00cc001000000002);
  story_write (story,
               30,
               STORY_WININET,
               104,
               "ppccchhd",
               P (0xcc0010),
               PARENT,
               "GET",
               "/y",
               "",
               0,
               0,
               0);
  story_write (story, 31, STORY_WININET, 1007, "pa", REQUEST + 0x100, "https://a.com/y");
  story_write (story, 32, STORY_WININET, 206, "pp", P (0xcc0010), P (7));
  story_write (story, 33, STORY_WININET, 1037, "pd", REQUEST + 0x100, 70);
  story_write (story, 40, STORY_WININET, 1008, "pC", REQUEST + 0x100, "HTTP/1.1 304 Not Modified");
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 2);
  g_assert_cmpint (story_activity (trace, 0)->reused, ==, 0);
  row = story_activity (trace, 1);
  g_assert_cmpint (row->reused, ==, 1);
  g_assert_cmpuint (ns_activity_get_tcb (trace, row), ==, K1);
  g_assert_cmpuint (row->received, ==, 70);
  story_assert_remote (row, "1.2.3.4:443");
  ns_trace_unref (trace);
}

/* A process reuses its ephemeral ports within seconds; each request is linked by time. */
static void
test_each_request_has_the_connection_of_its_time (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;
  guint i;

  for (i = 0; i < 20; i++)
    {
      g_autofree char *local = g_strdup_printf ("10.0.0.5:%u", 50000 + i % 3);
      guint64 activity = ACTIVITY + ((guint64) i << 32);
      guint64 object = REQUEST + i * 0x100;
      double ms = 250.0 * i;

      story->activity = activity;
      story_write (story,
                   ms,
                   STORY_WININET,
                   104,
                   "ppccchhd",
                   HANDLE + i,
                   PARENT,
                   "GET",
                   "/",
                   "",
                   0,
                   0,
                   0);
      story_write (story, ms + 1, STORY_WININET, 1007, "pa", object, "https://a.com/x");
      story_write (story, ms + 2, STORY_WININET, 1045, "p", object);
      story_tcp_connect (story, ms + 3, K1 + i, local, "1.2.3.4:443");
      story->activity = activity;
      story_write_version (story,
                           ms + 4,
                           STORY_WININET,
                           1046,
                           1,
                           "pddAA",
                           object,
                           50000 + i % 3,
                           0,
                           local,
                           "1.2.3.4:443");
      story_write (story, ms + 20, STORY_WININET, 105, "p", HANDLE + i);
      story->activity = 0;
      story_write (story,
                   ms + 30,
                   STORY_TCPIP,
                   1038,
                   "AAdddp",
                   local,
                   "1.2.3.4:443",
                   0,
                   100,
                   0,
                   K1 + i);
    }
  trace = story_open (story, 6000);
  g_assert_cmpuint (trace->activities->len, ==, 20);
  for (i = 0; i < 20; i++)
    g_assert_cmpuint (ns_activity_get_tcb (trace, story_activity (trace, i)), ==, K1 + i);
  ns_trace_unref (trace);
}

static void
test_a_dead_connection_does_not_hide_the_next (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  report_created (story, 0);
  report_sent (story, 2, "https://a.com/x");
  story_write (story, 3, STORY_WININET, 305, "cpc", "a.com", HANDLE, "1.2.3.4");
  story_write_version (story, 4, STORY_WININET, 1046, 1, "pdddd", REQUEST, 0, 0, 0, 0);
  report_connected (story, 5, K1, 50010, "1.2.3.5:443");
  report_answered (story, 20, "HTTP/1.1 200 OK");
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  row = story_activity (trace, 0);
  story_assert_remote (row, "1.2.3.5:443");
  g_assert_cmpuint (ns_activity_get_tcb (trace, row), ==, K1);
  g_assert_cmpuint (row->socket, ==, 50010);
  ns_trace_unref (trace);
}

static void
test_looking_for_a_proxy_is_a_phase (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  report_created (story, 0);
  report_sent (story, 2, "https://a.com/x");
  story_write (story, 3, STORY_WININET, 816, "");
  story_write (story, 4, STORY_WININET, 813, "c", "https://a.com/x");
  story_write (story, 9, STORY_WININET, 814, "cc", "https://a.com/x", "PROXY p:80");
  story_write (story, 10, STORY_WININET, 817, "");
  story_write (story, 10, STORY_WININET, 304, "cp", "a.com", HANDLE);
  story_write (story, 11, STORY_WININET, 305, "cpc", "a.com", HANDLE, "1.2.3.4");
  report_answered (story, 40, "HTTP/1.1 200 OK");
  trace = story_open (story, 100);
  row = story_activity (trace, 0);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_PROXY), ==, 7000000);
  g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_DNS), ==, 1000000);
  ns_trace_unref (trace);
}

/* The phase lasts from event 1045 until a connection is assigned (206) or opened (301), because
 * connections per server are limited. The time before the request was sent is not part of it. */
static void
test_waiting_for_a_connection_is_a_phase (void)
{
  static const guint ids[] = { 206, 301 };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autoptr (Story) story = story_new ();
      const NsActivityRow *row;
      NsTrace *trace;

      report_created (story, 0);
      report_sent (story, 60, "https://a.com/x");
      story_write (story, 62, STORY_WININET, 1045, "p", REQUEST);
      if (ids[i] == 206)
        story_write (story, 212, STORY_WININET, 206, "pp", HANDLE, P (7));
      else
        story_write (story, 212, STORY_WININET, 301, "cppd", "a.com", HANDLE, P (7), 50010);
      story_write_version (story,
                           215,
                           STORY_WININET,
                           1046,
                           1,
                           "pddAA",
                           REQUEST,
                           50010,
                           0,
                           "10.0.0.5:50010",
                           "1.2.3.4:443");
      report_answered (story, 240, "HTTP/1.1 200 OK");
      trace = story_open (story, 300);
      row = story_activity (trace, 0);
      g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_QUEUE), ==, 150000000);
      g_assert_cmpint (ns_activity_row_get_phase (row, NS_PHASE_CONNECT), ==, 3000000);
      ns_trace_unref (trace);
    }
}

/* From event 701 to 702, or to 703 after a failure. */
static void
test_negotiating_is_a_phase (void)
{
  static const guint ends[] = { 702, 703 };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autoptr (Story) story = story_new ();
      NsTrace *trace;

      report_created (story, 0);
      report_sent (story, 2, "https://a.com/x");
      story_write (story, 12, STORY_WININET, 701, "p", HANDLE);
      story_write (story, 25, STORY_WININET, ends[i], "pd", HANDLE, 12037 * i);
      report_answered (story, 40, "HTTP/1.1 200 OK");
      trace = story_open (story, 100);
      g_assert_cmpint (ns_activity_row_get_phase (story_activity (trace, 0), NS_PHASE_TLS),
                       ==,
                       13000000);
      ns_trace_unref (trace);
    }
}

static void
test_failures_are_told (void)
{
  g_autoptr (Story) story = story_new ();
  const NsActivityRow *row;
  NsTrace *trace;

  report_created (story, 0);
  report_sent (story, 2, "https://a.com/x");
  story_write (story, 3, STORY_WININET, 304, "cp", "a.com", HANDLE);
  story_write (story, 4, STORY_WININET, 306, "cpd", "a.com", HANDLE, 11001);
  story_write (story, 5, STORY_WININET, 202, "pd", HANDLE, 12007);
  report_closed (story, 6);
  trace = story_open (story, 100);
  row = story_activity (trace, 0);
  g_assert_cmpuint (row->error, ==, 12007);
  g_assert_cmpint (row->error_family, ==, NS_CODE_WIN32);
  g_assert_true (row->failed);
  g_assert_cmpuint (trace->dns->len, ==, 1);
  g_assert_cmpuint (g_array_index (trace->dns, NsDnsRow, 0).status, ==, 11001);
  ns_trace_unref (trace);
}

static void
test_cut_off_payloads_harm_nobody (void)
{
  static const guint ids[] = { 104,  105,  107,  108,  200,  202,  203,  204,  206,  209,  213,
                               301,  302,  304,  305,  306,  307,  701,  1007, 1008, 1017, 1029,
                               1030, 1031, 1037, 1045, 1046, 1049, 1059, 1064, 1065 };
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      story->activity = ACTIVITY * (i % 2);
      story_write (story, i, STORY_WININET, ids[i], "");
      story_write (story, i + 0.2, STORY_WININET, ids[i], "h", 0xffff);
      story_write (story, i + 0.4, STORY_WININET, ids[i], "p", HANDLE);
      story_write (story, i + 0.6, STORY_WININET, ids[i], "pdd", HANDLE, 0xffffffff, 0xffffffff);
    }
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->n_records, >=, 4 * G_N_ELEMENTS (ids));
  ns_trace_unref (trace);
}

/* Maximum number of connections that are searched, newest first (ns-tcpip-private.h). */
#define MAX_CANDIDATES 128

/* Asserts whether the connection of a request is found if @n_same_ends connections of another
 * process have the same endpoints, and @n_same_process of its own process have other ports. */
static void
assert_connection (guint n_same_ends, guint n_same_process, gboolean is_found)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  guint64 tcb = K1;
  guint i;

  story_tcp_connect (story, 1, tcb, "10.0.0.5:50001", "1.2.3.4:443");
  story->pid += 100;
  for (i = 1; i <= n_same_ends; i++)
    story_tcp_connect (story, 1 + i, tcb += 0x1000, "10.0.0.5:50001", "1.2.3.4:443");
  story->pid -= 100;
  for (i = 1; i <= n_same_process; i++)
    {
      g_autofree char *local = g_strdup_printf ("10.0.0.5:%u", 50001 + i);

      story_tcp_connect (story, 500 + i, tcb += 0x1000, local, "1.2.3.4:443");
    }
  report_created (story, 1000);
  report_sent (story, 1005, "https://a.com/x");
  story_write (story, 1006, STORY_WININET, 1045, "p", REQUEST);
  story_write_version (story,
                       1010,
                       STORY_WININET,
                       1046,
                       1,
                       "pddAA",
                       REQUEST,
                       50001,
                       0,
                       "10.0.0.5:50001",
                       "1.2.3.4:443");
  report_answered (story, 1020, "HTTP/1.1 200 OK");
  report_closed (story, 1050);
  trace = story_open (story, 2000);
  g_assert_cmpuint (trace->wininet->len, ==, 1);
  g_assert_cmpuint (trace->tcp->len, ==, 1 + n_same_ends + n_same_process);
  g_assert_cmpuint (g_array_index (trace->wininet, NsWininetRow, 0).tcp, ==, is_found ? 1 : 0);
}

static void
test_connections_are_searched_so_far_back_only (void)
{
  assert_connection (MAX_CANDIDATES - 1, MAX_CANDIDATES, TRUE);
  assert_connection (MAX_CANDIDATES, MAX_CANDIDATES - 1, TRUE);
  assert_connection (MAX_CANDIDATES, MAX_CANDIDATES, FALSE);
}

/* Maximum number of requests with one handle that are searched, newest first
 * (ns-wininet-state.h). */
#define MAX_LOOK_BACK 256

/* Only the oldest request has no context yet. */
static void
test_requests_are_searched_so_far_back_only (void)
{
  guint n;

  for (n = MAX_LOOK_BACK - 1; n <= MAX_LOOK_BACK; n++)
    {
      g_autoptr (Story) story = story_new ();
      g_autoptr (NsTrace) trace = NULL;
      guint i;

      for (i = 0; i <= n; i++)
        {
          story->activity = P (0x00cc000c00000001) + i;
          story_write (story,
                       1 + i,
                       STORY_WININET,
                       104,
                       "ppccchhd",
                       HANDLE,
                       PARENT,
                       "GET",
                       "/x",
                       "HTTP/1.1",
                       0,
                       0,
                       0);
          if (i > 0)
            story_write_version (story, 1.5 + i, STORY_WININET, 200, 1, "pp", HANDLE, P (5));
        }
      story_write (story, 1000, STORY_WININET, 108, "pcdh", HANDLE, "a.com", 443, 0);
      trace = story_open (story, 2000);
      g_assert_cmpuint (trace->wininet->len, ==, n + 1);
      g_assert_cmpint (
          g_strcmp0 (ns_trace_text (trace, g_array_index (trace->wininet, NsWininetRow, 0).server),
                     "a.com") == 0,
          ==,
          n < MAX_LOOK_BACK);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(name, func) g_test_add_func ("/wininet/" name, func)
  CLAIM ("a-request-lives-until-its-answer", test_a_request_lives_until_its_answer);
  CLAIM ("a-cache-hit-takes-no-connection", test_a_cache_hit_takes_no_connection);
  CLAIM ("a-redirect-goes-on-as-another-row", test_a_redirect_goes_on_as_another_row);
  CLAIM ("sending-again-is-another-row", test_sending_again_is_another_row);
  CLAIM ("reference-takes-the-address-of-a-later-try",
         test_reference_takes_the_address_of_a_later_try);
  CLAIM ("frames-of-http2-are-counted-once", test_frames_of_http2_are_counted_once);
  CLAIM ("a-late-join-is-a-row-without-a-name", test_a_late_join_is_a_row_without_a_name);
  CLAIM ("a-name-resolved-on-the-way-is-the-address",
         test_a_name_resolved_on_the_way_is_the_address);
  CLAIM ("the-local-address-is-that-of-the-connection",
         test_the_local_address_is_that_of_the_connection);
  CLAIM ("a-connection-alone-restores-its-request", test_a_connection_alone_restores_its_request);
  CLAIM ("windows-7-tells-the-port-only", test_windows_7_tells_the_port_only);
  CLAIM ("another-port-is-another-connection", test_another_port_is_another_connection);
  CLAIM ("a-kept-connection-serves-the-next-request",
         test_a_kept_connection_serves_the_next_request);
  CLAIM ("each-request-has-the-connection-of-its-time",
         test_each_request_has_the_connection_of_its_time);
  CLAIM ("a-dead-connection-does-not-hide-the-next", test_a_dead_connection_does_not_hide_the_next);
  CLAIM ("looking-for-a-proxy-is-a-phase", test_looking_for_a_proxy_is_a_phase);
  CLAIM ("waiting-for-a-connection-is-a-phase", test_waiting_for_a_connection_is_a_phase);
  CLAIM ("negotiating-is-a-phase", test_negotiating_is_a_phase);
  CLAIM ("failures-are-told", test_failures_are_told);
  CLAIM ("cut-off-payloads-harm-nobody", test_cut_off_payloads_harm_nobody);
#undef CLAIM
  g_test_add_func ("/wininet/connections-are-searched-so-far-back-only",
                   test_connections_are_searched_so_far_back_only);
  g_test_add_func ("/wininet/requests-are-searched-so-far-back-only",
                   test_requests_are_searched_so_far_back_only);
  return g_test_run ();
}
