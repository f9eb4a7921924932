/* Selected rows, or all shown ones, to a file or the clipboard.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-export.h"
#include "ui/sheets/ns-export-dialog.h"

#include <glib/gi18n.h>
#include <string.h>

/**
 * ns_export_dialog_selected_to_text:
 * @session: a session
 * @view: the table in front
 *
 * Returns: (transfer full) (nullable): the selected rows as tab-separated text, for other programs
 */
char *
ns_export_dialog_selected_to_text (NsSession *session, NsTableView *view)
{
  g_autoptr (GPtrArray) fields = ns_table_view_list_fields (view);

  if (fields->len == 0)
    return NULL;
  return ns_session_export_to_text (session, ns_table_view_get_table (view), fields, NS_EXPORT_TSV);
}

/**
 * ns_export_dialog_text_to_html:
 * @text: rows as tab-separated text, titles first
 *
 * Returns: (transfer full): the same as a table, for mail and documents
 */
char *
ns_export_dialog_text_to_html (const char *text)
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
 * ns_export_dialog_content_new:
 * @session: a session
 * @view: the table in front
 *
 * Returns: (transfer full) (nullable): the selected rows for the clipboard, or to be dropped
 *   elsewhere: as text for spreadsheets, and as a table for documents
 */
GdkContentProvider *
ns_export_dialog_content_new (NsSession *session, NsTableView *view)
{
  g_autofree char *text = ns_export_dialog_selected_to_text (session, view);
  g_autofree char *html = NULL;
  g_autoptr (GBytes) bytes = NULL;
  GdkContentProvider *contents[2];

  if (text == NULL)
    return NULL;
  html = ns_export_dialog_text_to_html (text);
  bytes = g_bytes_new (html, strlen (html));
  contents[0] = gdk_content_provider_new_for_bytes ("text/html", bytes);
  contents[1] = gdk_content_provider_new_typed (G_TYPE_STRING, text);
  return gdk_content_provider_new_union (contents, G_N_ELEMENTS (contents));
}

/**
 * ns_export_dialog_selected_to_markdown:
 * @session: a session
 * @view: the table in front
 *
 * Returns: (transfer full) (nullable): the selected rows as a table for issue trackers
 */
char *
ns_export_dialog_selected_to_markdown (NsSession *session, NsTableView *view)
{
  g_autoptr (GPtrArray) fields = ns_table_view_list_fields (view);

  return fields->len > 0 ? ns_session_export_to_text (session,
                                                      ns_table_view_get_table (view),
                                                      fields,
                                                      NS_EXPORT_MARKDOWN)
                         : NULL;
}

/**
 * ns_export_dialog_selected_to_json:
 * @session: a session
 * @view: the table in front
 *
 * Returns: (transfer full) (nullable): the selected rows as JSON
 */
char *
ns_export_dialog_selected_to_json (NsSession *session, NsTableView *view)
{
  g_autoptr (GPtrArray) fields = ns_table_view_list_fields (view);

  return fields->len > 0 ? ns_session_export_to_text (session,
                                                      ns_table_view_get_table (view),
                                                      fields,
                                                      NS_EXPORT_JSON)
                         : NULL;
}

/**
 * ns_export_dialog_save:
 * @session: a session
 * @view: the table in front
 * @timeline: drawn into reports
 * @path: where to
 * @error: what went wrong
 *
 * Returns: whether the file was written
 */
gboolean
ns_export_dialog_save (NsSession *session,
                       NsTableView *view,
                       NsTimeline *timeline,
                       const char *path,
                       GError **error)
{
  g_autoptr (GPtrArray) fields = ns_table_view_list_fields (view);
  const char *dot = strrchr (path, '.');
  gboolean is_report = dot != NULL && g_ascii_strcasecmp (dot, ".html") == 0;
  g_autofree char *picture = is_report ? ns_timeline_dup_svg (timeline) : NULL;

  return ns_session_export_to_path (session,
                                    ns_table_view_get_table (view),
                                    fields,
                                    picture,
                                    path,
                                    error);
}

