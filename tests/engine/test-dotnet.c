/* Tests .NET HTTP requests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "story.h"

#include "engine/trace/ns-phases.h"

#include <string.h>

#define ENDPOINT P (0xffffcc0000000100)
#define OTHER_ENDPOINT P (0xffffcc0000000200)
#define ADDRESS "InterNetwork:16:{1,187,1,2,3,4,0,0,0,0,0,0,0,0}"
#define OTHER_ADDRESS "InterNetwork:16:{1,187,1,2,3,5,0,0,0,0,0,0,0,0}"

/* Sets the activity ID of the next events to a .NET activity path. Each nibble of @bytes is one
 * path component, starting with the lowest byte: 0x2111 is 1/1/2/1. 0 clears the ID. */
static void
set_activity_path (Story *story, guint32 bytes)
{
  guint32 sum = bytes + 0x599D99ADu;

  story->activity = bytes;
  story->activity_high = bytes != 0 ? (guint64) (sum ^ story->pid) << 32 : 0;
}

static void
set_task_activity (Story *story, guint32 task)
{
  story->activity = task | G_GUINT64_CONSTANT (1) << 32;
  story->activity_high = story->pid | G_GUINT64_CONSTANT (0xb5d7dcff) << 32;
}

static void
report_start (Story *story, double ms, const char *host)
{
  story_write (story, ms, STORY_DOTNET_HTTP, 1, "wwdwbbd", "https", host, 443, "/x", 1, 1, 0);
}

static void
report_stop (Story *story, double ms, guint status)
{
  story_write_version (story, ms, STORY_DOTNET_HTTP, 2, 1, "d", status);
}

static void
report_failed (Story *story, double ms, const char *why)
{
  story_write_version (story, ms, STORY_DOTNET_HTTP, 3, 1, "w", why);
  report_stop (story, ms + 0.1, (guint) -1);
}

static void
report_http (Story *story, double ms, guint id)
{
  story_write (story, ms, STORY_DOTNET_HTTP, id, "");
}

static void
report_established (Story *story, double ms, guint64 id, const char *address)
{
  story_write_version (story,
                       ms,
                       STORY_DOTNET_HTTP,
                       4,
                       1,
                       "bbqwwdw",
                       1,
                       1,
                       id,
                       "https",
                       "a.example",
                       443,
                       address);
}

static void
report_headers (Story *story, double ms, guint64 id)
{
  story_write_version (story, ms, STORY_DOTNET_HTTP, 7, 1, "q", id);
}

/* Writes a socket connected by .NET; the WinSock call lies between the .NET events. */
static void
report_connect (Story *story, double ms, guint64 endpoint, guint port, const char *address)
{
  guint64 activity = story->activity;
  guint64 activity_high = story->activity_high;

  story_write (story, ms, STORY_DOTNET_SOCKETS, 1, "w", address);
  story->activity = story->activity_high = 0;
  story_socket (story,
                ms + 0.1,
                endpoint,
                port,
                strcmp (address, ADDRESS) == 0 ? "1.2.3.4:443" : "1.2.3.5:443");
  story->activity = activity;
  story->activity_high = activity_high;
}

static void
report_connected (Story *story, double ms)
{
  story_write (story, ms, STORY_DOTNET_SOCKETS, 2, "");
}

/* Writes the events of the request @path from its start to its headers. */
static void
report_new_connection (Story *story, double ms, guint32 path, guint64 id)
{
  set_activity_path (story, path | 0x1000);
  report_connect (story, ms, ENDPOINT, 50001, ADDRESS);
  report_connected (story, ms + 20);
  set_activity_path (story, path);
  report_established (story, ms + 21, id, "1.2.3.4");
}

/* Writes the events from the headers to the stop of the request. */
static void
report_answer (Story *story, double ms, guint32 path, guint status)
{
  report_http (story, ms + 1, 8);
  report_http (story, ms + 10, 11);
  story_write_version (story, ms + 11, STORY_DOTNET_HTTP, 12, 1, "d", status);
  set_activity_path (story, path);
  report_stop (story, ms + 20, status);
}

