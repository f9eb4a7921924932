/* The forms in which values show: numbers, texts, addresses, identifiers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-value.h"

#include "base/ns-ip.h"

#include <string.h>

#define MIN_SOCKADDR_IN 8
#define MIN_SOCKADDR_IN6 24

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
 * @size: how many
 *
 * Appends two lower-case hexadecimal digits a byte.
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
 * @size: its bytes; 0 when there is none
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
 * @size: its bytes
 *
 * Appends date and time as ISO 8601; the zone is not known.
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

/* What the families of Hyper-V sockets show as: see NsIp. */
static void
read_hyperv (NsCursor *cursor, gsize size, NsEndpoint *endpoint)
{
  static const guint8 guid_order[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
  guint i;

  endpoint->ip.family = NS_AF_HYPERV;
  endpoint->port = NS_AF_HYPERV;
  if (size >= 20)
    {
      const guint8 *guid = ns_cursor_take (cursor, 16);

      for (i = 0; guid != NULL && i < 16; i++)
        endpoint->ip.bytes[i] = guid[guid_order[i]];
    }
  else
    {
      const guint8 *rest = ns_cursor_take (cursor, 12);

      if (rest != NULL)
        memcpy (endpoint->ip.bytes + 4, rest, 12);
    }
}

static void
read_vsock (NsCursor *cursor, NsEndpoint *endpoint)
{
  guint32 port = GUINT32_TO_BE (ns_cursor_u32 (cursor));
  guint32 context = GUINT32_TO_BE (ns_cursor_u32 (cursor));

  endpoint->ip.family = NS_AF_VSOCK;
  endpoint->port = NS_AF_VSOCK;
  memcpy (endpoint->ip.bytes, &context, sizeof context);
  memcpy (endpoint->ip.bytes + 12, &port, sizeof port);
}

/* Leaves @endpoint empty when the bytes are too few for their family. */
static void
read_socket_address (const guint8 *data, gsize size, NsEndpoint *endpoint)
{
  static const guint8 unknown[4] = { 42, 42, 42, 42 };
  NsCursor cursor;
  guint16 family;
  guint16 port;

  memset (endpoint, 0, sizeof *endpoint);
  ns_cursor_init (&cursor, data, size);
  family = ns_cursor_u16 (&cursor);
  port = ns_cursor_u16be (&cursor);
  if (!ns_cursor_ok (&cursor) || (family & 0xff) == 0)
    return;

  if (family == NS_AF_INET && size >= MIN_SOCKADDR_IN)
    {
      endpoint->ip = ns_ip_from_v4 (ns_cursor_take (&cursor, 4));
      endpoint->port = port;
    }
  else if (family == NS_AF_INET6 && size >= MIN_SOCKADDR_IN6)
    {
      ns_cursor_skip (&cursor, 4);
      endpoint->ip = ns_ip_from_v6 (ns_cursor_take (&cursor, 16));
      endpoint->port = port;
    }
  else if (family == NS_AF_HYPERV && size >= 16)
    {
      read_hyperv (&cursor, size, endpoint);
    }
  else if (family == NS_AF_VSOCK && size >= 12)
    {
      read_vsock (&cursor, endpoint);
    }
  else if (family != NS_AF_INET && family != NS_AF_INET6 && family != NS_AF_HYPERV &&
           family != NS_AF_VSOCK)
    {
      endpoint->ip = ns_ip_from_v4 (unknown);
      endpoint->port = family;
    }
}

/**
 * ns_value_append_address:
 * @text: where to append
 * @data: 4 or 16 bytes in network order, or a SOCKADDR
 * @size: how many bytes
 * @is_socket_address: whether @data is a SOCKADDR
 *
 * Appends an address, of a SOCKADDR with its port; an empty SOCKADDR gives an empty text.
 */
void
ns_value_append_address (GString *text, const guint8 *data, gsize size, gboolean is_socket_address)
{
  char buffer[NS_IP_TEXT_SIZE];
  NsEndpoint endpoint;
  NsIp ip;

  if (is_socket_address)
    {
      read_socket_address (data, size, &endpoint);
      g_string_append (text, ns_endpoint_to_text (&endpoint, buffer));
      return;
    }
  if (size == 4)
    ip = ns_ip_from_v4 (data);
  else
    ip = ns_ip_from_v6 (data);
  g_string_append (text, ns_ip_to_text (&ip, buffer));
}
