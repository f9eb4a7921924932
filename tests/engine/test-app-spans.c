/* Tests the spans that applications log with start and stop events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stitch-fixture.h"

#include <string.h>

/* Limits of the search and of the stored names (ns-app-spans.c). */
#define MAX_STEPS 256
#define MAX_NAME 256

/* Provider of the Tcl Windows API: d5b52e95-8447-40c1-b316-539894449b36 */
static const NsGuid twapi =
    NS_GUID_INIT (0xd5b52e95, 0x8447, 0x40c1, 0xb3, 0x16, 0x53, 0x98, 0x94, 0x44, 0x9b, 0x36);
static const NsGuid own = NS_GUID_INIT (0x11111111, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);

static guint64
raw_at (NsEtlWriter *writer, guint ms)
{
  return ns_etl_writer_get_base_raw (writer) + (guint64) ms * STITCH_MS;
}

/* Writes one TraceLogging event without fields. */
static void
add_event (NsEtlWriter *writer, guint ms, guint32 tid, const char *name, guint8 opcode, guint8 who)
{
  g_autoptr (GByteArray) fields = g_byte_array_new ();
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  g_autoptr (GByteArray) schema = ns_etl_writer_schema_tl (name, fields);
  NsEtlWriterEvent event = { .raw = raw_at (writer, ms),
                             .guid = own,
                             .channel = 11,
                             .opcode = opcode,
                             .pid = 7,
                             .tid = tid,
                             .schema_tl = schema,
                             .payload = payload };

  event.activity.bytes[0] = who;
  g_assert_true (ns_etl_writer_add_event (writer, &event));
}

static void
add_wide (GByteArray *payload, const char *text)
{
  do
    ns_etl_bytes_u16 (payload, (guchar) *text);
  while (*text++ != '\0');
}

/* Writes one ExecutionTrace event of the Tcl Windows API. */
static void
add_step (NsEtlWriter *writer,
          guint ms,
          const char *operation,
          const char *command,
          const char *code)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterFull event = { .kind = NS_RECORD_FULL64,
                            .raw = raw_at (writer, ms),
                            .guid = twapi,
                            .opcode = 3,
                            .pid = 7,
                            .tid = 70,
                            .payload = payload };

  add_wide (payload, operation);
  add_wide (payload, command);
  add_wide (payload, code);
  add_wide (payload, *code != '\0' ? "done" : "");
  add_wide (payload, "");
  g_assert_true (ns_etl_writer_add_full (writer, &event));
}

static NsEtlWriter *
writer_new (void)
{
  static const NsEtlWriterOptions options = { .n_processors = 1 };

  return ns_etl_writer_new (&options);
}

/* Asserts the spans, each as `name depth open-close thread [result]`, times in ms. */
static void
assert_spans (NsEtlWriter *writer, const char *expected)
{
  NsTrace *trace = stitch_trace_from_writer (writer);
  g_autoptr (GString) text = g_string_new (NULL);
  gint64 begin_ns = 0;
  guint i;

  for (i = 0; i < trace->spans->len; i++)
    {
      const NsSpanRow *row = &g_array_index (trace->spans, NsSpanRow, i);

      if (i == 0)
        begin_ns = row->open_ns;
      g_string_append_printf (text,
                              "%s%s %u %d-",
                              i > 0 ? "; " : "",
                              ns_trace_text (trace, row->name),
                              row->depth,
                              (int) ((row->open_ns - begin_ns) / 1000000));
      if (row->close_ns != NS_TIME_OPEN)
        g_string_append_printf (text, "%d", (int) ((row->close_ns - begin_ns) / 1000000));
      g_string_append_printf (text, " %u", row->tid);
      if (row->detail != NS_STRING_NONE)
        g_string_append_printf (text, " [%s]", ns_trace_text (trace, row->detail));
    }
  g_assert_cmpstr (text->str, ==, expected);
  ns_trace_unref (trace);
}

static void
test_starts_and_stops_nest_per_thread (void)
{
  g_autoptr (NsEtlWriter) writer = writer_new ();

  add_event (writer, 10, 70, "Sync", 1, 0);
  add_event (writer, 12, 71, "Other", 1, 0);
  add_event (writer, 20, 70, "Folder", 1, 0);
  add_event (writer, 30, 70, "Folder", 2, 0);
  add_event (writer, 35, 71, "Other", 2, 0);
  add_event (writer, 40, 70, "Sync", 2, 0);
  add_event (writer, 45, 70, "Plain", 0, 0);
  assert_spans (writer, "Sync 0 0-30 70; Other 0 2-25 71; Folder 1 10-20 70");
}

