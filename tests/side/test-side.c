/* Tests the import of other tools' logs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets.h"
#include "side/ns-side.h"

#include <glib/gstdio.h>
#include <string.h>

/* 2026-11-20 08:41:30 UTC. */
#define MOMENT G_GUINT64_CONSTANT (134396376900000000)
#define SECOND G_GUINT64_CONSTANT (10000000)
#define MUTATIONS 400

/* Local time is UTC+1. */
static const NsZone zone = { .bias_min = -60 };

static const char iis[] =
    "#Software: Microsoft Internet Information Services 10.0\r\n"
    "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port c-ip sc-status "
    "sc-substatus time-taken\r\n"
    "2026-11-20 08:41:30 10.0.0.5 GET /orders id=7 443 10.0.0.9 503 2 1500\r\n"
    "2026-11-20 08:41:31 10.0.0.5 GET\r\n"
    "2026-11-20 08:41:32 10.0.0.5 GET / - 443 10.0.0.9 200 0 3\r\n";

static const char firewall[] =
    "#Version: 1.5\n#Software: Microsoft Windows Firewall\n#Time Format: Local\n"
    "#Fields: date time action protocol src-ip dst-ip src-port dst-port size tcpflags tcpsyn "
    "tcpack tcpwin icmptype icmpcode info path pid\n\n"
    "2026-11-20 09:41:30 DROP TCP 10.20.4.18 203.0.113.24 50231 443 52 S 1 0 64240 - - - SEND 77\n"
    "2026-11-20 9h41 DROP TCP 10.20.4.18 203.0.113.24 50231 443 52 S 1 0 64240 - - - SEND 77\n"
    "2026-11-20 09:41:31 ALLOW UDP 203.0.113.24 10.20.4.18 53 50000 0 - - - - - - - RECEIVE -\n";

static const char syslog[] = "<34>1 2026-11-20T08:41:30.125Z host app 77 ID47 - it failed\n"
                             "no line of syslog\n"
                             "<190>Nov 20 09:41:31 gate sshd[12]: accepted\n"
                             "Nov 20 09:41:32 gate kernel: up\n";

static const char har[] =
    "{\"log\": {\"version\": \"1.2\", \"creator\": {\"name\": \"x\"}, \"entries\": [\n"
    "{\"startedDateTime\": \"2026-11-20T09:41:30.000+01:00\", \"time\": 12.5,\n"
    " \"request\": {\"method\": \"GET\", \"url\": \"https://shop.example:8443/a?b=c\",\n"
    "  \"headers\": [{\"name\": \"a\", \"value\": \"}]\"}]},\n"
    " \"response\": {\"status\": 404, \"statusText\": \"Not \\u0046ound\", \"content\": {}},\n"
    " \"serverIPAddress\": \"[2001:db8::1]\"},\n"
    "{\"time\": 1},\n"
    "{\"startedDateTime\": \"2026-11-20T08:41:31Z\", \"request\": {\"method\": \"POST\",\n"
    " \"url\": \"/x\"}, \"response\": {\"status\": 200}}\n"
    "]}}\n";

static const char netlog[] =
    "{\"constants\": {\"logEventTypes\": {\"CANCELLED\": 0, \"URL_REQUEST_START_JOB\": 2},\n"
    "\"netError\": {\"ERR_CONNECTION_RESET\": -101}, \"timeTickOffset\": \"1795164090000\"},\n"
    "\"events\": [\n"
    "{\"params\":{\"url\":\"https://shop.example/\"},\"phase\":1,\"source\":{\"id\":3,\"type\":1},"
    "\"time\":\"0\",\"type\":2},\n"
    "{\"params\":{\"net_error\":-101,,,\n"
    "{\"params\":{\"net_error\":-101},\"phase\":2,\"source\":{\"id\":3,\"type\":1},"
    "\"time\":\"1000\",\"type\":2},\n";

static const char procmon[] =
    "\"Time of Day\",\"Process Name\",\"PID\",\"Operation\",\"Path\",\"Result\",\"Detail\"\r\n"
    "\"9:41:30.0000000 AM\",\"outlook.exe\",\"4312\",\"TCP Connect\","
    "\"10.0.0.9:50231 -> 203.0.113.24:443\",\"SUCCESS\",\"Length: 0, \"\"x\"\"\"\r\n"
    "\"later\",\"outlook.exe\",\"4312\",\"ReadFile\",\"C:\\\\x\",\"SUCCESS\",\"\"\r\n"
    "\"9:41:31.5000000 AM\",\"outlook.exe\",\"4312\",\"ReadFile\",\"C:\\\\x\",\"ACCESS DENIED\","
    "\"two\r\nlines\"\r\n";

