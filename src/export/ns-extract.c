/* The tables of a trace as typed columns, for programs that read many traces at once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-extract-private.h"

#include "base/ns-time.h"
#include "export/ns-export-rows.h"
#include "export/ns-redact.h"
#include "findings/ns-finding.h"
#include "query/ns-field-quick.h"
#include "query/ns-order.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DAY_CHARS 10 /* 2026-01-31 */
/* Of so many rows on another thread takes part. */
#define MIN_SHARED_ROWS 16384

/* Where the cells of a column come from, for the rows of one table of the trace. */
typedef struct
{
  const NsField *field; /* NULL: no field */
  NsFieldQuick quick;
  gboolean is_path;
  gboolean is_left_empty;
} Reader;

/* Rows of one table of the trace on their way. */
typedef struct
{
  NsExtract *extract;
  const NsExtractShape *shape;
  guint layer;
  const NsRedact *redact;
  Reader *readers;       /* by column */
  NsExtractBatch *batch; /* that is being filled */
  GString *scratch;
  const guint32 *rows; /* those that are being told */
  guint n_rows;
  gint64 begin_utc;     /* of the trace */
  NsExtractPath *paths; /* by row; NULL: not asked for */
} Walk;

static guint
count_rows (const NsExtract *self, NsTableId table)
{
  const GArray *rows = self->options.rows != NULL ? self->options.rows[table] : NULL;

  return rows != NULL ? rows->len : ns_table_get_n_rows (self->trace, table);
}

/* They are in rows of activities, too, which come last. */
static gpointer
find_cb (gpointer trace)
{
  ns_findings_get (trace);
  return NULL;
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
  /* Findings, which are few, are not looked for yet. */
  for (i = 0; i < NS_EXTRACT_N_TABLES; i++)
    for (j = 0; j < ns_extract_get_shape (i)->n_tables && i != NS_EXTRACT_FINDINGS; j++)
      self->n_rows += count_rows (self, ns_extract_get_shape (i)->tables[j]);
  if (self->n_rows >= MIN_SHARED_ROWS)
    ns_meanwhile_begin (&self->findings, "findings", find_cb, (gpointer) trace);
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
  ns_meanwhile_end (&self->findings);
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
  char *made;

  g_string_truncate (self->scratch, 0);
  ns_field_append_raw (field, value, self->scratch);
  made = g_strndup (self->scratch->str, self->scratch->len);
  g_ptr_array_add (self->batch->texts, made);
  ns_typed_cell_set_text (cell, made);
}

