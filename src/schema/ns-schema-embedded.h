/* Parses event descriptions that a merge wrote into the trace: TRACE_EVENT_INFO and EVENT_MAP_INFO.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "schema/ns-schema-pool.h"

G_BEGIN_DECLS

/* Returns the map of a name, creating it if needed; it may be filled later. */
typedef const NsSchemaMap *(*NsSchemaMapFunc) (const NsGuid *provider,
                                               const char *name,
                                               gpointer user_data);

typedef struct
{
  NsGuid provider;
  NsGuid event_class;
  guint16 id;
  guint8 version;
  guint8 opcode;
  gboolean is_classic; /* identified by class and opcode, instead of provider and ID */
  const NsSchema *schema;
} NsSchemaEmbedded;

gboolean ns_schema_embedded_parse (NsSchemaPool *pool,
                                   NsCursor cursor,
                                   NsSchemaMapFunc find_map,
                                   gpointer user_data,
                                   NsSchemaEmbedded *out);
gboolean ns_schema_embedded_parse_map (NsSchemaPool *pool,
                                       NsCursor cursor,
                                       NsGuid *provider,
                                       const char **name,
                                       NsSchemaMap *map);

G_END_DECLS