static const char perfmon[] =
    "\"(PDH-CSV 4.0) (W. Europe Standard Time)(-60)\",\"\\\\PC\\Processor(_Total)\\% Idle\"\n"
    "\"11/20/2026 09:41:30.000\",\"93.5\"\n"
    "\"11/20/2026\",\"93.5\"\n"
    "\"11/20/2026 09:41:31.000\",\" \"\n";

static const char table[] = "when;who;ip;port;status\n"
                            "20.11.2026 09:41:30;a.exe;203.0.113.24;443;error\n"
                            "20.13.2026 09:41:30;a.exe;203.0.113.24;443;ok\n"
                            "1795164091;\"b;c\";;;ok\n";

/* A copy of a log line. */
typedef struct
{
  NsSideLine line;
  char *text;
  char *action;
  char *status;
  char *process;
  char *server;
  char *url;
} LogLine;

typedef struct
{
  char *folder;
  GArray *lines; /* element-type Kept */
  const NsSecrets *secrets;
} Fixture;

static void
kept_clear (gpointer data)
{
  LogLine *self = data;

  g_free (self->text);
  g_free (self->action);
  g_free (self->status);
  g_free (self->process);
  g_free (self->server);
  g_free (self->url);
}

static void
set_up (Fixture *fixture, gconstpointer user_data)
{
  fixture->folder = g_dir_make_tmp ("side-XXXXXX", NULL);
  fixture->lines = g_array_new (FALSE, FALSE, sizeof (LogLine));
  g_array_set_clear_func (fixture->lines, kept_clear);
}

static void
tear_down (Fixture *fixture, gconstpointer user_data)
{
  g_rmdir (fixture->folder);
  g_free (fixture->folder);
  g_array_unref (fixture->lines);
}

static void
keep_cb (const NsSideLine *line, gpointer user_data)
{
  Fixture *fixture = user_data;
  LogLine log_line = { *line,
                       g_strdup (line->text),
                       g_strdup (line->action),
                       g_strdup (line->status),
                       g_strdup (line->process),
                       g_strdup (line->server),
                       g_strdup (line->url) };

  g_assert_true (g_utf8_validate (line->text, -1, NULL));
  g_array_append_val (fixture->lines, log_line);
}

static NsSideLog *
read_bytes (Fixture *fixture,
            const char *name,
            const char *bytes,
            gsize n_bytes,
            const char *offsets,
            const char *columns)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  NsSideOptions options = { &zone, MOMENT, offsets, columns, fixture->secrets };
  NsSideLog *log;

  g_array_set_size (fixture->lines, 0);
  g_assert_true (g_file_set_contents (path, bytes, (gssize) n_bytes, NULL));
  log = ns_side_log_read (path, &options, keep_cb, fixture);
  g_unlink (path);
  g_assert_cmpuint (log->n_lines, ==, fixture->lines->len);
  return log;
}

static NsSideLog *
read_text (Fixture *fixture, const char *name, const char *text)
{
  return read_bytes (fixture, name, text, strlen (text), NULL, NULL);
}

static const LogLine *
get (Fixture *fixture, guint n)
{
  g_assert_cmpuint (n, <, fixture->lines->len);
  return &g_array_index (fixture->lines, LogLine, n);
}

/* Asserts both endpoints; "-" for none. */
static void
assert_ends (const LogLine *log_line, const char *local, const char *remote)
{
  char text[NS_IP_TEXT_SIZE];

  g_assert_cmpstr (ns_endpoint_is_empty (&log_line->line.local)
                       ? "-"
                       : ns_endpoint_to_text (&log_line->line.local, text),
                   ==,
                   local);
  g_assert_cmpstr (ns_endpoint_is_empty (&log_line->line.remote)
                       ? "-"
                       : ns_endpoint_to_text (&log_line->line.remote, text),
                   ==,
                   remote);
}

static void
assert_only_fault (const NsSideLog *log, guint32 line)
{
  g_assert_null (log->refusal);
  g_assert_cmpuint (log->n_faults, ==, 1);
  g_assert_cmpuint (g_array_index (log->faults, NsSideFault, 0).line, ==, line);
}

