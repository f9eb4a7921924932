/* Microsoft-Windows-WebIO: WinHTTP sessions, requests, connections.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-builder.h"

const NsPart ns_webio_part = {
  .name = "webio",
};
