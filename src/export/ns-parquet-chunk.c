/* The values of one column of a Parquet row group: collected, then encoded and compressed.
 *
 * Each text is stored once while values are collected. Once all are known, the smaller encoding is
 * chosen: numbers of a dictionary, or plain values.
 *
 * Source of the layout: parquet.thrift and Encodings.md of the Parquet format specification.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-parquet-chunk.h"

#include "export/ns-parquet-bounds.h"
#include "export/ns-parquet-numbers.h"
#include "export/ns-parquet-texts.h"
#include "export/ns-thrift.h"

#include <string.h>
#include <zstd.h>

/* Number of rows per page, which is what readers can skip. */
#define PAGE_ROWS 20000
/* Number of elements from which on arrays get room for more, and number of these. */
#define LARGE_ELEMENTS 4096
#define GROUP_ELEMENTS 32768
/* Compression levels. For numbers, the fastest level compresses better than the first one that
 * searches for repetitions. */
#define ZSTD_LEVEL_OF_TEXTS 1
#define ZSTD_LEVEL_OF_NUMBERS (-1)

enum
{
  PAGE_DATA = 0,
  PAGE_DICTIONARY = 2,
};

struct _NsParquetTools
{
  ZSTD_CCtx *zstd;
  int zstd_level;     /* compression level of the column */
  GByteArray *body;   /* current page, uncompressed */
  GByteArray *packed; /* current page, compressed */
  NsParquetNumbers dictionary;
};

struct _NsParquetChunk
{
  NsTypedKind type;
  GByteArray *definitions; /* one level per value or null */
  GByteArray *repetitions; /* likewise, for lists */
  GArray *numbers;         /* gint64: values */
  GArray *codes;           /* guint32: values as numbers of texts */
  NsParquetTexts texts;
  guint64 text_bytes; /* size of all values in plain encoding */
  guint64 n_null;
  GByteArray *pages; /* the last group, encoded */
};

static gboolean
is_list (NsTypedKind type)
{
  return type == NS_TYPED_TEXTS || type == NS_TYPED_INTEGERS;
}

static gboolean
is_text (NsTypedKind type)
{
  return type == NS_TYPED_TEXT || type == NS_TYPED_TEXTS;
}

/**
 * ns_parquet_chunk_new:
 *
 * Returns: (transfer full): a chunk without values or column
 */
NsParquetChunk *
ns_parquet_chunk_new (void)
{
  NsParquetChunk *self = g_new0 (NsParquetChunk, 1);

  self->definitions = g_byte_array_new ();
  self->repetitions = g_byte_array_new ();
  self->numbers = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->codes = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->pages = g_byte_array_new ();
  ns_parquet_texts_init (&self->texts);
  return self;
}

/**
 * ns_parquet_chunk_free:
 * @self: (transfer full) (nullable): a chunk
 */
void
ns_parquet_chunk_free (NsParquetChunk *self)
{
  if (self == NULL)
    return;
  g_byte_array_unref (self->definitions);
  g_byte_array_unref (self->repetitions);
  g_array_unref (self->numbers);
  g_array_unref (self->codes);
  g_byte_array_unref (self->pages);
  ns_parquet_texts_clear (&self->texts);
  g_free (self);
}

/* Removes the values, and keeps the memory for the next ones. */
static void
empty (NsParquetChunk *self, gboolean is_same_column)
{
  g_byte_array_set_size (self->definitions, 0);
  g_byte_array_set_size (self->repetitions, 0);
  g_array_set_size (self->numbers, 0);
  g_array_set_size (self->codes, 0);
  ns_parquet_texts_reset (&self->texts, is_same_column);
  self->text_bytes = 0;
  self->n_null = 0;
}

/**
 * ns_parquet_chunk_begin:
 * @self: a chunk
 * @type: type of its column
 *
 * Prepares the chunk for a column; it may have been used for another one.
 */
void
ns_parquet_chunk_begin (NsParquetChunk *self, NsTypedKind type)
{
  self->type = type;
  empty (self, FALSE);
}

/* Returns the number of the text in the dictionary. @n_bytes: its length; 0: not measured. */
static inline guint32
add_text (NsParquetChunk *self, const char *text, guint32 n_bytes, gboolean is_lasting)
{
  guint32 code;

  if (is_lasting)
    code = ns_parquet_texts_find_lasting (&self->texts, text, &n_bytes);
  else
    {
      if (n_bytes == 0)
        n_bytes = (guint32) strlen (text);
      code = ns_parquet_texts_add (&self->texts, text, n_bytes);
    }
  self->text_bytes += sizeof (guint32) + n_bytes;
  return code;
}

