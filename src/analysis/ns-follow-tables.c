/* Builds a filter for each table that selects the rows of a set of operations.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-follow-tables.h"

#include "query/ns-row-events.h"

/* Maximum number of ranges in a list; longer filters are unreadable and slow. */
#define MAX_RANGES 1000

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint32 left = *(const guint32 *) a;
  guint32 right = *(const guint32 *) b;

  return left < right ? -1 : left > right;
}

/* Formats sorted numbers, each increased by @add, as `1..3,7`; NULL: there are none, or too
 * many. */
static char *
list_numbers (GArray *numbers, guint32 add)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_ranges = 0;
  guint i;

  g_array_sort (numbers, compare_numbers);
  for (i = 0; i < numbers->len; i++)
    {
      guint32 first = g_array_index (numbers, guint32, i);

      while (i + 1 < numbers->len &&
             g_array_index (numbers, guint32, i + 1) <= g_array_index (numbers, guint32, i) + 1)
        i++;
      if (++n_ranges > MAX_RANGES)
        return NULL;
      g_string_append_printf (text, "%s%u", n_ranges > 1 ? "," : "", first + add);
      if (g_array_index (numbers, guint32, i) > first)
        g_string_append_printf (text, "..%u", g_array_index (numbers, guint32, i) + add);
    }
  return numbers->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static const NsActivityRow *
get_row (const NsTrace *trace, const GArray *rows, guint i)
{
  return &g_array_index (trace->activities, NsActivityRow, g_array_index (rows, guint32, i));
}

static char *
list_processes (const NsTrace *trace, const GArray *rows, guint32 pid)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) pids = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint i;

  if (pid != NS_PID_UNKNOWN && g_hash_table_add (seen, GUINT_TO_POINTER (pid)))
    g_array_append_val (pids, pid);
  for (i = 0; i < rows->len; i++)
    {
      guint32 one = get_row (trace, rows, i)->pid;

      if (one != NS_PID_UNKNOWN && g_hash_table_add (seen, GUINT_TO_POINTER (one)))
        g_array_append_val (pids, one);
    }
  return list_numbers (pids, 0);
}

/* Lists the connections of the operations. A connection that serves several operations refers to
 * one of them only, so connections are selected by their own numbers. */
static char *
list_connections (const NsTrace *trace, const GArray *rows, NsTableId table)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint i;

  for (i = 0; i < rows->len; i++)
    {
      const NsActivityRow *row = get_row (trace, rows, i);
      guint32 number = table == NS_TABLE_TCP              ? row->tcp
                       : table == NS_TABLE_WINSOCK        ? row->winsock
                       : table == NS_TABLE_KERNEL_NETWORK ? row->kernel_network
                                                          : 0;

      if (number != 0)
        g_array_append_val (numbers, number);
    }
  return list_numbers (numbers, 0);
}

/* Builds the filter of a table for these operations; @by_process: for their processes. */
static char *
find_table (const NsTrace *trace,
            const GArray *rows,
            NsTableId table,
            const char *activities,
            const char *pids,
            gboolean by_process)
{
  const NsField *activity = ns_table_find_field (table, "activity");
  const NsField *pid = ns_table_find_field (table, "pid");
  g_autofree char *connections = NULL;

  if (!by_process && activities != NULL && activity != NULL && activity->type == NS_TYPE_ROW)
    {
      connections = list_connections (trace, rows, table);
      if (connections == NULL)
        return g_strdup_printf ("activity in (%s)", activities);
      return g_strdup_printf ("(activity in (%s) or id in (%s))", activities, connections);
    }
  if (pids != NULL && pid != NULL && pid->type == NS_TYPE_UINT)
    return g_strdup_printf ("pid in (%s)", pids);
  return NULL;
}

/* Filters findings by their operations; if there are too many, by their processes. */
static char *
find_findings (const GArray *rows, const char *pids, gboolean by_process)
{
  g_autoptr (GString) list = g_string_new (NULL);
  guint i;

  if (rows->len == 0 || ((by_process || rows->len > MAX_RANGES) && pids == NULL))
    return NULL;
  if (by_process || rows->len > MAX_RANGES)
    return g_strdup_printf ("pid in (%s)", pids);
  for (i = 0; i < rows->len; i++)
    g_string_append_printf (list, "%s%u", i > 0 ? "," : "", g_array_index (rows, guint32, i) + 1);
  return g_strdup_printf ("activities in (%s)", list->str);
}

