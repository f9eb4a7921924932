/* Determines the local endpoint of a kernel TCP or UDP event.
 *
 * The fields are named source and destination, but hold the local and the remote endpoint in both
 * directions. Some receive events have them in the packet's order, though, and must be swapped.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "engine/net/kernel/ns-kernel-ends.h"

#include "base/ns-map.h"
#include "engine/trace/ns-ips.h"
#include "schema/ns-payload.h"

#include <string.h>

struct _NsKernelEnds
{
  NsIps *own;      /* addresses of this machine: local endpoints of all but receive events */
  NsIps *received; /* local endpoints of connections that received data, if not recorded in swapped
                      order */
  NsIps *ips;      /* numbers for the addresses in @senders */
  NsMap *senders;  /* both addresses, both ports → process that sent such a datagram, plus 1 */
};

static const NsGuid providers[] = {
  NS_GUID_KERNEL_NETWORK,
  NS_GUID_TCP_IP,
  NS_GUID_UDP_IP,
};

/**
 * ns_kernel_ends_new:
 *
 * Returns: (transfer full): an empty set of addresses
 */
NsKernelEnds *
ns_kernel_ends_new (void)
{
  NsKernelEnds *self = g_new0 (NsKernelEnds, 1);

  self->own = ns_ips_new ();
  self->received = ns_ips_new ();
  self->ips = ns_ips_new ();
  self->senders = ns_map_new ();
  return self;
}

/**
 * ns_kernel_ends_free:
 * @self: (nullable): what to free
 */
void
ns_kernel_ends_free (NsKernelEnds *self)
{
  if (self == NULL)
    return;
  ns_ips_free (self->own);
  ns_ips_free (self->received);
  ns_ips_free (self->ips);
  ns_map_free (self->senders);
  g_free (self);
}

static gboolean
is_of_kernel_network (const NsRecord *record)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (providers); i++)
    if (ns_guid_equal (&record->guid, &providers[i]))
      return TRUE;
  return FALSE;
}

static void
note_sender (NsKernelEnds *self, const NsKernelPacket *packet)
{
  guint64 addresses = (guint64) ns_ips_add (self->ips, &packet->saddr.ip) << 32 |
                      ns_ips_add (self->ips, &packet->daddr.ip);

  ns_map_set (self->senders,
              addresses,
              ns_ips_key (0, packet->saddr.port, packet->daddr.port),
              packet->pid + 1);
}

/* Returns the process that sent a datagram between the endpoints, plus 1; 0: none. */
static guint32
find_sender (const NsKernelEnds *self, const NsEndpoint *from, const NsEndpoint *to)
{
  guint32 from_ip = ns_ips_find (self->ips, &from->ip);
  guint32 to_ip = ns_ips_find (self->ips, &to->ip);

  if (from_ip == 0 || to_ip == 0)
    return 0;
  return ns_map_get (self->senders,
                     (guint64) from_ip << 32 | to_ip,
                     ns_ips_key (0, from->port, to->port));
}

/**
 * ns_kernel_ends_learn:
 * @self: the addresses known so far
 * @record: any record
 *
 * Learns the machine's own address from the record. All records must be passed before the first
 * ns_kernel_ends_sort() or ns_kernel_ends_find().
 */
void
ns_kernel_ends_learn (NsKernelEnds *self, const NsRecord *record)
{
  NsKernelOperation operation;
  NsKernelPacket packet;
  gboolean is_udp;

  if (!is_of_kernel_network (record) ||
      !ns_kernel_packet_read (record, &operation, &is_udp, &packet) ||
      ns_ip_is_empty (&packet.saddr.ip))
    return;
  if (operation != NS_KERNEL_RECEIVE)
    ns_ips_add (self->own, &packet.saddr.ip);
  if (operation == NS_KERNEL_SEND && is_udp)
    note_sender (self, &packet);
  else if (operation == NS_KERNEL_RECEIVE && !is_udp)
    ns_ips_add (self->received, &packet.saddr.ip);
}

static gboolean
is_own (const NsKernelEnds *self, const NsIp *ip)
{
  return ns_ips_find (self->own, ip) != 0;
}

/* Returns whether source and destination of a datagram between two endpoints of this machine
 * must be swapped. The event's process received the datagram, so the local endpoint is the one
 * that it was not sent from. */
static gboolean
is_turned_inside (const NsKernelEnds *self, const NsKernelPacket *packet)
{
  guint32 forth = find_sender (self, &packet->saddr, &packet->daddr);
  guint32 back = find_sender (self, &packet->daddr, &packet->saddr);

  if (forth == 0 || back == 0)
    return forth != 0;
  return back == packet->pid + 1 || forth != packet->pid + 1;
}

