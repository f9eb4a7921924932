/* Values of a packet row derived on demand from its bytes, its place and its conversation: there
 * are many rows, and few of them are shown.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/packets/ns-packet-row.h"

#include "engine/net/flows/ns-flow.h"
#include "engine/net/packets/ns-packet-components.h"
#include "wire/ns-wire-link.h"

#include <string.h>

/**
 * ns_packet_place_get: (skip)
 * @trace: a trace
 * @place: number of one of its places, 0-based
 *
 * Returns: (transfer none): the place; an empty one if there is none of this number
 */
const NsPacketPlace *
ns_packet_place_get (const NsTrace *trace, guint32 place)
{
  static const NsPacketPlace nowhere = { .interface_name = NS_STRING_NONE,
                                         .drop_reason = NS_STRING_NONE,
                                         .pid = NS_PID_UNKNOWN };

  return place < trace->packet_places->len
             ? &g_array_index (trace->packet_places, NsPacketPlace, place)
             : &nowhere;
}

/**
 * ns_packet_row_get_place: (skip)
 * @trace: a trace
 * @row: a packet of it
 *
 * Returns: (transfer none): where it was captured, and the drop reason
 */
const NsPacketPlace *
ns_packet_row_get_place (const NsTrace *trace, const NsPacketRow *row)
{
  return ns_packet_place_get (trace, row->place);
}

/**
 * ns_packet_row_get_bytes: (skip)
 * @trace: a trace
 * @row: a packet of it
 *
 * Returns: (transfer none) (nullable): its captured bytes; %NULL if the trace does not have them
 */
const guint8 *
ns_packet_row_get_bytes (const NsTrace *trace, const NsPacketRow *row)
{
  const GByteArray *bytes = trace->packet_bytes;

  if (bytes == NULL || bytes->data == NULL || row->data > bytes->len ||
      row->captured > bytes->len - row->data)
    return NULL;
  return bytes->data + row->data;
}

/**
 * ns_packet_row_parse: (skip)
 * @trace: a trace
 * @row: a packet of it
 * @frame: (out): its parsed headers; the endpoints are empty if they could not be parsed
 *
 * Returns: whether it is an IP packet
 */
gboolean
ns_packet_row_parse (const NsTrace *trace, const NsPacketRow *row, NsWireFrame *frame)
{
  const guint8 *bytes = ns_packet_row_get_bytes (trace, row);

  if (bytes != NULL)
    return ns_wire_frame_parse_cut (frame,
                                    bytes,
                                    row->captured,
                                    row->length,
                                    ns_packet_row_get_link_type (row));
  memset (frame, 0, sizeof *frame);
  return FALSE;
}

/**
 * ns_packet_row_read_ends: (skip)
 * @trace: a trace
 * @row: a packet of it
 * @ends: (out): source and destination
 */
void
ns_packet_row_read_ends (const NsTrace *trace, const NsPacketRow *row, NsPacketEnds *ends)
{
  NsWireFrame frame;

  memset (ends, 0, sizeof *ends);
  if (ns_packet_row_get_bytes (trace, row) == NULL)
    return;
  if (row->link == NS_PACKET_SMB2)
    {
      const NsEndpoint *peer =
          ns_packet_components_find_peer (trace->packet_components,
                                          ns_packet_row_get_place (trace, row)->interface);

      if (peer != NULL)
        *(row->direction > 0 ? &ends->src : &ends->dst) = *peer;
      ends->protocol = "SMB2";
      return;
    }
  ns_packet_row_parse (trace, row, &frame);
  ends->src = frame.src;
  ends->dst = frame.dst;
  ends->protocol = ns_wire_frame_get_protocol (&frame);
}

/**
 * ns_packet_row_dup_mac: (skip)
 * @trace: a trace
 * @row: a packet of it
 * @is_sender: whether to return the source address, else the destination address
 *
 * Returns: (transfer full) (nullable): the physical address; %NULL if it was not captured, or if it
 *   is not an Ethernet frame
 */
char *
ns_packet_row_dup_mac (const NsTrace *trace, const NsPacketRow *row, gboolean is_sender)
{
  const guint8 *bytes = ns_packet_row_get_bytes (trace, row);
  GString *text;

  if (row->link != NS_PACKET_ETHERNET || bytes == NULL || row->captured < 12)
    return NULL;
  text = g_string_new (NULL);
  ns_wire_append_mac (bytes + (is_sender ? 6 : 0), text);
  return g_string_free (text, FALSE);
}

static const NsFlowRow *
find_flow (const NsTrace *trace, const NsPacketRow *row)
{
  return row->flow != 0 && row->flow <= trace->flows->len
             ? NS_ROW_AT (trace->flows, NsFlowRow, row->flow)
             : NULL;
}

/**
 * ns_packet_row_get_activity: (skip)
 * @trace: a trace
 * @row: a packet of it
 *
 * Returns: the activity that its conversation belongs to, or 0
 */
NsRow
ns_packet_row_get_activity (const NsTrace *trace, const NsPacketRow *row)
{
  const NsFlowRow *flow = find_flow (trace, row);

  return flow != NULL ? flow->activity : 0;
}

/**
 * ns_packet_row_get_pid: (skip)
 * @trace: a trace
 * @row: a packet of it
 *
 * Returns: the process of its conversation, or %NS_PID_UNKNOWN
 */
guint32
ns_packet_row_get_pid (const NsTrace *trace, const NsPacketRow *row)
{
  const NsFlowRow *flow = find_flow (trace, row);

  return flow != NULL ? flow->pid : NS_PID_UNKNOWN;
}

/**
 * ns_packet_row_get_tcp: (skip)
 * @trace: a trace
 * @row: a packet of it
 *
 * Returns: the TCP connection of its conversation, or 0
 */
NsRow
ns_packet_row_get_tcp (const NsTrace *trace, const NsPacketRow *row)
{
  const NsFlowRow *flow = find_flow (trace, row);

  return flow != NULL ? flow->tcp : 0;
}

/**
 * ns_packet_row_get_link_type: (skip)
 * @row: a packet
 *
 * Returns: the LINKTYPE number of its bytes; for a message %NS_LINK_SMB2, which is not one
 */
guint
ns_packet_row_get_link_type (const NsPacketRow *row)
{
  static const guint16 types[] = {
    [NS_PACKET_ETHERNET] = NS_LINK_ETHERNET,
    [NS_PACKET_RAW_IP] = NS_LINK_RAW_IP,
    [NS_PACKET_IEEE_802_11] = NS_LINK_IEEE_802_11,
    [NS_PACKET_SMB2] = NS_LINK_SMB2,
  };

  return types[row->link];
}

/**
 * ns_packet_row_is_frame: (skip)
 * @row: a packet
 *
 * Returns: whether it was captured with its headers, as packet files require
 */
gboolean
ns_packet_row_is_frame (const NsPacketRow *row)
{
  return row->link != NS_PACKET_SMB2;
}

/**
 * ns_packet_row_has_frames: (skip)
 * @trace: a trace
 *
 * Returns: whether packets were captured with their headers
 */
gboolean
ns_packet_row_has_frames (const NsTrace *trace)
{
  guint i;

  for (i = 0; i < trace->packets->len; i++)
    if (ns_packet_row_is_frame (&g_array_index (trace->packets, NsPacketRow, i)))
      return TRUE;
  return FALSE;
}
