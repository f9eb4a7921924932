/* Submissions and runs of tasks. Links point to runs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* One queuing of a task. */
typedef struct
{
  NsRow task;
  guint32 pid;
  guint32 tid; /* NS_PID_UNKNOWN: the queuing was not recorded */
  NsStackId stack;
  NsRunId link; /* run that the queuing thread was executing */
  gint64 time_ns;
  gboolean is_anonymous; /* found on a worker; its queuing was not recorded */
} NsSubmission;

/* One execution of a task. */
typedef struct
{
  guint32 submission; /* 1-based */
  NsRow task;
  guint32 thread; /* number in the builder's list, 1-based */
  guint32 tid;
  NsRunId under;            /* the enclosing run on its thread */
  NsRunId next_open;        /* next run of its task; may have ended */
  guint32 frame_mark;       /* number of dispatch-queue frames opened before it */
  gboolean is_implicit : 1; /* its end was not recorded */
  gboolean is_used : 1;     /* a row of a network operation links to it */
  gint64 start_ns;
  gint64 stop_ns;
} NsRun;

/* Summary of a link, computed once so that its chain need not be walked. */
typedef struct
{
  NsRunId root;     /* the outermost run of the chain */
  guint32 n_hops;   /* runs in the chain, this one included */
  guint32 n_stacks; /* submissions with a stack */
} NsRunSummary;

/* Kind of events that recorded a task, for pools with several kinds. */
typedef enum
{
  NS_TASK_BY_NOTHING,
  NS_TASK_BY_TPL_TASK,
  NS_TASK_BY_TPL_AWAIT,
  NS_TASK_BY_TPL_CONTINUATION,
  NS_TASK_BY_FW_POOL,
  NS_TASK_BY_CLR_POOL,
  NS_TASK_BY_CLR_IO,
  NS_TASK_BY_FW_TRANSFER,
} NsTaskEvidence;

struct _NsRuns
{
  GArray *submissions;  /* element-type NsSubmission */
  GArray *runs;         /* element-type NsRun */
  GArray *summaries;    /* element-type NsRunSummary, by run; empty until the trace is built */
  GByteArray *evidence; /* an NsTaskEvidence by row of the tasks; shorter if the rest has none */
  guint64 n_implicit;   /* runs without a recorded end */
  guint64 n_skipped;    /* malformed events */
};

NsRuns *ns_runs_new (void);
void ns_runs_free (NsRuns *self);
void ns_runs_summarize (NsRuns *self);
const char *ns_runs_get_evidence (const NsRuns *self, NsRow task);
NsRunId ns_runs_get_older (const NsRuns *self, NsRunId run);
gboolean ns_runs_is_link (const NsRuns *self, NsRunId run);

static inline NsRun *
ns_runs_get (const NsRuns *self, NsRunId run)
{
  return &g_array_index (self->runs, NsRun, run - 1);
}

static inline NsSubmission *
ns_runs_get_submission (const NsRuns *self, guint32 submission)
{
  return &g_array_index (self->submissions, NsSubmission, submission - 1);
}

static inline NsSubmission *
ns_runs_get_origin (const NsRuns *self, NsRunId run)
{
  return ns_runs_get_submission (self, ns_runs_get (self, run)->submission);
}

G_END_DECLS
