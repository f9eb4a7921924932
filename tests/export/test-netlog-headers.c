/* Tests HTTP headers in the parameters of netlog events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-builder.h"
#include "engine/open/ns-parts.h"
#include "export/ns-netlog-headers.h"
#include "export/ns-row-content.h"

#include "story.h"

#include <string.h>

static void
assert_headers (const char *params, const char *expected, gboolean expected_response)
{
  gboolean is_response;
  g_autofree char *text = ns_netlog_headers_dup (params, strlen (params), &is_response);

  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpint (is_response, ==, expected_response);
}

static void
test_lines_stand_as_they_were_said (void)
{
  assert_headers ("{\"headers\":[\":method: GET\",\":path: /a\",\"x: 1\",\"x: 2\"],\"fin\":true}",
                  ":method: GET\r\n:path: /a\r\nx: 1\r\nx: 2\r\n",
                  FALSE);
  assert_headers ("{\"headers\":[\"Host: a\"],\"line\":\"GET / HTTP/1.1\\r\\n\"}",
                  "GET / HTTP/1.1\r\nHost: a\r\n",
                  FALSE);
  assert_headers ("{\"headers\":[\"HTTP/1.1 200\",\"Server: b\"]}",
                  "HTTP/1.1 200\r\nServer: b\r\n",
                  TRUE);
  assert_headers ("{\"headers\":[\":status: 204\"]}", ":status: 204\r\n", TRUE);
}

static void
test_what_is_no_list_is_nothing (void)
{
  assert_headers ("", NULL, FALSE);
  assert_headers ("{\"headers\":\"a: b\"}", NULL, FALSE);
  assert_headers ("{\"headers\":[]}", NULL, FALSE);
  assert_headers ("{\"headers\":[1,{\"a\":2}]}", NULL, FALSE);
  assert_headers ("{\"headers\":[\"a: b\"", NULL, FALSE);
  assert_headers ("[\"headers\"]", NULL, FALSE);
}

/* HTTP/2 requests log their headers in events of the HTTP/2 session. */
static void
test_a_row_of_chromium_has_headers (void)
{
  static const NsTraceOptions options = { .want_events = TRUE };
  static const NsRowContentOptions all = { NS_ROW_CONTENT_MAX_BYTES,
                                           NS_ROW_CONTENT_MAX_DECODED,
                                           NS_ROW_CONTENT_MAX_PARTS };
  g_autoptr (Story) story = story_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (NsRowContent) content = NULL;
  NsTrace *trace;

  story_netlog (story,
                1,
                "REQUEST_ALIVE",
                "Nestable Async Begin",
                10,
                "URL_REQUEST",
                "{\"url\":\"https://a.com/\"}");
  story_netlog (story,
                2,
                "URL_REQUEST_START_JOB",
                "Nestable Async Begin",
                10,
                "URL_REQUEST",
                "{\"method\":\"GET\",\"url\":\"https://a.com/\"}");
  story_netlog (story,
                3,
                "HTTP_TRANSACTION_HTTP2_SEND_REQUEST_HEADERS",
                "Nestable Async Instant",
                10,
                "URL_REQUEST",
                "{\"headers\":[\":method: GET\",\":path: /\",\"cookie: s=secret\"]}");
  story_netlog (story,
                4,
                "HTTP_TRANSACTION_READ_RESPONSE_HEADERS",
                "Nestable Async Instant",
                10,
                "URL_REQUEST",
                "{\"headers\":[\"HTTP/1.1 200\",\"server: b\"]}");
  bytes = ns_etl_writer_finish (story->writer);
  trace = ns_trace_build (ns_etl_file_open_bytes (bytes, "story.etl", NULL),
                          ns_schemas_new (NULL),
                          &options,
                          NULL,
                          NULL,
                          NULL);
  g_assert_true (ns_row_content_may_have_headers (trace));
  content = ns_row_content_find (trace, NS_TABLE_ACTIVITIES, 0, &all, NULL, NULL);
  g_assert_cmpuint (content->parts->len, ==, 2);
  g_assert_cmpint (g_array_index (content->parts, NsContentPart, 0).kind, ==, NS_CONTENT_REQUEST);
  g_assert_cmpstr ((const char *) g_array_index (content->parts, NsContentPart, 0).data,
                   ==,
                   ":method: GET\r\n:path: /\r\ncookie: \342\200\246\r\n");
  g_assert_cmpint (g_array_index (content->parts, NsContentPart, 1).kind, ==, NS_CONTENT_RESPONSE);
  g_assert_cmpstr ((const char *) g_array_index (content->parts, NsContentPart, 1).data,
                   ==,
                   "HTTP/1.1 200\r\nserver: b\r\n");
  ns_trace_unref (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/netlog-headers/lines-stand-as-they-were-said",
                   test_lines_stand_as_they_were_said);
  g_test_add_func ("/netlog-headers/what-is-no-list-is-nothing", test_what_is_no_list_is_nothing);
  g_test_add_func ("/netlog-headers/a-row-of-chromium-has-headers",
                   test_a_row_of_chromium_has_headers);
  return g_test_run ();
}
