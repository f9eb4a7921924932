/* Session of a reloaded trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

G_BEGIN_DECLS

NsSession *ns_session_new_reloaded (NsTrace *trace, GFile *file, NsSession *before);

G_END_DECLS
