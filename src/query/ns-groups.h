/* Groups rows by the values of fields, with totals of each group.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

/**
 * NsSums:
 * @n_rows: number of rows
 * @n_failed: number of failed rows
 * @sent: bytes sent
 * @received: bytes received
 * @duration_ns: sum of all durations
 * @longest_ns: longest duration; %NS_UNKNOWN if no row has a duration, like the next three
 * @median_ns: median duration
 * @p95_ns: 95th percentile of the durations
 * @union_ns: busy time: time in which at least one row was open
 * @open_ns: the first begin; %NS_TIME_NONE if none is known
 * @close_ns: the last end; open rows count up to the end of the trace, connections that were only
 * shut down have none
 * @is_lower_bound: whether some row has no recorded end
 * @protocol: for activities: protocol of all rows; 0: they differ
 * @phases: for activities: sum of each phase; unknown phases count as 0. The pool phase includes
 *   waits before the rows, which are not part of @duration_ns
 *
 * Totals of a set of rows.
 */
typedef struct
{
  guint n_rows;
  guint n_failed;
  guint64 sent;
  guint64 received;
  gint64 duration_ns;
  gint64 longest_ns;
  gint64 median_ns;
  gint64 p95_ns;
  gint64 union_ns;
  gint64 open_ns;
  gint64 close_ns;
  gboolean is_lower_bound;
  guint32 protocol;
  gint64 phases[NS_N_PHASES];
} NsSums;

/**
 * NsGroup:
 * @depth: 0 for groups of the first field
 * @parent: number of its outer group, from 1; 0: none
 * @begin: index of its first row in the rows of #NsGroups
 * @end: index after its last row
 * @is_open: whether it is expanded, for views
 * @sums: totals of its rows
 *
 * A group of rows. It precedes its inner groups.
 */
typedef struct
{
  guint depth;
  guint parent;
  guint begin;
  guint end;
  gboolean is_open;
  NsSums sums;
} NsGroup;

/* Rows sorted by the fields, and their groups; rows of a group keep their original order. */
typedef struct
{
  GArray *rows;   /* (element-type guint32), 0-based */
  GArray *groups; /* (element-type NsGroup) */
  guint n_fields; /* number of levels */
  NsGroup total;  /* all rows */
} NsGroups;

/* Maximum number of groups whose values are compared where the caller cannot wait, and of bytes
 * of their texts: formatting stacks for more takes seconds. */
#define NS_GROUPS_MAX_COMPARED 4096
#define NS_GROUPS_MAX_COMPARED_BYTES (512 << 10)

/* Sort keys of groups within their outer group. */
typedef enum
{
  NS_GROUP_ORDER_VALUE, /* value of the field */
  NS_GROUP_ORDER_COUNT,
  NS_GROUP_ORDER_FAILED,
  NS_GROUP_ORDER_SENT,
  NS_GROUP_ORDER_RECEIVED,
  NS_GROUP_ORDER_DURATION,
  NS_GROUP_ORDER_MEDIAN,
  NS_GROUP_ORDER_P95,
  NS_GROUP_ORDER_LONGEST,
  NS_GROUP_ORDER_OPEN,
  NS_GROUP_ORDER_CLOSE,
} NsGroupOrder;

NsGroups *ns_groups_new (const NsTrace *trace,
                         NsTableId table,
                         const GArray *rows,
                         const NsField *const *fields,
                         guint n_fields,
                         NsProgressFunc progress,
                         gpointer progress_data);
gboolean ns_groups_sum (NsGroups *self,
                        const NsTrace *trace,
                        NsTableId table,
                        NsProgressFunc progress,
                        gpointer progress_data);
void ns_groups_free (NsGroups *self);
void ns_groups_sort (NsGroups *self, NsGroupOrder order, gboolean descending);
char *ns_groups_dup_path (const NsGroups *self,
                          const NsTrace *trace,
                          const NsField *const *fields,
                          const NsGroup *group);
gboolean ns_groups_count_values (const NsGroups *self,
                                 const NsTrace *trace,
                                 const NsField *field,
                                 guint depth,
                                 guint *n_values);
void ns_sums_to_activity (const NsSums *self, NsActivityRow *row);
NsSums ns_sums_of_rows (const NsTrace *trace, NsTableId table, const guint32 *rows, gsize n_rows);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsGroups, ns_groups_free)

G_END_DECLS
