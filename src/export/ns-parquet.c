/* Rows as an Apache Parquet file.
 *
 * Rows are collected by column until they make a row group, which is written as a whole. Only one
 * group is in memory, and some numbers of earlier ones for the footer.
 *
 * Source of the layout: parquet.thrift of the Parquet format specification, version 2.9.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-parquet.h"

#include "base/ns-meanwhile.h"
#include "export/ns-parquet-chunk.h"
#include "export/ns-thrift.h"

#include <string.h>

#define MAGIC "PAR1"
#define FORMAT_VERSION 2
/* Maximum size in memory of a row group's columns, approximately, and maximum number of its
 * rows. */
#define MAX_GROUP_BYTES (32 * 1024 * 1024)
#define MAX_GROUP_ROWS (1024 * 1024)
/* Minimum number of rows for a second encoding thread. */
#define MIN_SHARED_ROWS 16384
/* Number of rows between two checks of the columns' memory use. */
#define ROWS_PER_LOOK 256
/* Minimum size of a piece of output; small columns are written together. */
#define PIECE_BYTES (64 * 1024)

/* parquet.thrift: Type, FieldRepetitionType, ConvertedType, CompressionCodec. */
enum
{
  TYPE_BOOLEAN = 0,
  TYPE_INT64 = 2,
  TYPE_BYTE_ARRAY = 6,
  OPTIONAL = 1,
  REPEATED = 2,
  REQUIRED = 0,
  CONVERTED_UTF8 = 0,
  CONVERTED_LIST = 3,
  CODEC_ZSTD = 6,
};

/* Members of the union LogicalType. */
enum
{
  LOGICAL_STRING = 1,
  LOGICAL_LIST = 3,
  LOGICAL_TIMESTAMP = 8,
};

typedef struct
{
  NsParquetChunkInfo info;
  guint64 offset; /* offset of its first page */
  guint64 n_bytes;
} Chunk;

typedef struct
{
  guint64 n_rows;
  Chunk *chunks; /* by column */
} Group;

#define N_ENCODERS 2

/* Memory of a file. A new one would have to be obtained from the system page by page. */
struct _NsParquetPool
{
  GPtrArray *chunks;                 /* (element-type NsParquetChunk) */
  NsParquetTools *tools[N_ENCODERS]; /* by encoding thread; NULL: not used yet */
};

struct _NsParquet
{
  NsParquetOptions options;
  NsParquetPool *own_pool; /* NULL: @pool is the caller's */
  NsParquetPool *pool;
  NsExportWriteFunc write;
  gpointer write_data;
  NsParquetChunk **columns;
  GByteArray *bytes; /* output that is not written yet */
  guint64 n_written;
  GArray *groups; /* Group, already written */
  guint64 n_rows; /* in the current group */
};

/**
 * ns_parquet_pool_new:
 *
 * Returns: (transfer full): memory for files
 */
NsParquetPool *
ns_parquet_pool_new (void)
{
  NsParquetPool *self = g_new0 (NsParquetPool, 1);

  self->chunks = g_ptr_array_new_with_free_func ((GDestroyNotify) ns_parquet_chunk_free);
  return self;
}

/**
 * ns_parquet_pool_free:
 * @self: (transfer full) (nullable): memory for files, not used by any
 */
void
ns_parquet_pool_free (NsParquetPool *self)
{
  guint i;

  if (self == NULL)
    return;
  for (i = 0; i < N_ENCODERS; i++)
    ns_parquet_tools_free (self->tools[i]);
  g_ptr_array_unref (self->chunks);
  g_free (self);
}

static NsParquetTools *
get_tools (NsParquetPool *self, guint encoder)
{
  if (self->tools[encoder] == NULL)
    self->tools[encoder] = ns_parquet_tools_new ();
  return self->tools[encoder];
}