/* Writes an event of a trimmed program: its ID is arbitrary, and only its name identifies it. */
static void
report_named (Story *story, double ms, const char *name, GByteArray *payload)
{
  static const NsGuid http =
      NS_GUID_INIT (0xd30b5633, 0x7ef1, 0x5485, 0xb4, 0xe0, 0x94, 0x97, 0x9b, 0x10, 0x20, 0x68);
  g_autoptr (GByteArray) fields = g_byte_array_new ();
  g_autoptr (GByteArray) schema = ns_etl_writer_schema_tl (name, fields);
  NsEtlWriterEvent event = { .guid = http, .level = 4, .channel = 11, .id = 77 };

  event.raw = ns_etl_writer_get_base_raw (story->writer) + (guint64) (ms * 10000);
  event.pid = story->pid;
  event.tid = story->tid;
  memcpy (event.activity.bytes, &story->activity, 8);
  memcpy (event.activity.bytes + 8, &story->activity_high, 8);
  event.payload = payload;
  event.schema_tl = schema;
  g_assert_true (ns_etl_writer_add_event (story->writer, &event));
}

static const NsDotnetRow *
row_of (const NsTrace *trace, guint n)
{
  g_assert_cmpuint (trace->dotnet->len, >, n);
  return &g_array_index (trace->dotnet, NsDotnetRow, n);
}

/* Counts the .NET requests in the activity table. */
static guint
count_activities (const NsTrace *trace)
{
  guint n = 0;
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    n += g_array_index (trace->activities, NsActivityRow, i).source_table == NS_TABLE_DOTNET;
  return n;
}

static void
assert_close (const NsDotnetRow *row, double ms)
{
  g_assert_cmpint (ABS (row->close_ns - (gint64) (ms * 1e6)), <, 1000);
}

/* An activity ID that two open requests started with matches neither of them. */
static void
test_an_id_of_two_open_requests_names_neither (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_activity_path (story, 0x11);
  report_start (story, 10, "a.example");
  report_start (story, 20, "b.example");
  report_stop (story, 50, 200);
  trace = story_open (story, 100);
  g_assert_cmpint (row_of (trace, 0)->close_ns, ==, NS_TIME_OPEN);
  g_assert_cmpint (row_of (trace, 1)->close_ns, ==, NS_TIME_OPEN);
  g_assert_cmpuint (trace->dotnet->len, ==, 2);
}

/* An activity ID may be reused after its request has ended. */
static void
test_an_id_comes_again (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_activity_path (story, 0x11);
  report_start (story, 10, "a.example");
  report_stop (story, 20, 200);
  report_start (story, 30, "b.example");
  report_stop (story, 50, 404);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->dotnet->len, ==, 2);
  g_assert_cmpuint (row_of (trace, 0)->http_status, ==, 200);
  g_assert_cmpuint (row_of (trace, 1)->http_status, ==, 404);
  assert_close (row_of (trace, 1), 50);
}

/* Task IDs do not identify a request. With two open requests, only events that follow on the same
 * thread are assigned. */
static void
test_task_ids_are_no_keys (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_task_activity (story, 6);
  story->tid = 8;
  report_start (story, 10, "a.example");
  story->tid = 12;
  report_start (story, 20, "b.example");
  /* Immediately after, on the same thread: assigned. */
  story_write (story, 20.5, STORY_DOTNET_HTTP, 6, "qbb", P (0), 1, 1);
  /* Much later, on another thread: not assigned. */
  story->tid = 16;
  report_stop (story, 50, 200);
  trace = story_open (story, 100);
  g_assert_cmpint (row_of (trace, 0)->evidence, ==, 0);
  g_assert_cmpint (row_of (trace, 1)->evidence, ==, NS_DOTNET_BY_THREAD);
  g_assert_cmpint (row_of (trace, 1)->confidence, ==, NS_CONFIDENCE_INFERRED);
  g_assert_cmpint (row_of (trace, 0)->close_ns, ==, NS_TIME_OPEN);
  g_assert_cmpint (row_of (trace, 1)->close_ns, ==, NS_TIME_OPEN);
  g_assert_cmpint (row_of (trace, 0)->path, ==, NS_STRING_NONE);
}

