/* WinSock and name-resolution calls, enter and exit folded.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-builder.h"

const NsPart ns_calls_part = {
  .name = "calls",
};
