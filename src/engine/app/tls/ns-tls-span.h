/* Handshakes while the trace is read: spans that layers report, and facts added to them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/app/tls/ns-tls.h"
#include "engine/build/ns-builder.h"

G_BEGIN_DECLS

/* Maximum number of threads stored per handshake. */
#define NS_TLS_MAX_THREADS 4
/* In place of a part: the handshake belongs to all connections of a row. */
#define NS_TLS_ALL_PARTS G_MAXUINT16

typedef struct
{
  NsTlsFacts facts; /* facts from its layer */
  NsTlsFacts more;  /* facts from Schannel */
  gint64 begin_ns;
  gint64 end_ns; /* NS_TIME_OPEN: not recorded */
  guint32 pid;
  guint32 tids[NS_TLS_MAX_THREADS];
  guint8 n_tids;
  guint8 source;         /* an NsTlsSource */
  gint8 more_confidence; /* confidence of @more; -1: none */
} NsTlsSpan;

guint32 ns_tls_begin (NsBuilder *builder, NsTlsSource source, const NsRecord *record);
guint32 ns_tls_add (NsBuilder *builder,
                    NsTlsSource source,
                    guint32 pid,
                    guint32 tid,
                    gint64 begin_ns,
                    gint64 end_ns);
NsTlsSpan *ns_tls_get_span (NsBuilder *builder, guint32 number);
void ns_tls_step (NsTlsSpan *span, const NsRecord *record);
void ns_tls_fail (NsTlsSpan *span, NsCodeFamily family, guint32 error);
void ns_tls_set_cipher (NsBuilder *builder, NsTlsFacts *facts, guint32 cipher);
void ns_tls_set_alert (NsBuilder *builder, NsTlsFacts *facts, guint32 alert, NsTlsSide from);
void ns_tls_tie (NsBuilder *builder, NsTableId table, NsRow row, guint part, guint32 number);

G_END_DECLS
