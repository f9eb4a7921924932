/* Writes rows of a session: selected ones, or all that are shown.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-export.h"

#include "base/ns-error.h"
#include "export/ns-export-har.h"
#include "export/ns-export-html.h"
#include "export/ns-export-pcap.h"
#include "export/ns-export-perfetto.h"
#include "export/ns-export-speedscope.h"

#include <glib/gi18n-lib.h>

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

typedef gboolean (*RowsFunc) (const NsTrace *trace,
                              const guint32 *rows,
                              gsize n_rows,
                              NsExportWriteFunc write,
                              gpointer write_data,
                              GError **error);

/* Forms that hold rows of one table only, by the ending of the name; longer endings first. */
static const struct
{
  const char *ending;
  NsTableId table;
  RowsFunc write_rows;
} forms[] = {
  { ".har", NS_TABLE_ACTIVITIES, ns_export_har },
  { ".perfetto.json", NS_TABLE_ACTIVITIES, ns_export_perfetto },
  { ".speedscope.json", NS_TABLE_ACTIVITIES, ns_export_speedscope },
  { ".pcapng", NS_TABLE_PACKETS, ns_export_pcapng },
  { ".pcap", NS_TABLE_PACKETS, ns_export_pcap },
};

static gboolean
ends_with (const char *path, const char *ending)
{
  gsize length = strlen (path);
  gsize size = strlen (ending);

  return length >= size && g_ascii_strcasecmp (path + length - size, ending) == 0;
}

static gboolean
write_report (NsSession *session,
              const NsExportRows *rows,
              const char *picture,
              NsExportFile *file,
              GError **error)
{
  NsExportReport report = { .rows = *rows,
                            .chains = { .trace = rows->trace },
                            .filter = ns_session_get_filter (session, rows->table),
                            .picture = picture };

  return ns_export_html (&report, ns_export_file_write, file, error);
}

static gboolean
write_rows (NsSession *session,
            const NsExportRows *rows,
            const char *picture,
            const char *path,
            NsExportFile *file,
            GError **error)
{
  NsExportOptions options = { .format = format_of (path) };
  guint i;

  if (ends_with (path, ".html"))
    return write_report (session, rows, picture, file, error);
  for (i = 0; i < G_N_ELEMENTS (forms); i++)
    if (ends_with (path, forms[i].ending))
      {
        if (rows->table == forms[i].table)
          return forms[i].write_rows (rows->trace,
                                      rows->rows,
                                      rows->n_rows,
                                      ns_export_file_write,
                                      file,
                                      error);
        g_set_error (error,
                     NS_TRACE_ERROR,
                     NS_TRACE_ERROR_QUERY,
                     /* Translators: an ending of a file name, and the title of a table */
                     _ ("A file *%s holds rows of the table “%s”: bring that to the front first."),
                     forms[i].ending,
                     g_dgettext (GETTEXT_PACKAGE, ns_table_get_title (forms[i].table)));
        return FALSE;
      }
  return ns_export_table (rows, &options, ns_export_file_write, file, error);
}

/**
 * ns_session_export_to_path:
 * @session: a session
 * @table: a table
 * @fields: (element-type NsField): columns, in their order
 * @picture: (nullable): the timeline as SVG, for a report
 * @path: where to; its ending chooses the form, CSV if it says nothing
 * @error: %NS_TRACE_ERROR_WRITE, or %NS_TRACE_ERROR_QUERY when the form does not fit the rows
 *
 * Writes the selected rows of @table, or all shown ones when none is selected, whole or not at all.
 *
 * Returns: whether the file is there now
 */
gboolean
ns_session_export_to_path (NsSession *session,
                           NsTableId table,
                           const GPtrArray *fields,
                           const char *picture,
                           const char *path,
                           GError **error)
{
  g_autoptr (NsExportFile) file = ns_export_file_new (path, error);
  NsExportRows rows;

  if (file == NULL)
    return FALSE;
  fill_rows (session, table, fields, &rows);
  return write_rows (session, &rows, picture, path, file, error) &&
         ns_export_file_commit (file, error);
}
