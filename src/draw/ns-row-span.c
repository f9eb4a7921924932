/* From when to when the bar of a row goes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-row-span.h"

/**
 * ns_row_span_end:
 * @trace: a trace
 * @row: a row of its master table
 *
 * Returns: where its bar ends, ns; the end of the trace for what never ended
 */
gint64
ns_row_span_end (const NsTrace *trace, const NsActivityRow *row)
{
  return ns_time_is_set (row->close_ns) ? row->close_ns : trace->end_ns;
}

/**
 * ns_row_span_is_torn:
 * @row: a row of the master table
 *
 * Returns: %TRUE if its bar ends because the trace does
 */
gboolean
ns_row_span_is_torn (const NsActivityRow *row)
{
  return !ns_time_is_set (row->close_ns);
}
