/* Joins manifests that .NET event sources send as events in several pieces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "schema/ns-schema.h"

G_BEGIN_DECLS

/* Event ID of a piece, the same for all event sources. */
#define NS_SCHEMA_SENT_ID 65534

typedef struct _NsSchemaSent NsSchemaSent;

extern const NsSchema ns_schema_sent_piece;

NsSchemaSent *ns_schema_sent_new (void);
void ns_schema_sent_free (NsSchemaSent *self);
gboolean ns_schema_sent_add (NsSchemaSent *self, const NsRecord *record, GString **xml);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsSchemaSent, ns_schema_sent_free)

G_END_DECLS
