/* The tables of a trace as typed columns, for programs that read many traces at once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-extract-private.h"

#include "base/ns-time.h"
#include "export/ns-export-rows.h"
#include "export/ns-redact.h"
#include "query/ns-order.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DAY_CHARS 10 /* 2026-01-31 */
/* So seldom is told how far it is. */
#define ROWS_PER_LOOK 1024

/* Rows of one table of the trace on their way. */
typedef struct
{
  NsExtract *extract;
  const NsExtractShape *shape;
  guint layer;
  const NsRedact *redact;
  NsTypedCell *cells;
  NsFieldValue *values; /* which cells point into */
  GPtrArray *texts;     /* (element-type utf8): made for the row */
} Walk;

static guint
count_rows (const NsExtract *self, NsTableId table)
{
  const GArray *rows = self->options.rows != NULL ? self->options.rows[table] : NULL;

  return rows != NULL ? rows->len : ns_table_get_n_rows (self->trace, table);
}

/**
 * ns_extract_new:
 * @trace: a trace; lives longer
 * @options: how it is to be told; what it points to lives longer
 *
 * Returns: (transfer full): what tells its tables
 */
NsExtract *
ns_extract_new (const NsTrace *trace, const NsExtractOptions *options)
{
  NsExtract *self = g_new0 (NsExtract, 1);
  guint i;
  guint j;

  self->trace = trace;
  self->options = *options;
  if (options->stacks != NS_EXTRACT_STACKS_NONE)
    self->keys = ns_extract_keys_new (trace);
  if (!options->is_redacted)
    self->machine = g_strdup (ns_etl_file_get_machine (trace->file));
  for (i = 0; i < NS_EXTRACT_N_TABLES; i++)
    for (j = 0; j < ns_extract_get_shape (i)->n_tables; j++)
      self->n_rows += count_rows (self, ns_extract_get_shape (i)->tables[j]);
  return self;
}

/**
 * ns_extract_free:
 * @self: (transfer full) (nullable): what told a trace's tables
 */
void
ns_extract_free (NsExtract *self)
{
  if (self == NULL)
    return;
  ns_extract_keys_free (self->keys);
  g_free (self->machine);
  g_free (self);
}

/**
 * ns_extract_dup_day:
 * @self: what tells a trace's tables
 *
 * Returns: (transfer full) (nullable): the day in UTC on which the trace begins: `2026-01-31`
 */
char *
ns_extract_dup_day (const NsExtract *self)
{
  g_autofree char *iso =
      ns_time_filetime_to_iso (ns_etl_file_ns_to_filetime (self->trace->file, 0), 0, TRUE);

  return iso != NULL && strlen (iso) > DAY_CHARS ? g_strndup (iso, DAY_CHARS) : NULL;
}

/* What the JSON of a row says as a text. */
static void
set_made_text (Walk *self, const NsField *field, const NsFieldValue *value, NsTypedCell *cell)
{
  GString *text = g_string_new (NULL);
  char *made;

  ns_field_append_raw (field, value, text);
  made = g_string_free (text, FALSE);
  g_ptr_array_add (self->texts, made);
  ns_typed_cell_set_text (cell, made);
}

static void
set_value (Walk *self, const NsField *field, const NsFieldValue *value, NsTypedCell *cell)
{
  switch (value->type)
    {
    case NS_TYPE_TEXT:
    case NS_TYPE_GUID:
      ns_typed_cell_set_text (cell, value->v.text);
      break;
    case NS_TYPE_HEX:
    case NS_TYPE_IP:
    case NS_TYPE_OBJECT:
      set_made_text (self, field, value, cell);
      break;
    case NS_TYPE_LIST:
      ns_typed_cell_set_list (cell, value->list);
      break;
    case NS_TYPE_INT:
    case NS_TYPE_TIME:
    case NS_TYPE_DURATION:
      ns_typed_cell_set_number (cell, value->v.i);
      break;
    case NS_TYPE_UINT:
    case NS_TYPE_COUNT:
    case NS_TYPE_BYTES:
    case NS_TYPE_BOOL:
    case NS_TYPE_PORT:
    case NS_TYPE_ROW:
    default:
      ns_typed_cell_set_number (cell, (gint64) MIN (value->v.u, G_MAXINT64));
      break;
    }
}

/* Tables that share a column may have its values otherwise: a handle of one is a number of another.
 */
