/* Tests the verbs `events` and `dump`: text, order, and truncation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-events.h"
#include "engine/build/ns-builder.h"
#include "engine/open/ns-parts.h"
#include "etl/ns-etl-writer.h"
#include "query/ns-filter.h"

#include <string.h>

typedef gboolean (*PrintFunc) (const NsCliEvents *asked,
                               NsEtlFile *file,
                               NsSchemas *schemas,
                               NsExportWriteFunc write,
                               gpointer write_data,
                               GError **error);

static gboolean
write_cb (const char *data, gsize n_bytes, gpointer user_data, GError **error)
{
  g_string_append_len (user_data, data, (gssize) n_bytes);
  return TRUE;
}

static GByteArray *
bytes_of (const char *data, gsize n)
{
  return g_byte_array_append (g_byte_array_new (), (const guint8 *) data, (guint) n);
}

/* Makes a TCPIP receive, a Kernel-Network connection attempt and a message, 1 ms apart. */
static NsEtlFile *
make_trace (void)
{
  static const char receive[] = "\x7c\x1a\0\0\x05\0\0\0\x4a\x7d\xec\x50\x0a\0\0\x02\0\x50\xc0\x01"
                                "\0\0\0\0\0\0\0\0\0\0\0\0";
  static const char text[] = "h\0i\0 \0x\0\0";
  static const guint64 stack[] = { 0x10, 0x20, 0x30 };
  NsEtlWriterOptions options = { .start_filetime = G_GUINT64_CONSTANT (133500000000000000),
                                 .base_raw = 1000000 };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autoptr (GByteArray) payload = bytes_of (receive, sizeof receive - 1);
  g_autoptr (GByteArray) message = bytes_of (text, sizeof text);
  g_autoptr (GByteArray) bytes = bytes_of ("\x01\xff", 2);
  g_autoptr (GBytes) file = NULL;
  NsEtlWriterGroup group = { .raw = 1010000,
                             .kind = NS_RECORD_PERFINFO64,
                             .group = 6,
                             .opcode = 11,
                             .version = 2,
                             .payload = payload };
  NsEtlWriterEvent event = { .raw = 1020000,
                             .id = 9,
                             .version = 1,
                             .level = 4,
                             .pid = 70000,
                             .tid = 80000,
                             .keyword = G_GUINT64_CONSTANT (0x8000000000000001),
                             .flags = 4, /* EventWriteString */
                             .stack = stack,
                             .n_stack = 3,
                             .payload = message };
  NsEtlWriterMessage wpp = { .raw = 1030000, .number = 12, .pid = 5, .tid = 6, .payload = bytes };

  ns_guid_from_text (&event.guid, "01020304-0506-0708-090a-0b0c0d0e0f10");
  ns_guid_from_text (&event.activity, "11121314-1516-1718-191a-1b1c1d1e1f20");
  ns_guid_from_text (&wpp.guid, "21222324-2526-2728-292a-2b2c2d2e2f30");
  ns_etl_writer_add_group (writer, &group);
  ns_etl_writer_add_event (writer, &event);
  ns_etl_writer_add_message (writer, &wpp);
  file = ns_etl_writer_finish (writer);
  return ns_etl_file_open_bytes (file, "made.etl", NULL);
}

static char *
print_file (const NsCliEvents *asked, NsEtlFile *file, PrintFunc func)
{
  g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
  g_autoptr (GError) error = NULL;
  GString *text = g_string_new (NULL);

  g_assert_true (func (asked, file, schemas, write_cb, text, &error));
  g_assert_no_error (error);
  return g_string_free (text, FALSE);
}

static char *
print (const NsCliEvents *asked, PrintFunc func)
{
  g_autoptr (NsEtlFile) file = make_trace ();

  return print_file (asked, file, func);
}

