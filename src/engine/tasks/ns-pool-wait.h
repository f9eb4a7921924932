/* Time that a task waited in a thread-pool queue before it started a network operation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* Maximum number of hops walked back. */
#define NS_POOL_WAIT_MAX_HOPS 64

/**
 * NsPoolHop:
 * @run: the run that ended the wait
 * @kind: kind of queue
 * @before_ns: the part of the wait before the begin of the operation
 * @inside_ns: the part between its begin and its end
 * @ran_ns: running time of the run until the operation began, or until it queued the next work
 *
 * A wait in a thread-pool queue.
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
 * @n_hops: number of waits
 * @hops: the waits, nearest to the operation first
 * @before_ns: sum of their parts before the operation
 * @inside_ns: sum of their parts within it
 * @ran_ns: sum of the running times before the operation
 *
 * The waits that led to an operation. Waits and runs are contiguous, so @before_ns plus @ran_ns is
 * the time from the first queuing to the begin of the operation.
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
