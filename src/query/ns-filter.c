/* Filters: parses them, and evaluates them over the rows of a table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-parts.h"
#include "query/ns-filter-node.h"
#include "query/ns-filter-payload.h"

#include <glib/gi18n-lib.h>

struct _NsFilter
{
  NsTableId table;
  NsFilterNode *root;
};

/**
 * ns_filter_new:
 * @table: the table of the filter
 * @text: the filter
 * @where: (out) (optional): position of the error in @text
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Returns: (transfer full) (nullable): the filter; an empty text makes a filter that every row
 *   passes
 */
NsFilter *
ns_filter_new (NsTableId table, const char *text, NsFilterSpan *where, GError **error)
{
  NsFilterNode *root = ns_filter_node_parse (table, text, where, error);
  NsFilter *self;

  if (root == NULL)
    return NULL;
  self = g_new0 (NsFilter, 1);
  self->table = table;
  self->root = root;
  return self;
}

/* Appends an equals sign and the quoted value. */
static void
append_quoted (GString *text, const char *value)
{
  g_string_append (text, "=\"");
  for (; *value != '\0'; value++)
    {
      if (*value == '"' || *value == '\\')
        g_string_append_c (text, '\\');
      g_string_append_c (text, *value);
    }
  g_string_append_c (text, '"');
}

/**
 * ns_filter_from_value:
 * @field: a field
 * @value: a value of it
 *
 * Returns: (transfer full): a filter that selects rows with this value
 */
char *
ns_filter_from_value (const NsField *field, const NsFieldValue *value)
{
  g_autoptr (GString) raw = g_string_new (NULL);
  GString *text = g_string_new (field->id);

  if (value->is_null)
    {
      g_string_append (text, ":none");
      return g_string_free (text, FALSE);
    }
  ns_field_append_raw (field, value, raw);
  append_quoted (text, raw->str);
  return g_string_free (text, FALSE);
}

/**
 * ns_filter_from_payload:
 * @name: a payload field
 * @value: its value, as shown to users
 *
 * Returns: (transfer full): a filter that selects events with this value; if filters cannot express
 *   the name, ns_filter_new() rejects it
 */
char *
ns_filter_from_payload (const char *name, const char *value)
{
  GString *text = g_string_new (NS_FILTER_PAYLOAD_PREFIX);
  gboolean is_plain = g_ascii_isdigit (*value);
  gsize i;

  g_string_append (text, name);
  for (i = 0; value[i] != '\0' && is_plain; i++)
    is_plain = g_ascii_isalnum (value[i]) || value[i] == '.' || value[i] == '_';
  if (is_plain)
    g_string_append_printf (text, "=%s", value);
  else
    append_quoted (text, value);
  return g_string_free (text, FALSE);
}

/**
 * ns_filter_free:
 * @self: (transfer full) (nullable): a filter
 */
void
ns_filter_free (NsFilter *self)
{
  if (self == NULL)
    return;
  ns_filter_node_free (self->root);
  g_free (self);
}

/**
 * ns_filter_matches:
 * @self: a filter
 * @trace: a trace
 * @row: a row of its table, 0-based
 *
 * Returns: %TRUE if the row passes
 */
gboolean
ns_filter_matches (const NsFilter *self, const NsTrace *trace, guint row)
{
  return ns_filter_node_matches (self->root, trace, self->table, row);
}

/**
 * ns_filter_find_unknown_range:
 * @self: a filter
 * @trace: (nullable): a trace
 * @ranges: (nullable): ranges in addition to those of @trace
 *
 * Returns: (nullable): the name of a range in the filter that neither has
 */
const char *
ns_filter_find_unknown_range (const NsFilter *self, const NsTrace *trace, NsNamedRanges *ranges)
{
  return ns_filter_node_find_unknown_range (self->root, trace, ranges);
}

/**
 * ns_filter_reads_field:
 * @self: a filter
 * @field: a field of its table
 *
 * Returns: %TRUE if it compares the field, or has a word that may be in it
 */
