/* How long a task waited in a thread-pool queue before it started a network operation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-trace.h"

G_BEGIN_DECLS

/* Hops of queued work that are walked back. */
#define NS_POOL_WAIT_MAX_HOPS 64

/**
 * NsPoolHop:
 * @run: the run that ended the wait
 * @kind: what kind of queue it was
 * @before_ns: the part of the wait that lies before the begin of the operation
 * @inside_ns: the part that lies between its begin and its end
 * @ran_ns: how long the run went on before the operation began, or before it queued the next work
 *
 * One wait.
 */
typedef struct
{
  NsRunId run;
  NsTaskKind kind;
  gint64 before_ns;
  gint64 inside_ns;
  gint64 ran_ns;
} NsPoolHop;

/**
 * NsPoolWait:
 * @n_hops: how many waits
 * @hops: the nearest to the operation first
 * @before_ns: sum of their parts before the operation
 * @inside_ns: sum of their parts within it
 * @ran_ns: sum of what ran before the operation
 *
 * The waits that lead to an operation. They and what ran between them touch each other, so that
 * @before_ns and @ran_ns are the time from the first queueing to the begin of the operation.
 */
typedef struct
{
  guint n_hops;
  NsPoolHop hops[NS_POOL_WAIT_MAX_HOPS];
  gint64 before_ns;
  gint64 inside_ns;
  gint64 ran_ns;
} NsPoolWait;

void ns_pool_wait_find (NsPoolWait *self, const NsTrace *trace, const NsActivityRow *row);
void ns_pool_wait_find_inside (NsPoolWait *self, const NsTrace *trace, const NsActivityRow *row);
gint64 ns_pool_wait_get_total (const NsTrace *trace, const NsActivityRow *row);
gint64 ns_pool_wait_get_lead (const NsTrace *trace, const NsActivityRow *row);
NsTaskKind ns_pool_wait_get_kind (const NsPoolWait *self);

G_END_DECLS