/* The request with the longest path prefix wins; a nested request has its own row. */
static void
test_a_request_inside_a_request (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_activity_path (story, 0x11);
  report_start (story, 10, "a.example");
  set_activity_path (story, 0x1011);
  report_start (story, 20, "b.example");
  set_activity_path (story, 0x2011);
  report_http (story, 25, 8);
  set_activity_path (story, 0x1011);
  report_stop (story, 30, 201);
  set_activity_path (story, 0x11);
  report_stop (story, 60, 200);
  trace = story_open (story, 100);
  g_assert_cmpuint (row_of (trace, 0)->http_status, ==, 200);
  g_assert_cmpuint (row_of (trace, 1)->http_status, ==, 201);
  assert_close (row_of (trace, 1), 30);
}

/* The request began before the trace. Its response belongs to the parent of the path. */
static void
test_a_request_from_before_the_trace (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_activity_path (story, 0x3011);
  report_http (story, 10, 11);
  story_write_version (story, 11, STORY_DOTNET_HTTP, 12, 1, "d", 200);
  set_activity_path (story, 0x11);
  report_stop (story, 30, 200);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->dotnet->len, ==, 1);
  g_assert_true (row_of (trace, 0)->opened_before_trace);
  g_assert_cmpint (row_of (trace, 0)->open_ns, ==, 0);
  g_assert_cmpuint (row_of (trace, 0)->http_status, ==, 200);
  g_assert_cmpint (row_of (trace, 0)->url, ==, NS_STRING_NONE);
  story_assert_text (trace, row_of (trace, 0)->path, "/#100/1/1/");
  assert_close (row_of (trace, 0), 30);
}

/* Two processes use the same paths and the same connection IDs. */
static void
test_processes_are_told_apart (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_activity_path (story, 0x11);
  report_start (story, 10, "a.example");
  story->pid = 200;
  set_activity_path (story, 0x11);
  report_start (story, 15, "b.example");
  report_stop (story, 20, 500);
  story->pid = 100;
  set_activity_path (story, 0x11);
  report_stop (story, 30, 200);
  trace = story_open (story, 100);
  g_assert_cmpuint (row_of (trace, 0)->http_status, ==, 200);
  g_assert_cmpuint (row_of (trace, 1)->http_status, ==, 500);
}

/* The first request makes the connection, the second one reuses it. */
static void
test_a_connection_is_reused (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_activity_path (story, 0x11);
  report_start (story, 10, "a.example");
  report_new_connection (story, 12, 0x11, 0);
  set_activity_path (story, 0x4011);
  report_headers (story, 40, 0);
  story_socket_bytes (story, 42, 1003, ENDPOINT, 300);
  story_socket_bytes (story, 48, 1004, ENDPOINT, 900);
  set_activity_path (story, 0x4011);
  report_answer (story, 40, 0x11, 200);
  set_activity_path (story, 0x12);
  report_start (story, 70, "a.example");
  set_activity_path (story, 0x1012);
  report_headers (story, 71, 0);
  story_socket_bytes (story, 72, 1003, ENDPOINT, 30);
  story_socket_bytes (story, 78, 1004, ENDPOINT, 90);
  set_activity_path (story, 0x1012);
  report_answer (story, 71, 0x12, 200);
  trace = story_open (story, 200);
  g_assert_cmpuint (trace->dotnet->len, ==, 2);
  g_assert_cmpint (row_of (trace, 0)->reused, ==, 0);
  g_assert_cmpint (row_of (trace, 1)->reused, ==, 1);
  g_assert_true (row_of (trace, 1)->has_connection);
  g_assert_cmpuint (row_of (trace, 1)->connection, ==, 0);
  g_assert_cmpuint (row_of (trace, 0)->winsock, !=, 0);
  g_assert_cmpuint (row_of (trace, 0)->winsock, ==, row_of (trace, 1)->winsock);
  g_assert_cmpint (row_of (trace, 0)->evidence, ==, NS_DOTNET_BY_PATH | NS_DOTNET_BY_CONNECT);
  g_assert_cmpint (row_of (trace, 0)->sent, ==, 300);
  g_assert_cmpint (row_of (trace, 0)->received, ==, 900);
  g_assert_cmpint (row_of (trace, 1)->sent, ==, 30);
  g_assert_cmpint (row_of (trace, 1)->received, ==, 90);
  /* The socket has no row of its own; it belongs to the first request. */
  g_assert_cmpuint (trace->activities->len, ==, 2);
  g_assert_cmpuint (g_array_index (trace->winsock, NsWinsockRow, 0).activity,
                    ==,
                    row_of (trace, 0)->activity);
}

