/* Content provider for dragged or copied rows: as text, as an HTML table, and as a file.
 *
 * The content is generated only when the receiving program requests a MIME type, and then in a
 * thread, because there may be a million rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/table/ns-rows-content.h"

#include "ui/ns-settings.h"

#include <string.h>

#define URI_LIST "text/uri-list"
#define HTML "text/html"
#define TEXT_UTF8 "text/plain;charset=utf-8"
#define TEXT "text/plain"

struct _NsRowsContent
{
  GdkContentProvider parent_instance;

  NsExportJob *job;
  NsRowsPurpose purpose;
  char *name; /* of the exported file */
};

G_DEFINE_FINAL_TYPE (NsRowsContent, ns_rows_content, GDK_TYPE_CONTENT_PROVIDER)

/* Offered MIME types, in order of preference. For a file list, the format is that of the file. */
static const struct
{
  NsRowsPurpose purpose;
  const char *mime_type;
  NsExportFormat format;
} offers[] = {
  { NS_ROWS_DRAGGED, URI_LIST, NS_EXPORT_CSV },
  { NS_ROWS_DRAGGED, HTML, NS_EXPORT_HTML },
  { NS_ROWS_DRAGGED, TEXT_UTF8, NS_EXPORT_TSV },
  { NS_ROWS_DRAGGED, TEXT, NS_EXPORT_TSV },
  { NS_ROWS_COPIED, HTML, NS_EXPORT_TSV },
  { NS_ROWS_COPIED, TEXT_UTF8, NS_EXPORT_TSV },
  { NS_ROWS_COPIED, TEXT, NS_EXPORT_TSV },
  { NS_ROWS_MARKDOWN, TEXT_UTF8, NS_EXPORT_MARKDOWN },
  { NS_ROWS_MARKDOWN, TEXT, NS_EXPORT_MARKDOWN },
  { NS_ROWS_JSON, TEXT_UTF8, NS_EXPORT_JSON },
  { NS_ROWS_JSON, TEXT, NS_EXPORT_JSON },
};

static GdkContentFormats *
ns_rows_content_ref_formats (GdkContentProvider *provider)
{
  GdkContentFormatsBuilder *builder = gdk_content_formats_builder_new ();
  guint i;

  for (i = 0; i < G_N_ELEMENTS (offers); i++)
    if (offers[i].purpose == NS_ROWS_CONTENT (provider)->purpose)
      gdk_content_formats_builder_add_mime_type (builder, offers[i].mime_type);
  return gdk_content_formats_builder_free_to_formats (builder);
}

/* Exports the rows to a file in a folder with mode 0700 and returns its URI. */
static char *
write_file (NsRowsContent *self, GCancellable *cancellable, char **folder, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *uri = NULL;

  *folder = g_dir_make_tmp ("netstitch-XXXXXX", error);
  if (*folder == NULL)
    return NULL;
  path = g_build_filename (*folder, self->name, NULL);
  if (!ns_export_job_run (self->job, path, cancellable, error))
    return NULL;
  uri = g_filename_to_uri (path, NULL, error);
  return uri != NULL ? g_strconcat (uri, "\r\n", NULL) : NULL;
}

/* One request of the receiver. */
typedef struct
{
  guint offer;
  GOutputStream *stream;
  int priority;
  char *text;
  char *folder; /* (nullable) */
} Request;

static void
request_free (gpointer data)
{
  Request *request = data;

  g_object_unref (request->stream);
  g_free (request->text);
  g_free (request->folder);
  g_free (request);
}

/* Converts tab-separated text to an HTML table for mail programs and word processors. */
static char *
text_to_html (const char *text)
{
  GString *html = g_string_new ("<meta charset=\"utf-8\"><table>");
  const char *tag = "th";

  while (*text != '\0')
    {
      gsize length = strcspn (text, "\n");
      const char *end = text + length;

      if (length > 0)
        g_string_append (html, "<tr>");
      while (text < end)
        {
          gsize n_bytes = MIN (strcspn (text, "\t\n"), (gsize) (end - text));
          g_autofree char *cell = g_markup_escape_text (text, (gssize) n_bytes);

          g_string_append_printf (html, "<%s>%s</%s>", tag, cell, tag);
          text += n_bytes;
          /* A tab at the end of a line is followed by an empty cell. */
          if (text < end && ++text == end)
            g_string_append_printf (html, "<%s></%s>", tag, tag);
        }
      if (length > 0)
        g_string_append (html, "</tr>\n");
      tag = "td";
      text = *end == '\n' ? end + 1 : end;
    }
  g_string_append (html, "</table>");
  return g_string_free (html, FALSE);
}

