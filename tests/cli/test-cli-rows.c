/* Tests the listing verbs, by running the program on a generated trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-writer.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* 7dd42a49-5329-4832-8dfd-43d979153a88, Microsoft-Windows-Kernel-Network */
static const NsGuid kernel_network =
    NS_GUID_INIT (0x7dd42a49, 0x5329, 0x4832, 0x8d, 0xfd, 0x43, 0xd9, 0x79, 0x15, 0x3a, 0x88);

#define RAW_BASE 1000000
#define RAW_PER_MS 10000

typedef struct
{
  char *folder;
  char *trace;
} Fixture;

enum
{
  EVENT_SEND = 10,
  EVENT_RECEIVE = 11,
  EVENT_CONNECT = 12,
  EVENT_DISCONNECT = 13,
};

/* Writes an event in the layout of the manifest: addresses and ports are in network byte order. */
static void
add_event (NsEtlWriter *writer, guint16 id, guint ms, guint32 pid, guint32 size, guint8 host)
{
  const guint8 remote[] = { 10, 0, 0, host };
  const guint8 local[] = { 192, 168, 0, 5 };
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterEvent event = {
    .raw = RAW_BASE + (guint64) ms * RAW_PER_MS,
    .guid = kernel_network,
    .id = id,
    .pid = 4,
    .tid = 8,
    .payload = payload,
  };

  ns_etl_bytes_u32 (payload, pid);
  ns_etl_bytes_u32 (payload, size);
  ns_etl_bytes_data (payload, remote, sizeof remote);
  ns_etl_bytes_data (payload, local, sizeof local);
  ns_etl_bytes_u16be (payload, 443);
  ns_etl_bytes_u16be (payload, (guint16) (50000 + host));
  if (id == EVENT_SEND)
    ns_etl_bytes_zero (payload, 8);
  if (id == EVENT_CONNECT)
    ns_etl_bytes_zero (payload, 16);
  ns_etl_bytes_u32 (payload, 1);
  ns_etl_bytes_u64 (payload, 0xffff000000000000 + host);
  g_assert_true (ns_etl_writer_add_event (writer, &event));
}

static void
set_up (Fixture *fixture, gconstpointer user_data)
{
  NsEtlWriterOptions options = { .start_filetime = G_GUINT64_CONSTANT (133485408000000000) };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);

  add_event (writer, EVENT_CONNECT, 100, 300, 0, 1);
  add_event (writer, EVENT_SEND, 110, 300, 1200, 1);
  add_event (writer, EVENT_CONNECT, 120, 400, 0, 2);
  add_event (writer, EVENT_RECEIVE, 130, 300, 5000, 1);
  add_event (writer, EVENT_DISCONNECT, 200, 300, 0, 1);
  add_event (writer, EVENT_SEND, 300, 400, 77, 2);
  fixture->folder = g_dir_make_tmp ("rows-XXXXXX", NULL);
  fixture->trace = g_build_filename (fixture->folder, "made.etl", NULL);
  g_assert_true (ns_etl_writer_finish_to_file (writer, fixture->trace, NULL));
}

static void
tear_down (Fixture *fixture, gconstpointer user_data)
{
  g_unlink (fixture->trace);
  g_rmdir (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->trace);
}

/* Runs `netstitch-cli VERB trace …`, with the space-separated arguments in @words. */
static char *
run (Fixture *fixture, const char *words, int expected_status, char **complaint)
{
  g_auto (GStrv) given = g_strsplit (words, " ", -1);
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  char *output = NULL;
  guint i;

  g_ptr_array_add (arguments, (gpointer) g_getenv ("NETSTITCH_CLI"));
  g_ptr_array_add (arguments, given[0]);
  g_ptr_array_add (arguments, fixture->trace);
  for (i = 1; given[i] != NULL; i++)
    g_ptr_array_add (arguments, given[i]);
  g_ptr_array_add (arguments, NULL);
  process = g_subprocess_newv ((const char *const *) arguments->pdata,
                               G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE,
                               &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &output, complaint, &error));
  g_assert_no_error (error);
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, expected_status);
  return output;
}

