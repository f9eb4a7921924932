/* The keys by which records refer to selected rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-row-events.h"

G_BEGIN_DECLS

/* A key in records while a row is open. */
typedef struct
{
  NsTimeSpan span;
  guint32 pid;
  guint64 key;
  guint next;       /* number + 1 of the next one with the same key */
  GByteArray *sign; /* (nullable): byte pattern in place of a key */
} NsEtlMention;

GArray *ns_etl_mentions_new (void);
void ns_etl_mentions_add_sign (GArray *mentions,
                               const NsRowEvents *row,
                               gconstpointer bytes,
                               gsize size);
gboolean ns_etl_mention_is_inside (const NsEtlMention *mention, gint64 time_ns);
gboolean ns_etl_mentions_have_sign (const GArray *mentions, const NsRecord *record);

G_END_DECLS
