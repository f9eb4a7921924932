/* Call tree: the code paths of many rows, merged at their common callers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-call-path.h"
#include "query/ns-fields.h"

G_BEGIN_DECLS

/* Maximum number of nodes; paths that need more of them are truncated. */
#define NS_CALL_TREE_MAX_NODES 2000000

/* Measures by which nodes are sorted and displayed. */
typedef enum
{
  NS_CALL_WEIGHT_COUNT,
  NS_CALL_WEIGHT_BYTES,
  NS_CALL_WEIGHT_DURATION,
  NS_CALL_WEIGHT_FAILURES,
} NsCallWeight;

/* Totals of the rows of a node. */
typedef struct
{
  guint32 n_rows;
  guint32 n_failed;
  guint32 n_open; /* rows without a recorded end: their durations are lower bounds */
  guint64 sent;
  guint64 received;
  gint64 duration_ns; /* open rows count up to the end of the trace */
  gint64 queued_ns;   /* part of it in which requests were queued inside a library */
  gint64 pool_ns; /* time that the work waited for pool threads, before the rows and during them */
  gint64 lead_ns; /* time from the first queuing of the work to the begin of each row */
} NsCallSums;

/**
 * NsCallNode:
 * @kind: kind of the node
 * @depth: 0 for the root
 * @parent: index of the parent; 0 for the root, whose own index is 0
 * @n_inside: number of descendants, which follow it directly
 * @name: its text
 * @task: for a thread switch: kind of queue
 * @tid: for a thread switch: the thread that queued the work; %NS_PID_UNKNOWN: several
 * @wait_ns: for a thread switch: time that the work waited, the median of its rows; %NS_UNKNOWN:
 *   not known
 * @missing: for a note: why there is no stack
 * @module: (nullable): name of the image, owned by the trace
 * @is_kernel: whether it is kernel code
 * @is_return: whether @rva is a return address
 * @image: row of the image of one of its frames; 0: none
 * @rva: address of that frame in the image
 * @first_row: index of its first row in the tree's list of durations
 * @total: totals of all rows whose path contains it
 *
 * A node of the tree. Nodes are in preorder: a node precedes its descendants, and siblings are
 * sorted by weight, largest first.
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
  GArray *durations;    /* (element-type gint64): one per row; those of a node are consecutive */
  GByteArray *are_open; /* one per row: whether it has no recorded end */
  NsCallStack stack;
  NsCallWeight weight;
  char **hidden; /* (nullable): frames that are left out */
  guint max_depth;
  gboolean is_truncated; /* some paths are truncated, as there are too many nodes */
} NsCallTree;

/**
 * NsCallTreeOptions:
 * @stack: part of the paths
 * @weight: sort order of siblings
 * @hidden: (nullable): frames that are left out: `module!*` or the name of one
 * @table: table of the rows; the tree is built from the operations that they belong to
 *
 * Options for building a tree.
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
