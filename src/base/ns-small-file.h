/* Small files that are read whole, whoever wrote them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *ns_small_file_read (const char *path, gsize max_bytes, gsize *n_bytes, GError **error);

G_END_DECLS
