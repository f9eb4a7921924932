/* Masks secrets in captured packets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

typedef struct _NsPacketMask NsPacketMask;

const NsPacketMask *ns_packet_mask_get (const NsTrace *trace);
gboolean ns_packet_mask_apply (const NsPacketMask *self, const NsPacketRow *row, guint8 *frame);
gboolean
ns_packet_mask_apply_plain (const NsPacketMask *self, const NsPacketRow *row, guint8 *frame);

G_END_DECLS
