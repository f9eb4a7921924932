/* Field tree of a frame: ICMP and ICMPv6 messages, except for echoes and the packets that errors
 * quote.
 *
 * Layouts: RFC 792, 1191, 3971, 4191, 4443, 4861, 8106.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-tree-private.h"

#define MAX_OPTIONS 40
/* Unit of the lengths of neighbor discovery options, in bytes. */
#define UNIT 8

enum
{
  ROUTER_SOLICITATION = 133,
  ROUTER_ADVERTISEMENT,
  NEIGHBOR_SOLICITATION,
  NEIGHBOR_ADVERTISEMENT,
  REDIRECT,
};

enum
{
  OPTION_SOURCE_LINK = 1,
  OPTION_TARGET_LINK = 2,
  OPTION_PREFIX = 3,
  OPTION_MTU = 5,
  OPTION_DNS = 25,
};

static const char *
get_option_name (guint kind)
{
  switch (kind)
    {
    case OPTION_SOURCE_LINK:
      return "Source link-layer address";
    case OPTION_TARGET_LINK:
      return "Target link-layer address";
    case OPTION_PREFIX:
      return "Prefix information";
    case 4:
      return "Redirected header";
    case OPTION_MTU:
      return "MTU";
    case 14:
      return "Nonce";
    case 24:
      return "Route information";
    case OPTION_DNS:
      return "Recursive DNS server";
    case 31:
      return "DNS search list";
    default:
      return "unknown";
    }
}

static void
add_prefix (NsWireTree *self, guint depth, gsize at)
{
  ns_wire_tree_add_number (self, depth, "Prefix length", at + 2, 1);
  ns_wire_tree_add_hex (self, depth, "Flags", at + 3, 1);
  ns_wire_tree_add_number (self, depth, "Valid lifetime", at + 4, 4);
  ns_wire_tree_add_number (self, depth, "Preferred lifetime", at + 8, 4);
  ns_wire_tree_add_ip (self, depth, "Prefix", at + 16, TRUE);
}

static void
add_option (NsWireTree *self, guint depth, guint kind, gsize at, gsize size)
{
  gsize i;

  switch (kind)
    {
    case OPTION_SOURCE_LINK:
    case OPTION_TARGET_LINK:
      ns_wire_tree_add_mac (self,
                            depth,
                            kind == OPTION_SOURCE_LINK ? "Source link-layer address"
                                                       : "Target link-layer address",
                            at + 2);
      break;
    case OPTION_PREFIX:
      if (size >= 32)
        add_prefix (self, depth, at);
      break;
    case OPTION_MTU:
      ns_wire_tree_add_number (self, depth, "MTU", at + 4, 4);
      break;
    case OPTION_DNS:
      ns_wire_tree_add_number (self, depth, "Lifetime", at + 4, 4);
      for (i = 8; i + 16 <= size; i += 16)
        ns_wire_tree_add_ip (self, depth, "DNS server", at + i, TRUE);
      break;
    default:
      break;
    }
}

static void
add_options (NsWireTree *self, guint depth, gsize at, gsize end)
{
  guint i;

  for (i = 0; i < MAX_OPTIONS && at + UNIT <= end; i++)
    {
      guint kind = (guint) ns_wire_tree_peek (self, at, 1);
      gsize size = (gsize) ns_wire_tree_peek (self, at + 1, 1) * UNIT;

      if (size == 0 || size > end - at)
        return;
      ns_wire_tree_add (self, depth, "Option", at, size, "%s (%u)", get_option_name (kind), kind);
      add_option (self, depth + 1, kind, at, size);
      at += size;
    }
}

/* Adds the fields of a neighbor discovery message. */
static void
add_discovery (NsWireTree *self, guint depth, gsize at, gsize end, guint type)
{
  guint flags = (guint) ns_wire_tree_peek (self, at + 4, 1);
  gsize options = at + 8;

  if (type == ROUTER_ADVERTISEMENT)
    {
      ns_wire_tree_add_number (self, depth, "Hop limit", at + 4, 1);
      ns_wire_tree_add_hex (self, depth, "Flags", at + 5, 1);
      ns_wire_tree_add_number (self, depth, "Router lifetime", at + 6, 2);
      ns_wire_tree_add_number (self, depth, "Reachable time", at + 8, 4);
      ns_wire_tree_add_number (self, depth, "Retransmission timer", at + 12, 4);
      options = at + 16;
    }
  else if (type != ROUTER_SOLICITATION)
    {
      if (type == NEIGHBOR_ADVERTISEMENT && ns_wire_tree_has (self, at + 4, 1))
        {
          ns_wire_tree_add (self, depth, "From a router", at + 4, 1, "%u", flags >> 7);
          ns_wire_tree_add (self, depth, "Solicited", at + 4, 1, "%u", flags >> 6 & 1);
          ns_wire_tree_add (self, depth, "Override", at + 4, 1, "%u", flags >> 5 & 1);
        }
      ns_wire_tree_add_ip (self, depth, "Target address", at + 8, TRUE);
      options = at + 24;
      if (type == REDIRECT)
        {
          ns_wire_tree_add_ip (self, depth, "Destination address", at + 24, TRUE);
          options = at + 40;
        }
    }
  add_options (self, depth, options, end);
}

/**
 * ns_wire_tree_add_icmp_message: (skip)
 * @self: a tree
 * @depth: nesting depth of its fields
 * @at: offset of the message
 * @frame: the packet
 *
 * Adds the fields behind the checksum of a message that is not an echo.
 */
void
ns_wire_tree_add_icmp_message (NsWireTree *self, guint depth, gsize at, const NsWireFrame *frame)
{
  gboolean is_v6 = frame->protocol == NS_IP_ICMPV6;
  guint type = frame->icmp_type;

  if (is_v6 && type == 2)
    ns_wire_tree_add_number (self, depth, "MTU", at + 4, 4);
  else if (is_v6 && type == 4)
    ns_wire_tree_add_number (self, depth, "Pointer", at + 4, 4);
  else if (is_v6 && type >= ROUTER_SOLICITATION && type <= REDIRECT)
    add_discovery (self, depth, at, MIN (self->size, at + 4 + frame->icmp_size), type);
  else if (!is_v6 && type == 3 && frame->icmp_code == 4)
    ns_wire_tree_add_number (self, depth, "MTU of next hop", at + 6, 2);
  else if (!is_v6 && type == 5)
    ns_wire_tree_add_ip (self, depth, "Gateway", at + 4, FALSE);
  else if (!is_v6 && type == 12)
    ns_wire_tree_add_number (self, depth, "Pointer", at + 4, 1);
}
