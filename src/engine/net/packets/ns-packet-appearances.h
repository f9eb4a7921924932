/* Places in the network stack where a packet was captured, one for each record.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/**
 * NsPacketAppearance:
 * @packet: row of the packet
 * @time_ns: time of the record
 * @interface: number of the component, adapter or tunnel
 * @edge: edge of a PktMon component; 0: unknown
 * @direction: 1 in, -1 out, 0 unknown
 * @link_type: LINKTYPE number of its label
 * @length: size of the frame there, in bytes
 * @captured: number of bytes captured
 * @is_pktmon: @interface is a PktMon component
 * @is_drop: it was dropped here
 * @is_changed: the network packet differs from that at the previous place
 * @is_row: the packet's row shows this appearance
 * @drop_number: PktMon's number of the drop reason
 * @reason: text of the drop reason, in #NsPacketAppearances.strings
 * @interface_name: likewise; for tunnels only
 *
 * One record of a packet.
 */
typedef struct
{
  NsRow packet;
  gint64 time_ns;
  guint32 interface;
  guint16 edge;
  gint8 direction;
  guint16 link_type;
  guint32 length;
  guint32 captured;
  gboolean is_pktmon;
  gboolean is_drop;
  gboolean is_changed;
  gboolean is_row;
  guint32 drop_number;
  NsString reason;
  NsString interface_name;
} NsPacketAppearance;

/**
 * NsPacketAppearances:
 * @list: (element-type NsPacketAppearance): by packet, then by time
 * @strings: texts of the list
 * @is_cut: the list is incomplete: it reached its maximum length
 */
typedef struct
{
  GArray *list;
  NsStrings *strings;
  gboolean is_cut;
} NsPacketAppearances;

NsPacketAppearances *ns_packet_appearances_read (const NsTrace *trace,
                                                 NsRow packet,
                                                 NsProgressFunc progress,
                                                 gpointer progress_data,
                                                 GError **error);
void ns_packet_appearances_free (NsPacketAppearances *self);
const char *ns_packet_appearances_get_name (const NsTrace *trace,
                                            const NsPacketAppearances *self,
                                            const NsPacketAppearance *one);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsPacketAppearances, ns_packet_appearances_free)

G_END_DECLS
