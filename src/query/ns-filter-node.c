/* The tree of a filter, and whether a row passes it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-filter-node.h"
#include "query/ns-record-fields.h"

#include <string.h>

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

static void
read_value (NsFilterReadFunc read, gpointer read_data, const NsField *field, NsFieldValue *value)
{
  memset (value, 0, sizeof *value);
  value->type = field->type;
  read (field, read_data, value);
}

static gboolean
is_searched (const NsField *field)
{
  return field->type == NS_TYPE_TEXT || field->type == NS_TYPE_LIST || field->type == NS_TYPE_IP ||
         field->type == NS_TYPE_GUID || strcmp (field->id, "fields") == 0;
}

/* Some text contains the word. */
static gboolean
word_matches (const NsFilterNode *self, NsTableId table, NsFilterReadFunc read, gpointer read_data)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_fields;
  const NsField *fields = table == NS_FILTER_RECORDS ? ns_record_fields_get (&n_fields)
                                                     : ns_table_get_fields (table, &n_fields);
  gboolean is_match = FALSE;
  guint i;

  for (i = 0; i < n_fields && !is_match; i++)
    {
      NsFieldValue value;

      if (!is_searched (&fields[i]))
        continue;
      read_value (read, read_data, &fields[i], &value);
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

static gboolean
test_matches (const NsFilterTest *test, NsFilterReadFunc read, gpointer read_data)
{
  NsFieldValue value;
  gboolean is_match;

  read_value (read, read_data, ns_filter_test_get_field (test), &value);
  is_match = ns_filter_test_matches (test, &value);
  ns_field_value_clear (&value);
  return is_match;
}

/**
 * ns_filter_node_matches: (skip)
 * @self: a node
 * @table: the table it is for, or %NS_FILTER_RECORDS
 * @read: (scope call): reads the fields
 * @read_data: for @read
 *
 * Goes as deep as the parser went, no deeper.
 *
 * Returns: %TRUE if what @read reads passes
 */
gboolean
ns_filter_node_matches (const NsFilterNode *self,
                        NsTableId table,
                        NsFilterReadFunc read,
                        gpointer read_data)
{
  gboolean wanted = self->kind == NS_FILTER_NODE_ANY;
  guint i;

  switch (self->kind)
    {
    case NS_FILTER_NODE_TEST:
      return test_matches (self->test, read, read_data);
    case NS_FILTER_NODE_WORD:
      return word_matches (self, table, read, read_data);
    case NS_FILTER_NODE_NOT:
      return !ns_filter_node_matches (g_ptr_array_index (self->children, 0),
                                      table,
                                      read,
                                      read_data);
    case NS_FILTER_NODE_ALL:
    case NS_FILTER_NODE_ANY:
    default:
      for (i = 0; i < self->children->len; i++)
        if (ns_filter_node_matches (g_ptr_array_index (self->children, i),
                                    table,
                                    read,
                                    read_data) == wanted)
          return wanted;
      return !wanted;
    }
}
