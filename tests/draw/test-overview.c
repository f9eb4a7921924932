/* Tests the overview strip of the whole trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-overview-bins.h"
#include "engine/trace/ns-event-index.h"

#include "ns-fake-trace.h"

static void
add_connection (NsTrace *trace, gint64 open_ns, gint64 close_ns)
{
  NsTcpRow row = { .remote = &ns_endpoint_pool_none,
                   .local = &ns_endpoint_pool_none,
                   .open_ns = open_ns,
                   .close_ns = close_ns };

  g_array_append_val (trace->tcp, row);
}

static void
test_open_connections_are_counted_once (void)
{
  NsTrace *trace = fake_trace_new (1023);
  g_autofree NsOverviewBins *bins = g_new (NsOverviewBins, 1);

  add_connection (trace, 100, 500);
  add_connection (trace, NS_TIME_NONE, 200); /* opened before the trace */
  add_connection (trace, 400, NS_TIME_OPEN); /* never closed */
  add_connection (trace, 0, 1023);           /* without a row in the view */
  fake_trace_add (trace, 1, "a", 1, 100, 110);
  fake_trace_add (trace, 1, "a", 1, 300, 310);
  fake_trace_add (trace, 1, "b", 2, 150, 160);
  fake_trace_add (trace, 1, "c", 3, 450, 460);
  ns_overview_bins_init (bins, trace, NULL, (NsTimeSpan){ 0, 1023 });
  g_assert_cmpuint (bins->connections[50], ==, 1);
  g_assert_cmpuint (bins->connections[150], ==, 2);
  g_assert_cmpuint (bins->connections[300], ==, 1);
  g_assert_cmpuint (bins->connections[450], ==, 2);
  g_assert_cmpuint (bins->connections[1000], ==, 1);
  g_assert_cmpuint (bins->most_connections, ==, 2);
  fake_trace_free (trace);
}

static void
test_bytes_are_spread_over_the_life_of_a_row (void)
{
  NsTrace *trace = fake_trace_new (1023);
  g_autofree NsOverviewBins *bins = g_new (NsOverviewBins, 1);
  NsActivityRow *row = fake_trace_add (trace, 1, "a", 1, 0, 99);
  double sum = 0;
  guint i;

  row->received = 1000;
  row->failed = TRUE;
  ns_overview_bins_init (bins, trace, NULL, (NsTimeSpan){ 0, 1023 });
  for (i = 0; i < NS_OVERVIEW_N_BINS; i++)
    sum += bins->received[i];
  g_assert_cmpfloat_with_epsilon (sum, 1000, 0.001);
  g_assert_cmpfloat_with_epsilon (bins->received[50], 10, 0.001);
  g_assert_cmpfloat (bins->received[200], ==, 0);
  g_assert_cmpuint (bins->n_failed, ==, 1);
  g_assert_cmpuint (bins->failed[99], ==, 1);
  fake_trace_free (trace);
}

static void
add_packet (NsTrace *trace, NsRow flow, gint64 time_ns, guint32 length, gint8 direction)
{
  NsPacketRow row = { .time_ns = time_ns, .length = length, .flow = flow, .direction = direction };

  g_array_append_val (trace->packets, row);
}

/* If only packets were recorded, their times distribute the bytes. Packets of other rows and
 * packets with headers only get no share. */
static void
test_packets_tell_when_bytes_were_moved (void)
{
  NsTrace *trace = fake_trace_new (1023);
  g_autofree NsOverviewBins *bins = g_new (NsOverviewBins, 1);
  NsActivityRow *row;
  guint i;

  for (i = 0; i < 3; i++)
    test_trace_add (trace->flows);
  row = fake_trace_add (trace, 1, "a", 1, 0, 900);
  row->flow = 1;
  row->received = 1000;
  row->sent = 60;
  row = fake_trace_add (trace, 1, "b", 2, 10, 19);
  row->flow = 3; /* its packets are missing */
  row->received = 50;
  add_packet (trace, 1, 100, 54 + 300, 1);
  add_packet (trace, 1, 101, 54, -1);
  add_packet (trace, 1, 400, 54 + 100, 1);
  add_packet (trace, 1, 500, 54 + 6, -1);
  add_packet (trace, 1, 950, 54 + 600, 1); /* after the end of the row */
  add_packet (trace, 2, 700, 54 + 600, 1);
  ns_overview_bins_init (bins, trace, NULL, (NsTimeSpan){ 0, 1023 });
  g_assert_cmpfloat_with_epsilon (bins->received[100], 750, 0.001);
  g_assert_cmpfloat_with_epsilon (bins->received[400], 250, 0.001);
  g_assert_cmpfloat (bins->received[700], ==, 0);
  g_assert_cmpfloat (bins->received[950], ==, 0);
  g_assert_cmpfloat_with_epsilon (bins->received[15], 5, 0.001);
  g_assert_cmpfloat (bins->sent[101], ==, 0);
  g_assert_cmpfloat_with_epsilon (bins->sent[500], 60, 0.001);
  /* Data after the playback position is not shown, and does not change the shares. */
  ns_overview_bins_init_until (bins, trace, NULL, (NsTimeSpan){ 0, 1023 }, 200);
  g_assert_cmpfloat_with_epsilon (bins->received[100], 750, 0.001);
  g_assert_cmpfloat (bins->received[400], ==, 0);
  fake_trace_free (trace);
}

