/* Formats basic values: numbers, SIDs, times.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-value.h"

/**
 * ns_value_append_uint:
 * @text: where to append
 * @value: a number
 *
 * Appends decimal digits, without the cost of a format string.
 */
void
ns_value_append_uint (GString *text, guint64 value)
{
  char digits[20];
  guint n = sizeof digits;

  do
    {
      digits[--n] = (char) ('0' + value % 10);
      value /= 10;
    }
  while (value != 0);
  g_string_append_len (text, digits + n, (gssize) (sizeof digits - n));
}

/**
 * ns_value_append_int:
 * @text: where to append
 * @value: a number
 *
 * Appends decimal digits with the sign.
 */
void
ns_value_append_int (GString *text, gint64 value)
{
  if (value < 0)
    g_string_append_c (text, '-');
  ns_value_append_uint (text, value < 0 ? -(guint64) value : (guint64) value);
}

/**
 * ns_value_append_hex:
 * @text: where to append
 * @value: a number
 *
 * Appends `0x` and lower-case digits without leading zeros.
 */
void
ns_value_append_hex (GString *text, guint64 value)
{
  char digits[16];
  guint n = sizeof digits;

  do
    {
      digits[--n] = "0123456789abcdef"[value & 15];
      value >>= 4;
    }
  while (value != 0);
  g_string_append_len (text, "0x", 2);
  g_string_append_len (text, digits + n, (gssize) (sizeof digits - n));
}

/**
 * ns_value_append_bytes:
 * @text: where to append
 * @data: bytes
 * @size: number of bytes
 *
 * Appends two lower-case hexadecimal digits per byte.
 */
void
ns_value_append_bytes (GString *text, const guint8 *data, gsize size)
{
  gsize begin = text->len;
  gsize i;

  g_string_set_size (text, begin + 2 * size);
  for (i = 0; i < size; i++)
    {
      text->str[begin + 2 * i] = "0123456789abcdef"[data[i] >> 4];
      text->str[begin + 2 * i + 1] = "0123456789abcdef"[data[i] & 15];
    }
}

/**
 * ns_value_append_sid:
 * @text: where to append
 * @data: a SID
 * @size: its size in bytes; 0: none
 *
 * Appends the `S-1-…` form.
 */
void
ns_value_append_sid (GString *text, const guint8 *data, gsize size)
{
  NsCursor cursor;
  guint64 authority;
  guint revision;
  guint n;

  if (size == 0)
    return;
  ns_cursor_init (&cursor, data, size);
  revision = ns_cursor_u8 (&cursor);
  n = ns_cursor_u8 (&cursor);
  authority = (guint64) ns_cursor_u16be (&cursor) << 32;
  authority |= ns_cursor_u32be (&cursor);
  g_string_append (text, "S-");
  ns_value_append_uint (text, revision);
  g_string_append_c (text, '-');
  ns_value_append_uint (text, authority);
  for (; n > 0 && ns_cursor_left (&cursor) >= 4; n--)
    {
      g_string_append_c (text, '-');
      ns_value_append_uint (text, ns_cursor_u32 (&cursor));
    }
}

/**
 * ns_value_append_systemtime:
 * @text: where to append
 * @data: a SYSTEMTIME
 * @size: its size in bytes
 *
 * Appends date and time as ISO 8601, without a time zone, which is unknown.
 */
void
ns_value_append_systemtime (GString *text, const guint8 *data, gsize size)
{
  guint16 parts[8];
  NsCursor cursor;
  guint i;

  ns_cursor_init (&cursor, data, size);
  for (i = 0; i < G_N_ELEMENTS (parts); i++)
    parts[i] = ns_cursor_u16 (&cursor);
  g_string_append_printf (text,
                          "%04u-%02u-%02uT%02u:%02u:%02u.%03u",
                          parts[0],
                          parts[1],
                          parts[3],
                          parts[4],
                          parts[5],
                          parts[6],
                          parts[7]);
}
