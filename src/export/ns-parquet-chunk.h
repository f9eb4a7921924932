/* The values of one column of a Parquet row group: collected, then encoded and compressed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-typed-column.h"

G_BEGIN_DECLS

typedef struct _NsParquetChunk NsParquetChunk;
/* Buffers that are reused for all pages and columns: allocating them takes longer than using
 * them. */
typedef struct _NsParquetTools NsParquetTools;

/* Numbers of the Parquet format specification (parquet.thrift). */
enum
{
  NS_PARQUET_ENCODING_PLAIN = 0,
  NS_PARQUET_ENCODING_RLE = 3,
  NS_PARQUET_ENCODING_RLE_DICTIONARY = 8,
};

/**
 * NsParquetChunkInfo:
 * @n_values: number of values and nulls
 * @n_null: number of nulls among them
 * @has_dictionary: whether the first page is a dictionary
 * @dictionary_bytes: size of that page with its header
 * @uncompressed_bytes: uncompressed size of all pages with their headers
 * @min: (nullable): the smallest value in the format's encoding
 * @max: (nullable): the largest value, likewise
 *
 * Description of an encoded chunk for the footer.
 */
typedef struct
{
  guint64 n_values;
  guint64 n_null;
  gboolean has_dictionary;
  guint64 dictionary_bytes;
  guint64 uncompressed_bytes;
  GBytes *min;
  GBytes *max;
} NsParquetChunkInfo;

NsParquetTools *ns_parquet_tools_new (void);
void ns_parquet_tools_free (NsParquetTools *self);
NsParquetChunk *ns_parquet_chunk_new (void);
void ns_parquet_chunk_free (NsParquetChunk *self);
void ns_parquet_chunk_begin (NsParquetChunk *self, NsTypedKind type);
void ns_parquet_chunk_add (NsParquetChunk *self, const NsTypedCell *cells, guint n_cells);
void ns_parquet_chunk_add_numbers (NsParquetChunk *self, const NsTypedNumbers *numbers, guint n);
gsize ns_parquet_chunk_get_bytes (const NsParquetChunk *self);
void
ns_parquet_chunk_encode (NsParquetChunk *self, NsParquetTools *tools, NsParquetChunkInfo *info);
const GByteArray *ns_parquet_chunk_get_pages (const NsParquetChunk *self);
void ns_parquet_chunk_info_clear (NsParquetChunkInfo *self);

/* ns-parquet-runs.c */

/* Minimum length of a run whose header pays off; values are packed in groups of eight. */
#define NS_PARQUET_MIN_RUN 8

void ns_parquet_append_levels (GByteArray *bytes, const guint8 *levels, gsize n, guint width);
void ns_parquet_append_runs (GByteArray *bytes, const guint32 *values, gsize n, guint width);

G_END_DECLS
