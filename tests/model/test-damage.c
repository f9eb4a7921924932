/* Tests damaged traces: their readable part, and the missing time spans.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-event-index.h"
#include "etl/ns-etl-writer.h"
#include "model/ns-session.h"

#include <glib/gstdio.h>
#include <string.h>

/* The sample has seven buffers of this size, and its session lasted 20 s. */
#define BUFFER_SIZE 16384
#define SMALL_BUFFER_SIZE 1024
#define PROVIDER NS_GUID_INIT (0x12345678, 0x1234, 0x5678, 1, 2, 3, 4, 5, 6, 7, 8)
#define SESSION_NS (20 * NS_PER_SECOND)

/* Opens a session with a copy of the sample: truncated to @n_bytes, and with the bytes from @begin
 * to
 * @end replaced by @filler. */
static NsSession *
open_filled (gsize n_bytes, gsize begin, gsize end, int filler)
{
  static const NsTraceOptions options = { .want_events = TRUE };
  g_autofree char *path = NULL;
  g_autofree char *data = NULL;
  g_autoptr (GError) error = NULL;
  NsTrace *trace;
  gsize size;
  int file;

  g_assert_true (g_file_get_contents (g_getenv ("NETSTITCH_SAMPLE"), &data, &size, NULL));
  g_assert_cmpuint (size, ==, 7 * BUFFER_SIZE);
  memset (data + begin, filler, end - begin);
  file = g_file_open_tmp ("damaged-XXXXXX.etl", &path, NULL);
  g_assert_cmpint (file, >=, 0);
  g_close (file, NULL);
  g_assert_true (g_file_set_contents (path, data, (gssize) MIN (n_bytes, size), NULL));
  trace = ns_trace_open (path, &options, NULL, NULL, &error);
  g_assert_no_error (error);
  g_unlink (path);
  return ns_session_new (trace, NULL);
}

/* Opens a session with the sample, truncated to @n_bytes, and with the records of buffer @blotted
 * overwritten unless it is 0. */
static NsSession *
open_damaged (gsize n_bytes, guint blotted)
{
  gsize begin = blotted * BUFFER_SIZE + 0x48;

  return open_filled (n_bytes, begin, blotted != 0 ? begin + 4096 : begin, 0xee);
}

/* Describes what is missing: events and buffers lost while recording, buffers missing in the
 * numbers, damaged buffers, how much was read, and the gaps in ms. */
static char *
describe (NsSession *session)
{
  const NsDamage *damage = ns_session_get_damage (session);
  GString *text = g_string_new (NULL);
  guint i;

  g_string_printf (text,
                   "lost %" G_GUINT64_FORMAT " + %" G_GUINT64_FORMAT ", missing %" G_GUINT64_FORMAT
                   ", damaged %" G_GUINT64_FORMAT ", read %u %%",
                   damage->missing.n_events,
                   damage->missing.n_buffers,
                   damage->missing.n_gap_buffers,
                   damage->missing.n_damaged,
                   damage->percent_read);
  for (i = 0; i < damage->gaps->len; i++)
    {
      const NsTimeSpan *gap = &g_array_index (damage->gaps, NsTimeSpan, i);

      g_string_append_printf (text,
                              ", %d-%d",
                              (int) (gap->begin_ns / (NS_PER_SECOND / 1000)),
                              (int) (gap->end_ns / (NS_PER_SECOND / 1000)));
    }
  return g_string_free (text, FALSE);
}

static void
test_a_sound_trace_misses_nothing (void)
{
  g_autoptr (NsSession) session = open_damaged (G_MAXSIZE, 0);
  const NsDamage *damage = ns_session_get_damage (session);

  g_assert_false (damage->is_damaged);
  g_assert_false (damage->is_cut);
  g_assert_cmpuint (damage->gaps->len, ==, 0);
  g_assert_cmpint (damage->end_ns, ==, ns_session_get_trace (session)->end_ns);
  g_assert_cmpint (ns_session_get_whole (session).end_ns, <, SESSION_NS);
}

static void
test_a_cut_trace_misses_its_end (void)
{
  g_autoptr (NsSession) session = open_damaged (70000, 0);
  const NsDamage *damage = ns_session_get_damage (session);
  const NsTimeSpan *gap;

  g_assert_true (damage->is_damaged);
  g_assert_true (damage->is_cut);
  g_assert_cmpuint (damage->n_read, ==, 5);
  g_assert_cmpuint (damage->n_expected, ==, 7);
  g_assert_cmpuint (damage->n_events_missing, >, 0);
  g_assert_cmpint (damage->read_end_ns, ==, ns_session_get_trace (session)->end_ns);
  g_assert_cmpint (damage->end_ns, ==, SESSION_NS);
  g_assert_cmpuint (damage->gaps->len, ==, 1);
  gap = &g_array_index (damage->gaps, NsTimeSpan, 0);
  g_assert_cmpint (gap->begin_ns, <=, damage->read_end_ns);
  g_assert_cmpint (gap->end_ns, ==, SESSION_NS);
  g_assert_cmpint (ns_session_get_whole (session).end_ns, ==, SESSION_NS);
}

