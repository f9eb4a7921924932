/* Chrome, Edge and WebView2: requests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-builder.h"

const NsPart ns_chromium_part = {
  .name = "chromium",
};