/* A connection is matched by its address if the connect call is missing. The request that made it
 * stays unknown. */
static void
test_a_connection_is_found_by_its_address (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_socket (story, 5, ENDPOINT, 50001, "1.2.3.4:443");
  set_activity_path (story, 0);
  report_established (story, 8, 7, "::ffff:1.2.3.4");
  set_activity_path (story, 0x11);
  report_start (story, 10, "a.example");
  set_activity_path (story, 0x1011);
  report_headers (story, 20, 7);
  report_answer (story, 20, 0x11, 200);
  trace = story_open (story, 200);
  g_assert_cmpint (row_of (trace, 0)->evidence, ==, NS_DOTNET_BY_PATH | NS_DOTNET_BY_REMOTE);
  g_assert_cmpint (row_of (trace, 0)->confidence, ==, NS_CONFIDENCE_LIKELY);
  g_assert_cmpint (row_of (trace, 0)->reused, ==, 1);
}

/* Without a matching socket none is linked. */
static void
test_a_connection_to_nowhere_joins_none (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_socket (story, 5, ENDPOINT, 50001, "9.9.9.9:443");
  set_activity_path (story, 0x11);
  report_start (story, 10, "a.example");
  report_established (story, 15, 7, "1.2.3.4");
  set_activity_path (story, 0x1011);
  report_headers (story, 20, 7);
  report_answer (story, 20, 0x11, 200);
  trace = story_open (story, 200);
  g_assert_cmpuint (row_of (trace, 0)->winsock, ==, 0);
  g_assert_cmpuint (row_of (trace, 0)->tcp, ==, 0);
  g_assert_true (row_of (trace, 0)->has_connection);
  g_assert_cmpint (row_of (trace, 0)->sent, ==, NS_UNKNOWN);
  /* The other socket has its own row. */
  g_assert_cmpuint (trace->activities->len, ==, 2);
}

/* The connect fails: the row has the error and the failed phase. */
static void
test_a_connect_fails (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_activity_path (story, 0x11);
  report_start (story, 10, "a.example");
  set_activity_path (story, 0x1011);
  report_connect (story, 12, ENDPOINT, 50001, ADDRESS);
  story_write (story, 30, STORY_DOTNET_SOCKETS, 3, "dw", 10061, "refused");
  report_connected (story, 30.1);
  set_activity_path (story, 0x11);
  report_failed (story, 31, "No connection (a.example:443)");
  trace = story_open (story, 200);
  g_assert_true (row_of (trace, 0)->failed);
  g_assert_cmpstr (row_of (trace, 0)->failed_phase, ==, "connect");
  g_assert_cmpint (row_of (trace, 0)->error_code, ==, 10061);
  story_assert_text (trace, row_of (trace, 0)->cause, "refused");
  story_assert_text (trace, row_of (trace, 0)->error, "No connection (a.example:443)");
  g_assert_cmpuint (row_of (trace, 0)->http_status, ==, 0);
  g_assert_cmpuint (row_of (trace, 0)->remote->port, ==, 443);
  g_assert_cmpuint (row_of (trace, 0)->winsock, !=, 0);
  g_assert_false (row_of (trace, 0)->has_connection);
}

/* The DNS lookup fails first. */
static void
test_a_look_up_fails (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_activity_path (story, 0x11);
  report_start (story, 10, "a.example");
  set_activity_path (story, 0x1011);
  story_write (story, 12, STORY_DOTNET_NAMES, 1, "w", "a.example");
  story_write (story, 20, STORY_DOTNET_NAMES, 3, "");
  story_write (story, 20.1, STORY_DOTNET_NAMES, 2, "");
  set_activity_path (story, 0x11);
  story_write (story, 21, STORY_DOTNET_HTTP, 3, "");
  report_http (story, 22, 2);
  trace = story_open (story, 200);
  g_assert_cmpstr (row_of (trace, 0)->failed_phase, ==, "dns");
  story_assert_text (trace, row_of (trace, 0)->error, "RequestFailed");
  g_assert_cmpint (row_of (trace, 0)->phases[NS_PHASE_DNS], >, 8000000);
}

