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

#include <glib/gi18n-lib.h>
#include <string.h>

#define DAY_CHARS 10 /* 2026-01-31 */
/* Minimum number of rows for a second thread. */
#define MIN_SHARED_ROWS 16384
/* Number of rows that are read column by column, so that the data that they point to stays in
 * the CPU caches. */
#define BLOCK_ROWS (4 * NS_TYPED_BATCH_ROWS)
/* Maximum number of pauses in which a thread waits actively: about a hundred microseconds. */
#define MAX_SPINS 2000
#if defined(__x86_64__) || defined(__i386__)
#define NS_SPIN_PAUSE() __builtin_ia32_pause ()
#else
#define NS_SPIN_PAUSE()
#endif

static guint
count_rows (const NsExtract *self, NsTableId table)
{
  const GArray *rows = self->options.rows != NULL ? self->options.rows[table] : NULL;

  return rows != NULL ? rows->len : ns_table_get_n_rows (self->trace, table);
}

static guint
count_all_rows (const NsExtract *self, NsExtractTableId id)
{
  const NsExtractShape *shape = ns_extract_schema_get_shape (self->schema, id);
  guint n_rows = 0;
  guint i;

  for (i = 0; i < shape->n_tables; i++)
    n_rows += count_rows (self, shape->tables[i]);
  return n_rows;
}

/* Computes the findings. The rows of activities need them too, so that table is read last. */
static gpointer
find_cb (gpointer trace)
{
  ns_findings_get (trace);
  return NULL;
}

/**
 * ns_extract_new:
 * @trace: a trace; must outlive the result
 * @options: options; the data that they point to must outlive the result
 *
 * Returns: (transfer full): an extract of the trace
 */
NsExtract *
ns_extract_new (const NsTrace *trace, const NsExtractOptions *options)
{
  NsExtract *self = g_new0 (NsExtract, 1);
  guint i;

  self->trace = trace;
  self->options = *options;
  if (options->schema == NULL)
    self->own_schema = ns_extract_schema_new ();
  self->schema = options->schema != NULL ? options->schema : self->own_schema;
  if (options->stacks != NS_EXTRACT_STACKS_NONE)
    self->keys = ns_extract_keys_new (trace);
  if (!options->is_redacted)
    self->machine = g_strdup (ns_etl_file_get_machine (trace->file));
  /* Findings are not computed yet; there are few of them. */
  for (i = 0; i < NS_EXTRACT_N_TABLES; i++)
    if (i != NS_EXTRACT_FINDINGS)
      self->n_rows += count_all_rows (self, i);
  if (self->n_rows >= MIN_SHARED_ROWS)
    ns_meanwhile_begin (&self->findings, "findings", find_cb, (gpointer) trace);
  return self;
}

/**
 * ns_extract_free:
 * @self: (transfer full) (nullable): an extract
 */
void
ns_extract_free (NsExtract *self)
{
  if (self == NULL)
    return;
  ns_meanwhile_end (&self->findings);
  ns_extract_keys_free (self->keys);
  ns_extract_schema_free (self->own_schema);
  g_free (self->machine);
  g_free (self);
}

/**
 * ns_extract_get_schema:
 * @self: an extract of a trace
 *
 * Returns: (transfer none): the descriptions of its tables
 */
const NsExtractSchema *
ns_extract_get_schema (const NsExtract *self)
{
  return self->schema;
}

/**
 * ns_extract_dup_day:
 * @self: an extract of a trace
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

static gboolean
refuse_stopped (GError **error)
{
  g_set_error_literal (error, NS_TRACE_ERROR, NS_TRACE_ERROR_CANCELLED, _ ("stopped"));
  return FALSE;
}

/* Returns whether all rows have a begin, none before that of the row before it. */
static gboolean
are_in_order (const NsTrace *trace, const NsField *start, const GArray *rows)
{
  gint64 before_ns = G_MININT64;
  NsFieldQuick quick;
  guint i;

  ns_field_quick_init (&quick, trace, start);
  if (quick.kind != NS_FIELD_QUICK_TIME)
    return FALSE;
  for (i = 0; i < rows->len; i++)
    {
      gsize row = g_array_index (rows, guint32, i);
      gint64 time_ns = *(const gint64 *) (gconstpointer) (quick.first + row * quick.row_bytes);

      if (!ns_time_is_set (time_ns) || time_ns < before_ns)
        return FALSE;
      before_ns = time_ns;
    }
  return TRUE;
}

