/* Builds the filter of the “follow” commands: connection, server, chain or process of a row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-filter.h"

G_BEGIN_DECLS

typedef enum
{
  NS_FOLLOW_CONNECTION,
  NS_FOLLOW_SERVER,
  NS_FOLLOW_CHAIN, /* rows that result from the same queued work, with their redirects and children
                    */
} NsFollow;

char *ns_follow_process_to_filter (const NsTrace *trace, guint32 process, gboolean has_children);
char *ns_follow_rows_to_filter (const NsTrace *trace, NsTableId table, guint32 row);
char *ns_follow_to_filter (const NsTrace *trace, NsFollow what, guint32 row);

G_END_DECLS
