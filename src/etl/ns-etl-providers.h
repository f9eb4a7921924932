/* Assigns consecutive numbers to provider GUIDs, in order of their first appearance.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-guid.h"

G_BEGIN_DECLS

typedef struct _NsEtlProviders NsEtlProviders;

NsEtlProviders *ns_etl_providers_new (void);
void ns_etl_providers_free (NsEtlProviders *self);
guint ns_etl_providers_intern (NsEtlProviders *self, const NsGuid *guid);
guint ns_etl_providers_intern_group (NsEtlProviders *self, guint8 group);
guint ns_etl_providers_intern_shared (NsEtlProviders *self, const NsGuid *guid);
guint ns_etl_providers_get_size (const NsEtlProviders *self);
const NsGuid *ns_etl_providers_get (const NsEtlProviders *self, guint provider);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsEtlProviders, ns_etl_providers_free)

G_END_DECLS
