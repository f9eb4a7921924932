/* Function names for the frames of a trace, from a callback of the code that owns the symbols.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/**
 * NsNamerFunc:
 * @image: row of the image that holds the address
 * @rva: address in that image
 * @is_return: whether it is a return address
 * @name: gets the function name appended
 * @offset: (out): from the function's begin, in bytes
 * @user_data: user data of the callback
 *
 * May be called from any thread, and from several at the same time. It must not wait for files or
 * servers when called on the main thread.
 *
 * Returns: %TRUE if the function is known; %FALSE also while its symbols are loaded
 */
typedef gboolean (*NsNamerFunc) (NsRow image,
                                 guint64 rva,
                                 gboolean is_return,
                                 GString *name,
                                 guint32 *offset,
                                 gpointer user_data);

void ns_trace_set_namer (NsTrace *self,
                         NsNamerFunc func,
                         gpointer user_data,
                         GDestroyNotify free_user_data);
gboolean ns_trace_has_namer (const NsTrace *self);
gboolean ns_trace_name_place (const NsTrace *self,
                              NsRow image,
                              guint64 rva,
                              gboolean is_return,
                              GString *name,
                              guint32 *offset);
char *ns_trace_frame_to_name (const NsTrace *self,
                              guint32 pid,
                              guint64 address,
                              gint64 time_ns,
                              gboolean is_return);
char *ns_trace_frame_to_function (const NsTrace *self,
                                  guint32 pid,
                                  guint64 address,
                                  gint64 time_ns,
                                  gboolean is_return);

G_END_DECLS
