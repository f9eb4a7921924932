/* Appends values to a byte array in Windows' binary layouts, for writing records and test fixtures.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-bytes.h"

#include <string.h>

/**
 * ns_etl_bytes_u8:
 * @self: an array
 * @value: a byte to append
 */
void
ns_etl_bytes_u8 (GByteArray *self, guint8 value)
{
  g_byte_array_append (self, &value, 1);
}

/**
 * ns_etl_bytes_u16:
 * @self: an array
 * @value: a number to append, little endian
 */
void
ns_etl_bytes_u16 (GByteArray *self, guint16 value)
{
  guint16 le = GUINT16_TO_LE (value);

  ns_etl_bytes_data (self, &le, sizeof le);
}

/**
 * ns_etl_bytes_u16be:
 * @self: an array
 * @value: a number to append in network order, as ports are
 */
void
ns_etl_bytes_u16be (GByteArray *self, guint16 value)
{
  guint16 be = GUINT16_TO_BE (value);

  ns_etl_bytes_data (self, &be, sizeof be);
}

/**
 * ns_etl_bytes_u32:
 * @self: an array
 * @value: a number to append, little endian
 */
void
ns_etl_bytes_u32 (GByteArray *self, guint32 value)
{
  guint32 le = GUINT32_TO_LE (value);

  ns_etl_bytes_data (self, &le, sizeof le);
}

/**
 * ns_etl_bytes_u64:
 * @self: an array
 * @value: a number to append, little endian
 */
void
ns_etl_bytes_u64 (GByteArray *self, guint64 value)
{
  guint64 le = GUINT64_TO_LE (value);

  ns_etl_bytes_data (self, &le, sizeof le);
}

/**
 * ns_etl_bytes_ptr:
 * @self: an array
 * @value: a pointer to append
 * @pointer_size: 4 or 8; the upper half of @value is cut off for 4
 */
void
ns_etl_bytes_ptr (GByteArray *self, guint64 value, guint pointer_size)
{
  if (pointer_size == 4)
    ns_etl_bytes_u32 (self, (guint32) value);
  else
    ns_etl_bytes_u64 (self, value);
}

/**
 * ns_etl_bytes_guid:
 * @self: an array
 * @guid: a GUID to append, in the byte order of the file
 */
void
ns_etl_bytes_guid (GByteArray *self, const NsGuid *guid)
{
  ns_etl_bytes_data (self, guid->bytes, sizeof guid->bytes);
}

/**
 * ns_etl_bytes_data:
 * @self: an array
 * @data: (nullable): bytes to append unchanged; may be %NULL if @n_bytes is 0
 * @n_bytes: number of bytes
 */
void
ns_etl_bytes_data (GByteArray *self, gconstpointer data, gsize n_bytes)
{
  if (n_bytes > 0)
    g_byte_array_append (self, data, (guint) n_bytes);
}

/**
 * ns_etl_bytes_zero:
 * @self: an array
 * @n_bytes: number of zero bytes to append
 */
void
ns_etl_bytes_zero (GByteArray *self, gsize n_bytes)
{
  guint old = self->len;

  g_byte_array_set_size (self, old + (guint) n_bytes);
  if (n_bytes > 0)
    memset (self->data + old, 0, n_bytes);
}

/**
 * ns_etl_bytes_wstr:
 * @self: an array
 * @utf8: a text to append as UTF-16 with a NUL
 */
void
ns_etl_bytes_wstr (GByteArray *self, const char *utf8)
{
  ns_etl_bytes_wchars (self, utf8, 0);
  ns_etl_bytes_u16 (self, 0);
}

/**
 * ns_etl_bytes_wchars:
 * @self: an array
 * @utf8: a text to append as UTF-16 without a NUL
 * @n_units: exact number of 16-bit units to write (truncated or padded with zeros); 0: the length
 *   of the text
 */
