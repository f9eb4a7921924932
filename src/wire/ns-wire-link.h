/* Reads the link-layer header of a captured frame: its length and the protocol behind it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* LINKTYPE_ numbers as in pcap files. */
enum
{
  NS_LINK_ETHERNET = 1,
  NS_LINK_RAW_IP = 101,
  NS_LINK_IEEE_802_11 = 105,
  NS_LINK_SMB2 = 0xffff, /* not a LINKTYPE number: SMB2 messages without lower headers */
};

enum
{
  NS_LLC_BPDU = 0x42, /* IEEE 802.2 service access point */
  NS_LLC_SNAP = 0xaa,
  NS_LLC_UNNUMBERED = 3, /* IEEE 802.2 control field: unnumbered information */

  NS_BPDU_CHANGE = 0x80, /* BPDU type: topology change notification */
};

enum
{
  NS_ETHER_IPV4 = 0x0800,
  NS_ETHER_ARP = 0x0806,
  NS_ETHER_VLAN = 0x8100,
  NS_ETHER_IPV6 = 0x86dd,
  NS_ETHER_MPLS = 0x8847,
  NS_ETHER_MPLS_MULTICAST = 0x8848,
  NS_ETHER_PPPOE_DISCOVERY = 0x8863,
  NS_ETHER_PPPOE = 0x8864,
  NS_ETHER_QINQ = 0x88a8,
  NS_ETHER_MAX_LENGTH = 1500, /* larger values are EtherTypes, others 802.3 lengths */
};

/**
 * NsWireLink:
 * @link_type: LINKTYPE number that the bytes have, whatever the capture says
 * @ether_type: EtherType of the network packet; 0 if there is none
 * @carrier: outer EtherType or 802.3 length if PPPoE, MPLS or LLC/SNAP carries the network packet;
 *   else 0
 * @vlan: ID of the innermost VLAN tag; 0 without one
 * @size: bytes before the network packet; 0 if there is none
 * @gap: bytes that a driver left before the last 8 of these, which other readers do not expect
 *
 * The decoded link-layer header of a frame.
 */
typedef struct
{
  guint16 link_type;
  guint16 ether_type;
  guint16 carrier;
  guint16 vlan;
  gsize size;
  gsize gap;
} NsWireLink;

void ns_wire_link_read (NsWireLink *self, const guint8 *data, gsize size, guint link_type);
gsize ns_wire_link_get_frame_size (const NsWireLink *self, const guint8 *data, gsize size);
gsize ns_wire_link_find_checksums (const guint8 *packet, gsize size, gsize offsets[2]);
gboolean ns_wire_link_unprotect (guint8 *data, gsize size, guint link_type);

G_END_DECLS