static NsParquetChunk *
take_chunk (NsParquetPool *self, NsTypedKind kind)
{
  NsParquetChunk *chunk = self->chunks->len > 0
                              ? g_ptr_array_steal_index (self->chunks, self->chunks->len - 1)
                              : ns_parquet_chunk_new ();

  ns_parquet_chunk_begin (chunk, kind);
  return chunk;
}

/**
 * ns_parquet_new:
 * @options: options of the file
 * @write: (scope notified): receives its bytes in order
 * @write_data: for @write
 *
 * Returns: (transfer full): a file without rows
 */
NsParquet *
ns_parquet_new (const NsParquetOptions *options, NsExportWriteFunc write, gpointer write_data)
{
  NsParquet *self = g_new0 (NsParquet, 1);
  guint i;

  self->options = *options;
  if (self->options.max_group_bytes == 0)
    self->options.max_group_bytes = MAX_GROUP_BYTES;
  self->write = write;
  self->write_data = write_data;
  if (options->pool == NULL)
    self->own_pool = ns_parquet_pool_new ();
  self->pool = options->pool != NULL ? options->pool : self->own_pool;
  self->bytes = g_byte_array_new ();
  self->groups = g_array_new (FALSE, FALSE, sizeof (Group));
  self->columns = g_new0 (NsParquetChunk *, options->n_columns);
  for (i = 0; i < options->n_columns; i++)
    self->columns[i] = take_chunk (self->pool, options->columns[i].kind);
  return self;
}

/**
 * ns_parquet_free:
 * @self: (transfer full) (nullable): a file
 */
void
ns_parquet_free (NsParquet *self)
{
  guint i;
  guint j;

  if (self == NULL)
    return;
  /* The next file takes them from the end, so that columns get the same ones. */
  for (i = self->options.n_columns; i-- > 0;)
    g_ptr_array_add (self->pool->chunks, self->columns[i]);
  for (i = 0; i < self->groups->len; i++)
    {
      Group *group = &g_array_index (self->groups, Group, i);

      for (j = 0; j < self->options.n_columns; j++)
        ns_parquet_chunk_info_clear (&group->chunks[j].info);
      g_free (group->chunks);
    }
  g_array_unref (self->groups);
  g_byte_array_unref (self->bytes);
  ns_parquet_pool_free (self->own_pool);
  g_free (self->columns);
  g_free (self);
}

static gboolean
flush (NsParquet *self, GError **error)
{
  gsize n_bytes = self->bytes->len;

  if (n_bytes > 0 &&
      !self->write ((const char *) self->bytes->data, n_bytes, self->write_data, error))
    return FALSE;
  self->n_written += n_bytes;
  g_byte_array_set_size (self->bytes, 0);
  return TRUE;
}

static void
append_magic (NsParquet *self)
{
  g_byte_array_append (self->bytes, (const guint8 *) MAGIC, strlen (MAGIC));
}

/* The columns of a group; each encoding thread takes the next free one. */
typedef struct
{
  NsParquet *file;
  Chunk *chunks;
  guint
      *order; /* columns, the largest ones first, so that the threads end at about the same time */
  guint next; /* atomic: index of the next free column in @order */
} Encoding;

static void
encode_columns (Encoding *self, NsParquetTools *tools)
{
  guint next;

  while ((next = (guint) g_atomic_int_add (&self->next, 1)) < self->file->options.n_columns)
    {
      guint column = self->order[next];

      ns_parquet_chunk_encode (self->file->columns[column], tools, &self->chunks[column].info);
    }
}

static gpointer
encode_cb (gpointer data)
{
  Encoding *encoding = data;

  encode_columns (encoding, get_tools (encoding->file->pool, 1));
  return NULL;
}

/* Encodes a group with two threads; only its compressed pages are kept. */
static void
encode_shared (Encoding *encoding)
{
  NsMeanwhile other = { NULL, NULL, NULL };

  ns_meanwhile_begin (&other, "parquet", encode_cb, encoding);
  encode_columns (encoding, get_tools (encoding->file->pool, 0));
  ns_meanwhile_end (&other);
}

