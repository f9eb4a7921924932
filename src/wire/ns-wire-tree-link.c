/* Field tree of a frame: link headers, and the content of frames without IP.
 *
 * Layouts: IEEE 802.3, 802.1Q, 802.2, 802.1D (spanning tree), 802.11, RFC 2516, 3032, 826.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-tree-private.h"

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
  ns_wire_tree_add_hex (self, 1, "DSAP", at, 1);
  ns_wire_tree_add_hex (self, 1, "SSAP", at + 1, 1);
  ns_wire_tree_add_hex (self, 1, "Control", at + 2, 1);
  ns_wire_tree_add_hex (self, 1, "Organization", at + 3, 3);
  /* Organization 0: the protocol is an EtherType. */
  if (ns_wire_tree_peek (self, at + 3, 3) == 0)
    add_ether_type (self, 1, at + 6);
  else
    ns_wire_tree_add_hex (self, 1, "Protocol ID", at + 6, 2);
}

static void
add_pppoe (NsWireTree *self, gsize at)
{
  guint session = (guint) ns_wire_tree_peek (self, at + 2, 2);

  ns_wire_tree_add (self, 0, "PPPoE session", at, 6, "id 0x%04x", session);
  ns_wire_tree_add_hex (self, 1, "Version and type", at, 1);
  ns_wire_tree_add_hex (self, 1, "Code", at + 1, 1);
  ns_wire_tree_add_hex (self, 1, "Session ID", at + 2, 2);
  ns_wire_tree_add_number (self, 1, "Payload length", at + 4, 2);
  ns_wire_tree_add (self, 0, "PPP", at + 6, 2, "%s", "");
  ns_wire_tree_add_hex (self, 1, "Protocol", at + 6, 2);
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

/* Returns the offset behind the EtherType that follows the VLAN tags. */
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

/**
 * ns_wire_tree_add_ethernet: (skip)
 * @self: a tree
 * @link: the decoded link header of the frame
 *
 * Adds the Ethernet header with its VLAN tags, and the PPPoE, MPLS or LLC header behind it.
 */
void
ns_wire_tree_add_ethernet (NsWireTree *self, const NsWireLink *link)
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
  ns_wire_tree_add (self, 0, is_length ? "IEEE 802.3" : "Ethernet II", 0, 14, "%s", ends->str);
  ns_wire_tree_add_mac (self, 1, "Destination", 0);
  ns_wire_tree_add_mac (self, 1, "Source", 6);
  add_ether_type (self, 1, at);
  for (; at + 6 <= end; at += 4)
    {
      guint tag = (guint) ns_wire_tree_peek (self, at + 2, 2);
      gboolean is_outer = ns_wire_tree_peek (self, at, 2) == NS_ETHER_QINQ;

      ns_wire_tree_add (self,
                        0,
                        is_outer ? "802.1ad VLAN" : "802.1Q VLAN",
                        at + 2,
                        4,
                        "id %u",
                        tag & 0x0fff);
      ns_wire_tree_add (self, 1, "Priority", at + 2, 1, "%u", tag >> 13);
      ns_wire_tree_add (self, 1, "Drop eligible", at + 2, 1, "%u", tag >> 12 & 1);
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

/* Returns the name of the frame type in the Frame Control field. */
static const char *
get_wifi_type (guint control)
{
  static const char *const types[] = { "Management", "Control", "Data", "Extension" };

  return (control & 0x8c) == 0x88 ? "QoS data" : types[control >> 2 & 3];
}

/**
 * ns_wire_tree_add_wifi: (skip)
 * @self: a tree
 * @link: the decoded link header of the frame; its size is 0 if the content cannot be read
 *
 * Adds the header of an 802.11 frame, and the LLC header behind it.
 */
void
ns_wire_tree_add_wifi (NsWireTree *self, const NsWireLink *link)
{
  guint control = ns_wire_tree_has (self, 0, 2) ? self->data[0] | self->data[1] << 8 : 0;
  gboolean has_four = (control & 0x0300) == 0x0300;
  gboolean is_data = (control & 0x0c) == 0x08;
  gsize at = has_four ? 30 : 24;
  gsize header = link->size >= 8 ? link->size - 8 : 24;

  if (!ns_wire_tree_has (self, 0, 2))
    return;
  ns_wire_tree_add (self, 0, "IEEE 802.11", 0, header, "%s", get_wifi_type (control));
  ns_wire_tree_add (self, 1, "Frame control", 0, 2, "0x%04x", control);
  ns_wire_tree_add (self, 2, "Type", 0, 1, "%u", control >> 2 & 3);
  ns_wire_tree_add (self, 2, "Subtype", 0, 1, "%u", control >> 4 & 15);
  ns_wire_tree_add (self, 2, "To DS", 1, 1, "%u", control >> 8 & 1);
  ns_wire_tree_add (self, 2, "From DS", 1, 1, "%u", control >> 9 & 1);
  ns_wire_tree_add (self, 2, "Retry", 1, 1, "%u", control >> 11 & 1);
  ns_wire_tree_add (self, 2, "Protected", 1, 1, "%u", control >> 14 & 1);
  if (ns_wire_tree_has (self, 2, 2))
    ns_wire_tree_add (self, 1, "Duration", 2, 2, "%u", self->data[2] | self->data[3] << 8);
  ns_wire_tree_add_mac (self, 1, "Address 1", 4);
  if ((control & 0x0c) == 0x04)
    return;
  ns_wire_tree_add_mac (self, 1, "Address 2", 10);
  ns_wire_tree_add_mac (self, 1, "Address 3", 16);
  if (ns_wire_tree_has (self, 22, 2))
    {
      guint sequence = self->data[22] | self->data[23] << 8;

      ns_wire_tree_add (self, 1, "Fragment number", 22, 1, "%u", sequence & 15);
      ns_wire_tree_add (self, 1, "Sequence number", 22, 2, "%u", sequence >> 4);
    }
  if (has_four)
    ns_wire_tree_add_mac (self, 1, "Address 4", 24);
  if (is_data && (control & 0x80) != 0 && ns_wire_tree_has (self, at, 2))
    ns_wire_tree_add (self,
                      1,
                      "QoS control",
                      at,
                      2,
                      "0x%04x",
                      self->data[at] | self->data[at + 1] << 8);
  if (link->size >= 8)
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
  ns_wire_tree_add_hex (self, 1, "Protocol type", at + 2, 2);
  ns_wire_tree_add_number (self, 1, "Hardware size", at + 4, 1);
  ns_wire_tree_add_number (self, 1, "Protocol size", at + 5, 1);
  ns_wire_tree_add_number (self, 1, "Operation", at + 6, 2);
  ns_wire_tree_add_mac (self, 1, "Sender MAC", at + 8);
  ns_wire_tree_add_ip (self, 1, "Sender IP", at + 14, FALSE);
  ns_wire_tree_add_mac (self, 1, "Target MAC", at + 18);
  ns_wire_tree_add_ip (self, 1, "Target IP", at + 24, FALSE);
}

static void
add_bridge (NsWireTree *self, const char *name, gsize at)
{
  g_autoptr (GString) mac = g_string_new (NULL);
  guint priority = (guint) ns_wire_tree_peek (self, at, 2);

  if (!ns_wire_tree_has (self, at, 8))
    return;
  ns_wire_append_mac (self->data + at + 2, mac);
  ns_wire_tree_add (self,
                    1,
                    name,
                    at,
                    8,
                    "%u / %u / %s",
                    priority & 0xf000,
                    priority & 0xfff,
                    mac->str);
  ns_wire_tree_add (self, 2, "Priority", at, 1, "%u", priority & 0xf000);
  ns_wire_tree_add (self, 2, "System ID extension", at, 2, "%u", priority & 0xfff);
  ns_wire_tree_add_mac (self, 2, "System ID", at + 2);
}

/* Adds a time of a BPDU, in units of 1/256 second. */
static void
add_bpdu_time (NsWireTree *self, const char *name, gsize at)
{
  if (ns_wire_tree_has (self, at, 2))
    ns_wire_tree_add (self, 1, name, at, 2, "%g s", (double) ns_wire_tree_peek (self, at, 2) / 256);
}

/* Adds a BPDU. Returns the offset behind the dissected part, which excludes the extension of
 * MSTP. */
static gsize
add_bpdu (NsWireTree *self, gsize at, gsize end)
{
  guint version = (guint) ns_wire_tree_peek (self, at + 2, 1);
  guint type = (guint) ns_wire_tree_peek (self, at + 3, 1);
  guint flags = (guint) ns_wire_tree_peek (self, at + 4, 1);
  gboolean is_change = type == NS_BPDU_CHANGE;
  gsize size = is_change ? 4 : version >= 2 ? 36 : 35;

  size = MIN (size, end - MIN (at, end));
  ns_wire_tree_add (self,
                    0,
                    "Spanning Tree Protocol",
                    at,
                    size,
                    "%s",
                    ns_wire_bpdu_name (version, type));
  ns_wire_tree_add_hex (self, 1, "Protocol", at, 2);
  ns_wire_tree_add_number (self, 1, "Version", at + 2, 1);
  ns_wire_tree_add_hex (self, 1, "BPDU type", at + 3, 1);
  if (is_change || size < 5)
    return at + size;
  ns_wire_tree_add_hex (self, 1, "Flags", at + 4, 1);
  ns_wire_tree_add (self, 2, "Topology change", at + 4, 1, "%u", flags & 1);
  if (version >= 2)
    {
      static const char *const roles[] = { "unknown", "alternate or backup", "root", "designated" };

      ns_wire_tree_add (self, 2, "Proposal", at + 4, 1, "%u", flags >> 1 & 1);
      ns_wire_tree_add (self,
                        2,
                        "Port role",
                        at + 4,
                        1,
                        "%s (%u)",
                        roles[flags >> 2 & 3],
                        flags >> 2 & 3);
      ns_wire_tree_add (self, 2, "Learning", at + 4, 1, "%u", flags >> 4 & 1);
      ns_wire_tree_add (self, 2, "Forwarding", at + 4, 1, "%u", flags >> 5 & 1);
      ns_wire_tree_add (self, 2, "Agreement", at + 4, 1, "%u", flags >> 6 & 1);
    }
  ns_wire_tree_add (self, 2, "Topology change acknowledgment", at + 4, 1, "%u", flags >> 7);
  add_bridge (self, "Root", at + 5);
  ns_wire_tree_add_number (self, 1, "Root path cost", at + 13, 4);
  add_bridge (self, "Bridge", at + 17);
  ns_wire_tree_add_hex (self, 1, "Port", at + 25, 2);
  add_bpdu_time (self, "Message age", at + 27);
  add_bpdu_time (self, "Maximum age", at + 29);
  add_bpdu_time (self, "Hello time", at + 31);
  add_bpdu_time (self, "Forward delay", at + 33);
  if (version >= 2)
    ns_wire_tree_add_number (self, 1, "Version 1 length", at + 35, 1);
  return at + size;
}

/* Adds an IEEE 802.2 LLC header, and SNAP or a BPDU behind it. Returns the offset behind them. */
static gsize
add_llc (NsWireTree *self, gsize at, gsize end)
{
  guint dsap = (guint) ns_wire_tree_peek (self, at, 1);
  guint ssap = (guint) ns_wire_tree_peek (self, at + 1, 1);
  guint control = (guint) ns_wire_tree_peek (self, at + 2, 1);
  gsize n_control = (control & 3) == 3 ? 1 : 2;
  gboolean is_unnumbered = control == NS_LLC_UNNUMBERED;

  if (!ns_wire_tree_has (self, at, 2 + n_control) || at + 2 + n_control > end)
    return at;
  if (dsap == NS_LLC_SNAP && ssap == NS_LLC_SNAP && is_unnumbered && at + 8 <= end)
    {
      add_snap (self, at);
      return at + 8;
    }
  ns_wire_tree_add (self, 0, "LLC", at, 2 + n_control, "DSAP 0x%02x, SSAP 0x%02x", dsap, ssap);
  ns_wire_tree_add_hex (self, 1, "DSAP", at, 1);
  ns_wire_tree_add_hex (self, 1, "SSAP", at + 1, 1);
  if (n_control == 1)
    ns_wire_tree_add_hex (self, 1, "Control", at + 2, 1);
  else
    ns_wire_tree_add (self,
                      1,
                      "Control",
                      at + 2,
                      2,
                      "0x%04x",
                      self->data[at + 2] | self->data[at + 3] << 8);
  at += 2 + n_control;
  if (dsap == NS_LLC_BPDU && ssap == NS_LLC_BPDU && is_unnumbered && at + 4 <= end &&
      ns_wire_tree_peek (self, at, 2) == 0)
    return add_bpdu (self, at, end);
  return at;
}

static void
add_rest (NsWireTree *self, const char *name, gsize at, gsize end)
{
  if (at < end)
    ns_wire_tree_add (self, 0, name, at, end - at, "%u bytes", (guint) (end - at));
}

/**
 * ns_wire_tree_add_no_ip: (skip)
 * @self: a tree
 * @link: the decoded link header of the frame
 *
 * Adds the content and the padding of a frame without an IP packet.
 */
void
ns_wire_tree_add_no_ip (NsWireTree *self, const NsWireLink *link)
{
  gsize at = link->size;
  gsize end = self->size;

  if (at == 0 || at >= end)
    return;
  if (link->ether_type == NS_ETHER_ARP)
    {
      add_arp (self, at);
      add_rest (self, "Padding", at + 28, end);
      return;
    }
  if (link->link_type == NS_LINK_ETHERNET && link->carrier == 0 && link->ether_type > 0 &&
      link->ether_type <= NS_ETHER_MAX_LENGTH)
    {
      end = MIN (end, at + link->ether_type);
      at = add_llc (self, at, end);
    }
  add_rest (self, "Data", at, end);
  add_rest (self, "Padding", end, self->size);
}
