/* The syntax tree of a filter.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-filter-test.h"
#include "query/ns-filter-word.h"
#include "query/ns-filter.h"

G_BEGIN_DECLS

typedef enum
{
  NS_FILTER_NODE_ALL,
  NS_FILTER_NODE_ANY,
  NS_FILTER_NODE_NOT,
  NS_FILTER_NODE_TEST,
  NS_FILTER_NODE_WORD,
  NS_FILTER_NODE_RANGE, /* began and ended within a named time range */
} NsFilterNodeKind;

typedef struct
{
  NsFilterNodeKind kind;
  GPtrArray *children;  /* ALL, ANY, NOT: (element-type NsFilterNode) */
  NsFilterTest *test;   /* TEST */
  NsFilterWord *look;   /* WORD */
  char *word;           /* RANGE: its name */
  const NsField *begin; /* RANGE: fields of begin and end; NULL if the table has none */
  const NsField *end;
} NsFilterNode;

NsFilterNode *
ns_filter_node_parse (NsTableId table, const char *text, NsFilterSpan *where, GError **error);
const NsField *
ns_filter_node_find_field (NsTableId table, const char *name, NsFilterOp op, const char *value);
void ns_filter_node_free (gpointer node);
gboolean ns_filter_node_prepare (NsFilterNode *self, const NsTrace *trace);
void ns_filter_node_forget (NsFilterNode *self);
guint ns_filter_node_count_given_up (const NsFilterNode *self);
gboolean
ns_filter_node_matches (const NsFilterNode *self, const NsTrace *trace, NsTableId table, guint row);
guint ns_filter_node_select (const NsFilterNode *self,
                             const NsTrace *trace,
                             NsTableId table,
                             guint32 *rows,
                             guint n_rows);

const char *ns_filter_node_find_unknown_range (const NsFilterNode *self,
                                               const NsTrace *trace,
                                               NsNamedRanges *ranges);
gboolean ns_filter_node_reads_field (const NsFilterNode *self, const NsField *field);
gboolean ns_filter_node_reads_tables (const NsFilterNode *self);

G_END_DECLS
