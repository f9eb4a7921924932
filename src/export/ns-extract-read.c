/* Reads the cells of rows, one column at a time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-extract-private.h"

#include "base/ns-text.h"
#include "engine/activities/ns-activity-below.h"
#include "export/ns-redact-pass.h"
#include "export/ns-redact.h"
#include "query/ns-field-get.h"
#include "query/ns-field-quick.h"

#include <string.h>

/* Block size of the allocator for texts. */
#define MADE_BYTES (16 * 1024)

/* Source of the cells of one column, for the rows of one table of the trace. */
typedef struct
{
  const NsField *field; /* NULL: no field */
  NsFieldQuick quick;
  NsExtractShared *shared; /* NULL: read row by row */
  NsFieldWriteFunc write;  /* NULL: texts are not written to a buffer */
  gboolean is_path;
  gboolean is_first_thread;
  gboolean is_left_empty;
  gboolean is_number; /* read without cells */
} Reader;

struct _NsExtractReader
{
  NsExtract *extract;
  const NsExtractShape *shape;
  guint layer;
  const NsRedact *redact;
  gboolean has_paths;                   /* whether stacks are extracted */
  gint64 begin_utc;                     /* begin of the trace, in UTC */
  Reader *readers;                      /* by column */
  GArray *lists[NS_EXTRACT_N_READINGS]; /* guint: columns that are read so */
  GPtrArray *shared; /* (element-type NsExtractShared): those of @readers for all layers */
};

/**
 * ns_extract_batch_init: (skip)
 * @self: (out): a batch without rows
 * @n_columns: number of columns whose cells are stored at the same time
 */
void
ns_extract_batch_init (NsExtractBatch *self, guint n_columns)
{
  *self = (NsExtractBatch){ NULL };
  self->cells = g_new0 (NsTypedCell, (gsize) n_columns * NS_TYPED_BATCH_ROWS);
  self->texts = g_ptr_array_new_with_free_func (g_free);
  self->made = g_string_chunk_new (MADE_BYTES);
  self->scratch = g_string_new (NULL);
  self->lists = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
}

/**
 * ns_extract_batch_clear: (skip)
 * @self: (inout): a batch
 */
void
ns_extract_batch_clear (NsExtractBatch *self)
{
  g_ptr_array_unref (self->lists);
  g_string_free (self->scratch, TRUE);
  g_string_chunk_free (self->made);
  g_ptr_array_unref (self->texts);
  g_free (self->paths);
  g_free (self->cells);
}

/**
 * ns_extract_batch_begin: (skip)
 * @self: (inout): a batch; the data that its cells point to is freed
 * @rows: (array length=n_rows): rows of the table, 0-based; must be valid as long as the batch uses
 *   them
 * @n_rows: number of @rows, at most #NS_TYPED_BATCH_ROWS
 */
void
ns_extract_batch_begin (NsExtractBatch *self, const guint32 *rows, guint n_rows)
{
  g_ptr_array_set_size (self->texts, 0);
  g_ptr_array_set_size (self->lists, 0);
  g_string_chunk_clear (self->made);
  self->rows = rows;
  self->n_rows = n_rows;
  self->has_paths = FALSE;
}

/* Sets the cell to the value as formatted by ns_field_append_raw(). */
static void
set_made_text (NsExtractBatch *batch,
               const NsField *field,
               const NsFieldValue *value,
               NsTypedCell *cell)
{
  g_string_truncate (batch->scratch, 0);
  ns_field_append_raw (field, value, batch->scratch);
  ns_typed_cell_set_text (cell,
                          g_string_chunk_insert_len (batch->made,
                                                     batch->scratch->str,
                                                     (gssize) batch->scratch->len));
  cell->n_bytes = (guint32) batch->scratch->len;
}

