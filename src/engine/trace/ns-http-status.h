/* Parses the status code of an HTTP status line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint32 ns_http_status_of_line (const char *line);

G_END_DECLS
