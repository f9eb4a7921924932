/* The link header of a captured frame: how long it is and what stands behind it.
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
  NS_LINK_SMB2 = 0xffff, /* no LINKTYPE number: messages without any headers below */
};

enum
{
  NS_LLC_BPDU = 0x42, /* service access points of IEEE 802.2, */
  NS_LLC_SNAP = 0xaa,
  NS_LLC_UNNUMBERED = 3, /* and a control field: unnumbered information */

  NS_BPDU_CHANGE = 0x80, /* type of a spanning tree's notification of a changed topology */
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
  NS_ETHER_MAX_LENGTH = 1500, /* up to here it is no type but the length of a frame of 802.3 */
};

/**
 * NsWireLink:
 * @link_type: LINKTYPE number that the bytes have, whatever they were labelled as
 * @ether_type: 0 when no network packet is behind it
 * @carrier: where the network packet stands in PPPoE, MPLS or a frame of 802.3: the EtherType, or
 *   length, of that; else 0
 * @vlan: identifier of the innermost tag, 0 without one
 * @size: bytes up to the network packet, 0 when there is none
 * @gap: bytes that a driver left before the last 8 of these, which no other reader expects
 *
 * What the link header of a frame says.
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
