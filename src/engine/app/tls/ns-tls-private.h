/* Shared by the files of the TLS part.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "engine/app/tls/ns-tls-span.h"

G_BEGIN_DECLS

/* A Schannel event. */
typedef struct
{
  NsTlsFacts facts;
  gint64 time_ns;
  guint32 pid;
  guint32 tid;
  NsString target; /* requested host; NS_STRING_NONE: unknown */
  NsBool is_server;
} NsTlsNote;

struct _NsTls
{
  GArray *spans; /* NsTlsSpan */
  GArray *notes; /* NsTlsNote, by time */
  NsMap *ties;   /* (table and part, row) → number of the span */
};

void ns_tls_settle (NsBuilder *builder);

G_END_DECLS
