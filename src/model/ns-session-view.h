/* Stored view of a trace, from this computer or embedded in the trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-view-file.h"
#include "model/ns-session.h"

G_BEGIN_DECLS

guint ns_session_count_embedded (NsSession *self, gboolean *has_view);
GVariant *ns_session_view_find (const NsTrace *trace, const char *key, gboolean *is_embedded);
GVariant *ns_session_read_view (NsSession *self, const char *key, gboolean *is_embedded);

G_END_DECLS