void
ns_etl_bytes_wchars (GByteArray *self, const char *utf8, gsize n_units)
{
  glong n_written = 0;
  g_autofree gunichar2 *units = g_utf8_to_utf16 (utf8, -1, NULL, &n_written, NULL);
  gsize n_have = units != NULL ? (gsize) n_written : 0;
  gsize n_total = n_units != 0 ? n_units : n_have;
  gsize i;

  for (i = 0; i < n_total; i++)
    ns_etl_bytes_u16 (self, i < n_have ? units[i] : 0);
}

/**
 * ns_etl_bytes_astr:
 * @self: an array
 * @text: a text to append byte for byte, with its NUL
 */
void
ns_etl_bytes_astr (GByteArray *self, const char *text)
{
  ns_etl_bytes_data (self, text, strlen (text) + 1);
}

/* Appends a SOCKADDR_IN (16 bytes) or SOCKADDR_IN6 (28 bytes). */
static void
append_sockaddr (GByteArray *self, const NsEndpoint *endpoint)
{
  ns_etl_bytes_u16 (self, endpoint->ip.family);
  ns_etl_bytes_u16be (self, endpoint->port);
  if (endpoint->ip.family == NS_AF_INET6)
    {
      ns_etl_bytes_u32 (self, 0); /* flow */
      ns_etl_bytes_data (self, endpoint->ip.bytes, 16);
      ns_etl_bytes_u32 (self, endpoint->scope);
    }
  else
    {
      ns_etl_bytes_data (self, endpoint->ip.bytes, 4);
      ns_etl_bytes_zero (self, 8);
    }
}

/**
 * ns_etl_bytes_sockaddr_text:
 * @self: an array
 * @endpoint: such as `10.0.0.1:443` or `[2001:db8::1]:443`; must be valid
 *
 * Appends a SOCKADDR_IN (16 bytes) or SOCKADDR_IN6 (28 bytes) of a text.
 */
void
ns_etl_bytes_sockaddr_text (GByteArray *self, const char *endpoint)
{
  NsEndpoint parsed;
  gboolean is_valid = ns_endpoint_from_text (&parsed, endpoint);

  g_return_if_fail (is_valid);
  append_sockaddr (self, &parsed);
}

/**
 * ns_etl_bytes_set_u16:
 * @self: an array
 * @offset: an offset within it
 * @value: the value to write over the bytes there
 */
void
ns_etl_bytes_set_u16 (GByteArray *self, gsize offset, guint16 value)
{
  guint16 le = GUINT16_TO_LE (value);

  g_return_if_fail (offset <= self->len && self->len - offset >= sizeof le);
  memcpy (self->data + offset, &le, sizeof le);
}

/**
 * ns_etl_bytes_set_u32:
 * @self: an array
 * @offset: an offset within it
 * @value: the value to write over the bytes there
 */
void
ns_etl_bytes_set_u32 (GByteArray *self, gsize offset, guint32 value)
{
  guint32 le = GUINT32_TO_LE (value);

  g_return_if_fail (offset <= self->len && self->len - offset >= sizeof le);
  memcpy (self->data + offset, &le, sizeof le);
}

/**
 * ns_etl_bytes_set_u64:
 * @self: an array
 * @offset: an offset within it
 * @value: the value to write over the bytes there
 */
void
ns_etl_bytes_set_u64 (GByteArray *self, gsize offset, guint64 value)
{
  guint64 le = GUINT64_TO_LE (value);

  g_return_if_fail (offset <= self->len && self->len - offset >= sizeof le);
  memcpy (self->data + offset, &le, sizeof le);
}

/**
 * ns_etl_bytes_array:
 * @self: an array
 * @bytes: (nullable): an array to append
 */
void
ns_etl_bytes_array (GByteArray *self, const GByteArray *bytes)
{
  if (bytes != NULL)
    ns_etl_bytes_data (self, bytes->data, bytes->len);
}
