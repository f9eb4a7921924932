/* The tables of traces in an SQLite database.
 *
 * A trace is one transaction: the database has all of it or nothing, even if the writing process is
 * killed. Several processes may write to one database, one after the other.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-extract-sqlite.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Maximum time to wait for another process that writes a trace. */
#define MAX_WAIT_MS (30 * 60 * 1000)

struct _NsExtractSqlite
{
  sqlite3 *database;
  char *path;
  const NsExtractSchema *schema;
  guint32 tables;
  sqlite3_stmt *inserts[NS_EXTRACT_N_TABLES];
  GString *scratch;
};

typedef struct
{
  NsExtractSqlite *sqlite;
  const NsExtractTable *table;
  sqlite3_stmt *insert;
  guint64 n_rows;
} Writer;

/* Columns that are indexed, in tables that have them. */
static const char *const indexed[] = { "trace_id", "start_utc", "process", "server", NULL };

static gboolean
refuse (const NsExtractSqlite *self, GError **error)
{
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_WRITE,
               _ ("“%s” cannot be written: %s"),
               self->path,
               sqlite3_errmsg (self->database));
  return FALSE;
}

static gboolean
run (NsExtractSqlite *self, const char *sql, GError **error)
{
  return sqlite3_exec (self->database, sql, NULL, NULL, NULL) == SQLITE_OK || refuse (self, error);
}

static const char *
get_type (NsTypedKind kind)
{
  return kind == NS_TYPED_BOOLEAN || kind == NS_TYPED_INTEGER ? "INTEGER" : "TEXT";
}

