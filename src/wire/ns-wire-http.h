/* Recognizes HTTP/1 messages by their first line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean ns_wire_http_is_message (const guint8 *data, gsize size);
void ns_wire_http_append_first_line (const guint8 *data, gsize size, GString *text);
guint ns_wire_http_status_of_line (const char *line);

G_END_DECLS
