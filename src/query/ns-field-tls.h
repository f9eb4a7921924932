/* The fields of TLS handshakes, the same in each table with handshakes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/app/tls/ns-tls.h"
#include "query/ns-field-get.h"

G_BEGIN_DECLS

NS_DECLARE_GETTER (ns_get_tls_text); /* NsString of NsTlsFacts, by the second offset */
NS_DECLARE_GETTER (ns_get_tls_resumed);
NS_DECLARE_GETTER (ns_get_tls_alert_from);
NS_DECLARE_GETTER (ns_get_tls_error);
NS_DECLARE_GETTER (ns_get_tls_source);
NS_DECLARE_GETTER (ns_get_tls_cert);

/* Offset of a fact; the table and row of the handshake are in @extra. */
#define NS_TLS_FACT(table, member)                                                                 \
  ((guint) (table) << (2 * NS_FIELD_OFFSET_BITS) | (guint) offsetof (NsTlsFacts, member)           \
                                                       << NS_FIELD_OFFSET_BITS)

/* clang-format off */
#define NS_TLS_FIELDS(table)                                                                       \
  NS_FIELD ("tls_version", N_("TLS Version"), N_("Version that the handshake agreed on"), TEXT, 90, 0, ns_get_tls_text, NS_TLS_FACT (table, version)), \
  NS_FIELD ("tls_sni", N_("TLS Server Name"), N_("Name of the server that the client asked for"), TEXT, 150, 0, ns_get_tls_text, NS_TLS_FACT (table, sni)), \
  NS_FIELD ("tls_alpn", N_("TLS Protocol"), N_("Protocol that the server chose (ALPN)"), TEXT, 90, 0, ns_get_tls_text, NS_TLS_FACT (table, alpn)), \
  NS_FIELD ("tls_cipher", N_("TLS Cipher Suite"), N_("Cipher suite that the handshake agreed on"), TEXT, 240, 0, ns_get_tls_text, NS_TLS_FACT (table, cipher)), \
  NS_FIELD ("tls_resumed", N_("TLS Resumed"), N_("An earlier session was resumed"), BOOL, 90, 0, ns_get_tls_resumed, NS_TLS_FACT (table, resumed)), \
  NS_FIELD ("tls_subject", N_("TLS Certificate"), N_("Subject of the server certificate"), TEXT, 220, 0, ns_get_tls_text, NS_TLS_FACT (table, subject)), \
  NS_FIELD ("tls_issuer", N_("TLS Issuer"), N_("Issuer of the certificate"), TEXT, 220, 0, ns_get_tls_text, NS_TLS_FACT (table, issuer)), \
  NS_FIELD ("tls_expires", N_("TLS Expires"), N_("Expiration time of the certificate"), TEXT, 150, 0, ns_get_tls_text, NS_TLS_FACT (table, expires)), \
  NS_FIELD ("tls_sha1", N_("TLS Certificate Hash"), N_("Hash of the server certificate"), TEXT, 280, 0, ns_get_tls_text, NS_TLS_FACT (table, sha1)), \
  NS_FIELD ("tls_alert", N_("TLS Alert"), N_("Alert that ended the handshake"), TEXT, 150, 0, ns_get_tls_text, NS_TLS_FACT (table, alert)), \
  NS_FIELD ("tls_alert_from", N_("TLS Alert From"), N_("Sender: client or server"), TEXT, 100, 0, ns_get_tls_alert_from, NS_TLS_FACT (table, alert_from)), \
  NS_FIELD ("tls_error", N_("TLS Error"), N_("Reason why the handshake failed"), TEXT, 220, 0, ns_get_tls_error, NS_TLS_FACT (table, error)), \
  NS_FIELD ("tls_source", N_("TLS Source"), N_("Providers that report the handshake"), LIST, 180, 0, ns_get_tls_source, NS_TLS_FACT (table, sources)), \
  NS_FIELD ("tls_cert_ns", N_("TLS Certificate (ms)"), N_("Time spent on certificate checks during the handshake"), DURATION, 110, 0, ns_get_tls_cert, NS_TLS_FACT (table, cert_ns))
/* clang-format on */

G_END_DECLS