/* Lists the rows of a table, sorted by begin. */
static GArray *
order_rows (const NsExtract *self, NsTableId table, const NsField *start)
{
  guint n_rows = count_rows (self, table);
  const GArray *wanted = self->options.rows != NULL ? self->options.rows[table] : NULL;
  GArray *rows = g_array_sized_new (FALSE, FALSE, sizeof (guint32), n_rows);
  NsOrderKey key = { start, FALSE, NULL };
  guint32 row;

  g_array_set_size (rows, n_rows);
  for (row = 0; row < n_rows; row++)
    g_array_index (rows, guint32, row) =
        wanted != NULL ? g_array_index (wanted, guint32, row) : row;
  if (start != NULL && !are_in_order (self->trace, start, rows))
    ns_order_sort (self->trace, &key, 1, rows, NULL, NULL);
  return rows;
}

/* Finds the names to replace, in the same rows and fields as the caller's list of replaced
 * names. */
static NsRedact *
find_redactions (const NsExtract *self, NsTableId table)
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
report_progress (const NsExtract *self)
{
  return self->options.progress == NULL ||
         self->options.progress (MIN (1, (double) self->n_done / (double) MAX (self->n_rows, 1)),
                                 self->options.progress_data);
}

/* Receiver of a table's cells: by row, or by column. */
typedef struct
{
  NsExtractRowsFunc take_rows;       /* NULL: by column */
  const NsExtractColumnFuncs *funcs; /* by column */
  gpointer user_data;
} Sink;

static gboolean
walk_rows (NsExtract *self,
           const NsExtractReader *reader,
           const NsExtractTable *table,
           const GArray *rows,
           const Sink *sink,
           GError **error)
{
  NsExtractRelay *relay = ns_extract_relay_new (table->n_columns,
                                                rows->len >= MIN_SHARED_ROWS,
                                                sink->take_rows,
                                                sink->user_data);
  gboolean is_stopped = FALSE;
  gboolean ok = TRUE;
  guint column;
  guint n;
  guint i;

  for (i = 0; i < rows->len && ok && !is_stopped; i += n)
    {
      NsExtractBatch *batch = ns_extract_relay_get (relay);

      n = MIN (rows->len - i, NS_TYPED_BATCH_ROWS);
      ns_extract_batch_begin (batch, &g_array_index (rows, guint32, i), n);
      for (column = 0; column < table->n_columns; column++)
        ns_extract_reader_read (reader,
                                batch,
                                column,
                                batch->cells + (gsize) column * NS_TYPED_BATCH_ROWS);
      ok = ns_extract_relay_send (relay);
      self->n_done += n;
      is_stopped = ok && !report_progress (self);
    }
  if (!ns_extract_relay_end (relay, error))
    return FALSE;
  return is_stopped ? refuse_stopped (error) : ok;
}

/* A block of rows whose columns two threads read and pass on; each takes the next free column. */
typedef struct
{
  const NsExtractReader *reader;
  const Sink *sink;
  const guint32 *rows;
  guint n_rows;
  guint next; /* atomic: index of the next free column in the list of shared ones */
} Block;

/* Second thread that reads columns, one block after the other. On a busy machine it may begin
 * too late for a block; then nothing waits for it. A block takes about as long as waking a thread,
 * so threads wait for each other actively at first. */