static void
set_value_of_kind (Walk *self,
                   NsTypedKind kind,
                   const NsField *field,
                   const NsFieldValue *value,
                   NsTypedCell *cell)
{
  gboolean is_list = value->type == NS_TYPE_LIST;
  gboolean is_text = value->type == NS_TYPE_TEXT || value->type == NS_TYPE_GUID ||
                     value->type == NS_TYPE_HEX || value->type == NS_TYPE_IP ||
                     value->type == NS_TYPE_OBJECT;

  if (kind == NS_TYPED_TEXT && !is_text)
    set_made_text (self, field, value, cell);
  else if (kind == NS_TYPED_TEXT                                 ? is_text
           : kind == NS_TYPED_TEXTS || kind == NS_TYPED_INTEGERS ? is_list
                                                                 : !is_text && !is_list)
    set_value (self, field, value, cell);
}

/* Reads the field once; cells point into what was read until the row is done. */
static void
read_field (Walk *self, guint column, const NsField *field, guint row)
{
  NsFieldValue *value = &self->values[column];

  ns_field_get (self->extract->trace, field, row, value);
  if (self->redact != NULL)
    ns_redact_apply (self->redact, field, value);
  if (!value->is_null)
    set_value_of_kind (self,
                       self->shape->table.columns[column].kind,
                       field,
                       value,
                       &self->cells[column]);
}

/* Fields that are lists of frames: in rows only where that was asked for. */
static gboolean
is_left_empty (const NsExtract *self, const NsField *field)
{
  static const char *const frames[] = { "stack",
                                        "first_stack",
                                        "middle_stacks",
                                        "last_stack",
                                        NULL };

  return self->options.stacks != NS_EXTRACT_STACKS_FULL && field->type == NS_TYPE_LIST &&
         g_strv_contains (frames, field->id);
}

/* The way of calls, with the names of frames that were made for the rows before. */
static void
read_path (Walk *self, guint row, NsTypedCell *cell)
{
  NsExtract *extract = self->extract;
  char *path;

  if (extract->keys == NULL || extract->options.is_redacted)
    return;
  path = ns_extract_keys_dup_path (extract->keys, row);
  g_ptr_array_add (self->texts, path);
  ns_typed_cell_set_text (cell, path);
}

static void
read_keys (Walk *self, guint column, guint row)
{
  const char *first;
  const char *last;

  if (self->extract->keys == NULL)
    return;
  ns_extract_keys_find (self->extract->keys, row, &first, &last);
  ns_typed_cell_set_text (&self->cells[column], first);
  ns_typed_cell_set_text (&self->cells[column + 1], last);
}

static void
read_cell (Walk *self, guint column, guint row)
{
  NsExtract *extract = self->extract;
  const NsExtractColumn *origin = &self->shape->columns[column];
  const NsField *field = origin->fields[self->layer];
  NsTypedCell *cell = &self->cells[column];

  cell->is_null = TRUE;
  self->values[column] = (NsFieldValue){ .is_null = TRUE };
  switch (origin->origin)
    {
    case NS_EXTRACT_OF_TRACE_ID:
      ns_typed_cell_set_text (cell, extract->options.id);
      break;
    case NS_EXTRACT_OF_MACHINE:
      ns_typed_cell_set_text (cell, extract->machine);
      break;
    case NS_EXTRACT_OF_START:
      if (field == NULL)
        ns_typed_cell_set_number (cell, ns_extract_to_utc (extract, 0));
      else
        read_field (self, column, field, row);
      if (field != NULL && !cell->is_null)
        ns_typed_cell_set_number (cell, ns_extract_to_utc (extract, cell->number));
      break;
    case NS_EXTRACT_OF_MOMENT:
      if (field != NULL)
        read_field (self, column, field, row);
      if (!cell->is_null)
        ns_typed_cell_set_number (cell, ns_extract_to_utc (extract, cell->number));
      break;
    case NS_EXTRACT_OF_FIELD:
      if (field != NULL && strcmp (field->id, "stack_path") == 0)
        read_path (self, row, cell);
      else if (field != NULL && !is_left_empty (extract, field))
        read_field (self, column, field, row);
      break;
    case NS_EXTRACT_OF_LAYER:
      ns_typed_cell_set_text (cell, ns_table_get_name (self->shape->tables[self->layer]));
      break;
    case NS_EXTRACT_OF_FIRST_KEY: /* and the column behind it, which is of the last one */
      read_keys (self, column, row);
      break;
    case NS_EXTRACT_OF_LAST_KEY:
    case NS_EXTRACT_OF_NUMBER:
    default:
      break;
    }
}

static void
read_row (Walk *self, guint row)
{
  guint column;

  for (column = self->shape->table.n_columns; column-- > 0;)
    read_cell (self, column, row);
}

static void
clear_row (Walk *self)
{
  guint column;

  for (column = 0; column < self->shape->table.n_columns; column++)
    ns_field_value_clear (&self->values[column]);
  g_ptr_array_set_size (self->texts, 0);
}

