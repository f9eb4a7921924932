/* Claims about playing a trace back.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-playback.h"
#include "query/ns-filter.h"

static NsTrace *
read_sample (void)
{
  NsTraceOptions options = { .want_events = TRUE };
  NsTrace *trace = ns_trace_open (g_getenv ("NETSTITCH_SAMPLE"), &options, NULL, NULL, NULL);

  g_assert_nonnull (trace);
  return trace;
}

static void
test_it_goes_as_fast_as_it_is_told (void)
{
  NsPlayback playback;

  ns_playback_init (&playback, (NsTimeSpan){ 0, 10 * G_GINT64_CONSTANT (1000000000) });
  g_assert_false (ns_playback_advance (&playback, 1000000));
  playback.is_playing = TRUE;
  g_assert_true (ns_playback_advance (&playback, 1000000));
  g_assert_cmpint (playback.time_ns, ==, 1000000000);
  ns_playback_set_speed (&playback, 0.1);
  ns_playback_advance (&playback, 1000000);
  g_assert_cmpint (playback.time_ns, ==, 1100000000);
  ns_playback_set_speed (&playback, 1e9);
  g_assert_cmpfloat (playback.speed, ==, NS_PLAYBACK_MAX_SPEED);
  ns_playback_advance (&playback, 1000000);
  g_assert_cmpint (playback.time_ns, ==, playback.whole.end_ns);
  g_assert_false (playback.is_playing);
}

static void
test_every_event_is_stepped_to (void)
{
  g_autoptr (NsTrace) trace = read_sample ();
  NsPlayback playback;
  guint n_forth = 0;
  guint n_back = 0;
  gint64 last_ns;

  ns_playback_init (&playback, (NsTimeSpan){ -1, trace->end_ns });
  last_ns = playback.time_ns;
  while (ns_playback_step (&playback, trace, 1))
    {
      g_assert_cmpint (playback.time_ns, >, last_ns);
      last_ns = playback.time_ns;
      n_forth++;
    }
  g_assert_cmpint (last_ns, ==, trace->end_ns);
  while (ns_playback_step (&playback, trace, -1))
    n_back++;
  g_assert_cmpuint (n_forth, >, 100);
  g_assert_cmpuint (n_back + 1, ==, n_forth);
}

static guint
count_kept (const NsTrace *trace, NsTableId table, const char *text)
{
  g_autoptr (GError) error = NULL;
  NsFilter *filter = ns_filter_new (table, text, NULL, &error);
  guint n_rows = ns_table_get_n_rows (trace, table);
  guint n_kept = 0;
  guint row;

  g_assert_no_error (error);
  for (row = 0; row < n_rows; row++)
    n_kept += ns_filter_matches (filter, trace, row);
  ns_filter_free (filter);
  return n_kept;
}

/* At any moment the tables show what had begun by then, and no more. */
static void
test_nothing_is_shown_before_its_time (void)
{
  g_autoptr (NsTrace) trace = read_sample ();
  NsPlayback playback;
  guint i;

  ns_playback_init (&playback, (NsTimeSpan){ 0, trace->end_ns });
  for (i = 0; i < trace->events->len; i += 50)
    {
      g_autofree char *events = NULL;
      g_autofree char *rows = NULL;
      guint n_events = 0;
      guint n_rows = 0;
      guint row;

      ns_playback_go (&playback, g_array_index (trace->events, NsEventRow, i).time_ns);
      for (row = 0; row < trace->events->len; row++)
        n_events += g_array_index (trace->events, NsEventRow, row).time_ns <= playback.time_ns;
      for (row = 0; row < trace->activities->len; row++)
        n_rows += g_array_index (trace->activities, NsActivityRow, row).open_ns <= playback.time_ns;
      events = ns_playback_dup_filter (&playback, NS_TABLE_EVENTS, "");
      rows = ns_playback_dup_filter (&playback, NS_TABLE_ACTIVITIES, "failed=true or failed=false");
      g_assert_cmpuint (count_kept (trace, NS_TABLE_EVENTS, events), ==, n_events);
      g_assert_cmpuint (count_kept (trace, NS_TABLE_ACTIVITIES, rows), ==, n_rows);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/playback/it-goes-as-fast-as-it-is-told", test_it_goes_as_fast_as_it_is_told);
  g_test_add_func ("/playback/every-event-is-stepped-to", test_every_event_is_stepped_to);
  g_test_add_func ("/playback/nothing-is-shown-before-its-time",
                   test_nothing_is_shown_before_its_time);
  return g_test_run ();
}
