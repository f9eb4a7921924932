/* Microsoft-Windows-Kernel-Network and classic TcpIp/UdpIp: connections by address.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-builder.h"

const NsPart ns_kernel_network_part = {
  .name = "kernel-network",
};
