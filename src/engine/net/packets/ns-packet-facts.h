/* Facts about TCP conversations for the rules of findings.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

typedef enum
{
  NS_FACT_SYN_AGAIN,  /* retransmitted SYN */
  NS_FACT_AGAIN,      /* retransmitted segment */
  NS_FACT_RESET,      /* RST of an established connection */
  NS_FACT_ALERT,      /* fatal TLS alert: the value is its number */
  NS_FACT_HTTP_ERROR, /* HTTP response with status 400 or higher: the value is the status */
  NS_FACT_TOO_BIG,    /* ICMP: packet too big: the value is the size that passes */
} NsPacketFactKind;

/**
 * NsPacketFact:
 * @conversation: number of its conversation, 0-based
 * @packet: the packet with the evidence
 * @request: for an HTTP response, the packet with its request, or 0
 * @since_ns: for an RST, when the other side last sent new data, or %NS_TIME_NONE
 * @is_sent: this machine sent it
 * @is_unanswered: for an RST: data of the other side was not answered or not acknowledged
 *
 * A fact shown by one packet.
 */
typedef struct
{
  guint conversation;
  NsRow packet;
  NsRow request;
  gint64 since_ns;
  guint16 value;
  guint8 kind; /* an NsPacketFactKind */
  NsBool is_sent;
  NsBool is_unanswered;
} NsPacketFact;

/* Totals of one direction. */
typedef struct
{
  guint64 n_bytes;
  guint64 n_bytes_again;
  gint64 zero_ns;      /* total time with a zero window of its sender */
  gint64 zero_from_ns; /* NS_TIME_NONE: never */
  guint32 n_segments;  /* segments with data */
  guint32 n_again;     /* retransmitted ones among them */
  guint32 n_syns_again;
  NsRow zero_packet;     /* packet that first closed its window, or 0 */
  NsRow zero_end_packet; /* packet that last opened it, or 0 */
  gint64 lost_from_ns;   /* when a segment of @lost_bytes was first retransmitted */
  gint64 lost_to_ns;     /* when smaller segments were known to pass */
  guint32 lost_bytes;    /* segments of this size are probably lost on the path; 0: none */
  NsBool is_cut_smaller; /* the lost data arrived in smaller segments */
} NsPacketWay;

/**
 * NsTcpConversation:
 * @here: endpoint of this machine, as far as known
 * @there: endpoint of the peer
 * @tcp: its connection, or 0
 * @activity: activity of the connection, or 0
 * @pid: its process, or %NS_PID_UNKNOWN
 * @open_ns: time of its first packet
 * @close_ns: time of its last packet
 * @answered_ns: when a SYN was answered; %NS_TIME_NONE: never
 * @flow: its row in the table of conversations, or 0
 * @hello: packet with its ClientHello, or 0
 * @ways: totals sent and received by this machine
 *
 * A TCP conversation.
 */
typedef struct
{
  NsEndpoint here;
  NsEndpoint there;
  NsRow tcp;
  NsRow activity;
  NsRow flow;
  NsRow hello;
  guint32 pid;
  gint64 open_ns;
  gint64 close_ns;
  gint64 syn_ns; /* NS_TIME_NONE: not seen */
  gint64 answered_ns;
  NsPacketWay ways[2];
} NsTcpConversation;

enum
{
  NS_WAY_OUT,
  NS_WAY_IN,
};

/**
 * NsPacketFacts:
 * @conversations: (element-type NsTcpConversation): by first packet
 * @facts: (element-type NsPacketFact): by packet
 * @n_syns: number of SYNs in all conversations
 * @is_cut: the facts are incomplete: a maximum number was reached
 *
 * Facts found in the packets of a trace.
 */
typedef struct
{
  GArray *conversations;
  GArray *facts;
  guint n_syns;
  gboolean is_cut;
} NsPacketFacts;

/* Maximum numbers kept per trace. */
#define NS_PACKET_CONVERSATIONS_MAX 65536
#define NS_PACKET_FACTS_MAX 200000

NsPacketFacts *ns_packet_facts_new (const NsTrace *trace);
void ns_packet_facts_free (NsPacketFacts *self);
char *ns_packet_facts_dup_server_name (const NsTrace *trace, NsRow packet);
char *ns_packet_facts_dup_url (const NsTrace *trace, NsRow packet, const NsEndpoint *server);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsPacketFacts, ns_packet_facts_free)

G_END_DECLS
