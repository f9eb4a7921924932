/* Which rows of a session are exported or copied.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-export.h"

/**
 * ns_session_export_get_usual:
 * @session: a session
 * @table: a table
 *
 * Returns: the selected rows, or all that the filter keeps when none of @table is selected
 */
NsSessionRows
ns_session_export_get_usual (NsSession *session, NsTableId table)
{
  return ns_session_export_count (session, table, NS_SESSION_SELECTED_ROWS) > 0
             ? NS_SESSION_SELECTED_ROWS
             : NS_SESSION_FILTERED_ROWS;
}

/**
 * ns_session_export_get_offered:
 * @session: a session
 * @table: a table
 *
 * One selected row is no choice of rows: looking at a row selects it.
 *
 * Returns: the rows to offer first where any can be chosen: the selected ones if they are several,
 *   else all that the filter keeps
 */
NsSessionRows
ns_session_export_get_offered (NsSession *session, NsTableId table)
{
  return ns_session_export_count (session, table, NS_SESSION_SELECTED_ROWS) > 1
             ? NS_SESSION_SELECTED_ROWS
             : NS_SESSION_FILTERED_ROWS;
}

/**
 * ns_session_export_count:
 * @session: a session
 * @table: a table
 * @which: a choice of its rows
 *
 * Returns: how many rows these are
 */
guint
ns_session_export_count (NsSession *session, NsTableId table, NsSessionRows which)
{
  switch (which)
    {
    case NS_SESSION_SELECTED_ROWS:
      return ns_session_get_selected_table (session) == table
                 ? ns_session_get_selected (session)->len
                 : 0;
    case NS_SESSION_FILTERED_ROWS:
      return ns_row_list_get_rows (ns_session_get_rows (session, table))->len;
    case NS_SESSION_ALL_ROWS:
    default:
      return ns_session_count_all (session, table);
    }
}

/**
 * ns_session_export_append_rows:
 * @session: a session
 * @table: a table
 * @which: a choice of its rows
 * @rows: (element-type guint32): takes them: as on the screen, and all rows in the order of the
 *   table
 */
void
ns_session_export_append_rows (NsSession *session,
                               NsTableId table,
                               NsSessionRows which,
                               GArray *rows)
{
  guint n_rows = ns_session_export_count (session, table, which);
  const GArray *some = which == NS_SESSION_SELECTED_ROWS
                           ? ns_session_get_selected (session)
                           : ns_row_list_get_rows (ns_session_get_rows (session, table));
  guint32 row;

  if (n_rows == 0)
    return;
  if (which != NS_SESSION_ALL_ROWS)
    g_array_append_vals (rows, some->data, n_rows);
  else
    for (row = 0; row < n_rows; row++)
      g_array_append_val (rows, row);
}
