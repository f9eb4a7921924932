/* Socket addresses as Windows puts them into events: a SOCKADDR blob, often with a length before
 * it.
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