static int
compare_sizes_cb (gconstpointer a, gconstpointer b, gpointer columns)
{
  NsParquetChunk *const *chunks = columns;
  gsize left = ns_parquet_chunk_get_bytes (chunks[*(const guint *) a]);
  gsize right = ns_parquet_chunk_get_bytes (chunks[*(const guint *) b]);

  return left != right ? (left > right ? -1 : 1) : 0;
}

/* Returns the columns, the largest ones first. */
static guint *
order_columns (const NsParquet *self)
{
  guint *order = g_new (guint, self->options.n_columns);
  guint i;

  for (i = 0; i < self->options.n_columns; i++)
    order[i] = i;
  if (self->n_rows >= MIN_SHARED_ROWS)
    g_qsort_with_data (order,
                       (gint) self->options.n_columns,
                       sizeof *order,
                       compare_sizes_cb,
                       self->columns);
  return order;
}

static gboolean
write_group (NsParquet *self, GError **error)
{
  guint n_columns = self->options.n_columns;
  g_autofree guint *order = order_columns (self);
  Group group = { self->n_rows, g_new0 (Chunk, n_columns) };
  Encoding encoding = { self, group.chunks, order, 0 };
  gboolean ok = TRUE;
  guint i;

  if (self->groups->len == 0)
    append_magic (self);
  g_array_append_val (self->groups, group);
  if (self->n_rows >= MIN_SHARED_ROWS)
    encode_shared (&encoding);
  else
    encode_columns (&encoding, get_tools (self->pool, 0));
  self->n_rows = 0;
  for (i = 0; i < n_columns; i++)
    {
      Chunk *chunk = &group.chunks[i];
      const GByteArray *pages = ns_parquet_chunk_get_pages (self->columns[i]);

      chunk->offset = self->n_written + self->bytes->len;
      chunk->n_bytes = pages->len;
      g_byte_array_append (self->bytes, pages->data, pages->len);
      if (self->bytes->len >= PIECE_BYTES)
        ok = ok && flush (self, error);
    }
  return ok;
}

static gboolean
is_group_full (const NsParquet *self)
{
  gsize n_bytes = 0;
  guint i;

  if (self->n_rows >= MAX_GROUP_ROWS)
    return TRUE;
  for (i = 0; i < self->options.n_columns; i++)
    n_bytes += ns_parquet_chunk_get_bytes (self->columns[i]);
  return n_bytes >= self->options.max_group_bytes;
}

/**
 * ns_parquet_add_row:
 * @self: a file
 * @cells: one cell per column
 * @error: error of the write function
 *
 * Returns: %FALSE if writing failed
 */
gboolean
ns_parquet_add_row (NsParquet *self, const NsTypedCell *cells, GError **error)
{
  guint i;

  for (i = 0; i < self->options.n_columns; i++)
    ns_parquet_chunk_add (self->columns[i], &cells[i], 1);
  self->n_rows++;
  return self->n_rows % ROWS_PER_LOOK != 0 || !is_group_full (self) || write_group (self, error);
}

/**
 * ns_parquet_add_cells:
 * @self: a file
 * @column: a column
 * @cells: (nullable) (array length=n_cells): cells of the next rows; %NULL: all are null
 * @n_cells: number of rows
 *
 * Two threads may call it for two columns. ns_parquet_end_rows() must be called once all columns
 * have the cells.
 */
void
ns_parquet_add_cells (NsParquet *self, guint column, const NsTypedCell *cells, guint n_cells)
{
  ns_parquet_chunk_add (self->columns[column], cells, n_cells);
}

/**
 * ns_parquet_add_numbers:
 * @self: a file
 * @column: a column of numbers
 * @numbers: its values in the next rows
 * @n_rows: number of rows
 *
 * Adds numbers like ns_parquet_add_cells().
 */
