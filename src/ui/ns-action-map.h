/* Helpers for the action maps of the window and its parts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

void ns_action_map_take (GActionMap *map, GActionMap *part);
void ns_action_map_add_state (GActionMap *map, const char *name, GVariant *state);
void ns_action_map_set_state (GActionMap *map, const char *name, GVariant *state);
void ns_action_map_set_enabled (GActionMap *map, const char *name, gboolean is_enabled);

G_END_DECLS