/**
 * ns_follow_tables_find:
 * @trace: a trace
 * @filter: a filter of its operations
 * @pid: the followed process, or %NS_PID_UNKNOWN
 * @progress: (nullable) (scope call): called regularly; stops if it returns %FALSE
 * @progress_data: for @progress
 *
 * Selects rows of the operations that @filter selects. Rows that do not refer to an operation are
 * selected by process, as are all rows if a process is followed. Findings are selected if they are
 * about one of the operations. The table of providers is not filtered.
 *
 * Returns: (transfer full) (nullable): the filters, with @filter itself for operations; %NULL if
 *   stopped, or if @filter is invalid
 */
NsFollowTables *
ns_follow_tables_find (const NsTrace *trace,
                       const char *filter,
                       guint32 pid,
                       NsProgressFunc progress,
                       gpointer progress_data)
{
  g_autoptr (NsFilter) parsed = ns_filter_new (NS_TABLE_ACTIVITIES, filter, NULL, NULL);
  g_autoptr (NsFollowTables) self = g_new0 (NsFollowTables, 1);
  g_autofree char *activities = NULL;
  g_autofree char *pids = NULL;
  NsTableId table;

  if (parsed == NULL)
    return NULL;
  self->rows = ns_filter_run (parsed, trace, NS_TABLE_ACTIVITIES, progress, progress_data);
  if (self->rows == NULL)
    return NULL;
  activities = list_numbers (self->rows, 1);
  pids = list_processes (trace, self->rows, pid);
  for (table = 0; table < NS_N_TABLES; table++)
    if (table != NS_TABLE_ACTIVITIES && table != NS_TABLE_FINDINGS)
      self->filters[table] =
          find_table (trace, self->rows, table, activities, pids, pid != NS_PID_UNKNOWN);
  self->filters[NS_TABLE_ACTIVITIES] = g_strdup (filter);
  self->filters[NS_TABLE_FINDINGS] = find_findings (self->rows, pids, pid != NS_PID_UNKNOWN);
  return g_steal_pointer (&self);
}

/**
 * ns_follow_tables_find_events:
 * @trace: a trace
 * @rows: (element-type guint32): operations, 0-based
 * @progress: (nullable) (scope call): called regularly; stops if it returns %FALSE
 * @progress_data: for @progress
 *
 * Searches the records that belong to operations.
 *
 * Returns: (transfer full) (nullable): a filter of the table of events; %NULL if stopped, or if
 *   there are no records or too many to list
 */
char *
ns_follow_tables_find_events (const NsTrace *trace,
                              const GArray *rows,
                              NsProgressFunc progress,
                              gpointer progress_data)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree char *list = NULL;
  guint i;
  guint k;

  if (rows->len > NS_FOLLOW_MAX_ROWS)
    return NULL;
  for (i = 0; i < rows->len; i++)
    {
      g_autoptr (NsRowEvents) found = ns_row_events_find (trace,
                                                          NS_TABLE_ACTIVITIES,
                                                          g_array_index (rows, guint32, i),
                                                          progress,
                                                          progress_data);

      if (found == NULL || found->is_cut)
        return NULL;
      for (k = 0; k < found->events->len; k++)
        g_array_append_val (numbers, g_array_index (found->events, NsRowEvent, k).event);
    }
  list = list_numbers (numbers, 0);
  return list != NULL ? g_strdup_printf ("n in (%s)", list) : NULL;
}

/**
 * ns_follow_tables_free:
 * @self: (transfer full) (nullable): filters
 */
void
ns_follow_tables_free (NsFollowTables *self)
{
  guint i;

  if (self == NULL)
    return;
  for (i = 0; i < NS_N_TABLES; i++)
    g_free (self->filters[i]);
  g_clear_pointer (&self->rows, g_array_unref);
  g_free (self);
}
