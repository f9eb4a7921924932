/* Appending to texts where it is done by the million.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/**
 * ns_text_append:
 * @text: to be appended to
 * @bytes: (array length=n_bytes): what to append
 * @n_bytes: how many
 *
 * g_string_append_len() without a call where there is room.
 */
static inline void
ns_text_append (GString *text, const char *bytes, gsize n_bytes)
{
  if (G_UNLIKELY (n_bytes >= text->allocated_len - text->len))
    {
      g_string_append_len (text, bytes, (gssize) n_bytes);
      return;
    }
  memcpy (text->str + text->len, bytes, n_bytes);
  text->len += n_bytes;
  text->str[text->len] = '\0';
}

G_END_DECLS
