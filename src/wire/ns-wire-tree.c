/* A frame as a tree of fields: link, network and transport headers.
 *
 * Layouts: IEEE 802.3, 802.1Q, 802.11, RFC 2516, 3032, 791, 8200, 9293, 768, 792, 4443, 4861, 826.
 * A field is listed when all its bytes were captured.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-tree-private.h"

#include <string.h>

#define MAX_OPTIONS 40
#define MAX_EXTENSIONS 16
/* Packets that errors quote, one in the other. */
#define MAX_QUOTED 1

static void
field_clear (gpointer data)
{
  NsWireField *field = data;

  g_free (field->name);
  g_free (field->value);
}

static void
add_hex (NsWireTree *self, guint depth, const char *name, gsize offset, guint n)
{
  if (ns_wire_tree_has (self, offset, n))
    ns_wire_tree_add (self,
                      depth,
                      name,
                      offset,
                      n,
                      "0x%0*" G_GINT64_MODIFIER "x",
                      (int) n * 2,
                      ns_wire_tree_peek (self, offset, n));
}

static void
add_mac (NsWireTree *self, guint depth, const char *name, gsize offset)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (!ns_wire_tree_has (self, offset, 6))
    return;
  ns_wire_append_mac (self->data + offset, text);
  ns_wire_tree_add (self, depth, name, offset, 6, "%s", text->str);
}

static void
add_ip (NsWireTree *self, guint depth, const char *name, gsize offset, gboolean is_v6)
{
  char text[NS_IP_TEXT_SIZE];
  NsIp ip;

  if (!ns_wire_tree_has (self, offset, is_v6 ? 16 : 4))
    return;
  ip = is_v6 ? ns_ip_from_v6 (self->data + offset) : ns_ip_from_v4 (self->data + offset);
  ns_wire_tree_add (self, depth, name, offset, is_v6 ? 16 : 4, "%s", ns_ip_to_text (&ip, text));
}

static void
add_ether_type (NsWireTree *self, guint depth, gsize offset)
{
  guint type = (guint) ns_wire_tree_peek (self, offset, 2);
  const char *name = ns_wire_ether_type_name (type);

  if (!ns_wire_tree_has (self, offset, 2))
    return;
  if (type <= NS_ETHER_MAX_LENGTH)
    ns_wire_tree_add (self, depth, "Length", offset, 2, "%u", type);
  else
    ns_wire_tree_add (self,
                      depth,
                      "Type",
                      offset,
                      2,
                      "%s (0x%04x)",
                      name != NULL ? name : "unknown",
                      type);
}

static void
add_snap (NsWireTree *self, gsize at)
{
  ns_wire_tree_add (self, 0, "LLC", at, 8, "SNAP");
  add_hex (self, 1, "DSAP", at, 1);
  add_hex (self, 1, "SSAP", at + 1, 1);
  add_hex (self, 1, "Control", at + 2, 1);
  add_hex (self, 1, "Organization", at + 3, 3);
  add_ether_type (self, 1, at + 6);
}

static void
add_pppoe (NsWireTree *self, gsize at)
{
  guint session = (guint) ns_wire_tree_peek (self, at + 2, 2);

  ns_wire_tree_add (self, 0, "PPPoE session", at, 6, "id 0x%04x", session);
  add_hex (self, 1, "Version and type", at, 1);
  add_hex (self, 1, "Code", at + 1, 1);
  add_hex (self, 1, "Session ID", at + 2, 2);
  ns_wire_tree_add_number (self, 1, "Payload length", at + 4, 2);
  ns_wire_tree_add (self, 0, "PPP", at + 6, 2, "%s", "");
  add_hex (self, 1, "Protocol", at + 6, 2);
}

static void
add_mpls (NsWireTree *self, gsize at)
{
  guint32 entry = (guint32) ns_wire_tree_peek (self, at, 4);

  ns_wire_tree_add (self, 0, "MPLS", at, 4, "label %u", entry >> 12);
  ns_wire_tree_add (self, 1, "Label", at, 3, "%u", entry >> 12);
  ns_wire_tree_add (self, 1, "Traffic class", at + 2, 1, "%u", entry >> 9 & 7);
  ns_wire_tree_add (self, 1, "Bottom of stack", at + 2, 1, "%u", entry >> 8 & 1);
  ns_wire_tree_add_number (self, 1, "Time to live", at + 3, 1);
}

