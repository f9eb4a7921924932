/* Dissects a captured frame: link, network and transport headers.
 *
 * Layouts: RFC 791, RFC 8200, RFC 9293, RFC 768, RFC 792, RFC 4443, RFC 826.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-dns.h"
#include "wire/ns-wire-frame.h"
#include "wire/ns-wire-http.h"
#include "wire/ns-wire-tls.h"

#define MAX_EXTENSIONS 16

/* Reads both ports; one alone is not used. */
static void
parse_ports (NsWireFrame *self, NsCursor *cursor)
{
  guint16 from = ns_cursor_u16be (cursor);
  guint16 to = ns_cursor_u16be (cursor);

  self->has_ports = ns_cursor_ok (cursor);
  self->src.port = self->has_ports ? from : 0;
  self->dst.port = self->has_ports ? to : 0;
}

static void
parse_tcp (NsWireFrame *self, NsCursor *cursor, gsize ip_payload)
{
  gsize begin = cursor->pos;
  gsize captured = ns_cursor_left (cursor);
  guint header;

  parse_ports (self, cursor);
  self->seq = ns_cursor_u32be (cursor);
  self->ack = ns_cursor_u32be (cursor);
  header = (guint) (ns_cursor_u8 (cursor) >> 4) * 4;
  self->tcp_flags = ns_cursor_u8 (cursor);
  self->window = ns_cursor_u16be (cursor);
  if (!ns_cursor_ok (cursor) || header < 20 || header > ip_payload)
    return;

  self->has_transport = TRUE;
  self->is_header_cut = captured < header;
  ns_cursor_skip (cursor, 4);
  self->wire_payload_size = ip_payload - header;
  self->tcp_options_size = MIN (ns_cursor_left (cursor), header - 20u);
  self->tcp_options = ns_cursor_take (cursor, self->tcp_options_size);
  ns_cursor_seek (cursor, begin + header);
  self->payload_size = MIN (ns_cursor_left (cursor), self->wire_payload_size);
  self->payload = ns_cursor_take (cursor, self->payload_size);
}

static void
parse_udp (NsWireFrame *self, NsCursor *cursor)
{
  guint16 length;

  parse_ports (self, cursor);
  length = ns_cursor_u16be (cursor);
  ns_cursor_skip (cursor, 2);
  if (!ns_cursor_ok (cursor) || length < 8)
    return;

  self->has_transport = TRUE;
  self->wire_payload_size = length - 8u;
  self->payload_size = MIN (ns_cursor_left (cursor), self->wire_payload_size);
  self->payload = ns_cursor_take (cursor, self->payload_size);
}

static void
parse_transport (NsWireFrame *self, NsCursor *cursor, gsize ip_payload)
{
  if (self->is_fragment)
    return;

  switch (self->protocol)
    {
    case NS_IP_TCP:
      parse_tcp (self, cursor, ip_payload);
      break;
    case NS_IP_UDP:
      parse_udp (self, cursor);
      break;
    case NS_IP_ICMP:
    case NS_IP_ICMPV6:
      self->icmp_type = ns_cursor_u8 (cursor);
      self->icmp_code = ns_cursor_u8 (cursor);
      ns_cursor_skip (cursor, 2);
      if (!ns_cursor_ok (cursor))
        break;
      self->has_transport = TRUE;
      self->icmp_size = MIN (ns_cursor_left (cursor), ip_payload - MIN (ip_payload, 4));
      self->icmp = ns_cursor_take (cursor, self->icmp_size);
      break;
    default:
      break;
    }
}

/* Notes an IP fragment. @cursor: at its content, which has @size bytes according to the headers. */
static void
set_fragment (NsWireFrame *self,
              const NsCursor *cursor,
              guint32 offset,
              guint32 id,
              gsize size,
              gboolean is_last)
{
  NsCursor content = *cursor;

  self->is_fragment = offset != 0;
  self->fragment_offset = offset;
  self->fragment_id = id;
  self->fragment_is_last = is_last;
  self->fragment_wire_size = size;
  self->fragment_size = MIN (ns_cursor_left (&content), size);
  self->fragment = ns_cursor_take (&content, self->fragment_size);
}

