/* The columns of one record for `events` and `dump`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-event.h"

#include "base/ns-json.h"
#include "engine/net/kernel/ns-kernel-ends.h"
#include "engine/open/ns-event-read.h"
#include "query/ns-fields.h"
#include "schema/ns-payload-mask.h"
#include "schema/ns-value.h"

#include <string.h>

/* Value of a column, before it is formatted as JSON or text. */
typedef struct
{
  enum
  {
    NONE,
    NUMBER,
    TEXT,
  } kind;
  gint64 number;
  const char *text;
  char buffer[NS_GUID_TEXT_SIZE];
} Cell;

static const char *const column_names[NS_CLI_EVENT_N_COLUMNS] = {
  [NS_CLI_EVENT_N] = "n",
  [NS_CLI_EVENT_TIME] = "time_ns",
  [NS_CLI_EVENT_CPU] = "cpu",
  [NS_CLI_EVENT_PID] = "pid",
  [NS_CLI_EVENT_TID] = "tid",
  [NS_CLI_EVENT_PROVIDER] = "provider",
  [NS_CLI_EVENT_PROVIDER_NAME] = "provider_name",
  [NS_CLI_EVENT_ID] = "id",
  [NS_CLI_EVENT_VERSION] = "version",
  [NS_CLI_EVENT_OPCODE] = "opcode",
  [NS_CLI_EVENT_OPCODE_NAME] = "opcode_name",
  [NS_CLI_EVENT_TASK] = "task",
  [NS_CLI_EVENT_TASK_NAME] = "task_name",
  [NS_CLI_EVENT_LEVEL] = "level",
  [NS_CLI_EVENT_KEYWORD] = "keyword",
  [NS_CLI_EVENT_ACTIVITY] = "activity",
  [NS_CLI_EVENT_RELATED_ACTIVITY] = "related_activity",
  [NS_CLI_EVENT_KERNEL_TIME] = "kernel_time",
  [NS_CLI_EVENT_USER_TIME] = "user_time",
  [NS_CLI_EVENT_HEADER] = "header",
  [NS_CLI_EVENT_NAME] = "name",
  [NS_CLI_EVENT_FIELDS] = "fields",
  [NS_CLI_EVENT_PAYLOAD_HEX] = "payload_hex",
  [NS_CLI_EVENT_STACK_DEPTH] = "stack_depth",
  [NS_CLI_EVENT_SCHEMA] = "schema",
  [NS_CLI_EVENT_SCHEMA_BUILD] = "schema_build",
  [NS_CLI_EVENT_DEPTH] = "depth",
};

static const NsField *
get_field (guint column)
{
  guint n_fields;
  const NsField *fields = ns_table_get_fields (NS_TABLE_EVENTS, &n_fields);

  g_assert (column - NS_CLI_EVENT_FIRST_FIELD < n_fields);
  return &fields[column - NS_CLI_EVENT_FIRST_FIELD];
}

/**
 * ns_cli_event_get_column_name:
 * @column: a column
 *
 * Returns: (transfer none): its name in JSON and on the command line
 */
const char *
ns_cli_event_get_column_name (guint column)
{
  return column < NS_CLI_EVENT_N_COLUMNS ? column_names[column] : get_field (column)->id;
}

/**
 * ns_cli_event_column_is_text:
 * @column: a column
 *
 * Returns: whether its values are texts of the trace, which may look like formulas or numbers
 */
gboolean
ns_cli_event_column_is_text (guint column)
{
  switch (column)
    {
    case NS_CLI_EVENT_PROVIDER_NAME:
    case NS_CLI_EVENT_OPCODE_NAME:
    case NS_CLI_EVENT_TASK_NAME:
    case NS_CLI_EVENT_NAME:
    case NS_CLI_EVENT_FIELDS:
      return TRUE;
    default:
      return column >= NS_CLI_EVENT_FIRST_FIELD &&
             !ns_field_type_is_number (get_field (column)->type);
    }
}

/**
 * ns_cli_event_column_from_name:
 * @name: a name; `time` is short for `time_ns`
 * @column: (out): the column of that name
 *
 * Returns: %TRUE if there is such a column
 */
gboolean
ns_cli_event_column_from_name (const char *name, guint *column)
{
  guint n_fields;
  const NsField *fields = ns_table_get_fields (NS_TABLE_EVENTS, &n_fields);
  guint i;

  if (strcmp (name, "time") == 0)
    name = column_names[NS_CLI_EVENT_TIME];
  for (i = 0; i < G_N_ELEMENTS (column_names); i++)
    if (strcmp (column_names[i], name) == 0)
      {
        *column = i;
        return TRUE;
      }
  for (i = 0; i < n_fields; i++)
    if (strcmp (fields[i].id, name) == 0)
      {
        *column = NS_CLI_EVENT_FIRST_FIELD + i;
        return TRUE;
      }
  return FALSE;
}

