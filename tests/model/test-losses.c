/* Tests the event losses that a trace reports.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-losses.h"

#include "engine/net/ns-missing.h"
#include "etl/ns-etl-writer.h"
#include "etl/ns-provider-guids.h"

#include <glib/gstdio.h>

#define PROVIDER NS_GUID_INIT (0x12345678, 0x1234, 0x5678, 1, 2, 3, 4, 5, 6, 7, 8)
#define BUFFER_SIZE 1024u
#define FLAGS_AT 0x34u /* in the buffer header */
#define EVENTS_LOST 2

/* Writes one event in a buffer of its own; the clock runs at 10 MHz. */
static void
add_buffer (NsEtlWriter *writer, guint cpu, guint64 raw)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterEvent event = { .cpu = cpu,
                             .raw = ns_etl_writer_get_base_raw (writer) + raw,
                             .guid = PROVIDER,
                             .id = 1,
                             .payload = payload };

  g_assert_true (ns_etl_writer_add_event (writer, &event));
  ns_etl_writer_next_buffer (writer, cpu);
}

/* Opens a trace of the buffers; events were lost before buffer @lossy. */
static NsTrace *
open_trace (NsEtlWriter *writer, guint lossy)
{
  NsTraceOptions options = { .want_events = TRUE };
  g_autoptr (GBytes) bytes = ns_etl_writer_finish (writer);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  g_autofree guint8 *data = g_memdup2 (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  NsTrace *trace;
  int fd = g_file_open_tmp ("netstitch-losses-XXXXXX.etl", &path, &error);

  g_assert_no_error (error);
  g_assert_true (g_close (fd, NULL));
  g_assert_cmpuint (g_bytes_get_size (bytes), >, lossy * BUFFER_SIZE + FLAGS_AT);
  data[lossy * BUFFER_SIZE + FLAGS_AT] |= EVENTS_LOST;
  g_assert_true (
      g_file_set_contents (path, (char *) data, (gssize) g_bytes_get_size (bytes), &error));
  trace = ns_trace_open (path, &options, NULL, NULL, &error);
  g_assert_no_error (error);
  g_unlink (path);
  return trace;
}

static char *
describe (const GPtrArray *processors)
{
  GString *text = g_string_new (NULL);
  guint i;
  guint k;

  for (i = 0; i < processors->len; i++)
    {
      const NsLossProcessor *one = g_ptr_array_index (processors, i);

      g_string_append_printf (text,
                              "%u:%d-%d!%u",
                              one->cpu,
                              (int) one->seen.begin_ns,
                              (int) one->seen.end_ns,
                              one->n_losses);
      for (k = 0; k < one->losses->len; k++)
        {
          const NsTimeSpan *span = &g_array_index (one->losses, NsTimeSpan, k);

          g_string_append_printf (text, "[%d-%d]", (int) span->begin_ns, (int) span->end_ns);
        }
      g_string_append_c (text, ' ');
    }
  return g_string_free (text, FALSE);
}

static void
test_a_loss_is_told_where_it_was (void)
{
  g_autoptr (NsEtlWriter) writer =
      ns_etl_writer_new (&(NsEtlWriterOptions){ .buffer_size = BUFFER_SIZE });
  g_autoptr (GPtrArray) processors = NULL;
  g_autofree char *text = NULL;
  NsTrace *trace;
  guint n_more = 7;

  add_buffer (writer, 3, 10);
  add_buffer (writer, 1, 20);
  add_buffer (writer, 3, 60);
  trace = open_trace (writer, 3);
  processors = ns_losses_list_processors (trace, &n_more);
  text = describe (processors);
  /* Processor 0 has the header of the trace, processor 2 has nothing. */
  g_assert_cmpstr (text, ==, "0:0-0!0 1:2000-2000!0 3:1000-6000!1[1000-6000] ");
  g_assert_cmpuint (n_more, ==, 0);
  ns_trace_unref (trace);
}

static void
test_very_many_processors_are_counted (void)
{
  g_autoptr (NsEtlWriter) writer =
      ns_etl_writer_new (&(NsEtlWriterOptions){ .buffer_size = BUFFER_SIZE });
  g_autoptr (GPtrArray) processors = NULL;
  NsTrace *trace;
  guint n_more = 0;
  guint cpu;

  for (cpu = 1; cpu < NS_LOSSES_MAX_PROCESSORS + 3; cpu++)
    add_buffer (writer, cpu, 10 + cpu);
  /* The loss is on a processor that is not listed. */
  trace = open_trace (writer, NS_LOSSES_MAX_PROCESSORS + 2);
  processors = ns_losses_list_processors (trace, &n_more);
  g_assert_cmpuint (processors->len, ==, NS_LOSSES_MAX_PROCESSORS);
  g_assert_cmpuint (n_more, ==, 3);
  ns_trace_unref (trace);
}

/* Adds a record in which the session reports a loss. */
static void
add_report (NsEtlWriter *writer, guint8 opcode)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterFull record = { .raw = ns_etl_writer_get_base_raw (writer) + 10,
                             .kind = NS_RECORD_FULL64,
                             .guid = NS_GUID_LOST_EVENT,
                             .opcode = opcode,
                             .payload = payload };

  g_assert_true (ns_etl_writer_add_full (writer, &record));
}

/* The header, the flags of the buffers, the reports of the session and the numbers of the buffers
 * count for all that tell what is missing. */
static void
test_every_source_of_losses_counts (void)
{
  static const struct
  {
    NsEtlWriterOptions options;
    guint n_event_reports;
    guint n_buffer_reports;
    const char *expected;
  } cases[] = {
    { { 0 }, 0, 0, "1 + 0" }, /* the flag of a buffer */
    { { .events_lost = 7, .buffers_lost = 2 }, 0, 0, "7 + 2" },
    { { 0 }, 3, 2, "3 + 2" },
    { { .events_lost = 2, .buffers_lost = 5 }, 3, 2, "3 + 5" },
  };
  guint i;
  guint k;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      NsEtlWriterOptions options = cases[i].options;
      g_autoptr (NsEtlWriter) writer = NULL;
      g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
      g_autoptr (NsSurvey) survey = NULL;
      g_autofree char *found = NULL;
      NsMissing of_trace;
      NsMissing of_survey;
      NsTrace *trace;

      options.buffer_size = BUFFER_SIZE;
      writer = ns_etl_writer_new (&options);
      for (k = 0; k < cases[i].n_event_reports; k++)
        add_report (writer, 32);
      for (k = 0; k < cases[i].n_buffer_reports; k++)
        add_report (writer, 33 + k % 2);
      add_buffer (writer, 0, 20);
      trace = open_trace (writer, 1);
      survey = ns_survey_new (trace->file, schemas, NULL, NULL, NULL, NULL);
      ns_missing_count (trace, &of_trace);
      ns_missing_count_survey (trace->file, survey, &of_survey);
      found = g_strdup_printf ("%u + %u", (guint) of_trace.n_events, (guint) of_trace.n_buffers);
      g_assert_cmpstr (found, ==, cases[i].expected);
      g_assert_cmpmem (&of_survey, sizeof of_survey, &of_trace, sizeof of_trace);
      ns_trace_unref (trace);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/losses/a-loss-is-told-where-it-was", test_a_loss_is_told_where_it_was);
  g_test_add_func ("/losses/very-many-processors-are-counted",
                   test_very_many_processors_are_counted);
  g_test_add_func ("/losses/every-source-of-losses-counts", test_every_source_of_losses_counts);
  return g_test_run ();
}
