/* Makes untrusted texts safe to show.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-plain.h"

#include <string.h>

/**
 * ns_plain_is_disturbing:
 * @c: a character
 *
 * Returns: whether it affects how the text around it is shown: control characters, line separators,
 *   and characters that change the text direction
 */
gboolean
ns_plain_is_disturbing (gunichar c)
{
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x200e || c == 0x200f ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

/**
 * ns_plain_make:
 * @text: any bytes up to a NUL
 *
 * Replaces disturbing characters by spaces and invalid UTF-8 by `?`, in place: the length is kept
 * and no memory is allocated.
 */
void
ns_plain_make (char *text)
{
  while (*text != '\0')
    {
      gunichar c = g_utf8_get_char_validated (text, -1);
      gboolean is_none = c == (gunichar) -1 || c == (gunichar) -2;
      gsize n_bytes = is_none ? 1 : (gsize) (g_utf8_next_char (text) - text);

      if (is_none)
        *text = '?';
      else if (ns_plain_is_disturbing (c))
        memset (text, ' ', n_bytes);
      text += n_bytes;
    }
}
