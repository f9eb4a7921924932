/* Tests back and forward through the views of a session.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-conditions.h"
#include "model/ns-session-history.h"

typedef struct
{
  NsSession *session;
  NsSessionHistory *history;
  guint n_changes;
} World;

static NsSession *
session_new (void)
{
  const NsTraceOptions options = { .want_events = TRUE };
  g_autoptr (GError) error = NULL;
  NsTrace *trace = ns_trace_open (g_getenv ("NETSTITCH_SAMPLE"), &options, NULL, NULL, &error);

  g_assert_no_error (error);
  return ns_session_new (trace, NULL);
}

static void
changed_cb (World *world)
{
  world->n_changes++;
}

static void
set_up (World *world, gconstpointer data)
{
  world->session = session_new ();
  world->history = ns_session_history_new ();
  ns_session_history_set_session (world->history, world->session);
  g_signal_connect_swapped (world->history, "changed", G_CALLBACK (changed_cb), world);
}

static void
tear_down (World *world, gconstpointer data)
{
  g_object_unref (world->history);
  g_object_unref (world->session);
}

static void
go (World *world, const char *action)
{
  GActionMap *actions = ns_session_history_get_actions (world->history);

  g_action_group_activate_action (G_ACTION_GROUP (actions), action, NULL);
}

static void
set_filter (World *world, const char *text, NsConditionsChange how)
{
  NsTableId front = ns_session_get_front (world->session);
  g_autoptr (GError) error = NULL;

  g_assert_true (
      ns_filter_chips_set_text (ns_session_get_chips (world->session, front), text, NULL, &error));
  g_assert_true (ns_session_apply_conditions (world->session, front, how, &error));
  g_assert_no_error (error);
}

static const char *
get_filter (World *world)
{
  return ns_session_get_filter (world->session, NS_TABLE_ACTIVITIES);
}

static void
zoom (World *world, gint64 begin_ns, gint64 end_ns)
{
  ns_session_set_visible (world->session, (NsTimeSpan){ begin_ns, end_ns });
}

static void
test_goes_back_and_forward (World *world, gconstpointer data)
{
  gint64 end_ns = ns_session_get_whole (world->session).end_ns;

  g_assert_false (ns_session_history_can_go (world->history, -1));
  set_filter (world, "failed=true", NS_CONDITIONS_SET);
  zoom (world, 0, end_ns / 2);
  ns_session_show_table (world->session, NS_TABLE_EVENTS);
  go (world, "back");
  g_assert_cmpint (ns_session_get_visible (world->session).end_ns, ==, end_ns);
  g_assert_cmpint (ns_session_get_front (world->session), ==, NS_TABLE_ACTIVITIES);
  g_assert_cmpstr (get_filter (world), ==, "failed=true");
  go (world, "back");
  g_assert_cmpstr (get_filter (world), ==, "");
  g_assert_false (ns_session_history_can_go (world->history, -1));
  go (world, "forward");
  go (world, "forward");
  g_assert_cmpstr (get_filter (world), ==, "failed=true");
  g_assert_cmpint (ns_session_get_visible (world->session).end_ns, ==, end_ns / 2);
}

static void
test_switches_its_actions (World *world, gconstpointer data)
{
  GActionGroup *actions = G_ACTION_GROUP (ns_session_history_get_actions (world->history));

  g_assert_false (g_action_group_get_action_enabled (actions, "back"));
  set_filter (world, "failed=true", NS_CONDITIONS_SET);
  g_assert_cmpuint (world->n_changes, ==, 1);
  g_assert_true (g_action_group_get_action_enabled (actions, "back"));
  g_assert_false (g_action_group_get_action_enabled (actions, "forward"));
  go (world, "back");
  g_assert_false (g_action_group_get_action_enabled (actions, "back"));
  g_assert_true (g_action_group_get_action_enabled (actions, "forward"));
}

static void
test_typing_is_one_step (World *world, gconstpointer data)
{
  set_filter (world, "pid=1", NS_CONDITIONS_TYPED);
  set_filter (world, "pid=12", NS_CONDITIONS_TYPED);
  set_filter (world, "pid=123", NS_CONDITIONS_TYPED);
  go (world, "back");
  g_assert_cmpstr (get_filter (world), ==, "");
  g_assert_false (ns_session_history_can_go (world->history, -1));
}

/* A condition that is put belongs to the previous step and is undone with it. */
static void
test_what_is_put_is_no_step (World *world, gconstpointer data)
{
  set_filter (world, "failed=true", NS_CONDITIONS_SET);
  set_filter (world, "failed=true pid=4", NS_CONDITIONS_PUT);
  zoom (world, 0, 1000);
  go (world, "back");
  g_assert_cmpstr (get_filter (world), ==, "failed=true pid=4");
  go (world, "back");
  g_assert_cmpstr (get_filter (world), ==, "");
}

static void
test_a_pause_leaves_no_step (World *world, gconstpointer data)
{
  g_object_set (world->history, "paused", TRUE, NULL);
  zoom (world, 0, 1000);
  g_object_set (world->history, "paused", FALSE, NULL);
  g_assert_false (ns_session_history_can_go (world->history, -1));
  /* The zoom of the pause is known; another span is not another zoom. */
  ns_session_set_span (world->session, (NsTimeSpan){ 10, 20 });
  g_assert_true (ns_session_history_can_go (world->history, -1));
}

static void
test_another_session_begins_anew (World *world, gconstpointer data)
{
  g_autoptr (NsSession) other = session_new ();

  set_filter (world, "failed=true", NS_CONDITIONS_SET);
  ns_session_history_set_session (world->history, other);
  g_assert_false (ns_session_history_can_go (world->history, -1));
  /* The previous session is no longer watched. */
  set_filter (world, "", NS_CONDITIONS_SET);
  g_assert_false (ns_session_history_can_go (world->history, -1));
}

static void
test_a_later_reading_keeps_the_steps (World *world, gconstpointer data)
{
  g_autoptr (NsSession) later = session_new ();

  set_filter (world, "failed=true", NS_CONDITIONS_SET);
  ns_session_history_hold (world->history);
  ns_session_history_set_session (world->history, NULL);
  ns_session_set_filter (later, NS_TABLE_ACTIVITIES, "failed=true", NULL, NULL);
  ns_session_take_filters (later);
  ns_session_history_resume (world->history, later);
  g_assert_true (ns_session_history_can_go (world->history, -1));
  go (world, "back");
  g_assert_cmpstr (ns_session_get_filter (later, NS_TABLE_ACTIVITIES), ==, "");
  g_assert_cmpstr (get_filter (world), ==, "failed=true");
}

int
main (int argc, char *argv[])
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "goes-back-and-forward", test_goes_back_and_forward },
    { "switches-its-actions", test_switches_its_actions },
    { "typing-is-one-step", test_typing_is_one_step },
    { "what-is-put-is-no-step", test_what_is_put_is_no_step },
    { "a-pause-leaves-no-step", test_a_pause_leaves_no_step },
    { "another-session-begins-anew", test_another_session_begins_anew },
    { "a-later-reading-keeps-the-steps", test_a_later_reading_keeps_the_steps },
  };
  guint i;

  g_test_init (&argc, &argv, NULL);
  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/session-history/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
  return g_test_run ();
}