typedef struct
{
  NsMeanwhile thread;
  GMutex lock;
  GCond cond;
  Block *block;    /* block to read; NULL: none */
  guint n_begun;   /* atomic: number of blocks passed */
  guint n_waiting; /* number of threads that wait for @cond */
  gint is_busy;    /* atomic */
  gboolean is_over;
} HelperThread;

static void
wait_for (HelperThread *self)
{
  self->n_waiting++;
  g_cond_wait (&self->cond, &self->lock);
  self->n_waiting--;
}

static void
wake_up (HelperThread *self)
{
  if (self->n_waiting > 0)
    g_cond_broadcast (&self->cond);
}

/* Waits a short time until a number changes. */
static void
spin_while (const guint *number, guint value)
{
  guint i;

  for (i = 0; i < MAX_SPINS && (guint) g_atomic_int_get (number) == value; i++)
    NS_SPIN_PAUSE ();
}

static void
read_column (const Block *self, NsExtractBatch *batch, guint column)
{
  if (ns_extract_reader_read_numbers (self->reader, batch, column))
    {
      self->sink->funcs->take_numbers (column,
                                       &batch->numbers,
                                       batch->n_rows,
                                       self->sink->user_data);
      return;
    }
  ns_extract_reader_read (self->reader, batch, column, batch->cells);
  self->sink->funcs->take_cells (column, batch->cells, batch->n_rows, self->sink->user_data);
}

static void
read_columns (Block *self, NsExtractBatch *batch)
{
  guint n_columns;
  const guint *columns =
      ns_extract_reader_list_columns (self->reader, NS_EXTRACT_READ_SHARED, &n_columns);
  guint next;
  guint i;

  ns_extract_reader_fetch (self->reader, self->rows, self->n_rows);
  while ((next = (guint) g_atomic_int_add (&self->next, 1)) < n_columns)
    for (i = 0; i < self->n_rows; i += batch->n_rows)
      {
        ns_extract_batch_begin (batch, self->rows + i, MIN (self->n_rows - i, NS_TYPED_BATCH_ROWS));
        read_column (self, batch, columns[next]);
      }
}

/* Reads the columns that only this thread may read, and passes on those without values. */
static void
read_own_columns (const Block *self, NsExtractBatch *batch)
{
  guint n_columns;
  const guint *columns =
      ns_extract_reader_list_columns (self->reader, NS_EXTRACT_READ_OWN, &n_columns);
  guint i;
  guint j;

  for (i = 0; i < self->n_rows; i += batch->n_rows)
    {
      ns_extract_batch_begin (batch, self->rows + i, MIN (self->n_rows - i, NS_TYPED_BATCH_ROWS));
      for (j = 0; j < n_columns; j++)
        read_column (self, batch, columns[j]);
    }
  columns = ns_extract_reader_list_columns (self->reader, NS_EXTRACT_READ_UNKNOWN, &n_columns);
  for (j = 0; j < n_columns; j++)
    self->sink->funcs->take_cells (columns[j], NULL, self->n_rows, self->sink->user_data);
}

static gpointer
helper_cb (gpointer mate)
{
  HelperThread *self = mate;
  NsExtractBatch batch;

  ns_extract_batch_init (&batch, 1);
  g_mutex_lock (&self->lock);
  while (!self->is_over)
    if (self->block == NULL)
      {
        guint n_begun = (guint) g_atomic_int_get (&self->n_begun);

        g_mutex_unlock (&self->lock);
        spin_while (&self->n_begun, n_begun);
        g_mutex_lock (&self->lock);
        if (self->block == NULL && !self->is_over)
          wait_for (self);
      }
    else
      {
        Block *block = g_steal_pointer (&self->block);

        g_atomic_int_set (&self->is_busy, TRUE);
        g_mutex_unlock (&self->lock);
        read_columns (block, &batch);
        g_mutex_lock (&self->lock);
        g_atomic_int_set (&self->is_busy, FALSE);
        wake_up (self);
      }
  g_mutex_unlock (&self->lock);
  ns_extract_batch_clear (&batch);
  return NULL;
}

