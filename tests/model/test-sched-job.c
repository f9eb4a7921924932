/* Tests the background reading of scheduler events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-sched-job.h"
#include "query/ns-fields.h"
#include "stitch-fixture.h"

static void
ready_cb (NsSchedJob *job, NsTrace *trace, gpointer user_data)
{
  *(NsTrace **) user_data = trace;
}

/* Opens a trace with a connection of thread 1, which is never scheduled again after a switch. */
static NsTrace *
open_trace (void)
{
  static const NsEtlWriterOptions options = { .n_processors = 16 };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterGroup record = { .cpu = 1,
                              .raw = ns_etl_writer_get_base_raw (writer) + 300 * STITCH_MS,
                              .kind = NS_RECORD_PERFINFO64,
                              .group = 0x05,
                              .opcode = 36,
                              .version = 2,
                              .payload = payload };

  ns_etl_bytes_u32 (payload, 0);
  ns_etl_bytes_u32 (payload, 1);
  ns_etl_bytes_zero (payload, 6);
  ns_etl_bytes_u8 (payload, 5);
  ns_etl_bytes_zero (payload, 9);
  stitch_images_write (writer);
  stitch_script_write (writer, "100:1:NET");
  g_assert_true (ns_etl_writer_add_group (writer, &record));
  stitch_script_write (writer, "500:8@3:WE Z z");
  return stitch_trace_from_writer (writer);
}

static char *
cell (NsTrace *trace, const char *id)
{
  const NsField *field = ns_table_find_field (NS_TABLE_ACTIVITIES, id);
  GString *text = g_string_new (NULL);
  NsFieldValue value = { 0 };

  g_assert_nonnull (field);
  ns_field_get (trace, field, 0, &value);
  if (!value.is_null)
    ns_field_append_raw (field, &value, text);
  ns_field_value_clear (&value);
  return g_string_free (text, FALSE);
}

static void
assert_cell (NsTrace *trace, const char *id, const char *expected)
{
  g_autofree char *text = cell (trace, id);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_cells_are_empty_and_then_filled (void)
{
  NsTrace *trace = open_trace ();
  NsTrace *ready = NULL;
  gulong id =
      g_signal_connect (ns_sched_job_get (trace->view), "ready", G_CALLBACK (ready_cb), &ready);

  ns_sched_job_watch (trace);
  assert_cell (trace, "thread_waiting_ns", "");
  while (ready == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (ready == trace);
  assert_cell (trace, "thread_waiting_ns", "200000000");
  assert_cell (trace, "readied_by", "");
  assert_cell (trace, "cpu_percent", "");
  g_signal_handler_disconnect (ns_sched_job_get (trace->view), id);
  ns_trace_unref (trace);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sched-job/cells-are-empty-and-then-filled",
                   test_cells_are_empty_and_then_filled);
  return g_test_run ();
}