/**
 * ns_cli_event_column_reads_tables:
 * @column: a column
 *
 * Returns: %TRUE if its values need the trace's tables, not only the record
 */
gboolean
ns_cli_event_column_reads_tables (guint column)
{
  return column >= NS_CLI_EVENT_FIRST_FIELD && g_str_has_prefix (get_field (column)->id, "process");
}

static gboolean
is_manifest (const NsRecord *record)
{
  return (record->flags & NS_RECORD_MANIFEST) != 0;
}

/* Returns the number of frames of the record's call stack, inside the record or matched to it. */
static guint
get_stack_depth (const NsCliEvent *self)
{
  const NsRecord *record = self->record;
  guint depth = 0;

  if (self->depths != NULL)
    depth = ns_map_get (self->depths, record->ref.buffer, record->ref.offset);
  if (depth != 0)
    return depth;
  return ns_event_count_frames (record);
}

static void
set_number (Cell *cell, gboolean is_known, gint64 number)
{
  cell->kind = is_known ? NUMBER : NONE;
  cell->number = number;
}

static void
set_text (Cell *cell, const char *text)
{
  cell->kind = text != NULL ? TEXT : NONE;
  cell->text = text;
}

static void
set_guid (Cell *cell, const NsGuid *guid)
{
  if (ns_guid_is_zero (guid))
    cell->kind = NONE;
  else
    set_text (cell, ns_guid_to_text (guid, cell->buffer));
}

static void
set_keyword (Cell *cell, const NsRecord *record)
{
  g_snprintf (cell->buffer, sizeof cell->buffer, "0x%" G_GINT64_MODIFIER "x", record->keyword);
  set_text (cell, is_manifest (record) ? cell->buffer : NULL);
}

/* Fills columns of the event header. */
static void
fill_from_header (const NsRecord *record, NsCliEventColumn column, Cell *cell)
{
  NsGuid related;

  switch (column)
    {
    case NS_CLI_EVENT_CPU:
      set_number (cell, TRUE, record->cpu);
      break;
    case NS_CLI_EVENT_PID:
      set_number (cell, record->pid != NS_PID_UNKNOWN, record->pid);
      break;
    case NS_CLI_EVENT_TID:
      set_number (cell, record->tid != NS_PID_UNKNOWN, record->tid);
      break;
    case NS_CLI_EVENT_PROVIDER:
      set_guid (cell, &record->guid);
      break;
    case NS_CLI_EVENT_ID:
      set_number (cell, TRUE, record->id);
      break;
    case NS_CLI_EVENT_VERSION:
      set_number (cell, TRUE, record->version);
      break;
    case NS_CLI_EVENT_OPCODE:
      set_number (cell, TRUE, record->opcode);
      break;
    case NS_CLI_EVENT_TASK:
      set_number (cell, is_manifest (record), record->task);
      break;
    case NS_CLI_EVENT_LEVEL:
      set_number (cell, ns_event_has_level (record), record->level);
      break;
    case NS_CLI_EVENT_KEYWORD:
      set_keyword (cell, record);
      break;
    case NS_CLI_EVENT_ACTIVITY:
      set_guid (cell, &record->activity);
      break;
    case NS_CLI_EVENT_RELATED_ACTIVITY:
      if (ns_record_get_related_activity (record, &related))
        set_guid (cell, &related);
      break;
    case NS_CLI_EVENT_KERNEL_TIME:
      set_number (cell, ns_event_has_cpu_times (record), record->kernel_time);
      break;
    case NS_CLI_EVENT_USER_TIME:
      set_number (cell, ns_event_has_cpu_times (record), record->user_time);
      break;
    case NS_CLI_EVENT_HEADER:
      set_text (cell, ns_event_get_header (record));
      break;
    default:
      break;
    }
}

static void
fill (const NsCliEvent *self, NsCliEventColumn column, Cell *cell)
{
  const NsEvent event = { self->record, self->schema, self->trace->secrets };

  cell->kind = NONE;
  switch (column)
    {
    case NS_CLI_EVENT_N:
      set_number (cell, TRUE, (gint64) self->n);
      break;
    case NS_CLI_EVENT_TIME:
      set_number (cell, TRUE, self->record->time_ns);
      break;
    case NS_CLI_EVENT_PROVIDER_NAME:
      set_text (cell, ns_event_get_provider_name (&event, self->trace));
      break;
    case NS_CLI_EVENT_OPCODE_NAME:
      set_text (cell, ns_event_get_opcode_name (&event));
      break;
    case NS_CLI_EVENT_TASK_NAME:
      set_text (cell, ns_event_get_task_name (&event));
      break;
    case NS_CLI_EVENT_NAME:
      set_text (cell, ns_event_get_name (&event));
      break;
    case NS_CLI_EVENT_STACK_DEPTH:
      set_number (cell, TRUE, get_stack_depth (self));
      break;
    case NS_CLI_EVENT_SCHEMA:
      set_text (cell, ns_schema_source_to_text (self->schema->source));
      break;
    case NS_CLI_EVENT_SCHEMA_BUILD:
      set_number (cell, self->schema->build != 0, self->schema->build);
      break;
    case NS_CLI_EVENT_DEPTH:
      if (self->ids != NULL)
        set_number (cell, TRUE, ns_activity_ids_get_depth (self->ids, &self->record->activity));
      break;
    default:
      fill_from_header (self->record, column, cell);
      break;
    }
}