static double
sum_of (const double *parts)
{
  double sum = 0;
  guint i;

  for (i = 0; i < NS_OVERVIEW_N_BINS; i++)
    sum += parts[i];
  return sum;
}

/* Two requests on one connection, and an unrelated row. */
static NsTrace *
make_moves (void)
{
  NsTrace *trace = fake_trace_new (1023);
  NsActivityRow *first = fake_trace_add (trace, 1, "a", 1, 0, 499);

  first->received = 300;
  first->sent = 7;
  first->tcp = 1;
  first = fake_trace_add (trace, 1, "a", 1, 500, 999);
  first->received = 80;
  first->tcp = 1;
  first = fake_trace_add (trace, 1, "b", 2, 0, 99);
  first->received = 100;
  first->tcp = 2;
  trace->moves = ns_moves_new (100);
  ns_moves_note (trace->moves, NS_TABLE_TCP, 1, 10, 50, FALSE);
  ns_moves_note (trace->moves, NS_TABLE_TCP, 1, 10, 9000, TRUE);
  ns_moves_note (trace->moves, NS_TABLE_TCP, 1, 400, 100, FALSE);
  ns_moves_note (trace->moves, NS_TABLE_TCP, 1, 700, 1, FALSE);
  ns_moves_settle (trace->moves);
  return trace;
}

static void
test_bytes_stand_where_they_were_moved (void)
{
  NsTrace *trace = make_moves ();
  g_autofree NsOverviewBins *bins = g_new (NsOverviewBins, 1);

  ns_overview_bins_init (bins, trace, NULL, (NsTimeSpan){ 0, 1023 });
  /* The first request has transfers of 50 and 100 bytes for its total of 300; the third row has no
   * transfers. */
  g_assert_cmpfloat_with_epsilon (bins->received[10], 100 + 1, 0.001);
  g_assert_cmpfloat_with_epsilon (bins->received[400], 200, 0.001);
  g_assert_cmpfloat_with_epsilon (bins->received[700], 80, 0.001);
  g_assert_cmpfloat_with_epsilon (bins->received[50], 1, 0.001);
  g_assert_cmpfloat (bins->received[300], ==, 0);
  g_assert_cmpfloat_with_epsilon (bins->sent[10], 7, 0.001);
  g_assert_cmpfloat_with_epsilon (sum_of (bins->received), 300 + 80 + 100, 0.001);
  g_assert_cmpfloat_with_epsilon (sum_of (bins->sent), 7, 0.001);
  g_clear_pointer (&trace->moves, ns_moves_free);
  fake_trace_free (trace);
}

static void
test_a_playback_shows_what_was_moved_so_far (void)
{
  NsTrace *trace = make_moves ();
  g_autofree NsOverviewBins *bins = g_new (NsOverviewBins, 1);

  ns_overview_bins_init_until (bins, trace, NULL, (NsTimeSpan){ 0, 1023 }, 399);
  g_assert_cmpfloat_with_epsilon (sum_of (bins->received), 100 + 100, 0.001);
  ns_overview_bins_init_until (bins, trace, NULL, (NsTimeSpan){ 0, 1023 }, 400);
  g_assert_cmpfloat_with_epsilon (sum_of (bins->received), 300 + 100, 0.001);
  g_clear_pointer (&trace->moves, ns_moves_free);
  fake_trace_free (trace);
}

/* Makes connections shared by many rows, with many transfers each. */
static NsTrace *
make_shared (guint n_rows, guint n_moves, GRand *rand)
{
  NsTrace *trace = fake_trace_new (1023);
  guint i;

  for (i = 0; i < n_rows; i++)
    {
      gint64 open_ns = g_rand_int_range (rand, 0, 900);
      gint64 close_ns = g_rand_int_range (rand, (gint32) open_ns, 1023);
      NsActivityRow *row = fake_trace_add (trace, 1, "a", 1, open_ns, close_ns);

      row->received = g_rand_int_range (rand, 0, 1000);
      row->sent = g_rand_int_range (rand, 0, 1000);
      row->tcp = (NsRow) g_rand_int_range (rand, 1, 4);
    }
  trace->moves = ns_moves_new (n_moves);
  for (i = 0; i < n_moves; i++)
    ns_moves_note (trace->moves,
                   NS_TABLE_TCP,
                   (guint32) g_rand_int_range (rand, 1, 4),
                   (gint64) i * 1023 / n_moves,
                   (guint64) g_rand_int_range (rand, 1, 3000),
                   g_rand_boolean (rand));
  ns_moves_settle (trace->moves);
  return trace;
}

