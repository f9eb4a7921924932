/* Dissects a captured frame: link, network and transport headers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-cursor.h"
#include "base/ns-ip.h"
#include "wire/ns-wire-link.h"

G_BEGIN_DECLS

enum
{
  NS_IP_ICMP = 1,
  NS_IP_TCP = 6,
  NS_IP_UDP = 17,
  NS_IP_AUTHENTICATION = 51,
  NS_IP_ICMPV6 = 58,
};

enum
{
  NS_TCP_FIN = 1,
  NS_TCP_SYN = 2,
  NS_TCP_RST = 4,
  NS_TCP_PSH = 8,
  NS_TCP_ACK = 16,
  NS_TCP_URG = 32,
};

/**
 * NsWireFrame:
 * @ether_type: EtherType; 0 for raw IP
 * @has_ip: whether @src and @dst hold addresses
 * @src: sender; port 0 if there is none
 * @dst: receiver; port 0 if there is none
 * @protocol: IP protocol number
 * @is_fragment: whether it is a later IP fragment, which has no transport header
 * @ip_id: IPv4 identification
 * @fragment: captured content of an IP fragment, borrowed; %NULL for an unfragmented packet
 * @fragment_size: captured bytes of @fragment
 * @fragment_wire_size: bytes of the fragment by its headers
 * @fragment_is_last: whether it is the last fragment of its packet
 * @fragment_offset: offset of the fragment in the content of the packet, in bytes
 * @fragment_id: identification, equal in all fragments of a packet
 * @vlan: ID of the innermost VLAN tag; 0 without one
 * @llc: LLC header and payload of an 802.3 frame without IP, borrowed; %NULL for other frames
 * @llc_size: captured bytes of @llc
 * @ttl: time to live, or hop limit
 * @arp_operation: ARP only: 1 for a request, 2 for a reply
 * @arp_sender: sender's MAC address, 6 bytes, borrowed; %NULL if it was not captured
 * @has_ports: whether the ports of @src and @dst were captured
 * @has_transport: whether the fixed part of the transport header was captured
 * @is_header_cut: TCP only: whether the capture ends within the header or its options
 * @tcp_flags: TCP only, like @seq, @ack, @window and @tcp_options
 * @tcp_options: borrowed; %NULL if there are none
 * @tcp_options_size: captured bytes of the options
 * @icmp: ICMP data behind type, code and checksum, borrowed; %NULL for other protocols
 * @icmp_size: captured bytes of @icmp
 * @payload: data behind the transport header, borrowed; %NULL if there is none
 * @payload_size: captured bytes of @payload
 * @wire_payload_size: bytes of the payload by the headers
 *
 * The decoded headers of a frame.
 */
typedef struct
{
  guint16 ether_type;
  gboolean has_ip;
  NsEndpoint src;
  NsEndpoint dst;
  guint8 protocol;
  gboolean is_fragment;
  guint16 ip_id;
  const guint8 *fragment;
  gsize fragment_size;
  gsize fragment_wire_size;
  gboolean fragment_is_last;
  guint32 fragment_offset;
  guint32 fragment_id;
  guint16 vlan;
  const guint8 *llc;
  gsize llc_size;
  guint8 ttl;
  guint16 arp_operation;
  const guint8 *arp_sender;
  gboolean has_ports;
  gboolean has_transport;
  gboolean is_header_cut;
  guint8 tcp_flags;
  guint32 seq;
  guint32 ack;
  guint32 ack_base; /* initial sequence number subtracted from @ack; 0: @ack is absolute */
  guint32 window;
  const guint8 *tcp_options;
  gsize tcp_options_size;
  guint8 icmp_type;
  guint8 icmp_code;
  const guint8 *icmp;
  gsize icmp_size;
  const guint8 *payload;
  gsize payload_size;
  gsize wire_payload_size;
} NsWireFrame;

gboolean ns_wire_frame_parse (NsWireFrame *self, const guint8 *data, gsize size, guint link_type);
gboolean ns_wire_frame_parse_cut (NsWireFrame *self,
                                  const guint8 *data,
                                  gsize size,
                                  gsize length,
                                  guint link_type);
gboolean ns_wire_frame_parse_quoted (NsWireFrame *self, const NsWireFrame *error);
void
ns_wire_frame_parse_content (NsWireFrame *self, const guint8 *data, gsize captured, gsize size);
const guint8 *ns_wire_frame_find_dns (const NsWireFrame *self, gsize *size);
const char *ns_wire_frame_get_protocol (const NsWireFrame *self);
const char *ns_wire_ether_type_name (guint type);
const char *ns_wire_bpdu_name (guint version, guint type);
const char *ns_wire_icmp_type_name (guint protocol, guint type);
const char *ns_wire_icmp_code_name (guint protocol, guint type, guint code);
void ns_wire_append_mac (const guint8 *mac, GString *text);
void ns_wire_append_tcp_flags (guint flags, GString *text);
gboolean ns_wire_frame_is_bpdu (const NsWireFrame *self);
void ns_wire_frame_make_relative (NsWireFrame *self, guint32 seq_base, guint32 ack_base);
void ns_wire_frame_append_info (const NsWireFrame *self, GString *text);

G_END_DECLS
