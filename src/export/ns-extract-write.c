/* The tables of a trace as files in a folder, or in a database.
 *
 * The layout of a folder is that of Hive: `activities/day=2026-01-31/part-ID.parquet`. Equal
 * traces make equal files on any machine. The file of the table `trace` is written last: if it
 * exists, the trace is complete. A table without rows has no file, except for one file per table
 * that has no rows at all, so that a query of `activities` works even if no trace has any.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-extract-target-private.h"

#include "base/ns-hash.h"
#include "base/ns-json-writer.h"
#include "base/ns-json.h"
#include "base/ns-time.h"
#include "export/ns-parquet.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

/* Value that Hive, Spark and DuckDB read as a null partition. */
#define NO_DAY "__HIVE_DEFAULT_PARTITION__"
#define DAY "day="
/* Name of the file without rows that each table has. */
#define NO_TRACE "none"
#define FOLDER_MODE 0777
#define PIECE_BYTES (64 * 1024)

static const char *const form_names[] = {
  [NS_EXTRACT_PARQUET] = "parquet",
  [NS_EXTRACT_JSONL] = "jsonl",
  [NS_EXTRACT_SQLITE] = "sqlite",
};

/* A table that is written to a file. */
typedef struct
{
  NsExportFile *file;
  NsExtractTableId id;
  const NsExtractTable *table;
  NsParquet *parquet; /* NULL: JSON lines */
  GString *lines;
  guint64 n_rows;
} Writer;

/**
 * ns_extract_form_from_name:
 * @name: "parquet" …
 * @form: (out): the form
 *
 * Returns: whether there is such a form
 */
gboolean
ns_extract_form_from_name (const char *name, NsExtractForm *form)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (form_names); i++)
    if (strcmp (form_names[i], name) == 0)
      {
        *form = i;
        return TRUE;
      }
  return FALSE;
}

/**
 * ns_extract_form_to_name: (skip)
 * @form: a form
 *
 * Returns: (transfer none): its name, which is also the ending of its files
 */
const char *
ns_extract_form_to_name (NsExtractForm form)
{
  return form_names[form];
}

/**
 * ns_extract_target_open_database: (skip)
 * @self: a target that is a database
 * @error: %NS_TRACE_ERROR_WRITE
 *
 * Returns: %FALSE with @error set if the database cannot be opened
 */
gboolean
ns_extract_target_open_database (NsExtractTarget *self, GError **error)
{
  if (self->database == NULL)
    self->database = ns_extract_sqlite_new (self->path,
                                            self->schema,
                                            self->tables,
                                            self->mode,
                                            self->has_tables,
                                            error);
  self->has_tables |= self->database != NULL;
  return self->database != NULL;
}

/**
 * ns_extract_target_new:
 * @form: file format
 * @path: folder, or file of the database
 * @tables: a bit for each #NsExtractTableId to write; the tables of traces and of failures are
 *   always written
 * @mode: permission bits of the files
 * @error: %NS_TRACE_ERROR_WRITE
 *
 * Returns: (transfer full) (nullable): the target of tables
 */
