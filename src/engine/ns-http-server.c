/* Microsoft-Windows-HttpService: requests answered by HTTP.sys.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-builder.h"

const NsPart ns_http_server_part = {
  .name = "http-server",
};
