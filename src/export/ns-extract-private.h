/* Shared by the files of extract tables: sources of cells, stack keys, and batches of rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-meanwhile.h"
#include "export/ns-extract.h"
#include "export/ns-redact.h"
#include "query/ns-fields.h"

G_BEGIN_DECLS

/* Maximum number of trace tables whose rows are in one extract table: those of requests. */
#define NS_EXTRACT_N_LAYERS 4

typedef enum
{
  NS_EXTRACT_OF_TRACE_ID,
  NS_EXTRACT_OF_MACHINE,
  NS_EXTRACT_OF_START,     /* begin of the row */
  NS_EXTRACT_OF_FIELD,     /* value of the field */
  NS_EXTRACT_OF_MOMENT,    /* value of a time field, converted to UTC */
  NS_EXTRACT_OF_LAYER,     /* name of the table of the request */
  NS_EXTRACT_OF_FIRST_KEY, /* key of the stack where the work began */
  NS_EXTRACT_OF_LAST_KEY,  /* key of the stack of the network call */
  NS_EXTRACT_OF_NUMBER,    /* cell of a row that is not from a table of the trace, by index */
} NsExtractOrigin;

/* Source of one column. @fields: by layer; tables of one layer use the first. */
typedef struct
{
  NsExtractOrigin origin;
  const NsField *fields[NS_EXTRACT_N_LAYERS];
} NsExtractColumn;

/**
 * NsExtractShape:
 * @table: its public description
 * @tables: tables of the trace with its rows, by layer
 * @n_tables: number of @tables; 0: its rows are not from tables of the trace
 * @columns: sources of its columns
 *
 * An extract table and the sources of its cells.
 */
typedef struct
{
  NsExtractTable table;
  NsTableId tables[NS_EXTRACT_N_LAYERS];
  guint n_tables;
  NsExtractColumn *columns;
} NsExtractShape;

/* Columns of the table of traces, in their order. */
typedef enum
{
  NS_EXTRACT_TRACE_END,
  NS_EXTRACT_TRACE_FILE,
  NS_EXTRACT_TRACE_SIZE,
  NS_EXTRACT_TRACE_SESSION,
  NS_EXTRACT_TRACE_OS_VERSION,
  NS_EXTRACT_TRACE_OS_BUILD,
  NS_EXTRACT_TRACE_POINTER_SIZE,
  NS_EXTRACT_TRACE_PROCESSORS,
  NS_EXTRACT_TRACE_BOOT,
  NS_EXTRACT_TRACE_BIAS,
  NS_EXTRACT_TRACE_DURATION,
  NS_EXTRACT_TRACE_EVENTS,
  NS_EXTRACT_TRACE_EVENTS_LOST,
  NS_EXTRACT_TRACE_BUFFERS_LOST,
  NS_EXTRACT_TRACE_BUFFERS_DAMAGED,
  NS_EXTRACT_TRACE_BYTES_DROPPED,
  NS_EXTRACT_TRACE_UNDECODABLE,
  NS_EXTRACT_TRACE_N_ACTIVITIES,
  NS_EXTRACT_TRACE_N_FAILED,
  NS_EXTRACT_TRACE_N_DNS,
  NS_EXTRACT_TRACE_N_TCP,
  NS_EXTRACT_TRACE_N_FLOWS,
  NS_EXTRACT_TRACE_N_FINDINGS,
  NS_EXTRACT_TRACE_N_PROCESSES,
  NS_EXTRACT_TRACE_PROVIDERS,
  NS_EXTRACT_TRACE_DAMAGE,
  NS_EXTRACT_TRACE_VERSION,
  NS_EXTRACT_TRACE_SCHEMA,
  NS_EXTRACT_N_TRACE
} NsExtractTraceColumn;

/* Number of columns that precede those of a table without a trace table: trace_id, machine,
 * start_utc. */
#define NS_EXTRACT_N_COMMON 3

const NsExtractShape *
ns_extract_schema_get_shape (const NsExtractSchema *self, NsExtractTableId id);

typedef struct _NsExtractKeys NsExtractKeys;

/**
 * NsExtractPath:
 * @text: (nullable): code path of the operation, as in the field stack_path
 * @owned: (nullable): owner of @text if that is freed before the keys
 * @first: (nullable): key of the stack where the work began
 * @last: (nullable): key of the stack of the network call; equal to @first if there is only one
 *   stack
 * @first_thread: value of the field first_thread; %NS_PID_UNKNOWN: none
 *
 * Values derived from the stacks of an operation.
 */
typedef struct
{
  const char *text;
  char *owned;
  const char *first;
  const char *last;
  guint32 first_thread;
} NsExtractPath;

struct _NsExtract
{
  const NsTrace *trace;
  NsExtractOptions options;
  NsExtractSchema *own_schema; /* NULL: @schema is shared */
  const NsExtractSchema *schema;
  NsExtractKeys *keys;   /* NULL: stacks are not extracted */
  char *machine;         /* NULL: not known, or redacted */
  NsMeanwhile findings;  /* computes the findings, in a thread */
  gboolean has_all_keys; /* whether the keys of all operations are found */
  guint64 n_rows;        /* in all tables */
  guint64 n_done;
};

