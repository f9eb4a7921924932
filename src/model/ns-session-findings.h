/* What went wrong in the trace of a session.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

G_BEGIN_DECLS

/* Rows that a filter made of a finding names; more would only make it slow to read. */
#define NS_SESSION_MAX_NAMED 500

gboolean ns_session_read_thresholds (GError **error);
gboolean ns_session_count_findings (NsSession *session, guint *n_found, gboolean *is_bad);
char *ns_session_dup_finding_filter (NsSession *session, guint32 finding, NsTableId *table);

gboolean ns_session_finding_has_rows (NsSession *session, guint32 finding);
void ns_session_look_for_evidence (NsSession *session);

G_END_DECLS