static void
test_iis_is_utc (Fixture *fixture, gconstpointer user_data)
{
  g_autoptr (NsSideLog) log = read_text (fixture, "u_ex.log", iis);

  g_assert_cmpint (log->kind, ==, NS_SIDE_W3C);
  assert_only_fault (log, 4);
  g_assert_cmpuint (fixture->lines->len, ==, 2);
  g_assert_cmpuint (get (fixture, 0)->line.filetime, ==, MOMENT);
  g_assert_cmpint (get (fixture, 0)->line.uncertainty_ns, ==, NS_PER_SECOND / 2);
  g_assert_cmpint (get (fixture, 0)->line.duration_ns, ==, 3 * NS_PER_SECOND / 2);
  g_assert_cmpuint (get (fixture, 0)->line.line, ==, 3);
  g_assert_cmpstr (get (fixture, 0)->url, ==, "/orders?id=7");
  g_assert_cmpstr (get (fixture, 0)->status, ==, "503.2");
  g_assert_true (get (fixture, 0)->line.is_failed);
  g_assert_false (get (fixture, 1)->line.is_failed);
  assert_ends (get (fixture, 0), "10.0.0.5:443", "10.0.0.9");
}

static void
test_firewall_is_local (Fixture *fixture, gconstpointer user_data)
{
  g_autoptr (NsSideLog) log = read_text (fixture, "pfirewall.log", firewall);

  g_assert_cmpint (log->kind, ==, NS_SIDE_FIREWALL);
  assert_only_fault (log, 7);
  g_assert_cmpuint (fixture->lines->len, ==, 2);
  g_assert_cmpuint (get (fixture, 0)->line.filetime, ==, MOMENT);
  g_assert_cmpuint (get (fixture, 0)->line.pid, ==, 77);
  g_assert_cmpstr (get (fixture, 0)->action, ==, "DROP");
  g_assert_true (get (fixture, 0)->line.is_failed);
  assert_ends (get (fixture, 0), "10.20.4.18:50231", "203.0.113.24:443");
  assert_ends (get (fixture, 1), "10.20.4.18:50000", "203.0.113.24:53");
}

static void
test_both_forms_of_syslog (Fixture *fixture, gconstpointer user_data)
{
  g_autoptr (NsSideLog) log = read_text (fixture, "messages", syslog);

  g_assert_cmpint (log->kind, ==, NS_SIDE_SYSLOG);
  assert_only_fault (log, 2);
  g_assert_cmpuint (fixture->lines->len, ==, 3);
  g_assert_cmpuint (get (fixture, 0)->line.filetime, ==, MOMENT + SECOND / 8);
  g_assert_cmpint (get (fixture, 0)->line.uncertainty_ns, ==, NS_PER_SECOND / 2000);
  g_assert_cmpstr (get (fixture, 0)->process, ==, "app");
  g_assert_cmpstr (get (fixture, 0)->status, ==, "critical");
  g_assert_true (get (fixture, 0)->line.is_failed);
  g_assert_cmpuint (get (fixture, 1)->line.filetime, ==, MOMENT + SECOND);
  g_assert_cmpuint (get (fixture, 1)->line.pid, ==, 12);
  g_assert_cmpstr (get (fixture, 1)->server, ==, "gate");
  g_assert_cmpstr (get (fixture, 1)->text, ==, "accepted");
  g_assert_cmpstr (get (fixture, 2)->process, ==, "kernel");
}

static void
test_har (Fixture *fixture, gconstpointer user_data)
{
  g_autoptr (NsSideLog) log = read_text (fixture, "a.har", har);

  g_assert_cmpint (log->kind, ==, NS_SIDE_HAR);
  assert_only_fault (log, 7);
  g_assert_cmpuint (fixture->lines->len, ==, 2);
  g_assert_cmpuint (get (fixture, 0)->line.filetime, ==, MOMENT);
  g_assert_cmpint (get (fixture, 0)->line.duration_ns, ==, 12500000);
  g_assert_cmpstr (get (fixture, 0)->server, ==, "shop.example");
  g_assert_cmpstr (get (fixture, 0)->text, ==, "GET https://shop.example:8443/a?b=c 404 Not Found");
  assert_ends (get (fixture, 0), "-", "2001:db8::1");
  g_assert_cmpuint (get (fixture, 1)->line.line, ==, 8);
  g_assert_cmpstr (get (fixture, 1)->action, ==, "POST");
}

