/* Playback position of a session: what was not known by then is not shown.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

G_BEGIN_DECLS

void ns_session_set_moment (NsSession *self, gint64 moment_ns);
gint64 ns_session_get_moment (NsSession *self);
gboolean ns_session_has_failed (NsSession *self, NsTableId table, guint32 row);
gboolean ns_session_table_has_failures (NsTableId table);
gboolean ns_session_has_ended (NsSession *self, NsTableId table, guint32 row);
gboolean ns_session_is_known (NsSession *self, NsTableId table, const NsField *field, guint32 row);

G_END_DECLS
