/* Line wrapping of long texts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-lines.h"

/**
 * ns_lines_wrap:
 * @text: UTF-8, may contain line breaks
 * @n_chars: maximum characters of a line, at least 2
 *
 * Breaks a line at its last space, which is removed; otherwise after the last punctuation
 * character, as in paths and URLs, if that fills at least half of the line; otherwise at @n_chars.
 * No other characters are removed.
 *
 * Returns: (transfer full): the wrapped text
 */
char *
ns_lines_wrap (const char *text, guint n_chars)
{
  GString *lines = g_string_new (NULL);
  gsize blank = 0; /* offset after the last space of the line; 0: none */
  gsize sign = 0;  /* the same for punctuation */
  guint n_to_blank = 0;
  guint n_to_sign = 0;
  guint n_line = 0;
  const char *at;

  g_return_val_if_fail (n_chars >= 2, g_string_free (lines, FALSE));

  for (at = text; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      if (c != '\n' && n_line == n_chars)
        {
          if (c == ' ' || blank > 0)
            n_line -= c == ' ' ? n_line : n_to_blank;
          else
            n_line -= n_to_sign > n_chars / 2 ? n_to_sign : n_line;
          if (c == ' ')
            c = '\n';
          else if (blank > 0)
            lines->str[blank - 1] = '\n';
          else
            g_string_insert_c (lines, n_to_sign > n_chars / 2 ? (gssize) sign : -1, '\n');
          blank = sign = n_to_blank = n_to_sign = 0;
        }
      g_string_append_unichar (lines, c);
      n_line++;
      if (c == '\n')
        blank = sign = n_line = n_to_blank = n_to_sign = 0;
      else if (c == ' ')
        {
          blank = lines->len;
          n_to_blank = n_line;
        }
      else if (g_unichar_ispunct (c))
        {
          sign = lines->len;
          n_to_sign = n_line;
        }
    }
  return g_string_free (lines, FALSE);
}
