/* The built-in schemas of one provider.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "schema/ns-schema.h"

G_BEGIN_DECLS

/* Maximum size of a decompressed block; the largest provider of Windows needs 0.2 MiB. */
#define NS_SCHEMA_BLOCK_MAX_BYTES (4 * 1024 * 1024)

typedef struct _NsSchemaBlock NsSchemaBlock;

NsSchemaBlock *
ns_schema_block_new (const char *provider_name, guint8 *bytes, gsize size, GError **error);
void ns_schema_block_free (NsSchemaBlock *self);
guint ns_schema_block_get_n_events (const NsSchemaBlock *self);
const NsSchema *ns_schema_block_get (NsSchemaBlock *self, guint number);
guint16 ns_schema_block_get_id (const NsSchemaBlock *self, guint number);
guint8 ns_schema_block_get_version (const NsSchemaBlock *self, guint number);
guint ns_schema_block_find (const NsSchemaBlock *self, guint16 id, guint *n_events);
const NsSchema *ns_schema_block_find_version (NsSchemaBlock *self, guint16 id, guint8 version);
const NsSchema *
ns_schema_block_choose (NsSchemaBlock *self, const NsRecord *record, gboolean *depends_on_payload);
const char *ns_schema_block_get_keyword (const NsSchemaBlock *self, guint64 bit);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsSchemaBlock, ns_schema_block_free)

G_END_DECLS
