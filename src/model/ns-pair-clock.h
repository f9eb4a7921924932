/* How far the clocks of two machines are apart, as the user said, kept for when both are opened
 * again.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

gboolean ns_pair_clock_read (const NsTrace *first, const NsTrace *second, gint64 *offset_ns);
void ns_pair_clock_write (const NsTrace *first, const NsTrace *second, const gint64 *offset_ns);

G_END_DECLS
