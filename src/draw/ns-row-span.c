/* Start and end of the bar of a row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-row-span.h"

/**
 * ns_row_span_end:
 * @trace: a trace
 * @row: a row of the activity table
 *
 * Returns: end of the bar in ns: the end of the row, or that of the trace if the row has none
 */
gint64
ns_row_span_end (const NsTrace *trace, const NsActivityRow *row)
{
  return ns_time_is_set (row->close_ns) ? row->close_ns : trace->end_ns;
}

/**
 * ns_row_span_is_open_ended:
 * @row: a row of the activity table
 *
 * Returns: %TRUE if the trace ends before the activity does
 */
gboolean
ns_row_span_is_open_ended (const NsActivityRow *row)
{
  return !ns_time_is_set (row->close_ns);
}
