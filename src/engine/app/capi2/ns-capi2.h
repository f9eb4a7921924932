/* Certificate checks by Windows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-layer-row.h"
#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

typedef enum
{
  NS_CAPI2_CHAIN,
  NS_CAPI2_REVOCATION,
  NS_CAPI2_RETRIEVAL,
  NS_CAPI2_POLICY,
} NsCapi2Kind;

/* A check, from its start to its stop (`providers.md` 6 K1). */
typedef struct
{
  NsLayerRow layer; /* the status is a CERT_E_, CRYPT_E_ or Win32 error */
  NsGuid task;
  NsString subject;
  NsString url; /* secrets masked */
  guint32 seq;  /* 0: unknown */
  NsRow parent; /* of this table: the enclosing check */
  NsRow http;   /* WinHTTP request of the retrieval */
  guint8 kind;  /* an NsCapi2Kind */
} NsCapi2Row;

NsRow ns_capi2_find_retrieval (const NsTrace *trace, NsRow check);
NsRow ns_capi2_find_check (const NsTrace *trace, NsRow activity);

G_END_DECLS