static NsTypedCell
make_text (NsExtractBatch *batch, const char *text, gsize n_bytes)
{
  return (NsTypedCell){ .n_bytes = (guint32) n_bytes,
                        .text = g_string_chunk_insert_len (batch->made, text, (gssize) n_bytes) };
}

/* Returns a value of a number's type; large ones are limited to the type of cells. */
static gint64
get_number (const NsFieldValue *value)
{
  if (value->type == NS_TYPE_INT || value->type == NS_TYPE_TIME || value->type == NS_TYPE_DURATION)
    return value->v.i;
  return (gint64) MIN (value->v.u, G_MAXINT64);
}

/* Sets the cell to the value; the batch owns the value's data. */
static void
set_value (const NsExtractReader *self,
           NsExtractBatch *batch,
           const NsField *field,
           NsFieldValue *value,
           NsTypedCell *cell)
{
  switch (value->type)
    {
    case NS_TYPE_TEXT:
    case NS_TYPE_GUID:
      ns_typed_cell_set_text (cell, value->v.text);
      cell->is_lasting = value->owned == NULL && self->redact == NULL;
      if (value->owned != NULL)
        g_ptr_array_add (batch->texts, g_steal_pointer (&value->owned));
      break;
    case NS_TYPE_HEX:
      g_string_truncate (batch->scratch, 0);
      ns_text_append_hex (batch->scratch, value->v.u);
      *cell = make_text (batch, batch->scratch->str, batch->scratch->len);
      break;
    case NS_TYPE_IP:
    case NS_TYPE_OBJECT:
      set_made_text (batch, field, value, cell);
      break;
    case NS_TYPE_LIST:
      ns_typed_cell_set_list (cell, value->list);
      if (value->list != NULL)
        g_ptr_array_add (batch->lists, g_steal_pointer (&value->list));
      break;
    case NS_TYPE_INT:
    case NS_TYPE_TIME:
    case NS_TYPE_DURATION:
    case NS_TYPE_UINT:
    case NS_TYPE_COUNT:
    case NS_TYPE_BYTES:
    case NS_TYPE_BOOL:
    case NS_TYPE_PORT:
    case NS_TYPE_ROW:
    default:
      ns_typed_cell_set_number (cell, get_number (value));
      break;
    }
}

/* Returns whether cells of the type are numbers; pointers and handles are texts. */
static gboolean
is_number_type (NsFieldType type)
{
  return type == NS_TYPE_BOOL || (type != NS_TYPE_HEX && ns_field_type_is_number (type));
}

/* Converts the value to the type of the column, as tables that share a column may have other
 * types: a handle in one is a number in another. */
static void
set_value_of_kind (const NsExtractReader *self,
                   NsExtractBatch *batch,
                   NsTypedKind kind,
                   const NsField *field,
                   NsFieldValue *value,
                   NsTypedCell *cell)
{
  gboolean is_list = value->type == NS_TYPE_LIST;
  gboolean is_text = !is_list && !is_number_type (value->type);

  if (kind == NS_TYPED_TEXT && !is_text)
    set_made_text (batch, field, value, cell);
  else if (kind == NS_TYPED_TEXT                                 ? is_text
           : kind == NS_TYPED_TEXTS || kind == NS_TYPED_INTEGERS ? is_list
                                                                 : !is_text && !is_list)
    set_value (self, batch, field, value, cell);
}

static void
read_any (const NsExtractReader *self,
          NsExtractBatch *batch,
          const NsField *field,
          NsTypedKind kind,
          NsTypedCell *cells)
{
  guint i;

  for (i = 0; i < batch->n_rows; i++)
    {
      NsFieldValue value;

      cells[i] = (NsTypedCell){ .is_null = TRUE };
      ns_field_get (self->extract->trace, field, batch->rows[i], &value);
      if (self->redact != NULL)
        ns_redact_apply (self->redact, field, &value);
      if (!value.is_null)
        set_value_of_kind (self, batch, kind, field, &value, &cells[i]);
      if (value.owned != NULL || value.list != NULL)
        ns_field_value_clear (&value);
    }
}