/* Adds the levels of a value in a list, or of an empty list. */
static void
add_levels (NsParquetChunk *self, guint8 definition, guint8 repetition)
{
  g_byte_array_append (self->definitions, &definition, 1);
  g_byte_array_append (self->repetitions, &repetition, 1);
}

static void
add_list (NsParquetChunk *self, const GPtrArray *list, gboolean is_lasting)
{
  guint i;

  if (list->len == 0)
    add_levels (self, 1, 0);
  for (i = 0; i < list->len; i++)
    {
      const char *text = g_ptr_array_index (list, i);

      add_levels (self, 2, i > 0);
      if (is_text (self->type))
        {
          guint32 code = add_text (self, text, 0, is_lasting);

          g_array_append_val (self->codes, code);
        }
      else
        {
          gint64 number = g_ascii_strtoll (text, NULL, 10);

          g_array_append_val (self->numbers, number);
        }
    }
}

/* Adds @n elements, which the caller sets; returns the first. An array that becomes large gets so
 * much room that it is mapped: it is then never copied, and pages that are not used cost nothing.
 */
static gpointer
extend (GArray *array, guint n)
{
  guint before = array->len;

  if (before < LARGE_ELEMENTS && before + n >= LARGE_ELEMENTS)
    g_array_set_size (array, MAX (before + n, GROUP_ELEMENTS));
  g_array_set_size (array, before + n);
  return array->data + (gsize) before * g_array_get_element_size (array);
}

/* Adds the definition levels of a column without lists; returns the number of null cells. */
static guint
add_definitions (NsParquetChunk *self, const NsTypedCell *cells, guint n_cells)
{
  guint before = self->definitions->len;
  guint8 *levels;
  guint n_null = 0;
  guint i;

  g_byte_array_set_size (self->definitions, before + n_cells);
  levels = self->definitions->data + before;
  for (i = 0; i < n_cells; i++)
    {
      levels[i] = !cells[i].is_null;
      n_null += cells[i].is_null;
    }
  self->n_null += n_null;
  return n_null;
}

static void
add_numbers (NsParquetChunk *self, const NsTypedCell *cells, guint n_cells)
{
  guint before = self->numbers->len;
  gint64 *numbers = extend (self->numbers, n_cells);
  guint n = 0;
  guint i;

  for (i = 0; i < n_cells; i++)
    {
      numbers[n] = cells[i].number;
      n += !cells[i].is_null;
    }
  g_array_set_size (self->numbers, before + n);
}

static void
add_texts (NsParquetChunk *self, const NsTypedCell *cells, guint n_cells)
{
  guint before = self->codes->len;
  guint32 *codes = extend (self->codes, n_cells);
  const char *last = NULL; /* the last text, if it is lasting */
  guint64 last_bytes = 0;
  guint n = 0;
  guint i;

  for (i = 0; i < n_cells; i++)
    {
      guint64 text_bytes = self->text_bytes;

      if (cells[i].is_null)
        continue;
      /* Consecutive texts are often equal. */
      if (cells[i].text == last)
        {
          self->text_bytes += last_bytes;
          codes[n] = codes[n - 1];
          n++;
          continue;
        }
      codes[n++] = add_text (self, cells[i].text, cells[i].n_bytes, cells[i].is_lasting);
      last = cells[i].is_lasting ? cells[i].text : NULL;
      last_bytes = self->text_bytes - text_bytes;
    }
  g_array_set_size (self->codes, before + n);
}

static void
append_zeros (GByteArray *bytes, guint n)
{
  guint before = bytes->len;

  g_byte_array_set_size (bytes, before + n);
  memset (bytes->data + before, 0, n);
}

static void
add_nulls (NsParquetChunk *self, guint n)
{
  append_zeros (self->definitions, n);
  if (is_list (self->type))
    append_zeros (self->repetitions, n);
  self->n_null += n;
}

/**
 * ns_parquet_chunk_add:
 * @self: a chunk
 * @cells: (nullable) (array length=n_cells): cells of the next rows; %NULL: all are null
 * @n_cells: number of rows
 */
void
ns_parquet_chunk_add (NsParquetChunk *self, const NsTypedCell *cells, guint n_cells)
{
  guint i;

  if (cells == NULL)
    {
      add_nulls (self, n_cells);
      return;
    }
  if (!is_list (self->type))
    {
      if (add_definitions (self, cells, n_cells) == n_cells)
        return;
      if (is_text (self->type))
        add_texts (self, cells, n_cells);
      else
        add_numbers (self, cells, n_cells);
      return;
    }
  for (i = 0; i < n_cells; i++)
    if (cells[i].is_null)
      {
        add_levels (self, 0, 0);
        self->n_null++;
      }
    else
      add_list (self, cells[i].list, cells[i].is_lasting);
}