void
ns_parquet_add_numbers (NsParquet *self, guint column, const NsTypedNumbers *numbers, guint n_rows)
{
  ns_parquet_chunk_add_numbers (self->columns[column], numbers, n_rows);
}

/**
 * ns_parquet_end_rows:
 * @self: a file
 * @n_rows: number of further rows whose cells were added to each column
 * @error: error of the write function
 *
 * Returns: %FALSE if writing failed
 */
gboolean
ns_parquet_end_rows (NsParquet *self, guint n_rows, GError **error)
{
  self->n_rows += n_rows;
  return !is_group_full (self) || write_group (self, error);
}

static gint32
get_physical_type (NsTypedKind type)
{
  switch (type)
    {
    case NS_TYPED_BOOLEAN:
      return TYPE_BOOLEAN;
    case NS_TYPED_INTEGER:
    case NS_TYPED_INTEGERS:
    case NS_TYPED_TIMESTAMP:
      return TYPE_INT64;
    case NS_TYPED_TEXT:
    case NS_TYPED_TEXTS:
    default:
      return TYPE_BYTE_ARRAY;
    }
}

static gboolean
is_list (NsTypedKind type)
{
  return type == NS_TYPED_TEXTS || type == NS_TYPED_INTEGERS;
}

static void
add_string_type (NsThrift *thrift)
{
  ns_thrift_add_i32 (thrift, 6, CONVERTED_UTF8);
  ns_thrift_begin_struct (thrift, 10);
  ns_thrift_begin_struct (thrift, LOGICAL_STRING);
  ns_thrift_end_struct (thrift);
  ns_thrift_end_struct (thrift);
}

static void
add_timestamp_type (NsThrift *thrift)
{
  ns_thrift_begin_struct (thrift, 10);
  ns_thrift_begin_struct (thrift, LOGICAL_TIMESTAMP);
  ns_thrift_add_bool (thrift, 1, TRUE); /* isAdjustedToUTC */
  ns_thrift_begin_struct (thrift, 2);
  ns_thrift_begin_struct (thrift, 3); /* nanoseconds */
  ns_thrift_end_struct (thrift);
  ns_thrift_end_struct (thrift);
  ns_thrift_end_struct (thrift);
  ns_thrift_end_struct (thrift);
}

/* Appends a column that holds values itself. */
static void
append_leaf (NsThrift *thrift, const char *name, NsTypedKind type, gint32 repetition)
{
  ns_thrift_begin_element (thrift);
  ns_thrift_add_i32 (thrift, 1, get_physical_type (type));
  ns_thrift_add_i32 (thrift, 3, repetition);
  ns_thrift_add_text (thrift, 4, name);
  if (type == NS_TYPED_TEXT || type == NS_TYPED_TEXTS)
    add_string_type (thrift);
  else if (type == NS_TYPED_TIMESTAMP)
    add_timestamp_type (thrift);
  ns_thrift_end_struct (thrift);
}

/* Appends a list, which has three levels (LogicalTypes.md). */
static void
append_list (NsThrift *thrift, const NsTypedColumn *column)
{
  ns_thrift_begin_element (thrift);
  ns_thrift_add_i32 (thrift, 3, OPTIONAL);
  ns_thrift_add_text (thrift, 4, column->name);
  ns_thrift_add_i32 (thrift, 5, 1);
  ns_thrift_add_i32 (thrift, 6, CONVERTED_LIST);
  ns_thrift_begin_struct (thrift, 10);
  ns_thrift_begin_struct (thrift, LOGICAL_LIST);
  ns_thrift_end_struct (thrift);
  ns_thrift_end_struct (thrift);
  ns_thrift_end_struct (thrift);

  ns_thrift_begin_element (thrift);
  ns_thrift_add_i32 (thrift, 3, REPEATED);
  ns_thrift_add_text (thrift, 4, "list");
  ns_thrift_add_i32 (thrift, 5, 1);
  ns_thrift_end_struct (thrift);
  append_leaf (thrift, "element", column->kind, REQUIRED);
}

