/* Trace information page: header, files, providers, losses and damage of a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_TRACE_INFO (ns_trace_info_get_type ())
G_DECLARE_FINAL_TYPE (NsTraceInfo, ns_trace_info, NS, TRACE_INFO, GtkWidget)

void ns_trace_info_set_session (NsTraceInfo *self, NsSession *session);
gboolean ns_trace_info_move_file (NsTraceInfo *self, int by);
void ns_trace_info_show_files (NsTraceInfo *self);
gboolean ns_trace_info_show_nth (NsTraceInfo *self, guint nth);

G_END_DECLS
