/* Short summaries of the findings for the tab and the status bar.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

G_BEGIN_DECLS

char *ns_finding_words_count (NsSession *session);
char *ns_finding_words_sums (NsSession *session, guint n_selected);

G_END_DECLS