static void
add_schema (NsThrift *thrift, const NsParquetOptions *options)
{
  guint n_elements = 1;
  guint i;

  for (i = 0; i < options->n_columns; i++)
    n_elements += is_list (options->columns[i].kind) ? 3 : 1;
  ns_thrift_begin_list (thrift, 2, NS_THRIFT_STRUCT, n_elements);
  ns_thrift_begin_element (thrift);
  ns_thrift_add_text (thrift, 4, "schema");
  ns_thrift_add_i32 (thrift, 5, (gint32) options->n_columns);
  ns_thrift_end_struct (thrift);
  for (i = 0; i < options->n_columns; i++)
    if (is_list (options->columns[i].kind))
      append_list (thrift, &options->columns[i]);
    else
      append_leaf (thrift, options->columns[i].name, options->columns[i].kind, OPTIONAL);
}

static void
add_statistics (NsThrift *thrift, const NsParquetChunkInfo *info)
{
  gsize n_bytes;
  const void *data;

  ns_thrift_begin_struct (thrift, 12);
  ns_thrift_add_i64 (thrift, 3, (gint64) info->n_null);
  if (info->min != NULL && info->max != NULL)
    {
      data = g_bytes_get_data (info->max, &n_bytes);
      ns_thrift_add_binary (thrift, 5, data, n_bytes);
      data = g_bytes_get_data (info->min, &n_bytes);
      ns_thrift_add_binary (thrift, 6, data, n_bytes);
    }
  ns_thrift_end_struct (thrift);
}

static void
add_path (NsThrift *thrift, const NsTypedColumn *column)
{
  ns_thrift_begin_list (thrift, 3, NS_THRIFT_BINARY, is_list (column->kind) ? 3 : 1);
  ns_thrift_append_text (thrift, column->name);
  if (!is_list (column->kind))
    return;
  ns_thrift_append_text (thrift, "list");
  ns_thrift_append_text (thrift, "element");
}

static void
append_chunk (NsThrift *thrift, const NsTypedColumn *column, const Chunk *chunk)
{
  const NsParquetChunkInfo *info = &chunk->info;

  ns_thrift_begin_element (thrift);
  ns_thrift_add_i64 (thrift, 2, (gint64) chunk->offset);
  ns_thrift_begin_struct (thrift, 3);
  ns_thrift_add_i32 (thrift, 1, get_physical_type (column->kind));
  ns_thrift_begin_list (thrift, 2, NS_THRIFT_I32, info->has_dictionary ? 3 : 2);
  ns_thrift_append_i32 (thrift, NS_PARQUET_ENCODING_PLAIN);
  ns_thrift_append_i32 (thrift, NS_PARQUET_ENCODING_RLE);
  if (info->has_dictionary)
    ns_thrift_append_i32 (thrift, NS_PARQUET_ENCODING_RLE_DICTIONARY);
  add_path (thrift, column);
  ns_thrift_add_i32 (thrift, 4, CODEC_ZSTD);
  ns_thrift_add_i64 (thrift, 5, (gint64) info->n_values);
  ns_thrift_add_i64 (thrift, 6, (gint64) info->uncompressed_bytes);
  ns_thrift_add_i64 (thrift, 7, (gint64) chunk->n_bytes);
  ns_thrift_add_i64 (thrift, 9, (gint64) (chunk->offset + info->dictionary_bytes));
  if (info->has_dictionary)
    ns_thrift_add_i64 (thrift, 11, (gint64) chunk->offset);
  add_statistics (thrift, info);
  ns_thrift_end_struct (thrift);
  ns_thrift_end_struct (thrift);
}