static gboolean
refuse_stopped (GError **error)
{
  g_set_error_literal (error, NS_TRACE_ERROR, NS_TRACE_ERROR_CANCELLED, _ ("stopped"));
  return FALSE;
}

/* In the order of their begin. */
static GArray *
order_rows (const NsExtract *self, NsTableId table, const NsField *start)
{
  guint n_rows = count_rows (self, table);
  const GArray *wanted = self->options.rows != NULL ? self->options.rows[table] : NULL;
  GArray *rows = g_array_sized_new (FALSE, FALSE, sizeof (guint32), n_rows);
  NsOrderKey key = { start, FALSE };
  guint32 row;

  if (wanted != NULL)
    g_array_append_vals (rows, wanted->data, n_rows);
  else
    for (row = 0; row < n_rows; row++)
      g_array_append_val (rows, row);
  if (start != NULL)
    ns_order_sort (self->trace, &key, 1, rows, NULL, NULL);
  return rows;
}

/* Looks at the same as who asked for the list of what is replaced. */
static NsRedact *
look (const NsExtract *self, NsTableId table)
{
  const GArray *wanted = self->options.rows != NULL ? self->options.rows[table] : NULL;
  guint n_fields;
  const NsField *fields = ns_table_get_fields (table, &n_fields);
  g_autofree const NsField **list = g_new0 (const NsField *, n_fields + 1);
  NsExportRows all = { .trace = self->trace,
                       .table = table,
                       .rows = wanted != NULL ? (const guint32 *) (gpointer) wanted->data : NULL,
                       .n_rows = count_rows (self, table),
                       .fields = list,
                       .n_fields = n_fields };
  NsRedactOptions options = { .progress = self->options.progress,
                              .progress_data = self->options.progress_data };
  guint i;

  for (i = 0; i < n_fields; i++)
    list[i] = &fields[i];
  return ns_redact_new (&all, &options);
}

static gboolean
tell_progress (const NsExtract *self)
{
  return self->options.progress == NULL ||
         self->options.progress (MIN (1, (double) self->n_told / (double) MAX (self->n_rows, 1)),
                                 self->options.progress_data);
}

static gboolean
walk_layer (Walk *self, NsExtractRowFunc func, gpointer user_data, GError **error)
{
  NsExtract *extract = self->extract;
  NsTableId table = self->shape->tables[self->layer];
  g_autoptr (GArray) rows =
      order_rows (extract,
                  table,
                  self->shape->columns[self->shape->table.start_column].fields[self->layer]);
  g_autoptr (NsRedact) redact = NULL;
  gboolean ok = TRUE;
  guint i;

  if (extract->options.is_redacted && rows->len > 0)
    {
      redact = look (extract, table);
      if (redact == NULL)
        return refuse_stopped (error);
    }
  self->redact = redact;
  for (i = 0; i < rows->len && ok; i++)
    {
      read_row (self, g_array_index (rows, guint32, i));
      ok = func (self->cells, user_data, error);
      clear_row (self);
      extract->n_told++;
      if (ok && i % ROWS_PER_LOOK == 0 && !tell_progress (extract))
        ok = refuse_stopped (error);
    }
  self->redact = NULL;
  return ok;
}