static void
assert_prints (Fixture *fixture, const char *words, const char *expected)
{
  g_autofree char *complaint = NULL;
  g_autofree char *output = run (fixture, words, 0, &complaint);

  g_assert_cmpstr (output, ==, expected);
  g_assert_cmpstr (complaint, ==, "");
}

static void
assert_refuses (Fixture *fixture, const char *words, int status, const char *expected)
{
  g_autofree char *complaint = NULL;
  g_autofree char *output = run (fixture, words, status, &complaint);

  g_assert_cmpstr (output, ==, "");
  g_assert_nonnull (strstr (complaint, expected));
}

static void
test_a_pipe_gets_tabs_and_raw_numbers (Fixture *fixture, gconstpointer user_data)
{
  assert_prints (fixture,
                 "kernel-network --columns id,pid,ip,port,sent,received,open_ns,close_ns",
                 "id\tpid\tip\tport\tsent\treceived\topen_ns\tclose_ns\n"
                 "1\t300\t10.0.0.1\t443\t1200\t5000\t100000000\t200000000\n"
                 "2\t400\t10.0.0.2\t443\t77\t0\t120000000\t\n");
}

static void
test_groups_have_the_sums_of_their_rows (Fixture *fixture, gconstpointer user_data)
{
  assert_prints (fixture,
                 "kernel-network --columns id --group-by protocol",
                 "protocol\tcount\tfailed\tsent\treceived\tduration_ns\tp50_ns\tp95_ns\t"
                 "max_ns\tunion_ns\topen_ns\tclose_ns\tstill_open\n"
                 "TCP\t2\t0\t1277\t5000\t280000000\t100000000\t180000000\t180000000\t"
                 "200000000\t100000000\t300000000\ttrue\n");
  assert_prints (fixture,
                 "kernel-network --group-by pid --sort -sent --offset 1",
                 "pid\tcount\tfailed\tsent\treceived\tduration_ns\tp50_ns\tp95_ns\t"
                 "max_ns\tunion_ns\topen_ns\tclose_ns\tstill_open\n"
                 "400\t1\t0\t77\t0\t180000000\t180000000\t180000000\t180000000\t"
                 "180000000\t120000000\t300000000\ttrue\n");
  /* Closed rows have an exact duration. */
  assert_prints (fixture,
                 "kernel-network --group-by pid --filter pid=300",
                 "pid\tcount\tfailed\tsent\treceived\tduration_ns\tp50_ns\tp95_ns\t"
                 "max_ns\tunion_ns\topen_ns\tclose_ns\tstill_open\n"
                 "300\t1\t0\t1200\t5000\t100000000\t100000000\t100000000\t100000000\t"
                 "100000000\t100000000\t200000000\tfalse\n");
  assert_refuses (fixture, "kernel-network --group-by nonsense", 2, "nonsense");
}

/* The value of a group keeps its name, and the sum of that name is left out. */
static void
test_groups_have_each_name_once (Fixture *fixture, gconstpointer user_data)
{
  assert_prints (fixture,
                 "kernel-network --group-by sent,protocol,sent --filter pid=300",
                 "sent\tprotocol\tcount\tfailed\treceived\tduration_ns\tp50_ns\tp95_ns\t"
                 "max_ns\tunion_ns\topen_ns\tclose_ns\tstill_open\n"
                 "1200\tTCP\t1\t0\t5000\t100000000\t100000000\t100000000\t100000000\t"
                 "100000000\t100000000\t200000000\tfalse\n");
  assert_prints (fixture,
                 "kernel-network --group-by received,duration_ns,open_ns,close_ns,still_open "
                 "--filter pid=300 --format jsonl",
                 "{\"received\":5000,\"duration_ns\":100000000,\"open_ns\":100000000,"
                 "\"close_ns\":200000000,\"still_open\":false,\"count\":1,\"failed\":0,"
                 "\"sent\":1200,\"p50_ns\":100000000,\"p95_ns\":100000000,"
                 "\"max_ns\":100000000,\"union_ns\":100000000}\n");
}