/* Where the EtherType ends that stands behind all tags. */
static gsize
find_end_of_tags (const NsWireTree *self, const NsWireLink *link)
{
  gsize at = 12;

  if (link->carrier == 0)
    return link->size;
  while (ns_wire_tree_peek (self, at, 2) == NS_ETHER_VLAN ||
         ns_wire_tree_peek (self, at, 2) == NS_ETHER_QINQ)
    at += 4;
  return at + 2;
}

static void
add_ethernet (NsWireTree *self, const NsWireLink *link)
{
  g_autoptr (GString) ends = g_string_new (NULL);
  gboolean is_length =
      ns_wire_tree_has (self, 12, 2) && ns_wire_tree_peek (self, 12, 2) <= NS_ETHER_MAX_LENGTH;
  gsize end = find_end_of_tags (self, link);
  gsize at = 12;

  if (ns_wire_tree_has (self, 0, 12))
    {
      ns_wire_append_mac (self->data + 6, ends);
      g_string_append (ends, " \342\206\222 ");
      ns_wire_append_mac (self->data, ends);
    }
  ns_wire_tree_add (self,
                    0,
                    is_length ? "IEEE 802.3" : "Ethernet II",
                    0,
                    MAX (end, 14),
                    "%s",
                    ends->str);
  add_mac (self, 1, "Destination", 0);
  add_mac (self, 1, "Source", 6);
  add_ether_type (self, 1, at);
  for (; at + 6 <= end; at += 4)
    {
      guint tag = (guint) ns_wire_tree_peek (self, at + 2, 2);

      ns_wire_tree_add (self, 0, "802.1Q VLAN", at + 2, 4, "id %u", tag & 0x0fff);
      ns_wire_tree_add (self, 1, "Priority", at + 2, 2, "%u", tag >> 13);
      ns_wire_tree_add (self, 1, "Drop eligible", at + 2, 2, "%u", tag >> 12 & 1);
      ns_wire_tree_add (self, 1, "ID", at + 2, 2, "%u", tag & 0x0fff);
      add_ether_type (self, 1, at + 4);
    }
  if (link->carrier == NS_ETHER_PPPOE)
    add_pppoe (self, end);
  else if (link->carrier > NS_ETHER_MAX_LENGTH)
    for (at = end; at + 4 <= link->size; at += 4)
      add_mpls (self, at);
  else if (link->size > end)
    add_snap (self, end);
}

static void
add_wifi (NsWireTree *self, const NsWireLink *link)
{
  gsize header = link->size >= 8 ? link->size - 8 : 0;

  ns_wire_tree_add (self, 0, "IEEE 802.11", 0, header, "Data");
  add_hex (self, 1, "Frame control", 0, 2);
  ns_wire_tree_add_number (self, 1, "Duration", 2, 2);
  add_mac (self, 1, "Address 1", 4);
  add_mac (self, 1, "Address 2", 10);
  add_mac (self, 1, "Address 3", 16);
  add_hex (self, 1, "Sequence control", 22, 2);
  if (link->size < 8)
    return;
  add_snap (self, header);
}

static void
add_arp (NsWireTree *self, gsize at)
{
  guint operation = (guint) ns_wire_tree_peek (self, at + 6, 2);

  ns_wire_tree_add (self,
                    0,
                    "ARP",
                    at,
                    28,
                    "%s",
                    operation == 1   ? "request"
                    : operation == 2 ? "reply"
                                     : "");
  ns_wire_tree_add_number (self, 1, "Hardware type", at, 2);
  add_hex (self, 1, "Protocol type", at + 2, 2);
  ns_wire_tree_add_number (self, 1, "Hardware size", at + 4, 1);
  ns_wire_tree_add_number (self, 1, "Protocol size", at + 5, 1);
  ns_wire_tree_add_number (self, 1, "Operation", at + 6, 2);
  add_mac (self, 1, "Sender MAC", at + 8);
  add_ip (self, 1, "Sender IP", at + 14, FALSE);
  add_mac (self, 1, "Target MAC", at + 18);
  add_ip (self, 1, "Target IP", at + 24, FALSE);
}

