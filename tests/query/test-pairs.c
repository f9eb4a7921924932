/* Tests matching the connections of two machines by events; check-pairs tests it for packets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-trace.h"

#include "analysis/ns-pairs.h"

#define US 1000
#define MS 1000000

/* Offset of the server's clock, and delay in each direction. */
#define AHEAD_NS (130 * MS + 7 * US)
#define WAY_NS (400 * US)

#define N_REQUESTS 8

/* A client's connection with its requests; the server uses HTTP.sys. */
typedef struct
{
  NsTrace *client;
  NsTrace *server;
} Story;

static void
story_init (Story *self)
{
  self->client = test_trace_new (60 * NS_PER_SECOND);
  self->server = test_trace_new (60 * NS_PER_SECOND);
  self->client->moves = ns_moves_new (1000);
  self->server->moves = ns_moves_new (1000);
}

static void
story_clear (Story *self)
{
  g_clear_pointer (&self->client->moves, ns_moves_free);
  g_clear_pointer (&self->server->moves, ns_moves_free);
  test_trace_free (self->client);
  test_trace_free (self->server);
}

/* Adds a connection from @port to both traces. */
static void
connect_both (Story *self, guint16 port, gint64 open_ns)
{
  NsTcpRow *here = test_trace_add_tcp (self->client);
  NsTcpRow *there = test_trace_add_tcp (self->server);

  here->local = test_trace_end (self->client, "10.1.0.5", port);
  here->remote = test_trace_end (self->client, "10.1.0.80", 80);
  here->open_ns = open_ns;
  here->close_ns = open_ns + 20 * NS_PER_SECOND;
  there->local = test_trace_end (self->server, "10.1.0.80", 80);
  there->remote = test_trace_end (self->server, "10.1.0.5", port);
  there->open_ns = open_ns + AHEAD_NS + WAY_NS;
  there->close_ns = there->open_ns + 20 * NS_PER_SECOND;
  there->accepted = TRUE;
}

/* Adds a request that takes 2 ms to send, waits 1 ms in HTTP.sys and is processed for 5 ms. */
static void
request (Story *self, NsRow tcp, const char *path, gint64 open_ns, guint n_bytes)
{
  const NsTcpRow *here = &g_array_index (self->client->tcp, NsTcpRow, tcp - 1);
  const NsTcpRow *there = &g_array_index (self->server->tcp, NsTcpRow, tcp - 1);
  gint64 sent_ns = open_ns + 2 * MS;
  gint64 came_ns = sent_ns + WAY_NS + AHEAD_NS;
  gint64 left_ns = came_ns + 6 * MS;
  gint64 back_ns = left_ns + WAY_NS - AHEAD_NS;
  NsHttpServerRow *queued = test_trace_add (self->server->http_server);
  NsActivityRow *row = test_trace_add_activity (self->client, "intranet", open_ns);
  g_autofree char *url = g_strconcat ("http://intranet", path, NULL);

  row->protocol = row->layers = NS_LAYER_WINHTTP;
  row->method = ns_strings_add (self->client->strings, "GET");
  row->url = ns_strings_add (self->client->strings, url);
  row->tcp = tcp;
  row->remote = here->remote;
  row->local = here->local;
  row->close_ns = back_ns + 100 * US;

  queued->open_ns = came_ns;
  queued->delivered_ns = came_ns + MS;
  queued->first_send_ns = left_ns;
  queued->close_ns = left_ns + 50 * US;
  queued->local = *there->local;
  queued->remote = *there->remote;
  row = test_trace_add_activity (self->server, "intranet", came_ns);
  row->protocol = row->layers = NS_LAYER_HTTP_SERVER;
  row->source_table = NS_TABLE_HTTP_SERVER;
  row->source_row = self->server->http_server->len;
  row->accepted = TRUE;
  row->url = ns_strings_add (self->server->strings, url);
  row->close_ns = queued->close_ns;

  ns_moves_note (self->client->moves, NS_TABLE_TCP, tcp, sent_ns, n_bytes, TRUE);
  ns_moves_note (self->server->moves, NS_TABLE_TCP, tcp, came_ns, n_bytes, FALSE);
  ns_moves_note (self->server->moves, NS_TABLE_TCP, tcp, left_ns, 2 * n_bytes, TRUE);
  /* The data arrives in two pieces. */
  ns_moves_note (self->client->moves, NS_TABLE_TCP, tcp, back_ns, n_bytes, FALSE);
  ns_moves_note (self->client->moves, NS_TABLE_TCP, tcp, back_ns, n_bytes, FALSE);
}

