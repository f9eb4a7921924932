/* Stores each distinct stack once: frames from the leaf (innermost) to the root.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-tables.h"

G_BEGIN_DECLS

typedef struct _NsStacks NsStacks;

/* Maximum number of frames. Windows records at most 192; kernel and user part together have
 * fewer than this. */
#define NS_STACK_MAX_FRAMES 1024
/* Maximum size of all stacks of a trace; for a large trace, maximum size per byte of the trace. */
#define NS_STACKS_MAX_BYTES (G_GUINT64_CONSTANT (1) << 30)
#define NS_STACKS_PER_BYTE 8

/* Reasons why an event has no stack. */
typedef enum
{
  NS_STACK_PRESENT,
  NS_STACK_NOT_ENABLED,       /* the recording has no stacks */
  NS_STACK_LOST,              /* other events of its kind have one, but records were lost */
  NS_STACK_NOT_STACK_ENABLED, /* events of other kinds have one, but none of this kind */
  NS_STACK_UNKNOWN, /* other events of its kind have one, and no records were lost; or nothing is
                       known */
} NsStackMissing;

NsStacks *ns_stacks_new (void);
void ns_stacks_set_size_of_trace (NsStacks *self, guint64 n_bytes, guint64 least_bytes);
guint64 ns_stacks_get_n_left_out (const NsStacks *self);
void ns_stacks_free (NsStacks *self);
NsStackId ns_stacks_add (NsStacks *self, guint32 pid, const guint64 *frames, guint n_frames);
const guint64 *ns_stacks_get (const NsStacks *self, NsStackId id, guint *n_frames);
guint32 ns_stacks_get_pid (const NsStacks *self, NsStackId id);
guint ns_stacks_get_size (const NsStacks *self);
gsize ns_stacks_get_bytes (const NsStacks *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsStacks, ns_stacks_free)

G_END_DECLS
