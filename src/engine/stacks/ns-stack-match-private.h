/* Shared by the files that match stacks: data collected by the first walk, and the result.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "engine/build/ns-builder.h"

G_BEGIN_DECLS

/* Maximum number of records with the same time that wait for a stack. */
#define NS_STACK_MATCH_MAX_WAITING 1024

/* One StackWalk record: a stack, or the kernel or the user part of one. */
typedef struct
{
  guint64 stamp; /* raw time of the record that it belongs to */
  guint64 raw;   /* time of logging */
  guint32 number;
  guint32 tid;
  guint32 pid;
  NsStackId piece; /* in the store of pieces */
  guint32 buffer;  /* buffer of the record */
  guint16 cpu;
  guint16 session; /* number of the first input file of its session; 0 in a trace of one file */
} NsStackPart;

/* A part whose frames are identified by a key. */
typedef struct
{
  guint64 key;
  NsStackPart part;
  guint32 next;        /* next use of the same key that is not resolved yet, 1-based */
  guint32 inline_item; /* 1-based number of an extended item; 0: a StackWalk record */
  gboolean is_user;
} NsStackUse;

typedef struct
{
  guint64 key;
  guint64 raw;
  guint32 number;
  NsStackId piece;
  guint16 session;
} NsStackDefinition;

/* An incomplete stack in a record's extended items. */
typedef struct
{
  NsRecordRef ref;
  guint64 raw;
  guint64 match;
  guint32 number;
  guint32 tid;
  guint32 pid;
  NsStackId piece;     /* 0: identified by a key that is not resolved yet */
  NsStackId other;     /* frames by kernel key; those by user key come first */
  gboolean is_carrier; /* it has the user part of other items */
  gboolean is_matched;
} NsStackInline;

/* A stack, sorted by the time and thread of its event. */
typedef struct
{
  guint64 stamp;
  guint32 tid;
  NsStackId stack;
  guint32 buffer;
  guint16 cpu;
  guint16 session;
  gboolean is_claimed;
} NsStackFound;

typedef struct
{
  guint32 event; /* row of the event table; G_MAXUINT32: there is no table */
  guint32 provider;
  guint32 kind; /* row of the kinds, 1-based */
  guint16 cpu;
  guint16 session;
} NsStackWaiting;

struct _NsStackMatch
{
  NsStacks *pieces;
  GArray *parts;        /* element-type NsStackPart */
  GArray *uses;         /* element-type NsStackUse */
  GArray *definitions;  /* element-type NsStackDefinition */
  GArray *inlines;      /* element-type NsStackInline */
  GArray *found;        /* element-type NsStackFound */
  GArray *waiting;      /* element-type NsStackWaiting */
  NsMap *inline_stacks; /* stack by location of the record */
  guint64 waiting_raw;
  guint64 n_left_out; /* number of pieces left out for lack of room */
  guint8 *shares; /* by two sessions: whether one has stacks for the other's events; NULL: there is
                     only one session */
  guint n_inputs;
  guint32 number;
  guint64 *frames; /* scratch, NS_STACK_MAX_FRAMES */
};

/* ns-stack-match-sessions.c: pairs sessions whose stacks and events belong together. */
guint16 ns_stack_match_find_session (const NsBuilder *builder, NsRecordRef ref);
void ns_stack_match_pair_sessions (NsBuilder *builder);
gboolean ns_stack_match_may_share (const NsStackMatch *self, guint16 a, guint16 b);
void ns_stack_match_report_alone (const NsBuilder *builder);
/* ns-stack-match-keys.c: resolves keys to frames. */
void ns_stack_match_resolve_keys (NsBuilder *builder);
/* ns-stack-match-join.c: joins kernel and user parts. */
void ns_stack_match_join (NsBuilder *builder);
void ns_stack_match_join_inline (NsBuilder *builder);

G_END_DECLS
