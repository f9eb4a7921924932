/* Reads the link-layer header of a captured frame: its length and the protocol behind it.
 *
 * Layouts: IEEE 802.3, 802.1Q and 802.1ad, LLC/SNAP (RFC 1042), also in IEEE 802.11 data frames,
 * PPPoE (RFC 2516) with PPP (RFC 1332, RFC 5072), MPLS (RFC 3032), RFC 791, RFC 8200.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-cursor.h"
#include "wire/ns-wire-link.h"

#define MAX_VLAN_TAGS 4
#define MAX_MPLS_LABELS 8
#define PPPOE_VERSION_AND_TYPE 0x11
#define PPP_IPV4 0x0021
#define PPP_IPV6 0x0057

static gboolean
is_known (guint16 ether_type)
{
  return ether_type == NS_ETHER_IPV4 || ether_type == NS_ETHER_IPV6 || ether_type == NS_ETHER_ARP;
}

static gboolean
is_snap (const guint8 *llc)
{
  return llc[0] == 0xaa && llc[1] == 0xaa && llc[2] == 3;
}

/* Reads PPPoE, MPLS or LLC/SNAP between the EtherType and the network packet. If the inner protocol
 * is unknown, the outer EtherType is kept. */
static void
read_carrier (NsWireLink *self, NsCursor *cursor)
{
  NsCursor inner = *cursor;
  guint16 inside = 0;
  guint i;

  if (self->ether_type == NS_ETHER_PPPOE)
    {
      gboolean is_session = ns_cursor_u16be (&inner) == PPPOE_VERSION_AND_TYPE << 8;
      guint16 protocol;

      ns_cursor_skip (&inner, 4);
      protocol = ns_cursor_u16be (&inner);
      if (is_session)
        inside = protocol == PPP_IPV4 ? NS_ETHER_IPV4 : protocol == PPP_IPV6 ? NS_ETHER_IPV6 : 0;
    }
  else if (self->ether_type == NS_ETHER_MPLS || self->ether_type == NS_ETHER_MPLS_MULTICAST)
    {
      gboolean is_last = FALSE;
      guint8 first;

      for (i = 0; i < MAX_MPLS_LABELS && !is_last && ns_cursor_ok (&inner); i++)
        is_last = (ns_cursor_u32be (&inner) & 0x100) != 0;
      first = is_last && ns_cursor_left (&inner) > 0 ? inner.data[inner.pos] : 0;
      inside = first >> 4 == 6                        ? NS_ETHER_IPV6
               : first >> 4 == 4 && (first & 15) >= 5 ? NS_ETHER_IPV4
                                                      : 0;
    }
  else if (self->ether_type > 0 && self->ether_type <= NS_ETHER_MAX_LENGTH)
    {
      const guint8 *llc = ns_cursor_take (&inner, 8);

      if (llc != NULL && is_snap (llc) && llc[3] == 0 && llc[4] == 0 && llc[5] == 0)
        inside = (guint16) (llc[6] << 8 | llc[7]);
    }
  if (!ns_cursor_ok (&inner) || !is_known (inside))
    return;
  self->carrier = self->ether_type;
  self->ether_type = inside;
  *cursor = inner;
}

static void
read_ethernet (NsWireLink *self, const guint8 *data, gsize size)
{
  NsCursor cursor;
  guint i;

  memset (self, 0, sizeof *self);
  self->link_type = NS_LINK_ETHERNET;
  ns_cursor_init (&cursor, data, size);
  ns_cursor_skip (&cursor, 12);
  self->ether_type = ns_cursor_u16be (&cursor);
  for (i = 0; i < MAX_VLAN_TAGS &&
              (self->ether_type == NS_ETHER_VLAN || self->ether_type == NS_ETHER_QINQ);
       i++)
    {
      self->vlan = ns_cursor_u16be (&cursor) & 0x0fff;
      self->ether_type = ns_cursor_u16be (&cursor);
    }
  if (!ns_cursor_ok (&cursor))
    return;
  read_carrier (self, &cursor);
  self->size = cursor.pos;
}

/* Reads the header of an 802.11 data frame with LLC and SNAP. Windows drivers leave the Protected
 * bit set in frames they have decrypted; some also leave 4 or 8 bytes between the headers. */
static gboolean
read_wifi (NsWireLink *self, const guint8 *data, gsize size)
{
  gsize header = 24;
  gsize n_control = 0; /* HT control field, which readers expect */
  guint16 control;
  gsize pad;

  memset (self, 0, sizeof *self);
  self->link_type = NS_LINK_IEEE_802_11;
  if (size < 2)
    return FALSE;
  control = (guint16) (data[0] | data[1] << 8);
  if ((control & 0x000f) != 0x0008 ||
      (control & 0x0040) != 0) /* not a data frame, or one without data */
    return FALSE;
  header += (control & 0x0300) == 0x0300 ? 6 : 0; /* four addresses */
  header += (control & 0x0080) != 0 ? 2 : 0;      /* QoS control */
  n_control = (control & 0x8080) == 0x8080 ? 4 : 0;
  for (pad = 0; pad <= 8; pad += 4)
    {
      const guint8 *llc = data + header + pad;

      if (size < header + pad + 8)
        return FALSE;
      if (!is_snap (llc))
        continue;
      self->ether_type = (guint16) (llc[6] << 8 | llc[7]);
      self->size = header + pad + 8;
      self->gap = pad - MIN (pad, n_control);
      return TRUE;
    }
  return FALSE;
}

