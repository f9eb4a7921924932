/* Summarizes a frame in one line, in the style of Wireshark's Info column.
 *
 * Names: RFC 792, RFC 1122, RFC 1812, RFC 4443, RFC 4861, RFC 9293, RFC 7323, RFC 2018, RFC 826.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-dns.h"
#include "wire/ns-wire-frame.h"
#include "wire/ns-wire-http.h"
#include "wire/ns-wire-quic.h"
#include "wire/ns-wire-tls.h"

#include <string.h>

#define MAX_TCP_OPTIONS 40
/* TLS records named for one segment; further ones are left out. */
#define MAX_TLS_RECORDS 8

typedef struct
{
  guint8 protocol;
  guint8 type;
  guint8 code; /* 0 for a type without codes */
  const char *name;
} IcmpName;

/* clang-format off */
static const IcmpName icmp_types[] = {
  { NS_IP_ICMP, 0, 0, "Echo (ping) reply" },
  { NS_IP_ICMP, 3, 0, "Destination unreachable" },
  { NS_IP_ICMP, 4, 0, "Source quench" },
  { NS_IP_ICMP, 5, 0, "Redirect" },
  { NS_IP_ICMP, 8, 0, "Echo (ping) request" },
  { NS_IP_ICMP, 9, 0, "Router advertisement" },
  { NS_IP_ICMP, 10, 0, "Router solicitation" },
  { NS_IP_ICMP, 11, 0, "Time-to-live exceeded" },
  { NS_IP_ICMP, 12, 0, "Parameter problem" },
  { NS_IP_ICMPV6, 1, 0, "Destination Unreachable" },
  { NS_IP_ICMPV6, 2, 0, "Packet Too Big" },
  { NS_IP_ICMPV6, 3, 0, "Time Exceeded" },
  { NS_IP_ICMPV6, 4, 0, "Parameter Problem" },
  { NS_IP_ICMPV6, 128, 0, "Echo (ping) request" },
  { NS_IP_ICMPV6, 129, 0, "Echo (ping) reply" },
  { NS_IP_ICMPV6, 130, 0, "Multicast Listener Query" },
  { NS_IP_ICMPV6, 131, 0, "Multicast Listener Report" },
  { NS_IP_ICMPV6, 132, 0, "Multicast Listener Done" },
  { NS_IP_ICMPV6, 133, 0, "Router Solicitation" },
  { NS_IP_ICMPV6, 134, 0, "Router Advertisement" },
  { NS_IP_ICMPV6, 135, 0, "Neighbor Solicitation" },
  { NS_IP_ICMPV6, 136, 0, "Neighbor Advertisement" },
  { NS_IP_ICMPV6, 137, 0, "Redirect" },
  { NS_IP_ICMPV6, 143, 0, "Multicast Listener Report Message v2" },
};

static const IcmpName icmp_codes[] = {
  { NS_IP_ICMP, 3, 0, "Network unreachable" },
  { NS_IP_ICMP, 3, 1, "Host unreachable" },
  { NS_IP_ICMP, 3, 2, "Protocol unreachable" },
  { NS_IP_ICMP, 3, 3, "Port unreachable" },
  { NS_IP_ICMP, 3, 4, "Fragmentation needed" },
  { NS_IP_ICMP, 3, 5, "Source route failed" },
  { NS_IP_ICMP, 3, 9, "Network administratively prohibited" },
  { NS_IP_ICMP, 3, 10, "Host administratively prohibited" },
  { NS_IP_ICMP, 3, 13, "Communication administratively filtered" },
  { NS_IP_ICMP, 5, 0, "Redirect for network" },
  { NS_IP_ICMP, 5, 1, "Redirect for host" },
  { NS_IP_ICMP, 11, 0, "Time to live exceeded in transit" },
  { NS_IP_ICMP, 11, 1, "Fragment reassembly time exceeded" },
  { NS_IP_ICMPV6, 1, 0, "no route to destination" },
  { NS_IP_ICMPV6, 1, 1, "Administratively prohibited" },
  { NS_IP_ICMPV6, 1, 2, "Beyond scope of source address" },
  { NS_IP_ICMPV6, 1, 3, "Address unreachable" },
  { NS_IP_ICMPV6, 1, 4, "Port unreachable" },
  { NS_IP_ICMPV6, 1, 5, "Source address failed ingress/egress policy" },
  { NS_IP_ICMPV6, 1, 6, "Reject route to destination" },
  { NS_IP_ICMPV6, 3, 0, "hop limit exceeded in transit" },
  { NS_IP_ICMPV6, 3, 1, "fragment reassembly time exceeded" },
};
/* clang-format on */

