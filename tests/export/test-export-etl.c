/* Tests the export of a part of a trace as an ETL file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets.h"
#include "engine/build/ns-builder.h"
#include "engine/open/ns-event-read.h"
#include "engine/open/ns-parts.h"
#include "export/ns-export-etl.h"

#include "export-fixture.h"

#include <string.h>

#define REQUEST P (0x20000)
#define CONNECTION P (0x30000)

/* Makes two requests of one process, each on its own connection. */
static NsTrace *
open_two (gboolean shows_secrets)
{
  g_autoptr (Story) story = story_new ();
  guint i;

  story->want_events = TRUE;
  story->shows_secrets = shows_secrets;
  story_session (story, 10, P (0x10000));
  for (i = 0; i < 2; i++)
    {
      g_autofree char *url = g_strdup_printf ("https://bob:pw%u@h%u.example/?token=t%u", i, i, i);
      g_autofree char *address = g_strdup_printf ("1.2.3.%u:443", i + 1);
      guint64 request = REQUEST + i * 0x1000;
      guint64 connection = CONNECTION + i * 0x1000;
      guint64 handle = 100 + i;

      story_request (story, 20 + i, request, handle, P (0x10000), url);
      story_wait (story, 21 + i, request, handle, connection);
      story_connect (story, 22 + i, handle, connection, 5 + i, address);
      story_connected (story, 30 + i, handle, connection, 5 + i, 0);
      story_send (story, 40 + i, handle, connection, 5 + i, 200);
      story_header (story, 50 + i, request, "HTTP/1.1 200 OK\r\nSet-Cookie: charlie\r\n\r\n");
      story_receive (story, 51 + i, handle, connection, 5 + i, 900);
      story_request_close (story, 60 + i, request, handle);
    }
  return story_open (story, 100);
}

static NsTrace *
open_part (const NsTrace *trace, NsTableId table, guint32 row, GByteArray *out)
{
  NsTraceOptions options = { .want_events = TRUE };
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  NsEtlFile *file;
  NsTrace *part;

  g_assert_true (ns_export_etl_table (trace, table, &row, 1, export_fixture_collect, out, &error));
  g_assert_no_error (error);
  bytes = g_bytes_new (out->data, out->len);
  file = ns_etl_file_open_bytes (bytes, "part.etl", &error);
  g_assert_no_error (error);
  part = ns_trace_build (file, ns_schemas_new (NULL), &options, NULL, NULL, &error);
  g_assert_no_error (error);
  return part;
}

static gboolean
holds (const GByteArray *bytes, const char *text, gboolean is_wide)
{
  gsize step = is_wide ? 2 : 1;
  gsize length = strlen (text);
  gsize i;
  gsize j;

  for (i = 0; i + length * step <= bytes->len; i++)
    {
      for (j = 0; j < length && bytes->data[i + j * step] == (guint8) text[j]; j++)
        ;
      if (j == length)
        return TRUE;
    }
  return FALSE;
}

static void
test_a_row_is_the_same_in_its_part (void)
{
  g_autoptr (NsTrace) trace = open_two (FALSE);
  guint32 row;

  g_assert_cmpuint (trace->activities->len, ==, 2);
  for (row = 0; row < 2; row++)
    {
      g_autoptr (GByteArray) out = g_byte_array_new ();
      g_autoptr (NsTrace) part = open_part (trace, NS_TABLE_ACTIVITIES, row, out);
      const NsActivityRow *before = &g_array_index (trace->activities, NsActivityRow, row);
      const NsActivityRow *after = &g_array_index (part->activities, NsActivityRow, 0);

      g_assert_cmpuint (part->activities->len, ==, 1);
      g_assert_cmpstr (ns_trace_text (part, after->server),
                       ==,
                       row == 0 ? "h0.example" : "h1.example");
      g_assert_cmpint (after->open_ns, ==, before->open_ns);
      g_assert_cmpint (after->close_ns, ==, before->close_ns);
      g_assert_cmpuint (after->sent, ==, before->sent);
      g_assert_cmpuint (after->received, ==, before->received);
      g_assert_cmpuint (after->remote->port, ==, 443);
      g_assert_cmpint (after->confidence, ==, before->confidence);
      /* Contains nothing of the other request. */
      g_assert_false (holds (out, row == 0 ? "h1.example" : "h0.example", TRUE));
      g_assert_true (holds (out, row == 0 ? "h0.example" : "h1.example", TRUE));
    }
}

