/* Unit tests of the button that shows that a trace is followed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "ui/ns-follow-button.h"

#include <glib/gstdio.h>
#include <string.h>

/* Offset of the end time of a trace: buffer header, record header, 16 bytes into the payload. */
#define END_TIME_AT (72 + 32 + 16)
#define END_TIME_SIZE 8

typedef struct
{
  GtkWidget *window;
  NsFollowButton *button;
  NsFollower *follower;
  NsSession *session;
  char *path;
  gsize size;
} World;

/* Writes a trace that its session has not closed. */
static void
write_trace (World *world)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *data = NULL;
  int fd = g_file_open_tmp ("ns-follow-XXXXXX.etl", &world->path, &error);

  g_assert_no_error (error);
  g_assert_true (g_close (fd, NULL));
  g_file_get_contents (g_getenv ("NETSTITCH_SAMPLE"), &data, &world->size, &error);
  g_assert_no_error (error);
  memset (data + END_TIME_AT, 0, END_TIME_SIZE);
  g_file_set_contents (world->path, data, (gssize) world->size, &error);
  g_assert_no_error (error);
}

static void
set_up (World *world, gconstpointer data)
{
  const NsTraceOptions options = { .want_events = TRUE };
  g_autoptr (NsViewContext) view = ns_view_context_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = NULL;
  NsTrace *trace;

  write_trace (world);
  file = g_file_new_for_path (world->path);
  trace = ns_trace_open (world->path, &options, NULL, NULL, &error);
  g_assert_no_error (error);
  world->session = ns_session_new (trace, file);
  world->follower = ns_follower_new (view);
  ns_follower_set_session (world->follower, world->session);
  world->button = g_object_new (NS_TYPE_FOLLOW_BUTTON, "follower", world->follower, NULL);
  world->window =
      stage_show (GTK_WIDGET (world->button), ns_follow_button_get_actions (world->button));
}

static void
tear_down (World *world, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (world->window));
  ns_follower_set_session (world->follower, NULL);
  g_object_unref (world->follower);
  g_object_unref (world->session);
  g_remove (world->path);
  g_free (world->path);
}

static void
begin (World *world)
{
  ns_follower_begin (world->follower, world->size, 0);
}

static GAction *
get_action (World *world)
{
  return g_action_map_lookup_action (ns_follow_button_get_actions (world->button), "follow");
}

static gboolean
get_state (World *world)
{
  g_autoptr (GVariant) state = g_action_get_state (get_action (world));

  return g_variant_get_boolean (state);
}

static void
test_is_hidden_until_a_trace_is_followed (World *world, gconstpointer data)
{
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (world->button)));
  g_assert_false (g_action_get_enabled (get_action (world)));
  begin (world);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (world->button)));
  g_assert_true (g_action_get_enabled (get_action (world)));
  g_assert_true (get_state (world));
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (world->button)));
  ns_follower_stop (world->follower);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (world->button)));
  g_assert_false (g_action_get_enabled (get_action (world)));
  g_assert_false (get_state (world));
}

static void
test_pauses_and_goes_on (World *world, gconstpointer data)
{
  begin (world);
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (world->button)), ==, "Following");
  g_signal_emit_by_name (world->button, "clicked");
  g_assert_true (ns_follower_is_paused (world->follower));
  g_assert_false (ns_follower_is_following (world->follower));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (world->button)));
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (world->button)), ==, "Following · paused");
  g_assert_false (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (world->button)));
  stage_act (GTK_WIDGET (world->button), "follow", NULL);
  g_assert_true (ns_follower_is_following (world->follower));
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (world->button)), ==, "Following");
}

static void
test_shows_what_others_do (World *world, gconstpointer data)
{
  begin (world);
  ns_follower_set_paused (world->follower, TRUE);
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (world->button)), ==, "Following · paused");
  g_assert_false (get_state (world));
}

static void
test_tells_whether_it_is_seen (World *world, gconstpointer data)
{
  gboolean is_unseen = FALSE;

  /* The unseen property of the follower is reset once the button is realized. */
  ns_follower_set_unseen (world->follower, TRUE);
  begin (world);
  stage_wait ((StageCondition) gtk_widget_get_realized, world->button, "the button is there");
  g_object_get (world->follower, "unseen", &is_unseen, NULL);
  g_assert_false (is_unseen);
}

static void
test_lets_a_follower_go (World *world, gconstpointer data)
{
  begin (world);
  ns_follow_button_set_follower (world->button, NULL);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (world->button)));
  g_assert_true (ns_follower_is_following (world->follower));
  ns_follower_set_paused (world->follower, TRUE);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (world->button)));
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "is-hidden-until-a-trace-is-followed", test_is_hidden_until_a_trace_is_followed },
    { "pauses-and-goes-on", test_pauses_and_goes_on },
    { "shows-what-others-do", test_shows_what_others_do },
    { "tells-whether-it-is-seen", test_tells_whether_it_is_seen },
    { "lets-a-follower-go", test_lets_a_follower_go },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/follow-button/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
