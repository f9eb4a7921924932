/* Lossless representation of trace texts that are not valid UTF-8.
 *
 * An exact text is UTF-8 that may also contain NULs and lone surrogates; a surrogate takes the
 * three bytes that UTF-8 would use for its code. An invalid byte of an 8-bit text is stored as the
 * surrogate U+DC00 plus the byte, as in PEP 383: valid UTF-8 never decodes to a surrogate, so the
 * form is unambiguous. Exact texts are internal: every output format escapes them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-exact.h"

#include "base/ns-cursor.h"

#include <string.h>

/* Base of the surrogates that represent invalid bytes. */
#define BYTE_SURROGATE 0xdc00
/* Length of an escape after the backslash: `u` and four digits. */
#define ESCAPE_DIGITS 5

/**
 * ns_exact_append_utf16:
 * @text: an exact text
 * @data: UTF-16LE, not aligned
 * @size: bytes; an odd last byte is ignored
 *
 * Appends @data without trailing NULs, which are padding.
 */
void
ns_exact_append_utf16 (GString *text, const guint8 *data, gsize size)
{
  NsCursor cursor;

  size &= ~(gsize) 1;
  while (size >= 2 && data[size - 1] == 0 && data[size - 2] == 0)
    size -= 2;
  ns_cursor_init (&cursor, data, size);
  while (ns_cursor_left (&cursor) >= 2)
    {
      gunichar c = ns_cursor_u16 (&cursor);

      if (c < 0x80)
        {
          g_string_append_c (text, (char) c);
          continue;
        }
      if (c >= 0xd800 && c < 0xdc00)
        {
          NsCursor peek = cursor;
          gunichar low = ns_cursor_u16 (&peek);

          if (low >= 0xdc00 && low < 0xe000)
            {
              c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
              cursor = peek;
            }
        }
      g_string_append_unichar (text, c);
    }
}

/**
 * ns_exact_append_8bit:
 * @text: an exact text
 * @data: UTF-8, possibly invalid
 * @size: bytes
 *
 * Appends @data without trailing NULs, which are padding.
 */
void
ns_exact_append_8bit (GString *text, const guint8 *data, gsize size)
{
  const char *p = (const char *) data;

  while (size > 0 && data[size - 1] == 0)
    size--;
  while (size > 0)
    {
      const char *end;
      gsize n_valid;

      if (g_utf8_validate_len (p, size, &end))
        {
          g_string_append_len (text, p, (gssize) size);
          return;
        }
      n_valid = (gsize) (end - p);
      g_string_append_len (text, p, (gssize) n_valid);
      if (*end == '\0')
        g_string_append_c (text, '\0');
      else
        g_string_append_unichar (text, BYTE_SURROGATE | (guchar) *end);
      p = end + 1;
      size -= n_valid + 1;
    }
}

/* Returns whether the text after a backslash reads like one of the escapes. */
static gboolean
looks_escaped (const char *p, gsize left)
{
  if (left < ESCAPE_DIGITS || *p != 'u')
    return FALSE;
  if (memcmp (p, "u0000", ESCAPE_DIGITS) == 0 || memcmp (p, "u005c", ESCAPE_DIGITS) == 0)
    return TRUE;
  return p[1] == 'd' && memchr ("89abcdef", p[2], 8) != NULL &&
         memchr ("0123456789abcdef", p[3], 16) != NULL &&
         memchr ("0123456789abcdef", p[4], 16) != NULL;
}

/* Returns the code at @p that has to be escaped, or -1; sets @n_bytes to its length. */
static int
get_escaped (const char *p, gsize left, gsize *n_bytes)
{
  gunichar surrogate;

  *n_bytes = 1;
  if (*p == '\0')
    return 0;
  if (*p == '\\')
    return looks_escaped (p + 1, left - 1) ? '\\' : -1;
  surrogate = ns_exact_get_surrogate (p, left);
  if (surrogate == 0)
    return -1;
  *n_bytes = 3;
  return (int) surrogate;
}

/**
 * ns_exact_escape_tail:
 * @text: a text
 * @begin: offset of an exact text, which extends to the end
 *
 * Converts the tail to valid UTF-8 without NULs: a NUL becomes `\u0000`, a lone surrogate `\ud800`
 * to `\udfff`. To keep this reversible, a backslash before text that reads like one of these
 * escapes becomes `\u005c`; all other backslashes are kept.
 */
void
ns_exact_escape_tail (GString *text, gsize begin)
{
  g_autofree char *copy = NULL;
  const char *p;
  gsize n_bytes;
  gsize left;
  gsize i;

  for (i = begin; i < text->len; i++)
    if (get_escaped (text->str + i, text->len - i, &n_bytes) >= 0)
      break;
  if (i == text->len)
    return;

  left = text->len - i;
  copy = g_memdup2 (text->str + i, left);
  g_string_truncate (text, i);
  for (p = copy; left > 0; p += n_bytes, left -= n_bytes)
    {
      int code = get_escaped (p, left, &n_bytes);

      if (code >= 0)
        g_string_append_printf (text, "\\u%04x", (guint) code);
      else
        g_string_append_c (text, *p);
    }
}
