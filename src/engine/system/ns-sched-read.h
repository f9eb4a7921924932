/* Reads context switches, ready events and samples of threads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "engine/system/ns-sched.h"

G_BEGIN_DECLS

/* Opcodes of the classes Thread and PerfInfo. */
#define NS_SCHED_OPCODE_SWITCH 36
#define NS_SCHED_OPCODE_READY 50
#define NS_SCHED_OPCODE_SAMPLE 46

extern const NsGuid ns_sched_thread_guid;
extern const NsGuid ns_sched_perf_info_guid;

void ns_sched_find_kinds (NsTrace *trace);

/* A state change. */
typedef struct
{
  gint64 time_ns;
  guint32 by; /* for READY: the readying thread */
  guint8 state;
  guint8 reason;
} NsSchedChange;

/* Maximum number of changes summed individually; earlier ones have partial sums. */
#define NS_SCHED_CHANGES_PER_SUM 64

struct _NsSchedThread
{
  guint32 tid;
  GArray *changes; /* (element-type NsSchedChange) in time order */
  GArray *samples; /* (element-type gint64) in time order */
  GArray *sums;    /* (element-type NsSchedTotals) before every 64th change */
};

typedef struct
{
  NsMap *by_tid;      /* number of the thread in @threads, from 1 */
  GPtrArray *threads; /* element-type NsSchedThread: threads with operations */
  GArray *stuck;      /* (element-type NsSchedStuck) */
  guint64 n_samples;
  gint64 interval_ns; /* sampling interval of a processor */
} NsSched;

NsSched *ns_sched_read (const NsTrace *trace);
NsSchedThread *ns_sched_thread_new (guint32 tid);
void ns_sched_thread_sum_up (NsSchedThread *self);
void ns_sched_thread_free (NsSchedThread *self);

G_END_DECLS
