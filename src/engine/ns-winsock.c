/* Microsoft-Windows-Winsock-AFD: sockets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-builder.h"

const NsPart ns_winsock_part = {
  .name = "winsock",
};