static void
test_every_record_is_an_object (void)
{
  static const char expected[] =
      "{\"n\":1,\"time_ns\":1000000,\"cpu\":0,\"pid\":null,\"tid\":null,"
      "\"provider\":\"9a280ac0-c8e0-11d1-84e2-00c04fb998a2\",\"provider_name\":\"TcpIp\","
      "\"id\":0,\"version\":2,\"opcode\":11,\"opcode_name\":\"Recv\",\"task\":null,"
      "\"task_name\":\"TcpIp\",\"level\":null,\"keyword\":null,\"activity\":null,"
      "\"related_activity\":null,\"kernel_time\":null,\"user_time\":null,\"header\":\"kernel\","
      "\"name\":\"TcpIp/Recv\",\"fields\":{\"PID\":6780,\"size\":5,\"daddr\":\"74.125.236.80\","
      "\"saddr\":\"10.0.0.2\",\"dport\":80,\"sport\":49153,\"seqnum\":0,\"connid\":\"0x0\"},"
      "\"stack_depth\":0,\"schema\":\"builtin\",\"schema_build\":null}\n"
      "{\"n\":2,\"time_ns\":2000000,\"cpu\":0,\"pid\":70000,\"tid\":80000,"
      "\"provider\":\"01020304-0506-0708-090a-0b0c0d0e0f10\",\"provider_name\":null,"
      "\"id\":9,\"version\":1,\"opcode\":0,\"opcode_name\":\"Info\",\"task\":0,"
      "\"task_name\":null,\"level\":4,\"keyword\":\"0x8000000000000001\","
      "\"activity\":\"11121314-1516-1718-191a-1b1c1d1e1f20\",\"related_activity\":null,"
      "\"kernel_time\":0,\"user_time\":0,\"header\":\"manifest\",\"name\":null,"
      "\"fields\":{\"Message\":\"hi "
      "x\"},\"stack_depth\":3,\"schema\":\"builtin\",\"schema_build\":null}\n"
      "{\"n\":3,\"time_ns\":3000000,\"cpu\":0,\"pid\":5,\"tid\":6,"
      "\"provider\":\"21222324-2526-2728-292a-2b2c2d2e2f30\",\"provider_name\":null,"
      "\"id\":12,\"version\":0,\"opcode\":0,\"opcode_name\":null,\"task\":null,"
      "\"task_name\":null,\"level\":null,\"keyword\":null,\"activity\":null,"
      "\"related_activity\":null,\"kernel_time\":null,\"user_time\":null,\"header\":\"wpp\","
      "\"name\":null,\"fields\":{\"(bytes)\":\"01ff\"},\"stack_depth\":0,\"schema\":\"none\","
      "\"schema_build\":null}\n";
  NsCliEvents asked = { .format = "jsonl", .limit = -1, .from = "0.001" };
  g_autofree char *text = print (&asked, ns_cli_events_print);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_limits_and_columns_are_obeyed (void)
{
  NsCliEvents asked = { .format = "csv", .columns = "n,tid,fields", .limit = 2, .offset = 1 };
  g_autofree char *text = print (&asked, ns_cli_events_print);

  g_assert_cmpstr (text,
                   ==,
                   "n,tid,fields\r\n"
                   "1,,PID 6780 size 5 daddr 74.125.236.80 saddr 10.0.0.2 dport 80 sport 49153 "
                   "seqnum 0 connid 0x0\r\n"
                   "2,80000,Message {hi x}\r\n");
}

static void
test_an_empty_span_is_an_empty_array (void)
{
  NsCliEvents asked = { .format = "json", .limit = -1, .from = "5" };
  g_autofree char *text = print (&asked, ns_cli_events_print);

  g_assert_cmpstr (text, ==, "[]\n");
}

static void
test_payload_comes_when_asked_for (void)
{
  NsCliEvents asked = { .format = "jsonl", .limit = -1, .from = "0.003", .has_payload = TRUE };
  g_autofree char *text = print (&asked, ns_cli_events_print);

  g_assert_nonnull (strstr (text, "},\"payload_hex\":\"01ff\",\"stack_depth\":0,"));
}

static void
test_dump_has_the_form_of_windows (void)
{
  NsCliEvents asked = { .limit = -1, .from = "0.001" };
  g_autofree char *text = print (&asked, ns_cli_dump_print);

  g_assert_cmpstr (text,
                   ==,
                   "133500000000010000,TcpIp,Recv,PID 6780 size 5 daddr 74.125.236.80 saddr "
                   "10.0.0.2 dport 80 sport 49153 seqnum 0 connid 0x0\n"
                   "133500000000020000,,Info,Message {hi x}\n"
                   "133500000000030000,,,\n");
}

/* Writes an event of the Tcl Windows API's execution trace. */
static void
add_step (NsEtlWriter *writer, guint64 raw, const char *const *texts)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterFull event = { .raw = raw, .opcode = 3, .pid = 6780, .tid = 7, .payload = payload };

  for (; *texts != NULL; texts++)
    {
      const char *at = *texts;

      do
        ns_etl_bytes_u16 (payload, (guchar) *at);
      while (*at++ != '\0');
    }
  ns_guid_from_text (&event.guid, "d5b52e95-8447-40c1-b316-539894449b36");
  ns_etl_writer_add_full (writer, &event);
}

