/* Tests pairing the session's trace with one of another machine.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-trace.h"

#include "model/ns-pairing.h"

#define MS 1000000

typedef struct
{
  NsTrace *client;
  NsTrace *server;
  NsPairing *pairing;
  GError *error;
  gboolean is_made;
  gboolean is_done;
} Story;

static void
add_connection (Story *self, guint16 port, gboolean is_seen)
{
  NsTcpRow *here = test_trace_add_tcp (self->client);
  NsTcpRow *there;

  here->local = test_trace_end (self->client, "10.1.0.5", port);
  here->remote = test_trace_end (self->client, "10.1.0.80", 80);
  here->open_ns = NS_PER_SECOND;
  here->close_ns = 30 * NS_PER_SECOND;
  if (!is_seen)
    return;
  there = test_trace_add_tcp (self->server);
  there->local = test_trace_end (self->server, "10.1.0.80", 80);
  there->remote = test_trace_end (self->server, "10.1.0.5", port);
  there->open_ns = here->open_ns;
  there->close_ns = here->close_ns;
  there->accepted = TRUE;
}

/* Adds a request over connection @tcp, with a response if @is_seen. */
static void
add_request (Story *self, NsRow tcp, gint64 open_ns, gboolean is_seen)
{
  const NsTcpRow *here = &g_array_index (self->client->tcp, NsTcpRow, tcp - 1);
  NsActivityRow *row = test_trace_add_activity (self->client, "intranet", open_ns);
  NsHttpServerRow *queued;

  row->protocol = row->layers = NS_LAYER_WINHTTP;
  row->method = ns_strings_add (self->client->strings, "GET");
  row->url = ns_strings_add (self->client->strings, "http://intranet/");
  row->tcp = tcp;
  row->remote = here->remote;
  row->local = here->local;
  row->close_ns = open_ns + 20 * MS;
  if (!is_seen)
    return;
  queued = test_trace_add (self->server->http_server);
  queued->open_ns = open_ns + 2 * MS;
  queued->delivered_ns = open_ns + 3 * MS;
  queued->first_send_ns = open_ns + 9 * MS;
  queued->close_ns = open_ns + 10 * MS;
  queued->local = *here->remote;
  queued->remote = *here->local;
  row = test_trace_add_activity (self->server, "intranet", open_ns + 2 * MS);
  row->protocol = row->layers = NS_LAYER_HTTP_SERVER;
  row->source_table = NS_TABLE_HTTP_SERVER;
  row->source_row = self->server->http_server->len;
  row->accepted = TRUE;
  row->url = ns_strings_add (self->server->strings, "http://intranet/");
  row->close_ns = queued->close_ns;
}

static void
made_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Story *self = data;

  self->is_made = ns_pairing_run_finish (NS_PAIRING (source), result, &self->error);
  self->is_done = TRUE;
}

/* Waits until the pairing is finished; cancels it at once if @is_stopped. */
static void
run (Story *self, gboolean is_stopped)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  self->is_done = FALSE;
  if (is_stopped)
    g_cancellable_cancel (cancellable);
  ns_pairing_run_async (self->pairing, cancellable, made_cb, self);
  while (!self->is_done)
    g_main_context_iteration (NULL, TRUE);
}

/* A different number of processors means a different computer. */
static void
set_processors (NsTrace *trace, guint32 n_processors)
{
  ((NsEtlHeader *) ns_etl_file_get_header (trace->file))->n_processors = n_processors;
}

static void
story_init (Story *self)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/nonexistent/server.etl");

  *self = (Story){ test_trace_new (60 * NS_PER_SECOND), test_trace_new (60 * NS_PER_SECOND) };
  set_processors (self->client, 2);
  set_processors (self->server, 4);
  g_atomic_ref_count_init (&self->client->ref_count);
  g_atomic_ref_count_init (&self->server->ref_count);
  self->client->moves = ns_moves_new (100);
  self->server->moves = ns_moves_new (100);
  /* Each trace has a first row without a partner, so that row numbers differ. */
  test_trace_add_activity (self->server, "elsewhere", 0);
  self->pairing = ns_pairing_new (self->client, file, self->server);
}

/* The worker thread releases the traces after it has reported its result. */
static void
wait_until_alone (NsTrace *trace)
{
  while (!g_atomic_ref_count_compare (&trace->ref_count, 1))
    g_usleep (1000);
}