NsExtractTarget *
ns_extract_target_new (NsExtractForm form,
                       const char *path,
                       guint32 tables,
                       guint mode,
                       GError **error)
{
  g_autoptr (NsExtractTarget) self = g_new0 (NsExtractTarget, 1);

  self->form = form;
  self->schema = ns_extract_schema_new ();
  self->pool = ns_parquet_pool_new ();
  self->path = g_strdup (path);
  self->tables = tables | 1u << NS_EXTRACT_TRACE | 1u << NS_EXTRACT_FAILURES;
  self->mode = mode;
  self->written = g_ptr_array_new_with_free_func ((GDestroyNotify) ns_export_file_free);
  self->remains = g_hash_table_new_full (ns_hash_text,
                                         g_str_equal,
                                         g_free,
                                         (GDestroyNotify) g_hash_table_unref);
  if (form == NS_EXTRACT_SQLITE && !ns_extract_target_open_database (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * ns_extract_target_close_database:
 * @self: a target
 *
 * Closes the connection to the database, which is opened again when it is needed. SQLite allows no
 * connection in a process that forks another one.
 */
void
ns_extract_target_close_database (NsExtractTarget *self)
{
  g_clear_pointer (&self->database, ns_extract_sqlite_free);
}

/**
 * ns_extract_target_free:
 * @self: (transfer full) (nullable): a target
 */
void
ns_extract_target_free (NsExtractTarget *self)
{
  if (self == NULL)
    return;
  ns_extract_sqlite_free (self->database);
  ns_parquet_pool_free (self->pool);
  ns_extract_schema_free (self->schema);
  g_clear_pointer (&self->done, g_hash_table_unref);
  g_ptr_array_unref (self->written);
  g_hash_table_unref (self->remains);
  g_free (self->path);
  g_free (self);
}

static void
writer_clear (Writer *self)
{
  g_clear_pointer (&self->parquet, ns_parquet_free);
  g_clear_pointer (&self->file, ns_export_file_free);
  if (self->lines != NULL)
    g_string_free (g_steal_pointer (&self->lines), TRUE);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Writer, writer_clear)

static void
append_cell (GString *json, const NsTypedCell *cell, NsTypedKind kind)
{
  g_autofree char *moment = NULL;

  if (cell->is_null)
    {
      g_string_append (json, "null");
      return;
    }
  switch (kind)
    {
    case NS_TYPED_BOOLEAN:
      g_string_append (json, cell->number != 0 ? "true" : "false");
      break;
    case NS_TYPED_INTEGER:
      g_string_append_printf (json, "%" G_GINT64_FORMAT, cell->number);
      break;
    case NS_TYPED_TIMESTAMP:
      moment = ns_typed_moment_to_text (cell->number);
      ns_json_append_string (json, moment);
      break;
    case NS_TYPED_TEXT:
      ns_json_append_string (json, cell->text);
      break;
    case NS_TYPED_TEXTS:
    case NS_TYPED_INTEGERS:
    default:
      ns_typed_list_append_json (json, cell, kind);
      break;
    }
}

static void
append_row (Writer *self, const NsTypedBatch *batch, guint row)
{
  NsJsonWriter json = { .text = self->lines };
  guint i;

  ns_json_begin_object (&json, NULL);
  for (i = 0; i < self->table->n_columns; i++)
    {
      ns_json_begin_value (&json, self->table->columns[i].name);
      append_cell (self->lines, ns_typed_batch_get (batch, i, row), self->table->columns[i].kind);
    }
  ns_json_end_object (&json);
  g_string_append_c (self->lines, '\n');
}

static gboolean
add_rows_cb (const NsTypedBatch *batch, gpointer user_data, GError **error)
{
  Writer *self = user_data;
  guint row;

  self->n_rows += batch->n_rows;
  for (row = 0; row < batch->n_rows; row++)
    {
      append_row (self, batch, row);
      if (self->lines->len < PIECE_BYTES)
        continue;
      if (!ns_export_file_write (self->lines->str, self->lines->len, self->file, error))
        return FALSE;
      g_string_truncate (self->lines, 0);
    }
  return TRUE;
}

static void
add_cells_cb (guint column, const NsTypedCell *cells, guint n_cells, gpointer user_data)
{
  const Writer *self = user_data;

  ns_parquet_add_cells (self->parquet, column, cells, n_cells);
}

static void
add_numbers_cb (guint column, const NsTypedNumbers *numbers, guint n_rows, gpointer user_data)
{
  const Writer *self = user_data;

  ns_parquet_add_numbers (self->parquet, column, numbers, n_rows);
}

static gboolean
end_rows_cb (guint n_rows, gpointer user_data, GError **error)
{
  Writer *self = user_data;

  self->n_rows += n_rows;
  return ns_parquet_end_rows (self->parquet, n_rows, error);
}

static const NsExtractColumnFuncs parquet_funcs = { add_cells_cb, add_numbers_cb, end_rows_cb };

static gboolean
add_cells_of_row_cb (const NsTypedBatch *batch, gpointer user_data, GError **error)
{
  Writer *self = user_data;

  self->n_rows++;
  return ns_parquet_add_row (self->parquet, batch->cells, error);
}

static NsParquet *
make_parquet (NsExtractTableId id,
              const NsExtractTable *table,
              NsParquetPool *pool,
              NsExportFile *file)
{
  NsParquetOptions options = { .columns = table->columns,
                               .n_columns = table->n_columns,
                               .sorted_by = table->start_column,
                               .created_by = "netstitch version " NS_VERSION,
                               .schema_version = NS_EXTRACT_SCHEMA_VERSION,
                               .pool = pool };

  /* Requests are not sorted: those of each library follow each other. */
  if (id == NS_EXTRACT_HTTP)
    options.sorted_by = G_MAXUINT;
  return ns_parquet_new (&options, ns_export_file_write, file);
}

static gboolean
writer_begin (Writer *self, const NsExtractTarget *target, const char *path, GError **error)
{
  self->file = ns_export_file_new_held (path, FOLDER_MODE, error);
  if (self->file == NULL)
    return FALSE;
  ns_export_file_set_mode (self->file, target->mode);
  if (target->form == NS_EXTRACT_PARQUET)
    self->parquet = make_parquet (self->id, self->table, target->pool, self->file);
  else
    self->lines = g_string_sized_new (PIECE_BYTES + PIECE_BYTES / 4);
  return TRUE;
}

static gboolean
writer_end (Writer *self, GError **error)
{
  if (self->parquet != NULL)
    return ns_parquet_finish (self->parquet, error);
  return ns_export_file_write (self->lines->str, self->lines->len, self->file, error);
}

/**
 * ns_extract_target_commit:
 * @self: a target
 * @error: %NS_TRACE_ERROR_WRITE
 *
 * Renames the files that ns_extract_target_write() wrote, one trace after the other. The bytes of
 * all files are written to disk at the same time, so that waiting for them takes little longer than
 * for one.
 *
 * Returns: %FALSE on error
 */
gboolean
ns_extract_target_commit (NsExtractTarget *self, GError **error)
{
  gboolean ok = TRUE;
  guint i;

  for (i = 0; i < self->written->len && ok; i++)
    ok = ns_export_file_commit (self->written->pdata[i], error);
  g_ptr_array_set_size (self->written, 0);
  return ok;
}

static char *
get_folder (const NsExtractTarget *self, const char *table, const char *day)
{
  g_autofree char *part = g_strconcat (DAY, day != NULL ? day : NO_DAY, NULL);

  return g_build_filename (self->path, table, part, NULL);
}

/* A folder that was there before is not made anew: ns_export_file_new_held() does so if another
 * process removed it since. */
static char *
make_folder (const NsExtractTarget *self, const char *table, const char *day, GError **error)
{
  g_autofree char *path = get_folder (self, table, day);

  if (g_hash_table_contains (self->remains, path) || g_mkdir_with_parents (path, FOLDER_MODE) == 0)
    return g_steal_pointer (&path);
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_WRITE,
               _ ("the folder “%s” cannot be made: %s"),
               path,
               g_strerror (errno));
  return NULL;
}

static char *
make_name (const NsExtractTarget *self, const char *id)
{
  return g_strdup_printf ("part-%s.%s", id, form_names[self->form]);
}

/* Lists temporary files that killed runs left in a folder, by the name of the file: their names
 * have six more characters. */
static GHashTable *
list_remains (const NsExtractTarget *self, const char *folder)
{
  g_autofree char *end = g_strconcat (".", form_names[self->form], ".", NULL);
  GHashTable *remains =
      g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *found;

  while (dir != NULL && (found = g_dir_read_name (dir)) != NULL)
    {
      const char *at = strstr (found, end);
      char *name = at != NULL ? g_strndup (found, (gsize) (at - found) + strlen (end) - 1) : NULL;
      GPtrArray *list;

      if (name == NULL)
        continue;
      list = g_hash_table_lookup (remains, name);
      if (list == NULL)
        {
          list = g_ptr_array_new_with_free_func (g_free);
          g_hash_table_insert (remains, g_strdup (name), list);
        }
      g_ptr_array_add (list, g_build_filename (folder, found, NULL));
      g_free (name);
    }
  if (dir != NULL)
    g_dir_close (dir);
  return remains;
}

/* Removes leftovers of a file. A folder with the files of many traces is searched only once.
 * Returns whether anything was removed. */
static gboolean
remove_remains (NsExtractTarget *self, const char *folder, const char *name)
{
  GHashTable *remains = g_hash_table_lookup (self->remains, folder);
  const GPtrArray *list;
  gboolean is_any = FALSE;
  guint i;

  if (remains == NULL)
    {
      remains = list_remains (self, folder);
      g_hash_table_insert (self->remains, g_strdup (folder), remains);
    }
  list = g_hash_table_lookup (remains, name);
  for (i = 0; list != NULL && i < list->len; i++)
    is_any |= ns_export_file_remove_unheld (g_ptr_array_index (list, i));
  return is_any;
}

/* Removes one file of a table and its folder, if that is empty then. */
static void
remove_file (NsExtractTarget *self, const char *table, const char *day, const char *part)
{
  g_autofree char *folder = get_folder (self, table, day);
  g_autofree char *name = make_name (self, part);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  gboolean is_any;

  is_any = remove_remains (self, folder, name);
  is_any |= g_unlink (path) == 0;
  if (is_any)
    g_rmdir (folder);
}

/* Writes one table of one trace, to be committed. Without rows there is no file, and an earlier
 * one is removed. */
static gboolean
write_table (
    NsExtractTarget *self,
    NsExtractTableId id,
    const char *day,
    const char *part,
    gboolean (*walk) (gpointer source, NsExtractTableId id, Writer *writer, GError **error),
    gpointer source,
    guint64 *n_rows,
    GError **error)
{
  g_auto (Writer) writer = { .id = id, .table = ns_extract_schema_get_table (self->schema, id) };
  g_autofree char *name = make_name (self, part);
  g_autofree char *folder = make_folder (self, writer.table->name, day, error);
  g_autofree char *path = NULL;

  if (folder == NULL)
    return FALSE;
  remove_remains (self, folder, name);
  path = g_build_filename (folder, name, NULL);
  if (!writer_begin (&writer, self, path, error) || !walk (source, id, &writer, error))
    return FALSE;
  if (n_rows != NULL)
    *n_rows += writer.n_rows;
  if (writer.n_rows > 0 || strcmp (part, NO_TRACE) == 0)
    {
      if (!writer_end (&writer, error))
        return FALSE;
      ns_export_file_begin_commit (writer.file);
      g_ptr_array_add (self->written, g_steal_pointer (&writer.file));
      return TRUE;
    }
  writer_clear (&writer);
  remove_file (self, writer.table->name, day, part);
  g_rmdir (folder); /* stays where others are */
  return TRUE;
}

static gboolean
walk_extract (gpointer source, NsExtractTableId id, Writer *writer, GError **error)
{
  return writer->parquet != NULL
             ? ns_extract_walk_columns (source, id, &parquet_funcs, writer, error)
             : ns_extract_walk (source, id, add_rows_cb, writer, error);
}

/* Writes one table of one trace. Tables that cannot have rows are skipped first: for a small
 * trace, creating and removing a file takes longer than writing its rows. */
static gboolean
write_table_of_trace (NsExtractTarget *self,
                      NsExtract *extract,
                      NsExtractTableId id,
                      const char *day,
                      const char *part,
                      guint64 *n_rows,
                      GError **error)
{
  if (ns_extract_may_have_rows (extract, id))
    return write_table (self, id, day, part, walk_extract, extract, n_rows, error);
  remove_file (self, ns_extract_table_to_name (id), day, part);
  return TRUE;
}

static gboolean
walk_nothing (gpointer source, NsExtractTableId id, Writer *writer, GError **error)
{
  return TRUE;
}

typedef struct
{
  const NsExtractOptions *options;
  const char *reason;
} Failure;

static gboolean
walk_failure (gpointer source, NsExtractTableId id, Writer *writer, GError **error)
{
  const Failure *failure = source;

  return ns_extract_walk_failure (failure->options,
                                  failure->reason,
                                  writer->parquet != NULL ? add_cells_of_row_cb : add_rows_cb,
                                  writer,
                                  error);
}

/* Removes a file of a table, regardless of its day. */
static void
remove_part (const NsExtractTarget *self, NsExtractTableId id, const char *part)
{
  g_autofree char *table = g_build_filename (self->path, ns_extract_table_to_name (id), NULL);
  g_autofree char *name = make_name (self, part);
  GDir *dir = g_dir_open (table, 0, NULL);
  const char *day;

  while (dir != NULL && (day = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *folder = g_build_filename (table, day, NULL);
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_unlink (path) == 0)
        g_rmdir (folder);
    }
  if (dir != NULL)
    g_dir_close (dir);
}

/**
 * ns_extract_target_remove_remains:
 * @self: a target
 * @id: identity of a trace
 *
 * Removes temporary files that were left by the process that wrote the tables of a trace,
 * regardless of the day. Those of earlier runs are removed when the trace is written.
 */
void
ns_extract_target_remove_remains (NsExtractTarget *self, const char *id)
{
  g_autofree char *name = make_name (self, id);
  guint i;

  g_hash_table_remove_all (self->remains);
  for (i = 0; i < NS_EXTRACT_N_TABLES && self->form != NS_EXTRACT_SQLITE; i++)
    {
      g_autofree char *table = g_build_filename (self->path, ns_extract_table_to_name (i), NULL);
      GDir *dir = g_dir_open (table, 0, NULL);
      const char *day;

      while (dir != NULL && (day = g_dir_read_name (dir)) != NULL)
        {
          g_autofree char *folder = g_build_filename (table, day, NULL);

          remove_remains (self, folder, name);
          g_rmdir (folder); /* fails if it has other files */
        }
      if (dir != NULL)
        g_dir_close (dir);
    }
}

/**
 * ns_extract_target_begin:
 * @self: a target
 * @error: %NS_TRACE_ERROR_WRITE
 *
 * Creates the files without rows, which do not depend on the traces. Called once at the begin of a
 * run, not by its workers.
 *
 * Returns: %FALSE if the target cannot be written
 */
gboolean
ns_extract_target_begin (NsExtractTarget *self, GError **error)
{
  guint i;

  if (self->form == NS_EXTRACT_SQLITE)
    return TRUE;
  for (i = 0; i < NS_EXTRACT_N_TABLES; i++)
    if ((self->tables & 1u << i) != 0 &&
        !write_table (self, i, NULL, NO_TRACE, walk_nothing, NULL, NULL, error))
      return FALSE;
  return ns_extract_target_commit (self, error);
}

/**
 * ns_extract_target_get_schema:
 * @self: a target
 *
 * Returns: (transfer none): the descriptions of its tables, which extracts may share
 */
const NsExtractSchema *
ns_extract_target_get_schema (const NsExtractTarget *self)
{
  return self->schema;
}

/* Writes the tables; the one that marks the trace as complete is written last. */
static gboolean
write_tables (NsExtractTarget *self,
              NsExtract *extract,
              const char *id,
              const char *day,
              guint64 *n_rows,
              GError **error)
{
  NsExtractTableId order[NS_EXTRACT_N_OF_ROWS];
  guint i;

  ns_extract_list_order (order);
  for (i = 0; i < NS_EXTRACT_N_OF_ROWS; i++)
    if ((self->tables & 1u << order[i]) != 0 &&
        !write_table_of_trace (self, extract, order[i], day, id, n_rows, error))
      return FALSE;
  remove_part (self, NS_EXTRACT_FAILURES, id);
  return write_table_of_trace (self, extract, NS_EXTRACT_TRACE, day, id, n_rows, error);
}

/**
 * ns_extract_target_write:
 * @self: a target
 * @extract: an extract of a trace
 * @id: its identity
 * @n_rows: (out): number of rows written
 * @error: %NS_TRACE_ERROR_WRITE, %NS_TRACE_ERROR_CANCELLED
 *
 * Replaces all tables of a trace. In a folder, ns_extract_target_commit() makes the files visible;
 * in a database they are visible at once.
 *
 * Returns: %FALSE on error; traces written before can still be committed
 */
gboolean
ns_extract_target_write (NsExtractTarget *self,
                         NsExtract *extract,
                         const char *id,
                         guint64 *n_rows,
                         GError **error)
{
  g_autofree char *day = ns_extract_dup_day (extract);
  guint n_before = self->written->len;

  *n_rows = 0;
  if (self->form == NS_EXTRACT_SQLITE)
    return ns_extract_target_open_database (self, error) &&
           ns_extract_sqlite_write (self->database, extract, id, n_rows, error);
  /* Until it is written again, the trace is marked as incomplete. */
  remove_part (self, NS_EXTRACT_TRACE, id);
  if (write_tables (self, extract, id, day, n_rows, error))
    return TRUE;
  g_ptr_array_set_size (self->written, (gint) n_before);
  return FALSE;
}

/**
 * ns_extract_write_table:
 * @extract: an extract of a trace
 * @id: a table
 * @file: the output file, which is not committed
 * @n_rows: (out): number of rows written
 * @error: %NS_TRACE_ERROR_WRITE, %NS_TRACE_ERROR_CANCELLED
 *
 * Writes one table as Parquet, even if it has no rows.
 *
 * Returns: %FALSE on error
 */
gboolean
ns_extract_write_table (NsExtract *extract,
                        NsExtractTableId id,
                        NsExportFile *file,
                        guint64 *n_rows,
                        GError **error)
{
  g_auto (Writer)
      writer = { .table = ns_extract_schema_get_table (ns_extract_get_schema (extract), id) };
  gboolean ok;

  writer.parquet = make_parquet (id, writer.table, NULL, file);
  ok = ns_extract_walk_columns (extract, id, &parquet_funcs, &writer, error) &&
       ns_parquet_finish (writer.parquet, error);
  *n_rows = writer.n_rows;
  return ok;
}

/**
 * ns_extract_target_write_failure:
 * @self: a target
 * @options: identity and file of a trace that could not be read
 * @reason: the reason
 * @error: %NS_TRACE_ERROR_WRITE
 *
 * Adds the trace to the table of failures, and removes its rows from the other tables. Also commits
 * the traces written before.
 *
 * Returns: %FALSE on error
 */
gboolean
ns_extract_target_write_failure (NsExtractTarget *self,
                                 const NsExtractOptions *options,
                                 const char *reason,
                                 GError **error)
{
  Failure failure = { options, reason };
  guint i;

  if (self->form == NS_EXTRACT_SQLITE)
    return ns_extract_target_open_database (self, error) &&
           ns_extract_sqlite_write_failure (self->database, options, reason, error);
  for (i = NS_EXTRACT_N_TABLES; i-- > 0;)
    if (i != NS_EXTRACT_FAILURES)
      remove_part (self, i, options->id);
  return write_table (self,
                      NS_EXTRACT_FAILURES,
                      NULL,
                      options->id,
                      walk_failure,
                      &failure,
                      NULL,
                      error) &&
         ns_extract_target_commit (self, error);
}

/**
 * ns_extract_target_remove_failure: (skip)
 * @self: a target
 * @id: identity of a trace that could not be read
 *
 * Removes its row from the table of failures.
 */
void
ns_extract_target_remove_failure (NsExtractTarget *self, const char *id)
{
  if (self->form != NS_EXTRACT_SQLITE)
    remove_part (self, NS_EXTRACT_FAILURES, id);
  else if (ns_extract_target_open_database (self, NULL))
    ns_extract_sqlite_remove_failure (self->database, id);
}
