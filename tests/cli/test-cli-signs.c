/* Tests the signs of events: errors, lost packets, state changes, descriptions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-writer.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#define RAW_BASE 1000000
#define RAW_PER_MS 10000

#define TCPIP "2f07e2ee-15db-40f1-90ef-9d7ba282188a"
#define AFD "e53c6823-7bb8-44bb-90dc-3f86090d48a6"
#define WFP "0c478c5b-0351-41b1-8c58-4a6737da32e3"
#define PKTMON "4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac"
#define CORRELATION "83ed54f0-4d48-4e45-b16e-726ffd1fa4af"
#define NCSI "314de49f-ce63-4779-ba2b-d616f6963a88"
#define DHCP "15a7a4f8-0072-4eab-abad-f98a4d666aed"
#define WLAN "9580d7dd-0379-4658-9870-d5be7d52d6de"
#define METADATA "bbccf6c1-6cd1-48c4-80ff-839482e37671"
#define OTHER "01020304-0506-0708-090a-0b0c0d0e0f10"

typedef struct
{
  char *folder;
  char *trace;
} Fixture;

/* Writes an event. Each letter of @format is a field: b, h, w and q of 1, 2, 4 and 8 bytes, a the
 * socket address 10.0.0.1:80 with its length, s a UTF-16 string. */
static void
add (NsEtlWriter *writer,
     guint ms,
     const char *provider,
     guint id,
     guint level,
     const char *format,
     ...)
{
  static const guint8 address[16] = { 2, 0, 0, 80, 10, 0, 0, 1 };
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterEvent event = { .raw = RAW_BASE + (guint64) ms * RAW_PER_MS,
                             .id = (guint16) id,
                             .level = (guint8) level,
                             .pid = 8,
                             .tid = 12,
                             .payload = payload };
  va_list values;

  va_start (values, format);
  for (; *format != '\0'; format++)
    switch (*format)
      {
      case 'b':
        ns_etl_bytes_u8 (payload, (guint8) va_arg (values, guint));
        break;
      case 'h':
        ns_etl_bytes_u16 (payload, (guint16) va_arg (values, guint));
        break;
      case 'w':
        ns_etl_bytes_u32 (payload, va_arg (values, guint));
        break;
      case 'q':
        ns_etl_bytes_u64 (payload, va_arg (values, guint64));
        break;
      case 'a':
        ns_etl_bytes_u32 (payload, sizeof address);
        ns_etl_bytes_data (payload, address, sizeof address);
        break;
      default:
        ns_etl_bytes_wstr (payload, va_arg (values, const char *));
        break;
      }
  va_end (values);
  ns_guid_from_text (&event.guid, provider);
  g_assert_true (ns_etl_writer_add_event (writer, &event));
}

static void
add_metadata (NsEtlWriter *writer, guint ms)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterFull full = { .raw = RAW_BASE + (guint64) ms * RAW_PER_MS,
                           .kind = NS_RECORD_FULL64,
                           .opcode = 32,
                           .payload = payload };

  ns_etl_bytes_zero (payload, 16);
  ns_guid_from_text (&full.guid, METADATA);
  g_assert_true (ns_etl_writer_add_full (writer, &full));
}

static void
add_errors (NsEtlWriter *writer)
{
  guint i;

  for (i = 0; i < 3; i++)
    add (writer, 1 + i, OTHER, 1, 2, "w", i);
  add (writer, 5, TCPIP, 1001, 4, "wqww", 0xc0000236, (guint64) 0xffff1, 2, 300);
  add (writer, 6, TCPIP, 1001, 4, "wqww", 0xc000020a, (guint64) 0xffff2, 2, 300);
  add (writer, 7, TCPIP, 1001, 4, "wqww", 0, (guint64) 0xffff3, 2, 300);
  add (writer, 8, TCPIP, 1001, 4, "wqww", 0x103, (guint64) 0xffff4, 2, 300);
  for (i = 0; i < 5; i++)
    add (writer, 10 + i, CORRELATION, 60001, 1, "");
}

static void
add_drops (NsEtlWriter *writer)
{
  add (writer, 20, TCPIP, 1214, 4, "wwaaww", 6, 2, 4, 1);
  add (writer, 21, AFD, 1033, 4, "wwqqqwaw", 0, 5, (guint64) 1, (guint64) 2, (guint64) 3, 9, 2);
  add (writer, 22, WFP, 1029, 4, "qaahwwhqh", (guint64) 0, 0x800, 1, 6, 0, (guint64) 66123, 7);
  add (writer,
       23,
       PKTMON,
       170,
       4,
       "qhhhhhhhwwhhb",
       (guint64) 5,
       1,
       1,
       1,
       1,
       12,
       1,
       0,
       0xe,
       0,
       1,
       1,
       0x45);
}

