/* Field tree of a frame: network and transport headers.
 *
 * Layouts: RFC 791, 8200, 4302, 9293, 2018, 768, 792, 4443.
 * A field is listed if all its bytes were captured.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-tree-private.h"

#include <string.h>

#define MAX_OPTIONS 40
#define MAX_EXTENSIONS 16
/* Maximum nesting of the packets that ICMP errors quote. */
#define MAX_QUOTED 1

static void
field_clear (gpointer data)
{
  NsWireField *field = data;

  g_free (field->name);
  g_free (field->value);
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

/* Adds the type of service of IPv4, or the traffic class of IPv6, with DSCP (RFC 2474) and ECN (RFC
 * 3168). */
static void
add_services (NsWireTree *self, guint depth, gsize at, guint services, gsize n)
{
  if (!ns_wire_tree_has (self, at, n))
    return;
  ns_wire_tree_add (self,
                    depth,
                    n == 1 ? "Differentiated services" : "Traffic class",
                    at,
                    n,
                    "0x%02x",
                    services);
  ns_wire_tree_add (self, depth + 1, "DSCP", at, n, "%u", services >> 2);
  ns_wire_tree_add (self, depth + 1, "ECN", at, n, "%u", services & 3);
}

/* Returns the name of an IPv4 option, or of an option of an IPv6 extension header. */
static const char *
get_ip_option_name (guint kind, gboolean is_v6)
{
  if (is_v6)
    return kind == 0 ? "Pad1" : kind == 1 ? "PadN" : kind == 5 ? "Router alert" : "unknown";
  switch (kind)
    {
    case 0:
      return "End of options";
    case 1:
      return "No-operation";
    case 7:
      return "Record route";
    case 68:
      return "Timestamp";
    case 131:
      return "Loose source route";
    case 136:
      return "Stream ID";
    case 137:
      return "Strict source route";
    case 148:
      return "Router alert";
    default:
      return "unknown";
    }
}

/* Adds the options of an IPv4 header, up to the end of options, or of an IPv6 extension header
 * (@is_v6). Lengths of IPv6 options do not include the bytes for kind and length. */
static void
add_ip_options (NsWireTree *self, guint depth, gsize at, gsize end, gboolean is_v6)
{
  guint i;

  for (i = 0; i < MAX_OPTIONS && at < end; i++)
    {
      guint kind = (guint) ns_wire_tree_peek (self, at, 1);
      gboolean is_short = kind == 0 || (kind == 1 && !is_v6);
      gsize size = is_short ? 1 : (gsize) ns_wire_tree_peek (self, at + 1, 1) + (is_v6 ? 2 : 0);

      if (!ns_wire_tree_has (self, at, size) || size == 0 || size > end - at ||
          (!is_short && size < 2))
        return;
      ns_wire_tree_add (self,
                        depth,
                        "Option",
                        at,
                        size,
                        "%s (%u)",
                        get_ip_option_name (kind, is_v6),
                        kind);
      if (kind == 0 && !is_v6)
        return;
      at += size;
    }
}

/* Adds the fields of an extension header behind its Next Header field. */
static void
add_extension (NsWireTree *self, guint depth, guint kind, gsize at, gsize size)
{
  guint fragment = (guint) ns_wire_tree_peek (self, at + 2, 2);

  if (kind == 44)
    {
      ns_wire_tree_add (self, depth, "Fragment offset", at + 2, 2, "%u", fragment & 0xfff8);
      ns_wire_tree_add (self, depth, "More fragments", at + 3, 1, "%u", fragment & 1);
      ns_wire_tree_add_hex (self, depth, "Identification", at + 4, 4);
      return;
    }
  ns_wire_tree_add_number (self, depth, "Length", at + 1, 1);
  if (kind == 0 || kind == 60)
    add_ip_options (self, depth, at + 2, at + size, TRUE);
  else if (kind == 43)
    {
      ns_wire_tree_add_number (self, depth, "Routing type", at + 2, 1);
      ns_wire_tree_add_number (self, depth, "Segments left", at + 3, 1);
    }
  else if (kind == 51)
    {
      ns_wire_tree_add_hex (self, depth, "SPI", at + 4, 4);
      ns_wire_tree_add_number (self, depth, "Sequence number", at + 8, 4);
    }
}

/* Adds the extension headers of a packet, of which @next is the number of the first. Returns the
 * offset behind them. */
static gsize
add_headers (NsWireTree *self, guint depth, guint next, gsize at, gboolean is_v6)
{
  guint i;

  for (i = 0; i < MAX_EXTENSIONS; i++)
    {
      gsize size = (gsize) ns_wire_tree_peek (self, at + 1, 1);

      if (next != 51 && (!is_v6 || (next != 0 && next != 43 && next != 44 && next != 60)))
        break;
      size = next == 44 ? 8 : next == 51 ? (size + 2) * 4 : (size + 1) * 8;
      if (!ns_wire_tree_has (self, at, size))
        break;
      ns_wire_tree_add (self, depth, get_protocol_name (next), at, size, "%u bytes", (guint) size);
      add_protocol (self, depth + 1, "Next header", at);
      add_extension (self, depth + 1, next, at, size);
      next = (guint) ns_wire_tree_peek (self, at, 1);
      at += size;
    }
  return at;
}

/* Adds an IPv4 header. Returns the offset of the content; @at if the header is incomplete. */
static gsize
add_ipv4 (NsWireTree *self, guint depth, gsize at, const NsWireFrame *frame)
{
  gsize header = (ns_wire_tree_peek (self, at, 1) & 15) * 4;
  guint fragment = (guint) ns_wire_tree_peek (self, at + 6, 2);
  guint next = (guint) ns_wire_tree_peek (self, at + 9, 1);
  g_autofree char *ends = dup_ends (frame);

  ns_wire_tree_add (self, depth, "IPv4", at, MAX (header, 20), "%s", ends);
  depth++;
  if (ns_wire_tree_has (self, at, 1))
    ns_wire_tree_add (self, depth, "Header length", at, 1, "%u bytes", (guint) header);
  add_services (self, depth, at + 1, (guint) ns_wire_tree_peek (self, at + 1, 1), 1);
  ns_wire_tree_add_number (self, depth, "Total length", at + 2, 2);
  ns_wire_tree_add_hex (self, depth, "Identification", at + 4, 2);
  if (ns_wire_tree_has (self, at + 6, 2))
    {
      ns_wire_tree_add (self,
                        depth,
                        "Flags",
                        at + 6,
                        1,
                        "%s%s%s",
                        (fragment & 0x6000) == 0   ? "none"
                        : (fragment & 0x4000) != 0 ? "don't fragment"
                                                   : "",
                        (fragment & 0x6000) == 0x6000 ? ", " : "",
                        (fragment & 0x2000) != 0 ? "more fragments" : "");
      ns_wire_tree_add (self, depth, "Fragment offset", at + 6, 2, "%u", (fragment & 0x1fff) * 8);
    }
  ns_wire_tree_add_number (self, depth, "Time to live", at + 8, 1);
  add_protocol (self, depth, "Protocol", at + 9);
  ns_wire_tree_add_hex (self, depth, "Header checksum", at + 10, 2);
  ns_wire_tree_add_ip (self, depth, "Source", at + 12, FALSE);
  ns_wire_tree_add_ip (self, depth, "Destination", at + 16, FALSE);
  if (header > 20 && ns_wire_tree_has (self, at, header))
    {
      ns_wire_tree_add (self,
                        depth,
                        "Options",
                        at + 20,
                        header - 20,
                        "%u bytes",
                        (guint) header - 20);
      add_ip_options (self, depth + 1, at + 20, at + header, FALSE);
    }
  if (header < 20 || !ns_wire_tree_has (self, at, header))
    return at;
  at += header;
  return (fragment & 0x3fff) == 0 ? add_headers (self, depth - 1, next, at, FALSE) : at;
}

static gsize
add_ipv6 (NsWireTree *self, guint depth, gsize at, const NsWireFrame *frame)
{
  guint32 first = (guint32) ns_wire_tree_peek (self, at, 4);
  guint next = (guint) ns_wire_tree_peek (self, at + 6, 1);
  g_autofree char *ends = dup_ends (frame);

  ns_wire_tree_add (self, depth, "IPv6", at, 40, "%s", ends);
  if (ns_wire_tree_has (self, at, 4))
    {
      add_services (self, depth + 1, at, first >> 20 & 0xff, 2);
      ns_wire_tree_add (self, depth + 1, "Flow label", at + 1, 3, "0x%05x", first & 0xfffff);
    }
  ns_wire_tree_add_number (self, depth + 1, "Payload length", at + 4, 2);
  add_protocol (self, depth + 1, "Next header", at + 6);
  ns_wire_tree_add_number (self, depth + 1, "Hop limit", at + 7, 1);
  ns_wire_tree_add_ip (self, depth + 1, "Source", at + 8, TRUE);
  ns_wire_tree_add_ip (self, depth + 1, "Destination", at + 24, TRUE);
  return ns_wire_tree_has (self, at, 40) ? add_headers (self, depth, next, at + 40, TRUE) : at;
}

/* Adds a SACK option: the blocks that were received out of order. */
static void
add_sack (NsWireTree *self, guint depth, gsize at, gsize size)
{
  gsize i;

  ns_wire_tree_add (self,
                    depth,
                    "SACK",
                    at,
                    size,
                    size < 18 ? "%u block" : "%u blocks",
                    (guint) (size - 2) / 8);
  for (i = 2; i + 8 <= size; i += 8)
    ns_wire_tree_add (self,
                      depth + 1,
                      "Block",
                      at + i,
                      8,
                      "%u \342\200\223 %u",
                      (guint) ns_wire_tree_peek (self, at + i, 4),
                      (guint) ns_wire_tree_peek (self, at + i + 4, 4));
}

/* Returns the name of a TCP option whose content is not dissected. */
static const char *
get_tcp_option_name (guint kind)
{
  switch (kind)
    {
    case 19:
      return "MD5 signature";
    case 28:
      return "User timeout";
    case 29:
      return "Authentication";
    case 30:
      return "Multipath TCP";
    case 34:
      return "Fast Open cookie";
    default:
      return "unknown";
    }
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
      add_sack (self, depth, at, size);
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
      ns_wire_tree_add (self,
                        depth,
                        "Option",
                        at,
                        size,
                        "%s (%u)",
                        get_tcp_option_name (kind),
                        kind);
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
      if (kind == 0)
        return;
      at += size;
    }
}

