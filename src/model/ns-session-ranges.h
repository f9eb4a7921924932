/* Named time ranges of a session, which filters can refer to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-named-ranges.h"
#include "model/ns-session.h"

G_BEGIN_DECLS

void ns_session_set_ranges (NsSession *self, const NsNamedRange *ranges, guint n_ranges);

G_END_DECLS