/* What is read of a value is kept until the rows are done. */
static void
set_value (Walk *self, const NsField *field, NsFieldValue *value, NsTypedCell *cell)
{
  switch (value->type)
    {
    case NS_TYPE_TEXT:
    case NS_TYPE_GUID:
      ns_typed_cell_set_text (cell, value->v.text);
      cell->is_lasting = value->owned == NULL && self->redact == NULL;
      if (value->owned != NULL)
        g_ptr_array_add (self->batch->texts, g_steal_pointer (&value->owned));
      break;
    case NS_TYPE_HEX:
    case NS_TYPE_IP:
    case NS_TYPE_OBJECT:
      set_made_text (self, field, value, cell);
      break;
    case NS_TYPE_LIST:
      ns_typed_cell_set_list (cell, value->list);
      if (value->list != NULL)
        g_ptr_array_add (self->batch->lists, g_steal_pointer (&value->list));
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
                   NsFieldValue *value,
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

static void
read_any (Walk *self, const NsField *field, NsTypedKind kind, NsTypedCell *cells)
{
  guint i;

  for (i = 0; i < self->n_rows; i++)
    {
      NsFieldValue value;

      cells[i] = (NsTypedCell){ .is_null = TRUE };
      ns_field_get (self->extract->trace, field, self->rows[i], &value);
      if (self->redact != NULL)
        ns_redact_apply (self->redact, field, &value);
      if (!value.is_null)
        set_value_of_kind (self, kind, field, &value, &cells[i]);
      ns_field_value_clear (&value);
    }
}

/* Numbers and texts from where they stand in the rows: the same as read_any(). */
static void
read_quick (const Walk *self, const NsFieldQuick *quick, NsTypedCell *cells)
{
  guint i;

  for (i = 0; i < self->n_rows; i++)
    {
      gconstpointer member = quick->first + self->rows[i] * quick->row_bytes;
      guint64 number = 0;
      const char *text;

      switch (quick->kind)
        {
        case NS_FIELD_QUICK_U32:
          number = *(const guint32 *) member;
          break;
        case NS_FIELD_QUICK_U64:
          number = *(const guint64 *) member;
          break;
        case NS_FIELD_QUICK_BOOL:
          number = *(const NsBool *) member;
          break;
        case NS_FIELD_QUICK_TIME:
          cells[i] = (NsTypedCell){ .is_null = !ns_time_is_set (*(const gint64 *) member),
                                    .number = *(const gint64 *) member };
          continue;
        case NS_FIELD_QUICK_STRING:
          text = ns_field_quick_get_text (quick, self->rows[i]);
          cells[i] = (NsTypedCell){ .is_null = text == NULL, .is_lasting = TRUE, .text = text };
          continue;
        case NS_FIELD_QUICK_NONE:
        default:
          break;
        }
      cells[i] = (NsTypedCell){ .is_null = quick->has_unknown && number == quick->unknown,
                                .number = (gint64) MIN (number, G_MAXINT64) };
    }
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

/* Lines that other tools wrote hold more than can be told apart by its form. */
static gboolean
is_never_told_redacted (const Walk *self, const NsField *field)
{
  return self->redact != NULL && self->shape->tables[self->layer] == NS_TABLE_LOG &&
         strcmp (field->id, "text") == 0;
}

/* What a column of the kind takes as it stands in the rows. */
static gboolean
is_quick (const NsFieldQuick *quick, NsTypedKind kind)
{
  if (quick->kind == NS_FIELD_QUICK_NONE)
    return FALSE;
  return quick->kind == NS_FIELD_QUICK_STRING
             ? kind == NS_TYPED_TEXT
             : kind == NS_TYPED_INTEGER || kind == NS_TYPED_BOOLEAN || kind == NS_TYPED_TIMESTAMP;
}

static void
init_reader (const Walk *self, guint column)
{
  const NsField *field = self->shape->columns[column].fields[self->layer];
  Reader *reader = &self->readers[column];

  *reader = (Reader){ .field = field };
  if (field == NULL)
    return;
  reader->is_path = strcmp (field->id, "stack_path") == 0;
  reader->is_left_empty =
      is_left_empty (self->extract, field) || is_never_told_redacted (self, field);
  /* Stand-ins are for values. */
  if (self->redact == NULL)
    ns_field_quick_init (&reader->quick, self->extract->trace, field);
  if (!is_quick (&reader->quick, self->shape->table.columns[column].kind))
    reader->quick.kind = NS_FIELD_QUICK_NONE;
}

static void
read_field (Walk *self, guint column, NsTypedCell *cells)
{
  const Reader *reader = &self->readers[column];

  if (reader->quick.kind != NS_FIELD_QUICK_NONE)
    read_quick (self, &reader->quick, cells);
  else
    read_any (self, reader->field, self->shape->table.columns[column].kind, cells);
}

static void
fill (const Walk *self, NsTypedCell *cells, NsTypedCell cell)
{
  guint i;

  for (i = 0; i < self->n_rows; i++)
    cells[i] = cell;
}

static void
fill_text (const Walk *self, NsTypedCell *cells, const char *text)
{
  fill (self, cells, (NsTypedCell){ .is_null = text == NULL, .is_lasting = TRUE, .text = text });
}

/* The way of calls, with the names of frames that were made for the rows before. */
static void
read_paths (const Walk *self, NsTypedCell *cells)
{
  guint i;

  if (self->paths == NULL || self->extract->options.is_redacted)
    fill_text (self, cells, NULL);
  else
    for (i = 0; i < self->n_rows; i++)
      cells[i] = (NsTypedCell){ .is_null = self->paths[i].text == NULL,
                                .is_lasting = self->paths[i].owned == NULL,
                                .text = self->paths[i].text };
}

static void
read_keys (const Walk *self, gboolean is_first, NsTypedCell *cells)
{
  guint i;

  if (self->paths == NULL)
    fill_text (self, cells, NULL);
  else
    for (i = 0; i < self->n_rows; i++)
      {
        const char *key = is_first ? self->paths[i].first : self->paths[i].last;

        cells[i] = (NsTypedCell){ .is_null = key == NULL, .is_lasting = TRUE, .text = key };
      }
}

/* A time of the trace as UTC. */
static void
read_moments (Walk *self, guint column, NsTypedCell *cells)
{
  guint i;

  read_field (self, column, cells);
  for (i = 0; i < self->n_rows; i++)
    if (!cells[i].is_null)
      cells[i].number = ns_extract_add_time (self->begin_utc, cells[i].number);
}

static void
read_column (Walk *self, guint column)
{
  const NsExtract *extract = self->extract;
  const Reader *reader = &self->readers[column];
  NsTypedCell *cells = self->batch->cells + (gsize) column * NS_TYPED_BATCH_ROWS;
  NsExtractOrigin origin = self->shape->columns[column].origin;

  if (origin == NS_EXTRACT_OF_TRACE_ID)
    fill_text (self, cells, extract->options.id);
  else if (origin == NS_EXTRACT_OF_MACHINE)
    fill_text (self, cells, extract->machine);
  else if (origin == NS_EXTRACT_OF_LAYER)
    fill_text (self, cells, ns_table_get_name (self->shape->tables[self->layer]));
  else if (origin == NS_EXTRACT_OF_FIRST_KEY || origin == NS_EXTRACT_OF_LAST_KEY)
    read_keys (self, origin == NS_EXTRACT_OF_FIRST_KEY, cells);
  else if (origin == NS_EXTRACT_OF_START && reader->field == NULL)
    fill (self, cells, (NsTypedCell){ .number = self->begin_utc });
  else if (reader->field == NULL || reader->is_left_empty)
    fill_text (self, cells, NULL);
  else if (reader->is_path)
    read_paths (self, cells);
  else if (origin == NS_EXTRACT_OF_FIELD)
    read_field (self, column, cells);
  else
    read_moments (self, column, cells);
}

static void
read_rows (Walk *self)
{
  guint column;

  guint i;

  if (self->paths != NULL)
    {
      ns_extract_keys_find (self->extract->keys, self->rows, self->n_rows, self->paths);
      for (i = 0; i < self->n_rows; i++)
        if (self->paths[i].owned != NULL)
          g_ptr_array_add (self->batch->texts, self->paths[i].owned);
    }
  for (column = 0; column < self->shape->table.n_columns; column++)
    read_column (self, column);
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
  NsOrderKey key = { start, FALSE, NULL };
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
walk_layer (Walk *self, NsExtractRowsFunc func, gpointer user_data, GError **error)
{
  NsExtract *extract = self->extract;
  NsTableId table = self->shape->tables[self->layer];
  g_autoptr (GArray) rows =
      order_rows (extract,
                  table,
                  self->shape->columns[self->shape->table.start_column].fields[self->layer]);
  g_autoptr (NsRedact) redact = NULL;
  NsExtractRelay *relay;
  gboolean is_stopped = FALSE;
  gboolean ok = TRUE;
  guint i;

  if (extract->options.is_redacted && rows->len > 0)
    {
      redact = look (extract, table);
      if (redact == NULL)
        return refuse_stopped (error);
    }
  self->redact = redact;
  for (i = 0; i < self->shape->table.n_columns; i++)
    init_reader (self, i);
  relay = ns_extract_relay_new (self->shape->table.n_columns,
                                rows->len >= MIN_SHARED_ROWS,
                                func,
                                user_data);
  for (i = 0; i < rows->len && ok; i += self->n_rows)
    {
      self->rows = &g_array_index (rows, guint32, i);
      self->n_rows = MIN (rows->len - i, NS_TYPED_BATCH_ROWS);
      self->batch = ns_extract_relay_begin (relay);
      self->batch->n_rows = self->n_rows;
      read_rows (self);
      ok = ns_extract_relay_send (relay);
      extract->n_told += self->n_rows;
      if (ok && !tell_progress (extract))
        {
          ok = FALSE;
          is_stopped = TRUE;
        }
    }
  self->redact = NULL;
  if (!ns_extract_relay_end (relay, error))
    return FALSE;
  return is_stopped ? refuse_stopped (error) : ok;
}

/* The same rows name them, whether they are written or not. */
static void
find_keys (NsExtract *self)
{
  NsTableId table = NS_TABLE_ACTIVITIES;
  g_autoptr (GArray) rows = order_rows (self, table, NULL);
  NsExtractPath *paths = g_new0 (NsExtractPath, NS_TYPED_BATCH_ROWS);
  guint begin;
  guint i;

  for (begin = 0; begin < rows->len; begin += NS_TYPED_BATCH_ROWS)
    {
      guint n = MIN (rows->len - begin, NS_TYPED_BATCH_ROWS);

      ns_extract_keys_find (self->keys, &g_array_index (rows, guint32, begin), n, paths);
      for (i = 0; i < n; i++)
        g_clear_pointer (&paths[i].owned, g_free);
    }
  g_free (paths);
}

static gboolean
walk_stacks (NsExtract *self, NsExtractRowsFunc func, gpointer user_data, GError **error)
{
  NsTypedCell cells[NS_EXTRACT_N_COMMON + 3] = { 0 };
  const NsTypedBatch batch = { cells, 1, 1 };
  guint i;

  if (self->keys == NULL)
    return TRUE;
  if (!self->has_all_keys)
    find_keys (self);
  ns_extract_set_common (self, cells);
  for (i = 0; i < ns_extract_keys_get_n (self->keys); i++)
    {
      const GPtrArray *frames;

      ns_typed_cell_set_text (&cells[NS_EXTRACT_N_COMMON],
                              ns_extract_keys_get (self->keys, i, &frames));
      ns_typed_cell_set_number (&cells[NS_EXTRACT_N_COMMON + 1], frames->len);
      ns_typed_cell_set_list (&cells[NS_EXTRACT_N_COMMON + 2], frames);
      if (!func (&batch, user_data, error))
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
                 NsExtractRowsFunc func,
                 gpointer user_data,
                 GError **error)
{
  Walk walk = { .extract = self, .shape = ns_extract_get_shape (id) };
  gboolean ok = TRUE;

  if (id == NS_EXTRACT_STACKS)
    return walk_stacks (self, func, user_data, error);
  if (id == NS_EXTRACT_TRACE)
    return ns_extract_walk_trace (self, func, user_data, error);
  walk.readers = g_new0 (Reader, walk.shape->table.n_columns);
  walk.scratch = g_string_new (NULL);
  walk.begin_utc = ns_extract_to_utc (self, 0);
  if (id == NS_EXTRACT_ACTIVITIES && self->keys != NULL)
    walk.paths = g_new0 (NsExtractPath, NS_TYPED_BATCH_ROWS);
  for (walk.layer = 0; walk.layer < walk.shape->n_tables && ok; walk.layer++)
    ok = walk_layer (&walk, func, user_data, error);
  self->has_all_keys |= ok && id == NS_EXTRACT_ACTIVITIES;
  g_free (walk.paths);
  g_string_free (walk.scratch, TRUE);
  g_free (walk.readers);
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
                         NsExtractRowsFunc func,
                         gpointer user_data,
                         GError **error)
{
  NsTypedCell cells[NS_EXTRACT_N_COMMON + 5];
  const NsTypedBatch batch = { cells, 1, 1 };
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
  return func (&batch, user_data, error);
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
