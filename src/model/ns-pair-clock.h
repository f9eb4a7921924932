/* Stores the manual clock offset between the traces of two machines.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

gboolean ns_pair_clock_read (const NsTrace *first, const NsTrace *second, gint64 *offset_ns);
void ns_pair_clock_write (const NsTrace *first, const NsTrace *second, const gint64 *offset_ns);

G_END_DECLS