/* Text output shows the address of a server without a name; TSV and JSON have a column for it. */
static void
test_a_server_without_a_name_has_its_address (Fixture *fixture, gconstpointer user_data)
{
  assert_prints (fixture,
                 "activities --columns id,server --format text",
                 "Row  Server\n"
                 "  1  10.0.0.1\n"
                 "  2  10.0.0.2\n");
  assert_prints (fixture, "activities --columns id,server", "id\tserver\n1\t\n2\t\n");
  assert_prints (fixture,
                 "activities --columns server --format jsonl",
                 "{\"server\":null}\n{\"server\":null}\n");
}

/* Rows that are open at the end of the trace have a minimum duration. */
static void
test_a_tree_tells_durations_that_are_lower_bounds (Fixture *fixture, gconstpointer user_data)
{
  assert_prints (fixture,
                 "stacks --tree --weight duration --format text",
                 "         Total          Self        %  Frame\n"
                 "     ≥ 280.000         0.000   100.00  all\n"
                 "     ≥ 280.000     ≥ 280.000   100.00   no stack: not stack-enabled\n");
  assert_prints (fixture,
                 "stacks --tree --weight duration --format text --filter ip:10.0.0.1",
                 "         Total          Self        %  Frame\n"
                 "       100.000         0.000   100.00  all\n"
                 "       100.000       100.000   100.00   no stack: not stack-enabled\n");
}

/* Limits of the options (ns-cli-groups.c, ns-cli-events-form.h). */
#define MAX_GROUPS 8
#define MAX_COLUMNS 64

/* Returns @words followed by @n column names. */
static char *
repeat (const char *words, guint n)
{
  GString *text = g_string_new (words);

  g_string_append (text, " pid");
  while (--n > 0)
    g_string_append (text, ",pid");
  return g_string_free (text, FALSE);
}

static void
test_so_much_may_be_asked_for_only (Fixture *fixture, gconstpointer user_data)
{
  g_autofree char *groups = repeat ("kernel-network --limit 1 --group-by", MAX_GROUPS);
  g_autofree char *more_groups = repeat ("kernel-network --group-by", MAX_GROUPS + 1);
  g_autofree char *columns = repeat ("events --limit 1 --columns", MAX_COLUMNS);
  g_autofree char *more_columns = repeat ("events --columns", MAX_COLUMNS + 1);

  g_free (run (fixture, groups, 0, NULL));
  g_free (run (fixture, columns, 0, NULL));
  assert_refuses (fixture, more_groups, 2, "by 8 fields at most");
  assert_refuses (fixture, more_columns, 2, "too many columns");
}

static void
test_rows_are_filtered_sorted_and_cut (Fixture *fixture, gconstpointer user_data)
{
  assert_prints (fixture,
                 "kernel-network --columns id --filter ip:10.0.0.0/30 --sort sent",
                 "id\n2\n1\n");
  assert_prints (fixture, "kernel-network --columns id --sort -sent --limit 1", "id\n1\n");
  assert_prints (fixture, "kernel-network --fields id --sort -sent --limit 1", "id\n1\n");
  assert_prints (fixture, "kernel-network --columns id --offset 1 --limit 5", "id\n2\n");
  assert_prints (fixture, "kernel-network --columns id --limit 0", "id\n");
  assert_prints (fixture, "kernel-network --columns id --rows 2-9", "id\n2\n");
  assert_prints (fixture, "kernel-network --columns id --from 0.25", "id\n2\n");
  assert_prints (fixture,
                 "kernel-network --columns id --to 2024-01-01T00:00:00.1100000Z",
                 "id\n1\n");
}

