/* Builds the filter of the “follow” commands: connection, server, chain or process of a row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-follow.h"

#include "engine/net/packets/ns-packet-row.h"
#include "engine/tasks/ns-runs.h"
#include "engine/trace/ns-redirects.h"

#include <string.h>

/* Maximum number of ranges in a list; longer chains are truncated, so that the filter stays
 * readable. */
#define MAX_RANGES 1000
/* Maximum number of passes that search for related rows. */
#define MAX_ROUNDS 8

static const NsActivityRow *
get_row (const NsTrace *trace, guint32 row)
{
  return &g_array_index (trace->activities, NsActivityRow, row);
}

static char *
follow_address (const NsActivityRow *row, gboolean has_ports)
{
  char ip[NS_IP_TEXT_SIZE];

  if (row->remote->ip.family == 0)
    return NULL;
  ns_ip_to_text (&row->remote->ip, ip);
  if (!has_ports)
    return g_strdup_printf ("ip=%s", ip);
  if (row->remote->port == 0 || row->local->port == 0)
    return NULL;
  return g_strdup_printf ("ip=%s port=%u local_port=%u", ip, row->remote->port, row->local->port);
}

/* Selects the connection by the lowest layer recorded, which identifies it best. */
static char *
follow_connection (const NsActivityRow *row)
{
  if (row->tcp != 0)
    return g_strdup_printf ("tcp=%u", row->tcp);
  if (row->winsock != 0)
    return g_strdup_printf ("winsock=%u", row->winsock);
  if (row->connection != 0)
    return g_strdup_printf ("connection=0x%" G_GINT64_MODIFIER "x", row->connection);
  return follow_address (row, TRUE);
}

static char *
follow_server (const NsTrace *trace, const NsActivityRow *row)
{
  const NsField *field = ns_table_find_field (NS_TABLE_ACTIVITIES, "server");
  NsFieldValue value = { .type = NS_TYPE_TEXT };

  if (row->server == NS_STRING_NONE)
    return follow_address (row, FALSE);
  value.v.text = ns_trace_text (trace, row->server);
  return ns_filter_from_value (field, &value);
}

/* Returns the outermost queued work that led to a row; 0: none. */
static NsRunId
get_root (const NsTrace *trace, const NsActivityRow *row)
{
  if (row->link == 0 || trace->runs == NULL || row->link > trace->runs->summaries->len)
    return 0;
  return g_array_index (trace->runs->summaries, NsRunSummary, row->link - 1).root;
}

/* Returns the activity before a redirect; 0: none. */
static NsRow
get_redirect (const NsTrace *trace, NsRow activity)
{
  NsTableId table;
  NsRow row;

  if (!ns_redirects_find (trace, activity, &table, &row))
    return 0;
  return ns_redirects_get_activity (trace, table, ns_redirects_get_before (trace, table, row));
}

/* Marks both ends of a link if one of them is marked. */
static gboolean
join (guint8 *marks, guint n_rows, guint32 row, NsRow other)
{
  if (other == 0 || other > n_rows || marks[row] == marks[other - 1])
    return FALSE;
  marks[row] = marks[other - 1] = 1;
  return TRUE;
}

/* Marks rows with the same root, then repeatedly their children, parents and redirects. */
static void
mark_chain (const NsTrace *trace, guint32 begin, guint8 *marks)
{
  NsRunId root = get_root (trace, get_row (trace, begin));
  guint n_rows = trace->activities->len;
  gboolean has_more = TRUE;
  guint round;
  guint32 i;

  marks[begin] = 1;
  for (i = 0; i < n_rows && root != 0; i++)
    if (get_root (trace, get_row (trace, i)) == root)
      marks[i] = 1;
  for (round = 0; round < MAX_ROUNDS && has_more; round++)
    {
      has_more = FALSE;
      for (i = 0; i < n_rows; i++)
        {
          const NsActivityRow *row = get_row (trace, i);

          if (join (marks, n_rows, i, row->parent) ||
              join (marks, n_rows, i, get_redirect (trace, i + 1)))
            has_more = TRUE;
        }
    }
}

static char *
follow_chain (const NsTrace *trace, guint32 begin)
{
  guint n_rows = trace->activities->len;
  g_autofree guint8 *marks = g_new0 (guint8, n_rows);
  g_autoptr (GString) filter = g_string_new ("id in (");
  guint n_ranges = 0;
  guint32 i;

  mark_chain (trace, begin, marks);
  for (i = 0; i < n_rows && n_ranges < MAX_RANGES; i++)
    {
      guint32 first = i;

      if (!marks[i])
        continue;
      while (i + 1 < n_rows && marks[i + 1])
        i++;
      g_string_append_printf (filter, "%s%u", n_ranges++ > 0 ? "," : "", first + 1);
      if (i > first)
        g_string_append_printf (filter, "..%u", i + 1);
    }
  g_string_append_c (filter, ')');
  return g_string_free (g_steal_pointer (&filter), FALSE);
}

