/* Formats addresses: IP addresses, and Windows socket addresses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-value.h"

#include "base/ns-ip.h"

#include <string.h>

/* Minimum sizes of SOCKADDR_IN and SOCKADDR_IN6 (ws2def.h, ws2ipdef.h), whose ends may be omitted;
 * sun_path of SOCKADDR_UN (afunix.h). */
#define MIN_SOCKADDR_IN 8
#define MIN_SOCKADDR_IN6 24
#define SCOPE_OFFSET 24
#define MAX_SUN_PATH 108

/* Address families AF_UNSPEC and AF_UNIX of Windows. */
#define FAMILY_NONE 0
#define FAMILY_UNIX 1

static guint16
read_family (const guint8 *data, gsize size)
{
  return size >= 2 ? (guint16) (data[0] | data[1] << 8) : FAMILY_NONE;
}

static gboolean
is_zero (const guint8 *data, gsize size)
{
  gsize i;

  for (i = 0; i < size; i++)
    if (data[i] != 0)
      return FALSE;
  return TRUE;
}

/* Finds the name of an AF_UNIX socket: a path, or an abstract name after a NUL. FALSE: invalid. */
static gboolean
find_unix_name (const guint8 *data, gsize size, gboolean *is_abstract, gsize *length)
{
  const guint8 *name = data + 2;
  gsize room = size - 2;

  if (room > MAX_SUN_PATH)
    return FALSE;
  *is_abstract = room > 1 && name[0] == '\0' && name[1] != '\0';
  if (*is_abstract)
    {
      name++;
      room--;
    }
  *length = strnlen ((const char *) name, room);
  return g_utf8_validate ((const char *) name, (gssize) *length, NULL);
}

static void
append_unix (GString *text, const guint8 *data, gsize size)
{
  gboolean is_abstract;
  gsize length;

  if (!find_unix_name (data, size, &is_abstract, &length))
    return;
  g_string_append (text, is_abstract ? "unix:@" : "unix:");
  g_string_append_len (text, (const char *) data + (is_abstract ? 3 : 2), (gssize) length);
}

/* Reads the address of a Hyper-V socket, see NsIp. */
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

/* Reads an address; FALSE: its family is unknown. */
static gboolean
read_endpoint (const guint8 *data, gsize size, NsEndpoint *endpoint)
{
  NsCursor cursor;
  guint16 family;
  guint16 port;

  memset (endpoint, 0, sizeof *endpoint);
  ns_cursor_init (&cursor, data, size);
  family = ns_cursor_u16 (&cursor);
  port = ns_cursor_u16be (&cursor);
  if (!ns_cursor_ok (&cursor))
    return FALSE;

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
      if (size >= SCOPE_OFFSET + 4)
        endpoint->scope = ns_cursor_u32 (&cursor);
    }
  else if (family == NS_AF_HYPERV && size >= 16)
    read_hyperv (&cursor, size, endpoint);
  else if (family == NS_AF_VSOCK && size >= 12)
    read_vsock (&cursor, endpoint);
  else
    return FALSE;
  return TRUE;
}

static void
append_endpoint (GString *text, const NsEndpoint *endpoint)
{
  char buffer[NS_IP_TEXT_SIZE];

  if (endpoint->scope == 0)
    g_string_append (text, ns_endpoint_to_text (endpoint, buffer));
  else if (endpoint->port == 0)
    g_string_append_printf (text, "%s%%%u", ns_ip_to_text (&endpoint->ip, buffer), endpoint->scope);
  else
    g_string_append_printf (text,
                            "[%s%%%u]:%u",
                            ns_ip_to_text (&endpoint->ip, buffer),
                            endpoint->scope,
                            endpoint->port);
}

/**
 * ns_value_is_socket_address:
 * @data: bytes
 * @size: number of bytes
 *
 * Returns: whether the bytes are a SOCKADDR of a known family, or empty
 */
gboolean
ns_value_is_socket_address (const guint8 *data, gsize size)
{
  NsEndpoint endpoint;
  gboolean is_abstract;
  gsize length;

  if (is_zero (data, size))
    return TRUE;
  if (read_family (data, size) == FAMILY_UNIX)
    return find_unix_name (data, size, &is_abstract, &length);
  return read_endpoint (data, size, &endpoint);
}

/**
 * ns_value_append_socket_address:
 * @text: to append to
 * @data: a SOCKADDR
 * @size: its size in bytes
 *
 * Appends the address with its port, `[fe80::1%5]:443` with its zone, or the name of an AF_UNIX
 * socket as `unix:path`; an empty address yields an empty text.
 */
void
ns_value_append_socket_address (GString *text, const guint8 *data, gsize size)
{
  NsEndpoint endpoint;

  if (read_family (data, size) == FAMILY_UNIX)
    append_unix (text, data, size);
  else if (read_endpoint (data, size, &endpoint))
    append_endpoint (text, &endpoint);
}

/**
 * ns_value_append_address:
 * @text: to append to
 * @data: an address in network order
 * @size: its size in bytes: 4 or 16
 *
 * Appends an IP address.
 */
void
ns_value_append_address (GString *text, const guint8 *data, gsize size)
{
  char buffer[NS_IP_TEXT_SIZE];
  NsIp ip = size == 4 ? ns_ip_from_v4 (data) : ns_ip_from_v6 (data);

  g_string_append (text, ns_ip_to_text (&ip, buffer));
}