static void
mate_begin (HelperThread *self, Block *block)
{
  g_mutex_lock (&self->lock);
  self->block = block;
  g_atomic_int_inc (&self->n_begun);
  wake_up (self);
  g_mutex_unlock (&self->lock);
}

/* Ends the second thread's work on a block, once all columns are taken. */
static void
mate_end (HelperThread *self)
{
  g_mutex_lock (&self->lock);
  self->block = NULL;
  if (self->is_busy)
    {
      g_mutex_unlock (&self->lock);
      spin_while ((const guint *) &self->is_busy, TRUE);
      g_mutex_lock (&self->lock);
    }
  while (self->is_busy)
    wait_for (self);
  g_mutex_unlock (&self->lock);
}

static void
mate_init (HelperThread *self)
{
  *self = (HelperThread){ { NULL, NULL, NULL }, .is_over = FALSE };
  g_mutex_init (&self->lock);
  g_cond_init (&self->cond);
  ns_meanwhile_begin (&self->thread, "extract", helper_cb, self);
}

static void
mate_clear (HelperThread *self)
{
  g_mutex_lock (&self->lock);
  self->is_over = TRUE;
  g_atomic_int_inc (&self->n_begun);
  wake_up (self);
  g_mutex_unlock (&self->lock);
  ns_meanwhile_end (&self->thread);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->cond);
}

/* Reads a block. @mate: %NULL: this thread reads all of it. */
static void
read_block (Block *self, NsExtractBatch *batch, HelperThread *mate)
{
  if (mate != NULL)
    mate_begin (mate, self);
  read_own_columns (self, batch);
  read_columns (self, batch);
  if (mate != NULL)
    mate_end (mate);
}

static gboolean
walk_blocks (NsExtract *self, const Block *all, HelperThread *mate, GError **error)
{
  NsExtractBatch batch;
  gboolean ok = TRUE;
  guint i;

  ns_extract_batch_init (&batch, 1);
  for (i = 0; i < all->n_rows && ok; i += BLOCK_ROWS)
    {
      Block block = *all;

      block.rows += i;
      block.n_rows = MIN (all->n_rows - i, BLOCK_ROWS);
      read_block (&block, &batch, mate);
      self->n_done += block.n_rows;
      ok = all->sink->funcs->end_rows (block.n_rows, all->sink->user_data, error) &&
           (report_progress (self) || refuse_stopped (error));
    }
  ns_extract_batch_clear (&batch);
  return ok;
}

static gboolean
walk_columns (NsExtract *self,
              const NsExtractReader *reader,
              const GArray *rows,
              const Sink *sink,
              GError **error)
{
  const Block all = { reader, sink, (const guint32 *) (gpointer) rows->data, rows->len, 0 };
  HelperThread mate;
  gboolean ok;

  if (rows->len < MIN_SHARED_ROWS)
    return walk_blocks (self, &all, NULL, error);
  mate_init (&mate);
  ok = walk_blocks (self, &all, &mate, error);
  mate_clear (&mate);
  return ok;
}

static gboolean
walk_layer (NsExtract *self,
            NsExtractReader *reader,
            const NsExtractShape *shape,
            guint layer,
            const Sink *sink,
            GError **error)
{
  NsTableId table = shape->tables[layer];
  g_autoptr (GArray) rows =
      order_rows (self, table, shape->columns[shape->table.start_column].fields[layer]);
  g_autoptr (NsRedact) redact = NULL;

  if (self->options.is_redacted && rows->len > 0)
    {
      redact = find_redactions (self, table);
      if (redact == NULL)
        return refuse_stopped (error);
    }
  ns_extract_reader_set_layer (reader, layer, redact);
  return sink->take_rows != NULL ? walk_rows (self, reader, &shape->table, rows, sink, error)
                                 : walk_columns (self, reader, rows, sink, error);
}

