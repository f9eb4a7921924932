/* Unit tests of saving and restoring the view of a trace, without the window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "ui/ns-view-memory.h"

typedef struct
{
  GtkWidget *window;
  NsTimeline *timeline;
  NsTraceTabs *tabs;
  NsViewMemory *memory;
  NsSession *session;
} World;

static void
open_trace (World *world, gboolean is_part)
{
  ns_view_memory_release (world->memory);
  g_clear_object (&world->session);
  world->session = stage_session_new ();
  ns_timeline_set_session (world->timeline, world->session);
  ns_trace_tabs_set_session (world->tabs, world->session, NS_TABS_NEW);
  ns_view_memory_begin (world->memory, world->session, is_part);
  ns_view_memory_restore (world->memory);
}

static void
set_up (World *world, gconstpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  world->timeline = g_object_new (NS_TYPE_TIMELINE, NULL);
  world->tabs = g_object_new (NS_TYPE_TRACE_TABS, NULL);
  world->memory = ns_view_memory_new (world->timeline, world->tabs);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (world->timeline));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (world->tabs));
  world->window = stage_show (box, NULL);
  open_trace (world, FALSE);
  /* Removes the files of other tests. */
  ns_view_memory_reset (world->memory);
}

static void
tear_down (World *world, gconstpointer data)
{
  ns_timeline_set_session (world->timeline, NULL);
  ns_trace_tabs_set_session (world->tabs, NULL, NS_TABS_NEW);
  g_object_unref (world->memory);
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_object_unref (world->session);
}

static void
choose (World *world)
{
  NsTimeSpan span = { NS_PER_SECOND, 2 * NS_PER_SECOND };
  guint32 row = 3;

  g_assert_true (
      ns_session_set_filter (world->session, NS_TABLE_ACTIVITIES, "process:outlook", NULL, NULL));
  ns_session_select (world->session, NS_TABLE_ACTIVITIES, &row, 1);
  ns_session_set_visible (world->session, span);
  ns_session_set_wall (world->session, NS_WALL_UTC);
}

static void
check_first_view (World *world)
{
  g_assert_cmpstr (ns_session_get_filter (world->session, NS_TABLE_ACTIVITIES), ==, "");
  g_assert_cmpuint (ns_session_get_selected (world->session)->len, ==, 0);
  g_assert_cmpint (ns_session_get_visible (world->session).begin_ns,
                   ==,
                   ns_session_get_whole (world->session).begin_ns);
  g_assert_cmpint (ns_session_get_wall (world->session), ==, NS_WALL_TRACE);
}

static void
test_comes_back_with_the_trace (World *world, gconstpointer data)
{
  choose (world);
  ns_view_memory_save (world->memory);
  open_trace (world, FALSE);
  g_assert_cmpstr (ns_session_get_filter (world->session, NS_TABLE_ACTIVITIES),
                   ==,
                   "process:outlook");
  g_assert_cmpuint (ns_session_get_selected (world->session)->len, ==, 1);
  g_assert_cmpint (ns_session_get_visible (world->session).begin_ns, ==, NS_PER_SECOND);
  g_assert_cmpint (ns_session_get_wall (world->session), ==, NS_WALL_UTC);
}

static void
test_is_made_for_others (World *world, gconstpointer data)
{
  g_autoptr (GVariant) view = NULL;
  const char *table = NULL;
  const char *clock = NULL;

  choose (world);
  view = g_variant_ref_sink (ns_view_memory_make (world->memory));
  g_assert_true (g_variant_lookup (view, "table", "&s", &table));
  g_assert_cmpstr (table, ==, "activities");
  g_assert_true (g_variant_lookup (view, "clock", "&s", &clock));
  g_assert_cmpstr (clock, ==, ns_wall_get_name (NS_WALL_UTC));
}

static void
test_can_be_reset (World *world, gconstpointer data)
{
  choose (world);
  ns_view_memory_save (world->memory);
  ns_view_memory_reset (world->memory);
  check_first_view (world);
  open_trace (world, FALSE);
  check_first_view (world);
}

/* A partly loaded trace has no view of its own, and a view is written only when the trace is
 * left. */
static void
test_is_not_written_of_a_part (World *world, gconstpointer data)
{
  open_trace (world, TRUE);
  choose (world);
  ns_view_memory_save (world->memory);
  open_trace (world, FALSE);
  check_first_view (world);
  choose (world);
  ns_view_memory_release (world->memory);
  ns_view_memory_save (world->memory);
  open_trace (world, FALSE);
  check_first_view (world);
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "comes-back-with-the-trace", test_comes_back_with_the_trace },
    { "is-made-for-others", test_is_made_for_others },
    { "can-be-reset", test_can_be_reset },
    { "is-not-written-of-a-part", test_is_not_written_of_a_part },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/view-memory/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  g_autofree char *room = g_dir_make_tmp ("netstitch-view-XXXXXX", NULL);

  /* Protects the saved views of the user who runs the test. */
  g_setenv ("XDG_DATA_HOME", room, TRUE);
  g_setenv ("XDG_CONFIG_HOME", room, TRUE);
  g_setenv ("XDG_STATE_HOME", room, TRUE);
  g_setenv ("XDG_CACHE_HOME", room, TRUE);
  return stage_run (argc, argv, add_tests);
}
