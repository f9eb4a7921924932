/* The tables of a trace as typed columns, for programs that read many traces at once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-typed-column.h"

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* Version of the columns. The first part is increased if a column is renamed, retyped or
 * removed, the second if one is added. */
#define NS_EXTRACT_SCHEMA_VERSION "1.2"

/* Number of digits of SHA-256 in the identity of a trace. */
#define NS_EXTRACT_ID_DIGITS 32

/* Number of bytes at the begin and at the end of a trace that its identity covers. */
#define NS_EXTRACT_ID_BYTES (1024 * 1024)

typedef enum
{
  NS_EXTRACT_ACTIVITIES,
  NS_EXTRACT_DNS,
  NS_EXTRACT_TCP,
  NS_EXTRACT_FLOWS,
  NS_EXTRACT_WINSOCK,
  NS_EXTRACT_HTTP, /* requests of all libraries, with common columns */
  NS_EXTRACT_DOTNET,
  NS_EXTRACT_LDAP,
  NS_EXTRACT_URLMON,
  NS_EXTRACT_HTTP_SERVER,
  NS_EXTRACT_BITS,
  NS_EXTRACT_WFP,
  NS_EXTRACT_SMB,
  NS_EXTRACT_RPC,
  NS_EXTRACT_CAPI2,
  NS_EXTRACT_QUIC,
  NS_EXTRACT_KERNEL_NETWORK,
  NS_EXTRACT_LOG, /* lines of logs beside the trace */
  NS_EXTRACT_FINDINGS,
  NS_EXTRACT_PROCESSES,
  NS_EXTRACT_PROVIDERS,
  NS_EXTRACT_STACKS,
  NS_EXTRACT_TRACE,    /* one row for the trace itself */
  NS_EXTRACT_FAILURES, /* one row for a trace that could not be read */
  NS_EXTRACT_N_TABLES
} NsExtractTableId;

typedef enum
{
  NS_EXTRACT_STACKS_KEYS, /* keys in rows, and a table with the frames of each key */
  NS_EXTRACT_STACKS_FULL, /* also the frames in rows */
  NS_EXTRACT_STACKS_NONE,
} NsExtractStacks;

/**
 * NsExtractTable:
 * @name: "activities" …
 * @columns: (array length=n_columns): its columns
 * @n_columns: number of @columns
 * @start_column: column with the begin of a row, by which rows are sorted
 *
 * Description of a table, the same for all traces.
 */
typedef struct
{
  const char *name;
  const NsTypedColumn *columns;
  guint n_columns;
  guint start_column;
} NsExtractTable;

/**
 * NsExtractOptions:
 * @id: identity of the trace, see ns_extract_make_id()
 * @file: (nullable): its name
 * @size: its size in bytes
 * @schema: (nullable): descriptions of the tables, which extracts of many traces share; must
 * outlive the extract; %NULL: it makes its own
 * @stacks: stack data in rows
 * @is_redacted: whether personal data is replaced by stand-ins
 * @rows: (nullable) (array fixed-size=NS_N_TABLES) (element-type guint32): by table of the trace,
 *   the rows to extract, 0-based; a %NULL element, or %NULL: all rows
 * @progress: (nullable): called regularly with the share of all rows that was extracted; stops if
 *   it returns %FALSE
 * @progress_data: for @progress
 *
 * Options for extracting a trace.
 */
typedef struct
{
  const char *id;
  const char *file;
  guint64 size;
  const struct _NsExtractSchema *schema;
  NsExtractStacks stacks;
  gboolean is_redacted;
  const GArray *const *rows;
  NsProgressFunc progress;
  gpointer progress_data;
} NsExtractOptions;

typedef struct _NsExtract NsExtract;

/**
 * NsExtractRowsFunc:
 * @batch: rows
 * @user_data: the caller's
 * @error: return location
 *
 * Returns: %FALSE to stop, with @error set
 */
