/* Tests the collection of state changes for the timeline's lanes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-state-tcp.h"
#include "engine/open/ns-event-read.h"
#include "etl/ns-etl-writer.h"
#include "model/ns-state-job.h"
#include "query/ns-event-mark.h"
#include "stitch-fixture.h"
#include "story.h"

#define TCPIP "2f07e2ee-15db-40f1-90ef-9d7ba282188a"
#define DHCP "15a7a4f8-0072-4eab-abad-f98a4d666aed"
#define TCB P (0xffff800000001000)
#define OTHER "11111111-2222-3333-4444-555555555555"

static void
add (NsEtlWriter *writer, guint ms, const char *provider, guint16 id, const guint32 *words, guint n)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterEvent event = { .raw = ns_etl_writer_get_base_raw (writer) + ms * STITCH_MS,
                             .id = id,
                             .level = 4,
                             .payload = payload };
  guint i;

  for (i = 0; i < n; i++)
    ns_etl_bytes_u32 (payload, words[i]);
  ns_guid_from_text (&event.guid, provider);
  g_assert_true (ns_etl_writer_add_event (writer, &event));
}

/* Opens a trace with two changes of a connection, one of an interface, one of an address lease, and
 * an unrelated event. */
static NsTrace *
open_trace (void)
{
  static const NsEtlWriterOptions options = { .n_processors = 1 };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  const guint32 closes[] = { 4, 7, 1, 0x1000, 0xffff8000 };
  const guint32 ends[] = { 7, 0, 1, 0x1000, 0xffff8000 };
  const guint32 interface[] = { 5, 1, 0, 0 };
  const guint32 lease[] = { 7 };

  add (writer, 10, TCPIP, 1051, closes, G_N_ELEMENTS (closes));
  add (writer, 20, TCPIP, 1130, interface, G_N_ELEMENTS (interface));
  add (writer, 25, OTHER, 1051, lease, 1);
  add (writer, 30, DHCP, 50001, lease, 1);
  add (writer, 40, TCPIP, 1051, ends, G_N_ELEMENTS (ends));
  return stitch_trace_from_writer (writer);
}

static void
report_state (Story *story, double ms, guint before, guint after)
{
  story_write (story, ms, STORY_TCPIP, 1051, "dddp", before, after, 1, TCB);
}

static char *
marks_to_text (const NsStateMarks *marks)
{
  GString *text = g_string_new (NULL);
  guint i;
  guint k;

  for (i = 0; i < marks->lanes->len; i++)
    {
      const NsStateLane *lane = &g_array_index (marks->lanes, NsStateLane, i);

      g_string_append (text, lane->id);
      if (lane->name != NULL)
        g_string_append_printf (text,
                                " %s%s of %u",
                                lane->name,
                                lane->detail != NULL ? lane->detail : "",
                                lane->parent);
      g_string_append_c (text, '[');
      for (k = 0; k < lane->marks->len; k++)
        {
          const NsStateMark *mark = &g_array_index (lane->marks, NsStateMark, k);

          g_string_append_printf (text,
                                  "%s%" G_GINT64_FORMAT " %s",
                                  k > 0 ? ", " : "",
                                  mark->time_ns / 1000000,
                                  mark->text);
        }
      g_string_append (text, "]");
    }
  return g_string_free (text, FALSE);
}

