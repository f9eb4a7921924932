/* The tree of a filter, and whether a row passes it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-field-get.h"
#include "query/ns-filter-node.h"
#include "query/ns-ranges.h"

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
  g_free (self->word);
  g_free (self);
}

static gboolean
text_matches (const NsFilterNode *self, const char *text)
{
  return self->is_pattern ? ns_filter_text_is_like (text, self->word)
                          : ns_filter_text_contains (text, self->word);
}

/* Some text of the row contains the word. */
static gboolean
word_matches (const NsFilterNode *self, const NsTrace *trace, NsTableId table, guint row)
{
  static const char *const costly[] = { "why",  "error_text",   "drop_reason", "subject",
                                        "mark", "process_tree", "stack_path",  NULL };
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_fields;
  const NsField *fields = ns_table_get_fields (table, &n_fields);
  gboolean is_match = FALSE;
  guint i;

  for (i = 0; i < n_fields && !is_match; i++)
    {
      NsFieldValue value;

      if (fields[i].type != NS_TYPE_TEXT && fields[i].type != NS_TYPE_LIST &&
          fields[i].type != NS_TYPE_IP && fields[i].type != NS_TYPE_GUID)
        continue;
      /* Frames and reasons are looked for only where they are asked for. */
      if (fields[i].get == ns_get_full_stack || fields[i].get == ns_get_part_of_stack ||
          g_strv_contains (costly, fields[i].id))
        continue;
      ns_field_get (trace, &fields[i], row, &value);
      if (!value.is_null && fields[i].type == NS_TYPE_TEXT)
        is_match = text_matches (self, value.v.text);
      else if (!value.is_null)
        {
          g_string_truncate (text, 0);
          ns_field_append_raw (&fields[i], &value, text);
          is_match = text_matches (self, text->str);
        }
      ns_field_value_clear (&value);
    }
  return is_match;
}

/* What has not ended did not end in the range. */
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
  is_in =
      !begin.is_null && !end.is_null && ns_ranges_contain (trace, self->word, begin.v.i, end.v.i);
  ns_field_value_clear (&begin);
  ns_field_value_clear (&end);
  return is_in;
}

/**
 * ns_filter_node_find_unknown_range: (skip)
 * @self: a node
 * @trace: (nullable): a trace
 *
 * Returns: (nullable): the name of a range that @trace does not have
 */
const char *
ns_filter_node_find_unknown_range (const NsFilterNode *self, const NsTrace *trace)
{
  const char *name = NULL;
  guint i;

  if (self->kind == NS_FILTER_NODE_RANGE)
    return ns_ranges_has (trace, self->word) ? NULL : self->word;
  for (i = 0; name == NULL && self->children != NULL && i < self->children->len; i++)
    name = ns_filter_node_find_unknown_range (g_ptr_array_index (self->children, i), trace);
  return name;
}

/**
 * ns_filter_node_matches: (skip)
 * @self: a node
 * @trace: a trace
 * @table: the table it is for
 * @row: a row of it, 0-based
 *
 * Goes as deep as the parser went, no deeper.
 *
 * Returns: %TRUE if the row passes
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
      return word_matches (self, trace, table, row);
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
 * ns_filter_node_reads_tables: (skip)
 * @self: a node of a filter of the table of events
 *
 * A word is looked for in all that is known of a record.
 *
 * Returns: %TRUE if a record alone is not enough to tell whether it passes
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