/* A killed browser leaves an incomplete file; lines after the broken one are still read. */
static void
test_netlog_goes_on_behind_a_broken_line (Fixture *fixture, gconstpointer user_data)
{
  g_autoptr (NsSideLog) log = read_text (fixture, "netlog.json", netlog);

  g_assert_cmpint (log->kind, ==, NS_SIDE_NETLOG);
  g_assert_null (log->refusal);
  g_assert_cmpuint (log->n_faults, >=, 1);
  g_assert_cmpuint (g_array_index (log->faults, NsSideFault, 0).line, ==, 5);
  g_assert_cmpuint (fixture->lines->len, ==, 2);
  g_assert_cmpuint (get (fixture, 0)->line.filetime, ==, MOMENT);
  g_assert_cmpstr (get (fixture, 0)->server, ==, "shop.example");
  g_assert_true (g_str_has_prefix (get (fixture, 0)->text, "URL_REQUEST_START_JOB begin {"));
  g_assert_cmpuint (get (fixture, 1)->line.filetime, ==, MOMENT + SECOND);
  g_assert_cmpstr (get (fixture, 1)->status, ==, "ERR_CONNECTION_RESET");
  g_assert_cmpuint (get (fixture, 1)->line.line, ==, 6);
}

/* Lost array elements are reported, whatever their content. */
static void
test_no_value_is_lost_silently (Fixture *fixture, gconstpointer user_data)
{
  static const char events[] =
      "{\"constants\":{\"logEventTypes\":{\"A\":1},\"timeTickOffset\":1},\n"
      "\"events\":[\n"
      "{\"time\":\"2\",\"type\":1},\n"
      "17,\n"
      "broken,\n"
      "{\"time\":\"3\",\"type\":1} {},\n"
      "{\"time\":\"4\",\"type\":1}\n"
      "]}\n";
  static const char entries[] = "{\"log\":{\"creator\":{},\"entries\":[\n"
                                "17,\n"
                                "{\"startedDateTime\":\"2026-11-20T08:41:30Z\"}\n"
                                "]}}\n";
  g_autoptr (NsSideLog) log = read_text (fixture, "n.json", events);
  guint i;

  g_assert_cmpuint (log->n_lines, ==, 3);
  g_assert_cmpuint (log->n_faults, ==, 3);
  for (i = 0; i < 3; i++)
    g_assert_cmpuint (g_array_index (log->faults, NsSideFault, i).line, ==, 4 + i);
  ns_side_log_free (log);
  log = read_text (fixture, "a.har", entries);
  assert_only_fault (log, 2);
  g_assert_cmpuint (log->n_lines, ==, 1);
}

