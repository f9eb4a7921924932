/* Pairs connections that two machines recorded, and divides the time of their requests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-trace.h"
#include "query/ns-clock-fit.h"

G_BEGIN_DECLS

/* Parts of a request that add up to its duration at the client. */
typedef enum
{
  NS_PAIR_CLIENT_QUEUE, /* before the last of the request was sent */
  NS_PAIR_NETWORK_OUT,
  NS_PAIR_SERVER_QUEUE, /* in HTTP.sys, before a process took it */
  NS_PAIR_SERVER_WORK,  /* up to the first of the answer */
  NS_PAIR_NETWORK_BACK, /* up to the end at the client */
  NS_PAIR_N_PHASES,
} NsPairPhase;

/* What the clocks were aligned by. */
typedef enum
{
  NS_PAIRS_CLOCK_WALL, /* the wall clocks of both: too little went between them */
  NS_PAIRS_CLOCK_EXCHANGES,
  NS_PAIRS_CLOCK_HAND,
} NsPairsClock;

/* Why two connections are said to be one. */
typedef enum
{
  NS_PAIR_BY_ENDS,     /* addresses and ports of both, and time */
  NS_PAIR_BY_SEQUENCE, /* the numbers that both sides began with, too */
  NS_PAIR_BY_NAT,      /* these, though an address was translated between them */
  NS_PAIR_BY_PAYLOAD,  /* the same bytes at the same places of the streams */
  NS_PAIR_BY_TLS,      /* the random numbers of the handshake of TLS */
} NsPairEvidence;

/* One connection. Rows are 1-based, 0: none. Of machines: 0 is the first trace, 1 the second. */
typedef struct
{
  NsRow tcp[2]; /* by machine */
  NsRow flow[2];
  guint ends[2];     /* what is looked at to find it */
  guint8 client;     /* the machine that opened it */
  guint8 evidence;   /* an NsPairEvidence */
  guint8 confidence; /* an NsConfidence */
} NsPairConnection;

/* One operation of the client. Times are those of the first trace. */
typedef struct
{
  guint connection; /* 0-based; G_MAXUINT: the other machine did not see it */
  NsRow client;     /* activities */
  NsRow server;     /* likewise; 0: not seen */
  gint64 open_ns;
  gint64 duration_ns;              /* NS_UNKNOWN: had not ended */
  gint64 phases[NS_PAIR_N_PHASES]; /* NS_UNKNOWN: not told */
  guint8 client_machine;
  guint8 about; /* bits of phases that would be below 0: taken for 0 */
} NsPairRow;

/* Of what went one way so many are kept: the tightest of each part of the time. */
#define NS_PAIR_MAX_WAYS 512

/**
 * NsPairWay:
 * @time_ns: when it was sent or received by the first machine
 * @apart_ns: how far what it says of the clocks is from what they are said to differ by
 *
 * Something that went from one machine to the other: what the first one sent cannot lie below 0,
 * but for what the clocks may be wrong, and what the second one sent not above.
 */
typedef struct
{
  gint64 time_ns;
  gint64 apart_ns;
} NsPairWay;

/**
 * NsPairs:
 * @traces: two of them, borrowed
 * @ways: (element-type NsPairWay): by who sent it, in the order of time; at most
 *   %NS_PAIR_MAX_WAYS each
 * @fit: from the first clock to the second
 * @clock: what that stands on
 * @connections: (element-type NsPairConnection): in the order of the first trace
 * @rows: (element-type NsPairRow): by time
 * @n_crossing: ways that would have arrived before they were sent, more than @fit can be wrong by
 *
 * What two machines have in common.
 */
typedef struct
{
  const NsTrace *traces[2];
  GArray *ways[2];
  NsClockFit fit;
  NsPairsClock clock;
  GArray *connections;
  GArray *rows;
  guint n_crossing;
} NsPairs;

NsPairs *ns_pairs_new (const NsTrace *first, const NsTrace *second, const gint64 *offset_ns);
NsPairs *ns_pairs_new_with_progress (const NsTrace *first,
                                     const NsTrace *second,
                                     const gint64 *offset_ns,
                                     NsProgressFunc progress,
                                     gpointer progress_data);
gboolean ns_pairs_have_common_ends (const NsTrace *first, const NsTrace *second);
void ns_pairs_free (NsPairs *self);
gboolean ns_pairs_check (const NsTrace *first, const NsTrace *second, GError **error);
char *ns_pairs_dup_machine (const NsTrace *trace);
gint64 ns_pairs_get_ahead (const NsPairs *self);
const char *ns_pair_evidence_to_text (NsPairEvidence evidence);
const char *ns_pairs_clock_to_text (NsPairsClock clock);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsPairs, ns_pairs_free)

G_END_DECLS
