/* The schemas we bring along: the network providers of Windows 7 to 11.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "schema/ns-schema.h"

G_BEGIN_DECLS

const NsSchema *ns_schema_builtin_find (const NsGuid *provider, guint16 id, guint8 version);
const char *ns_schema_builtin_provider_name (const NsGuid *provider);

G_END_DECLS