static void
test_forms_hold_the_same_rows (Fixture *fixture, gconstpointer user_data)
{
  assert_prints (fixture,
                 "kernel-network --columns pid,duration_ns,still_open --format json",
                 "[\n{\"pid\":300,\"duration_ns\":100000000,\"still_open\":false},\n"
                 "{\"pid\":400,\"duration_ns\":180000000,\"still_open\":true}\n]\n");
  assert_prints (fixture,
                 "kernel-network --columns pid,open_ns --format csv --time iso",
                 "pid,open_utc\r\n300,2024-01-01T00:00:00.1000000Z\r\n"
                 "400,2024-01-01T00:00:00.1200000Z\r\n");
  assert_prints (fixture,
                 "kernel-network --columns pid,duration_ns --format text",
                 "PID  Duration (ms)\n300        100.000\n400      ≥ 180.000\n");
  assert_prints (fixture,
                 "export --as markdown --columns pid,sent --rows 1",
                 "| PID | Sent (B) |\n| ---: | ---: |\n| 300 | 1,200 |\n");
}

static void
test_records_are_filtered_as_they_stream_by (Fixture *fixture, gconstpointer user_data)
{
  assert_prints (fixture,
                 "events --columns n,id --filter provider={7dd42a49-5329-4832-8dfd-43d979153a88}",
                 "n\tid\n1\t12\n2\t10\n3\t12\n4\t11\n5\t13\n6\t10\n");
  assert_prints (fixture,
                 "events --columns n --filter id=12 --offset 1 --format jsonl",
                 "{\"n\":3}\n");
  assert_prints (fixture, "events --columns n --filter time>0.15", "n\n5\n6\n");
  assert_prints (fixture, "events --columns n --filter fields:1200", "n\n2\n");
  assert_prints (fixture, "dump --fields n,id --filter id:11..13 --limit 2", "1,12\n3,12\n");
  assert_refuses (fixture, "events --filter id=nonsense", 2, "nonsense");
}

static void
test_wrong_usage_is_said_before_the_trace_is_read (Fixture *fixture, gconstpointer user_data)
{
  g_autofree char *letters = g_strnfill (1000, 'a');
  g_autofree char *long_filter = g_strconcat ("kernel-network --filter ", letters, "=1", NULL);

  assert_refuses (fixture, "kernel-network --columns nonsense", 2, "nonsense");
  assert_refuses (fixture, "kernel-network --sort nonsense", 2, "nonsense");
  assert_refuses (fixture, "kernel-network --filter port=abc", 2, "character 6");
  assert_refuses (fixture, "kernel-network --format nonsense", 2, "nonsense");
  /* The message quotes only the beginning of a long filter. */
  assert_refuses (fixture, long_filter, 2, "character 1, “aaaa");
  assert_refuses (fixture, long_filter, 2, "aaaa…”");
  assert_refuses (fixture, "kernel-network --from yesterday", 2, "yesterday");
  assert_refuses (fixture, "export --as nonsense", 2, "markdown");
}

/* Printing only the header line would look like an empty result. */
static void
test_rows_and_spans_that_cannot_be_are_told (Fixture *fixture, gconstpointer user_data)
{
  assert_refuses (fixture, "kernel-network --rows 3,7-9", 2, "no row 3,7-9");
  assert_refuses (fixture, "payload --row 999999", 2, "no row 999999");
  assert_refuses (fixture, "stacks --row 999999", 2, "no row 999999");
  assert_refuses (fixture, "export --as csv --rows 999999", 2, "no row 999999");
  assert_refuses (fixture, "dns --rows 1", 2, "is empty");
  assert_refuses (fixture, "kernel-network --from 5 --to 2", 2, "ends before it begins");
  assert_refuses (fixture, "events --from 5 --to 2", 2, "ends before it begins");
  assert_refuses (fixture, "records --from 5 --to 2", 2, "ends before it begins");
  assert_refuses (fixture, "render --as svg --from 5 --to 2", 2, "ends before it begins");
  assert_prints (fixture, "kernel-network --columns id --from 0.25 --to 0.25", "id\n2\n");
}

