/* Parses the unencrypted long headers of QUIC (RFC 8999, RFC 9000 17.2).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-cursor.h"

G_BEGIN_DECLS

/* Longest connection ID of the supported versions (RFC 9000 17.2), in bytes. */
#define NS_WIRE_QUIC_MAX_ID 20
/* Buffer size for a connection ID in hexadecimal, or a version. */
#define NS_WIRE_QUIC_TEXT_SIZE (2 * NS_WIRE_QUIC_MAX_ID + 1)

/**
 * NsWireQuic:
 * @version: as sent; 0 in Version Negotiation
 * @dcid: destination connection ID in lower-case hexadecimal; empty if it has no bytes
 * @scid: source connection ID, likewise
 *
 * A decoded long header.
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
