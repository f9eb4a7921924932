/* Scheduling of threads: when they ran, waited or were ready, and which thread readied them.
 *
 * Made when somebody asks first, from the records of switches and samples; a trace without any
 * costs nothing.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-trace.h"

G_BEGIN_DECLS

/* Changes and samples that are kept; what comes after them is not counted. */
#define NS_SCHED_MAX_CHANGES 100000000

typedef enum
{
  NS_SCHED_UNKNOWN,
  NS_SCHED_RUNNING,
  NS_SCHED_READY,   /* wants a processor */
  NS_SCHED_WAITING, /* for something else */
  NS_SCHED_ENDED,
} NsSchedState;

/**
 * NsSchedStretch:
 * @state: what the thread did
 * @reason: of a wait, a KWAIT_REASON
 * @by: of a wait, the thread that ended it; %NS_PID_UNKNOWN: not known
 * @span: when
 *
 * A stretch of a thread's life in which its state was the same.
 */
typedef struct
{
  NsSchedState state;
  guint8 reason;
  guint32 by;
  NsTimeSpan span;
} NsSchedStretch;

/**
 * NsSchedSums:
 * @has_states: the trace has switches of the thread, and the three sums are known
 * @has_samples: the trace has samples of processors, and @cpu_percent is known
 * @cpu_percent: share of the time for which samples met the thread
 * @longest: its longest wait; of length 0: none
 *
 * What a thread did in a span of time.
 */
typedef struct
{
  gboolean has_states;
  gboolean has_samples;
  gint64 running_ns;
  gint64 ready_ns;
  gint64 waiting_ns;
  guint cpu_percent;
  NsSchedStretch longest;
} NsSchedSums;

/* A thread that waits at the end of the trace for something that did not come. */
typedef struct
{
  guint32 tid;
  guint32 pid;
  gint64 since_ns;
} NsSchedStuck;

/**
 * NsSchedTotals:
 * @state_ns: by state, how long the thread was in it
 * @sampled_ns: how long samples say that it ran
 *
 * What a thread did from the first that is known of it to a moment.
 */
typedef struct
{
  gint64 state_ns[NS_SCHED_ENDED + 1];
  gint64 sampled_ns;
} NsSchedTotals;

typedef struct _NsSchedThread NsSchedThread;

typedef void (*NsSchedStretchFunc) (const NsSchedStretch *stretch, gpointer user_data);

/**
 * NsSchedAskFunc:
 * @trace: a trace whose switches were asked for
 * @user_data: the one of ns_sched_set_asker()
 *
 * Called on the thread that must not wait, in place of the work: has ns_sched_prepare() called on
 * another one.
 */
typedef void (*NsSchedAskFunc) (NsTrace *trace, gpointer user_data);

gboolean ns_sched_has_states (const NsTrace *trace);
gboolean ns_sched_has_samples (const NsTrace *trace);
void ns_sched_prepare (const NsTrace *trace);
void ns_sched_set_asker (NsTrace *trace, NsSchedAskFunc func, gpointer user_data);
gboolean ns_sched_sum (const NsTrace *trace, guint row, NsSchedSums *sums);
void ns_sched_walk (const NsTrace *trace, guint row, NsSchedStretchFunc func, gpointer user_data);
const NsSchedThread *ns_sched_find_thread (const NsTrace *trace, guint32 tid, gint64 *interval_ns);
gboolean ns_sched_thread_has_states (const NsSchedThread *self);
void ns_sched_thread_get_totals (const NsSchedThread *self,
                                 gint64 interval_ns,
                                 gint64 time_ns,
                                 NsSchedTotals *totals);
const GArray *ns_sched_get_stuck (const NsTrace *trace);
const char *ns_sched_state_to_text (NsSchedState state);

G_END_DECLS