static inline void
ns_typed_cell_set_number (NsTypedCell *cell, gint64 number)
{
  cell->is_null = FALSE;
  cell->number = number;
}

static inline void
ns_typed_cell_set_text (NsTypedCell *cell, const char *text)
{
  cell->is_null = text == NULL;
  cell->n_bytes = 0;
  cell->text = text;
}

static inline void
ns_typed_cell_set_list (NsTypedCell *cell, const GPtrArray *list)
{
  cell->is_null = list == NULL;
  cell->list = list;
}

/**
 * NsExtractBatch:
 * @cells: cells as in NsTypedBatch, with room for #NS_TYPED_BATCH_ROWS rows
 * @rows: its rows, 0-based
 * @n_rows: number of @rows
 * @texts: (element-type utf8): texts of cells, freed individually
 * @made: texts of cells, freed together
 * @lists: (element-type GPtrArray): lists of cells
 * @scratch: buffer for formatting
 * @numbers: values of the current column, if it is read without cells
 * @paths: (nullable): values derived from their stacks, if @has_paths
 * @has_paths: whether @paths is filled
 *
 * A batch of rows, and the data that their cells point to.
 */
typedef struct
{
  NsTypedCell *cells;
  const guint32 *rows;
  guint n_rows;
  GPtrArray *texts;
  GStringChunk *made;
  GPtrArray *lists;
  GString *scratch;
  NsTypedNumbers numbers;
  NsExtractPath *paths;
  gboolean has_paths;
} NsExtractBatch;

/* How a column is read. */
typedef enum
{
  NS_EXTRACT_READ_SHARED,  /* by any thread, while others read other columns */
  NS_EXTRACT_READ_OWN,     /* always by the same thread */
  NS_EXTRACT_READ_UNKNOWN, /* not at all: no row has a value in it */
  NS_EXTRACT_N_READINGS
} NsExtractReading;

/* ns-extract-read.c: reads cells. */
typedef struct _NsExtractReader NsExtractReader;

void ns_extract_batch_init (NsExtractBatch *self, guint n_columns);
void ns_extract_batch_clear (NsExtractBatch *self);
void ns_extract_batch_begin (NsExtractBatch *self, const guint32 *rows, guint n_rows);
NsExtractReader *ns_extract_reader_new (NsExtract *extract, NsExtractTableId id);
void ns_extract_reader_free (NsExtractReader *self);
void ns_extract_reader_set_layer (NsExtractReader *self, guint layer, const NsRedact *redact);
void ns_extract_reader_fetch (const NsExtractReader *self, const guint32 *rows, guint n_rows);
const guint *ns_extract_reader_list_columns (const NsExtractReader *self,
                                             NsExtractReading reading,
                                             guint *n_columns);
gboolean
ns_extract_reader_read_numbers (const NsExtractReader *self, NsExtractBatch *batch, guint column);
void ns_extract_reader_read (const NsExtractReader *self,
                             NsExtractBatch *batch,
                             guint column,
                             NsTypedCell *cells);

/* ns-extract-shared.c: reads cells whose values many rows share. */
typedef struct _NsExtractShared NsExtractShared;

NsExtractShared *ns_extract_shared_new (const NsTrace *trace, const NsField *field, guint n_rows);
void ns_extract_shared_free (NsExtractShared *self);
void ns_extract_shared_read (NsExtractShared *self, NsExtractBatch *batch, NsTypedCell *cells);

/* ns-extract-relay.c: passes batches to a writing thread. */
typedef struct _NsExtractRelay NsExtractRelay;

NsExtractRelay *ns_extract_relay_new (guint n_columns,
                                      gboolean is_shared,
                                      NsExtractRowsFunc func,
                                      gpointer user_data);
NsExtractBatch *ns_extract_relay_get (NsExtractRelay *self);
gboolean ns_extract_relay_send (NsExtractRelay *self);
gboolean ns_extract_relay_end (NsExtractRelay *self, GError **error);

/* ns-extract-trace.c: the table of traces. */
gint64 ns_extract_add_time (gint64 moment_ns, gint64 time_ns);
gint64 ns_extract_to_utc (const NsExtract *self, gint64 time_ns);
void ns_extract_set_common (const NsExtract *self, NsTypedCell *cells);
gboolean ns_extract_walk_trace (const NsExtract *self,
                                NsExtractRowsFunc func,
                                gpointer user_data,
                                GError **error);

/* ns-extract-stacks.c: keys of stacks. */

NsExtractKeys *ns_extract_keys_new (const NsTrace *trace);
void ns_extract_keys_free (NsExtractKeys *self);
void ns_extract_keys_find (NsExtractKeys *self,
                           const guint32 *activities,
                           guint n_activities,
                           NsExtractPath *paths);
guint ns_extract_keys_get_n (const NsExtractKeys *self);
const char *ns_extract_keys_get (const NsExtractKeys *self, guint number, const GPtrArray **frames);

G_END_DECLS
