/* Writing to a file descriptor.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean ns_fd_write_all (int fd, gconstpointer data, gsize n_bytes);

G_END_DECLS
