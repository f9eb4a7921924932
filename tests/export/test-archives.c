/* Tests the export of requests as HAR and of packets as pcapng.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-cursor.h"
#include "base/ns-secrets.h"
#include "export/ns-export-har.h"
#include "export/ns-export-pcap.h"

#include "../engine/layers.h"
#include "export-fixture.h"

#include <string.h>

static void
test_packets_become_blocks (void)
{
  static const guint32 rows[] = { 0, 1 };
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (GString) types = g_string_new (NULL);
  g_autoptr (NsTrace) trace = export_fixture_open_packets ();
  NsCursor cursor;

  g_assert_cmpuint (trace->packets->len, ==, 2);
  g_assert_true (ns_export_pcapng (trace, rows, 2, export_fixture_collect, out, NULL));

  /* Every block has its length at both ends, and the blocks fill the file. */
  ns_cursor_init (&cursor, out->data, out->len);
  while (ns_cursor_left (&cursor) > 0)
    {
      guint32 type = ns_cursor_u32 (&cursor);
      guint32 length = ns_cursor_u32 (&cursor);

      g_assert_cmpuint (length % 4, ==, 0);
      ns_cursor_skip (&cursor, length - 12);
      g_assert_cmpuint (ns_cursor_u32 (&cursor), ==, length);
      g_assert_true (ns_cursor_ok (&cursor));
      g_string_append_printf (types, "%x ", type);
    }
  g_assert_cmpstr (types->str, ==, "a0d0d0a 1 1 6 6 ");
}

/* Lists the options of each block: code and bytes in hexadecimal. */
static char *
list_options (const GByteArray *file)
{
  GString *text = g_string_new (NULL);
  NsCursor cursor;

  ns_cursor_init (&cursor, file->data, file->len);
  while (ns_cursor_left (&cursor) > 0)
    {
      gsize begin = cursor.pos;
      guint32 type = ns_cursor_u32 (&cursor);
      guint32 length = ns_cursor_u32 (&cursor);
      guint32 captured = 0;

      g_string_append_printf (text, "%s%x:", text->len > 0 ? "\n" : "", type);
      if (type == 6)
        {
          ns_cursor_skip (&cursor, 12);
          captured = ns_cursor_u32 (&cursor);
          ns_cursor_skip (&cursor, 4 + (captured + 3) / 4 * 4);
        }
      else
        ns_cursor_skip (&cursor, type == 1 ? 8 : type == 4 ? 0 : 16);
      while (cursor.pos < begin + length - 4)
        {
          guint16 code = ns_cursor_u16 (&cursor);
          guint16 size = ns_cursor_u16 (&cursor);
          const guint8 *value = ns_cursor_take (&cursor, (size + 3u) / 4 * 4);
          guint i;

          if (code == 0)
            break;
          g_string_append_printf (text, " %u=", code);
          for (i = 0; i < size; i++)
            if ((code == 1 && type == 6) || type == 0x0a0d0d0a ||
                (type == 1 && (code == 2 || code == 3)))
              g_string_append_c (text, (char) value[i]);
            else
              g_string_append_printf (text, "%02x", value[i]);
        }
      ns_cursor_seek (&cursor, begin + length);
      g_assert_true (ns_cursor_ok (&cursor));
    }
  return g_string_free (text, FALSE);
}

#define FRAME                                                                                      \
  "0001020304050607080908090800"                                                                   \
  "450000281234000040060000"                                                                       \
  "0a000005"                                                                                       \
  "01020304"                                                                                       \
  "c35101bb00000001000000005002ffff00000000"

/* Interfaces have names and addresses, packets their row, direction, process and drop. Name
 * resolution blocks follow all interface blocks, because tools stop there when they look for the
 * link types of a file. */