static void
test_an_output_file_is_its_owners_alone (Fixture *fixture, gconstpointer user_data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "rows.csv", NULL);
  g_autofree char *words = g_strconcat ("kernel-network --columns pid -o ", path, NULL);
  g_autofree char *content = NULL;
  GStatBuf status;

  assert_prints (fixture, words, "");
  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  g_assert_cmpstr (content, ==, "pid\n300\n400\n");
  g_assert_cmpint (g_stat (path, &status), ==, 0);
  g_assert_cmpuint (status.st_mode & 0777, ==, 0600);
  g_unlink (path);
  assert_refuses (fixture, "kernel-network -o /nonexistent/rows.csv", 1, "/nonexistent/rows.csv");
}

/* Runs in the child process: limits the file size, which simulates a full disk. */
static void
leave_no_room (gpointer user_data)
{
  const struct rlimit limit = { 8, 8 };

  signal (SIGXFSZ, SIG_IGN);
  setrlimit (RLIMIT_FSIZE, &limit);
}

static void
assert_no_half_file (Fixture *fixture, const char *words)
{
  g_autofree char *path = g_build_filename (fixture->folder, "rows.out", NULL);
  g_auto (GStrv) given = g_strsplit (words, " ", -1);
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GSubprocess) process = NULL;
  g_autofree char *complaint = NULL;
  guint i;

  g_ptr_array_add (arguments, (gpointer) g_getenv ("NETSTITCH_CLI"));
  g_ptr_array_add (arguments, given[0]);
  g_ptr_array_add (arguments, fixture->trace);
  for (i = 1; given[i] != NULL; i++)
    g_ptr_array_add (arguments, given[i]);
  g_ptr_array_add (arguments, (gpointer) "-o");
  g_ptr_array_add (arguments, path);
  g_ptr_array_add (arguments, NULL);
  g_test_message ("%s", words);
  g_assert_true (g_file_set_contents (path, "old", -1, NULL));
  g_subprocess_launcher_set_child_setup (launcher, leave_no_room, NULL, NULL);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) arguments->pdata, NULL);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, NULL, &complaint, NULL));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 1);
  g_assert_nonnull (strstr (complaint, "rows.out"));
  g_clear_pointer (&complaint, g_free);
  /* The previous content of the file is kept. */
  g_assert_true (g_file_get_contents (path, &complaint, NULL, NULL));
  g_assert_cmpstr (complaint, ==, "old");
  g_unlink (path);
}

/* Every output format. */
static void
test_a_full_disk_leaves_no_half_file (Fixture *fixture, gconstpointer user_data)
{
  static const char *const outputs[] = {
    "kernel-network",         "events --format jsonl",  "records",          "dump",
    "info --format json",     "findings --format json", "export --as csv",  "export --as json",
    "export --as markdown",   "export --as har",        "export --as html", "export --as perfetto",
    "export --as speedscope", "render --as png",        "render --as svg",  "render --as pdf",
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (outputs); i++)
    assert_no_half_file (fixture, outputs[i]);
  /* No temporary files are left. */
  g_unlink (fixture->trace);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
}

static void
test_a_full_pipe_is_told (Fixture *fixture, gconstpointer user_data)
{
  const char *arguments[] = { g_getenv ("NETSTITCH_CLI"), "kernel-network", fixture->trace, NULL };
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GSubprocess) process = NULL;
  g_autofree char *complaint = NULL;

  if (!g_file_test ("/dev/full", G_FILE_TEST_EXISTS))
    {
      g_test_skip ("there is no /dev/full");
      return;
    }
  g_subprocess_launcher_set_stdout_file_path (launcher, "/dev/full");
  process = g_subprocess_launcher_spawnv (launcher, arguments, NULL);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, NULL, &complaint, NULL));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 1);
  g_assert_cmpstr (complaint, !=, "");
}