static const char *
get_protocol_name (guint protocol)
{
  switch (protocol)
    {
    case 0:
      return "Hop-by-hop options";
    case NS_IP_ICMP:
      return "ICMP";
    case 2:
      return "IGMP";
    case NS_IP_TCP:
      return "TCP";
    case NS_IP_UDP:
      return "UDP";
    case 43:
      return "Routing header";
    case 44:
      return "Fragment header";
    case 47:
      return "GRE";
    case 50:
      return "ESP";
    case 51:
      return "AH";
    case NS_IP_ICMPV6:
      return "ICMPv6";
    case 60:
      return "Destination options";
    default:
      return "unknown";
    }
}

static void
add_protocol (NsWireTree *self, guint depth, const char *name, gsize offset)
{
  guint protocol = (guint) ns_wire_tree_peek (self, offset, 1);

  if (ns_wire_tree_has (self, offset, 1))
    ns_wire_tree_add (self,
                      depth,
                      name,
                      offset,
                      1,
                      "%s (%u)",
                      get_protocol_name (protocol),
                      protocol);
}

static char *
dup_ends (const NsWireFrame *frame)
{
  char from[NS_IP_TEXT_SIZE];
  char to[NS_IP_TEXT_SIZE];

  if (!frame->has_ip)
    return g_strdup ("");
  return g_strdup_printf ("%s \342\206\222 %s",
                          ns_ip_to_text (&frame->src.ip, from),
                          ns_ip_to_text (&frame->dst.ip, to));
}

/* Returns: where its content begins; @at if it is cut before */
static gsize
add_ipv4 (NsWireTree *self, guint depth, gsize at, const NsWireFrame *frame)
{
  gsize header = (ns_wire_tree_peek (self, at, 1) & 15) * 4;
  guint fragment = (guint) ns_wire_tree_peek (self, at + 6, 2);
  g_autofree char *ends = dup_ends (frame);

  ns_wire_tree_add (self, depth, "IPv4", at, MAX (header, 20), "%s", ends);
  depth++;
  if (ns_wire_tree_has (self, at, 1))
    ns_wire_tree_add (self, depth, "Header length", at, 1, "%u bytes", (guint) header);
  add_hex (self, depth, "Differentiated services", at + 1, 1);
  ns_wire_tree_add_number (self, depth, "Total length", at + 2, 2);
  add_hex (self, depth, "Identification", at + 4, 2);
  if (ns_wire_tree_has (self, at + 6, 2))
    {
      ns_wire_tree_add (self,
                        depth,
                        "Flags",
                        at + 6,
                        1,
                        "%s%s%s",
                        (fragment & 0x4000) != 0 ? "don't fragment" : "",
                        (fragment & 0x6000) == 0x6000 ? ", " : "",
                        (fragment & 0x2000) != 0 ? "more fragments" : "");
      ns_wire_tree_add (self, depth, "Fragment offset", at + 6, 2, "%u", (fragment & 0x1fff) * 8);
    }
  ns_wire_tree_add_number (self, depth, "Time to live", at + 8, 1);
  add_protocol (self, depth, "Protocol", at + 9);
  add_hex (self, depth, "Header checksum", at + 10, 2);
  add_ip (self, depth, "Source", at + 12, FALSE);
  add_ip (self, depth, "Destination", at + 16, FALSE);
  if (header > 20 && ns_wire_tree_has (self, at, header))
    ns_wire_tree_add (self,
                      depth,
                      "Options",
                      at + 20,
                      header - 20,
                      "%u bytes",
                      (guint) header - 20);
  return header >= 20 && ns_wire_tree_has (self, at, header) ? at + header : at;
}

