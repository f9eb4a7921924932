/* Converts bytes to text: a hex dump, and formats for the clipboard.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-byte-text.h"

#define PER_LINE NS_BYTE_TEXT_BYTES_PER_LINE
/* Layout of a line: the offset in four digits, two spaces, two digits and a space for each byte, a
 * space, one character for each byte. More than MAX_BYTES would need a wider offset. */
#define HEX_COLUMN 6
#define TEXT_COLUMN (HEX_COLUMN + 3 * PER_LINE + 1)
/* The column after the last digit. */
#define DIGITS_END (TEXT_COLUMN - 2)
#define LINE_CHARS (TEXT_COLUMN + PER_LINE + 1)
#define MAX_BYTES 0x10000
#define C_BYTES_PER_LINE 12

static const char digits[] = "0123456789abcdef";

/**
 * ns_byte_text_dump:
 * @data: (nullable): bytes
 * @n_bytes: number of bytes, at most 64 KiB
 *
 * Returns: (transfer full): a hex dump with eight bytes per line: offset, hex digits, text
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

/* Returns the index in its line of the first byte that ends after @column; from the end of the
 * digits on, of the first character at or after @column. */
static gsize
byte_from (gsize column)
{
  if (column >= DIGITS_END)
    return column <= TEXT_COLUMN ? 0 : MIN (column - TEXT_COLUMN, PER_LINE);
  return column <= HEX_COLUMN ? 0 : MIN ((column - HEX_COLUMN + 1) / 3, PER_LINE);
}

/* Returns the number of bytes in the line that begin before @column. */
static gsize
bytes_before (gsize column)
{
  if (column >= TEXT_COLUMN)
    return MIN (column - TEXT_COLUMN, PER_LINE);
  return column <= HEX_COLUMN ? 0 : MIN ((column - HEX_COLUMN + 2) / 3, PER_LINE);
}

/**
 * ns_byte_text_find:
 * @n_bytes: number of bytes passed to ns_byte_text_dump()
 * @begin: offset of the first selected character in the dump
 * @end: offset after the last selected character
 * @n_found: (out): number of selected bytes
 *
 * Maps a selection in the hex dump to bytes. A byte is selected if one of its digits or its
 * character is. A selection from the digits of a line into its text includes all following bytes of
 * the line.
 *
 * Returns: the index of the first selected byte
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
 * @n_bytes: number of bytes
 * @form: the format
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
