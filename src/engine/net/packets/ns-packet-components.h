/* Components of the network stack as PktMon describes them: the name and adapter of each, and the
 * addresses of the adapter.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-ip.h"
#include "base/ns-strings.h"
#include "etl/ns-etl-record.h"

G_BEGIN_DECLS

#define NS_MAC_SIZE 6

/**
 * NsPacketComponent:
 * @id: component number in packet records
 * @name: file name of its driver, or %NS_STRING_NONE
 * @description: its own description, or %NS_STRING_NONE
 * @adapter: interface index of the adapter whose traffic passes it; 0: unknown
 * @has_mac: whether @mac is known
 * @mac: physical address
 *
 * A component of the network stack.
 */
typedef struct
{
  guint32 id;
  NsString name;
  NsString description;
  guint32 adapter;
  gboolean has_mac;
  guint8 mac[NS_MAC_SIZE];
} NsPacketComponent;

typedef struct _NsPacketComponents NsPacketComponents;

NsPacketComponents *ns_packet_components_new (void);
void ns_packet_components_free (NsPacketComponents *self);
void
ns_packet_components_learn (NsPacketComponents *self, NsStrings *strings, const NsRecord *record);
void ns_packet_components_learn_interface (NsPacketComponents *self, const NsRecord *record);
guint ns_packet_components_get_size (const NsPacketComponents *self);
const NsPacketComponent *ns_packet_components_get (const NsPacketComponents *self, guint n);
const NsPacketComponent *ns_packet_components_find (const NsPacketComponents *self, guint32 id);
const guint8 *ns_packet_components_find_mac (const NsPacketComponents *self, guint32 id);
GArray *ns_packet_components_list_addresses (const NsPacketComponents *self, guint32 id);
gboolean ns_packet_components_has_address (const NsPacketComponents *self, const NsIp *ip);
NsString
ns_packet_components_get_edge_name (const NsPacketComponents *self, guint32 id, guint32 edge);
void ns_packet_components_note_drop (NsPacketComponents *self, guint32 data, guint32 id);
const NsPacketComponent *
ns_packet_components_find_dropper (const NsPacketComponents *self, guint32 data);
void
ns_packet_components_note_peer (NsPacketComponents *self, guint32 number, const NsEndpoint *peer);
const NsEndpoint *ns_packet_components_find_peer (const NsPacketComponents *self, guint32 number);
gboolean ns_packet_drop_is_for_others (guint32 reason);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsPacketComponents, ns_packet_components_free)

G_END_DECLS
