/* Exports tables of a session for analysis in other programs, as the command `extract` does.
 *
 * A Parquet file contains the table in front, an SQLite database all tables of the trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-tables.h"

#include <glib/gi18n-lib.h>

/* Permissions of a temporary file. */
#define PRIVATE 0600

struct _NsSessionTables
{
  NsTrace *trace;
  NsTableId table; /* the table in front */
  GArray *front;   /* guint32: rows of the table in front */
  GArray *empty;
  GArray *rows[NS_N_TABLES]; /* guint32: rows of each table in a database; NULL for all */
};

/**
 * ns_session_tables_new:
 * @session: a session
 * @table: the table in front
 * @which: its rows; determines those of the other tables: all, the filtered ones, or none if rows
 *   of @table are selected
 *
 * Captures the rows; later changes of filters have no effect.
 *
 * Returns: (transfer full): the captured rows
 */
NsSessionTables *
ns_session_tables_new (NsSession *session, NsTableId table, NsSessionRows which)
{
  NsSessionTables *self = g_new0 (NsSessionTables, 1);
  guint i;

  self->trace = ns_trace_ref (ns_session_get_trace (session));
  self->table = table;
  self->empty = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->front = g_array_new (FALSE, FALSE, sizeof (guint32));
  ns_session_export_append_rows (session, table, which, self->front);
  for (i = 0; i < NS_N_TABLES && which != NS_SESSION_ALL_ROWS; i++)
    {
      NsExtractTableId id;

      if (i == table)
        self->rows[i] = g_array_ref (self->front);
      else if (which == NS_SESSION_SELECTED_ROWS || !ns_extract_find_table (i, &id))
        self->rows[i] = g_array_ref (self->empty);
      else
        /* Arrays are immutable: another filter creates another array. */
        self->rows[i] =
            g_array_ref ((GArray *) ns_row_list_get_rows (ns_session_get_rows (session, i)));
    }
  return self;
}

/**
 * ns_session_tables_free:
 * @self: (transfer full) (nullable): rows of a session
 */
void
ns_session_tables_free (NsSessionTables *self)
{
  guint i;

  if (self == NULL)
    return;
  for (i = 0; i < NS_N_TABLES; i++)
    if (self->rows[i] != NULL)
      g_array_unref (self->rows[i]);
  g_array_unref (self->front);
  g_array_unref (self->empty);
  ns_trace_unref (self->trace);
  g_free (self);
}

/* Returns the ID of the trace: of all of its files, or from the name if a file can no longer be
 * read. */
static char *
make_id (const NsEtlFile *file, guint64 *size)
{
  guint n_inputs = ns_etl_file_get_n_inputs (file);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *only = NULL;
  guint i;

  *size = 0;
  for (i = 0; i < n_inputs; i++)
    {
      const NsEtlFile *input = n_inputs > 1 ? ns_etl_file_get_input (file, i) : file;
      const char *path = ns_etl_file_get_path (input);
      guint64 n_bytes;
      char *id = ns_extract_make_id (path, &n_bytes, NULL);

      if (id == NULL)
        id = g_compute_checksum_for_string (G_CHECKSUM_SHA256, path, -1);
      *size += n_bytes;
      g_checksum_update (checksum, (const guchar *) id, -1);
      g_free (only);
      only = id;
    }
  return g_strndup (n_inputs == 1 ? only : g_checksum_get_string (checksum), NS_EXTRACT_ID_DIGITS);
}

static gboolean
write_database (NsExtract *extract,
                const char *id,
                NsExportFile *file,
                guint64 *n_rows,
                GError **error)
{
  const char *path = ns_export_file_get_temporary (file);
  g_autoptr (NsExtractTarget) target = NULL;

  if (path == NULL)
    return ns_trace_refuse_query (error,
                                  "%s",
                                  _ ("A database can be written only to a regular file."));
  target = ns_extract_target_new (NS_EXTRACT_SQLITE,
                                  path,
                                  (1u << NS_EXTRACT_N_TABLES) - 1,
                                  PRIVATE,
                                  error);
  return target != NULL && ns_extract_target_write (target, extract, id, n_rows, error);
}

/**
 * ns_session_tables_write:
 * @self: captured rows
 * @form: %NS_EXTRACT_PARQUET or %NS_EXTRACT_SQLITE
 * @is_redacted: whether names of people and places are replaced
 * @file: the output file; is not committed
 * @progress: (nullable): called repeatedly with the written fraction; %FALSE cancels
 * @progress_data: for @progress
 * @n_rows: (out): number of rows written, of all tables
 * @error: %NS_TRACE_ERROR_WRITE, %NS_TRACE_ERROR_CANCELLED, or %NS_TRACE_ERROR_QUERY if the format
 *   does not support the table
 *
 * Returns: %FALSE on failure
 */
gboolean
ns_session_tables_write (const NsSessionTables *self,
                         NsExtractForm form,
                         gboolean is_redacted,
                         NsExportFile *file,
                         NsProgressFunc progress,
                         gpointer progress_data,
                         guint64 *n_rows,
                         GError **error)
{
  const GArray *rows[NS_N_TABLES];
  g_autofree char *name = g_path_get_basename (ns_etl_file_get_path (self->trace->file));
  g_autofree char *shown = g_filename_display_name (name);
  NsExtractOptions options = { .file = shown,
                               .is_redacted = is_redacted,
                               .rows = rows,
                               .progress = progress,
                               .progress_data = progress_data };
  g_autofree char *id = make_id (self->trace->file, &options.size);
  g_autoptr (NsExtract) extract = NULL;
  NsExtractTableId front;
  guint i;

  *n_rows = 0;
  options.id = id;
  for (i = 0; i < NS_N_TABLES; i++)
    rows[i] = form == NS_EXTRACT_SQLITE ? self->rows[i]
              : i == self->table        ? self->front
                                        : self->empty;
  extract = ns_extract_new (self->trace, &options);
  if (form == NS_EXTRACT_SQLITE)
    return write_database (extract, id, file, n_rows, error);
  if (form != NS_EXTRACT_PARQUET || !ns_extract_find_table (self->table, &front))
    return ns_trace_refuse_query (error,
                                  /* Translators: the title of a table. */
                                  _ ("Rows of the table “%s” cannot be exported for analysis."),
                                  g_dgettext (GETTEXT_PACKAGE, ns_table_get_title (self->table)));
  return ns_extract_write_table (extract, front, file, n_rows, error);
}
