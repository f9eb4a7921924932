/* Lossless representation of trace texts that are not valid UTF-8.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ns_exact_get_surrogate:
 * @p: a position in an exact text
 * @left: bytes from there to the end
 *
 * Returns: the lone surrogate encoded at @p in three bytes, or 0
 */
static inline gunichar
ns_exact_get_surrogate (const char *p, gsize left)
{
  if (left < 3 || (guchar) p[0] != 0xed || (guchar) p[1] < 0xa0)
    return 0;
  return 0xd000 | (gunichar) ((guchar) p[1] & 0x3f) << 6 | ((guchar) p[2] & 0x3f);
}

void ns_exact_append_utf16 (GString *text, const guint8 *data, gsize size);
void ns_exact_append_8bit (GString *text, const guint8 *data, gsize size);
void ns_exact_escape_tail (GString *text, gsize begin);

G_END_DECLS
