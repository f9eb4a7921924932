/* Tests a real window with so many rows that nothing completes at once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "window-driver.h"

#include <glib/gstdio.h>
#include <unistd.h>

#define N_CONNECTIONS "150000"
/* Some of the connections have no row of their own. */
#define MANY 140000

static gboolean
has_many_rows (const DriverState *state, gconstpointer data)
{
  return state->n_rows > MANY;
}

static gboolean
is_busy (void)
{
  g_autoptr (GVariant) busy = driver_read_action (1, "busy");

  return busy != NULL && g_variant_get_boolean (busy);
}

static gboolean
is_idle (const DriverState *state, gconstpointer data)
{
  return !is_busy ();
}

static void
test_opens (void)
{
  driver_wait_for (1, has_many_rows, NULL, "all rows are shown");
  driver_wait_for (1, is_idle, NULL, "nothing is computed");
}

/* The window shows that a sort is running. */
static void
test_says_that_it_sorts (void)
{
  driver_act (1, "sort", g_variant_new_string ("url,server,process,open_ns"));
  g_assert_true (is_busy ());
  driver_wait_for (1, is_idle, NULL, "the rows are sorted");
  driver_act (1, "sort", g_variant_new_string ("open_ns"));
  driver_wait_for (1, is_idle, NULL, "the rows are sorted back");
}

static void
test_skipped (void)
{
  g_test_skip ("there is no Xvfb to show a window on");
}

/* Writes the trace beside the folder that the window may write to. */
static char *
make_trace (void)
{
  g_autofree char *path =
      g_strdup_printf ("%s/netstitch-large-%d.etl", g_get_tmp_dir (), (int) getpid ());
  g_autoptr (GSubprocess) maker = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE,
                                                    NULL,
                                                    g_getenv ("NETSTITCH_MAKE_BIG"),
                                                    "--rows",
                                                    N_CONNECTIONS,
                                                    path,
                                                    NULL);

  g_assert_nonnull (maker);
  g_assert_true (g_subprocess_wait_check (maker, NULL, NULL));
  return g_steal_pointer (&path);
}

int
main (int argc, char *argv[])
{
  g_autofree char *path = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  path = make_trace ();
  if (driver_start (path))
    {
      g_test_add_func ("/large/opens", test_opens);
      g_test_add_func ("/large/says-that-it-sorts", test_says_that_it_sorts);
    }
  else
    g_test_add_func ("/large/skipped", test_skipped);
  status = g_test_run ();
  driver_stop ();
  g_unlink (path);
  return status;
}
