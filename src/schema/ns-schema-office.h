/* Layouts of Office events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "schema/ns-schema.h"

G_BEGIN_DECLS

const NsSchema *ns_schema_office_find (const NsGuid *provider, guint16 id);

G_END_DECLS
