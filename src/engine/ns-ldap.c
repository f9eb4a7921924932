/* Microsoft-Windows-LDAP-Client: operations.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-builder.h"

const NsPart ns_ldap_part = {
  .name = "ldap",
};
