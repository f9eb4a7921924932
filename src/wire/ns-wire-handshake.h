/* Reads the TLS handshake from the two streams of a connection (RFC 5246, RFC 8446).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "wire/ns-wire-x509.h"

G_BEGIN_DECLS

/* Longest handshake message that is reassembled, in bytes; a longer one ends the reading. */
#define NS_WIRE_HANDSHAKE_MAX_MESSAGE (128 * 1024)
/* Longest record in bytes: 16 KiB, and the expansion by encryption (RFC 5246 6.2.3). */
#define NS_WIRE_HANDSHAKE_MAX_RECORD (16 * 1024 + 2048)
/* Most ALPN names, and most versions, kept of a Client Hello. */
#define NS_WIRE_HANDSHAKE_MAX_OFFERED 64

/**
 * NsWireSide:
 * @NS_WIRE_CLIENT: the endpoint that opened the connection
 * @NS_WIRE_SERVER: the endpoint that accepted it
 *
 * The sender of a stream.
 */
typedef enum
{
  NS_WIRE_CLIENT,
  NS_WIRE_SERVER,
} NsWireSide;

/**
 * NsWireHandshakeFacts:
 * @is_tls: whether either stream began with a TLS record
 * @has_hello: whether a Client Hello was read
 * @is_retried: whether the server sent a Hello Retry Request
 * @sni: (nullable): server name (SNI); %NULL if none was sent or read
 * @alpn_offered: (nullable) (element-type utf8): ALPN names offered; %NULL: unknown
 * @offered: (nullable) (element-type utf8): versions offered, without GREASE values (RFC 8701);
 *   %NULL: unknown
 * @version: (nullable): negotiated version, such as `TLS 1.2`
 * @cipher: (nullable): IANA name of the cipher suite, or its number as `0x1a2b`
 * @alpn: (nullable): negotiated ALPN protocol; TLS 1.3 encrypts it
 * @resumed: 1 if an earlier session was resumed, 0 if not, -1: unknown
 * @certificate: the server's own certificate; its strings are %NULL if unknown
 * @alert: (nullable): name of the first unencrypted fatal alert (RFC 8446 B.2)
 * @alert_number: number of that alert
 * @alert_side: sender of @alert
 * @begin_ns: time of the segment that begins the Client Hello; -1: unknown
 * @end_ns: time of the segment that completes the handshake; -1: unknown
 * @begin_index: index of the segment that begins the Client Hello, as the caller counts
 * @end_index: index of the segment that completes the handshake, likewise
 *
 * What a handshake reveals. The reader owns all strings.
 */
typedef struct
{
  gboolean is_tls;
  gboolean has_hello;
  gboolean is_retried;
  char *sni;
  GPtrArray *alpn_offered;
  GPtrArray *offered;
  const char *version;
  char *cipher;
  char *alpn;
  int resumed;
  NsWireX509 certificate;
  const char *alert;
  guint8 alert_number;
  NsWireSide alert_side;
  gint64 begin_ns;
  gint64 end_ns;
  guint64 begin_index;
  guint64 end_index;
} NsWireHandshakeFacts;

typedef struct _NsWireHandshake NsWireHandshake;

NsWireHandshake *ns_wire_handshake_new (void);
void ns_wire_handshake_free (NsWireHandshake *self);
gboolean ns_wire_handshake_feed (NsWireHandshake *self,
                                 NsWireSide side,
                                 const guint8 *data,
                                 gsize size,
                                 gint64 time_ns,
                                 guint64 index);
void ns_wire_handshake_end (NsWireHandshake *self, NsWireSide side);
const NsWireHandshakeFacts *ns_wire_handshake_get_facts (const NsWireHandshake *self);

const char *ns_wire_cipher_name (guint cipher);
const char *ns_wire_alert_name (guint alert);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsWireHandshake, ns_wire_handshake_free)

G_END_DECLS