/* Writes TCPIP event 1332 twice for bytes 1000 to 1500 of a connection: a retransmission. */
static void
write_retransmission (const char *path)
{
  static const NsGuid tcpip =
      NS_GUID_INIT (0x2f07e2ee, 0x15db, 0x40f1, 0x90, 0xef, 0x9d, 0x7b, 0xa2, 0x82, 0x18, 0x8a);
  NsEtlWriterOptions options = { .start_filetime = G_GUINT64_CONSTANT (133485408000000000) };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterEvent event = { .guid = tcpip, .id = 1332, .pid = 4, .tid = 8, .payload = payload };
  guint i;

  ns_etl_bytes_u64 (payload, 0xffff000000000001);
  ns_etl_bytes_zero (payload, 8);
  ns_etl_bytes_u32 (payload, 500);
  ns_etl_bytes_u32 (payload, 1000);
  ns_etl_bytes_zero (payload, 12);
  for (i = 1; i <= 2; i++)
    {
      event.raw = RAW_BASE + (guint64) i * RAW_PER_MS;
      g_assert_true (ns_etl_writer_add_event (writer, &event));
    }
  g_assert_true (ns_etl_writer_finish_to_file (writer, path, NULL));
}

static void
test_the_rules_of_the_reference_may_be_asked_for (Fixture *fixture, gconstpointer user_data)
{
  write_retransmission (fixture->trace);
  assert_prints (fixture, "tcp --columns sent", "sent\n500\n");
  assert_prints (fixture, "tcp --columns sent --compat-reference", "sent\n1000\n");
  assert_prints (fixture, "activities --columns sent --compat-reference", "sent\n1000\n");
}

/* Only the help of verbs with the option describes its effect. */
static void
test_the_rules_of_the_reference_are_listed (Fixture *fixture, gconstpointer user_data)
{
  g_autofree char *help = NULL;
  g_autofree char *other = NULL;
  g_autofree char *complaint = NULL;
  g_autofree char *refused = NULL;

  write_retransmission (fixture->trace);
  help = run (fixture, "tcp --help", 0, &complaint);
  g_assert_nonnull (strstr (help, "retransmitted bytes count as sent"));
  g_assert_nonnull (strstr (help, "lasts until the trace ends"));
  other = run (fixture, "info --help", 0, &refused);
  g_assert_null (strstr (other, "retransmitted bytes count as sent"));
}

/* Writes one record of an unknown header type. */
static void
write_stranger (const char *path)
{
  NsEtlWriterOptions options = { .start_filetime = G_GUINT64_CONSTANT (133485408000000000) };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  NsEtlWriterFull event = { .raw = RAW_BASE + RAW_PER_MS, .opcode = 1, .pid = 5, .tid = 6 };

  ns_guid_from_text (&event.guid, "01020304-0506-0708-090a-0b0c0d0e0f10");
  ns_etl_writer_add_full (writer, &event);
  g_assert_true (ns_etl_writer_finish_to_file (writer, path, NULL));
}

static void
test_a_name_given_to_a_provider_stays (Fixture *fixture, gconstpointer user_data)
{
  static const char ask[] =
      "providers --columns name,guid,kind,schema,events --filter kind=classic";
  static const char named[] = "name\tguid\tkind\tschema\tevents\n"
                              "Our_Tool\t01020304-0506-0708-090a-0b0c0d0e0f10\tclassic\tnone\t1\n";
  static const char unnamed[] = "name\tguid\tkind\tschema\tevents\n"
                                "\t01020304-0506-0708-090a-0b0c0d0e0f10\tclassic\tnone\t1\n";
  g_autofree char *folder = g_build_filename (fixture->folder, "netstitch", NULL);
  g_autofree char *file = g_build_filename (folder, "provider-names.ini", NULL);
  g_autofree char *naming =
      g_strconcat (ask, " --name {01020304-0506-0708-090A-0B0C0D0E0F10}=Our_Tool", NULL);
  g_autofree char *taking =
      g_strconcat (ask, " --name 01020304-0506-0708-090a-0b0c0d0e0f10=", NULL);
  g_autofree char *people = NULL;
  GStatBuf facts;

  g_setenv ("XDG_CONFIG_HOME", fixture->folder, TRUE);
  write_stranger (fixture->trace);
  assert_prints (fixture, ask, unnamed);
  assert_prints (fixture, naming, named);
  assert_prints (fixture, ask, named);
  assert_prints (fixture,
                 "events --columns provider_name,opcode --filter provider_name=Our_Tool",
                 "provider_name\topcode\nOur_Tool\t1\n");
  people = run (fixture, "providers --format text --columns schema,events", 0, NULL);
  g_assert_nonnull (strstr (people, "no schema         1\n"));
  g_assert_cmpint (g_stat (file, &facts), ==, 0);
  g_assert_cmpuint (facts.st_mode & 0777, ==, 0600);

  assert_prints (fixture, taking, unnamed);
  assert_prints (fixture, ask, unnamed);
  assert_refuses (fixture, "providers --name nobody", 2, "write GUID=NAME");
  g_unlink (file);
  g_rmdir (folder);
  g_unsetenv ("XDG_CONFIG_HOME");
}