/**
 * ns_parquet_chunk_add_numbers:
 * @self: a chunk of a column of numbers
 * @numbers: its values in the next rows
 * @n: number of rows
 */
void
ns_parquet_chunk_add_numbers (NsParquetChunk *self, const NsTypedNumbers *numbers, guint n)
{
  guint before = self->numbers->len;
  gint64 *values = extend (self->numbers, n);
  guint n_known = 0;
  guint i;

  g_byte_array_append (self->definitions, numbers->is_known, n);
  for (i = 0; i < n; i++)
    {
      values[n_known] = numbers->values[i];
      n_known += numbers->is_known[i];
    }
  g_array_set_size (self->numbers, before + n_known);
  self->n_null += n - n_known;
}

/**
 * ns_parquet_chunk_get_bytes:
 * @self: a chunk
 *
 * Returns: approximate memory use of its values
 */
gsize
ns_parquet_chunk_get_bytes (const NsParquetChunk *self)
{
  return self->definitions->len + self->repetitions->len +
         (gsize) self->numbers->len * sizeof (gint64) +
         (gsize) self->codes->len * sizeof (guint32) + self->texts.n_bytes +
         (gsize) self->texts.n_slots * sizeof (guint32) * 3;
}

static void
append_le (GByteArray *bytes, guint64 number, guint n_bytes)
{
  guint8 le[8];
  guint i;

  for (i = 0; i < n_bytes; i++)
    le[i] = (guint8) (number >> (8 * i));
  g_byte_array_append (bytes, le, n_bytes);
}

/* Appends numbers in little-endian order. */
static void
append_numbers (GByteArray *bytes, const GArray *numbers, gsize begin, gsize n)
{
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
  if (n > 0)
    g_byte_array_append (bytes,
                         (const guint8 *) &g_array_index (numbers, gint64, begin),
                         (guint) (n * sizeof (gint64)));
#else
  gsize i;

  for (i = begin; i < begin + n; i++)
    append_le (bytes, (guint64) g_array_index (numbers, gint64, i), sizeof (gint64));
#endif
}

static void
append_text (GByteArray *bytes, const NsParquetTexts *texts, guint32 number)
{
  guint32 n_bytes;
  const guint8 *text = ns_parquet_texts_get (texts, number, &n_bytes);
  guint32 le = GUINT32_TO_LE (n_bytes);
  guint before = bytes->len;

  g_byte_array_set_size (bytes, before + (guint) sizeof le + n_bytes);
  memcpy (bytes->data + before, &le, sizeof le);
  memcpy (bytes->data + before + sizeof le, text, n_bytes);
}

/* The encoding of a chunk's values. */
typedef struct
{
  const NsParquetChunk *chunk;
  NsParquetTools *tools;
  const GArray *codes; /* guint32: values as indices of the dictionary; NULL: plain */
  guint width;         /* bits per code */
} Coding;

static guint
get_width (guint n)
{
  return MAX (g_bit_storage (n > 0 ? n - 1 : 0), 1);
}

static void
code_numbers (Coding *self)
{
  const NsParquetNumbers *dictionary = &self->tools->dictionary;

  if (self->chunk->type == NS_TYPED_BOOLEAN ||
      !ns_parquet_numbers_code (&self->tools->dictionary, self->chunk->numbers))
    return;
  self->codes = dictionary->codes;
  self->width = get_width (dictionary->numbers->len);
}

static void
code_texts (Coding *self)
{
  const NsParquetChunk *chunk = self->chunk;
  guint n_texts = chunk->texts.n_texts;
  guint width = get_width (n_texts);
  guint64 dictionary = chunk->texts.n_bytes + (guint64) n_texts * sizeof (guint32);

  if (chunk->codes->len == 0 ||
      dictionary + (guint64) chunk->codes->len * width / 8 >= chunk->text_bytes)
    return;
  self->codes = chunk->codes;
  self->width = width;
}

static void
append_plain_values (const Coding *self, GByteArray *bytes, gsize begin, gsize n)
{
  const NsParquetChunk *chunk = self->chunk;
  gsize i;

  if (is_text (chunk->type))
    {
      for (i = begin; i < begin + n; i++)
        append_text (bytes, &chunk->texts, g_array_index (chunk->codes, guint32, i));
      return;
    }
  if (chunk->type == NS_TYPED_BOOLEAN)
    {
      for (i = 0; i < n; i += 8)
        {
          guint8 byte = 0;
          guint bit;

          for (bit = 0; bit < 8 && i + bit < n; bit++)
            if (g_array_index (chunk->numbers, gint64, begin + i + bit) != 0)
              byte |= (guint8) (1u << bit);
          g_byte_array_append (bytes, &byte, 1);
        }
      return;
    }
  append_numbers (bytes, chunk->numbers, begin, n);
}

