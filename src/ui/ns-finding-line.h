/* The line that shows the number of rows of the selected finding; a click filters by them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_FINDING_LINE (ns_finding_line_get_type ())
G_DECLARE_FINAL_TYPE (NsFindingLine, ns_finding_line, NS, FINDING_LINE, GtkBox)

GActionMap *ns_finding_line_get_actions (NsFindingLine *self);
void ns_finding_line_set_session (NsFindingLine *self, NsSession *session);
gboolean ns_finding_line_copy (NsFindingLine *self, gboolean with_evidence);

G_END_DECLS
