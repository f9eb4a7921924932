/* Extracts the names of cookies from headers, without their values.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *ns_row_cookies_dup_names (const guint8 *data, gsize n_bytes, gboolean is_wide);

G_END_DECLS
