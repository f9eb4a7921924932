/* Names of ports (services) and kinds of addresses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-ip.h"

G_BEGIN_DECLS

const char *ns_service_name (guint16 port);
const char *ns_service_address_kind (const NsIp *ip);

G_END_DECLS