/**
 * ns_wire_bpdu_name:
 * @version: protocol version of a spanning tree BPDU
 * @type: BPDU type
 *
 * Returns: (transfer none): name of the kind of BPDU
 */
const char *
ns_wire_bpdu_name (guint version, guint type)
{
  if (type == NS_BPDU_CHANGE)
    return "topology change notification";
  return version == 0   ? "configuration"
         : version == 2 ? "rapid spanning tree"
         : version == 3 ? "multiple spanning tree"
                        : "unknown version";
}

/**
 * ns_wire_ether_type_name:
 * @type: an EtherType
 *
 * Returns: (nullable) (transfer none): name of the protocol; %NULL: unknown
 */
const char *
ns_wire_ether_type_name (guint type)
{
  switch (type)
    {
    case NS_ETHER_IPV4:
      return "IPv4";
    case NS_ETHER_IPV6:
      return "IPv6";
    case NS_ETHER_ARP:
      return "ARP";
    case NS_ETHER_VLAN:
      return "802.1Q VLAN";
    case NS_ETHER_QINQ:
      return "802.1ad";
    case NS_ETHER_MPLS:
      return "MPLS";
    case NS_ETHER_MPLS_MULTICAST:
      return "MPLS multicast";
    case NS_ETHER_PPPOE_DISCOVERY:
      return "PPPoE discovery";
    case NS_ETHER_PPPOE:
      return "PPPoE session";
    case 0x888e:
      return "802.1X";
    case 0x88cc:
      return "LLDP";
    default:
      return NULL;
    }
}

/**
 * ns_wire_icmp_type_name:
 * @protocol: %NS_IP_ICMP or %NS_IP_ICMPV6
 * @type: ICMP type
 *
 * Returns: (nullable) (transfer none): name of the type; %NULL: unknown
 */
const char *
ns_wire_icmp_type_name (guint protocol, guint type)
{
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (icmp_types); i++)
    if (icmp_types[i].protocol == protocol && icmp_types[i].type == type)
      return icmp_types[i].name;
  return NULL;
}

/**
 * ns_wire_icmp_code_name:
 * @protocol: %NS_IP_ICMP or %NS_IP_ICMPV6
 * @type: ICMP type
 * @code: ICMP code
 *
 * Returns: (nullable) (transfer none): name of the code; %NULL: unknown
 */
const char *
ns_wire_icmp_code_name (guint protocol, guint type, guint code)
{
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (icmp_codes); i++)
    if (icmp_codes[i].protocol == protocol && icmp_codes[i].type == type &&
        icmp_codes[i].code == code)
      return icmp_codes[i].name;
  return NULL;
}

/**
 * ns_wire_append_mac:
 * @mac: (array fixed-size=6): a MAC address
 * @text: string to append to
 *
 * Appends the address as `00:11:22:aa:bb:cc`.
 */
void
ns_wire_append_mac (const guint8 *mac, GString *text)
{
  guint i;

  for (i = 0; i < 6; i++)
    g_string_append_printf (text, "%s%02x", i > 0 ? ":" : "", mac[i]);
}

/**
 * ns_wire_append_tcp_flags:
 * @flags: flags of a TCP segment
 * @text: string to append to
 *
 * Appends the names of the flags, such as `SYN, ACK`.
 */
void
ns_wire_append_tcp_flags (guint flags, GString *text)
{
  static const char *const names[] = { "FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR" };
  gboolean is_first = TRUE;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++)
    if ((flags & 1u << i) != 0)
      {
        g_string_append_printf (text, "%s%s", is_first ? "" : ", ", names[i]);
        is_first = FALSE;
      }
}