static gsize
add_ipv6 (NsWireTree *self, guint depth, gsize at, const NsWireFrame *frame)
{
  guint32 first = (guint32) ns_wire_tree_peek (self, at, 4);
  guint next = (guint) ns_wire_tree_peek (self, at + 6, 1);
  g_autofree char *ends = dup_ends (frame);
  guint i;

  ns_wire_tree_add (self, depth, "IPv6", at, 40, "%s", ends);
  if (ns_wire_tree_has (self, at, 4))
    {
      ns_wire_tree_add (self, depth + 1, "Traffic class", at, 2, "0x%02x", first >> 20 & 0xff);
      ns_wire_tree_add (self, depth + 1, "Flow label", at + 1, 3, "0x%05x", first & 0xfffff);
    }
  ns_wire_tree_add_number (self, depth + 1, "Payload length", at + 4, 2);
  add_protocol (self, depth + 1, "Next header", at + 6);
  ns_wire_tree_add_number (self, depth + 1, "Hop limit", at + 7, 1);
  add_ip (self, depth + 1, "Source", at + 8, TRUE);
  add_ip (self, depth + 1, "Destination", at + 24, TRUE);
  if (!ns_wire_tree_has (self, at, 40))
    return at;
  at += 40;
  for (i = 0; i < MAX_EXTENSIONS; i++)
    {
      gsize size = (gsize) ns_wire_tree_peek (self, at + 1, 1);

      if (next != 0 && next != 43 && next != 44 && next != 51 && next != 60)
        break;
      size = next == 44 ? 8 : next == 51 ? (size + 2) * 4 : (size + 1) * 8;
      if (!ns_wire_tree_has (self, at, size))
        break;
      ns_wire_tree_add (self, depth, get_protocol_name (next), at, size, "%u bytes", (guint) size);
      add_protocol (self, depth + 1, "Next header", at);
      if (next == 44)
        {
          ns_wire_tree_add (self,
                            depth + 1,
                            "Fragment offset",
                            at + 2,
                            2,
                            "%u",
                            (guint) ns_wire_tree_peek (self, at + 2, 2) & 0xfff8);
          add_hex (self, depth + 1, "Identification", at + 4, 4);
        }
      next = (guint) ns_wire_tree_peek (self, at, 1);
      at += size;
    }
  return at;
}

static void
add_tcp_option (NsWireTree *self, guint depth, guint kind, gsize at, gsize size)
{
  switch (kind)
    {
    case 2:
      ns_wire_tree_add (self,
                        depth,
                        "Maximum segment size",
                        at,
                        size,
                        "%u",
                        (guint) ns_wire_tree_peek (self, at + 2, 2));
      break;
    case 3:
      ns_wire_tree_add (self,
                        depth,
                        "Window scale",
                        at,
                        size,
                        "%u (multiply by %u)",
                        (guint) ns_wire_tree_peek (self, at + 2, 1),
                        1u << MIN (ns_wire_tree_peek (self, at + 2, 1), 14));
      break;
    case 4:
      ns_wire_tree_add (self, depth, "SACK permitted", at, size, "%s", "");
      break;
    case 5:
      ns_wire_tree_add (self,
                        depth,
                        "SACK",
                        at,
                        size,
                        "%u \342\200\223 %u",
                        (guint) ns_wire_tree_peek (self, at + 2, 4),
                        (guint) ns_wire_tree_peek (self, at + 6, 4));
      break;
    case 8:
      ns_wire_tree_add (self,
                        depth,
                        "Timestamps",
                        at,
                        size,
                        "value %u, echo reply %u",
                        (guint) ns_wire_tree_peek (self, at + 2, 4),
                        (guint) ns_wire_tree_peek (self, at + 6, 4));
      break;
    default:
      ns_wire_tree_add (self, depth, "Option", at, size, "kind %u", kind);
      break;
    }
}

static void
add_tcp_options (NsWireTree *self, guint depth, gsize at, gsize end)
{
  guint i;

  for (i = 0; i < MAX_OPTIONS && at < end; i++)
    {
      guint kind = (guint) ns_wire_tree_peek (self, at, 1);
      gsize size = kind <= 1 ? 1 : (gsize) ns_wire_tree_peek (self, at + 1, 1);

      if (!ns_wire_tree_has (self, at, size) || size == 0 || size > end - at ||
          (kind > 1 && size < 2))
        return;
      if (kind > 1)
        add_tcp_option (self, depth, kind, at, size);
      else
        ns_wire_tree_add (self,
                          depth,
                          kind == 0 ? "End of options" : "No-operation",
                          at,
                          1,
                          "%s",
                          "");
      at += size;
    }
}

