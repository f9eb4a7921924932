/* Event classes that users describe in `.mof` text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "schema/ns-schema-pool.h"

G_BEGIN_DECLS

#define NS_SCHEMA_MOF_MAX_BYTES (4 * 1024 * 1024)
/* Maximum number of properties of all event classes, counting inherited ones for each class. */
#define NS_SCHEMA_MOF_MAX_FIELDS (1024 * 1024)

typedef void (*NsSchemaMofFunc) (const NsGuid *event_class,
                                 guint8 opcode,
                                 guint8 version,
                                 NsSchema *schema,
                                 gpointer user_data);

gboolean ns_schema_mof_parse (NsSchemaPool *pool,
                              const char *text,
                              gsize n_bytes,
                              NsSchemaMofFunc func,
                              gpointer user_data,
                              GError **error);

G_END_DECLS
