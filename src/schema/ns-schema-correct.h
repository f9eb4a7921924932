/* Corrects descriptions that are known to be wrong or incomplete.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "schema/ns-schema-pool.h"

G_BEGIN_DECLS

void ns_schema_correct_fields (const NsGuid *provider, NsSchemaField *fields, guint n_fields);
void ns_schema_correct_from (NsSchemaPool *pool,
                             NsSchema *schema,
                             const NsGuid *provider,
                             const NsSchema *rich);

G_END_DECLS
