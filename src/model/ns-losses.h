/* When a trace tells that events were lost.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-trace.h"

G_BEGIN_DECLS

/* Moments kept; a session that loses more often is hatched as a whole anyway. */
#define NS_LOSSES_MAX 10000

GArray *ns_losses_find (const NsTrace *trace);

G_END_DECLS
