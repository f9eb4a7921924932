/* Tests opening a trace: one at a time, and every outcome.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-opening.h"

typedef struct
{
  NsOpening *opening;
  GString *told;     /* emitted signals, in order */
  guint n_rows;      /* number of loaded rows */
  gboolean was_busy; /* busy when the result was signalled */
} World;

static void
loaded_cb (World *world, NsTrace *trace, gboolean had_part, gint64 modified_us)
{
  g_assert_false (had_part);
  g_assert_cmpint (modified_us, >, 0);
  g_string_append (world->told, "loaded;");
  world->n_rows = trace->activities->len;
  world->was_busy = ns_opening_is_busy (world->opening);
}

static void
stopped_cb (World *world)
{
  g_string_append (world->told, "stopped;");
  world->was_busy = ns_opening_is_busy (world->opening);
}

static void
failed_cb (World *world, const GError *error)
{
  g_assert_true (error->domain == NS_TRACE_ERROR);
  g_string_append (world->told, "failed;");
}

static void
mount_failed_cb (World *world, const GError *error)
{
  g_assert_nonnull (error);
  g_string_append (world->told, "mount-failed;");
}

static void
busy_cb (World *world)
{
  g_string_append (world->told, ns_opening_is_busy (world->opening) ? "busy;" : "idle;");
}

static void
progress_cb (World *world, NsTraceLoader *loader)
{
  g_assert_true (ns_opening_is_busy (world->opening));
  g_assert_cmpfloat (ns_trace_loader_get_fraction (loader), <=, 1);
}

static void
set_up (World *world, gconstpointer data)
{
  static const struct
  {
    const char *signal;
    GCallback callback;
  } connections[] = {
    { "loaded", G_CALLBACK (loaded_cb) },     { "stopped", G_CALLBACK (stopped_cb) },
    { "failed", G_CALLBACK (failed_cb) },     { "mount-failed", G_CALLBACK (mount_failed_cb) },
    { "notify::busy", G_CALLBACK (busy_cb) }, { "progress", G_CALLBACK (progress_cb) },
  };
  guint i;

  world->told = g_string_new (NULL);
  world->opening = ns_opening_new ();
  for (i = 0; i < G_N_ELEMENTS (connections); i++)
    g_signal_connect_swapped (world->opening,
                              connections[i].signal,
                              connections[i].callback,
                              world);
}

static void
tear_down (World *world, gconstpointer data)
{
  g_object_unref (world->opening);
  g_string_free (world->told, TRUE);
}

static void
begin (World *world, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (NsTraceLoader) loader = ns_trace_loader_new (file);

  ns_opening_begin (world->opening, loader);
}

static void
wait_until_idle (World *world)
{
  while (ns_opening_is_busy (world->opening))
    g_main_context_iteration (NULL, TRUE);
}

static void
test_loads_a_trace (World *world, gconstpointer data)
{
  g_assert_false (ns_opening_is_busy (world->opening));
  begin (world, g_getenv ("NETSTITCH_SAMPLE"));
  g_assert_true (ns_opening_is_busy (world->opening));
  wait_until_idle (world);
  g_assert_cmpstr (world->told->str, ==, "busy;idle;loaded;");
  g_assert_cmpuint (world->n_rows, ==, 27);
  g_assert_false (world->was_busy);
  g_assert_false (ns_opening_has_part (world->opening));
}

static void
test_says_why_it_failed (World *world, gconstpointer data)
{
  begin (world, "/nothing/here.etl");
  wait_until_idle (world);
  g_assert_cmpstr (world->told->str, ==, "busy;idle;failed;");
}

static void
test_stops (World *world, gconstpointer data)
{
  begin (world, g_getenv ("NETSTITCH_SAMPLE"));
  ns_opening_cancel (world->opening);
  g_assert_true (ns_opening_is_busy (world->opening));
  g_assert_true (ns_opening_is_cancelled (world->opening));
  wait_until_idle (world);
  g_assert_cmpstr (world->told->str, ==, "busy;idle;stopped;");
  g_assert_false (world->was_busy);
  g_assert_false (ns_opening_is_cancelled (world->opening));
}

/* Only the second result is signalled, and the opening stays busy in between. */
static void
test_another_one_takes_its_place (World *world, gconstpointer data)
{
  begin (world, "/nothing/here.etl");
  begin (world, g_getenv ("NETSTITCH_SAMPLE"));
  wait_until_idle (world);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpstr (world->told->str, ==, "busy;idle;loaded;");
}

/* A local file has no mount. */
static void
test_says_why_a_place_is_not_there (World *world, gconstpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_getenv ("NETSTITCH_SAMPLE"));
  g_autoptr (GMountOperation) operation = g_mount_operation_new ();

  ns_opening_mount (world->opening, file, operation);
  g_assert_true (ns_opening_is_busy (world->opening));
  wait_until_idle (world);
  g_assert_cmpstr (world->told->str, ==, "busy;idle;mount-failed;");
}

int
main (int argc, char *argv[])
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "loads-a-trace", test_loads_a_trace },
    { "says-why-it-failed", test_says_why_it_failed },
    { "stops", test_stops },
    { "another-one-takes-its-place", test_another_one_takes_its_place },
    { "says-why-a-place-is-not-there", test_says_why_a_place_is_not_there },
  };
  guint i;

  g_test_init (&argc, &argv, NULL);
  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/opening/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
  return g_test_run ();
}
