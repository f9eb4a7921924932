/* Microsoft-Windows-TCPIP: connections and datagram flows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-builder.h"

const NsPart ns_tcpip_part = {
  .name = "tcpip",
};
