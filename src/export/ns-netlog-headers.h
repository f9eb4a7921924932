/* HTTP headers in the parameters of a netlog event.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *ns_netlog_headers_dup (const char *params, gsize n_bytes, gboolean *is_response);

G_END_DECLS