static void
append_tcp_option (const NsWireFrame *self, guint kind, NsCursor *value, GString *text)
{
  guint32 first;
  guint32 second;

  switch (kind)
    {
    case 2:
      g_string_append_printf (text, " MSS=%u", ns_cursor_u16be (value));
      break;
    case 3:
      first = ns_cursor_u8 (value);
      g_string_append_printf (text, " WS=%u", 1u << MIN (first, 14));
      break;
    case 4:
      g_string_append (text, " SACK_PERM");
      break;
    case 5:
      while (ns_cursor_left (value) >= 8)
        {
          first = ns_cursor_u32be (value) - self->ack_base;
          second = ns_cursor_u32be (value) - self->ack_base;
          g_string_append_printf (text, " SLE=%u SRE=%u", first, second);
        }
      break;
    case 8:
      first = ns_cursor_u32be (value);
      second = ns_cursor_u32be (value);
      if (ns_cursor_ok (value))
        g_string_append_printf (text, " TSval=%u TSecr=%u", first, second);
      break;
    default:
      break;
    }
}

static void
append_tcp_options (const NsWireFrame *self, GString *text)
{
  NsCursor cursor;
  guint i;

  ns_cursor_init (&cursor,
                  self->tcp_options,
                  self->tcp_options != NULL ? self->tcp_options_size : 0);
  for (i = 0; i < MAX_TCP_OPTIONS && ns_cursor_left (&cursor) > 0; i++)
    {
      guint8 kind = ns_cursor_u8 (&cursor);
      NsCursor value;
      guint8 size;

      if (kind == 0)
        break;
      if (kind == 1)
        continue;
      size = ns_cursor_u8 (&cursor);
      if (size < 2 || !ns_cursor_sub (&cursor, size - 2u, &value))
        break;
      append_tcp_option (self, kind, &value, text);
    }
}

/* Appends `50001 → 443 [SYN] Seq=1 Win=64240 Len=0 MSS=1460`. */
static void
append_tcp_info (const NsWireFrame *self, GString *text)
{
  g_string_append_printf (text, "%u \342\206\222 %u [", self->src.port, self->dst.port);
  ns_wire_append_tcp_flags (self->tcp_flags, text);
  g_string_append_printf (text, "] Seq=%u", self->seq);
  if ((self->tcp_flags & NS_TCP_ACK) != 0)
    g_string_append_printf (text, " Ack=%u", self->ack);
  g_string_append_printf (text,
                          " Win=%u Len=%" G_GSIZE_FORMAT,
                          self->window,
                          self->wire_payload_size);
  append_tcp_options (self, text);
}

static void
append_target (NsCursor *cursor, const char *before, GString *text)
{
  const guint8 *bytes = ns_cursor_take (cursor, 16);
  char buffer[NS_IP_TEXT_SIZE];
  NsIp ip;

  if (bytes == NULL)
    return;
  ip = ns_ip_from_v6 (bytes);
  g_string_append_printf (text, "%s%s", before, ns_ip_to_text (&ip, buffer));
}

/* Appends the address in a source or target link-layer address option of neighbor discovery (RFC
 * 4861 4.6.1). */
static void
append_link_address (NsCursor *cursor, const char *before, GString *text)
{
  guint i;

  for (i = 0; i < MAX_TCP_OPTIONS && ns_cursor_left (cursor) >= 8; i++)
    {
      guint8 type = ns_cursor_u8 (cursor);
      gsize size = (gsize) ns_cursor_u8 (cursor) * 8;
      NsCursor value;
      const guint8 *mac;

      if (size < 8 || !ns_cursor_sub (cursor, size - 2, &value))
        return;
      mac = ns_cursor_take (&value, 6);
      if ((type == 1 || type == 2) && mac != NULL)
        {
          g_string_append (text, before);
          ns_wire_append_mac (mac, text);
          return;
        }
    }
}

static void
append_neighbor_info (const NsWireFrame *self, GString *text)
{
  NsCursor cursor;
  guint32 flags;

  ns_cursor_init (&cursor, self->icmp, self->icmp_size);
  flags = ns_cursor_u32be (&cursor);
  if (self->icmp_type == 135)
    {
      append_target (&cursor, " for ", text);
      append_link_address (&cursor, " from ", text);
      return;
    }
  append_target (&cursor, " ", text);
  if ((flags & 0xe0000000) != 0)
    g_string_append_printf (text,
                            " (%s%s%s%s%s)",
                            (flags & 0x80000000) != 0 ? "rtr" : "",
                            (flags & 0x80000000) != 0 && (flags & 0x60000000) != 0 ? ", " : "",
                            (flags & 0x40000000) != 0 ? "sol" : "",
                            (flags & 0x40000000) != 0 && (flags & 0x20000000) != 0 ? ", " : "",
                            (flags & 0x20000000) != 0 ? "ovr" : "");
  append_link_address (&cursor, " is at ", text);
}