/* Without an error of a lower layer, the last event tells the failed phase. */
static void
test_the_last_event_tells_where_it_failed (void)
{
  static const struct
  {
    guint last;
    const char *phase;
  } cases[] = { { 6, "queue" },    { 7, "send" },     { 8, "wait" },     { 9, "send" },
                { 10, "wait" },    { 11, "receive" }, { 12, "receive" }, { 13, "receive" },
                { 14, "receive" }, { 0, "queue" } };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Story) story = story_new ();
      g_autoptr (NsTrace) trace = NULL;

      set_activity_path (story, 0x11);
      report_start (story, 10, "a.example");
      if (cases[i].last != 0)
        report_http (story, 20, cases[i].last);
      report_failed (story, 30, "cancelled");
      trace = story_open (story, 100);
      g_assert_cmpstr (row_of (trace, 0)->failed_phase, ==, cases[i].phase);
    }
}

/* The connection attempt of a request fails after another connection has served it. */
static void
test_an_attempt_that_another_connection_outran (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_activity_path (story, 0);
  report_established (story, 5, 7, "1.2.3.4");
  set_activity_path (story, 0x11);
  report_start (story, 10, "a.example");
  set_activity_path (story, 0x1011);
  report_connect (story, 12, ENDPOINT, 50001, OTHER_ADDRESS);
  set_activity_path (story, 0x2011);
  report_headers (story, 20, 7);
  set_activity_path (story, 0x1011);
  story_write (story, 25, STORY_DOTNET_SOCKETS, 3, "dw", 10060, "timed out");
  report_connected (story, 25.1);
  set_activity_path (story, 0x11);
  report_failed (story, 30, "reset");
  trace = story_open (story, 100);
  g_assert_cmpstr (row_of (trace, 0)->failed_phase, ==, "send");
  g_assert_cmpint (row_of (trace, 0)->error_code, ==, 0);
  g_assert_cmpint (row_of (trace, 0)->cause, ==, NS_STRING_NONE);
}

/* A redirected request is one row with the first URL and the final status. */
static void
test_redirects_are_hops (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const gint64 *phases;

  set_activity_path (story, 0x11);
  report_start (story, 10, "a.example");
  set_activity_path (story, 0x1011);
  report_headers (story, 20, 7);
  report_http (story, 21, 8);
  report_http (story, 30, 11);
  story_write_version (story, 31, STORY_DOTNET_HTTP, 12, 1, "d", 302);
  set_activity_path (story, 0x11);
  story_write (story, 32, STORY_DOTNET_HTTP, 16, "w", "https://b.example/y");
  set_activity_path (story, 0x2011);
  report_headers (story, 40, 8);
  report_http (story, 41, 8);
  report_http (story, 60, 11);
  story_write_version (story, 61, STORY_DOTNET_HTTP, 12, 1, "d", 200);
  set_activity_path (story, 0x11);
  report_stop (story, 70, 200);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->dotnet->len, ==, 1);
  g_assert_cmpuint (row_of (trace, 0)->hops, ==, 2);
  g_assert_cmpuint (row_of (trace, 0)->redirects->len, ==, 1);
  g_assert_cmpuint (row_of (trace, 0)->http_status, ==, 200);
  g_assert_cmpuint (row_of (trace, 0)->connection, ==, 8);
  story_assert_text (trace, row_of (trace, 0)->url, "https://a.example/x");
  phases = row_of (trace, 0)->phases;
  g_assert_cmpint (phases[NS_PHASE_SEND] / 1000000, ==, 2);
  g_assert_cmpint (phases[NS_PHASE_WAIT] / 1000000, ==, 28);
  g_assert_cmpint (phases[NS_PHASE_RECEIVE] / 1000000, ==, 12);
}

/* The first byte is that of the last hop, whose response may be missing. */
static void
test_the_first_byte_is_of_the_last_hop (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_activity_path (story, 0x11);
  report_start (story, 10, "a.example");
  set_activity_path (story, 0x1011);
  report_headers (story, 20, 7);
  report_http (story, 30, 11);
  set_activity_path (story, 0x2011);
  report_headers (story, 40, 8);
  set_activity_path (story, 0x11);
  report_failed (story, 50, "reset");
  trace = story_open (story, 100);
  g_assert_cmpuint (row_of (trace, 0)->hops, ==, 2);
  g_assert_cmpint (row_of (trace, 0)->first_byte_ns, ==, NS_TIME_NONE);
}

