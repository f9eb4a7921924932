/* Text of a table cell and how it is shortened.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-guid.h"
#include "model/ns-session-moment.h"
#include "ui/table/ns-table-cell.h"

#include <string.h>

/* Maximum length of a text that is passed to Pango. */
#define MAX_BYTES 600

/**
 * ns_table_cell_is_numeric:
 * @field: a field
 *
 * Returns: whether its values are right-aligned
 */
gboolean
ns_table_cell_is_numeric (const NsField *field)
{
  /* Hexadecimal values are identifiers, not quantities. */
  return ns_field_type_is_number (field->type) && field->type != NS_TYPE_HEX;
}

/**
 * ns_table_cell_get_ellipsis:
 * @field: (nullable): a field
 * @text: one of its values
 *
 * Returns: where @text is ellipsized, so that its distinguishing part stays visible, such as a
 *   number at the end
 */
PangoEllipsizeMode
ns_table_cell_get_ellipsis (const NsField *field, const char *text)
{
  NsGuid guid;

  if (field != NULL &&
      (strcmp (field->id, "process_pid") == 0 || strcmp (field->id, "ip_port") == 0))
    return PANGO_ELLIPSIZE_MIDDLE;
  /* Both ends of a path matter: the drive or server, and the file name. */
  if (strchr (text, '\\') != NULL)
    return PANGO_ELLIPSIZE_MIDDLE;
  /* Provider names share the prefix Microsoft-Windows-; GUIDs of unnamed providers do not. */
  if (field != NULL &&
      (strcmp (field->id, "provider_name") == 0 ||
       field == ns_table_find_field (NS_TABLE_PROVIDERS, "name")) &&
      !ns_guid_from_text (&guid, text))
    return PANGO_ELLIPSIZE_START;
  return PANGO_ELLIPSIZE_END;
}

/**
 * ns_table_cell_keep_one_line: (skip)
 * @text: the text to change
 *
 * Replaces control characters by spaces and truncates @text to 600 bytes.
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

/* Returns the offset of the path in an HTTP URL or a UNC path on @server; 0 if there is none. */
static gsize
find_path (const char *url, const char *server)
{
  gsize begin = g_ascii_strncasecmp (url, "https://", 8) == 0  ? 8
                : g_ascii_strncasecmp (url, "http://", 7) == 0 ? 7
                                                               : 0;
  gsize n_server = strlen (server);
  gsize end = begin + n_server;

  /* In a UNC path, the part after the server: projects\plan.docx */
  if (n_server > 0 && g_str_has_prefix (url, "\\\\") &&
      g_ascii_strncasecmp (url + 2, server, n_server) == 0 && url[2 + n_server] == '\\')
    return 3 + n_server;
  if (begin == 0 || n_server == 0 || g_ascii_strncasecmp (url + begin, server, n_server) != 0)
    return 0;
  if (url[end] == ':')
    for (end++; g_ascii_isdigit (url[end]); end++)
      ;
  return url[end] == '/' ? end : 0;
}

/**
 * ns_table_cell_get_server: (skip)
 * @table: a table
 *
 * Returns: (nullable): the field with the server; .NET requests call it host
 */
const NsField *
ns_table_cell_get_server (NsTableId table)
{
  return ns_table_find_field (table, table == NS_TABLE_DOTNET ? "host" : "server");
}

/**
 * ns_table_cell_cut_server: (skip)
 * @session: a session
 * @table: a table with servers
 * @row: a row of it, 0-based
 * @text: the URL of the row
 *
 * Removes the scheme and server from @text when the server column already shows the server, which
 * leaves more room for the path.
 */
void
ns_table_cell_cut_server (NsSession *session, NsTableId table, guint32 row, GString *text)
{
  NsFieldValue value = { 0 };
  const NsField *field = ns_table_cell_get_server (table);

  if (field == NULL)
    return;
  ns_field_get (ns_session_get_trace (session), field, row, &value);
  if (!value.is_null && value.v.text != NULL)
    g_string_erase (text, 0, (gssize) find_path (text->str, value.v.text));
  ns_field_value_clear (&value);
}

/**
 * ns_table_cell_append_text:
 * @session: a session
 * @table: a table
 * @field: a field of it
 * @row: a row of it, 0-based
 * @text: the string to append to
 *
 * Appends the text of a cell on one line, with times in the clock of the session. Values that are
 * not known yet at the current playback position are shown as an ellipsis.
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
  const NsField *shown;

  if (!ns_session_is_known (session, table, field, row))
    {
      g_string_append (text, "…");
      return;
    }
  shown = ns_field_get_shown (trace, field, row, &value);
  if (shown != field && !ns_session_is_known (session, table, shown, row))
    {
      ns_field_value_clear (&value);
      g_string_append (text, "…");
      return;
    }
  if (!value.is_null && value.type == NS_TYPE_TIME && ns_time_is_set (value.v.i) &&
      wall != NS_WALL_TRACE)
    ns_wall_append (wall, trace, value.v.i, text);
  else
    ns_field_append_human (shown, &value, text);
  ns_field_value_clear (&value);
  ns_table_cell_keep_one_line (text);
}
