/* Conversations in captured packets: the packets with one key from a begin to an end.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-arena.h"
#include "engine/trace/ns-tables.h"

G_BEGIN_DECLS

typedef enum
{
  NS_FLOW_TCP,
  NS_FLOW_UDP,
  NS_FLOW_ICMP, /* echo requests with one identifier, or errors that quote no captured packet */
  NS_FLOW_ARP,
  NS_FLOW_ND,
  NS_FLOW_OTHER,
} NsFlowKind;

/* How the begin was determined. */
typedef enum
{
  NS_FLOW_START_NONE, /* not TCP */
  NS_FLOW_START_SYN,
  NS_FLOW_START_SYN_ACK,
  NS_FLOW_START_MIDDLE,
} NsFlowStart;

typedef enum
{
  NS_FLOW_END_NONE, /* still open */
  NS_FLOW_END_FIN,
  NS_FLOW_END_RST,
  NS_FLOW_END_REFUSED,
  NS_FLOW_END_NO_ANSWER,
  NS_FLOW_END_ANSWERED,
  NS_FLOW_END_IDLE,
  NS_FLOW_END_REPLACED,
} NsFlowEnd;

/* How the client was determined. */
typedef enum
{
  NS_FLOW_CLIENT_FIRST, /* sender of the first packet */
  NS_FLOW_CLIENT_PORT,
  NS_FLOW_CLIENT_SYN,
  NS_FLOW_CLIENT_SYN_ACK,
} NsFlowClient;

/* Which endpoint is local. */
typedef enum
{
  NS_FLOW_LOCAL_UNKNOWN,
  NS_FLOW_LOCAL_CLIENT,
  NS_FLOW_LOCAL_SERVER,
  NS_FLOW_LOCAL_BOTH,
} NsFlowLocal;

/* Side of a Windows VPN that a conversation is on. */
typedef enum
{
  NS_FLOW_TUNNEL_NONE, /* neither, or unknown */
  NS_FLOW_TUNNEL_INNER,
  NS_FLOW_TUNNEL_OUTER, /* carries inner conversations */
} NsFlowTunnel;

/* Application protocols, recognized by their bytes. */
typedef enum
{
  NS_FLOW_APP_NONE,
  NS_FLOW_APP_TLS,
  NS_FLOW_APP_HTTP,
  NS_FLOW_APP_DNS,
  NS_FLOW_APP_QUIC,
} NsFlowApp;

/* Results of the TCP analysis, named after Wireshark's tcp.analysis.* fields; a segment may have
 * several. */
typedef enum
{
  NS_FLOW_RETRANSMISSION,
  NS_FLOW_FAST_RETRANSMISSION,
  NS_FLOW_SPURIOUS_RETRANSMISSION,
  NS_FLOW_OUT_OF_ORDER,
  NS_FLOW_LOST_SEGMENT,
  NS_FLOW_ACK_LOST_SEGMENT,
  NS_FLOW_DUPLICATE_ACK,
  NS_FLOW_ZERO_WINDOW,
  NS_FLOW_WINDOW_FULL,
  NS_FLOW_KEEP_ALIVE,
  NS_FLOW_N_COUNTED, /* the marks before this one have counters in rows */

  NS_FLOW_KEEP_ALIVE_ACK = NS_FLOW_N_COUNTED,
  NS_FLOW_WINDOW_UPDATE,
  NS_FLOW_ZERO_WINDOW_PROBE,
  NS_FLOW_ZERO_WINDOW_PROBE_ACK,
  NS_FLOW_N_MARKS,
} NsFlowMark;

/* Anomalies of one direction. */
typedef struct
{
  guint64 missing_bytes; /* sequence numbers that no captured segment carried */
  guint64 again_bytes;   /* captured data that exceeds @payload_bytes, such as retransmissions */
  guint32 n_data_again;  /* retransmitted segments with data */
  guint32 counts[NS_FLOW_N_COUNTED]; /* segments, by #NsFlowMark */
} NsFlowAnomaly;

/* Values that few conversations have. */
typedef struct
{
  NsFlowAnomaly ways[2];
  gint64 zero_window_ns;   /* total zero-window time of either side */
  gint64 zero_since_ns[2]; /* begin of the current zero window of each side, while reading;
                              NS_TIME_NONE: the window is open */
  gint64 syn_again_ns;     /* from the first SYN to the last one before its response */
  NsRow outer;             /* conversation that carries this one; 0: not captured */
  guint32 n_syn_retries;
  guint32 n_dropped;
  NsString drop_reason; /* reason of the first drop */
  guint32 n_icmp_errors;
  NsString icmp_error; /* text of the last ICMP error */
  guint32 path_mtu;    /* 0: unknown */
  NsIp icmp_from;
  guint8 icmp_type; /* type of the last ICMP error, with @icmp_code */
  guint8 icmp_code;
} NsFlowMore;

/* Totals of one direction. */
typedef struct
{
  guint64 wire_bytes;
  guint64 payload_bytes; /* TCP: distinct sequence numbers of data; while reading: all data */
  guint32 n_packets;
  guint32 isn; /* TCP: initial sequence number */
} NsFlowWay;

