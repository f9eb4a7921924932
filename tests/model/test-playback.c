/* Tests the playback of a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-event-index.h"
#include "model/ns-playback.h"
#include "model/ns-session-moment.h"
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

/* At each position the tables show the rows that had started by then, and no others. */
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

      ns_playback_go (&playback, ns_trace_get_event_time (trace, i));
      for (row = 0; row < trace->events->len; row++)
        n_events += ns_trace_get_event_time (trace, row) <= playback.time_ns;
      for (row = 0; row < trace->activities->len; row++)
        n_rows += g_array_index (trace->activities, NsActivityRow, row).open_ns <= playback.time_ns;
      events = ns_playback_dup_filter (&playback, NS_TABLE_EVENTS, "");
      rows = ns_playback_dup_filter (&playback, NS_TABLE_ACTIVITIES, "failed=true or failed=false");
      g_assert_cmpuint (count_kept (trace, NS_TABLE_EVENTS, events), ==, n_events);
      g_assert_cmpuint (count_kept (trace, NS_TABLE_ACTIVITIES, rows), ==, n_rows);
    }
}

static guint
count_before (const NsTrace *trace, NsTableId table, const char *id, gint64 time_ns)
{
  const NsField *field = ns_table_find_field (table, id);
  guint n_rows = ns_table_get_n_rows (trace, table);
  guint n_before = 0;
  guint row;

  for (row = 0; row < n_rows; row++)
    {
      NsFieldValue value = { 0 };

      ns_field_get (trace, field, row, &value);
      n_before += value.is_null || value.v.i <= time_ns;
      ns_field_value_clear (&value);
    }
  return n_before;
}

/* Each table has its own start column; rows from before the trace are visible at once. */
static void
test_every_table_keeps_to_the_moment (void)
{
  static const struct
  {
    NsTableId table;
    const char *begin;
  } tables[] = {
    { NS_TABLE_TCP, "open_ns" },        { NS_TABLE_CALLS, "open_ns" },
    { NS_TABLE_TASKS, "create_ns" },    { NS_TABLE_PROCESSES, "start_ns" },
    { NS_TABLE_THREADS, "start_ns" },   { NS_TABLE_IMAGES, "load_ns" },
    { NS_TABLE_PROVIDERS, "first_ns" }, { NS_TABLE_DNS, "open_ns" },
  };
  g_autoptr (NsTrace) trace = read_sample ();
  NsPlayback playback;
  gint64 time_ns;
  guint i;

  ns_playback_init (&playback, (NsTimeSpan){ 0, trace->end_ns });
  for (i = 0; i < G_N_ELEMENTS (tables); i++)
    for (time_ns = 0; time_ns <= trace->end_ns; time_ns += trace->end_ns / 8)
      {
        g_autofree char *text = NULL;

        ns_playback_go (&playback, time_ns);
        text = ns_playback_dup_filter (&playback, tables[i].table, "");
        g_assert_cmpuint (count_kept (trace, tables[i].table, text),
                          ==,
                          count_before (trace, tables[i].table, tables[i].begin, time_ns));
      }
  ns_playback_go (&playback, 0);
  {
    g_autofree char *text = ns_playback_dup_filter (&playback, NS_TABLE_PROCESSES, "");

    g_assert_cmpuint (count_kept (trace, NS_TABLE_PROCESSES, text), >, 0);
  }
}

static gboolean
is_known (NsSession *session, const char *id, guint32 row)
{
  return ns_session_is_known (session,
                              NS_TABLE_ACTIVITIES,
                              ns_table_find_field (NS_TABLE_ACTIVITIES, id),
                              row);
}

static void
count_cb (NsSession *session, gpointer user_data)
{
  guint *n_times = user_data;

  ++*n_times;
}