/* Bytes on an HTTP/2 connection belong to no single request, even if the connection existed before
 * the trace. */
static void
test_bytes_of_http2_are_nobodys (void)
{
  guint version;

  for (version = 1; version <= 2; version++)
    {
      g_autoptr (Story) story = story_new ();
      g_autoptr (NsTrace) trace = NULL;

      story_socket (story, 5, ENDPOINT, 50001, "1.2.3.4:443");
      set_activity_path (story, 0x11);
      report_start (story, 10, "1.2.3.4");
      story_write (story, 19, STORY_DOTNET_HTTP, 6, "qbb", P (0), version, 0);
      set_activity_path (story, 0x1011);
      report_headers (story, 20, 7);
      story_socket_bytes (story, 22, 1003, ENDPOINT, 300);
      set_activity_path (story, 0x1011);
      report_answer (story, 20, 0x11, 200);
      trace = story_open (story, 100);
      g_assert_cmpuint (row_of (trace, 0)->winsock, !=, 0);
      g_assert_cmpint (row_of (trace, 0)->sent, ==, version == 1 ? 300 : NS_UNKNOWN);
    }
}

/* Phases without events are unknown; the known phases add up to the duration. */
static void
test_phases_add_up (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  const gint64 *phases;
  gint64 sum = 0;
  guint i;

  set_activity_path (story, 0x11);
  report_start (story, 10, "a.example");
  report_new_connection (story, 12, 0x11, 3);
  set_activity_path (story, 0x4011);
  report_headers (story, 40, 3);
  report_answer (story, 40, 0x11, 200);
  trace = story_open (story, 100);
  phases = row_of (trace, 0)->phases;
  for (i = 0; i < NS_N_PHASES; i++)
    sum += MAX (phases[i], 0);
  g_assert_cmpint (sum, ==, row_of (trace, 0)->close_ns - row_of (trace, 0)->open_ns);
  g_assert_cmpint (phases[NS_PHASE_DNS], ==, NS_UNKNOWN);
  g_assert_cmpint (phases[NS_PHASE_TLS], ==, NS_UNKNOWN);
  g_assert_cmpint (phases[NS_PHASE_QUEUE], ==, NS_UNKNOWN);
  g_assert_cmpint (phases[NS_PHASE_CONNECT] / 1000000, ==, 20);
}

/* A completion without activity ID ends the last request started on its thread, or the only open
 * one. */
static void
test_a_stop_without_an_id (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_activity_path (story, 0x11);
  report_start (story, 10, "a.example");
  set_activity_path (story, 0x1011);
  report_connect (story, 12, ENDPOINT, 50001, ADDRESS);
  set_activity_path (story, 0);
  story->tid = 44;
  report_connected (story, 32);
  set_activity_path (story, 0x11);
  report_established (story, 33, 3, "1.2.3.4");
  set_activity_path (story, 0x4011);
  report_headers (story, 40, 3);
  report_answer (story, 40, 0x11, 200);
  trace = story_open (story, 100);
  g_assert_cmpint (row_of (trace, 0)->phases[NS_PHASE_CONNECT] / 1000000, ==, 20);
  g_assert_cmpint (row_of (trace, 0)->confidence, ==, NS_CONFIDENCE_CERTAIN);
}

/* Requests accepted by a server make no client request and no phase. */
static void
test_the_side_of_a_server (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_activity_path (story, 0x11);
  report_start (story, 10, "a.example");
  set_activity_path (story, 0x1011);
  story_write (story, 12, STORY_DOTNET_SOCKETS, 4, "w", ADDRESS);
  story_write (story, 13, STORY_DOTNET_SOCKETS, 5, "");
  story_write (story, 14, STORY_DOTNET_SECURITY, 1, "dw", 1, "");
  story_write (story, 24, STORY_DOTNET_SECURITY, 2, "d", 12288);
  set_activity_path (story, 0x11);
  report_stop (story, 30, 200);
  trace = story_open (story, 100);
  g_assert_cmpuint (count_activities (trace), ==, 1);
  g_assert_cmpint (row_of (trace, 0)->phases[NS_PHASE_TLS], ==, NS_UNKNOWN);
  g_assert_cmpstr (row_of (trace, 0)->tls_version, ==, NULL);
}

