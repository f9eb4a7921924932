/* Owns the layouts learned from one trace: memory, names, limits.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-arena.h"
#include "base/ns-strings.h"
#include "schema/ns-schema.h"

G_BEGIN_DECLS

/* Maximum memory use; no genuine trace describes so many events. */
#define NS_SCHEMA_POOL_MAX_BYTES (256 * 1024 * 1024)
#define NS_SCHEMA_MAX_MAP_ENTRIES 65536

typedef struct
{
  NsArena *arena;
  NsStrings *strings;
} NsSchemaPool;

NsSchemaPool *ns_schema_pool_new (void);
void ns_schema_pool_free (NsSchemaPool *self);
gboolean ns_schema_pool_is_full (NsSchemaPool *self);
const char *ns_schema_pool_utf16 (NsSchemaPool *self, const guint8 *bytes, gsize n_bytes);
const char *ns_schema_pool_utf8 (NsSchemaPool *self, const char *text, gsize n_bytes);
NsSchema *ns_schema_pool_new_schema (NsSchemaPool *self,
                                     NsSchemaSource source,
                                     const NsSchemaField *fields,
                                     guint n_fields);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsSchemaPool, ns_schema_pool_free)

G_END_DECLS
