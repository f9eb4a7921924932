/* The file of built-in schemas: a directory of providers, and a compressed block for each.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "schema/ns-schema-block.h"

G_BEGIN_DECLS

/* Maximum number of providers; Windows has some 1,100 with a manifest. */
#define NS_SCHEMA_DATA_MAX_PROVIDERS 65536

typedef struct _NsSchemaData NsSchemaData;

NsSchemaData *ns_schema_data_new (const guint8 *bytes, gsize size, GError **error);
NsSchemaData *ns_schema_data_ref (NsSchemaData *self);
void ns_schema_data_unref (NsSchemaData *self);
guint ns_schema_data_get_n_providers (const NsSchemaData *self);
void ns_schema_data_get_guid (const NsSchemaData *self, guint number, NsGuid *guid);
const char *ns_schema_data_get_name (const NsSchemaData *self, guint number);
gint ns_schema_data_find (const NsSchemaData *self, const NsGuid *guid);
NsSchemaBlock *ns_schema_data_get_block (NsSchemaData *self, guint number, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsSchemaData, ns_schema_data_unref)

G_END_DECLS
