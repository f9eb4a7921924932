/* Rows gathered into groups by the values of fields, with sums of each group.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

/**
 * NsSums:
 * @n_rows: how many rows
 * @n_failed: those of them that failed
 * @sent: bytes
 * @received: bytes
 * @duration_ns: sum of all durations
 * @longest_ns: %NS_UNKNOWN when no row has a duration; the same for the three below
 * @median_ns: half of the rows took no longer
 * @p95_ns: 95 of 100 rows took no longer
 * @union_ns: time in which at least one row was going on
 * @open_ns: the first begin; %NS_TIME_NONE when none is known
 * @close_ns: the last end; what had not ended counts to the end of the trace
 * @is_lower_bound: some row had not ended
 * @protocol: of all rows, of activities; 0: they differ
 * @phases: of activities, the sum of each phase; rows of which it is not known add nothing; the
 *   waits for threads of pools are whole, also what lies before the rows and is no part of
 *   @duration_ns
 *
 * What rows come to together.
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
 * @parent: number of the group it is in, from 1; 0: none
 * @begin: its first row in the rows of #NsGroups
 * @end: behind its last row
 * @is_open: whether what is inside is shown; for those who show groups
 * @sums: of all its rows
 *
 * A group stands before the groups inside it.
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

/* @rows are sorted by the fields, and within a group in the order they were given in. */
typedef struct
{
  GArray *rows;   /* (element-type guint32), 0-based */
  GArray *groups; /* (element-type NsGroup) */
  guint n_fields; /* they were gathered by: how deep groups are inside each other */
  NsGroup total;  /* of all rows */
} NsGroups;

/* Of more groups than this the values are not compared, nor are more bytes of their texts, for
 * those who cannot wait: to write the stacks of so many groups takes seconds. */
#define NS_GROUPS_MAX_COMPARED 4096
#define NS_GROUPS_MAX_COMPARED_BYTES (512 << 10)

/* What groups that stand beside each other are ordered by. */
typedef enum
{
  NS_GROUP_ORDER_VALUE, /* of the field */
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
