/* Captured packets: NDIS-PacketCapture and PktMon.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-builder.h"

const NsPart ns_packets_part = {
  .name = "packets",
};
