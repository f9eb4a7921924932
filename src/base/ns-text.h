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

/**
 * ns_text_append_text:
 * @text: to be appended to
 * @more: what to append
 */
static inline void
ns_text_append_text (GString *text, const char *more)
{
  ns_text_append (text, more, strlen (more));
}

/* Room for the digits of a number of 64 bits. */
#define NS_TEXT_DIGITS 20

/**
 * ns_text_append_unsigned:
 * @text: to be appended to
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
 * @text: to be appended to
 * @number: a number
 *
 * Appends `0x` and the number in hexadecimal, in small letters and without zeros before it.
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
