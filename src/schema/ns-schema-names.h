/* Names of providers that we know, but whose events we do not describe.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-guid.h"

G_BEGIN_DECLS

const char *ns_schema_names_find (const NsGuid *provider);

G_END_DECLS