/* The result of a row is hidden until its end. */
static void
test_what_a_row_comes_to_is_told_at_its_end (void)
{
  NsTrace *trace = read_sample ();
  const NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, 0);
  g_autoptr (NsSession) session = ns_session_new (trace, NULL);
  guint n_times = 0;

  g_signal_connect (session, "moment-changed", G_CALLBACK (count_cb), &n_times);
  g_assert_cmpint (ns_session_get_moment (session), ==, G_MAXINT64);
  g_assert_true (is_known (session, "http_status", 0));
  ns_session_set_moment (session, row->close_ns - 1);
  g_assert_false (ns_session_has_ended (session, NS_TABLE_ACTIVITIES, 0));
  g_assert_true (is_known (session, "url", 0));
  g_assert_true (is_known (session, "open_ns", 0));
  g_assert_true (is_known (session, "first_byte_ns", 0));
  g_assert_false (is_known (session, "close_ns", 0));
  g_assert_false (is_known (session, "duration_ns", 0));
  g_assert_false (is_known (session, "received", 0));
  g_assert_false (is_known (session, "http_status", 0));
  g_assert_false (is_known (session, "failed", 0));
  ns_session_set_moment (session, row->first_byte_ns - 1);
  g_assert_false (is_known (session, "first_byte_ns", 0));
  ns_session_set_moment (session, row->close_ns);
  g_assert_true (ns_session_has_ended (session, NS_TABLE_ACTIVITIES, 0));
  g_assert_true (is_known (session, "received", 0));
  /* The size of an image is known from its load on. */
  g_assert_true (ns_session_is_known (session,
                                      NS_TABLE_IMAGES,
                                      ns_table_find_field (NS_TABLE_IMAGES, "size"),
                                      0));
  /* An event has no end of its own. */
  g_assert_true (ns_session_has_ended (session, NS_TABLE_EVENTS, 0));
  ns_session_set_moment (session, row->close_ns);
  ns_session_set_moment (session, G_MAXINT64);
  g_assert_cmpuint (n_times, ==, 4);
}

/* Failure depends on the status code: an orderly close by the peer is no failure. */
static void
test_orderly_ends_are_no_failures (void)
{
  NsTrace *trace = read_sample ();
  NsTcpRow *tcp = &g_array_index (trace->tcp, NsTcpRow, 0);
  NsDnsRow *dns = &g_array_index (trace->dns, NsDnsRow, 0);
  g_autoptr (NsSession) session = ns_session_new (trace, NULL);
  const struct
  {
    guint32 status;
    gboolean has_failed;
  } ends[] = { { 0, FALSE },
               { 0x103, FALSE },
               { 0xc0000237, FALSE },
               { 0xc0000236, TRUE },
               { 0xc00000b5, TRUE } },
    answers[] = { { 0, FALSE }, { 9501, FALSE }, { 9506, FALSE }, { 9003, TRUE }, { 1460, TRUE } };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      tcp->status = ends[i].status;
      g_assert_cmpint (ns_session_has_failed (session, NS_TABLE_TCP, 0), ==, ends[i].has_failed);
    }
  dns->has_status = TRUE;
  for (i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      dns->status = answers[i].status;
      g_assert_cmpint (ns_session_has_failed (session, NS_TABLE_DNS, 0), ==, answers[i].has_failed);
    }
}

/* The tables of connections and of operations agree: many connections end with a reset after the
 * response, which is no failure; a reset before the response is one in both. */
static void
test_a_reset_fails_what_it_cost_the_answer (void)
{
  NsTrace *trace = read_sample ();
  NsTcpRow *tcp = &g_array_index (trace->tcp, NsTcpRow, 0);
  NsActivityRow *activity = &g_array_index (trace->activities, NsActivityRow, 0);
  g_autoptr (NsSession) session = ns_session_new (trace, NULL);
  const struct
  {
    NsTcpState state;
    guint32 status; /* HTTP status */
    guint32 error;
    gboolean has_failed;
  } ends[] = { { NS_TCP_CLOSE, 200, 0, FALSE },
               { NS_TCP_CLOSE, 503, 0, FALSE },
               { NS_TCP_CLOSE, 0, 12030, TRUE },
               { NS_TCP_CONNECT_FAIL, 200, 0, TRUE } };
  guint i;

  tcp->status = 0xc000020d;
  tcp->activity = 1;
  for (i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      tcp->state = (guint8) ends[i].state;
      activity->http_status = ends[i].status;
      activity->error = ends[i].error;
      activity->failed = ends[i].error != 0 || ends[i].status >= 400;
      g_assert_cmpint (ns_session_has_failed (session, NS_TABLE_TCP, 0), ==, ends[i].has_failed);
    }
  tcp->state = NS_TCP_CLOSE;
  tcp->activity = 0;
  g_assert_false (ns_session_has_failed (session, NS_TABLE_TCP, 0));
}

