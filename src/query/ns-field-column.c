/* Packed columns of fields: determines the fields that have one, and fills it from rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-field-column.h"

#include "base/ns-parts.h"
#include "query/ns-field-get.h"

/* Number of rows that prefetching is ahead; rows are read in sequence. */
#define ROWS_AHEAD 12

typedef struct
{
  const NsTrace *trace;
  const NsField *field;
  NsColumnKind kind;
  guint64 *numbers;
  gint has_unknown_number; /* atomic: a row has the value that means "unknown" */
} Reading;

/* Returns whether the field is a number in the row that never changes. Scheduling data is read
 * later than the rows, and records are decoded on demand. */
static gboolean
is_lasting_number (const NsField *field)
{
  static const NsFieldGetFunc members[] = {
    ns_get_u8,          ns_get_u16,         ns_get_u32,         ns_get_u64,
    ns_get_i32,         ns_get_i64,         ns_get_nonzero_u8,  ns_get_nonzero_u16,
    ns_get_nonzero_u32, ns_get_nonzero_i32, ns_get_nonzero_u64, ns_get_known_u32,
    ns_get_bool,        ns_get_time,        ns_get_duration,    ns_get_still_open,
    ns_get_port,        ns_get_port_of,
  };
  guint i;

  if (!ns_field_type_is_number (field->type) && field->type != NS_TYPE_BOOL)
    return FALSE;
  for (i = 0; i < G_N_ELEMENTS (members); i++)
    if (field->get == members[i])
      return TRUE;
  return ns_field_is_lasting_of_activity (field);
}

/**
 * ns_field_get_column_kind: (skip)
 * @field: a field
 *
 * Returns: the kind of its column; %NS_COLUMN_KIND_NONE if it has none
 */
NsColumnKind
ns_field_get_column_kind (const NsField *field)
{
  if (!ns_field_may_share (field))
    return NS_COLUMN_KIND_NONE;
  if (field->get == ns_get_string)
    return NS_COLUMN_KIND_TEXT;
  if (field->get == ns_get_process || field->get == ns_get_process_with_pid)
    return NS_COLUMN_KIND_PROCESS;
  if (field->get == ns_get_layers || field->get == ns_get_layer)
    return NS_COLUMN_KIND_LAYERS;
  return is_lasting_number (field) ? NS_COLUMN_KIND_NUMBER : NS_COLUMN_KIND_NONE;
}

/**
 * ns_field_is_of_process: (skip)
 * @field: a field
 *
 * Returns: whether it is a text that all rows of a process have, so that ns_field_get_process()
 *   identifies it; of the ancestors, only if ns_field_has_one_tree()
 */
gboolean
ns_field_is_of_process (const NsField *field)
{
  return field->get == ns_get_process || field->get == ns_get_process_with_pid ||
         field->get == ns_get_process_tree || ns_field_is_of_process_of_activity (field);
}

/**
 * ns_field_has_one_tree: (skip)
 * @trace: a trace
 * @process: a row of the table of processes
 *
 * Returns: whether ns_get_process_tree() returns the same for all rows of the process; %FALSE: its
 *   begin is not known, and which process its parent ID means may depend on the time of the row
 */
gboolean
ns_field_has_one_tree (const NsTrace *trace, NsRow process)
{
  guint depth;

  for (depth = 0; depth < NS_FIELD_MAX_TREE_DEPTH; depth++)
    {
      const NsProcessRow *row = NS_ROW_AT (trace->processes, NsProcessRow, process);
      NsRow parent;

      if (ns_time_is_set (row->start_ns))
        return depth == 0;
      if (row->parent_pid == NS_PID_UNKNOWN || row->parent_pid == row->pid)
        return TRUE;
      parent = ns_trace_find_process (trace, row->parent_pid, -NS_TIME_MAX);
      if (parent == 0)
        return TRUE;
      if (parent != ns_trace_find_process (trace, row->parent_pid, NS_TIME_MAX))
        return FALSE;
      process = parent;
    }
  return TRUE;
}

/**
 * ns_field_get_writer: (skip)
 * @field: a field
 *
 * Returns: (nullable): the function that writes its text to a buffer; %NULL: it has none, use
 *   ns_field_get()
 */
NsFieldWriteFunc
ns_field_get_writer (const NsField *field)
{
  if (field->get == ns_get_guid || field->get == ns_get_guid_of)
    return ns_field_write_guid;
  return ns_field_get_writer_of_connection (field);
}

