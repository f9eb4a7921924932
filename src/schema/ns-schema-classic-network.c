/* Layouts of the kernel's TCP and UDP events. From the kernel event classes of the Windows SDK
 * (MOF) and from real traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-classic-data.h"

/* clang-format off */

#define ENDS(ip) "pid PID u32 size " ip " daddr " ip " saddr port dport port sport"
#define ENDS_0 "ip4 daddr ip4 saddr port dport port sport u32 size pid PID"
#define OPTIONS \
  " u16 mss u16 sackopt u16 tsopt u16 wsopt u32 rcvwin i16 rcvwinscale i16 sndwinscale"

/* Version 1 has connid before seqnum. */
#define ONE " ptr connid u32 seqnum"
#define TWO " u32 seqnum ptr connid"

#define TCP_PLAIN(op, name, ip) \
  { NS_CLASSIC_TCP_IP, op, 1, name, ENDS (ip) ONE }, \
  { NS_CLASSIC_TCP_IP, op, 2, name, ENDS (ip) TWO }
#define TCP_OPEN(op, name, ip) \
  { NS_CLASSIC_TCP_IP, op, 1, name, ENDS (ip) OPTIONS ONE }, \
  { NS_CLASSIC_TCP_IP, op, 2, name, ENDS (ip) OPTIONS TWO }
#define TCP_SEND(op, name, ip) \
  { NS_CLASSIC_TCP_IP, op, 1, name, ENDS (ip) " u32 startime u32 endtime" ONE }, \
  { NS_CLASSIC_TCP_IP, op, 2, name, ENDS (ip) " u32 startime u32 endtime" TWO }
#define TCP_0(op, name) { NS_CLASSIC_TCP_IP, op, 0, name, ENDS_0 }

#define UDP(op, name, ip) \
  { NS_CLASSIC_UDP_IP, op, 0, name, \
    "ptr context ip4 saddr port sport u16 size ip4 daddr port dport u16 dsize" }, \
  { NS_CLASSIC_UDP_IP, op, 1, name, ENDS (ip) }, \
  { NS_CLASSIC_UDP_IP, op, 2, name, ENDS (ip) TWO }

const NsClassicRow ns_classic_network_rows[] = {
  TCP_0 (10, "Send"),
  TCP_SEND (10, "Send", "ip4"),
  TCP_0 (11, "Recv"),
  TCP_PLAIN (11, "Recv", "ip4"),
  TCP_0 (12, "Connect"),
  TCP_OPEN (12, "Connect", "ip4"),
  TCP_0 (13, "Disconnect"),
  TCP_PLAIN (13, "Disconnect", "ip4"),
  TCP_0 (14, "Retransmit"),
  TCP_PLAIN (14, "Retransmit", "ip4"),
  TCP_0 (15, "Accept"),
  TCP_OPEN (15, "Accept", "ip4"),
  TCP_0 (16, "Reconnect"),
  TCP_PLAIN (16, "Reconnect", "ip4"),
  { NS_CLASSIC_TCP_IP, 17, 0, "Fail", "u32 Proto" },
  { NS_CLASSIC_TCP_IP, 17, 2, "Fail", "u16 Proto u16 FailureCode" },
  TCP_PLAIN (18, "TCPCopy", "ip4"),
  TCP_PLAIN (19, "ARPCopy", "ip4"),
  TCP_PLAIN (20, "FullACK", "ip4"),
  TCP_PLAIN (21, "PartACK", "ip4"),
  TCP_PLAIN (22, "DupACK", "ip4"),
  TCP_SEND (26, "SendIPV6", "ip6"),
  TCP_PLAIN (27, "RecvIPV6", "ip6"),
  TCP_OPEN (28, "ConnectIPV6", "ip6"),
  TCP_PLAIN (29, "DisconnectIPV6", "ip6"),
  TCP_PLAIN (30, "RetransmitIPV6", "ip6"),
  TCP_OPEN (31, "AcceptIPV6", "ip6"),
  TCP_PLAIN (32, "ReconnectIPV6", "ip6"),
  TCP_PLAIN (34, "TCPCopyIPV6", "ip6"),

  UDP (10, "Send", "ip4"),
  UDP (11, "Recv", "ip4"),
  { NS_CLASSIC_UDP_IP, 17, 0, "Fail", "u32 Proto" },
  { NS_CLASSIC_UDP_IP, 17, 2, "Fail", "u16 Proto u16 FailureCode" },
  { NS_CLASSIC_UDP_IP, 26, 1, "SendIPV6", ENDS ("ip6") },
  { NS_CLASSIC_UDP_IP, 26, 2, "SendIPV6", ENDS ("ip6") TWO },
  { NS_CLASSIC_UDP_IP, 27, 1, "RecvIPV6", ENDS ("ip6") },
  { NS_CLASSIC_UDP_IP, 27, 2, "RecvIPV6", ENDS ("ip6") TWO },
};
/* clang-format on */

const guint ns_classic_n_network_rows = G_N_ELEMENTS (ns_classic_network_rows);
