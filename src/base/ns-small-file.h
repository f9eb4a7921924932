/* Reads small files of untrusted origin into memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * NsSmallFileFunc:
 * @path: a file
 * @error: why it cannot be read
 *
 * Returns: whether it was read
 */
typedef gboolean (*NsSmallFileFunc) (const char *path, gpointer user_data, GError **error);

char *ns_small_file_read (const char *path, gsize max_bytes, gsize *n_bytes, GError **error);
gboolean ns_small_file_take_setting (const char *name,
                                     NsSmallFileFunc func,
                                     gpointer user_data,
                                     GError **error);

G_END_DECLS
