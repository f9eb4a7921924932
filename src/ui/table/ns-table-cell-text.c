/* What a cell of a table says.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-moment.h"
#include "ui/table/ns-table-cell.h"

/* Longer texts are cut before they are laid out. */
#define MAX_BYTES 600

/**
 * ns_table_cell_keep_one_line: (skip)
 * @text: a text that gets short enough for a cell
 */
void
ns_table_cell_keep_one_line (GString *text)
{
  gsize i;

  for (i = 0; i < text->len; i++)
    if (g_ascii_iscntrl (text->str[i]))
      text->str[i] = ' ';
  if (text->len > MAX_BYTES)
    g_string_truncate (text,
                       (gsize) (g_utf8_find_prev_char (text->str, text->str + MAX_BYTES) -
                                text->str));
}

/**
 * ns_table_cell_append_text:
 * @session: a session
 * @table: a table
 * @field: a field of it
 * @row: a row of it, 0-based
 * @text: what to append to
 *
 * Appends what a cell shows: one line, moments by the clock of the session. What a playback has not
 * come to yet is an ellipsis.
 */
void
ns_table_cell_append_text (NsSession *session,
                           NsTableId table,
                           const NsField *field,
                           guint32 row,
                           GString *text)
{
  NsTrace *trace = ns_session_get_trace (session);
  NsWall wall = ns_session_get_wall (session);
  NsFieldValue value = { 0 };
  const NsField *stand_in;

  if (!ns_session_is_known (session, table, field, row))
    {
      g_string_append (text, "…");
      return;
    }
  ns_field_get (trace, field, row, &value);
  if (value.is_null && (stand_in = ns_field_get_stand_in (field)) != NULL)
    {
      ns_field_value_clear (&value);
      field = stand_in;
      ns_field_get (trace, field, row, &value);
    }
  if (!value.is_null && value.type == NS_TYPE_TIME && ns_time_is_set (value.v.i) &&
      wall != NS_WALL_TRACE)
    ns_wall_append (wall, trace, value.v.i, text);
  else
    ns_field_append_human (field, &value, text);
  ns_field_value_clear (&value);
  ns_table_cell_keep_one_line (text);
}