/* Nothing that can be read is wrong; only the header tells that there was more. */
static void
test_a_trace_cut_between_two_buffers_misses_its_end (void)
{
  g_autoptr (NsSession) session = open_damaged (4 * BUFFER_SIZE, 0);
  const NsDamage *damage = ns_session_get_damage (session);

  g_assert_cmpuint (damage->n_places, ==, 0);
  g_assert_true (damage->is_damaged);
  g_assert_true (damage->is_cut);
  g_assert_cmpuint (damage->n_read, ==, 4);
  g_assert_cmpint (damage->end_ns, ==, SESSION_NS);
}

static void
test_a_hole_lies_between_what_was_read_around_it (void)
{
  g_autoptr (NsSession) sound = open_damaged (G_MAXSIZE, 0);
  g_autoptr (NsSession) session = open_damaged (G_MAXSIZE, 2);
  const NsDamage *damage = ns_session_get_damage (session);
  const NsTimeSpan *gap;
  const NsTrace *trace = ns_session_get_trace (sound);
  gint64 first_ns = G_MAXINT64;
  gint64 last_ns = 0;
  guint i;

  g_assert_true (damage->is_damaged);
  g_assert_false (damage->is_cut);
  g_assert_cmpint (damage->end_ns, ==, damage->read_end_ns);
  g_assert_cmpuint (damage->gaps->len, ==, 1);
  gap = &g_array_index (damage->gaps, NsTimeSpan, 0);
  for (i = 0; i < trace->events->len; i++)
    {
      gint64 time_ns = ns_trace_get_event_time (trace, i);

      if (ns_trace_get_event_ref (trace, i).buffer != 2)
        continue;
      first_ns = MIN (first_ns, time_ns);
      last_ns = MAX (last_ns, time_ns);
    }
  /* The whole buffer is missing: the gap covers its time and ends within the next buffer. */
  g_assert_cmpint (gap->begin_ns, <=, first_ns);
  g_assert_cmpint (gap->end_ns, >=, last_ns);
  g_assert_cmpint (gap->end_ns, <, damage->read_end_ns);
}

static void
test_what_is_missing_is_known (void)
{
  static const struct
  {
    gsize n_bytes;
    gsize begin;
    gsize end;
    int filler;
    const char *expected;
  } cases[] = {
    { G_MAXSIZE, 0, 0, 0, "lost 0 + 0, missing 0, damaged 0, read 100 %" },
    /* A buffer that was never written: only its number tells that it is missing. */
    { G_MAXSIZE,
      4 * BUFFER_SIZE,
      5 * BUFFER_SIZE,
      0,
      "lost 0 + 0, missing 1, damaged 0, read 100 %, 5727-7601" },
    /* The header of the fourth buffer is destroyed, and with it the number of its processor. */
    { G_MAXSIZE, 40000, 60000, 0xee, "lost 0 + 0, missing 1, damaged 2, read 77 %, 3714-5750" },
    { G_MAXSIZE,
      3 * BUFFER_SIZE,
      3 * BUFFER_SIZE + 0x48,
      0xee,
      "lost 0 + 0, missing 1, damaged 1, read 85 %, 5019-5750" },
    { G_MAXSIZE,
      3 * BUFFER_SIZE,
      5 * BUFFER_SIZE,
      0xee,
      "lost 0 + 0, missing 2, damaged 2, read 71 %, 5019-7601" },
    { G_MAXSIZE, 40000, 44000, 0xee, "lost 0 + 0, missing 0, damaged 1, read 92 %, 3714-5019" },
    /* The end of the fourth buffer is missing. */
    { 60000, 0, 0, 0, "lost 0 + 0, missing 0, damaged 1, read 52 %, 5497-20000" },
    { 60000,
      20000,
      30000,
      0xee,
      "lost 0 + 0, missing 0, damaged 2, read 41 %, 0-2203, 5497-20000" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (NsSession) session =
          open_filled (cases[i].n_bytes, cases[i].begin, cases[i].end, cases[i].filler);
      g_autofree char *found = describe (session);

      g_assert_cmpstr (found, ==, cases[i].expected);
    }
}

/* Writes one event in a buffer of its own, @time_us after the begin. */
static void
add_buffer (NsEtlWriter *writer, guint cpu, guint64 time_us)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterEvent event = { .cpu = cpu,
                             .raw = ns_etl_writer_get_base_raw (writer) + 10 * time_us,
                             .guid = PROVIDER,
                             .id = 1,
                             .payload = payload };

  g_assert_true (ns_etl_writer_add_event (writer, &event));
  ns_etl_writer_next_buffer (writer, cpu);
}