/* Reference implementation: distributes the bytes of one row over all its transfers. */
static void
add_slowly (const NsTrace *trace, const NsActivityRow *row, gint64 moment_ns, double *received)
{
  guint n_moves;
  const NsMove *moves =
      ns_moves_find (trace->moves, NS_TABLE_TCP, row->tcp, row->open_ns, row->close_ns, &n_moves);
  double sum = 0;
  guint i;

  for (i = 0; i < n_moves; i++)
    sum += (moves[i].n_bytes & NS_MOVE_SENT) == 0 ? moves[i].n_bytes : 0;
  for (i = 0; i < n_moves; i++)
    if ((moves[i].n_bytes & NS_MOVE_SENT) == 0 && moves[i].time_ns <= moment_ns)
      received[moves[i].time_ns] += (double) row->received * moves[i].n_bytes / sum;
}

static void
test_rows_share_what_a_connection_moved (void)
{
  static const guint sizes[] = { 1, 31, 32, 33, 96, 200, 1024, 3001 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (20);
  g_autofree NsOverviewBins *bins = g_new (NsOverviewBins, 1);
  guint size;
  guint i;

  for (size = 0; size < G_N_ELEMENTS (sizes); size++)
    {
      NsTrace *trace = make_shared (200, sizes[size] * 3, rand);
      gint64 moment_ns = size % 2 == 0 ? G_MAXINT64 : 600;
      g_autofree double *slowly = g_new0 (double, NS_OVERVIEW_N_BINS);
      guint n_moves;

      for (i = 0; i < trace->activities->len; i++)
        {
          NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);

          ns_moves_find (trace->moves,
                         NS_TABLE_TCP,
                         row->tcp,
                         row->open_ns,
                         row->close_ns,
                         &n_moves);
          /* Bytes without transfers would be spread evenly, which is not tested here. */
          if (n_moves < 20)
            row->received = 0;
          add_slowly (trace, row, moment_ns, slowly);
        }
      ns_overview_bins_init_until (bins, trace, NULL, (NsTimeSpan){ 0, 1023 }, moment_ns);
      for (i = 0; i < NS_OVERVIEW_N_BINS; i++)
        g_assert_cmpfloat_with_epsilon (bins->received[i], slowly[i], 1e-6);
      g_clear_pointer (&trace->moves, ns_moves_free);
      fake_trace_free (trace);
    }
}

/* Each row scanning each transfer would take ten thousand million steps. */
static void
test_many_rows_share_many_moves (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (21);
  g_autofree NsOverviewBins *bins = g_new (NsOverviewBins, 1);
  NsTrace *trace = make_shared (100000, 300000, rand);
  double total = 0;
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);

      row->open_ns = 0;
      row->close_ns = 1022;
      total += (double) row->sent;
    }
  ns_overview_bins_init (bins, trace, NULL, (NsTimeSpan){ 0, 1023 });
  g_assert_cmpfloat_with_epsilon (sum_of (bins->sent) / total, 1, 1e-9);
  g_clear_pointer (&trace->moves, ns_moves_free);
  fake_trace_free (trace);
}

static void
add_events (NsTrace *trace, gint64 time_ns, guint n_events)
{
  guint i;

  for (i = 0; i < n_events; i++)
    ns_trace_add_event (trace, (NsRecordRef){ 0, 0 }, time_ns, 0, 0);
}

static void
test_a_trace_of_other_things_is_not_empty (void)
{
  NsTrace *trace = fake_trace_new (1024);
  g_autofree NsOverviewBins *bins = g_new (NsOverviewBins, 1);
  NsActivityRow *row;
  double sum = 0;
  guint i;

  add_events (trace, 0, 2);
  add_events (trace, 511, 7);
  add_events (trace, 512, 1);
  add_events (trace, 1024, 3);
  ns_overview_bins_init (bins, trace, NULL, (NsTimeSpan){ 0, 1024 });
  for (i = 0; i < NS_OVERVIEW_N_BINS; i++)
    sum += bins->counts[i];
  g_assert_cmpfloat (sum, ==, 13);
  g_assert_cmpfloat (bins->counts[0], ==, 2);
  g_assert_cmpfloat (bins->counts[511], ==, 7);
  g_assert_cmpfloat (bins->counts[512], ==, 1);
  g_assert_cmpfloat (bins->counts[1023], ==, 3);
  g_assert_cmpfloat (bins->most_counts, ==, 7);
  g_assert_true (bins->counts_events);
  /* No second has more, however close together they are. */
  g_assert_cmpfloat (bins->peak_counts_per_second, ==, 13);
  ns_overview_bins_init (bins, trace, NULL, (NsTimeSpan){ 0, 20480 * NS_PER_SECOND });
  g_assert_cmpfloat_with_epsilon (bins->peak_counts_per_second, 13.0 / 20, 1e-9);

  fake_trace_add (trace, 1, "a", 1, 100, 110);
  ns_overview_bins_init (bins, trace, NULL, (NsTimeSpan){ 0, 1024 });
  g_assert_cmpfloat (bins->most_counts, ==, 1);
  g_assert_cmpfloat (bins->counts[100], ==, 1);
  g_assert_false (bins->counts_events);
  row = fake_trace_add (trace, 1, "b", 1, 200, 210);
  row->sent = 1;
  ns_overview_bins_init (bins, trace, NULL, (NsTimeSpan){ 0, 1024 });
  g_assert_cmpfloat (bins->most_counts, ==, 0);
  fake_trace_free (trace);
}

