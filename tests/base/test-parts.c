/* Tests work that is split into parts for several threads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-parts.h"

#define N_ITEMS (NS_PARTS_ITEMS * 9 + 5)

typedef struct
{
  guint8 *n_done;      /* per item, number of calls */
  guint8 *worker;      /* per item, worker that processed it */
  gint n_parts;        /* atomic */
  gint is_second_here; /* atomic */
} Seen;

static void
count_cb (guint begin, guint end, guint worker, gpointer user_data)
{
  Seen *seen = user_data;
  guint i;

  g_assert_cmpuint (begin % NS_PARTS_ITEMS, ==, 0);
  g_assert_cmpuint (end - begin, <=, NS_PARTS_ITEMS);
  g_assert_cmpuint (worker, <, NS_PARTS_MAX_WORKERS);
  g_atomic_int_inc (&seen->n_parts);
  for (i = begin; i < end; i++)
    {
      seen->n_done[i]++;
      seen->worker[i] = (guint8) worker;
    }
}

static void
assert_all_done_once (guint n_items, gboolean is_shared)
{
  g_autofree guint8 *n_done = g_new0 (guint8, n_items + 1);
  g_autofree guint8 *worker = g_new0 (guint8, n_items + 1);
  Seen seen = { n_done, worker, 0, 0 };
  guint i;

  g_assert_true (ns_parts_run (n_items, is_shared, count_cb, &seen, NULL, NULL));
  g_assert_cmpint (seen.n_parts, ==, (gint) ns_parts_count (n_items));
  for (i = 0; i < n_items; i++)
    {
      g_assert_cmpint (n_done[i], ==, 1);
      g_assert_true (is_shared || worker[i] == 0);
    }
}

static void
test_each_item_is_done_once (void)
{
  static const guint counts[] = {
    0, 1, NS_PARTS_ITEMS - 1, NS_PARTS_ITEMS, NS_PARTS_ITEMS + 1, NS_PARTS_ITEMS * 3, N_ITEMS
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      assert_all_done_once (counts[i], FALSE);
      assert_all_done_once (counts[i], TRUE);
    }
}

/* Blocks the first thread in its part until the second thread has started. */
static void
wait_cb (guint begin, guint end, guint worker, gpointer user_data)
{
  Seen *seen = user_data;

  if (worker == 1)
    g_atomic_int_set (&seen->is_second_here, 1);
  while (!g_atomic_int_get (&seen->is_second_here))
    g_thread_yield ();
}

static void
test_two_threads_work_at_a_time (void)
{
  Seen seen = { 0 };

  if (g_get_num_processors () < 2 || g_getenv ("NETSTITCH_NO_THREADS") != NULL)
    {
      g_test_skip ("one processor, or one thread");
      return;
    }
  g_assert_true (ns_parts_run (N_ITEMS, TRUE, wait_cb, &seen, NULL, NULL));
  g_assert_cmpint (seen.is_second_here, ==, 1);
}

static gboolean
stop_cb (double fraction, gpointer user_data)
{
  guint *n_left = user_data;

  g_assert_cmpfloat (fraction, >=, 0);
  g_assert_cmpfloat (fraction, <=, 1);
  return --*n_left > 0;
}

static void
test_who_stops_gets_no_more (void)
{
  g_autofree guint8 *n_done = g_new0 (guint8, N_ITEMS);
  g_autofree guint8 *worker = g_new0 (guint8, N_ITEMS);
  Seen seen = { n_done, worker, 0, 0 };
  guint n_left = 2;

  g_assert_false (ns_parts_run (N_ITEMS, FALSE, count_cb, &seen, stop_cb, &n_left));
  g_assert_cmpint (seen.n_parts, ==, 1);
}

/* A stop at the first check prevents all work, whichever thread is first. */
static void
test_who_stops_at_once_is_heard (void)
{
  g_autofree guint8 *n_done = g_new0 (guint8, N_ITEMS);
  g_autofree guint8 *worker = g_new0 (guint8, N_ITEMS);
  Seen seen = { n_done, worker, 0, 0 };
  guint i;

  for (i = 0; i < 2; i++)
    {
      guint n_left = 1;

      g_assert_false (ns_parts_run (i * N_ITEMS, FALSE, count_cb, &seen, stop_cb, &n_left));
      g_assert_cmpint (seen.n_parts, ==, 0);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/parts/each-item-is-done-once", test_each_item_is_done_once);
  g_test_add_func ("/parts/two-threads-work-at-a-time", test_two_threads_work_at_a_time);
  g_test_add_func ("/parts/who-stops-gets-no-more", test_who_stops_gets_no_more);
  g_test_add_func ("/parts/who-stops-at-once-is-heard", test_who_stops_at_once_is_heard);
  return g_test_run ();
}
