/* Tests the back and forward history.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-history.h"

static int
go (NsHistory *history, int by)
{
  GVariant *state = ns_history_go (history, by);

  return state != NULL ? g_variant_get_int32 (state) : -1;
}

static void
record (NsHistory *history, NsHistoryKind kind, gint64 now_us, int state)
{
  ns_history_record (history, kind, now_us, g_variant_new_int32 (state));
}

static void
test_fifty_steps_back_end_at_the_start (void)
{
  g_autoptr (NsHistory) history = ns_history_new (g_variant_new_int32 (0));
  int last = -1;
  int i;

  for (i = 1; i <= 200; i++)
    record (history, NS_HISTORY_FILTER, i, i);
  for (i = 0; i < NS_HISTORY_MAX_STEPS; i++)
    {
      g_assert_true (ns_history_can_go (history, -1));
      last = go (history, -1);
    }
  g_assert_cmpint (last, ==, 0);
  g_assert_false (ns_history_can_go (history, -1));
  for (i = 0; i < NS_HISTORY_MAX_STEPS; i++)
    last = go (history, 1);
  g_assert_cmpint (last, ==, 200);
  g_assert_false (ns_history_can_go (history, 1));
}

static void
test_a_new_step_forgets_those_forward (void)
{
  g_autoptr (NsHistory) history = ns_history_new (g_variant_new_int32 (0));

  record (history, NS_HISTORY_FILTER, 1, 1);
  record (history, NS_HISTORY_FILTER, 2, 2);
  g_assert_cmpint (go (history, -1), ==, 1);
  record (history, NS_HISTORY_FILTER, 3, 3);
  g_assert_cmpint (go (history, 1), ==, -1);
  g_assert_cmpint (go (history, -1), ==, 1);
  g_assert_cmpint (go (history, -1), ==, 0);
}

static void
test_turns_of_the_wheel_are_one_step (void)
{
  g_autoptr (NsHistory) history = ns_history_new (g_variant_new_int32 (0));
  int i;

  for (i = 1; i <= 10; i++)
    record (history, NS_HISTORY_ZOOM, i * 100000, i);
  record (history, NS_HISTORY_ZOOM, 10 * G_USEC_PER_SEC, 11);
  g_assert_cmpint (go (history, -1), ==, 10);
  g_assert_cmpint (go (history, -1), ==, 0);
}

/* Each step back must change the view. */
static void
test_there_and_back_in_one_go_is_no_step (void)
{
  g_autoptr (NsHistory) history = ns_history_new (g_variant_new_int32 (0));

  record (history, NS_HISTORY_ZOOM, 100000, 1);
  record (history, NS_HISTORY_ZOOM, 200000, 2);
  record (history, NS_HISTORY_ZOOM, 300000, 0);
  g_assert_false (ns_history_can_go (history, -1));
  record (history, NS_HISTORY_ZOOM, 400000, 3);
  g_assert_cmpint (go (history, -1), ==, 0);
  g_assert_false (ns_history_can_go (history, -1));
}

static void
test_what_changes_nothing_is_no_step (void)
{
  g_autoptr (NsHistory) history = ns_history_new (g_variant_new_int32 (0));

  record (history, NS_HISTORY_SPAN, 1, 0);
  g_assert_false (ns_history_can_go (history, -1));
  record (history, NS_HISTORY_FILTER, 1, 1);
  g_assert_cmpint (go (history, -1), ==, 0);
  record (history, NS_HISTORY_ZOOM, 2, 0);
  g_assert_cmpint (go (history, 1), ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/history/fifty-steps-back-end-at-the-start",
                   test_fifty_steps_back_end_at_the_start);
  g_test_add_func ("/history/a-new-step-forgets-those-forward",
                   test_a_new_step_forgets_those_forward);
  g_test_add_func ("/history/turns-of-the-wheel-are-one-step",
                   test_turns_of_the_wheel_are_one_step);
  g_test_add_func ("/history/there-and-back-in-one-go-is-no-step",
                   test_there_and_back_in_one_go_is_no_step);
  g_test_add_func ("/history/what-changes-nothing-is-no-step",
                   test_what_changes_nothing_is_no_step);
  return g_test_run ();
}