/* In a playback the strip shows only what was known at its position. */
static void
test_a_playback_counts_nothing_ahead (void)
{
  NsTrace *trace = fake_trace_new (1023);
  g_autofree NsOverviewBins *bins = g_new (NsOverviewBins, 1);
  const NsTimeSpan whole = { 0, 1023 };
  NsActivityRow *row;

  add_connection (trace, 100, 500);
  add_connection (trace, 400, 600);
  row = fake_trace_add (trace, 1, "a", 1, 100, 499);
  row->received = 4000;
  row->sent = 400;
  row->failed = TRUE;
  fake_trace_add (trace, 1, "b", 2, 400, 600);
  ns_overview_bins_init_until (bins, trace, NULL, whole, 300);
  g_assert_cmpuint (bins->n_failed, ==, 0);
  g_assert_cmpfloat (bins->peak_per_second, ==, 0);
  g_assert_cmpuint (bins->most_connections, ==, 1);
  g_assert_cmpuint (bins->connections[200], ==, 1);
  g_assert_cmpuint (bins->connections[400], ==, 0);
  ns_overview_bins_init_until (bins, trace, NULL, whole, 499);
  g_assert_cmpuint (bins->n_failed, ==, 1);
  g_assert_cmpfloat_with_epsilon (bins->received[200], 10, 0.001);
  /* The legend shows the maximum of each. */
  g_assert_cmpfloat (bins->sent_peak_per_second, >, 0);
  g_assert_cmpfloat_with_epsilon (bins->peak_per_second / bins->sent_peak_per_second, 10, 0.001);
  g_assert_cmpuint (bins->most_connections, ==, 2);
  fake_trace_free (trace);
}

static void
test_a_playback_counts_no_event_ahead (void)
{
  NsTrace *trace = fake_trace_new (1024);
  g_autofree NsOverviewBins *bins = g_new (NsOverviewBins, 1);
  double sum = 0;
  guint i;

  add_events (trace, 10, 2);
  add_events (trace, 300, 4);
  add_events (trace, 301, 8);
  add_events (trace, 1024, 16);
  ns_overview_bins_init_until (bins, trace, NULL, (NsTimeSpan){ 0, 1024 }, 300);
  for (i = 0; i < NS_OVERVIEW_N_BINS; i++)
    sum += bins->counts[i];
  g_assert_cmpfloat (sum, ==, 6);
  g_assert_cmpfloat (bins->most_counts, ==, 4);
  fake_trace_free (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/overview/open-connections-are-counted-once",
                   test_open_connections_are_counted_once);
  g_test_add_func ("/overview/bytes-stand-where-they-were-moved",
                   test_bytes_stand_where_they_were_moved);
  g_test_add_func ("/overview/a-playback-shows-what-was-moved-so-far",
                   test_a_playback_shows_what_was_moved_so_far);
  g_test_add_func ("/overview/rows-share-what-a-connection-moved",
                   test_rows_share_what_a_connection_moved);
  g_test_add_func ("/overview/many-rows-share-many-moves", test_many_rows_share_many_moves);
  g_test_add_func ("/overview/a-playback-counts-nothing-ahead",
                   test_a_playback_counts_nothing_ahead);
  g_test_add_func ("/overview/a-playback-counts-no-event-ahead",
                   test_a_playback_counts_no_event_ahead);
  g_test_add_func ("/overview/packets-tell-when-bytes-were-moved",
                   test_packets_tell_when_bytes_were_moved);
  g_test_add_func ("/overview/bytes-are-spread-over-the-life-of-a-row",
                   test_bytes_are_spread_over_the_life_of_a_row);
  g_test_add_func ("/overview/a-trace-of-other-things-is-not-empty",
                   test_a_trace_of_other_things_is_not_empty);
  return g_test_run ();
}
