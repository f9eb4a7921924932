/* Why an operation took as long as it did: parts that do not overlap, back from its end.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-pool-wait.h"
#include "query/ns-fields.h"

G_BEGIN_DECLS

#define NS_BLAME_MAX_PARTS (NS_N_PHASES + 2 * NS_POOL_WAIT_MAX_HOPS)

typedef enum
{
  NS_BLAME_PHASE,   /* of the operation itself */
  NS_BLAME_QUEUED,  /* its work, or what led to it, waited for a thread */
  NS_BLAME_RUNNING, /* code ran that led to it */
} NsBlameKind;

/**
 * NsBlamePart:
 * @kind: what it is
 * @phase: of %NS_BLAME_PHASE
 * @task: of the two others: what kind of queue
 * @span_ns: how long
 * @percent: its share; those of all parts add to 100
 * @tid: thread that queued it, or that ran; %NS_PID_UNKNOWN: not known
 * @run: of %NS_BLAME_QUEUED: the run that ended the wait
 *
 * One part of the time.
 */
typedef struct
{
  NsBlameKind kind;
  NsPhase phase;
  NsTaskKind task;
  gint64 span_ns;
  guint percent;
  guint32 tid;
  NsRunId run;
} NsBlamePart;

/**
 * NsBlame:
 * @n_parts: how many; 0 when nothing is known
 * @parts: the longest first
 * @total_ns: what they add to: the duration of the operation and @lead_ns
 * @lead_ns: from the first queueing of the work that led to it to its begin
 * @is_lower_bound: the operation had not ended
 *
 * Where the time of an operation went, the waits of queued work that led to it included.
 */
typedef struct
{
  guint n_parts;
  NsBlamePart parts[NS_BLAME_MAX_PARTS];
  gint64 total_ns;
  gint64 lead_ns;
  gboolean is_lower_bound;
} NsBlame;

gboolean ns_blame_find (NsBlame *self, const NsTrace *trace, guint row);
guint ns_blame_get_percent (const NsBlame *self, NsBlameKind kind, NsPhase phase);
gint64 ns_blame_get_span (const NsBlame *self, NsBlameKind kind, NsPhase phase);
const char *ns_blame_get_queue_words (NsTaskKind kind);
char *ns_blame_to_text (const NsTrace *trace, guint row);

G_END_DECLS
