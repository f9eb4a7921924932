/* Parses times as users and logs write them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

gboolean ns_place_parse_time (const NsTrace *trace, const char *text, gint64 *time_ns);

G_END_DECLS
