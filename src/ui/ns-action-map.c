/* What the parts of the window do with their actions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-action-map.h"

/**
 * ns_action_map_take:
 * @map: actions of a window, or of a part with parts of its own
 * @part: actions of one of its parts
 *
 * Has the actions of @part be in @map, too.
 */
void
ns_action_map_take (GActionMap *map, GActionMap *part)
{
  g_auto (GStrv) names = g_action_group_list_actions (G_ACTION_GROUP (part));
  guint i;

  for (i = 0; names[i] != NULL; i++)
    g_action_map_add_action (map, g_action_map_lookup_action (part, names[i]));
}

/* What others ask the state to be is ignored. */
static void
leave_state_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
}

/**
 * ns_action_map_add_state:
 * @map: actions
 * @name: of a new one
 * @state: (transfer floating): its first state
 *
 * Adds an action that nobody can activate, and whose state others can read but not change.
 */
void
ns_action_map_add_state (GActionMap *map, const char *name, GVariant *state)
{
  g_autoptr (GSimpleAction) action = g_simple_action_new_stateful (name, NULL, state);

  g_simple_action_set_enabled (action, FALSE);
  g_signal_connect (action, "change-state", G_CALLBACK (leave_state_cb), NULL);
  g_action_map_add_action (map, G_ACTION (action));
}

/**
 * ns_action_map_set_state:
 * @map: actions
 * @name: of a #GSimpleAction with a state
 * @state: (transfer floating): its state from now on
 */
void
ns_action_map_set_state (GActionMap *map, const char *name, GVariant *state)
{
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (map, name)), state);
}

/**
 * ns_action_map_set_enabled:
 * @map: actions
 * @name: of a #GSimpleAction
 * @is_enabled: whether it can be activated
 */
void
ns_action_map_set_enabled (GActionMap *map, const char *name, gboolean is_enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (map, name)),
                               is_enabled);
}
