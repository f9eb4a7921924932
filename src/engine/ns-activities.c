/* The master table: one row per network operation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-builder.h"

const NsPart ns_activities_part = {
  .name = "activities",
};
