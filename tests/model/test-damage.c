/* Tests damaged traces: their readable part, and the missing time spans.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-event-index.h"
#include "model/ns-session.h"

#include <glib/gstdio.h>
#include <string.h>

/* The sample has seven buffers of this size, and its session lasted 20 s. */
#define BUFFER_SIZE 16384
#define SESSION_NS (20 * NS_PER_SECOND)

/* Opens a session with the sample, truncated to @n_bytes, and with buffer @blotted overwritten
 * unless it is 0. */
static NsSession *
open_damaged (gsize n_bytes, guint blotted)
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
  if (blotted != 0)
    memset (data + blotted * BUFFER_SIZE + 0x48, 0xee, 4096);
  file = g_file_open_tmp ("damaged-XXXXXX.etl", &path, NULL);
  g_assert_cmpint (file, >=, 0);
  g_close (file, NULL);
  g_assert_true (g_file_set_contents (path, data, (gssize) MIN (n_bytes, size), NULL));
  trace = ns_trace_open (path, &options, NULL, NULL, &error);
  g_assert_no_error (error);
  g_unlink (path);
  return ns_session_new (trace, NULL);
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
  return g_test_run ();
}