/* Skips the authentication headers (RFC 4302) between the IP header and the content. @size:
 * (inout): number of bytes behind @cursor. Returns whether the headers were captured completely;
 * @cursor is then at the content. */
static gboolean
skip_authentication (NsWireFrame *self, NsCursor *cursor, gsize *size)
{
  guint i;

  for (i = 0; i < MAX_EXTENSIONS && self->protocol == NS_IP_AUTHENTICATION; i++)
    {
      gsize begin = cursor->pos;
      guint8 following = ns_cursor_u8 (cursor);
      gsize header = ((gsize) ns_cursor_u8 (cursor) + 2) * 4;

      ns_cursor_seek (cursor, begin + header);
      if (!ns_cursor_ok (cursor) || header > *size)
        return FALSE;
      *size -= header;
      self->protocol = following;
    }
  return TRUE;
}

/* Parses an IPv4 header. @n_missing: bytes of the frame that were not captured. */
static void
parse_ipv4 (NsWireFrame *self, NsCursor *cursor, gsize n_missing)
{
  gsize begin = cursor->pos;
  guint8 first = ns_cursor_u8 (cursor);
  guint header = (first & 15u) * 4;
  const guint8 *addresses;
  guint16 fragment;
  guint16 total;
  gsize size;

  ns_cursor_skip (cursor, 1);
  total = ns_cursor_u16be (cursor);
  self->ip_id = ns_cursor_u16be (cursor);
  fragment = ns_cursor_u16be (cursor);
  self->ttl = ns_cursor_u8 (cursor);
  self->protocol = ns_cursor_u8 (cursor);
  ns_cursor_skip (cursor, 2);
  addresses = ns_cursor_take (cursor, 8);
  if (addresses == NULL || first >> 4 != 4 || header < 20)
    return;

  self->has_ip = TRUE;
  self->src.ip = ns_ip_from_v4 (addresses);
  self->dst.ip = ns_ip_from_v4 (addresses + 4);
  ns_cursor_seek (cursor, begin + header);
  /* With large send offload the total length is 0: the rest of the frame is the payload. */
  size = total == 0 ? ns_cursor_left (cursor) + n_missing : total - MIN (total, header);
  /* More fragments follow, or this is a later one. */
  if ((fragment & 0x3fff) != 0)
    set_fragment (self,
                  cursor,
                  (fragment & 0x1fffu) * 8,
                  self->ip_id,
                  size,
                  (fragment & 0x2000) == 0);
  else if (!skip_authentication (self, cursor, &size))
    return;
  parse_transport (self, cursor, size);
}

static void
parse_ipv6 (NsWireFrame *self, NsCursor *cursor, gsize n_missing)
{
  guint32 first = ns_cursor_u32be (cursor);
  gsize length = ns_cursor_u16be (cursor);
  guint8 next = ns_cursor_u8 (cursor);
  guint16 fragment = 0;
  guint32 id = 0;
  const guint8 *addresses;
  guint i;

  self->ttl = ns_cursor_u8 (cursor);
  addresses = ns_cursor_take (cursor, 32);
  if (addresses == NULL || first >> 28 != 6)
    return;

  self->has_ip = TRUE;
  self->src.ip = ns_ip_from_v6 (addresses);
  self->dst.ip = ns_ip_from_v6 (addresses + 16);
  if (length == 0)
    length = ns_cursor_left (cursor) + n_missing;

  for (i = 0; i < MAX_EXTENSIONS; i++)
    {
      gsize begin = cursor->pos;
      guint8 following;
      gsize size;

      if (next != 0 && next != 43 && next != 44 && next != 51 && next != 60)
        break;
      following = ns_cursor_u8 (cursor);
      size = ns_cursor_u8 (cursor);
      size = next == 44 ? 8 : next == 51 ? (size + 2) * 4 : (size + 1) * 8;
      if (next == 44)
        {
          fragment = ns_cursor_u16be (cursor);
          id = ns_cursor_u32be (cursor);
        }
      ns_cursor_seek (cursor, begin + size);
      if (!ns_cursor_ok (cursor) || size > length)
        return;
      length -= size;
      next = following;
    }
  self->protocol = next;
  if ((fragment & 0xfff9) != 0)
    set_fragment (self, cursor, fragment & 0xfff8u, id, length, (fragment & 1) == 0);
  parse_transport (self, cursor, length);
}

