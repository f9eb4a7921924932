/* Unit tests of the timeline's actions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "ui/timeline/ns-timeline-actions.h"

#include <string.h>

typedef struct
{
  GtkWidget *window;
  GtkWidget *timeline;
  NsTimelineActions *actions;
  NsSession *session;
} World;

static gboolean
is_sorted (gpointer data)
{
  return gtk_widget_get_width (data) > 0 && ns_timeline_is_sorted (NS_TIMELINE (data));
}

static void
set_up (World *world, gconstpointer data)
{
  world->session = stage_session_new ();
  world->timeline = g_object_new (NS_TYPE_TIMELINE, NULL);
  world->actions = ns_timeline_actions_new (NS_TIMELINE (world->timeline));
  ns_timeline_set_session (NS_TIMELINE (world->timeline), world->session);
  ns_timeline_actions_set_session (world->actions, world->session);
  world->window = stage_show (world->timeline, ns_timeline_actions_get_actions (world->actions));
  gtk_window_set_default_size (GTK_WINDOW (world->window), 900, 500);
  stage_wait (is_sorted, world->timeline, "all rows are in their lanes");
}

static void
tear_down (World *world, gconstpointer data)
{
  ns_timeline_set_session (NS_TIMELINE (world->timeline), NULL);
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_object_unref (world->actions);
  g_object_unref (world->session);
}

static void
act (World *world, const char *action, GVariant *parameter)
{
  stage_act (world->window, action, parameter);
}

static gint64
get_length (World *world)
{
  NsTimeSpan visible = ns_session_get_visible (world->session);

  return visible.end_ns - visible.begin_ns;
}

static void
test_zooms (World *world, gconstpointer data)
{
  gint64 whole = get_length (world);

  act (world, "zoom-in", NULL);
  g_assert_cmpint (get_length (world), <, whole);
  act (world, "zoom-whole", NULL);
  g_assert_cmpint (get_length (world), ==, whole);
  act (world, "zoom-span", g_variant_new ("(xx)", (gint64) 1000, (gint64) 5000));
  g_assert_cmpint (ns_session_get_visible (world->session).begin_ns, ==, 1000);
  /* An empty span is ignored. */
  act (world, "zoom-span", g_variant_new ("(xx)", (gint64) 9000, (gint64) 9000));
  g_assert_cmpint (get_length (world), ==, 4000);
}

static void
test_filters_by_a_span (World *world, gconstpointer data)
{
  ns_session_set_front (world->session, NS_TABLE_EVENTS);
  act (world, "only-span", NULL);
  g_assert_cmpint (ns_session_get_front (world->session), ==, NS_TABLE_EVENTS);
  act (world,
       "select-span",
       g_variant_new ("(xx)", NS_PER_SECOND / (gint64) 10, NS_PER_SECOND / (gint64) 2));
  act (world, "only-span", NULL);
  g_assert_cmpint (ns_session_get_front (world->session), ==, NS_TABLE_ACTIVITIES);
  g_assert_true (g_str_has_prefix (ns_session_get_filter (world->session, NS_TABLE_ACTIVITIES),
                                   "open_ns=0.1"));
}

static void
test_filters_by_a_lane (World *world, gconstpointer data)
{
  g_autofree char *condition = NULL;
  g_autofree char *without = NULL;

  act (world, "next-bar", NULL);
  condition = ns_timeline_dup_lane_filter (NS_TIMELINE (world->timeline));
  g_assert_nonnull (condition);
  act (world, "without-lane", NULL);
  without = g_strconcat ("-", condition, NULL);
  g_assert_cmpstr (ns_session_get_filter (world->session, NS_TABLE_ACTIVITIES), ==, without);
}

static void
test_centres_a_row (World *world, gconstpointer data)
{
  NsTimeSpan visible = { NS_PER_SECOND / 10, NS_PER_SECOND / 5 };
  NsTimeSpan after;
  NsTimeSpan span;
  guint32 row = 3;

  ns_session_select (world->session, NS_TABLE_ACTIVITIES, &row, 1);
  ns_session_set_visible (world->session, visible);
  act (world, "centre-row", NULL);
  after = ns_session_get_visible (world->session);
  g_assert_true (ns_session_get_row_span (world->session, NS_TABLE_ACTIVITIES, row, &span));
  g_assert_cmpint (after.end_ns - after.begin_ns, ==, visible.end_ns - visible.begin_ns);
  g_assert_cmpint (after.begin_ns, <=, (span.begin_ns + span.end_ns) / 2);
  g_assert_cmpint (after.end_ns, >=, (span.begin_ns + span.end_ns) / 2);
}

static gboolean
can_show_lanes (gpointer data)
{
  World *world = data;

  ns_timeline_actions_update (world->actions, TRUE);
  return g_action_group_get_action_enabled (G_ACTION_GROUP (
                                                ns_timeline_actions_get_actions (world->actions)),
                                            "show-lanes");
}

/* A hidden lane can be shown again, and a bookmark that was set can be visited. */
static void
test_tells_what_there_is (World *world, gconstpointer data)
{
  GActionGroup *group = G_ACTION_GROUP (ns_timeline_actions_get_actions (world->actions));
  g_autoptr (GVariant) by = NULL;

  g_assert_false (g_action_group_get_action_enabled (group, "show-lanes"));
  g_assert_false (g_action_group_get_action_enabled (group, "next-bookmark"));
  act (world, "next-bar", NULL);
  act (world, "hide-lane", NULL);
  stage_wait (can_show_lanes, world, "the lane is hidden");
  act (world, "bookmark", NULL);
  g_action_group_change_action_state (group, "lanes-by", g_variant_new_string ("server"));
  ns_timeline_actions_update (world->actions, TRUE);
  g_assert_true (g_action_group_get_action_enabled (group, "next-bookmark"));
  by = g_action_group_get_action_state (group, "lanes-by");
  g_assert_cmpstr (g_variant_get_string (by, NULL), ==, "server");
  g_assert_cmpstr (ns_timeline_get_grouping (NS_TIMELINE (world->timeline)), ==, "server");
}

static void
test_is_off_without_a_session (World *world, gconstpointer data)
{
  GActionGroup *group = G_ACTION_GROUP (ns_timeline_actions_get_actions (world->actions));
  g_auto (GStrv) names = g_action_group_list_actions (group);
  guint i;

  g_assert_true (g_action_group_get_action_enabled (group, "zoom-in"));
  ns_timeline_actions_set_session (world->actions, NULL);
  for (i = 0; names[i] != NULL; i++)
    g_assert_false (g_action_group_get_action_enabled (group, names[i]));
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "zooms", test_zooms },
    { "filters-by-a-span", test_filters_by_a_span },
    { "filters-by-a-lane", test_filters_by_a_lane },
    { "centres-a-row", test_centres_a_row },
    { "tells-what-there-is", test_tells_what_there_is },
    { "is-off-without-a-session", test_is_off_without_a_session },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/timeline-actions/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