static void
story_clear (Story *self)
{
  g_object_unref (self->pairing);
  wait_until_alone (self->client);
  wait_until_alone (self->server);
  g_clear_error (&self->error);
  ns_moves_free (g_steal_pointer (&self->client->moves));
  ns_moves_free (g_steal_pointer (&self->server->moves));
  test_trace_free (self->client);
  test_trace_free (self->server);
}

static void
test_rows_find_their_other_end (void)
{
  Story story;
  const NsPairRow *row;

  story_init (&story);
  add_connection (&story, 50000, TRUE);
  add_connection (&story, 50001, FALSE);
  add_request (&story, 1, 2 * NS_PER_SECOND, TRUE);
  add_request (&story, 2, 3 * NS_PER_SECOND, FALSE);
  add_request (&story, 1, 4 * NS_PER_SECOND, TRUE);
  add_request (&story, 2, 5 * NS_PER_SECOND, FALSE);
  run (&story, FALSE);
  g_assert_no_error (story.error);
  g_assert_true (story.is_made);
  row = ns_pairing_find (story.pairing, 1);
  g_assert_nonnull (row);
  g_assert_cmpuint (row->client, ==, 1);
  g_assert_cmpuint (row->server, ==, 2);
  g_assert_cmpuint (ns_pairing_find (story.pairing, 3)->server, ==, 3);
  g_assert_cmpuint (ns_pairing_find (story.pairing, 2)->server, ==, 0);
  g_assert_null (ns_pairing_find (story.pairing, 0));
  g_assert_null (ns_pairing_find (story.pairing, 5));
  /* In order, then from the beginning again. */
  g_assert_cmpuint (ns_pairing_find_unpaired (story.pairing, 0), ==, 2);
  g_assert_cmpuint (ns_pairing_find_unpaired (story.pairing, 1), ==, 2);
  g_assert_cmpuint (ns_pairing_find_unpaired (story.pairing, 2), ==, 4);
  g_assert_cmpuint (ns_pairing_find_unpaired (story.pairing, 4), ==, 2);
  story_clear (&story);
}

static void
test_all_paired_leaves_none (void)
{
  Story story;

  story_init (&story);
  add_connection (&story, 50000, TRUE);
  add_request (&story, 1, 2 * NS_PER_SECOND, TRUE);
  run (&story, FALSE);
  g_assert_true (story.is_made);
  g_assert_cmpuint (ns_pairing_find_unpaired (story.pairing, 1), ==, 0);
  g_assert_true (ns_pairing_is_of (story.pairing, story.client));
  g_assert_false (ns_pairing_is_of (story.pairing, story.server));
  story_clear (&story);
}

static void
test_strangers_are_asked_for_ends_first (void)
{
  Story story;

  story_init (&story);
  add_connection (&story, 50000, FALSE);
  ns_pairing_set_needs_ends (story.pairing, TRUE);
  run (&story, FALSE);
  g_assert_false (story.is_made);
  g_assert_error (story.error, NS_TRACE_ERROR, NS_TRACE_ERROR_OPEN);
  g_clear_error (&story.error);
  add_connection (&story, 50001, TRUE);
  run (&story, FALSE);
  g_assert_no_error (story.error);
  g_assert_true (story.is_made);
  story_clear (&story);
}

static void
test_what_is_stopped_is_not_made (void)
{
  Story story;

  story_init (&story);
  add_connection (&story, 50000, TRUE);
  run (&story, TRUE);
  g_assert_false (story.is_made);
  g_assert_error (story.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (ns_pairing_get_pairs (story.pairing));
  story_clear (&story);
}

int
main (int argc, char *argv[])
{
  g_autofree char *folder = g_dir_make_tmp ("netstitch-pairing-XXXXXX", NULL);

  g_setenv ("XDG_STATE_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pairing/rows-find-their-other-end", test_rows_find_their_other_end);
  g_test_add_func ("/pairing/all-paired-leaves-none", test_all_paired_leaves_none);
  g_test_add_func ("/pairing/strangers-are-asked-for-ends-first",
                   test_strangers_are_asked_for_ends_first);
  g_test_add_func ("/pairing/what-is-stopped-is-not-made", test_what_is_stopped_is_not_made);
  return g_test_run ();
}
