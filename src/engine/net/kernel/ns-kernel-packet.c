/* Payloads of the kernel's TCP and UDP events, in all their versions.
 *
 * The fields are in the order of the MOF classes TcpIp and UdpIp; addresses and ports are in
 * network byte order.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "engine/net/kernel/ns-kernel-packet.h"

#include <string.h>

static const NsGuid udp_class = NS_GUID_UDP_IP;

static NsIp
read_ip (NsCursor *cursor, gboolean is_v6)
{
  static const NsIp none = { NS_AF_NONE, { 0 } };
  const guint8 *bytes = ns_cursor_take (cursor, is_v6 ? 16 : 4);

  if (bytes == NULL)
    return none;
  return is_v6 ? ns_ip_from_v6 (bytes) : ns_ip_from_v4 (bytes);
}

/* Reads version 1 and later; later fields differ between versions and are not needed. */
static void
read_packet (NsCursor *cursor, gboolean is_v6, NsKernelPacket *packet)
{
  packet->pid = ns_cursor_u32 (cursor);
  packet->size = ns_cursor_u32 (cursor);
  packet->daddr.ip = read_ip (cursor, is_v6);
  packet->saddr.ip = read_ip (cursor, is_v6);
  packet->daddr.port = ns_cursor_u16be (cursor);
  packet->saddr.port = ns_cursor_u16be (cursor);
}

/* Reads the layout of Windows 2000 and XP. */
static void
read_old_tcp (NsCursor *cursor, NsKernelPacket *packet)
{
  packet->daddr.ip = read_ip (cursor, FALSE);
  packet->saddr.ip = read_ip (cursor, FALSE);
  packet->daddr.port = ns_cursor_u16be (cursor);
  packet->saddr.port = ns_cursor_u16be (cursor);
  packet->size = ns_cursor_u32 (cursor);
  packet->pid = ns_cursor_u32 (cursor);
}

static void
read_old_udp (const NsRecord *record, NsCursor *cursor, NsKernelPacket *packet)
{
  ns_cursor_ptr (cursor, record->pointer_size);
  packet->saddr.ip = read_ip (cursor, FALSE);
  packet->saddr.port = ns_cursor_u16be (cursor);
  packet->size = ns_cursor_u16 (cursor);
  packet->daddr.ip = read_ip (cursor, FALSE);
  packet->daddr.port = ns_cursor_u16be (cursor);
  packet->pid = record->pid;
}

/* Maps event IDs and opcodes to the operation of the IPv4 event. */
static gboolean
split_code (const NsRecord *record, guint *operation, gboolean *is_udp, gboolean *is_v6)
{
  gboolean is_manifest = (record->flags & NS_RECORD_MANIFEST) != 0;
  guint code = is_manifest ? record->id : record->opcode;

  *is_udp = !is_manifest && ns_guid_equal (&record->guid, &udp_class);
  if (is_manifest && code >= 42)
    {
      *is_udp = TRUE;
      code -= 32;
    }
  *is_v6 = code >= 26;
  *operation = *is_v6 ? code - 16 : code;
  return *operation >= NS_KERNEL_SEND && *operation <= NS_KERNEL_COPY;
}

/**
 * ns_kernel_packet_read:
 * @record: a record of Kernel-Network, or of the TcpIp or UdpIp class
 * @operation: (out): the operation
 * @is_udp: (out): whether it is a datagram
 * @packet: (out): process, size and both endpoints
 *
 * Parses one event. Failure events have no endpoints and are not parsed.
 *
 * Returns: %TRUE if it is a complete event of a connection or datagram
 */
gboolean
ns_kernel_packet_read (const NsRecord *record,
                       NsKernelOperation *operation,
                       gboolean *is_udp,
                       NsKernelPacket *packet)
{
  NsCursor cursor;
  gboolean is_v6;
  guint code;

  if (!split_code (record, &code, is_udp, &is_v6) || code == NS_KERNEL_FAIL)
    return FALSE;
  *operation = (NsKernelOperation) code;
  memset (packet, 0, sizeof *packet);
  ns_record_cursor (record, &cursor);

  if (record->version != 0 || (record->flags & NS_RECORD_MANIFEST) != 0)
    read_packet (&cursor, is_v6, packet);
  else if (*is_udp)
    read_old_udp (record, &cursor, packet);
  else
    read_old_tcp (&cursor, packet);
  return ns_cursor_ok (&cursor);
}