/* Reads texts like read_any(), without allocating each of them. */
static void
read_written (const NsExtractReader *self,
              NsExtractBatch *batch,
              const Reader *reader,
              NsTypedCell *cells)
{
  char text[NS_FIELD_WRITTEN_BYTES];
  guint i;

  for (i = 0; i < batch->n_rows; i++)
    {
      gsize n_bytes = reader->write (self->extract->trace, batch->rows[i], reader->field, text);

      cells[i] = n_bytes == 0 ? (NsTypedCell){ .is_null = TRUE } : make_text (batch, text, n_bytes);
    }
}

/* Reads a column of numbers like read_any(). */
static void
read_any_numbers (const NsExtractReader *self, NsExtractBatch *batch, const NsField *field)
{
  NsTypedNumbers *numbers = &batch->numbers;
  guint i;

  for (i = 0; i < batch->n_rows; i++)
    {
      NsFieldValue value;

      ns_field_get (self->extract->trace, field, batch->rows[i], &value);
      numbers->is_known[i] = !value.is_null && is_number_type (value.type);
      numbers->values[i] = get_number (&value);
      if (value.owned != NULL || value.list != NULL)
        ns_field_value_clear (&value);
    }
}

/* Reads texts directly from the rows, with the same result as read_any(). */
static void
read_quick_texts (const NsExtractBatch *batch, const NsFieldQuick *quick, NsTypedCell *cells)
{
  guint i;

  for (i = 0; i < batch->n_rows; i++)
    {
      const char *text = ns_field_quick_get_text (quick, batch->rows[i]);

      cells[i] = (NsTypedCell){ .is_null = text == NULL, .is_lasting = TRUE, .text = text };
    }
}

/* Reads numbers directly from the rows, with the same result as read_any(). */
static void
read_quick_numbers (const NsExtractBatch *batch, const NsFieldQuick *quick, NsTypedNumbers *numbers)
{
  ns_field_quick_read_numbers (quick,
                               batch->rows,
                               batch->n_rows,
                               numbers->is_known,
                               numbers->values);
}

static void
read_quick (NsExtractBatch *batch, const NsFieldQuick *quick, NsTypedCell *cells)
{
  guint i;

  if (quick->kind == NS_FIELD_QUICK_UNKNOWN)
    {
      for (i = 0; i < batch->n_rows; i++)
        cells[i] = (NsTypedCell){ .is_null = TRUE };
      return;
    }
  if (ns_field_quick_is_text (quick))
    {
      read_quick_texts (batch, quick, cells);
      return;
    }
  read_quick_numbers (batch, quick, &batch->numbers);
  for (i = 0; i < batch->n_rows; i++)
    cells[i] =
        (NsTypedCell){ .is_null = !batch->numbers.is_known[i], .number = batch->numbers.values[i] };
}

/* Returns whether the field is left empty: lists of frames, unless they were requested. */
static gboolean
is_left_empty (const NsExtract *extract, const NsField *field)
{
  static const char *const frames[] = { "stack",
                                        "first_stack",
                                        "middle_stacks",
                                        "last_stack",
                                        NULL };

  return extract->options.stacks != NS_EXTRACT_STACKS_FULL && field->type == NS_TYPE_LIST &&
         g_strv_contains (frames, field->id);
}

/* Returns whether the field is always left out when redacted: log lines of other tools may
 * contain personal data that cannot be recognized. */
static gboolean
is_never_shown_redacted (const NsExtractReader *self, const NsField *field)
{
  return self->redact != NULL && self->shape->tables[self->layer] == NS_TABLE_LOG &&
         strcmp (field->id, "text") == 0;
}