/* Returns the time at which the process ID was reused after this process; %G_MAXINT64: never. */
static gint64
find_successor (const NsTrace *trace, guint32 process)
{
  const NsProcessRow *one = &g_array_index (trace->processes, NsProcessRow, process);
  gint64 begin_ns = G_MAXINT64;
  guint32 i;

  for (i = 0; i < trace->processes->len; i++)
    {
      const NsProcessRow *other = &g_array_index (trace->processes, NsProcessRow, i);

      if (i != process && other->pid == one->pid && ns_time_is_set (other->start_ns) &&
          (!ns_time_is_set (one->start_ns) || other->start_ns > one->start_ns))
        begin_ns = MIN (begin_ns, other->start_ns);
    }
  return begin_ns;
}

static gboolean
is_number_used_again (const NsTrace *trace, guint32 process)
{
  const NsProcessRow *one = &g_array_index (trace->processes, NsProcessRow, process);
  guint32 i;

  for (i = 0; i < trace->processes->len; i++)
    if (i != process && g_array_index (trace->processes, NsProcessRow, i).pid == one->pid)
      return TRUE;
  return FALSE;
}

/**
 * ns_follow_process_to_filter:
 * @trace: a trace
 * @process: row of the table of processes, 0-based
 * @has_children: whether to include its descendants
 *
 * A reused process ID selects this process only.
 *
 * Returns: (transfer full): a filter of the master table for its rows
 */
char *
ns_follow_process_to_filter (const NsTrace *trace, guint32 process, gboolean has_children)
{
  const NsProcessRow *one;
  g_autoptr (GString) text = g_string_new (NULL);
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  gint64 end_ns;

  g_return_val_if_fail (process < trace->processes->len, NULL);

  one = &g_array_index (trace->processes, NsProcessRow, process);
  if (has_children && is_number_used_again (trace, process) && one->name != NS_STRING_NONE)
    g_string_append_printf (text,
                            "process_tree:\"%s (%u)\"",
                            ns_trace_text (trace, one->name),
                            one->pid);
  else if (has_children)
    g_string_append_printf (text, "process_tree:\"(%u)\"", one->pid);
  else
    g_string_append_printf (text, "pid=%u", one->pid);
  if (has_children || !is_number_used_again (trace, process))
    return g_string_free (g_steal_pointer (&text), FALSE);
  end_ns = find_successor (trace, process);
  if (ns_time_is_set (one->start_ns))
    g_string_append_printf (
        text,
        " open>=%ss",
        g_ascii_formatd (number, sizeof number, "%.9f", (double) one->start_ns / 1e9));
  if (end_ns != G_MAXINT64)
    g_string_append_printf (text,
                            " open<%ss",
                            g_ascii_formatd (number, sizeof number, "%.9f", (double) end_ns / 1e9));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * ns_follow_to_filter:
 * @trace: a trace
 * @what: what to follow
 * @row: row of the master table, 0-based
 *
 * Returns: (transfer full) (nullable): a filter of the master table for the related rows; %NULL:
 *   the row has no such property
 */
char *
ns_follow_to_filter (const NsTrace *trace, NsFollow what, guint32 row)
{
  g_return_val_if_fail (row < trace->activities->len, NULL);

  switch (what)
    {
    case NS_FOLLOW_CONNECTION:
      return follow_connection (get_row (trace, row));
    case NS_FOLLOW_SERVER:
      return follow_server (trace, get_row (trace, row));
    case NS_FOLLOW_CHAIN:
    default:
      return follow_chain (trace, row);
    }
}

/**
 * ns_follow_rows_to_filter:
 * @trace: a trace
 * @table: a table
 * @row: one of its rows, 0-based
 *
 * For tables with many rows per connection, such as calls or packets. Selects rows of the table,
 * not the operations that used the connection.
 *
 * Returns: (transfer full) (nullable): a filter of @table for rows of the same socket or
 *   connection; %NULL: the table has no such rows, or it is unknown
 */
char *
ns_follow_rows_to_filter (const NsTrace *trace, NsTableId table, guint32 row)
{
  if (table == NS_TABLE_CALLS && row < trace->calls->len)
    {
      const NsCallRow *call = &g_array_index (trace->calls, NsCallRow, row);

      if (call->winsock != 0)
        return g_strdup_printf ("winsock=%u", call->winsock);
      if (call->endpoint != 0)
        return g_strdup_printf ("endpoint=0x%" G_GINT64_MODIFIER "x", call->endpoint);
    }
  if (table == NS_TABLE_PACKETS && row < trace->packets->len)
    {
      NsRow tcp = ns_packet_row_get_tcp (trace, &g_array_index (trace->packets, NsPacketRow, row));

      if (tcp != 0)
        return g_strdup_printf ("tcp=%u", tcp);
    }
  return NULL;
}
