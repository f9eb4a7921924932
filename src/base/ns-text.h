/* Fast appending to a GString, for output with millions of values.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/**
 * ns_text_append:
 * @text: the string to append to
 * @bytes: (array length=n_bytes): bytes to append
 * @n_bytes: number of bytes
 *
 * Inlined g_string_append_len() for the case that there is space.
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

/**
 * ns_text_append_text:
 * @text: the string to append to
 * @more: the text to append
 */
static inline void
ns_text_append_text (GString *text, const char *more)
{
  ns_text_append (text, more, strlen (more));
}

/* Maximum number of characters of a 64-bit number. */
#define NS_TEXT_DIGITS 20

/**
 * ns_text_append_unsigned:
 * @text: the string to append to
 * @number: a number
 *
 * Appends the number in decimal.
 */
static inline void
ns_text_append_unsigned (GString *text, guint64 number)
{
  char digits[NS_TEXT_DIGITS];
  char *digit = digits + sizeof digits;

  do
    {
      *--digit = (char) ('0' + number % 10);
      number /= 10;
    }
  while (number != 0);
  ns_text_append (text, digit, (gsize) (digits + sizeof digits - digit));
}

/**
 * ns_text_append_hex:
 * @text: the string to append to
 * @number: a number
 *
 * Appends `0x` and the number in lower-case hexadecimal without leading zeros.
 */
static inline void
ns_text_append_hex (GString *text, guint64 number)
{
  char digits[NS_TEXT_DIGITS];
  char *digit = digits + sizeof digits;

  do
    {
      *--digit = "0123456789abcdef"[number & 15];
      number >>= 4;
    }
  while (number != 0);
  *--digit = 'x';
  *--digit = '0';
  ns_text_append (text, digit, (gsize) (digits + sizeof digits - digit));
}

G_END_DECLS