/* Opens a trace with buffers of several processors: at 100 µs of processor 1, and so on. Bytes of
 * buffer @buffer are overwritten from @begin. */
static NsSession *
open_processors (guint buffer, guint begin)
{
  static const NsTraceOptions options = { .want_events = TRUE };
  g_autoptr (NsEtlWriter) writer =
      ns_etl_writer_new (&(NsEtlWriterOptions){ .buffer_size = SMALL_BUFFER_SIZE });
  g_autofree char *path = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree guint8 *data = NULL;
  g_autoptr (GError) error = NULL;
  NsTrace *trace;
  gsize size;
  int file;

  add_buffer (writer, 1, 100);
  add_buffer (writer, 3, 200);
  add_buffer (writer, 1, 300);
  add_buffer (writer, 2, 400);
  add_buffer (writer, 3, 500);
  add_buffer (writer, 1, 600);
  bytes = ns_etl_writer_finish (writer);
  data = g_memdup2 (g_bytes_get_data (bytes, &size), g_bytes_get_size (bytes));
  g_assert_cmpuint (size, ==, 7 * SMALL_BUFFER_SIZE);
  memset (data + buffer * SMALL_BUFFER_SIZE + begin, 0xee, 0x80);
  file = g_file_open_tmp ("processors-XXXXXX.etl", &path, NULL);
  g_assert_cmpint (file, >=, 0);
  g_close (file, NULL);
  g_assert_true (g_file_set_contents (path, (char *) data, (gssize) size, NULL));
  trace = ns_trace_open (path, &options, NULL, NULL, &error);
  g_assert_no_error (error);
  g_unlink (path);
  return ns_session_new (trace, NULL);
}

/* A destroyed buffer header does not name the processor, and the only buffer of a processor has no
 * neighbours: the events around them are those of other processors. */
static void
test_a_gap_of_an_unknown_processor_is_short (void)
{
  static const struct
  {
    guint buffer;
    guint begin;
    NsTimeSpan gap; /* in µs */
  } cases[] = {
    { 3, 0, { 200, 400 } },    /* the header of the second buffer of processor 1 */
    { 3, 0x48, { 100, 600 } }, /* its records */
    { 4, 0, { 300, 500 } },    /* the header of the buffer of processor 2 */
    { 4, 0x48, { 300, 500 } }, /* its records */
    { 6, 0, { 500, 500 } },    /* the last header: no event is after it */
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (NsSession) session = open_processors (cases[i].buffer, cases[i].begin);
      const GArray *gaps = ns_session_get_damage (session)->gaps;
      const NsTimeSpan *gap = &g_array_index (gaps, NsTimeSpan, 0);

      g_assert_true (ns_session_get_damage (session)->is_damaged);
      if (cases[i].gap.begin_ns == cases[i].gap.end_ns)
        {
          g_assert_cmpuint (gaps->len, ==, 0);
          continue;
        }
      g_assert_cmpuint (gaps->len, ==, 1);
      g_assert_cmpint (gap->begin_ns, ==, 1000 * cases[i].gap.begin_ns);
      g_assert_cmpint (gap->end_ns, ==, 1000 * cases[i].gap.end_ns);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/damage/a-sound-trace-misses-nothing", test_a_sound_trace_misses_nothing);
  g_test_add_func ("/damage/a-cut-trace-misses-its-end", test_a_cut_trace_misses_its_end);
  g_test_add_func ("/damage/a-trace-cut-between-two-buffers-misses-its-end",
                   test_a_trace_cut_between_two_buffers_misses_its_end);
  g_test_add_func ("/damage/a-hole-lies-between-what-was-read-around-it",
                   test_a_hole_lies_between_what_was_read_around_it);
  g_test_add_func ("/damage/what-is-missing-is-known", test_what_is_missing_is_known);
  g_test_add_func ("/damage/a-gap-of-an-unknown-processor-is-short",
                   test_a_gap_of_an_unknown_processor_is_short);
  return g_test_run ();
}
