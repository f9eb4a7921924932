/* Reads instrumentation manifests, of the user and of event sources in the trace, and the user's
 * `.mof` files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "schema/ns-schema-mof.h"
#include "schema/ns-schema-pool.h"

G_BEGIN_DECLS

typedef void (*NsSchemaManifestFunc) (const NsGuid *provider,
                                      guint16 id,
                                      guint8 version,
                                      NsSchema *schema,
                                      gpointer user_data);

gboolean ns_schema_manifest_parse (NsSchemaPool *pool,
                                   const char *xml,
                                   gsize n_bytes,
                                   NsSchemaSource source,
                                   NsSchemaManifestFunc func,
                                   gpointer user_data,
                                   GError **error);
gboolean ns_schema_manifest_load (NsSchemaPool *pool,
                                  const char *path,
                                  NsSchemaManifestFunc func,
                                  NsSchemaMofFunc mof_func,
                                  gpointer user_data,
                                  guint64 *n_rejected,
                                  GError **error);

G_END_DECLS
