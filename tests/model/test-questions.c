/* Tests which questions a trace can answer.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-questions.h"

#include <glib/gstdio.h>
#include <string.h>

/* Size of the buffers of the sample. */
#define BUFFER_SIZE 16384

static void
test_the_sample_answers_what_was_recorded (void)
{
  static const NsTraceOptions options = { .want_events = TRUE };
  g_autoptr (NsTrace) trace =
      ns_trace_open (g_getenv ("NETSTITCH_SAMPLE"), &options, NULL, NULL, NULL);
  NsQuestion questions[NS_N_QUESTIONS];

  g_assert_nonnull (trace);
  ns_questions_ask (trace, questions);
  g_assert_cmpint (questions[NS_QUESTION_PROCESS].answer, ==, NS_ANSWER_YES);
  g_assert_cmpuint (questions[NS_QUESTION_PROCESS].n_answered, ==, 27);
  /* Sockets of the DNS service have no stacks. */
  g_assert_cmpint (questions[NS_QUESTION_CODE].answer, ==, NS_ANSWER_PART);
  g_assert_cmpuint (questions[NS_QUESTION_CODE].n_answered, ==, 18);
  g_assert_cmpint (questions[NS_QUESTION_QUEUE].answer, ==, NS_ANSWER_YES);
  g_assert_cmpint (questions[NS_QUESTION_STATUS].answer, ==, NS_ANSWER_YES);
  g_assert_cmpint (questions[NS_QUESTION_BROWSER].answer, ==, NS_ANSWER_NO);
  g_assert_cmpint (questions[NS_QUESTION_LOSSES].answer, ==, NS_ANSWER_YES);
  /* Modules are known, but the debug IDs of their symbols are not. */
  g_assert_cmpint (questions[NS_QUESTION_MODULES].answer, ==, NS_ANSWER_PART);
  g_assert_cmpint (questions[NS_QUESTION_PACKETS].answer, ==, NS_ANSWER_NO);
  g_assert_cmpint (questions[NS_QUESTION_PROCESSOR].answer, ==, NS_ANSWER_NO);
}

/* Embedded names resolve code like symbols. */
static void
test_names_that_came_along_name_modules (void)
{
  static const NsTraceOptions options = { .want_events = TRUE };
  g_autoptr (NsTrace) trace =
      ns_trace_open (g_getenv ("NETSTITCH_SHOWN"), &options, NULL, NULL, NULL);
  NsQuestion questions[NS_N_QUESTIONS];

  g_assert_nonnull (trace);
  ns_questions_ask (trace, questions);
  g_assert_cmpint (questions[NS_QUESTION_MODULES].answer, ==, NS_ANSWER_YES);
}

/* A web server answers with a status, too; only clients connect. */
static void
test_a_web_server_has_a_status (void)
{
  static const NsTraceOptions options = { .want_events = TRUE };
  g_autoptr (NsTrace) trace =
      ns_trace_open (g_getenv ("NETSTITCH_SAMPLE"), &options, NULL, NULL, NULL);
  NsQuestion questions[NS_N_QUESTIONS];
  guint i;

  g_assert_nonnull (trace);
  for (i = 0; i < trace->activities->len; i++)
    {
      NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);

      row->protocol = row->layers = NS_LAYER_HTTP_SERVER;
      row->http_status = 304;
      row->parent = 0;
    }
  ns_questions_ask (trace, questions);
  g_assert_cmpint (questions[NS_QUESTION_STATUS].answer, ==, NS_ANSWER_YES);
  g_assert_cmpuint (questions[NS_QUESTION_STATUS].n_answered, ==, trace->activities->len);
  g_assert_cmpint (questions[NS_QUESTION_CONNECT].answer, ==, NS_ANSWER_NO);
}

/* Unreadable parts are missing data, even if the session lost no events. */
static void
test_damage_is_no_yes (void)
{
  static const NsTraceOptions options = { .want_events = TRUE };
  g_autofree char *path = g_build_filename (g_get_user_cache_dir (), "cut.etl", NULL);
  g_autoptr (NsTrace) trace = NULL;
  g_autofree char *content = NULL;
  NsQuestion questions[NS_N_QUESTIONS];
  gsize size;

  g_assert_true (g_file_get_contents (g_getenv ("NETSTITCH_SAMPLE"), &content, &size, NULL));
  g_assert_cmpint (g_mkdir_with_parents (g_get_user_cache_dir (), 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, content, (gssize) (size / 2 + 100), NULL));
  trace = ns_trace_open (path, &options, NULL, NULL, NULL);
  g_assert_nonnull (trace);
  ns_questions_ask (trace, questions);
  g_assert_cmpint (questions[NS_QUESTION_LOSSES].answer, ==, NS_ANSWER_PART);
  g_assert_cmpuint (questions[NS_QUESTION_LOSSES].n_answered, ==, 0);
  g_assert_true (questions[NS_QUESTION_LOSSES].is_cut);
  g_unlink (path);
}

/* A buffer that was never written is neither a loss in the header nor damage. */
static void
test_a_missing_buffer_is_no_yes (void)
{
  static const NsTraceOptions options = { .want_events = TRUE };
  g_autofree char *path = g_build_filename (g_get_user_cache_dir (), "empty.etl", NULL);
  g_autoptr (NsTrace) trace = NULL;
  g_autofree char *content = NULL;
  NsQuestion questions[NS_N_QUESTIONS];
  gsize size;

  g_assert_true (g_file_get_contents (g_getenv ("NETSTITCH_SAMPLE"), &content, &size, NULL));
  g_assert_cmpint (g_mkdir_with_parents (g_get_user_cache_dir (), 0700), ==, 0);
  memset (content + 4 * BUFFER_SIZE, 0, BUFFER_SIZE);
  g_assert_true (g_file_set_contents (path, content, (gssize) size, NULL));
  trace = ns_trace_open (path, &options, NULL, NULL, NULL);
  g_assert_nonnull (trace);
  ns_questions_ask (trace, questions);
  g_assert_cmpint (questions[NS_QUESTION_LOSSES].answer, ==, NS_ANSWER_PART);
  g_assert_cmpuint (questions[NS_QUESTION_LOSSES].n_missing, ==, 1);
  g_assert_cmpuint (questions[NS_QUESTION_LOSSES].n_answered, ==, 0);
  g_assert_cmpuint (questions[NS_QUESTION_LOSSES].n_damaged, ==, 0);
  g_assert_false (questions[NS_QUESTION_LOSSES].is_cut);
  g_unlink (path);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/questions/the-sample-answers-what-was-recorded",
                   test_the_sample_answers_what_was_recorded);
  g_test_add_func ("/questions/names-that-came-along-name-modules",
                   test_names_that_came_along_name_modules);
  g_test_add_func ("/questions/a-web-server-has-a-status", test_a_web_server_has_a_status);
  g_test_add_func ("/questions/damage-is-no-yes", test_damage_is_no_yes);
  g_test_add_func ("/questions/a-missing-buffer-is-no-yes", test_a_missing_buffer_is_no_yes);
  return g_test_run ();
}
