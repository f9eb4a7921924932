/* The code paths of many rows as one tree: which code caused how much of the traffic.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-call-path.h"
#include "query/ns-fields.h"

G_BEGIN_DECLS

/* Nodes that are kept: paths that would need more end where they are. */
#define NS_CALL_TREE_MAX_NODES 2000000

/* What the size of a node is. */
typedef enum
{
  NS_CALL_WEIGHT_COUNT,
  NS_CALL_WEIGHT_BYTES,
  NS_CALL_WEIGHT_DURATION,
  NS_CALL_WEIGHT_FAILURES,
} NsCallWeight;

/* What the rows of a node come to. */
typedef struct
{
  guint32 n_rows;
  guint32 n_failed;
  guint32 n_open; /* rows that had not ended: their durations are lower bounds */
  guint64 sent;
  guint64 received;
  gint64 duration_ns; /* what had not ended counts to the end of the trace */
  gint64 queued_ns;   /* part of it in which a library did nothing for the request yet */
  gint64 pool_ns;     /* what the work waited for threads of pools, before the rows and in them */
  gint64 lead_ns;     /* from the first queueing of the work to the begin of each row */
} NsCallSums;

/**
 * NsCallNode:
 * @kind: what it stands for
 * @depth: 0 for the root
 * @parent: its number; that of the root is 0, as the root's own
 * @n_inside: nodes below it, which follow it directly
 * @name: number of its text
 * @task: seams: what kind of queue
 * @tid: seams: the thread that handed the work over, %NS_PID_UNKNOWN for several
 * @wait_ns: seams: how long the work waited, the median of its rows; %NS_UNKNOWN: not known
 * @missing: notes: why there is no stack
 * @module: (nullable): name of the image, belongs to the trace
 * @is_kernel: code of the kernel
 * @is_return: @rva is where a call returns to
 * @image: row of the image of one of its frames; 0: none
 * @rva: address of that frame in the image
 * @first_row: where its rows begin in the tree's list of durations
 * @total: of all rows through it
 *
 * Nodes stand in the order of the tree: a node before what is inside it, heavier ones first.
 */
typedef struct
{
  NsCallNodeKind kind;
  guint32 depth;
  guint32 parent;
  guint32 n_inside;
  NsString name;
  NsTaskKind task;
  guint32 tid;
  gint64 wait_ns;
  NsStackMissing missing;
  const char *module;
  gboolean is_kernel;
  gboolean is_return;
  NsRow image;
  guint64 rva;
  guint32 first_row;
  NsCallSums total;
} NsCallNode;

typedef struct
{
  GArray *nodes; /* (element-type NsCallNode): the root is the first */
  NsStrings *names;
  GArray *durations;    /* (element-type gint64): of each row, those of a node together */
  GByteArray *are_open; /* of each of them, whether the row had not ended */
  NsCallStack stack;
  NsCallWeight weight;
  char **hidden; /* (nullable): frames that were left out */
  guint max_depth;
  gboolean is_truncated; /* some paths end early: there were too many nodes */
} NsCallTree;

/**
 * NsCallTreeOptions:
 * @stack: which part of the paths
 * @weight: what the nodes are ordered by
 * @hidden: (nullable): frames that are left out: `module!*` or the name of one
 * @table: whose rows are given; the tree is of the activities that they belong to
 *
 * How to make a tree.
 */
typedef struct
{
  NsCallStack stack;
  NsCallWeight weight;
  const char *const *hidden;
  NsTableId table;
} NsCallTreeOptions;

NsCallTree *ns_call_tree_new (const NsTrace *trace,
                              const guint32 *rows,
                              gsize n_rows,
                              const NsCallTreeOptions *options,
                              NsProgressFunc progress,
                              gpointer progress_data);
void ns_call_tree_free (NsCallTree *self);
guint64 ns_call_tree_get_total (const NsCallTree *self, guint node);
guint64 ns_call_tree_get_self (const NsCallTree *self, guint node);
guint ns_call_tree_count_open (const NsCallTree *self, guint node);
gint64 ns_call_tree_get_percentile (const NsCallTree *self,
                                    guint node,
                                    guint percent,
                                    gboolean *is_lower_bound);
const char *ns_call_tree_get_name (const NsCallTree *self, guint node);
guint32 ns_call_tree_find_again (const NsCallTree *self,
                                 const NsTrace *trace,
                                 const NsCallTree *before,
                                 guint32 node);
char *ns_call_tree_describe (const NsCallTree *self, guint node);
char *ns_call_tree_get_filter (const NsCallTree *self, guint node);
char *ns_call_tree_get_function_filter (const NsCallTree *self, guint node);
guint64 ns_call_sums_get_weight (const NsCallSums *self, NsCallWeight weight);
gboolean ns_call_weight_from_text (const char *text, NsCallWeight *weight);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsCallTree, ns_call_tree_free)

G_END_DECLS
