/* Follows a connection, a server, a chain or a process through all tables.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

G_BEGIN_DECLS

gboolean ns_session_follow_row (NsSession *self, NsFollow what, GError **error);
gboolean ns_session_follow_process (NsSession *self, gboolean has_children, GError **error);

G_END_DECLS