/* Returns whether the column can have the value as it is in the row. */
static gboolean
is_quick (const NsFieldQuick *quick, NsTypedKind kind)
{
  if (quick->kind == NS_FIELD_QUICK_NONE || quick->kind == NS_FIELD_QUICK_UNKNOWN)
    return quick->kind == NS_FIELD_QUICK_UNKNOWN;
  return ns_field_quick_is_text (quick)
             ? kind == NS_TYPED_TEXT
             : kind == NS_TYPED_INTEGER || kind == NS_TYPED_BOOLEAN || kind == NS_TYPED_TIMESTAMP;
}

static gboolean
is_number (const NsExtractReader *self, guint column)
{
  const Reader *reader = &self->readers[column];
  NsExtractOrigin origin = self->shape->columns[column].origin;
  NsTypedKind kind = self->shape->table.columns[column].kind;

  if (reader->field == NULL || reader->is_left_empty || reader->is_path ||
      reader->is_first_thread || self->redact != NULL)
    return FALSE;
  if (kind != NS_TYPED_INTEGER && kind != NS_TYPED_BOOLEAN && kind != NS_TYPED_TIMESTAMP)
    return FALSE;
  return reader->quick.kind != NS_FIELD_QUICK_UNKNOWN &&
         (origin == NS_EXTRACT_OF_FIELD || origin == NS_EXTRACT_OF_MOMENT ||
          origin == NS_EXTRACT_OF_START);
}

static void
init_column (NsExtractReader *self, guint column)
{
  const NsField *field = self->shape->columns[column].fields[self->layer];
  NsTypedKind kind = self->shape->table.columns[column].kind;
  Reader *reader = &self->readers[column];

  *reader = (Reader){ .field = field };
  if (field == NULL)
    return;
  reader->is_path = strcmp (field->id, "stack_path") == 0;
  reader->is_first_thread =
      self->has_paths && self->redact == NULL && strcmp (field->id, "first_thread") == 0;
  reader->is_left_empty =
      is_left_empty (self->extract, field) || is_never_shown_redacted (self, field);
  /* Redaction needs values, so it excludes direct reads. */
  if (self->redact == NULL)
    ns_field_quick_init (&reader->quick, self->extract->trace, field);
  if (!is_quick (&reader->quick, kind))
    reader->quick.kind = NS_FIELD_QUICK_NONE;
  reader->is_number = is_number (self, column);
  if (self->redact != NULL || reader->quick.kind != NS_FIELD_QUICK_NONE ||
      kind != (field->type == NS_TYPE_LIST ? NS_TYPED_TEXTS : NS_TYPED_TEXT))
    return;
  reader->shared = ns_extract_shared_new (self->extract->trace,
                                          field,
                                          ns_table_get_n_rows (self->extract->trace,
                                                               self->shape->tables[self->layer]));
  if (reader->shared != NULL)
    g_ptr_array_add (self->shared, reader->shared);
  else if (kind == NS_TYPED_TEXT)
    reader->write = ns_field_get_writer (field);
}

/**
 * ns_extract_reader_new: (skip)
 * @extract: an extract of a trace
 * @id: a table whose rows come from tables of the trace
 *
 * Returns: (transfer full): a reader of its cells; lasting texts are valid as long as the reader
 */
NsExtractReader *
ns_extract_reader_new (NsExtract *extract, NsExtractTableId id)
{
  NsExtractReader *self = g_new0 (NsExtractReader, 1);
  guint i;

  self->extract = extract;
  self->shape = ns_extract_schema_get_shape (extract->schema, id);
  self->has_paths = id == NS_EXTRACT_ACTIVITIES && extract->keys != NULL;
  self->begin_utc = ns_extract_to_utc (extract, 0);
  self->readers = g_new0 (Reader, self->shape->table.n_columns);
  for (i = 0; i < NS_EXTRACT_N_READINGS; i++)
    self->lists[i] = g_array_new (FALSE, FALSE, sizeof (guint));
  self->shared = g_ptr_array_new_with_free_func ((GDestroyNotify) ns_extract_shared_free);
  return self;
}

