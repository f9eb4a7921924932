/* Loads a trace in a thread, with progress and cancellation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-view-context.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define NS_TYPE_TRACE_LOADER (ns_trace_loader_get_type ())
G_DECLARE_FINAL_TYPE (NsTraceLoader, ns_trace_loader, NS, TRACE_LOADER, GObject)

/* File attributes needed by ns_trace_loader_time_of(). */
#define NS_TRACE_LOADER_TIME_ATTRIBUTES                                                            \
  G_FILE_ATTRIBUTE_TIME_MODIFIED "," G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC

NsTraceLoader *ns_trace_loader_new (GFile *file);
double ns_trace_loader_get_fraction (NsTraceLoader *self);
gboolean ns_trace_loader_is_fetching (NsTraceLoader *self);
gint64 ns_trace_loader_get_modified (NsTraceLoader *self);
guint64 ns_trace_loader_get_size (NsTraceLoader *self);
gint64 ns_trace_loader_time_of (GFileInfo *info);
void ns_trace_loader_set_beside (NsTraceLoader *self, const GPtrArray *files);
void
ns_trace_loader_set_log_clocks (NsTraceLoader *self, const char *offsets, const char *time_columns);
void ns_trace_loader_set_max_bytes (NsTraceLoader *self, guint64 max_bytes);
void ns_trace_loader_set_view (NsTraceLoader *self, NsViewContext *view);
void ns_trace_loader_load_async (NsTraceLoader *self,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);
NsTrace *ns_trace_loader_load_finish (NsTraceLoader *self, GAsyncResult *result, GError **error);

G_END_DECLS