static gboolean
is_echo (const NsWireFrame *self)
{
  return self->protocol == NS_IP_ICMP ? self->icmp_type == 0 || self->icmp_type == 8
                                      : self->icmp_type == 128 || self->icmp_type == 129;
}

/* Appends what depends on the ICMP type: echo identifiers, MTU, neighbor discovery targets. */
static void
append_icmp_rest (const NsWireFrame *self, GString *text)
{
  NsCursor cursor;
  guint16 id;
  guint16 seq;

  ns_cursor_init (&cursor, self->icmp, self->icmp != NULL ? self->icmp_size : 0);
  if (ns_cursor_left (&cursor) < 4)
    return;
  id = ns_cursor_u16be (&cursor);
  seq = ns_cursor_u16be (&cursor);
  if (is_echo (self))
    g_string_append_printf (text,
                            " id=0x%04x, seq=%u/%u, ttl=%u",
                            id,
                            seq,
                            GUINT16_SWAP_LE_BE (seq),
                            self->ttl);
  else if (self->protocol == NS_IP_ICMP && self->icmp_type == 3 && self->icmp_code == 4)
    g_string_append_printf (text, ", MTU %u", seq);
  else if (self->protocol == NS_IP_ICMPV6 && self->icmp_type == 2)
    g_string_append_printf (text, ", MTU %u", (guint32) id << 16 | seq);
  else if (self->protocol == NS_IP_ICMPV6 && (self->icmp_type == 135 || self->icmp_type == 136))
    append_neighbor_info (self, text);
}

/* Appends the packet that an ICMP error quotes. */
static void
append_quoted (const NsWireFrame *self, GString *text)
{
  gboolean is_error = self->protocol == NS_IP_ICMP
                          ? self->icmp_type == 3 || self->icmp_type == 5 || self->icmp_type == 11
                          : self->icmp_type >= 1 && self->icmp_type <= 4;
  char from[NS_IP_TEXT_SIZE];
  char to[NS_IP_TEXT_SIZE];
  NsWireFrame quoted;

  if (!is_error || !ns_wire_frame_parse_quoted (&quoted, self))
    return;
  g_string_append_printf (text,
                          ", of %s %s \342\206\222 %s",
                          ns_wire_frame_get_protocol (&quoted),
                          quoted.src.port != 0 ? ns_endpoint_to_text (&quoted.src, from)
                                               : ns_ip_to_text (&quoted.src.ip, from),
                          quoted.dst.port != 0 ? ns_endpoint_to_text (&quoted.dst, to)
                                               : ns_ip_to_text (&quoted.dst.ip, to));
}

static void
append_icmp_info (const NsWireFrame *self, GString *text)
{
  const char *type = ns_wire_icmp_type_name (self->protocol, self->icmp_type);
  const char *code = ns_wire_icmp_code_name (self->protocol, self->icmp_type, self->icmp_code);

  if (!self->has_transport)
    {
      g_string_append (text, "cut");
      return;
    }
  if (type == NULL)
    {
      g_string_append_printf (text, "type %u code %u", self->icmp_type, self->icmp_code);
      return;
    }
  g_string_append (text, type);
  if (code != NULL)
    g_string_append_printf (text, " (%s)", code);
  else if (self->icmp_code != 0)
    g_string_append_printf (text, " (code %u)", self->icmp_code);
  append_icmp_rest (self, text);
  append_quoted (self, text);
}

