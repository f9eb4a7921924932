/* Names of frames, each looked up once: `module!function`, `module+0x1f` or `0x7ff6…`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/activities/ns-chain.h"

G_BEGIN_DECLS

/* A named frame. */
typedef struct
{
  NsString name;      /* `module!function`, or the same as @place */
  NsString place;     /* `module+0x1f`, independent of symbols */
  NsString module;    /* a text of the trace; NS_STRING_NONE: the address is in no known image */
  NsRow image;        /* 0: the address is in no known image */
  guint64 rva;        /* without an image: the address */
  gboolean is_hidden; /* left out of paths, see ns_call_frames_new() */
} NsCallFrame;

typedef struct _NsCallFrames NsCallFrames;

/* Pattern of hidden frames that stands for the kernel and all system modules. */
#define NS_CALL_HIDDEN_SYSTEM "@system"

NsCallFrames *
ns_call_frames_new (const NsTrace *trace, NsStrings *names, const char *const *hidden);
void ns_call_frames_free (NsCallFrames *self);
const NsCallFrame *ns_call_frames_get (NsCallFrames *self,
                                       NsStackId stack,
                                       guint64 address,
                                       gint64 time_ns,
                                       gboolean is_return);
gboolean ns_call_is_system (const char *module);
gboolean ns_call_frame_is_like (const char *name,
                                const char *place,
                                const char *module,
                                const char *pattern);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsCallFrames, ns_call_frames_free)

G_END_DECLS
