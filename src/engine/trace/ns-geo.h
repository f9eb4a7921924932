/* Geolocation of addresses from a database file of the user, without network access.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-ip.h"

G_BEGIN_DECLS

/* An opened database. */
typedef struct _NsGeo NsGeo;

NsGeo *ns_geo_open (const char *path, GError **error);
NsGeo *ns_geo_ref (NsGeo *self);
void ns_geo_unref (NsGeo *self);
char *ns_geo_dup_text (const NsGeo *self, const NsIp *ip);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsGeo, ns_geo_unref)

G_END_DECLS