/* Payloads may be shorter or longer than expected. */
static void
test_payloads_of_other_lengths (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_activity_path (story, 0x11);
  story_write (story, 10, STORY_DOTNET_HTTP, 1, "ww", "http", "a.example");
  story_write (story, 20, STORY_DOTNET_HTTP, 6, "d", 1);
  story_write (story, 30, STORY_DOTNET_HTTP, 4, "b", 1);
  story_write (story, 35, STORY_DOTNET_HTTP, 7, "d", 1);
  story_write (story, 40, STORY_DOTNET_HTTP, 2, "dqq", 204, P (1), P (2));
  story_write (story, 50, STORY_DOTNET_HTTP, 1, "");
  story_write (story, 55, STORY_DOTNET_FRAMEWORK, 140, "d", 1);
  story_write (story, 56, STORY_DOTNET_SOCKETS, 1, "");
  story_write (story, 57, STORY_DOTNET_SOCKETS, 3, "h", 1);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->dotnet->len, ==, 2);
  g_assert_cmpuint (row_of (trace, 0)->http_status, ==, 204);
  story_assert_text (trace, row_of (trace, 0)->url, "http://a.example");
  g_assert_cmpint (row_of (trace, 1)->url, ==, NS_STRING_NONE);
}

/* Stop events without start, starts without stop, and closes of unknown connections. */
static void
test_ends_without_begins (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_activity_path (story, 0);
  report_stop (story, 10, 200);
  report_connected (story, 11);
  story_write (story, 12, STORY_DOTNET_SECURITY, 3, "dqw", 0, P (0), "no");
  story_write (story, 13, STORY_DOTNET_HTTP, 5, "bbq", 1, 1, P (9));
  story_write (story, 14, STORY_DOTNET_NAMES, 1, "w", "a.example");
  set_activity_path (story, 0x21);
  report_start (story, 20, "a.example");
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->dotnet->len, ==, 1);
  g_assert_cmpint (row_of (trace, 0)->close_ns, ==, NS_TIME_OPEN);
}

/* Self-describing events are recognized by name; counter events are ignored. */
static void
test_events_that_describe_themselves (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (GByteArray) begin = g_byte_array_new ();
  g_autoptr (GByteArray) end = g_byte_array_new ();

  ns_etl_bytes_wstr (begin, "http");
  ns_etl_bytes_wstr (begin, "a.example");
  ns_etl_bytes_u32 (begin, 8080);
  ns_etl_bytes_wstr (begin, "/");
  ns_etl_bytes_u32 (end, 418);
  set_activity_path (story, 0x11);
  report_named (story, 10, "RequestStart", begin);
  report_named (story, 15, "EventCounters", begin);
  report_named (story, 20, "RequestStop", end);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->dotnet->len, ==, 1);
  story_assert_text (trace, row_of (trace, 0)->url, "http://a.example:8080/");
  g_assert_cmpuint (row_of (trace, 0)->http_status, ==, 418);
}

/* A proxy has its own address and port; the row keeps the host of the request. */
static void
test_a_proxy (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  set_activity_path (story, 0x11);
  report_start (story, 10, "a.example");
  set_activity_path (story, 0x1011);
  story_write (story,
               12,
               STORY_DOTNET_SOCKETS,
               1,
               "w",
               "InterNetwork:16:{12,56,1,2,3,9,0,0,0,0,0,0,0,0}");
  story_tcp_connect (story, 12.1, P (0xffffaa0000001000), "10.0.0.5:50001", "1.2.3.9:3128");
  set_activity_path (story, 0x1011);
  report_connected (story, 20);
  set_activity_path (story, 0x11);
  report_established (story, 21, 3, "1.2.3.9");
  set_activity_path (story, 0x4011);
  report_headers (story, 40, 3);
  report_answer (story, 40, 0x11, 200);
  trace = story_open (story, 100);
  g_assert_cmpuint (row_of (trace, 0)->tcp, !=, 0);
  g_assert_cmpuint (row_of (trace, 0)->remote->port, ==, 3128);
  story_assert_text (trace, row_of (trace, 0)->host, "a.example");
  g_assert_cmpint (row_of (trace, 0)->confidence, ==, NS_CONFIDENCE_LIKELY);
}

