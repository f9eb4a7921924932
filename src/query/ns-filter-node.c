/* The syntax tree of a filter, and its evaluation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-filter-node.h"

#include "engine/trace/ns-view-context.h"

/**
 * ns_filter_node_free: (skip)
 * @data: (transfer full) (nullable): a node
 */
void
ns_filter_node_free (gpointer data)
{
  NsFilterNode *self = data;

  if (self == NULL)
    return;
  g_clear_pointer (&self->children, g_ptr_array_unref);
  ns_filter_test_free (self->test);
  ns_filter_word_free (self->look);
  g_free (self->word);
  g_free (self);
}

/* Returns whether the row lies within the range; a row without a recorded end does not. */
static gboolean
is_in_range (const NsFilterNode *self, const NsTrace *trace, guint row)
{
  NsFieldValue begin = { 0 };
  NsFieldValue end = { 0 };
  gboolean is_in = FALSE;

  if (self->begin == NULL)
    return FALSE;
  ns_field_get (trace, self->begin, row, &begin);
  ns_field_get (trace, self->end != NULL ? self->end : self->begin, row, &end);
  is_in = !begin.is_null && !end.is_null &&
          ns_trace_is_in_named_range (trace, self->word, begin.v.i, end.v.i);
  ns_field_value_clear (&begin);
  ns_field_value_clear (&end);
  return is_in;
}

/**
 * ns_filter_node_find_unknown_range: (skip)
 * @self: a node
 * @trace: (nullable): a trace
 * @ranges: (nullable): ranges in addition to those of @trace
 *
 * Returns: (nullable): the name of a range in the filter that neither has
 */
const char *
ns_filter_node_find_unknown_range (const NsFilterNode *self,
                                   const NsTrace *trace,
                                   NsNamedRanges *ranges)
{
  const char *name = NULL;
  guint i;

  if (self->kind == NS_FILTER_NODE_RANGE)
    return ns_named_ranges_has (ranges, self->word) ||
                   (trace != NULL && ns_trace_has_named_range (trace, self->word))
               ? NULL
               : self->word;
  for (i = 0; name == NULL && self->children != NULL && i < self->children->len; i++)
    name = ns_filter_node_find_unknown_range (g_ptr_array_index (self->children, i), trace, ranges);
  return name;
}

/**
 * ns_filter_node_matches: (skip)
 * @self: a node
 * @trace: a trace
 * @table: the table of the filter
 * @row: a row of it, 0-based
 *
 * Recursion is limited by the parser.
 *
 * Returns: %TRUE if the row matches
 */
gboolean
ns_filter_node_matches (const NsFilterNode *self, const NsTrace *trace, NsTableId table, guint row)
{
  gboolean wanted = self->kind == NS_FILTER_NODE_ANY;
  guint i;

  switch (self->kind)
    {
    case NS_FILTER_NODE_TEST:
      return ns_filter_test_matches (self->test, trace, row);
    case NS_FILTER_NODE_WORD:
      return ns_filter_word_matches (self->look, trace, row);
    case NS_FILTER_NODE_RANGE:
      return is_in_range (self, trace, row);
    case NS_FILTER_NODE_NOT:
      return !ns_filter_node_matches (g_ptr_array_index (self->children, 0), trace, table, row);
    case NS_FILTER_NODE_ALL:
    case NS_FILTER_NODE_ANY:
    default:
      for (i = 0; i < self->children->len; i++)
        if (ns_filter_node_matches (g_ptr_array_index (self->children, i), trace, table, row) ==
            wanted)
          return wanted;
      return !wanted;
    }
}

/**
 * ns_filter_node_select: (skip)
 * @self: a prepared node
 * @trace: a trace
 * @table: the table of the filter
 * @rows: (array length=n_rows): rows of it, 0-based; matching ones are kept in order
 * @n_rows: number of rows
 *
 * Like ns_filter_node_matches() for each row. Of conditions joined by "and", each is evaluated for
 * all rows that the previous ones left.
 *
 * Returns: number of rows kept
 */