static void
test_names_may_say_start_and_stop (void)
{
  g_autoptr (NsEtlWriter) writer = writer_new ();

  add_event (writer, 10, 70, "RequestStart", 1, 0);
  add_event (writer, 30, 70, "RequestStop", 2, 0);
  assert_spans (writer, "Request 0 0-20 70");
}

static void
test_an_activity_may_end_on_another_thread (void)
{
  g_autoptr (NsEtlWriter) writer = writer_new ();

  add_event (writer, 10, 70, "Load", 1, 5);
  add_event (writer, 15, 71, "Load", 1, 6);
  add_event (writer, 30, 71, "Load", 2, 5);
  add_event (writer, 40, 70, "Next", 1, 7);
  assert_spans (writer, "Load 0 0-20 70; Load 0 5- 71; Next 0 30- 70");
}

static void
test_a_stop_without_start_is_nothing (void)
{
  g_autoptr (NsEtlWriter) writer = writer_new ();

  add_event (writer, 5, 70, "Late", 2, 0);
  add_event (writer, 10, 70, "Sync", 1, 0);
  add_event (writer, 20, 70, "Else", 2, 0);
  assert_spans (writer, "Sync 0 0- 70");
}

static void
test_enter_and_leave_of_scripts (void)
{
  g_autoptr (NsEtlWriter) writer = writer_new ();

  add_step (writer, 10, "enter", "http::geturl a", "");
  add_step (writer, 12, "enterstep", "socket a 80", "");
  add_step (writer, 14, "enterstep", "lost", "");
  add_step (writer, 20, "leavestep", "socket a 80", "0");
  add_step (writer, 40, "leave", "http::geturl a", "1");
  assert_spans (
      writer,
      "http::geturl a 0 0-30 70 [1 done]; socket a 80 1 2-10 70 [0 done]; lost 2 4-10 70");
}

static gint64
get_first_close (NsEtlWriter *writer)
{
  NsTrace *trace = stitch_trace_from_writer (writer);
  gint64 close_ns = g_array_index (trace->spans, NsSpanRow, 0).close_ns;

  ns_trace_unref (trace);
  return close_ns;
}

/* A stop event looks for its start among the MAX_STEPS innermost open spans of its thread only. */
static void
test_an_end_looks_so_far_only (void)
{
  guint n;

  for (n = MAX_STEPS - 1; n <= MAX_STEPS; n++)
    {
      g_autoptr (NsEtlWriter) writer = writer_new ();
      guint i;

      add_event (writer, 10, 70, "Sync", 1, 0);
      for (i = 0; i < n; i++)
        add_event (writer, 11 + i, 70, "Never", 1, 0);
      add_event (writer, 20 + n, 70, "Sync", 2, 0);
      if (n < MAX_STEPS)
        g_assert_cmpint (get_first_close (writer), !=, NS_TIME_OPEN);
      else
        g_assert_cmpint (get_first_close (writer), ==, NS_TIME_OPEN);
    }
}

static void
test_a_command_is_so_long_only (void)
{
  gsize n;

  for (n = MAX_NAME; n <= MAX_NAME + 1; n++)
    {
      g_autoptr (NsEtlWriter) writer = writer_new ();
      g_autofree char *command = g_strnfill (n, 'a');
      NsTrace *trace;

      add_step (writer, 10, "enter", command, "");
      trace = stitch_trace_from_writer (writer);
      g_assert_cmpuint (strlen (
                            ns_trace_text (trace, g_array_index (trace->spans, NsSpanRow, 0).name)),
                        ==,
                        MAX_NAME);
      ns_trace_unref (trace);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app-spans/starts-and-stops-nest-per-thread",
                   test_starts_and_stops_nest_per_thread);
  g_test_add_func ("/app-spans/names-may-say-start-and-stop", test_names_may_say_start_and_stop);
  g_test_add_func ("/app-spans/an-activity-may-end-on-another-thread",
                   test_an_activity_may_end_on_another_thread);
  g_test_add_func ("/app-spans/a-stop-without-start-is-nothing",
                   test_a_stop_without_start_is_nothing);
  g_test_add_func ("/app-spans/enter-and-leave-of-scripts", test_enter_and_leave_of_scripts);
  g_test_add_func ("/app-spans/an-end-looks-so-far-only", test_an_end_looks_so_far_only);
  g_test_add_func ("/app-spans/a-command-is-so-long-only", test_a_command_is_so_long_only);
  return g_test_run ();
}
