/* Names and addresses: who resolved what, and when.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-builder.h"

const NsPart ns_names_part = {
  .name = "names",
};
