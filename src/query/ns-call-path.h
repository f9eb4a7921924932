/* The code path of a row, step by step, as call trees and filters see it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-call-frames.h"

G_BEGIN_DECLS

/* Which part of the path of a row, and from which end. */
typedef enum
{
  NS_CALL_STACK_FIRST, /* the earliest stack there is: where the work began */
  NS_CALL_STACK_FULL,  /* all of it, across threads, from where the work began */
  NS_CALL_STACK_BACK,  /* all of it, from the network call back to where the work began */
  NS_CALL_N_STACKS,
} NsCallStack;

typedef enum
{
  NS_CALL_NODE_ROOT,
  NS_CALL_NODE_FRAME,
  NS_CALL_NODE_SEAM, /* the work went to another thread */
  NS_CALL_NODE_NOTE, /* a stack that is not there */
} NsCallNodeKind;

/* Every word of a path as text: `module!function`, `> pool` for a seam, `? no stack`. */
#define NS_CALL_PATH_SEAM "> "
#define NS_CALL_PATH_NOTE "? "

/* What the path is made of, before its steps. */
#define NS_CALL_PATH_BACK "@back"
#define NS_CALL_PATH_FIRST "@first"
#define NS_CALL_PATH_WITHOUT "@without "

/**
 * NsCallStep:
 * @kind: what it is; never the root
 * @text: thread switches and notes: what it is called
 * @element: the stretch of the path it belongs to; of seams, the one that was queued
 * @before: (nullable): seams: the stretch that queued it
 * @frame: (nullable): frames: what is known of it
 * @address: frames: where it is
 * @is_return: frames: a call returns to it
 *
 * One step; valid until the next.
 */
typedef struct
{
  NsCallNodeKind kind;
  const char *text;
  const NsChainElement *element;
  const NsChainElement *before;
  const NsCallFrame *frame;
  guint64 address;
  gboolean is_return;
} NsCallStep;

/* Returns: whether to go on. */
typedef gboolean (*NsCallStepFunc) (const NsCallStep *step, gpointer user_data);

void ns_call_path_walk (const NsTrace *trace,
                        NsCallFrames *frames,
                        const NsChain *chain,
                        NsCallStack stack,
                        NsCallStepFunc func,
                        gpointer user_data);
char *ns_call_path_to_text (const NsTrace *trace,
                            NsCallFrames *frames,
                            NsStrings *names,
                            const NsChain *chain);
void ns_call_path_append_step (GString *path, const char *prefix, const char *text);
void ns_call_path_get_key (const NsTrace *trace, guint row, guint64 *a, guint64 *b);
GPtrArray *ns_call_path_split (const char *path);

G_END_DECLS
