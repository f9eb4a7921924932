/* Facts about TCP conversations for the rules of findings.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-trace.h"

G_BEGIN_DECLS

typedef enum
{
  NS_FACT_SYN_AGAIN,  /* a SYN that was sent before */
  NS_FACT_AGAIN,      /* a segment whose bytes were sent before */
  NS_FACT_RESET,      /* an RST after the connection was there */
  NS_FACT_ALERT,      /* a fatal alert of TLS: its number is the value */
  NS_FACT_HTTP_ERROR, /* an answer of HTTP from 400 on: its status is the value */
  NS_FACT_TOO_BIG,    /* ICMP says that a packet was too big: the size that passes is the value */
} NsPacketFactKind;

/**
 * NsPacketFact:
 * @talk: number of its conversation, 0-based
 * @packet: the packet that shows it
 * @request: of an answer of HTTP the packet with its request, or 0
 * @since_ns: of an RST: when new data of the other side went out last, or %NS_TIME_NONE
 * @is_sent: this machine sent it
 * @is_unanswered: of an RST: data of the other side had no answer, or no acknowledgment
 *
 * One thing that one packet shows.
 */
typedef struct
{
  guint talk;
  NsRow packet;
  NsRow request;
  gint64 since_ns;
  guint16 value;
  guint8 kind; /* an NsPacketFactKind */
  NsBool is_sent;
  NsBool is_unanswered;
} NsPacketFact;

/* What went one way. */
typedef struct
{
  guint64 n_bytes;
  guint64 n_bytes_again;
  gint64 zero_ns;      /* how long its sender took no data, in all */
  gint64 zero_from_ns; /* NS_TIME_NONE: never */
  guint32 n_segments;  /* with data */
  guint32 n_again;     /* of them: whose bytes were sent before */
  guint32 n_syns_again;
  NsRow zero_packet;     /* that closed its window first, or 0 */
  NsRow zero_end_packet; /* that opened it last, or 0 */
  gint64 lost_from_ns;   /* when a segment of @lost_bytes was sent again first, */
  gint64 lost_to_ns;     /* and when it was known that smaller ones pass */
  guint32 lost_bytes;    /* segments of so many bytes do not seem to arrive; 0: all do */
  NsBool is_cut_smaller; /* what they held arrived in smaller ones */
} NsPacketWay;

/**
 * NsPacketTalk:
 * @here: end of this machine, as far as known
 * @there: end of the peer
 * @tcp: its connection, or 0
 * @activity: of that, or 0
 * @pid: whose it is, or %NS_PID_UNKNOWN
 * @open_ns: its first packet
 * @close_ns: its last one
 * @answered_ns: when a SYN was answered; %NS_TIME_NONE: never
 * @flow: its row of conversations, or 0
 * @hello: packet with its Client Hello, or 0
 * @ways: what this machine sent, and what it received
 *
 * One conversation.
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
} NsPacketTalk;

enum
{
  NS_WAY_OUT,
  NS_WAY_IN,
};

/**
 * NsPacketFacts:
 * @talks: (element-type NsPacketTalk): by their first packet
 * @facts: (element-type NsPacketFact): by their packets
 * @n_syns: SYNs of all
 * @is_cut: there are more than are kept
 *
 * What packets tell.
 */
typedef struct
{
  GArray *talks;
  GArray *facts;
  guint n_syns;
  gboolean is_cut;
} NsPacketFacts;

/* So many are kept of a trace. */
#define NS_PACKET_TALKS_MAX 65536
#define NS_PACKET_FACTS_MAX 200000

NsPacketFacts *ns_packet_facts_new (const NsTrace *trace);
void ns_packet_facts_free (NsPacketFacts *self);
char *ns_packet_facts_dup_server_name (const NsTrace *trace, NsRow packet);
char *ns_packet_facts_dup_url (const NsTrace *trace, NsRow packet, const NsEndpoint *server);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsPacketFacts, ns_packet_facts_free)

G_END_DECLS
