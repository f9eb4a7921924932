/* Pairs connections that two machines recorded, and divides the time of their requests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-clock-fit.h"
#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* Phases of a request, which add up to its duration at the client. */
typedef enum
{
  NS_PAIR_CLIENT_QUEUE, /* until its last byte was sent */
  NS_PAIR_NETWORK_OUT,
  NS_PAIR_SERVER_QUEUE, /* in HTTP.sys, until a process took it */
  NS_PAIR_SERVER_WORK,  /* until the first byte of the response */
  NS_PAIR_NETWORK_BACK, /* until the end at the client */
  NS_PAIR_N_PHASES,
} NsPairPhase;

/* How the clocks were aligned. */
typedef enum
{
  NS_PAIRS_CLOCK_WALL, /* by wall clocks: there was too little traffic */
  NS_PAIRS_CLOCK_EXCHANGES,
  NS_PAIRS_CLOCK_HAND,
} NsPairsClock;

/* Evidence for a pair of connections. */
typedef enum
{
  NS_PAIR_BY_ENDS,     /* endpoints and time */
  NS_PAIR_BY_SEQUENCE, /* likewise, and initial sequence numbers */
  NS_PAIR_BY_NAT,      /* initial sequence numbers, with a translated address */
  NS_PAIR_BY_PAYLOAD,  /* the same bytes at the same stream positions */
  NS_PAIR_BY_TLS,      /* random numbers of the TLS handshake */
} NsPairEvidence;

/* A connection. Rows are 1-based, 0: none. Index of arrays by machine: 0 is the first trace, 1
 * the second. */
typedef struct
{
  NsRow tcp[2]; /* by machine */
  NsRow flow[2];
  guint ends[2];     /* private to the search */
  guint8 client;     /* machine that opened it */
  guint8 evidence;   /* an NsPairEvidence */
  guint8 confidence; /* an NsConfidence */
} NsPairConnection;

/* An operation of the client. Times are by the clock of the first trace. */
typedef struct
{
  guint connection; /* 0-based; G_MAXUINT: not recorded by the other machine */
  NsRow client;     /* activities */
  NsRow server;     /* likewise; 0: not recorded */
  gint64 open_ns;
  gint64 duration_ns;              /* NS_UNKNOWN: it has no recorded end */
  gint64 phases[NS_PAIR_N_PHASES]; /* NS_UNKNOWN: unknown */
  guint8 client_machine;
  guint8 about; /* bits of phases that were negative and set to 0 */
} NsPairRow;

/* Maximum number of bounds kept per direction: the tightest ones of each part of the recording. */
#define NS_PAIR_MAX_DEVIATIONS 512

/**
 * NsPairDeviation:
 * @time_ns: when it was sent or received by the first machine
 * @apart_ns: deviation of its bound from the estimated clock offset
 *
 * Data sent from one machine to the other. Up to the error of the estimate, the deviation is not
 * negative for data sent by the first machine, and not positive for data sent by the second.
 */
typedef struct
{
  gint64 time_ns;
  gint64 apart_ns;
} NsPairDeviation;

/**
 * NsPairs:
 * @traces: the two traces, borrowed
 * @deviations: (element-type NsPairDeviation): by sender, in time order; at most
 * %NS_PAIR_MAX_DEVIATIONS each
 * @fit: relation of the first clock to the second
 * @clock: how it was determined
 * @connections: (element-type NsPairConnection): in the order of the first trace
 * @rows: (element-type NsPairRow): by time
 * @n_crossing: data that would have arrived before it was sent, beyond the error of @fit
 *
 * Common connections and requests of two machines.
 */
typedef struct
{
  const NsTrace *traces[2];
  GArray *deviations[2];
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
