/* Tests freeing traces in a thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-trace-leave.h"

/* A trace keeps its file open as long as it exists. */
static gboolean
is_file_open (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *link = g_build_filename ("/proc/self/fd", name, NULL);
      g_autofree char *target = g_file_read_link (link, NULL);

      if (g_strcmp0 (target, path) == 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
quit_cb (gpointer loop)
{
  g_main_loop_quit (loop);
  return G_SOURCE_REMOVE;
}

static void
run_ms (guint ms)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);

  g_timeout_add (ms, quit_cb, loop);
  g_main_loop_run (loop);
}

static NsTrace *
open_sample (char **path)
{
  NsTrace *trace;

  *path = g_canonicalize_filename (g_getenv ("NETSTITCH_SAMPLE"), NULL);
  trace = ns_trace_open (*path, NULL, NULL, NULL, NULL);
  g_assert_nonnull (trace);
  g_assert_true (is_file_open (*path));
  return trace;
}

/* The last unref does not free the trace in the calling thread; a worker thread does. */
static void
test_is_freed_when_all_have_let_go (void)
{
  g_autofree char *path = NULL;
  NsTrace *trace = open_sample (&path);
  guint i;

  ns_trace_leave (trace);
  g_assert_false (ns_trace_is_last (trace));
  run_ms (500);
  g_assert_cmpuint (trace->activities->len, ==, 27);
  ns_trace_unref (trace);
  g_assert_true (is_file_open (path));
  for (i = 0; is_file_open (path) && i < 300; i++)
    run_ms (100);
  g_assert_false (is_file_open (path));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-leave/is-freed-when-all-have-let-go",
                   test_is_freed_when_all_have_let_go);
  return g_test_run ();
}
