/* Tests background work. Runs with threads and, under no-threads, without.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-meanwhile.h"

#include <sys/resource.h>

typedef struct
{
  gint n_calls; /* atomic */
  GThread *thread;
} Seen;

static gpointer
note_cb (gpointer data)
{
  Seen *seen = data;

  seen->thread = g_thread_self ();
  g_atomic_int_inc (&seen->n_calls);
  return NULL;
}

static gboolean
has_threads (void)
{
  return g_getenv ("NETSTITCH_NO_THREADS") == NULL;
}

static void
test_work_is_done_once_by_its_end (void)
{
  NsMeanwhile meanwhile;
  Seen seen = { 0 };

  ns_meanwhile_begin (&meanwhile, "other", note_cb, &seen);
  ns_meanwhile_end (&meanwhile);
  g_assert_cmpint (seen.n_calls, ==, 1);
  g_assert_true ((seen.thread != g_thread_self ()) == has_threads ());
  ns_meanwhile_end (&meanwhile);
  g_assert_cmpint (seen.n_calls, ==, 1);
}

static void
test_what_was_not_begun_does_nothing (void)
{
  NsMeanwhile meanwhile = { 0 };

  ns_meanwhile_end (&meanwhile);
}

static void
test_nobody_waits_for_what_is_left (void)
{
  Seen seen = { 0 };

  ns_meanwhile_leave ("left", note_cb, &seen);
  g_assert_true (has_threads () || g_atomic_int_get (&seen.n_calls) == 1);
  while (g_atomic_int_get (&seen.n_calls) == 0)
    g_thread_yield ();
  g_assert_true ((seen.thread != g_thread_self ()) == has_threads ());
}

/* The nice values of a thread and of the thread that it starts. */
typedef struct
{
  int own;
  int inner;
  GThread *thread;
} Nice;

static gpointer
read_nice_cb (gpointer data)
{
  *(int *) data = getpriority (PRIO_PROCESS, 0);
  return NULL;
}

static gpointer
read_both_cb (gpointer data)
{
  Nice *nice = data;
  NsMeanwhile inner;

  nice->thread = g_thread_self ();
  nice->own = getpriority (PRIO_PROCESS, 0);
  ns_meanwhile_begin (&inner, "inner", read_nice_cb, &nice->inner);
  ns_meanwhile_end (&inner);
  return NULL;
}

static void
test_who_works_behind_gives_way (void)
{
  int before = getpriority (PRIO_PROCESS, 0);
  int expected = has_threads () ? MIN (before + NS_MEANWHILE_BEHIND, 19) : before;
  Nice nice;

  ns_meanwhile_do_behind ("behind", read_both_cb, &nice);
  g_assert_true ((nice.thread != g_thread_self ()) == has_threads ());
  g_assert_cmpint (nice.own, ==, expected);
  g_assert_cmpint (nice.inner, ==, expected);
  g_assert_cmpint (getpriority (PRIO_PROCESS, 0), ==, before);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/meanwhile/work-is-done-once-by-its-end", test_work_is_done_once_by_its_end);
  g_test_add_func ("/meanwhile/what-was-not-begun-does-nothing",
                   test_what_was_not_begun_does_nothing);
  g_test_add_func ("/meanwhile/nobody-waits-for-what-is-left", test_nobody_waits_for_what_is_left);
  g_test_add_func ("/meanwhile/who-works-behind-gives-way", test_who_works_behind_gives_way);
  return g_test_run ();
}