/**
 * ns_wire_link_read:
 * @self: (out): the decoded link header
 * @data: (array length=size): the captured bytes, untrusted
 * @size: number of bytes
 * @link_type: LINKTYPE number that the capture gives for the frame
 *
 * Windows labels some Ethernet frames as Wi-Fi and vice versa, so the bytes decide.
 */
void
ns_wire_link_read (NsWireLink *self, const guint8 *data, gsize size, guint link_type)
{
  NsWireLink other;

  if (link_type == NS_LINK_RAW_IP)
    {
      memset (self, 0, sizeof *self);
      self->link_type = NS_LINK_RAW_IP;
      self->ether_type = size > 0 && data[0] >> 4 == 6 ? NS_ETHER_IPV6 : NS_ETHER_IPV4;
      return;
    }
  if (link_type == NS_LINK_SMB2)
    {
      memset (self, 0, sizeof *self);
      self->link_type = NS_LINK_SMB2;
      return;
    }
  if (link_type == NS_LINK_IEEE_802_11)
    {
      if (read_wifi (self, data, size))
        return;
      read_ethernet (&other, data, size);
      if (is_known (other.ether_type))
        *self = other;
      return;
    }
  read_ethernet (self, data, size);
  if (!is_known (self->ether_type) && read_wifi (&other, data, size))
    *self = other;
}

/**
 * ns_wire_link_get_frame_size:
 * @self: the decoded link header
 * @data: (array length=size): the captured bytes, untrusted
 * @size: number of bytes
 *
 * Gives the original length of a truncated frame. Large send offload leaves the length in the IP
 * header 0.
 *
 * Returns: length of the frame by its IP header in bytes; 0: unknown
 */
gsize
ns_wire_link_get_frame_size (const NsWireLink *self, const guint8 *data, gsize size)
{
  const guint8 *ip;
  gsize length;

  if (self->size > size || size - self->size < 6)
    return 0;
  ip = data + self->size;
  if (self->ether_type == NS_ETHER_IPV4 && ip[0] >> 4 == 4)
    {
      length = (gsize) ip[2] << 8 | ip[3];
      return length >= 20 ? self->size + length : 0;
    }
  if (self->ether_type == NS_ETHER_IPV6 && ip[0] >> 4 == 6)
    {
      length = (gsize) ip[4] << 8 | ip[5];
      return length > 0 ? self->size + 40 + length : 0;
    }
  return 0;
}

/**
 * ns_wire_link_find_checksums:
 * @packet: (array length=size): an IP packet, untrusted
 * @size: number of captured bytes
 * @offsets: (out) (array fixed-size=2): offsets of the 16-bit checksum fields, ascending
 *
 * Finds the checksums of IPv4, and of TCP, UDP, ICMP or ICMPv6 directly behind IP. Network adapters
 * fill them in on sending (checksum offload), so captures of one packet at different layers differ
 * there.
 *
 * Returns: number of checksum fields
 */
gsize
ns_wire_link_find_checksums (const guint8 *packet, gsize size, gsize offsets[2])
{
  gboolean is_v4 = size >= 20 && packet[0] >> 4 == 4;
  gsize n = 0;
  gsize header;
  guint8 protocol;

  if (!is_v4 && (size < 40 || packet[0] >> 4 != 6))
    return 0;
  header = is_v4 ? (packet[0] & 15u) * 4 : 40;
  protocol = packet[is_v4 ? 9 : 6];
  if (is_v4)
    offsets[n++] = 10;
  /* Later fragments have no transport header. */
  if (header < 20 || (is_v4 && ((packet[6] & 0x1f) != 0 || packet[7] != 0)))
    return n;
  if (protocol == 6)
    offsets[n++] = header + 16;
  else if (protocol == 17)
    offsets[n++] = header + 6;
  else if (protocol == 1 || protocol == 58)
    offsets[n++] = header + 2;
  return n;
}

/**
 * ns_wire_link_unprotect:
 * @data: (array length=size) (inout): the captured bytes, untrusted
 * @size: number of bytes
 * @link_type: LINKTYPE number
 *
 * Clears the Protected bit of a Wi-Fi frame whose content is not encrypted, for readers that trust
 * the bit.
 *
 * Returns: whether the bit was set
 */
gboolean
ns_wire_link_unprotect (guint8 *data, gsize size, guint link_type)
{
  NsWireLink link;

  if (link_type != NS_LINK_IEEE_802_11 || size < 2 || (data[1] & 0x40) == 0 ||
      !read_wifi (&link, data, size))
    return FALSE;
  data[1] &= (guint8) ~0x40u;
  return TRUE;
}
