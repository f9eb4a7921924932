/* Scheduling of threads: when they ran, waited or were ready, and which thread readied them.
 *
 * Read on first use from the records of context switches and samples; costs nothing if a trace has
 * none.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* Maximum numbers of changes and samples kept; later ones are not counted. */
#define NS_SCHED_MAX_CHANGES 100000000

typedef enum
{
  NS_SCHED_UNKNOWN,
  NS_SCHED_RUNNING,
  NS_SCHED_READY,   /* ready to run, waiting for a processor */
  NS_SCHED_WAITING, /* waiting for anything else */
  NS_SCHED_ENDED,
} NsSchedState;

/**
 * NsSchedStretch:
 * @state: state of the thread
 * @reason: for a wait, a KWAIT_REASON
 * @by: for a wait, the thread that ended it; %NS_PID_UNKNOWN: unknown
 * @span: time span
 *
 * A time span in which a thread's state did not change.
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
 * @has_states: whether switches of the thread were recorded and the three sums are known
 * @has_samples: whether samples were recorded and @cpu_percent is known
 * @cpu_percent: share of the time span in which samples hit the thread
 * @longest: its longest wait; empty: none
 *
 * States of a thread in a time span.
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

/* A thread that waits at the end of the trace. */
typedef struct
{
  guint32 tid;
  guint32 pid;
  gint64 since_ns;
} NsSchedStuck;

/**
 * NsSchedTotals:
 * @state_ns: time spent in each state
 * @sampled_ns: running time by samples
 *
 * Totals of a thread from its first known state to a given time.
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
 * @trace: the trace whose scheduling data is requested
 * @user_data: user data of ns_sched_set_asker()
 *
 * Called, instead of reading the data, on the thread that must not block. It must make another
 * thread call ns_sched_prepare().
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
