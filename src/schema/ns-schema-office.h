/* Layouts of Office events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "schema/ns-schema.h"

G_BEGIN_DECLS

typedef struct _NsSchemaOffice NsSchemaOffice;

NsSchemaOffice *ns_schema_office_new (void);
void ns_schema_office_free (NsSchemaOffice *self);
const NsSchema *ns_schema_office_find (NsSchemaOffice *self, const NsGuid *provider, guint16 id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsSchemaOffice, ns_schema_office_free)

G_END_DECLS