static gboolean
has_column (const NsExtractTable *table, const char *name)
{
  guint i;

  for (i = 0; i < table->n_columns; i++)
    if (strcmp (table->columns[i].name, name) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
make_table (NsExtractSqlite *self, const NsExtractTable *table, GError **error)
{
  g_autoptr (GString) sql = g_string_new (NULL);
  guint i;

  g_string_printf (sql, "CREATE TABLE IF NOT EXISTS \"%s\" (", table->name);
  for (i = 0; i < table->n_columns; i++)
    g_string_append_printf (sql,
                            "%s\"%s\" %s",
                            i > 0 ? ", " : "",
                            table->columns[i].name,
                            get_type (table->columns[i].kind));
  g_string_append (sql, ")");
  if (!run (self, sql->str, error))
    return FALSE;
  for (i = 0; indexed[i] != NULL; i++)
    {
      if (!has_column (table, indexed[i]))
        continue;
      g_string_printf (sql,
                       "CREATE INDEX IF NOT EXISTS \"%s_by_%s\" ON \"%s\" (\"%s\")",
                       table->name,
                       indexed[i],
                       table->name,
                       indexed[i]);
      if (!run (self, sql->str, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
prepare_insert (NsExtractSqlite *self, NsExtractTableId id, GError **error)
{
  const NsExtractTable *table = ns_extract_schema_get_table (self->schema, id);
  g_autoptr (GString) sql = g_string_new (NULL);
  guint i;

  g_string_printf (sql, "INSERT INTO \"%s\" (", table->name);
  for (i = 0; i < table->n_columns; i++)
    g_string_append_printf (sql, "%s\"%s\"", i > 0 ? ", " : "", table->columns[i].name);
  g_string_append (sql, ") VALUES (");
  for (i = 0; i < table->n_columns; i++)
    g_string_append (sql, i > 0 ? ",?" : "?");
  g_string_append (sql, ")");
  return sqlite3_prepare_v2 (self->database, sql->str, -1, &self->inserts[id], NULL) == SQLITE_OK ||
         refuse (self, error);
}

/* Views of rows with the frames of their stacks. */
static const char views[] =
    "CREATE VIEW IF NOT EXISTS activities_with_stacks AS SELECT a.*, f.frames AS first_frames, "
    "l.frames AS last_frames FROM activities a "
    "LEFT JOIN stacks f ON f.trace_id = a.trace_id AND f.stack_key = a.first_key "
    "LEFT JOIN stacks l ON l.trace_id = a.trace_id AND l.stack_key = a.last_key";

static gboolean
make_tables (NsExtractSqlite *self, GError **error)
{
  guint i;

  if (!run (self, "BEGIN IMMEDIATE", error))
    return FALSE;
  for (i = 0; i < NS_EXTRACT_N_TABLES; i++)
    if ((self->tables & 1u << i) != 0 &&
        !make_table (self, ns_extract_schema_get_table (self->schema, i), error))
      return FALSE;
  if ((self->tables & 1u << NS_EXTRACT_STACKS) != 0 &&
      (!run (self,
             "CREATE INDEX IF NOT EXISTS stacks_key ON stacks (trace_id, stack_key)",
             error) ||
       ((self->tables & 1u << NS_EXTRACT_ACTIVITIES) != 0 && !run (self, views, error))))
    return FALSE;
  return run (self, "COMMIT", error);
}

/**
 * ns_extract_sqlite_new:
 * @path: file of the database, created if it does not exist
 * @schema: descriptions of the tables; must outlive the result
 * @tables: a bit for each #NsExtractTableId to write
 * @mode: permission bits of a created file
 * @has_tables: the tables exist: to create them takes a lock, which another process may have
 * @error: %NS_TRACE_ERROR_WRITE
 *
 * Returns: (transfer full) (nullable): the database with its tables
 */
NsExtractSqlite *
ns_extract_sqlite_new (const char *path,
                       const NsExtractSchema *schema,
                       guint32 tables,
                       guint mode,
                       gboolean has_tables,
                       GError **error)
{
  NsExtractSqlite *self = g_new0 (NsExtractSqlite, 1);
  int fd = open (path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  gboolean ok = TRUE;
  guint i;

  /* Files that SQLite creates beside it have the same permissions. */
  if (fd >= 0)
    {
      ok = fchmod (fd, mode) == 0;
      close (fd);
    }
  self->path = g_strdup (path);
  self->schema = schema;
  self->tables = tables;
  self->scratch = g_string_new (NULL);
  if (sqlite3_open_v2 (path,
                       &self->database,
                       SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW,
                       NULL) != SQLITE_OK ||
      !ok)
    ok = refuse (self, error);
  if (ok)
    {
      sqlite3_busy_timeout (self->database, MAX_WAIT_MS);
      ok = has_tables || make_tables (self, error);
    }
  for (i = 0; i < NS_EXTRACT_N_TABLES && ok; i++)
    if ((tables & 1u << i) != 0)
      ok = prepare_insert (self, i, error);
  if (ok)
    return self;
  ns_extract_sqlite_free (self);
  return NULL;
}

/**
 * ns_extract_sqlite_free:
 * @self: (transfer full) (nullable): a database
 */
void
ns_extract_sqlite_free (NsExtractSqlite *self)
{
  guint i;

  if (self == NULL)
    return;
  for (i = 0; i < NS_EXTRACT_N_TABLES; i++)
    sqlite3_finalize (self->inserts[i]);
  sqlite3_close (self->database);
  g_string_free (self->scratch, TRUE);
  g_free (self->path);
  g_free (self);
}

/**
 * ns_extract_sqlite_has:
 * @self: a database
 * @id: identity of a trace
 *
 * Returns: whether the database has the trace
 */
gboolean
ns_extract_sqlite_has (NsExtractSqlite *self, const char *id)
{
  sqlite3_stmt *select = NULL;
  gboolean is_there = FALSE;

  if (sqlite3_prepare_v2 (self->database,
                          "SELECT 1 FROM trace WHERE trace_id = ?",
                          -1,
                          &select,
                          NULL) == SQLITE_OK &&
      sqlite3_bind_text (select, 1, id, -1, SQLITE_STATIC) == SQLITE_OK)
    is_there = sqlite3_step (select) == SQLITE_ROW;
  sqlite3_finalize (select);
  return is_there;
}

/**
 * ns_extract_sqlite_read_note:
 * @self: a database
 * @name: name of a note
 *
 * Returns: (transfer full) (nullable): the text that was stored under @name
 */
char *
ns_extract_sqlite_read_note (NsExtractSqlite *self, const char *name)
{
  sqlite3_stmt *select = NULL;
  char *text = NULL;

  /* This fails as long as there is no such table. */
  if (sqlite3_prepare_v2 (self->database,
                          "SELECT text FROM extract_notes WHERE name = ?",
                          -1,
                          &select,
                          NULL) == SQLITE_OK &&
      sqlite3_bind_text (select, 1, name, -1, SQLITE_STATIC) == SQLITE_OK &&
      sqlite3_step (select) == SQLITE_ROW)
    text = g_strdup ((const char *) sqlite3_column_text (select, 0));
  sqlite3_finalize (select);
  return text;
}

/**
 * ns_extract_sqlite_write_note:
 * @self: a database
 * @name: name of a note
 * @text: (nullable): its text; %NULL removes it
 *
 * Stores a note, in a table that is only made for notes.
 */
void
ns_extract_sqlite_write_note (NsExtractSqlite *self, const char *name, const char *text)
{
  char *sql = text != NULL
                  ? sqlite3_mprintf ("CREATE TABLE IF NOT EXISTS extract_notes"
                                     " (name TEXT PRIMARY KEY, text TEXT NOT NULL);"
                                     "INSERT OR REPLACE INTO extract_notes VALUES (%Q, %Q)",
                                     name,
                                     text)
                  : sqlite3_mprintf ("DELETE FROM extract_notes WHERE name = %Q", name);

  sqlite3_exec (self->database, sql, NULL, NULL, NULL);
  sqlite3_free (sql);
}

/**
 * ns_extract_sqlite_remove_failure:
 * @self: a database
 * @id: identity of a trace that could not be read
 *
 * Removes its row from the table of failures.
 */
void
ns_extract_sqlite_remove_failure (NsExtractSqlite *self, const char *id)
{
  char *sql = sqlite3_mprintf ("DELETE FROM \"%w\" WHERE trace_id = %Q",
                               ns_extract_table_to_name (NS_EXTRACT_FAILURES),
                               id);

  sqlite3_exec (self->database, sql, NULL, NULL, NULL);
  sqlite3_free (sql);
}

/* Binds a list as a JSON array. */
static int
bind_list (Writer *self, int place, const NsTypedCell *cell, NsTypedKind kind)
{
  GString *json = self->sqlite->scratch;

  g_string_truncate (json, 0);
  ns_typed_list_append_json (json, cell, kind);
  return sqlite3_bind_text (self->insert, place, json->str, -1, SQLITE_TRANSIENT);
}

static int
bind_cell (Writer *self, int place, const NsTypedCell *cell, NsTypedKind kind)
{
  g_autofree char *moment = NULL;

  if (cell->is_null)
    return sqlite3_bind_null (self->insert, place);
  switch (kind)
    {
    case NS_TYPED_BOOLEAN:
    case NS_TYPED_INTEGER:
      return sqlite3_bind_int64 (self->insert, place, cell->number);
    case NS_TYPED_TIMESTAMP:
      moment = ns_typed_moment_to_text (cell->number);
      return sqlite3_bind_text (self->insert, place, moment, -1, SQLITE_TRANSIENT);
    case NS_TYPED_TEXT:
      /* The text stays valid until the row is written. */
      return sqlite3_bind_text (self->insert, place, cell->text, -1, SQLITE_STATIC);
    case NS_TYPED_TEXTS:
    case NS_TYPED_INTEGERS:
    default:
      return bind_list (self, place, cell, kind);
    }
}

static gboolean
add_row (Writer *self, const NsTypedBatch *batch, guint row, GError **error)
{
  gboolean ok = TRUE;
  guint i;

  for (i = 0; i < self->table->n_columns && ok; i++)
    ok = bind_cell (self,
                    (int) i + 1,
                    ns_typed_batch_get (batch, i, row),
                    self->table->columns[i].kind) == SQLITE_OK;
  ok = ok && sqlite3_step (self->insert) == SQLITE_DONE;
  self->n_rows++;
  if (!ok)
    refuse (self->sqlite, error);
  sqlite3_reset (self->insert);
  return ok;
}

static gboolean
add_rows_cb (const NsTypedBatch *batch, gpointer user_data, GError **error)
{
  guint row;

  for (row = 0; row < batch->n_rows; row++)
    if (!add_row (user_data, batch, row, error))
      return FALSE;
  return TRUE;
}

static Writer
begin_table (NsExtractSqlite *self, NsExtractTableId id)
{
  return (Writer){ .sqlite = self,
                   .table = ns_extract_schema_get_table (self->schema, id),
                   .insert = self->inserts[id] };
}

static gboolean
delete_trace (NsExtractSqlite *self, const char *id, GError **error)
{
  guint i;

  for (i = 0; i < NS_EXTRACT_N_TABLES; i++)
    {
      char *sql;
      gboolean ok;

      if ((self->tables & 1u << i) == 0)
        continue;
      sql = sqlite3_mprintf ("DELETE FROM \"%w\" WHERE trace_id = %Q",
                             ns_extract_table_to_name (i),
                             id);
      ok = run (self, sql, error);
      sqlite3_free (sql);
      if (!ok)
        return FALSE;
    }
  return TRUE;
}

/* Commits, or rolls back on an error, so that no part of the trace is stored. */
static gboolean
end_transaction (NsExtractSqlite *self, gboolean ok, GError **error)
{
  if (ok && run (self, "COMMIT", error))
    return TRUE;
  sqlite3_exec (self->database, "ROLLBACK", NULL, NULL, NULL);
  return FALSE;
}

/**
 * ns_extract_sqlite_write:
 * @self: a database
 * @extract: an extract of a trace
 * @id: its identity
 * @n_rows: (out): number of rows written
 * @error: %NS_TRACE_ERROR_WRITE, %NS_TRACE_ERROR_CANCELLED
 *
 * Replaces all tables of a trace.
 *
 * Returns: %FALSE on error; the database is then unchanged
 */
gboolean
ns_extract_sqlite_write (NsExtractSqlite *self,
                         NsExtract *extract,
                         const char *id,
                         guint64 *n_rows,
                         GError **error)
{
  gboolean ok = run (self, "BEGIN IMMEDIATE", error);
  NsExtractTableId order[NS_EXTRACT_N_OF_ROWS];
  guint i;

  if (!ok)
    return FALSE;
  *n_rows = 0;
  ns_extract_list_order (order);
  ok = delete_trace (self, id, error);
  for (i = 0; i <= NS_EXTRACT_N_OF_ROWS && ok; i++)
    {
      NsExtractTableId table = i < NS_EXTRACT_N_OF_ROWS ? order[i] : NS_EXTRACT_TRACE;
      Writer writer;

      if ((self->tables & 1u << table) == 0)
        continue;
      writer = begin_table (self, table);
      ok = ns_extract_walk (extract, table, add_rows_cb, &writer, error);
      *n_rows += writer.n_rows;
    }
  return end_transaction (self, ok, error);
}

/**
 * ns_extract_sqlite_write_failure:
 * @self: a database
 * @options: identity and file of a trace that could not be read
 * @reason: the reason
 * @error: %NS_TRACE_ERROR_WRITE
 *
 * Adds the trace to the table of failures, and removes its rows from the other tables.
 *
 * Returns: %FALSE on error; the database is then unchanged
 */
gboolean
ns_extract_sqlite_write_failure (NsExtractSqlite *self,
                                 const NsExtractOptions *options,
                                 const char *reason,
                                 GError **error)
{
  Writer writer = begin_table (self, NS_EXTRACT_FAILURES);

  if (!run (self, "BEGIN IMMEDIATE", error))
    return FALSE;
  return end_transaction (
      self,
      delete_trace (self, options->id, error) &&
          ns_extract_walk_failure (options, reason, add_rows_cb, &writer, error),
      error);
}