static void
append_number (GString *text, gint64 number)
{
  char buffer[24];

  g_snprintf (buffer, sizeof buffer, "%" G_GINT64_FORMAT, number);
  g_string_append (text, buffer);
}

static void
append_payload (const NsCliEvent *self, GString *text)
{
  const NsRecord *record = self->record;
  g_autofree guint8 *masked = ns_payload_dup_masked (self->schema, record, self->trace->secrets);

  ns_value_append_bytes (text, masked != NULL ? masked : record->payload, record->payload_size);
}

/* Appends the fields of the payload. On a terminal, all records of a connection have its endpoints
 * in the same order. */
static void
append_fields (const NsCliEvent *self, GString *text)
{
  g_autofree guint8 *turned = NULL;
  NsRecord record = *self->record;

  if (self->is_screen && !self->is_raw)
    turned = ns_kernel_ends_dup_turned (self->trace->kernel_ends, self->record, self->schema);
  if (turned != NULL)
    record.payload = turned;
  ns_payload_append_dump (self->schema, &record, self->trace->secrets, text);
  if (self->is_screen && self->schema->n_fields == 0)
    append_payload (self, text);
}

/* Appends a field of the table of events that is no column of its own. */
static void
append_field (const NsCliEvent *self, guint column, gboolean is_json, GString *text)
{
  const NsField *field = get_field (column);
  NsFieldValue value;

  ns_event_hold (self->trace, (guint) self->n, self->record, self->schema);
  ns_field_get (self->trace, field, (guint) self->n, &value);
  ns_event_release (self->trace);
  if (is_json)
    ns_field_append_json (field, &value, text);
  else if (!value.is_null)
    ns_field_append_raw (field, &value, text);
  ns_field_value_clear (&value);
}

/**
 * ns_cli_event_append_json:
 * @self: a record
 * @column: a column
 * @text: to append to
 *
 * Appends the value alone; `null` if the record has none.
 */
void
ns_cli_event_append_json (const NsCliEvent *self, guint column, GString *text)
{
  Cell cell;

  if (column >= NS_CLI_EVENT_FIRST_FIELD)
    {
      append_field (self, column, TRUE, text);
      return;
    }
  if (column == NS_CLI_EVENT_FIELDS)
    {
      ns_payload_append_json (self->schema, self->record, self->trace->secrets, text);
      return;
    }
  if (column == NS_CLI_EVENT_PAYLOAD_HEX)
    {
      g_string_append_c (text, '"');
      append_payload (self, text);
      g_string_append_c (text, '"');
      return;
    }
  fill (self, column, &cell);
  if (cell.kind == NUMBER)
    append_number (text, cell.number);
  else
    ns_json_append_string (text, cell.kind == TEXT ? cell.text : NULL);
}

/**
 * ns_cli_event_append_text:
 * @self: a record
 * @column: a column
 * @text: to append to
 *
 * Appends the value as a cell shows it; nothing if the record has none. Fields have the form of
 * `dump`.
 */
void
ns_cli_event_append_text (const NsCliEvent *self, guint column, GString *text)
{
  Cell cell;

  if (column >= NS_CLI_EVENT_FIRST_FIELD)
    {
      append_field (self, column, FALSE, text);
      return;
    }
  switch (column)
    {
    case NS_CLI_EVENT_FIELDS:
      append_fields (self, text);
      return;
    case NS_CLI_EVENT_PAYLOAD_HEX:
      append_payload (self, text);
      return;
    case NS_CLI_EVENT_TIME:
      ns_export_time_append (text, self->trace, self->record->time_ns, self->time);
      return;
    default:
      fill (self, column, &cell);
      if (cell.kind == NONE && self->is_screen && column == NS_CLI_EVENT_PROVIDER_NAME)
        fill (self, NS_CLI_EVENT_PROVIDER, &cell);
      if (cell.kind == NUMBER)
        append_number (text, cell.number);
      else if (cell.kind == TEXT)
        g_string_append (text, cell.text);
      return;
    }
}
