/* Keeps the selection when another table comes to the front: selects the rows of the same
 * operations.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-follow.h"

/* Maximum number of selected rows; more would make the table slow. */
#define NS_SESSION_MAX_FOLLOWED 1000

/* Returns the operation of a row, 0-based; G_MAXUINT32 if it has none. */
static guint32
activity_of (const NsTrace *trace, const NsField *field, guint row)
{
  guint32 activity = G_MAXUINT32;
  NsFieldValue value;

  if (field == NULL)
    return row;
  ns_field_get (trace, field, row, &value);
  if (!value.is_null && value.v.u > 0)
    activity = (guint32) (value.v.u - 1);
  ns_field_value_clear (&value);
  return activity;
}

/**
 * ns_session_follow:
 * @session: a session
 * @table: the table that comes to the front
 *
 * Selects the rows of @table that belong to the selected operations, for example the socket and the
 * connection of a request, or the request of a socket. Keeps the selection if there are none.
 */
void
ns_session_follow (NsSession *session, NsTableId table)
{
  NsTrace *trace = ns_session_get_trace (session);
  const guint8 *marked = ns_session_get_marked (session);
  const NsField *field =
      table != NS_TABLE_ACTIVITIES ? ns_table_find_field (table, "activity") : NULL;
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n_rows = ns_table_get_n_rows (trace, table);
  guint32 row;

  if (ns_session_get_selected_table (session) == table ||
      ns_session_get_selected (session)->len == 0 ||
      (field == NULL && table != NS_TABLE_ACTIVITIES))
    return;
  for (row = 0; row < n_rows && rows->len < NS_SESSION_MAX_FOLLOWED; row++)
    {
      guint32 activity = activity_of (trace, field, row);

      if (activity < trace->activities->len && marked[activity])
        g_array_append_val (rows, row);
    }
  if (rows->len > 0)
    ns_session_select (session, table, &g_array_index (rows, guint32, 0), rows->len);
}
