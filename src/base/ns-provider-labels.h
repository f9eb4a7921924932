/* Labels that the user gave to unnamed providers, kept across traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-guid.h"

G_BEGIN_DECLS

typedef struct _NsProviderLabels NsProviderLabels;

NsProviderLabels *ns_provider_labels_new (void);
void ns_provider_labels_free (NsProviderLabels *self);
const char *ns_provider_labels_find (NsProviderLabels *self, const NsGuid *guid);
gboolean ns_provider_labels_set (NsProviderLabels *self,
                                 const NsGuid *guid,
                                 const char *name,
                                 GError **error);

G_END_DECLS
