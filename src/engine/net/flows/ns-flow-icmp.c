/* Assigns ICMP errors to the conversations that they quote.
 *
 * Types and codes: RFC 792, RFC 1191 (MTU), RFC 4443, RFC 4861.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow-icmp.h"

/* Neighbor messages have the node's address after four bytes (RFC 4861, 4.3 and 4.4). */
#define NEIGHBOR_SIZE 20

/**
 * ns_flow_icmp_get_kind: (skip)
 * @frame: a frame with an ICMP or ICMPv6 message
 *
 * Returns: its meaning for a conversation
 */
NsFlowIcmp
ns_flow_icmp_get_kind (const NsWireFrame *frame)
{
  gboolean is_v6 = frame->protocol == NS_IP_ICMPV6;

  if (frame->icmp == NULL)
    return NS_FLOW_ICMP_OTHER;
  switch (frame->icmp_type)
    {
    case 0:
      return is_v6 ? NS_FLOW_ICMP_OTHER : NS_FLOW_ICMP_ECHO_REPLY;
    case 8:
      return is_v6 ? NS_FLOW_ICMP_OTHER : NS_FLOW_ICMP_ECHO;
    case 3:
      return NS_FLOW_ICMP_ERROR;
    case 5:
    case 11:
    case 12:
      return is_v6 ? NS_FLOW_ICMP_OTHER : NS_FLOW_ICMP_ERROR;
    case 1:
    case 2:
    case 4:
      return is_v6 ? NS_FLOW_ICMP_ERROR : NS_FLOW_ICMP_OTHER;
    case 128:
      return is_v6 ? NS_FLOW_ICMP_ECHO : NS_FLOW_ICMP_OTHER;
    case 129:
      return is_v6 ? NS_FLOW_ICMP_ECHO_REPLY : NS_FLOW_ICMP_OTHER;
    case 135:
      return is_v6 && frame->icmp_size >= NEIGHBOR_SIZE ? NS_FLOW_ICMP_SOLICITATION
                                                        : NS_FLOW_ICMP_OTHER;
    case 136:
      return is_v6 && frame->icmp_size >= NEIGHBOR_SIZE ? NS_FLOW_ICMP_ADVERTISEMENT
                                                        : NS_FLOW_ICMP_OTHER;
    default:
      return NS_FLOW_ICMP_OTHER;
    }
}

/**
 * ns_flow_icmp_get_mtu: (skip)
 * @frame: a frame with an ICMP error
 *
 * Returns: the MTU of the next hop, or 0 if the message has none
 */
guint32
ns_flow_icmp_get_mtu (const NsWireFrame *frame)
{
  const guint8 *rest = frame->icmp;

  if (rest == NULL || frame->icmp_size < 4)
    return 0;
  if (frame->protocol == NS_IP_ICMP && frame->icmp_type == 3 && frame->icmp_code == 4)
    return (guint32) rest[2] << 8 | rest[3];
  if (frame->protocol == NS_IP_ICMPV6 && frame->icmp_type == 2)
    return (guint32) rest[0] << 24 | (guint32) rest[1] << 16 | (guint32) rest[2] << 8 | rest[3];
  return 0;
}

/* Names of codes of type 3, and of ICMPv6 type 1. */
static const char *const unreachable[] = {
  "network unreachable",
  "host unreachable",
  "protocol unreachable",
  "port unreachable",
  "fragmentation needed",
  "source route failed",
  "network unknown",
  "host unknown",
  "source host isolated",
  "network administratively prohibited",
  "host administratively prohibited",
  "network unreachable for this service",
  "host unreachable for this service",
  "communication administratively prohibited",
  "host precedence violation",
  "precedence cutoff in effect",
};
static const char *const unreachable6[] = {
  "no route to destination",
  "communication administratively prohibited",
  "beyond scope of source",
  "address unreachable",
  "port unreachable",
  "source address failed policy",
  "reject route to destination",
};

static const char *
name_of (const NsWireFrame *frame)
{
  gboolean is_v6 = frame->protocol == NS_IP_ICMPV6;
  guint code = frame->icmp_code;

  switch (frame->icmp_type)
    {
    case 1:
      return is_v6 && code < G_N_ELEMENTS (unreachable6) ? unreachable6[code] : NULL;
    case 2:
      return is_v6 ? "packet too big" : NULL;
    case 3:
      if (is_v6)
        return code == 1 ? "fragment reassembly time exceeded" : "hop limit exceeded";
      return code < G_N_ELEMENTS (unreachable) ? unreachable[code] : NULL;
    case 4:
      return is_v6 ? "parameter problem" : NULL;
    case 5:
      return "redirect";
    case 11:
      return code == 1 ? "fragment reassembly time exceeded" : "time to live exceeded";
    case 12:
      return "parameter problem";
    default:
      return NULL;
    }
}

/**
 * ns_flow_icmp_error_to_text: (skip)
 * @frame: a frame with an ICMP error
 *
 * Returns: (transfer full): its text: `fragmentation needed, MTU 1400`
 */
char *
ns_flow_icmp_error_to_text (const NsWireFrame *frame)
{
  const char *name = name_of (frame);
  guint32 mtu = ns_flow_icmp_get_mtu (frame);

  if (name == NULL)
    return g_strdup_printf ("type %u, code %u", frame->icmp_type, frame->icmp_code);
  if (mtu == 0)
    return g_strdup (name);
  return g_strdup_printf ("%s, MTU %u", name, mtu);
}
