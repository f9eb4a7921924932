/* Tests the cancellation of a load at any moment.
 *
 * The load ends either complete or without a result.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "big-trace.h"

#include "model/ns-trace-loader.h"

#include <glib/gstdio.h>
#include <unistd.h>

/* Large enough for a preview. */
#define N_BYTES (5 << 20)
#define N_LOADS 40
/* A compressed file is several times as large when expanded. */
#define N_COMPRESSED_BYTES (1 << 19)
#define N_COMPRESSED_LOADS 160

typedef struct
{
  GMainLoop *loop;
  NsTrace *trace;
  GError *error;
} Loaded;

/* Cancels a load from another thread after a delay. */
typedef struct
{
  GCancellable *cancellable;
  gulong delay_us;
} Stopper;

static gpointer
stop_worker (gpointer data)
{
  Stopper *self = data;

  g_usleep (self->delay_us);
  g_cancellable_cancel (self->cancellable);
  return NULL;
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Loaded *self = data;

  self->trace = ns_trace_loader_load_finish (NS_TRACE_LOADER (source), result, &self->error);
  g_main_loop_quit (self->loop);
}

static NsTrace *
load (const char *path, Stopper *stopper, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (NsTraceLoader) loader = ns_trace_loader_new (file);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Loaded loaded = { loop, NULL, NULL };
  GThread *thread = stopper != NULL ? g_thread_new ("stop", stop_worker, stopper) : NULL;

  ns_trace_loader_load_async (loader,
                              stopper != NULL ? stopper->cancellable : NULL,
                              loaded_cb,
                              &loaded);
  g_main_loop_run (loop);
  if (thread != NULL)
    g_thread_join (thread);
  if (loaded.error != NULL)
    g_propagate_error (error, loaded.error);
  return loaded.trace;
}

static char *
make_trace (gboolean is_compressed)
{
  BigTraceOptions options = { .size = is_compressed ? N_COMPRESSED_BYTES : N_BYTES,
                              .seed = 1,
                              .n_cpus = 2,
                              .n_processes = 5,
                              .is_compressed = is_compressed };
  char *path =
      g_strdup_printf ("%s/stop-%d-%d.etl", g_get_tmp_dir (), (int) getpid (), is_compressed);
  g_autoptr (GError) error = NULL;
  BigTraceCounts counts;

  big_trace_write (&options, path, &counts, &error);
  g_assert_no_error (error);
  return path;
}

static void
stop_often (gboolean is_compressed, guint n_loads)
{
  g_autofree char *path = make_trace (is_compressed);
  g_autoptr (GRand) rand = g_rand_new_with_seed (31);
  gint64 begin_us = g_get_monotonic_time ();
  NsTrace *whole = load (path, NULL, NULL);
  gint64 needed_us = g_get_monotonic_time () - begin_us;
  guint n_stopped = 0;
  guint i;

  g_assert_nonnull (whole);
  for (i = 0; i < n_loads; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GError) error = NULL;
      Stopper stopper = { cancellable, 0 };
      NsTrace *trace;

      if (i > 0)
        stopper.delay_us = (gulong) (g_rand_double (rand) * (double) needed_us);
      trace = load (path, &stopper, &error);
      if (trace != NULL)
        {
          g_assert_no_error (error);
          g_assert_cmpuint (trace->n_records, ==, whole->n_records);
          g_assert_cmpuint (trace->activities->len, ==, whole->activities->len);
          ns_trace_unref (trace);
          continue;
        }
      g_assert_true (g_error_matches (error, NS_TRACE_ERROR, NS_TRACE_ERROR_CANCELLED) ||
                     g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED));
      n_stopped++;
    }
  g_test_message ("%u of %u stopped", n_stopped, n_loads);
  g_assert_cmpuint (n_stopped, >, 0);
  ns_trace_unref (whole);
  g_unlink (path);
}

static void
test_a_load_can_be_stopped_at_any_moment (void)
{
  stop_often (FALSE, N_LOADS);
}

static void
test_so_can_one_that_expands_buffers (void)
{
  stop_often (TRUE, N_COMPRESSED_LOADS);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/loader/a-load-can-be-stopped-at-any-moment",
                   test_a_load_can_be_stopped_at_any_moment);
  g_test_add_func ("/loader/so-can-one-that-expands-buffers", test_so_can_one_that_expands_buffers);
  return g_test_run ();
}
