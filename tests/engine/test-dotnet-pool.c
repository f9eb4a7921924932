/* Tests .NET tasks and thread pool work.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-chain.h"

#include "story.h"

#include "engine/tasks/ns-runs.h"

/* Writes a task event on thread @tid. */
static void
report_task (Story *story, double ms, guint tid, guint id, guint originating, guint task)
{
  story->tid = tid;
  story_write (story, ms, STORY_DOTNET_TASKS, id, "dddddd", 1, originating, task, 0, 0, 0);
}

static void
report_wait (Story *story, double ms, guint tid, guint task, guint behavior)
{
  story->tid = tid;
  story_write (story, ms, STORY_DOTNET_TASKS, 10, "dddd", 1, 0, task, behavior);
}

static void
report_plain (Story *story, double ms, guint tid, guint id, guint task)
{
  story->tid = tid;
  story_write (story, ms, STORY_DOTNET_TASKS, id, "d", task);
}

static void
report_work (Story *story, double ms, guint tid, guint id, guint64 work)
{
  story->tid = tid;
  story_write (story, ms, STORY_DOTNET_FRAMEWORK, id, "q", work);
}

static void
report_clr (Story *story, double ms, guint tid, guint id, guint64 work)
{
  story->tid = tid;
  story_write (story, ms, STORY_DOTNET_RUNTIME, id, "pph", work, P (0), 1);
}

static void
report_transfer (Story *story, double ms, guint tid, guint id, guint64 key, gboolean is_multi)
{
  story->tid = tid;
  story_write (story, ms, STORY_DOTNET_FRAMEWORK, id, "qdwd", key, 1, "", is_multi);
}

/* Writes the next connection; its number is its port, starting with 1. */
static void
report_net (Story *story, double ms, guint tid)
{
  guint port = (guint) ms + 1000;

  story->tid = tid;
  story_socket (story, ms, P (0xffffcc0000000000) + port, port, "1.2.3.4:443");
}

/* Asserts the task of the nth connection, such as `Task 6`, and the thread that queued it. */
static void
assert_in (const NsTrace *trace, guint n, const char *expected, guint tid_create)
{
  const NsWinsockRow *socket;
  const NsTaskRow *task;
  g_autofree char *text = NULL;

  g_assert_cmpuint (trace->winsock->len, >, n);
  socket = &g_array_index (trace->winsock, NsWinsockRow, n);
  if (expected == NULL)
    {
      g_assert_cmpuint (socket->link, ==, 0);
      return;
    }
  g_assert_cmpuint (socket->link, !=, 0);
  task =
      &g_array_index (trace->tasks, NsTaskRow, ns_runs_get (trace->runs, socket->link)->task - 1);
  text = g_strdup_printf ("%s %" G_GUINT64_FORMAT,
                          ns_trace_text (trace, task->subtype),
                          task->context);
  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpuint (ns_runs_get_origin (trace->runs, socket->link)->tid, ==, tid_create);
}

/* A task that is scheduled twice before it runs keeps the second scheduling only. */
static void
test_a_second_scheduling_replaces_the_first (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_task (story, 10, 8, 7, 0, 6);
  report_task (story, 11, 12, 7, 0, 6);
  report_task (story, 20, 16, 8, 0, 6);
  report_net (story, 21, 16);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->tasks->len, ==, 1);
  assert_in (trace, 0, "Task 6", 12);
}

/* The path of a task ends on the thread that ran it or, if it never ran, on the thread that queued
 * it. */
static void
test_the_path_of_a_task (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  g_autoptr (NsChain) ran = NULL;
  g_autoptr (NsChain) waited = NULL;
  const NsChainElement *last;

  report_task (story, 10, 8, 7, 0, 6);
  report_task (story, 11, 12, 7, 0, 9);
  report_task (story, 20, 16, 8, 0, 6);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->tasks->len, ==, 2);
  ran = ns_chain_new_for_task (trace, 1);
  g_assert_cmpuint (ran->elements->len, ==, 2);
  g_assert_cmpuint (g_array_index (ran->elements, NsChainElement, 0).tid_enqueue, ==, 8);
  last = &g_array_index (ran->elements, NsChainElement, 1);
  g_assert_cmpuint (last->tid_run, ==, 16);
  g_assert_cmpuint (last->stack, ==, 0);
  waited = ns_chain_new_for_task (trace, 2);
  g_assert_cmpuint (waited->elements->len, ==, 1);
  g_assert_cmpuint (g_array_index (waited->elements, NsChainElement, 0).tid_run, ==, 12);
  g_assert_null (ns_chain_new_for_task (trace, 0));
  g_assert_null (ns_chain_new_for_task (trace, 3));
}

