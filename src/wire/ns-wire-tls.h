/* Recognizes TLS records and reads server name and ALPN of a Client Hello (RFC 8446).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-cursor.h"

G_BEGIN_DECLS

#define NS_TLS_MAX_NAME 256

typedef struct
{
  char server_name[NS_TLS_MAX_NAME];
  char alpn[NS_TLS_MAX_NAME]; /* first protocol offered */
} NsWireHello;

gboolean ns_wire_tls_is_record (const guint8 *data, gsize size);
gboolean ns_wire_tls_parse_hello (NsWireHello *self, const guint8 *data, gsize size);
gboolean ns_wire_tls_append_info (const guint8 *data, gsize size, GString *text);

G_END_DECLS