/* A request also failed in its own table; the socket that delivered its response did not. */
static void
test_a_layer_tells_which_of_its_operations_failed (void)
{
  NsTrace *trace = read_sample ();
  g_autoptr (NsSession) session = ns_session_new (trace, NULL);
  guint n_failed = 0;
  guint n_sockets = 0;
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *activity = &g_array_index (trace->activities, NsActivityRow, i);

      if (activity->protocol != NS_LAYER_WINHTTP || activity->webio == 0)
        continue;
      g_assert_cmpint (ns_session_has_failed (session, NS_TABLE_WEBIO, activity->webio - 1),
                       ==,
                       activity->failed);
      n_failed += activity->failed;
      if (activity->winsock == 0)
        continue;
      g_assert_false (ns_session_has_failed (session, NS_TABLE_WINSOCK, activity->winsock - 1));
      n_sockets += activity->failed;
    }
  g_assert_cmpuint (n_failed, >, 1);
  g_assert_cmpuint (n_sockets, >, 0);
  g_assert_true (ns_session_table_has_failures (NS_TABLE_WEBIO));
  g_assert_false (ns_session_table_has_failures (NS_TABLE_PROCESSES));
}

/* Totals of open rows are unknown. */
static void
test_sums_know_no_end_ahead (void)
{
  NsTrace *trace = read_sample ();
  const NsActivityRow *rows = (const NsActivityRow *) (gpointer) trace->activities->data;
  g_autoptr (NsSession) session = ns_session_new (trace, NULL);
  const guint32 chosen[] = { 0, 1 };
  guint first = rows[0].close_ns < rows[1].close_ns ? 0 : 1;
  gint64 begin_ns = MIN (rows[0].open_ns, rows[1].open_ns);
  NsSessionSums sums;

  ns_session_select (session, NS_TABLE_ACTIVITIES, chosen, G_N_ELEMENTS (chosen));
  ns_session_get_sums (session, &sums);
  g_assert_cmpuint (sums.received, ==, rows[0].received + rows[1].received);
  g_assert_false (sums.is_partial);

  ns_session_set_moment (session, rows[first].close_ns);
  ns_session_get_sums (session, &sums);
  g_assert_true (sums.is_partial && sums.has_bytes && sums.has_duration);
  g_assert_cmpuint (sums.sent, ==, rows[first].sent);
  g_assert_cmpuint (sums.received, ==, rows[first].received);
  g_assert_cmpint (sums.duration_ns, ==, rows[first].close_ns - rows[first].open_ns);
  g_assert_cmpint (sums.union_ns, <=, rows[first].close_ns - begin_ns);

  ns_session_set_moment (session, rows[first].close_ns - 1);
  ns_session_get_sums (session, &sums);
  g_assert_true (sums.is_partial);
  g_assert_false (sums.has_bytes || sums.has_duration);
  g_assert_cmpuint (sums.n_rows, ==, 2);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/playback/it-goes-as-fast-as-it-is-told", test_it_goes_as_fast_as_it_is_told);
  g_test_add_func ("/playback/every-event-is-stepped-to", test_every_event_is_stepped_to);
  g_test_add_func ("/playback/nothing-is-shown-before-its-time",
                   test_nothing_is_shown_before_its_time);
  g_test_add_func ("/playback/every-table-keeps-to-the-moment",
                   test_every_table_keeps_to_the_moment);
  g_test_add_func ("/playback/what-a-row-comes-to-is-told-at-its-end",
                   test_what_a_row_comes_to_is_told_at_its_end);
  g_test_add_func ("/playback/orderly-ends-are-no-failures", test_orderly_ends_are_no_failures);
  g_test_add_func ("/playback/a-reset-fails-what-it-cost-the-answer",
                   test_a_reset_fails_what_it_cost_the_answer);
  g_test_add_func ("/playback/sums-know-no-end-ahead", test_sums_know_no_end_ahead);
  g_test_add_func ("/playback/a-layer-tells-which-of-its-operations-failed",
                   test_a_layer_tells_which_of_its_operations_failed);
  return g_test_run ();
}