/* SYN options of one direction's sender. */
typedef struct
{
  guint16 mss;
  gint8 window_scale; /* at most 14; NS_UNKNOWN: none */
  NsBool has_mss;
} NsFlowOffer;

/* Values parsed from a conversation's payload; most conversations have none. */
typedef struct
{
  const NsString *alpn_offered;
  const NsString *offered; /* offered TLS versions */
  guint n_alpn_offered;
  guint n_offered;
  NsString sni;
  NsString version;
  NsString cipher;
  NsString alpn;
  NsString subject; /* subject of the server certificate */
  NsString issuer;
  NsString expires;
  NsString alert; /* first unencrypted fatal alert */
  NsString quic_version;
  NsString quic_dcid;  /* destination ID in the client's first header */
  NsString quic_scid;  /* source ID of the server */
  gint64 tls_begin_ns; /* NS_TIME_NONE: not captured */
  gint64 tls_end_ns;   /* NS_TIME_NONE: not captured */
  guint8 alert_number;
  gint8 resumed; /* -1: unknown */
  NsBool is_tls;
  NsBool is_alert_of_server;
} NsFlowInside;

/* A conversation; a capture may have a million. @ways and @offers: [0] is client to server, [1]
 * the other direction. */
typedef struct
{
  NsEndpoint client;
  NsEndpoint server;
  NsFlowWay ways[2];
  NsFlowOffer offers[2];
  gint64 open_ns;
  gint64 last_ns;      /* time of its last packet */
  gint64 close_ns;     /* NS_TIME_OPEN: still open */
  gint64 syn_rtt_ns;   /* from the last SYN to its response; NS_UNKNOWN: not captured */
  gint64 handshake_ns; /* from the last SYN to the client's first ACK; NS_UNKNOWN: likewise */
  const NsFlowInside *inside; /* nullable */
  const NsFlowMore *more;     /* nullable, see ns_flow_get_more() */
  guint32 n_truncated;
  guint32 n_messages; /* HTTP/1 exchanges or DNS queries, depending on @app */
  guint32 pid;
  guint32 place; /* place of its first packet: an NsPacketPlace of the trace, 0-based */
  NsString server_name;
  NsRow tcp; /* its rows in other layers; 0: none */
  NsRow winsock;
  NsRow kernel_network;
  NsRow activity;
  guint16 vlan; /* 0: none */
  guint8 ip_protocol;
  guint8 kind;      /* an NsFlowKind */
  guint8 app;       /* an NsFlowApp */
  guint8 start;     /* an NsFlowStart */
  guint8 end;       /* an NsFlowEnd */
  guint8 client_by; /* an NsFlowClient */
  guint8 local;     /* an NsFlowLocal */
  guint8 tunnel;    /* an NsFlowTunnel */
  gint8 confidence; /* an NsConfidence; -1: no other layer knows the conversation */
  guint8 is_reset_by_client : 1;
  guint8 is_accepted : 1;   /* its SYN was answered by a SYN/ACK */
  guint8 is_fragmented : 1; /* some of its packets were IP fragments */
} NsFlowRow;

const char *ns_flow_kind_to_text (NsFlowKind kind);
const char *ns_flow_start_to_text (NsFlowStart start);
const char *ns_flow_end_to_text (NsFlowEnd end);
const char *ns_flow_client_to_text (NsFlowClient by);
const char *ns_flow_tunnel_to_text (NsFlowTunnel tunnel);
const char *ns_flow_app_to_text (NsFlowApp app);
const char *ns_flow_mark_to_text (NsFlowMark mark);

extern const NsFlowMore ns_flow_no_more;

NsFlowMore *ns_flow_need_more (NsFlowRow *self, NsArena *arena);

static inline const NsFlowMore *
ns_flow_get_more (const NsFlowRow *self)
{
  return self->more != NULL ? self->more : &ns_flow_no_more;
}

/* Returns the time from the first SYN to the SYN/ACK; NS_UNKNOWN: not captured. */
static inline gint64
ns_flow_get_connect_ns (const NsFlowRow *self)
{
  if (!self->is_accepted)
    return NS_UNKNOWN;
  return self->syn_rtt_ns + ns_flow_get_more (self)->syn_again_ns;
}

/* Returns the local endpoint; the client's if it is unknown. */
static inline const NsEndpoint *
ns_flow_get_local (const NsFlowRow *self)
{
  return self->local == NS_FLOW_LOCAL_SERVER ? &self->server : &self->client;
}

static inline const NsEndpoint *
ns_flow_get_remote (const NsFlowRow *self)
{
  return self->local == NS_FLOW_LOCAL_SERVER ? &self->client : &self->server;
}

/* Returns the index in @ways of the direction that this machine sent, or received. */
static inline guint
ns_flow_get_side (const NsFlowRow *self, gboolean is_sent)
{
  return (self->local == NS_FLOW_LOCAL_SERVER) == (is_sent != FALSE) ? 1 : 0;
}

static inline const NsFlowWay *
ns_flow_get_way (const NsFlowRow *self, gboolean is_sent)
{
  return &self->ways[ns_flow_get_side (self, is_sent)];
}

G_END_DECLS
