/* Saved views of traces, identified by the trace's content.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* Maximum size of a saved view; larger files are ignored. */
#define NS_VIEW_FILE_MAX_BYTES (1u << 20)

char *ns_view_file_identify (const NsTrace *trace);
GVariant *ns_view_file_parse (const char *text);
char *ns_view_file_to_text (GVariant *view);
GVariant *ns_view_file_get_embedded (const NsTrace *trace);
GVariant *ns_view_file_read (const char *key);
gboolean ns_view_file_write (const char *key, GVariant *view, GError **error);
void ns_view_file_forget (const char *key);

G_END_DECLS