/**
 * ns_extract_reader_free: (skip)
 * @self: (transfer full): a reader
 */
void
ns_extract_reader_free (NsExtractReader *self)
{
  guint i;

  for (i = 0; i < NS_EXTRACT_N_READINGS; i++)
    g_array_unref (self->lists[i]);
  g_ptr_array_unref (self->shared);
  g_free (self->readers);
  g_free (self);
}

static gboolean
is_unknown (const NsExtractReader *self, guint column)
{
  const Reader *reader = &self->readers[column];

  switch (self->shape->columns[column].origin)
    {
    case NS_EXTRACT_OF_MACHINE:
      return self->extract->machine == NULL;
    case NS_EXTRACT_OF_FIRST_KEY:
    case NS_EXTRACT_OF_LAST_KEY:
      return !self->has_paths;
    case NS_EXTRACT_OF_FIELD:
    case NS_EXTRACT_OF_MOMENT:
      return reader->field == NULL || reader->is_left_empty ||
             reader->quick.kind == NS_FIELD_QUICK_UNKNOWN;
    case NS_EXTRACT_OF_TRACE_ID:
    case NS_EXTRACT_OF_START:
    case NS_EXTRACT_OF_LAYER:
    case NS_EXTRACT_OF_NUMBER:
    default:
      return FALSE;
    }
}

static NsExtractReading
get_reading (const NsExtractReader *self, guint column)
{
  NsExtractOrigin origin = self->shape->columns[column].origin;
  const Reader *reader = &self->readers[column];

  if (is_unknown (self, column))
    return NS_EXTRACT_READ_UNKNOWN;
  if (origin == NS_EXTRACT_OF_FIRST_KEY || origin == NS_EXTRACT_OF_LAST_KEY || reader->is_path ||
      reader->is_first_thread)
    return NS_EXTRACT_READ_OWN;
  if (reader->field != NULL &&
      (!ns_field_may_share (reader->field) ||
       (self->redact != NULL && ns_redact_look_is_telling (reader->field))))
    return NS_EXTRACT_READ_OWN;
  return NS_EXTRACT_READ_SHARED;
}

/* Returns how long the column takes per row, as a rank: 0 is longest. */
static guint
rank_cost (const Reader *reader)
{
  if (reader->field != NULL && reader->quick.kind == NS_FIELD_QUICK_NONE)
    return reader->shared == NULL ? 0 : 1;
  return reader->field != NULL && ns_field_quick_is_text (&reader->quick) ? 2 : 3;
}

static int
compare_costs_cb (gconstpointer a, gconstpointer b, gpointer readers)
{
  const guint *left = a;
  const guint *right = b;
  int order = (int) rank_cost ((const Reader *) readers + *left) -
              (int) rank_cost ((const Reader *) readers + *right);

  return order != 0 ? order : (int) *left - (int) *right;
}

static void
list_columns (NsExtractReader *self)
{
  guint i;

  for (i = 0; i < NS_EXTRACT_N_READINGS; i++)
    g_array_set_size (self->lists[i], 0);
  for (i = 0; i < self->shape->table.n_columns; i++)
    g_array_append_val (self->lists[get_reading (self, i)], i);
  for (i = 0; i < NS_EXTRACT_N_READINGS; i++)
    g_array_sort_with_data (self->lists[i], compare_costs_cb, self->readers);
}

/**
 * ns_extract_reader_set_layer: (skip)
 * @self: a reader
 * @layer: index of the trace table that the next rows belong to
 * @redact: (nullable): stand-ins for personal data in them, until the next call
 */
void
ns_extract_reader_set_layer (NsExtractReader *self, guint layer, const NsRedact *redact)
{
  guint i;

  self->layer = layer;
  self->redact = redact;
  for (i = 0; i < self->shape->table.n_columns; i++)
    init_column (self, i);
  list_columns (self);
}