static void
report_get (Story *story, double ms, guint64 id, const char *uri)
{
  story_write_version (story, ms, STORY_DOTNET_FRAMEWORK, 140, 1, "qwdd", id, uri, 1, 0);
}

static void
report_got (Story *story, double ms, guint64 id, guint success, guint status)
{
  story_write_version (story, ms, STORY_DOTNET_FRAMEWORK, 141, 1, "qddd", id, success, 0, status);
}

/* A .NET Framework request uses an existing connection, or the only one to an address of its
 * host. */
static void
test_a_framework_request_reuses (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_socket (story, 5, ENDPOINT, 50001, "1.2.3.4:443");
  set_activity_path (story, 0);
  report_get (story, 20, 0x10, "https://1.2.3.4/x");
  report_got (story, 40, 0x10, 1, 200);
  trace = story_open (story, 100);
  g_assert_cmpint (row_of (trace, 0)->reused, ==, 1);
  g_assert_cmpuint (row_of (trace, 0)->winsock, !=, 0);
  g_assert_cmpint (row_of (trace, 0)->evidence, ==, NS_DOTNET_BY_HOST_TIME);
  g_assert_cmpint (row_of (trace, 0)->phases[NS_PHASE_OTHER] / 1000000, ==, 20);
  g_assert_cmpint (row_of (trace, 0)->phases[NS_PHASE_WAIT], ==, NS_UNKNOWN);
}

/* If two connections match, none is linked. */
static void
test_a_framework_request_is_not_guessed (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_socket (story, 5, ENDPOINT, 50001, "1.2.3.4:443");
  story_socket (story, 6, OTHER_ENDPOINT, 50002, "1.2.3.4:443");
  set_activity_path (story, 0);
  report_get (story, 20, 0x10, "https://1.2.3.4/x");
  report_got (story, 40, 0x10, 0, 404);
  report_got (story, 50, 0x11, 1, 200);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->dotnet->len, ==, 2);
  /* The request that began before the trace comes first. */
  g_assert_true (row_of (trace, 0)->opened_before_trace);
  g_assert_cmpuint (row_of (trace, 1)->winsock, ==, 0);
  g_assert_true (row_of (trace, 1)->failed);
  g_assert_cmpuint (row_of (trace, 1)->http_status, ==, 404);
  story_assert_text (trace, row_of (trace, 1)->error, "GetResponse failed");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, name) g_test_add_func ("/dotnet/" path, test_##name)
  CLAIM ("id-of-two-open-requests", an_id_of_two_open_requests_names_neither);
  CLAIM ("id-comes-again", an_id_comes_again);
  CLAIM ("task-ids", task_ids_are_no_keys);
  CLAIM ("request-inside-a-request", a_request_inside_a_request);
  CLAIM ("from-before-the-trace", a_request_from_before_the_trace);
  CLAIM ("processes", processes_are_told_apart);
  CLAIM ("reused", a_connection_is_reused);
  CLAIM ("by-address", a_connection_is_found_by_its_address);
  CLAIM ("joins-none", a_connection_to_nowhere_joins_none);
  CLAIM ("connect-fails", a_connect_fails);
  CLAIM ("look-up-fails", a_look_up_fails);
  CLAIM ("last-event", the_last_event_tells_where_it_failed);
  CLAIM ("outrun-attempt", an_attempt_that_another_connection_outran);
  CLAIM ("redirects", redirects_are_hops);
  CLAIM ("first-byte", the_first_byte_is_of_the_last_hop);
  CLAIM ("http2-bytes", bytes_of_http2_are_nobodys);
  CLAIM ("phases-add-up", phases_add_up);
  CLAIM ("stop-without-an-id", a_stop_without_an_id);
  CLAIM ("server-side", the_side_of_a_server);
  CLAIM ("payload-lengths", payloads_of_other_lengths);
  CLAIM ("ends-without-begins", ends_without_begins);
  CLAIM ("describe-themselves", events_that_describe_themselves);
  CLAIM ("proxy", a_proxy);
  CLAIM ("framework-reuses", a_framework_request_reuses);
  CLAIM ("framework-not-guessed", a_framework_request_is_not_guessed);
#undef CLAIM
  return g_test_run ();
}