/* Work items that were cancelled before they ran have no run. */
static void
test_a_cancelled_task (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_task (story, 10, 8, 7, 0, 6);
  story_write (story, 11, STORY_DOTNET_TASKS, 14, "dwq", 6, "Load prices", P (0));
  story_write (story, 12, STORY_DOTNET_TASKS, 15, "dd", 6, 2);
  report_task (story, 20, 16, 8, 0, 6);
  report_net (story, 21, 16);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->tasks->len, ==, 1);
  story_assert_text (trace, g_array_index (trace->tasks, NsTaskRow, 0).status, "Canceled");
  story_assert_text (trace, g_array_index (trace->tasks, NsTaskRow, 0).label, "Load prices");
  assert_in (trace, 0, NULL, 0);
}

static void
test_a_task_that_throws (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_task (story, 10, 8, 7, 0, 6);
  report_task (story, 20, 16, 8, 0, 6);
  story_write (story, 30, STORY_DOTNET_TASKS, 9, "dddd", 1, 0, 6, 1);
  trace = story_open (story, 100);
  story_assert_text (trace, g_array_index (trace->tasks, NsTaskRow, 0).status, "Faulted");
  g_assert_cmpstr (ns_runs_get_evidence (trace->runs, 1), ==, "tpl-task");
}

/* A blocking wait leaves the await of the same task unchanged. */
static void
test_a_blocking_wait_is_no_await (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_wait (story, 10, 8, 6, 2);
  report_wait (story, 11, 12, 6, 1);
  report_task (story, 20, 12, 11, 0, 6);
  report_net (story, 21, 12);
  report_task (story, 30, 16, 11, 0, 6);
  report_net (story, 31, 16);
  report_plain (story, 32, 16, 13, 6);
  report_net (story, 33, 16);
  trace = story_open (story, 100);
  assert_in (trace, 0, NULL, 0);
  assert_in (trace, 1, "Await 6", 8);
  assert_in (trace, 2, NULL, 0);
}

/* A start just before its scheduling is accepted, because processor clocks differ; one long before
 * is not. */
static void
test_a_start_just_before_its_scheduling (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_task (story, 10.0, 16, 8, 0, 6);
  report_task (story, 10.5, 8, 7, 0, 6);
  report_net (story, 12, 16);
  report_task (story, 20, 24, 8, 0, 7);
  report_task (story, 25, 8, 7, 0, 7);
  report_net (story, 26, 24);
  trace = story_open (story, 100);
  assert_in (trace, 0, "Task 6", 8);
  assert_in (trace, 1, NULL, 0);
}

/* Both providers log the same work item. */
static void
test_two_providers_tell_of_one_item (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_work (story, 10, 8, 30, 0x100);
  report_clr (story, 10.05, 8, 61, 0x9000);
  report_work (story, 20, 16, 31, 0x100);
  report_clr (story, 20.05, 16, 62, 0x9000);
  report_net (story, 21, 16);
  /* The garbage collector moved the object; the ID assigned by the runtime still matches. */
  report_work (story, 30, 8, 30, 0x200);
  report_clr (story, 30.05, 8, 61, 0x9100);
  report_work (story, 40, 24, 31, 0x300);
  report_clr (story, 40.05, 24, 62, 0x9100);
  report_net (story, 41, 24);
  trace = story_open (story, 100);
  g_assert_cmpuint (trace->tasks->len, ==, 2);
  assert_in (trace, 0, "Worker 256", 8);
  assert_in (trace, 1, "Worker 512", 8);
  g_assert_cmpstr (ns_runs_get_evidence (trace->runs, 1), ==, "fw-pool");
}

/* The events of the runtime alone are sufficient; the next work item ends the previous one. */
static void
test_items_of_the_runtime (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_clr (story, 10, 8, 61, 5);
  report_clr (story, 20, 16, 62, 5);
  report_net (story, 21, 16);
  report_clr (story, 30, 16, 62, 6);
  report_net (story, 31, 16);
  trace = story_open (story, 100);
  assert_in (trace, 0, "Worker 5", 8);
  assert_in (trace, 1, NULL, 0);
  g_assert_cmpstr (ns_runs_get_evidence (trace->runs, 1), ==, "clr-pool");
}

