/* Builds a filter for each table that selects the rows of a set of operations.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-error.h"
#include "query/ns-filter.h"

G_BEGIN_DECLS

/* Maximum number of operations whose records are searched; if there are more, records are
 * selected by process. */
#define NS_FOLLOW_MAX_ROWS 64

/**
 * NsFollowTables:
 * @filters: (nullable): by table; %NULL: the table cannot be filtered
 * @rows: (element-type guint32): the operations, 0-based
 *
 * Filters that select the rows of each table.
 */
typedef struct
{
  char *filters[NS_N_TABLES];
  GArray *rows;
} NsFollowTables;

NsFollowTables *ns_follow_tables_find (const NsTrace *trace,
                                       const char *filter,
                                       guint32 pid,
                                       NsProgressFunc progress,
                                       gpointer progress_data);
char *ns_follow_tables_find_events (const NsTrace *trace,
                                    const GArray *rows,
                                    NsProgressFunc progress,
                                    gpointer progress_data);
void ns_follow_tables_free (NsFollowTables *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsFollowTables, ns_follow_tables_free)

G_END_DECLS
