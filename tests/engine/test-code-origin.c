/* Tests which module is named as the code origin of an operation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-chain.h"
#include "engine/activities/ns-code-origin.h"
#include "engine/tasks/ns-runs.h"
#include "stitch-fixture.h"

/* Addresses in the images of the fixture. */
#define APP G_GUINT64_CONSTANT (0x7ff600001000)
#define WINDOWS G_GUINT64_CONSTANT (0x7ffa00001000)

static NsStackId
add_stack (NsTrace *trace, guint64 frame)
{
  return ns_stacks_add (trace->stacks, STITCH_PID, &frame, 1);
}

/* Makes an activity with a chain of @n_hops Windows-only stacks. The stacks cycle through
 * @n_different ones, or are all different. The hop @of_app, counted from the activity, is a stack
 * of the application. */
static NsTrace *
trace_of_hops (guint n_hops, guint n_different, guint of_app)
{
  NsTrace *trace = stitch_trace_new ("10:1:WE A x; 20:2:WD A x; 21:2:WS A x; 22:2:WX A x");
  const NsSubmission first = *ns_runs_get_submission (trace->runs, 1);
  const NsRun first_run = *ns_runs_get (trace->runs, 1);
  NsActivityRow row = { .pid = STITCH_PID, .open_ns = NS_TIME_NONE, .close_ns = NS_TIME_NONE };
  guint i;

  g_array_set_size (trace->runs->submissions, 0);
  g_array_set_size (trace->runs->runs, 0);
  for (i = n_hops; i > 0; i--)
    {
      NsSubmission submission = first;
      NsRun run = first_run;
      guint64 frame = WINDOWS + (n_different > 0 ? i % n_different : i);

      submission.link = trace->runs->runs->len;
      submission.stack = add_stack (trace, i == of_app ? APP : frame);
      g_array_append_val (trace->runs->submissions, submission);
      run.submission = trace->runs->submissions->len;
      g_array_append_val (trace->runs->runs, run);
    }
  g_array_set_size (trace->runs->summaries, 0);
  ns_runs_summarize (trace->runs);
  row.link = trace->runs->runs->len;
  g_array_append_val (trace->activities, row);
  return trace;
}

static gboolean
is_app_found (guint n_hops, guint n_different, guint of_app)
{
  NsTrace *trace = trace_of_hops (n_hops, n_different, of_app);
  NsCodeOrigin origin = ns_code_origin_find_for_activity (trace, trace->activities->len - 1);

  ns_trace_unref (trace);
  return origin.address == APP && !origin.is_windows && origin.pid == STITCH_PID && origin.tid == 1;
}

static void
test_who_queued_the_work_is_found (void)
{
  g_assert_true (is_app_found (1, 0, 1));
  g_assert_true (is_app_found (10, 0, 7));
  g_assert_false (is_app_found (10, 0, 0));
}

/* The search for the origin looks at a limited number of hops; the thread that began the chain is
 * found regardless. */
static void
test_so_many_stacks_are_looked_at (void)
{
  const guint most = NS_CODE_ORIGIN_MAX_STACKS;

  g_assert_true (is_app_found (10 * most, 0, most));
  g_assert_false (is_app_found (10 * most, 0, most + 1));
  g_assert_true (is_app_found (10 * most, 0, 10 * most));
}

/* A timer that rearms itself repeats one stack, which counts as one stack. */
static void
test_the_same_stack_again_is_none_of_them (void)
{
  g_assert_true (is_app_found (4000, 1, 3000));
  g_assert_true (is_app_found (2 * NS_CHAIN_MAX_HOPS, 1, NS_CHAIN_MAX_HOPS));
  g_assert_false (is_app_found (2 * NS_CHAIN_MAX_HOPS, 1, NS_CHAIN_MAX_HOPS + 1));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/code-origin/who-queued-the-work-is-found", test_who_queued_the_work_is_found);
  g_test_add_func ("/code-origin/so-many-stacks-are-looked-at", test_so_many_stacks_are_looked_at);
  g_test_add_func ("/code-origin/the-same-stack-again-is-none-of-them",
                   test_the_same_stack_again_is_none_of_them);
  return g_test_run ();
}
