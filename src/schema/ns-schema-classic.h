/* Layouts of kernel and merge events, which no trace describes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "schema/ns-schema.h"

G_BEGIN_DECLS

typedef struct _NsSchemaClassic NsSchemaClassic;

NsSchemaClassic *ns_schema_classic_new (void);
void ns_schema_classic_free (NsSchemaClassic *self);
const NsSchema *ns_schema_classic_find (NsSchemaClassic *self, const NsRecord *record);
gboolean ns_schema_classic_depends_on_size (const NsRecord *record);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsSchemaClassic, ns_schema_classic_free)

G_END_DECLS