/* An overlapped that is packed once and completes several times runs once. */
static void
test_an_overlapped_that_is_used_again (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_clr (story, 10, 8, 65, 0x700);
  report_clr (story, 20, 16, 64, 0x700);
  report_net (story, 21, 16);
  report_clr (story, 30, 16, 64, 0x700);
  report_net (story, 31, 16);
  trace = story_open (story, 100);
  assert_in (trace, 0, "IO 1792", 8);
  assert_in (trace, 1, NULL, 0);
}

/* A periodic timer runs again, a one-shot timer runs once. */
static void
test_timers (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_transfer (story, 10, 8, 150, 3, FALSE);
  report_transfer (story, 20, 16, 151, 3, FALSE);
  report_net (story, 21, 16);
  report_transfer (story, 22, 16, 152, 3, FALSE);
  report_net (story, 23, 16);
  report_transfer (story, 30, 16, 151, 3, FALSE);
  report_net (story, 31, 16);
  trace = story_open (story, 100);
  assert_in (trace, 0, "Timer 3", 8);
  assert_in (trace, 1, NULL, 0);
  assert_in (trace, 2, NULL, 0);
}

/* The end of a work item ends the tasks inside it and the tasks that they await. */
static void
test_the_next_item_ends_all (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_work (story, 10, 8, 30, 1);
  report_task (story, 11, 8, 7, 0, 6);
  report_work (story, 20, 16, 31, 1);
  report_task (story, 21, 16, 8, 0, 6);
  report_net (story, 22, 16);
  report_work (story, 30, 16, 31, 99);
  report_net (story, 31, 16);
  trace = story_open (story, 100);
  assert_in (trace, 0, "Task 6", 8);
  assert_in (trace, 1, NULL, 0);
}

/* A task runs inside another task; the outer one continues when the inner one has ended. */
static void
test_a_task_inside_a_task (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_task (story, 10, 8, 7, 0, 6);
  report_task (story, 20, 16, 8, 0, 6);
  report_task (story, 21, 16, 7, 6, 7);
  report_task (story, 22, 16, 8, 6, 7);
  report_net (story, 23, 16);
  story_write (story, 24.5, STORY_DOTNET_TASKS, 9, "dddd", 1, 6, 7, 0);
  report_net (story, 25, 16);
  trace = story_open (story, 100);
  assert_in (trace, 0, "Task 7", 16);
  assert_in (trace, 1, "Task 6", 8);
}

/* Other processes use the same task IDs; truncated payloads are ignored. */
static void
test_bad_input (void)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;

  report_task (story, 10, 8, 7, 0, 6);
  story->pid = 200;
  report_task (story, 20, 400, 8, 0, 6);
  report_net (story, 21, 400);
  story->pid = 100;
  story->tid = 8;
  story_write (story, 30, STORY_DOTNET_TASKS, 7, "dd", 1, 0);
  story_write (story, 31, STORY_DOTNET_TASKS, 13, "h", 1);
  story_write (story, 32, STORY_DOTNET_FRAMEWORK, 30, "d", 1);
  story_write (story, 33, STORY_DOTNET_FRAMEWORK, 150, "q", P (1));
  story_write (story, 34, STORY_DOTNET_RUNTIME, 61, "d", 1);
  story_write (story, 35, STORY_DOTNET_TASKS, 14, "d", 6);
  trace = story_open (story, 100);
  assert_in (trace, 0, NULL, 0);
  g_assert_cmpuint (trace->tasks->len, ==, 1);
  g_assert_cmpuint (trace->runs->n_skipped, >=, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, name) g_test_add_func ("/dotnet-pool/" path, test_##name)
  CLAIM ("the-path-of-a-task", the_path_of_a_task);
  CLAIM ("replaced", a_second_scheduling_replaces_the_first);
  CLAIM ("cancelled", a_cancelled_task);
  CLAIM ("throws", a_task_that_throws);
  CLAIM ("blocking-wait", a_blocking_wait_is_no_await);
  CLAIM ("inverted", a_start_just_before_its_scheduling);
  CLAIM ("two-providers", two_providers_tell_of_one_item);
  CLAIM ("runtime", items_of_the_runtime);
  CLAIM ("overlapped", an_overlapped_that_is_used_again);
  CLAIM ("timers", timers);
  CLAIM ("next-item", the_next_item_ends_all);
  CLAIM ("nested", a_task_inside_a_task);
  CLAIM ("bad-input", bad_input);
#undef CLAIM
  return g_test_run ();
}