static void
assert_same (const NsTrace *trace, const NsActivityRow *before, const NsTrace *part)
{
  guint i;

  for (i = 0; i < part->activities->len; i++)
    {
      const NsActivityRow *after = &g_array_index (part->activities, NsActivityRow, i);

      if (after->open_ns != before->open_ns ||
          g_strcmp0 (ns_trace_text (part, after->url), ns_trace_text (trace, before->url)) != 0 ||
          !ns_endpoint_equal (after->remote, before->remote))
        continue;
      g_assert_true (ns_endpoint_equal (after->local, before->local));
      g_assert_cmpuint (after->pid, ==, before->pid);
      g_assert_cmpuint (after->sent, ==, before->sent);
      g_assert_cmpuint (after->received, ==, before->received);
      g_assert_cmpuint (after->http_status, ==, before->http_status);
      g_assert_cmpstr (ns_trace_get_process_name (part, after->pid, after->open_ns),
                       ==,
                       ns_trace_get_process_name (trace, before->pid, before->open_ns));
      if (before->close_ns != NS_TIME_OPEN)
        g_assert_cmpint (after->close_ns, ==, before->close_ns);
      return;
    }
  g_assert_not_reached ();
}

/* HTTP.sys requests, kernel counters, classic events. */
static void
test_rows_of_recorded_traces_are_the_same (void)
{
  static const char *const names[] = { "HTTP_Server.etl",
                                       "KernelNetwork.etl",
                                       "net.4.5.2.x86.etl" };
  static const NsTraceOptions options = { .want_events = TRUE };
  const char *folder = g_getenv ("NETSTITCH_TEST_TRACES");
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder != NULL ? folder : "", names[i], NULL);
      g_autoptr (NsTrace) trace = NULL;
      guint32 row;

      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        {
          g_test_skip ("the recorded traces are not there");
          return;
        }
      trace = ns_trace_open (path, &options, NULL, NULL, NULL);
      for (row = 0; row < trace->activities->len; row += 1 + trace->activities->len / 4)
        {
          g_autoptr (GByteArray) out = g_byte_array_new ();
          g_autoptr (NsTrace) part = open_part (trace, NS_TABLE_ACTIVITIES, row, out);

          g_assert_cmpuint (part->events->len, <, trace->events->len / 2);
          assert_same (trace, &g_array_index (trace->activities, NsActivityRow, row), part);
        }
    }
}

static void
test_secrets_stay_behind (void)
{
  g_autoptr (NsTrace) trace = open_two (FALSE);
  g_autoptr (NsTrace) shown_trace = open_two (TRUE);
  g_autoptr (GByteArray) hidden = g_byte_array_new ();
  g_autoptr (GByteArray) shown = g_byte_array_new ();
  g_autoptr (NsTrace) part = open_part (trace, NS_TABLE_ACTIVITIES, 0, hidden);
  g_autoptr (NsTrace) whole = NULL;

  whole = open_part (shown_trace, NS_TABLE_ACTIVITIES, 0, shown);
  g_assert_false (holds (hidden, "bob", TRUE));
  g_assert_false (holds (hidden, "token=t", TRUE));
  g_assert_false (holds (hidden, "charlie", FALSE));
  g_assert_true (holds (shown, "bob:pw0", TRUE));
  g_assert_true (holds (shown, "token=t0", TRUE));
  g_assert_true (holds (shown, "charlie", FALSE));
  g_assert_cmpuint (hidden->len, ==, shown->len);
}

/* The second half of a cookie in a packet, whose beginning is outside the part. */
static void
test_the_rest_of_a_secret_stays_behind (void)
{
  static const char *const segments[] = { "GET / HTTP/1.1\r\nCookie: al", "pha\r\nHost: a\r\n" };
  guint second = (guint) strlen (segments[0]);
  g_autoptr (Story) story = story_new ();
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (NsTrace) part = NULL;

  story->want_events = TRUE;
  story_segment (story, 10, FALSE, 0, segments[0], second);
  story_segment (story, 11, FALSE, second, segments[1], strlen (segments[1]));
  trace = story_open (story, 100);
  part = open_part (trace, NS_TABLE_PACKETS, 1, out);
  g_assert_cmpuint (part->packets->len, ==, 1);
  g_assert_false (holds (out, "pha\r\n", FALSE));
  g_assert_true (holds (out, "***\r\nHost: a\r\n", FALSE));
}