/* Lines from a hand-over belong to their original logs again. */
static void
test_handed_over (Fixture *fixture, gconstpointer user_data)
{
  static const char handed[] =
      "time_utc,uncertainty_ns,source,kind,line,action,ip,port,local_ip,local_port,duration_ns,"
      "failed,text\r\n"
      "2026-11-20T08:41:30.0000000Z,500000000,a.log,firewall,7,DROP,203.0.113.24,443,10.20.4.18,"
      "50231,,true,\"a, b\"\r\n"
      "never,1,a.log,firewall,8,,,,,,,false,x\r\n"
      "2026-11-20T08:41:31.0000000Z,50,b.log,syslog,1,,,,,,99999999999999999999,false,'-x\r\n"
      "2026-11-20T08:41:31.0000000Z,99999999999999999999,,,1,,,,,,,false,of none\r\n"
      "2026-11-20T08:41:32.0000000Z,50,a.log,firewall,9,,,,,,12,false,\r\n";
  g_autoptr (GBytes) bytes = g_bytes_new_static (handed, strlen (handed));
  g_autoptr (GBytes) other = g_bytes_new_static ("a,b\n1,2\n", 8);
  g_autoptr (GPtrArray) logs = g_ptr_array_new_with_free_func ((GDestroyNotify) ns_side_log_free);
  NsSideOptions options = { &zone, MOMENT, "b.log=1", NULL };
  const NsSideLog *log;

  ns_side_handed_read (other, "x.zip", "log.csv", &options, logs, keep_cb, fixture);
  g_assert_cmpuint (logs->len, ==, 0);
  ns_side_handed_read (bytes, "x.zip", "log.csv", &options, logs, keep_cb, fixture);
  g_assert_cmpuint (logs->len, ==, 3);
  g_assert_cmpuint (fixture->lines->len, ==, 3);
  log = g_ptr_array_index (logs, 0);
  g_assert_cmpstr (log->name, ==, "a.log");
  g_assert_cmpint (log->kind, ==, NS_SIDE_FIREWALL);
  g_assert_true (log->is_embedded);
  g_assert_cmpuint (log->n_lines, ==, 2);
  assert_only_fault (log, 3);
  g_assert_cmpuint (get (fixture, 0)->line.filetime, ==, MOMENT);
  g_assert_cmpint (get (fixture, 0)->line.uncertainty_ns, ==, 500000000);
  g_assert_cmpuint (get (fixture, 0)->line.line, ==, 7);
  g_assert_cmpuint (get (fixture, 0)->line.part, ==, 0);
  g_assert_true (get (fixture, 0)->line.is_failed);
  g_assert_cmpstr (get (fixture, 0)->text, ==, "a, b");
  assert_ends (get (fixture, 0), "10.20.4.18:50231", "203.0.113.24:443");
  /* Without the apostrophe that protects against formulas, and shifted in time. */
  g_assert_cmpstr (get (fixture, 1)->text, ==, "-x");
  g_assert_cmpuint (get (fixture, 1)->line.part, ==, 1);
  g_assert_cmpuint (get (fixture, 1)->line.filetime, ==, MOMENT + 2 * SECOND);
  g_assert_cmpint (get (fixture, 1)->line.duration_ns, ==, -1);
  g_assert_cmpint (get (fixture, 2)->line.duration_ns, ==, 12);
  /* Errors of lines without a log are reported for the table. */
  log = g_ptr_array_index (logs, 2);
  g_assert_cmpstr (log->name, ==, "log.csv");
  assert_only_fault (log, 5);
}

static void
test_process_monitor (Fixture *fixture, gconstpointer user_data)
{
  g_autoptr (NsSideLog) log = read_text (fixture, "Logfile.CSV", procmon);

  g_assert_cmpint (log->kind, ==, NS_SIDE_PROCMON);
  assert_only_fault (log, 3);
  g_assert_cmpuint (fixture->lines->len, ==, 2);
  g_assert_cmpuint (get (fixture, 0)->line.filetime, ==, MOMENT);
  g_assert_cmpuint (get (fixture, 0)->line.pid, ==, 4312);
  g_assert_cmpstr (get (fixture, 0)->action, ==, "TCP Connect");
  g_assert_true (strstr (get (fixture, 0)->text, "Detail=Length: 0, \"x\"") != NULL);
  assert_ends (get (fixture, 0), "10.0.0.9:50231", "203.0.113.24:443");
  g_assert_cmpuint (get (fixture, 1)->line.filetime, ==, MOMENT + 3 * SECOND / 2);
  g_assert_true (strstr (get (fixture, 1)->text, "two\nlines") != NULL);
  g_assert_true (get (fixture, 1)->line.is_failed);
}

/* The header names the time zone, which may differ from that of the trace. */
static void
test_performance_monitor (Fixture *fixture, gconstpointer user_data)
{
  g_autoptr (NsSideLog) log = read_text (fixture, "perf.csv", perfmon);

  g_assert_cmpint (log->kind, ==, NS_SIDE_PERFMON);
  assert_only_fault (log, 3);
  g_assert_cmpuint (fixture->lines->len, ==, 2);
  g_assert_cmpuint (get (fixture, 0)->line.filetime, ==, MOMENT);
  g_assert_cmpstr (get (fixture, 0)->text, ==, "\\\\PC\\Processor(_Total)\\% Idle=93.5");
}

static void
test_any_table_by_its_column_of_times (Fixture *fixture, gconstpointer user_data)
{
  g_autoptr (NsSideLog) log =
      read_bytes (fixture, "own.csv", table, strlen (table), NULL, "own.csv=When");

  g_assert_cmpint (log->kind, ==, NS_SIDE_CSV);
  assert_only_fault (log, 3);
  g_assert_cmpuint (fixture->lines->len, ==, 2);
  g_assert_cmpuint (get (fixture, 0)->line.filetime, ==, MOMENT);
  g_assert_true (get (fixture, 0)->line.is_failed);
  assert_ends (get (fixture, 0), "-", "203.0.113.24:443");
  g_assert_cmpuint (get (fixture, 1)->line.filetime, ==, MOMENT + SECOND);
  g_assert_cmpstr (get (fixture, 1)->text, ==, "who=b;c, status=ok");
  g_assert_cmpstr (log->time_column, ==, "When");
}

