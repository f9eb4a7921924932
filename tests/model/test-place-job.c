/* Tests going to a copied place.
 *
 * Rows hidden by a filter are reported, even by a filter that is still running.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-place-job.h"
#include "model/ns-trace-loader.h"

typedef struct
{
  NsTrace *trace;
  NsPlaceHit hit;
  GError *error;
  gboolean is_done;
} Answer;

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Answer *answer = user_data;

  answer->trace = ns_trace_loader_load_finish (NS_TRACE_LOADER (source), result, &answer->error);
  answer->is_done = TRUE;
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Answer *answer = user_data;

  ns_place_job_run_finish (result, &answer->hit, &answer->error);
  answer->is_done = TRUE;
}

static void
wait_for (Answer *answer)
{
  while (!answer->is_done)
    g_main_context_iteration (NULL, TRUE);
}

static NsSession *
sample_session (void)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_getenv ("NETSTITCH_SAMPLE"));
  g_autoptr (NsTraceLoader) loader = ns_trace_loader_new (file);
  Answer answer = { 0 };

  ns_trace_loader_load_async (loader, NULL, loaded_cb, &answer);
  wait_for (&answer);
  g_assert_no_error (answer.error);
  return ns_session_new (answer.trace, NULL);
}

static void
begin (NsSession *session, const char *text, GCancellable *cancellable, Answer *answer)
{
  NsPlace *place = ns_place_new (ns_session_get_trace (session), text);

  g_assert_nonnull (place);
  ns_place_job_run_async (session, place, NS_TABLE_ACTIVITIES, cancellable, found_cb, answer);
}

static void
test_a_filter_under_way_hides_what_it_hides (void)
{
  g_autoptr (NsSession) session = sample_session ();
  Answer before = { 0 };
  Answer after = { 0 };

  begin (session, "files.example.net", NULL, &before);
  wait_for (&before);
  g_assert_no_error (before.error);
  g_assert_false (before.hit.is_hidden);
  ns_place_hit_clear (&before.hit);

  g_assert_true (ns_session_set_filter (session, NS_TABLE_ACTIVITIES, "failed", NULL, NULL));
  g_assert_true (ns_session_is_busy (session, NS_TABLE_ACTIVITIES));
  begin (session, "files.example.net", NULL, &after);
  wait_for (&after);
  g_assert_no_error (after.error);
  g_assert_true (after.hit.is_hidden);
  g_assert_cmpuint (after.hit.row, ==, before.hit.row);
  ns_place_hit_clear (&after.hit);
}

/* Cancelling the job cancels the wait for rows. */
static void
test_who_stops_is_answered (void)
{
  g_autoptr (NsSession) session = sample_session ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Answer answer = { 0 };

  g_assert_true (ns_session_set_filter (session, NS_TABLE_ACTIVITIES, "failed", NULL, NULL));
  begin (session, "files.example.net", cancellable, &answer);
  g_cancellable_cancel (cancellable);
  wait_for (&answer);
  g_assert_error (answer.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&answer.error);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/place-job/a-filter-under-way-hides-what-it-hides",
                   test_a_filter_under_way_hides_what_it_hides);
  g_test_add_func ("/place-job/who-stops-is-answered", test_who_stops_is_answered);
  return g_test_run ();
}
