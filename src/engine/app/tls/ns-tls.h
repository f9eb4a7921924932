/* TLS handshakes: version, cipher and more, from each layer that reports them (`providers.md` 2).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* Sources of handshake facts; of equally reliable sources the first is used. */
typedef enum
{
  NS_TLS_CHROMIUM,
  NS_TLS_DOTNET,
  NS_TLS_WININET,
  NS_TLS_WEBIO,
  NS_TLS_SCHANNEL,
  NS_TLS_PACKETS,
  NS_TLS_QUIC,
  NS_N_TLS_SOURCES,
} NsTlsSource;

typedef enum
{
  NS_TLS_FROM_NOBODY,
  NS_TLS_FROM_CLIENT,
  NS_TLS_FROM_SERVER,
} NsTlsSide;

/* Facts about the handshake of a connection. Unknown texts are %NS_STRING_NONE. */
typedef struct
{
  NsString version;
  NsString cipher;
  NsString alpn;
  NsString sni;
  NsString subject; /* subject of the server certificate */
  NsString issuer;
  NsString expires;
  NsString sha1;
  NsString alert;
  NsString error_text;
  gint64 cert_ns; /* time spent on certificate checks; NS_UNKNOWN: not recorded */
  guint32 error;
  guint8 error_family; /* an NsCodeFamily; NS_CODE_NONE: none */
  gint8 resumed;       /* -1: unknown */
  guint8 alert_from;   /* an NsTlsSide */
  guint8 sources;      /* a bit for each NsTlsSource */
} NsTlsFacts;

gboolean ns_tls_get_facts (const NsTrace *trace, NsTableId table, NsRow row, NsTlsFacts *facts);
const char *ns_tls_source_to_text (NsTlsSource source);
void ns_tls_store_make (NsTrace *trace);
void ns_tls_store_add (NsTlsStore *self, NsTableId table, NsRow row, const NsTlsFacts *facts);
const NsTlsFacts *ns_tls_store_get (const NsTlsStore *self, NsTableId table, NsRow row);
void ns_tls_facts_init (NsTlsFacts *facts);

G_END_DECLS
