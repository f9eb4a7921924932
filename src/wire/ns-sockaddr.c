/* Decodes the socket addresses in ETW events: SOCKADDR blobs, often with a 32-bit length before
 * them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-sockaddr.h"

#include <string.h>

/* Reads the ID of a virtual machine: a GUID, in network byte order so that it prints as usual. */
static void
read_hyperv (const guint8 *data, gsize size, NsIp *ip)
{
  static const guint8 from[8] = { 7, 6, 5, 4, 9, 8, 11, 10 };
  guint i;

  ip->family = NS_AF_HYPERV;
  if (size < 20)
    {
      memcpy (ip->bytes + 4, data + 4, 12);
      return;
    }
  for (i = 0; i < G_N_ELEMENTS (from); i++)
    ip->bytes[i] = data[from[i]];
  memcpy (ip->bytes + 8, data + 12, 8);
}

/* Stores CID and port so that they print as `cid::port`. */
static void
read_vsock (const guint8 *data, NsIp *ip)
{
  guint i;

  ip->family = NS_AF_VSOCK;
  for (i = 0; i < 4; i++)
    {
      ip->bytes[i] = data[11 - i];
      ip->bytes[12 + i] = data[7 - i];
    }
}

static gsize
least_size (guint16 family)
{
  switch (family)
    {
    case NS_AF_INET:
      return 8;
    case NS_AF_INET6:
      return 24;
    case NS_AF_HYPERV:
      return 16;
    case NS_AF_VSOCK:
      return 12;
    default:
      return 2;
    }
}

/**
 * ns_sockaddr_read:
 * @data: (nullable): the blob
 * @size: its length in bytes
 * @endpoint: (out): the address; `0.0.0.0:0` for an empty or truncated blob
 *
 * Decodes a SOCKADDR. An IPv4-mapped IPv6 address becomes an IPv4 address. An unknown address
 * family gives `42.42.42.42` with the family as port, so that its rows are not lost.
 *
 * Returns: %TRUE if the blob held an address
 */
gboolean
ns_sockaddr_read (const guint8 *data, gsize size, NsEndpoint *endpoint)
{
  static const guint8 strange[4] = { 42, 42, 42, 42 };
  guint16 family = 0;

  memset (endpoint, 0, sizeof *endpoint);
  endpoint->ip.family = NS_AF_INET;
  if (data == NULL || size < 2 || data[0] == 0)
    return FALSE;
  family = (guint16) (data[0] | data[1] << 8);
  if (size < least_size (family))
    return FALSE;

  switch (family)
    {
    case NS_AF_INET:
      endpoint->ip.family = NS_AF_INET;
      memcpy (endpoint->ip.bytes, data + 4, 4);
      endpoint->port = (guint16) (data[2] << 8 | data[3]);
      break;
    case NS_AF_INET6:
      endpoint->ip = ns_ip_from_v6 (data + 8);
      endpoint->ip = ns_ip_unmapped (&endpoint->ip);
      endpoint->port = (guint16) (data[2] << 8 | data[3]);
      if (size >= 28)
        endpoint->scope = data[24] | (guint32) data[25] << 8 | (guint32) data[26] << 16 |
                          (guint32) data[27] << 24;
      break;
    case NS_AF_HYPERV:
      read_hyperv (data, size, &endpoint->ip);
      endpoint->port = family;
      break;
    case NS_AF_VSOCK:
      read_vsock (data, &endpoint->ip);
      endpoint->port = family;
      break;
    default:
      endpoint->ip = ns_ip_from_v4 (strange);
      endpoint->port = family;
      break;
    }
  return TRUE;
}

/**
 * ns_sockaddr_take:
 * @cursor: a cursor at the blob
 * @size: length of the blob in bytes
 * @endpoint: (out): as ns_sockaddr_read(); also `0.0.0.0:0` if the data ends inside the blob
 *
 * Reads a SOCKADDR and moves the cursor past it.
 *
 * Returns: %TRUE if the blob held an address
 */
gboolean
ns_sockaddr_take (NsCursor *cursor, gsize size, NsEndpoint *endpoint)
{
  const guint8 *data = ns_cursor_take (cursor, size);

  return ns_sockaddr_read (data, size, endpoint);
}

/**
 * ns_sockaddr_take_counted:
 * @cursor: a cursor at a 32-bit length, which the blob follows
 * @endpoint: (out): as ns_sockaddr_take()
 *
 * Reads a length and its SOCKADDR, and moves the cursor past them.
 *
 * Returns: %TRUE if the blob held an address
 */
gboolean
ns_sockaddr_take_counted (NsCursor *cursor, NsEndpoint *endpoint)
{
  guint32 size = ns_cursor_u32 (cursor);

  return ns_sockaddr_take (cursor, size, endpoint);
}
