/* URLs that a browser mentions when it does not log its network requests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/build/ns-builder.h"

G_BEGIN_DECLS

/* A URL and the times at which a process mentioned it. */
typedef struct
{
  const char *channel;
  guint32 pid;
  guint32 tid;
  NsString url;    /* secrets masked */
  NsString server; /* its host, lower case */
  guint16 port;
  guint32 http_status; /* 0: none */
  gint64 begin_ns;     /* first and last mention */
  gint64 end_ns;
  NsGuid activity_id;
} NsUrlHint;

typedef struct _NsUrlHints NsUrlHints;

NsUrlHints *ns_url_hints_new (void);
void ns_url_hints_free (NsUrlHints *self);
void ns_url_hints_event (NsUrlHints *self,
                         NsBuilder *builder,
                         const NsRecord *record,
                         const char *channel);
const GArray *ns_url_hints_get (const NsUrlHints *self);

G_END_DECLS