static void
append_arp_info (const NsWireFrame *self, GString *text)
{
  gboolean is_own = ns_ip_equal (&self->src.ip, &self->dst.ip);
  char from[NS_IP_TEXT_SIZE];
  char to[NS_IP_TEXT_SIZE];

  ns_ip_to_text (&self->src.ip, from);
  ns_ip_to_text (&self->dst.ip, to);
  if (self->arp_sender == NULL)
    g_string_append (text, "cut");
  else if (self->arp_operation == 1 && is_own)
    g_string_append_printf (text, "ARP Announcement for %s", from);
  else if (self->arp_operation == 1 && ns_ip_is_empty (&self->src.ip))
    g_string_append_printf (text, "Who has %s? (ARP Probe)", to);
  else if (self->arp_operation == 1)
    g_string_append_printf (text, "Who has %s? Tell %s", to, from);
  else if (self->arp_operation == 2)
    {
      g_string_append_printf (text, "%s%s is at ", is_own ? "Gratuitous ARP: " : "", from);
      ns_wire_append_mac (self->arp_sender, text);
    }
  else
    g_string_append_printf (text, "operation %u", self->arp_operation);
}

/* Appends the TLS records of a segment that begins with one; %FALSE if it does not. */
static gboolean
append_tls_info (const NsWireFrame *self, GString *text)
{
  static const char *const names[] = { "Change Cipher Spec",
                                       "Alert",
                                       "Handshake",
                                       "Application Data",
                                       "Heartbeat" };
  const guint8 *data = self->payload;
  gsize left = self->payload_size;
  guint i;

  for (i = 0; i < MAX_TLS_RECORDS && ns_wire_tls_is_record (data, left); i++)
    {
      gsize size = 5 + ((gsize) data[3] << 8 | data[4]);

      if (i > 0)
        g_string_append (text, ", ");
      if (!ns_wire_tls_append_info (data, MIN (size, left), text))
        g_string_append (text, names[data[0] - 20]);
      if (size >= left)
        return TRUE;
      data += size;
      left -= size;
    }
  return i > 0;
}

static void
append_udp_info (const NsWireFrame *self, GString *text)
{
  g_string_append_printf (text,
                          "%u \342\206\222 %u Len=%" G_GSIZE_FORMAT,
                          self->src.port,
                          self->dst.port,
                          self->wire_payload_size);
}

static void
append_quic_info (const NsWireFrame *self, GString *text)
{
  static const char *const types[] = { "Initial", "0-RTT", "Handshake", "Retry" };
  char version[NS_WIRE_QUIC_TEXT_SIZE];
  NsWireQuic quic;

  if (!ns_wire_quic_parse (&quic, self->payload, self->payload_size))
    {
      g_string_append (text, "Protected Payload, ");
      append_udp_info (self, text);
      return;
    }
  /* QUIC version 2 renumbers the packet types (RFC 9369 3.2). */
  g_string_append (text,
                   quic.version == 0            ? "Version Negotiation"
                   : quic.version == 0x6b3343cf ? types[((self->payload[0] >> 4 & 3) + 3) & 3]
                                                : types[self->payload[0] >> 4 & 3]);
  g_string_append_printf (text,
                          ", version %s, DCID=%s",
                          ns_wire_quic_version_text (quic.version, version),
                          quic.dcid);
  if (quic.scid[0] != '\0')
    g_string_append_printf (text, ", SCID=%s", quic.scid);
}

static void
append_ip_info (const NsWireFrame *self, GString *text)
{
  const char *protocol = ns_wire_frame_get_protocol (self);
  const guint8 *dns;
  gsize n_dns;

  if (g_str_has_suffix (protocol, "DNS") || strcmp (protocol, "LLMNR") == 0)
    {
      dns = ns_wire_frame_find_dns (self, &n_dns);
      ns_wire_dns_append_info (dns, dns != NULL ? n_dns : 0, text);
    }
  else if (strcmp (protocol, "HTTP") == 0)
    ns_wire_http_append_first_line (self->payload, self->payload_size, text);
  else if (strcmp (protocol, "TLS") == 0 && append_tls_info (self, text))
    return;
  else if (strcmp (protocol, "QUIC") == 0)
    append_quic_info (self, text);
  else if (self->protocol == NS_IP_TCP)
    append_tcp_info (self, text);
  else if (self->protocol == NS_IP_ICMP || self->protocol == NS_IP_ICMPV6)
    append_icmp_info (self, text);
  else if (self->protocol == NS_IP_UDP)
    append_udp_info (self, text);
  else
    g_string_append_printf (text, "IP protocol %u, ttl=%u", self->protocol, self->ttl);
}

