/* Actions on the selected event: select a byte or a field, in the pane below the table or in the
 * side panel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ui/ns-trace-tabs.h"
#include "ui/panel/ns-details-panel.h"

G_BEGIN_DECLS

#define NS_TYPE_EVENT_ACTIONS (ns_event_actions_get_type ())
G_DECLARE_FINAL_TYPE (NsEventActions, ns_event_actions, NS, EVENT_ACTIONS, GObject)

NsEventActions *ns_event_actions_new (NsTraceTabs *tabs, NsDetailsPanel *panel);
GActionMap *ns_event_actions_get_actions (NsEventActions *self);
void ns_event_actions_set_session (NsEventActions *self, NsSession *session);
gboolean ns_event_actions_has_record (NsEventActions *self);
char *ns_event_actions_dup_status (NsEventActions *self, guint n_events);

G_END_DECLS
