/* The steps of a row's code path, for call trees and filters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-call-frames.h"

G_BEGIN_DECLS

/* Part of the path of a row, and its direction. */
typedef enum
{
  NS_CALL_STACK_FIRST, /* the first stack, where the work began */
  NS_CALL_STACK_FULL,  /* all stacks across threads, from where the work began */
  NS_CALL_STACK_BACK,  /* all stacks across threads, from the network call back to where the work
                          began */
  NS_CALL_N_STACKS,
} NsCallStack;

typedef enum
{
  NS_CALL_NODE_ROOT,
  NS_CALL_NODE_FRAME,
  NS_CALL_NODE_THREAD_SWITCH, /* a thread switch */
  NS_CALL_NODE_NOTE,          /* a missing stack */
} NsCallNodeKind;

/* Prefixes of steps in a path as text: none for `module!function`, `> pool` for a thread switch, `?
 * no stack` for a note. */
#define NS_CALL_PATH_THREAD_SWITCH "> "
#define NS_CALL_PATH_NOTE "? "

/* Options before the steps of a path as text. */
#define NS_CALL_PATH_BACK "@back"
#define NS_CALL_PATH_FIRST "@first"
#define NS_CALL_PATH_WITHOUT "@without "

/**
 * NsCallStep:
 * @kind: kind of the step; never the root
 * @text: for thread switches and notes: their name
 * @element: element of the chain that it belongs to; for thread switches, the one that was queued
 * @before: (nullable): for thread switches: the element that queued it
 * @frame: (nullable): for frames: the frame
 * @address: for frames: its address
 * @is_return: for frames: whether it is a return address
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

/* Called for each step; returns %FALSE to stop. */
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
