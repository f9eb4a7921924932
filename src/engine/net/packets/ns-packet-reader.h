/* Reads records of captured packets: NDIS-PacketCapture, PktMon and, inside a VPN, NdisWan.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-secrets.h"
#include "engine/net/packets/ns-packet-copies.h"
#include "schema/ns-schema.h"

G_BEGIN_DECLS

typedef struct _NsPacketReader NsPacketReader;

NsPacketReader *ns_packet_reader_new (NsSchemas *schemas,
                                      const NsSecrets *secrets,
                                      NsStrings *strings,
                                      NsPacketCopies *copies);
void ns_packet_reader_free (NsPacketReader *self);
void ns_packet_reader_read (NsPacketReader *self, const NsRecord *record);
void ns_packet_reader_get_counts (const NsPacketReader *self,
                                  guint64 *n_records,
                                  guint64 *n_appearances,
                                  guint64 *n_lost);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsPacketReader, ns_packet_reader_free)

G_END_DECLS
