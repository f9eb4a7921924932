/* Creates, in a thread, the report of which process talked to which host.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-audit.h"
#include "model/ns-session.h"

#include <gio/gio.h>

G_BEGIN_DECLS

void ns_audit_job_run_async (NsSession *session,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
NsAudit *ns_audit_job_run_finish (GAsyncResult *result, GError **error);
char *ns_audit_job_to_text (const NsAudit *audit);
char *ns_audit_job_dup_filter (const NsAuditLine *line);

G_END_DECLS
