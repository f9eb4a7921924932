/* Bytes as text: lines to read, and forms to take elsewhere.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-byte-text.h"

#define PER_LINE NS_BYTE_TEXT_BYTES_PER_LINE
/* Columns of a line: four digits of where it stands, two blanks, two digits and a blank a byte, a
 * blank, a character a byte.  More than MAX_BYTES would make the first one wider. */
#define HEX_COLUMN 6
#define TEXT_COLUMN (HEX_COLUMN + 3 * PER_LINE + 1)
/* Behind the last digit. */
#define DIGITS_END (TEXT_COLUMN - 2)
#define LINE_CHARS (TEXT_COLUMN + PER_LINE + 1)
#define MAX_BYTES 0x10000
#define C_BYTES_PER_LINE 12

static const char digits[] = "0123456789abcdef";

/**
 * ns_byte_text_dump:
 * @data: (nullable): bytes
 * @n_bytes: how many, at most 64 KiB
 *
 * Returns: (transfer full): a line for each eight of them: where they stand, in hex, and as text
 */
char *
ns_byte_text_dump (const guint8 *data, gsize n_bytes)
{
  GString *text;
  gsize line;

  g_return_val_if_fail (n_bytes <= MAX_BYTES, NULL);

  text = g_string_sized_new (n_bytes * 6);
  for (line = 0; line < n_bytes; line += PER_LINE)
    {
      gsize i;

      g_string_append_printf (text, "%04" G_GSIZE_MODIFIER "x  ", line);
      for (i = line; i < line + PER_LINE; i++)
        {
          g_string_append_c (text, i < n_bytes ? digits[data[i] >> 4] : ' ');
          g_string_append_c (text, i < n_bytes ? digits[data[i] & 15] : ' ');
          g_string_append_c (text, ' ');
        }
      g_string_append_c (text, ' ');
      for (i = line; i < MIN (line + PER_LINE, n_bytes); i++)
        g_string_append_c (text, g_ascii_isprint ((char) data[i]) ? (char) data[i] : '.');
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

/* The first byte of its line that ends behind a column; behind the digits its characters count. */
static gsize
byte_from (gsize column)
{
  if (column >= DIGITS_END)
    return column <= TEXT_COLUMN ? 0 : MIN (column - TEXT_COLUMN, PER_LINE);
  return column <= HEX_COLUMN ? 0 : MIN ((column - HEX_COLUMN + 1) / 3, PER_LINE);
}

/* How many bytes of its line begin before a column. */
static gsize
bytes_before (gsize column)
{
  if (column >= TEXT_COLUMN)
    return MIN (column - TEXT_COLUMN, PER_LINE);
  return column <= HEX_COLUMN ? 0 : MIN ((column - HEX_COLUMN + 2) / 3, PER_LINE);
}

/**
 * ns_byte_text_find:
 * @n_bytes: how many bytes were written by ns_byte_text_dump()
 * @begin: a character of its text, 0-based
 * @end: the character behind the last one that is meant
 * @n_found: (out): how many bytes stand there
 *
 * A byte counts when one of its digits stands there, or its character. From the digits of a line to
 * its characters all bytes count that follow in it.
 *
 * Returns: the first byte
 */
gsize
ns_byte_text_find (gsize n_bytes, gsize begin, gsize end, gsize *n_found)
{
  gsize begin_line = begin / LINE_CHARS;
  gsize end_line = end / LINE_CHARS;
  gsize first = begin_line * PER_LINE + byte_from (begin % LINE_CHARS);
  gsize last = end_line * PER_LINE + bytes_before (end % LINE_CHARS);

  if (begin_line == end_line && end % LINE_CHARS > TEXT_COLUMN && begin % LINE_CHARS < DIGITS_END)
    last = (end_line + 1) * PER_LINE;
  else if (begin_line == end_line && end % LINE_CHARS <= TEXT_COLUMN &&
           begin % LINE_CHARS >= DIGITS_END)
    last = first;
  first = MIN (first, n_bytes);
  last = MIN (last, n_bytes);
  *n_found = begin < end && last > first ? last - first : 0;
  return first;
}

static char *
to_hex (const guint8 *data, gsize n_bytes)
{
  GString *text = g_string_sized_new (n_bytes * 3);
  gsize i;

  for (i = 0; i < n_bytes; i++)
    {
      if (i > 0)
        g_string_append_c (text, ' ');
      g_string_append_c (text, digits[data[i] >> 4]);
      g_string_append_c (text, digits[data[i] & 15]);
    }
  return g_string_free (text, FALSE);
}

static char *
to_c (const guint8 *data, gsize n_bytes)
{
  GString *text = g_string_sized_new (n_bytes * 6 + 64);
  gsize i;

  g_string_append_printf (text,
                          "static const unsigned char bytes[%" G_GSIZE_FORMAT "] = {",
                          n_bytes);
  for (i = 0; i < n_bytes; i++)
    {
      g_string_append (text, i % C_BYTES_PER_LINE == 0 ? "\n  0x" : " 0x");
      g_string_append_c (text, digits[data[i] >> 4]);
      g_string_append_c (text, digits[data[i] & 15]);
      g_string_append_c (text, ',');
    }
  g_string_append (text, "\n};\n");
  return g_string_free (text, FALSE);
}

/**
 * ns_byte_text_format:
 * @data: bytes
 * @n_bytes: how many
 * @form: as what
 *
 * Returns: (transfer full): the bytes as text, ASCII only
 */
char *
ns_byte_text_format (const guint8 *data, gsize n_bytes, NsByteForm form)
{
  switch (form)
    {
    case NS_BYTE_FORM_HEX:
      return to_hex (data, n_bytes);
    case NS_BYTE_FORM_C:
      return to_c (data, n_bytes);
    case NS_BYTE_FORM_BASE64:
      return n_bytes > 0 ? g_base64_encode (data, n_bytes) : g_strdup ("");
    default:
      g_return_val_if_reached (NULL);
    }
}
