/* Names of frames, each made once: `module!function`, `module+0x1f` or `0x7ff6…`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-chain.h"
#include "query/ns-call-tree.h"

G_BEGIN_DECLS

/* What is known of a frame. */
typedef struct
{
  NsString name;
  NsString module; /* of the trace; NS_STRING_NONE: in no known image */
} NsCallFrame;

typedef struct _NsCallFrames NsCallFrames;

NsCallFrames *ns_call_frames_new (const NsTrace *trace,
                                  NsStrings *names,
                                  NsCallNameFunc name,
                                  gpointer name_data);
void ns_call_frames_free (NsCallFrames *self);
const NsCallFrame *
ns_call_frames_get (NsCallFrames *self, NsStackId stack, guint64 address, gint64 time_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsCallFrames, ns_call_frames_free)

G_END_DECLS
