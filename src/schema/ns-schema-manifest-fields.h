/* Templates and maps of an instrumentation manifest.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "schema/ns-schema-pool.h"

#include <libxml/tree.h>

G_BEGIN_DECLS

/* What a manifest says in words that its reader resolves. */
typedef struct
{
  NsSchemaPool *pool;
  GHashTable *strings; /* id → text, owned by the document */
  GHashTable *maps;    /* name → NsSchemaMap, of the provider at hand */
} NsSchemaManifestScope;

char *ns_schema_manifest_get (const xmlNode *node, const char *name);
gboolean
ns_schema_manifest_get_uint (const xmlNode *node, const char *name, guint64 max, guint64 *value);
gboolean ns_schema_manifest_is (const xmlNode *node, const char *name);
const char *ns_schema_manifest_text (NsSchemaManifestScope *scope, const char *text);
void ns_schema_manifest_read_maps (NsSchemaManifestScope *scope, const xmlNode *maps);
const NsSchemaField *ns_schema_manifest_read_template (NsSchemaManifestScope *scope,
                                                       const xmlNode *template_node,
                                                       guint *n_fields,
                                                       guint *n_top);

G_END_DECLS