static void
test_scripts_tell_in_the_same_stream (void)
{
  static const char receive[] = "\x7c\x1a\0\0\x05\0\0\0\x4a\x7d\xec\x50\x0a\0\0\x02\0\x50\xc0\x01"
                                "\0\0\0\0\0\0\0\0\0\0\0\0";
  static const char *const enter[] = { "enter", "http::geturl a.test", "", "", "main", NULL };
  static const char *const leave[] = { "leave", "http::geturl a.test", "0", "::http::1", "", NULL };
  NsEtlWriterOptions options = { .base_raw = 1000000 };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autoptr (GByteArray) payload = bytes_of (receive, sizeof receive - 1);
  NsEtlWriterGroup group = { .raw = 1020000,
                             .kind = NS_RECORD_PERFINFO64,
                             .group = 6,
                             .opcode = 11,
                             .version = 2,
                             .payload = payload };
  NsCliEvents asked = { .format = "csv", .columns = "name,fields", .limit = -1, .offset = 1 };
  g_autoptr (NsEtlFile) file = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *text = NULL;

  add_step (writer, 1010000, enter);
  ns_etl_writer_add_group (writer, &group);
  add_step (writer, 1030000, leave);
  bytes = ns_etl_writer_finish (writer);
  file = ns_etl_file_open_bytes (bytes, "made.etl", NULL);
  text = print_file (&asked, file, ns_cli_events_print);
  g_assert_cmpstr (
      text,
      ==,
      "name,fields\r\n"
      "TwapiETWEventClass/ExecutionTrace,Operation enter Command {http::geturl a.test} "
      "Code {} Result {} Context main\r\n"
      "TcpIp/Recv,PID 6780 size 5 daddr 74.125.236.80 saddr 10.0.0.2 dport 80 "
      "sport 49153 seqnum 0 connid 0x0\r\n"
      "TwapiETWEventClass/ExecutionTrace,Operation leave Command {http::geturl a.test} "
      "Code 0 Result ::http::1 Context {}\r\n");
}

static void
test_dump_has_other_forms (void)
{
  NsCliEvents list = { .limit = 1, .from = "0.002", .format = "list" };
  NsCliEvents xml = { .limit = 1, .from = "0.002", .format = "xml", .columns = "pid,properties" };
  NsCliEvents apart = { .limit = 1, .from = "0.002", .separator = " | ", .time = "iso" };
  NsCliEvents json = { .limit = 1, .from = "0.002", .format = "jsonl", .columns = "timecreated" };
  g_autofree char *of_list = print (&list, ns_cli_dump_print);
  g_autofree char *of_xml = print (&xml, ns_cli_dump_print);
  g_autofree char *of_apart = print (&apart, ns_cli_dump_print);
  g_autofree char *of_json = print (&json, ns_cli_dump_print);

  g_assert_cmpstr (of_list,
                   ==,
                   "timecreated: 133500000000020000\n"
                   "opcode_name: Info\n"
                   "fields: Message {hi x}\n"
                   "\n");
  g_assert_cmpstr (of_xml,
                   ==,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<events>\n"
                   "<event><pid>70000</pid><fields>Message {hi x}</fields></event>\n"
                   "</events>\n");
  g_assert_cmpstr (of_apart, ==, "2024-01-17T21:20:00.0020000Z |  | Info | Message {hi x}\n");
  g_assert_cmpstr (of_json, ==, "{\"timecreated\":133500000000020000}\n");
}

