/* The code path of a row across threads: call stacks joined along thread switches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-view-context.h"

G_BEGIN_DECLS

/* Maximum number of hops kept: the outermost one and those nearest to the row. */
#define NS_CHAIN_MAX_HOPS 4096

/* One element of a chain (stitching 3.6). */
typedef struct
{
  NsTaskKind kind; /* pool that dispatched this code; NONE for the first element */
  const char *subtype;
  NsString label;
  guint32 pid;
  guint32 tid_enqueue;
  guint32 tid_run;
  gint64 create_ns; /* when this element queued the next element's work */
  gint64 start_ns;  /* when this element's task began to run */
  gint64 queued_ns; /* time in the queue before this element ran; NS_UNKNOWN: not known */
  guint omitted;    /* repeated elements left out before this one */
  gboolean truncated;
  NsStackId stack; /* 0: missing */
  NsStackMissing missing;
  guint n_hidden_leaf; /* tracing frames hidden at the leaf (stitching 3.8) */
  gint64 time_ns;      /* time of the stack, for module look-ups */
} NsChainElement;

typedef struct
{
  GArray *elements; /* (element-type NsChainElement) */
  NsChainView view;
} NsChain;

/* The four ways to display a chain (stitching 3.10). */
typedef enum
{
  NS_CHAIN_FIRST,
  NS_CHAIN_MIDDLE,
  NS_CHAIN_LAST,
  NS_CHAIN_FULL,
} NsChainColumn;

typedef enum
{
  NS_CHAIN_ROW_FRAME,
  NS_CHAIN_ROW_THREAD_SWITCH, /* title of a thread switch */
  NS_CHAIN_ROW_NOTE,          /* text in place of a missing stack */
} NsChainRowKind;

typedef struct
{
  NsChainRowKind kind;
  const NsChainElement *element;
  const char *text; /* text of thread switches and notes */
  guint64 address;  /* address of frames */
} NsChainRow;

typedef void (*NsChainRowFunc) (const NsChainRow *row, gpointer user_data);

NsChain *
ns_chain_new (const NsTrace *trace, NsStackId stack, guint32 tid, NsRunId link, gint64 time_ns);
NsChain *ns_chain_new_for_activity (const NsTrace *trace, NsRow activity);
NsChain *ns_chain_new_for_task (const NsTrace *trace, NsRow task);
void ns_chain_free (NsChain *self);
guint ns_chain_count_hidden (const NsTrace *trace, NsStackId stack, gint64 time_ns);
const char *ns_task_kind_to_text (NsTaskKind kind);
const char *ns_stack_missing_to_text (NsStackMissing missing);

/* ns-chain-rows.c: rows of the chain as displayed in columns. */
char *ns_chain_thread_switch_to_text (const NsChainElement *element);
gboolean ns_chain_has_stack (const NsChain *self);
guint32 ns_chain_get_first_thread (const NsChain *self);
void ns_chain_walk (const NsChain *self,
                    const NsTrace *trace,
                    NsChainColumn column,
                    NsChainRowFunc func,
                    gpointer user_data);

/* Removes repeated cycles before display (stitching 3.7). */
void ns_chain_collapse (NsChain *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsChain, ns_chain_free)

G_END_DECLS
