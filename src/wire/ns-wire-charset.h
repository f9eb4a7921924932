/* Bytes of a body as text: which characters they are.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *
ns_wire_charset_to_text (const guint8 *data, gsize size, const char *content_type, char **charset);

G_END_DECLS