/* Events of an unused provider: one of a known version, one that matches only a longer layout, and
 * one with an unknown ID. */
static void
test_events_say_what_decoded_them (void)
{
  static const struct
  {
    guint16 id;
    guint8 version;
    guint8 level;
    guint64 keyword;
    const char *payload;
    gsize size;
  } rows[] = {
    { 53504, 1, 4, 0x30, "1\0\0\0A\0\0\0", 8 },
    { 53504, 7, 2, 0x8000000000000010, "2\0\0\0B\0\0\0", 8 },
    { 3, 0, 9, 0, "\xff", 1 },
  };
  NsEtlWriterOptions options = { .start_filetime = G_GUINT64_CONSTANT (133500000000000000),
                                 .base_raw = 1000000 };
  NsCliEvents asked = {
    .format = "jsonl",
    .limit = -1,
    .from = "0.001",
    .columns = "provider_name,id,level_name,keyword_names,task_name,fields,schema,schema_build,"
               "schema_version"
  };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (NsEtlFile) file = NULL;
  g_autofree char *text = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GByteArray) payload = bytes_of (rows[i].payload, rows[i].size);
      NsEtlWriterEvent event = { .raw = 1010000 + i,
                                 .id = rows[i].id,
                                 .version = rows[i].version,
                                 .level = rows[i].level,
                                 .keyword = rows[i].keyword,
                                 .payload = payload };

      ns_guid_from_text (&event.guid, "a0c1853b-5c40-4b15-8766-3cf1c58f985a");
      ns_etl_writer_add_event (writer, &event);
    }
  bytes = ns_etl_writer_finish (writer);
  file = ns_etl_file_open_bytes (bytes, "made.etl", NULL);
  text = print_file (&asked, file, ns_cli_events_print);
  g_assert_cmpstr (
      text,
      ==,
      "{\"provider_name\":\"Microsoft-Windows-PowerShell\",\"id\":53504,"
      "\"level_name\":\"Informational\",\"keyword_names\":\"Host|Cmdlets\","
      "\"task_name\":\"PowerShellNamedPipeIPC\",\"fields\":{\"param1\":\"1\",\"param2\":\"A\"},"
      "\"schema\":\"builtin\",\"schema_build\":18990,\"schema_version\":1}\n"
      "{\"provider_name\":\"Microsoft-Windows-PowerShell\",\"id\":53504,"
      "\"level_name\":\"Error\",\"keyword_names\":\"Host\","
      "\"task_name\":\"PowerShellNamedPipeIPC\",\"fields\":{\"param1\":\"2\",\"param2\":\"B\"},"
      "\"schema\":\"builtin\",\"schema_build\":18990,\"schema_version\":1}\n"
      "{\"provider_name\":\"Microsoft-Windows-PowerShell\",\"id\":3,"
      "\"level_name\":null,\"keyword_names\":null,"
      "\"task_name\":null,\"fields\":{\"(bytes)\":\"ff\"},"
      "\"schema\":\"none\",\"schema_build\":null,\"schema_version\":null}\n");
}

