/* Selects the rows of a session to export or copy.
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
 * Returns: the selected rows, or the filtered ones if no row of @table is selected
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
 * A single selected row does not count, because viewing a row selects it.
 *
 * Returns: the default choice in a dialog: the selected rows if there are several, else the
 *   filtered ones
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
 * Returns: the number of rows
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
 * @rows: (element-type guint32): receives the rows: in the order on the screen, or all in table
 *   order
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
