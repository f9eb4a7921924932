/* Microsoft-Windows-WinINet: requests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-builder.h"

const NsPart ns_wininet_part = {
  .name = "wininet",
};