static void
add_states (NsEtlWriter *writer)
{
  add (writer, 30, TCPIP, 1051, 4, "wwwq", 4, 7, 1, (guint64) 0xffff800000001000);
  add (writer, 31, TCPIP, 1130, 4, "wwq", 5, 1, (guint64) 0);
  add (writer, 32, NCSI, 4037, 4, "qw", (guint64) 6, 2);
  add (writer, 33, DHCP, 50001, 4, "w", 7);
  add (writer, 34, WLAN, 20022, 4, "qq", (guint64) 1, (guint64) 2);
}

/* Writes two events, the first with processor times, the second with a flag that it has none. */
static void
add_times (NsEtlWriter *writer)
{
  NsEtlWriterEvent event = { .raw = RAW_BASE + 50 * RAW_PER_MS,
                             .cpu = 70,
                             .level = 4,
                             .kernel_time = 5,
                             .user_time = 6 };

  ns_guid_from_text (&event.guid, OTHER);
  g_assert_true (ns_etl_writer_add_event (writer, &event));
  event.raw += RAW_PER_MS;
  event.flags = 0x10;
  g_assert_true (ns_etl_writer_add_event (writer, &event));
}

static void
set_up (Fixture *fixture, gconstpointer user_data)
{
  NsEtlWriterOptions options = { .start_filetime = G_GUINT64_CONSTANT (133485408000000000),
                                 .base_raw = RAW_BASE,
                                 .mode = 4194306,
                                 .events_lost = 7,
                                 .session = "MyHttpTrace",
                                 .log_file = "C:\\http.etl" };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);

  add_errors (writer);
  add_drops (writer);
  add_states (writer);
  add_metadata (writer, 40);
  add_metadata (writer, 41);
  add_times (writer);
  fixture->folder = g_dir_make_tmp ("netstitch-signs-XXXXXX", NULL);
  fixture->trace = g_build_filename (fixture->folder, "made.etl", NULL);
  g_assert_true (ns_etl_writer_finish_to_file (writer, fixture->trace, NULL));
}

static void
tear_down (Fixture *fixture, gconstpointer user_data)
{
  g_unlink (fixture->trace);
  g_rmdir (fixture->folder);
  g_free (fixture->trace);
  g_free (fixture->folder);
}

