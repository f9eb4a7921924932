/* Shared by the files that pair connections: endpoints, stream progress, requests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-pairs.h"
#include "engine/net/flows/ns-flow.h"

G_BEGIN_DECLS

/* Maximum number of connections examined per pair of endpoints: ports are reused within minutes. */
#define NS_PAIR_MAX_LIVES 64

/* Maximum time or difference of times, 36 years; larger ones are from damaged files and are
 * ignored. */
#define NS_PAIR_MAX_NS (NS_TIME_MAX / 4)

/* Assumed maximum difference of synchronized wall clocks if nothing else is known. */
#define NS_PAIR_WALL_SLACK_NS (300 * NS_PER_SECOND)

/* Role of a machine in a connection. */
typedef enum
{
  NS_PAIR_ROLE_UNKNOWN,
  NS_PAIR_ROLE_CLIENT,
  NS_PAIR_ROLE_SERVER,
} NsPairRole;

/* A TCP connection as recorded by one machine. */
typedef struct
{
  NsEndpoint client;
  NsEndpoint server;
  gint64 open_ns;
  gint64 close_ns;   /* end of the trace if it was still open */
  gint64 syn_rtt_ns; /* NS_UNKNOWN: not recorded */
  guint32 isn[2];    /* initial sequence numbers of client and server */
  NsRow tcp;
  NsRow flow;
  NsPairRole role;
  gboolean is_numbered; /* both of @isn are known */
  gboolean is_whole;    /* its first byte was recorded */
} NsPairEnd;

/* A match: 0-based indices of the connections, by machine. */
typedef struct
{
  guint ends[2];
  NsPairEvidence evidence;
  gboolean is_only; /* there was no other candidate */
} NsPairMatch;

/* ns-pair-ends.c: by endpoints and times. */
GArray *ns_pair_ends_list (const NsTrace *trace);
GArray *ns_pair_ends_match_numbers (const GArray *first, const GArray *second, guint8 *marks);
void ns_pair_ends_match_only (const GArray *first,
                              const GArray *second,
                              gint64 wall_ns,
                              guint8 *marks,
                              GArray *matches);
void ns_pair_ends_match_rest (const GArray *first,
                              const GArray *second,
                              const NsClockFit *fit,
                              gint64 slack_ns,
                              guint8 *marks,
                              GArray *matches);

/* ns-pair-content.c: by content. */
void ns_pair_content_match (const NsTrace *const traces[2],
                            GArray *const ends[2],
                            guint8 *marks,
                            GArray *matches);

/* ns-pair-steps.c: progress of streams. */

/* Progress of a stream at a machine: the time at which its first @n_bytes had passed. */
typedef struct
{
  guint connection; /* 0-based */
  guint8 way;       /* 0: to the server */
  gint64 time_ns;
  gint64 n_bytes;
} NsPairStep;

typedef struct _NsPairSteps NsPairSteps;

NsPairSteps *ns_pair_steps_new (const NsPairs *pairs, GArray *const ends[2], const GArray *matches);
void ns_pair_steps_free (NsPairSteps *self);
void
ns_pair_steps_bound (const NsPairSteps *self, const NsPairs *pairs, GArray *upper, GArray *lower);
const NsPairStep *ns_pair_steps_find_last (const NsPairSteps *self,
                                           guint machine,
                                           guint connection,
                                           guint way,
                                           gint64 begin_ns,
                                           gint64 end_ns);
const NsPairStep *
ns_pair_steps_find_reached (const NsPairSteps *self, guint machine, const NsPairStep *step);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsPairSteps, ns_pair_steps_free)

/* ns-pair-rows.c: requests. */
void ns_pair_rows_add (NsPairs *pairs, const NsPairSteps *steps, GArray *const ends[2]);

G_END_DECLS
