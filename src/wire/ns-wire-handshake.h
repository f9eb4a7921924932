/* The handshake of TLS in the two streams of a connection (RFC 5246, RFC 8446).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "wire/ns-wire-x509.h"

G_BEGIN_DECLS

/* The longest handshake message that is put together, in bytes; reading ends at a longer one. */
#define NS_WIRE_HANDSHAKE_MAX_MESSAGE (128 * 1024)
/* The longest record: 16 KiB, and what encryption may add (RFC 5246 6.2.3). */
#define NS_WIRE_HANDSHAKE_MAX_RECORD (16 * 1024 + 2048)
/* At most that many names and versions that a client offers are kept. */
#define NS_WIRE_HANDSHAKE_MAX_OFFERED 64

/**
 * NsWireSide:
 * @NS_WIRE_CLIENT: who opened the connection
 * @NS_WIRE_SERVER: who was called
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
 * @is_tls: either stream began with a TLS record
 * @has_hello: a Client Hello was read
 * @is_retried: the server asked for another Client Hello
 * @sni: name of the server; %NULL when none was sent or read
 * @alpn_offered: (element-type utf8): names offered; %NULL when unknown
 * @offered: (element-type utf8): versions offered, without those of GREASE (RFC 8701); %NULL when
 *   unknown
 * @version: (nullable): version agreed upon, as `TLS 1.2`
 * @cipher: (nullable): name of IANA of the cipher suite, else its number as `0x1a2b`
 * @alpn: (nullable): protocol agreed upon; TLS 1.3 encrypts it
 * @resumed: 1 when an earlier session goes on, 0 when not, -1 when unknown
 * @certificate: the first one of the server; its texts are %NULL when unknown
 * @alert: (nullable): name of the first fatal alert that is not encrypted (RFC 8446 B.2)
 * @alert_number: its number
 * @alert_side: who sent @alert
 * @begin_ns: when the segment came that begins the Client Hello; -1 when unknown
 * @end_ns: when the segment came that completes the handshake; -1 when unknown
 * @begin_index: that segment, as the caller counts them
 * @end_index: that segment, likewise
 *
 * What the handshake tells. All texts are owned by the reader.
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
