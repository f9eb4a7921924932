/* Saves the view of a trace and restores it when the trace is opened again: zoom, time range,
 * filters, sort orders, tab, selection and bookmarks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ui/ns-trace-tabs.h"
#include "ui/timeline/ns-timeline.h"

G_BEGIN_DECLS

#define NS_TYPE_VIEW_MEMORY (ns_view_memory_get_type ())
G_DECLARE_FINAL_TYPE (NsViewMemory, ns_view_memory, NS, VIEW_MEMORY, GObject)

NsViewMemory *ns_view_memory_new (NsTimeline *timeline, NsTraceTabs *tabs);
void ns_view_memory_begin (NsViewMemory *self, NsSession *session, gboolean is_part);
GVariant *ns_view_memory_make (NsViewMemory *self);
void ns_view_memory_restore (NsViewMemory *self);
void ns_view_memory_reset (NsViewMemory *self);
void ns_view_memory_save (NsViewMemory *self);
void ns_view_memory_release (NsViewMemory *self);

G_END_DECLS
