/* The server in a URL.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

gboolean ns_url_is_blank (const char *text);
char *ns_url_get_server (const char *url);
guint16 ns_url_get_port (const char *url);
NsString ns_url_mask (const NsTrace *trace, NsString url);
guint64 ns_url_hash_bare (const char *url);
gboolean ns_url_is_same_bare (const char *a, const char *b);
gboolean ns_url_same_server (const char *a, const char *b);

G_END_DECLS