static void
append_levels (NsParquetTools *tools, const guint8 *levels, gsize n, guint width)
{
  GByteArray *bytes = tools->body;
  guint start = bytes->len;
  guint32 n_bytes;

  append_le (bytes, 0, sizeof (guint32));
  ns_parquet_append_levels (bytes, levels, n, width);
  n_bytes = GUINT32_TO_LE (bytes->len - start - (guint) sizeof (guint32));
  memcpy (bytes->data + start, &n_bytes, sizeof n_bytes);
}

/**
 * ns_parquet_tools_new: (skip)
 *
 * Returns: (transfer full): tools that encode and compress chunks, one after the other
 */
NsParquetTools *
ns_parquet_tools_new (void)
{
  NsParquetTools *self = g_new0 (NsParquetTools, 1);

  self->zstd = ZSTD_createCCtx ();
  if (self->zstd == NULL)
    g_error ("zstd: out of memory");
  self->body = g_byte_array_new ();
  self->packed = g_byte_array_new ();
  ns_parquet_numbers_init (&self->dictionary);
  return self;
}

/**
 * ns_parquet_tools_free: (skip)
 * @self: (transfer full) (nullable): tools
 */
void
ns_parquet_tools_free (NsParquetTools *self)
{
  if (self == NULL)
    return;
  ZSTD_freeCCtx (self->zstd);
  g_byte_array_unref (self->body);
  g_byte_array_unref (self->packed);
  ns_parquet_numbers_clear (&self->dictionary);
  g_free (self);
}

/* Appends a page with its header; the content is @tools->body. */
static void
append_page (NsParquetTools *tools,
             GByteArray *pages,
             NsParquetChunkInfo *info,
             gint32 kind,
             gint32 n_values,
             gint32 encoding)
{
  const GByteArray *body = tools->body;
  gsize room = ZSTD_compressBound (body->len);
  gsize n_packed;
  guint start = pages->len;
  NsThrift thrift;

  g_byte_array_set_size (tools->packed, (guint) room);
  n_packed = ZSTD_compressCCtx (tools->zstd,
                                tools->packed->data,
                                room,
                                body->data,
                                body->len,
                                tools->zstd_level);
  /* With a buffer of the bound's size, it only fails if memory is short. */
  if (ZSTD_isError (n_packed))
    g_error ("zstd: %s", ZSTD_getErrorName (n_packed));
  ns_thrift_init (&thrift, pages);
  ns_thrift_add_i32 (&thrift, 1, kind);
  ns_thrift_add_i32 (&thrift, 2, (gint32) body->len);
  ns_thrift_add_i32 (&thrift, 3, (gint32) n_packed);
  ns_thrift_begin_struct (&thrift, kind == PAGE_DATA ? 5 : 7);
  ns_thrift_add_i32 (&thrift, 1, n_values);
  ns_thrift_add_i32 (&thrift, 2, encoding);
  if (kind == PAGE_DATA)
    {
      ns_thrift_add_i32 (&thrift, 3, NS_PARQUET_ENCODING_RLE);
      ns_thrift_add_i32 (&thrift, 4, NS_PARQUET_ENCODING_RLE);
    }
  ns_thrift_end_struct (&thrift);
  ns_thrift_end_struct (&thrift);
  info->uncompressed_bytes += pages->len - start + body->len;
  g_byte_array_append (pages, tools->packed->data, (guint) n_packed);
}

static void
append_dictionary (const Coding *self, GByteArray *pages, NsParquetChunkInfo *info)
{
  GByteArray *body = self->tools->body;
  guint start = pages->len;
  guint n = is_text (self->chunk->type) ? self->chunk->texts.n_texts
                                        : self->tools->dictionary.numbers->len;
  guint i;

  g_byte_array_set_size (body, 0);
  if (!is_text (self->chunk->type))
    append_numbers (body, self->tools->dictionary.numbers, 0, n);
  for (i = 0; is_text (self->chunk->type) && i < n; i++)
    append_text (body, &self->chunk->texts, i);
  append_page (self->tools, pages, info, PAGE_DICTIONARY, (gint32) n, NS_PARQUET_ENCODING_PLAIN);
  info->has_dictionary = TRUE;
  info->dictionary_bytes = pages->len - start;
}

