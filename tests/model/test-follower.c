/* Tests following a trace while it is written.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-follower.h"
#include "model/ns-session-later.h"
#include "model/ns-trace-loader.h"

#include <glib/gstdio.h>
#include <string.h>

/* Offset of the end time of a trace: buffer header, record header, 16 bytes into the payload. */
#define END_TIME_AT (72 + 32 + 16)
#define END_TIME_SIZE 8
#define BUFFER_SIZE_SIZE 4
/* Timeout of each wait on a slow machine. */
#define PATIENCE_US (30 * G_USEC_PER_SEC)
/* Time to wait before asserting that an unfollowed file did not change anything. */
#define QUIET_MS 1200

typedef struct
{
  char *folder;
  char *path;
  char *data; /* bytes of a complete trace */
  gsize size;
  gsize n_half; /* bytes of a part with complete buffers only */
  NsSession *session;
  NsFollower *follower;
  guint n_grown;
  guint n_complete;
  guint n_changed;
  guint n_gone;
} World;

typedef gboolean (*Condition) (World *world);

static gboolean
wake_cb (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static void
wait_for (World *world, Condition condition, const char *what)
{
  gint64 until_us = g_get_monotonic_time () + PATIENCE_US;
  guint wake_id = g_timeout_add (20, wake_cb, NULL);

  while (!condition (world))
    {
      if (g_get_monotonic_time () > until_us)
        g_error ("waited in vain: %s", what);
      g_main_context_iteration (NULL, TRUE);
    }
  g_source_remove (wake_id);
}

static void
let_time_pass (void)
{
  gint64 until_us = g_get_monotonic_time () + QUIET_MS * 1000;
  guint wake_id = g_timeout_add (20, wake_cb, NULL);

  while (g_get_monotonic_time () < until_us)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (wake_id);
}

static void
grown_cb (World *world, NsTrace *trace)
{
  NsSession *before = world->session;

  world->session =
      ns_session_new_reloaded (ns_trace_ref (trace), ns_session_get_file (before), before);
  ns_follower_set_session (world->follower, world->session);
  g_object_unref (before);
  world->n_grown++;
}

static void
complete_cb (World *world)
{
  world->n_complete++;
}

static void
changed_cb (World *world)
{
  world->n_changed++;
}

static void
gone_cb (World *world)
{
  world->n_gone++;
}

static void
write_at (World *world, gsize at, gsize size, gboolean is_closed)
{
  g_autofree char *bytes = g_memdup2 (world->data + at, size);
  FILE *file = g_fopen (world->path, at == 0 ? "wb" : "r+b");

  g_assert_nonnull (file);
  if (at == 0 && !is_closed)
    memset (bytes + END_TIME_AT, 0, END_TIME_SIZE);
  g_assert_cmpint (fseek (file, (long) at, SEEK_SET), ==, 0);
  g_assert_cmpuint (fwrite (bytes, 1, size, file), ==, size);
  g_assert_cmpint (fclose (file), ==, 0);
}

static void
close_trace (World *world)
{
  write_at (world, END_TIME_AT, END_TIME_SIZE, TRUE);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  World *world = data;
  g_autoptr (GFile) file = g_file_new_for_path (world->path);
  g_autoptr (GError) error = NULL;
  NsTrace *trace = ns_trace_loader_load_finish (NS_TRACE_LOADER (source), result, &error);

  g_assert_no_error (error);
  world->session = ns_session_new (trace, file);
  ns_follower_set_session (world->follower, world->session);
}

static gboolean
is_loaded (World *world)
{
  return world->session != NULL;
}

/* Opens the file and follows it like a window; @n_bytes is the size that was loaded. */
static void
open_trace (World *world, guint64 n_bytes)
{
  g_autoptr (GFile) file = g_file_new_for_path (world->path);
  g_autoptr (NsTraceLoader) loader = ns_trace_loader_new (file);

  ns_trace_loader_load_async (loader, NULL, loaded_cb, world);
  wait_for (world, is_loaded, "the trace is open");
  ns_follower_begin (world->follower, n_bytes, ns_trace_loader_get_modified (loader));
}

static void
set_up (World *world, gconstpointer data)
{
  g_autoptr (NsViewContext) view = ns_view_context_new ();
  g_autoptr (GError) error = NULL;
  guint32 buffer_size;
  gsize n_buffers;

  world->folder = g_dir_make_tmp ("ns-follower-XXXXXX", &error);
  g_assert_no_error (error);
  world->path = g_build_filename (world->folder, "live.etl", NULL);
  g_assert_true (
      g_file_get_contents (g_getenv ("NETSTITCH_SAMPLE"), &world->data, &world->size, &error));
  memcpy (&buffer_size, world->data, BUFFER_SIZE_SIZE);
  n_buffers = world->size / GUINT32_FROM_LE (buffer_size);
  world->n_half = n_buffers / 2 * GUINT32_FROM_LE (buffer_size);
  world->follower = ns_follower_new (view);
  g_signal_connect_swapped (world->follower, "grown", G_CALLBACK (grown_cb), world);
  g_signal_connect_swapped (world->follower, "complete", G_CALLBACK (complete_cb), world);
  g_signal_connect_swapped (world->follower, "file-changed", G_CALLBACK (changed_cb), world);
  g_signal_connect_swapped (world->follower, "file-gone", G_CALLBACK (gone_cb), world);
}

static void
tear_down (World *world, gconstpointer data)
{
  ns_follower_set_session (world->follower, NULL);
  g_object_unref (world->follower);
  g_clear_object (&world->session);
  g_remove (world->path);
  g_assert_cmpint (g_rmdir (world->folder), ==, 0);
  g_free (world->folder);
  g_free (world->path);
  g_free (world->data);
}

static guint
count_rows (World *world)
{
  return ns_session_count_all (world->session, NS_TABLE_ACTIVITIES);
}

static gboolean
has_grown (World *world)
{
  return world->n_grown > 0;
}

static gboolean
is_complete (World *world)
{
  return world->n_complete > 0;
}

static gboolean
has_changed (World *world)
{
  return world->n_changed > 0;
}

static gboolean
is_gone (World *world)
{
  return world->n_gone > 0;
}

static void
test_shows_what_is_written (World *world, gconstpointer data)
{
  guint n_first;

  write_at (world, 0, world->n_half, FALSE);
  open_trace (world, world->n_half);
  n_first = count_rows (world);
  g_assert_true (ns_follower_can_follow (world->follower));
  g_assert_true (ns_follower_is_following (world->follower));
  write_at (world, world->n_half, world->size - world->n_half, FALSE);
  wait_for (world, has_grown, "more is read");
  g_assert_cmpuint (count_rows (world), >, n_first);
  g_assert_true (ns_follower_is_following (world->follower));
  g_assert_cmpuint (world->n_complete, ==, 0);
}

static void
test_ends_when_the_trace_is_closed (World *world, gconstpointer data)
{
  write_at (world, 0, world->n_half, FALSE);
  open_trace (world, world->n_half);
  write_at (world, world->n_half, world->size - world->n_half, FALSE);
  close_trace (world);
  wait_for (world, is_complete, "the trace is complete");
  g_assert_cmpuint (ns_etl_file_get_size (ns_session_get_trace (world->session)->file),
                    ==,
                    world->size);
  g_assert_false (ns_follower_is_following (world->follower));
  g_assert_false (ns_follower_can_follow (world->follower));
  g_assert_cmpuint (world->n_complete, ==, 1);
}

static void
test_a_closed_trace_is_not_followed (World *world, gconstpointer data)
{
  write_at (world, 0, world->size, TRUE);
  open_trace (world, world->size);
  g_assert_false (ns_follower_can_follow (world->follower));
  g_assert_false (ns_follower_is_following (world->follower));
  ns_follower_set_paused (world->follower, TRUE);
  g_assert_false (ns_follower_is_paused (world->follower));
}

/* A member of an archive has another size than the archive. */
static void
test_a_part_of_a_file_is_not_followed (World *world, gconstpointer data)
{
  write_at (world, 0, world->n_half, FALSE);
  open_trace (world, world->n_half - 1);
  g_assert_false (ns_follower_can_follow (world->follower));
  g_assert_false (ns_follower_is_following (world->follower));
}

static void
test_pauses (World *world, gconstpointer data)
{
  guint n_first;

  write_at (world, 0, world->n_half, FALSE);
  open_trace (world, world->n_half);
  n_first = count_rows (world);
  ns_follower_set_paused (world->follower, TRUE);
  g_assert_true (ns_follower_is_paused (world->follower));
  g_assert_true (ns_follower_can_follow (world->follower));
  g_assert_false (ns_follower_is_following (world->follower));
  write_at (world, world->n_half, world->size - world->n_half, FALSE);
  let_time_pass ();
  g_assert_cmpuint (world->n_grown, ==, 0);
  ns_follower_set_paused (world->follower, FALSE);
  g_assert_true (ns_follower_is_following (world->follower));
  wait_for (world, has_grown, "what came meanwhile is read");
  g_assert_cmpuint (count_rows (world), >, n_first);
}

/* The file was larger when the follower resumed than when it was paused. */
static void
test_goes_on_after_it_has_grown (World *world, gconstpointer data)
{
  write_at (world, 0, world->n_half, FALSE);
  open_trace (world, world->n_half);
  write_at (world, world->n_half, world->size - world->n_half, FALSE);
  wait_for (world, has_grown, "more is read");
  ns_follower_set_paused (world->follower, TRUE);
  world->n_grown = 0;
  close_trace (world);
  ns_follower_set_paused (world->follower, FALSE);
  g_assert_true (ns_follower_is_following (world->follower));
  wait_for (world, is_complete, "the trace is complete");
  g_assert_cmpuint (world->n_grown, >, 0);
}

static void
test_a_later_session_alone_does_not_end_it (World *world, gconstpointer data)
{
  write_at (world, 0, world->n_half, FALSE);
  open_trace (world, world->n_half);
  ns_follower_set_session (world->follower, world->session);
  g_assert_true (ns_follower_is_following (world->follower));
  ns_follower_set_session (world->follower, NULL);
  g_assert_false (ns_follower_is_following (world->follower));
  g_assert_false (ns_follower_can_follow (world->follower));
}

static void
test_is_told_of_a_file_that_changes (World *world, gconstpointer data)
{
  write_at (world, 0, world->size, TRUE);
  open_trace (world, world->size);
  /* The file is monitored once a worker thread has requested it. */
  let_time_pass ();
  g_assert_cmpuint (world->n_changed, ==, 0);
  write_at (world, 0, world->n_half, TRUE);
  wait_for (world, has_changed, "the change of the file is told");
  g_assert_cmpuint (world->n_gone, ==, 0);
  g_assert_cmpint (g_remove (world->path), ==, 0);
  wait_for (world, is_gone, "that the file is gone is told");
  g_assert_cmpuint (world->n_grown, ==, 0);
}

static void
test_growth_that_is_followed_is_no_change (World *world, gconstpointer data)
{
  write_at (world, 0, world->n_half, FALSE);
  open_trace (world, world->n_half);
  write_at (world, world->n_half, world->size - world->n_half, FALSE);
  wait_for (world, has_grown, "more is read");
  let_time_pass ();
  g_assert_cmpuint (world->n_changed, ==, 0);
}

static void
notify_cb (guint *n_notified)
{
  (*n_notified)++;
}

static void
test_tells_its_state (World *world, gconstpointer data)
{
  guint n_following = 0;
  guint n_paused = 0;

  write_at (world, 0, world->n_half, FALSE);
  g_signal_connect_swapped (world->follower,
                            "notify::following",
                            G_CALLBACK (notify_cb),
                            &n_following);
  g_signal_connect_swapped (world->follower, "notify::paused", G_CALLBACK (notify_cb), &n_paused);
  open_trace (world, world->n_half);
  g_assert_cmpuint (n_following, >, 0);
  n_following = n_paused = 0;
  g_object_set (world->follower, "paused", TRUE, NULL);
  g_assert_cmpuint (n_following, ==, 1);
  g_assert_cmpuint (n_paused, ==, 1);
  ns_follower_set_paused (world->follower, TRUE);
  g_assert_cmpuint (n_paused, ==, 1);
  g_signal_handlers_disconnect_by_data (world->follower, &n_following);
  g_signal_handlers_disconnect_by_data (world->follower, &n_paused);
}

int
main (int argc, char *argv[])
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "shows-what-is-written", test_shows_what_is_written },
    { "ends-when-the-trace-is-closed", test_ends_when_the_trace_is_closed },
    { "a-closed-trace-is-not-followed", test_a_closed_trace_is_not_followed },
    { "a-part-of-a-file-is-not-followed", test_a_part_of_a_file_is_not_followed },
    { "pauses", test_pauses },
    { "goes-on-after-it-has-grown", test_goes_on_after_it_has_grown },
    { "a-later-session-alone-does-not-end-it", test_a_later_session_alone_does_not_end_it },
    { "is-told-of-a-file-that-changes", test_is_told_of_a_file_that_changes },
    { "growth-that-is-followed-is-no-change", test_growth_that_is_followed_is_no_change },
    { "tells-its-state", test_tells_its_state },
  };
  guint i;

  g_test_init (&argc, &argv, NULL);
  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/follower/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
  return g_test_run ();
}
