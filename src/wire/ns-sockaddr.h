/* Decodes the socket addresses in ETW events: SOCKADDR blobs, often with a 32-bit length before
 * them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-cursor.h"
#include "base/ns-ip.h"

G_BEGIN_DECLS

gboolean ns_sockaddr_read (const guint8 *data, gsize size, NsEndpoint *endpoint);
gboolean ns_sockaddr_take (NsCursor *cursor, gsize size, NsEndpoint *endpoint);
gboolean ns_sockaddr_take_counted (NsCursor *cursor, NsEndpoint *endpoint);

G_END_DECLS