static void
fill (Story *self)
{
  guint i;

  connect_both (self, 50000, NS_PER_SECOND);
  for (i = 0; i < N_REQUESTS; i++)
    {
      g_autofree char *path = g_strdup_printf ("/%u", i);

      request (self, 1, path, NS_PER_SECOND + (gint64) (i + 1) * 500 * MS, 100 + i);
    }
}

static NsPairs *
find (Story *self, const gint64 *offset_ns)
{
  ns_moves_settle (self->client->moves);
  ns_moves_settle (self->server->moves);
  return ns_pairs_new (self->client, self->server, offset_ns);
}

static void
test_events_show_the_clock_and_the_parts (void)
{
  g_autoptr (NsPairs) pairs = NULL;
  Story story;
  guint i;

  story_init (&story);
  fill (&story);
  pairs = find (&story, NULL);
  g_assert_cmpint (pairs->clock, ==, NS_PAIRS_CLOCK_EXCHANGES);
  g_assert_cmpint (ABS (pairs->fit.offset_ns - AHEAD_NS), <=, 1);
  g_assert_cmpint (ABS (pairs->fit.uncertainty_ns - WAY_NS), <=, 1);
  g_assert_cmpuint (pairs->n_crossing, ==, 0);
  g_assert_cmpuint (pairs->rows->len, ==, N_REQUESTS);
  /* The clock data is kept: no delay is below the actual one. */
  g_assert_cmpuint (pairs->deviations[0]->len, >=, N_REQUESTS / 2);
  g_assert_cmpuint (pairs->deviations[1]->len, >=, N_REQUESTS / 2);
  for (i = 0; i < pairs->deviations[0]->len; i++)
    g_assert_cmpint (g_array_index (pairs->deviations[0], NsPairDeviation, i).apart_ns,
                     >=,
                     WAY_NS - 2);
  for (i = 0; i < pairs->deviations[1]->len; i++)
    g_assert_cmpint (g_array_index (pairs->deviations[1], NsPairDeviation, i).apart_ns,
                     <=,
                     2 - WAY_NS);
  for (i = 0; i < N_REQUESTS; i++)
    {
      const NsPairRow *row = &g_array_index (pairs->rows, NsPairRow, i);
      gint64 sum_ns = 0;
      guint k;

      g_assert_cmpuint (row->client, ==, i + 1);
      g_assert_cmpuint (row->server, ==, i + 1);
      g_assert_cmpint (row->phases[NS_PAIR_CLIENT_QUEUE], ==, 2 * MS);
      g_assert_cmpint (ABS (row->phases[NS_PAIR_NETWORK_OUT] - WAY_NS), <=, 2);
      g_assert_cmpint (row->phases[NS_PAIR_SERVER_QUEUE], ==, MS);
      g_assert_cmpint (row->phases[NS_PAIR_SERVER_WORK], ==, 5 * MS);
      g_assert_cmpint (ABS (row->phases[NS_PAIR_NETWORK_BACK] - WAY_NS - 100 * US), <=, 2);
      for (k = 0; k < NS_PAIR_N_PHASES; k++)
        sum_ns += row->phases[k];
      g_assert_cmpint (ABS (sum_ns - row->duration_ns), <=, 2);
    }
  story_clear (&story);
}

/* Bytes missing at one end would give a wrong clock offset. */
static void
test_streams_of_other_lengths_show_no_clock (void)
{
  g_autoptr (NsPairs) pairs = NULL;
  Story story;

  story_init (&story);
  fill (&story);
  ns_moves_note (story.client->moves, NS_TABLE_TCP, 1, 9 * NS_PER_SECOND, 5000, TRUE);
  pairs = find (&story, NULL);
  g_assert_cmpint (pairs->clock, ==, NS_PAIRS_CLOCK_WALL);
  g_assert_cmpuint (pairs->connections->len, ==, 1);
  story_clear (&story);
}