typedef struct
{
  NsSession *session;
  NsTableView *view;
  NsTimeline *timeline;
  GtkWindow *parent;
} Asked;

static void
asked_free (gpointer data, GClosure *closure)
{
  Asked *asked = data;

  g_object_unref (asked->session);
  g_object_unref (asked->view);
  g_object_unref (asked->timeline);
  g_free (asked);
}

static void
response_cb (GtkNativeDialog *dialog, int response, Asked *asked)
{
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  path = file != NULL ? g_file_get_path (file) : NULL;
  if (path != NULL &&
      !ns_export_dialog_save (asked->session, asked->view, asked->timeline, path, &error))
    {
      GtkWidget *message = gtk_message_dialog_new (asked->parent,
                                                   GTK_DIALOG_MODAL,
                                                   GTK_MESSAGE_ERROR,
                                                   GTK_BUTTONS_CLOSE,
                                                   "%s",
                                                   _ ("The rows could not be exported"));

      gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (message), "%s", error->message);
      g_signal_connect (message, "response", G_CALLBACK (gtk_window_destroy), NULL);
      gtk_window_present (GTK_WINDOW (message));
    }
  gtk_native_dialog_destroy (dialog);
  g_object_unref (dialog);
}

static void
add_filter (GtkFileChooser *chooser, const char *name, const char *suffix)
{
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, name);
  gtk_file_filter_add_suffix (filter, suffix);
  gtk_file_chooser_add_filter (chooser, filter);
}

/**
 * ns_export_dialog_show:
 * @parent: the window that asks
 * @session: a session
 * @view: the table in front
 * @timeline: drawn into reports
 *
 * Asks where to, and writes the selected rows there, or all shown ones when none is selected. The
 * ending of the name chooses the form.
 */
void
ns_export_dialog_show (GtkWindow *parent,
                       NsSession *session,
                       NsTableView *view,
                       NsTimeline *timeline)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_ ("Export Rows"),
                                                              parent,
                                                              GTK_FILE_CHOOSER_ACTION_SAVE,
                                                              _ ("_Export"),
                                                              _ ("_Cancel"));
  g_autofree char *name =
      g_strdup_printf ("%s.csv", ns_table_get_name (ns_table_view_get_table (view)));
  Asked *asked = g_new0 (Asked, 1);

  asked->session = g_object_ref (session);
  asked->view = g_object_ref (view);
  asked->timeline = g_object_ref (timeline);
  asked->parent = parent;
  add_filter (GTK_FILE_CHOOSER (dialog), _ ("Comma-separated values (.csv)"), "csv");
  add_filter (GTK_FILE_CHOOSER (dialog), _ ("Tab-separated values (.tsv)"), "tsv");
  add_filter (GTK_FILE_CHOOSER (dialog), _ ("JSON (.json)"), "json");
  add_filter (GTK_FILE_CHOOSER (dialog), _ ("Markdown (.md)"), "md");
  add_filter (GTK_FILE_CHOOSER (dialog), _ ("Report (.html)"), "html");
  if (ns_table_view_get_table (view) == NS_TABLE_ACTIVITIES)
    {
      add_filter (GTK_FILE_CHOOSER (dialog), _ ("HTTP archive (.har)"), "har");
      add_filter (GTK_FILE_CHOOSER (dialog), _ ("Perfetto (.perfetto.json)"), "perfetto.json");
      add_filter (GTK_FILE_CHOOSER (dialog),
                  _ ("Speedscope (.speedscope.json)"),
                  "speedscope.json");
    }
  else if (ns_table_view_get_table (view) == NS_TABLE_PACKETS)
    {
      add_filter (GTK_FILE_CHOOSER (dialog), _ ("Packet capture (.pcapng)"), "pcapng");
      add_filter (GTK_FILE_CHOOSER (dialog), _ ("Older packet capture (.pcap)"), "pcap");
    }
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  g_signal_connect_data (dialog, "response", G_CALLBACK (response_cb), asked, asked_free, 0);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}
