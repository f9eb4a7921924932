/* View state of a session that can be restored: zoom, time span, table in front, conditions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

G_BEGIN_DECLS

GVariant *ns_session_dup_state (NsSession *self);
void ns_session_restore_state (NsSession *self, GVariant *state);

G_END_DECLS
