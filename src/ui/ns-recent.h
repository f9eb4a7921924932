/* Facts about recently opened traces, kept in the settings.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

G_BEGIN_DECLS

void ns_recent_remember (GFile *file, NsSession *session, guint n_findings);
char *ns_recent_dup_facts (const char *uri, gboolean *is_damaged);
void ns_recent_forget (void);

G_END_DECLS