/* The available columns are listed, and a missing column is not replaced by another one. */
static void
test_columns_to_choose_from (Fixture *fixture, gconstpointer user_data)
{
  static const char known[] = "time,a\n2018-04-23 12:00:00,b\n";
  g_autoptr (NsSideLog) log =
      read_bytes (fixture, "own.csv", known, strlen (known), NULL, "own.csv=b");

  g_assert_cmpstr (log->columns[0], ==, "time");
  g_assert_cmpstr (log->columns[1], ==, "a");
  g_assert_null (log->columns[2]);
  g_assert_true (strstr (log->refusal, "“b”") != NULL);
  ns_side_log_free (log);
  log = read_bytes (fixture, "own.csv", known, strlen (known), NULL, "own.csv=a\nown.csv=");
  g_assert_null (log->refusal);
  g_assert_null (log->time_column);
  g_assert_cmpuint (log->n_lines, ==, 1);
}

static void
test_a_table_without_known_times_says_so (Fixture *fixture, gconstpointer user_data)
{
  g_autoptr (NsSideLog) log = read_text (fixture, "own.csv", table);

  g_assert_cmpuint (log->n_lines, ==, 0);
  g_assert_true (strstr (log->refusal, "--time-column") != NULL);
}

/* The content determines that a file is a table, whatever its name. */
static void
test_a_table_by_its_bytes (Fixture *fixture, gconstpointer user_data)
{
  g_autoptr (NsSideLog) log = read_text (fixture, "own.txt", table);

  g_assert_cmpint (log->kind, ==, NS_SIDE_CSV);
  g_assert_cmpstr (log->columns[0], ==, "when");
  g_assert_true (strstr (log->refusal, "--time-column") != NULL);
  ns_side_log_free (log);
  log = read_text (fixture, "own.log", "time;what\n1795164090;a\n1795164091;b\n");
  g_assert_cmpint (log->kind, ==, NS_SIDE_CSV);
  g_assert_cmpuint (log->n_lines, ==, 2);
  g_assert_cmpuint (get (fixture, 0)->line.filetime, ==, MOMENT);
}

static void
test_offsets_move_the_log_they_name (Fixture *fixture, gconstpointer user_data)
{
  g_autoptr (NsSideLog) log =
      read_bytes (fixture, "u_ex.log", iis, strlen (iis), "other.log=9\nu_ex.log=-1.5", NULL);
  gint64 offset_ns = 0;

  g_assert_cmpint (log->offset_ns, ==, -3 * NS_PER_SECOND / 2);
  g_assert_cmpuint (get (fixture, 0)->line.filetime, ==, MOMENT - 3 * SECOND / 2);
  g_assert_true (ns_side_check_offsets ("a=b.log=+2", NULL));
  g_assert_true (ns_side_parse_offset ("1.001", &offset_ns));
  g_assert_cmpint (offset_ns, ==, 1001000000);
  g_assert_true (ns_side_parse_offset ("-1.000999999", &offset_ns));
  g_assert_cmpint (offset_ns, ==, -1000999999);
  g_assert_false (ns_side_check_offsets ("a.log", NULL));
  g_assert_false (ns_side_check_offsets ("a.log=1s", NULL));
  g_assert_false (ns_side_check_offsets ("a.log=1\nb.log=nan", NULL));
}

/* The same in UTF-16, with a byte order mark. */
static void
test_marks_and_wide_characters (Fixture *fixture, gconstpointer user_data)
{
  const char *const from[] = { "UTF-16LE", "UTF-16BE" };
  const char *const marks[] = { "\xff\xfe", "\xfe\xff" };
  g_autofree char *marked = g_strconcat ("\xef\xbb\xbf", firewall, NULL);
  g_autoptr (NsSideLog) log = read_text (fixture, "a.log", marked);
  guint i;

  g_assert_cmpuint (log->n_lines, ==, 2);
  for (i = 0; i < G_N_ELEMENTS (from); i++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      g_autoptr (NsSideLog) wide = NULL;
      g_autofree char *text = NULL;
      gsize n_bytes;

      text = g_convert (firewall, -1, from[i], "UTF-8", NULL, &n_bytes, NULL);
      g_assert_nonnull (text);
      g_byte_array_append (bytes, (const guint8 *) marks[i], 2);
      g_byte_array_append (bytes, (const guint8 *) text, (guint) n_bytes);
      wide = read_bytes (fixture, "a.log", (const char *) bytes->data, bytes->len, NULL, NULL);
      g_assert_cmpuint (wide->n_lines, ==, 2);
      assert_only_fault (wide, 7);
    }
}

