/* Divides the time of an operation into contiguous parts, back from its end.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/tasks/ns-pool-wait.h"
#include "query/ns-fields.h"

G_BEGIN_DECLS

#define NS_BLAME_MAX_PARTS (NS_N_PHASES + 2 * NS_POOL_WAIT_MAX_HOPS)

typedef enum
{
  NS_BLAME_PHASE,   /* a phase of the operation */
  NS_BLAME_QUEUED,  /* its work, or work that led to it, waited for a thread */
  NS_BLAME_RUNNING, /* code that led to it ran */
} NsBlameKind;

/**
 * NsBlamePart:
 * @kind: kind of the part
 * @phase: for %NS_BLAME_PHASE
 * @task: for the other kinds: kind of queue
 * @span_ns: its duration
 * @percent: its share; those of all parts add up to 100
 * @tid: thread that queued it, or that ran; %NS_PID_UNKNOWN: unknown
 * @run: for %NS_BLAME_QUEUED: the run that ended the wait
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
 * @n_parts: number of parts; 0 if nothing is known
 * @parts: the parts, longest first
 * @total_ns: their sum: duration of the operation plus @lead_ns
 * @lead_ns: time from the first queuing of the work that led to it to its begin
 * @is_lower_bound: whether the operation has no recorded end
 *
 * The time of an operation by cause, including waits of the queued work that led to it.
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
