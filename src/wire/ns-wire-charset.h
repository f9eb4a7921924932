/* Converts the bytes of an HTTP body to UTF-8 text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *
ns_wire_charset_to_text (const guint8 *data, gsize size, const char *content_type, char **charset);

G_END_DECLS
