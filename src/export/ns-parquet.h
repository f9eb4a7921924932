/* Rows as an Apache Parquet file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-table.h"
#include "export/ns-typed-column.h"

G_BEGIN_DECLS

typedef struct _NsParquet NsParquet;

/* Memory that the files of one thread use, one after the other. */
typedef struct _NsParquetPool NsParquetPool;

/**
 * NsParquetOptions:
 * @columns: (array length=n_columns): columns of the file, owned by the caller
 * @n_columns: number of @columns
 * @sorted_by: index of the column by which rows are sorted, nulls first; %G_MAXUINT: none
 * @created_by: name and version of the program
 * @schema_version: (nullable): schema version in the file's metadata
 * @max_group_bytes: approximate maximum memory use of the rows of one group; 0: the default
 * @pool: (nullable): memory that is not used by another file meanwhile; must outlive the file;
 *   %NULL: its own
 *
 * Options of a file.
 */
typedef struct
{
  const NsTypedColumn *columns;
  guint n_columns;
  guint sorted_by;
  const char *created_by;
  const char *schema_version;
  gsize max_group_bytes;
  NsParquetPool *pool;
} NsParquetOptions;

NsParquetPool *ns_parquet_pool_new (void);
void ns_parquet_pool_free (NsParquetPool *self);

NsParquet *
ns_parquet_new (const NsParquetOptions *options, NsExportWriteFunc write, gpointer write_data);
void ns_parquet_free (NsParquet *self);
gboolean ns_parquet_add_row (NsParquet *self, const NsTypedCell *cells, GError **error);
void ns_parquet_add_cells (NsParquet *self, guint column, const NsTypedCell *cells, guint n_cells);
void
ns_parquet_add_numbers (NsParquet *self, guint column, const NsTypedNumbers *numbers, guint n_rows);
gboolean ns_parquet_end_rows (NsParquet *self, guint n_rows, GError **error);
gboolean ns_parquet_finish (NsParquet *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsParquet, ns_parquet_free)

G_END_DECLS