/* Returns the field whose column is used: fields that display one member in two ways share the
 * column of the first. */
static const NsField *
find_owner (const NsField *field, NsTableId table, NsColumnKind kind)
{
  guint n_fields;
  const NsField *fields = ns_table_get_fields (table, &n_fields);
  guint i;

  if (kind == NS_COLUMN_KIND_NUMBER)
    return field;
  for (i = 0; i < n_fields; i++)
    if (fields[i].extra == field->extra && ns_field_get_column_kind (&fields[i]) == kind)
      return &fields[i];
  return field;
}

static guint64
read_number (Reading *reading, guint row)
{
  guint64 number = NS_COLUMN_UNKNOWN;
  NsFieldValue value;

  ns_field_get (reading->trace, reading->field, row, &value);
  if (!value.is_null)
    {
      number = ns_field_value_to_number (&value);
      if (number == NS_COLUMN_UNKNOWN)
        g_atomic_int_set (&reading->has_unknown_number, TRUE);
    }
  ns_field_value_clear (&value);
  return number;
}

/**
 * ns_field_get_value_number: (skip)
 * @trace: a trace
 * @field: a field
 * @kind: kind of its column: text, process or layers
 * @column: (nullable): its column; %NULL: read the row
 * @row: 0-based
 *
 * Returns: the number of its value; rows with equal numbers have equal texts. 0: no text, unknown
 *   process, no layer
 */
guint64
ns_field_get_value_number (const NsTrace *trace,
                           const NsField *field,
                           NsColumnKind kind,
                           const NsColumn *column,
                           guint row)
{
  guint64 code;

  if (column != NULL)
    {
      code = ns_column_get_code (column, row);
      return code == 0 ? 0 : ns_column_get_number (column, code);
    }
  if (kind == NS_COLUMN_KIND_TEXT)
    return ns_field_get_string_id (trace, row, field);
  if (kind == NS_COLUMN_KIND_PROCESS)
    return ns_field_get_process (trace, row, field, NULL);
  return ns_field_get_layers (trace, row, field);
}

static guint64
read_one (Reading *reading, guint row)
{
  guint64 number;

  if (reading->kind == NS_COLUMN_KIND_NUMBER)
    return read_number (reading, row);
  number = ns_field_get_value_number (reading->trace, reading->field, reading->kind, NULL, row);
  return number == 0 ? NS_COLUMN_UNKNOWN : number;
}

static void
read_cb (guint begin, guint end, guint worker, gpointer user_data)
{
  Reading *reading = user_data;
  guint row;

  for (row = begin; row < end; row++)
    {
      ns_field_fetch (reading->trace, row + ROWS_AHEAD, reading->field);
      reading->numbers[row] = read_one (reading, row);
    }
}

static NsColumn *
read_column (const NsTrace *trace, const NsField *field, NsColumnKind kind, guint n_rows)
{
  g_autofree guint64 *numbers = g_try_new (guint64, n_rows);
  Reading reading = { trace, field, kind, numbers, FALSE };

  if (numbers == NULL)
    return NULL;
  ns_parts_run (n_rows, TRUE, read_cb, &reading, NULL, NULL);
  return reading.has_unknown_number ? NULL : ns_column_new (numbers, n_rows);
}

/**
 * ns_field_get_column: (skip)
 * @trace: a trace
 * @field: a field
 *
 * The second call makes the column, which takes about as long as one filter run.
 *
 * Returns: (transfer none) (nullable): its column, valid as long as @trace; %NULL: none (yet), the
 *   caller must read rows
 */
const NsColumn *
ns_field_get_column (const NsTrace *trace, const NsField *field)
{
  NsColumnKind kind = ns_field_get_column_kind (field);
  NsTableId table = field->extra >> (2 * NS_FIELD_OFFSET_BITS);
  const NsColumn *column;
  gboolean make;
  guint n_rows;

  if (kind == NS_COLUMN_KIND_NONE || trace->columns == NULL || table == NS_TABLE_FINDINGS)
    return NULL;
  field = find_owner (field, table, kind);
  n_rows = ns_table_get_n_rows (trace, table);
  column = ns_columns_ask (trace->columns, field, n_rows, &make);
  if (make)
    column = ns_columns_keep (trace->columns, field, read_column (trace, field, kind, n_rows));
  return column;
}