static void
test_what_is_no_log_is_none (Fixture *fixture, gconstpointer user_data)
{
  const char *const texts[] = { "",
                                "notes\nof somebody\n",
                                "{\"a\": 1}\n",
                                "#!/bin/sh\n",
                                "#Fields: a\n",
                                "who,what\nme,1524477600\n",
                                "time,what\nsoon,this\n",
                                "when,what\n2026-11-20 08:41:30\n",
                                "2026-11-20 08:41:30,a\n2026-11-20 08:41:31,b\n" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (NsSideLog) log = read_text (fixture, "notes.txt", texts[i]);

      g_assert_cmpint (log->kind, ==, NS_SIDE_NONE);
      g_assert_nonnull (log->refusal);
    }
}

/* An unclosed quote loses one line only, at the cost of a limited search. */
static void
test_open_quotes_lose_their_line_only (Fixture *fixture, gconstpointer user_data)
{
  g_autoptr (GString) text = g_string_new ("time,text\n");
  g_autoptr (NsSideLog) log = NULL;
  guint i;

  g_string_append (text, "2026-11-20T08:41:30Z,\"open\n");
  for (i = 0; i < 1000; i++)
    g_string_append (text, "2026-11-20T08:41:31Z,fine\n");
  log = read_text (fixture, "a.csv", text->str);
  assert_only_fault (log, 2);
  g_assert_cmpuint (log->n_lines, ==, 1000);
}

static void
test_deep_json_is_refused (Fixture *fixture, gconstpointer user_data)
{
  g_autoptr (GString) text = g_string_new ("{\"constants\": {}, \"x\": ");
  g_autoptr (NsSideLog) log = NULL;
  guint i;

  for (i = 0; i < 100000; i++)
    g_string_append_c (text, '[');
  log = read_text (fixture, "a.json", text->str);
  g_assert_cmpuint (log->n_lines, ==, 0);
  g_assert_cmpuint (log->n_faults, ==, 1);
}

/* Asserts that @text is masked, and visible if secrets are shown. */
static void
assert_hides (Fixture *fixture, const char *name, const char *text, const char *expected)
{
  g_autoptr (NsSecrets) shown = ns_secrets_new (TRUE);
  NsSideLog *log = read_text (fixture, name, text);

  g_assert_cmpuint (fixture->lines->len, ==, 1);
  g_assert_cmpstr (get (fixture, 0)->text, ==, expected);
  ns_side_log_free (log);
  fixture->secrets = shown;
  log = read_text (fixture, name, text);
  fixture->secrets = NULL;
  g_assert_nonnull (strstr (get (fixture, 0)->text, "hidden"));
  ns_side_log_free (log);
}

