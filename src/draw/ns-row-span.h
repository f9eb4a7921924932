/* Start and end of the bar of a row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

gint64 ns_row_span_end (const NsTrace *trace, const NsActivityRow *row);
gboolean ns_row_span_is_open_ended (const NsActivityRow *row);

G_END_DECLS