guint
ns_filter_node_select (const NsFilterNode *self,
                       const NsTrace *trace,
                       NsTableId table,
                       guint32 *rows,
                       guint n_rows)
{
  guint n_kept = 0;
  guint i;

  if (self->kind == NS_FILTER_NODE_TEST)
    return ns_filter_test_select (self->test, trace, rows, n_rows);
  if (self->kind == NS_FILTER_NODE_ALL ||
      (self->kind == NS_FILTER_NODE_ANY && self->children->len == 1))
    {
      for (i = 0; i < self->children->len && n_rows > 0; i++)
        n_rows = ns_filter_node_select (g_ptr_array_index (self->children, i),
                                        trace,
                                        table,
                                        rows,
                                        n_rows);
      return n_rows;
    }
  for (i = 0; i < n_rows; i++)
    if (ns_filter_node_matches (self, trace, table, rows[i]))
      rows[n_kept++] = rows[i];
  return n_kept;
}

/**
 * ns_filter_node_reads_field: (skip)
 * @self: a node of a filter
 * @field: a field of its table
 *
 * Returns: %TRUE if it compares the field, or has a word that may be in it
 */
gboolean
ns_filter_node_reads_field (const NsFilterNode *self, const NsField *field)
{
  guint i;

  if (self->kind == NS_FILTER_NODE_WORD)
    return ns_filter_word_reads_field (self->look, field);
  if (self->kind == NS_FILTER_NODE_TEST)
    return ns_filter_test_reads_field (self->test, field);
  if (self->kind == NS_FILTER_NODE_RANGE)
    return self->begin == field || self->end == field;
  for (i = 0; i < self->children->len; i++)
    if (ns_filter_node_reads_field (g_ptr_array_index (self->children, i), field))
      return TRUE;
  return FALSE;
}

/**
 * ns_filter_node_reads_tables: (skip)
 * @self: a node of a filter of the table of events
 *
 * A word is searched in all fields of a record, including those that come from tables.
 *
 * Returns: %TRUE if the record alone is not enough to evaluate it
 */
gboolean
ns_filter_node_reads_tables (const NsFilterNode *self)
{
  guint i;

  if (self->kind == NS_FILTER_NODE_WORD)
    return TRUE;
  if (self->kind == NS_FILTER_NODE_TEST)
    return ns_filter_test_reads_tables (self->test);
  if (self->kind == NS_FILTER_NODE_RANGE)
    return FALSE;
  for (i = 0; i < self->children->len; i++)
    if (ns_filter_node_reads_tables (g_ptr_array_index (self->children, i)))
      return TRUE;
  return FALSE;
}

/**
 * ns_filter_node_prepare: (skip)
 * @self: a node
 * @trace: the trace to be filtered, until ns_filter_node_forget()
 *
 * Returns: whether two threads may evaluate it at the same time
 */
gboolean
ns_filter_node_prepare (NsFilterNode *self, const NsTrace *trace)
{
  gboolean is_shared = TRUE;
  guint i;

  if (self->kind == NS_FILTER_NODE_TEST)
    return ns_filter_test_prepare (self->test, trace);
  if (self->kind == NS_FILTER_NODE_WORD)
    ns_filter_word_prepare (self->look, trace);
  for (i = 0; self->children != NULL && i < self->children->len; i++)
    if (!ns_filter_node_prepare (g_ptr_array_index (self->children, i), trace))
      is_shared = FALSE;
  return is_shared;
}

/**
 * ns_filter_node_forget: (skip)
 * @self: a node
 *
 * Ends the effect of ns_filter_node_prepare().
 */
void
ns_filter_node_forget (NsFilterNode *self)
{
  guint i;

  if (self->kind == NS_FILTER_NODE_TEST)
    ns_filter_test_forget (self->test);
  if (self->kind == NS_FILTER_NODE_WORD)
    ns_filter_word_forget (self->look);
  for (i = 0; self->children != NULL && i < self->children->len; i++)
    ns_filter_node_forget (g_ptr_array_index (self->children, i));
}

/**
 * ns_filter_node_count_given_up: (skip)
 * @self: a node
 *
 * Returns: number of values whose comparison was aborted at the match limit
 */
guint
ns_filter_node_count_given_up (const NsFilterNode *self)
{
  guint n = self->kind == NS_FILTER_NODE_TEST ? ns_filter_test_count_given_up (self->test) : 0;
  guint i;

  for (i = 0; self->children != NULL && i < self->children->len; i++)
    n += ns_filter_node_count_given_up (g_ptr_array_index (self->children, i));
  return n;
}
