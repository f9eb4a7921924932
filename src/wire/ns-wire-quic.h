/* The headers of QUIC that are never encrypted (RFC 8999, RFC 9000 17.2).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-cursor.h"

G_BEGIN_DECLS

/* The longest connection id of the versions known here (RFC 9000 17.2). */
#define NS_WIRE_QUIC_MAX_ID 20
/* Room for the text of an id, or of a version. */
#define NS_WIRE_QUIC_TEXT_SIZE (2 * NS_WIRE_QUIC_MAX_ID + 1)

/**
 * NsWireQuic:
 * @version: as sent; 0 in a version negotiation
 * @dcid: destination connection id, in lower case hexadecimal digits; empty when it has no bytes
 * @scid: source connection id, likewise
 *
 * What a long header says.
 */
typedef struct
{
  guint32 version;
  char dcid[NS_WIRE_QUIC_TEXT_SIZE];
  char scid[NS_WIRE_QUIC_TEXT_SIZE];
} NsWireQuic;

gboolean ns_wire_quic_parse (NsWireQuic *self, const guint8 *data, gsize size);
const char *ns_wire_quic_version_text (guint32 version, char text[NS_WIRE_QUIC_TEXT_SIZE]);

G_END_DECLS