/**
 * ns_wire_frame_make_relative:
 * @self: a TCP segment
 * @seq_base: initial sequence number of its sender
 * @ack_base: initial sequence number of its receiver
 *
 * Makes sequence and acknowledgment numbers relative, as Wireshark shows them.
 */
void
ns_wire_frame_make_relative (NsWireFrame *self, guint32 seq_base, guint32 ack_base)
{
  self->seq -= seq_base;
  self->ack -= ack_base;
  self->ack_base = ack_base;
}

/* Appends kind, root bridge, path cost and port of a BPDU, as Wireshark does. */
static void
append_bpdu_info (const NsWireFrame *self, GString *text)
{
  static const char *const names[] = { "Conf", NULL, "RST", "MST", "SPT" };
  const guint8 *bpdu = self->llc + 3;
  guint version = bpdu[2];
  NsCursor cursor;
  guint priority;

  if (bpdu[3] == NS_BPDU_CHANGE)
    {
      g_string_append (text, "Topology Change Notification");
      return;
    }
  ns_cursor_init (&cursor, bpdu, self->llc_size - 3);
  ns_cursor_skip (&cursor, 5);
  priority = ns_cursor_u16be (&cursor);
  ns_cursor_skip (&cursor, 18);
  if (version >= G_N_ELEMENTS (names) || names[version] == NULL || ns_cursor_left (&cursor) < 2)
    {
      g_string_append (text, ns_wire_bpdu_name (version, bpdu[3]));
      return;
    }
  g_string_append_printf (text,
                          "%s. %sRoot = %u/%u/",
                          names[version],
                          (bpdu[4] & 1) != 0 ? "TC + " : "",
                          priority & 0xf000,
                          priority & 0xfff);
  ns_wire_append_mac (bpdu + 7, text);
  g_string_append_printf (text,
                          "  Cost = %u  Port = 0x%04x",
                          (guint) bpdu[13] << 24 | (guint) bpdu[14] << 16 | (guint) bpdu[15] << 8 |
                              bpdu[16],
                          bpdu[25] << 8 | bpdu[26]);
}

/* Summarizes a frame without IP. */
static void
append_link_info (const NsWireFrame *self, GString *text)
{
  const char *name = ns_wire_ether_type_name (self->ether_type);

  if (ns_wire_frame_is_bpdu (self))
    append_bpdu_info (self, text);
  else if (self->llc_size >= 8 && self->llc[0] == NS_LLC_SNAP)
    g_string_append_printf (text,
                            "SNAP, organization %02x:%02x:%02x, protocol 0x%02x%02x",
                            self->llc[3],
                            self->llc[4],
                            self->llc[5],
                            self->llc[6],
                            self->llc[7]);
  else if (self->llc_size >= 3)
    g_string_append_printf (text,
                            "DSAP 0x%02x, SSAP 0x%02x, control 0x%02x, length %u",
                            self->llc[0],
                            self->llc[1],
                            self->llc[2],
                            self->ether_type);
  else if (self->ether_type > 0 && self->ether_type <= NS_ETHER_MAX_LENGTH)
    g_string_append_printf (text, "802.3 length %u", self->ether_type);
  else if (name != NULL)
    g_string_append_printf (text, "%s, EtherType 0x%04x", name, self->ether_type);
  else
    g_string_append_printf (text, "EtherType 0x%04x", self->ether_type);
}

/**
 * ns_wire_frame_append_info:
 * @self: a frame
 * @text: string to append to
 *
 * Appends a one-line summary: DNS question and records, HTTP first line, TLS records and server
 * name, TCP flags, numbers and options, ICMP type and identifiers, or ARP addresses.
 */
void
ns_wire_frame_append_info (const NsWireFrame *self, GString *text)
{
  if (self->ether_type == NS_ETHER_ARP)
    append_arp_info (self, text);
  else if (!self->has_ip)
    append_link_info (self, text);
  else if (self->is_fragment)
    g_string_append_printf (text,
                            "IP fragment, id %u, offset %u",
                            self->ip_id != 0 ? self->ip_id : self->fragment_id,
                            self->fragment_offset);
  else
    append_ip_info (self, text);
}