/* Returns whether the machine received its own subnet broadcast. The size of the subnet is
 * unknown: in most subnets the broadcast address ends with 255, and no host sends from it. */
static gboolean
is_own_broadcast (const NsKernelEnds *self, const NsKernelPacket *packet)
{
  return packet->daddr.ip.family == NS_AF_INET && packet->daddr.ip.bytes[3] == 255 &&
         find_sender (self, &packet->saddr, &packet->daddr) != 0;
}

/* Returns whether the endpoints must be swapped: for TCP if both addresses are known, for a
 * datagram if the source is not local. */
static gboolean
is_turned (const NsKernelEnds *self, gboolean is_udp, const NsKernelPacket *packet)
{
  if (!is_udp)
    return is_own (self, &packet->daddr.ip) && !is_own (self, &packet->saddr.ip);
  if (ns_ip_is_multicast (&packet->daddr.ip) || ns_ip_is_broadcast (&packet->daddr.ip))
    return TRUE;
  if (is_own (self, &packet->saddr.ip) &&
      (is_own (self, &packet->daddr.ip) || ns_ip_is_loopback (&packet->daddr.ip)))
    return is_turned_inside (self, packet);
  if (is_own_broadcast (self, packet))
    return TRUE;
  return ns_ips_get_size (self->own) + ns_ips_get_size (self->received) > 0 &&
         !is_own (self, &packet->saddr.ip) && ns_ips_find (self->received, &packet->saddr.ip) == 0;
}

/**
 * ns_kernel_ends_sort:
 * @self: the addresses of this machine
 * @is_udp: whether it is a datagram
 * @operation: the operation
 * @packet: both endpoints as recorded
 * @local: (out): the machine's own endpoint
 * @remote: (out): the peer
 *
 * Returns: %TRUE if the endpoints were recorded in swapped order
 */
gboolean
ns_kernel_ends_sort (const NsKernelEnds *self,
                     gboolean is_udp,
                     NsKernelOperation operation,
                     const NsKernelPacket *packet,
                     NsEndpoint *local,
                     NsEndpoint *remote)
{
  gboolean turned = operation == NS_KERNEL_RECEIVE && is_turned (self, is_udp, packet);

  *local = turned ? packet->daddr : packet->saddr;
  *remote = turned ? packet->saddr : packet->daddr;
  return turned;
}

static gboolean
find (const NsKernelEnds *self,
      const NsRecord *record,
      NsEndpoint *local,
      NsEndpoint *remote,
      gboolean *turned)
{
  NsKernelOperation operation;
  NsKernelPacket packet;
  gboolean is_udp;

  if (self == NULL || !is_of_kernel_network (record) ||
      !ns_kernel_packet_read (record, &operation, &is_udp, &packet))
    return FALSE;
  *turned = ns_kernel_ends_sort (self, is_udp, operation, &packet, local, remote);
  return TRUE;
}

/**
 * ns_kernel_ends_find:
 * @self: (nullable): the addresses of this machine
 * @record: any record
 * @local: (out): the machine's own endpoint
 * @remote: (out): the peer
 *
 * Returns: %TRUE if the record is a kernel TCP or UDP event with endpoints
 */
gboolean
ns_kernel_ends_find (const NsKernelEnds *self,
                     const NsRecord *record,
                     NsEndpoint *local,
                     NsEndpoint *remote)
{
  gboolean turned;

  return find (self, record, local, remote, &turned);
}

static gboolean
swap (const NsRecord *record,
      const NsSchema *schema,
      guint8 *payload,
      const char *one,
      const char *other)
{
  NsPayloadItem a;
  NsPayloadItem b;

  if (!ns_payload_find (schema, record, one, &a) || !ns_payload_find (schema, record, other, &b) ||
      a.size != b.size)
    return FALSE;
  memcpy (payload + a.offset, b.data, b.size);
  memcpy (payload + b.offset, a.data, a.size);
  return TRUE;
}

/**
 * ns_kernel_ends_dup_turned:
 * @self: (nullable): the addresses of this machine
 * @record: any record
 * @schema: its layout
 *
 * Returns: (transfer full) (nullable): the payload with both endpoints swapped, if they were
 *   recorded in swapped order
 */
guint8 *
ns_kernel_ends_dup_turned (const NsKernelEnds *self, const NsRecord *record, const NsSchema *schema)
{
  g_autofree guint8 *payload = NULL;
  NsEndpoint remote;
  NsEndpoint local;
  gboolean turned;

  if (!find (self, record, &local, &remote, &turned) || !turned)
    return NULL;
  payload = g_memdup2 (record->payload, record->payload_size);
  if (!swap (record, schema, payload, "daddr", "saddr") ||
      !swap (record, schema, payload, "dport", "sport"))
    return NULL;
  return g_steal_pointer (&payload);
}
