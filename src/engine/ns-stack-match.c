/* Which stack belongs to which event.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-builder.h"

const NsPart ns_stack_match_part = {
  .name = "stack-match",
};
