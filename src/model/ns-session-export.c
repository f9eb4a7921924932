/* Writes rows of a session: selected ones, or all that are shown.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-file.h"
#include "model/ns-session-export.h"

#include <string.h>

static void
fill_rows (NsSession *session, NsTableId table, const GPtrArray *fields, NsExportRows *rows)
{
  const GArray *wanted = ns_session_get_selected (session);

  if (wanted->len == 0 || ns_session_get_selected_table (session) != table)
    wanted = ns_row_list_get_rows (ns_session_get_rows (session, table));
  rows->trace = ns_session_get_trace (session);
  rows->table = table;
  rows->rows = (const guint32 *) (gpointer) wanted->data;
  rows->n_rows = wanted->len;
  rows->fields = (const NsField *const *) fields->pdata;
  rows->n_fields = fields->len;
}

/**
 * ns_session_export_to_text:
 * @session: a session
 * @table: a table
 * @fields: (element-type NsField): columns, in their order
 * @format: the form
 *
 * Returns: (transfer full): the selected rows of @table, or all shown ones when none is selected
 */
char *
ns_session_export_to_text (NsSession *session,
                           NsTableId table,
                           const GPtrArray *fields,
                           NsExportFormat format)
{
  NsExportOptions options = { .format = format };
  NsExportRows rows;

  fill_rows (session, table, fields, &rows);
  return ns_export_table_to_text (&rows, &options);
}

static NsExportFormat
format_of (const char *path)
{
  const char *dot = strrchr (path, '.');
  NsExportFormat format = NS_EXPORT_CSV;

  if (dot == NULL)
    return format;
  if (g_ascii_strcasecmp (dot, ".md") == 0)
    return NS_EXPORT_MARKDOWN;
  if (g_ascii_strcasecmp (dot, ".txt") == 0)
    return NS_EXPORT_TEXT;
  ns_export_format_from_name (dot + 1, &format);
  return format;
}

/**
 * ns_session_export_to_path:
 * @session: a session
 * @table: a table
 * @fields: (element-type NsField): columns, in their order
 * @path: where to; its ending chooses the form, CSV if it says nothing
 * @error: %NS_TRACE_ERROR_WRITE
 *
 * Writes the selected rows of @table, or all shown ones when none is selected, whole or not at all.
 *
 * Returns: whether the file is there now
 */
gboolean
ns_session_export_to_path (NsSession *session,
                           NsTableId table,
                           const GPtrArray *fields,
                           const char *path,
                           GError **error)
{
  NsExportOptions options = { .format = format_of (path) };
  g_autoptr (NsExportFile) file = ns_export_file_new (path, error);
  NsExportRows rows;

  if (file == NULL)
    return FALSE;
  fill_rows (session, table, fields, &rows);
  return ns_export_table (&rows, &options, ns_export_file_write, file, error) &&
         ns_export_file_commit (file, error);
}
