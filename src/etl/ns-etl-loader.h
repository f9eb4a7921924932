/* Loads buffers before a walk needs them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-buffer.h"

G_BEGIN_DECLS

typedef struct _NsEtlLoader NsEtlLoader;

NsEtlLoader *ns_etl_loader_new (const NsEtlSource *source,
                                const NsEtlLayout *layout,
                                gboolean has_time,
                                const NsEtlLoader *with);
void ns_etl_loader_free (NsEtlLoader *self);
void ns_etl_loader_request (NsEtlLoader *self, guint index);
NsEtlBuffer *ns_etl_loader_take (NsEtlLoader *self, guint index, GError **error);
void ns_etl_loader_give_back (NsEtlLoader *self, NsEtlBuffer *buffer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsEtlLoader, ns_etl_loader_free)

G_END_DECLS