/* Header, time, processor and payload are copied unchanged, except for secrets. */
static void
test_records_are_copied_to_the_byte (void)
{
  g_autoptr (NsTrace) trace = open_two (TRUE);
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (NsTrace) part = NULL;
  NsEvent event;
  guint32 n = 0;
  guint i;

  part = open_part (trace, NS_TABLE_EVENTS, 3, out);
  for (i = 0; i < part->events->len; i++)
    {
      g_autofree guint8 *copy = NULL;
      guint16 size;
      guint64 raw;

      g_assert_true (ns_event_read (part, i, &event));
      if (event.record->id == 0)
        continue;
      copy = g_memdup2 (event.record->header, event.record->size);
      size = event.record->size;
      raw = event.record->raw;
      g_assert_true (ns_event_read (trace, 3, &event));
      g_assert_cmpmem (copy, size, event.record->header, event.record->size);
      g_assert_cmpuint (raw, ==, event.record->raw);
      n++;
    }
  g_assert_cmpuint (n, ==, 1);
}

/* A number of an HTTP request and its status, whose bytes look like a WebSocket message, among
 * texts with a secret. */
static void
test_numbers_are_not_masked (void)
{
  static const guint8 fields[] = "RequestId\0\012HttpStatus\0\006";
  static const guint8 numbers[] = { 0x41, 0x08, 0, 0x80, 0, 0, 0, 0xff, 200, 0 };
  g_autoptr (Story) story = story_new ();
  g_autoptr (GByteArray) description = g_byte_array_new ();
  g_autoptr (GByteArray) schema = NULL;
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (NsTrace) part = NULL;
  NsEtlWriterEvent event = { .level = 4, .pid = 100, .tid = 104 };
  NsEvent copy = { 0 };
  guint i;

  story->want_events = TRUE;
  ns_etl_bytes_data (description, fields, sizeof fields - 1);
  schema = ns_etl_writer_schema_tl ("Answer", description);
  ns_etl_bytes_data (payload, numbers, sizeof numbers);
  event.raw = ns_etl_writer_get_base_raw (story->writer) + 10;
  event.payload = payload;
  event.schema_tl = schema;
  g_assert_true (ns_etl_writer_add_event (story->writer, &event));
  trace = story_open (story, 100);
  for (i = 0; i < trace->events->len; i++)
    if (ns_event_read (trace, i, &copy) && copy.record->payload_size == payload->len)
      break;
  part = open_part (trace, NS_TABLE_EVENTS, i, out);
  for (i = 0; i < part->events->len; i++)
    if (ns_event_read (part, i, &copy) && copy.record->payload_size == payload->len)
      break;
  g_assert_cmpmem (copy.record->payload, copy.record->payload_size, numbers, sizeof numbers);
}

static guint
count_records (const NsTrace *trace, guint id)
{
  guint n = 0;
  guint i;

  for (i = 0; i < trace->events->len; i++)
    {
      NsEvent event;

      if (ns_event_read (trace, i, &event) && event.record->id == id)
        n++;
    }
  return n;
}

/* NDIS writes a packet in several records with times of their own. */
static void
test_a_packet_has_all_its_pieces (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (NsTrace) part = NULL;
  guint i;

  story->want_events = TRUE;
  for (i = 0; i < 2; i++)
    {
      story->keyword = 0x40000000;
      story_write (story, 10 + i, STORY_NDIS, 1001, "ddX", 7, 7, "0001020304050607080908090800");
      story->keyword = 0x80000000;
      story_write (story,
                   10.5 + i,
                   STORY_NDIS,
                   1001,
                   "ddX",
                   7,
                   7,
                   "4500002812340000400600000a00000501020304c3510050000003e80000000050180000000000"
                   "00");
    }
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->packets->len, ==, 2);
  part = open_part (trace, NS_TABLE_PACKETS, 0, out);
  g_assert_cmpuint (part->packets->len, ==, 1);
  g_assert_cmpuint (g_array_index (part->packets, NsPacketRow, 0).captured, ==, 54);
}