typedef gboolean (*NsExtractRowsFunc) (const NsTypedBatch *batch,
                                       gpointer user_data,
                                       GError **error);

/**
 * NsExtractCellsFunc:
 * @column: a column
 * @cells: (nullable) (array length=n_cells): cells of the next rows; %NULL: all are null
 * @n_cells: number of rows
 * @user_data: the caller's
 */
typedef void (*NsExtractCellsFunc) (guint column,
                                    const NsTypedCell *cells,
                                    guint n_cells,
                                    gpointer user_data);

/**
 * NsExtractNumbersFunc:
 * @column: a column of numbers
 * @numbers: its values in the next rows
 * @n_rows: number of rows
 * @user_data: the caller's
 */
typedef void (*NsExtractNumbersFunc) (guint column,
                                      const NsTypedNumbers *numbers,
                                      guint n_rows,
                                      gpointer user_data);

/**
 * NsExtractEndFunc:
 * @n_rows: number of further complete rows
 * @user_data: the caller's
 * @error: return location
 *
 * Returns: %FALSE to stop, with @error set
 */
typedef gboolean (*NsExtractEndFunc) (guint n_rows, gpointer user_data, GError **error);

/**
 * NsExtractColumnFuncs:
 * @take_cells: called with cells of a column, by begin of the rows; called by two threads, but
 *   never at the same time for one column
 * @take_numbers: called instead for some columns of numbers, likewise
 * @end_rows: called in the calling thread once all cells of some rows were passed
 *
 * Receiver of the rows of a table, column by column.
 */
typedef struct
{
  NsExtractCellsFunc take_cells;
  NsExtractNumbersFunc take_numbers;
  NsExtractEndFunc end_rows;
} NsExtractColumnFuncs;

/* Number of tables that ns_extract_walk() reads before that of traces. */
#define NS_EXTRACT_N_OF_ROWS NS_EXTRACT_TRACE

/* ns-extract-schema.c: descriptions of tables. */
typedef struct _NsExtractSchema NsExtractSchema;

NsExtractSchema *ns_extract_schema_new (void);
void ns_extract_schema_free (NsExtractSchema *self);
const NsExtractTable *
ns_extract_schema_get_table (const NsExtractSchema *self, NsExtractTableId id);
const char *ns_extract_table_to_name (NsExtractTableId id);
void ns_extract_list_order (NsExtractTableId order[NS_EXTRACT_N_OF_ROWS]);
gboolean ns_extract_table_from_name (const char *name, NsExtractTableId *id);
gboolean ns_extract_find_table (NsTableId table, NsExtractTableId *id);
const char *ns_typed_kind_to_text (NsTypedKind kind);
char *ns_typed_moment_to_text (gint64 unix_ns);
void ns_typed_list_append_json (GString *json, const NsTypedCell *cell, NsTypedKind kind);
char *ns_extract_schema_to_json (void);

NsExtract *ns_extract_new (const NsTrace *trace, const NsExtractOptions *options);
void ns_extract_free (NsExtract *self);
const NsExtractSchema *ns_extract_get_schema (const NsExtract *self);
gboolean ns_extract_may_have_rows (const NsExtract *self, NsExtractTableId id);
char *ns_extract_dup_day (const NsExtract *self);
gboolean ns_extract_walk (NsExtract *self,
                          NsExtractTableId id,
                          NsExtractRowsFunc func,
                          gpointer user_data,
                          GError **error);
gboolean ns_extract_walk_columns (NsExtract *self,
                                  NsExtractTableId id,
                                  const NsExtractColumnFuncs *funcs,
                                  gpointer user_data,
                                  GError **error);
gboolean ns_extract_walk_failure (const NsExtractOptions *options,
                                  const char *reason,
                                  NsExtractRowsFunc func,
                                  gpointer user_data,
                                  GError **error);
char *ns_extract_make_id (const char *path, guint64 *size, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsExtract, ns_extract_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsExtractSchema, ns_extract_schema_free)

G_END_DECLS
