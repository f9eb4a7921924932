/* One captured frame taken apart: link, network and transport headers.
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
 * @ether_type: 0 for raw IP
 * @has_ip: whether @src and @dst hold addresses
 * @src: sender; port 0 when there is none
 * @dst: receiver
 * @protocol: IP protocol number
 * @is_fragment: a later IP fragment: no transport header
 * @ip_id: identification of IPv4
 * @fragment: what was captured of the content of an IP packet that travels in several, borrowed;
 *   %NULL when it travels in one
 * @fragment_size: how many bytes
 * @fragment_wire_size: how many the headers announce
 * @fragment_is_last: no piece follows it
 * @fragment_offset: where they stand in the content of the packet
 * @fragment_id: what the pieces of one packet have in common, besides their ends
 * @vlan: identifier of the innermost VLAN tag, 0 without one
 * @llc: what stands behind the length of a frame of 802.3 that carries no IP, borrowed; %NULL when
 *   it is none
 * @llc_size: how many bytes were captured
 * @ttl: time to live, or hop limit
 * @arp_operation: ARP only: 1 for a request, 2 for a reply
 * @arp_sender: physical address of who sent it, 6 bytes, borrowed; %NULL when it was cut
 * @has_ports: whether the ports of @src and @dst were captured
 * @has_transport: what is told here of the transport header was captured
 * @is_header_cut: TCP only: the capture ends within the header, or within its options
 * @tcp_flags: TCP only, as are @seq, @ack, @window and @tcp_options
 * @tcp_options: borrowed; %NULL when there are none
 * @tcp_options_size: how many bytes of them were captured
 * @icmp: what stands behind type, code and checksum, borrowed; %NULL when it is no ICMP
 * @icmp_size: how many bytes of it were captured
 * @payload: bytes behind the transport header, borrowed; %NULL when there are none
 * @payload_size: how many were captured
 * @wire_payload_size: how many the headers announce
 *
 * What the headers of a frame say.
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
  guint32 ack_base; /* what @ack counts from; 0 unless it was made relative */
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
