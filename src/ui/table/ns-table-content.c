/* The selected rows of a table as other programs take them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-export.h"
#include "ui/table/ns-table-content.h"

#include <string.h>

/**
 * ns_table_content_selected_to_text:
 * @session: a session
 * @view: the table in front
 *
 * Returns: (transfer full) (nullable): the selected rows as tab-separated text, for other programs
 */
char *
ns_table_content_selected_to_text (NsSession *session, NsTableView *view)
{
  g_autoptr (GPtrArray) fields = ns_table_view_list_fields (view);

  if (fields->len == 0)
    return NULL;
  return ns_session_export_to_text (session, ns_table_view_get_table (view), fields, NS_EXPORT_TSV);
}

/**
 * ns_table_content_text_to_html:
 * @text: rows as tab-separated text, titles first
 *
 * Returns: (transfer full): the same as a table, for mail and documents
 */
char *
ns_table_content_text_to_html (const char *text)
{
  GString *html = g_string_new ("<meta charset=\"utf-8\"><table>");
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint line;
  guint i;

  for (line = 0; lines[line] != NULL; line++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[line], "\t", -1);

      if (*lines[line] == '\0')
        continue;
      g_string_append (html, "<tr>");
      for (i = 0; cells[i] != NULL; i++)
        {
          g_autofree char *cell = g_markup_escape_text (cells[i], -1);

          g_string_append_printf (html, line == 0 ? "<th>%s</th>" : "<td>%s</td>", cell);
        }
      g_string_append (html, "</tr>\n");
    }
  g_string_append (html, "</table>");
  return g_string_free (html, FALSE);
}

/**
 * ns_table_content_new:
 * @session: a session
 * @view: the table in front
 *
 * Returns: (transfer full) (nullable): the selected rows for the clipboard, or to be dropped
 *   elsewhere: as text for spreadsheets, and as a table for documents
 */
GdkContentProvider *
ns_table_content_new (NsSession *session, NsTableView *view)
{
  g_autofree char *text = ns_table_content_selected_to_text (session, view);
  g_autofree char *html = NULL;
  g_autoptr (GBytes) bytes = NULL;
  GdkContentProvider *contents[2];

  if (text == NULL)
    return NULL;
  html = ns_table_content_text_to_html (text);
  bytes = g_bytes_new (html, strlen (html));
  contents[0] = gdk_content_provider_new_for_bytes ("text/html", bytes);
  contents[1] = gdk_content_provider_new_typed (G_TYPE_STRING, text);
  return gdk_content_provider_new_union (contents, G_N_ELEMENTS (contents));
}

/**
 * ns_table_content_selected_to_markdown:
 * @session: a session
 * @view: the table in front
 *
 * Returns: (transfer full) (nullable): the selected rows as a table for issue trackers
 */
char *
ns_table_content_selected_to_markdown (NsSession *session, NsTableView *view)
{
  g_autoptr (GPtrArray) fields = ns_table_view_list_fields (view);

  return fields->len > 0 ? ns_session_export_to_text (session,
                                                      ns_table_view_get_table (view),
                                                      fields,
                                                      NS_EXPORT_MARKDOWN)
                         : NULL;
}

/**
 * ns_table_content_selected_to_json:
 * @session: a session
 * @view: the table in front
 *
 * Returns: (transfer full) (nullable): the selected rows as JSON
 */
char *
ns_table_content_selected_to_json (NsSession *session, NsTableView *view)
{
  g_autoptr (GPtrArray) fields = ns_table_view_list_fields (view);

  return fields->len > 0 ? ns_session_export_to_text (session,
                                                      ns_table_view_get_table (view),
                                                      fields,
                                                      NS_EXPORT_JSON)
                         : NULL;
}
