/* Finds the request that bytes on a shared connection belong to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

typedef struct _NsRowOwner NsRowOwner;

NsRowOwner *ns_row_owner_new (const NsTrace *trace, NsTableId table, guint32 row);
gboolean ns_row_owner_is_other (const NsRowOwner *self, const NsRecord *record);
int ns_row_owner_get_handshake (const NsRecord *record);
void ns_row_owner_free (NsRowOwner *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsRowOwner, ns_row_owner_free)

G_END_DECLS