static void
test_options_tell_what_the_trace_knows (void)
{
  static const guint32 rows[] = { 0, 1 };
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autofree char *options = NULL;
  guint size = (guint) strlen (FRAME) / 2;
  guint i;

  story_write (story, 1, STORY_DNS, 3008, "wdqdw", "www.example.com", 1, P (0), 0, "1.2.3.4;");
  for (i = 0; i < 2; i++)
    story_write (story,
                 10 + i * 10,
                 STORY_PKTMON,
                 i == 0 ? 160 : 170,
                 "qhhhhhhhddhhx",
                 P (1 + i),
                 1,
                 1,
                 4,
                 1,
                 12,
                 1,
                 1,
                 i == 0 ? 0 : 8,
                 0,
                 size,
                 size,
                 FRAME);
  story_write (story, 50, STORY_PKTMON, 20, "hhww", 12, 2, "adapter.sys", "An adapter");
  story_write (story, 50, STORY_PKTMON, 70, "hhX", 12, 6, "0022487bb380");
  story_write (story, 50, STORY_PKTMON, 65, "hhx", 12, 13, "0a000005");
  story_write (story, 50, STORY_PKTMON, 66, "hhx", 12, 13, "20010db8000000000000000000000005");
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->packets->len, ==, 2);
  g_assert_true (ns_export_pcapng (trace, rows, 2, export_fixture_collect, out, NULL));
  options = list_options (out);

  g_assert_cmpstr (options,
                   ==,
                   "a0d0d0a: 3=Windows 10.0.19045 4=Netstitch " NS_VERSION "\n"
                   "1: 2=adapter.sys 3=An adapter, component 12 4=0a000005ffffffff "
                   "5=20010db800000000000000000000000580 6=0022487bb380 9=09\n"
                   "4: 1=010203047777772e6578616d706c652e636f6d00\n"
                   "6: 2=02000000 5=0100000000000000\n"
                   "6: 1=dropped: Filtered (8) 2=02000000 5=0200000000000000 7=0008000000");
}

/* Lists the comments of packets, one per line. */
static char *
list_comments (const char *options)
{
  g_auto (GStrv) lines = g_strsplit (options, "\n", -1);
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], "6: 1="))
      g_string_append_printf (text,
                              "%.*s\n",
                              (int) (strstr (lines[i], " 2=") - lines[i] - 5),
                              lines[i] + 5);
  return g_string_free (text, FALSE);
}

/* A connection carries several requests in turn; a packet belongs to the last one that started. */
static void
test_comments_tell_process_and_url (void)
{
  static const char *const texts[] = { "GET /a HTTP/1.1\r\nHost: a\r\n\r\n",
                                       "HTTP/1.1 204 No\r\n\r\n",
                                       "GET /b HTTP/1.1\r\nHost: a\r\n\r\n",
                                       "HTTP/1.1 404 No\r\n\r\n" };
  static const guint32 rows[] = { 0, 1, 2, 3 };
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autofree char *options = NULL;
  g_autofree char *comments = NULL;
  guint sent[2] = { 0, 0 };
  guint i;

  story_tcp_connect (story, 5, P (0xffffaa0000001000), STORY_HERE, STORY_THERE);
  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      gboolean is_in = i % 2 != 0;

      story_segment (story, 10 + i * 10, is_in, sent[is_in], texts[i], strlen (texts[i]));
      sent[is_in] += (guint) strlen (texts[i]);
    }
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->packets->len, ==, 4);
  g_assert_true (ns_export_pcapng (trace, rows, 4, export_fixture_collect, out, NULL));
  options = list_options (out);
  comments = list_comments (options);
  g_assert_cmpstr (comments,
                   ==,
                   "process ? (100), http://a/a\n"
                   "process ? (100), http://a/a\n"
                   "process ? (100), http://a/b\n"
                   "process ? (100), http://a/b\n");
}

/* Components of PktMon and adapters have separate interface numbers. */
static void
test_numbers_of_components_and_adapters_differ (void)
{
  static const guint32 rows[] = { 0, 1 };
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autofree char *options = NULL;
  guint size = (guint) strlen (FRAME) / 2;

  story_segment (story, 10, FALSE, 0, "x", 1);
  story_write (story,
               20,
               STORY_PKTMON,
               160,
               "qhhhhhhhddhhx",
               P (1),
               1,
               1,
               4,
               1,
               7,
               1,
               1,
               0,
               0,
               size,
               size,
               FRAME);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->packets->len, ==, 2);
  g_assert_true (ns_export_pcapng (trace, rows, 2, export_fixture_collect, out, NULL));
  options = list_options (out);
  g_assert_nonnull (strstr (options, "\n1: 2=interface 7 9=09\n"));
  g_assert_nonnull (strstr (options, "\n1: 2=component 7 9=09\n"));
}

