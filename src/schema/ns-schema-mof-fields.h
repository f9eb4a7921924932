/* Converts properties of a `.mof` class to fields of a layout.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "schema/ns-schema-mof-parse.h"
#include "schema/ns-schema-pool.h"

G_BEGIN_DECLS

const char *ns_schema_mof_read_field (NsSchemaPool *pool,
                                      const NsMofText *text,
                                      const NsMofProperty *property,
                                      NsSchemaField *field);

G_END_DECLS
