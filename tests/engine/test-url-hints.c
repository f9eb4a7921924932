/* Tests the URLs of browsers that do not log their network requests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "story.h"

#include <string.h>

#define BROWSER 100
#define NETWORK 200
#define PAGE 300
#define STRANGER 400
#define SOCKET P (0xffffcc0000000100)
#define LATER P (0xffffcc0000000200)
/* Provider of Edge; the trace has no netlog. */
#define KEYWORD_LOADING 0x40000

static const NsGuid edge =
    NS_GUID_INIT (0x3a5f2396, 0x5c8f, 0x4f1f, 0x9b, 0x67, 0x6c, 0xca, 0x6c, 0x99, 0x0e, 0x61);

/* Writes the kernel's rundown event of a process. */
static void
report_process (Story *story, guint pid, guint parent, const char *name)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterGroup record = { .raw = ns_etl_writer_get_base_raw (story->writer) + 1000,
                              .group = 3,
                              .opcode = 3,
                              .version = 4,
                              .payload = payload };

  ns_etl_bytes_u64 (payload, 0xfff00000 + pid);
  ns_etl_bytes_u32 (payload, pid);
  ns_etl_bytes_u32 (payload, parent);
  ns_etl_bytes_zero (payload, 4 + 4 + 8 + 4 + 4);
  ns_etl_bytes_astr (payload, name);
  ns_etl_bytes_wstr (payload, name);
  ns_etl_bytes_wstr (payload, "");
  ns_etl_bytes_wstr (payload, "");
  g_assert_true (ns_etl_writer_add_group (story->writer, &record));
}

/* Writes a self-describing event of a renderer process. */
static void
report_url (Story *story,
            double ms,
            guint pid,
            const char *name,
            const char *argument,
            const char *url)
{
  g_autoptr (GByteArray) description = g_byte_array_new ();
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  g_autoptr (GByteArray) schema = NULL;
  NsEtlWriterEvent event = { .guid = edge,
                             .level = 4,
                             .keyword = KEYWORD_LOADING,
                             .pid = pid,
                             .tid = pid + 1 };

  ns_etl_bytes_astr (description, "Phase");
  ns_etl_bytes_u8 (description, 2);
  ns_etl_bytes_astr (description, argument);
  ns_etl_bytes_u8 (description, 2);
  schema = ns_etl_writer_schema_tl (name, description);
  ns_etl_bytes_astr (payload, "Begin");
  ns_etl_bytes_astr (payload, url);
  event.raw = ns_etl_writer_get_base_raw (story->writer) + (guint64) (ms * 10000);
  event.schema_tl = schema;
  event.payload = payload;
  g_assert_true (ns_etl_writer_add_event (story->writer, &event));
}

/* Writes the same event of older browsers, which had a manifest with alternating names and
 * values. */
static void
report_legacy_url (Story *story, double ms, guint pid, const char *name, const char *url)
{
  const char *const texts[] = { name, "Complete", "data", "{}", "url", url, "", "" };
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterEvent event = { .guid = edge,
                             .id = 1,
                             .keyword = KEYWORD_LOADING,
                             .pid = pid,
                             .tid = pid + 1 };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    ns_etl_bytes_astr (payload, texts[i]);
  event.raw = ns_etl_writer_get_base_raw (story->writer) + (guint64) (ms * 10000);
  event.payload = payload;
  g_assert_true (ns_etl_writer_add_event (story->writer, &event));
}

/* Makes a browser of three processes; its network service has one socket from 2000 to 8000 ms. */
static Story *
begin_browser (void)
{
  Story *story = story_new ();

  report_process (story, BROWSER, 4, "msedge.exe");
  report_process (story, NETWORK, BROWSER, "msedge.exe");
  report_process (story, PAGE, BROWSER, "msedge.exe");
  report_process (story, STRANGER, 4, "msedge.exe");
  story->pid = NETWORK;
  story->tid = NETWORK + 1;
  story_write (story, 1, STORY_DNS, 3008, "wdqdw", "www.example", 1, P (0), 0, "1.2.3.4;");
  return story;
}