typedef gboolean (*Export) (const NsTrace *trace,
                            const guint32 *packets,
                            gsize n_packets,
                            NsExportWriteFunc write,
                            gpointer write_data,
                            GError **error);

/* Exports a cookie whose second half spans two packets and is retransmitted. */
static GByteArray *
export_cookie (Export export, gboolean shows_secrets)
{
  static const guint32 rows[] = { 1, 2, 3 };
  static const char *const segments[] = { "GET / HTTP/1.1\r\nCookie: al",
                                          "pha\r\nHost: a\r\n\r\nbeta" };
  GByteArray *out = g_byte_array_new ();
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  guint second = (guint) strlen (segments[0]);

  story->shows_secrets = shows_secrets;
  story_segment (story, 10, FALSE, 0, segments[0], second);
  story_segment (story, 11, FALSE, second, segments[1], strlen (segments[1]));
  story_segment (story, 20, FALSE, second, segments[1], strlen (segments[1]));
  story_segment (story, 30, TRUE, 0, "plain", 5);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->packets->len, ==, 4);
  g_assert_true (export(trace, rows, 3, export_fixture_collect, out, NULL));
  return out;
}

static guint
count (const GByteArray *bytes, const char *text)
{
  gsize length = strlen (text);
  guint n = 0;
  gsize i;

  for (i = 0; i + length <= bytes->len; i++)
    n += memcmp (bytes->data + i, text, length) == 0;
  return n;
}

static void
test_secrets_do_not_leave_with_packets (void)
{
  static const Export exports[] = { ns_export_pcapng, ns_export_pcap };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (exports); i++)
    {
      g_autoptr (GByteArray) hidden = export_cookie (exports[i], FALSE);
      g_autoptr (GByteArray) shown = NULL;

      shown = export_cookie (exports[i], TRUE);
      g_assert_cmpuint (count (hidden, "pha\r\nHost: a\r\n\r\nbeta"), ==, 0);
      g_assert_cmpuint (count (hidden, "***\r\nHost: a\r\n\r\nbeta"), ==, 2);
      g_assert_cmpuint (count (hidden, "plain"), ==, 1);
      g_assert_cmpuint (count (shown, "pha\r\nHost: a\r\n\r\nbeta"), ==, 2);
      g_assert_cmpuint (count (hidden, "secrets masked"), ==, i == 0 ? 2 : 0);
      g_assert_cmpuint (count (shown, "secrets masked"), ==, 0);
    }
}

/* The rule of the HAR format: applicable timings add up to the time; connect includes ssl. */
static void
test_timings_add_up_to_the_time (void)
{
  static const guint32 rows[] = { 0 };
  static const char *const parts[] = { "blocked", "dns", "connect", "send", "wait", "receive" };
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autofree NsJsonDoc *json = g_new (NsJsonDoc, 1);
  g_autofree char *url = NULL;
  double sum = 0;
  guint entry;
  guint timings;
  guint i;

  story_request (story, 10, P (0x1000), 1, P (0), "https://a.example/\"x\"");
  story_wait (story, 11, P (0x1000), 1, P (0x2000));
  story_resolve (story, 12, 1, P (0x2000), "a.example", "1.2.3.4:443");
  story_connect (story, 20, 1, P (0x2000), 5, "1.2.3.4:443");
  story_connected (story, 40, 1, P (0x2000), 5, 0);
  story_send (story, 50, 1, P (0x2000), 5, 200);
  story_header (story, 80, P (0x1000), "HTTP/1.1 404 Not Found\r\n");
  story_receive (story, 81, 1, P (0x2000), 5, 900);
  story_request_close (story, 90, P (0x1000), 1);
  trace = story_open (story, 100);
  g_assert_true (ns_export_har (trace, rows, 1, export_fixture_collect, out, NULL));

  g_assert_true (ns_json_doc_parse (json, (const char *) out->data, out->len));
  entry =
      ns_json_doc_first (json, ns_json_doc_get (json, ns_json_doc_get (json, 0, "log"), "entries"));
  g_assert_cmpuint (entry, !=, NS_JSON_NONE);
  timings = ns_json_doc_get (json, entry, "timings");
  for (i = 0; i < G_N_ELEMENTS (parts); i++)
    sum += MAX (export_fixture_get_number (json, timings, parts[i]), 0);
  g_assert_cmpfloat_with_epsilon (sum, 80, 0.001);
  g_assert_cmpfloat_with_epsilon (export_fixture_get_number (json, entry, "time"), 80, 0.001);
  g_assert_cmpfloat (export_fixture_get_number (json, timings, "ssl"), ==, -1);
  url = ns_json_doc_dup_string (json,
                                ns_json_doc_get (json,
                                                 ns_json_doc_get (json, entry, "request"),
                                                 "url"));
  g_assert_cmpstr (url, ==, "https://a.example/\"x\"");
  g_assert_cmpfloat (export_fixture_get_number (json,
                                                ns_json_doc_get (json, entry, "response"),
                                                "status"),
                     ==,
                     404);
}

