/* From when to when the bar of a row goes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-row-span.h"

/* Datagrams have no connection that could end: such a flow goes on until its last packet. */
static gboolean
is_datagram_flow (const NsActivityRow *row)
{
  return row->protocol == NS_LAYER_UDP;
}

static gint64
last_packet (const NsTrace *trace, const NsActivityRow *row)
{
  if (row->kernel_network != 0)
    return g_array_index (trace->kernel_network, NsKernelNetworkRow, row->kernel_network - 1)
        .last_ns;
  if (row->tcp != 0)
    return g_array_index (trace->tcp, NsTcpRow, row->tcp - 1).last_data_ns;
  return NS_TIME_NONE;
}

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
  gint64 end_ns;

  if (ns_time_is_set (row->close_ns))
    return row->close_ns;
  if (!is_datagram_flow (row))
    return trace->end_ns;
  end_ns = last_packet (trace, row);
  return ns_time_is_set (end_ns) ? end_ns : trace->end_ns;
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
  return !ns_time_is_set (row->close_ns) && !is_datagram_flow (row);
}
