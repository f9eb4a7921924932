/* Frees traces in the background.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

void ns_trace_leave (NsTrace *trace);

G_END_DECLS