static void
report_socket (Story *story)
{
  story_socket (story, 2000, SOCKET, 50001, "1.2.3.4:443");
  story_socket_bytes (story, 3000, 1003, SOCKET, 700);
  story_socket_close (story, 8000, SOCKET);
}

/* Formats every row: links, process and bytes. */
static char *
to_text (const NsTrace *trace)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = story_activity (trace, i);

      g_string_append_printf (text,
                              "%u<%u %u %s %s %" G_GUINT64_FORMAT " %" G_GINT64_FORMAT
                              "..%" G_GINT64_FORMAT " %d\n",
                              i + 1,
                              row->parent,
                              row->pid,
                              row->protocol == NS_LAYER_CHROMIUM ? "hint" : "socket",
                              row->url != 0 ? ns_trace_text (trace, row->url)
                                            : ns_trace_text (trace, row->server),
                              row->sent + row->received,
                              row->open_ns / 1000000,
                              row->close_ns / 1000000,
                              row->confidence);
    }
  return g_string_free (text, FALSE);
}

static void
test_urls_hang_below_the_socket_of_their_server (void)
{
  g_autoptr (Story) story = begin_browser ();
  g_autoptr (NsTrace) trace = NULL;
  g_autofree char *rows = NULL;

  report_url (story,
              1500,
              PAGE,
              "ResourceFetcher::requestResource",
              "url",
              "https://WWW.example/a");
  report_socket (story);
  report_url (story,
              3500,
              PAGE,
              "mojom::MojoURLLoaderClient::OnReceiveResponse",
              "url",
              "https://WWW.example/a");
  report_url (story, 4000, PAGE, "v8.compile", "fileName", "\"https://u:secret@www.example/b.js\"");
  report_legacy_url (story, 4500, PAGE, "WebContentsImpl Loading", "https://www.example/c");
  trace = story_open (story, 10000);
  rows = to_text (trace);
  g_assert_cmpstr (rows,
                   ==,
                   "1<2 300 hint https://WWW.example/a 0 1500..3500 0\n"
                   "2<0 200 socket www.example 700 2000..8000 -1\n"
                   "3<2 300 hint https://\342\200\246@www.example/b.js 0 4000..4000 0\n"
                   "4<2 300 hint https://www.example/c 0 4500..4500 0\n");
  g_assert_cmpuint (trace->chromium->len, ==, 3);
}

static void
test_urls_of_others_hang_nowhere (void)
{
  g_autoptr (Story) story = begin_browser ();
  g_autoptr (NsTrace) trace = NULL;
  g_autofree char *rows = NULL;

  /* Too early, too late, other host, other port, no URL, other browser, other event. */
  report_url (story, 900, PAGE, "v8.run", "url", "https://www.example/1");
  report_socket (story);
  report_url (story, 3000, PAGE, "v8.run", "url", "https://other.example/2");
  report_url (story, 3100, PAGE, "v8.run", "url", "http://www.example/3");
  report_url (story, 3200, PAGE, "v8.run", "url", "extensions::SafeBuiltins");
  report_url (story, 3300, STRANGER, "v8.run", "url", "https://www.example/4");
  report_url (story, 3400, PAGE, "Some::Event", "url", "https://www.example/5");
  report_url (story, 9000, PAGE, "v8.run", "url", "https://www.example/6");
  trace = story_open (story, 10000);
  rows = to_text (trace);
  g_assert_cmpstr (rows, ==, "1<0 200 socket www.example 700 2000..8000 -1\n");
  g_assert_cmpuint (trace->chromium->len, ==, 0);
}

/* Limits of the search (ns-url-hints.c, ns-activities-hints.c). */
#define MAX_URL 8192
#define MAX_SOCKETS 256
#define MAX_FAMILY 16

/* A longer text is taken for data, not for a URL. */
static void
test_urls_are_so_long_only (void)
{
  gsize n;

  for (n = MAX_URL; n <= MAX_URL + 1; n++)
    {
      g_autoptr (Story) story = begin_browser ();
      g_autofree char *fill = g_strnfill (n - strlen ("https://www.example/"), 'a');
      g_autofree char *url = g_strconcat ("https://www.example/", fill, NULL);
      g_autoptr (NsTrace) trace = NULL;

      report_socket (story);
      report_url (story, 3000, PAGE, "v8.run", "url", url);
      trace = story_open (story, 10000);
      g_assert_cmpuint (trace->chromium->len, ==, n == MAX_URL ? 1 : 0);
    }
}

