/* One-line description of a captured packet. It is made on demand: for millions of packets the
 * texts would need more time and memory than everything else.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/packets/ns-packet-info.h"

#include "base/ns-secrets.h"
#include "engine/net/flows/ns-flow.h"
#include "engine/net/packets/ns-packet-row.h"
#include "wire/ns-wire-link.h"
#include "wire/ns-wire-smb2.h"

/* Converts sequence numbers to relative ones, and scales the window if both sides announced
 * window scaling (RFC 7323, 2.2), as Wireshark does. */
static void
make_relative (const NsFlowRow *flow, NsWireFrame *frame)
{
  guint from = ns_endpoint_equal (&frame->src, &flow->client) ? 0 : 1;

  ns_wire_frame_make_relative (frame, flow->ways[from].isn, flow->ways[!from].isn);
  if ((frame->tcp_flags & NS_TCP_SYN) == 0 && flow->offers[from].window_scale >= 0 &&
      flow->offers[!from].window_scale >= 0)
    frame->window <<= flow->offers[from].window_scale;
}

/**
 * ns_packet_info_dup: (skip)
 * @trace: a trace
 * @row: a packet of it
 *
 * Returns: (transfer full): a summary of the packet in the words of Wireshark's Info column, with
 *   secrets masked
 */
char *
ns_packet_info_dup (const NsTrace *trace, const NsPacketRow *row)
{
  GString *info = g_string_new (NULL);
  NsWireFrame frame;

  if (ns_packet_row_get_bytes (trace, row) == NULL)
    return g_string_free (info, FALSE);
  if (row->link == NS_PACKET_SMB2)
    {
      ns_wire_smb2_append_info (info, ns_packet_row_get_bytes (trace, row), row->captured);
      return g_string_free (info, FALSE);
    }
  ns_packet_row_parse (trace, row, &frame);
  if (frame.protocol == NS_IP_TCP && frame.has_transport && row->flow != 0 &&
      row->flow <= trace->flows->len)
    make_relative (NS_ROW_AT (trace->flows, NsFlowRow, row->flow), &frame);
  ns_wire_frame_append_info (&frame, info);
  ns_secrets_mask_tail (trace->secrets, info, 0);
  return g_string_free (info, FALSE);
}