static gboolean
walk (NsExtract *self, NsExtractTableId id, const Sink *sink, GError **error)
{
  const NsExtractShape *shape = ns_extract_schema_get_shape (self->schema, id);
  NsExtractReader *reader = ns_extract_reader_new (self, id);
  gboolean ok = TRUE;
  guint layer;

  for (layer = 0; layer < shape->n_tables && ok; layer++)
    ok = walk_layer (self, reader, shape, layer, sink, error);
  self->has_all_keys |= ok && id == NS_EXTRACT_ACTIVITIES;
  ns_extract_reader_free (reader);
  return ok;
}

/* Finds the stack keys of all rows, whether these are written or not. */
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
 * ns_extract_may_have_rows:
 * @self: an extract of a trace
 * @id: a table
 *
 * Does not read rows; for callers that create no file for an empty table.
 *
 * Returns: %FALSE if ns_extract_walk() would pass no rows
 */
gboolean
ns_extract_may_have_rows (const NsExtract *self, NsExtractTableId id)
{
  if (id == NS_EXTRACT_STACKS)
    return self->keys != NULL;
  return id == NS_EXTRACT_TRACE || count_all_rows (self, id) > 0;
}

/**
 * ns_extract_walk:
 * @self: an extract of a trace
 * @id: a table
 * @func: (scope call): called with its rows, by begin
 * @user_data: for @func
 * @error: error of @func, or %NS_TRACE_ERROR_CANCELLED
 *
 * Returns: %FALSE if stopped
 */
gboolean
ns_extract_walk (NsExtract *self,
                 NsExtractTableId id,
                 NsExtractRowsFunc func,
                 gpointer user_data,
                 GError **error)
{
  const Sink sink = { func, NULL, user_data };

  if (id == NS_EXTRACT_STACKS)
    return walk_stacks (self, func, user_data, error);
  if (id == NS_EXTRACT_TRACE)
    return ns_extract_walk_trace (self, func, user_data, error);
  return walk (self, id, &sink, error);
}

/* Passes on a row that is not from a table of the trace. */
typedef struct
{
  const Sink *sink;
  guint n_columns;
} Pass;

static gboolean
pass_rows_cb (const NsTypedBatch *batch, gpointer user_data, GError **error)
{
  const Pass *pass = user_data;
  guint column;

  for (column = 0; column < pass->n_columns; column++)
    pass->sink->funcs->take_cells (column,
                                   ns_typed_batch_get (batch, column, 0),
                                   batch->n_rows,
                                   pass->sink->user_data);
  return pass->sink->funcs->end_rows (batch->n_rows, pass->sink->user_data, error);
}

/**
 * ns_extract_walk_columns:
 * @self: an extract of a trace
 * @id: a table
 * @funcs: receiver of the rows
 * @user_data: for @funcs
 * @error: error of its end_rows(), or %NS_TRACE_ERROR_CANCELLED
 *
 * Like ns_extract_walk(), for column-oriented output: the data of a column stays in the CPU caches
 * until it is passed on, and no thread waits for the other to complete rows.
 *
 * Returns: %FALSE if stopped
 */
gboolean
ns_extract_walk_columns (NsExtract *self,
                         NsExtractTableId id,
                         const NsExtractColumnFuncs *funcs,
                         gpointer user_data,
                         GError **error)
{
  const Sink sink = { NULL, funcs, user_data };
  Pass pass = { &sink, ns_extract_schema_get_table (self->schema, id)->n_columns };

  if (id == NS_EXTRACT_STACKS || id == NS_EXTRACT_TRACE)
    return ns_extract_walk (self, id, pass_rows_cb, &pass, error);
  return walk (self, id, &sink, error);
}

/**
 * ns_extract_walk_failure:
 * @options: identity and file of a trace that could not be read
 * @reason: the reason
 * @func: (scope call): called with the row
 * @user_data: for @func
 * @error: error of @func
 *
 * Passes on the row of the trace in the table of failures.
 *
 * Returns: %FALSE if stopped
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