/* Schannel writes from the process of the security service. */
static void
test_a_request_keeps_its_handshake (void)
{
  static const char *const targets[] = { "h0.example", "other.example" };
  g_autoptr (Story) story = story_new ();
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (NsTrace) part = NULL;
  guint i;

  story->want_events = TRUE;
  story_session (story, 10, P (0x10000));
  story_request (story, 20, REQUEST, 100, P (0x10000), "https://h0.example/");
  story->pid = 600;
  for (i = 0; i < G_N_ELEMENTS (targets); i++)
    story_write (story,
                 30,
                 STORY_SCHANNEL,
                 36880,
                 "wwddpwww",
                 "client",
                 "TLS 1.2",
                 0xc030,
                 256u,
                 P (0x1234),
                 targets[i],
                 "",
                 "");
  story->pid = 100;
  story_request_close (story, 60, REQUEST, 100);
  trace = story_open (story, 100);
  part = open_part (trace, NS_TABLE_ACTIVITIES, 0, out);
  g_assert_cmpuint (count_records (part, 36880), ==, 1);
  g_assert_false (holds (out, "other.example", TRUE));
}

/* A system thread reports the end of an exchange. */
static void
test_an_smb_operation_keeps_its_end (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (NsTrace) part = NULL;

  story->want_events = TRUE;
  story->pid = 100;
  story->tid = 40;
  story_write (story, 10, STORY_SMB, 32004, "qUbb", REQUEST, "\\srv\\a\\x", 3, 0);
  story_write (story, 11, STORY_SMB, 30103, "ppp", REQUEST, P (0x50000), P (0));
  story->pid = 4;
  story->tid = 24;
  story_write (story, 20, STORY_SMB, 30104, "ppdd", REQUEST, P (0x50000), 3, 0);
  story_write (story, 21, STORY_SMB, 30104, "ppdd", REQUEST, P (0x60000), 3, 0);
  trace = story_open (story, 100);
  part = open_part (trace, NS_TABLE_SMB, 0, out);
  g_assert_cmpuint (count_records (part, 32004), ==, 1);
  g_assert_cmpuint (count_records (part, 30104), ==, 1);
}

/* Threads of a .NET request differ; its activity is known by its path. */
static void
test_a_dotnet_request_keeps_its_activity (void)
{
  static const guint32 paths[] = { 0x11, 0x1011, 0x12 };
  g_autoptr (Story) story = story_new ();
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (NsTrace) part = NULL;
  guint i;

  story->want_events = TRUE;
  story->pid = 100;
  for (i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      story->activity = paths[i];
      story->activity_high = (guint64) ((paths[i] + 0x599d99ad) ^ story->pid) << 32;
      story->tid = 40 + i;
      if (i != 1)
        story_write (story, 10, STORY_DOTNET_HTTP, 1, "wwdwbbd", "https", "a", 443, "/", 1, 1, 0);
      else
        story_write (story, 15, STORY_DOTNET_HTTP, 11, "");
      story->tid = 50;
      if (i != 1)
        story_write_version (story, 20, STORY_DOTNET_HTTP, 2, 1, "d", 200);
    }
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->dotnet->len, ==, 2);
  part = open_part (trace, NS_TABLE_DOTNET, 0, out);
  g_assert_cmpuint (count_records (part, 11), ==, 1);
  g_assert_cmpuint (part->dotnet->len, ==, 1);
  g_assert_cmpuint (g_array_index (part->dotnet, NsDotnetRow, 0).http_status, ==, 200);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/export-etl/a-row-is-the-same-in-its-part", test_a_row_is_the_same_in_its_part);
  g_test_add_func ("/export-etl/rows-of-recorded-traces-are-the-same",
                   test_rows_of_recorded_traces_are_the_same);
  g_test_add_func ("/export-etl/secrets-stay-behind", test_secrets_stay_behind);
  g_test_add_func ("/export-etl/numbers-are-not-masked", test_numbers_are_not_masked);
  g_test_add_func ("/export-etl/pieces-of-a-packet", test_a_packet_has_all_its_pieces);
  g_test_add_func ("/export-etl/handshake", test_a_request_keeps_its_handshake);
  g_test_add_func ("/export-etl/end-of-smb", test_an_smb_operation_keeps_its_end);
  g_test_add_func ("/export-etl/dotnet-activity", test_a_dotnet_request_keeps_its_activity);
  g_test_add_func ("/export-etl/the-rest-of-a-secret-stays-behind",
                   test_the_rest_of_a_secret_stays_behind);
  g_test_add_func ("/export-etl/records-are-copied-to-the-byte",
                   test_records_are_copied_to_the_byte);
  return g_test_run ();
}