static GByteArray *
archive_cookies (gboolean shows_secrets)
{
  static const guint32 rows[] = { 0 };
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  GByteArray *out = g_byte_array_new ();

  story->want_events = TRUE;
  story->shows_secrets = shows_secrets;
  story_session (story, 10, P (0x10000));
  story_request (story, 11, P (0x20000), 1, P (0x10000), "http://a.example/");
  story_header (story,
                12,
                P (0x20000),
                "HTTP/1.1 200 OK\r\nSet-Cookie: sid=alpha=beta; Path=/\r\n"
                "Set-Cookie: gamma==; Secure\r\n\r\n");
  story_request_close (story, 20, P (0x20000), 1);
  trace = story_open (story, 100);
  g_assert_true (ns_export_har_with_bodies (trace, rows, 1, export_fixture_collect, out, NULL));
  return out;
}

/* Text that looks like a cookie name may be the value of a cookie without a name. */
static void
test_cookies_are_named_and_not_shown (void)
{
  g_autoptr (GByteArray) hidden = archive_cookies (FALSE);
  g_autoptr (GByteArray) shown = archive_cookies (TRUE);

  g_assert_cmpuint (count (hidden, "\"cookies\":[{\"name\":\"sid\",\"value\":\"…\"}]"), ==, 1);
  g_assert_cmpuint (count (hidden, "alpha"), ==, 0);
  g_assert_cmpuint (count (hidden, "gamma"), ==, 0);
  g_assert_cmpuint (count (shown, "{\"name\":\"sid\",\"value\":\"alpha=beta\"}"), ==, 1);
}

/* Compressed bodies are archived uncompressed and without secrets. */
static void
test_bodies_are_archived_when_asked_for (void)
{
  static const guint32 rows[] = { 0 };
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (GByteArray) plain = g_byte_array_new ();
  g_autoptr (GByteArray) full = g_byte_array_new ();
  g_autofree NsJsonDoc *json = g_new (NsJsonDoc, 1);
  g_autofree char *text = NULL;
  g_autofree char *type = NULL;
  g_autofree char *cookie = NULL;
  guint response;
  guint content;

  story->want_events = TRUE;
  story_session (story, 10, P (0x10000));
  story_request (story, 11, P (0x20000), 1, P (0x10000), "http://a.example/");
  story_header (story,
                12,
                P (0x20000),
                "HTTP/1.1 200 OK\r\nSet-Cookie: alpha\r\nContent-Type: text/plain\r\n"
                "Transfer-Encoding: chunked\r\n\r\n");
  story_write (story,
               13,
               STORY_WEBIO,
               129,
               "ppdX",
               P (0x20000),
               P (0x30000),
               0,
               "350d0a68656c6c6f0d0a300d0a0d0a");
  story_request_close (story, 20, P (0x20000), 1);
  trace = story_open (story, 100);
  g_assert_true (ns_export_har (trace, rows, 1, export_fixture_collect, plain, NULL));
  g_assert_true (ns_export_har_with_bodies (trace, rows, 1, export_fixture_collect, full, NULL));
  g_assert_cmpuint (count (plain, "hello"), ==, 0);
  g_assert_cmpuint (count (full, "alpha"), ==, 0);

  g_assert_true (ns_json_doc_parse (json, (const char *) full->data, full->len));
  response = ns_json_doc_get (
      json,
      ns_json_doc_first (json, ns_json_doc_get (json, ns_json_doc_get (json, 0, "log"), "entries")),
      "response");
  content = ns_json_doc_get (json, response, "content");
  text = ns_json_doc_dup_string (json, ns_json_doc_get (json, content, "text"));
  type = ns_json_doc_dup_string (json, ns_json_doc_get (json, content, "mimeType"));
  cookie = ns_json_doc_dup_string (
      json,
      ns_json_doc_get (json,
                       ns_json_doc_first (json, ns_json_doc_get (json, response, "headers")),
                       "name"));
  g_assert_cmpstr (text, ==, "hello");
  g_assert_cmpstr (type, ==, "text/plain");
  g_assert_cmpstr (cookie, ==, "Set-Cookie");
  g_assert_cmpfloat (export_fixture_get_number (json, content, "size"), ==, 5);
  g_assert_cmpfloat (export_fixture_get_number (json, content, "compression"), ==, -10);
}

