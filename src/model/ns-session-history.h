/* Back and forward navigation of a session.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

G_BEGIN_DECLS

#define NS_TYPE_SESSION_HISTORY (ns_session_history_get_type ())
G_DECLARE_FINAL_TYPE (NsSessionHistory, ns_session_history, NS, SESSION_HISTORY, GObject)

NsSessionHistory *ns_session_history_new (void);
GActionMap *ns_session_history_get_actions (NsSessionHistory *self);
void ns_session_history_set_session (NsSessionHistory *self, NsSession *session);
gboolean ns_session_history_can_go (NsSessionHistory *self, int by);
void ns_session_history_hold (NsSessionHistory *self);
void ns_session_history_resume (NsSessionHistory *self, NsSession *session);

G_END_DECLS
