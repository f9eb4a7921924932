/* Tests the preview: the first part of a file, shown before the rest is read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "big-trace.h"

#include "model/ns-trace-loader.h"

#include <glib/gstdio.h>
#include <unistd.h>

typedef struct
{
  GMainLoop *loop;
  GCancellable *stop; /* (nullable): cancelled at the first preview */
  GString *parts;     /* previews shown, in percent of the records */
  guint64 n_records;
} Shown;

static void
beginning_cb (NsTraceLoader *loader, NsTrace *trace, Shown *shown)
{
  g_assert_true (trace->is_incomplete);
  g_assert_cmpuint (trace->activities->len, >, 0);
  g_string_append_printf (shown->parts, "%d%% ", (int) (100 * trace->n_records / shown->n_records));
  if (shown->stop != NULL)
    g_cancellable_cancel (shown->stop);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Shown *shown = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (NsTrace) trace =
      ns_trace_loader_load_finish (NS_TRACE_LOADER (source), result, &error);

  g_string_append (shown->parts, trace != NULL ? "all" : "stopped");
  g_main_loop_quit (shown->loop);
}

/* Loads a file of @n_bytes as a window does, and returns the previews. */
static char *
load (guint64 n_bytes, GCancellable *stop)
{
  BigTraceOptions options = { .size = n_bytes, .seed = 1, .n_cpus = 2, .n_processes = 5 };
  g_autofree char *path =
      g_strdup_printf ("%s/beginnings-%d.etl", g_get_tmp_dir (), (int) getpid ());
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (NsTraceLoader) loader = ns_trace_loader_new (file);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GError) error = NULL;
  Shown shown = { loop, stop, g_string_new (NULL), 0 };
  BigTraceCounts counts;

  big_trace_write (&options, path, &counts, &error);
  g_assert_no_error (error);
  shown.n_records = counts.n_records;
  g_signal_connect (loader, "beginning", G_CALLBACK (beginning_cb), &shown);
  ns_trace_loader_load_async (loader, stop, loaded_cb, &shown);
  g_main_loop_run (loop);
  g_unlink (path);
  return g_string_free (shown.parts, FALSE);
}

static void
test_a_small_file_is_shown_as_a_whole (void)
{
  g_autofree char *parts = load (3 << 20, NULL);

  g_assert_cmpstr (parts, ==, "all");
}

static void
test_a_file_shows_its_first_part_first (void)
{
  g_autofree char *parts = load (6 << 20, NULL);

  g_assert_cmpstr (parts, ==, "15% all");
}

/* A cancelled load keeps the preview that was shown. */
static void
test_a_stopped_file_has_shown_its_first_part (void)
{
  g_autoptr (GCancellable) stop = g_cancellable_new ();
  g_autofree char *parts = load (6 << 20, stop);

  g_assert_cmpstr (parts, ==, "15% stopped");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/beginnings/a-small-file-is-shown-as-a-whole",
                   test_a_small_file_is_shown_as_a_whole);
  g_test_add_func ("/beginnings/a-file-shows-its-first-part-first",
                   test_a_file_shows_its_first_part_first);
  g_test_add_func ("/beginnings/a-stopped-file-has-shown-its-first-part",
                   test_a_stopped_file_has_shown_its_first_part);
  return g_test_run ();
}
