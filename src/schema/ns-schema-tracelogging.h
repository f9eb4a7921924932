/* Parses self-describing events: the metadata of TraceLoggingProvider.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "schema/ns-schema-pool.h"

G_BEGIN_DECLS

const NsSchema *ns_schema_tracelogging_parse (NsSchemaPool *pool,
                                              const NsExtItem *description,
                                              const NsExtItem *traits);

G_END_DECLS
