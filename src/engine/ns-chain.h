/* The code path of a row across threads: stacks stitched along the links of the thread pools.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-trace.h"

G_BEGIN_DECLS

/* One stretch of the path, outermost first (stitching 3.6). */
typedef struct
{
  NsTaskKind kind; /* pool that dispatched this code; NONE for the first */
  const char *subtype;
  NsString label;
  guint32 pid;
  guint32 tid_enqueue;
  guint32 tid_run;
  gint64 create_ns; /* when the next element's work was queued here */
  gint64 start_ns;  /* when this element's task began to run */
  gint64 queued_ns; /* wait before this element ran; NS_UNKNOWN: not known */
  guint omitted;    /* repeated elements left out before this one */
  gboolean truncated;
  NsStackId stack; /* 0: missing */
  NsStackMissing missing;
  guint n_hidden_leaf; /* tracing frames at the leaf left out of view (stitching 3.8) */
  gint64 time_ns;      /* moment of the stack, for looking modules up */
} NsChainElement;

typedef struct
{
  GArray *elements; /* (element-type NsChainElement) */
} NsChain;

NsChain *
ns_chain_new (const NsTrace *trace, NsStackId stack, guint32 tid, NsRunId link, gint64 time_ns);
NsChain *ns_chain_new_for_activity (const NsTrace *trace, NsRow activity);
void ns_chain_free (NsChain *self);
const char *ns_task_kind_to_text (NsTaskKind kind);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsChain, ns_chain_free)

G_END_DECLS