/* Returns the sum of levels, each 0 or 1. */
static gsize
sum_levels (const guint8 *levels, gsize n)
{
  gsize sum = 0;
  gsize i = 0;

  for (; i + sizeof (guint64) <= n; i += sizeof (guint64))
    {
      guint64 eight;

      memcpy (&eight, levels + i, sizeof eight);
      /* The highest byte of the product is the sum of the bytes. */
      sum += eight * G_GUINT64_CONSTANT (0x0101010101010101) >> 56;
    }
  for (; i < n; i++)
    sum += levels[i];
  return sum;
}

/* Returns the number of levels from @begin on that make a page of complete rows, and in
 * @n_values the number of values among them. */
static gsize
measure_page (const NsParquetChunk *chunk, gsize begin, gsize *n_values)
{
  gsize n_rows = 0;
  gsize i;

  *n_values = 0;
  if (!is_list (chunk->type))
    {
      gsize n = MIN (chunk->definitions->len - begin, PAGE_ROWS);

      *n_values = sum_levels (chunk->definitions->data + begin, n);
      return n;
    }
  for (i = begin; i < chunk->definitions->len; i++)
    {
      if (chunk->repetitions->data[i] == 0 && n_rows++ == PAGE_ROWS)
        break;
      *n_values += chunk->definitions->data[i] == 2;
    }
  return i - begin;
}

static void
append_data (const Coding *self, GByteArray *pages, NsParquetChunkInfo *info)
{
  const NsParquetChunk *chunk = self->chunk;
  GByteArray *body = self->tools->body;
  gsize level = 0;
  gsize value = 0;

  while (level < chunk->definitions->len)
    {
      gsize n_values;
      gsize n_levels = measure_page (chunk, level, &n_values);

      g_byte_array_set_size (body, 0);
      if (is_list (chunk->type))
        append_levels (self->tools, chunk->repetitions->data + level, n_levels, 1);
      append_levels (self->tools,
                     chunk->definitions->data + level,
                     n_levels,
                     is_list (chunk->type) ? 2 : 1);
      if (self->codes == NULL)
        append_plain_values (self, body, value, n_values);
      else
        {
          guint8 width = (guint8) self->width;

          g_byte_array_append (body, &width, 1);
          ns_parquet_append_runs (body,
                                  &g_array_index (self->codes, guint32, value),
                                  n_values,
                                  self->width);
        }
      append_page (self->tools,
                   pages,
                   info,
                   PAGE_DATA,
                   (gint32) n_levels,
                   self->codes != NULL ? NS_PARQUET_ENCODING_RLE_DICTIONARY
                                       : NS_PARQUET_ENCODING_PLAIN);
      level += n_levels;
      value += n_values;
    }
}

/**
 * ns_parquet_chunk_encode:
 * @self: a chunk
 * @tools: tools for encoding and compression
 * @info: (out): their description for the footer; to be cleared with ns_parquet_chunk_info_clear()
 *
 * Encodes and compresses the values, and empties the chunk; ns_parquet_chunk_get_pages() returns
 * the result.
 */
void
ns_parquet_chunk_encode (NsParquetChunk *self, NsParquetTools *tools, NsParquetChunkInfo *info)
{
  Coding coding = { .chunk = self, .tools = tools };
  GByteArray *pages = self->pages;

  g_byte_array_set_size (pages, 0);

  tools->zstd_level = is_text (self->type) ? ZSTD_LEVEL_OF_TEXTS : ZSTD_LEVEL_OF_NUMBERS;
  memset (info, 0, sizeof *info);
  info->n_values = self->definitions->len;
  info->n_null = self->n_null;
  if (is_text (self->type))
    code_texts (&coding);
  else
    code_numbers (&coding);
  if (!is_list (self->type) && is_text (self->type))
    ns_parquet_find_bounds_of_texts (&self->texts, info);
  else if (!is_list (self->type))
    ns_parquet_find_bounds_of_numbers (self->numbers, self->type, info);
  if (coding.codes != NULL)
    append_dictionary (&coding, pages, info);
  append_data (&coding, pages, info);
  empty (self, TRUE);
}

/**
 * ns_parquet_chunk_get_pages:
 * @self: a chunk
 *
 * Returns: (transfer none): the pages of the values that were encoded last
 */
const GByteArray *
ns_parquet_chunk_get_pages (const NsParquetChunk *self)
{
  return self->pages;
}

/**
 * ns_parquet_chunk_info_clear:
 * @self: description of a chunk for the footer
 */
void
ns_parquet_chunk_info_clear (NsParquetChunkInfo *self)
{
  g_clear_pointer (&self->min, g_bytes_unref);
  g_clear_pointer (&self->max, g_bytes_unref);
}