static void
test_what_only_the_form_tells_is_hidden (Fixture *fixture, gconstpointer user_data)
{
  assert_hides (
      fixture,
      "u_ex.log",
      "#Fields: date time cs-method cs-uri-query cs(Cookie) cs(User-Agent) cs(X-Api-Key)\n"
      "2026-11-20 08:41:30 GET code=hidden a=hidden x hidden\n",
      "2026-11-20 08:41:30 GET code=… … x …");
  assert_hides (fixture,
                "messages",
                "Nov 20 09:41:31 gate sudo: bob : COMMAND=/usr/bin/mysql -uroot -phidden db\n",
                "bob : COMMAND=/usr/bin/mysql -uroot -p… db");
  assert_hides (fixture,
                "messages",
                "Nov 20 09:41:31 gate CRON[7]: (root) CMD (mysqldump -phidden db)\n",
                "(root) CMD (mysqldump -p… db)");
  assert_hides (fixture,
                "Logfile.CSV",
                "\"Time of Day\",\"Operation\",\"Path\",\"Detail\"\n\"9:41:30.0 AM\",\"Process "
                "Create\",\"C:\\x.exe\",\"Command line: curl -u bob:hidden https://a\"\n",
                "Operation=Process Create, Path=C:\\x.exe, Detail=Command line: curl -u bob:… "
                "https://a");
  assert_hides (
      fixture,
      "Logfile.CSV",
      "\"Time of Day\",\"Operation\",\"Path\",\"Detail\"\n\"9:41:30.0 AM\",\"RegSetValue\","
      "\"HKCU\\a\\Password\",\"Type: REG_SZ, Length: 4, Data: hidden and more\"\n",
      "Operation=RegSetValue, Path=HKCU\\a\\Password, Detail=Type: REG_SZ, Length: 4, "
      "Data: …");
  assert_hides (fixture,
                "table.csv",
                "time,who,password\n2026-11-20 08:41:30,bob,\"two words, hidden\"\n",
                "who=bob, password=…");
  assert_hides (fixture,
                "net.json",
                "{\"constants\": {\"logEventTypes\": {\"COOKIE_STORE_COOKIE_ADDED\": 2},\n"
                "\"timeTickOffset\": \"1795164090000\"}, \"events\": [\n"
                "{\"params\":{\"name\":\"a\",\"value\" : \"h\\\"hidden\",\"b\":1},\"phase\":0,"
                "\"source\":{\"id\":3},\"time\":\"1000\",\"type\":2}]}\n",
                "COOKIE_STORE_COOKIE_ADDED {\"name\":\"a\",\"value\" : \"…\",\"b\":1}");
}

/* For any content: files are read to the end, lines are reported once, and texts are valid
 * UTF-8. */
static void
test_mutations (Fixture *fixture, gconstpointer user_data)
{
  static const struct
  {
    const char *name;
    const char *text;
  } samples[] = {
    { "a.log", iis },     { "b.log", firewall }, { "c.log", syslog },  { "d.har", har },
    { "e.json", netlog }, { "f.csv", procmon },  { "g.csv", perfmon }, { "h.csv", table },
  };
  g_autoptr (GRand) random = g_rand_new_with_seed (28);
  guint i;
  guint k;

  for (i = 0; i < G_N_ELEMENTS (samples); i++)
    for (k = 0; k < MUTATIONS; k++)
      {
        gsize length = strlen (samples[i].text);
        g_autofree char *bytes = g_strdup (samples[i].text);
        guint n = (guint) g_rand_int_range (random, 1, 8);
        g_autoptr (NsSideLog) log = NULL;

        while (n-- > 0)
          bytes[g_rand_int_range (random, 0, (gint32) length)] =
              (char) g_rand_int_range (random, 0, 256);
        if (k % 4 == 0)
          length = (gsize) g_rand_int_range (random, 0, (gint32) length);
        log = read_bytes (fixture, samples[i].name, bytes, length, NULL, "h.csv=when");
        g_assert_cmpuint (log->n_lines + log->n_faults, <=, 64);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add ("/side/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("iis-is-utc", test_iis_is_utc);
  ADD ("firewall-is-local", test_firewall_is_local);
  ADD ("both-forms-of-syslog", test_both_forms_of_syslog);
  ADD ("har", test_har);
  ADD ("netlog-goes-on-behind-a-broken-line", test_netlog_goes_on_behind_a_broken_line);
  ADD ("no-value-is-lost-silently", test_no_value_is_lost_silently);
  ADD ("handed-over", test_handed_over);
  ADD ("process-monitor", test_process_monitor);
  ADD ("performance-monitor", test_performance_monitor);
  ADD ("any-table-by-its-column-of-times", test_any_table_by_its_column_of_times);
  ADD ("a-table-without-known-times-says-so", test_a_table_without_known_times_says_so);
  ADD ("a-table-by-its-bytes", test_a_table_by_its_bytes);
  ADD ("columns-to-choose-from", test_columns_to_choose_from);
  ADD ("offsets-move-the-log-they-name", test_offsets_move_the_log_they_name);
  ADD ("marks-and-wide-characters", test_marks_and_wide_characters);
  ADD ("what-is-no-log-is-none", test_what_is_no_log_is_none);
  ADD ("open-quotes-lose-their-line-only", test_open_quotes_lose_their_line_only);
  ADD ("deep-json-is-refused", test_deep_json_is_refused);
  ADD ("what-only-the-form-tells-is-hidden", test_what_only_the_form_tells_is_hidden);
  ADD ("mutations", test_mutations);
#undef ADD
  return g_test_run ();
}
