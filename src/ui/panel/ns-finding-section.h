/* Sections about a finding: rule, cost, evidence, next steps, and what to record.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *ns_finding_section_new (void);
char *ns_finding_section_to_text (NsSession *session, guint32 row, gboolean with_evidence);
gboolean ns_finding_section_set_row (GtkWidget *section, NsSession *session, guint32 row);

G_END_DECLS