static char *
make_text (NsRowsContent *self, guint offer)
{
  char *text = ns_export_job_to_text (self->job, offers[offer].format);
  char *html;

  if (self->purpose != NS_ROWS_COPIED || strcmp (offers[offer].mime_type, HTML) != 0)
    return text;
  html = text_to_html (text);
  g_free (text);
  return html;
}

static void
text_worker (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  NsRowsContent *self = source;
  Request *request = data;
  GError *error = NULL;

  if (strcmp (offers[request->offer].mime_type, URI_LIST) == 0)
    request->text = write_file (self, cancellable, &request->folder, &error);
  else
    request->text = make_text (self, request->offer);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, request->text != NULL);
}

static void
written_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;

  if (g_output_stream_write_all_finish (G_OUTPUT_STREAM (source), result, NULL, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
text_made_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GTask *made = G_TASK (result);
  Request *request = g_task_get_task_data (made);
  GError *error = NULL;

  if (request->folder != NULL)
    ns_handed_files_add (ns_settings_get_handed_files (), request->folder);
  if (!g_task_propagate_boolean (made, &error))
    {
      if (error == NULL)
        error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "no text");
      g_task_return_error (task, error);
      return;
    }
  /* Keep the text alive until it is written. */
  g_task_set_task_data (task, g_object_ref (made), g_object_unref);
  g_output_stream_write_all_async (request->stream,
                                   request->text,
                                   strlen (request->text),
                                   request->priority,
                                   g_task_get_cancellable (task),
                                   written_cb,
                                   g_object_ref (task));
}

static void
ns_rows_content_write_mime_type_async (GdkContentProvider *provider,
                                       const char *mime_type,
                                       GOutputStream *stream,
                                       int io_priority,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (provider, cancellable, callback, user_data);
  g_autoptr (GTask) making = NULL;
  Request *request;
  guint i = 0;

  g_task_set_source_tag (task, ns_rows_content_write_mime_type_async);
  while (i < G_N_ELEMENTS (offers) && (offers[i].purpose != NS_ROWS_CONTENT (provider)->purpose ||
                                       strcmp (offers[i].mime_type, mime_type) != 0))
    i++;
  if (i == G_N_ELEMENTS (offers))
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "no %s", mime_type);
      return;
    }
  request = g_new0 (Request, 1);
  request->offer = i;
  request->stream = g_object_ref (stream);
  request->priority = io_priority;
  making = g_task_new (provider, cancellable, text_made_cb, g_steal_pointer (&task));
  g_task_set_task_data (making, request, request_free);
  g_task_run_in_thread (making, text_worker);
}

static gboolean
ns_rows_content_write_mime_type_finish (GdkContentProvider *provider,
                                        GAsyncResult *result,
                                        GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
ns_rows_content_finalize (GObject *object)
{
  NsRowsContent *self = NS_ROWS_CONTENT (object);

  g_clear_object (&self->job);
  g_free (self->name);
  G_OBJECT_CLASS (ns_rows_content_parent_class)->finalize (object);
}

static void
ns_rows_content_class_init (NsRowsContentClass *klass)
{
  GdkContentProviderClass *provider_class = GDK_CONTENT_PROVIDER_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ns_rows_content_finalize;
  provider_class->ref_formats = ns_rows_content_ref_formats;
  provider_class->write_mime_type_async = ns_rows_content_write_mime_type_async;
  provider_class->write_mime_type_finish = ns_rows_content_write_mime_type_finish;
}

static void
ns_rows_content_init (NsRowsContent *self)
{
}

/**
 * ns_rows_content_new:
 * @session: a session
 * @view: the table whose rows are exported
 * @purpose: what the rows are used for
 *
 * Captures the current selection; later changes of it have no effect.
 *
 * Returns: (transfer full) (nullable): a provider of the formats for @purpose; %NULL when the table
 *   shows no column
 */
GdkContentProvider *
ns_rows_content_new (NsSession *session, NsTableView *view, NsRowsPurpose purpose)
{
  NsRowsContent *self;
  NsTableId table = ns_table_view_get_table (view);
  g_autoptr (GPtrArray) fields = ns_table_view_list_fields (view);
  const NsSessionExport what = { .table = table,
                                 .rows = purpose == NS_ROWS_DRAGGED
                                             ? NS_SESSION_SELECTED_ROWS
                                             : ns_session_export_get_usual (session, table),
                                 .fields = fields };

  if (fields->len == 0)
    return NULL;
  self = g_object_new (NS_TYPE_ROWS_CONTENT, NULL);
  self->purpose = purpose;
  self->job = ns_export_job_new (session, &what);
  self->name = g_strconcat (ns_table_get_name (table), ".csv", NULL);
  return GDK_CONTENT_PROVIDER (self);
}