/* Runs the program and returns its output. */
static char *
ask (const Fixture *fixture, const char *const *words)
{
  g_autoptr (GPtrArray) line = g_ptr_array_new ();
  g_autoptr (GSubprocess) program = NULL;
  g_autoptr (GError) error = NULL;
  char *output = NULL;
  guint i;

  g_ptr_array_add (line, (gpointer) g_getenv ("NETSTITCH_CLI"));
  g_ptr_array_add (line, (gpointer) words[0]);
  g_ptr_array_add (line, fixture->trace);
  for (i = 1; words[i] != NULL; i++)
    g_ptr_array_add (line, (gpointer) words[i]);
  g_ptr_array_add (line, NULL);
  program = g_subprocess_newv ((const char *const *) line->pdata,
                               G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                               &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (program, NULL, NULL, &output, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (g_subprocess_get_exit_status (program), ==, 0);
  return output;
}

#define ASK(fixture, ...) ask (fixture, (const char *const[]){ __VA_ARGS__, NULL })

static guint
count_lines (const char *text)
{
  guint n = 0;

  for (; (text = strchr (text, '\n')) != NULL; text++)
    n++;
  return n;
}

static void
test_errors_are_told_by_level_or_status (Fixture *fixture, gconstpointer user_data)
{
  g_autofree char *rows = ASK (fixture,
                               "events",
                               "--errors",
                               "--format=tsv",
                               "--columns=time,id",
                               "--filter=time_ns < 20ms");

  g_assert_cmpstr (rows,
                   ==,
                   "time_ns\tid\n"
                   "1000000\t1\n"
                   "2000000\t1\n"
                   "3000000\t1\n"
                   "5000000\t1001\n"
                   "6000000\t1001\n");
}

static void
test_errors_are_told_in_words (Fixture *fixture, gconstpointer user_data)
{
  g_autofree char *rows = ASK (fixture, "events", "--errors", "--format=jsonl", "--filter=n = 4");

  g_assert_nonnull (
      strstr (rows, "\"error_text\":\"Status: STATUS_CONNECTION_REFUSED (0xC0000236"));
}

static void
test_each_source_of_drops_gives_its_reason (Fixture *fixture, gconstpointer user_data)
{
  g_autofree char *rows = ASK (fixture,
                               "events",
                               "--drops",
                               "--format=tsv",
                               "--columns=drop_source,drop_code,drop_reason");

  g_assert_cmpstr (rows,
                   ==,
                   "drop_source\tdrop_code\tdrop_reason\n"
                   "TCPIP\t4\tTransport endpoint was not found (4)\n"
                   "AFD\t2\tInsufficient local buffer space (2)\n"
                   "WFP\t66123\tBlocked by filter 66123 in layer 7\n"
                   "PktMon\t14\tQoS drop (14)\n");
}

static void
test_lanes_have_a_mark_for_each_change (Fixture *fixture, gconstpointer user_data)
{
  g_autofree char *rows =
      ASK (fixture, "lanes", "--format=tsv", "--columns=time,lane,subject,mark");

  g_assert_cmpstr (rows,
                   ==,
                   "time_ns\tlane\tsubject\tmark\n"
                   "30000000\ttcp-state\t0xffff800000001000\tEstablished → CloseWait\n"
                   "31000000\tinterface\t5\tOperational\n"
                   "32000000\tncsi\t6\tInternetConnectivityDetection\n"
                   "33000000\tdhcp\t7\tMediaStateEvent/MediaConnect\n"
                   "34000000\twlan\t00000001-0000-0000-0200-000000000000\tEvent 20022\n");
}

static void
test_descriptions_are_hidden_from_eyes_only (Fixture *fixture, gconstpointer user_data)
{
  g_autofree char *text = ASK (fixture, "events", "--format=text");
  g_autofree char *all = ASK (fixture, "events", "--format=text", "--show-schema");
  g_autofree char *raw = ASK (fixture, "events", "--format=text", "--raw");
  g_autofree char *lines = ASK (fixture, "events", "--format=jsonl");

  g_assert_cmpuint (count_lines (all), ==, count_lines (text) + 2);
  g_assert_cmpstr (raw, ==, all);
  g_assert_cmpuint (count_lines (lines) + 1, ==, count_lines (all));
}

static void
test_processor_and_times_are_of_the_header (Fixture *fixture, gconstpointer user_data)
{
  g_autofree char *rows = ASK (fixture,
                               "events",
                               "--format=tsv",
                               "--filter=cpu == 70",
                               "--columns=cpu,kernel_time,user_time");

  g_assert_cmpstr (rows, ==, "cpu\tkernel_time\tuser_time\n70\t5\t6\n70\t\t\n");
}

static void
test_statistics_name_what_no_file_holds (Fixture *fixture, gconstpointer user_data)
{
  g_autofree char *rows = ASK (fixture, "info", "--stats", "--format=tsv");

  g_assert_cmpuint (count_lines (rows), ==, 20);
  g_assert_nonnull (strstr (rows, "\ntrace_name\tMyHttpTrace\t\n"));
  g_assert_nonnull (strstr (rows, "\nlogfile\tC:\\http.etl\t\n"));
  g_assert_nonnull (strstr (rows, "\nlogfile_mode\t4194306\tCIRCULAR, STOP_ON_HYBRID_SHUTDOWN\n"));
  g_assert_nonnull (strstr (rows, "\nclock_resolution\t1\tQPC\n"));
  g_assert_nonnull (strstr (rows, "\nevents_lost\t7\t\n"));
  g_assert_nonnull (strstr (rows, "\nflush_timer\tn/a\tsession setting"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
#define ADD(path, function)                                                                        \
  g_test_add ("/cli/signs/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("errors", test_errors_are_told_by_level_or_status);
  ADD ("words", test_errors_are_told_in_words);
  ADD ("drops", test_each_source_of_drops_gives_its_reason);
  ADD ("lanes", test_lanes_have_a_mark_for_each_change);
  ADD ("schema", test_descriptions_are_hidden_from_eyes_only);
  ADD ("times", test_processor_and_times_are_of_the_header);
  ADD ("stats", test_statistics_name_what_no_file_holds);
#undef ADD
  return g_test_run ();
}