/**
 * ns_extract_reader_fetch: (skip)
 * @self: a reader
 * @rows: (array length=n_rows): rows of the table, 0-based
 * @n_rows: number of @rows
 *
 * Prefetches memory that several columns of the rows read.
 */
void
ns_extract_reader_fetch (const NsExtractReader *self, const guint32 *rows, guint n_rows)
{
  if (self->shape->tables[self->layer] == NS_TABLE_ACTIVITIES)
    ns_activity_fetch_below (self->extract->trace, rows, n_rows);
}

/**
 * ns_extract_reader_list_columns: (skip)
 * @self: a reader
 * @reading: how the columns are read
 * @n_columns: (out): number of columns
 *
 * Returns: (transfer none) (array length=n_columns): the columns that are read so; those that take
 *   longest per row are first
 */
const guint *
ns_extract_reader_list_columns (const NsExtractReader *self,
                                NsExtractReading reading,
                                guint *n_columns)
{
  *n_columns = self->lists[reading]->len;
  return (const guint *) (gpointer) self->lists[reading]->data;
}

static void
read_field (const NsExtractReader *self, NsExtractBatch *batch, guint column, NsTypedCell *cells)
{
  const Reader *reader = &self->readers[column];

  if (reader->quick.kind != NS_FIELD_QUICK_NONE)
    read_quick (batch, &reader->quick, cells);
  else if (reader->shared != NULL)
    ns_extract_shared_read (reader->shared, batch, cells);
  else if (reader->write != NULL)
    read_written (self, batch, reader, cells);
  else
    read_any (self, batch, reader->field, self->shape->table.columns[column].kind, cells);
}

static void
fill (const NsExtractBatch *batch, NsTypedCell *cells, NsTypedCell cell)
{
  guint i;

  for (i = 0; i < batch->n_rows; i++)
    cells[i] = cell;
}

static void
fill_text (const NsExtractBatch *batch, NsTypedCell *cells, const char *text)
{
  fill (batch, cells, (NsTypedCell){ .is_null = text == NULL, .is_lasting = TRUE, .text = text });
}

/* Returns the values derived from the stacks of the rows; NULL: stacks are not extracted. */
static const NsExtractPath *
find_paths (const NsExtractReader *self, NsExtractBatch *batch)
{
  guint i;

  if (!self->has_paths)
    return NULL;
  if (batch->has_paths)
    return batch->paths;
  if (batch->paths == NULL)
    batch->paths = g_new0 (NsExtractPath, NS_TYPED_BATCH_ROWS);
  ns_extract_keys_find (self->extract->keys, batch->rows, batch->n_rows, batch->paths);
  for (i = 0; i < batch->n_rows; i++)
    if (batch->paths[i].owned != NULL)
      g_ptr_array_add (batch->texts, batch->paths[i].owned);
  batch->has_paths = TRUE;
  return batch->paths;
}

/* Reads code paths. */
static void
read_paths (const NsExtractReader *self, NsExtractBatch *batch, NsTypedCell *cells)
{
  const NsExtractPath *paths = find_paths (self, batch);
  guint i;

  if (paths == NULL || self->extract->options.is_redacted)
    fill_text (batch, cells, NULL);
  else
    for (i = 0; i < batch->n_rows; i++)
      cells[i] = (NsTypedCell){ .is_null = paths[i].text == NULL,
                                .is_lasting = paths[i].owned == NULL,
                                .text = paths[i].text };
}

/* Reads first threads, from the chains that find_paths() found once per row. */
static void
read_first_threads (const NsExtractReader *self, NsExtractBatch *batch, NsTypedCell *cells)
{
  const NsExtractPath *paths = find_paths (self, batch);
  guint i;

  for (i = 0; i < batch->n_rows; i++)
    cells[i] = (NsTypedCell){ .is_null = paths[i].first_thread == NS_PID_UNKNOWN,
                              .number = paths[i].first_thread };
}

