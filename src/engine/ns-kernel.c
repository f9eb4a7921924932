/* Processes, threads and images: who lived when, and what was loaded where.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-builder.h"

const NsPart ns_kernel_part = {
  .name = "kernel",
};
