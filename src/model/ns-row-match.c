/* The same row in a later reading of a trace that has grown: buffers of another processor may bring
 * older records, so that a row may have another number then. It still begins at the same moment.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-row-match.h"

static gboolean
get_begin (NsSession *session, NsTableId table, guint32 row, gint64 *begin_ns)
{
  NsTimeSpan span;

  if (row >= ns_table_get_n_rows (ns_session_get_trace (session), table) ||
      !ns_session_get_row_span (session, table, row, &span))
    return FALSE;
  *begin_ns = span.begin_ns;
  return TRUE;
}

/* How many rows before it begin at the same moment. */
static guint
count_twins (NsSession *session, NsTableId table, guint32 row, gint64 begin_ns)
{
  guint n_twins = 0;
  gint64 other_ns;

  while (row-- > 0)
    if (get_begin (session, table, row, &other_ns) && other_ns == begin_ns)
      n_twins++;
  return n_twins;
}

/**
 * ns_row_match_find:
 * @from: a session
 * @table: one of its tables
 * @row: a row of it, 0-based
 * @to: a session of the same trace, read later
 *
 * Returns: the row of @to that is that row, or %G_MAXUINT32
 */
guint32
ns_row_match_find (NsSession *from, NsTableId table, guint32 row, NsSession *to)
{
  guint n_rows = ns_table_get_n_rows (ns_session_get_trace (to), table);
  gint64 begin_ns;
  gint64 other_ns;
  guint n_twins;
  guint32 i;

  if (!get_begin (from, table, row, &begin_ns))
    return row < n_rows ? row : G_MAXUINT32;
  n_twins = count_twins (from, table, row, begin_ns);
  for (i = 0; i < n_rows; i++)
    if (get_begin (to, table, i, &other_ns) && other_ns == begin_ns && n_twins-- == 0)
      return i;
  return G_MAXUINT32;
}