static void
read_keys (const NsExtractReader *self,
           NsExtractBatch *batch,
           gboolean is_first,
           NsTypedCell *cells)
{
  const NsExtractPath *paths = find_paths (self, batch);
  guint i;

  if (paths == NULL)
    fill_text (batch, cells, NULL);
  else
    for (i = 0; i < batch->n_rows; i++)
      {
        const char *key = is_first ? paths[i].first : paths[i].last;

        cells[i] = (NsTypedCell){ .is_null = key == NULL, .is_lasting = TRUE, .text = key };
      }
}

/* Reads times of the trace as UTC. */
static void
read_moments (const NsExtractReader *self, NsExtractBatch *batch, guint column, NsTypedCell *cells)
{
  guint i;

  read_field (self, batch, column, cells);
  for (i = 0; i < batch->n_rows; i++)
    if (!cells[i].is_null)
      cells[i].number = ns_extract_add_time (self->begin_utc, cells[i].number);
}

/**
 * ns_extract_reader_read_numbers: (skip)
 * @self: a reader
 * @batch: (inout): rows; gets the values
 * @column: a column
 *
 * Reads the column without cells if its values are numbers. See
 * ns_extract_reader_list_columns() for which threads may call it.
 *
 * Returns: whether it was read
 */
gboolean
ns_extract_reader_read_numbers (const NsExtractReader *self, NsExtractBatch *batch, guint column)
{
  const Reader *reader = &self->readers[column];
  NsExtractOrigin origin = self->shape->columns[column].origin;
  guint i;

  if (!reader->is_number)
    return FALSE;
  if (reader->quick.kind != NS_FIELD_QUICK_NONE)
    read_quick_numbers (batch, &reader->quick, &batch->numbers);
  else
    read_any_numbers (self, batch, reader->field);
  if (origin != NS_EXTRACT_OF_FIELD)
    for (i = 0; i < batch->n_rows; i++)
      if (batch->numbers.is_known[i])
        batch->numbers.values[i] = ns_extract_add_time (self->begin_utc, batch->numbers.values[i]);
  return TRUE;
}

/**
 * ns_extract_reader_read: (skip)
 * @self: a reader
 * @batch: (inout): rows; owns the data that the cells point to
 * @column: a column
 * @cells: (out caller-allocates): one per row, with room for #NS_TYPED_BATCH_ROWS
 *
 * See ns_extract_reader_list_columns() for which threads may call it.
 */
void
ns_extract_reader_read (const NsExtractReader *self,
                        NsExtractBatch *batch,
                        guint column,
                        NsTypedCell *cells)
{
  const NsExtract *extract = self->extract;
  const Reader *reader = &self->readers[column];
  NsExtractOrigin origin = self->shape->columns[column].origin;

  if (origin == NS_EXTRACT_OF_TRACE_ID)
    fill_text (batch, cells, extract->options.id);
  else if (origin == NS_EXTRACT_OF_MACHINE)
    fill_text (batch, cells, extract->machine);
  else if (origin == NS_EXTRACT_OF_LAYER)
    fill_text (batch, cells, ns_table_get_name (self->shape->tables[self->layer]));
  else if (origin == NS_EXTRACT_OF_FIRST_KEY || origin == NS_EXTRACT_OF_LAST_KEY)
    read_keys (self, batch, origin == NS_EXTRACT_OF_FIRST_KEY, cells);
  else if (origin == NS_EXTRACT_OF_START && reader->field == NULL)
    fill (batch, cells, (NsTypedCell){ .number = self->begin_utc });
  else if (reader->field == NULL || reader->is_left_empty)
    fill_text (batch, cells, NULL);
  else if (reader->is_path)
    read_paths (self, batch, cells);
  else if (reader->is_first_thread)
    read_first_threads (self, batch, cells);
  else if (origin == NS_EXTRACT_OF_FIELD)
    read_field (self, batch, column, cells);
  else
    read_moments (self, batch, column, cells);
}
