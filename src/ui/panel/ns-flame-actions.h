/* Call tree page and its actions: show it, export it, filter by it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ui/panel/ns-flame-view.h"

G_BEGIN_DECLS

#define NS_TYPE_FLAME_ACTIONS (ns_flame_actions_get_type ())
G_DECLARE_FINAL_TYPE (NsFlameActions, ns_flame_actions, NS, FLAME_ACTIONS, GObject)

NsFlameActions *ns_flame_actions_new (void);
GActionMap *ns_flame_actions_get_actions (NsFlameActions *self);
GtkWidget *ns_flame_actions_get_page (NsFlameActions *self);
void ns_flame_actions_set_session (NsFlameActions *self, NsSession *session);
void ns_flame_actions_show (NsFlameActions *self, gboolean is_shown);
gboolean ns_flame_actions_is_shown (NsFlameActions *self);
gboolean ns_flame_actions_leave (NsFlameActions *self);
char *ns_flame_actions_dup_note (NsFlameActions *self);

G_END_DECLS