static void
test_wrong_words_are_refused (void)
{
  NsCliEvents column = { .columns = "n,nothing", .limit = -1 };
  NsCliEvents format = { .format = "yaml", .limit = -1 };
  g_autoptr (GError) error = NULL;

  g_assert_false (ns_cli_events_check (&column, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
  g_assert_nonnull (strstr (error->message, "nothing"));
  g_clear_error (&error);
  g_assert_false (ns_cli_events_check (&format, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
  g_clear_error (&error);
  column.columns = "timecreated,properties";
  g_assert_false (ns_cli_events_check (&column, NULL));
  g_assert_true (ns_cli_dump_check (&column, &error));
}

/* Makes a trace of 8-bit text that is not valid UTF-8. */
static NsEtlFile *
make_odd_text (void)
{
  static const char fields[] = "Odd Text\0\x16";
  static const char value[] = "\x10\0a\0\0\0\0\xd8 \0{\0\n\0,\0\"\0";
  NsEtlWriterOptions options = { .base_raw = 1000000 };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autoptr (GByteArray) payload = bytes_of (value, sizeof value - 1);
  g_autoptr (GByteArray) members = bytes_of (fields, sizeof fields - 1);
  g_autoptr (GByteArray) schema = ns_etl_writer_schema_tl ("Said", members);
  g_autoptr (GBytes) file = NULL;
  NsEtlWriterEvent event = { .raw = 1010000, .payload = payload, .schema_tl = schema };

  ns_guid_from_text (&event.guid, "01020304-0506-0708-090a-0b0c0d0e0f10");
  ns_etl_writer_add_event (writer, &event);
  file = ns_etl_writer_finish (writer);
  return ns_etl_file_open_bytes (file, "made.etl", NULL);
}

static void
test_texts_are_told_without_loss (void)
{
  static const struct
  {
    const char *format;
    const char *expected;
  } forms[] = {
    { "jsonl", "{\"fields\":{\"Odd Text\":\"a\\u0000\\ud800 {\\n,\\\"\"}}\n" },
    { "text", "fields\n{Odd Text} a\\u0000\\ud800\\ \\{\\n,\\\"\n" },
    { "tsv", "fields\n{Odd Text} a\\u0000\\ud800\\ \\{\\n,\\\"\n" },
    { "csv", "fields\r\n\"{Odd Text} a\\u0000\\ud800\\ \\{\\n,\\\"\"\"\r\n" },
    { "list", "fields: {Odd Text} a\\u0000\\ud800\\ \\{\\n,\\\"\n\n" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      NsCliEvents asked = { .format = forms[i].format,
                            .columns = "fields",
                            .limit = -1,
                            .offset = 1 };
      g_autoptr (NsEtlFile) file = make_odd_text ();
      g_autofree char *text = print_file (&asked, file, ns_cli_events_print);

      g_assert_cmpstr (text, ==, forms[i].expected);
    }
}

/* Makes a TcpIp receive and send event; the receive event has source and destination as in its
 * packet. */
static NsEtlFile *
make_flow (void)
{
  static const char send[] = "\x7c\x1a\0\0\x05\0\0\0\x4a\x7d\xec\x50\x0a\0\0\x02\0\x50\xc0\x01"
                             "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
  static const char receive[] = "\x7c\x1a\0\0\x07\0\0\0\x0a\0\0\x02\x4a\x7d\xec\x50\xc0\x01\0\x50"
                                "\0\0\0\0\0\0\0\0\0\0\0\0";
  NsEtlWriterOptions options = { .base_raw = 1000000 };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autoptr (GByteArray) sent = bytes_of (send, sizeof send - 1);
  g_autoptr (GByteArray) received = bytes_of (receive, sizeof receive - 1);
  g_autoptr (GBytes) file = NULL;
  NsEtlWriterGroup group = { .raw = 1010000,
                             .kind = NS_RECORD_PERFINFO64,
                             .group = 6,
                             .opcode = 11,
                             .version = 2,
                             .payload = received };

  /* Comes first, though its local address follows only from the next record. */
  ns_etl_writer_add_group (writer, &group);
  group.raw = 1020000;
  group.opcode = 10;
  group.payload = sent;
  ns_etl_writer_add_group (writer, &group);
  file = ns_etl_writer_finish (writer);
  return ns_etl_file_open_bytes (file, "made.etl", NULL);
}

static char *
print_flow (const char *format, const char *columns, gboolean is_raw)
{
  NsCliEvents asked = { .format = format,
                        .columns = columns,
                        .limit = -1,
                        .offset = 1,
                        .is_raw = is_raw };
  g_autoptr (NsEtlFile) file = make_flow ();

  return print_file (&asked, file, ns_cli_events_print);
}

#define FLOW_OUT "daddr 74.125.236.80 saddr 10.0.0.2 dport 80 sport 49153 "
#define FLOW_IN "daddr 10.0.0.2 saddr 74.125.236.80 dport 49153 sport 80 "
#define SENT "PID 6780 size 5 " FLOW_OUT "startime 0 endtime 0 seqnum 0 connid 0x0\n"

static void
test_ends_stand_the_same_way (void)
{
  g_autofree char *shown = print_flow ("text", "fields", FALSE);
  g_autofree char *raw = print_flow ("text", "fields", TRUE);
  g_autofree char *kept = print_flow ("tsv", "fields", FALSE);
  g_autofree char *ends = print_flow ("tsv", "name,local,remote", FALSE);

  g_assert_cmpstr (shown, ==, "fields\nPID 6780 size 7 " FLOW_OUT "seqnum 0 connid 0x0\n" SENT);
  g_assert_cmpstr (raw, ==, "fields\nPID 6780 size 7 " FLOW_IN "seqnum 0 connid 0x0\n" SENT);
  g_assert_cmpstr (kept, ==, raw);
  g_assert_cmpstr (ends,
                   ==,
                   "name\tlocal\tremote\n"
                   "TcpIp/Recv\t10.0.0.2:49153\t74.125.236.80:80\n"
                   "TcpIp/Send\t10.0.0.2:49153\t74.125.236.80:80\n");
}

static NsTrace *
open_cb (gpointer user_data, GError **error)
{
  NsTraceOptions options = { .want_events = TRUE };

  return ns_trace_build (make_trace (), ns_schemas_new (NULL), &options, NULL, NULL, error);
}

/* Asserts which records pass the filter, with and without the event table. */
static void
assert_passes (const char *filter, const char *expected)
{
  NsCliEvents asked = { .format = "tsv", .columns = "n", .limit = -1, .filter = filter };
  g_autofree char *streamed = print (&asked, ns_cli_events_print);
  g_autofree char *of_table = NULL;

  asked.open = open_cb;
  asked.sort = "n";
  of_table = print (&asked, ns_cli_events_print);
  g_assert_cmpstr (streamed, ==, expected);
  g_assert_cmpstr (of_table, ==, expected);
}

static void
test_filters_know_the_columns (void)
{
  assert_passes ("id == 9", "n\n2\n");
  assert_passes ("activity == {11121314-1516-1718-191A-1B1C1D1E1F20}", "n\n2\n");
  assert_passes ("provider != 21222324-2526-2728-292a-2b2c2d2e2f30", "n\n0\n1\n2\n");
  assert_passes ("provider:tcpip", "n\n1\n");
  assert_passes ("provider = TcpIp", "n\n1\n");
  assert_passes ("provider in (Tcp*, 21222324-2526-2728-292a-2b2c2d2e2f30)", "n\n1\n3\n");
  assert_passes ("provider:2122", "n\n3\n");
  assert_passes ("pid in (5, 70000)", "n\n2\n3\n");
  assert_passes ("header:kernel opcode > 0", "n\n1\n");
  assert_passes ("provider_name:tcp name=TcpIp/Recv", "n\n1\n");
  assert_passes ("keyword == 0x8000000000000001 level<=4", "n\n2\n");
  assert_passes ("time > 0.001 time <= 2ms", "n\n2\n");
  assert_passes ("n:2..3", "n\n2\n3\n");
}

static void
test_filters_know_payloads (void)
{
  assert_passes ("fields.dport == 80", "n\n1\n");
  assert_passes ("DPORT in (81, 0x50)", "n\n1\n");
  assert_passes ("dport:8", "n\n");
  assert_passes ("size >= 5 size < 6", "n\n1\n");
  assert_passes ("daddr:74.125.0.0/16", "n\n1\n");
  assert_passes ("daddr:74.126.0.0/16", "n\n");
  assert_passes ("saddr ~ ^10", "n\n1\n");
  assert_passes ("Message:\"hi x\"", "n\n2\n");
  assert_passes ("fields.pid == 6780", "n\n1\n");
  assert_passes ("Message:* or dport:*", "n\n1\n2\n");
  assert_passes ("dport:none -id:12 header:manifest", "n\n2\n");
}

/* Events have no column of durations: it is a field of some events, in a unit of its own. */
static void
test_a_payload_number_has_no_unit (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ns_filter_new (NS_TABLE_EVENTS, "duration>10ms", NULL, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
  g_assert_nonnull (strstr (error->message, "“10ms”: a plain number"));
  g_assert_nonnull (strstr (error->message, "without units"));
}

static void
test_limits_count_what_passes (void)
{
  NsCliEvents asked = { .format = "tsv", .columns = "n", .limit = 1, .offset = 1 };
  g_autofree char *text = NULL;
  g_autofree char *sorted = NULL;

  asked.filter = "n > 0";
  text = print (&asked, ns_cli_events_print);
  g_assert_cmpstr (text, ==, "n\n2\n");
  asked.sort = "-n";
  asked.open = open_cb;
  asked.from = "0.0015";
  sorted = print (&asked, ns_cli_events_print);
  g_assert_cmpstr (sorted, ==, "n\n2\n");
}

/* Events of a time span have the numbers and descriptions that they have in the complete list, even
 * if buffers were skipped. */
static void
test_a_span_is_a_part_of_the_list (void)
{
  NsEtlWriterOptions options = { .buffer_size = 1024, .base_raw = 1000000 };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  NsCliEvents asked = { .format = "tsv", .columns = "n,id,time_ns", .limit = -1 };
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (NsEtlFile) file = NULL;
  g_autofree char *all = NULL;
  g_autofree char *part = NULL;
  const char *begin;
  const char *end;
  guint i;

  for (i = 0; i < 400; i++)
    {
      NsEtlWriterEvent event = { .cpu = i % 3, .raw = 1000000 + 1000 * i, .id = (guint16) i };

      ns_etl_writer_add_event (writer, &event);
    }
  bytes = ns_etl_writer_finish (writer);
  file = ns_etl_file_open_bytes (bytes, "made.etl", NULL);
  all = print_file (&asked, file, ns_cli_events_print);
  asked.from = "0.02";
  asked.to = "0.03";
  part = print_file (&asked, file, ns_cli_events_print);
  begin = strstr (all, "\n201\t200\t20000000\n");
  end = strstr (all, "\n301\t300\t30000000\n");
  g_assert_true (begin != NULL && end != NULL);
  g_assert_cmpmem (strchr (part, '\n'), strlen (strchr (part, '\n')), begin, (end + 1 - begin));
}

static void
test_wrong_filters_are_refused (void)
{
  static const char *const wrong[] = { "id >", "id == x", "size < big", "(id == 1", "x ~ (" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      NsCliEvents asked = { .filter = wrong[i], .limit = -1 };
      g_autoptr (GError) error = NULL;

      g_assert_false (ns_cli_events_check (&asked, &error));
      g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/events/objects", test_every_record_is_an_object);
  g_test_add_func ("/cli/events/columns", test_limits_and_columns_are_obeyed);
  g_test_add_func ("/cli/events/decoded-by", test_events_say_what_decoded_them);
  g_test_add_func ("/cli/events/empty", test_an_empty_span_is_an_empty_array);
  g_test_add_func ("/cli/events/payload", test_payload_comes_when_asked_for);
  g_test_add_func ("/cli/dump/form", test_dump_has_the_form_of_windows);
  g_test_add_func ("/cli/events/scripts", test_scripts_tell_in_the_same_stream);
  g_test_add_func ("/cli/events/dump-forms", test_dump_has_other_forms);
  g_test_add_func ("/cli/events/odd-texts", test_texts_are_told_without_loss);
  g_test_add_func ("/cli/events/ends", test_ends_stand_the_same_way);
  g_test_add_func ("/cli/events/wrong-words", test_wrong_words_are_refused);
  g_test_add_func ("/cli/events/filter", test_filters_know_the_columns);
  g_test_add_func ("/cli/events/filter-payload", test_filters_know_payloads);
  g_test_add_func ("/cli/events/filter-payload-unit", test_a_payload_number_has_no_unit);
  g_test_add_func ("/cli/events/filter-limits", test_limits_count_what_passes);
  g_test_add_func ("/cli/events/span", test_a_span_is_a_part_of_the_list);
  g_test_add_func ("/cli/events/filter-wrong", test_wrong_filters_are_refused);
  return g_test_run ();
}
