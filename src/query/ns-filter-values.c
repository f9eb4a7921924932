/* Lists the values of a field in the rows of a trace, for the completion of filters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-hash.h"
#include "engine/trace/ns-view-context.h"
#include "query/ns-filter-complete.h"

#include <string.h>

/* Maximum number of values listed; users can type rarer ones. */
#define MAX_VALUES 1000
/* Maximum number of distinct values counted: a field with a different value in each row is not
 * worth listing. */
#define MAX_DIFFERENT 50000
#define PROGRESS_ROWS (1u << 12)

static void
value_free (gpointer data)
{
  NsFilterValue *value = data;

  g_free (value->text);
  g_free (value);
}

static gint
compare_values (gconstpointer a, gconstpointer b)
{
  const NsFilterValue *left = *(const NsFilterValue *const *) a;
  const NsFilterValue *right = *(const NsFilterValue *const *) b;

  if (left->n_rows != right->n_rows)
    return left->n_rows > right->n_rows ? -1 : 1;
  return strcmp (left->text, right->text);
}

/* Counts a value; %FALSE if there are too many distinct ones. */
static gboolean
count (GHashTable *by_text, const char *text)
{
  NsFilterValue *value = g_hash_table_lookup (by_text, text);

  if (value == NULL)
    {
      if (*text == '\0')
        return TRUE;
      if (g_hash_table_size (by_text) >= MAX_DIFFERENT)
        return FALSE;
      value = g_new0 (NsFilterValue, 1);
      value->text = g_strdup (text);
      g_hash_table_insert (by_text, value->text, value);
    }
  value->n_rows++;
  return TRUE;
}

/* Counts the values of a row; %FALSE if one was not counted. */
static gboolean
count_row (GHashTable *by_text,
           const NsTrace *trace,
           const NsField *field,
           guint row,
           GString *text)
{
  gboolean is_whole = TRUE;
  NsFieldValue value;
  guint i;

  ns_field_get (trace, field, row, &value);
  if (value.is_null)
    return TRUE;
  if (value.type == NS_TYPE_TEXT)
    is_whole = count (by_text, value.v.text);
  else if (value.type == NS_TYPE_LIST)
    for (i = 0; i < value.list->len; i++)
      is_whole = count (by_text, g_ptr_array_index (value.list, i)) && is_whole;
  else
    {
      g_string_truncate (text, 0);
      ns_field_append_raw (field, &value, text);
      is_whole = count (by_text, text->str);
    }
  ns_field_value_clear (&value);
  return is_whole;
}

/**
 * ns_filter_list_values:
 * @trace: a trace
 * @field: a field
 * @n_rows: number of rows of its table
 * @is_cut: (out) (optional): whether values are missing, since there are more distinct ones than
 *   are counted or listed
 * @progress: (nullable): called with the progress; stops if it returns %FALSE
 * @progress_data: for @progress
 *
 * Returns: (transfer full) (nullable) (element-type NsFilterValue): the values of @field, most
 *   frequent first; %NULL if stopped
 */
GPtrArray *
ns_filter_list_values (const NsTrace *trace,
                       const NsField *field,
                       guint n_rows,
                       gboolean *is_cut,
                       NsProgressFunc progress,
                       gpointer progress_data)
{
  g_autoptr (GHashTable) by_text = g_hash_table_new (ns_hash_text, g_str_equal);
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (value_free);
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_stopped = FALSE;
  gboolean is_whole = TRUE;
  GHashTableIter iter;
  gpointer value;
  guint row;

  for (row = 0; row < n_rows && !is_stopped; row++)
    {
      is_whole = count_row (by_text, trace, field, row, text) && is_whole;
      is_stopped = progress != NULL && row % PROGRESS_ROWS == PROGRESS_ROWS - 1 &&
                   !progress ((double) row / n_rows, progress_data);
    }
  g_hash_table_iter_init (&iter, by_text);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    g_ptr_array_add (values, value);
  if (is_stopped)
    return NULL;
  g_ptr_array_sort (values, compare_values);
  if (is_cut != NULL)
    *is_cut = !is_whole || values->len > MAX_VALUES;
  if (values->len > MAX_VALUES)
    g_ptr_array_set_size (values, MAX_VALUES);
  return g_steal_pointer (&values);
}

/**
 * ns_filter_list_ranges:
 * @trace: a trace
 *
 * Returns: (transfer full) (element-type NsFilterValue): the names of time ranges available to
 *   filters of this trace, without repetition, in alphabetical order; rows are not counted
 */
GPtrArray *
ns_filter_list_ranges (const NsTrace *trace)
{
  g_auto (GStrv) names = ns_trace_list_named_ranges (trace);
  GPtrArray *values = g_ptr_array_new_with_free_func (value_free);
  guint i;

  for (i = 0; names[i] != NULL; i++)
    {
      NsFilterValue *value = g_new0 (NsFilterValue, 1);

      value->text = g_strdup (names[i]);
      g_ptr_array_add (values, value);
    }
  g_ptr_array_sort (values, compare_values);
  return values;
}