static void
add_tcp (NsWireTree *self, guint depth, gsize at, const NsWireFrame *frame)
{
  gsize header = (ns_wire_tree_peek (self, at + 12, 1) >> 4) * 4;
  g_autoptr (GString) flags = g_string_new (NULL);

  ns_wire_append_tcp_flags (frame->tcp_flags, flags);
  ns_wire_tree_add (self,
                    depth,
                    "TCP",
                    at,
                    MAX (header, 20),
                    "%u \342\206\222 %u [%s]",
                    frame->src.port,
                    frame->dst.port,
                    flags->str);
  depth++;
  ns_wire_tree_add_number (self, depth, "Source port", at, 2);
  ns_wire_tree_add_number (self, depth, "Destination port", at + 2, 2);
  ns_wire_tree_add_number (self, depth, "Sequence number", at + 4, 4);
  ns_wire_tree_add_number (self, depth, "Acknowledgment number", at + 8, 4);
  if (ns_wire_tree_has (self, at + 12, 1))
    ns_wire_tree_add (self, depth, "Header length", at + 12, 1, "%u bytes", (guint) header);
  if (ns_wire_tree_has (self, at + 12, 2))
    ns_wire_tree_add (self, depth, "Flags", at + 12, 2, "%s", flags->str);
  ns_wire_tree_add_number (self, depth, "Window", at + 14, 2);
  add_hex (self, depth, "Checksum", at + 16, 2);
  ns_wire_tree_add_number (self, depth, "Urgent pointer", at + 18, 2);
  if (header > 20)
    {
      ns_wire_tree_add (self,
                        depth,
                        "Options",
                        at + 20,
                        header - 20,
                        "%u bytes",
                        (guint) header - 20);
      add_tcp_options (self, depth + 1, at + 20, at + header);
    }
}

static void
add_udp (NsWireTree *self, guint depth, gsize at, const NsWireFrame *frame)
{
  ns_wire_tree_add (self,
                    depth,
                    "UDP",
                    at,
                    8,
                    "%u \342\206\222 %u",
                    frame->src.port,
                    frame->dst.port);
  ns_wire_tree_add_number (self, depth + 1, "Source port", at, 2);
  ns_wire_tree_add_number (self, depth + 1, "Destination port", at + 2, 2);
  ns_wire_tree_add_number (self, depth + 1, "Length", at + 4, 2);
  add_hex (self, depth + 1, "Checksum", at + 6, 2);
}

static void
add_network (NsWireTree *self, guint depth, gsize at, const NsWireFrame *frame, guint n_quoted);

static void
add_icmp (NsWireTree *self, guint depth, gsize at, const NsWireFrame *frame, guint n_quoted)
{
  gboolean is_v6 = frame->protocol == NS_IP_ICMPV6;
  const char *type = ns_wire_icmp_type_name (frame->protocol, frame->icmp_type);
  const char *code = ns_wire_icmp_code_name (frame->protocol, frame->icmp_type, frame->icmp_code);
  gboolean is_echo = is_v6 ? frame->icmp_type == 128 || frame->icmp_type == 129
                           : frame->icmp_type == 0 || frame->icmp_type == 8;
  gboolean is_error =
      is_v6 ? frame->icmp_type >= 1 && frame->icmp_type <= 4
            : frame->icmp_type == 3 || frame->icmp_type == 5 || frame->icmp_type == 11;
  NsWireFrame quoted;

  ns_wire_tree_add (self,
                    depth,
                    is_v6 ? "ICMPv6" : "ICMP",
                    at,
                    4 + frame->icmp_size,
                    "%s",
                    type != NULL ? type : "");
  ns_wire_tree_add (self,
                    depth + 1,
                    "Type",
                    at,
                    1,
                    "%s (%u)",
                    type != NULL ? type : "unknown",
                    frame->icmp_type);
  if (ns_wire_tree_has (self, at + 1, 1))
    ns_wire_tree_add (self,
                      depth + 1,
                      "Code",
                      at + 1,
                      1,
                      "%s%s%u%s",
                      code != NULL ? code : "",
                      code != NULL ? " (" : "",
                      frame->icmp_code,
                      code != NULL ? ")" : "");
  add_hex (self, depth + 1, "Checksum", at + 2, 2);
  if (is_echo)
    {
      add_hex (self, depth + 1, "Identifier", at + 4, 2);
      ns_wire_tree_add_number (self, depth + 1, "Sequence number", at + 6, 2);
      if (frame->icmp_size > 4)
        ns_wire_tree_add (self,
                          depth + 1,
                          "Data",
                          at + 8,
                          frame->icmp_size - 4,
                          "%u bytes",
                          (guint) frame->icmp_size - 4);
      return;
    }
  if (is_v6 && frame->icmp_type == 2)
    ns_wire_tree_add_number (self, depth + 1, "MTU", at + 4, 4);
  if (!is_v6 && frame->icmp_type == 3 && frame->icmp_code == 4)
    ns_wire_tree_add_number (self, depth + 1, "MTU of next hop", at + 6, 2);
  if (is_v6 && (frame->icmp_type == 135 || frame->icmp_type == 136))
    add_ip (self, depth + 1, "Target address", at + 8, TRUE);
  if (is_error && n_quoted < MAX_QUOTED && ns_wire_frame_parse_quoted (&quoted, frame))
    add_network (self, depth + 1, at + 8, &quoted, n_quoted + 1);
}

