/* Converts templates and maps of an instrumentation manifest to layouts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "schema/ns-schema-pool.h"
#include "schema/ns-schema-xml.h"

G_BEGIN_DECLS

/* Strings and maps of a manifest, which its elements refer to. */
typedef struct
{
  NsSchemaPool *pool;
  GHashTable *strings; /* ID → text, owned by the pool */
  GHashTable *maps;    /* name → NsSchemaMap, of the current provider */
} NsSchemaManifestScope;

gboolean ns_schema_manifest_get_uint (const NsSchemaXmlNode *node,
                                      const char *name,
                                      guint64 max,
                                      guint64 *value);
const char *ns_schema_manifest_label (NsSchemaPool *pool, const char *text);
const char *ns_schema_manifest_text (NsSchemaManifestScope *scope, const char *text);
void ns_schema_manifest_read_maps (NsSchemaManifestScope *scope, const NsSchemaXmlNode *maps);
const NsSchemaField *ns_schema_manifest_read_template (NsSchemaManifestScope *scope,
                                                       const NsSchemaXmlNode *template_node,
                                                       guint *n_fields,
                                                       guint *n_top);

G_END_DECLS
