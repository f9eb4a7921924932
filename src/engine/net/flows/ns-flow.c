/* Texts for the properties of a conversation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/flows/ns-flow.h"

const NsFlowMore ns_flow_no_more = { .zero_since_ns = { NS_TIME_NONE, NS_TIME_NONE },
                                     .drop_reason = NS_STRING_NONE,
                                     .icmp_error = NS_STRING_NONE };

/**
 * ns_flow_need_more: (skip)
 * @self: a conversation
 * @arena: allocates the result
 *
 * Returns: (transfer none): its rare values, added if needed
 */
NsFlowMore *
ns_flow_need_more (NsFlowRow *self, NsArena *arena)
{
  NsFlowMore *more;

  if (self->more != NULL)
    return (NsFlowMore *) self->more;
  self->more = more = ns_arena_new0 (arena, NsFlowMore);
  *more = ns_flow_no_more;
  return more;
}

/**
 * ns_flow_kind_to_text:
 * @kind: a kind
 *
 * Returns: its name in the column `kind`
 */
const char *
ns_flow_kind_to_text (NsFlowKind kind)
{
  static const char *const texts[] = { "tcp", "udp", "icmp", "arp", "nd", "other" };

  return texts[kind];
}

/**
 * ns_flow_start_to_text:
 * @start: a start
 *
 * Returns: (nullable): its name in the column `start`
 */
const char *
ns_flow_start_to_text (NsFlowStart start)
{
  static const char *const texts[] = { NULL, "syn", "synack", "middle" };

  return texts[start];
}

/**
 * ns_flow_end_to_text:
 * @end: an end
 *
 * Returns: (nullable): its name in the column `end`; %NULL while it is open
 */
const char *
ns_flow_end_to_text (NsFlowEnd end)
{
  static const char *const texts[] = { NULL,        "fin",      "rst",  "refused",
                                       "no answer", "answered", "idle", "replaced" };

  return texts[end];
}

/**
 * ns_flow_client_to_text:
 * @by: how the client was determined
 *
 * Returns: its name in the column `client_by`
 */
const char *
ns_flow_client_to_text (NsFlowClient by)
{
  static const char *const texts[] = { "first", "port", "syn", "synack" };

  return texts[by];
}

/**
 * ns_flow_tunnel_to_text:
 * @tunnel: a side of a VPN
 *
 * Returns: (nullable): its name in the column `tunnel`
 */
const char *
ns_flow_tunnel_to_text (NsFlowTunnel tunnel)
{
  static const char *const texts[] = { NULL, "inner", "outer" };

  return texts[tunnel];
}

/**
 * ns_flow_app_to_text:
 * @app: a protocol
 *
 * Returns: (nullable): its name in the column `app`
 */
const char *
ns_flow_app_to_text (NsFlowApp app)
{
  static const char *const texts[] = { NULL, "TLS", "HTTP", "DNS", "QUIC" };

  return texts[app];
}

/**
 * ns_flow_mark_to_text:
 * @mark: a mark
 *
 * Returns: its name in the column `analysis` of packets
 */
const char *
ns_flow_mark_to_text (NsFlowMark mark)
{
  static const char *const texts[NS_FLOW_N_MARKS] = {
    [NS_FLOW_RETRANSMISSION] = "retransmission",
    [NS_FLOW_FAST_RETRANSMISSION] = "fast_retransmission",
    [NS_FLOW_SPURIOUS_RETRANSMISSION] = "spurious_retransmission",
    [NS_FLOW_OUT_OF_ORDER] = "out_of_order",
    [NS_FLOW_LOST_SEGMENT] = "lost_segment",
    [NS_FLOW_ACK_LOST_SEGMENT] = "ack_lost_segment",
    [NS_FLOW_DUPLICATE_ACK] = "duplicate_ack",
    [NS_FLOW_ZERO_WINDOW] = "zero_window",
    [NS_FLOW_WINDOW_FULL] = "window_full",
    [NS_FLOW_KEEP_ALIVE] = "keep_alive",
    [NS_FLOW_KEEP_ALIVE_ACK] = "keep_alive_ack",
    [NS_FLOW_WINDOW_UPDATE] = "window_update",
    [NS_FLOW_ZERO_WINDOW_PROBE] = "zero_window_probe",
    [NS_FLOW_ZERO_WINDOW_PROBE_ACK] = "zero_window_probe_ack",
  };

  return texts[mark];
}