static void
parse_arp (NsWireFrame *self, NsCursor *cursor)
{
  const guint8 *mac;
  const guint8 *sender;
  const guint8 *target;

  ns_cursor_skip (cursor, 6);
  self->arp_operation = ns_cursor_u16be (cursor);
  mac = ns_cursor_take (cursor, 6);
  sender = ns_cursor_take (cursor, 4);
  ns_cursor_skip (cursor, 6);
  target = ns_cursor_take (cursor, 4);
  if (target == NULL)
    return;
  self->arp_sender = mac;
  self->src.ip = ns_ip_from_v4 (sender);
  self->dst.ip = ns_ip_from_v4 (target);
}

/**
 * ns_wire_frame_parse:
 * @self: (out): the decoded headers
 * @data: (array length=size): the captured bytes, untrusted
 * @size: number of bytes
 * @link_type: LINKTYPE number of the link layer, see ns_wire_link_read()
 *
 * Dissects a frame that was captured completely.
 *
 * Returns: %TRUE if it holds an IP packet
 */
gboolean
ns_wire_frame_parse (NsWireFrame *self, const guint8 *data, gsize size, guint link_type)
{
  return ns_wire_frame_parse_cut (self, data, size, size, link_type);
}

/**
 * ns_wire_frame_parse_cut:
 * @self: (out): the decoded headers
 * @data: (array length=size): the captured bytes, untrusted
 * @size: number of bytes
 * @length: length of the frame on the wire in bytes
 * @link_type: LINKTYPE number of the link layer, see ns_wire_link_read()
 *
 * Dissects a frame as far as it was captured.
 *
 * Returns: %TRUE if it holds an IP packet
 */
gboolean
ns_wire_frame_parse_cut (NsWireFrame *self,
                         const guint8 *data,
                         gsize size,
                         gsize length,
                         guint link_type)
{
  gsize n_missing = length - MIN (size, length);
  NsWireLink link;
  NsCursor cursor;

  memset (self, 0, sizeof *self);
  ns_wire_link_read (&link, data, size, link_type);
  ns_cursor_init (&cursor, data, size);
  ns_cursor_skip (&cursor, link.size);
  self->ether_type = link.ether_type;
  self->vlan = link.vlan;

  if (self->ether_type == NS_ETHER_IPV4)
    parse_ipv4 (self, &cursor, n_missing);
  else if (self->ether_type == NS_ETHER_IPV6)
    parse_ipv6 (self, &cursor, n_missing);
  else if (self->ether_type == NS_ETHER_ARP)
    parse_arp (self, &cursor);
  else if (self->ether_type > 0 && self->ether_type <= NS_ETHER_MAX_LENGTH)
    {
      self->llc_size = MIN (ns_cursor_left (&cursor), self->ether_type);
      self->llc = ns_cursor_take (&cursor, self->llc_size);
    }
  return self->has_ip;
}

/**
 * ns_wire_frame_parse_content:
 * @self: (inout): a frame with the first fragment of an IP packet
 * @data: (array length=captured): reassembled content of the packet, as far as it was captured
 * @captured: number of bytes
 * @size: length of the content by the headers of the fragments, in bytes
 *
 * Reads the transport header again after reassembly.
 */
void
ns_wire_frame_parse_content (NsWireFrame *self, const guint8 *data, gsize captured, gsize size)
{
  NsCursor cursor;

  self->has_transport = self->is_header_cut = FALSE;
  self->payload = self->tcp_options = self->icmp = NULL;
  self->payload_size = self->wire_payload_size = self->tcp_options_size = self->icmp_size = 0;
  ns_cursor_init (&cursor, data, captured);
  parse_transport (self, &cursor, size);
}