gboolean
ns_filter_reads_field (const NsFilter *self, const NsField *field)
{
  return ns_filter_node_reads_field (self->root, field);
}

/**
 * ns_filter_reads_tables:
 * @self: a filter of the table of events
 *
 * Returns: %TRUE if it needs more than the record itself: process names, or stacks in records of
 *   their own
 */
gboolean
ns_filter_reads_tables (const NsFilter *self)
{
  return ns_filter_node_reads_tables (self->root);
}

/**
 * ns_filter_describe_incomplete:
 * @self: a filter that was run or evaluated
 *
 * Returns: (transfer full) (nullable): a sentence about values whose match with its regular
 *   expressions was aborted for taking too long
 */
char *
ns_filter_describe_incomplete (const NsFilter *self)
{
  guint n = ns_filter_node_count_given_up (self->root);

  if (n == 0)
    return NULL;
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                       "%u value was not compared with the regular expression to "
                                       "the end, which would take too long, and counts as "
                                       "not matching. A simpler expression compares it.",
                                       "%u values were not compared with the regular expression "
                                       "to the end, which would take too long, and count as "
                                       "not matching. A simpler expression compares them.",
                                       n),
                          n);
}

/* Matching rows, by part of the table. */
typedef struct
{
  const NsFilter *filter;
  const NsTrace *trace;
  guint32 *rows; /* matching rows of a part, from the index at which the part begins */
  guint *n_rows; /* by part */
} Scan;

static void
scan_cb (guint begin, guint end, guint worker, gpointer user_data)
{
  Scan *scan = user_data;
  guint32 row;

  for (row = begin; row < end; row++)
    scan->rows[row] = row;
  scan->n_rows[begin / NS_PARTS_ITEMS] = ns_filter_node_select (scan->filter->root,
                                                                scan->trace,
                                                                scan->filter->table,
                                                                scan->rows + begin,
                                                                end - begin);
}

static GArray *
join_parts (const Scan *scan, guint n_parts)
{
  GArray *rows;
  guint n_rows = 0;
  guint i;

  for (i = 0; i < n_parts; i++)
    n_rows += scan->n_rows[i];
  rows = g_array_sized_new (FALSE, FALSE, sizeof (guint32), n_rows);
  for (i = 0; i < n_parts; i++)
    g_array_append_vals (rows, scan->rows + (gsize) i * NS_PARTS_ITEMS, scan->n_rows[i]);
  return rows;
}

/**
 * ns_filter_run:
 * @self: a filter
 * @trace: a trace
 * @table: the table it was made for
 * @progress: (nullable): called with the progress; stops if it returns %FALSE
 * @progress_data: for @progress
 *
 * Two threads share large tables; records are always read in sequence. A filter must not run twice
 * at the same time.
 *
 * Returns: (transfer full) (element-type guint32) (nullable): the matching rows, in table order;
 *   %NULL if stopped
 */
GArray *
ns_filter_run (const NsFilter *self,
               const NsTrace *trace,
               NsTableId table,
               NsProgressFunc progress,
               gpointer progress_data)
{
  guint n_rows = ns_table_get_n_rows (trace, table);
  guint n_parts = ns_parts_count (n_rows);
  g_autofree guint32 *rows = g_new (guint32, (gsize) n_rows + 1);
  g_autofree guint *counts = g_new0 (guint, n_parts + 1);
  Scan scan = { self, trace, rows, counts };
  gboolean is_shared;
  gboolean is_done;

  g_return_val_if_fail (table == self->table, NULL);

  is_shared = ns_filter_node_prepare (self->root, trace) && table != NS_TABLE_EVENTS &&
              table != NS_TABLE_CHROMIUM_EVENTS;
  is_done = ns_parts_run (n_rows, is_shared, scan_cb, &scan, progress, progress_data);
  ns_filter_node_forget (self->root);
  return is_done ? join_parts (&scan, n_parts) : NULL;
}
