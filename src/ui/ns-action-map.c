/* Helpers for the action maps of the window and its parts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-action-map.h"

/**
 * ns_action_map_take:
 * @map: the actions of a window or of one of its parts
 * @part: the actions of a part inside it
 *
 * Adds all actions of @part to @map.
 */
void
ns_action_map_take (GActionMap *map, GActionMap *part)
{
  g_auto (GStrv) names = g_action_group_list_actions (G_ACTION_GROUP (part));
  guint i;

  for (i = 0; names[i] != NULL; i++)
    g_action_map_add_action (map, g_action_map_lookup_action (part, names[i]));
}

/* Ignores state changes requested by others. */
static void
leave_state_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
}

/**
 * ns_action_map_add_state:
 * @map: an action map
 * @name: the name of the new action
 * @state: (transfer floating): its initial state
 *
 * Adds a disabled action whose state can be read but not changed by others.
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
 * @map: an action map
 * @name: the name of a stateful #GSimpleAction
 * @state: (transfer floating): the new state
 *
 * Sets the state of an action.
 */
void
ns_action_map_set_state (GActionMap *map, const char *name, GVariant *state)
{
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (map, name)), state);
}

/**
 * ns_action_map_set_enabled:
 * @map: an action map
 * @name: the name of a #GSimpleAction
 * @is_enabled: whether the action can be activated
 *
 * Enables or disables an action.
 */
void
ns_action_map_set_enabled (GActionMap *map, const char *name, gboolean is_enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (map, name)),
                               is_enabled);
}