static void
test_what_the_server_did_not_see_is_told (void)
{
  g_autoptr (NsPairs) pairs = NULL;
  const NsPairRow *row;
  NsActivityRow *unseen;
  NsTcpRow *tcp;
  Story story;

  story_init (&story);
  fill (&story);
  tcp = test_trace_add_tcp (story.client);
  tcp->local = test_trace_end (story.client, "10.1.0.5", 50001);
  tcp->remote = test_trace_end (story.client, "10.1.0.80", 80);
  tcp->open_ns = 30 * NS_PER_SECOND;
  tcp->close_ns = 31 * NS_PER_SECOND;
  unseen = test_trace_add_activity (story.client, "intranet", 30 * NS_PER_SECOND);
  unseen->tcp = 2;
  unseen->remote = tcp->remote;
  unseen->local = tcp->local;
  /* A request to another server. */
  unseen = test_trace_add_activity (story.client, "elsewhere", 30 * NS_PER_SECOND);
  unseen->tcp = 2;
  unseen->remote = test_trace_end (story.client, "192.0.2.1", 80);

  pairs = find (&story, NULL);
  g_assert_cmpuint (pairs->rows->len, ==, N_REQUESTS + 1);
  row = &g_array_index (pairs->rows, NsPairRow, N_REQUESTS);
  g_assert_cmpuint (row->connection, ==, G_MAXUINT);
  g_assert_cmpuint (row->client, ==, N_REQUESTS + 1);
  g_assert_cmpuint (row->server, ==, 0);
  g_assert_cmpint (row->phases[NS_PAIR_NETWORK_OUT], ==, NS_UNKNOWN);
  story_clear (&story);
}

/* A connection opened an hour earlier does not match, although its endpoints are equal. */
static void
test_another_life_of_a_port_is_no_pair (void)
{
  g_autoptr (NsPairs) pairs = NULL;
  Story story;
  NsTcpRow *tcp;

  story_init (&story);
  connect_both (&story, 50000, NS_PER_SECOND);
  tcp = &g_array_index (story.server->tcp, NsTcpRow, 0);
  tcp->open_ns -= 3600 * NS_PER_SECOND;
  tcp->close_ns -= 3600 * NS_PER_SECOND;
  pairs = find (&story, NULL);
  g_assert_cmpuint (pairs->connections->len, ==, 0);
  story_clear (&story);
}

static void
test_one_side_is_no_pair (void)
{
  g_autoptr (NsPairs) pairs = NULL;
  Story story;

  story_init (&story);
  fill (&story);
  ns_moves_settle (story.client->moves);
  pairs = ns_pairs_new (story.client, story.client, NULL);
  g_assert_cmpuint (pairs->connections->len, ==, 0);
  story_clear (&story);
}

static void
test_said_by_hand_counts (void)
{
  g_autoptr (NsPairs) pairs = NULL;
  const gint64 offset_ns = -AHEAD_NS;
  Story story;

  story_init (&story);
  fill (&story);
  pairs = find (&story, &offset_ns);
  g_assert_cmpint (pairs->clock, ==, NS_PAIRS_CLOCK_HAND);
  g_assert_cmpint (pairs->fit.offset_ns, ==, AHEAD_NS);
  g_assert_cmpint (g_array_index (pairs->rows, NsPairRow, 3).phases[NS_PAIR_NETWORK_OUT],
                   ==,
                   WAY_NS);
  story_clear (&story);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pairs/events-show-the-clock-and-the-parts",
                   test_events_show_the_clock_and_the_parts);
  g_test_add_func ("/pairs/streams-of-other-lengths-show-no-clock",
                   test_streams_of_other_lengths_show_no_clock);
  g_test_add_func ("/pairs/what-the-server-did-not-see-is-told",
                   test_what_the_server_did_not_see_is_told);
  g_test_add_func ("/pairs/another-life-of-a-port-is-no-pair",
                   test_another_life_of_a_port_is_no_pair);
  g_test_add_func ("/pairs/one-side-is-no-pair", test_one_side_is_no_pair);
  g_test_add_func ("/pairs/said-by-hand-counts", test_said_by_hand_counts);
  return g_test_run ();
}