/* The headers from an IP packet's first byte on. */
static void
add_network (NsWireTree *self, guint depth, gsize at, const NsWireFrame *frame, guint n_quoted)
{
  gboolean is_v6 = frame->ether_type == NS_ETHER_IPV6;
  gsize content = is_v6 ? add_ipv6 (self, depth, at, frame) : add_ipv4 (self, depth, at, frame);

  if (content == at || !frame->has_ip || content >= self->size)
    return;
  if (frame->fragment_offset != 0)
    ns_wire_tree_add (self,
                      depth,
                      "Fragment",
                      content,
                      frame->fragment_size,
                      "%u bytes at %u",
                      (guint) frame->fragment_size,
                      frame->fragment_offset);
  else if (frame->protocol == NS_IP_TCP)
    add_tcp (self, depth, content, frame);
  else if (frame->protocol == NS_IP_UDP)
    add_udp (self, depth, content, frame);
  else if (frame->protocol == NS_IP_ICMP || frame->protocol == NS_IP_ICMPV6)
    add_icmp (self, depth, content, frame, n_quoted);
  else
    ns_wire_tree_add (self,
                      depth,
                      get_protocol_name (frame->protocol),
                      content,
                      self->size - content,
                      "protocol %u",
                      frame->protocol);
}

/**
 * ns_wire_tree_new:
 * @data: (array length=size): the captured bytes, hostile
 * @size: how many
 * @wire_size: bytes of the frame before it was cut
 * @link_type: LINKTYPE number of its label, see ns_wire_link_read()
 *
 * Returns: (transfer full) (element-type NsWireField): its fields, in the order of the tree
 */
GArray *
ns_wire_tree_new (const guint8 *data, gsize size, gsize wire_size, guint link_type)
{
  GArray *fields = g_array_new (FALSE, FALSE, sizeof (NsWireField));
  NsWireTree self = { data, size, fields };
  NsWireFrame frame;
  NsWireLink link;

  g_array_set_clear_func (fields, field_clear);
  ns_wire_link_read (&link, data, size, link_type);
  ns_wire_frame_parse_cut (&frame, data, size, wire_size, link_type);
  if (link.link_type == NS_LINK_ETHERNET)
    add_ethernet (&self, &link);
  else if (link.link_type == NS_LINK_IEEE_802_11)
    add_wifi (&self, &link);
  else if (link.link_type == NS_LINK_SMB2)
    ns_wire_tree_add_smb2 (&self);
  if (link.size > size || (link.size == 0 && link.link_type != NS_LINK_RAW_IP))
    link.ether_type = 0;
  if (link.ether_type == NS_ETHER_ARP)
    add_arp (&self, link.size);
  else if (link.ether_type == NS_ETHER_IPV4 || link.ether_type == NS_ETHER_IPV6)
    {
      add_network (&self, 0, link.size, &frame, 0);
      ns_wire_tree_add_payload (&self, &frame);
    }
  else if (link.size > 0 && link.size < size)
    ns_wire_tree_add (&self,
                      0,
                      "Data",
                      link.size,
                      size - link.size,
                      "%u bytes",
                      (guint) (size - link.size));
  if (wire_size > size)
    ns_wire_tree_add (&self,
                      0,
                      "Not captured",
                      size,
                      0,
                      "%u of %u bytes",
                      (guint) (wire_size - size),
                      (guint) wire_size);
  return fields;
}
