/* Unit tests of the timeline with the widgets below it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "model/ns-session-findings.h"
#include "model/ns-session-moment.h"
#include "ui/timeline/ns-timeline-pane.h"

typedef struct
{
  GtkWidget *window;
  NsTimelinePane *pane;
  NsSession *session;
  guint n_changed;
} World;

static void
changed_cb (World *world)
{
  world->n_changed++;
}

static gboolean
is_sorted (gpointer data)
{
  NsTimeline *timeline = ns_timeline_pane_get_timeline (data);

  return gtk_widget_get_width (GTK_WIDGET (timeline)) > 0 && ns_timeline_is_sorted (timeline);
}

static void
set_up (World *world, gconstpointer data)
{
  world->session = stage_session_new ();
  world->pane = g_object_new (NS_TYPE_TIMELINE_PANE, NULL);
  g_signal_connect_swapped (world->pane, "changed", G_CALLBACK (changed_cb), world);
  ns_timeline_pane_set_session (world->pane, world->session);
  world->window = stage_show (GTK_WIDGET (world->pane), ns_timeline_pane_get_actions (world->pane));
  gtk_window_set_default_size (GTK_WINDOW (world->window), 900, 500);
  stage_wait (is_sorted, world->pane, "all rows are in their lanes");
}

static void
tear_down (World *world, gconstpointer data)
{
  ns_timeline_pane_set_session (world->pane, NULL);
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_object_unref (world->session);
}

static GtkWidget *
find_hidden (World *world)
{
  return stage_find_button (GTK_WIDGET (world->pane), "Show hidden lanes (Shift+H)");
}

static gboolean
has_hidden (gpointer data)
{
  return gtk_widget_get_visible (find_hidden (data));
}

static gboolean
has_none_hidden (gpointer data)
{
  return !gtk_widget_get_visible (find_hidden (data));
}

static gboolean
is_on (World *world, const char *name)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (
                                                ns_timeline_pane_get_actions (world->pane)),
                                            name);
}

static void
test_tells_of_hidden_lanes (World *world, gconstpointer data)
{
  guint n_before;

  g_assert_false (has_hidden (world));
  stage_act (world->window, "next-bar", NULL);
  n_before = world->n_changed;
  stage_act (world->window, "hide-lane", NULL);
  stage_wait (has_hidden, world, "a lane is hidden");
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (find_hidden (world))),
                   ==,
                   "1 lane hidden · Show");
  g_assert_cmpuint (world->n_changed, >, n_before);
  ns_timeline_pane_update (world->pane, TRUE);
  g_assert_true (is_on (world, "show-lanes"));
  stage_act (world->window, "show-lanes", NULL);
  stage_wait (has_none_hidden, world, "no lane is hidden");
}

/* Playback follows the session and ends with it. */
static void
test_plays_back (World *world, gconstpointer data)
{
  NsPlaybackBar *bar = ns_timeline_pane_get_playback_bar (world->pane);

  g_assert_false (ns_playback_bar_is_active (bar));
  stage_act (world->window, "playback", NULL);
  g_assert_true (ns_playback_bar_is_active (bar));
  ns_timeline_pane_set_session (world->pane, NULL);
  g_assert_false (ns_playback_bar_is_active (bar));
}

static gboolean
has_findings (gpointer data)
{
  World *world = data;

  return ns_session_count_all (world->session, NS_TABLE_FINDINGS) > 0;
}

static void
test_shows_the_selected_finding (World *world, gconstpointer data)
{
  GtkWidget *line = GTK_WIDGET (ns_timeline_pane_get_finding_line (world->pane));
  GtkWidget *button = stage_find (line, GTK_TYPE_BUTTON, NULL);
  guint32 row = 0;

  g_assert_false (gtk_widget_get_visible (button));
  ns_session_look_for_findings (world->session);
  stage_wait (has_findings, world, "findings are known");
  ns_session_set_front (world->session, NS_TABLE_FINDINGS);
  ns_session_select (world->session, NS_TABLE_FINDINGS, &row, 1);
  g_assert_true (gtk_widget_get_visible (button));
}

static void
test_takes_other_lanes (World *world, gconstpointer data)
{
  GtkWidget *lanes = gtk_label_new ("lanes");
  GtkWidget *timeline = GTK_WIDGET (ns_timeline_pane_get_timeline (world->pane));

  ns_timeline_pane_add_lanes (world->pane, lanes);
  g_assert_true (gtk_widget_get_parent (lanes) == GTK_WIDGET (world->pane));
  g_assert_true (gtk_widget_get_prev_sibling (lanes) == gtk_widget_get_parent (timeline));
  g_assert_cmpint (gtk_widget_get_margin_end (lanes),
                   ==,
                   gtk_widget_get_width (
                       stage_find (GTK_WIDGET (world->pane), GTK_TYPE_SCROLLBAR, NULL)));
}

static void
test_is_off_without_a_session (World *world, gconstpointer data)
{
  g_assert_true (is_on (world, "zoom-in"));
  ns_timeline_pane_set_session (world->pane, NULL);
  g_assert_false (is_on (world, "zoom-in"));
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "tells-of-hidden-lanes", test_tells_of_hidden_lanes },
    { "plays-back", test_plays_back },
    { "shows-the-selected-finding", test_shows_the_selected_finding },
    { "takes-other-lanes", test_takes_other_lanes },
    { "is-off-without-a-session", test_is_off_without_a_session },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/timeline-pane/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
