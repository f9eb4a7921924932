/* One event of Microsoft-Windows-Kernel-Network or of the kernel's own TcpIp and UdpIp classes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-ip.h"
#include "etl/ns-etl-record.h"

G_BEGIN_DECLS

/* Fields of an event, the same for all versions. */
typedef struct
{
  guint32 pid;
  guint32 size;
  NsEndpoint daddr;
  NsEndpoint saddr;
} NsKernelPacket;

/* The operation, with the values of the IPv4 events. */
typedef enum
{
  NS_KERNEL_SEND = 10,
  NS_KERNEL_RECEIVE = 11,
  NS_KERNEL_CONNECT = 12,
  NS_KERNEL_DISCONNECT = 13,
  NS_KERNEL_RETRANSMIT = 14,
  NS_KERNEL_ACCEPT = 15,
  NS_KERNEL_RECONNECT = 16,
  NS_KERNEL_FAIL = 17,
  NS_KERNEL_COPY = 18,
} NsKernelOperation;

gboolean ns_kernel_packet_read (const NsRecord *record,
                                NsKernelOperation *operation,
                                gboolean *is_udp,
                                NsKernelPacket *packet);

G_END_DECLS