static void
add_tcp (NsWireTree *self, guint depth, gsize at, const NsWireFrame *frame)
{
  gsize header = (ns_wire_tree_peek (self, at + 12, 1) >> 4) * 4;
  gboolean has_flags = ns_wire_tree_has (self, at + 12, 2);
  g_autoptr (GString) flags = g_string_new (NULL);

  ns_wire_append_tcp_flags (frame->tcp_flags, flags);
  ns_wire_tree_add (self,
                    depth,
                    "TCP",
                    at,
                    MAX (header, 20),
                    "%u \342\206\222 %u%s%s%s",
                    frame->src.port,
                    frame->dst.port,
                    has_flags ? " [" : "",
                    flags->str,
                    has_flags ? "]" : "");
  depth++;
  ns_wire_tree_add_number (self, depth, "Source port", at, 2);
  ns_wire_tree_add_number (self, depth, "Destination port", at + 2, 2);
  ns_wire_tree_add_number (self, depth, "Sequence number", at + 4, 4);
  ns_wire_tree_add_number (self, depth, "Acknowledgment number", at + 8, 4);
  if (ns_wire_tree_has (self, at + 12, 1))
    ns_wire_tree_add (self, depth, "Header length", at + 12, 1, "%u bytes", (guint) header);
  if (has_flags)
    ns_wire_tree_add (self, depth, "Flags", at + 12, 2, "%s", flags->str);
  ns_wire_tree_add_number (self, depth, "Window", at + 14, 2);
  ns_wire_tree_add_hex (self, depth, "Checksum", at + 16, 2);
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
  ns_wire_tree_add_hex (self, depth + 1, "Checksum", at + 6, 2);
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
  ns_wire_tree_add_hex (self, depth + 1, "Checksum", at + 2, 2);
  if (is_echo)
    {
      ns_wire_tree_add_hex (self, depth + 1, "Identifier", at + 4, 2);
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
  ns_wire_tree_add_icmp_message (self, depth + 1, at, frame);
  if (is_error && n_quoted < MAX_QUOTED && ns_wire_frame_parse_quoted (&quoted, frame))
    add_network (self, depth + 1, at + 8, &quoted, n_quoted + 1);
}

/* Adds the headers of an IP packet that begins at @at. */
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
 * @data: (array length=size): the captured bytes, untrusted
 * @size: number of captured bytes
 * @wire_size: original length of the frame in bytes
 * @link_type: LINKTYPE number that the capture gives for the frame, see ns_wire_link_read()
 *
 * Returns: (transfer full) (element-type NsWireField): the fields of the frame, in the order of the
 * tree
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
    ns_wire_tree_add_ethernet (&self, &link);
  else if (link.link_type == NS_LINK_IEEE_802_11)
    ns_wire_tree_add_wifi (&self, &link);
  else if (link.link_type == NS_LINK_SMB2)
    ns_wire_tree_add_smb2 (&self);
  if (link.size > size || (link.size == 0 && link.link_type != NS_LINK_RAW_IP))
    link.ether_type = 0;
  if (link.ether_type == NS_ETHER_IPV4 || link.ether_type == NS_ETHER_IPV6)
    {
      gsize end = ns_wire_link_get_frame_size (&link, data, size);

      add_network (&self, 0, link.size, &frame, 0);
      ns_wire_tree_add_payload (&self, &frame);
      if (end > 0 && end < size && link.link_type == NS_LINK_ETHERNET)
        ns_wire_tree_add (&self, 0, "Padding", end, size - end, "%u bytes", (guint) (size - end));
    }
  else
    ns_wire_tree_add_no_ip (&self, &link);
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