/* Appends the sort order; @column: index among the columns that hold values. */
static void
add_order (NsThrift *thrift, guint column)
{
  ns_thrift_begin_list (thrift, 4, NS_THRIFT_STRUCT, 1);
  ns_thrift_begin_element (thrift);
  ns_thrift_add_i32 (thrift, 1, (gint32) column);
  ns_thrift_add_bool (thrift, 2, FALSE); /* descending */
  ns_thrift_add_bool (thrift, 3, TRUE);  /* nulls_first */
  ns_thrift_end_struct (thrift);
}

static void
append_group (NsThrift *thrift, const NsParquetOptions *options, const Group *group)
{
  guint64 uncompressed = 0;
  guint64 compressed = 0;
  guint i;

  ns_thrift_begin_element (thrift);
  ns_thrift_begin_list (thrift, 1, NS_THRIFT_STRUCT, options->n_columns);
  for (i = 0; i < options->n_columns; i++)
    {
      append_chunk (thrift, &options->columns[i], &group->chunks[i]);
      uncompressed += group->chunks[i].info.uncompressed_bytes;
      compressed += group->chunks[i].n_bytes;
    }
  ns_thrift_add_i64 (thrift, 2, (gint64) uncompressed);
  ns_thrift_add_i64 (thrift, 3, (gint64) group->n_rows);
  if (options->sorted_by != G_MAXUINT)
    add_order (thrift, options->sorted_by);
  ns_thrift_add_i64 (thrift, 5, (gint64) group->chunks[0].offset);
  ns_thrift_add_i64 (thrift, 6, (gint64) compressed);
  ns_thrift_end_struct (thrift);
}

static void
append_footer (NsParquet *self)
{
  const NsParquetOptions *options = &self->options;
  guint64 n_rows = 0;
  NsThrift thrift;
  guint i;

  for (i = 0; i < self->groups->len; i++)
    n_rows += g_array_index (self->groups, Group, i).n_rows;
  ns_thrift_init (&thrift, self->bytes);
  ns_thrift_add_i32 (&thrift, 1, FORMAT_VERSION);
  add_schema (&thrift, options);
  ns_thrift_add_i64 (&thrift, 3, (gint64) n_rows);
  ns_thrift_begin_list (&thrift, 4, NS_THRIFT_STRUCT, self->groups->len);
  for (i = 0; i < self->groups->len; i++)
    append_group (&thrift, options, &g_array_index (self->groups, Group, i));
  if (options->schema_version != NULL)
    {
      ns_thrift_begin_list (&thrift, 5, NS_THRIFT_STRUCT, 1);
      ns_thrift_begin_element (&thrift);
      ns_thrift_add_text (&thrift, 1, "netstitch.schema_version");
      ns_thrift_add_text (&thrift, 2, options->schema_version);
      ns_thrift_end_struct (&thrift);
    }
  ns_thrift_add_text (&thrift, 6, options->created_by);
  /* The smallest and largest values are in the order of the type; without this, readers must not
   * use them. */
  ns_thrift_begin_list (&thrift, 7, NS_THRIFT_STRUCT, options->n_columns);
  for (i = 0; i < options->n_columns; i++)
    {
      ns_thrift_begin_element (&thrift);
      ns_thrift_begin_struct (&thrift, 1);
      ns_thrift_end_struct (&thrift);
      ns_thrift_end_struct (&thrift);
    }
  ns_thrift_end_struct (&thrift);
}

/**
 * ns_parquet_finish:
 * @self: a file
 * @error: error of the write function
 *
 * Writes the remaining rows and the footer. No more rows may be added.
 *
 * Returns: %FALSE if writing failed
 */
gboolean
ns_parquet_finish (NsParquet *self, GError **error)
{
  guint32 n_bytes;

  if (self->n_rows > 0 && !write_group (self, error))
    return FALSE;
  if (self->groups->len == 0)
    append_magic (self);
  if (!flush (self, error))
    return FALSE;
  append_footer (self);
  n_bytes = GUINT32_TO_LE (self->bytes->len);
  g_byte_array_append (self->bytes, (const guint8 *) &n_bytes, sizeof n_bytes);
  append_magic (self);
  return flush (self, error);
}
