/* Texts of strangers, made so that they can be shown anywhere.
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
 * Returns: whether it would change how the text around it is shown: what a terminal obeys, ends of
 *   lines, and what turns the direction of writing
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
 * Puts blanks for what would disturb, and `?` for what is no UTF-8, in place: the text keeps its
 * length, and no memory is asked for.
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