#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)

static void
test_a_single_stack_stands_where_it_was_asked (Fixture *fixture, gconstpointer user_data)
{
  assert_prints (fixture,
                 "stacks --row 1 --format csv --single-stack both",
                 "id,first,middle,last,full\n1,,,,\n");
  assert_prints (fixture,
                 "activities --columns id,first_stack,first_thread --limit 1 --tracing-frames",
                 "id\tfirst_stack\tfirst_thread\n1\t\t\n");
  assert_refuses (fixture, "stacks --single-stack twice", 2, "once or both, not “twice”");
}

static void
test_who_it_was_stands_in_columns (Fixture *fixture, gconstpointer user_data)
{
  assert_prints (
      fixture,
      "activities --limit 1 --columns proc,pid,pid_source,package,first_tid,close_tid,cmdline",
      "process\tpid\tpid_source\tpackage\tfirst_tid\tclose_tid\tcommand_line\n"
      "\t300\tpayload\t\t\t\t\n");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  ADD ("/cli-rows/a-pipe-gets-tabs-and-raw-numbers", test_a_pipe_gets_tabs_and_raw_numbers);
  ADD ("/cli-rows/rows-are-filtered-sorted-and-cut", test_rows_are_filtered_sorted_and_cut);
  ADD ("/cli-rows/groups-have-the-sums-of-their-rows", test_groups_have_the_sums_of_their_rows);
  ADD ("/cli-rows/groups-have-each-name-once", test_groups_have_each_name_once);
  ADD ("/cli-rows/a-server-without-a-name-has-its-address",
       test_a_server_without_a_name_has_its_address);
  ADD ("/cli-rows/a-tree-tells-durations-that-are-lower-bounds",
       test_a_tree_tells_durations_that_are_lower_bounds);
  ADD ("/cli-rows/so-much-may-be-asked-for-only", test_so_much_may_be_asked_for_only);
  ADD ("/cli-rows/forms-hold-the-same-rows", test_forms_hold_the_same_rows);
  ADD ("/cli-rows/records-are-filtered-as-they-stream-by",
       test_records_are_filtered_as_they_stream_by);
  ADD ("/cli-rows/wrong-usage-is-said-before-the-trace-is-read",
       test_wrong_usage_is_said_before_the_trace_is_read);
  ADD ("/cli-rows/rows-and-spans-that-cannot-be-are-told",
       test_rows_and_spans_that_cannot_be_are_told);
  ADD ("/cli-rows/an-output-file-is-its-owners-alone", test_an_output_file_is_its_owners_alone);
  ADD ("/cli-rows/a-full-disk-leaves-no-half-file", test_a_full_disk_leaves_no_half_file);
  ADD ("/cli-rows/a-full-pipe-is-told", test_a_full_pipe_is_told);
  ADD ("/cli-rows/a-name-given-to-a-provider-stays", test_a_name_given_to_a_provider_stays);
  ADD ("/cli-rows/a-single-stack-stands-where-it-was-asked",
       test_a_single_stack_stands_where_it_was_asked);
  ADD ("/cli-rows/the-rules-of-the-reference-may-be-asked-for",
       test_the_rules_of_the_reference_may_be_asked_for);
  ADD ("/cli-rows/the-rules-of-the-reference-are-listed",
       test_the_rules_of_the_reference_are_listed);
  ADD ("/cli-rows/who-it-was-stands-in-columns", test_who_it_was_stands_in_columns);
  return g_test_run ();
}