static gboolean
walk_stacks (NsExtract *self, NsExtractRowFunc func, gpointer user_data, GError **error)
{
  NsTypedCell cells[NS_EXTRACT_N_COMMON + 3] = { 0 };
  const char *first;
  const char *last;
  const GArray *wanted =
      self->options.rows != NULL ? self->options.rows[NS_TABLE_ACTIVITIES] : NULL;
  guint i;

  if (self->keys == NULL)
    return TRUE;
  /* The same rows name them, whether they are written or not. */
  for (i = 0; i < count_rows (self, NS_TABLE_ACTIVITIES); i++)
    ns_extract_keys_find (self->keys,
                          wanted != NULL ? g_array_index (wanted, guint32, i) : i,
                          &first,
                          &last);
  ns_extract_set_common (self, cells);
  for (i = 0; i < ns_extract_keys_get_n (self->keys); i++)
    {
      const GPtrArray *frames;

      ns_typed_cell_set_text (&cells[NS_EXTRACT_N_COMMON],
                              ns_extract_keys_get (self->keys, i, &frames));
      ns_typed_cell_set_number (&cells[NS_EXTRACT_N_COMMON + 1], frames->len);
      ns_typed_cell_set_list (&cells[NS_EXTRACT_N_COMMON + 2], frames);
      if (!func (cells, user_data, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * ns_extract_walk:
 * @self: what tells a trace's tables
 * @id: which table
 * @func: (scope call): takes its rows, in the order of their begin
 * @user_data: for @func
 * @error: of @func, or %NS_TRACE_ERROR_CANCELLED
 *
 * Returns: %FALSE when it was stopped
 */
gboolean
ns_extract_walk (NsExtract *self,
                 NsExtractTableId id,
                 NsExtractRowFunc func,
                 gpointer user_data,
                 GError **error)
{
  Walk walk = { .extract = self, .shape = ns_extract_get_shape (id) };
  gboolean ok = TRUE;

  if (id == NS_EXTRACT_STACKS)
    return walk_stacks (self, func, user_data, error);
  if (id == NS_EXTRACT_TRACE)
    return ns_extract_walk_trace (self, func, user_data, error);
  walk.cells = g_new0 (NsTypedCell, walk.shape->table.n_columns);
  walk.values = g_new0 (NsFieldValue, walk.shape->table.n_columns);
  walk.texts = g_ptr_array_new_with_free_func (g_free);
  for (walk.layer = 0; walk.layer < walk.shape->n_tables && ok; walk.layer++)
    ok = walk_layer (&walk, func, user_data, error);
  g_ptr_array_unref (walk.texts);
  g_free (walk.values);
  g_free (walk.cells);
  return ok;
}

/**
 * ns_extract_walk_failure:
 * @options: what is known of a trace that could not be read
 * @reason: why
 * @func: (scope call): takes the row
 * @user_data: for @func
 * @error: of @func
 *
 * The row of the table of failures.
 *
 * Returns: %FALSE when it was stopped
 */
gboolean
ns_extract_walk_failure (const NsExtractOptions *options,
                         const char *reason,
                         NsExtractRowFunc func,
                         gpointer user_data,
                         GError **error)
{
  NsTypedCell cells[NS_EXTRACT_N_COMMON + 5];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cells); i++)
    cells[i] = (NsTypedCell){ .is_null = TRUE };
  ns_typed_cell_set_text (&cells[0], options->id);
  if (!options->is_redacted)
    ns_typed_cell_set_text (&cells[NS_EXTRACT_N_COMMON], options->file);
  ns_typed_cell_set_number (&cells[NS_EXTRACT_N_COMMON + 1], (gint64) options->size);
  if (!options->is_redacted)
    ns_typed_cell_set_text (&cells[NS_EXTRACT_N_COMMON + 2], reason);
  ns_typed_cell_set_text (&cells[NS_EXTRACT_N_COMMON + 3], NS_VERSION);
  ns_typed_cell_set_text (&cells[NS_EXTRACT_N_COMMON + 4], NS_EXTRACT_SCHEMA_VERSION);
  return func (cells, user_data, error);
}

static gboolean
hash_part (GChecksum *checksum, int fd, guint64 begin, guint64 n_bytes)
{
  g_autofree guchar *buffer = g_malloc (MAX (n_bytes, 1)); /* at most NS_EXTRACT_ID_BYTES */
  guint64 done = 0;

  while (done < n_bytes)
    {
      gssize n = pread (fd, buffer, n_bytes - done, (off_t) (begin + done));

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return n == 0;
      g_checksum_update (checksum, buffer, n);
      done += (guint64) n;
    }
  return TRUE;
}

/**
 * ns_extract_make_id:
 * @path: file of a trace
 * @size: (out): its length in bytes
 * @error: %NS_TRACE_ERROR_OPEN
 *
 * The identity of a trace: the first 32 hexadecimal digits of SHA-256 over its length (8 bytes,
 * little endian), its first MiB and its last MiB.
 *
 * Returns: (transfer full) (nullable): that
 */
char *
ns_extract_make_id (const char *path, guint64 *size, GError **error)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  int fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
  struct stat status;
  guint64 le;
  guint64 first;
  gboolean ok;

  *size = 0;
  ok = fd >= 0 && fstat (fd, &status) == 0;
  if (ok && !S_ISREG (status.st_mode))
    {
      errno = S_ISDIR (status.st_mode) ? EISDIR : EINVAL;
      ok = FALSE;
    }
  if (ok)
    {
      *size = (guint64) status.st_size;
      le = GUINT64_TO_LE (*size);
      first = MIN (*size, NS_EXTRACT_ID_BYTES);
      g_checksum_update (checksum, (const guchar *) &le, sizeof le);
      ok = hash_part (checksum, fd, 0, first) && hash_part (checksum, fd, *size - first, first);
    }
  if (!ok)
    g_set_error (error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_OPEN,
                 _ ("cannot open “%s”: %s"),
                 path,
                 g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return ok ? g_strndup (g_checksum_get_string (checksum), NS_EXTRACT_ID_DIGITS) : NULL;
}
