/* What the user wants of symbols, for all traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *ns_symbol_defaults_dup (const char **cache_folder, guint64 *cache_bytes, gboolean *is_online);

G_END_DECLS