/* redirectURL is the URL of the following request or, without one, of the Location header. */
static void
test_redirects_are_archived (void)
{
  static const guint32 rows[] = { 0, 1 };
  g_autoptr (Story) story = story_new ();
  g_autoptr (Story) other = story_new ();
  g_autoptr (NsTrace) linked = NULL;
  g_autoptr (NsTrace) said = NULL;
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (GByteArray) plain = g_byte_array_new ();
  g_autoptr (GByteArray) full = g_byte_array_new ();

  story->activity = 7;
  story_write (story,
               0,
               STORY_WININET,
               104,
               "ppccchhd",
               P (0xcc000c),
               P (0xcc0008),
               "GET",
               "/x",
               "HTTP/1.1",
               0,
               0,
               0);
  story_write (story, 1, STORY_WININET, 1007, "pa", P (0x2a0000), "https://a.com/x");
  story_write (story, 45, STORY_WININET, 1049, "pa", P (0x2a0000), "http://b.org/y");
  linked = story_open (story, 100);
  g_assert_cmpuint (linked->activities->len, ==, 2);
  g_assert_true (ns_export_har (linked, rows, 2, export_fixture_collect, out, NULL));
  g_assert_cmpuint (count (out, "\"redirectURL\":\"http://b.org/y\""), ==, 1);
  g_assert_cmpuint (count (out, "\"redirectURL\":\"\""), ==, 1);

  other->want_events = TRUE;
  story_session (other, 10, P (0x10000));
  story_request (other, 11, P (0x20000), 1, P (0x10000), "http://a.example/");
  story_header (other, 12, P (0x20000), "HTTP/1.1 302 Found\r\nLocation: /next\r\n\r\n");
  story_request_close (other, 20, P (0x20000), 1);
  said = story_open (other, 100);
  g_assert_true (ns_export_har (said, rows, 1, export_fixture_collect, plain, NULL));
  g_assert_true (ns_export_har_with_bodies (said, rows, 1, export_fixture_collect, full, NULL));
  g_assert_cmpuint (count (plain, "\"redirectURL\":\"\""), ==, 1);
  g_assert_cmpuint (count (full, "\"redirectURL\":\"/next\""), ==, 1);
}

