/* Values of a packet row that are derived from its bytes, its place and its conversation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"
#include "wire/ns-wire-frame.h"

G_BEGIN_DECLS

/* Source and destination of a packet by its headers; empty if unknown. */
typedef struct
{
  NsEndpoint src;
  NsEndpoint dst;
  const char *protocol; /* highest recognized protocol (nullable) */
} NsPacketEnds;

const NsPacketPlace *ns_packet_place_get (const NsTrace *trace, guint32 place);
const NsPacketPlace *ns_packet_row_get_place (const NsTrace *trace, const NsPacketRow *row);
const guint8 *ns_packet_row_get_bytes (const NsTrace *trace, const NsPacketRow *row);
gboolean ns_packet_row_parse (const NsTrace *trace, const NsPacketRow *row, NsWireFrame *frame);
void ns_packet_row_read_ends (const NsTrace *trace, const NsPacketRow *row, NsPacketEnds *ends);
char *ns_packet_row_dup_mac (const NsTrace *trace, const NsPacketRow *row, gboolean is_sender);
guint ns_packet_row_get_link_type (const NsPacketRow *row);
gboolean ns_packet_row_is_frame (const NsPacketRow *row);
gboolean ns_packet_row_has_frames (const NsTrace *trace);
NsRow ns_packet_row_get_activity (const NsTrace *trace, const NsPacketRow *row);
guint32 ns_packet_row_get_pid (const NsTrace *trace, const NsPacketRow *row);
NsRow ns_packet_row_get_tcp (const NsTrace *trace, const NsPacketRow *row);

G_END_DECLS
