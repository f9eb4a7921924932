/* Function names for the frames of a trace, from a callback of whoever has symbols.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-trace.h"

G_BEGIN_DECLS

/**
 * NsNamerFunc:
 * @image: row of the image that holds the address
 * @rva: address in that image
 * @is_return: whether it is a return address
 * @name: where the name of the function is appended
 * @offset: (out): from its begin
 * @user_data: the namer's
 *
 * Called from any thread, maybe from several at a time; it must not wait for files or servers when
 * it is asked by the window.
 *
 * Returns: %TRUE if the function is known by now
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