/* Details for network panels: query parameters, connection, error. */
static void
test_requests_are_described (void)
{
  static const guint32 rows[] = { 0, 1 };
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_request (story,
                 10,
                 P (0x1000),
                 1,
                 P (0),
                 "https://a.example/x?a=1&b=two+words&c=%C3%A9&d&&=e&%ff=g#f?z=1");
  story_wait (story, 11, P (0x1000), 1, P (0x2000));
  story_connect (story, 20, 1, P (0x2000), 5, "1.2.3.4:443");
  story_connected (story, 40, 1, P (0x2000), 5, 0);
  story_header (story, 80, P (0x1000), "HTTP/1.1 404 Not Found\r\n");
  story_request_close (story, 90, P (0x1000), 1);
  story_request (story, 110, P (0x3000), 3, P (0), "https://b.example/");
  story_wait (story, 111, P (0x3000), 3, P (0x4000));
  story_connect (story, 120, 3, P (0x4000), 7, "1.2.3.5:443");
  story_connected (story, 140, 3, P (0x4000), 7, 12029);
  story_request_close (story, 190, P (0x3000), 3);
  trace = story_open (story, 200);
  g_assert_cmpuint (trace->activities->len, ==, 2);
  g_assert_true (ns_export_har (trace, rows, 2, export_fixture_collect, out, NULL));

  g_assert_cmpuint (count (out,
                           "\"queryString\":[{\"name\":\"a\",\"value\":\"1\"},"
                           "{\"name\":\"b\",\"value\":\"two words\"},"
                           "{\"name\":\"c\",\"value\":\"\xc3\xa9\"},"
                           "{\"name\":\"d\",\"value\":\"\"},{\"name\":\"\",\"value\":\"e\"},"
                           "{\"name\":\"%ff\",\"value\":\"g\"}]"),
                    ==,
                    1);
  g_assert_cmpuint (count (out, "\"queryString\":[]"), ==, 1);
  g_assert_cmpuint (count (out, "\"connection\":\"443\""), ==, 2);
  g_assert_cmpuint (count (out, "\"_error\":\"ERROR_WINHTTP_CANNOT_CONNECT ("), ==, 1);
  g_assert_cmpuint (count (out, "\"comment\":\"ERROR_WINHTTP_CANNOT_CONNECT ("), ==, 2);
  g_assert_cmpuint (count (out, "404"), ==, 1);
}

/* A failed .NET request has the text of its exception; it waited for a connection. */
static void
test_requests_of_dotnet_are_entries (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (GByteArray) out = g_byte_array_new ();
  static const guint32 rows[] = { 0, 1, 2, 3 };

  layers_write_dotnet (story, 0);
  trace = story_open (story, 5000);
  g_assert_true (ns_export_har (trace, rows, 4, export_fixture_collect, out, NULL));
  g_assert_cmpuint (count (out, "\"blocked\":81"), ==, 1);
  g_assert_cmpuint (count (out, "\"_error\":\"No connection could be made because the target"),
                    ==,
                    1);
  g_assert_cmpuint (count (out, "\"status\":503"), ==, 1);
  g_assert_cmpuint (count (out, "\"ssl\":45"), ==, 1);
}

/* The requests of a BITS transfer are entries, the transfer itself is not. */
static void
test_transfers_are_entries_by_their_requests (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (GByteArray) out = g_byte_array_new ();
  static const guint32 rows[] = { 0, 1, 2, 3, 4 };

  layers_write_bits (story, 0);
  trace = story_open (story, 5000);
  g_assert_true (ns_export_har (trace, rows, 5, export_fixture_collect, out, NULL));
  g_assert_cmpuint (count (out, "\"startedDateTime\""), ==, 3);
  g_assert_cmpuint (count (out, "\"method\":\"GET\""), ==, 3);
}

/* Connections to one server are distinguished by the local port. */
static void
test_connections_are_told_apart (void)
{
  static const NsEndpoint local = { .port = 50001 };
  static const guint32 rows[] = { 0 };
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story_write (story,
               10,
               STORY_WININET,
               104,
               "ppccchhd",
               P (0xcc000c),
               P (0xcc0008),
               "GET",
               "/x",
               "HTTP/1.1",
               0,
               0,
               0);
  trace = story_open (story, 100);
  g_array_index (trace->activities, NsActivityRow, 0).url =
      ns_strings_add (trace->strings, "http://a.example/x");
  g_array_index (trace->activities, NsActivityRow, 0).local = &local;
  g_assert_true (ns_export_har (trace, rows, 1, export_fixture_collect, out, NULL));
  g_assert_cmpuint (count (out, "\"connection\":\"50001\""), ==, 1);
}

