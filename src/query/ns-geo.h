/* Where an address is, by a database file of the user's; never by the network.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-ip.h"

G_BEGIN_DECLS

gboolean ns_geo_open (const char *path, GError **error);
void ns_geo_close (void);
char *ns_geo_dup_text (const NsIp *ip);

G_END_DECLS
