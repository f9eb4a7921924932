/* Unit tests of the playback bar.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "model/ns-session-moment.h"
#include "ui/ns-playback-bar.h"

#include <string.h>

typedef struct
{
  GtkWidget *window;
  NsPlaybackBar *bar;
  NsSession *session;
  char *message;
  guint n_limited;
} World;

static void
message_cb (World *world, const char *text)
{
  g_free (world->message);
  world->message = g_strdup (text);
}

static void
limited_cb (World *world)
{
  world->n_limited++;
}

static void
set_up (World *world, gconstpointer data)
{
  world->session = stage_session_new ();
  world->bar = g_object_new (NS_TYPE_PLAYBACK_BAR, "session", world->session, NULL);
  g_signal_connect_swapped (world->bar, "message", G_CALLBACK (message_cb), world);
  g_signal_connect_swapped (world->bar, "limited", G_CALLBACK (limited_cb), world);
  world->window = stage_show (GTK_WIDGET (world->bar), ns_playback_bar_get_actions (world->bar));
}

static void
tear_down (World *world, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (world->window));
  g_object_unref (world->session);
  g_free (world->message);
}

static void
act (World *world, const char *action, GVariant *parameter)
{
  stage_act (GTK_WIDGET (world->bar), action, parameter);
}

static gboolean
is_idle (gpointer data)
{
  World *world = data;

  return !ns_session_is_busy (world->session, NS_TABLE_ACTIVITIES);
}

static void
test_is_hidden_until_it_plays (World *world, gconstpointer data)
{
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (world->bar)));
  act (world, "play-step", g_variant_new_int32 (1));
  g_assert_cmpint (ns_session_get_moment (world->session), ==, G_MAXINT64);
  act (world, "playback", NULL);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (world->bar)));
  g_assert_true (ns_playback_bar_is_active (world->bar));
  g_assert_cmpint (ns_session_get_moment (world->session), ==, 0);
  act (world, "playback", NULL);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (world->bar)));
  g_assert_cmpint (ns_session_get_moment (world->session), ==, G_MAXINT64);
}

static void
test_shows_what_had_begun (World *world, gconstpointer data)
{
  guint n_all = ns_session_count_rows (world->session, NS_TABLE_ACTIVITIES);
  GtkWidget *place = stage_find (GTK_WIDGET (world->bar), GTK_TYPE_SCALE, NULL);
  GtkWidget *time = gtk_widget_get_next_sibling (place);
  guint n_first;

  act (world, "playback", NULL);
  stage_wait (is_idle, world, "the rows of the first moment");
  n_first = ns_session_count_rows (world->session, NS_TABLE_ACTIVITIES);
  g_assert_cmpuint (n_first, <, n_all);
  g_assert_cmpuint (world->n_limited, >, 0);
  g_assert_cmpint (ns_playback_bar_get_count_state (world->bar, NS_TABLE_ACTIVITIES),
                   ==,
                   NS_COUNT_STATE_KNOWN);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (time)), ==, "0.000000 s");
  act (world, "play-at", g_variant_new_int64 (G_MAXINT64 / 2));
  stage_wait (is_idle, world, "the rows of the last moment");
  g_assert_cmpuint (ns_session_count_rows (world->session, NS_TABLE_ACTIVITIES), ==, n_all);
  g_assert_cmpfloat (gtk_range_get_value (GTK_RANGE (place)), >, 0);
}

static void
test_keeps_the_filter_of_the_user (World *world, gconstpointer data)
{
  NsFilterChips *chips = ns_session_get_chips (world->session, NS_TABLE_ACTIVITIES);

  g_assert_true (ns_filter_chips_set_text (chips, "failed=true", NULL, NULL));
  act (world, "playback", NULL);
  g_assert_nonnull (
      strstr (ns_session_get_filter (world->session, NS_TABLE_ACTIVITIES), "failed=true"));
  g_assert_cmpstr (ns_session_get_filter (world->session, NS_TABLE_ACTIVITIES), !=, "failed=true");
  act (world, "playback", NULL);
  g_assert_cmpstr (ns_session_get_filter (world->session, NS_TABLE_ACTIVITIES), ==, "failed=true");
}

static void
test_steps_from_event_to_event (World *world, gconstpointer data)
{
  gint64 first_ns;

  act (world, "playback", NULL);
  act (world, "play-step", g_variant_new_int32 (1));
  act (world, "play-step", g_variant_new_int32 (1));
  first_ns = ns_session_get_moment (world->session);
  g_assert_cmpint (first_ns, >, 0);
  act (world, "play-step", g_variant_new_int32 (1));
  g_assert_cmpint (ns_session_get_moment (world->session), >, first_ns);
  g_assert_null (world->message);
  act (world, "play-at", g_variant_new_int64 (0));
  act (world, "play-step", g_variant_new_int32 (-1));
  act (world, "play-step", g_variant_new_int32 (-1));
  g_assert_cmpstr (world->message, ==, "No more events in that direction");
}

static void
test_turns_the_view (World *world, gconstpointer data)
{
  NsTimeSpan whole = ns_session_get_whole (world->session);
  NsTimeSpan first = { whole.begin_ns, whole.begin_ns + (whole.end_ns - whole.begin_ns) / 10 };

  ns_session_set_visible (world->session, first);
  act (world, "playback", NULL);
  g_assert_cmpint (ns_session_get_visible (world->session).begin_ns, ==, first.begin_ns);
  act (world, "play-at", g_variant_new_int64 (whole.end_ns / 2));
  g_assert_cmpint (ns_session_get_visible (world->session).begin_ns, >, first.end_ns);
  g_assert_cmpint (ns_session_get_visible (world->session).begin_ns, <=, whole.end_ns / 2);
}

static void
test_says_its_speed (World *world, gconstpointer data)
{
  GtkWidget *speed = stage_find (GTK_WIDGET (world->bar), GTK_TYPE_MENU_BUTTON, NULL);

  g_assert_cmpstr (gtk_menu_button_get_label (GTK_MENU_BUTTON (speed)), ==, "× 1");
  act (world, "play-speed", g_variant_new_string ("100"));
  g_assert_cmpstr (gtk_menu_button_get_label (GTK_MENU_BUTTON (speed)), ==, "× 100");
  gtk_test_accessible_assert_property (speed, GTK_ACCESSIBLE_PROPERTY_LABEL, "Speed × 100");
  act (world, "playback", NULL);
  act (world, "playback", NULL);
  g_assert_cmpstr (gtk_menu_button_get_label (GTK_MENU_BUTTON (speed)), ==, "× 100");
}

static gboolean
has_moved (gpointer data)
{
  World *world = data;

  return ns_session_get_moment (world->session) > 0;
}

static void
test_goes_on_in_a_later_reading (World *world, gconstpointer data)
{
  g_autoptr (NsSession) before = g_object_ref (world->session);

  act (world, "playback", NULL);
  act (world, "play-at", g_variant_new_int64 (1000000));
  ns_playback_bar_begin_reload (world->bar);
  ns_playback_bar_set_session (world->bar, NULL);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (world->bar)));
  g_assert_cmpint (ns_session_get_moment (before), ==, G_MAXINT64);
  g_set_object (&world->session, NULL);
  world->session = stage_session_new ();
  ns_playback_bar_set_session (world->bar, world->session);
  ns_playback_bar_resume (world->bar);
  g_assert_cmpint (ns_session_get_moment (world->session), ==, 1000000);
  act (world, "play-at", g_variant_new_int64 (0));
  act (world, "play", NULL);
  stage_wait (has_moved, world, "the moment goes by itself");
}

static void
test_a_session_without_playback_is_let_go (World *world, gconstpointer data)
{
  act (world, "playback", NULL);
  ns_playback_bar_set_session (world->bar, NULL);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (world->bar)));
  g_assert_cmpint (ns_session_get_moment (world->session), ==, G_MAXINT64);
  g_assert_false (ns_playback_bar_is_active (world->bar));
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "is-hidden-until-it-plays", test_is_hidden_until_it_plays },
    { "shows-what-had-begun", test_shows_what_had_begun },
    { "keeps-the-filter-of-the-user", test_keeps_the_filter_of_the_user },
    { "steps-from-event-to-event", test_steps_from_event_to_event },
    { "turns-the-view", test_turns_the_view },
    { "says-its-speed", test_says_its_speed },
    { "goes-on-in-a-later-reading", test_goes_on_in_a_later_reading },
    { "a-session-without-playback-is-let-go", test_a_session_without_playback_is_let_go },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/playback-bar/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