/**
 * ns_wire_frame_parse_quoted:
 * @self: (out): the decoded headers of the packet that an ICMP error quotes
 * @error: a frame with an ICMP error
 *
 * An ICMP error quotes the beginning of the packet that caused it, at least eight bytes behind its
 * IP header (RFC 792): these hold the ports, and the sequence number of TCP.
 *
 * Returns: whether it quotes an IP packet
 */
gboolean
ns_wire_frame_parse_quoted (NsWireFrame *self, const NsWireFrame *error)
{
  if (error->icmp == NULL || error->icmp_size < 4)
    return FALSE;
  return ns_wire_frame_parse (self, error->icmp + 4, error->icmp_size - 4, NS_LINK_RAW_IP);
}

static gboolean
either_port (const NsWireFrame *self, guint16 port)
{
  return self->src.port == port || self->dst.port == port;
}

/**
 * ns_wire_frame_find_dns:
 * @self: a frame
 * @size: (out): length of the message in bytes
 *
 * Finds a DNS, mDNS or LLMNR message by port. Over TCP only a message that fills its segment is
 * found.
 *
 * Returns: (nullable) (transfer none): the message
 */
const guint8 *
ns_wire_frame_find_dns (const NsWireFrame *self, gsize *size)
{
  NsWireDns dns;

  *size = self->payload_size;
  if (!self->has_ip || self->is_fragment || self->payload == NULL)
    return NULL;
  if (self->protocol == NS_IP_UDP &&
      (either_port (self, 53) || either_port (self, 5353) || either_port (self, 5355)))
    return self->payload;
  if (self->protocol != NS_IP_TCP || !either_port (self, 53) || self->payload_size < 2 ||
      ((gsize) self->payload[0] << 8 | self->payload[1]) + 2 != self->wire_payload_size)
    return NULL;
  *size -= 2;
  return ns_wire_dns_parse (&dns, self->payload + 2, *size) ? self->payload + 2 : NULL;
}

/**
 * ns_wire_frame_is_bpdu:
 * @self: a frame
 *
 * Returns: whether it is a spanning tree BPDU of which at least four bytes behind the LLC header,
 *   with version and type, were captured
 */
gboolean
ns_wire_frame_is_bpdu (const NsWireFrame *self)
{
  static const guint8 head[] = { NS_LLC_BPDU, NS_LLC_BPDU, NS_LLC_UNNUMBERED, 0, 0 };

  return self->llc_size >= 7 && memcmp (self->llc, head, sizeof head) == 0;
}

/**
 * ns_wire_frame_get_protocol:
 * @self: a frame
 *
 * Returns: (transfer none): name of the innermost protocol, by headers and first payload bytes
 */
const char *
ns_wire_frame_get_protocol (const NsWireFrame *self)
{
  gsize size;

  if (!self->has_ip)
    return self->ether_type == NS_ETHER_ARP ? "ARP"
           : ns_wire_frame_is_bpdu (self)   ? "STP"
           : self->llc_size >= 3            ? "LLC"
                                            : "Ethernet";

  switch (self->protocol)
    {
    case NS_IP_TCP:
      if (ns_wire_http_is_message (self->payload, self->payload_size))
        return "HTTP";
      if (ns_wire_tls_is_record (self->payload, self->payload_size))
        return "TLS";
      return ns_wire_frame_find_dns (self, &size) != NULL ? "DNS" : "TCP";
    case NS_IP_UDP:
      if (either_port (self, 53))
        return "DNS";
      if (either_port (self, 5353))
        return "mDNS";
      if (either_port (self, 5355))
        return "LLMNR";
      return either_port (self, 443) && self->payload_size > 0 && (self->payload[0] & 0x40) != 0
                 ? "QUIC"
                 : "UDP";
    case NS_IP_ICMP:
      return "ICMP";
    case NS_IP_ICMPV6:
      return "ICMPv6";
    case 2:
      return "IGMP";
    case 47:
      return "GRE";
    case 50:
      return "ESP";
    default:
      return self->ether_type == NS_ETHER_IPV6 ? "IPv6" : "IPv4";
    }
}
