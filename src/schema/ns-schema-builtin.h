/* Built-in schemas of the providers that Windows 7 to 11 describe in manifests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "schema/ns-schema-data.h"

G_BEGIN_DECLS

extern const guint8 ns_schema_shipped[];
extern const gsize ns_schema_shipped_size;

NsSchemaData *ns_schema_builtin_new (void);
const NsSchema *
ns_schema_builtin_find (NsSchemaData *data, const NsGuid *provider, guint16 id, guint8 version);
const NsSchema *
ns_schema_builtin_choose (NsSchemaData *data, const NsRecord *record, gboolean *depends_on_payload);
const char *ns_schema_builtin_provider_name (const NsSchemaData *data, const NsGuid *provider);
gboolean ns_schema_builtin_find_name (const NsSchemaData *data, const char *name, NsGuid *provider);
const char *ns_schema_builtin_keyword (NsSchemaData *data, const NsGuid *provider, guint64 bit);

G_END_DECLS
