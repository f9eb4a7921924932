/* Unit tests of the requirements of actions, without a window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stage.h"

#include "ui/ns-action-map.h"
#include "ui/ns-action-needs.h"

typedef struct
{
  NsSession *session;
  GSimpleActionGroup *actions;
} World;

static void
set_up (World *world, gconstpointer data)
{
  static const char *const names[] = { "reload",   "open-text", "copy",         "step-row",
                                       "zoom-row", "export",    "show-finding", "only-span",
                                       "cancel",   "back",      "group-move",   "zoom-whole" };
  guint i;

  world->session = stage_session_new ();
  world->actions = g_simple_action_group_new ();
  for (i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GSimpleAction) action = g_simple_action_new (names[i], NULL);

      g_action_map_add_action (G_ACTION_MAP (world->actions), G_ACTION (action));
    }
}

static void
tear_down (World *world, gconstpointer data)
{
  g_object_unref (world->actions);
  g_object_unref (world->session);
}

static gboolean
is_on (World *world, const char *name)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (world->actions), name);
}

static void
apply (World *world, guint more)
{
  ns_action_needs_apply (G_ACTION_MAP (world->actions),
                         (NsActionNeeds) (ns_action_needs_find (world->session) | more));
}

static void
test_needs_a_trace (World *world, gconstpointer data)
{
  ns_action_needs_apply (G_ACTION_MAP (world->actions), NS_NEEDS_FILE);
  g_assert_true (is_on (world, "reload"));
  g_assert_false (is_on (world, "open-text"));
  g_assert_false (is_on (world, "export"));
  g_assert_false (is_on (world, "step-row"));
  /* Opening another file is possible while a trace loads. */
  ns_action_needs_apply (G_ACTION_MAP (world->actions), NS_NEEDS_BUSY);
  g_assert_true (is_on (world, "cancel"));
  g_assert_false (is_on (world, "reload"));
  /* Without a trace these are disabled. */
  ns_action_needs_apply (G_ACTION_MAP (world->actions), NS_NEEDS_WHOLE);
  g_assert_false (is_on (world, "export"));
  apply (world, 0);
  g_assert_true (is_on (world, "step-row"));
  g_assert_false (is_on (world, "export"));
  apply (world, NS_NEEDS_WHOLE);
  g_assert_true (is_on (world, "export"));
}

static void
test_needs_a_row (World *world, gconstpointer data)
{
  guint32 row = 3;

  apply (world, 0);
  g_assert_false (is_on (world, "copy"));
  g_assert_false (is_on (world, "zoom-row"));
  ns_session_select (world->session, NS_TABLE_ACTIVITIES, &row, 1);
  apply (world, 0);
  g_assert_true (is_on (world, "copy"));
  g_assert_true (is_on (world, "zoom-row"));
  g_assert_false (is_on (world, "show-finding"));
}

static void
test_needs_a_span (World *world, gconstpointer data)
{
  NsTimeSpan span = { 1000, 5000 };

  apply (world, 0);
  g_assert_false (is_on (world, "only-span"));
  g_assert_false (is_on (world, "zoom-whole"));
  ns_session_set_span (world->session, span);
  ns_session_set_visible (world->session, span);
  apply (world, 0);
  g_assert_true (is_on (world, "only-span"));
  g_assert_true (is_on (world, "zoom-whole"));
}

static void
test_needs_groups (World *world, gconstpointer data)
{
  apply (world, 0);
  g_assert_false (is_on (world, "group-move"));
  ns_session_group_by (world->session, NS_TABLE_ACTIVITIES, "process");
  apply (world, 0);
  g_assert_true (is_on (world, "group-move"));
}

static void
test_is_told_of_the_rest (World *world, gconstpointer data)
{
  apply (world, 0);
  g_assert_false (is_on (world, "back"));
  apply (world, NS_NEEDS_BACK);
  g_assert_true (is_on (world, "back"));
}

/* Actions of a child widget are those of its parent, too. A read-only state ignores requests to
 * change it. */
static void
test_takes_actions (World *world, gconstpointer data)
{
  g_autoptr (GSimpleActionGroup) whole = g_simple_action_group_new ();
  g_autoptr (GVariant) state = NULL;

  ns_action_map_take (G_ACTION_MAP (whole), G_ACTION_MAP (world->actions));
  g_assert_true (g_action_map_lookup_action (G_ACTION_MAP (whole), "copy") ==
                 g_action_map_lookup_action (G_ACTION_MAP (world->actions), "copy"));
  ns_action_map_set_enabled (G_ACTION_MAP (whole), "copy", FALSE);
  g_assert_false (is_on (world, "copy"));
  ns_action_map_add_state (G_ACTION_MAP (whole), "busy", g_variant_new_boolean (FALSE));
  g_action_group_change_action_state (G_ACTION_GROUP (whole), "busy", g_variant_new_boolean (TRUE));
  state = g_action_group_get_action_state (G_ACTION_GROUP (whole), "busy");
  g_assert_false (g_variant_get_boolean (state));
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (whole), "busy"));
  g_clear_pointer (&state, g_variant_unref);
  ns_action_map_set_state (G_ACTION_MAP (whole), "busy", g_variant_new_boolean (TRUE));
  state = g_action_group_get_action_state (G_ACTION_GROUP (whole), "busy");
  g_assert_true (g_variant_get_boolean (state));
}

static void
add_tests (void)
{
  static const struct
  {
    const char *name;
    void (*test) (World *world, gconstpointer data);
  } tests[] = {
    { "needs-a-trace", test_needs_a_trace },
    { "needs-a-row", test_needs_a_row },
    { "needs-a-span", test_needs_a_span },
    { "needs-groups", test_needs_groups },
    { "is-told-of-the-rest", test_is_told_of_the_rest },
    { "takes-actions", test_takes_actions },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/action-needs/", tests[i].name, NULL);

      g_test_add (path, World, NULL, set_up, tests[i].test, tear_down);
    }
}

int
main (int argc, char *argv[])
{
  return stage_run (argc, argv, add_tests);
}