/* Text in place of a URL is masked in a form that is no link. */
static void
test_what_is_no_url_is_not_archived (void)
{
  static const char *const urls[] = { "N/A",
                                      "a.example/x",
                                      "https:///x",
                                      "file:///c:/x",
                                      "http://" };
  static const guint32 rows[] = { 0 };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (urls); i++)
    {
      g_autoptr (GByteArray) out = g_byte_array_new ();
      g_autoptr (Story) story = story_new ();
      g_autoptr (NsTrace) trace = NULL;

      story_request (story, 10, P (0x1000), 1, P (0), urls[i]);
      story_request_close (story, 90, P (0x1000), 1);
      trace = story_open (story, 100);
      g_assert_cmpuint (trace->activities->len, ==, 1);
      g_assert_true (ns_export_har (trace, rows, 1, export_fixture_collect, out, NULL));
      g_assert_cmpuint (count (out, "startedDateTime"), ==, 0);
    }
}

/* Binary bodies are archived, in both directions. */
static void
test_binary_bodies_are_archived (void)
{
  static const guint32 rows[] = { 0 };
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  story->want_events = TRUE;
  story_session (story, 10, P (0x10000));
  story_request (story, 11, P (0x20000), 1, P (0x10000), "http://a.example/");
  story->activity = 1;
  story->activity_high = P (0x20000);
  story_write (
      story,
      12,
      STORY_WEBIO,
      111,
      "pppdpX",
      P (0x20000),
      P (0x30000),
      P (0x40000),
      0,
      P (0x4e0000),
      "504f5354202f20485454502f312e310d0a436f6e74656e742d547970653a206170706c69636174696f6e"
      "2f6f637465742d73747265616d0d0a436f6e74656e742d4c656e6774683a20340d0a0d0a00ff01fe");
  story_request_close (story, 20, P (0x20000), 1);
  trace = story_open (story, 100);
  g_assert_true (ns_export_har_with_bodies (trace, rows, 1, export_fixture_collect, out, NULL));
  g_assert_cmpuint (count (out,
                           "\"postData\":{\"mimeType\":\"application/octet-stream\",\"params\":[],"
                           "\"text\":\"AP8B/g==\",\"encoding\":\"base64\"}"),
                    ==,
                    1);
}

/* A connection without a URL is no request. */
static void
test_only_requests_are_archived (void)
{
  static const guint32 rows[] = { 0 };
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autofree char *text = NULL;

  story_tcp_connect (story, 10, P (0xffffaa0000001000), "10.0.0.5:50001", "1.2.3.4:443");
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->activities->len, ==, 1);
  g_assert_true (ns_export_har (trace, rows, 1, export_fixture_collect, out, NULL));
  text = g_strndup ((const char *) out->data, out->len);
  g_assert_true (g_str_has_suffix (text, "\"entries\":[\n]}}\n"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/archives/packets-become-blocks", test_packets_become_blocks);
  g_test_add_func ("/archives/options-tell-what-the-trace-knows",
                   test_options_tell_what_the_trace_knows);
  g_test_add_func ("/archives/comments-tell-process-and-url", test_comments_tell_process_and_url);
  g_test_add_func ("/archives/numbers-of-components-and-adapters-differ",
                   test_numbers_of_components_and_adapters_differ);
  g_test_add_func ("/archives/secrets-do-not-leave-with-packets",
                   test_secrets_do_not_leave_with_packets);
  g_test_add_func ("/archives/cookies-are-named-and-not-shown",
                   test_cookies_are_named_and_not_shown);
  g_test_add_func ("/archives/timings-add-up-to-the-time", test_timings_add_up_to_the_time);
  g_test_add_func ("/archives/bodies-are-archived-when-asked-for",
                   test_bodies_are_archived_when_asked_for);
  g_test_add_func ("/archives/redirects-are-archived", test_redirects_are_archived);
  g_test_add_func ("/archives/requests-are-described", test_requests_are_described);
  g_test_add_func ("/archives/connections-are-told-apart", test_connections_are_told_apart);
  g_test_add_func ("/archives/what-is-no-url-is-not-archived", test_what_is_no_url_is_not_archived);
  g_test_add_func ("/archives/binary-bodies-are-archived", test_binary_bodies_are_archived);
  g_test_add_func ("/archives/only-requests-are-archived", test_only_requests_are_archived);
  g_test_add_func ("/archives/requests-of-dotnet-are-entries", test_requests_of_dotnet_are_entries);
  g_test_add_func ("/archives/transfers-are-entries-by-their-requests",
                   test_transfers_are_entries_by_their_requests);
  return g_test_run ();
}