/* The search for the socket skips a limited number of sockets to the same server that do not match
 * in time. */
static void
test_sockets_are_looked_through_so_far_only (void)
{
  guint n;

  for (n = MAX_SOCKETS - 1; n <= MAX_SOCKETS; n++)
    {
      g_autoptr (Story) story = begin_browser ();
      g_autoptr (NsTrace) trace = NULL;
      guint i;

      report_socket (story);
      for (i = 0; i < n; i++)
        story_socket (story, 2001 + i, 0xffffdd0000000000 + i * 0x100, 40000 + i, "1.2.3.4:80");
      report_url (story, 3000, PAGE, "v8.run", "url", "https://www.example/x");
      trace = story_open (story, 10000);
      g_assert_cmpuint (trace->chromium->len, ==, n < MAX_SOCKETS ? 1 : 0);
    }
}

/* A renderer may be a descendant of the browser at a limited depth. */
static void
test_a_family_is_so_old_only (void)
{
  guint n;

  for (n = MAX_FAMILY; n <= MAX_FAMILY + 1; n++)
    {
      g_autoptr (Story) story = begin_browser ();
      g_autoptr (NsTrace) trace = NULL;
      guint i;

      for (i = 1; i <= n; i++)
        report_process (story, 1000 + i, i == 1 ? BROWSER : 999 + i, "msedge.exe");
      report_socket (story);
      report_url (story, 3000, 1000 + n, "v8.run", "url", "https://www.example/x");
      trace = story_open (story, 10000);
      g_assert_cmpuint (trace->chromium->len, ==, n == MAX_FAMILY ? 1 : 0);
    }
}

static void
test_the_newest_socket_is_taken (void)
{
  g_autoptr (Story) story = begin_browser ();
  g_autoptr (NsTrace) trace = NULL;
  g_autofree char *rows = NULL;

  story_socket (story, 2000, SOCKET, 50001, "1.2.3.4:443");
  story_socket (story, 4000, LATER, 50002, "1.2.3.4:443");
  report_url (story, 5000, PAGE, "v8.run", "url", "https://www.example/x");
  story_socket_close (story, 8000, SOCKET);
  story_socket_close (story, 8000, LATER);
  trace = story_open (story, 10000);
  rows = to_text (trace);
  g_assert_cmpstr (rows,
                   ==,
                   "1<0 200 socket www.example 0 2000..8000 -1\n"
                   "2<0 200 socket www.example 0 4000..8000 -1\n"
                   "3<2 300 hint https://www.example/x 0 5000..5000 0\n");
}

static void
test_a_netlog_needs_no_hints (void)
{
  g_autoptr (Story) story = begin_browser ();
  g_autoptr (NsTrace) trace = NULL;
  g_autofree char *rows = NULL;

  report_socket (story);
  report_url (story, 3000, PAGE, "v8.run", "url", "https://www.example/x");
  story_netlog (story, 9000, "REQUEST_ALIVE", "Nestable Async End", 10, "URL_REQUEST", "{}");
  trace = story_open (story, 10000);
  rows = to_text (trace);
  g_assert_cmpstr (rows, ==, "1<0 200 socket www.example 700 2000..8000 -1\n");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/url-hints/urls-are-so-long-only", test_urls_are_so_long_only);
  g_test_add_func ("/url-hints/sockets-are-looked-through-so-far-only",
                   test_sockets_are_looked_through_so_far_only);
  g_test_add_func ("/url-hints/a-family-is-so-old-only", test_a_family_is_so_old_only);
  g_test_add_func ("/url-hints/below-the-socket", test_urls_hang_below_the_socket_of_their_server);
  g_test_add_func ("/url-hints/of-others", test_urls_of_others_hang_nowhere);
  g_test_add_func ("/url-hints/newest-socket", test_the_newest_socket_is_taken);
  g_test_add_func ("/url-hints/netlog", test_a_netlog_needs_no_hints);
  return g_test_run ();
}