static void
done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static GAsyncResult *
run (NsTrace *trace, GCancellable *cancellable)
{
  GAsyncResult *result = NULL;

  ns_state_job_run_async (trace, cancellable, done_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return result;
}

static void
test_each_change_is_a_mark_of_its_lane (void)
{
  NsTrace *trace = open_trace ();
  g_autoptr (GAsyncResult) result = run (trace, NULL);
  g_autoptr (NsStateMarks) marks = ns_state_job_run_finish (result, NULL);
  g_autofree char *text = NULL;

  g_assert_nonnull (marks);
  text = marks_to_text (marks);
  g_assert_cmpstr (text,
                   ==,
                   "dhcp[30 7: MediaStateEvent/MediaConnect]"
                   "interface[20 5: Operational]"
                   "tcp-state[10 0xffff800000001000: Established → CloseWait, "
                   "40 0xffff800000001000: CloseWait → Closed]"
                   "tcp-state 0xffff800000001000 of 2[10 established → close wait, "
                   "40 close wait → closed]");
  ns_trace_unref (trace);
}

/* One control block is reused by a second connection: each has its own lane, named after its
 * peer. */
static void
test_each_connection_has_a_lane (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (NsStateMarks) marks = NULL;
  const NsStateLane *lane;

  report_state (story, 9, 0, 2);
  story_write (story, 10, STORY_TCPIP, 1002, "pAAdd", TCB, "10.0.0.5:50001", "1.2.3.4:443", 2, 0);
  story_write (story, 20, STORY_TCPIP, 1033, "pAAdd", TCB, "10.0.0.5:50001", "1.2.3.4:443", 2, 0);
  report_state (story, 20, 2, 4);
  report_state (story, 30, 4, 5);
  report_state (story, 35, 5, 0);
  story_write (story, 36, STORY_TCPIP, 1039, "pAAdd", TCB, "10.0.0.5:50001", "1.2.3.4:443", 0, 0);
  story_write (story, 1010, STORY_TCPIP, 1002, "pAAdd", TCB, "10.0.0.5:50002", "5.6.7.8:80", 2, 0);
  report_state (story, 1011, 0, 2);
  trace = stitch_trace_from_writer (story->writer);
  result = run (trace, NULL);
  marks = ns_state_job_run_finish (result, NULL);
  g_assert_cmpuint (marks->lanes->len, ==, 3);
  lane = &g_array_index (marks->lanes, NsStateLane, 1);
  g_assert_cmpstr (lane->name, ==, "1.2.3.4:443");
  g_assert_cmpstr (lane->detail, ==, ":50001");
  g_assert_cmpuint (lane->marks->len, ==, 4);
  g_assert_cmpstr (g_array_index (lane->marks, NsStateMark, 2).text,
                   ==,
                   "established → FIN wait 1");
  lane = &g_array_index (marks->lanes, NsStateLane, 2);
  g_assert_cmpstr (lane->name, ==, "5.6.7.8:80");
  g_assert_cmpuint (lane->marks->len, ==, 1);
  ns_trace_unref (trace);
}

/* State names are defined by the program, state numbers by the provider's manifest. */
static void
test_states_are_called_as_windows_numbers_them (void)
{
  static const char *const in_manifest[] = { "Closed",      "Listen",   "SynSent",  "SynRcvd",
                                             "Established", "FinWait1", "FinWait2", "CloseWait",
                                             "Closing",     "LastAck",  "TimeWait" };
  g_autoptr (Story) story = story_new ();
  NsTrace *trace;
  guint n_told = 0;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (in_manifest); i++)
    report_state (story, i, 0, i);
  trace = stitch_trace_from_writer (story->writer);
  for (i = 0; i < trace->events->len; i++)
    {
      NsEvent event;
      g_autofree char *text = NULL;
      g_autofree char *expected = NULL;

      g_assert_true (ns_event_read (trace, i, &event));
      text = ns_event_mark_dup_text (&event);
      if (text == NULL)
        continue;
      expected = g_strconcat ("Closed → ", in_manifest[n_told++], NULL);
      g_assert_cmpstr (text, ==, expected);
    }
  g_assert_cmpuint (n_told, ==, G_N_ELEMENTS (in_manifest));
  ns_trace_unref (trace);
}

static void
test_it_can_be_stopped (void)
{
  NsTrace *trace = open_trace ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  result = run (trace, cancellable);
  g_assert_null (ns_state_job_run_finish (result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  ns_trace_unref (trace);
}

/* The number of marks per connection and of connection lanes is limited; the remaining ones are
 * counted. */
static void
test_what_is_too_much_is_counted (void)
{
  guint n_more;

  for (n_more = 0; n_more <= 1; n_more++)
    {
      g_autoptr (Story) story = story_new ();
      NsTrace *trace;
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (NsStateMarks) marks = NULL;
      const NsStateLane *all;
      const NsStateLane *first;
      guint n_changes = 0;
      guint i;

      for (i = 0; i < NS_STATE_MARKS_MAX + n_more; i++)
        report_state (story, 1 + i * 0.001, 2 + i % 2, 3 - i % 2);
      /* Connections without a lane have two changes each; each connection counts once. */
      for (i = 0; i < 2 * (NS_STATE_CONNECTIONS_MAX - 1 + n_more); i++)
        story_write (story,
                     1000 + i * 0.001,
                     STORY_TCPIP,
                     1051,
                     "dddp",
                     2,
                     4,
                     1,
                     TCB + (1 + i / 2) * 0x1000);
      trace = stitch_trace_from_writer (story->writer);
      result = run (trace, NULL);
      marks = ns_state_job_run_finish (result, NULL);
      all = &g_array_index (marks->lanes, NsStateLane, 0);
      first = &g_array_index (marks->lanes, NsStateLane, 1);
      n_changes = NS_STATE_MARKS_MAX + n_more + 2 * (NS_STATE_CONNECTIONS_MAX - 1 + n_more);
      g_assert_cmpuint (marks->lanes->len, ==, 1 + NS_STATE_CONNECTIONS_MAX);
      g_assert_cmpuint (marks->n_left_out, ==, n_more);
      g_assert_cmpuint (first->marks->len, ==, NS_STATE_MARKS_MAX);
      g_assert_cmpuint (first->n_all, ==, NS_STATE_MARKS_MAX + n_more);
      g_assert_cmpuint (all->marks->len, ==, NS_STATE_MARKS_MAX);
      g_assert_cmpuint (all->n_all, ==, n_changes);
      ns_trace_unref (trace);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/state-job/each-change-is-a-mark-of-its-lane",
                   test_each_change_is_a_mark_of_its_lane);
  g_test_add_func ("/state-job/each-connection-has-a-lane", test_each_connection_has_a_lane);
  g_test_add_func ("/state-job/states-are-called-as-windows-numbers-them",
                   test_states_are_called_as_windows_numbers_them);
  g_test_add_func ("/state-job/it-can-be-stopped", test_it_can_be_stopped);
  g_test_add_func ("/state-job/what-is-too-much-is-counted", test_what_is_too_much_is_counted);
  return g_test_run ();
}
